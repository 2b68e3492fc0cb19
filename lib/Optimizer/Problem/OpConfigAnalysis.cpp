//===- OpConfigAnalysis.cpp - Op-specific knobs worth trying --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

Conv2dSearchSpace tessera::searchSpaceOf(const OpSignature &conv2d, Conv2dSearchSpace space) {
  auto keep = [&](llvm::StringRef key, auto &values, auto value) {
    if (conv2d.attribute(key))
      values = {value};
  };
  keep("conv2d_config.act_block_h_override", space.actBlockHOverride,
       conv2d.integer("conv2d_config.act_block_h_override", 0));
  keep("conv2d_config.deallocate_activation", space.deallocateActivation,
       conv2d.boolean("conv2d_config.deallocate_activation", false));
  keep("conv2d_config.reshard_if_not_optimal", space.reshardIfNotOptimal,
       conv2d.boolean("conv2d_config.reshard_if_not_optimal", false));
  return space;
}

bool tessera::isMeaningless(const Conv2dConfig &config) {
  return config.reshardIfNotOptimal.value_or(false) && !config.shardLayout;
}

std::vector<OpSpecificConfig>
tessera::enumerateConv2dConfigs(const Conv2dSearchSpace &space, const TensorLayout &output,
                                const OpSpecificConfig &declared,
                                llvm::function_ref<bool(const Conv2dConfig &)> leaveOut) {
  Conv2dConfig base;
  base.slice = Conv2dConfig::Slice::Backend;
  if (const auto *given = std::get_if<Conv2dConfig>(&declared))
    base = *given;
  Conv2dConfig config = base;
  std::vector<bool> deallocates = {base.deallocateActivation};
  bool inShards = output.isL1() && output.isSharded();
  if (inShards) {
    config.shardLayout = output.memory;
    config.slice = Conv2dConfig::Slice::L1Full;
    config.numSlices = 0;
    deallocates = space.deallocateActivation;
  }
  std::vector<std::optional<bool>> reshards(space.reshardIfNotOptimal.begin(),
                                            space.reshardIfNotOptimal.end());
  if (reshards.empty())
    reshards = {base.reshardIfNotOptimal};
  std::vector<OpSpecificConfig> configs;
  for (int64_t actBlockH : space.actBlockHOverride)
    for (bool deallocate : deallocates)
      for (std::optional<bool> reshard : reshards) {
        config.actBlockHOverride = actBlockH;
        config.deallocateActivation = deallocate;
        config.reshardIfNotOptimal = reshard;
        if (!leaveOut(config))
          configs.push_back(config == base ? OpSpecificConfig() : config);
      }
  return configs;
}

/// The result's extent along the image's height (0) or width (1); 0 if the attributes do not say.
static int64_t resultExtent(const OpSignature &conv2d, size_t side) {
  auto at = [&](llvm::StringRef name, size_t index, int64_t otherwise) {
    llvm::ArrayRef<int64_t> list = conv2d.integers(name);
    return index < list.size() ? list[index] : otherwise;
  };
  int64_t stride = at("stride", side, 1), kernel = at("kernel_size", side, 1),
          reach = at("dilation", side, 1);
  bool fourSided = conv2d.integers("padding").size() == 4; // top, bottom, left, right
  int64_t padding =
      fourSided ? at("padding", 2 * side, 0) + at("padding", 2 * side + 1, 0) : 2 * at("padding", side, 0);
  int64_t input = conv2d.integer(side == 0 ? "input_height" : "input_width", 0);
  return stride > 0 ? (input + padding - reach * (kernel - 1) - 1) / stride + 1 : 0;
}

std::vector<Conv2dConfig> tessera::slicedConv2dConfigs(const OpSignature &conv2d,
                                                       const Conv2dSearchSpace &space,
                                                       const OpSpecificConfig &declared) {
  Conv2dConfig config;
  if (const auto *given = std::get_if<Conv2dConfig>(&declared))
    config = *given;
  config.deallocateActivation = false; // what lies in DRAM is not the op's to free
  const std::pair<Conv2dConfig::Slice, int64_t> sides[] = {
      {Conv2dConfig::Slice::DramHeight, resultExtent(conv2d, 0)},
      {Conv2dConfig::Slice::DramWidth, resultExtent(conv2d, 1)}};
  std::vector<std::optional<MemoryLayout>> kinds = {config.shardLayout};
  if (!config.shardLayout && !conv2d.attribute("conv2d_config.shard_layout"))
    for (MemoryLayout kind :
         {MemoryLayout::HeightSharded, MemoryLayout::BlockSharded, MemoryLayout::WidthSharded})
      kinds.emplace_back(kind);
  std::vector<Conv2dConfig> configs;
  for (int64_t slices = 2; slices <= std::max(sides[0].second, sides[1].second); slices *= 2)
    for (auto [side, extent] : sides)
      for (std::optional<MemoryLayout> kind : kinds)
        for (int64_t actBlockH : space.actBlockHOverride) {
          config.slice = side;
          config.numSlices = slices;
          config.shardLayout = kind;
          config.actBlockHOverride = actBlockH;
          if (slices <= extent)
            configs.push_back(config);
        }
  return configs;
}

