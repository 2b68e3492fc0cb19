//===- ModuleTable.h - Modules that stand alone ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Every module can be converted, configured and run by itself. Where it lies in
// the model says what is its own: that part of the model configs, of the state,
// and of the weights, with names as they are within the module.
//
//   moe, layer 3 of a model with 3 dense ones   moe_decoder_block[0].mlp.moe
//   its weight "moe_gate.gate_proj.input_tensor_b"  moe_gate/gate_proj.input_tensor_b.tensorbin
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_MODULETABLE_H
#define TESSERA_MODELRUNNER_MODULETABLE_H

#include "tessera/ModelRunner/WeightPlan.h"

namespace tessera::runner {

/// Layers that a module is in.
enum class InLayers : uint8_t { None, Dense, Mixture, All };

struct ModuleInfo {
  llvm::StringLiteral name;
  InLayers layers;
  llvm::StringLiteral keys; ///< of the model, or of a block, with dots between them; empty: the block itself
};

llvm::ArrayRef<ModuleInfo> modules();
/// nullptr if there is none of that name.
const ModuleInfo *findModule(llvm::StringRef name);
/// A module of a layer, which counts for modules in layers alone.
struct ModulePlace {
  const ModuleInfo *module;
  int64_t layer = 0;
};

/// An error if there is no such layer, or if it does not have the module.
llvm::Expected<ModulePlace> moduleAt(const HfConfig &hf, const ModuleInfo &module,
                                     std::optional<int64_t> layer);

/// What lies at a place of a tree, nullptr if nothing does. The place's last part may be a field of an op config.
const Item *itemAt(const Item &tree, llvm::ArrayRef<std::string> place);

// ---- A module's own part: the namesakes of the functions of namespaces -----------------------------------

/// `whole` is a model config of the model (Modules.h).
Item modelConfigOf(const HfConfig &hf, const ModulePlace &place, const Item &whole);
/// Its device, and its caches if it has any.
Item createState(const Target &target, const MeshDevice &device, const ModulePlace &place);
/// For convertWeights.
std::vector<WeightTensor> planWeights(const Target &target, const ModulePlace &place);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_MODULETABLE_H
