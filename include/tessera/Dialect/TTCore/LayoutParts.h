//===- LayoutParts.h - Element types and maps as plain data ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What #ttcore.metal_layout and #ttnn.ttnn_layout have in common on their way
// from IR to plain data and back: the memref's element type and the affine map.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DIALECT_TTCORE_LAYOUTPARTS_H
#define TESSERA_DIALECT_TTCORE_LAYOUTPARTS_H

#include "tessera/Dialect/TTCore/TTCore.h"
#include "tessera/Layout/DataType.h"
#include "tessera/Layout/LinearMap.h"

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace tessera::ttcore {

/// Where a failed conversion reports why; empty to say nothing.
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Reports through `emitError`, if there is one.
llvm::LogicalResult fail(EmitError emitError, const llvm::Twine &message);

// ---- Element types ---------------------------------------------------------------------------------------

/// The data type of a tile or scalar type; nullopt for types that no tensor on the device can have. Signless
/// integers count as si32, u16, u8.
std::optional<tessera::DataType> dataType(mlir::Type elementType);
/// The scalar type of a data type. Block-float formats exist in tiles only; they give bf16, the element type
/// under which tensors of such formats are mostly written (facts/ir 1.1, "Data types").
mlir::Type scalarType(mlir::MLIRContext *context, tessera::DataType type);
/// Fails unless the hardware has tiles of these two extents: 1 to 32. The type itself takes any.
llvm::LogicalResult verifyTileExtents(llvm::ArrayRef<int64_t> tile, EmitError emitError);
/// The element type of a memref: `!ttcore.tile` if there is a tile, else the scalar type.
mlir::Type memrefElementType(mlir::MLIRContext *context, tessera::DataType type,
                             std::optional<TileShape> tile);

inline tessera::DataType toDataType(DataType type) { return static_cast<tessera::DataType>(type); }
inline DataType toAttrDataType(tessera::DataType type) { return static_cast<DataType>(type); }

// ---- Maps ------------------------------------------------------------------------------------------------

/// Fails if the map has symbols, a result that is not an integer combination of the dimensions, or
/// coefficients beyond 2^31.
mlir::FailureOr<LinearMap> toLinearMap(mlir::AffineMap map, EmitError emitError = {});
/// The inverse of toLinearMap, for every map.
mlir::AffineMap toAffineMap(mlir::MLIRContext *context, const LinearMap &map);

} // namespace tessera::ttcore

#endif // TESSERA_DIALECT_TTCORE_LAYOUTPARTS_H
