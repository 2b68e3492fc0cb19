//===- Reshapes.cpp - Ops on the side of a reshape where tiles are fuller ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Frameworks have a dimension of extent 1 for the position of a token, and make
// matrices of it for each product. In tiles such a dimension is 32 high: what works
// between two products works on 32 times as much.
//
//   reshape(multiply(reshape(a), reshape(b)))   ->   multiply(a, b)
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Rows.h"

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

/// Dimensions of other extents than 1.
static llvm::SmallVector<int64_t> longDimensions(ArrayRef<int64_t> shape) {
  return llvm::to_vector(llvm::make_filter_range(llvm::seq<int64_t>(0, int64_t(shape.size())),
                                                 [shape](int64_t i) { return shape[size_t(i)] != 1; }));
}

/// `shape`, which broadcasts to `to`, in the dimensions of `from`, which has the same extents but for those of 1. These have `unit` there.
static llvm::SmallVector<int64_t> inDimensionsOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> to,
                                                 ArrayRef<int64_t> from, int64_t unit = 1) {
  llvm::SmallVector<int64_t> result(from.size(), unit);
  size_t missing = to.size() - shape.size(); // broadcasting aligns the last dimensions
  for (auto [here, there] : llvm::zip_equal(longDimensions(to), longDimensions(from)))
    result[size_t(there)] = size_t(here) < missing ? 1 : shape[size_t(here) - missing];
  return result;
}

/// Whether a reshape only moves extents of 1, or leaves rows as they are.
static bool keepsRows(ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  return sameButForUnits(from, to) || (!from.empty() && !to.empty() && from.back() == to.back());
}

/// The shape of an operand of an op whose result is reshaped from `to` to `from`, which keeps rows; nullopt if it broadcasts in a way that
/// has no form there.
static std::optional<llvm::SmallVector<int64_t>> operandShape(ArrayRef<int64_t> shape, ArrayRef<int64_t> to,
                                                              ArrayRef<int64_t> from) {
  if (sameButForUnits(to, from))
    return inDimensionsOf(shape, to, from);
  llvm::SmallVector<int64_t> there(from);
  if (shape == to)
    return there;
  if (shape.empty())
    return std::nullopt;
  there.back() = shape.back();
  if (shape.size() == to.size() && shape.drop_back() == to.drop_back() && shape.back() == 1)
    return there; // a number for each row
  // Rows are counted otherwise there, so what differs from row to row in some dimensions only has no such form.
  if (llvm::any_of(shape.drop_back(), [](int64_t extent) { return extent != 1; }))
    return std::nullopt;
  std::fill(there.begin(), std::prev(there.end()), 1); // the same row for all, or a number
  return there;
}

/// Whether the op works on each row of its first operand by itself, with the same weights for all.
static bool worksAlongRows(Operation *op) { return isa<ttnn::RMSNormOp, ttnn::LayerNormOp>(op); }

/// Whether all that the op reads beside its first operand are single rows.
static bool othersAreRows(Operation *op) {
  return llvm::all_of(op->getOperands().drop_front(), [](mlir::Value other) {
    return isPlaced(other) && typeOf(other).getNumElements() == shapeOf(other).back();
  });
}

/// The reshape that makes the value, if it moves no more than `moves` says, such that tiles are emptier, and what it reads may be read at
/// `at`.
static ttnn::ReshapeOp emptying(mlir::Value value, Operation *at,
                                bool (*moves)(ArrayRef<int64_t>, ArrayRef<int64_t>) = sameButForUnits) {
  auto reshape = value.getDefiningOp<ttnn::ReshapeOp>();
  // Fewer tiles, strictly: of two forms that fill as many, one would be made of the other for ever.
  return reshape && isPlaced(reshape.getInput()) && moves(shapeOf(reshape.getInput()), shapeOf(value)) &&
                 paddedVolume(shapeOf(reshape.getInput())) < paddedVolume(shapeOf(value)) &&
                 mayBeReadAt(operandOf(reshape, 0), at)
             ? reshape
             : ttnn::ReshapeOp();
}

