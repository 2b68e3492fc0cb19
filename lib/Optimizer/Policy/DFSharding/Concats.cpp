//===- Concats.cpp - Concats that read their inputs from L1 --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ChainSet.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::df_sharding;

std::optional<MemoryLayout> tessera::df_sharding::concatInputLayout(const Problem &problem, OpId concat) {
  const OpSignature &signature = problem.signature(concat);
  if (signature.results.empty())
    return std::nullopt;
  int64_t rank = int64_t(signature.results.front().shape.size());
  int64_t dim = signature.integer("dim", 0);
  int64_t fromTheEnd = dim < 0 ? -dim : rank - dim;
  // What the kernel joins: rows side by side within a core, or columns one below the other (facts/hardware 4.4).
  if (fromTheEnd == 1)
    return MemoryLayout::HeightSharded;
  return fromTheEnd == 2 ? std::optional(MemoryLayout::WidthSharded) : std::nullopt;
}

void tessera::df_sharding::setConcatChainPreferences(ChainSet &chains) {
  const Problem &problem = chains.problem;
  for (size_t i = 0; i < chains.size(); ++i) {
    if (!chains[i].isConcat)
      continue;
    OpId concat = chains[i].front();
    std::optional<MemoryLayout> layout = concatInputLayout(problem, concat);
    if (!layout)
      continue;
    // A preference only: a chain that has no such configuration at its end is solved as usual.
    // The chains that end in the concat should make what it joins, and the one behind it should go on with that.
    auto prefer = [&](OpId op) {
      if (unsigned chain = op.valid() ? chains.chainOf(op) : ChainSet::kNone; chain != ChainSet::kNone)
        chains[chain].preferredOutputMemLayout = layout;
    };
    for (ValueId operand : problem[concat].operands)
      if (OpId producer = problem[operand].producer; producer.valid())
        if (unsigned chain = chains.chainOf(producer);
            chain != ChainSet::kNone && chains[chain].back() == producer)
          prefer(producer);
    if (const Value &result = problem[chains.resultOf(unsigned(i))]; result.uses.size() == 1)
      prefer(result.uses.front().op);
  }
}

/// All inputs are results of completed chains that nothing else reads.
static bool inputsAreChains(const ChainSet &chains, OpId concat) {
  return llvm::all_of(chains.problem[concat].operands, [&](ValueId operand) {
    const Value &value = chains.problem[operand];
    // A second reader would want the result in DRAM or sharded otherwise, and the concat needs all inputs at
    // once.
    return chains.endingIn(operand) != ChainSet::kNone && value.uses.size() == 1 && !value.returned;
  });
}

/// The concat's sharded configurations of the kind that it needs; those on the grid of the first input first.
static std::vector<ConfigId> candidates(const ChainSet &chains, OpId concat, MemoryLayout kind) {
  const Problem &problem = chains.problem;
  const Oracle &oracle = chains.draft.oracle;
  GridShape grid = problem.layout(chains.draft.made(problem[concat].operands.front())).grid;
  std::vector<ConfigId> sameGrid, others;
  for (ConfigId config : shardedConfigs(problem, oracle, concat)) {
    const TensorLayout &output = problem.layout(oracle[config].outputs.front());
    if (output.memory == kind)
      // Kernels join shards on one grid (facts/hardware 4.4), so the inputs' own is the likeliest to be legal.
      (output.grid == grid ? sameGrid : others).push_back(config);
  }
  llvm::append_range(sameGrid, others);
  return sameGrid;
}

/// The N-way merge. The draft checks every op between the first input and the concat with what lies in L1
/// there.
static Outcome tryConcat(ChainSet &chains, OpId concat, ConfigId config) {
  return chains.attempt([&] {
    chains.draft.setConfig(concat, config);
    for (size_t i = 0; i < chains.problem[concat].operands.size(); ++i)
      chains.draft.setRead(concat, i, {Source::Original, LayoutId()});
  });
}

static Outcome resolveConcat(ChainSet &chains, OpId concat) {
  std::optional<MemoryLayout> kind = concatInputLayout(chains.problem, concat);
  if (!kind || chains.problem[concat].operands.empty() || !inputsAreChains(chains, concat))
    return Outcome::Refused;
  auto hasKind = [&](ValueId operand) {
    return chains.problem.layout(chains.draft.made(operand)).memory == kind;
  };
  Outcome outcome = Outcome::Refused;
  if (!llvm::all_of(chains.problem[concat].operands, hasKind))
    return outcome;
  // The first that fits; all give the same kind, and the grid of the inputs comes first.
  for (ConfigId config : candidates(chains, concat, *kind)) {
    outcome = tryConcat(chains, concat, config);
    if (outcome == Outcome::Applied)
      return outcome;
  }
  return outcome;
}

void tessera::df_sharding::resolveConcatChains(ChainSet &chains) {
  for (unsigned i = 0; i < chains.size(); ++i) {
    if (!chains[i].isConcat)
      continue;
    OpId concat = chains[i].front();
    Outcome outcome = resolveConcat(chains, concat);
    bool applied = outcome == Outcome::Applied;
    chains[i].state = applied ? ChainState::Completed : ChainState::Failed;
    chains[i].refusal = outcome;
    for (ValueId operand : chains.problem[concat].operands)
      if (unsigned input = chains.endingIn(operand); input != ChainSet::kNone) {
        // Each input has the same reason for going to DRAM: the concat that did not take it.
        chains[input].refusal = outcome;
        if (applied)
          chains.keep(input, Kept::Concat);
      }
  }
}
