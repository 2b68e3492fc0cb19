//===- Pairs.cpp - Elements that change places with their neighbours -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Frameworks turn neighbours by taking every second element, and put them back by
// a stack: tensors with two elements a row, or one, which fill a tile each.
//
//   stack(-x[1::2], x[::2])                 ->   x P,  P of 0, 1 and -1
//   stack(a c - b s, a s + b c)             ->   x C + (x P) S
//   with a = x[::2], b = x[1::2]                 C and S with each number twice
//
// Each element of x P is one of x, since all others are multiplied by zero: of rows of
// finite numbers. An infinity, which zero makes no number, spreads over its row.
//
//===----------------------------------------------------------------------===//
#include "Pairs.h"
#include "Rows.h"

#include "tessera/Dialect/TTCore/LayoutParts.h"
#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

DenseElementsAttr narrowNumbers(MLIRContext *context, ArrayRef<int64_t> shape,
                                llvm::ArrayRef<float> numbers) {
  auto elements = llvm::map_to_vector(numbers, [](float number) {
    APFloat made(number);
    bool losesInfo = false;
    made.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &losesInfo);
    return made;
  });
  return DenseElementsAttr::get(RankedTensorType::get(shape, BFloat16Type::get(context)), elements);
}

namespace {

/// Zeros, but for 1, or -1, in each column: in the row of the element that it takes.
DenseElementsAttr selection(MLIRContext *context, int64_t rows, int64_t columns,
                            llvm::function_ref<std::pair<int64_t, bool>(int64_t column)> rowAndSign) {
  llvm::SmallVector<float> elements(size_t(rows * columns), 0);
  for (int64_t column = 0; column < columns; ++column) {
    auto [row, isNegated] = rowAndSign(column);
    elements[size_t(row * columns + column)] = isNegated ? -1.0F : 1.0F;
  }
  return narrowNumbers(context, {rows, columns}, elements);
}

} // namespace

DenseElementsAttr pairMatrix(MLIRContext *context, int64_t size, FromPair a, FromPair b) {
  return selection(context, size, size, [&](int64_t column) {
    const FromPair &from = column % 2 == 0 ? a : b;
    return std::pair(column - column % 2 + from.isSecond, from.isNegated);
  });
}

DenseElementsAttr halvesTurned(MLIRContext *context, int64_t size) {
  return selection(context, size, size, [&](int64_t column) {
    bool isFirst = column < size / 2;
    return std::pair(isFirst ? column + size / 2 : column - size / 2, isFirst);
  });
}

DenseElementsAttr identityMatrix(MLIRContext *context, int64_t size) {
  return selection(context, size, size, [](int64_t column) { return std::pair(column, false); });
}

DenseElementsAttr columnMatrix(MLIRContext *context, int64_t size, ArrayRef<TakenColumn> columns) {
  return selection(context, size, int64_t(columns.size()), [&](int64_t column) {
    return std::pair(columns[size_t(column)].from, columns[size_t(column)].isNegated);
  });
}

/// In DRAM and in tiles, as products read it.
mlir::Value constantLike(mlir::Value like, DenseElementsAttr elements, Proposal &proposal) {
  MLIRContext *context = like.getContext();
  FailureOr<ttnn::PlacedTensor> placed = ttnn::placedTensor(typeOf(like));
  TensorDesc desc{Shape(elements.getType().getShape()), *ttcore::dataType(elements.getElementType())};
  TensorLayout layout = dramInterleaved(desc, PageLayout::Tile);
  layout.mesh = placed->layout.mesh;
  auto type = RankedTensorType::get(elements.getType().getShape(), elements.getElementType(),
                                    ttnn::toAttr(context, layout));
  OpBuilder &builder = proposal.attributes();
  return proposal.makeNamed("constant", proposal.device(), type, builder.getNamedAttr("value", elements))
      ->getResult(0);
}

mlir::Value timesMatrix(mlir::Value x, DenseElementsAttr matrix, Proposal &proposal) {
  OpBuilder &builder = proposal.attributes();
  // In all passes, or the last bits of x would not be multiplied.
  const NamedAttribute attributes[] = {
      builder.getNamedAttr("transpose_a", builder.getBoolAttr(false)),
      builder.getNamedAttr("transpose_b", builder.getBoolAttr(false)),
      builder.getNamedAttr("compute_config", proposal.exactly(ttnn::MathFidelity::HiFi4))};
  llvm::SmallVector<int64_t> shape(shapeOf(x));
  shape.back() = matrix.getType().getShape().back();
  Operation *product = proposal.makeNamed("matmul", {x, constantLike(x, matrix, proposal)},
                                          Proposal::typeLike(x, shape), attributes);
  proposal.isAbout(product);
  return product->getResult(0);
}