/// What has the elements of the operand in `shape` already: what it was reshaped from, or a reshape of it that stands before `at`.
static mlir::Value alreadyReshaped(const Traced &operand, ArrayRef<int64_t> shape, Operation *at) {
  // What it was reshaped from costs nothing, also where other readers keep the reshape.
  if (auto reshape = operand.value.getDefiningOp<ttnn::ReshapeOp>())
    if (shapeOf(reshape.getInput()) == shape && isPlaced(reshape.getInput()) &&
        mayBeReadAt(operandOf(reshape, 0), at))
      return reshape.getInput();
  // Each of very many readers would look at all others.
  constexpr unsigned kMostReaders = 256;
  if (operand.value.hasNUsesOrMore(kMostReaders))
    return {};
  for (Operation *reader : operand.value.getUsers())
    if (auto reshape = dyn_cast<ttnn::ReshapeOp>(reader))
      if (shapeOf(reshape.getResult()) == shape && isPlaced(reshape.getResult()) &&
          reshape->getBlock() == at->getBlock() && standsBefore(reshape, at) &&
          mayBeReadAt(operandOf(reshape, 0), at))
        return reshape.getResult();
  return {};
}

/// The op in the dimensions of `from` instead of those of its result, standing at `at`. nullptr if it cannot be there, or takes more than
/// `most` reshapes of whole tensors that nobody made yet.
static Operation *inOtherDimensions(Operation *op, ArrayRef<int64_t> from, Operation *at, size_t most,
                                    Proposal &proposal) {
  ArrayRef<int64_t> to = shapeOf(op->getResult(0));
  const bool alongRows = worksAlongRows(op);
  if (!alongRows && !isElementwise(op))
    return nullptr;
  // Rows have to stay rows; weights fit them wherever they stand.
  if (alongRows && (from.empty() || from.back() != to.back() || !othersAreRows(op)))
    return nullptr;
  IRMapping moved;
  size_t made = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    mlir::Value value = operand.get();
    if (!isPlaced(value))
      return nullptr;
    if ((alongRows && operand.getOperandNumber() != 0) || moved.contains(value))
      continue;
    Traced traced = operandOf(op, operand.getOperandNumber());
    std::optional<llvm::SmallVector<int64_t>> shape = operandShape(shapeOf(value), to, from);
    if (!shape)
      return nullptr;
    mlir::Value there = alreadyReshaped(traced, *shape, at);
    if (!there) {
      // What is spread over the result is small, and often constant.
      made += typeOf(value).getNumElements() == typeOf(op->getResult(0)).getNumElements();
      // A reshape of a whole tensor moves what the op saves, so only as many are made as go away.
      if (made > most || !mayBeReadAt(traced, at))
        return nullptr;
      there = proposal.reshaped(value, *shape);
    }
    moved.map(value, there);
  }
  Operation *copy = proposal.copy(op, moved, from);
  proposal.isAbout(copy);
  return copy;
}

/// What works element by element or along rows, after a reshape that leaves rows or all but extents of 1 as they are, such that tiles are
/// emptier: it works on the fuller tiles, and the reshape follows. All else that it reads has to be there in fuller tiles, or small.
bool proposeLateReshape(Operation *root, Proposal &proposal) {
  if (root->getNumResults() != 1 || !(isElementwise(root) || worksAlongRows(root)))
    return false;
  ArrayRef<int64_t> to = shapeOf(root->getResult(0));
  for (mlir::Value operand : root->getOperands())
    if (ttnn::ReshapeOp reshape =
            shapeOf(operand) == to ? emptying(operand, root, keepsRows) : ttnn::ReshapeOp()) {
      Operation *made = inOtherDimensions(root, shapeOf(reshape.getInput()), root, /*most=*/0, proposal);
      if (made)
        proposal.replace(root, proposal.reshaped(made->getResult(0), to));
      return made;
    }
  return false;
}

