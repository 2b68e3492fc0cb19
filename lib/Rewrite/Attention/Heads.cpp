//===- Heads.cpp - Splitting and joining heads, and turning them ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Letters in the shapes: B batch or users, H query heads, K key/value heads, S
// positions, D head size.
//
//===----------------------------------------------------------------------===//
#include "../ConstEval.h"
#include "../Match.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

/// Heads and positions exchanged, in either direction.
static constexpr int64_t kHeadsFirst[] = {0, 2, 1, 3};

namespace {

IntegerAttr count(Proposal &proposal, int64_t heads) {
  return proposal.attributes().getIntegerAttr(proposal.attributes().getIntegerType(32, /*isSigned=*/false),
                                              heads);
}

/// Columns of a matrix, and the op that makes heads of them.
struct Columns {
  int64_t begin = 0, end = 0;
  Operation *shaped = nullptr; ///< its result has the heads in a dimension of their own
  int64_t width() const { return end - begin; }
};

/// Columns that a slice takes of all rows of a matrix, one by one; nullopt if it takes something else.
std::optional<Columns> columnsOf(Operation *op) {
  auto slice = dyn_cast<ttnn::SliceStaticOp>(op);
  if (!slice || typeOf(slice.getInput()).getRank() != 2)
    return std::nullopt;
  const auto [begins, ends, steps] = boundsOf(slice);
  if (begins[0] != 0 || ends[0] != shapeOf(slice.getInput())[0] || steps[0] != 1 || steps[1] != 1)
    return std::nullopt;
  return Columns{begins[1], ends[1], nullptr};
}

/// The slices of a matrix into queries, keys and values, side by side, in the order of their columns. The first of them is `root`, where the
/// others may read the matrix as well. Others may read other columns, as where products of the MLP are joined with them.
/// Readers of the matrix come in no order that a program keeps, so they are sorted by their columns.
std::optional<std::array<Columns, 3>> matchSplit(Operation *root,
                                                 llvm::function_ref<Operation *(mlir::Value)> shapedFrom) {
  std::array<Columns, 3> parts;
  size_t found = 0;
  for (Operation *user : root->getOperand(0).getUsers()) {
    std::optional<Columns> columns = columnsOf(user);
    if (columns)
      columns->shaped = shapedFrom(user->getResult(0));
    if (!columns || !columns->shaped)
      continue;
    // Only the first slice proposes, or each of the three would.
    if (found == parts.size() || standsBefore(user, root) || !mayBeReadAt(operandOf(root, 0), user))
      return std::nullopt;
    parts[found++] = *columns;
  }
  if (found != parts.size())
    return std::nullopt;
  llvm::sort(parts, [](const Columns &a, const Columns &b) { return a.begin < b.begin; });
  bool sideBySide = parts[1].begin == parts[0].end && parts[2].begin == parts[1].end;
  return sideBySide ? std::optional(parts) : std::nullopt;
}

/// Queries before keys and values, which are alike and may change places. Whether they were.
bool putQueriesFirst(std::array<Columns, 3> &parts) {
  // Of as many query heads as key heads the first are taken for queries: which is which only names the results.
  auto queries = llvm::max_element(parts, [](auto &a, auto &b) { return a.width() < b.width(); });
  bool were = queries == parts.begin();
  std::rotate(parts.begin(), queries, std::next(queries));
  return were;
}

/// The columns of the matrix that are `parts`, which stand side by side: all of them, or a slice.
mlir::Value columnsOfParts(mlir::Value matrix, const std::array<Columns, 3> &parts, Proposal &proposal) {
  int64_t rows = shapeOf(matrix)[0];
  if (parts.back().end - parts.front().begin == shapeOf(matrix)[1])
    return matrix;
  return proposal.slice(matrix, {0, parts.front().begin}, {rows, parts.back().end}, {1, 1});
}

/// The matrix that `root` reads with its columns in the order of the parts: a product with weights in that order, which const-eval puts there.
/// Null if the matrix is no such product, or has other columns, too.
mlir::Value ordered(Operation *root, const std::array<Columns, 3> &parts, Proposal &proposal) {
  mlir::Value matrix = root->getOperand(0);
  Operation *product = matrix.getDefiningOp();
  int64_t width = 0;
  for (const Columns &part : parts)
    width += part.width();
  if (!isa_and_nonnull<ttnn::MatmulOp, ttnn::LinearOp>(product) || !isPlaced(product->getOperand(0)) ||
      width != shapeOf(matrix)[1] || !mayBeReadAt(operandOf(product, 0), root))
    return {};
  auto matmul = dyn_cast<ttnn::MatmulOp>(product);
  if (matmul ? matmul.getTransposeB() : cast<ttnn::LinearOp>(product).getTransposeB())
    return {};
  IRMapping operands;
  for (mlir::Value weight : product->getOperands().drop_front()) { // and the bias
    ArrayRef<int64_t> shape = shapeOf(weight);
    // A call's own weights would be put in order by each call.
    if (!isConstant(weight) || !isPlaced(weight) || shape.back() != shapeOf(matrix)[1])
      return {};
    llvm::SmallVector<mlir::Value> columns;
    for (const Columns &part : parts) {
      llvm::SmallVector<int64_t> begins(shape.size(), 0), ends(shape), steps(shape.size(), 1);
      begins.back() = part.begin;
      ends.back() = part.end;
      columns.push_back(proposal.slice(weight, begins, ends, steps));
    }
    operands.map(weight, proposal.concat(columns, int64_t(shape.size()) - 1));
  }
  return proposal.copy(product, operands, shapeOf(matrix))->getResult(0);
}

struct HeadCounts {
  int64_t query, keyValue, size;
};
/// Of the parts whose shaped ops have heads in dimension `heads` of four, counted from the end.
std::optional<HeadCounts> headsOf(const std::array<Columns, 3> &parts,
                                  llvm::function_ref<int64_t(ArrayRef<int64_t>)> headsIn) {
  HeadCounts counts{};
  for (auto [i, part] : llvm::enumerate(parts)) {
    ArrayRef<int64_t> shape = shapeOf(part.shaped->getResult(0));
    int64_t heads = headsIn(shape), size = shape.back();
    if (heads * size != part.width() || (i > 0 && size != counts.size))
      return std::nullopt;
    counts.size = size;
    if (i == 2 && heads != counts.keyValue)
      return std::nullopt;
    (i == 0 ? counts.query : counts.keyValue) = heads;
  }
  // Each group of query heads shares one key head.
  return counts.query % counts.keyValue == 0 ? std::optional(counts) : std::nullopt;
}

} // namespace

