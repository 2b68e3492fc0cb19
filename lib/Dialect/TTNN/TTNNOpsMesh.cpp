//===- TTNNOpsMesh.cpp - Verifiers of multi-device ops and subgraphs ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Collectives, each seen from one device: a gather's result is a multiple of
// its operand along one dimension, a scatter's operand a multiple of its
// result. How many devices take part the types do not say; any multiple will do
// here.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tessera::ttnn {

/// `whole` is `part` times the number of devices along dimension `dim`, and the same elsewhere.
static LogicalResult verifyMultiple(Operation *op, RankedTensorType part, RankedTensorType whole,
                                    IntegerAttr dimAttr, StringRef name) {
  FailureOr<unsigned> dim = verifyDim(op, dimAttr, part.getRank(), name);
  if (failed(dim))
    return failure();
  if (hasDynamicShape(op))
    return success();
  Shape partShape(part.getShape()), wholeShape(whole.getShape());
  // How many devices there are is the mesh's affair: any whole multiple is accepted.
  bool multiple =
      partShape.size() == wholeShape.size() && partShape[*dim] > 0 && wholeShape[*dim] % partShape[*dim] == 0;
  if (multiple)
    partShape[*dim] = wholeShape[*dim];
  if (multiple && partShape == wholeShape)
    return success();
  return op->emitOpError() << "shape " << toText(whole.getShape()) << " must be a multiple of "
                           << toText(part.getShape()) << " in dimension " << *dim << " and agree elsewhere";
}

/// Collectives can add, and nothing else.
static LogicalResult verifySum(Operation *op, ttcore::ReduceType type) {
  if (type == ttcore::ReduceType::Sum)
    return success();
  return op->emitOpError() << "attribute 'reduce_type' must be sum, not " << stringifyReduceType(type);
}

LogicalResult AllReduceOp::verify() {
  if (failed(verifySum(*this, getReduceType())))
    return failure();
  return verifyResultShape(*this, getType(), getInput().getType().getShape(), "the input's shape");
}

LogicalResult AllGatherOp::verify() {
  TTNNLayoutAttr from = layoutOf(getInput().getType()), to = layoutOf(getType());
  if (from && to && from.getLayout() != to.getLayout())
    return emitOpError() << "must keep the page layout, but turns " << stringifyLayout(from.getLayout())
                         << " into " << stringifyLayout(to.getLayout());
  return verifyMultiple(*this, getInput().getType(), getType(), getAllGatherDimAttr(), "all_gather_dim");
}

LogicalResult ReduceScatterOp::verify() {
  if (failed(verifySum(*this, getReduceType())))
    return failure();
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

LogicalResult D2MSubgraphOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getD2mFuncAttr());
  if (!function)
    return emitOpError() << "needs a function @" << getD2mFunc() << ", and there is none";
  auto match = [&](StringRef what, TypeRange is, TypeRange must) -> LogicalResult {
    if (is == must)
      return success();
    return emitOpError() << what << " have types " << is << ", but @" << getD2mFunc() << " has " << must;
  };
  return failure(failed(match("inputs", getInputs().getTypes(), function.getArgumentTypes())) ||
                 failed(match("results", getResultTypes(), function.getResultTypes())));
}

} // namespace tessera::ttnn
