//===- GroupNorm.cpp - Norms of groups of channels ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Since 2026 (tt-metal 0.77 and 0.81: groupnorm.cpp, groupnorm_grid_utils.cpp, groupnorm_*_program_factory.cpp; asked of ttnn 0.77.0 and
// 0.81.1): columns of cores have whole groups, rows of cores whole tiles of rows of the images. Each core goes through its groups one by one,
// and through the rows of a group in blocks. Shards are normalised where they lie.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Family.h"
#include "../Runtime.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

constexpr int64_t kSide = 32, kBf16Tile = 2048;

int64_t groupsOf(const OpCall &call) { return std::max<int64_t>(1, call.op().integer("num_groups", 1)); }
/// Channels, with the padding of tiles.
int64_t paddedWidth(const TensorRef &in) { return in.tiled() ? alignUp(in.width, kSide) : in.width; }
int64_t images(const TensorRef &in) { return in.rank() >= 4 ? in.dim(0) : 1; }

/// Operands behind the first are optional, each for itself; without operandSegmentSizes they are the first ones.
bool given(const OpCall &call, size_t operand) {
  llvm::ArrayRef<int64_t> sizes = call.op().integers("operandSegmentSizes");
  return operand < sizes.size() ? sizes[operand] > 0 : call.hasOperand(operand);
}

// ---- How cores share the work ---------------------------------------------------------------------------

/// Cores that share the channels, and the rows of all images.
struct Share {
  int64_t columns, rows;
};

/// As many columns as leave whole groups and whole tiles to each; 0 if there is no such number.
/// Example: 32 groups of 320 channels on 8 columns of cores: 8 would leave 40 channels, no whole tiles; 5 does not
/// divide 32 groups; 2 leaves 160 channels and 16 groups to each.
int64_t groupColumns(int64_t most, int64_t groups, int64_t width) {
  int64_t columns = std::min(most, groups);
  while (columns > 0 && ((width / columns) % kSide != 0 || groups % columns != 0))
    --columns;
  return columns;
}

/// The widest grid, and then the highest, of which each core has as many tiles of rows, of one image or of whole ones.
std::optional<Share> shareOfInterleaved(const OpCall &call) {
  const TensorRef &in = call.in[0];
  int64_t height = ceilDiv(in.tiled() ? in.tileRows * kSide : in.rows(), kSide), batch = images(in);
  GridShape grid = call.device().workerGrid;
  for (int64_t wide = grid.columns; wide > 0; --wide) {
    int64_t columns = groupColumns(wide, groupsOf(call), paddedWidth(in));
    if (columns == 0)
      continue;
    int64_t beside = wide / columns;
    for (int64_t high = std::min(height / beside, grid.rows); high > 0; --high) {
      int64_t rows = beside * high;
      if (height % rows == 0 && (rows < batch || rows % batch == 0))
        return Share{columns, rows};
    }
  }
  return std::nullopt;
}

/// Tiles that one group of `channels` spans at most, of a core that has `width` channels.
/// Groups of 10 channels: the fourth one has channels 30 to 39, which lie in two tiles.
int64_t tilesOfGroup(int64_t width, int64_t channels) {
  int64_t most = 1;
  for (int64_t begin = 0; begin < width; begin += channels)
    most = std::max(most, (begin + channels - 1) / kSide - begin / kSide + 1);
  return most;
}

// ---- Rules ----------------------------------------------------------------------------------------------

bool groupOperand(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool wide = in.dtype() == DataType::Float32 && answersAsNewest(call);
  return (in.dtype() == DataType::BFloat16 || wide) && !in.shardedAs(MemoryLayout::WidthSharded);
}

/// Shards are normalised into shards, which are asked for: a result that nobody places lies in DRAM.
bool groupResult(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!answersAsNewest(call))
    return !out.decided() || in.sharded() == out.sharded();
  return !in.sharded() || (out.decided() && samePlacement(in, out));
}

