//===- TTNNOpsConvRest.cpp - Verifiers of convolutions but 2-D ones --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

LogicalResult Conv1dOp::verify() {
  if (getPadding().size() == 2)
    return success();
  return emitOpError() << "attribute 'padding' must have two values, before and after, not "
                       << getPadding().size();
}

} // namespace tessera::ttnn
