//===- Attention.cpp - Norms and multi-head latent attention --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Configs of norms and of multi-head latent attention, for prefill and for
// decode. What the two modes share is the order of ops; what differs is where
// activations lie. A prefill has many rows and works from DRAM; a decode has
// one row per user, 32 of them, and keeps its activations in L1, sharded so
// that each op finds its operand where it needs it. The keys of a config name
// the ops of facts/deepseek 2.2, in their order.
//
//===----------------------------------------------------------------------===//
#include "ModuleParts.h"

#include <cmath>

using namespace tessera;
using namespace tessera::runner;

// ---- Norms -----------------------------------------------------------------------------------------------

namespace {

/// Of a norm whose whole row lies on every device, so that it needs no statistics of others. Of latents, not of the
/// residual stream, which distributedNorm() is for.
RMSNormConfig normConfig(const Target &target, MemoryConfig memory) {
  RMSNormConfig config;
  config.epsilon = target.hf.rms_norm_eps;
  config.weight = weight(target);
  config.memory_config = std::move(memory);
  config.compute_kernel_config = kLoFi;
  return config;
}

/// Statistics on every device, gathered over the columns, then the norm itself.
Dict distributedNorm(const Target &target, const MemoryConfig &memory, MemoryConfig stats,
                     std::optional<LayerNormShardedMultiCoreProgramConfig> program) {
  RMSNormPreAllGatherConfig pre;
  pre.compute_kernel_config = kHiFi4;
  pre.program_config = program;
  RMSNormPostAllGatherConfig post;
  post.epsilon = target.hf.rms_norm_eps;
  post.weight = weight(target);
  post.memory_config = memory;
  post.program_config = program;
  post.compute_kernel_config = kHiFi4;
  Dict config;
  config["input_memory_config"] = toItem(memory);
  config["rms_norm_pre_all_gather"] = toItem(pre);
  config["all_gather"] = toItem(allGather(target, 3, 1, std::move(stats)));
  config["rms_norm_post_all_gather"] = toItem(post);
  config["output_memory_config"] = toItem(memory);
  return config;
}

} // namespace

Dict rms_norm::prefillModelConfig(const Target &target) {
  Dict config;
  config["rms_norm"] = toItem(normConfig(target, kDram));
  return config;
}

Dict rms_norm::decodeModelConfig(const Target &target, int64_t width, GridShape grid) {
  MemoryConfig memory = widthSharded(kUsersPerRow, width, grid.volume(), grid);
  RMSNormConfig norm = normConfig(target, memory);
  norm.program_config = shardedNorm(kUsersPerRow, width, grid);
  Dict config;
  config["input_memory_config"] = toItem(memory);
  config["rms_norm"] = toItem(norm);
  return config;
}

Dict distributed_rms_norm::prefillModelConfig(const Target &target) {
  return distributedNorm(target, kDram, kDram, std::nullopt);
}

Dict distributed_rms_norm::decodeModelConfig(const Target &target) {
  int64_t width = target.hiddenPerDevice();
  GridShape grid = gridFor(width / kTile);
  MemoryConfig memory = widthSharded(kUsersPerRow, width, grid.volume(), grid);
  // The statistics of each column of the mesh are one tile wide; gathered, they lie side by side on a single core.
  return distributedNorm(target, memory,
                         widthSharded(kUsersPerRow, kTile * target.columns(), 1, target.workerGrid),
                         shardedNorm(kUsersPerRow, width, grid));
}

// ---- Attention -------------------------------------------------------------------------------------------

double mla1d::scale(const HfConfig &hf) {
  double scale = 1 / std::sqrt(double(hf.qkHeadDim()));
  const RopeScaling &rope = hf.rope_scaling;
  if (rope.factor <= 1)
    return scale;
  // YaRN's correction for stretched positions (facts/deepseek 4.2).
  double correction = 0.1 * rope.mscale_all_dim * std::log(rope.factor) + 1;
  return scale * correction * correction;
}

namespace {

PermuteConfig permute(std::vector<int64_t> dims, MemoryConfig memory) {
  return {.dims = std::move(dims), .memory_config = std::move(memory)};
}

/// The down-projection to the latents, summed over the columns: gathered in front, then reduced on each device.
void addDownProjection(Dict &config, const Target &target, Mode mode) {
  MemoryConfig memory = interleaved(mode);
  config["wq_kv_a"] = toItem(linear(target, mode == Mode::Prefill ? kDram : kL1WidthSharded));
  config["wq_kv_a_all_gather"] = toItem(allGather(target, 1, 1, memory));
  Dict reduce;
  // The gather stacks the columns' partial sums along dimension 1.
  reduce["dims"] = Sequence{{Item(1)}};
  reduce["memory_config"] = toItem(memory);
  reduce["compute_kernel_config"] = toItem(kHiFi4);
  config["wq_kv_a_reduce"] = std::move(reduce);
}

Dict attention(const Target &target, SDPAProgramConfig program, const MemoryConfig &memory) {
  Dict config;
  config["head_dim_v"] = target.hf.kv_lora_rank; // attention on latents
  config["scale"] = mla1d::scale(target.hf);
  program.compute_with_storage_grid_size = target.workerGrid;
  config["program_config"] = toItem(program);
  config["compute_kernel_config"] = toItem(kSdpa);
  config["memory_config"] = toItem(memory);
  return config;
}

void addUpProjections(Dict &config, const Target &target, Mode mode) {
  MemoryConfig memory = interleaved(mode);
  for (const char *name : {"wq_b", "wkv_b1", "wkv_b2", "wo"})
    config[name] = toItem(linear(target, memory));
}

} // namespace

