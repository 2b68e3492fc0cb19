//===- Attention.cpp - Norms and multi-head latent attention --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Forward functions of norms and of multi-head latent attention: calls of ops,
// in the order of facts/deepseek 2.2, that put a program together. Where the
// dialect has one op for what the published code does in several (a distributed
// norm), or several for one (the all-to-all of queries), the result is the same
// and the difference is said beside it. Shapes are those of one device: 1 x 1 x
// rows x width where rows are tokens, 1 x heads x rows x width inside of
// attention.
//
//===----------------------------------------------------------------------===//
#include "ForwardParts.h"

#include "tessera/ModelRunner/ConfigHelpers.h"

using namespace tessera;
using namespace tessera::runner;

// ---- Norms -----------------------------------------------------------------------------------------------

Tensor rms_norm::forward(Graph &g, const Tensor &x, const Config &config) {
  return op::rmsNorm(g, op::reshard(g, x, config["input_memory_config"]), config["rms_norm"]);
}

Tensor distributed_rms_norm::forward(Graph &g, const Tensor &x, const Config &config) {
  // Statistics, their exchange and the norm are one op of the dialect; the config has an entry for each.
  Tensor input = op::reshard(g, x, config["input_memory_config"]);
  Tensor made = op::distributedRmsNorm(g, input, config["rms_norm_post_all_gather"], config["all_gather"]);
  return op::reshard(g, made, config["output_memory_config"]);
}

// ---- Rotary embedding ------------------------------------------------------------------------------------

namespace {

constexpr DataType kRotaryType = DataType::BFloat16;

Tensor rotation(Graph &g) { return g.input("rotation", {{1, 1, kTile, kTile}, kRotaryType}); }

int64_t blocksPerUser(const Target &target) { return ceilDiv(target.positionsPerUser(), kTile); }

} // namespace

AttentionInputs rotary_setup::decodeInputs(Graph &g) {
  const Target &target = g.target();
  // Caches are cut by users over the columns of the mesh.
  int64_t width = target.hf.qk_rope_head_dim, users = kUsersPerRow / target.columns();
  Tensor ids = g.input("position_ids", {{1, kUsersPerRow}, DataType::UInt32}, PageLayout::RowMajor);
  auto rows = [&](llvm::StringRef name) {
    g.name(("rotary_setup." + name).str());
    Tensor table = g.input(name, {{target.positionsPerUser(), width}, kRotaryType}, PageLayout::RowMajor);
    return op::reshape(g, op::embedding(g, ids, table), {1, 1, kUsersPerRow, width});
  };
  Tensor cos = rows("cos"), sin = rows("sin");
  auto ofUsers = [&](llvm::StringRef name, Shape shape) {
    // Signed, as a position of -1 stands for no user (Generator.cpp).
    return g.input(name, {std::move(shape), DataType::Int32}, PageLayout::RowMajor);
  };
  Tensor table = ofUsers("page_table", {users, blocksPerUser(target)});
  return {cos, sin, rotation(g), table, ofUsers("positions", {users})};
}

AttentionInputs rotary_setup::prefillInputs(Graph &g) {
  const Target &target = g.target();
  // Rows of all mesh rows: each device attends with the whole sequence (mla2d), and its table of pages is that of the
  // one user.
  TensorDesc rows{{1, 1, target.sequenceLength * target.mesh.rows, target.hf.qk_rope_head_dim}, kRotaryType};
  Tensor cos = g.input("cos", rows), sin = g.input("sin", rows);
  return {cos, sin, rotation(g),
          g.input("page_table", {{1, blocksPerUser(target)}, DataType::Int32}, PageLayout::RowMajor)};
}

// ---- Attention -------------------------------------------------------------------------------------------

