//===- Argmax.cpp - The position of the largest of many ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The kernel of argmax compares one element after another on the processors that
// move data, some forty cycles each; max compares tiles. So rows are cut into parts:
//
//   argmax(x), R x N   ->   t = parts(x), R K x W,   K W = N
//                           g = argmax(max(t), R x K)         the first part with the largest
//                           l = argmax(embedding(where part g of each row is, t))
//                           g W + l
//
// The maximum of bf16 is one of its elements, bit by bit, and the first of the
// largest is found in the first part that holds one: positions are the same.
//
// A reshape makes parts of rows as they lie in memory, so tiles are undone for it and
// made again for the maxima. Where rows fill their tiles parts come of two permutes that
// move elements within tiles alone, and all reshapes between are views:
//
//   R x N  ->  N x R  =  K x W x R  ->  K x R x W  =  K R x W
//
//===----------------------------------------------------------------------===//
#include "../Pairs.h"
#include "../Rows.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>
#include <optional>

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Fewer columns are searched in the time that a few ops take to start, and so are fewer elements by all cores.
constexpr int64_t kManyColumns = 4096, kManyElements = int64_t(1) << 18;

/// Four pages of rows that are cut lie in L1 at once; longer ones are sliced before.
constexpr int64_t kLongestCut = 160000;

/// Most columns of a part where rows fill tiles: `places` finds an element of so many in one step.
constexpr int64_t kWidestOfFull = 256;

/// How the columns are cut: into slices, and these into parts.
struct TableCut {
  int64_t slices, width;
  bool isTurned = false; ///< parts of one row are not together: those of all rows with the same columns are
};

/// Parts of whole tiles, so that none is filled up, and such that parts and columns, which are searched one by one, are fewest together; of two such,
/// fewer parts, which have a tile each on the way. nullopt if nothing divides the columns well.
std::optional<TableCut> tableCutOf(int64_t rows, int64_t columns) {
  int64_t slices = llvm::divideCeil(columns, kLongestCut);
  std::optional<TableCut> best;
  auto searched = [&](int64_t width) { return width + columns / width; };
  const int64_t widest = rows % kTile == 0 ? kWidestOfFull : columns - 1;
  for (int64_t width = kTile; width <= widest; width += kTile)
    if (columns % (slices * width) == 0 && (!best || searched(width) <= searched(best->width)))
      best = {slices, width};
  // With more left to search one by one, the ops between cost what is saved.
  return best && searched(best->width) * 8 <= columns ? best : std::nullopt;
}

/// Parts of rows that fill their tiles: the widest of whole tiles. nullopt if rows do not.
std::optional<TableCut> turnedCutOf(int64_t rows, int64_t columns) {
  if (rows % kTile != 0 || columns % kTile != 0)
    return std::nullopt;
  int64_t width = kWidestOfFull;
  while (columns % width != 0)
    width -= kTile;
  return TableCut{1, width, /*isTurned=*/true};
}

/// Builds the ops on whole numbers and positions.
struct Builder {
  Proposal &proposal;
  mlir::Value x;
  OpBuilder &b = proposal.attributes();
  Type number = b.getIntegerType(32, /*isSigned=*/true);

  /// A column, on the device, in tiles.
  mlir::Value constant(ArrayRef<int32_t> numbers) {
    auto type = RankedTensorType::get({int64_t(numbers.size()), 1}, number);
    return constantLike(x, DenseIntElementsAttr::get(type, numbers), proposal);
  }

  mlir::Value elementwise(StringRef name, mlir::Value one, mlir::Value other) {
    return proposal.makeNamed(name, {one, other}, Proposal::typeLike(one, shapeOf(one)))->getResult(0);
  }

  /// Of each row, which are R x C: a column of R numbers in tiles.
  mlir::Value argmax(mlir::Value rows, Type asMade) {
    const NamedAttribute attributes[] = {b.getNamedAttr("dim", b.getSI32IntegerAttr(-1)),
                                         b.getNamedAttr("keep_dim", b.getBoolAttr(true))};
    mlir::Value in = proposal.paged(rows, PageLayout::RowMajor);
    Operation *made = proposal.makeNamed(
        "argmax", in, Proposal::typeLike(in, {shapeOf(rows).front(), 1}, asMade), attributes);
    proposal.isAbout(made);
    return proposal.cast(proposal.paged(made->getResult(0), PageLayout::Tile), number);
  }