int64_t mla1d::queryCores(const Target &target) {
  // Of 128 heads on 8 columns: 4 users, 4 tiles of heads each, so 16 cores with a tile of heads (facts/deepseek 2.2).
  int64_t users = kUsersPerRow / target.columns(), tiles = ceilDiv(target.hf.num_attention_heads, kTile);
  return users * largestDivisor(tiles, std::max<int64_t>(target.workerGrid.volume() / users, 1));
}

Dict mla1d::prefillModelConfig(const Target &target) {
  Dict config;
  config["input_memory_config"] = toItem(kDram);
  addDownProjection(config, target, Mode::Prefill);
  config["q_norm"] = rms_norm::prefillModelConfig(target);
  config["kv_norm"] = rms_norm::prefillModelConfig(target);
  addUpProjections(config, target, Mode::Prefill);
  config["q_permute"] = toItem(permute({0, 2, 1, 3}, kDram));
  // What goes into the cache has its type.
  config["kvpe_typecast"] = toItem(TypecastConfig{.dtype = DataType::BFP_BFloat8, .memory_config = kDram});
  config["flash_mla"] = attention(target, {.q_chunk_size = 128, .k_chunk_size = 128}, kDram);
  config["heads_all_gather"] = toItem(allGather(target, 1, 1, kDram));
  config["output_permute"] = toItem(permute({0, 2, 1, 3}, kDram));
  // The output projection takes that many rows at a time; a longer prefill is cut.
  config["max_rows"] = 8 * kPrefillRows;
  config["output_memory_config"] = toItem(kDram);
  return config;
}

Dict mla1d::decodeModelConfig(const Target &target) {
  const HfConfig &hf = target.hf;
  // Two rows of cores for the queries, two columns for keys and values, as far as the tiles allow.
  // For DeepSeek-V3, 1536 columns of queries are 48 tiles in two rows of 8 cores with 3 tiles each, and 512 of keys and
  // values are 16 tiles on 8 rows of 2 cores with one tile each. Both grids begin at core (0, 0).
  auto halves = [](int64_t tiles) {
    return tiles % 2 ? std::pair(int64_t(1), tiles) : std::pair(int64_t(2), tiles / 2);
  };
  auto [qRows, qHalf] = halves(hf.q_lora_rank / kTile);
  auto [kvColumns, kvHalf] = halves(hf.kv_lora_rank / kTile);
  GridShape qGrid{qRows, largestDivisor(qHalf)}, kvGrid{largestDivisor(kvHalf), kvColumns};
  int64_t users = kUsersPerRow / target.columns();
  Dict config;
  config["input_memory_config"] = toItem(residual(target));
  addDownProjection(config, target, Mode::Decode);
  config["q_norm"] = rms_norm::decodeModelConfig(target, hf.q_lora_rank, qGrid);
  config["kv_norm"] = rms_norm::decodeModelConfig(target, hf.kv_lora_rank, kvGrid);
  config["q_slice"] = toItem(SliceConfig{widthSharded(kUsersPerRow, hf.q_lora_rank, qGrid.volume(), qGrid)});
  config["kv_slice"] =
      toItem(SliceConfig{widthSharded(kUsersPerRow, hf.kv_lora_rank, kvGrid.volume(), kvGrid)});
  config["pe_slice"] = toItem(SliceConfig{kL1});
  addUpProjections(config, target, Mode::Decode);
  config["q_permute"] = toItem(permute({1, 2, 0, 3}, kL1));
  config["kvpe_permute"] = toItem(permute({0, 2, 1, 3}, kL1));
  // One shard for each user: its single position, filled up to a tile.
  config["kvpe_reshard"] =
      toItem(reshard(heightSharded(kTile * users, hf.kvpeDim(), users, target.workerGrid)));
  config["q_all_to_all"] = toItem(AllToAllAsyncGenericConfig{.in_dim = 2,
                                                             .out_dim = 1,
                                                             .cluster_axis = 1,
                                                             .mesh_device = stub(target),
                                                             .topology = Topology::Linear,
                                                             .num_links = 1,
                                                             .memory_config = kL1});
  config["flash_mla_reshard"] = toItem(reshard(heightSharded(
      users * alignUp(hf.num_attention_heads, kTile), hf.kvpeDim(), queryCores(target), target.workerGrid)));
  config["flash_mla"] = attention(target, {.k_chunk_size = 128}, kL1);
  config["heads_all_gather"] = toItem(allGather(target, 1, 1, kL1));
  config["output_permute"] = toItem(permute({0, 2, 1, 3}, kL1));
  config["output_memory_config"] = toItem(residual(target));
  return config;
}

Dict mla2d::prefillModelConfig(const Target &target) {
  Dict config;
  config["mla1d"] = mla1d::prefillModelConfig(target);
  config["seq_ag_prefill"] = toItem(allGather(target, 2, 0, kDram));
  config["seq_rs_prefill"] = toItem(reduceScatter(2, 0, kDram));
  return config;
}

Dict mla2d::decodeModelConfig(const Target &target) {
  Dict config;
  config["mla1d"] = mla1d::decodeModelConfig(target);
  return config;
}
