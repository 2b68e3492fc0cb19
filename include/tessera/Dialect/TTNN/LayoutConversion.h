//===- LayoutConversion.h - #ttnn.ttnn_layout as plain data ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The border between IR and plain data. Every TensorLayout that checkLayout
// accepts has an attribute, and comes back from it equal. Not every attribute
// has a TensorLayout: nothing in IR ties a layout to tensors, grids or cores
// (facts/dialect 2). Those that have one come back equal, too,
// but for memrefs of signless integers, which get the signed or unsigned type
// that they stand for.
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

/// Ranges in the order of the attribute, which is that of the shards.
CoreRangeSet toCoreRangeSet(CoreRangeSetAttr attr);
CoreRangeSetAttr toAttr(mlir::MLIRContext *context, const CoreRangeSet &cores);

// ---- Layouts and tensors ---------------------------------------------------------------------------------

/// The layout as plain data. Fails, saying why, for what places no tensor: a map or memref that is not
/// two-dimensional, or what checkLayout refuses.
mlir::FailureOr<TensorLayout> toTensorLayout(TTNNLayoutAttr attr, EmitError emitError = {});
/// The attribute of a layout. Requires that the form below accepts it: what the builders of TensorLayout.h make
/// and toTensorLayout returns, with extents below 2^31.
TTNNLayoutAttr toAttr(mlir::MLIRContext *context, const TensorLayout &layout);
/// The same for any layout; fails, saying why, if IR cannot hold it.
mlir::FailureOr<TTNNLayoutAttr> toAttr(mlir::MLIRContext *context, const TensorLayout &layout,
                                       EmitError emitError);

/// Shape and data type of a tensor. The data type is the layout's (a tensor of bf16 elements may be stored as
/// bfp_bf8), without a layout the element type's. Fails for dynamic shapes and foreign element types.
mlir::FailureOr<TensorDesc> tensorDesc(mlir::RankedTensorType type, EmitError emitError = {});

/// Why a tensor of that shape cannot lie in that layout (another rank, shards that do not hold it); "" if it can.
/// Requires checkLayout(layout) == ""; the shape may hold anything. Dynamic shapes only need the rank.
std::string checkHolds(const TensorLayout &layout, llvm::ArrayRef<int64_t> shape);

/// A tensor that the optimizer can reason about: what it is and where it lies.
struct PlacedTensor {
  TensorDesc tensor;
  TensorLayout layout;
};
/// Fails, saying why, for a tensor of dynamic shape or foreign element type, one without a layout, and one whose
/// layout has no plain form or does not hold it.
mlir::FailureOr<PlacedTensor> placedTensor(mlir::RankedTensorType type, EmitError emitError = {});

} // namespace tessera::ttnn

#endif // TESSERA_DIALECT_TTNN_LAYOUTCONVERSION_H