/// Slices of B x (H+2K)D, each reshaped to B x H x 1 x D, 1 x B x H x D or the like.
bool proposeDecodeHeads(Operation *root, Proposal &proposal) {
  mlir::Value matrix = root->getOperand(0);
  if (!columnsOf(root))
    return false;
  int64_t users = shapeOf(matrix)[0];
  auto heads = [users](ArrayRef<int64_t> shape) { return headsOfOnePosition(shape, users); };
  auto parts = matchSplit(root, [&](mlir::Value slice) -> Operation * {
    Operation *reader = onlyReader(slice);
    return isa_and_nonnull<ttnn::ReshapeOp>(reader) && heads(shapeOf(reader->getResult(0))) ? reader
                                                                                            : nullptr;
  });
  // The op takes queries, keys and values in this order only; else their columns are put into it first.
  bool isOrdered = parts && putQueriesFirst(*parts);
  std::optional<HeadCounts> counts = parts ? headsOf(*parts, heads) : std::nullopt;
  if (!counts)
    return false;
  matrix = isOrdered ? columnsOfParts(matrix, *parts, proposal) : ordered(root, *parts, proposal);
  if (!matrix)
    return false;
  mlir::Value input = proposal.reshaped(matrix, {1, 1, users, shapeOf(matrix)[1]});
  auto type = [&](int64_t heads) { return Proposal::typeLike(matrix, {1, users, heads, counts->size}); };
  auto made = proposal.make<ttnn::NLPCreateQKVHeadsDecodeOp>(
      type(counts->query), type(counts->keyValue), type(counts->keyValue), input,
      /*batch_offset=*/mlir::Value(), count(proposal, counts->query), count(proposal, counts->keyValue),
      /*overlap_qk_coregrid=*/BoolAttr(), /*slice_size=*/IntegerAttr());
  proposal.isAbout(made);
  for (auto [part, result] : llvm::zip_equal(*parts, made->getResults()))
    proposal.replace(part.shaped, proposal.reshaped(result, shapeOf(part.shaped->getResult(0))));
  return true;
}

