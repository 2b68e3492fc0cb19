//===- Rotation.cpp - Rotary embedding from its parts ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// x * cos + (second half of x, negated, before the first) * sin
//
// Letters in the shapes: B batch, H heads, S positions, D head size.
//
//===----------------------------------------------------------------------===//
#include "Rotation.h"

#include "../Match.h"
#include "../Pairs.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// The tensor of which the slice takes elements `begin` to `end` of the last dimension, and all of the others.
std::optional<Traced> sliced(mlir::Value value, int64_t begin, int64_t end) {
  auto slice = value.getDefiningOp<ttnn::SliceStaticOp>();
  if (!slice)
    return std::nullopt;
  llvm::SmallVector<int64_t> begins(typeOf(slice.getInput()).getRank(), 0), ends(shapeOf(slice.getInput()));
  begins.back() = begin;
  ends.back() = end;
  const SliceBounds bounds = boundsOf(slice);
  bool isIt = bounds.begins == begins && bounds.ends == ends &&
              llvm::all_of(bounds.steps, [](int64_t step) { return step == 1; });
  return isIt ? std::optional(operandOf(slice, 0)) : std::nullopt;
}

/// What the value is the turn of by a quarter: its halves exchanged, the one that comes first negated.
std::optional<Traced> unturned(mlir::Value value) {
  auto concat = value.getDefiningOp<ttnn::ConcatOp>();
  if (!concat)
    return std::nullopt;
  int64_t rank = typeOf(value).getRank(), size = shapeOf(value).back();
  if (concat.getInputs().size() != 2 || (integerOf(concat.getDimAttr()) + rank) % rank != rank - 1)
    return std::nullopt;
  std::optional<Traced> negated = unnegated(concat.getInputs()[0]);
  std::optional<Traced> second = negated ? sliced(negated->value, size / 2, size) : std::nullopt;
  std::optional<Traced> first = sliced(concat.getInputs()[1], 0, size / 2);
  return first && second && first->value == second->value ? second : std::nullopt;
}

struct Factors {
  Traced tensor, table;
};
/// The operands of a product, the table being the one with fewer elements; nullopt if one is broadcast to more, or computed on first.
std::optional<Factors> factorsOf(mlir::Value value) {
  auto product = value.getDefiningOp<ttnn::MultiplyOp>();
  if (!product || appliesActivations(product))
    return std::nullopt;
  for (unsigned number : {0u, 1u})
    if (shapeOf(product->getOperand(number)) == shapeOf(value))
      return Factors{operandOf(product, number), operandOf(product, 1 - number)};
  return std::nullopt;
}

} // namespace

/// The op makes positions up to whole tiles (B x H x 32 n x D), of which those that there are get cut out again.
mlir::Value turnHalves(mlir::Value x, mlir::Value cosines, mlir::Value sines, Proposal &proposal) {
  llvm::SmallVector<int64_t> shape(shapeOf(x)), padded(shape);
  padded[2] = int64_t(llvm::alignTo(uint64_t(shape[2]), 32));
  auto made = proposal.make<ttnn::RotaryEmbeddingOp>(Proposal::typeLike(x, padded), x, cosines, sines,
                                                     /*token_index=*/IntegerAttr(),
                                                     ttnn::DeviceComputeKernelConfigAttr());
  proposal.isAbout(made);
  return proposal.firstOf(made.getResult(), shape);
}

/// The kernel takes the quarter turn as a matrix of one tile, by which it multiplies each tile of x.
mlir::Value turnNeighbours(mlir::Value x, mlir::Value cosines, mlir::Value sines, Proposal &proposal) {
  mlir::Value matrix =
      constantLike(x, pairMatrix(x.getContext(), 32, kQuarterTurn[0], kQuarterTurn[1]), proposal);
  OpBuilder &builder = proposal.attributes();
  constexpr int64_t kWidestOfWideSums = 128; // larger heads leave the kernel no registers for these
  const bool areSumsWide = shapeOf(x).back() <= kWidestOfWideSums;
  const NamedAttribute attributes[] = {
      builder.getNamedAttr("is_decode_mode", builder.getBoolAttr(false)),
      builder.getNamedAttr("compute_config", proposal.exactly(ttnn::MathFidelity::HiFi4, areSumsWide))};
  Operation *made = proposal.makeNamed("rotary_embedding_llama",
                                       {x, cosines, sines, proposal.reshaped(matrix, {1, 1, 32, 32})},
                                       Proposal::typeLike(x, shapeOf(x)), attributes);
  proposal.isAbout(made);
  return made->getResult(0);
}