mlir::Value pairsOf(mlir::Value x, FromPair a, FromPair b, Proposal &proposal) {
  return timesMatrix(x, pairMatrix(x.getContext(), shapeOf(x).back(), a, b), proposal);
}

std::optional<Traced> unturnedPairs(mlir::Value value) {
  std::optional<Product> product = plainProduct(value.getDefiningOp());
  auto matrix = product ? product->right.maker<ttnn::ConstantOp>() : ttnn::ConstantOp();
  // Attributes are unique, so that this compares no elements.
  if (!matrix || matrix.getValueAttr() !=
                     pairMatrix(value.getContext(), shapeOf(value).back(), kQuarterTurn[0], kQuarterTurn[1]))
    return std::nullopt;
  return product->left;
}

namespace {

struct Interleaved {
  mlir::Value even, odd;            ///< ... x D/2 or ... x D/2 x 1
  llvm::SmallVector<int64_t> shape; ///< ... x D, which the reshape may have in other rows
};
/// What the rows of the value have in turns: two tensors stacked behind their last dimension, which may have one more of one element.
std::optional<Interleaved> interleaved(ttnn::ReshapeOp reshape) {
  auto concat = throughPages(reshape.getInput()).getDefiningOp<ttnn::ConcatOp>();
  ArrayRef<int64_t> to = shapeOf(reshape.getResult());
  if (!concat || concat.getInputs().size() != 2)
    return std::nullopt;
  ArrayRef<int64_t> one = shapeOf(concat.getInputs().front());
  auto rank = int64_t(one.size());
  if (rank < 2 || one.back() != 1 || to.empty() || to.back() != 2 * one[size_t(rank - 2)] ||
      (integerOf(concat.getDimAttr()) + rank) % rank != rank - 1)
    return std::nullopt;
  Interleaved found{{}, {}, llvm::SmallVector<int64_t>(one.drop_back())};
  for (auto [part, input] : llvm::zip_equal(std::array{&found.even, &found.odd}, concat.getInputs())) {
    if (shapeOf(input) != one)
      return std::nullopt;
    auto unit = throughPages(input).getDefiningOp<ttnn::ReshapeOp>();
    bool isWithout = unit && shapeOf(unit.getInput()) == one.drop_back();
    *part = isWithout ? unit.getInput() : throughPages(input);
  }
  found.shape.back() *= 2;
  return found;
}

bool isNarrowAndPlaced(mlir::Value tensor) { return isBF16(tensor) && isPlaced(tensor); }

/// Every second element of rows of bf16, maybe negated and cast to more bits.
struct EverySecond {
  Traced tensor;
  FromPair from;
  llvm::SmallVector<int64_t> shape = {}; ///< of the rows, which the tensor may have in other ones
};

/// The same elements in bf16, before casts, and reshapes of what was cast: frameworks turn heads in f32, which they cast before they cut it.
Traced narrowElements(const Traced &traced) {
  for (Traced found = throughWidening(traced);; found = throughWidening(found.before()))
    if (isNarrowAndPlaced(found.value) || !found.maker<ttnn::ReshapeOp>())
      return found;
}

/// Past reshapes that only add or drop a last dimension of one element.
Traced throughLastUnit(Traced traced) {
  for (;;) {
    traced = throughWidening(traced);
    auto reshape = traced.maker<ttnn::ReshapeOp>();
    if (!reshape)
      return traced;
    ArrayRef<int64_t> before = shapeOf(reshape.getInput()), after = shapeOf(reshape.getResult());
    ArrayRef<int64_t> longer = before.size() > after.size() ? before : after;
    if (before.size() + after.size() != 2 * longer.size() - 1 || longer.back() != 1 ||
        longer.drop_back() != (before.size() > after.size() ? after : before))
      return traced;
    traced = traced.before();
  }
}

/// The same where each pair was made a row of its own: `x.unflatten(-1, (D/2, 2))[..., i]`.
std::optional<EverySecond> ofPairs(ttnn::SliceStaticOp slice) {
  const auto [begins, ends, steps] = boundsOf(slice);
  Traced rows = throughWidening(operandOf(slice, 0));
  auto reshape = rows.maker<ttnn::ReshapeOp>();
  ArrayRef<int64_t> pairs = shapeOf(slice.getInput());
  if (!reshape || pairs.size() < 2 || pairs.back() != 2 || ends.back() != begins.back() + 1 ||
      llvm::any_of(steps, [](int64_t step) { return step < 0; }) ||
      shapeOf(slice.getResult()).drop_back() != pairs.drop_back())
    return std::nullopt;
  llvm::SmallVector<int64_t> flat(pairs.drop_back());
  flat.back() *= 2;
  return EverySecond{narrowElements(operandOf(reshape, 0)), {begins.back() == 1, false}, flat};
}

std::optional<EverySecond> everySecond(mlir::Value value) {
  EverySecond found{{value, nullptr}, {}};
  Traced part = throughLastUnit(found.tensor);
  if (std::optional<Traced> negated = unnegated(part.value)) {
    found.from.isNegated = true;
    part = throughLastUnit(*negated);
  }
  auto slice = part.maker<ttnn::SliceStaticOp>();
  if (!slice)
    return std::nullopt;
  if (std::optional<EverySecond> paired = ofPairs(slice)) {
    paired->from.isNegated = found.from.isNegated;
    return isNarrowAndPlaced(paired->tensor.value) ? paired : std::nullopt;
  }
  const auto [begins, ends, steps] = boundsOf(slice);
  ArrayRef<int64_t> whole = shapeOf(slice.getInput());
  found.from.isSecond = begins.back() == 1;
  found.tensor = narrowElements(operandOf(slice, 0));
  found.shape.assign(whole.begin(), whole.end());
  const bool isWhole = llvm::all_of(ArrayRef(begins).drop_back(), [](int64_t begin) { return begin == 0; }) &&
                       llvm::all_of(ArrayRef(steps).drop_back(), [](int64_t step) { return step == 1; }) &&
                       ArrayRef(ends).drop_back() == whole.drop_back();
  // The last element of all may be left out by who takes the first of each pair.
  if (!isWhole || steps.back() != 2 || begins.back() > 1 || whole.back() % 2 != 0 ||
      shapeOf(slice.getResult()).back() != whole.back() / 2 || !isNarrowAndPlaced(found.tensor.value))
    return std::nullopt;
  return found;
}

/// One of the two products of a sum or difference: of every second element, and of a number for each pair.
struct PairProduct {
  EverySecond part;
  Traced table;
  Type elementType;
  bool hasUnit; ///< behind the pairs, in the table, too
};
std::optional<PairProduct> pairProduct(mlir::Value value) {
  auto product = value.getDefiningOp<ttnn::MultiplyOp>();
  if (!product || appliesActivations(product))
    return std::nullopt;
  for (unsigned number : {0u, 1u})
    if (shapeOf(product->getOperand(number)) == shapeOf(value))
      if (std::optional<EverySecond> part = everySecond(product->getOperand(number));
          part && !part->from.isNegated)
        return PairProduct{*part, operandOf(product, 1 - number), typeOf(value).getElementType(),
                           shapeOf(value).size() > part->shape.size()};
  return std::nullopt;
}

/// Both of them, that of the first elements first.
struct PairSum {
  PairProduct ofFirst, ofSecond;
};
/// For a = x[::2] and b = x[1::2], either a c - b s, or a s + b c in any order.
std::optional<PairSum> pairSum(Operation *sum) {
  if (!isa_and_nonnull<ttnn::AddOp, ttnn::SubtractOp>(sum) || appliesActivations(sum))
    return std::nullopt;
  std::optional<PairProduct> a = pairProduct(sum->getOperand(0)), b = pairProduct(sum->getOperand(1));
  if (!a || !b || a->part.tensor.value != b->part.tensor.value ||
      a->part.from.isSecond == b->part.from.isSecond)
    return std::nullopt;
  // A difference is a turn only with the first elements first; the other way round it turns back.
  if (!a->part.from.isSecond)
    return PairSum{*a, *b};
  return isa<ttnn::AddOp>(sum) ? std::optional(PairSum{*b, *a}) : std::nullopt;
}

/// The rows of a table of two dimensions with each number twice, side by side. Numbers are copied one by one where they stand in rows, so
/// that long tables are turned first: then whole rows are copied.
mlir::Value doubledRows(mlir::Value table, Proposal &proposal) {
  const int64_t rows = shapeOf(table)[0], size = shapeOf(table)[1];
  const bool isLong = rows >= kTile;
  if (isLong)
    table = proposal.paged(proposal.permute(proposal.paged(table, PageLayout::Tile), {1, 0}),
                           PageLayout::RowMajor);
  const llvm::SmallVector<int64_t> one = isLong ? llvm::SmallVector<int64_t>{size, 1, rows}
                                                : llvm::SmallVector<int64_t>{rows, size, 1},
                                   two = isLong ? llvm::SmallVector<int64_t>{size, 2, rows}
                                                : llvm::SmallVector<int64_t>{rows, size, 2};
  table = proposal.repeated(proposal.reshaped(table, one), two);
  if (!isLong)
    return proposal.reshaped(table, {rows, 2 * size});
  table = proposal.paged(proposal.reshaped(table, {2 * size, rows}), PageLayout::Tile);
  return proposal.permute(table, {1, 0});
}

/// The table with each number twice, side by side, in such elements.
mlir::Value twice(const PairProduct &of, Type elementType, Proposal &proposal) {
  mlir::Value table = of.table.value;
  // Without the unit the last dimension is that of the pairs.
  if (of.hasUnit && shapeOf(table).size() > 1)
    table = proposal.reshaped(table, shapeOf(table).drop_back());
  llvm::SmallVector<int64_t> shape(shapeOf(table));
  // One number for all pairs broadcasts. Others are repeated along a unit dimension behind them, so that number i
  // stands at 2 i and 2 i + 1.
  if (!shape.empty() && shape.back() != 1) {
    const int64_t size = shape.back(), rows = typeOf(table).getNumElements() / size;
    shape.back() *= 2;
    table = proposal.reshaped(doubledRows(proposal.reshaped(table, {rows, size}), proposal), shape);
  }
  return proposal.cast(table, elementType);
}

} // namespace

