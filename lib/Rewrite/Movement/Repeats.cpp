//===- Repeats.cpp - What stands there often ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Frameworks spread a row over all rows that it meets, and a matrix over all batches,
// and const-eval does so once and for all:
//
//   x + repeat(row)   ->   x + row         x repeat(w)   ->   x w
//
// Then the device reads it as often as it stands there. Ops that broadcast read it once.
// So they do what the call itself repeats, as the mean of a norm is for all that it is of.
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// For each dimension whether all that stands along it is the same.
using Sameness = llvm::SmallVector<bool>;

Sameness ofUnits(mlir::Value value) {
  return llvm::map_to_vector(shapeOf(value), [](int64_t extent) { return extent == 1; });
}

/// Along dimensions that a reshape puts together, and within those that it takes apart, all is the same if it was along all of them.
Sameness reshaped(const Sameness &before, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  Sameness after = llvm::map_to_vector(to, [](int64_t extent) { return extent == 1; });
  for (const KeptTogether &block : blocksOf(from, to))
    if (llvm::all_of(block.from, [&](int64_t dimension) { return before[size_t(dimension)]; }))
      for (int64_t dimension : block.to)
        after[size_t(dimension)] = true;
  return after;
}

/// As far as it is written, so many ops before the value at most.
Sameness samenessOf(mlir::Value value, unsigned most = 16) {
  Sameness same = ofUnits(value);
  Operation *op = value.getDefiningOp();
  if (!op || most == 0)
    return same;
  if (auto load = dyn_cast<ttcore::LoadCachedOp>(op)) {
    mlir::Value made = computedBy(load, cast<OpResult>(value).getResultNumber());
    return made && shapeOf(made) == shapeOf(value) ? samenessOf(made, most - 1) : same;
  }
  if (auto repeat = dyn_cast<ttnn::RepeatOp>(op)) {
    Sameness before = samenessOf(repeat.getInput(), most - 1);
    return before.size() == same.size() ? before : same;
  }
  if (isa<ttnn::ReshapeOp>(op))
    return reshaped(samenessOf(op->getOperand(0), most - 1), shapeOf(op->getOperand(0)), shapeOf(value));
  if (isa<ttnn::ToLayoutOp, ttnn::ToMemoryConfigOp, ttnn::TypecastOp>(op))
    return samenessOf(op->getOperand(0), most - 1);
  return same;
}

/// The value's shape with an extent of 1 where all of it is the same: along those dimensions for which `mayBeOne` holds.
llvm::SmallVector<int64_t> shapeOnce(mlir::Value value, llvm::function_ref<bool(size_t)> mayBeOne) {
  llvm::SmallVector<int64_t> shape(shapeOf(value));
  for (auto [dimension, isSame] : llvm::enumerate(samenessOf(value)))
    if (isSame && mayBeOne(dimension))
      shape[dimension] = 1;
  return shape;
}

/// The constant once along those dimensions. Null if there is none.
mlir::Value once(mlir::Value constant, llvm::function_ref<bool(size_t)> mayBeOne, Proposal &proposal) {
  if (!isPlaced(constant) || !isFloat(constant))
    return {};
  llvm::SmallVector<int64_t> shape = shapeOnce(constant, mayBeOne);
  return ArrayRef(shape) != shapeOf(constant) && isConstant(constant) ? proposal.firstOf(constant, shape)
                                                                      : mlir::Value();
}

/// What the call repeats, in the dimensions that the operand has: as it is before it is repeated. Null if that has other elements than
/// those that stand there once.
mlir::Value beforeRepeat(mlir::Value operand, Operation *root, Proposal &proposal) {
  mlir::Value value = operand;
  llvm::SmallVector<ttnn::ReshapeOp> reshapes; // the last one first
  while (auto reshape = value.getDefiningOp<ttnn::ReshapeOp>()) {
    reshapes.push_back(reshape);
    value = reshape.getInput();
  }
  auto repeat = value.getDefiningOp<ttnn::RepeatOp>();
  if (!repeat || !isPlaced(operand) || !isPlaced(repeat.getInput()) || ttnn::saysMore(repeat) ||
      typeOf(repeat.getInput()).getRank() != typeOf(value).getRank() ||
      !mayBeReadAt(operandOf(repeat, 0), root))
    return {};
  // By this repeat alone: what it repeats may have been repeated before, and keeps the order that its elements have.
  Sameness same = ofUnits(repeat.getInput());
  for (ttnn::ReshapeOp reshape : llvm::reverse(reshapes))
    same = reshaped(same, shapeOf(reshape.getInput()), shapeOf(reshape.getResult()));
  llvm::SmallVector<int64_t> shape(shapeOf(operand));
  for (auto [extent, isSame] : llvm::zip_equal(shape, same))
    extent = isSame ? 1 : extent;
  bool isAll = llvm::product_of(shape) == typeOf(repeat.getInput()).getNumElements();
  return isAll && ArrayRef(shape) != shapeOf(operand) ? proposal.reshaped(repeat.getInput(), shape)
                                                      : mlir::Value();
}

} // namespace

