//===- ChainSet.cpp - The chains of a draft ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ChainSet.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::df_sharding;

ChainSet::ChainSet(Draft &draft, std::vector<L1Chain> built, bool mayCost, ProgressFunction progress)
    : draft(draft), problem(draft.problem), mayCost(mayCost), progress(std::move(progress)),
      chains(std::move(built)), owner(problem.ops.size(), kNone) {
  for (unsigned i = 0; i < chains.size(); ++i)
    enter(i);
}

void ChainSet::enter(unsigned chain) {
  for (OpId op : chains[chain].ops)
    owner[op.index()] = chain;
}

void ChainSet::keep(unsigned chain, Kept step) {
  chains[chain].kept = step;
  // What an earlier step ran into does not count any more.
  chains[chain].refusal = Outcome::Applied;
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
  L1Chain &chain = chains[index];
  Outcome outcome = draft.attempt(
      [&] {
        for (auto [i, op] : llvm::enumerate(chain.ops)) {
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
  chain.state = outcome == Outcome::Applied ? ChainState::Completed : ChainState::Failed;
  chain.entryReshard = solution.reshards.front();
  return outcome;
}

unsigned ChainSet::addCompleted(OpId op) {
  unsigned index = unsigned(chains.size());
  L1Chain &chain = chains.emplace_back();
  chain.ops = {op};
  // It keeps the configuration that it has in the draft: later steps then find it like any other.
  chain.state = ChainState::Completed;
  enter(index);
  return index;
}

bool ChainSet::dropIfSlower(unsigned index) {
  Nanoseconds before = draft.time();
  // Strictly faster: with equal times the chain stays, as the design would have it.
  bool faster = draft.attempt([&] { revert(index); }, /*mayCost=*/false,
                              [&] { return draft.time() < before; }) == Outcome::Applied;
  if (faster)
    chains[index].state = ChainState::Dropped;
  return faster;
}

/// Back to the base plan, for the ops of this chain alone. An inner result has no reader outside of it, so only the
/// last one's readers are set anew.
void ChainSet::revert(unsigned index) {
  for (OpId op : chains[index].ops) {
    draft.setBase(op);
    for (ValueId result : problem[op].results) {
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
  return isEntry ? Read{Source::Home, chains[chain].entryReshard} : draft.baseRead(op, operand);
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