  /// x with columns that no maximum is in but the first.
  void pad(int64_t rows, int64_t columns, int64_t padded) {
    x = proposal.padded(proposal.reshaped(x, {rows, columns}), 1, padded,
                        -std::numeric_limits<float>::infinity());
  }

  /// Rows of parts, R K x W of x, which has R x N.
  mlir::Value table(int64_t rows, int64_t columns, TableCut cut) {
    int64_t partsOfSlice = columns / cut.slices / cut.width;
    if (cut.isTurned) {
      mlir::Value flat = proposal.reshaped(proposal.paged(x, PageLayout::Tile), {rows, columns});
      mlir::Value parts = proposal.reshaped(proposal.permute(flat, {1, 0}), {partsOfSlice, cut.width, rows});
      return proposal.reshaped(proposal.permute(parts, {0, 2, 1}), {partsOfSlice * rows, cut.width});
    }
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

  /// The maxima of the table's parts, R x K.
  mlir::Value maxima(mlir::Value table, int64_t rows, int64_t parts, TableCut cut) {
    // Turned, so that what was a column of one element per tile row is a row, which is cut like memory.
    mlir::Value line = proposal.paged(proposal.permute(max(table), {1, 0}), PageLayout::RowMajor);
    if (!cut.isTurned)
      return proposal.reshaped(line, {rows, parts});
    return proposal.permute(proposal.paged(proposal.reshaped(line, {parts, rows}), PageLayout::Tile), {1, 0});
  }

  /// Where the parts are in the table.
  mlir::Value rowsOf(mlir::Value parts, int64_t rows, int64_t partsOfRow, TableCut cut) {
    auto firsts = llvm::map_to_vector(llvm::seq<int64_t>(rows), [&](int64_t row) {
      return int32_t(cut.isTurned ? row : row * partsOfRow);
    });
    if (cut.isTurned)
      parts = elementwise("multiply", parts, constant({int32_t(rows)}));
    return elementwise("add", parts, constant(firsts));
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
  if (!dimension || rank < 2 || (integerOf(dimension) + rank) % rank != rank - 1 || !isBF16(x))
    return false;
  int64_t columns = shape.back(), rows = typeOf(x).getNumElements() / columns;
  if (columns < kManyColumns || rows * columns < kManyElements)
    return false;
  Builder builder{proposal, x};
  // What no whole tiles make is filled up to the widest parts.
  if (int64_t padded = llvm::alignTo(columns, kWidestOfFull); columns % kTile != 0) {
    builder.pad(rows, columns, padded);
    columns = padded;
  }
  // Positions that are cut out of tiles come as rows, whose parts need no tiles to be undone.
  std::optional<TableCut> cut;
  if (columns > kLongestCut || !storageOf(x).getDefiningOp<ttnn::SliceStaticOp>())
    cut = turnedCutOf(rows, columns);
  if (!cut)
    cut = tableCutOf(rows, columns);
  if (!cut)
    return false;
  int64_t parts = columns / cut->width;

  Type asMade = typeOf(argmax.getResult()).getElementType();
  mlir::Value table = builder.table(rows, columns, *cut);
  mlir::Value part = builder.argmax(builder.maxima(table, rows, parts, *cut), asMade);
  mlir::Value found =
      builder.rowsAt(builder.rowsOf(part, rows, parts, *cut), proposal.paged(table, PageLayout::RowMajor));
  mlir::Value within = builder.argmax(found, asMade);
  mlir::Value before = builder.elementwise("multiply", part, builder.constant({int32_t(cut->width)}));
  mlir::Value index = builder.elementwise("add", before, within);
  // Rows of none-numbers have no maximum, and what is found then may be a column that was filled up.
  if (columns > shape.back())
    index = builder.elementwise("minimum", index, builder.constant({int32_t(shape.back() - 1)}));
  index = proposal.cast(index, asMade);
  PageLayout page = ttnn::placedTensor(typeOf(argmax.getResult()))->layout.page;
  proposal.replace(root, proposal.reshaped(proposal.paged(index, page), shapeOf(argmax.getResult())));
  return true;
}

} // namespace tessera::rewrite
