//===- TTNNOpsVerify.h - Shape arithmetic of the op verifiers -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What the verifiers of several op families need. Types come as ranked tensors
// (ODS has checked that); everything else may be nonsense: zero extents,
// negative attributes, sums and products beyond 64 bits.
//
// The shape rules yield the expected result shape, or emit an error at `op` and
// fail. A rule's message names what was given and what would be right. Extents
// that are not known agree with any: rules on extents ask hasDynamicShape first,
// and the checks below do so themselves.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DIALECT_TTNN_TTNNOPSVERIFY_H
#define TESSERA_LIB_DIALECT_TTNN_TTNNOPSVERIFY_H

#include "tessera/Dialect/TTNN/TTNN.h"
#include "tessera/Layout/LinearMap.h"

#include <optional>
#include <string>

namespace tessera::ttnn {

using Dims = llvm::ArrayRef<int64_t>;

// ---- Arithmetic that never overflows ---------------------------------------------------------------------

/// "1x32x64"; "scalar" for rank 0.
std::string toText(Dims shape);
/// The product; nullopt beyond 64 bits.
std::optional<int64_t> product(Dims factors);
/// a * b + c, or nullopt beyond 64 bits.
std::optional<int64_t> multiplyAdd(int64_t a, int64_t b, int64_t c);
/// `dim` of a tensor of that rank, counted from the end if negative; nullopt if there is no such dimension.
std::optional<unsigned> normalizeDim(int64_t dim, size_t rank);
/// The value; nullopt if it does not fit 64 bits.
std::optional<int64_t> toInt(mlir::IntegerAttr attr);
/// The values of an array of integers; nullopt if there is anything else in it.
std::optional<Shape> toInts(mlir::ArrayAttr attr);
/// Both shapes aligned at the last dimension, extents of 1 stretched; nullopt if they do not agree.
std::optional<Shape> broadcast(Dims a, Dims b);

// ---- Checks ----------------------------------------------------------------------------------------------

/// An operand or result has an extent that is not known.
bool hasDynamicShape(mlir::Operation *op);

/// Result has the shape `expected`, which follows from `reason`.
llvm::LogicalResult verifyResultShape(mlir::Operation *op, mlir::RankedTensorType result, Dims expected,
                                      llvm::StringRef reason);
/// `type` has that rank. `what` names it: "input".
llvm::LogicalResult verifyRank(mlir::Operation *op, mlir::RankedTensorType type, int64_t rank,
                               llvm::StringRef what);
/// Extent `dim` of `type` is `expected`, because `reason` says so.
llvm::LogicalResult verifyExtent(mlir::Operation *op, mlir::RankedTensorType type, unsigned dim,
                                 int64_t expected, llvm::StringRef what, llvm::StringRef reason);
/// normalizeDim of the attribute `name`, with an error if there is none.
llvm::FailureOr<unsigned> verifyDim(mlir::Operation *op, mlir::IntegerAttr dim, size_t rank,
                                    llvm::StringRef name);
/// The result has the input's shape, and `dim` is one of its dimensions.
llvm::LogicalResult verifySameShapeAlong(mlir::Operation *op, mlir::RankedTensorType input,
                                         mlir::IntegerAttr dim, llvm::StringRef name,
                                         mlir::RankedTensorType result);

/// The layout of a tensor type; null if none.
TTNNLayoutAttr layoutOf(mlir::RankedTensorType type);
/// The tensor has a layout, and not in system memory.
bool isOnDevice(mlir::RankedTensorType type);
/// What one core holds of it, by its layout of either kind; null if it has none.
mlir::MemRefType memrefOf(mlir::RankedTensorType type);
/// The tensor has a layout, in `memrefOf`'s sense if it `mayBeNd`.
llvm::LogicalResult verifyHasLayout(mlir::Operation *op, mlir::RankedTensorType type, llvm::StringRef what,
                                    bool mayBeNd = false);

// ---- Checks on named tensors and attributes --------------------------------------------------------------

/// A tensor operand or result and what messages call it. Checks skip null: an optional operand that is absent.
struct Named {
  llvm::StringRef name;
  mlir::Value value;
  mlir::RankedTensorType type() const { return llvm::cast<mlir::RankedTensorType>(value.getType()); }
};
using NamedTensors = llvm::ArrayRef<Named>;

/// All have that rank.
llvm::LogicalResult verifyRanks(mlir::Operation *op, int64_t rank, NamedTensors tensors);
/// All have that shape.
llvm::LogicalResult verifyShapes(mlir::Operation *op, Dims shape, NamedTensors tensors,
                                 llvm::StringRef reason);
/// All have the first one's element type.
llvm::LogicalResult verifySameElementTypes(mlir::Operation *op, NamedTensors tensors);
/// All have integer elements.
llvm::LogicalResult verifyIntegers(mlir::Operation *op, NamedTensors tensors);
/// All are there, or none.
llvm::LogicalResult verifyAllOrNone(mlir::Operation *op, NamedTensors tensors);
/// The attribute's value is above 0.
llvm::LogicalResult verifyPositive(mlir::Operation *op, llvm::StringRef attribute, int64_t value);
/// The attribute's or extent's value is a positive multiple of `factor`.
llvm::LogicalResult verifyMultipleOf(mlir::Operation *op, llvm::StringRef what, int64_t value,
                                     int64_t factor);
/// The attribute's value is one of two.
llvm::LogicalResult verifyEither(mlir::Operation *op, llvm::StringRef attribute, int64_t value, int64_t one,
                                 int64_t other);

// ---- Rules of families, called from the verifiers that ODS makes -----------------------------------------

llvm::LogicalResult verifyReduction(mlir::Operation *op, mlir::RankedTensorType input, mlir::ArrayAttr dims,
                                    bool keepDim, mlir::RankedTensorType result);
llvm::LogicalResult verifyLastDimNorm(mlir::Operation *op, mlir::RankedTensorType input,
                                      mlir::TypedValue<mlir::RankedTensorType> weight,
                                      mlir::TypedValue<mlir::RankedTensorType> bias,
                                      mlir::RankedTensorType result);

llvm::LogicalResult verifyTrace(mlir::Operation *op, uint32_t queue, mlir::RankedTensorType id);

// Instantiated in the family's .cpp for the ops of the family.
template <class AttentionOp>
llvm::LogicalResult verifyAttention(AttentionOp op);
template <class PoolOp>
llvm::LogicalResult verifyPool(PoolOp op);
template <class PrepareOp>
llvm::LogicalResult setPreparedDataType(PrepareOp op, DataType type);

} // namespace tessera::ttnn

#endif // TESSERA_LIB_DIALECT_TTNN_TTNNOPSVERIFY_H