bool turnsNeighbours(mlir::Value matrix) {
  if (auto reshape = matrix.getDefiningOp<ttnn::ReshapeOp>())
    matrix = reshape.getInput();
  auto constant = matrix.getDefiningOp<ttnn::ConstantOp>();
  // Attributes are unique, so that this compares no elements.
  return constant &&
         constant.getValueAttr() == pairMatrix(matrix.getContext(), kTile, kQuarterTurn[0], kQuarterTurn[1]);
}

namespace {

/// x * cosines + turned * sines.
mlir::Value sumOfParts(mlir::Value x, mlir::Value turned, mlir::Value cosines, mlir::Value sines,
                       Proposal &proposal) {
  auto binary = [&](StringRef name, mlir::Value a, mlir::Value b) {
    return proposal.makeNamed(name, {a, b}, Proposal::typeLike(a, shapeOf(a)))->getResult(0);
  };
  return binary("add", binary("multiply", x, cosines), binary("multiply", turned, sines));
}

/// Neighbours of bf16 that are cast to the elements of the tables before they meet these.
mlir::Value turnInParts(mlir::Value x, mlir::Value cosines, mlir::Value sines, Proposal &proposal) {
  Type elementType = typeOf(cosines).getElementType();
  mlir::Value turned = proposal.cast(pairsOf(x, kQuarterTurn[0], kQuarterTurn[1], proposal), elementType);
  return sumOfParts(proposal.cast(x, elementType), turned, cosines, sines, proposal);
}

/// What the table has rows for, by what x holds.
enum class Rows {
  Positions,       ///< B x H x S x D: the same for all users and heads, 1 x 1 x S x D
  PositionsBefore, ///< B x S x H x D: 1 x S x 1 x D
  Users,           ///< B x H x 1 x D or B x 1 x H x D: one for each user, B x 1 x 1 x D
};
bool hasRows(mlir::Value table, ArrayRef<int64_t> x, Rows rows) {
  ArrayRef<int64_t> shape = shapeOf(table);
  llvm::SmallVector<int64_t> aligned(4, 1);
  if (shape.size() > 4)
    return false;
  llvm::copy(shape, aligned.end() - ptrdiff_t(shape.size()));
  // In the order of Rows.
  const int64_t expected[][4] = {{1, 1, x[2], x[3]}, {1, x[1], 1, x[3]}, {x[0], 1, 1, x[3]}};
  return ArrayRef(aligned) == ArrayRef(expected[size_t(rows)]) &&
         (rows != Rows::Users || x[1] == 1 || x[2] == 1);
}

} // namespace

bool hasRowsOfPositions(mlir::Value table, ArrayRef<int64_t> x) { return hasRows(table, x, Rows::Positions); }

namespace {

/// x turned where rows are those of positions, and cast to such elements. Users stand there, too, if each has a row, 1 x H x B x D: so a head's users share tiles, where
/// each user of each head had a tile of its own.
mlir::Value turnedBy(Turn turn, Rows rows, mlir::Value x, mlir::Value cosines, mlir::Value sines,
                     Type elementType, Proposal &proposal) {
  const llvm::SmallVector<int64_t> shape(shapeOf(x));
  const int64_t table[] = {1, 1, typeOf(cosines).getNumElements() / shape[3], shape[3]},
                exchanged[] = {0, 2, 1, 3};
  cosines = proposal.reshaped(cosines, table);
  sines = proposal.reshaped(sines, table);
  if (rows == Rows::Positions)
    return proposal.cast(turn(x, cosines, sines, proposal), elementType);
  if (rows == Rows::Users)
    x = proposal.reshaped(x, {1, shape[0], shape[1] * shape[2], shape[3]});
  mlir::Value turned =
      proposal.cast(turn(proposal.permute(x, exchanged), cosines, sines, proposal), elementType);
  return proposal.reshaped(proposal.permute(turned, exchanged), shape);
}

/// x * cosines + (x, turned) * sines.
struct Rotation {
  Traced x; ///< as cosines multiply it
  Traced turned;
  Traced cosines, sines;
  bool areHalves; ///< and not neighbours
};
/// `straight`: which operand of the sum is the product with cosines. Both are tried, as a compiler may put them in
/// either order.
std::optional<Rotation> rotationOf(ttnn::AddOp sum, unsigned straight) {
  std::optional<Factors> cosine = factorsOf(sum->getOperand(straight)),
                         sine = factorsOf(sum->getOperand(1 - straight));
  if (appliesActivations(sum) || !cosine || !sine)
    return std::nullopt;
  // What is turned may be cast to more bits before it is or after that.
  mlir::Value across = throughWidening(sine->tensor).value;
  std::optional<Traced> turned = unturned(across);
  const bool areHalves = turned.has_value();
  if (!turned)
    turned = unturnedPairs(across);
  if (!turned || throughWidening(*turned).value != throughWidening(cosine->tensor).value ||
      shapeOf(turned->value).size() != 4 || shapeOf(turned->value) != shapeOf(sum.getResult()))
    return std::nullopt;
  return Rotation{cosine->tensor, *turned, cosine->table, sine->table, areHalves};
}

/// How the device turns it: halves are whole tiles there, and neighbours in one, of bf16. Neighbours of other types are turned in parts, if
/// rows move for it. Null if nothing is better than what is there.
Turn turnOf(const Rotation &rotation, Rows rows) {
  auto isNarrow = [](const Traced &traced) { return typeOf(traced.value).getElementType().isBF16(); };
  const int64_t size = shapeOf(rotation.x.value).back();
  if (rotation.areHalves)
    return size % 64 == 0 ? turnHalves : nullptr;
  if (size % 32 == 0 && isNarrow(rotation.x) && isNarrow(rotation.cosines) && isNarrow(rotation.sines))
    return turnNeighbours;
  // In parts nothing is fused: what is gained is that permuted rows share tiles, so where rows stay the graph is as
  // good as it is.
  const bool areInPlace = rows == Rows::Positions || shapeOf(rotation.x.value)[1] == 1;
  return !areInPlace && isNarrow(throughWidening(rotation.x)) && !isNarrow(rotation.x) &&
                 !isNarrow(rotation.cosines) && !isNarrow(rotation.sines)
             ? turnInParts
             : nullptr;
}

} // namespace

