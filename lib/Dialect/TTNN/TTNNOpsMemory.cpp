//===- TTNNOpsMemory.cpp - Verifiers of conversions and creation ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
// Rules: facts/dialect 4 to 6.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include <limits>

using namespace mlir;

namespace tessera::ttnn {

//===- Conversions ---------------------------------------------------------===//

static LogicalResult verifyBothHaveLayouts(Operation *op) {
  return failure(failed(verifyHasLayout(op, cast<RankedTensorType>(op->getOperand(0).getType()), "input")) ||
                 failed(verifyHasLayout(op, cast<RankedTensorType>(op->getResult(0).getType()), "result")));
}

LogicalResult ToLayoutOp::verify() { return verifyBothHaveLayouts(*this); }

LogicalResult ToMemoryConfigOp::verify() {
  if (failed(verifyBothHaveLayouts(*this)))
    return failure();
  TTNNLayoutAttr to = layoutOf(getType());
  // System memory has neither banks nor cores: there is nothing to check.
  if (!to.isOnDevice())
    return success();
  if (to.getMemoryLayout() == TensorMemoryLayout::NDSharded)
    return emitOpError() << "result must be interleaved, height, width or block sharded, not nd_sharded";
  if (to.isSharded() && to.getMemref().getRank() != 2)
    return emitOpError() << "a sharded result needs shards of two dimensions, not "
                         << to.getMemref().getRank();
  return success();
}

LogicalResult ToTensorSpecOp::verify() {
  return verifyHasLayout(*this, getType(), "result", /*mayBeNd=*/true);
}

//===- Creation ------------------------------------------------------------===//

static LogicalResult verifyCreation(Operation *op, RankedTensorType result, ShapeAttr shape) {
  return failure(failed(verifyHasLayout(op, result, "result")) ||
                 failed(verifyResultShape(op, result, shape.getShape(), "attribute 'shape'")));
}

LogicalResult ZerosOp::verify() { return verifyCreation(*this, getType(), getShape()); }
LogicalResult OnesOp::verify() { return verifyCreation(*this, getType(), getShape()); }
LogicalResult EmptyOp::verify() { return verifyCreation(*this, getType(), getShape()); }

/// Unlike those of its siblings, this one's attribute 'shape' may say anything.
LogicalResult FullOp::verify() { return verifyHasLayout(*this, getType(), "result"); }

LogicalResult ArangeOp::verify() {
  std::optional<int64_t> start = toInt(getStartAttr()), end = toInt(getEndAttr()),
                         step = toInt(getStepAttr());
  int64_t distance;
  if (!start || !end || !step || *step == 0 || llvm::SubOverflow(*end, *start, distance) ||
      distance == std::numeric_limits<int64_t>::min() || (distance != 0 && (distance > 0) != (*step > 0)))
    return emitOpError() << "attribute 'step' must lead from 'start' to 'end'";
  // Truncated, as tt-mlir has it: a range whose step does not divide the distance has one value less than in Python
  // (facts/dialect 6).
  int64_t count = distance / *step;
  if (count < 1)
    return emitOpError() << "a range from " << *start << " to " << *end << " by " << *step
                         << " has no values";
  return failure(failed(verifyHasLayout(*this, getType(), "result")) ||
                 failed(verifyResultShape(*this, getType(), {count}, "the range")));
}

LogicalResult ConstantOp::verify() {
  if (failed(verifyHasLayout(*this, getType(), "result")))
    return failure();
  bool onDevice = layoutOf(getType()).isOnDevice();
  if (onDevice != bool(getDevice()))
    return emitOpError() << (onDevice ? "needs a device, because its result lies on one"
                                      : "must not have a device, because its result lies in system memory");
  return verifyResultShape(*this, getType(), cast<ShapedType>(getValue().getType()).getShape(),
                           "attribute 'value'");
}

} // namespace tessera::ttnn
