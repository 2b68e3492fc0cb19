//===- MatmulConfigs.cpp - Program configs worth asking about -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Left to itself the backend blocks a matmul by where its tensors lie and by how much L1 is free (facts/formulas 7.1): 16x16
// tiles, or tile by tile, once one of them is in L1; batch after batch on a few cores if in1 has batches. So every kernel
// is offered that can make the result where it is wanted, each with blocks from whole to small: large ones read operands
// less often, small ones leave room in L1. Which are of use only the op model can tell (LegalConfigs.cpp).
//
//===----------------------------------------------------------------------===//
#include "tessera/OpModel/ComputeConfig.h"
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"
#include "tessera/Support/AddOnce.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

namespace {

using Kind = MatmulProgramConfig::Kind;

/// A matmul's extents in tiles. Batches of in0 that meet the same in1 count as rows.
struct MatmulTiles {
  int64_t m = 1, n = 1, k = 1;
  int64_t batch = 1; ///< products that have an in1 each
};

/// No value for what no program config multiplies: batches of in1 that in0 has not, or has more of.
std::optional<MatmulTiles> matmulTiles(const OpSignature &matmul, TileShape tile) {
  if (matmul.operands.size() < 2)
    return std::nullopt;
  const Shape &a = matmul.operands[0].tensor.shape, &b = matmul.operands[1].tensor.shape;
  if (a.size() < 2 || b.size() < 2)
    return std::nullopt;
  int64_t rows = a[a.size() - 2], inner = a[a.size() - 1];
  if (matmul.boolean("transpose_a", false))
    std::swap(rows, inner);
  int64_t columns = matmul.boolean("transpose_b", false) ? b[b.size() - 2] : b[b.size() - 1];
  MatmulTiles tiles{ceilDiv(rows, tile.height), ceilDiv(columns, tile.width), ceilDiv(inner, tile.width)};
  llvm::ArrayRef<int64_t> batchA = llvm::ArrayRef(a).drop_back(2), batchB = llvm::ArrayRef(b).drop_back(2);
  auto isOne = [](int64_t extent) { return extent == 1; };
  int64_t batches = 1;
  for (int64_t extent : batchA)
    batches *= extent;
  // One in1 for all batches: they are rows of one product, which every kernel takes.
  if (llvm::all_of(batchB, isOne))
    tiles.m *= batches;
  else if (batchA.drop_while(isOne) == batchB.drop_while(isOne))
    tiles.batch = batches;
  else
    return std::nullopt;
  if (tiles.m <= 0 || tiles.n <= 0 || tiles.k <= 0 || tiles.batch <= 0)
    return std::nullopt;
  return tiles;
}

int64_t largestDivisorUpTo(int64_t number, int64_t limit) {
  for (int64_t divisor = std::min(number, limit); divisor > 1; --divisor)
    if (number % divisor == 0)
      return divisor;
  return 1;
}

llvm::SmallVector<int64_t> divisors(int64_t number) {
  llvm::SmallVector<int64_t> all;
  for (int64_t divisor = 1; divisor * divisor <= number; ++divisor)
    if (number % divisor == 0) {
      all.push_back(divisor);
      if (divisor != number / divisor)
        all.push_back(number / divisor);
    }
  return all;
}

/// Output tiles that the destination registers hold: 8, or 4 with fp32 accumulation, twice that with full
/// synchronisation (facts/ir 4.6; facts/hardware 1.6).
int64_t subblockLimit(const OpSignature &matmul) {
  int64_t limit = 8;
  if (matmul.boolean("compute_config.dst_full_sync_en", false))
    limit *= 2;
  // Stated, or the backend's choice for the results that the op has, whatever the chip.
  if (computeConfigOf(matmul, MatmulProgramConfig{}, Arch::WormholeB0, BackendVersion::Pinned)
          .value_or(ComputeConfig{})
          .fp32Accumulate)
    limit /= 2;
  return limit;
}

/// The largest subblock that divides the block; of those the squarest, rather wide than high.
GridShape largestSubblock(GridShape block, int64_t limit) {
  GridShape best{1, 1};
  auto key = [](GridShape s) { return std::tuple(s.volume(), -std::abs(s.columns - s.rows), s.columns); };
  for (int64_t rows = 1; rows <= std::min(block.rows, limit); ++rows)
    for (int64_t columns = 1; columns <= std::min(block.columns, limit / rows); ++columns)
      if (GridShape size{rows, columns};
          block.rows % rows == 0 && block.columns % columns == 0 && key(size) > key(best))
        best = size;
  return best;
}

/// Widths of K blocks. Wider ones wait for data less often and take more circular buffers; in0's shards on `columns` cores
/// want a part of themselves.
llvm::SmallVector<int64_t> blockWidths(int64_t k, int64_t columns) {
  llvm::SmallVector<int64_t> widths;
  auto add = [&](int64_t number, int64_t limit) {
    int64_t width = largestDivisorUpTo(number, limit);
    // `Kt % in0_block_w == 0` is a rule of every kernel (facts/hardware 4.1).
    if (k % width == 0)
      addOnce(widths, width);
  };
  for (int64_t limit : {16, 8, 4, 2, 1})
    add(k, limit);
  // A sharded in0 refuses blocks that do not divide its shard, and whether it will be sharded is not known yet.
  int64_t shard = ceilDiv(k, std::max<int64_t>(1, columns));
  for (int64_t limit : {16, 4})
    add(shard, limit);
  return widths;
}

/// What a core makes, whole and in ever smaller parts of up to 256, 128 ... 8 tiles that divide it: of each size the one
/// that reads operands least often, the squarest. The part that is made at a time needs a buffer of its own.
llvm::SmallVector<GridShape> outBlocks(GridShape core) {
  // The whole comes first, as nothing reads operands less often; smaller ones are for where its buffers find no room.
  llvm::SmallVector<GridShape> blocks = {core};
  llvm::SmallVector<int64_t> heights = divisors(core.rows), widths = divisors(core.columns);
  for (int64_t limit = 256; limit >= 8; limit /= 2) {
    if (core.volume() <= limit)
      continue;
    GridShape best{1, 1};
    for (int64_t rows : heights)
      for (int64_t columns : widths)
        // Tiles that are read per tile that is made: 1 / rows + 1 / columns.
        if (rows * columns <= limit &&
            (rows + columns) * best.volume() < (best.rows + best.columns) * rows * columns)
          best = {rows, columns};
    if (best != blocks.back())
      blocks.push_back(best);
  }
  return blocks;
}

/// A part of `extent` units for each of `cores`, a little more where a prime number could not be cut into blocks.
int64_t share(int64_t extent, int64_t cores) {
  int64_t each = ceilDiv(extent, cores);
  return each > 8 && largestDivisorUpTo(each, each / 2) == 1 ? alignUp(each, 4) : each;
}

// ---- Interleaved results --------------------------------------------------------------------------------

class InterleavedSearch {
public:
  InterleavedSearch(const OpSignature &matmul, const MatmulTiles &tiles, GridShape workers)
      : matmul(matmul), tiles(tiles), workers(workers) {}

