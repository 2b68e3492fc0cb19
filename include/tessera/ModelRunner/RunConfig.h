//===- RunConfig.h - Model, weights and state become one configuration ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// run config = model config + weight config + state, merged over their structure
// (facts/code-principles "Run Config Creation"; facts/deepseek 1.3 has every rule):
//
//   model               weights                    state                result
//   {"w1": Linear(      {"w1": {"input_tensor_b":  {"mesh_device": D}   {"w1": Linear(
//      FromWeightConfig(    SavedWeight("w1")}}                            tensor "w1" on D)}
//         stub))}
//
// The state names devices: "mesh_device" anywhere in it holds for what is below,
// up to the next one.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_RUNCONFIG_H
#define TESSERA_MODELRUNNER_RUNCONFIG_H

#include "tessera/ModelRunner/Item.h"

#include <functional>
#include <map>
#include <optional>

namespace tessera::runner {

/// Whose rules hold.
enum class MergeMode : uint8_t {
  Spec, ///< the specification's sentences. Lists have one length; one of two values is None; weights are there
  Published, ///< dialect A: as the code of July 2025 merges, which departs from its own specification
  Compat,    ///< dialect B: as later code does. A list of one layer serves all layers; some losses are silent
  Checked,   ///< as Compat, but nothing is lost silently, and all that is wrong is reported at once
};

/// By MergeMode.
inline constexpr llvm::StringLiteral kMergeModeNames[] = {"spec", "published", "compat", "checked"};

/// What a merge does when a weight meets the place that waits for it; the result stands there then.
using WeightLoader = std::function<Item(const SavedWeight &weight, const MeshDeviceItem &device)>;

/// Weights that an earlier merge has loaded: the decode config takes those of the prefill config. Compat keeps them by
/// path alone, Checked by device and memory, too.
using WeightCache = std::map<std::string, Item>;

struct MergeOptions {
  MergeMode mode = MergeMode::Checked;
  WeightLoader load; ///< none: a LoadedTensor that says what would be loaded
  WeightCache *cache = nullptr;
};

struct MergeProblem {
  std::string path;    ///< "layers[3].w1.input_tensor_b"; "" for the root
  std::string error;   ///< what the published code raises: "ValueError", "TypeError", "AssertionError"
  std::string message; ///< in Published and Compat as published
};

struct RunConfig {
  Item config; ///< None if there are problems
  std::vector<MergeProblem> problems;
  std::vector<std::string> warnings;
};

/// Merges; never changes what it is given, and visits keys in the order of the model config, then of the others. In
/// Published and Compat the first problem is what the published code would raise; Spec and Published take exactly one
/// state.
RunConfig runConfig(const Item &model, const Item &weights, llvm::ArrayRef<Item> states,
                    const MergeOptions &options = {});

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_RUNCONFIG_H
