//===- TTNNOpsNormalization.cpp - Verifiers of normalizations -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

LogicalResult verifyLastDimNorm(Operation *op, RankedTensorType input,
                                std::initializer_list<Value> parameters, RankedTensorType result) {
  if (input.getRank() == 0)
    return op->emitOpError() << "needs an input with dimensions";
  int64_t extent = input.getShape().back();
  for (Value parameter : parameters) {
    if (!parameter)
      continue;
    auto type = cast<RankedTensorType>(parameter.getType());
    if (product(type.getShape()) != extent)
      return op->emitOpError()
             << "weight and bias must have one element per element of the input's last dimension (" << extent
             << "), not shape " << toText(type.getShape());
  }
  return verifyResultShape(op, result, input.getShape(), "the input's shape");
}

LogicalResult DistributedRMSNormOp::verify() {
  return verifyLastDimNorm(*this, getInput().getType(), {getWeight()}, getType());
}

/// Each present parameter has one element per channel.
static LogicalResult verifyPerChannel(Operation *op, int64_t channels,
                                      std::initializer_list<Value> parameters) {
  for (Value parameter : parameters) {
    if (!parameter)
      continue;
    auto type = cast<RankedTensorType>(parameter.getType());
    if (product(type.getShape()) != channels)
      return op->emitOpError() << "parameters must have one element for each of the " << channels
                               << " channels, not shape " << toText(type.getShape());
  }
  return success();
}

LogicalResult BatchNormInferenceOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyRank(*this, input, 4, "input")) ||
      failed(verifyPerChannel(*this, input.getDimSize(1),
                              {getRunningMean(), getRunningVar(), getWeight(), getBias()})))
    return failure();
  return verifyResultShape(*this, getType(), input.getShape(), "the input's shape");
}

LogicalResult GroupNormOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyRank(*this, input, 4, "input")))
    return failure();
  int64_t channels = input.getDimSize(3);
  std::optional<int64_t> groups = toInt(getNumGroupsAttr());
  if (!groups || *groups < 1 || channels % *groups != 0)
    return emitOpError() << "attribute 'num_groups' must divide the " << channels << " channels";
  return verifyResultShape(*this, getType(), input.getShape(), "the input's shape");
}

} // namespace tessera::ttnn