bool proposeRotation(Operation *root, Proposal &proposal) {
  for (unsigned straight : {0u, 1u}) {
    std::optional<Rotation> rotation = rotationOf(cast<ttnn::AddOp>(root), straight);
    if (!rotation)
      continue;
    auto [x, turned, cosines, sines, areHalves] = *rotation;
    if (!llvm::all_of(ArrayRef{x, throughWidening(x), turned, cosines, sines},
                      [&](const Traced &read) { return isPlaced(read.value) && mayBeReadAt(read, root); }))
      return false;
    for (Rows rows : {Rows::Positions, Rows::PositionsBefore, Rows::Users})
      if (hasRows(cosines.value, shapeOf(x.value), rows) && hasRows(sines.value, shapeOf(x.value), rows)) {
        Turn turn = turnOf(*rotation, rows);
        if (!turn)
          return false;
        // The product with the matrix is exact for bf16 alone, so the cast comes behind it.
        if (turn == turnInParts)
          x = throughWidening(x);
        proposal.replace(root, turnedBy(turn, rows, x.value, cosines.value, sines.value,
                                        typeOf(root->getResult(0)).getElementType(), proposal));
        return true;
      }
    return false;
  }
  return false;
}

bool proposeRotationOfHeads(Operation *root, Proposal &proposal) {
  auto turn = cast<ttnn::RotaryEmbeddingOp>(root);
  mlir::Value x = turn.getInput(), cosines = turn.getCosCache(), sines = turn.getSinCache();
  ArrayRef<int64_t> shape = shapeOf(x);
  // With a token index that chooses the table's row, and not the row of x.
  if (turn.getTokenIndexAttr() || shape.size() != 4 || shape != shapeOf(turn.getResult()) || shape[1] == 1 ||
      !hasRows(cosines, shape, Rows::PositionsBefore) || !hasRows(sines, shape, Rows::PositionsBefore))
    return false;
  proposal.replace(root, turnedBy(turnHalves, Rows::PositionsBefore, x, cosines, sines,
                                  typeOf(turn.getResult()).getElementType(), proposal));
  return true;
}

/// The compiler makes the op of heads of any size, and of models that turn a part of each head. Those whose halves are no tiles the library refuses, or
/// turns with their padding; a matrix turns within tiles.
bool proposeRotationInParts(Operation *root, Proposal &proposal) {
  auto turn = cast<ttnn::RotaryEmbeddingOp>(root);
  mlir::Value x = turn.getInput(), cosines = turn.getCosCache(), sines = turn.getSinCache();
  ArrayRef<int64_t> shape = shapeOf(x);
  if (turn.getTokenIndexAttr() || shape.size() != 4 || shape != shapeOf(turn.getResult()) ||
      shape.back() % 64 == 0 || shape.back() == 32 || shape.back() % 2 != 0 || !isBF16(x) ||
      !isBF16(cosines) || !isBF16(sines) || !isPlaced(x) || !hasRows(cosines, shape, Rows::Positions) ||
      !hasRows(sines, shape, Rows::Positions))
    return false;
  mlir::Value turned = timesMatrix(x, halvesTurned(x.getContext(), shape.back()), proposal);
  proposal.replace(root, sumOfParts(x, turned, cosines, sines, proposal));
  return true;
}

} // namespace tessera::rewrite
