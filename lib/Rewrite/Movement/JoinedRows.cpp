//===- JoinedRows.cpp - Rows that one tensor meets in turn ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   (x * r) * s   ->   x * (r * s)         (x + r) + s   ->   x + (r + s)
//
// r and s have a number for each channel of an image, or the like, where x has one for
// each pixel: a norm of groups multiplies an image by deviations, then by weights.
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// What broadcasts to both shapes, aligned at their last dimensions, becomes that of both.
llvm::SmallVector<int64_t> broadcastOf(ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
  llvm::SmallVector<int64_t> shape(a.size() < b.size() ? b : a);
  ArrayRef<int64_t> other = a.size() < b.size() ? a : b;
  for (auto [extent, each] : llvm::zip_equal(MutableArrayRef(shape).take_back(other.size()), other))
    extent = std::max(extent, each);
  return shape;
}

/// A sum or product of a tensor and another that broadcasts to it.
struct WithRow {
  Traced tensor, row;
};
std::optional<WithRow> withRow(Operation *op) {
  if (!isa_and_nonnull<ttnn::AddOp, ttnn::MultiplyOp>(op) || appliesActivations(op))
    return std::nullopt;
  ArrayRef<int64_t> whole = shapeOf(op->getResult(0));
  for (unsigned number : {0u, 1u}) {
    mlir::Value tensor = op->getOperand(number), row = op->getOperand(1 - number);
    // Numbers stay where they are: attention and products look for scales.
    if (shapeOf(tensor) == whole && isPlaced(tensor) && isPlaced(row) && isFloat(tensor) && isFloat(row) &&
        typeOf(row).getNumElements() > 1 && !splatOf(row))
      return WithRow{operandOf(op, number), operandOf(op, 1 - number)};
  }
  return std::nullopt;
}

} // namespace

bool proposeJoinedRows(Operation *root, Proposal &proposal) {
  std::optional<WithRow> second = withRow(root);
  mlir::Value between = second ? second->tensor.value : mlir::Value();
  Operation *inner = between && between.hasOneUse() ? between.getDefiningOp() : nullptr;
  if (!inner || inner->getName() != root->getName())
    return false;
  std::optional<WithRow> first = withRow(inner);
  if (!first || !mayBeReadAt(first->tensor, root) || !mayBeReadAt(first->row, root))
    return false;
  // What both rows make together must be few numbers, or nothing is saved: a row and a column make a matrix.
  constexpr int64_t kFewer = 8;
  ArrayRef<int64_t> whole = shapeOf(root->getResult(0));
  llvm::SmallVector<int64_t> shape = broadcastOf(shapeOf(first->row.value), shapeOf(second->row.value));
  if (kFewer * paddedVolume(shape) > paddedVolume(whole))
    return false;
  // With as many bits as there were between the two.
  StringRef name = root->getName().stripDialect();
  mlir::Value joined =
      proposal
          .makeNamed(name, {first->row.value, second->row.value},
                     Proposal::typeLike(first->row.value, shape, typeOf(between).getElementType()))
          ->getResult(0);
  Operation *made = proposal.makeNamed(
      name, {first->tensor.value, joined},
      Proposal::typeLike(first->tensor.value, whole, typeOf(root->getResult(0)).getElementType()));
  proposal.isAbout(made);
  proposal.replace(root, made->getResult(0));
  return true;
}

} // namespace tessera::rewrite
