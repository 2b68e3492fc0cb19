//===- Moves.cpp - Tensors that only lie elsewhere ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Runs once, before any row. Unlike rows it asks for no consent: an op that reads a tensor in another place is the op
// that there was, and whether it can is found out when forms are chosen for it.
//
//===----------------------------------------------------------------------===//
#include "Moves.h"

#include "Match.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace tessera;
using namespace tessera::rewrite;

/// From one place on the device to another: the same elements on the same pages.
static bool onlyMoves(Operation *op) {
  if (!isa<ttnn::ToMemoryConfigOp, ttnn::ToLayoutOp>(op) || ttnn::saysMore(op))
    return false;
  mlir::Value from = op->getOperand(0), to = op->getResult(0);
  if (!isPlaced(from) || !isPlaced(to) || typeOf(from).getShape() != typeOf(to).getShape() ||
      typeOf(from).getElementType() != typeOf(to).getElementType())
    return false;
  TensorLayout before = ttnn::placedTensor(typeOf(from))->layout,
               after = ttnn::placedTensor(typeOf(to))->layout;
  return before.page == after.page && before.dtype == after.dtype;
}

void rewrite::readBeforeMoves(func::FuncOp function, llvm::function_ref<bool(Operation *)> mayGo) {
  Block &body = function.getBody().front();
  // The whole block first: a copy that stands before a write may have been made so that the write leaves the original
  // alone.
  llvm::DenseSet<mlir::Value> written; // or views of it are
  bool isAnyWritten = false;
  for (Operation &op : body)
    forEachWrite(&op, [&](mlir::Value value) {
      isAnyWritten |= !value;
      if (value)
        written.insert(memoryOf(value));
    });
  // What is written without a name may be any tensor, or a copy that was made to be written.
  if (isAnyWritten)
    return;
  for (Operation &op : llvm::make_early_inc_range(body)) {
    if (!onlyMoves(&op) || !mayGo(&op) || written.contains(memoryOf(op.getOperand(0))))
      continue;
    op.getResult(0).replaceUsesWithIf(
        op.getOperand(0), [](OpOperand &use) { return !use.getOwner()->hasTrait<OpTrait::IsTerminator>(); });
    if (op.use_empty())
      op.erase();
  }
}
