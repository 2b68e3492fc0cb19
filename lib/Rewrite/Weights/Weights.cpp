//===- Weights.cpp - Constants of products and convolutions, made anew ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What stands behind a product or a convolution goes into its constants: w' = w s, b' = b s + t. Their elements are
// not in the program, as parameters are arguments of the function, so none of this is computed here: ordinary ops are
// made, which the rewrite `const-eval` takes out of the call afterwards (ConstEval.h).
//
//===----------------------------------------------------------------------===//
#include "Weights.h"

#include "../ConstEval.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

using namespace mlir;

namespace tessera::rewrite {

/// The constant as it was computed in f32 before it was rounded to be a weight, or itself.
/// A second fold then begins with w s in f32 and not with its bf16; only the last cast rounds.
static mlir::Value unrounded(mlir::Value constant) {
  mlir::Value value = constant;
  while (Operation *op = value.getDefiningOp()) {
    bool rounds = isa<ttnn::TypecastOp>(op);
    if (!rounds && !isa<ttnn::FromDeviceOp, ttnn::ToDeviceOp, ttnn::ToLayoutOp, ttnn::ReshapeOp>(op))
      break;
    value = op->getOperand(0);
    if (rounds)
      return typeOf(value).getElementType().isF32() ? value : constant;
  }
  return constant;
}

/// In this order: to the device, to the shape while in rows, to tiles, to f32. The host has no ops on tensors.
mlir::Value OnDevice::wide(mlir::Value value, ArrayRef<int64_t> shape) {
  value = unrounded(value);
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(typeOf(value));
  if (!placed->layout.onDevice()) {
    TensorLayout rows = dramInterleaved(placed->tensor, placed->layout.page);
    rows.mesh = placed->layout.mesh;
    auto type = RankedTensorType::get(shapeOf(value), typeOf(value).getElementType(),
                                      ttnn::toAttr(value.getContext(), rows));
    value = proposal.make<ttnn::ToDeviceOp>(type, value, device);
  }
  value = proposal.paged(proposal.reshaped(value, shape), PageLayout::Tile);
  return proposal.cast(value, Float32Type::get(value.getContext()));
}

mlir::Value OnDevice::backTo(RankedTensorType like, mlir::Value value) {
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(like);
  value = proposal.paged(proposal.cast(value, like.getElementType()), placed->layout.page);
  value = proposal.reshaped(value, like.getShape());
  return placed->layout.onDevice() ? value : proposal.make<ttnn::FromDeviceOp>(like, value).getResult();
}

mlir::Value OnDevice::number(FloatAttr number, mlir::Value like) {
  const int64_t ones[] = {1, 1, 1, 1};
  return proposal.make<ttnn::FullOp>(Proposal::typeLike(like, ones), device,
                                     ttnn::ShapeAttr::get(like.getContext(), ones), number);
}

bool isKnownConstant(mlir::Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() && isFloat(value) && succeeded(ttnn::placedTensor(type)) &&
         isConstant(value);
}

bool areRaw(mlir::Value weight, ttnn::Conv2dOp conv) {
  ArrayRef<int64_t> shape = shapeOf(weight);
  return shape.size() == 4 && shape[0] == int64_t(conv.getOutChannels()) &&
         shape.take_back(2) == ArrayRef<int64_t>({conv.getKernelSize()[0], conv.getKernelSize()[1]});
}

Operation *makerOf(mlir::Value value) {
  if (auto load = value ? value.getDefiningOp<ttcore::LoadCachedOp>() : ttcore::LoadCachedOp())
    value = computedBy(load, cast<OpResult>(value).getResultNumber());
  return value ? value.getDefiningOp() : nullptr;
}

/// `now` remembers each op, so one that several read is made once.
mlir::Value recomputed(mlir::Value value, IRMapping &now, Proposal &proposal) {
  if (mlir::Value known = now.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  // What it reads comes first, down to the arguments, for which `now` has what the caller loads.
  for (mlir::Value operand : op->getOperands())
    recomputed(operand, now, proposal);
  proposal.clone(op, now);
  return now.lookup(value);
}

IRMapping asNow(mlir::Value constant, Operation *prepare, ttnn::Conv2dOp conv) {
  IRMapping now;
  if (auto load = constant.getDefiningOp<ttcore::LoadCachedOp>()) {
    now.map(prepare->getBlock()->getArguments(), load.getInputs());
    prepare->getBlock()->walk(
        [&](ttnn::GetDeviceOp device) { now.map(device.getResult(), conv.getDevice()); });
  }
  return now;
}

mlir::Value preparedWith(StringRef attribute, Attribute told, mlir::Value constant, ttnn::Conv2dOp conv,
                         Proposal &proposal) {
  Operation *prepare = makerOf(constant);
  IRMapping now = asNow(constant, prepare, conv);
  if (prepare->getBlock() != conv->getBlock())
    for (mlir::Value operand : prepare->getOperands())
      recomputed(operand, now, proposal);
  Operation *made = proposal.clone(prepare, now);
  made->setAttr(attribute, told);
  return made->getResult(0);
}

} // namespace tessera::rewrite