namespace {

/// A matmul's extents in tiles; batch dimensions of in0 count as rows.
struct MatmulTiles {
  int64_t m = 1, n = 1, k = 1;
};

std::optional<MatmulTiles> matmulTiles(const OpSignature &matmul, TileShape tile) {
  if (matmul.operands.size() < 2)
    return std::nullopt;
  const Shape &a = matmul.operands[0].tensor.shape, &b = matmul.operands[1].tensor.shape;
  if (a.size() < 2 || b.size() < 2)
    return std::nullopt;
  // One program multiplies every batch of in0 by the same in1.
  if (llvm::any_of(llvm::ArrayRef(b).drop_back(2), [](int64_t extent) { return extent != 1; }))
    return std::nullopt;
  int64_t rows = a[a.size() - 2], inner = a[a.size() - 1];
  if (matmul.boolean("transpose_a", false))
    std::swap(rows, inner);
  int64_t columns = matmul.boolean("transpose_b", false) ? b[b.size() - 2] : b[b.size() - 1];
  MatmulTiles tiles{ceilDiv(rows, tile.height), ceilDiv(columns, tile.width), ceilDiv(inner, tile.width)};
  for (int64_t extent : llvm::ArrayRef(a).drop_back(2))
    tiles.m *= extent;
  if (tiles.m <= 0 || tiles.n <= 0 || tiles.k <= 0)
    return std::nullopt;
  return tiles;
}

int64_t largestDivisorUpTo(int64_t number, int64_t limit) {
  for (int64_t divisor = std::min(number, limit); divisor > 1; --divisor)
    if (number % divisor == 0)
      return divisor;
  return 1;
}

/// Output tiles that the destination registers hold: 8, or 4 with fp32 accumulation, twice that with full
/// synchronisation (facts/ir 4.6; facts/hardware 1.6).
int64_t subblockLimit(const OpSignature &matmul) {
  int64_t limit = 8;
  if (matmul.boolean("compute_config.dst_full_sync_en", false))
    limit *= 2;
  if (matmul.boolean("compute_config.fp32_dest_acc_en", false))
    limit /= 2;
  return limit;
}

MatmulProgramConfig oneDimensional(const MatmulTiles &tiles, int64_t cores, bool mcastIn0) {
  MatmulProgramConfig config;
  config.kind = MatmulProgramConfig::Kind::MultiCast1D;
  config.mcastIn0 = mcastIn0;
  config.perCoreM = mcastIn0 ? tiles.m : ceilDiv(tiles.m, cores);
  config.perCoreN = mcastIn0 ? ceilDiv(tiles.n, cores) : tiles.n;
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
  MatmulProgramConfig config;
  config.kind = MatmulProgramConfig::Kind::MultiCast2D;
  config.perCoreM = ceilDiv(tiles.m, grid.rows);
  config.perCoreN = ceilDiv(tiles.n, grid.columns);
  config.in0BlockW = largestDivisorUpTo(tiles.k, 2);
  return config;
}

MatmulProgramConfig firstConfig(const MatmulTiles &tiles, const TensorLayout &output) {
  GridShape grid = output.grid;
  switch (*output.memory) {
  case MemoryLayout::HeightSharded:
    return oneDimensional(tiles, grid.volume(), /*mcastIn0=*/false);
  case MemoryLayout::BlockSharded:
    if (grid.rows > 1 && grid.columns > 1)
      return twoDimensional(tiles, grid);
    return oneDimensional(tiles, grid.volume(), /*mcastIn0=*/grid.rows == 1);
  default:
    return oneDimensional(tiles, grid.volume(), /*mcastIn0=*/true);
  }
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

/// One block per core, on as few cores as have work. K blocks as wide as double buffers comfortably hold, and narrow.
std::vector<OpSpecificConfig> interleavedConfigs(const OpSignature &matmul, const MatmulTiles &tiles,
                                                 GridShape workers) {
  std::vector<OpSpecificConfig> configs = {std::monostate()};
  auto add = [&](MatmulProgramConfig config, CoreCoord grid) {
    config.grid = grid;
    config.outBlockH = config.perCoreM;
    config.outBlockW = config.perCoreN;
    GridShape subblock = largestSubblock({config.perCoreM, config.perCoreN}, subblockLimit(matmul));
    config.outSubblockH = subblock.rows;
    config.outSubblockW = subblock.columns;
    config.fusedActivation = matmul.string("activation").str();
    int64_t wide = largestDivisorUpTo(tiles.k, 8), narrow = largestDivisorUpTo(tiles.k, 2);
    for (int64_t width : {wide, narrow})
      if (config.in0BlockW = width; !llvm::is_contained(configs, OpSpecificConfig(config)))
        configs.push_back(config);
  };
  MatmulProgramConfig square = twoDimensional(tiles, workers);
  CoreCoord used{ceilDiv(tiles.n, square.perCoreN), ceilDiv(tiles.m, square.perCoreM)};
  // The 2D kernel needs two rows and two columns (facts/hardware 4.1).
  if (used.x >= 2 && used.y >= 2)
    add(square, used);
  add(oneDimensional(tiles, workers.volume(), /*mcastIn0=*/tiles.n >= tiles.m),
      {workers.columns, workers.rows});
  return configs;
}

} // namespace

std::vector<OpSpecificConfig> tessera::enumerateMatmulConfigs(const OpSignature &matmul,
                                                              const TensorLayout &output, GridShape workers) {
  if (!output.isTiled() || (output.isSharded() && !(output.isL1() && output.cores)))
    return {std::monostate()};
  std::optional<MatmulTiles> tiles = matmulTiles(matmul, output.tile);
  if (!output.isSharded())
    return tiles ? interleavedConfigs(matmul, *tiles, workers)
                 : std::vector<OpSpecificConfig>{std::monostate()};
  // No configuration rather than the backend's choice: a sharded result without one hangs for batches, and depends on
  // free L1 otherwise (facts/ir 4.6, facts/formulas 7.4).
  if (!tiles || output.memory == MemoryLayout::NDSharded)
    return {};

  MatmulProgramConfig config = firstConfig(*tiles, output);
  CoreRange box = output.cores->boundingBox();
  config.grid = {box.end.x - box.start.x + 1, box.end.y - box.start.y + 1};
  config.outBlockH = config.perCoreM;
  config.outBlockW = config.perCoreN;
  config.outSubblockH = 1;
  config.outSubblockW = largestDivisorUpTo(config.perCoreN, subblockLimit(matmul));
  config.fusedActivation = matmul.string("activation").str();

  // The first block width is the published choice. Others trade circular-buffer space for fewer blocks.
  std::vector<OpSpecificConfig> configs = {config};
  for (int64_t width : {int64_t(8), int64_t(4), int64_t(2), int64_t(1)})
    if (tiles->k % width == 0 && width != std::get<MatmulProgramConfig>(configs.front()).in0BlockW) {
      config.in0BlockW = width;
      configs.push_back(config);
    }
  return configs;
}

/// Whether the op's own `conv2d_config` lets it make `output`. Absent keys leave it open.
static bool agrees(const OpSignature &conv2d, const TensorLayout &output) {
  llvm::StringRef shards = conv2d.string("conv2d_config.shard_layout"),
                  page = conv2d.string("conv2d_config.output_layout");
  return (shards.empty() || !output.isSharded() || name(*output.memory) == shards) &&
         (page.empty() || name(output.page) == page);
}

std::vector<OpSpecificConfig> tessera::enumerateOpConfigs(const OpSignature &op, const TensorLayout &output,
                                                          const OpSpecificConfig &declared,
                                                          const Conv2dSearchSpace &conv2d,
                                                          GridShape workers) {
  if (op.name == "ttnn.matmul" || op.name == "ttnn.linear")
    return enumerateMatmulConfigs(op, output, workers);
  if (op.name == "ttnn.conv2d" || op.name == "ttnn.conv_transpose2d")
    return agrees(op, output) ? enumerateConv2dConfigs(searchSpaceOf(op, conv2d), output, declared)
                              : std::vector<OpSpecificConfig>();
  return {std::monostate()};
}
