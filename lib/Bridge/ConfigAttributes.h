//===- ConfigAttributes.h - Op-specific configuration <-> attributes ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_BRIDGE_CONFIGATTRIBUTES_H
#define TESSERA_LIB_BRIDGE_CONFIGATTRIBUTES_H

#include "tessera/OpModel/Activations.h"
#include "tessera/OpModel/ComputeConfig.h"
#include "tessera/OpModel/OpConfig.h"

#include "mlir/IR/Operation.h"

namespace tessera {

/// The configuration that the op carries: its matmul program config, or its conv2d and slice configs.
/// monostate if it carries none.
OpSpecificConfig configOf(mlir::Operation *op);

/// Whether the op's program config has a key that no plan chooses (gather_in0, hop_cores, num_global_cb_receivers,
/// untilize_out) and that is not as configs of ours have it, or fuses an activation beside the op's own. Such an op keeps its configuration.
bool hasUnsearchedKeys(mlir::Operation *op);

/// Writes `config` onto the op. conv2d knobs are merged into the op's existing `conv2d_config`; an activation
/// that a matmul program config fuses is dropped from the op, so that it is not applied twice
/// (facts/ir 3.5). monostate takes off what is searched: the program config, an activation that it fused going back to the op; a
/// convolution's knobs and slices.
void applyConfig(mlir::Operation *op, const OpSpecificConfig &config);

/// States how exactly the op computes.
void applyComputeConfig(mlir::Operation *op, const ComputeConfig &config);

/// States of attention of single positions, unless it says so itself, that it shares out the cores of this device, with the chunks and as many cores
/// for each head as it would take of them by itself. Other ops stay as they are.
void stateGrid(mlir::Operation *op, const DeviceSpec &device);

/// Sets `output_layout` in a convolution's config to the page layout of the op's result, if they differ (absent: tile).
/// Other ops stay as they are.
void agreeOnOutputLayout(mlir::Operation *op);

/// The activations of an array of `#ttnn.unary_with_param`, as OpModel/Activations.h writes them.
std::string activationsText(mlir::ArrayAttr list);

/// Calls `visit(key, value)` for each top-level `key = value` of an attribute's text `#dialect.name<key = value, ...>`.
/// Returns false, having visited nothing, if the text has another form.
bool forEachField(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> visit);

} // namespace tessera

#endif // TESSERA_LIB_BRIDGE_CONFIGATTRIBUTES_H
