//===- Elements.cpp - Elements of rows, looked up as rows have them ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Frameworks look up an element of each row by the number of the row and the place in
// it, which are a row of one element each to whoever looks them up. The device has an
// op that looks up elements of rows in tiles:
//
//   rows_gather(x, [[0, 0, .., 1, 1, ..], places])   ->   gather(x, places)
//
// or each row is a table of its own.
//
// Many are looked up in parts of the rows, one after the other, since the compiler
// has no room for all places at once; this op has:
//
//   concat(rows_gather(x, [[0, ..], a]), rows_gather(x, [[2, ..], b]))
//
//===----------------------------------------------------------------------===//
#include "../Integers.h"
#include "../Match.h"
#include "../Rows.h"

#include "tessera/Dialect/TTNN/LayoutConversion.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera::rewrite {

namespace {

/// Places of this many elements and less are looked at one by one: as many as an importer looks up at once.
constexpr int64_t kMostLooked = int64_t(1) << 16;

/// Elements of rows that follow each other, as many of each.
struct LookedUp {
  Traced table;     ///< whose last dimension are the rows
  Traced places;    ///< of the elements in their rows; or the whole index, of which these are the last part
  int64_t firstRow; ///< that is looked up
  int64_t rows, ofRow;
};

/// What the index is joined of: a part for each dimension of the table. In this function or a const-eval function; null if it is not.
ttnn::ConcatOp joinedIndex(ttnn::RowsGatherOp gather) {
  mlir::Value index = throughPages(gather.getIndex());
  if (auto load = index.getDefiningOp<ttcore::LoadCachedOp>()) {
    index = computedBy(load, cast<OpResult>(index).getResultNumber());
    index = index ? throughPages(index) : index;
  }
  auto joined = index ? index.getDefiningOp<ttnn::ConcatOp>() : ttnn::ConcatOp();
  const bool isOfDimensions =
      joined && integerOf(joined.getDimAttr()) == 1 && joined.getInputs().size() == gather.getSizes().size();
  return isOfDimensions ? joined : ttnn::ConcatOp();
}

/// The number of the row of each element, in the order in which they are looked up; nullopt if it is not known.
std::optional<llvm::SmallVector<int64_t>> rowsOf(mlir::ValueRange coordinates, ArrayRef<int64_t> sizes,
                                                 int64_t count) {
  llvm::SmallVector<int64_t> rows(size_t(count), 0);
  for (auto [coordinate, size] : llvm::zip_equal(coordinates, sizes)) {
    std::optional<llvm::SmallVector<int64_t>> numbers = integersIn(coordinate, kMostLooked);
    if (!numbers || int64_t(numbers->size()) != count)
      return std::nullopt;
    for (auto [row, number] : llvm::zip_equal(rows, *numbers)) {
      if (number < 0 || number >= size)
        return std::nullopt;
      row = row * size + number;
    }
  }
  return rows;
}

std::optional<LookedUp> lookedUp(ttnn::RowsGatherOp gather) {
  ArrayRef<int64_t> sizes = gather.getSizes(), index = shapeOf(gather.getIndex()),
                    table = shapeOf(gather.getInput());
  if (index.size() != 3 || gather.getFillOutOfBounds() || !isFloat(gather.getInput()) ||
      !llvm::all_of(gather.getWindows(), [](int64_t size) { return size == 1; }))
    return std::nullopt;
  // A row for each entry of the index, as JAX looks elements up along an axis.
  if (sizes.size() == 1 && table.size() == 3 && table[1] == 1 && table[2] == sizes[0] &&
      index[0] == table[0] && index[1] == 1 && index[2] > 0)
    return LookedUp{operandOf(gather, 0), operandOf(gather, 1), 0, index[0], index[2]};
  const bool areElements =
      table.size() == sizes.size() + 1 && table.front() == 1 && table.drop_front() == sizes;
  if (sizes.size() < 2 || !areElements || index[0] != 1 || index[1] != int64_t(sizes.size()))
    return std::nullopt;
  ttnn::ConcatOp joined = joinedIndex(gather);
  std::optional<llvm::SmallVector<int64_t>> rows =
      joined ? rowsOf(joined.getInputs().drop_back(), sizes.drop_back(), index[2]) : std::nullopt;
  if (!rows || rows->empty())
    return std::nullopt;
  const int64_t first = rows->front(), count = rows->back() - first + 1;
  if (count < 1 || index[2] % count != 0)
    return std::nullopt;
  const int64_t ofRow = index[2] / count;
  for (auto [i, row] : llvm::enumerate(*rows))
    if (row != first + int64_t(i) / ofRow)
      return std::nullopt;
  const bool isHere = joined->getBlock() == gather->getBlock();
  return LookedUp{operandOf(gather, 0),
                  isHere ? operandOf(joined, joined.getInputs().size() - 1) : operandOf(gather, 1), first,
                  count, ofRow};
}

/// The places as the device's op wants them: R x K numbers without a sign, in tiles, none of them outside of a row.
mlir::Value placesOf(const LookedUp &looked, int64_t size, Proposal &proposal) {
  mlir::Value places = looked.places.value;
  const int64_t count = looked.rows * looked.ofRow;
  if (typeOf(places).getNumElements() != count) {
    const int64_t last = shapeOf(places)[1] - 1;
    places = proposal.slice(places, {0, last, 0}, {1, last + 1, count}, {1, 1, 1});
  }
  places = proposal.paged(proposal.reshaped(places, {looked.rows, looked.ofRow}), PageLayout::Tile);
  // Since October 2026 the library clamps no integers without a sign.
  if (typeOf(places).getElementType().isUnsignedInteger())
    places = proposal.cast(places, IntegerType::get(places.getContext(), 32, IntegerType::Signed));
  places = keptBelow(places, {looked.rows, looked.ofRow}, size, proposal);
  return proposal.cast(places, IntegerType::get(places.getContext(), 32, IntegerType::Unsigned));
}

/// What is looked up of all these rows, which follow each other.
mlir::Value gathered(ArrayRef<LookedUp> parts, Proposal &proposal) {
  mlir::Value table = parts.front().table.value;
  const int64_t size = shapeOf(table).back(), whole = typeOf(table).getNumElements() / size;
  llvm::SmallVector<mlir::Value> places;
  int64_t rows = 0;
  for (const LookedUp &part : parts) {
    places.push_back(placesOf(part, size, proposal));
    rows += part.rows;
  }
  table = proposal.reshaped(proposal.paged(table, PageLayout::Tile), {whole, size});
  if (rows != whole) {
    const int64_t first = parts.front().firstRow;
    table = proposal.slice(table, {first, 0}, {first + rows, size}, {1, 1});
  }
  mlir::Value index = places.size() == 1 ? places.front() : proposal.concat(places, 0);
  OpBuilder &b = proposal.attributes();
  Operation *made = proposal.makeNamed("gather", {table, index}, Proposal::typeLike(table, shapeOf(index)),
                                       b.getNamedAttr("dim", b.getSI32IntegerAttr(1)));
  proposal.isAbout(made);
  return made->getResult(0);
}

bool mayBeReadAtRoot(const LookedUp &looked, Operation *root) {
  return isPlaced(looked.table.value) && isPlaced(looked.places.value) && mayBeReadAt(looked.table, root) &&
         mayBeReadAt(looked.places, root);
}

/// In the shape and the pages of what it stands for.
void replaceBy(mlir::Value made, Operation *root, Proposal &proposal) {
  PageLayout page = ttnn::placedTensor(typeOf(root->getResult(0)))->layout.page;
  proposal.replace(root, proposal.paged(proposal.reshaped(made, shapeOf(root->getResult(0))), page));
}

} // namespace

