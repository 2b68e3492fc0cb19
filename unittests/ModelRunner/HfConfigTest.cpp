//===- HfConfigTest.cpp - What a config.json may say ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/HfConfig.h"

#include "tessera/Support/Json.h"

#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

class HfConfigTest : public testing::Test {
protected:
  void SetUp() override {
    auto buffer = llvm::MemoryBuffer::getFile(TESSERA_MODELS "/tiny.json");
    ASSERT_TRUE(bool(buffer));
    tiny = *llvm::cantFail(parseJson((*buffer)->getBuffer())).getAsObject();
  }

  /// The small model with one key that has another value; what is wrong with it, or "".
  std::string problem(llvm::StringRef key, json::Value value) {
    json::Object changed = tiny;
    auto [outer, inner] = key.split('.');
    json::Object &place = inner.empty() ? changed : *changed.getObject(outer);
    place[inner.empty() ? outer : inner] = std::move(value);
    llvm::Expected<HfConfig> read = readHfConfig(std::move(changed));
    if (!read)
      return llvm::toString(read.takeError());
    config = *read;
    return "";
  }

  json::Object tiny;
  HfConfig config;
};

TEST_F(HfConfigTest, OtherMathematicsIsAnError) {
  EXPECT_EQ(problem("scoring_func", "softmax"),
            "'scoring_func' is \"softmax\", and only \"sigmoid\" is supported");
  EXPECT_EQ(problem("topk_method", "greedy"),
            "'topk_method' is \"greedy\", and only \"noaux_tc\" is supported");
  EXPECT_EQ(problem("norm_topk_prob", false), "'norm_topk_prob' is false, and only true is supported");
  EXPECT_EQ(problem("hidden_act", "gelu"), "'hidden_act' is \"gelu\", and only \"silu\" is supported");
  EXPECT_EQ(problem("moe_layer_freq", 2), "'moe_layer_freq' is 2, and only 1 is supported");
  EXPECT_EQ(problem("attention_bias", true), "'attention_bias' is true, and only false is supported");
  EXPECT_EQ(problem("index_topk", 2048), "'index_topk' is 2048, and only null is supported");
  EXPECT_EQ(problem("rope_scaling.type", "linear"),
            "'rope_scaling.type' is \"linear\", and only \"yarn\" is supported");
  EXPECT_EQ(problem("rope_scaling.rope_type", "dynamic"),
            "'rope_scaling.rope_type' is \"dynamic\", and only \"yarn\" is supported");
  for (const char *key : {"scoring_func", "topk_method", "norm_topk_prob", "moe_layer_freq"})
    EXPECT_EQ(problem(key, nullptr), "") << key;
}

TEST_F(HfConfigTest, ErrorsNameTheKey) {
  EXPECT_EQ(problem("q_lora_rank", nullptr),
            "'q_lora_rank' is null, and should be a whole number from 1 to 16777216");
  EXPECT_EQ(problem("n_shared_experts", 0),
            "'n_shared_experts' is 0, and should be a whole number from 1 to 4096");
  EXPECT_EQ(problem("num_hidden_layers", 61000),
            "'num_hidden_layers' is 61000, and should be a whole number from 0 to 1024");
  EXPECT_EQ(problem("vocab_size", 0), "'vocab_size' is 0, and should be a whole number from 1 to 16777216");
  EXPECT_EQ(problem("n_group", 16),
            "'n_routed_experts' should be at least twice 'n_group': the best two of a group count for it; "
            "'num_experts_per_tok' should be at most the experts of 'topk_group' groups");
  EXPECT_EQ(problem("rope_scaling", "yarn"), "'rope_scaling' is \"yarn\", and should be an object");
  EXPECT_EQ(problem("quantization_config", 8), "'quantization_config' is 8, and should be an object");
  for (json::Value block : {json::Value(128), json::Value(json::Array{128}), json::Value(json::Array{128, 0}),
                            json::Value(json::Array{128, int64_t(1) << 40})})
    EXPECT_EQ(problem("quantization_config.weight_block_size", block),
              "'quantization_config.weight_block_size' should be two whole numbers above 0");
  EXPECT_EQ(problem("tie_word_embeddings", 1), "'tie_word_embeddings' is 1, and should be true or false");
  EXPECT_EQ(problem("rms_norm_eps", 0), "'rms_norm_eps' is 0, and should be a number above 0");
}

TEST_F(HfConfigTest, WhatMayBeMissing) {
  EXPECT_EQ(problem("rope_scaling", nullptr), "");
  EXPECT_EQ(config.rope_scaling.factor, 1);
  EXPECT_EQ(problem("quantization_config", nullptr), "");
  EXPECT_EQ(config.blockRows, 128);
  EXPECT_EQ(problem("rope_scaling.mscale_all_dim", 0), "");
  EXPECT_FALSE(config.tieWordEmbeddings);
  EXPECT_EQ(problem("tie_word_embeddings", true), "");
  EXPECT_TRUE(config.tieWordEmbeddings);
}

TEST_F(HfConfigTest, RotaryKeysInOneObject) {
  json::Object rope = *tiny.getObject("rope_scaling");
  rope.erase("type");
  rope["rope_type"] = "yarn";
  rope["rope_theta"] = 50000;
  tiny.erase("rope_theta");
  tiny.erase("rope_scaling");
  EXPECT_EQ(problem("rope_parameters", json::Object(rope)), "");
  EXPECT_EQ(config.rope_theta, 50000);
  EXPECT_EQ(config.rope_scaling.factor, 4);
  rope["rope_type"] = "linear";
  EXPECT_EQ(problem("rope_parameters", std::move(rope)),
            "'rope_parameters.rope_type' is \"linear\", and only \"yarn\" is supported");
  EXPECT_EQ(problem("rope_parameters", json::Object{{"rope_type", "default"}, {"rope_theta", 10000}}), "");
  EXPECT_EQ(config.rope_scaling.factor, 1);
}

TEST_F(HfConfigTest, TheLargestPartOfAMesh) {
  ASSERT_EQ(problem("vocab_size", 512), "");
  EXPECT_EQ(largestMesh(config, {4, 8}),
            (GridShape{2, 4})); // hidden_size has 8 tiles, the experts' inner size 4
  EXPECT_EQ(largestMesh(config, {1, 8}), (GridShape{1, 4}));
  EXPECT_EQ(largestMesh(config, {3, 3}), (GridShape{2, 2}));
  config.kv_lora_rank = 48;
  EXPECT_EQ(largestMesh(config, {4, 8}), std::nullopt);
}

} // namespace
