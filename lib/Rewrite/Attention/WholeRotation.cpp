//===- WholeRotation.cpp - Rotary embedding of all positions --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   concat(x[:n], turned(x[n:]))   ->   turned(x), by tables that begin with n rows that turn nothing
//
// Models of images turn their patches, and not the positions before them (of a class, of registers). These are few, so that both parts begin
// or end within tiles, and are cut and joined as rows; tables with cosines of 1 and sines of 0 cost a row each, once.
//
//===----------------------------------------------------------------------===//
#include "../Match.h"
#include "../Pairs.h"
#include "../Rows.h"
#include "Rotation.h"

#include "tessera/Support/SortStably.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <limits>

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// The dimension of heads, B x H x S x D, that is cut and joined.
constexpr int64_t kPositions = 2;

/// The elements of a tensor as those of another one: where the first lies there, and how far the next of each dimension is.
struct View {
  int64_t offset = 0;
  llvm::SmallVector<int64_t> extents, strides;
};

View wholeOf(ArrayRef<int64_t> shape) {
  View view;
  view.extents.assign(shape.begin(), shape.end());
  view.strides.assign(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    view.strides[i - 1] = view.strides[i] * shape[i];
  return view;
}

/// The same elements in that shape; nullopt if no strides say where they lie then.
std::optional<View> reshaped(const View &view, ArrayRef<int64_t> shape) {
  View made{view.offset, llvm::SmallVector<int64_t>(shape), llvm::SmallVector<int64_t>(shape.size(), 1)};
  for (const KeptTogether &block : blocksOf(view.extents, shape)) {
    // Dimensions of one block are one run of elements, which the new ones cut anew.
    int64_t stride = 1, extent = 1;
    bool isFirst = true;
    for (int64_t from : llvm::reverse(block.from)) {
      if (view.extents[size_t(from)] == 1)
        continue;
      if (isFirst)
        stride = view.strides[size_t(from)];
      else if (view.strides[size_t(from)] != stride * extent)
        return std::nullopt;
      isFirst = false;
      extent *= view.extents[size_t(from)];
    }
    for (int64_t to : llvm::reverse(block.to)) {
      made.strides[size_t(to)] = stride;
      stride *= shape[size_t(to)];
    }
  }
  return made;
}

std::optional<View> after(Operation *move, const View &view) {
  View made = view;
  if (auto slice = dyn_cast<ttnn::SliceStaticOp>(move)) {
    const SliceBounds bounds = boundsOf(slice);
    made.extents.assign(shapeOf(slice.getResult()).begin(), shapeOf(slice.getResult()).end());
    for (auto [i, begin] : llvm::enumerate(bounds.begins)) {
      made.offset += begin * view.strides[i];
      made.strides[i] *= bounds.steps[i];
    }
    return made;
  }
  if (auto permute = dyn_cast<ttnn::PermuteOp>(move)) {
    for (auto [to, from] : llvm::enumerate(permute.getPermutation())) {
      made.extents[to] = view.extents[size_t(from)];
      made.strides[to] = view.strides[size_t(from)];
    }
    return made;
  }
  return reshaped(view, shapeOf(move->getResult(0)));
}

/// The value as elements of `from`; nullopt if anything but moves lies between them.
std::optional<View> viewOf(mlir::Value from, mlir::Value value) {
  llvm::SmallVector<Operation *> moves;
  for (; value != from; value = moves.back()->getOperand(0)) {
    Operation *move = value.getDefiningOp();
    if (!isa_and_nonnull<ttnn::SliceStaticOp, ttnn::PermuteOp, ttnn::ReshapeOp>(move))
      return std::nullopt;
    moves.push_back(move);
  }
  std::optional<View> view = wholeOf(shapeOf(from));
  for (Operation *move : llvm::reverse(moves))
    view = view ? after(move, *view) : std::nullopt;
  return view;
}

/// A part of a concat that is turned.
struct Turned {
  Traced x; ///< before it is cast to the elements that are turned
  Traced cosines, sines;
  Turn turn;
};
std::optional<Turned> turnedOf(mlir::Value part) {
  // Back to the op: rounded, and without the positions that only fill tiles.
  mlir::Value made = throughTypecasts({part, nullptr}).value;
  if (auto slice = made.getDefiningOp<ttnn::SliceStaticOp>();
      slice && llvm::all_of(integersOf(slice.getBegins()), [](int64_t begin) { return begin == 0; }))
    made = throughTypecasts(operandOf(slice, 0)).value;
  Operation *op = made.getDefiningOp();
  if (!op || op->getNumOperands() < 3 || shapeOf(op->getOperand(0)) != shapeOf(part))
    return std::nullopt;
  Turned found{throughWidening(operandOf(op, 0)), operandOf(op, 1), operandOf(op, 2), nullptr};
  // With a token index that chooses the table's row, and not the row of x.
  if (auto halves = dyn_cast<ttnn::RotaryEmbeddingOp>(op); halves && !halves.getTokenIndexAttr())
    found.turn = turnHalves;
  // Only as `rotation` makes it: other matrices turn otherwise.
  auto decodes = op->getAttrOfType<BoolAttr>("is_decode_mode");
  if (op->getName().getStringRef() == "ttnn.rotary_embedding_llama" && decodes && !decodes.getValue() &&
      turnsNeighbours(op->getOperand(3)))
    found.turn = turnNeighbours;
  return found.turn ? std::optional(found) : std::nullopt;
}

/// What the parts of a concat are cut from, and along which of its dimensions.
struct Cut {
  Traced whole;
  size_t dimension;
};
/// Of a part that is turned: by the slice behind which its elements only change their order.
std::optional<Cut> cutOf(mlir::Value x) {
  Operation *move = x.getDefiningOp();
  while (isa_and_nonnull<ttnn::PermuteOp, ttnn::ReshapeOp>(move))
    move = move->getOperand(0).getDefiningOp();
  auto slice = dyn_cast_or_null<ttnn::SliceStaticOp>(move);
  if (!slice)
    return std::nullopt;
  ArrayRef<int64_t> from = shapeOf(slice.getInput()), to = shapeOf(slice.getResult());
  std::optional<size_t> dimension;
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] != to[i]) {
      if (dimension)
        return std::nullopt;
      dimension = i;
    }
  return dimension ? std::optional(Cut{operandOf(slice, 0), *dimension}) : std::nullopt;
}