/// Slices of BS x (H+2K)D, each reshaped to B x S x H x D and permuted to B x H x S x D.
bool proposeSplitHeads(Operation *root, Proposal &proposal) {
  mlir::Value matrix = root->getOperand(0);
  if (!columnsOf(root))
    return false;
  // Between them there may be a cast, which moves behind the new op.
  auto parts = matchSplit(root, [](mlir::Value slice) -> Operation * {
    Operation *reader = onlyReader(slice);
    if (isa_and_nonnull<ttnn::TypecastOp>(reader))
      reader = onlyReader(reader->getResult(0));
    auto reshape = dyn_cast_or_null<ttnn::ReshapeOp>(reader);
    auto permute =
        reshape ? dyn_cast_or_null<ttnn::PermuteOp>(onlyReader(reshape.getResult())) : ttnn::PermuteOp();
    return permute && permute.getPermutation() == ArrayRef(kHeadsFirst) ? permute.getOperation() : nullptr;
  });
  auto heads = [](ArrayRef<int64_t> shape) -> int64_t { return shape.size() == 4 ? shape[1] : 0; };
  bool isOrdered = parts && putQueriesFirst(*parts);
  std::optional<HeadCounts> counts = parts ? headsOf(*parts, heads) : std::nullopt;
  if (!counts)
    return false;
  matrix = isOrdered ? columnsOfParts(matrix, *parts, proposal) : ordered(root, *parts, proposal);
  if (!matrix)
    return false;
  ArrayRef<int64_t> query = shapeOf((*parts)[0].shaped->getResult(0));
  int64_t batch = query[0], positions = query[2];
  auto type = [&](int64_t heads) {
    return Proposal::typeLike(matrix, {batch, heads, positions, counts->size});
  };
  for (auto [i, part] : llvm::enumerate(*parts))
    if (shapeOf(part.shaped->getResult(0)) != type(i == 0 ? counts->query : counts->keyValue).getShape())
      return false;
  mlir::Value input = proposal.reshaped(matrix, {batch, positions, shapeOf(matrix)[1]});
  auto made = proposal.make<ttnn::SplitQueryKeyValueAndSplitHeadsOp>(
      type(counts->query), type(counts->keyValue), type(counts->keyValue), input,
      /*kv_input_tensor=*/mlir::Value(), count(proposal, counts->query), count(proposal, counts->keyValue),
      proposal.attributes().getBoolAttr(false));
  proposal.isAbout(made);
  for (auto [part, result] : llvm::zip_equal(*parts, made->getResults()))
    proposal.replace(part.shaped, proposal.cast(result, typeOf(part.shaped->getResult(0)).getElementType()));
  return true;
}

/// Heads that are normed where they were reshaped, and permuted then: permuted first, one op cuts them.
bool proposeLateNorm(Operation *root, Proposal &proposal) {
  Operation *norm = root->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<ttnn::RMSNormOp, ttnn::LayerNormOp>(norm) || !norm->hasOneUse())
    return false;
  Traced x = operandOf(norm, 0);
  ArrayRef<int64_t> shape = shapeOf(x.value);
  // One position is moved by a reshape, with whatever is done to it.
  if (shape.size() != 4 || shape[1] == 1 ||
      !llvm::equal(cast<ttnn::PermuteOp>(root).getPermutation(), kHeadsFirst) ||
      !x.maker<ttnn::ReshapeOp>() || !x.value.hasOneUse() || !isPlaced(x.value) ||
      !mayAllBeReadAt(norm, root))
    return false;
  IRMapping moved;
  moved.map(x.value, proposal.permute(x.value, kHeadsFirst));
  Operation *late = proposal.copy(norm, moved, shapeOf(root->getResult(0)));
  proposal.isAbout(late);
  proposal.replace(root, late->getResult(0));
  return true;
}

