//===- Choices.cpp - The largest of long rows, in two steps ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A core of the device sorts a row of tiles by itself, so that the 50 likeliest of
// 128,000 words are one core's work for 32 users. The largest of a row are among the
// largest of its pieces, which are rows for as many cores:
//
//   topk(x)   ->   topk(topk(pieces of x)), and where these were in the whole
//
//===----------------------------------------------------------------------===//
#include "../Pairs.h"
#include "../Rows.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Elements of a row from which pieces are worth the moves that they need, and up to which f32 tells places apart.
constexpr int64_t kLongRow = 128 * kTile, kLongestRow = int64_t(1) << 24;

/// More pieces than this share cores.
constexpr int64_t kMostPieces = 64;

/// How many pieces a row is cut into, each of whole tiles, and how long each is.
struct Pieces {
  int64_t count = 1, size = 0;
};

/// The pieces for which a core is done first with both steps, in the time of tiles that it sorts. Then gather looks for each place among all that pieces have.
/// To make the row longer, where it does not come out even, takes a pass over all rows.
Pieces piecesOf(int64_t size, int64_t wanted) {
  constexpr double passOverRows = 8, gathered = 1.0 / 14;
  Pieces best;
  double least = std::numeric_limits<double>::max();
  for (int64_t count = 2; count <= kMostPieces; ++count) {
    const int64_t piece = llvm::divideCeil(llvm::divideCeil(size, count), kTile) * kTile;
    const double sorted = double(count * wanted) / double(kTile);
    const double tiles = double(piece) / double(kTile) + sorted * (1 + double(wanted) * gathered) +
                         (count * piece == size ? 0 : passOverRows);
    if (piece >= wanted && tiles < least) {
      least = tiles;
      best = {count, piece};
    }
  }
  return best;
}

/// The elements of indices of such rows, as the library makes them, whatever is asked for: it gathers by no others. It has 16 bits where these suffice.
Type indicesOf(mlir::Value rows) {
  const bool areFew = !typeOf(rows).getElementType().isF32() && shapeOf(rows).back() < (int64_t(1) << 16);
  return IntegerType::get(rows.getContext(), areFew ? 16 : 32, IntegerType::Unsigned);
}

/// The op again, along other rows.
Operation *chosen(ttnn::TopKOp like, mlir::Value rows, Proposal &proposal) {
  llvm::SmallVector<int64_t> shape(shapeOf(rows));
  shape.back() = shapeOf(like.getValues()).back();
  IRMapping operands;
  operands.map(like.getInputTensor(), rows);
  Operation *made = proposal.clone(like, operands);
  if (IntegerAttr dimension = like.getDimAttr())
    made->setAttr("dim", IntegerAttr::get(dimension.getType(), -1));
  made->getResult(0).setType(Proposal::typeLike(rows, shape));
  made->getResult(1).setType(Proposal::typeLike(rows, shape, indicesOf(rows)));
  return made;
}

/// Where what pieces have at their `indices` is in the whole row, as f32: rows x (pieces x wanted).
mlir::Value inWholeRows(mlir::Value indices, int64_t rows, const Pieces &pieces, Proposal &proposal) {
  const int64_t wanted = shapeOf(indices).back();
  Type element = Float32Type::get(indices.getContext());
  // bf16 tells so few pieces apart; multiplied, their beginnings are f32.
  llvm::SmallVector<float> numbers;
  for (int64_t piece = 0; piece < pieces.count; ++piece)
    numbers.append(size_t(wanted), float(piece));
  const int64_t shape[] = {1, pieces.count * wanted}, ones[] = {1, 1};
  mlir::Value begins = proposal.cast(
      constantLike(indices, narrowNumbers(indices.getContext(), shape, numbers), proposal), element);
  mlir::Value size = proposal.full(ones, float(pieces.size), begins);
  begins = proposal.makeNamed("multiply", {begins, size}, Proposal::typeLike(begins, shape))->getResult(0);
  mlir::Value side = proposal.reshaped(proposal.cast(indices, element), {rows, pieces.count * wanted});
  return proposal.makeNamed("add", {side, begins}, Proposal::typeLike(side, shapeOf(side)))->getResult(0);
}

} // namespace

bool proposeChoices(Operation *root, Proposal &proposal) {
  auto choice = cast<ttnn::TopKOp>(root);
  mlir::Value x = choice.getInputTensor();
  const int64_t rank = typeOf(x).getRank();
  const int64_t dimension = choice.getDimAttr() ? integerOf(choice.getDimAttr()) : -1;
  if (rank < 1 || !isPlaced(x) || !isFloat(x) || (dimension + rank) % rank != rank - 1)
    return false;
  const int64_t size = shapeOf(x).back(), rows = typeOf(x).getNumElements() / size;
  const Pieces pieces = piecesOf(size, shapeOf(choice.getValues()).back());
  // Infinities behind a row of packed tiles would take the exponents of what is beside them.
  const bool mayBePadded = isBF16(x) || typeOf(x).getElementType().isF32();
  if (size < kLongRow || size > kLongestRow || pieces.count == 1 ||
      (pieces.count * pieces.size != size && !mayBePadded))
    return false;
  const bool findsLargest = !choice.getLargestAttr() || choice.getLargestAttr().getValue();
  const float worst =
      findsLargest ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
  x = proposal.padded(proposal.reshaped(x, {rows, size}), 1, pieces.count * pieces.size, worst);
  Operation *first = chosen(choice, proposal.reshaped(x, {rows * pieces.count, pieces.size}), proposal);
  const int64_t wanted = shapeOf(first->getResult(0)).back();
  Operation *second =
      chosen(choice, proposal.reshaped(first->getResult(0), {rows, pieces.count * wanted}), proposal);
  proposal.isAbout(second);
  OpBuilder &b = proposal.attributes();
  mlir::Value among = inWholeRows(first->getResult(1), rows, pieces, proposal), places = second->getResult(1);
  mlir::Value found = proposal
                          .makeNamed("gather", {among, places}, Proposal::typeLike(among, shapeOf(places)),
                                     b.getNamedAttr("dim", b.getSI32IntegerAttr(1)))
                          ->getResult(0);
  // What was put behind the row may be as bad as what is there.
  if (shapeOf(x).back() != size)
    found = proposal.make<ttnn::ClampScalarOp>(Proposal::typeLike(found, shapeOf(found)), found,
                                               b.getF32FloatAttr(0), b.getF32FloatAttr(float(size - 1)));
  found = proposal.cast(found, typeOf(choice.getIndices()).getElementType());
  ArrayRef<int64_t> shape = shapeOf(choice.getValues());
  proposal.replace(root, {proposal.reshaped(second->getResult(0), shape), proposal.reshaped(found, shape)});
  return true;
}

} // namespace tessera::rewrite
