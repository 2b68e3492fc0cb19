//===- Declared.h - The layouts of the input program ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two policies that decide on no layout: what is left where nobody wants the
// program's layouts changed, and what others are compared with.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_DECLARED_DECLARED_H
#define TESSERA_LIB_OPTIMIZER_POLICY_DECLARED_DECLARED_H

#include "tessera/Optimizer/Policy/Policy.h"

namespace tessera {

/// Policy `declared`: the base plan, without its round trips between ops that overrides put side by side. Without
/// overrides the input program, whether it is legal or not.
std::optional<Plan> solveDeclared(const Problem &problem, const OpCostTable &model,
                                  const PolicyOptions &options);

/// Policy `configurations`: every layout as under `declared`, and of the configurations that an op may have with its
/// results there the fastest that fits (OpConfigAnalysis of facts/ir 3.1, step 6, for layouts that no policy decides).
/// What the optimizer does with its memory layout analysis off. Not slower than `declared`.
std::optional<Plan> solveConfigurations(const Problem &problem, const OpCostTable &model,
                                        const PolicyOptions &options);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_DECLARED_DECLARED_H