/// Rows of HD reshaped to B x S x H x D and permuted to B x H x S x D. What cuts queries, keys and values takes half of the heads for queries, a quarter for
/// keys and a quarter for values.
bool proposeLoneHeads(Operation *root, Proposal &proposal) {
  auto permute = cast<ttnn::PermuteOp>(root);
  auto reshape = permute.getInput().getDefiningOp<ttnn::ReshapeOp>();
  if (!reshape || permute.getPermutation() != ArrayRef(kHeadsFirst))
    return false;
  Traced rows = operandOf(reshape, 0);
  ArrayRef<int64_t> shape = shapeOf(reshape.getResult());
  const int64_t batch = shape[0], positions = shape[1], heads = shape[2], size = shape[3];
  // One position is no move, and heads of parts of tiles are none that the op takes.
  if (positions == 1 || heads % 4 != 0 || size % 32 != 0 || shapeOf(rows.value).empty() ||
      shapeOf(rows.value).back() != heads * size || !isPlaced(rows.value) || !mayBeReadAt(rows, root))
    return false;
  auto type = [&](int64_t count) { return Proposal::typeLike(rows.value, {batch, count, positions, size}); };
  mlir::Value input = proposal.reshaped(rows.value, {batch, positions, heads * size});
  auto made = proposal.make<ttnn::SplitQueryKeyValueAndSplitHeadsOp>(
      type(heads / 2), type(heads / 4), type(heads / 4), input, /*kv_input_tensor=*/mlir::Value(),
      count(proposal, heads / 2), count(proposal, heads / 4), proposal.attributes().getBoolAttr(false));
  proposal.isAbout(made);
  llvm::SmallVector<mlir::Value> parts(made->getResults());
  proposal.replace(root, proposal.concat(parts, 1));
  return true;
}

/// B x H x S x D permuted to B x S x H x D, and reshaped such that heads and their elements are one dimension.
bool proposeJoinedHeads(Operation *root, Proposal &proposal) {
  auto reshape = cast<ttnn::ReshapeOp>(root);
  auto permute = reshape.getInput().getDefiningOp<ttnn::PermuteOp>();
  if (!permute || permute.getPermutation() != ArrayRef(kHeadsFirst))
    return false;
  ArrayRef<int64_t> from = shapeOf(permute.getInput()), to = shapeOf(reshape.getResult());
  int64_t joined = from[1] * from[3];
  if (to.size() < 2 || to.back() != joined || !mayBeReadAt(operandOf(permute, 0), root))
    return false;
  auto made = proposal.make<ttnn::ConcatenateHeadsOp>(
      Proposal::typeLike(permute.getInput(), {from[0], from[2], joined}), permute.getInput());
  proposal.isAbout(made);
  proposal.replace(root, proposal.reshaped(made.getResult(), to));
  return true;
}

/// The other way round, of heads that are no whole tiles, which the device joins in no other way.
bool proposeHeadsInParts(Operation *root, Proposal &proposal) {
  mlir::Value heads = root->getOperand(0);
  mlir::Value ordered = proposal.permute(heads, kHeadsFirst);
  proposal.isAbout(ordered.getDefiningOp());
  proposal.replace(root, proposal.reshaped(ordered, shapeOf(root->getResult(0))));
  proposal.mends();
  return true;
}

/// A product of heads whose elements stand before them, B x S x D x H as a row, with constant weights: of heads before their elements, with the
/// weights' rows in that order.
/// The order of the terms of a sum is all that changes, so results differ by rounding.
bool proposeHeadsBeforeElements(Operation *root, Proposal &proposal) {
  auto matmul = dyn_cast<ttnn::MatmulOp>(root);
  auto linear = dyn_cast<ttnn::LinearOp>(root);
  if (matmul ? matmul.getTransposeA() || matmul.getTransposeB()
             : linear.getTransposeA() || linear.getTransposeB())
    return false;
  mlir::Value joined = root->getOperand(0), weights = root->getOperand(1);
  auto reshape = joined.getDefiningOp<ttnn::ReshapeOp>();
  auto permute = reshape ? reshape.getInput().getDefiningOp<ttnn::PermuteOp>() : ttnn::PermuteOp();
  constexpr int64_t elementsFirst[] = {0, 2, 3, 1};
  if (!permute || permute.getPermutation() != ArrayRef(elementsFirst) || !joined.hasOneUse() ||
      !isPlaced(permute.getInput()) || !mayBeReadAt(operandOf(permute, 0), root))
    return false;
  ArrayRef<int64_t> heads = shapeOf(permute.getInput()), matrix = shapeOf(weights);
  const int64_t count = heads[1], size = heads[3];
  if (shapeOf(joined).back() != count * size || matrix.size() != 2 || matrix[0] != count * size ||
      !isPlaced(weights) || !isConstant(weights))
    return false;
  IRMapping operands;
  operands.map(joined, proposal.reshaped(proposal.permute(permute.getInput(), kHeadsFirst), shapeOf(joined)));
  // Row d H + h of the weights becomes row h D + d, as the columns that meet it do.
  mlir::Value rows = proposal.permute(proposal.reshaped(weights, {size, count, matrix[1]}), {1, 0, 2});
  operands.map(weights, proposal.reshaped(rows, matrix));
  Operation *made = proposal.copy(root, operands, shapeOf(root->getResult(0)));
  proposal.isAbout(made);
  proposal.replace(root, made->getResult(0));
  return true;
}

