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

/// `shape`, which broadcasts to `to`, in the dimensions of `from`, which has the same extents but for those of 1. These have `unit` there.
static llvm::SmallVector<int64_t> inDimensionsOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> to,
                                                 ArrayRef<int64_t> from, int64_t unit = 1) {
  auto longOnes = [](ArrayRef<int64_t> extents) {
    return llvm::to_vector(llvm::make_filter_range(llvm::seq<size_t>(0, extents.size()),
                                                   [extents](size_t i) { return extents[i] != 1; }));
  };
  llvm::SmallVector<int64_t> result(from.size(), unit);
  size_t missing = to.size() - shape.size(); // broadcasting aligns the last dimensions
  for (auto [here, there] : llvm::zip_equal(longOnes(to), longOnes(from)))
    result[there] = here < missing ? 1 : shape[here - missing];
  return result;
}

/// Whether the op works on each row of its first operand by itself, with the same weights for all.
static bool worksAlongRows(Operation *op) { return isa<ttnn::RMSNormOp, ttnn::LayerNormOp>(op); }

/// Whether all that the op reads beside its first operand are single rows.
static bool othersAreRows(Operation *op) {
  return llvm::all_of(op->getOperands().drop_front(), [](mlir::Value other) {
    return isPlaced(other) && typeOf(other).getNumElements() == shapeOf(other).back();
  });
}