/// Both halves of the stack are every second element of one tensor, so together they are all of it, in another order.
bool proposePairs(Operation *root, Proposal &proposal) {
  auto reshape = cast<ttnn::ReshapeOp>(root);
  std::optional<Interleaved> pair = interleaved(reshape);
  std::optional<EverySecond> even = pair ? everySecond(pair->even) : std::nullopt,
                             odd = even ? everySecond(pair->odd) : std::nullopt;
  if (!odd || even->tensor.value != odd->tensor.value || even->shape != pair->shape ||
      odd->shape != pair->shape || !mayBeReadAt(even->tensor, root) || !mayBeReadAt(odd->tensor, root))
    return false;
  mlir::Value x = proposal.reshaped(even->tensor.value, pair->shape);
  mlir::Value made =
      proposal.cast(pairsOf(x, even->from, odd->from, proposal), typeOf(root->getResult(0)).getElementType());
  proposal.replace(root, proposal.reshaped(made, shapeOf(root->getResult(0))));
  return true;
}

/// Of complex numbers (a + b i)(c + s i), as frameworks write rotary embedding: what is left is x C + (x P) S, two
/// products and a sum of whole rows.
bool proposePairRotation(Operation *root, Proposal &proposal) {
  std::optional<Interleaved> pair = interleaved(cast<ttnn::ReshapeOp>(root));
  if (!pair)
    return false;
  // What is stacked may have been cast to fewer bits; so is the sum.
  Operation *first = throughTypecasts({pair->even, root}).value.getDefiningOp(),
            *second = throughTypecasts({pair->odd, root}).value.getDefiningOp();
  std::optional<PairSum> even = isa_and_nonnull<ttnn::SubtractOp>(first) ? pairSum(first) : std::nullopt,
                         odd = isa_and_nonnull<ttnn::AddOp>(second) ? pairSum(second) : std::nullopt;
  // a c - b s and a s + b c: the same numbers multiply the first elements here and the second ones there.
  if (!even || !odd || even->ofFirst.part.tensor.value != odd->ofFirst.part.tensor.value ||
      even->ofFirst.table.value != odd->ofSecond.table.value ||
      even->ofSecond.table.value != odd->ofFirst.table.value)
    return false;
  Type products = even->ofFirst.elementType, sums = typeOf(first->getResult(0)).getElementType();
  for (const PairProduct &each : {even->ofFirst, even->ofSecond, odd->ofFirst, odd->ofSecond})
    if (each.elementType != products || !isPlaced(each.table.value) || !isFloat(each.table.value) ||
        each.part.shape != pair->shape || !mayBeReadAt(each.table, root) ||
        !mayBeReadAt(each.part.tensor, root))
      return false;
  const llvm::SmallVector<int64_t> &shape = pair->shape;
  mlir::Value x = proposal.reshaped(even->ofFirst.part.tensor.value, shape);
  auto binary = [&](StringRef name, mlir::Value a, mlir::Value b, Type elementType) {
    return proposal.makeNamed(name, {a, b}, Proposal::typeLike(a, shape, elementType))->getResult(0);
  };
  mlir::Value turned = proposal.cast(pairsOf(x, kQuarterTurn[0], kQuarterTurn[1], proposal), products);
  mlir::Value straight =
      binary("multiply", proposal.cast(x, products), twice(even->ofFirst, products, proposal), products);
  mlir::Value across = binary("multiply", turned, twice(even->ofSecond, products, proposal), products);
  mlir::Value made =
      proposal.cast(binary("add", straight, across, sums), typeOf(root->getResult(0)).getElementType());
  proposal.replace(root, proposal.reshaped(made, shapeOf(root->getResult(0))));
  return true;
}

} // namespace tessera::rewrite