/// A reshape that leaves rows or all but extents of 1 as they are, such that tiles are fuller, of what works element by element or along
/// rows: the op works on what is reshaped. Others that read it have to reshape it alike; the root is the first of these.
bool proposeEarlyReshape(Operation *root, Proposal &proposal) {
  auto reshape = cast<ttnn::ReshapeOp>(root);
  mlir::Value value = reshape.getInput();
  Operation *op = value.getDefiningOp();
  ArrayRef<int64_t> from = shapeOf(reshape.getResult());
  if (!op || op->getNumResults() != 1 || op->getBlock() != root->getBlock() ||
      !keepsRows(from, shapeOf(value)) || paddedVolume(from) >= paddedVolume(shapeOf(value)))
    return false;
  auto isAlike = [&](Operation *reader) {
    auto other = dyn_cast<ttnn::ReshapeOp>(reader);
    return other && shapeOf(other.getResult()) == from && other->getBlock() == root->getBlock() &&
           !standsBefore(other, root);
  };
  // A reader that wants the emptier tiles would keep the op, and there would be two of it.
  if (!llvm::all_of(value.getUsers(), isAlike))
    return false;
  Operation *made = inOtherDimensions(op, from, root, /*most=*/1, proposal);
  if (!made)
    return false;
  for (Operation *reader : value.getUsers())
    proposal.replace(reader, made->getResult(0));
  return true;
}

bool proposeReshapedSlice(Operation *root, Proposal &proposal) {
  auto slice = cast<ttnn::SliceStaticOp>(root);
  ttnn::ReshapeOp reshape = emptying(slice.getInput(), root);
  if (!reshape)
    return false;
  ArrayRef<int64_t> from = shapeOf(reshape.getInput()), to = shapeOf(slice.getInput());
  const SliceBounds bounds = boundsOf(slice);
  mlir::Value part =
      proposal.slice(reshape.getInput(), inDimensionsOf(bounds.begins, to, from, 0),
                     inDimensionsOf(bounds.ends, to, from), inDimensionsOf(bounds.steps, to, from));
  // Units that are not as they were take more or fewer elements.
  if (typeOf(part).getNumElements() != typeOf(slice.getResult()).getNumElements())
    return false;
  proposal.isAbout(part.getDefiningOp());
  proposal.replace(root, proposal.reshaped(part, shapeOf(slice.getResult())));
  return true;
}

/// A slice of what a reshape took apart, along the first dimension of three or more that were one: a slice of that one. So the columns of
/// queries, keys and values are cut from whole rows. Single heads are not: heads are moved together.
bool proposeSliceOfWhole(Operation *root, Proposal &proposal) {
  auto slice = cast<ttnn::SliceStaticOp>(root);
  auto reshape = slice.getInput().getDefiningOp<ttnn::ReshapeOp>();
  if (!reshape || !isPlaced(reshape.getInput()) || !mayBeReadAt(operandOf(reshape, 0), root))
    return false;
  ArrayRef<int64_t> from = shapeOf(reshape.getInput()), to = shapeOf(slice.getInput()),
                    result = shapeOf(slice.getResult());
  const auto [begins, ends, steps] = boundsOf(slice);
  llvm::SmallVector<int64_t> cutFrom(from.size(), 0), cutTo(from), ones(from.size(), 1);
  size_t cuts = 0;
  for (const KeptTogether &block : blocksOf(from, to)) {
    int64_t each = 1; // elements of the one dimension for one step along the cut
    for (int64_t dimension : llvm::reverse(block.to)) {
      auto i = size_t(dimension);
      const bool isWhole = begins[i] == 0 && ends[i] == to[i] && steps[i] == 1;
      if (!isWhole) {
        // Only of one dimension, and nothing before it may go around in the block.
        const bool isFirst = llvm::product_of(llvm::map_range(
                                 llvm::make_filter_range(block.to, [&](int64_t d) { return d < dimension; }),
                                 [&](int64_t d) { return to[size_t(d)]; })) == 1;
        if (block.from.size() != 1 || !isFirst || steps[i] != 1 || begins[i] < 0 || ends[i] > to[i] ||
            ends[i] - begins[i] != result[i])
          return false;
        cutFrom[size_t(block.from.front())] = begins[i] * each;
        cutTo[size_t(block.from.front())] = ends[i] * each;
        cuts += each > to[size_t(block.to.back())] && to[size_t(block.to.back())] > 1;
      }
      each *= to[i];
    }
  }
  // Single columns are another row's, and so is what a reshape took nothing apart for.
  if (cuts != 1 || paddedVolume(from) >= paddedVolume(to))
    return false;
  mlir::Value part = proposal.slice(reshape.getInput(), cutFrom, cutTo, ones);
  proposal.isAbout(part.getDefiningOp());
  proposal.replace(root, proposal.reshaped(part, result));
  return true;
}

