//===- Movement.cpp - Less of what only moves elements --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Match.h"
#include "Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

bool proposeOneReshape(Operation *root, Proposal &proposal) {
  auto second = cast<ttnn::ReshapeOp>(root);
  auto first = second.getInput().getDefiningOp<ttnn::ReshapeOp>();
  Traced source = first ? operandOf(first, 0) : operandOf(second, 0);
  ArrayRef<int64_t> to = shapeOf(second.getResult());
  // One that changes nothing goes without another before it.
  if ((!first && shapeOf(source.value) != to) || !isPlaced(source.value) || !mayBeReadAt(source, root))
    return false;
  proposal.replace(root, proposal.reshaped(source.value, to));
  return true;
}

bool proposeOnePermute(Operation *root, Proposal &proposal) {
  auto second = cast<ttnn::PermuteOp>(root);
  auto first = second.getInput().getDefiningOp<ttnn::PermuteOp>();
  if (!first || !mayBeReadAt(operandOf(first, 0), root))
    return false;
  llvm::SmallVector<int64_t> order;
  for (int64_t dimension : second.getPermutation())
    order.push_back(first.getPermutation()[size_t(dimension)]);
  mlir::Value source = first.getInput();
  if (llvm::equal(order, llvm::seq<int64_t>(0, int64_t(order.size())))) {
    proposal.replace(root, source);
    return true;
  }
  auto made = proposal.make<ttnn::PermuteOp>(Proposal::typeLike(source, shapeOf(second.getResult())), source,
                                             ArrayRef<int64_t>(order), second.getPadValueAttr());
  proposal.replace(root, made.getResult());
  return true;
}

/// `shape`, which broadcasts to `to`, in the dimensions of `from`, which has the same extents but for those of 1.
static llvm::SmallVector<int64_t> inDimensionsOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> to,
                                                 ArrayRef<int64_t> from) {
  auto longOnes = [](ArrayRef<int64_t> extents) {
    return llvm::to_vector(llvm::make_filter_range(llvm::seq<size_t>(0, extents.size()),
                                                   [extents](size_t i) { return extents[i] != 1; }));
  };
  llvm::SmallVector<int64_t> result(from.size(), 1);
  size_t missing = to.size() - shape.size(); // broadcasting aligns the last dimensions
  for (auto [here, there] : llvm::zip_equal(longOnes(to), longOnes(from)))
    result[there] = here < missing ? 1 : shape[here - missing];
  return result;
}

/// What works element by element, after a reshape that only spreads extents of 1 such that tiles are emptier: it works on the
/// fuller tiles, and the reshape follows.
bool proposeLateReshape(Operation *root, Proposal &proposal) {
  ArrayRef<int64_t> to = shapeOf(root->getResult(0));
  for (OpOperand &operand : root->getOpOperands()) {
    auto reshape = operand.get().getDefiningOp<ttnn::ReshapeOp>();
    if (!reshape || shapeOf(reshape.getResult()) != to)
      continue;
    ArrayRef<int64_t> from = shapeOf(reshape.getInput());
    if (!isPlaced(reshape.getInput()) || !sameButForUnits(from, to) ||
        paddedVolume(from) >= paddedVolume(to) || !mayBeReadAt(operandOf(reshape, 0), root))
      continue;
    IRMapping moved;
    for (OpOperand &other : root->getOpOperands()) {
      if (!isPlaced(other.get()))
        return false;
      moved.map(other.get(),
                &other == &operand
                    ? reshape.getInput()
                    : proposal.reshaped(other.get(), inDimensionsOf(shapeOf(other.get()), to, from)));
    }
    Operation *made = proposal.copy(root, moved, from);
    proposal.isAbout(made);
    proposal.replace(root, proposal.reshaped(made->getResult(0), to));
    return true;
  }
  return false;
}

/// A cast to wider elements, movement, and a cast back to the elements that there were: movement of the narrow ones.
bool proposeNarrowMoves(Operation *root, Proposal &proposal) {
  auto narrow = cast<ttnn::TypecastOp>(root);
  if (!isFloat(narrow.getInput()) || !isFloat(narrow.getResult()))
    return false;
  // Ops of one operand that leave elements as they are, from the last to the first.
  llvm::SmallVector<Operation *> moves;
  mlir::Value value = narrow.getInput();
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<ttnn::ReshapeOp, ttnn::PermuteOp, ttnn::TransposeOp, ttnn::RepeatOp, ttnn::SliceStaticOp,
             ttnn::RepeatInterleaveOp>(op) ||
        !value.hasOneUse())
      break;
    moves.push_back(op);
    value = op->getOperand(0);
  }
  auto wide = value.getDefiningOp<ttnn::TypecastOp>();
  if (!wide || !isPlaced(wide.getInput()) ||
      typeOf(wide.getInput()).getElementType() != typeOf(narrow.getResult()).getElementType() ||
      !typeOf(wide.getInput()).getElementType().isBF16() ||
      !typeOf(wide.getResult()).getElementType().isF32() || !mayBeReadAt(operandOf(wide, 0), root))
    return false;
  mlir::Value now = wide.getInput();
  for (Operation *op : llvm::reverse(moves)) {
    IRMapping moved;
    moved.map(op->getOperand(0), now);
    now = proposal.copy(op, moved, shapeOf(op->getResult(0)))->getResult(0);
  }
  proposal.replace(root, now);
  return true;
}

} // namespace tessera::rewrite
