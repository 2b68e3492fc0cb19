//===- TTNNOpsEltwise.cpp - Verifiers of element-wise ops -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// There is no rule on shapes, broadcasting or data types that all of them share
// (facts/dialect 5): which of them run is the op model's question.
//
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

using namespace mlir;

namespace tessera::ttnn {

LogicalResult PowScalarOp::verify() {
  auto integer = dyn_cast<IntegerAttr>(getRhs());
  bool negative = integer ? toInt(integer).value_or(0) < 0 : cast<FloatAttr>(getRhs()).getValueAsDouble() < 0;
  if (negative)
    return emitOpError() << "attribute 'rhs' is the exponent " << getRhs() << ", which must not be negative";
  return success();
}

LogicalResult ClampScalarOp::verify() {
  return verifyResultShape(*this, getType(), getInput().getType().getShape(), "the input's shape");
}

} // namespace tessera::ttnn
