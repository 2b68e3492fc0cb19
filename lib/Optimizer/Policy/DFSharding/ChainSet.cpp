//===- ChainSet.cpp - The chains of a draft ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ChainSet.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include <cassert>

using namespace tessera;
using namespace tessera::df_sharding;

ChainSet::ChainSet(Draft &draft, std::vector<L1ChainConfig> built, bool mayCost, ProgressFunction progress)
    : draft(draft), problem(draft.problem), mayCost(mayCost), progress(std::move(progress)),
      chains(std::move(built)), owner(problem.ops.size(), kNone) {
  for (unsigned i = 0; i < chains.size(); ++i)
    enter(i);
}

void ChainSet::enter(unsigned chain) {
  for (const OpL1MemSpec &spec : chains[chain].ops())
    owner[spec.op.index()] = chain;
  // By chain, in step with `chains`: chains are added on the way (addCompleted).
  dropped.push_back(false);
  entryReshards.push_back({});
  refusal.push_back(Outcome::Applied);
  kept.push_back(Kept::Nothing);
}

void ChainSet::keep(unsigned chain, Kept step, SpillLocation location) {
  chains[chain].spillLocation = location;
  // What an earlier step ran into does not count any more.
  refusal[chain] = Outcome::Applied;
  kept[chain] = step;
}

ValueId ChainSet::resultOf(unsigned chain) const { return problem[chains[chain].back()].results.front(); }

/// kNone if no chain of the plan ends there: an inner result of a chain is read by the next op of it, and nobody
/// else may have it.
unsigned ChainSet::endingIn(ValueId value) const {
  OpId producer = problem[value].producer;
  unsigned chain = producer.valid() ? chainOf(producer) : kNone;
  return inPlan(chain) && chains[chain].back() == producer ? chain : kNone;
}

// ---- Completing and dropping -----------------------------------------------------------------------------

/// All ops of the chain at once: a chain that is half in the plan would reshard at the break, and might not fit for
/// that.
Outcome ChainSet::complete(unsigned index, const ChainSolution &solution) {
  L1ChainConfig &chain = chains[index];
  expect(chain.resolve());
  Outcome outcome = draft.attempt(
      [&] {
        for (size_t i = 0; i < chain.ops().size(); ++i) {
          OpId op = chain.ops()[i].op;
          draft.setConfig(op, solution.configs[i]);
          llvm::ArrayRef<ValueId> operands = problem[op].operands;
          Read read{i == 0 ? Source::Home : Source::Original, solution.reshards[i]};
          for (size_t operand = 0; operand < operands.size(); ++operand)
            // Chains run through operand 0; a value that the op reads twice is read in one layout.
            if (operands[operand] == operands.front())
              draft.setRead(op, operand, read);
        }
      },
      // The design asks for no time here: a chain pays only once its last result stays, which later steps
      // decide. Step 8 drops what does not pay.
      /*mayCost=*/true);
  if (outcome != Outcome::Applied) {
    expect(chain.fail());
    return outcome;
  }
  expect(chain.complete(solution.configs));
  entryReshards[index] = solution.reshards.front();
  return outcome;
}

void ChainSet::fail(unsigned chain) { expect(chains[chain].fail()); }

/// A chain of one op that keeps the configuration it has in the draft: later steps then find it like any other.
void ChainSet::completeAsIs(unsigned chain) {
  expect(chains[chain].resolve());
  expect(chains[chain].complete(draft.config(chains[chain].front())));
}

unsigned ChainSet::addCompleted(OpId op) {
  unsigned index = unsigned(chains.size());
  chains.emplace_back();
  expect(chains.back().append(op));
  expect(chains.back().build());
  enter(index);
  completeAsIs(index);
  return index;
}

bool ChainSet::dropIfSlower(unsigned index) {
  Nanoseconds before = draft.time();
  // Strictly faster: with equal times the chain stays, as the design would have it.
  bool faster = draft.attempt([&] { revert(index); }, /*mayCost=*/false,
                              [&] { return draft.time() < before; }) == Outcome::Applied;
  dropped[index] = faster;
  return faster;
}

/// Back to the base plan, for the ops of this chain alone. An inner result has no reader outside of it, so only the
/// last one's readers are set anew.
void ChainSet::revert(unsigned index) {
  for (const OpL1MemSpec &spec : chains[index].ops()) {
    draft.setBase(spec.op);
    for (ValueId result : problem[spec.op].results) {
      draft.setInterleavedCopy(result, LayoutId());
      // Readers inside the chain are set by the loop itself; those outside go home, the entry of another chain
      // through its own conversion.
      for (const Use &use : problem[result].uses)
        if (chainOf(use.op) != index)
          draft.setRead(use.op, use.operand, readFromHome(use.op, use.operand));
    }
  }
}

// ---- Reading ---------------------------------------------------------------------------------------------

Read ChainSet::readFromHome(OpId op, size_t operand) const {
  unsigned chain = chainOf(op);
  // The solver reshards what comes into a chain, by the operand that the chain runs through.
  bool isEntry = inPlan(chain) && chains[chain].front() == op &&
                 problem[op].operands[operand] == problem[op].operands.front();
  return isEntry ? Read{Source::Home, entryReshards[chain]} : draft.baseRead(op, operand);
}

/// From where the value is kept in L1 instead of from home.
Read ChainSet::readFrom(OpId op, size_t operand, Source source) const {
  Read direct{source, LayoutId()};
  Read resharded{source, readFromHome(op, operand).reshard};
  if (!resharded.reshard.valid())
    return direct;
  ValueId value = problem[op].operands[operand];
  LayoutId layout = source == Source::Interleaved ? draft.interleavedCopy(value) : draft.made(value);
  auto [config, inputs] = draft.queryOf(op);
  setInput(problem[op], value, layout, inputs);
  // Without the conversion if the op takes the layout as it is: that is what keeping the value in L1 is for.
  return draft.oracle.run(op, inputs, config).legal ? direct : resharded;
}