/// Channels with their padding.
bool groupsDivideChannels(const OpCall &call) {
  int64_t groups = call.op().integer("num_groups", 1);
  if (groups < 1 || call.in[0].width % groups != 0)
    return false;
  return !answersAsNewest(call) || paddedWidth(call.in[0]) % groups == 0;
}

/// Groups are summed up over whole tiles, of rows that lie as such of each image and of each shard. Interleaved rows are tilized before on
/// Wormhole only.
bool groupTiles(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!answersAsNewest(call) || in.tiled())
    return true;
  bool shards = !in.sharded() || in.layout->shard.rows % kSide == 0;
  bool pages = in.sharded() || call.device().arch == Arch::WormholeB0;
  return in.height % kSide == 0 && shards && pages;
}

bool oneRowOfImages(const OpCall &call) { return !answersAsNewest(call) || call.in[0].dim(-3) == 1; }

bool groupGrid(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!answersAsNewest(call))
    return true;
  return in.sharded() || shareOfInterleaved(call).has_value();
}

/// One divides the other.
bool even(int64_t a, int64_t b) { return a > 0 && b > 0 && std::max(a, b) % std::min(a, b) == 0; }

/// Shards hold the tensor without a rest, whole groups of channels, and images are whole ones of them or they of images.
bool groupShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!answersAsNewest(call) || !in.sharded())
    return true;
  const TensorLayout &layout = *in.layout;
  int64_t unit = in.tiled() ? kSide : 1, shardRows = layout.shard.rows * unit,
          shardColumns = layout.shard.columns * unit;
  int64_t height = in.tiled() ? in.tileRows * kSide : in.rows(), width = alignUp(in.width, unit);
  int64_t group = paddedWidth(in) / groupsOf(call);
  bool rectangle = !layout.cores || layout.cores->boundingBox().volume() == layout.cores->size().value();
  bool holds = shardRows > 0 && shardColumns > 0 && height % shardRows == 0 && width % shardColumns == 0;
  if (!rectangle || !holds)
    return false;
  int64_t rows = height / shardRows, columns = width / shardColumns;
  bool all = layout.grid.volume() == rows * columns;
  return all && group > 0 && shardColumns % group == 0 && even(images(in), rows);
}

constexpr Rule kRules[] = {
    {{"group_norm.operand",
      "the operand must be bf16 (since 2026 also f32), and interleaved or height- or block-sharded",
      "facts/hardware 4.3, asked of ttnn 0.77.0 and 0.81.1"},
     groupOperand},
    {{"group_norm.result",
      "the result must lie as the operand does; since 2026 that of an interleaved operand may lie anywhere",
      "facts/hardware 4.3, asked of ttnn 0.77.0 and 0.81.1"},
     groupResult},
    {{"group_norm.groups",
      "the number of groups must divide the channels, since 2026 also those with their padding",
      "facts/ir 1.4"},
     groupsDivideChannels},
    {{"group_norm.tiles",
      "rows that are not in tiles, of an image and of a shard, must be whole tiles, and on Blackhole an "
      "interleaved operand tiled (since 2026)",
      "tt-metal 0.77 and 0.81 (groupnorm.cpp)"},
     groupTiles},
    {{"group_norm.rows", "an image must be one row of pixels: N x 1 x HW x C (since 2026)",
      "tt-metal 0.77 and 0.81 (groupnorm_device_operation.cpp)"},
     oneRowOfImages},
    {{"group_norm.grid",
      "some grid of cores must leave whole groups in whole tiles to each core (since 2026)",
      "tt-metal 0.77 and 0.81 (groupnorm_grid_utils.cpp)"},
     groupGrid},
    {{"group_norm.shards",
      "shards must hold the tensor without a rest, whole groups, and whole images or parts of one, on a "
      "rectangle of cores (since 2026)",
      "tt-metal 0.77 and 0.81 (groupnorm_sharded_program_factory.cpp)"},
     groupShards},
};

void groupOutputs(OpCall &call) {
  if (!answersAsNewest(call))
    return outputsLikeOperand0(call);
  if (!call.out[0].decided())
    call.setOutput(0, dramInterleaved(*call.out[0].desc, call.in[0].layout->page));
}

