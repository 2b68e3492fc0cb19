//===- OpConfigAnalysis.cpp - Op-specific knobs worth trying --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"

#include "tessera/Support/WindowPadding.h"

#include <algorithm>

using namespace tessera;

Conv2dSearchSpace tessera::searchSpaceOf(const OpSignature &conv2d, Conv2dSearchSpace space) {
  // What the input says of a knob is kept, as if it were an override: whoever wrote the program may know why.
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

/// Combinations that mean nothing: `reshard_if_not_optimal` without a shard layout.
static bool isMeaningless(const Conv2dConfig &config) {
  return config.reshardIfNotOptimal.value_or(false) && !config.shardLayout;
}

std::vector<OpSpecificConfig> tessera::enumerateConv2dConfigs(const Conv2dSearchSpace &space,
                                                              const TensorLayout &output,
                                                              const OpSpecificConfig &declared) {
  Conv2dConfig base;
  base.slice = Conv2dConfig::Slice::Backend;
  if (const auto *given = std::get_if<Conv2dConfig>(&declared))
    base = *given;
  Conv2dConfig config = base;
  std::vector<bool> deallocates = {base.deallocateActivation};
  bool inShards = output.isL1() && output.isSharded();
  // The kernel reshards its operand if the kinds differ (facts/ir 4.6), so the kind asked for is the result's.
  // L1Full keeps it from slicing, which ends in DRAM whatever was asked for (facts/formulas 11).
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
  // The outermost loop is the knob that counts: 0 leaves the kernel most freedom and comes first (facts/ir
  // 4.6).
  for (int64_t actBlockH : space.actBlockHOverride)
    for (bool deallocate : deallocates)
      for (std::optional<bool> reshard : reshards) {
        config.actBlockHOverride = actBlockH;
        config.deallocateActivation = deallocate;
        config.reshardIfNotOptimal = reshard;
        if (!isMeaningless(config))
          // As declared is written as nothing at all, so that it equals the op's own configuration.
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
  // As windows are counted everywhere: those that fit into the padded image.
  int64_t stride = at("stride", side, 1), kernel = at("kernel_size", side, 1),
          reach = at("dilation", side, 1);
  auto around = WindowPadding::read(conv2d.name, conv2d.integers("padding"));
  int64_t padding = side == 0 ? around.top + around.bottom : around.left + around.right;
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
  // The backend's choice of shards within a slice comes first; the kinds are tried as well unless the program
  // names one.
  std::vector<std::optional<MemoryLayout>> kinds = {config.shardLayout};
  if (!config.shardLayout && !conv2d.attribute("conv2d_config.shard_layout"))
    for (MemoryLayout kind :
         {MemoryLayout::HeightSharded, MemoryLayout::BlockSharded, MemoryLayout::WidthSharded})
      kinds.emplace_back(kind);
  std::vector<Conv2dConfig> configs;
  // By doubling: how many slices are needed depends on buffers that only the op model knows, and each number is
  // a question for it.
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

bool tessera::isAttention(const OpSignature &op) { return op.name == "ttnn.scaled_dot_product_attention"; }

std::vector<OpSpecificConfig> tessera::enumerateAttentionConfigs(const OpSignature &attention,
                                                                 GridShape workers) {
  // Every chunk is padded to its size, so what is longer than all positions only costs L1; one that holds exactly these has
  // no padding at all.
  auto sizesFor = [](int64_t positions) {
    constexpr int64_t kTile = 32, kLongest = 512;
    int64_t whole = (positions + kTile - 1) / kTile * kTile;
    llvm::SmallVector<int64_t, 6> sizes;
    for (int64_t size = kTile; size <= std::min(whole, kLongest); size *= 2)
      sizes.push_back(size);
    if (whole < kLongest && sizes.back() != whole)
      sizes.push_back(whole);
    return sizes;
  };
  // As declared, else the library's own choice: one tile of each needs the least L1 and comes first.
  std::vector<OpSpecificConfig> configs = {std::monostate()};
  if (attention.operands.size() < 2 || attention.operands[0].tensor.shape.size() != 4 ||
      attention.operands[1].tensor.shape.size() != 4)
    return configs;
  for (int64_t queries : sizesFor(attention.operands[0].tensor.shape[2]))
    for (int64_t keys : sizesFor(attention.operands[1].tensor.shape[2]))
      if (queries * keys > 32 * 32)
        configs.push_back(AttentionConfig{{workers.columns, workers.rows}, queries, keys});
  return configs;
}

/// Whether the op's own `conv2d_config` lets it make `output`. Absent keys leave it open.
static bool agrees(const OpSignature &conv2d, const TensorLayout &output) {
  llvm::StringRef shards = conv2d.string("conv2d_config.shard_layout"),
                  page = conv2d.string("conv2d_config.output_layout");
  return (shards.empty() || !output.isSharded() || name(*output.memory) == shards) &&
         (page.empty() || name(output.page) == page);
}

/// What is searched for that result. A height of blocks that the program chose for slices says nothing of the whole, which shards hold.
static Conv2dSearchSpace spaceFor(const OpSignature &conv2d, const TensorLayout &output,
                                  const OpSpecificConfig &declared, const Conv2dSearchSpace &given) {
  Conv2dSearchSpace space = searchSpaceOf(conv2d, given);
  const auto *config = std::get_if<Conv2dConfig>(&declared);
  if (config && output.isL1() && output.isSharded() &&
      (config->slice == Conv2dConfig::Slice::DramHeight || config->slice == Conv2dConfig::Slice::DramWidth))
    space.actBlockHOverride = given.actBlockHOverride;
  return space;
}

std::vector<OpSpecificConfig> tessera::enumerateOpConfigs(const OpSignature &op, const TensorLayout &output,
                                                          const OpSpecificConfig &declared,
                                                          const Conv2dSearchSpace &conv2d,
                                                          GridShape workers) {
  // All other ops are told nothing but where their results go.
  if (isMatmul(op))
    return enumerateMatmulConfigs(op, output, workers);
  if (op.name == "ttnn.conv2d" || op.name == "ttnn.conv_transpose2d")
    return agrees(op, output)
               ? enumerateConv2dConfigs(spaceFor(op, output, declared, conv2d), output, declared)
               : std::vector<OpSpecificConfig>();
  if (isAttention(op))
    return enumerateAttentionConfigs(op, workers);
  return {std::monostate()};
}
