//===- Caches.cpp - Tensors that are written in place ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   to_layout(rows_scatter(x, positions, new))   ->   c = to_layout(x); paged_update_cache(c, new, positions)
//   fill_cache(c, new); f(c)                     ->   fill_cache(c, new); f(to_memory_config(c))
//
// Frameworks write to a copy: all of x goes through the scatter, in rows, and then
// into tiles. The copy that tiles are made of is nobody else's, so the new rows may
// as well be written into it in place.
//
// What is written in place lies where its writers need it. Behind the last of them a
// copy is as good, and may lie where f wants it, which is the plan's to say: in its
// place it is the tensor itself.
//
// Letters in the shapes: U users, K heads, S positions, D head size.
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

/// Where a scatter writes rows of one position, in a tensor of `before` x positions x `width` elements.
struct Written {
  llvm::SmallVector<int64_t> before; ///< the first is that of the users who have positions of their own
  int64_t positions = 0, width = 1;
  mlir::Value position;   ///< one for all, or one per user
  bool isClamped = false; ///< whether one that lies outside is moved until it does not
};

/// Numbers of the index, and whether bounds are kept that allow for every place.
struct Component {
  Traced numbers;
  bool isClamped = false;
};

/// Entry `number` of the positions that the index gives, 1 x dimensions x M or N x dimensions x 1: what a concat put there. Bounds that
/// the index is clamped to allow for every place, or are none of this row's.
Component componentOf(ttnn::RowsScatterOp scatter, size_t number) {
  Traced index = operandOf(scatter, 1);
  bool isClamped = false;
  ArrayRef<int64_t> sizes = scatter.getSizes(), windows = scatter.getWindows();
  const auto dimensions = int64_t(sizes.size());
  for (;;) {
    if (index.maker<ttnn::ReshapeOp>() || index.maker<ttnn::ToLayoutOp>()) {
      index = index.before();
    } else if (auto clamp = index.maker<ttnn::ClampTensorOp>()) {
      auto low = integersIn(clamp.getMin()), high = integersIn(clamp.getMax());
      // A bound may stand there again and again, for all dimensions but its own last ones; other broadcasts are not known.
      auto isRepeated = [&](mlir::Value bound) {
        ArrayRef<int64_t> own = shapeOf(bound).drop_while([](int64_t extent) { return extent == 1; });
        return own.size() <= shapeOf(index.value).size() && own == shapeOf(index.value).take_back(own.size());
      };
      if (!low || !high || !isRepeated(clamp.getMin()) || !isRepeated(clamp.getMax()))
        return {};
      const auto count = size_t(typeOf(index.value).getNumElements()),
                 updates = size_t(shapeOf(scatter.getIndex())[2]);
      for (size_t i = 0; i < count; ++i)
        if (size_t at = i / updates % sizes.size();
            (*low)[i % low->size()] != 0 || (*high)[i % high->size()] != sizes[at] - windows[at])
          return {};
      isClamped = true;
      index = index.before();
    } else {
      break;
    }
  }
  if (dimensions == 1)
    return {index, isClamped};
  auto concat = index.maker<ttnn::ConcatOp>();
  if (!concat || concat.getInputs().size() != sizes.size())
    return {};
  // Of each update one number, in the order of the index: its entries before the parts, its updates within them. A reshape may have made
  // something else of the parts.
  const int64_t entries = shapeOf(scatter.getIndex())[0], updates = shapeOf(scatter.getIndex())[2];
  const auto rank = int64_t(typeOf(index.value).getRank());
  const auto dimension = size_t((integerOf(concat.getDimAttr()) + rank) % rank);
  for (mlir::Value part : concat.getInputs())
    if (llvm::product_of(shapeOf(part).take_front(dimension)) != entries ||
        llvm::product_of(shapeOf(part).drop_front(dimension)) != updates)
      return {};
  return {operandOf(concat, unsigned(number)), isClamped};
}

/// What the scatter writes, if it is one row of one dimension, and all of the others or each user's own.
std::optional<Written> writtenBy(ttnn::RowsScatterOp scatter) {
  ArrayRef<int64_t> sizes = scatter.getSizes(), windows = scatter.getWindows(),
                    input = shapeOf(scatter.getInput()), index = shapeOf(scatter.getIndex());
  if (scatter.getReduce() != ttcore::ReduceType::Invalid || input.size() < 2 || index.size() != 3 ||
      index[1] != int64_t(sizes.size()))
    return std::nullopt;
  const int64_t entries = input[0], updates = index[2];
  // One update in each entry, or one entry.
  if (llvm::product_of(sizes) == 0 || (entries != 1 && updates != 1) ||
      llvm::product_of(input) % (entries * llvm::product_of(sizes)) != 0)
    return std::nullopt;
  Written written;
  if (entries != 1)
    written.before.push_back(entries);
  for (size_t i = 0; i < sizes.size(); ++i) {
    auto [component, isClamped] = componentOf(scatter, i);
    if (!component.value || !mayBeReadAt(component, scatter))
      return std::nullopt;
    std::optional<llvm::SmallVector<int64_t>> known = integersIn(component.value);
    // A dimension that is written from its beginning to its end, and one in which update i writes entry i, as each user
    // does its own.
    bool whole = windows[i] == sizes[i] && known && llvm::all_of(*known, [](int64_t at) { return at == 0; });
    bool users = windows[i] == 1 && sizes[i] == updates && known && written.before.empty() &&
                 llvm::equal(*known, llvm::seq<int64_t>(0, updates));
    // Behind the positions a row is written whole, as the update does; in front of them nothing else may be chosen.
    if (written.position && !whole)
      return std::nullopt;
    if (whole || users)
      written.position ? void(written.width *= sizes[i]) : written.before.push_back(sizes[i]);
    else if (windows[i] == 1)
      std::tie(written.position, written.positions, written.isClamped) =
          std::tie(component.value, sizes[i], isClamped);
    else
      return std::nullopt;
  }
  written.width *= llvm::product_of(input) / (entries * llvm::product_of(sizes));
  return written.position ? std::optional(written) : std::nullopt;
}