  std::vector<OpSpecificConfig> run() {
    if (tiles.batch > 1) {
      addReuse();
      // The reuse kernel cuts no row of the result. Where that leaves most cores without work the 1D kernel, which goes through the
      // batches one by one, may be faster although it waits for each.
      if (2 * tiles.batch * tiles.m <= workers.volume())
        addLine(/*fuseBatch=*/false);
      return configs;
    }
    // One block per core, on as few cores as have work. The 2D kernel needs two rows and two columns (facts/hardware 4.1).
    GridShape square{share(tiles.m, workers.rows), share(tiles.n, workers.columns)};
    CoreCoord used{ceilDiv(tiles.n, square.columns), ceilDiv(tiles.m, square.rows)};
    if (used.x >= 2 && used.y >= 2)
      addBlocks({.kind = Kind::MultiCast2D, .grid = used}, square);
    addLine(/*fuseBatch=*/true);
    return configs;
  }

private:
  /// The longer side is dealt over the cores, and the operand of the shorter one goes to all of them: that moves fewer bytes.
  void addLine(bool fuseBatch) {
    MatmulProgramConfig line{.kind = Kind::MultiCast1D,
                             .grid = {workers.columns, workers.rows},
                             .fuseBatch = fuseBatch,
                             .mcastIn0 = tiles.n >= tiles.m};
    addBlocks(line, line.mcastIn0 ? GridShape{tiles.m, share(tiles.n, workers.volume())}
                                  : GridShape{share(tiles.m, workers.volume()), tiles.n});
  }

