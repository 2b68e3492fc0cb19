//===- Argmax.cpp - The position of the largest of many ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The kernel of argmax compares one element after another on the processors that
// move data, some forty cycles each; max compares tiles. So rows are cut into parts:
//
//   argmax(x), R x N   ->   t = reshape(x), R K x W,   K W = N
//                           g = argmax(reshape(max(t), R x K))     the first part with the largest
//                           l = argmax(embedding(g + K [0 .. R-1], t))
//                           g W + l
//
// The maximum of bf16 is one of its elements, bit by bit, and the first of the
// largest is found in the first part that holds one: positions are the same.
//
//===----------------------------------------------------------------------===//
#include "Pairs.h"
#include "Rows.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Fewer columns are searched in the time that a few ops take to start, and so are fewer elements by all cores.
constexpr int64_t kManyColumns = 4096, kManyElements = int64_t(1) << 18;

/// Four pages of rows that are cut lie in L1 at once; longer ones are sliced before.
constexpr int64_t kLongestCut = 160000;

/// How the columns are cut: into slices, and these into parts.
struct Cut {
  int64_t slices, width;
};

/// Parts of whole tiles, so that none is filled up, and such that parts and columns, which are searched one by one, are fewest together; of two such,
/// fewer parts, which have a tile each on the way. nullopt if nothing divides the columns well.
std::optional<Cut> cutOf(int64_t columns) {
  int64_t slices = llvm::divideCeil(columns, kLongestCut);
  std::optional<Cut> best;
  auto searched = [&](int64_t width) { return width + columns / width; };
  for (int64_t width = kTile; width < columns; width += kTile)
    if (columns % (slices * width) == 0 && (!best || searched(width) <= searched(best->width)))
      best = {slices, width};
  // With more left to search one by one, the ops between cost what is saved.
  return best && searched(best->width) * 8 <= columns ? best : std::nullopt;
}

/// Builds the ops on whole numbers and positions.
struct Builder {
  Proposal &proposal;
  mlir::Value x;
  OpBuilder &b = proposal.attributes();
  Type number = b.getIntegerType(32, /*isSigned=*/true);

  /// On the device, in tiles.
  mlir::Value constant(ArrayRef<int32_t> numbers) {
    auto type = RankedTensorType::get({int64_t(numbers.size())}, number);
    return constantLike(x, DenseIntElementsAttr::get(type, numbers), proposal);
  }

  mlir::Value elementwise(StringRef name, mlir::Value one, mlir::Value other) {
    return proposal.makeNamed(name, {one, other}, Proposal::typeLike(one, shapeOf(one)))->getResult(0);
  }

  /// Of each row, which are R x C; R numbers in tiles.
  mlir::Value argmax(mlir::Value rows, Type asMade) {
    const NamedAttribute attributes[] = {b.getNamedAttr("dim", b.getSI32IntegerAttr(-1)),
                                         b.getNamedAttr("keep_dim", b.getBoolAttr(false))};
    mlir::Value in = proposal.paged(rows, PageLayout::RowMajor);
    Operation *made = proposal.makeNamed(
        "argmax", in, Proposal::typeLike(in, shapeOf(rows).drop_back(), asMade), attributes);
    proposal.isAbout(made);
    return proposal.cast(proposal.paged(made->getResult(0), PageLayout::Tile), number);
  }

  /// Rows of parts, R K x W of x, which has R x N.
  mlir::Value table(int64_t rows, int64_t columns, Cut cut) {
    int64_t partsOfSlice = columns / cut.slices / cut.width;
    // Rows are cut like memory, without a move.
    if (cut.slices == 1)
      return proposal.reshaped(proposal.paged(x, PageLayout::RowMajor), {rows * partsOfSlice, cut.width});
    mlir::Value flat = proposal.reshaped(x, {rows, columns});
    llvm::SmallVector<mlir::Value> slices;
    for (int64_t begin = 0; begin < columns; begin += columns / cut.slices) {
      mlir::Value slice = proposal.slice(flat, {0, begin}, {rows, begin + columns / cut.slices}, {1, 1});
      slices.push_back(
          proposal.reshaped(proposal.paged(slice, PageLayout::RowMajor), {rows, partsOfSlice, cut.width}));
    }
    // Joined in this dimension, parts of one row stand together, in order.
    return proposal.reshaped(proposal.concat(slices, 1), {rows * partsOfSlice * cut.slices, cut.width});
  }

