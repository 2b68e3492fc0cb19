//===- ReferenceTest.cpp - The reference against PyTorch ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Reference.h"

#include "tessera/Support/Json.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

/// What PyTorch computed.
class ReferenceTest : public testing::Test {
protected:
  void SetUp() override {
    auto buffer = llvm::MemoryBuffer::getFile(TESSERA_REFERENCE);
    ASSERT_TRUE(bool(buffer));
    llvm::Expected<json::Value> value = parseJson((*buffer)->getBuffer());
    ASSERT_TRUE(bool(value));
    file = std::move(*value->getAsObject());
    llvm::Expected<HfConfig> read = readHfConfig(*file.get("config"));
    ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
    hf = *read;
    reference.emplace(hf, [&](const std::string &name, int64_t count) {
      int64_t columns = columnsOf(name);
      return namedWeights(name, columns == count ? 1 : count / columns, columns);
    });
    for (int64_t i = 0; i != 6; ++i) {
      Row all = namedWeights("x", 6, hf.hidden_size);
      x.emplace_back(all.begin() + i * hf.hidden_size, all.begin() + (i + 1) * hf.hidden_size);
    }
  }

  /// Elements of a row of a matrix, which scale its weights; of a vector all.
  int64_t columnsOf(llvm::StringRef name) const {
    int64_t inner = name.contains("experts") ? hf.moe_intermediate_size : hf.intermediate_size;
    if (name.contains("q_b_proj") || name.contains("q_a_layernorm"))
      return hf.q_lora_rank;
    if (name.contains("kv_b_proj") || name.contains("kv_a_layernorm"))
      return hf.kv_lora_rank;
    if (name.contains("o_proj"))
      return hf.num_attention_heads * hf.v_head_dim;
    if (name.contains("e_score_correction_bias"))
      return hf.n_routed_experts;
    return name.contains("down_proj") ? inner : hf.hidden_size;
  }

  void expectNear(llvm::StringRef name, const std::vector<float> &made, double bound = 2e-5) {
    const json::Array *expected = file.getArray(name);
    ASSERT_TRUE(expected);
    ASSERT_EQ(made.size(), expected->size());
    for (size_t i = 0; i != made.size(); ++i)
      ASSERT_NEAR(made[i], *(*expected)[i].getAsNumber(), bound) << name.str() << " " << i;
  }
  template <class Function>
  std::vector<float> ofRows(Function function) {
    Rows rows;
    for (const Row &row : x)
      rows.push_back(function(row));
    return flat(rows);
  }

  json::Object file;
  HfConfig hf;
  std::optional<Reference> reference;
  Rows x;
};

TEST_F(ReferenceTest, FeedForward) {
  expectNear("norm", ofRows([&](const Row &row) { return reference->norm(row, "model.norm"); }));
  expectNear("mlp", ofRows([&](const Row &row) {
               return reference->mlp(row, "model.layers.0.mlp", hf.intermediate_size);
             }));
  expectNear("shares",
             ofRows([&](const Row &row) { return reference->gate(row, "model.layers.1.mlp").shares; }));
  expectNear("experts", ofRows([&](const Row &row) {
               std::vector<int64_t> experts = reference->gate(row, "model.layers.1.mlp").experts;
               return Row(experts.begin(), experts.end());
             }),
             0);
  expectNear("moe", ofRows([&](const Row &row) { return reference->moe(row, "model.layers.1.mlp"); }));
}

TEST_F(ReferenceTest, Attention) {
  std::string prefix = "model.layers.0.self_attn";
  Rows kv, pe;
  for (size_t i = 0; i != x.size(); ++i) {
    Reference::Latent latent = reference->latent(x[i], prefix, int64_t(i));
    kv.push_back(latent.kv);
    pe.push_back(latent.pe);
  }
  expectNear("latent", flat(kv));
  expectNear("rotated", flat(pe));
  expectNear("attention", flat(reference->attention(x, prefix)));
  // Bringing queries to the latents or latents to the queries comes to the same.
  expectNear("attention", flat(reference->absorbedAttention(x, prefix)));
}

TEST_F(ReferenceTest, Model) {
  expectNear("dense_block", flat(reference->block(x, 0)));
  expectNear("moe_block", flat(reference->block(x, 1)));
  std::vector<int64_t> ids;
  for (const json::Value &id : *file.getArray("ids"))
    ids.push_back(*id.getAsInteger());
  expectNear("logits", flat(reference->logits(ids)), 1e-4);
}

} // namespace
