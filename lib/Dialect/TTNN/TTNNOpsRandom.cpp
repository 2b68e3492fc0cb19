//===- TTNNOpsRandom.cpp - Verifiers of random numbers ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Rules: facts/dialect 9.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

LogicalResult RandOp::verify() {
  if (failed(verifyHasLayout(*this, getType(), "result")))
    return failure();
  // Written so that NaN is refused, too.
  if (!(getLow() < getHigh()))
    return emitOpError() << "attribute 'low' (" << getLowAttr().getValueAsDouble()
                         << ") must be below 'high' (" << getHighAttr().getValueAsDouble() << ")";
  return verifyResultShape(*this, getType(), getSize().getShape(), "attribute 'size'");
}

LogicalResult SamplingOp::verify() {
  RankedTensorType values = getInputValues().getType();
  Dims shape = values.getShape();
  bool isMatrix = shape.size() == 2, isPadded = shape.size() == 4 && shape[0] == 1 && shape[1] == 1;
  if (!isMatrix && !isPadded)
    return emitOpError() << "input_values must be B x C or 1 x 1 x B x C, not " << toText(shape);
  int64_t batch = shape[shape.size() - 2];
  constexpr int64_t kMaxBatch = 32; // the kernel has one core per row
  if (batch < 1 || batch > kMaxBatch)
    return emitOpError() << "batch (" << batch << ") must be in [1, " << kMaxBatch << "]";
  return failure(failed(verifyShapes(*this, shape, {{"input_indices", getInputIndices()}},
                                     "the shape of input_values")) ||
                 failed(verifyShapes(*this, {batch}, {{"k", getK()}, {"p", getP()}, {"temp", getTemp()}},
                                     "one value per row")));
}

} // namespace tessera::ttnn
