//===- Layers.h - The layers of a model -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_LAYERS_H
#define TESSERA_OPTIMIZER_DECISIONS_LAYERS_H

#include "tessera/Optimizer/Decisions/Decisions.h"

namespace tessera::decisions {

/// The layer of each op, by its number. Where half of the ops have locations with a numbered scope ("model/layers.3/mlp/dot"), it is that
/// scope ("model/layers.3"; "outside" of others). Else the program's own repetition: ops of the same kinds and shapes at a fixed distance
/// are "layer 0", "layer 1", ..., with "begin" and "end" around them. Without either all are "all ops".
std::vector<std::string> layerNames(const FunctionDecisions &function);

/// The groups that each op stands in, by its number, the outermost first. Where half of the ops have locations with scopes, these are the
/// groups ("model", "layers.3", "mlp" of "model/layers.3/mlp/dot"); else layers are, if there are several. Empty: in none.
std::vector<std::vector<std::string>> groupPaths(const FunctionDecisions &function);

} // namespace tessera::decisions

#endif // TESSERA_OPTIMIZER_DECISIONS_LAYERS_H
