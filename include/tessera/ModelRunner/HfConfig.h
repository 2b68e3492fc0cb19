//===- HfConfig.h - A checkpoint's config.json ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_HFCONFIG_H
#define TESSERA_MODELRUNNER_HFCONFIG_H

#include "tessera/ModelRunner/Reflection.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace tessera::runner {

/// YaRN's parameters (facts/deepseek 4.2).
struct RopeScaling {
  double factor = 1, beta_fast = 32, beta_slow = 1, mscale = 1, mscale_all_dim = 1;
  int64_t original_max_position_embeddings = 0;
  TESSERA_FIELDS(factor, beta_fast, beta_slow, mscale, mscale_all_dim, original_max_position_embeddings)
};

/// The keys that the model needs, by their names in config.json (facts/deepseek 4.1).
/// For DeepSeek-V3: 61 layers of which 3 are dense, 128 heads, a latent of 512 and 64 rotated dimensions, 256
/// experts in 8 groups of which 4 may be chosen, 8 experts per token (facts/deepseek 4.1).
struct HfConfig {
  int64_t hidden_size = 0, intermediate_size = 0, moe_intermediate_size = 0;
  int64_t num_hidden_layers = 0, first_k_dense_replace = 0;
  int64_t num_attention_heads = 0, q_lora_rank = 0, kv_lora_rank = 0;
  int64_t qk_nope_head_dim = 0, qk_rope_head_dim = 0, v_head_dim = 0;
  int64_t n_routed_experts = 0, n_shared_experts = 0, num_experts_per_tok = 0, n_group = 0, topk_group = 0;
  int64_t vocab_size = 0, max_position_embeddings = 0;
  double routed_scaling_factor = 0, rms_norm_eps = 0, rope_theta = 0;
  TESSERA_FIELDS(hidden_size, intermediate_size, moe_intermediate_size, num_hidden_layers,
                 first_k_dense_replace, num_attention_heads, q_lora_rank, kv_lora_rank, qk_nope_head_dim,
                 qk_rope_head_dim, v_head_dim, n_routed_experts, n_shared_experts, num_experts_per_tok,
                 n_group, topk_group, vocab_size, max_position_embeddings, routed_scaling_factor,
                 rms_norm_eps, rope_theta)
  RopeScaling rope_scaling;
  bool tieWordEmbeddings = false;              ///< the head's weight is that of the embedding
  int64_t blockRows = 128, blockColumns = 128; ///< of fp8 weights, that share a scale

  /// The first ones have an MLP, the others a mixture of experts.
  int64_t denseLayers() const { return first_k_dense_replace; }
  int64_t moeLayers() const { return num_hidden_layers - first_k_dense_replace; }
  /// Of a head's query and key: the part that is not rotated and the one that is.
  int64_t qkHeadDim() const { return qk_nope_head_dim + qk_rope_head_dim; }
  /// What the cache keeps of a token: the latent, and the rotated key that all heads share.
  int64_t kvpeDim() const { return kv_lora_rank + qk_rope_head_dim; }
  int64_t sharedExpertSize() const { return moe_intermediate_size * n_shared_experts; }
};

/// All missing keys and wrong values in one error, values that ask for other mathematics included.
llvm::Expected<HfConfig> readHfConfig(const llvm::json::Value &json);
/// DIR/config.json.
llvm::Expected<HfConfig> readHfFolder(llvm::StringRef folder);

/// Whether the model can be sharded over the mesh: an error that lists what does not divide.
llvm::Error checkMesh(const HfConfig &config, GridShape mesh);

/// The mesh of most devices, with at most so many rows and columns, that the model can be sharded over; of two of one
/// size that with more columns. nullopt if it cannot even be on one device.
std::optional<GridShape> largestMesh(const HfConfig &config, GridShape most);

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_HFCONFIG_H
