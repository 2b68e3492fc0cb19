//===- TTNNOpsMemory.cpp - Verifiers of conversions and creation ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "TTNNOpsVerify.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include <limits>

using namespace mlir;

namespace tessera::ttnn {

//===- Conversions ---------------------------------------------------------===//
// Rules on layouts bind only where both sides have one: a tensor without is not placed yet.

static LogicalResult verifySameShape(Operation *op, RankedTensorType input, RankedTensorType result) {
  return verifyResultShape(op, result, input.getShape(), "the input's shape");
}

static LogicalResult verifySamePage(Operation *op, RankedTensorType input, RankedTensorType result) {
  TTNNLayoutAttr from = layoutOf(input), to = layoutOf(result);
  if (!from || !to || from.getLayout() == to.getLayout())
    return success();
  return op->emitOpError() << "must keep the page layout, but turns " << stringifyLayout(from.getLayout())
                           << " into " << stringifyLayout(to.getLayout());
}

static bool isFloat(DataType type) { return type < DataType::UInt32; }

LogicalResult ToLayoutOp::verify() {
  RankedTensorType input = getInput().getType(), result = getType();
  std::optional<DataType> from = storedType(input), to = storedType(result);
  bool bothFloat = from && to && isFloat(*from) && isFloat(*to);
  return failure(failed(verifySameShape(*this, input, result)) ||
                 (!bothFloat && failed(verifySameDataType(*this, input, result))));
}

LogicalResult ToMemoryConfigOp::verify() {
  RankedTensorType input = getInput().getType(), result = getType();
  return failure(failed(verifySameShape(*this, input, result)) ||
                 failed(verifySamePage(*this, input, result)) ||
                 failed(verifySameDataType(*this, input, result)));
}

LogicalResult ToTensorSpecOp::verify() { return verifySameShape(*this, getInput().getType(), getType()); }

LogicalResult TypecastOp::verify() {
  RankedTensorType input = getInput().getType(), result = getType();
  if (failed(verifySameShape(*this, input, result)) || failed(verifySamePage(*this, input, result)))
    return failure();
  TTNNLayoutAttr from = layoutOf(input), to = layoutOf(result);
  if (!from || !to || from.getMemoryLayout() == to.getMemoryLayout())
    return success();
  auto text = [](TTNNLayoutAttr layout) {
    return layout.getMemoryLayout() ? stringifyTensorMemoryLayout(*layout.getMemoryLayout())
                                    : "system memory";
  };
  return emitOpError() << "must keep the memory layout, but turns " << text(from) << " into " << text(to);
}

/// A copy between host and device changes nothing else, and its result lies in system memory or not.
static LogicalResult verifyCopy(Operation *op, RankedTensorType input, RankedTensorType result, bool toHost) {
  if (failed(verifySameShape(op, input, result)) || failed(verifySamePage(op, input, result)) ||
      failed(verifySameDataType(op, input, result)))
    return failure();
  TTNNLayoutAttr layout = layoutOf(result);
  if (!layout || (layout.getBufferType() == BufferType::SystemMemory) == toHost)
    return success();
  return op->emitOpError() << "result must lie " << (toHost ? "in system memory" : "on the device");
}

LogicalResult ToDeviceOp::verify() {
  return verifyCopy(*this, getInput().getType(), getType(), /*toHost=*/false);
}
LogicalResult FromDeviceOp::verify() {
  return verifyCopy(*this, getInput().getType(), getType(), /*toHost=*/true);
}

//===- Creation ------------------------------------------------------------===//

LogicalResult EmptyOp::verify() {
  return verifyResultShape(*this, getType(), getShape().getShape(), "attribute 'shape'");
}

LogicalResult ArangeOp::verify() {
  std::optional<int64_t> start = toInt(getStartAttr()), end = toInt(getEndAttr()),
                         step = toInt(getStepAttr());
  int64_t distance;
  if (!start || !end || !step || *step == 0 || llvm::SubOverflow(*end, *start, distance) ||
      distance == std::numeric_limits<int64_t>::min() || (distance != 0 && (distance > 0) != (*step > 0)))
    return emitOpError() << "attribute 'step' must lead from 'start' to 'end'";
  if (getType().getRank() == 0)
    return emitOpError() << "needs a result with dimensions";
  int64_t count = distance / *step + (distance % *step != 0);
  Shape expected(getType().getRank(), 1);
  expected.back() = count;
  return verifyResultShape(*this, getType(), expected, "the range");
}

LogicalResult ConstantOp::verify() {
  return verifyResultShape(*this, getType(), cast<ShapedType>(getValue().getType()).getShape(),
                           "attribute 'value'");
}

} // namespace tessera::ttnn