/// Of what works element by element on two operands, one of which has all of the result's elements.
bool proposeRowsOnce(Operation *root, Proposal &proposal) {
  for (unsigned number : {1u, 0u}) {
    mlir::Value spread = root->getOperand(number);
    if (shapeOf(root->getOperand(1 - number)) != shapeOf(root->getResult(0)))
      continue;
    mlir::Value less = once(spread, [](size_t) { return true; }, proposal);
    if (!less)
      less = beforeRepeat(spread, root, proposal);
    if (!less)
      continue;
    IRMapping operands;
    operands.map(spread, less);
    // One tensor on both sides: the other side needs all of it.
    if (root->getOperand(1 - number) == spread)
      return false;
    Operation *made = proposal.copy(root, operands, shapeOf(root->getResult(0)));
    made->getResult(0).setType(root->getResult(0).getType());
    proposal.isAbout(made);
    proposal.replace(root, made->getResult(0));
    return true;
  }
  return false;
}

/// Of what works element by element on what the call repeats, and on nothing that has more elements than that had before: the repeat comes
/// behind it. Not of a cast to others than bf16, as wider elements would be repeated then, nor of what others read as well, which would be so twice.
bool proposeLateRepeat(Operation *root, Proposal &proposal) {
  if (!isElementwise(root) || !isPlaced(root->getResult(0)) ||
      (isa<ttnn::TypecastOp>(root) && !typeOf(root->getResult(0)).getElementType().isBF16()))
    return false;
  ArrayRef<int64_t> shape = shapeOf(root->getResult(0));
  llvm::SmallVector<int64_t> less(shape.size(), 1);
  IRMapping operands;
  for (mlir::Value operand : root->getOperands()) {
    if (mlir::Value before = operand.hasOneUse() ? beforeRepeat(operand, root, proposal) : mlir::Value())
      operands.map(operand, before);
    ArrayRef<int64_t> has = shapeOf(operands.lookupOrDefault(operand));
    for (auto [most, extent] : llvm::zip(llvm::reverse(less), llvm::reverse(has)))
      most = std::max(most, extent);
  }
  // What is constant takes longest to find out.
  if (ArrayRef(less) == shape || isConstant(root->getResult(0)))
    return false;
  Operation *made = proposal.copy(root, operands, less);
  proposal.isAbout(made);
  proposal.replace(root, proposal.repeated(made->getResult(0), shape));
  return true;
}

/// Of a product of batches with the same matrix.
bool proposeMatrixOnce(Operation *root, Proposal &proposal) {
  mlir::Value matrices = root->getOperand(1);
  const size_t batches = shapeOf(matrices).size() - std::min<size_t>(shapeOf(matrices).size(), 2);
  if (fusesFunction(root) || batches == 0 ||
      shapeOf(root->getOperand(0)).size() != shapeOf(root->getResult(0)).size())
    return false;
  mlir::Value less = once(matrices, [&](size_t dimension) { return dimension < batches; }, proposal);
  if (!less || llvm::product_of(shapeOf(less).take_front(batches)) != 1)
    return false;
  // The left operand has all batches: what is repeated for the right one alone would be so on both sides.
  if (shapeOf(root->getOperand(0)).take_front(batches) != shapeOf(root->getResult(0)).take_front(batches))
    return false;
  IRMapping operands;
  operands.map(matrices, proposal.reshaped(less, shapeOf(less).take_back(2)));
  Operation *made = proposal.copy(root, operands, shapeOf(root->getResult(0)));
  made->removeAttr("matmul_program_config");
  proposal.isAbout(made);
  proposal.replace(root, made->getResult(0));
  return true;
}

} // namespace tessera::rewrite
