//===- ModulesTest.cpp - Modules against the reference --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Bounds are those of the published tests (facts/deepseek 3.1).
//
//===----------------------------------------------------------------------===//
#include "TinyModel.h"

#include "tessera/ModelGraph/Ops.h"
#include "tessera/ModelRunner/ConfigHelpers.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

class ModulesTest : public testing::TestWithParam<Setup> {
protected:
  TinyModel &model = TinyModel::on(GetParam().mesh, GetParam().model);
  const Reference &reference = model.reference();
  int64_t hidden = model.hf().hidden_size;

  Rows users(unsigned seed) { return randomRows(kUsersPerRow * model.mesh().rows, hidden, seed); }
  template <class Function>
  std::vector<float> expected(const Rows &x, Function function) {
    Rows rows;
    for (const Row &row : x)
      rows.push_back(function(row));
    return flat(rows);
  }
  void expectClose(const Rows &made, const std::vector<float> &expected, double bound) {
    double pcc = correlation(flat(made), expected);
    EXPECT_GE(pcc, bound);
    RecordProperty("pcc", std::to_string(pcc));
  }
};

TEST_P(ModulesTest, DenseMlp) {
  Rows x = users(1);
  std::vector<float> plain = expected(x, [&](const Row &row) {
    return reference.mlp(row, "model.layers.0.mlp", model.hf().intermediate_size);
  });
  for (Phase phase : {Phase::Decode, Phase::Prefill})
    expectClose(model.run(phase, x,
                          [&](Graph &g, const Tensor &in, const Config &config) {
                            Config mlp = config["mlp_decoder_block"][0]["mlp"];
                            return phase == Phase::Decode ? mlp::forwardDecode(g, in, mlp)
                                                          : mlp::forwardPrefill(g, in, mlp);
                          }),
                plain, 0.975);
}

TEST_P(ModulesTest, DistributedNorm) {
  Rows x = users(2);
  expectClose(model.run(Phase::Decode, x,
                        [](Graph &g, const Tensor &in, const Config &config) {
                          return distributed_rms_norm::forward(g, in, config["norm"]);
                        }),
              expected(x, [&](const Row &row) { return reference.norm(row, "model.norm"); }), 0.999);
}

/// Rows that the columns of the mesh hold together; every device of a mesh row chooses for itself, and all choose alike.
TEST_P(ModulesTest, TheGateChoosesTheReferencesExperts) {
  Rows x = users(4);
  auto gate = [&](Phase phase, bool experts) {
    return model.run(phase, x, [&](Graph &g, const Tensor &in, const Config &config) {
      Config moe = config["moe_decoder_block"][1]["mlp"]["moe"];
      moe_gate::Choice choice = moe_gate::forward(g, op::allGather(g, in, moe["revert_tp"]), moe["moe_gate"]);
      return experts ? choice.experts : choice.weights;
    });
  };
  auto perToken = size_t(model.hf().num_experts_per_tok);
  for (Phase phase : {Phase::Decode, Phase::Prefill}) {
    Rows experts = gate(phase, true), shares = gate(phase, false);
    for (size_t row = 0; row != x.size(); ++row) {
      Reference::Choice plain = reference.gate(x[row], "model.layers.2.mlp");
      std::map<int64_t, float> expected;
      for (auto [expert, share] : llvm::zip_equal(plain.experts, plain.shares))
        expected[expert] = share;
      ASSERT_EQ(experts[row].size(), perToken * size_t(model.mesh().columns));
      for (size_t begin = 0; begin != experts[row].size(); begin += perToken) {
        std::map<int64_t, float> made;
        for (size_t i = begin; i != begin + perToken; ++i)
          made[int64_t(experts[row][i])] = shares[row][i];
        EXPECT_EQ(llvm::to_vector(llvm::make_first_range(made)),
                  llvm::to_vector(llvm::make_first_range(expected)))
            << "token " << row << " on column " << begin / perToken;
        for (auto [expert, share] : made)
          EXPECT_NEAR(share, expected[expert], 1e-4);
      }
    }
  }
}

TEST_P(ModulesTest, Mixture) {
  Rows x = users(3);
  std::vector<float> plain =
      expected(x, [&](const Row &row) { return reference.routed(row, "model.layers.1.mlp"); });
  for (Phase phase : {Phase::Decode, Phase::Prefill})
    expectClose(model.run(phase, x,
                          [&](Graph &g, const Tensor &in, const Config &config) {
                            Config moe = config["moe_decoder_block"][0]["mlp"]["moe"];
                            return phase == Phase::Decode ? moe::forwardDecode(g, in, moe)
                                                          : moe::forwardPrefill(g, in, moe);
                          }),
                plain, 0.98);
}

