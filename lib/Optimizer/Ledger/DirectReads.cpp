//===- DirectReads.cpp - No way home around ops with bases of their own ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Ledger/DirectReads.h"

#include "tessera/Optimizer/Ledger/Reads.h"

using namespace tessera;

static void tryDirect(Draft &draft, OpId op, size_t operand) {
  ValueId value = draft.problem[op].operands[operand];
  Read now = draft.read(op, operand);
  // Read as it is made already, or made at home: there is no way home to spare.
  if (now.source != Source::Home || draft.made(value) == draft.home(value) ||
      !draft.mayReadElsewhere(op, operand))
    return;
  // As it is made first, then through the conversion that the op has now: from L1 that is cheaper than from where the
  // value was spilled.
  for (LayoutId reshard : {LayoutId(), now.reshard})
    if (draft.attempt([&] { setReads(draft, op, value, {Source::Original, reshard}); }) == Outcome::Applied)
      return;
}

void tessera::readDirectly(Draft &draft) {
  for (OpId id : draft.schedule()) {
    const Op &op = draft.problem[id];
    // Around all other ops values are made at home, so that the base has no conversions to spare.
    if (!hasOwnBase(op) && !op.mustConvert && op.role != OpRole::Conversion)
      continue;
    for (size_t operand = 0; operand < op.operands.size(); ++operand)
      tryDirect(draft, id, operand);
    for (ValueId result : op.results)
      for (const Use &use : draft.problem[result].uses)
        tryDirect(draft, use.op, use.operand);
  }
}
