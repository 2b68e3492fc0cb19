//===- Reservations.cpp - Results that wait in L1 for their readers ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two steps that keep a finished chain's result in L1 behind its end: for a
// reshape that alone reads it, and for all readers of a fork. Each is one attempt
// on the draft, whole or not at all, and why it failed is the reason of the spill
// that the report gives.
//
//===----------------------------------------------------------------------===//
#include "ChainSet.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::df_sharding;

static constexpr llvm::StringLiteral kReshape = "ttnn.reshape";

static bool mayAllReadElsewhere(const Draft &draft, ValueId value) {
  return llvm::all_of(draft.problem[value].uses,
                      [&](const Use &use) { return draft.mayReadElsewhere(use.op, use.operand); });
}

static void readAll(ChainSet &chains, ValueId value, Source source) {
  for (const Use &use : chains.problem[value].uses)
    chains.draft.setRead(use.op, use.operand, chains.readFrom(use.op, use.operand, source));
}

// ---- Reshapes --------------------------------------------------------------------------------------------

/// The reshape that is the only reader of the chain's result, which is not kept in L1 yet; invalid if there
/// is none.
static OpId reshapeBehind(const ChainSet &chains, unsigned chain) {
  if (!chains.inPlan(chain) || chains[chain].kept != Kept::Nothing)
    return {};
  const Value &value = chains.problem[chains.resultOf(chain)];
  if (value.uses.size() != 1 || value.returned)
    return {};
  OpId reader = value.uses.front().op;
  const Op &op = chains.problem[reader];
  bool isReshape = op.name == kReshape && op.role == OpRole::Compute && op.results.size() == 1;
  return isReshape && chains.chainOf(reader) == ChainSet::kNone ? reader : OpId();
}

void tessera::df_sharding::applyL1ReservationsForReshapes(ChainSet &chains) {
  Draft &draft = chains.draft;
  // Up to those that were built: each that is added on the way is a reshape alone, whose readers were just looked at.
  for (unsigned i = 0, built = unsigned(chains.size()); i < built; ++i) {
    OpId reshape = reshapeBehind(chains, i);
    if (!reshape.valid())
      continue;
    ValueId input = chains.resultOf(i), output = chains.problem[reshape].results.front();
    ConfigId config = interleavedConfig(draft.problem, draft.oracle, reshape);
    LayoutId copy = draft.oracle.l1Interleaved(input);
    // All or nothing: a reshape in L1 whose readers go to DRAM would only add a conversion.
    if (!copy.valid() || !config.valid() || !draft.mayReadElsewhere(reshape, 0) ||
        !mayAllReadElsewhere(draft, output)) {
      chains[i].refusal = Outcome::Refused;
      continue;
    }
    Outcome outcome = chains.attempt([&] {
      draft.setInterleavedCopy(input, copy);
      draft.setRead(reshape, 0, {Source::Interleaved, LayoutId()});
      draft.setConfig(reshape, config);
      readAll(chains, output, Source::Original);
    });
    chains[i].refusal = outcome;
    if (outcome != Outcome::Applied)
      continue;
    chains.keep(i, Kept::ForReshape);
    chains.keep(chains.addCompleted(reshape), Kept::Reshape);
  }
}

// ---- Forks -----------------------------------------------------------------------------------------------

/// Sharded as it is made, until its last reader has run.
static Outcome keepSharded(ChainSet &chains, ValueId value) {
  return chains.attempt([&] { readAll(chains, value, Source::Original); });
}

static Outcome keepInterleaved(ChainSet &chains, ValueId value) {
  LayoutId copy = chains.draft.oracle.l1Interleaved(value);
  if (!copy.valid())
    return Outcome::Refused;
  return chains.attempt([&] {
    chains.draft.setInterleavedCopy(value, copy);
    readAll(chains, value, Source::Interleaved);
  });
}

void tessera::df_sharding::applyL1ReservationsForForkOps(ChainSet &chains) {
  for (unsigned i = 0; i < chains.size(); ++i) {
    chains.reportAt(i, "keeping forks in L1");
    if (!chains.inPlan(i) || chains[i].kept != Kept::Nothing || chains[i].end != ChainEnd::Fork)
      continue;
    ValueId value = chains.resultOf(i);
    if (!mayAllReadElsewhere(chains.draft, value)) {
      chains[i].refusal = Outcome::Refused;
      continue;
    }
    // Sharded first, as facts/optimizer-design 4.1.4 has it; the reason that is reported is that of the better place.
    Outcome sharded = keepSharded(chains, value);
    if (sharded == Outcome::Applied)
      chains.keep(i, Kept::ShardedFork);
    else if (keepInterleaved(chains, value) == Outcome::Applied)
      chains.keep(i, Kept::InterleavedFork);
    else
      chains[i].refusal = sharded;
  }
}
