//===- TTNNOpsStorage.cpp - Verifiers of tensors in files ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

static LogicalResult verifyPath(Operation *op, StringRef path) {
  if (path.ends_with(".tensorbin"))
    return success();
  return op->emitOpError() << "attribute 'file_path' must end in .tensorbin, but is \"" << path << '"';
}

LogicalResult DumpTensorOp::verify() { return verifyPath(*this, getFilePath()); }

LogicalResult LoadTensorOp::verify() {
  if (failed(verifyPath(*this, getFilePath())))
    return failure();
  if (bool(getDevice()) == isOnDevice(getType()))
    return success();
  return emitOpError() << (getDevice() ? "with a device needs a result on the device"
                                       : "without a device needs a result in system memory")
                       << ", but has " << getType();
}

} // namespace tessera::ttnn
