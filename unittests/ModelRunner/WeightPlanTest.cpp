//===- WeightPlanTest.cpp - The weights of DeepSeek-V3 on a Galaxy --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Expected shapes and sizes: facts/deepseek 2.1.
//
//===----------------------------------------------------------------------===//
#include "WeightWriter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::runner;

namespace {

constexpr const char *kDeepSeek =
    R"({"hidden_size": 7168, "intermediate_size": 18432, "moe_intermediate_size": 2048,
  "num_hidden_layers": 61, "first_k_dense_replace": 3, "num_attention_heads": 128, "q_lora_rank": 1536, "kv_lora_rank": 512,
  "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "n_routed_experts": 256, "n_shared_experts": 1,
  "num_experts_per_tok": 8, "n_group": 8, "topk_group": 4, "routed_scaling_factor": 2.5, "vocab_size": 129280,
  "max_position_embeddings": 163840, "rms_norm_eps": 1e-6, "rope_theta": 10000})";

class WeightPlanTest : public testing::Test {
protected:
  void SetUp() override {
    target.hf = llvm::cantFail(readHfConfig(*llvm::json::parse(kDeepSeek)));
    target.mesh = {4, 8};
    tensors = planWeights(target);
  }

  /// "bfp_bf4 1x7168x2304, shard 7168x192", or "" if there is no such tensor.
  std::string describe(llvm::StringRef tensorName) {
    for (const WeightTensor &tensor : tensors)
      if (tensor.name() == tensorName) {
        TensorHeader header = headerOf(tensor, target.mesh);
        auto shape = [](llvm::ArrayRef<int64_t> extents) {
          return llvm::join(llvm::map_range(extents, [](int64_t extent) { return std::to_string(extent); }),
                            "x");
        };
        std::string text = name(header.type).str() + " " + shape(header.shape);
        return header.memory.shard_spec ? text + ", shard " + shape(header.memory.shard_spec->shape) : text;
      }
    return "";
  }

  uint64_t bytesOf(llvm::StringRef part) {
    uint64_t bytes = 0;
    for (const WeightTensor &tensor : tensors)
      if (llvm::StringRef(tensor.name()).contains(part))
        bytes += fileBytes(tensor, target.mesh);
    return bytes;
  }

  Target target;
  std::vector<WeightTensor> tensors;
};

TEST_F(WeightPlanTest, ShapesPerDevice) {
  EXPECT_EQ(describe("embedding.embedding.weight"), "bf16 1x1x129280x224");
  EXPECT_EQ(describe("norm.rms_norm_post_all_gather.weight"), "bf16 1x1x28x32");
  EXPECT_EQ(describe("lm_head.linear.input_tensor_b"), "bfp_bf4 7168x16160");
  std::string mla = "mlp_decoder_block[2].mla.mla1d.", mlp = "mlp_decoder_block[2].mlp.";
  EXPECT_EQ(describe(mla + "q_norm.rms_norm.weight"), "bf16 1x1x48x32");
  EXPECT_EQ(describe(mla + "kv_norm.rms_norm.weight"), "bf16 1x1x16x32");
  EXPECT_EQ(describe(mla + "wq_kv_a.input_tensor_b"), "bfp_bf8 1x896x2112");
  EXPECT_EQ(describe(mla + "wq_b.input_tensor_b"), "bfp_bf8 1x1536x3072");
  EXPECT_EQ(describe(mla + "wkv_b1.input_tensor_b"), "bfp_bf8 1x16x128x512");
  EXPECT_EQ(describe(mla + "wkv_b2.input_tensor_b"), "bfp_bf8 1x128x512x128");
  EXPECT_EQ(describe(mla + "wo.input_tensor_b"), "bfp_bf8 1x16384x896");
  EXPECT_EQ(describe(mlp + "w1.input_tensor_b"), "bfp_bf4 1x7168x2304, shard 7168x192");
  EXPECT_EQ(describe(mlp + "w2.input_tensor_b"), "bfp_bf4 1x2304x7168, shard 2304x608");
  std::string moe = "moe_decoder_block[57].mlp.moe.", shared = "moe_decoder_block[57].mlp.shared_experts.";
  EXPECT_EQ(describe(shared + "w3.input_tensor_b"), "bfp_bf4 1x7168x256, shard 7168x32");
  EXPECT_EQ(describe(shared + "w2.input_tensor_b"), "bfp_bf4 1x256x7168, shard 256x608");
  EXPECT_EQ(describe(moe + "moe_experts.w1_experts.input_tensor_b"), "bfp_bf4 1x8x7168x2048");
  EXPECT_EQ(describe(moe + "moe_experts.w2_experts.input_tensor_b"), "bfp_bf4 1x8x2048x7168");
  EXPECT_EQ(describe(moe + "moe_experts.w3_experts.input_tensor_b"), "bfp_bf8 1x8x7168x2048");
  EXPECT_EQ(describe(moe + "moe_gate.gate_proj.input_tensor_b"), "bf16 1x1x7168x256");
  EXPECT_EQ(describe(moe + "moe_gate.add_score_correction_bias.input_tensor_b"), "f32 1x1x1x256");
  EXPECT_EQ(describe(moe + "moe_gate.scatter_top_expert_groups.src"), "bf16 1x1x1x4");
  EXPECT_EQ(describe("moe_decoder_block[58].mla_norm.rms_norm_post_all_gather.weight"), "");
}

TEST_F(WeightPlanTest, BytesOnDisk) {
  auto tenthsOfGB = [&](llvm::StringRef part) { return (bytesOf(part) + 50'000'000) / 100'000'000; };
  EXPECT_EQ(tenthsOfGB("moe_experts"), 4768u);
  EXPECT_EQ(tenthsOfGB(".mla."), 121u);
  EXPECT_EQ(tenthsOfGB("embedding"), 19u);
  EXPECT_EQ(tenthsOfGB("lm_head"), 5u);
}

TEST_F(WeightPlanTest, ShardsOfTheEmbeddingGoByColumnsFirst) {
  // Columns of the mesh hold 896 columns of the tensor, and their rows a quarter of that each.
  std::vector<Shard> shards = shardsOf(tensors.front(), target.mesh);
  EXPECT_EQ(shards[1 * 8 + 2].columnBegin, 2 * 896 + 1 * 224); // row 1, column 2
}

} // namespace
