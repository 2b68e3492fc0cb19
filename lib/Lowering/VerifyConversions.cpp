//===- VerifyConversions.cpp - Conversions that tt-mlir refuses -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The rules are facts/dialect 4, on the attributes as they
// stand: a layout that Tessera cannot place is judged too.
//
//===----------------------------------------------------------------------===//
#include "tessera/Lowering/Conversions.h"
#include "tessera/Lowering/Passes.h"

namespace tessera {
#define GEN_PASS_DEF_TTNNVERIFYCONVERSIONS
#include "tessera/Lowering/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

static ttnn::TTNNLayoutAttr layoutOf(mlir::Value value) {
  return dyn_cast_or_null<ttnn::TTNNLayoutAttr>(cast<RankedTensorType>(value.getType()).getEncoding());
}

static bool isOnHost(ttnn::TTNNLayoutAttr layout) {
  return layout.getBufferType() == ttnn::BufferType::SystemMemory;
}

/// The first difference is named, from the coarsest to the finest: whoever mends it sees the next one.
static LogicalResult verifyToLayout(Operation *op, ttnn::TTNNLayoutAttr from, ttnn::TTNNLayoutAttr to) {
  if (!from || !to)
    return op->emitOpError() << (from ? "result" : "operand") << " needs a layout";
  StringRef changed = from.getBufferType() != to.getBufferType() ? "buffer type"
                      : from.getMemLayout() != to.getMemLayout() ? "memory layout"
                      : from.getGrid() != to.getGrid()           ? "grid"
                                                                 : "";
  if (changed.empty())
    return success();
  return op->emitOpError() << "changes page layout and data type only, but operand and result differ in "
                           << changed << "; to_memory_config, to_device or from_device change that";
}

static LogicalResult verifyToMemoryConfig(Operation *op, ttnn::TTNNLayoutAttr from, ttnn::TTNNLayoutAttr to) {
  if (!from || !to)
    return op->emitOpError() << (from ? "result" : "operand") << " needs a layout";
  // The op may bring a tensor to the host (facts/dialect 4), where it has no memory layout.
  if (isOnHost(to))
    return success();
  std::optional<ttnn::TensorMemoryLayout> memory = to.getMemoryLayout();
  if (!memory || *memory == ttnn::TensorMemoryLayout::NDSharded)
    return op->emitOpError() << "result must be interleaved, height, width or block sharded";
  if (*memory != ttnn::TensorMemoryLayout::Interleaved && to.getMemref().getRank() != 2)
    return op->emitOpError() << "sharded result needs shards of two dimensions, not "
                             << to.getMemref().getRank();
  return success();
}

static LogicalResult verifyConversion(Operation *op) {
  if (isa<ttnn::ToTensorSpecOp>(op))
    return op->emitOpError()
           << "is not an op of its own: to_layout, to_memory_config, to_device, from_device and typecast "
              "are what it stands for";
  if (!isa<ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp>(op))
    return success(); // typecast, to_device and from_device are free in everything
  ttnn::TTNNLayoutAttr from = layoutOf(op->getOperand(0)), to = layoutOf(op->getResult(0));
  return isa<ttnn::ToLayoutOp>(op) ? verifyToLayout(op, from, to) : verifyToMemoryConfig(op, from, to);
}

LogicalResult tessera::verifyConversions(Operation *root) {
  bool sound = true;
  // All are judged, not only the first, so that one run names each.
  root->walk([&](Operation *op) { sound &= succeeded(verifyConversion(op)); });
  return success(sound);
}

namespace {
struct VerifyConversionsPass : tessera::impl::TTNNVerifyConversionsBase<VerifyConversionsPass> {
  void runOnOperation() override {
    if (failed(verifyConversions(getOperation())))
      signalPassFailure();
  }
};
} // namespace