/// Heads and users: the extents before the positions, as the tensor had them before it was made rows of, or as the scatter has them.
std::optional<std::pair<int64_t, int64_t>> usersAndHeads(const Written &written, mlir::Value rows) {
  ArrayRef<int64_t> shape = shapeOf(rows), before = written.before;
  int64_t users = before.empty() ? 1 : before.front(), numbers = typeOf(written.position).getNumElements();
  if (numbers == 1 && shape.size() == 4 && shape[2] == written.positions && shape[3] == written.width)
    users = shape[0];
  if (numbers != 1 && numbers != users)
    return std::nullopt;
  return std::pair(users, llvm::product_of(before) / users);
}

/// The value where a chain of reshapes and conversions of pages has it in tiles first, looking up; else the value.
Traced inTiles(Traced traced) {
  for (Traced at = traced;; at = at.before()) {
    // A conversion of pages may be one of elements, too.
    if (!isPlaced(at.value) || typeOf(at.value).getElementType() != typeOf(traced.value).getElementType())
      return traced;
    if (ttnn::placedTensor(typeOf(at.value))->layout.page == PageLayout::Tile)
      return at;
    if (!at.maker<ttnn::ReshapeOp>() && !at.maker<ttnn::ToLayoutOp>())
      return traced;
  }
}

/// The positions as the update reads them: one per user, in rows. Beyond the cache the update would write to a neighbour, and a scatter
/// writes nothing.
mlir::Value positionsOf(const Written &written, int64_t users, Proposal &proposal) {
  const int64_t numbers = typeOf(written.position).getNumElements();
  mlir::Value positions =
      (written.isClamped ? keptBelow : noneOutside)(written.position, {numbers}, written.positions, proposal);
  positions = proposal.paged(positions, PageLayout::RowMajor);
  return numbers == users ? positions : proposal.repeated(positions, {users});
}

} // namespace

bool proposeUpdatedCache(Operation *root, Proposal &proposal) {
  auto scatter = cast<ttnn::RowsScatterOp>(root);
  auto tiled = dyn_cast_or_null<ttnn::ToLayoutOp>(onlyReader(scatter.getResult()));
  Traced rows = operandOf(root, 0);
  if (rows.maker<ttnn::ReshapeOp>() && rows.value.hasOneUse())
    rows = rows.before();
  // A second reader might find the copy by itself, and the new rows in it.
  if (!tiled || !rows.value.hasOneUse() || !isFloat(rows.value) || !isPlaced(rows.value) ||
      !isPlaced(tiled.getResult()) || !mayBeReadAt(rows, root))
    return false;
  FailureOr<ttnn::PlacedTensor> had = ttnn::placedTensor(typeOf(rows.value)),
                                has = ttnn::placedTensor(typeOf(tiled.getResult()));
  std::optional<Written> written = writtenBy(scatter);
  if (!written || had->layout.page != PageLayout::RowMajor || has->layout.page != PageLayout::Tile ||
      has->layout.dtype != had->layout.dtype)
    return false;
  auto counts = usersAndHeads(*written, rows.value);
  if (!counts)
    return false;
  auto [users, heads] = *counts;
  Traced fresh = inTiles(operandOf(root, 2));
  if (!mayBeReadAt(fresh, root) || typeOf(fresh.value).getNumElements() != users * heads * written->width)
    return false;
  mlir::Value cache = proposal.paged(
      proposal.reshaped(rows.value, {users, heads, written->positions, written->width}), PageLayout::Tile);
  mlir::Value updates =
      proposal.paged(proposal.reshaped(fresh.value, {1, users, heads, written->width}), PageLayout::Tile);
  auto update =
      proposal.make<ttnn::PagedUpdateCacheOp>(cache, updates, positionsOf(*written, users, proposal),
                                              mlir::Value(), BoolAttr::get(root->getContext(), false));
  proposal.isAbout(update);
  proposal.replace(tiled, proposal.reshaped(cache, shapeOf(tiled.getResult())));
  return true;
}

bool proposeCopyOfWritten(Operation *root, Proposal &proposal) {
  IRMapping operands;
  for (mlir::Value operand : root->getOperands())
    // A copy that somebody made of it may lie anywhere already.
    if (isa<RankedTensorType>(operand.getType()) && !operands.contains(operand) && isWritten(operand) &&
        !operand.getDefiningOp<ttnn::ToMemoryConfigOp>() && !isWrittenFrom(operand, root))
      operands.map(operand, proposal.make<ttnn::ToMemoryConfigOp>(typeOf(operand), operand).getResult());
  if (operands.getValueMap().empty())
    return false;
  Operation *reader = proposal.clone(root, operands);
  proposal.isAbout(reader);
  proposal.replace(root, reader->getResults());
  return true;
}

} // namespace tessera::rewrite
