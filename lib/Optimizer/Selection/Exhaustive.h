//===- Exhaustive.h - All selections of a small problem -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_SELECTION_EXHAUSTIVE_H
#define TESSERA_LIB_OPTIMIZER_SELECTION_EXHAUSTIVE_H

#include "Graph.h"

namespace tessera {

/// Whether there are few enough selections to look at each: about a second.
bool isSmall(const SelectionProblem &problem);

/// A best selection of a small problem, by depth-first search that turns back where the cost of what is chosen reaches the
/// best. `known` stands if nothing costs less. Nullopt: no selection is allowed and fits.
std::optional<Selection> solveExhaustively(const SelectionGraph &graph, std::optional<Selection> known);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_SELECTION_EXHAUSTIVE_H
