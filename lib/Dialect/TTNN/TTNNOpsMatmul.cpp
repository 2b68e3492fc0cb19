//===- TTNNOpsMatmul.cpp - Verifiers of matrix products -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Shapes of products, as NumPy's matmul has them: leading dimensions broadcast,
// a vector is a row on the left and a column on the right and leaves no
// dimension, and the result of two vectors is one element, here a vector of
// one, since TTNN has no tensors of rank 0 as results.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {
namespace {

/// One factor of a product: batch dimensions and a matrix.
struct Factor {
  Dims batch;
  int64_t rows, columns;
  bool isVector;
};

} // namespace

/// `shape` as batches of matrices. A vector is a row (left factor) or a column, whatever the transpose flag.
static Factor toFactor(Dims shape, bool transposed, bool left) {
  if (shape.size() == 1)
    return {{}, left ? 1 : shape[0], left ? shape[0] : 1, true};
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  if (transposed)
    std::swap(rows, columns);
  return {shape.drop_back(2), rows, columns, false};
}

/// The shape of the product, or nothing after an error.
static FailureOr<Shape> productShape(Operation *op, RankedTensorType a, RankedTensorType b, bool transposeA,
                                     bool transposeB) {
  if (a.getRank() == 0 || b.getRank() == 0)
    return op->emitOpError() << "needs factors with dimensions";
  if (hasDynamicShape(op))
    return Shape();
  Factor left = toFactor(a.getShape(), transposeA, true), right = toFactor(b.getShape(), transposeB, false);
  if (left.columns != right.rows)
    return op->emitOpError() << "inner dimensions do not agree: " << left.rows << "x" << left.columns
                             << " times " << right.rows << "x" << right.columns;
  std::optional<Shape> shape = broadcast(left.batch, right.batch);
  if (!shape)
    return op->emitOpError() << "batch dimensions do not broadcast: " << toText(left.batch) << " and "
                             << toText(right.batch);
  if (!left.isVector)
    shape->push_back(left.rows);
  if (!right.isVector)
    shape->push_back(right.columns);
  if (left.isVector && right.isVector)
    shape->push_back(1); // no result has rank 0
  return *shape;
}

LogicalResult MatmulOp::verify() {
  FailureOr<Shape> shape =
      productShape(*this, getA().getType(), getB().getType(), getTransposeA(), getTransposeB());
  if (failed(shape))
    return failure();
  return verifyResultShape(*this, getType(), *shape, "the product");
}

/// A bias that is one tile high may be added within the kernel, which leaves the product's shape.
static bool isAddedToProduct(Dims bias) {
  constexpr int64_t kTileHeight = 32;
  return bias.size() >= 2 && bias[bias.size() - 2] >= 1 && bias[bias.size() - 2] <= kTileHeight;
}

LogicalResult LinearOp::verify() {
  FailureOr<Shape> shape =
      productShape(*this, getA().getType(), getB().getType(), getTransposeA(), getTransposeB());
  if (failed(shape))
    return failure();
  if (!getBias() || hasDynamicShape(*this))
    return verifyResultShape(*this, getType(), *shape, "the product");
  Dims bias = getBias().getType().getShape();
  std::optional<Shape> sum = broadcast(*shape, bias);
  if (!sum)
    return emitOpError() << "bias of shape " << toText(bias) << " does not broadcast to the product "
                         << toText(*shape);
  // Either shape is accepted then: it is the product's if the kernel adds, the sum's if another op does.
  if (isAddedToProduct(bias) && getType().getShape() == Dims(*shape))
    return success();
  return verifyResultShape(*this, getType(), *sum, "the product plus bias");
}

} // namespace tessera::ttnn