bool proposeReshapedPermute(Operation *root, Proposal &proposal) {
  auto permute = cast<ttnn::PermuteOp>(root);
  ttnn::ReshapeOp reshape = emptying(permute.getInput(), root);
  if (!reshape)
    return false;
  ArrayRef<int64_t> from = shapeOf(reshape.getInput());
  // Elements keep their order where extents of 1 are added or dropped, so the n-th long dimension here is the n-th
  // there.
  llvm::SmallVector<int64_t> here = longDimensions(from), there = longDimensions(shapeOf(permute.getInput()));
  // Extents of 1 stay where they are, and the others take their places among themselves.
  llvm::SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, int64_t(from.size())));
  auto place = here.begin();
  for (int64_t dimension : permute.getPermutation())
    if (auto found = llvm::find(there, dimension); found != there.end())
      order[size_t(*place++)] = here[size_t(found - there.begin())];
  mlir::Value moved =
      llvm::is_sorted(order) ? reshape.getInput() : proposal.permute(reshape.getInput(), order);
  // The permute may put a short extent last here, where units stood last there: tiles would be emptier than they are.
  if (paddedVolume(shapeOf(moved)) > paddedVolume(shapeOf(permute.getResult())))
    return false;
  proposal.replace(root, proposal.reshaped(moved, shapeOf(permute.getResult())));
  return true;
}

/// The dimension before a reshape that is `dimension` behind it and shares its elements with no other; nullopt if there is none.
static std::optional<size_t> dimensionBefore(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                                             int64_t dimension) {
  for (const KeptTogether &block : blocksOf(from, to)) {
    if (!llvm::is_contained(block.to, dimension))
      continue;
    int64_t extent = to[size_t(dimension)];
    // Elements of the joined dimension that other dimensions share would not stay side by side.
    if (llvm::any_of(block.to, [&](int64_t other) { return other != dimension && to[size_t(other)] != 1; }))
      return std::nullopt;
    auto place = llvm::find_if(block.from, [&](int64_t before) { return from[size_t(before)] == extent; });
    return place == block.from.end() ? std::nullopt : std::optional(size_t(*place));
  }
  return std::nullopt;
}

bool proposeReshapedConcat(Operation *root, Proposal &proposal) {
  auto concat = cast<ttnn::ConcatOp>(root);
  auto movesAny = [](ArrayRef<int64_t>, ArrayRef<int64_t>) { return true; };
  ttnn::ReshapeOp first = emptying(concat.getInputs().front(), root, movesAny);
  if (!first)
    return false;
  llvm::SmallVector<int64_t> from(shapeOf(first.getInput()));
  int64_t rank = typeOf(first.getResult()).getRank();
  int64_t dimension = (integerOf(concat.getDimAttr()) + rank) % rank;
  std::optional<size_t> place = dimensionBefore(from, shapeOf(first.getResult()), dimension);
  if (!place)
    return false;
  llvm::SmallVector<mlir::Value> parts;
  for (mlir::Value input : concat.getInputs()) {
    ttnn::ReshapeOp reshape = emptying(input, root, movesAny);
    from[*place] = shapeOf(input)[size_t(dimension)];
    if (!reshape || shapeOf(reshape.getInput()) != ArrayRef(from))
      return false;
    parts.push_back(reshape.getInput());
  }
  mlir::Value joined = proposal.concat(parts, int64_t(*place));
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

} // namespace tessera::rewrite