TEST_P(ModulesTest, EmbeddingAndHead) {
  int64_t vocabulary = model.hf().vocab_size, tokens = kUsersPerRow * model.mesh().rows;
  Rows x = users(8), plain;
  for (int64_t i = 0; i != tokens; ++i)
    plain.push_back(reference.embed(tokenAt(i, vocabulary)));
  for (Phase phase : {Phase::Decode, Phase::Prefill})
    expectClose(model.run(phase, x,
                          [&](Graph &g, const Tensor &, const Config &config) {
                            Tensor ids =
                                g.input("ids", {{1, tokens}, DataType::UInt32}, PageLayout::RowMajor);
                            return embedding::forward(g, ids, config["embedding"]);
                          }),
                flat(plain), 0.98);
  expectClose(model.run(Phase::Decode, x,
                        [](Graph &g, const Tensor &in, const Config &config) {
                          return lm_head::forward(g, in, config["lm_head"]);
                        }),
              expected(x, [&](const Row &row) { return reference.head(row); }), 0.98);
}

/// The module brings queries to the latents; the reference makes keys and values of these.
TEST_P(ModulesTest, Attention) {
  Rows x = users(5);
  expectClose(model.run(Phase::Prefill, x,
                        [](Graph &g, const Tensor &in, const Config &config) {
                          return mla2d::forwardPrefill(g, in, config["mlp_decoder_block"][0]["mla"],
                                                       rotary_setup::prefillInputs(g));
                        }),
              flat(reference.attention(x, "model.layers.0.self_attn")), 0.99);
}

/// Rows large enough that scores differ: with small ones every position counts alike.
TEST_P(ModulesTest, AttentionDecodesAfterPrefill) {
  int64_t rows = kTile * model.mesh().rows, users = kUsersPerRow / model.mesh().columns;
  Rows sequence = randomRows(rows, hidden, 9, /*deviation=*/64);
  auto attend = [&](Phase phase, const Rows &x) {
    return model.run(phase, x, [&](Graph &g, const Tensor &in, const Config &config) {
      Config mla = config["mlp_decoder_block"][0]["mla"];
      return phase == Phase::Prefill ? mla2d::forwardPrefill(g, in, mla, rotary_setup::prefillInputs(g))
                                     : mla2d::forwardDecode(g, in, mla, rotary_setup::decodeInputs(g));
    });
  };
  expectClose(attend(Phase::Prefill, sequence),
              flat(reference.attention(sequence, "model.layers.0.self_attn")), 0.99);
  for (unsigned step : {0, 1}) {
    model.position = rows + step;
    Rows next = randomRows(kUsersPerRow * model.mesh().rows, hidden, 10 + step, 64);
    sequence.push_back(next[0]);
    for (size_t user = 0; user < next.size();
         user += size_t(users)) // the first of each device has the prefilled cache
      next[user] = next[0];
    Row expected = reference.attention(sequence, "model.layers.0.self_attn").back();
    Rows made = attend(Phase::Decode, next);
    for (size_t user = 0; user < made.size(); user += size_t(users))
      EXPECT_GE(correlation(made[user], expected), 0.99) << "step " << step << ", user " << user;
  }
}

TEST_P(ModulesTest, Blocks) {
  Rows x = users(6);
  for (int64_t layer : {0, 1})
    expectClose(model.run(Phase::Prefill, x,
                          [&](Graph &g, const Tensor &in, const Config &config) {
                            Config block = config[layer ? "moe_decoder_block" : "mlp_decoder_block"][0];
                            return decoder_block::forwardPrefill(g, in, block, rotary_setup::prefillInputs(g),
                                                                 layer != 0);
                          }),
                flat(reference.block(x, layer)), 0.9899);
}

INSTANTIATE_TEST_SUITE_P(Setups, ModulesTest, testing::ValuesIn(kSetups), setupName);

/// More rows than a matmul takes at a time are cut, and the last part is filled up.
TEST(LongPrefillTest, Attention) {
  TinyModel &model = TinyModel::on({1, 1}, "one_head");
  static constexpr int64_t kChunk = 8 * kPrefillRows; // of the output's projection
  Rows x = randomRows(kChunk + 32, model.hf().hidden_size, 7, 64);
  Rows made = model.run(Phase::Prefill, x, [](Graph &g, const Tensor &in, const Config &config) {
    Config mla = config["mlp_decoder_block"][0]["mla"];
    EXPECT_EQ(mla["mla1d"]["max_rows"].as<int64_t>(), kChunk);
    return mla2d::forwardPrefill(g, in, mla, rotary_setup::prefillInputs(g));
  });
  EXPECT_GE(correlation(flat(made), flat(model.reference().attention(x, "model.layers.0.self_attn"))), 0.99);
}

TEST(LongPrefillTest, DenseMlp) {
  TinyModel &model = TinyModel::on({1, 1});
  Rows x = randomRows(kPrefillRows + 32, model.hf().hidden_size, 7), plain;
  for (const Row &row : x)
    plain.push_back(model.reference().mlp(row, "model.layers.0.mlp", model.hf().intermediate_size));
  Rows made = model.run(Phase::Prefill, x, [](Graph &g, const Tensor &in, const Config &config) {
    return mlp::forwardPrefill(g, in, config["mlp_decoder_block"][0]["mlp"]);
  });
  EXPECT_GE(correlation(flat(made), flat(plain)), 0.975);
}

} // namespace
