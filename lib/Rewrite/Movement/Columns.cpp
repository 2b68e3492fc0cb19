//===- Columns.cpp - Rows put together of parts within tiles --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Rotary embedding turns halves of heads, and heads of 80 or 96 elements have
// halves that begin within a tile: they are cut and joined in rows, element by
// element, and made tiles again.
//
//   concat(-x[24:48], x[:24])               ->   x P,  P of 0, 1 and -1
//
// Others have halves where the kernel wants neighbours, or the other way round, and
// cut each row into rows of two elements, turn these and put them together again:
//
//   x.reshape(.., 32, 2).permute(.., 2, 32).reshape(.., 64)   ->   x P
//
// Each element of x P is one of x, since all others are multiplied by zero: of rows of
// finite numbers. An infinity, which zero makes no number, spreads over its row.
//
//===----------------------------------------------------------------------===//
#include "../Pairs.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Elements of a row beyond which a product with all of them takes longer than to move those that are wanted.
constexpr int64_t kMostColumns = 512;

/// Elements of the rows of a tensor of bf16, side by side.
struct Part {
  Traced tensor;
  int64_t begin = 0, step = 1, count = 0;
  bool isNegated = false;

  /// Whether it is whole tiles, which are moved as they are.
  bool isOfTiles() const { return step == 1 && begin % kTile == 0 && count % kTile == 0; }
};

/// Rows of f32 that were cast before they were reshaped, as they were before that, in the shape that they have; itself else.
mlir::Value uncastRows(const Traced &traced, Operation *at, Proposal &proposal) {
  auto reshape = traced.maker<ttnn::ReshapeOp>();
  Traced narrow = reshape ? throughForms(operandOf(reshape, 0)) : traced;
  return reshape && typeOf(traced.value).getElementType().isF32() && isPlaced(narrow.value) &&
                 mayBeReadAt(narrow, at)
             ? proposal.reshaped(proposal.paged(narrow.value, PageLayout::Tile), shapeOf(traced.value))
             : traced.value;
}

/// What of rows the value is: they are cut, if they are, and negated then.
std::optional<Part> partOf(const Traced &value) {
  Part part;
  Traced wide = throughForms(value);
  if (std::optional<Traced> negated = unnegated(wide.value)) {
    part.isNegated = true;
    wide = throughForms(*negated);
  }
  auto slice = wide.maker<ttnn::SliceStaticOp>();
  part.tensor = slice ? throughForms(operandOf(slice, 0)) : wide;
  part.count = shapeOf(wide.value).back();
  if (!slice)
    return part;
  const auto [begins, ends, steps] = boundsOf(slice);
  ArrayRef<int64_t> whole = shapeOf(slice.getInput());
  part.begin = begins.back();
  part.step = steps.back();
  const bool isOfRows = ArrayRef(ends).drop_back() == whole.drop_back() &&
                        llvm::all_of(ArrayRef(begins).drop_back(), [](int64_t at) { return at == 0; }) &&
                        llvm::all_of(ArrayRef(steps).drop_back(), [](int64_t step) { return step == 1; }) &&
                        part.step > 0;
  return isOfRows ? std::optional(part) : std::nullopt;
}

/// Elements of rows that are in other places of these rows.
struct Shuffled {
  Traced rows; ///< the same elements in the same order as in the rows, which may be others
  llvm::SmallVector<TakenColumn> columns;
};