/// What works element by element or along rows, after a reshape that only spreads extents of 1 such that tiles are emptier: it works on
/// the fuller tiles, and the reshape follows.
bool proposeLateReshape(Operation *root, Proposal &proposal) {
  ArrayRef<int64_t> to = shapeOf(root->getResult(0));
  const bool alongRows = worksAlongRows(root);
  for (OpOperand &operand : root->getOpOperands()) {
    auto reshape = operand.get().getDefiningOp<ttnn::ReshapeOp>();
    if (!reshape || shapeOf(reshape.getResult()) != to)
      continue;
    ArrayRef<int64_t> from = shapeOf(reshape.getInput());
    if (!isPlaced(reshape.getInput()) || !sameButForUnits(from, to) ||
        paddedVolume(from) >= paddedVolume(to) || !mayBeReadAt(operandOf(reshape, 0), root))
      continue;
    if (alongRows && (operand.getOperandNumber() != 0 || from.back() != to.back() || !othersAreRows(root)))
      return false;
    IRMapping moved;
    for (OpOperand &other : root->getOpOperands()) {
      if (!isPlaced(other.get()))
        return false;
      if (alongRows && &other != &operand)
        continue; // weights fit rows wherever these stand
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

/// The reshape that makes the value, if it only spreads extents of 1 such that tiles are emptier, and what it reads may be read at `at`.
static ttnn::ReshapeOp emptying(mlir::Value value, Operation *at) {
  auto reshape = value.getDefiningOp<ttnn::ReshapeOp>();
  return reshape && isPlaced(reshape.getInput()) &&
                 sameButForUnits(shapeOf(reshape.getInput()), shapeOf(value)) &&
                 paddedVolume(shapeOf(reshape.getInput())) < paddedVolume(shapeOf(value)) &&
                 mayBeReadAt(operandOf(reshape, 0), at)
             ? reshape
             : ttnn::ReshapeOp();
}

bool proposeReshapedSlice(Operation *root, Proposal &proposal) {
  auto slice = cast<ttnn::SliceStaticOp>(root);
  ttnn::ReshapeOp reshape = emptying(slice.getInput(), root);
  if (!reshape)
    return false;
  ArrayRef<int64_t> from = shapeOf(reshape.getInput()), to = shapeOf(slice.getInput());
  mlir::Value part =
      proposal.slice(reshape.getInput(), inDimensionsOf(integersOf(slice.getBegins()), to, from, 0),
                     inDimensionsOf(integersOf(slice.getEnds()), to, from),
                     inDimensionsOf(integersOf(slice.getStep()), to, from));
  // Bounds may be counted from the end, which nobody here understands.
  if (typeOf(part).getNumElements() != typeOf(slice.getResult()).getNumElements())
    return false;
  proposal.isAbout(part.getDefiningOp());
  proposal.replace(root, proposal.reshaped(part, shapeOf(slice.getResult())));
  return true;
}

bool proposeReshapedConcat(Operation *root, Proposal &proposal) {
  auto concat = cast<ttnn::ConcatOp>(root);
  ttnn::ReshapeOp first = emptying(concat.getInputs().front(), root);
  if (!first)
    return false;
  ArrayRef<int64_t> from = shapeOf(first.getInput()), to = shapeOf(first.getResult());
  llvm::SmallVector<mlir::Value> parts;
  for (mlir::Value input : concat.getInputs()) {
    ttnn::ReshapeOp reshape = emptying(input, root);
    if (!reshape || shapeOf(reshape.getInput()) != ArrayRef(inDimensionsOf(shapeOf(input), to, from)))
      return false;
    parts.push_back(reshape.getInput());
  }
  // Where the dimension is now; an extent of 1 could be any.
  int64_t rank = int64_t(to.size()), dimension = (integerOf(concat.getDimAttr()) + rank) % rank;
  llvm::SmallVector<int64_t> places =
      inDimensionsOf(llvm::to_vector(llvm::seq<int64_t>(0, rank)), to, from, -1);
  auto place = llvm::find(places, dimension);
  if (place == places.end())
    return false;
  mlir::Value joined = proposal.concat(parts, place - places.begin());
  proposal.isAbout(joined.getDefiningOp());
  proposal.replace(root, proposal.reshaped(joined, shapeOf(concat.getResult())));
  return true;
}

/// The one dimension that the op works along, from 0; nullopt if there are several or all.
static std::optional<int64_t> walkedDimension(Operation *op) {
  int64_t rank = typeOf(op->getOperand(0)).getRank();
  IntegerAttr dimension;
  if (auto argmax = dyn_cast<ttnn::ArgMaxOp>(op))
    dimension = argmax.getDimAttr();
  else if (auto softmax = dyn_cast<ttnn::SoftmaxOp>(op))
    dimension = softmax.getDimensionAttr();
  else if (auto several = op->getAttrOfType<ArrayAttr>("dim_arg"); several && several.size() == 1)
    dimension = dyn_cast<IntegerAttr>(several[0]);
  return dimension ? std::optional((integerOf(dimension) + rank) % rank) : std::nullopt;
}

/// Has the op work along its last dimension, however many dimensions there are.
static void walkAlongRows(Operation *op) {
  OpBuilder b(op->getContext());
  IntegerAttr last = b.getSI32IntegerAttr(-1);
  if (auto argmax = dyn_cast<ttnn::ArgMaxOp>(op))
    argmax.setDimAttr(last);
  else if (auto softmax = dyn_cast<ttnn::SoftmaxOp>(op))
    softmax.setDimensionAttr(last);
  else
    op->setAttr("dim_arg", b.getI32ArrayAttr({-1}));
}

/// What works along rows that have a tile of their own each, after a unit dimension, works on rows that share tiles.
bool proposeFullerRows(Operation *root, Proposal &proposal) {
  mlir::Value input = root->getOperand(0);
  ArrayRef<int64_t> from = shapeOf(input), to = shapeOf(root->getResult(0));
  int64_t rank = int64_t(from.size());
  if (rank < 3 || from[size_t(rank - 2)] != 1 || to.size() != from.size() ||
      walkedDimension(root) != rank - 1)
    return false;
  auto withoutUnit = [](ArrayRef<int64_t> shape) {
    llvm::SmallVector<int64_t> kept(shape.drop_back(2));
    kept.push_back(shape.back());
    return kept;
  };
  llvm::SmallVector<int64_t> rows = withoutUnit(from);
  if (paddedVolume(rows) >= paddedVolume(from))
    return false;
  IRMapping moved;
  moved.map(input, proposal.reshaped(input, rows));
  Operation *made = proposal.copy(root, moved, withoutUnit(to));
  // In elements and pages of the result: argmax makes rows of indices.
  made->getResult(0).setType(Proposal::typeLike(root->getResult(0), withoutUnit(to)));
  walkAlongRows(made);
  proposal.isAbout(made);
  proposal.replace(root, proposal.reshaped(made->getResult(0), to));
  return true;
}

/// Slices of a tensor that are all permuted alike, and cut nothing that the permutation splits: the tensor is permuted once, and sliced
/// then. The root is one of the permutes; a permute of the whole tensor may be among them.
bool proposeEarlyPermute(Operation *root, Proposal &proposal) {
  auto order = cast<ttnn::PermuteOp>(root).getPermutation();
  auto cut = root->getOperand(0).getDefiningOp<ttnn::SliceStaticOp>();
  if (!cut || !isPlaced(cut.getInput()))
    return false;
  mlir::Value whole = cut.getInput();
  llvm::SmallVector<std::pair<ttnn::SliceStaticOp, ttnn::PermuteOp>> parts;
  for (Operation *reader : whole.getUsers()) {
    auto slice = dyn_cast<ttnn::SliceStaticOp>(reader);
    auto permute =
        slice ? dyn_cast_or_null<ttnn::PermuteOp>(onlyReader(slice.getResult())) : ttnn::PermuteOp();
    if (!permute || permute.getPermutation() != order || permute->getBlock() != root->getBlock())
      return false;
    parts.push_back({slice, permute});
  }
  llvm::sort(parts, [](auto &a, auto &b) { return a.second->isBeforeInBlock(b.second); });
  // The first to be read is where the new permute stands.
  if (parts.size() < 2 || parts.front().second != root || !mayBeReadAt(operandOf(cut, 0), root))
    return false;
  auto permuted = [&](ArrayRef<int64_t> values) {
    return llvm::map_to_vector(order, [&](int64_t dimension) { return values[size_t(dimension)]; });
  };
  auto once = proposal.make<ttnn::PermuteOp>(Proposal::typeLike(whole, permuted(shapeOf(whole))), whole,
                                             order, cast<ttnn::PermuteOp>(root).getPadValueAttr());
  proposal.isAbout(once);
  for (auto &[slice, permute] : parts) {
    mlir::Value part =
        proposal.slice(once.getResult(), permuted(integersOf(slice.getBegins())),
                       permuted(integersOf(slice.getEnds())), permuted(integersOf(slice.getStep())));
    proposal.standsAt(part.getDefiningOp(), permute); // and not longer in memory than before
    proposal.replace(permute, part);
  }
  return true;
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
