//===- Tilize.cpp - Circular buffers of tilize and untilize --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Which kernel runs is the library's choice by shape (tt-metal 0.77:
// data_movement/{tilize,untilize}*/device): a core takes whole rows of tiles,
// or square blocks of a tensor that is wider than high, or its own shard.
//
//===----------------------------------------------------------------------===//
#include "Tilize.h"

#include "TilePlan.h"

namespace tessera::analytic {
namespace {

/// Most kernels here have one buffer that is read into and one that is written from, of as many tiles.
void pairOfBuffers(MemoryUse &use, const TilePlan &plan, int64_t tiles) {
  use.buffer("tiles", tiles, plan.tile);
  use.buffer("rows", tiles, plan.rowTile);
}

/// One row of tiles of a block. Blocks at the right and lower border lie on cores with kernels of their own; since October 2026
/// those below one another share their buffers.
void blockProgram(MemoryUse &use, const TilePlan &plan) {
  int64_t side = plan.sideOfBlocks();
  int64_t most = std::max<int64_t>(1, (plan.usable - plan.fixedBytes()) / plan.bytesPerTile());
  int64_t border = plan.columns % side;
  bool lower = plan.height % side != 0, inside = plan.columns >= side && plan.height >= side;
  int64_t block = std::min(side, most);
  auto add = [&](int64_t tiles) {
    use.otherCores();
    pairOfBuffers(use, plan, tiles);
    use.scratchpad(plan.call, "staging row", plan.staging && tiles > 0,
                   tiles * plan.rowTile / 32 + plan.fixedBytes());
  };
  if (answersAsOctober2026(plan.call)) {
    add(plan.columns >= side ? block : 0);
    return add(border);
  }
  for (int64_t tiles : {inside ? block : 0, lower ? border : 0, border, lower ? block : 0})
    add(tiles);
}

// ---- Untilize -------------------------------------------------------------------------------------------

/// As deep as fits: both double-buffered, the tiles alone, none. `tiles`: across.
void ownKernel(MemoryUse &use, const TilePlan &plan, int64_t tiles) {
  int64_t page = std::max(plan.tile, plan.rowTile);
  int64_t in = 3 * tiles * page <= plan.usable ? 2 : 1, out = 4 * tiles * page <= plan.usable ? 2 : 1;
  use.buffer("tiles", in * tiles, alignUp(plan.tile, plan.dramAlignment));
  use.buffer("rows", out * tiles, alignUp(plan.rowTile, plan.dramAlignment));
}

/// Whole rows of tiles, twice if a core has several. Rows that do not fit half of L1 go tile by tile, or, if there are several or
/// they become shards, one core takes the largest share of a shard's row that fits.
void untilizeRows(MemoryUse &use, const TilePlan &plan, const TensorRef *rows) {
  // Both buffers of a row, as if rows took what tiles take.
  int64_t widest = plan.half / (2 * plan.tile);
  if (plan.columns <= widest)
    return pairOfBuffers(use, plan, plan.rows > plan.cores ? 2 * plan.columns : plan.columns);
  if (plan.rows == 1 && !rows)
    return pairOfBuffers(use, plan, 2);
  int64_t whole = rows ? std::min(plan.columns, rows->shardTiles().columns) : plan.columns;
  int64_t tiles = std::clamp<int64_t>(plan.half / plan.bytesPerTile(), 1, whole);
  // A divisor, since all blocks of a row are alike.
  while (whole % tiles != 0)
    --tiles;
  pairOfBuffers(use, plan, tiles);
}

void unpadInterleaved(MemoryUse &use, const TilePlan &plan) {
  if (plan.unpadsBlocks())
    return blockProgram(use, plan);
  pairOfBuffers(use, plan, plan.columns);
}

/// `rows`: the result, if it is sharded.
void untilizeInterleaved(MemoryUse &use, const TensorRef &tiles, const TilePlan &plan,
                         const TensorRef *rows) {
  bool cut = endsInsideTile(tiles);
  if (rows)
    return cut ? pairOfBuffers(use, plan, plan.columns) : untilizeRows(use, plan, rows);
  if (cut)
    return unpadInterleaved(use, plan);
  if (plan.hasOwnKernel(tiles))
    return ownKernel(use, plan, plan.columnsPerCore());
  if (plan.untilizesBlocks())
    return blockProgram(use, plan);
  untilizeRows(use, plan, nullptr);
}

/// Shards are read where they lie, unless some are not full. Padding is cut off behind a buffer of two rows of tiles, into shards
/// of two matrices.
void untilizeShards(MemoryUse &use, const TensorRef &tiles, const TilePlan &plan, const TensorRef *rows) {
  GridShape shard = tiles.shardTiles();
  bool toShards = rows && rows->sharded();
  if (endsInsideTile(tiles)) {
    int64_t matrices = tiles.shardedAs(MemoryLayout::HeightSharded)
                           ? std::max<int64_t>(1, shard.rows / plan.height)
                           : tiles.batch;
    return use.buffer("rows", 2 * (toShards ? shard.volume() / matrices : shard.columns), plan.rowTile);
  }
  if (toShards && tilizesInPlace(tiles, *rows))
    return;
  int64_t depth = shard.rows > 1 ? 2 : 1;
  if (plan.rows % shard.rows != 0 || plan.columns % shard.columns != 0)
    use.buffer("tiles", depth * shard.columns, plan.tile);
  use.buffer("rows", depth * shard.columns, plan.rowTile);
}

// ---- Tilize ---------------------------------------------------------------------------------------------

/// From rows in interleaved memory.
void tilizeInterleaved(MemoryUse &use, const TensorRef &tiles, const TilePlan &plan) {
  if (plan.tilizesBlocks(tiles.height * tiles.width))
    return blockProgram(use, plan);
  pairOfBuffers(use, plan, plan.columns);
}

/// Width shards of which only the height is padded: two matrices of the shard, and a row of padding.
bool padsWidthShards(const TensorRef &tiles, const TensorRef &rows) {
  return endsInsideTile(tiles) && tiles.width % 32 == 0 && rows.shardedAs(MemoryLayout::WidthSharded) &&
         tiles.shardedAs(MemoryLayout::WidthSharded);
}

/// Height shards of which only the height is padded get their padding in shards of their own first, since October 2026 (asked of ttnn
/// 0.81.1).
bool padsHeightShards(const OpCall &call, MemoryUse &use, const TensorRef &tiles, const TensorRef &rows) {
  bool height = tiles.height % 32 != 0 && tiles.width % 32 == 0;
  if (!answersAsOctober2026(call) || !height || !rows.l1() || !rows.shardedAs(MemoryLayout::HeightSharded))
    return false;
  use.buffer("padding row", 1, rows.layout->shard.columns * rows.scalar);
  use.make(rows.layout->shard.volume() * rows.scalar);
  use.program("tilize");
  return true;
}

/// From the most special case to what all others do: the order of the questions is the library's.
void tilizeShards(const OpCall &call, MemoryUse &use, const TensorRef &tiles, const TilePlan &plan,
                  const TensorRef &rows) {
  int64_t shardColumns = rows.shardTiles().columns;
  if (padsWidthShards(tiles, rows)) {
    use.buffer("tiles of rows", 2 * plan.height * shardColumns, plan.rowTile);
    use.scratchpad(call, "padding row", 1, rows.layout->shard.columns * rows.scalar);
    return;
  }
  if (endsInsideTile(tiles) && !padsHeightShards(call, use, tiles, rows))
    return pairOfBuffers(use, plan, plan.columns);
  if (!plan.rowFits()) {
    // By way of DRAM.
    blockProgram(use, plan);
    if (!tiles.sharded())
      return;
    return shardingProgram(call, use, plan.tile, PageLayout::Tile);
  }
  if (tilizesInPlace(rows, tiles))
    return;
  if (rows.shardedAs(MemoryLayout::HeightSharded) && tiles.l1() && !tiles.sharded())
    return use.buffer("tiles", shardColumns, plan.tile);
  pairOfBuffers(use, plan, plan.columns);
}

} // namespace

bool endsInsideTile(const TensorRef &tensor) { return tensor.height % 32 != 0 || tensor.width % 32 != 0; }

bool tilizesInPlace(const TensorRef &from, const TensorRef &to) {
  return from.sharded() && to.sharded() && from.l1() && to.l1() && from.layout->memory == to.layout->memory &&
         from.shardTiles() == to.shardTiles();
}

bool shardPagesCountable(const TensorRef &tensor) {
  constexpr int64_t most = 65535;
  return !tensor.sharded() ||
         (tensor.tiled() ? tensor.shardTiles().volume() : tensor.layout->shard.rows) <= most;
}

/// `page`: bytes of a tile, or of a row of a shard, as it is written. Pages that are not aligned alike on both
/// sides pass through a buffer in which they are shifted.
void shardingProgram(const OpCall &call, MemoryUse &use, int64_t page, PageLayout layout) {
  constexpr int64_t onTheWay = 4;
  int64_t alignment = call.device().dramAlignment.value();
  use.program("interleaved to sharded");
  // Only rows are shifted on their way, which was not seen until October 2026.
  bool shifts = layout == PageLayout::RowMajor || !answersAsOctober2026(call);
  use.scratchpad(call, "pages on the way", shifts,
                 onTheWay *
                     (answersAsNewest(call) ? alignUp(page + alignment, alignment) : alignUp(page, 64)));
}

/// False, and nothing is added, if the kernel that takes whole rows is not the one for these tiles.
bool untilizeWholeRows(const OpCall &call, MemoryUse &use, const TensorRef &tiles, int64_t rowTile) {
  TilePlan plan(call, tiles, rowTile);
  if (!plan.hasOwnKernel(tiles) || !plan.rowFitsOwnKernel())
    return false;
  use.program("untilize");
  ownKernel(use, plan, plan.columns);
  return true;
}

void untilizeProgram(const OpCall &call, MemoryUse &use, const TensorRef &tiles, int64_t rowTile,
                     const TensorRef *rows) {
  use.program("untilize");
  TilePlan plan(call, tiles, rowTile);
  if (tiles.sharded())
    return untilizeShards(use, tiles, plan, rows);
  untilizeInterleaved(use, tiles, plan, rows && rows->sharded() ? rows : nullptr);
}

/// Bytes of a tile once it is rows: block floats have no rows and become bf16.
int64_t rowTileOf(const TensorRef &tensor) { return isBlockFloat(tensor.dtype()) ? 2048 : tensor.tile; }

void tilizeProgram(const OpCall &call, MemoryUse &use, const TensorRef &tiles, int64_t rowTile,
                   const TensorRef *rows, llvm::StringRef name) {
  use.program(name);
  TilePlan plan(call, tiles, rowTile);
  plan.staging = answersAsNewest(call);
  if (rows && rows->sharded())
    return tilizeShards(call, use, tiles, plan, *rows);
  tilizeInterleaved(use, tiles, plan);
}

void unpadProgram(const OpCall &call, MemoryUse &use, const TensorRef &tiles, int64_t rowTile) {
  use.program("untilize");
  TilePlan plan(call, tiles, rowTile);
  unpadInterleaved(use, plan);
}

void copyRowsProgram(const OpCall &call, MemoryUse &use, int64_t page, int64_t resultPage, bool toL1) {
  // Rows beyond 256 KB go in parts (copy_default_row_major_program_factory.cpp).
  constexpr int64_t longest = 4 * 65536;
  int64_t alignment = (toL1 ? call.device().l1Alignment : call.device().dramAlignment).value();
  use.program("copy");
  use.scratchpad(call, "row", 1, std::min(page, longest));
  use.buffer("rows of the result", 2, std::min(alignUp(resultPage, alignment), longest));
}

/// Rows are pages and dealt out one by one, so that the busiest core has the rest.
int64_t rowMajorBytes(const OpCall &call, const TensorRef &tensor, bool l1) {
  int64_t alignment = answersAsNewest(call) ? call.device().l1Alignment.value() : 1;
  return l1 ? ceilDiv(tensor.rows(), call.cores()) * alignUp(tensor.rowBytes(), alignment) : 0;
}

int64_t unshardedBytes(const OpCall &call, const TensorRef &shards) {
  bool cut = !answersAsOctober2026(call) && !shards.shardedAs(MemoryLayout::HeightSharded);
  int64_t width = cut ? alignUp(shards.width, shards.shardUnits().columns) : shards.width;
  return ceilDiv(shards.rows(), call.cores()) *
         alignUp(width * shards.scalar, call.device().l1Alignment.value());
}

int64_t rowMajorCopy(const OpCall &call, const TensorRef &tensor) {
  return rowMajorBytes(call, tensor, tensor.l1());
}

} // namespace tessera::analytic