namespace {

/// Of each row: the queries of the device's heads, 1 x heads x rows x D, and what the cache keeps, 1 x 1 x rows x D.
/// Queries are brought to the latent space of the keys ("absorbed", facts/deepseek 4.2).
struct Latents {
  Tensor queries, kvpe;
};

Latents project(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs) {
  const HfConfig &hf = g.target().hf;
  int64_t rows = x.extent(2), heads = hf.num_attention_heads / g.target().columns();
  Tensor down = op::allGather(g, op::linear(g, x, config["wq_kv_a"]), config["wq_kv_a_all_gather"]);
  g.name(config["wq_kv_a_reduce"].name());
  if (down.extent(1) > 1) // a part of the sum from each device
    down = op::sum(g, down, 1);
  int64_t latent = hf.q_lora_rank + hf.kv_lora_rank;
  // The fused projection's columns: queries' latents, keys' latents, and the part of the key that is rotated, which all
  // heads share.
  Tensor q = op::slice(g, down, 3, 0, hf.q_lora_rank), kv = op::slice(g, down, 3, hf.q_lora_rank, latent),
         pe = op::slice(g, down, 3, latent, latent + hf.qk_rope_head_dim);

  q = op::linear(g, rms_norm::forward(g, q, config["q_norm"]), config["wq_b"]);
  q = op::permute(g, op::reshape(g, q, {1, rows, heads, hf.qkHeadDim()}), {0, 2, 1, 3});
  Tensor nope = op::linear(g, op::slice(g, q, 3, 0, hf.qk_nope_head_dim), config["wkv_b1"]);
  auto rotated = [&](const Tensor &part, llvm::StringRef name) {
    g.name(config[name].name());
    return op::rotaryEmbedding(g, part, inputs.cos, inputs.sin, inputs.rotation);
  };
  Tensor queryPe = rotated(op::slice(g, q, 3, hf.qk_nope_head_dim, hf.qkHeadDim()), "q_rope");
  Tensor queries = op::concat(g, {nope, queryPe}, 3);
  Tensor keys = rms_norm::forward(g, kv, config["kv_norm"]);
  return {queries, op::concat(g, {keys, rotated(pe, "kv_rope")}, 3)};
}

/// Latents of all heads, 1 x heads x rows x D, to their values, 1 x rows x heads x D.
Tensor upProject(Graph &g, const Tensor &latents, const Config &config) {
  return op::permute(g, op::linear(g, latents, config["wkv_b2"]), {0, 2, 1, 3});
}

/// All heads of a row side by side, 1 x 1 x rows x (heads * width), times the output projection, whose columns are cut
/// over the mesh's: the result is the device's part of the residual stream, and nothing has to be summed.
Tensor output(Graph &g, const Tensor &heads, const Config &config) {
  Tensor joined = op::reshape(g, heads, {1, 1, heads.extent(1), heads.extent(2) * heads.extent(3)});
  return op::linear(g, joined, config["wo"]);
}

op::FlashMla attentionOf(const Config &config) {
  return {config["head_dim_v"].as<int64_t>(), config["scale"].as<double>(),
          config["program_config"].find<SDPAProgramConfig>(), config["memory_config"].find<MemoryConfig>()};
}

} // namespace

Tensor mla1d::forwardPrefill(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs) {
  Latents latents = project(g, x, config, inputs);
  Tensor cache = g.cache(config["kvpe_cache"]);
  g.name(config["kvpe_typecast"].name());
  op::pagedFillCache(g, cache, op::typecast(g, latents.kvpe, cache.type()), inputs.pageTable);
  g.name(config["flash_mla"].name());
  Tensor values = op::flashMlaPrefill(g, latents.queries, latents.kvpe, attentionOf(config["flash_mla"]));
  values = op::allGather(g, values, config["heads_all_gather"]);
  Tensor heads = upProject(g, values, config);
  std::vector<Tensor> chunks;
  // The output projection has as many columns as the hidden size, so a long sequence goes through it in pieces.
  int64_t most = config["max_rows"].as<int64_t>(), rows = heads.extent(1);
  for (int64_t begin = 0; begin < rows; begin += most)
    chunks.push_back(output(g, op::slice(g, heads, 1, begin, std::min(begin + most, rows)), config));
  return op::concat(g, chunks, 2);
}

Tensor mla1d::forwardDecode(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs) {
  Latents latents = project(g, x, config, inputs);
  // Queries are cut by heads, caches by users: each device attends for its users with all heads.
  Tensor rows = op::meshPartition(g, op::permute(g, latents.kvpe, {0, 2, 1, 3}), 1, 1);
  Tensor cache = g.cache(config["kvpe_cache"]);
  g.name(config["kvpe_reshard"].name());
  rows = op::reshard(g, op::heightSharded(g, rows, rows.extent(1)), config["kvpe_reshard"]);
  op::pagedUpdateCache(g, cache, rows, inputs.positions, inputs.pageTable);
  g.name(config["q_all_to_all"].name());
  // An all-to-all written as its two halves: every device of the row gets all heads of all users and keeps its own
  // users'.
  Tensor queries = op::allGather(g, op::permute(g, latents.queries, {0, 2, 1, 3}), 2, 1);
  queries = op::meshPartition(g, queries, 1, 1);
  // The kernel attends with the heads of one shard at a time.
  g.name(config["flash_mla_reshard"].name());
  queries = op::heightSharded(g, queries, mla1d::queryCores(g.target()));
  queries = op::reshard(g, queries, config["flash_mla_reshard"]);
  g.name(config["flash_mla"].name());
  Tensor values = op::flashMlaDecode(g, queries, cache, inputs.pageTable, inputs.positions,
                                     attentionOf(config["flash_mla"]));
  values = op::permute(g, values, {0, 2, 1, 3});
  Tensor made = upProject(g, values, config);
  made = output(g, op::allGather(g, made, config["heads_all_gather"]), config);
  return op::reshard(g, made, config["output_memory_config"]);
}

Tensor mla2d::forwardPrefill(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs) {
  Tensor sequence = op::allGather(g, x, config["seq_ag_prefill"]);
  Tensor made = mla1d::forwardPrefill(g, sequence, config["mla1d"], inputs);
  // All mesh rows have computed the same; each keeps its part. The published code scatters the sum and divides it.
  g.name(config["seq_rs_prefill"].name());
  return op::meshPartition(g, made, 2, 0);
}

Tensor mla2d::forwardDecode(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs) {
  return mla1d::forwardDecode(g, x, config["mla1d"], inputs);
}
