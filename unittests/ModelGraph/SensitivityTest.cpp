//===- SensitivityTest.cpp - Other weights are seen -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A gate proves nothing unless it closes. The model is compared with references
// that have one layer, one expert or one head of another checkpoint: the right
// one passes, and no other does.
//
//===----------------------------------------------------------------------===//
#include "TinyModel.h"

#include "tessera/ModelGraph/Logits.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

/// Which elements of a tensor, of `count`, are another's: [begin, end).
using Others = std::function<std::pair<int64_t, int64_t>(llvm::StringRef name, int64_t count)>;

class SensitivityTest : public testing::Test {
protected:
  TinyModel &model = TinyModel::even({1, 2});
  TinyModel &other = TinyModel::even({1, 2}, 6);
  const HfConfig &hf = model.hf();

  Reference mixed(const Others &others) {
    return Reference(hf, [this, others](const std::string &name, int64_t count) {
      Row mine = model.tensor(name), foreign = other.tensor(name);
      auto [begin, end] = others(name, count);
      std::copy(foreign.begin() + begin, foreign.begin() + end, mine.begin() + begin);
      return mine;
    });
  }
  /// All of the tensors whose names begin so.
  static Others allOf(const std::string &prefix) {
    return [prefix](llvm::StringRef name, int64_t count) {
      return name.starts_with(prefix) ? std::pair(int64_t(0), count) : std::pair(int64_t(0), int64_t(0));
    };
  }
};

/// Of several prompts, as one token that chooses another expert does not make another model.
TEST_F(SensitivityTest, ALayerOfAnotherModelIsSeenInLogits) {
  GeneratorOptions options;
  options.board = model.board();
  llvm::Expected<Generator> g = Generator::make(model.context(), options, model.weights());
  ASSERT_TRUE(bool(g));
  const std::vector<std::vector<int64_t>> prompts{
      {3, 41, 59, 26, 5}, {100, 7}, {8, 9, 10, 400}, {511, 0, 77}};
  std::vector<float> logits;
  for (const std::vector<int64_t> &prompt : prompts) {
    llvm::Expected<std::vector<float>> last = g->prefill(0, prompt);
    ASSERT_TRUE(bool(last));
    llvm::append_range(logits, *last);
  }
  auto near = [&](const Reference &reference) {
    std::vector<float> expected;
    for (const std::vector<int64_t> &prompt : prompts)
      llvm::append_range(expected, reference.logits(prompt).back());
    return correlation(logits, expected);
  };
  double right = near(model.reference());
  RecordProperty("right", std::to_string(right));
  EXPECT_GE(right, 0.9);
  for (int64_t layer = 0; layer != hf.num_hidden_layers; ++layer)
    EXPECT_LT(near(mixed(allOf("model.layers." + std::to_string(layer) + "."))), right - 0.1)
        << "layer " << layer;
}

TEST_F(SensitivityTest, AnExpertOfAnotherModelIsSeenInItsMixture) {
  Rows x = randomRows(128, hf.hidden_size, 3);
  std::vector<float> made =
      flat(model.run(Phase::Prefill, x, [](Graph &g, const Tensor &in, const Config &config) {
        return moe::forwardPrefill(g, in, config["moe_decoder_block"][1]["mlp"]["moe"]);
      }));
  auto near = [&](const Reference &reference) {
    Rows rows;
    for (const Row &row : x)
      rows.push_back(reference.routed(row, "model.layers.2.mlp"));
    return correlation(made, flat(rows));
  };
  double right = near(model.reference());
  EXPECT_GE(right, 0.98);
  for (int64_t expert = 0; expert != hf.n_routed_experts; ++expert)
    EXPECT_LT(near(mixed(allOf("model.layers.2.mlp.experts." + std::to_string(expert) + "."))), right - 0.01)
        << "expert " << expert;
}

TEST_F(SensitivityTest, AHeadOfAnotherModelIsSeenInItsAttention) {
  Rows x = randomRows(32, hf.hidden_size, 4);
  std::vector<float> made =
      flat(model.run(Phase::Prefill, x, [](Graph &g, const Tensor &in, const Config &config) {
        return mla2d::forwardPrefill(g, in, config["moe_decoder_block"][0]["mla"],
                                     rotary_setup::prefillInputs(g));
      }));
  auto near = [&](const Reference &reference) {
    return correlation(made, flat(reference.attention(x, "model.layers.1.self_attn")));
  };
  double right = near(model.reference());
  EXPECT_GE(right, 0.99);
  for (const char *part : {"q_b_proj", "kv_b_proj"})
    for (int64_t head = 0; head != hf.num_attention_heads; ++head)
      EXPECT_LT(near(mixed([&](llvm::StringRef name, int64_t count) {
                  bool own =
                      name.contains(part) && name.starts_with("model.layers.1.") && !name.contains("scale");
                  int64_t size = own ? count / hf.num_attention_heads : 0;
                  return std::pair(head * size, head * size + size);
                })),
                right - 0.01)
          << part << " of head " << head;
}

/// Each part of each layer adds a tenth of the residual stream or more, and none drowns the others.
TEST_F(SensitivityTest, EveryPartCarriesItsShare) {
  Rows x;
  for (int64_t token = 0; token != 16; ++token)
    x.push_back(model.reference().embed(token * 29));
  auto power = [](const Rows &rows) {
    double sum = 0;
    for (float value : flat(rows))
      sum += double(value) * value;
    return sum;
  };
  for (int64_t layer = 0; layer != hf.num_hidden_layers; ++layer) {
    Rows next = model.reference().block(x, layer), added = next;
    for (size_t i = 0; i != x.size(); ++i)
      for (size_t j = 0; j != x[i].size(); ++j)
        added[i][j] -= x[i][j];
    double share = power(added) / power(next);
    EXPECT_GT(share, 0.1) << "layer " << layer;
    EXPECT_LT(share, 0.9) << "layer " << layer;
    x = next;
  }
}

TEST(LogitsTest, ComparesRowsUpToTheFirstOtherToken) {
  std::vector<float> a{1, 2, 3, 9, 2, 3, 1, 2, 3}, b{1, 2, 3, 1, 2, 3, 3, 2, 1};
  LogitsComparison made = compareLogits(a, b, 1, 3, 3);
  EXPECT_EQ(made.rows, 2);
  EXPECT_EQ(made.sameToken, 1);
  EXPECT_LT(made.leastCorrelation, 0);
  EXPECT_EQ(compareLogits(a, a, 1, 3, 3).divergence, 0);
  // KL of (1/2, 1/2) from (1/4, 3/4): ln(2) / 2 + ln(2/3) / 2
  EXPECT_NEAR(compareRow({0.0f, 0.0f}, {0.0f, 1.0986123f}).divergence, 0.1438410, 1e-6);
}

} // namespace
