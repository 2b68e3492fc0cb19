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

#include "tessera/Dialect/TTNN/TTNNAttrs.h"
#include "tessera/Layout/TensorLayout.h"

#include <optional>

namespace tessera::ttnn {

/// Where a failed conversion reports why; empty to say nothing.
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

// ---- Element types ---------------------------------------------------------------------------------------

/// The data type of a tile or scalar type; nullopt for types that no tensor on the device can have. Signless
/// integers count as si32, u16, u8, and i1 as bool.
std::optional<tessera::DataType> dataType(mlir::Type elementType);
/// The scalar type of a data type. Block-float formats exist in tiles only; they give bf16, the element type
/// under which tensors of such formats are mostly written (facts/ir-and-algorithms.md 1.1, "Data types").
mlir::Type scalarType(mlir::MLIRContext *context, tessera::DataType type);

inline tessera::DataType toDataType(ttcore::DataType type) { return static_cast<tessera::DataType>(type); }
inline ttcore::DataType toAttrDataType(tessera::DataType type) { return static_cast<ttcore::DataType>(type); }

// ---- Parts of a layout -----------------------------------------------------------------------------------

/// Fails if the map has symbols, a result that is not an integer combination of the dimensions, or
/// coefficients beyond 2^31.
mlir::FailureOr<LinearMap> toLinearMap(mlir::AffineMap map, EmitError emitError = {});
mlir::AffineMap toAffineMap(mlir::MLIRContext *context, const LinearMap &map);

CoreRangeSet toCoreRangeSet(CoreRangeSetAttr attr);
CoreRangeSetAttr toAttr(mlir::MLIRContext *context, const CoreRangeSet &cores);

// ---- Layouts and tensors ---------------------------------------------------------------------------------

/// Total: what does not convert does not pass the attribute's verifier either.
TensorLayout toTensorLayout(TTNNLayoutAttr attr);
/// The attribute of a legal layout. Requires checkLayout(layout) == "".
TTNNLayoutAttr toAttr(mlir::MLIRContext *context, const TensorLayout &layout);

/// Shape and data type of a tensor. The data type is the layout's (a tensor of bf16 elements may be stored as
/// bfp_bf8), without a layout the element type's. Fails for dynamic shapes and foreign element types.
mlir::FailureOr<TensorDesc> tensorDesc(mlir::RankedTensorType type, EmitError emitError = {});

} // namespace tessera::ttnn

#endif // TESSERA_DIALECT_TTNN_LAYOUTCONVERSION_H
