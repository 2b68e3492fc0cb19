//===- TTNNOpsReduction.cpp - Verifiers of ops along dimensions -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Reductions drop their dimensions, or leave them with extent 1 (`keep_dim`).
// 2x3x4 reduced over 1 gives 2x4 or 2x1x4. An absent list of dimensions means
// all of them, and an empty one none.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

/// `input` with the flagged dimensions at extent 1, or without them.
static Shape reducedShape(Dims input, const llvm::SmallBitVector &reduced, bool keepDim) {
  Shape shape;
  for (auto [i, extent] : llvm::enumerate(input))
    if (!reduced[i] || keepDim)
      shape.push_back(reduced[i] ? 1 : extent);
  return shape;
}

/// The rule for an op that reduces one dimension, or all of them if `dim` is null.
static LogicalResult verifySingleReduction(Operation *op, RankedTensorType input, IntegerAttr dim,
                                           StringRef name, bool keepDim, RankedTensorType result) {
  llvm::SmallBitVector reduced(input.getRank(), !dim);
  if (dim) {
    FailureOr<unsigned> index = verifyDim(op, dim, input.getRank(), name);
    if (failed(index))
      return failure();
    reduced.set(*index);
  }
  return verifyResultShape(op, result, reducedShape(input.getShape(), reduced, keepDim), "the reduction");
}

LogicalResult verifyReduction(Operation *op, RankedTensorType input, ArrayAttr dims, bool keepDim,
                              RankedTensorType result) {
  // Without a list all dimensions are reduced; an empty list reduces none.
  llvm::SmallBitVector reduced(input.getRank(), !dims);
  ArrayRef<Attribute> named = dims ? dims.getValue() : ArrayRef<Attribute>();
  for (Attribute dim : named) {
    FailureOr<unsigned> index = verifyDim(op, cast<IntegerAttr>(dim), input.getRank(), "dim_arg");
    if (failed(index))
      return failure();
    if (reduced[*index])
      return op->emitOpError() << "attribute 'dim_arg' names dimension " << *index << " twice";
    reduced.set(*index);
  }
  return verifyResultShape(op, result, reducedShape(input.getShape(), reduced, keepDim), "the reduction");
}

LogicalResult ProdOp::verify() {
  return verifySingleReduction(*this, getInput().getType(), getDimArgAttr(), "dim_arg", getKeepDim(),
                               getType());
}

LogicalResult ArgMaxOp::verify() {
  return verifySingleReduction(*this, getInput().getType(), getDimAttr(), "dim", getKeepDim(), getType());
}

LogicalResult SoftmaxOp::verify() {
  return verifySameShapeAlong(*this, getInput().getType(), getDimensionAttr(), "dimension", getType());
}

//===- Values and indices --------------------------------------------------===//

/// Both results have the shape `expected`.
static LogicalResult verifyBoth(Operation *op, Dims expected, StringRef reason) {
  for (Type type : op->getResultTypes())
    if (failed(verifyResultShape(op, cast<RankedTensorType>(type), expected, reason)))
      return failure();
  return success();
}

/// `dim`, or the last dimension if it is absent.
static FailureOr<unsigned> dimOrLast(Operation *op, IntegerAttr dim, RankedTensorType input) {
  if (dim)
    return verifyDim(op, dim, input.getRank(), "dim");
  if (input.getRank() == 0)
    return op->emitOpError() << "needs an input with dimensions";
  return unsigned(input.getRank() - 1);
}

LogicalResult SortOp::verify() {
  RankedTensorType input = getInput().getType(), values = getValues().getType();
  if (failed(dimOrLast(*this, getDimAttr(), input)) ||
      failed(verifyBoth(*this, input.getShape(), "the input's shape")))
    return failure();
  if (values != input)
    return emitOpError() << "values must have the input's type " << input << ", not " << values;
  return verifyIntegers(*this, {{"indices", getIndices()}});
}

LogicalResult TopKOp::verify() {
  RankedTensorType input = getInputTensor().getType();
  FailureOr<unsigned> dim = dimOrLast(*this, getDimAttr(), input);
  if (failed(dim))
    return failure();
  if (hasDynamicShape(*this))
    return success();
  std::optional<int64_t> k = toInt(getKAttr());
  if (!k || *k < 1 || *k > input.getDimSize(*dim))
    return emitOpError() << "attribute 'k' must lie between 1 and " << input.getDimSize(*dim)
                         << ", the extent of dimension " << *dim;
  Shape expected(input.getShape());
  expected[*dim] = *k;
  return verifyBoth(*this, expected, "attribute 'k'");
}

} // namespace tessera::ttnn
