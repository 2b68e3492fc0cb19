//===- TTNNOps.cpp - The generated part of the TTNN ops -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "tessera/Dialect/TTNN/TTNNOps.cpp.inc"

void tessera::ttnn::TTNNDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "tessera/Dialect/TTNN/TTNNOps.cpp.inc"
      >();
}
