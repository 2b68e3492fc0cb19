//===- ModelTest.cpp - The whole model against the reference --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "TinyModel.h"

#include "tessera/ModelRunner/ConfigHelpers.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

class ModelTest : public testing::TestWithParam<Setup> {
protected:
  TinyModel &model = TinyModel::on(GetParam().mesh, GetParam().model);
  std::vector<int64_t> prompt{3, 41, 59, 65, 35, 89, 79, 32, 84, 6, 26, 43, 8, 27};

  Generator generator(const std::string &policy = "") {
    GeneratorOptions options;
    options.board = model.board();
    options.policy = policy;
    options.positions = 96;
    llvm::Expected<Generator> made = Generator::make(model.context(), options, model.weights());
    EXPECT_TRUE(bool(made));
    return std::move(*made);
  }
  static std::vector<float> logitsOf(llvm::Expected<std::vector<float>> logits) {
    EXPECT_TRUE(bool(logits)) << llvm::toString(logits.takeError());
    return logits ? *logits : std::vector<float>();
  }
};

TEST_P(ModelTest, PrefillAndDecodeGiveTheReferencesLogits) {
  Generator g = generator();
  std::vector<int64_t> first(prompt.begin(), prompt.end() - 1);
  Rows plain = model.reference().logits(prompt);
  // A user in the middle of the mesh, so that others' caches stay empty.
  int64_t user = g.users() / 2 + 3;
  std::vector<float> prefilled = logitsOf(g.prefill(user, first));
  EXPECT_GE(correlation(prefilled, plain[first.size() - 1]), 0.97);
  std::vector<Generator::UserToken> tokens(size_t(user) + 1);
  tokens[size_t(user)] = {prompt.back(), int64_t(first.size())};
  llvm::Expected<std::vector<std::vector<float>>> decoded = g.decode(tokens);
  ASSERT_TRUE(bool(decoded)) << llvm::toString(decoded.takeError());
  EXPECT_GE(correlation((*decoded)[size_t(user)], plain.back()), 0.97);
  // Decode after prefill is prefill of the longer prompt.
  Generator whole = generator();
  std::vector<float> atOnce = logitsOf(whole.prefill(0, prompt));
  EXPECT_GE(correlation((*decoded)[size_t(user)], atOnce), 0.999);
  EXPECT_EQ(greedyToken((*decoded)[size_t(user)]), greedyToken(atOnce));
}

TEST_P(ModelTest, TheCacheHoldsTheReferencesLatents) {
  Generator g = generator();
  int64_t user = g.users() - 2;
  logitsOf(g.prefill(user, prompt));
  const HfConfig &hf = model.hf();
  const simulator::MeshTensor &cache = g.caches().at("mlp_decoder_block[0].mla.mla1d.kvpe_cache");
  UserPlace place = g.placeOf(user);
  int64_t blocks = g.target().cachePositions / kTile, width = hf.kvpeDim();
  const simulator::DenseTensor &mine = cache[size_t(place.row * model.mesh().columns + place.column)];
  Rows kv, pe, plainKv, plainPe;
  for (size_t i = 0; i != prompt.size(); ++i) {
    int64_t at = (place.onDevice * blocks * kTile + int64_t(i)) * width;
    Row row(mine.floats.begin() + at, mine.floats.begin() + at + width);
    kv.emplace_back(row.begin(), row.begin() + hf.kv_lora_rank);
    pe.emplace_back(row.begin() + hf.kv_lora_rank, row.end());
    Row normed = model.reference().norm(model.reference().embed(prompt[i]), "model.layers.0.input_layernorm");
    Reference::Latent latent = model.reference().latent(normed, "model.layers.0.self_attn", int64_t(i));
    plainKv.push_back(latent.kv);
    plainPe.push_back(latent.pe);
  }
  EXPECT_GE(correlation(flat(kv), flat(plainKv)), 0.999);
  EXPECT_GE(correlation(flat(pe), flat(plainPe)), 0.999);
  // No other user's blocks were touched.
  for (size_t device = 0; device != cache.size(); ++device)
    for (int64_t block = 0; block != kUsersPerRow / model.mesh().columns * blocks; ++block)
      if (&cache[device] != &mine || block / blocks != place.onDevice)
        for (int64_t i = 0; i != kTile * width; ++i)
          ASSERT_EQ(cache[device].floats[size_t(block * kTile * width + i)], 0) << device << " " << block;
}

TEST_P(ModelTest, OptimizedProgramsGiveTheSameTokens) {
  std::vector<std::vector<int64_t>> made;
  for (const char *policy : {"", "greedy"}) {
    Generator g = generator(policy);
    std::vector<int64_t> tokens{greedyToken(logitsOf(g.prefill(1, prompt)))};
    for (int64_t i = 0; i != 2; ++i) {
      llvm::Expected<std::vector<std::vector<float>>> logits =
          g.decode({{0, -1}, {tokens.back(), int64_t(prompt.size()) + i}});
      ASSERT_TRUE(bool(logits)) << llvm::toString(logits.takeError());
      tokens.push_back(greedyToken((*logits)[1]));
    }
    made.push_back(tokens);
  }
  EXPECT_EQ(made[0], made[1]);
}

/// More heads than a tile has rows lie on several cores.
TEST(ManyHeadsTest, DecodeIsPrefillOfTheLongerPrompt) {
  TinyModel &model = TinyModel::on({1, 2}, "many_heads");
  GeneratorOptions options;
  options.board = model.board();
  std::vector<int64_t> prompt{3, 41, 59, 26, 5};
  llvm::Expected<Generator> g = Generator::make(model.context(), options, model.weights());
  ASSERT_TRUE(bool(g));
  ASSERT_EQ(mla1d::queryCores(g->target()), 32); // 16 users of two tiles of heads
  // The last user of the second column.
  std::vector<Generator::UserToken> tokens(32);
  tokens[31] = {prompt.back(), 4};
  ASSERT_TRUE(bool(g->prefill(31, llvm::ArrayRef(prompt).drop_back())));
  llvm::Expected<std::vector<std::vector<float>>> decoded = g->decode(tokens);
  ASSERT_TRUE(bool(decoded)) << llvm::toString(decoded.takeError());
  EXPECT_GE(correlation((*decoded)[31], model.reference().logits(prompt).back()), 0.97);
  llvm::Expected<std::vector<float>> atOnce = g->prefill(0, prompt);
  ASSERT_TRUE(bool(atOnce));
  EXPECT_GE(correlation((*decoded)[31], *atOnce), 0.999);
}

INSTANTIATE_TEST_SUITE_P(Setups, ModelTest, testing::ValuesIn(kSetups), setupName);

} // namespace
