//===- TTNNOpsNormalization.cpp - Verifiers of normalizations -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Norms keep the shape of their input. Their parameters have an element for
// each of what they scale: the last dimension of layer and RMS norms, the
// channels of batch norms. Layer and RMS norms want a vector; fused and
// distributed forms take any shape of as many elements, so those are counted.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

/// `parameter` scales or shifts the last dimension of `input`: a vector as long, or a scalar if that is one.
static LogicalResult verifyLastDimVector(Operation *op, RankedTensorType input, RankedTensorType parameter,
                                         StringRef name) {
  Dims expected = input.getShape().take_back(1);
  if (parameter.getShape() == expected || hasDynamicShape(op))
    return success();
  return op->emitOpError() << name << " has shape " << toText(parameter.getShape())
                           << ", but the input's last dimension gives " << toText(expected);
}

LogicalResult verifyLastDimNorm(Operation *op, RankedTensorType input, TypedValue<RankedTensorType> weight,
                                TypedValue<RankedTensorType> bias, RankedTensorType result) {
  if ((weight && failed(verifyLastDimVector(op, input, weight.getType(), "weight"))) ||
      (bias && failed(verifyLastDimVector(op, input, bias.getType(), "bias"))))
    return failure();
  return verifyResultShape(op, result, input.getShape(), "the input's shape");
}

/// A weight may have dimensions of 1 before its last; null: there is none.
static LogicalResult verifyWeightOfRow(Operation *op, RankedTensorType input, RankedTensorType weight) {
  if (input.getRank() == 0)
    return op->emitOpError() << "needs an input with dimensions";
  int64_t extent = input.getShape().back();
  if (!weight || hasDynamicShape(op) || product(weight.getShape()) == extent)
    return success();
  return op->emitOpError() << "weight must have one element per element of the input's last dimension ("
                           << extent << "), not shape " << toText(weight.getShape());
}

LogicalResult RMSNormResidualOp::verify() {
  RankedTensorType input = getInput().getType();
  if (failed(verifyWeightOfRow(*this, input, getWeight().getType())))
    return failure();
  return verifyShapes(*this, input.getShape(),
                      {{"residual", getResidual()}, {"output", getOutput()}, {"sum", getSum()}},
                      "the input's shape");
}

LogicalResult DistributedRMSNormOp::verify() {
  RankedTensorType input = getInput().getType();
  if (std::optional<int64_t> axis = toInt(getClusterAxisAttr()); axis != 0 && axis != 1)
    return emitOpError() << "attribute 'cluster_axis' must be 0 or 1, not " << getClusterAxisAttr();
  // Written so that NaN is refused, too.
  if (!(getEpsilon().convertToFloat() > 0))
    return emitOpError() << "attribute 'epsilon' must be positive";
  if (failed(verifyWeightOfRow(*this, input, getWeight() ? getWeight().getType() : nullptr)))
    return failure();
  return verifyShapes(*this, input.getShape(), {{"residual", getResidual()}, {"result", getResult()}},
                      "the input's shape");
}

/// Each present parameter has one element per channel.
static LogicalResult verifyPerChannel(Operation *op, int64_t channels,
                                      std::initializer_list<Value> parameters) {
  for (Value parameter : parameters) {
    if (!parameter)
      continue;
    auto type = cast<RankedTensorType>(parameter.getType());
    if (product(type.getShape()) != channels && !hasDynamicShape(op))
      return op->emitOpError() << "parameters must have one element for each of the " << channels
                               << " channels, not shape " << toText(type.getShape());
  }
  return success();
}

LogicalResult BatchNormInferenceOp::verify() {
  RankedTensorType input = getInput().getType();
  if (!getWeight() || !getBias())
    return emitOpError() << "needs weight and bias";
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
  if (!groups || *groups < 1 || (channels % *groups != 0 && !hasDynamicShape(*this)))
    return emitOpError() << "attribute 'num_groups' must divide the " << channels << " channels";
  return verifyResultShape(*this, getType(), input.getShape(), "the input's shape");
}

} // namespace tessera::ttnn