/// Rows that are cut into dimensions, of which the last ones change places, and are put together again.
std::optional<Shuffled> shuffledRows(ttnn::ReshapeOp reshape) {
  auto permute = throughForms(operandOf(reshape, 0)).maker<ttnn::PermuteOp>();
  auto cut = permute ? throughForms(operandOf(permute, 0)).maker<ttnn::ReshapeOp>() : ttnn::ReshapeOp();
  if (!cut || shapeOf(reshape.getResult()).empty())
    return std::nullopt;
  ArrayRef<int64_t> order = permute.getPermutation(), extents = shapeOf(permute.getInput());
  size_t first = 0;
  while (first < order.size() && order[first] == int64_t(first))
    ++first;
  llvm::SmallVector<int64_t> strides(extents.size(), 1);
  for (size_t i = extents.size(); i-- > first + 1;)
    strides[i - 1] = strides[i] * extents[i];
  const int64_t size = shapeOf(reshape.getResult()).back();
  if (first == order.size() || size > kMostColumns)
    return std::nullopt;
  const int64_t block = strides[first] * extents[first];
  if (block == 0 || size % block != 0)
    return std::nullopt;
  Shuffled found{throughForms(operandOf(cut, 0)), {}};
  for (int64_t column = 0; column < size; ++column) {
    int64_t rest = column % block, from = column - rest;
    for (size_t i = order.size(); i-- > first; rest /= extents[size_t(order[i])])
      from += rest % extents[size_t(order[i])] * strides[size_t(order[i])];
    found.columns.push_back({from, false});
  }
  return found;
}

} // namespace

bool proposeShuffledColumns(Operation *root, Proposal &proposal) {
  // What is rounded afterwards may be rounded before.
  const bool isRounded = isa<ttnn::TypecastOp>(root);
  auto reshape =
      isRounded ? root->getOperand(0).getDefiningOp<ttnn::ReshapeOp>() : cast<ttnn::ReshapeOp>(root);
  Type to = typeOf(root->getResult(0)).getElementType();
  if (!reshape || (isRounded && (!to.isBF16() || !typeOf(reshape.getResult()).getElementType().isF32())))
    return false;
  std::optional<Shuffled> found = shuffledRows(reshape);
  if (!found || !isPlaced(found->rows.value) || !isFloat(found->rows.value) ||
      !mayBeReadAt(found->rows, root))
    return false;
  mlir::Value rows = proposal.paged(uncastRows(found->rows, root, proposal), PageLayout::Tile);
  if (isRounded)
    rows = proposal.cast(rows, to);
  if (!isBF16(rows))
    return false;
  rows = proposal.reshaped(rows, shapeOf(root->getResult(0)));
  const int64_t size = shapeOf(rows).back();
  mlir::Value made = timesMatrix(rows, columnMatrix(root->getContext(), size, found->columns), proposal);
  proposal.replace(root, proposal.cast(made, to));
  return true;
}

bool proposeColumns(Operation *root, Proposal &proposal) {
  auto concat = cast<ttnn::ConcatOp>(root);
  const int64_t rank = typeOf(concat.getResult()).getRank();
  if (rank < 2 || (integerOf(concat.getDimAttr()) + rank) % rank != rank - 1)
    return false;
  std::optional<Traced> x;
  bool areTiles = true;
  llvm::SmallVector<TakenColumn> columns;
  for (unsigned number = 0; number < concat.getInputs().size(); ++number) {
    std::optional<Part> part = partOf(operandOf(root, number));
    if (!part || (x && part->tensor.value != x->value) || !mayBeReadAt(part->tensor, root))
      return false;
    x = part->tensor;
    areTiles &= part->isOfTiles();
    for (int64_t column = 0; column < part->count; ++column)
      columns.push_back({part->begin + column * part->step, part->isNegated});
  }
  if (!x || areTiles || !isPlaced(x->value))
    return false;
  const int64_t size = shapeOf(x->value).back();
  if (size > kMostColumns || int64_t(columns.size()) > kMostColumns)
    return false;
  mlir::Value rows = proposal.paged(uncastRows(*x, root, proposal), PageLayout::Tile);
  if (!isBF16(rows))
    return false;
  mlir::Value made = timesMatrix(rows, columnMatrix(root->getContext(), size, columns), proposal);
  proposal.replace(root, proposal.cast(made, typeOf(root->getResult(0)).getElementType()));
  return true;
}

} // namespace tessera::rewrite
