//===- Repeats.cpp - Constants that stand there often ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Frameworks spread a row over all rows that it meets, and a matrix over all batches,
// and const-eval does so once and for all:
//
//   x + repeat(row)   ->   x + row         x repeat(w)   ->   x w
//
// Then the device reads it as often as it stands there. Ops that broadcast read it once.
//
//===----------------------------------------------------------------------===//
#include "ConstEval.h"
#include "Match.h"
#include "Rows.h"

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

/// The constant once along dimensions where all of it is the same: those for which `mayBeOne` holds. Null if there is no such dimension.
mlir::Value once(mlir::Value constant, llvm::function_ref<bool(size_t)> mayBeOne, Proposal &proposal) {
  if (!isPlaced(constant) || !isFloat(constant))
    return {};
  llvm::SmallVector<int64_t> shape(shapeOf(constant));
  for (auto [dimension, isSame] : llvm::enumerate(samenessOf(constant)))
    if (isSame && mayBeOne(dimension))
      shape[dimension] = 1;
  return shape != llvm::SmallVector<int64_t>(shapeOf(constant)) && isConstant(constant)
             ? proposal.firstOf(constant, shape)
             : mlir::Value();
}

} // namespace

/// Of what works element by element on two operands, one of which has all of the result's elements.
bool proposeRowsOnce(Operation *root, Proposal &proposal) {
  for (unsigned number : {1u, 0u}) {
    mlir::Value constant = root->getOperand(number);
    if (shapeOf(root->getOperand(1 - number)) != shapeOf(root->getResult(0)))
      continue;
    mlir::Value less = once(constant, [](size_t) { return true; }, proposal);
    if (!less)
      continue;
    IRMapping operands;
    operands.map(constant, less);
    if (root->getOperand(1 - number) == constant)
      return false;
    Operation *made = proposal.copy(root, operands, shapeOf(root->getResult(0)));
    made->getResult(0).setType(root->getResult(0).getType());
    proposal.isAbout(made);
    proposal.replace(root, made->getResult(0));
    return true;
  }
  return false;
}

/// Of a product of batches with the same matrix.
bool proposeMatrixOnce(Operation *root, Proposal &proposal) {
  mlir::Value matrices = root->getOperand(1);
  const size_t batches = shapeOf(matrices).size() - std::min<size_t>(shapeOf(matrices).size(), 2);
  if (batches == 0 || shapeOf(root->getOperand(0)).size() != shapeOf(root->getResult(0)).size())
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
