//===- Finder.h - The ways of one op --------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_FINDER_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_FINDER_H

#include "Space.h"

namespace tessera::optimal {

/// Of each combination of forms the fastest configuration, in the order of the forms. The forms and distances of the space must be there.
Ways findWays(const Space &space, const OpCostTable &table, OpId op, llvm::ArrayRef<ConfigId> legal);
/// What the input program and the base plan do, whether or not the backend refuses it: for an op that nothing else is known of.
Ways waysAsGiven(const Space &space, const OpCostTable &table, OpId op);

/// Of two ways between the same forms the faster one, the first of equally fast ones; and the other one as slower, if it takes less L1.
void merge(Way &front, Way way);

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_FINDER_H