/// Whether the value is what decode attention makes, maybe cast, or guarded against rows without any key.
static bool isDecodeAttention(mlir::Value value) {
  Operation *op = value.getDefiningOp();
  if (auto guard = dyn_cast_or_null<ttnn::WhereOp>(op))
    return llvm::any_of(guard->getOperands().drop_front(), isDecodeAttention);
  if (isa_and_nonnull<ttnn::TypecastOp>(op))
    return isDecodeAttention(op->getOperand(0));
  return isa_and_nonnull<ttnn::ScaledDotProductAttentionDecodeOp>(op);
}

/// What decode attention makes for B users, 1 x B x H x D, as B x H*D. Users are padded to a tile by the new op, so they must fill one.
bool proposeJoinedDecodeHeads(Operation *root, Proposal &proposal) {
  mlir::Value heads = cast<ttnn::ReshapeOp>(root).getInput();
  ArrayRef<int64_t> from = shapeOf(heads), to = shapeOf(root->getResult(0));
  constexpr int64_t kUsers = 32;
  if (from.size() != 4 || from[0] != 1 || from[1] != kUsers || to.back() != from[2] * from[3] ||
      !isDecodeAttention(heads))
    return false;
  auto made = proposal.make<ttnn::NLPConcatHeadsDecodeOp>(
      Proposal::typeLike(heads, {1, 1, kUsers, from[2] * from[3]}), heads, count(proposal, from[2]));
  proposal.isAbout(made);
  proposal.replace(root, proposal.reshaped(made.getResult(), to));
  return true;
}

/// The first position of B x H x 1 x D turned by one row of cosines and sines, which is padded to a tile for each head: turned as
/// 1 x B x H x D it is padded for each user.
bool proposeDecodeRotation(Operation *root, Proposal &proposal) {
  auto slice = cast<ttnn::SliceStaticOp>(root);
  auto turn = slice.getInput().getDefiningOp<ttnn::RotaryEmbeddingOp>();
  if (!turn || turn.getTokenIndexAttr() || !mayAllBeReadAt(turn, root))
    return false;
  ArrayRef<int64_t> from = shapeOf(turn.getInput()), table = shapeOf(turn.getCosCache()),
                    to = shapeOf(slice.getResult());
  bool isFirst = llvm::all_of(integersOf(slice.getBegins()), [](int64_t begin) { return begin == 0; }) &&
                 llvm::all_of(integersOf(slice.getStep()), [](int64_t step) { return step == 1; });
  if (from.size() != 4 || from[2] != 1 || from[1] == 1 || to != from || !isFirst ||
      llvm::any_of(table.drop_back(), [](int64_t extent) { return extent != 1; }))
    return false;
  const int64_t users = from[0], heads = from[1], size = from[3];
  mlir::Value input = proposal.reshaped(turn.getInput(), {1, users, heads, size});
  int64_t padded = int64_t(llvm::alignTo(uint64_t(heads), 32));
  auto made = proposal.make<ttnn::RotaryEmbeddingOp>(Proposal::typeLike(input, {1, users, padded, size}),
                                                     input, turn.getCosCache(), turn.getSinCache(),
                                                     count(proposal, 0), turn.getComputeConfigAttr());
  proposal.isAbout(made);
  mlir::Value result = proposal.firstOf(made.getResult(), {1, users, heads, size});
  proposal.replace(root, proposal.reshaped(result, to));
  return true;
}

} // namespace tessera::rewrite