// ---- Memory ---------------------------------------------------------------------------------------------

/// The channels of a group on one core: read, normalised and written block by block.
void olderMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t columns = ceilDiv(ceilDiv(in.width, groupsOf(call)), kSide) + 1; // a group starts within a tile
  int64_t rows = in.sharded() ? in.shardTiles().rows : ceilDiv(in.tileRows, call.cores());
  use.buffer("operand block", in.sharded() ? 0 : rows * columns, kBf16Tile);
  use.buffer("centred block and result", 2 * rows * columns, kBf16Tile);
  for (const TensorRef &operand : llvm::ArrayRef(call.in).drop_front())
    use.buffer("mask, weight and bias", 2 * columns, operand.tile);
  use.buffer("scalers, epsilon and statistics", 10, kBf16Tile);
}

/// Weight and bias, a row of `columns` tiles each; the mask of a group of `wide` tiles, and another where images end within tiles.
void sideBuffers(const OpCall &call, MemoryUse &use, int64_t columns, int64_t wide, bool twoMasks) {
  if (given(call, 2))
    use.buffer("weight", columns, kBf16Tile);
  if (given(call, 3))
    use.buffer("bias", columns, kBf16Tile);
  use.buffer("mask", 2 * wide * (twoMasks ? 2 : 1), kBf16Tile);
}

/// What `cores` that share a group find in `blocks` parts each, 16 bytes of each.
int64_t foundTiles(int64_t cores, int64_t blocks, int64_t tile) {
  constexpr int64_t bytes = 16;
  return std::max<int64_t>(1, ceilDiv(cores * blocks * bytes, tile));
}

bool endsWithinTiles(const TensorRef &in) { return in.height % kSide != 0; }

void shardedMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  GridShape shard = in.shardTiles();
  int64_t tile = 1024 * in.scalar, rows = in.tileRows / shard.rows, batch = images(in);
  int64_t width = in.tiled() ? shard.columns * kSide : in.layout->shard.columns;
  int64_t wide = tilesOfGroup(width, paddedWidth(in) / groupsOf(call));
  // A shard of several images goes through one after the other.
  int64_t high = shard.rows / std::max<int64_t>(1, batch / rows);
  use.buffer("shard", in.rowMajor() ? 2 * shard.volume() : shard.volume(), tile);
  use.buffer("rows that end within tiles", width % kSide != 0 ? 2 * shard.columns : 0, tile);
  use.buffer("scalers and epsilon", 3, kBf16Tile);
  sideBuffers(call, use, shard.columns, wide, false);
  use.buffer("group", high * wide, tile);
  use.buffer("own and common sums", 3, tile);
  use.buffer("sums of all cores", foundTiles(std::max<int64_t>(1, rows / batch), 1, tile), tile);
  use.buffer("ones", 1, kBf16Tile);
  if (endsWithinTiles(in))
    use.buffer("mask of rows", 1 + wide, kBf16Tile);
}

/// In how many blocks the rows of a group are read: by what all cores have of an image, and since October 2026 in two where a group of bf16 is
/// more than the eight tiles that are worked on at once.
int64_t blocksOf(const OpCall &call, const Share &share, int64_t high, int64_t wide) {
  // Figures of the library's own rule.
  constexpr int64_t base = 256 * 256, most = 256, worked = 8;
  const TensorRef &in = call.in[0];
  int64_t volume = in.tileRows * kSide / images(in) * paddedWidth(in);
  int64_t wanted = volume / (base * share.columns * share.rows), blocks = 1;
  while (blocks < wanted && blocks < most)
    blocks *= 2;
  bool splits = answersAsOctober2026(call) && in.dtype() == DataType::BFloat16 && high * wide > worked;
  return std::min(high, std::max<int64_t>(blocks, splits ? 2 : 1));
}

void interleavedMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  std::optional<Share> share = shareOfInterleaved(call);
  if (!share)
    return;
  int64_t tile = 1024 * in.scalar, batch = images(in), width = paddedWidth(in) / share->columns;
  int64_t wide = tilesOfGroup(width, paddedWidth(in) / groupsOf(call));
  int64_t high = in.tileRows / std::max(share->rows, batch), blocks = blocksOf(call, *share, high, wide);
  // Rows of groups that begin within tiles are tilized one row of tiles after the other.
  int64_t group = paddedWidth(in) / groupsOf(call);
  if (in.rowMajor() && group % kSide != 0 && kSide % group != 0)
    blocks = high;
  int64_t block = high / blocks * wide;
  // Rows pass through blocks of their own, and the tiles of a group stay: or they are tilized before, where few cores would do it.
  constexpr int64_t fewCores = 32;
  bool rows = in.rowMajor(), before = rows && share->columns * share->rows <= fewCores;
  if (before) {
    TensorRef tiles = makeTensorRef(*in.desc, nullptr);
    tilizeProgram(call, use, tiles, tile);
    use.make(in.l1() ? call.perCoreInterleaved(tiles) : 0);
    use.program("group_norm");
  }
  use.buffer("operand and result", 3 * block, tile);
  use.buffer("rows of operand and result", rows ? 2 * block : 0, tile);
  use.buffer("tiles of a group", rows && !before ? high * wide : 0, tile);
  use.buffer("scalers and epsilon", 2, tile);
  use.buffer("ones", 1, kBf16Tile);
  sideBuffers(call, use, ceilDiv(width, kSide), wide, endsWithinTiles(in));
  use.buffer("normalised and centred blocks", 4 * block, tile);
  use.buffer("own and common sums", 5, tile);
  use.buffer("sums of all cores", foundTiles(std::max<int64_t>(1, share->rows / batch), blocks, tile), tile);
}

void memory(const OpCall &call, MemoryUse &use) {
  if (!answersAsNewest(call))
    return olderMemory(call, use);
  return call.in[0].sharded() ? shardedMemory(call, use) : interleavedMemory(call, use);
}

// ---- Time -----------------------------------------------------------------------------------------------

/// Every group is summed up over all cores that share its channels, then normalised row of tiles by row.
OpRuntime runtime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  int64_t groups = std::max<int64_t>(1, call.op().integer("num_groups", 1));
  GridShape tiles{ceilDiv(in.tileRows, call.cores()), 0};
  // Of interleaved operands all cores share the rows, and each has all groups in turn.
  int64_t columns = 1, cores = std::min(in.tileRows, call.cores());
  if (in.sharded()) {
    tiles = in.shardTiles();
    columns = std::max<int64_t>(1, ceilDiv(in.tileCols, tiles.columns));
    cores = std::max<int64_t>(1, in.shardCores() / columns);
  }
  int64_t perCore = std::max<int64_t>(1, groups / columns);
  // The figure of a row in DRAM is that of one tile: each further one takes what it takes in L1.
  double tilesOfRow = double(ceilDiv(ceilDiv(in.width, groups), 32));
  double perRow = tilesOfRow * call[P::GroupNormTile];
  if (in.dram())
    perRow += call[P::GroupNormDramRow] - call[P::GroupNormTile];
  Work work;
  work.compute = double(perCore) * double(tiles.rows) * perRow;
  // Before every group the cores that share it wait for each other once; that grows with their number.
  work.start = double(perCore) * (call[P::GroupNormSync] + call[P::GroupNormCore] * double(cores)) /
               clockOf(call.device());
  addDramTraffic(call, work);
  return timeOf(call, work);
}

constexpr llvm::StringRef kOperands[] = {"operand", "mask", "weight", "bias"};
const Family kGroup = {"group_norm", kOperands, kRules, groupOutputs, memory, runtime, neverConfirmed};

const OpRow kRows[] = {{"ttnn.group_norm", &kGroup, 1, 4}};

} // namespace

Rows groupNormRows() { return kRows; }

} // namespace tessera::analytic
