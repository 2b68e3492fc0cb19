//===- CalledWrites.cpp - What calls write of what they are given ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A call has no interface that tells of its effects. What it writes in place has to
// be the tensor that others read afterwards, and no copy in another layout, so its
// function is looked into.
//
//===----------------------------------------------------------------------===//
#include "CalledWrites.h"

#include "tessera/Bridge/Loops.h"
#include "tessera/Dialect/TTNN/TTNN.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tessera;

/// Whether the op may hand on its operand's memory, as kViews in lib/Optimizer/Problem has them: where it has nothing to do, and casts and conversions.
static bool mayBeView(Operation *op) {
  if (isa<ttnn::ReshapeOp, ttnn::PadOp, ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp, ttnn::PermuteOp,
          ttnn::TransposeOp, ttnn::TypecastOp>(op))
    return true;
  auto shapeOf = [](mlir::Value value) { return cast<RankedTensorType>(value.getType()).getShape(); };
  return isa<ttnn::RepeatOp, ttnn::RepeatInterleaveOp, ttnn::SliceStaticOp, ttnn::SliceDynamicOp,
             ttnn::ConcatOp>(op) &&
         shapeOf(op->getOperand(0)) == shapeOf(op->getResult(0));
}

/// What the value may be a view of: a write to it is one to that.
static mlir::Value storageOf(mlir::Value value) {
  while (value.getDefiningOp() && mayBeView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

bool CalledWrites::writes(Operation *op, unsigned operand) {
  if (auto call = dyn_cast<func::CallOp>(op)) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, call.getCalleeAttr());
    return callee && operand < callee.getNumArguments() && argumentsWrittenBy(callee).test(operand);
  }
  std::optional<FunctionLoop> loop = isLoop(op) ? functionLoop(op) : std::nullopt;
  if (!loop || operand >= loop->body.getNumArguments())
    return false;
  const llvm::BitVector &arguments = argumentsWrittenBy(loop->body);
  if (operand >= loop->states)
    return arguments.test(operand);
  // What one run gives as a state may be another one in the next, so that one which is written may be any of them.
  int first = arguments.find_first();
  return first >= 0 && size_t(first) < loop->states;
}

bool CalledWrites::writesInPlace(Operation *op, OpOperand &operand) {
  if (op->hasTrait<ttnn::OpTrait::ValueSemantics>())
    return false;
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    return effects.getEffectOnValue<MemoryEffects::Write>(operand.get()).has_value();
  // What tells nothing of its effects and makes nothing must be there for what it writes.
  return op->getNumResults() == 0 || writes(op, operand.getOperandNumber());
}

const llvm::BitVector &CalledWrites::argumentsWrittenBy(func::FuncOp function) {
  // First, so that a function that calls itself ends here.
  if (auto [found, isNew] = written.try_emplace(function, function.getNumArguments()); !isNew)
    return found->second;
  llvm::BitVector arguments(function.getNumArguments());
  function.walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (auto argument = dyn_cast<BlockArgument>(storageOf(operand.get()));
          argument && argument.getOwner()->getParentOp() == function && writesInPlace(op, operand))
        arguments.set(argument.getArgNumber());
  });
  return written[function] = std::move(arguments);
}
