//===- WholeModel.cpp - Embedding, head, blocks and the model -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Embedding, blocks and head put together, for both modes by the same code:
// what the modes differ in are the functions of the parts (Forward) and the
// entries that the config has. A reshard that a mode's config does not have
// does nothing.
//
//===----------------------------------------------------------------------===//
#include "ForwardParts.h"

#include "tessera/ModelRunner/ConfigHelpers.h"

using namespace tessera;
using namespace tessera::runner;

Tensor embedding::forward(Graph &g, const Tensor &ids, const Config &config) {
  Tensor table = g.weight(*config["embedding"].as<EmbeddingConfig>().weight);
  g.name(config["embedding"].name());
  Tensor rows = op::embedding(g, ids, table);
  rows = op::reshape(g, rows, {1, 1, rows.extent(1), rows.extent(2)});
  rows = op::typecast(g, rows, *config["typecast"].as<TypecastConfig>().dtype);
  Tensor all = op::allGather(g, rows, config["all_gather"]);
  // Each mesh row takes its users, or its part of the sequence.
  g.name(config["output_memory_config"].name());
  return op::meshPartition(g, all, 2, 0);
}

Tensor lm_head::forward(Graph &g, const Tensor &x, const Config &config) {
  Tensor whole = op::allGather(g, x, config["all_gather"]);
  auto head = [&](const Tensor &rows) { return op::linear(g, rows, config["linear"]); };
  return config.has("max_rows") ? inChunks(g, whole, config["max_rows"].as<int64_t>(), head) : head(whole);
}

namespace {

/// The functions of a mode.
struct Forward {
  Tensor (*mla)(Graph &, const Tensor &, const Config &, const AttentionInputs &);
  Tensor (*mlp)(Graph &, const Tensor &, const Config &);
  Tensor (*moe)(Graph &, const Tensor &, const Config &);
};
constexpr Forward kPrefill{mla2d::forwardPrefill, mlp::forwardPrefill, moe::forwardPrefill},
    kDecode{mla2d::forwardDecode, mlp::forwardDecode, moe::forwardDecode};

Tensor block(Graph &g, const Tensor &x, const Config &config, const AttentionInputs &inputs, bool moe,
             const Forward &forward) {
  // The residual stream lies where norms and MLP are entered from.
  auto stream = config["mlp_reshard"].find<ReshardConfig>();
  std::optional<MemoryConfig> residual = stream ? *stream->memory_config : std::optional<MemoryConfig>();
  auto plus = [&](const Tensor &a, const Tensor &b) {
    g.name(config.name() + ".residual");
    return g.placed(op::binary(g, "add", a, b), residual);
  };
  Tensor normed =
      distributed_rms_norm::forward(g, op::reshard(g, x, config["mla_norm_reshard"]), config["mla_norm"]);
  normed = op::reshard(g, normed, config["mla_reshard"]);
  Tensor attended = plus(x, forward.mla(g, normed, config["mla"], inputs));
  normed = distributed_rms_norm::forward(g, op::reshard(g, attended, config["mlp_norm_reshard"]),
                                         config["mlp_norm"]);
  normed = op::reshard(g, normed, config["mlp_reshard"]);
  if (!moe)
    return plus(attended, forward.mlp(g, normed, config["mlp"]));
  Tensor mixed = forward.moe(g, normed, config["mlp"]["moe"]);
  return plus(attended, plus(mixed, forward.mlp(g, normed, config["mlp"]["shared_experts"])));
}

Tensor whole(Graph &g, const Tensor &ids, const Config &config, const AttentionInputs &inputs,
             const Forward &forward) {
  const HfConfig &hf = g.target().hf;
  Tensor x = embedding::forward(g, ids, config["embedding"]);
  for (int64_t layer = 0; layer != hf.denseLayers(); ++layer)
    x = block(g, x, config["mlp_decoder_block"][size_t(layer)], inputs, false, forward);
  for (int64_t layer = 0; layer != hf.moeLayers(); ++layer)
    x = block(g, x, config["moe_decoder_block"][size_t(layer)], inputs, true, forward);
  return lm_head::forward(g, distributed_rms_norm::forward(g, x, config["norm"]), config["lm_head"]);
}

} // namespace

Tensor decoder_block::forwardPrefill(Graph &g, const Tensor &x, const Config &config,
                                     const AttentionInputs &inputs, bool moe) {
  return block(g, x, config, inputs, moe, kPrefill);
}
Tensor decoder_block::forwardDecode(Graph &g, const Tensor &x, const Config &config,
                                    const AttentionInputs &inputs, bool moe) {
  return block(g, x, config, inputs, moe, kDecode);
}

Tensor model::forwardPrefill(Graph &g, const Tensor &ids, const Config &config) {
  return whole(g, ids, config, rotary_setup::prefillInputs(g), kPrefill);
}
Tensor model::forwardDecode(Graph &g, const Tensor &ids, const Config &config) {
  return whole(g, ids, config, rotary_setup::decodeInputs(g), kDecode);
}