bool proposeElements(Operation *root, Proposal &proposal) {
  std::optional<LookedUp> looked = lookedUp(cast<ttnn::RowsGatherOp>(root));
  if (!looked || !mayBeReadAtRoot(*looked, root))
    return false;
  replaceBy(gathered(*looked, proposal), root, proposal);
  return true;
}

bool proposeElementsOfParts(Operation *root, Proposal &proposal) {
  auto concat = cast<ttnn::ConcatOp>(root);
  ArrayRef<int64_t> shape = shapeOf(concat.getResult());
  // What stands before the dimension has one element, so that parts are joined in the order of rows.
  const int64_t rank = int64_t(shape.size()), dimension = (integerOf(concat.getDimAttr()) + rank) % rank;
  if (!llvm::all_of(shape.take_front(size_t(dimension)), [](int64_t size) { return size == 1; }))
    return false;
  llvm::SmallVector<LookedUp> parts;
  for (unsigned number = 0; number < concat.getInputs().size(); ++number) {
    Traced part = operandOf(root, number);
    while (part.maker<ttnn::ReshapeOp>() || part.maker<ttnn::ToLayoutOp>())
      part = part.before();
    auto gather = part.maker<ttnn::RowsGatherOp>();
    std::optional<LookedUp> looked = gather ? lookedUp(gather) : std::nullopt;
    if (!looked || !mayBeReadAtRoot(*looked, root))
      return false;
    if (!parts.empty() &&
        (looked->table.value != parts.back().table.value || looked->ofRow != parts.back().ofRow ||
         looked->firstRow != parts.back().firstRow + parts.back().rows))
      return false;
    parts.push_back(*looked);
  }
  if (parts.size() < 2)
    return false;
  replaceBy(gathered(parts, proposal), root, proposal);
  return true;
}

} // namespace tessera::rewrite