/// The views as one, if they follow each other along positions, from the first element of the whole to the last.
/// Strides of extents of 1 say nothing, so they are not compared.
std::optional<View> joined(ArrayRef<View> views, const Cut &cut) {
  const View whole = wholeOf(shapeOf(cut.whole.value));
  View made = views.front();
  made.strides[kPositions] = whole.strides[cut.dimension];
  made.extents[kPositions] = 0;
  for (const View &view : views) {
    if (view.offset != made.extents[kPositions] * made.strides[kPositions] ||
        (view.extents[kPositions] > 1 && view.strides[kPositions] != made.strides[kPositions]))
      return std::nullopt;
    for (size_t i = 0; i < view.extents.size(); ++i)
      if (i != size_t(kPositions) && view.extents[i] > 1 && view.strides[i] != made.strides[i])
        return std::nullopt;
    made.extents[kPositions] += view.extents[kPositions];
  }
  return made.extents[kPositions] == whole.extents[cut.dimension] ? std::optional(made) : std::nullopt;
}

/// All elements of the value, seen so: in the shape whose dimensions stand as their elements lie, permuted. Null if they are not all. Rows that look for
/// heads know this form of their moves.
/// By descending strides dimensions stand as elements lie; each stride must then be the volume of all behind it.
mlir::Value seenAs(const View &view, mlir::Value value, Proposal &proposal) {
  llvm::SmallVector<size_t> order(llvm::to_vector(llvm::seq<size_t>(0, view.extents.size())));
  // Dimensions of one element lie anywhere: before all others.
  auto distance = [&](size_t i) {
    return view.extents[i] == 1 ? std::numeric_limits<int64_t>::max() : view.strides[i];
  };
  sortStably(order, [&](size_t a, size_t b) { return distance(a) > distance(b); });
  int64_t behind = 1;
  for (size_t i : llvm::reverse(order)) {
    if (view.extents[i] > 1 && view.strides[i] != behind)
      return {};
    behind *= view.extents[i];
  }
  if (behind != typeOf(value).getNumElements())
    return {};
  llvm::SmallVector<int64_t> shape, permutation(order.size());
  for (auto [at, i] : llvm::enumerate(order)) {
    shape.push_back(view.extents[i]);
    permutation[i] = int64_t(at);
  }
  mlir::Value lying = proposal.reshaped(value, shape);
  return llvm::is_sorted(permutation) ? lying : proposal.permute(lying, permutation);
}

