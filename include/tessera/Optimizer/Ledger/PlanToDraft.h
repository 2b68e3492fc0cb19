//===- PlanToDraft.h - A plan as decisions on a draft ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_LEDGER_PLANTODRAFT_H
#define TESSERA_OPTIMIZER_LEDGER_PLANTODRAFT_H

#include "tessera/Optimizer/Ledger/Draft.h"

namespace tessera {

/// Makes the plan's decisions on a draft of its schedule that has none yet. Ops that are not legal with them even alone,
/// and those that keep their layouts, stay in their base. A draft's copies at home are made behind their producers, and it has one
/// shared reshard per value and layout: what the plan does otherwise comes as near as that allows.
void decideAs(Draft &draft, const Plan &plan);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_LEDGER_PLANTODRAFT_H