  /// `config` with `core` tiles per core, in all blocks.
  void addBlocks(MatmulProgramConfig config, GridShape core) {
    config.perCoreM = core.rows;
    config.perCoreN = core.columns;
    config.fusedActivation = matmul.string("activation").str();
    for (GridShape block : outBlocks(core)) {
      config.outBlockH = block.rows;
      config.outBlockW = block.columns;
      addWidths(config, block);
    }
  }

  /// Parts of a batch, dealt out over the cores; no core waits for another. The kernel adds no bias and ends with no
  /// activation.
  void addReuse() {
    if (matmul.operands.size() > 2 || !matmul.string("activation").empty())
      return;
    MatmulProgramConfig config{
        .kind = Kind::Reuse, .grid = {workers.columns, workers.rows}, .perCoreN = tiles.n};
    llvm::SmallVector<int64_t> heights;
    // Whole batches first, then parts of one: more cores get work, and each fetches the batch's in1 again.
    for (int64_t limit : {tiles.m, int64_t(8), int64_t(4), int64_t(2), int64_t(1)})
      addOnce(heights, largestDivisorUpTo(tiles.m, limit));
    for (int64_t rows : heights) {
      config.perCoreM = rows;
      addWidths(config, {rows, tiles.n});
    }
  }

  void addWidths(MatmulProgramConfig config, GridShape block) {
    GridShape subblock = largestSubblock(block, subblockLimit(matmul));
    config.outSubblockH = subblock.rows;
    config.outSubblockW = subblock.columns;
    for (int64_t width : blockWidths(tiles.k, config.grid.x)) {
      config.in0BlockW = width;
      configs.emplace_back(config);
    }
  }