/// The table of part `number` with rows of one number for the positions of the others, in their order.
mlir::Value withRows(mlir::Value table, double other, ttnn::ConcatOp concat, size_t number,
                     Proposal &proposal) {
  Type elementType = typeOf(table).getElementType();
  llvm::SmallVector<mlir::Value> rows;
  for (auto [i, part] : llvm::enumerate(concat.getInputs())) {
    const int64_t shape[] = {1, 1, shapeOf(part)[kPositions], shapeOf(part)[3]};
    auto numbers = DenseElementsAttr::get(RankedTensorType::get(shape, elementType),
                                          Attribute(proposal.attributes().getFloatAttr(elementType, other)));
    rows.push_back(i == number ? proposal.reshaped(table, shape) : constantLike(table, numbers, proposal));
  }
  return proposal.concat(rows, kPositions);
}

} // namespace

bool proposeWholeRotation(Operation *root, Proposal &proposal) {
  auto concat = cast<ttnn::ConcatOp>(root);
  ArrayRef<int64_t> shape = shapeOf(concat.getResult());
  if (shape.size() != 4 || (integerOf(concat.getDimAttr()) + 4) % 4 != kPositions)
    return false;
  // 1. One part is turned, by rows of its positions.
  std::optional<Turned> turned;
  size_t number = 0;
  for (auto [i, part] : llvm::enumerate(concat.getInputs()))
    if (std::optional<Turned> found = turnedOf(part)) {
      if (turned)
        return false;
      turned = found;
      number = i;
    }
  if (!turned || !isFloat(turned->cosines.value) ||
      typeOf(turned->cosines.value).getElementType() != typeOf(turned->sines.value).getElementType() ||
      !hasRowsOfPositions(turned->cosines.value, shapeOf(turned->x.value)) ||
      !hasRowsOfPositions(turned->sines.value, shapeOf(turned->x.value)))
    return false;
  // 2. The parts are one tensor, cut and joined again.
  std::optional<Cut> cut = cutOf(turned->x.value);
  if (!cut)
    return false;
  llvm::SmallVector<View> views;
  for (auto [i, part] : llvm::enumerate(concat.getInputs())) {
    std::optional<View> view = viewOf(cut->whole.value, i == number ? turned->x.value : part);
    if (!view)
      return false;
    views.push_back(std::move(*view));
  }
  std::optional<View> view = joined(views, *cut);
  if (!view || !llvm::all_of(ArrayRef{cut->whole, turned->cosines, turned->sines}, [&](const Traced &read) {
        return isPlaced(read.value) && mayBeReadAt(read, root);
      }))
    return false;
  // 3. Rows that turn nothing stand for the others: x * 1 + turned * 0.
  mlir::Value whole = seenAs(*view, cut->whole.value, proposal);
  if (!whole)
    return false;
  mlir::Value cosines = withRows(turned->cosines.value, 1, concat, number, proposal),
              sines = withRows(turned->sines.value, 0, concat, number, proposal);
  mlir::Value made =
      turned->turn(proposal.cast(whole, typeOf(cosines).getElementType()), cosines, sines, proposal);
  proposal.replace(root, proposal.cast(made, typeOf(concat.getResult()).getElementType()));
  return true;
}

} // namespace tessera::rewrite
