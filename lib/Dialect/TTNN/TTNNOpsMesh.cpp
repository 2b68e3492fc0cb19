//===- TTNNOpsMesh.cpp - Verifiers of multi-device ops and subgraphs ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

/// `whole` is `part` times the number of devices along dimension `dim`, and the same elsewhere.
static LogicalResult verifyMultiple(Operation *op, RankedTensorType part, RankedTensorType whole,
                                    IntegerAttr dimAttr, StringRef name) {
  FailureOr<unsigned> dim = verifyDim(op, dimAttr, part.getRank(), name);
  if (failed(dim))
    return failure();
  Shape partShape(part.getShape()), wholeShape(whole.getShape());
  bool multiple =
      partShape.size() == wholeShape.size() && partShape[*dim] > 0 && wholeShape[*dim] % partShape[*dim] == 0;
  if (multiple)
    partShape[*dim] = wholeShape[*dim];
  if (multiple && partShape == wholeShape)
    return success();
  return op->emitOpError() << "shape " << toText(whole.getShape()) << " must be a multiple of "
                           << toText(part.getShape()) << " in dimension " << *dim << " and agree elsewhere";
}

LogicalResult AllReduceOp::verify() {
  return verifyResultShape(*this, getType(), getInput().getType().getShape(), "the input's shape");
}

LogicalResult AllGatherOp::verify() {
  return verifyMultiple(*this, getInput().getType(), getType(), getAllGatherDimAttr(), "all_gather_dim");
}

LogicalResult ReduceScatterOp::verify() {
  return verifyMultiple(*this, getType(), getInput().getType(), getScatterDimAttr(), "scatter_dim");
}

LogicalResult MeshPartitionOp::verify() {
  return verifyMultiple(*this, getType(), getInput().getType(), getDimAttr(), "dim");
}

LogicalResult D2MSubgraphOp::verify() {
  if (getOutputs().getTypes() == getResultTypes())
    return success();
  return emitOpError() << "results must have the types of the outputs";
}

} // namespace tessera::ttnn