  const OpSignature &matmul;
  MatmulTiles tiles;
  GridShape workers;
  std::vector<OpSpecificConfig> configs = {std::monostate()};
};

// ---- Sharded results ------------------------------------------------------------------------------------

MatmulProgramConfig oneDimensional(const MatmulTiles &tiles, int64_t cores, bool mcastIn0) {
  MatmulProgramConfig config{.kind = Kind::MultiCast1D,
                             .perCoreM = mcastIn0 ? tiles.m : ceilDiv(tiles.m, cores),
                             .perCoreN = mcastIn0 ? ceilDiv(tiles.n, cores) : tiles.n,
                             .mcastIn0 = mcastIn0};
  // Height-sharded results take all of K in one block, as in0's shard holds it; the other kinds trade block width for
  // circular buffers.
  if (!mcastIn0)
    config.in0BlockW = tiles.k;
  else if (tiles.n > 128)
    config.in0BlockW = largestDivisorUpTo(tiles.k, 2);
  else
    config.in0BlockW =
        *llvm::find_if(llvm::ArrayRef<int64_t>{8, 4, 2, 1}, [&](int64_t w) { return tiles.k % w == 0; });
  return config;
}

MatmulProgramConfig twoDimensional(const MatmulTiles &tiles, GridShape grid) {
  // 2 or 1, as published (facts/ir 4.6 "Matmul program config"); wider ones follow as candidates of their own.
  return {.kind = Kind::MultiCast2D,
          .in0BlockW = largestDivisorUpTo(tiles.k, 2),
          .perCoreM = ceilDiv(tiles.m, grid.rows),
          .perCoreN = ceilDiv(tiles.n, grid.columns)};
}

/// Each core multiplies the batches, or the part of one, whose rows lie in its shard.
std::optional<MatmulProgramConfig> batchesByRows(const OpSignature &matmul, const MatmulTiles &tiles,
                                                 const TensorLayout &output) {
  int64_t rows = output.shard.rows;
  // A core must not end one batch and begin another within a block: either shards divide batches or batches
  // divide shards.
  bool whole =
      rows > 0 && (tiles.m % rows == 0 || (rows % tiles.m == 0 && tiles.m * tiles.batch % rows == 0));
  if (!whole || output.memory != MemoryLayout::HeightSharded || matmul.operands.size() > 2 ||
      !matmul.string("activation").empty())
    return std::nullopt;
  return MatmulProgramConfig{
      .kind = Kind::Reuse, .in0BlockW = tiles.k, .perCoreM = rows, .perCoreN = tiles.n};
}

std::optional<MatmulProgramConfig> firstConfig(const OpSignature &matmul, const MatmulTiles &tiles,
                                               const TensorLayout &output) {
  if (tiles.batch > 1)
    return batchesByRows(matmul, tiles, output);
  GridShape grid = output.grid;
  bool isBlock = output.memory == MemoryLayout::BlockSharded;
  // The 2D kernel needs two rows and two columns (facts/hardware 4.1), so a single row or column is a 1D matmul.
  if (isBlock && grid.rows > 1 && grid.columns > 1)
    return twoDimensional(tiles, grid);
  bool mcastIn0 = isBlock ? grid.rows == 1 : output.memory != MemoryLayout::HeightSharded;
  return oneDimensional(tiles, grid.volume(), mcastIn0);
}

/// The shard is the buffer of the result, so it is made in one piece; the first block width is the published choice.
std::vector<OpSpecificConfig> shardedConfigs(const OpSignature &matmul, const MatmulTiles &tiles,
                                             const TensorLayout &output) {
  std::optional<MatmulProgramConfig> first = firstConfig(matmul, tiles, output);
  if (!first)
    return {};
  MatmulProgramConfig config = *first;
  // The kernel's grid is where its result lies: it takes as many cores as it has blocks, not as the layout asks
  // for (facts/formulas 7.2).
  CoreRange box = output.cores->boundingBox();
  config.grid = {box.end.x - box.start.x + 1, box.end.y - box.start.y + 1};
  if (config.kind != Kind::Reuse) {
    config.outBlockH = config.perCoreM;
    config.outBlockW = config.perCoreN;
    config.fusedActivation = matmul.string("activation").str();
  }
  // A sharded result needs subblocks of full width or of one row (facts/hardware 4.1). One row always divides.
  config.outSubblockH = 1;
  config.outSubblockW = largestDivisorUpTo(config.perCoreN, subblockLimit(matmul));
  std::vector<OpSpecificConfig> configs = {config};
  for (int64_t width : blockWidths(tiles.k, output.grid.columns))
    if (width != first->in0BlockW) {
      config.in0BlockW = width;
      configs.emplace_back(config);
    }
  return configs;
}

} // namespace

bool tessera::isMatmul(const OpSignature &op) { return op.name == "ttnn.matmul" || op.name == "ttnn.linear"; }

std::vector<OpSpecificConfig> tessera::enumerateMatmulConfigs(const OpSignature &matmul,
                                                              const TensorLayout &output, GridShape workers) {
  // No program config is offered for rows, nor for shards in DRAM (docs/evaluation/dram-sharded-weights.md:
  // tried, and left out).
  if (!output.isTiled() || (output.isSharded() && !(output.isL1() && output.cores)))
    return {std::monostate()};
  std::optional<MatmulTiles> tiles = matmulTiles(matmul, output.tile);
  if (!output.isSharded())
    return tiles ? InterleavedSearch(matmul, *tiles, workers).run()
                 : std::vector<OpSpecificConfig>{std::monostate()};
  // No configuration rather than the backend's choice: a sharded result without one hangs for batches, and depends on
  // free L1 otherwise (facts/ir 4.6, facts/formulas 7.4).
  if (!tiles || output.memory == MemoryLayout::NDSharded)
    return {};
  return shardedConfigs(matmul, *tiles, output);
}
