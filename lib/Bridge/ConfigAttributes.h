//===- ConfigAttributes.h - Op-specific configuration <-> attributes ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_BRIDGE_CONFIGATTRIBUTES_H
#define TESSERA_LIB_BRIDGE_CONFIGATTRIBUTES_H

#include "tessera/OpModel/OpConfig.h"

#include "mlir/IR/Operation.h"

namespace tessera {

/// The configuration that the op carries: its matmul program config, or its conv2d and slice configs.
/// monostate if it carries none.
OpSpecificConfig configOf(mlir::Operation *op);

/// Writes `config` onto the op. conv2d knobs are merged into the op's existing `conv2d_config`; an activation
/// that a matmul program config fuses is dropped from the op, so that it is not applied twice
/// (facts/ir 3.5). monostate leaves the op as it is.
void applyConfig(mlir::Operation *op, const OpSpecificConfig &config);

/// Sets `output_layout` in a conv2d's config to the page layout of the op's result, if they differ (absent: tile).
/// Other ops stay as they are.
void agreeOnOutputLayout(mlir::Operation *op);

/// Calls `visit(key, value)` for each top-level `key = value` of an attribute's text `#dialect.name<key = value, ...>`.
/// Returns false, having visited nothing, if the text has another form.
bool forEachField(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> visit);

} // namespace tessera

#endif // TESSERA_LIB_BRIDGE_CONFIGATTRIBUTES_H
