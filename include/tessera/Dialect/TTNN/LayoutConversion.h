//===- LayoutConversion.h - #ttnn.ttnn_layout as plain data ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The border between IR and plain data: 1:1 in both directions, so
// toAttr(context, toTensorLayout(attr)) == attr. The one exception: a memref
// of signless integers comes back with the signed or unsigned type it stands for.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTNN_LAYOUTCONVERSION_H
#define TESSERA_DIALECT_TTNN_LAYOUTCONVERSION_H

#include "tessera/Dialect/TTCore/LayoutParts.h"
#include "tessera/Dialect/TTNN/TTNNAttrs.h"
#include "tessera/Layout/TensorLayout.h"

namespace tessera::ttnn {

using ttcore::dataType;
using ttcore::EmitError;
using ttcore::scalarType;
using ttcore::toAffineMap;
using ttcore::toAttrDataType;
using ttcore::toDataType;
using ttcore::toLinearMap;

// ---- Cores -----------------------------------------------------------------------------------------------

CoreRangeSet toCoreRangeSet(CoreRangeSetAttr attr);
CoreRangeSetAttr toAttr(mlir::MLIRContext *context, const CoreRangeSet &cores);

// ---- Layouts and tensors ---------------------------------------------------------------------------------

/// Total: what does not convert does not pass the attribute's verifier either.
TensorLayout toTensorLayout(TTNNLayoutAttr attr);
/// The attribute of a legal layout. Requires checkLayout(layout) == "" and extents below 2^31, as IR has them.
TTNNLayoutAttr toAttr(mlir::MLIRContext *context, const TensorLayout &layout);
/// The same for a layout of any extents; fails, saying why, if IR cannot hold them.
mlir::FailureOr<TTNNLayoutAttr> toAttr(mlir::MLIRContext *context, const TensorLayout &layout,
                                       EmitError emitError);

/// Shape and data type of a tensor. The data type is the layout's (a tensor of bf16 elements may be stored as
/// bfp_bf8), without a layout the element type's. Fails for dynamic shapes and foreign element types.
mlir::FailureOr<TensorDesc> tensorDesc(mlir::RankedTensorType type, EmitError emitError = {});

} // namespace tessera::ttnn

#endif // TESSERA_DIALECT_TTNN_LAYOUTCONVERSION_H
