//===- Paths.h - Conversions by way of any form ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_PATHS_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_PATHS_H

#include "Space.h"

namespace tessera::optimal {

/// The plan with those of its conversions made by way of other forms of the value that are faster so (Distances::path): from shards to
/// shards, say, where Conversions knows paths through interleaved memory alone. What is not legal beside what L1 holds then, or
/// has no address, stays as it was; so the plan is legal if it was, and never slower.
Plan withFasterPaths(const Space &space, const OpCostTable &model, Plan plan);

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_PATHS_H
