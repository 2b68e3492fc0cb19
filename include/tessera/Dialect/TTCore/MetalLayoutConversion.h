//===- MetalLayoutConversion.h - #ttcore.metal_layout as plain data --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The border between IR and plain data: 1:1 in both directions, so
// toAttr(context, toMetalLayout(attr)) == attr. The one exception: a memref
// of signless integers comes back with the signed or unsigned type it stands for.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_METALLAYOUTCONVERSION_H
#define TESSERA_DIALECT_TTCORE_METALLAYOUTCONVERSION_H

#include "tessera/Dialect/TTCore/LayoutParts.h"
#include "tessera/Layout/MetalGeometry.h"
#include "tessera/Layout/MetalToTtnn.h"

namespace tessera::ttcore {

/// Total: what does not convert does not pass the attribute's verifier either.
MetalLayout toMetalLayout(MetalLayoutAttr attr);
/// The attribute of a layout. Fails, saying why, where IR is narrower than plain data: strides beyond 2^31,
/// tiles beyond 32x32, a grid of rank 0, and what the attribute's verifier rejects.
mlir::FailureOr<MetalLayoutAttr> toAttr(mlir::MLIRContext *context, const MetalLayout &layout,
                                        EmitError emitError);

} // namespace tessera::ttcore

#endif // TESSERA_DIALECT_TTCORE_METALLAYOUTCONVERSION_H
