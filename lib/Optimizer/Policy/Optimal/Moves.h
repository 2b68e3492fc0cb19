//===- Moves.h - Out of the way of what finds no room ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_MOVES_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_MOVES_H

#include "Space.h"

namespace tessera::optimal {

/// The plan with fewer steps that find no room for what they need at once: a tensor that was made below others which are gone by then is converted,
/// and so lies in the hole that they left. It is another form until somebody reads it.
Plan withMoves(const Space &space, const OpCostTable &model, Plan plan);

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_MOVES_H
