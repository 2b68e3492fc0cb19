//===- KeptPlaces.h - Room above what is freed later ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_KEPTPLACES_H
#define TESSERA_OPTIMIZER_PLAN_KEPTPLACES_H

#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// A plan that fits by bytes may have no addresses: L1 is given out from the top, so what is made while another tensor lives comes to lie below
/// that one, and stays there when it is freed, in the way of circular buffers. For each step that finds no room, the places of tensors
/// that lie too low are kept since before what lies above them was made, where that leaves less missing in all and the plan stays legal. This
/// costs no time, as nothing is moved. What no such place helps stays as it is.
Plan withKeptPlaces(const Problem &problem, Plan plan, const OpCostTable &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_KEPTPLACES_H