  /// R x 1 of R x C.
  mlir::Value max(mlir::Value rows) {
    const NamedAttribute attributes[] = {b.getNamedAttr("dim_arg", b.getI32ArrayAttr({1})),
                                         b.getNamedAttr("keep_dim", b.getBoolAttr(true))};
    mlir::Value tiles = proposal.paged(rows, PageLayout::Tile);
    return proposal
        .makeNamed("max", tiles, Proposal::typeLike(tiles, {shapeOf(rows).front(), 1}), attributes)
        ->getResult(0);
  }

  /// Row `positions[i]` of the table for each i. The library takes indices of a single dimension that lie in tiles for a matrix, and looks up the
  /// rows of its padding, too; so they are a row of one.
  mlir::Value rowsAt(mlir::Value positions, mlir::Value table) {
    int64_t count = shapeOf(positions).front(), width = shapeOf(table).back();
    mlir::Value row = proposal.cast(positions, b.getIntegerType(32, /*isSigned=*/false));
    row = proposal.paged(proposal.reshaped(row, {1, count}), PageLayout::RowMajor);
    llvm::SmallVector<int64_t> shape = {1, count, width};
    mlir::Value found =
        proposal.makeNamed("embedding", {row, table}, Proposal::typeLike(table, shape))->getResult(0);
    return proposal.reshaped(found, {count, width});
  }
};

} // namespace

bool proposeArgmaxOfParts(Operation *root, Proposal &proposal) {
  auto argmax = cast<ttnn::ArgMaxOp>(root);
  mlir::Value x = argmax.getInput();
  ArrayRef<int64_t> shape = shapeOf(x);
  auto rank = int64_t(shape.size());
  IntegerAttr dimension = argmax.getDimAttr();
  if (!dimension || rank < 2 || (integerOf(dimension) + rank) % rank != rank - 1 ||
      !typeOf(x).getElementType().isBF16())
    return false;
  int64_t columns = shape.back(), rows = typeOf(x).getNumElements() / columns;
  if (columns < kManyColumns || rows * columns < kManyElements)
    return false;
  std::optional<Cut> cut = cutOf(columns);
  if (!cut)
    return false;
  int64_t parts = columns / cut->width;

  Builder builder{proposal, x};
  Type asMade = typeOf(argmax.getResult()).getElementType();
  mlir::Value table = builder.table(rows, columns, *cut);
  // Turned, so that what was a column of one element per tile row is a row, which is cut like memory.
  mlir::Value largest = proposal.paged(proposal.permute(builder.max(table), {1, 0}), PageLayout::RowMajor);
  mlir::Value part = builder.argmax(proposal.reshaped(largest, {rows, parts}), asMade);
  auto firsts =
      llvm::map_to_vector(llvm::seq<int64_t>(rows), [&](int64_t row) { return int32_t(row * parts); });
  mlir::Value within = builder.argmax(
      builder.rowsAt(builder.elementwise("add", part, builder.constant(firsts)), table), asMade);
  mlir::Value before = builder.elementwise("multiply", part, builder.constant({int32_t(cut->width)}));
  mlir::Value found = proposal.cast(builder.elementwise("add", before, within), asMade);
  PageLayout page = ttnn::placedTensor(typeOf(argmax.getResult()))->layout.page;
  proposal.replace(root, proposal.reshaped(proposal.paged(found, page), shapeOf(argmax.getResult())));
  return true;
}

} // namespace tessera::rewrite
