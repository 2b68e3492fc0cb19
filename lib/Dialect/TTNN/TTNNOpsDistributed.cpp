//===- TTNNOpsDistributed.cpp - Verifiers of distributed norms, exchanges -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Rules: facts/dialect 9.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

LogicalResult RMSNormPreAllGatherOp::verify() {
  return verifyShapes(*this, getInput().getType().getShape(), {{"residual", getResidual()}},
                      "the input's shape");
}

LogicalResult LayerNormPreAllGatherOp::verify() {
  RankedTensorType result = getType();
  // Two tiles' width: one column for the sums, one for the sums of squares, each in a tile of its own.
  constexpr int64_t kStatistics = 64;
  if (result.getRank() == 0 || result.getShape().back() != kStatistics)
    return emitOpError() << "result's last extent must be " << kStatistics << ", two tiles, not shape "
                         << toText(result.getShape());
  return verifyShapes(*this, getInput().getType().getShape(), {{"residual_input", getResidualInput()}},
                      "the input's shape");
}

LogicalResult LayerNormPostAllGatherOp::verify() {
  return failure(
      failed(verifyRanks(*this, 1, {{"weight", getWeight()}, {"bias", getBias()}})) ||
      failed(verifyResultShape(*this, getType(), getInput().getType().getShape(), "the input's shape")));
}

LogicalResult AllReduceAsyncOp::verify() {
  if (getReduceType() == ttcore::ReduceType::Sum)
    return success();
  return emitOpError() << "attribute 'reduce_type' must be sum, not "
                       << ttcore::stringifyReduceType(getReduceType());
}

LogicalResult PointToPointOp::verify() {
  if (getSenderCoord() == getReceiverCoord())
    return emitOpError() << "attributes 'sender_coord' and 'receiver_coord' must differ";
  if (!getOptionalOutputTensor())
    return success();
  Named output = {"optional_output_tensor", getOptionalOutputTensor()};
  return failure(failed(verifyShapes(*this, getInput().getType().getShape(), output, "the input's shape")) ||
                 failed(verifySameElementTypes(*this, {{"input", getInput()}, output})));
}

} // namespace tessera::ttnn
