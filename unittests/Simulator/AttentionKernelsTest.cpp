//===- AttentionKernelsTest.cpp - Attention and caches by hand ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

#include <cmath>

using namespace tessera;
using namespace tessera::simulator;

namespace {

using Values = std::vector<double>;
using List = std::vector<int64_t>;

TEST(AttentionKernels, LatentsWithoutElementsAreNone) {
  KernelRun run("ttnn.flash_mla_prefill", {counting({1, 1, 1, 0}), counting({1, 1, 1, 0})});
  run.with("operandSegmentSizes", List{1, 1, 0, 0}).with("head_dim_v", int64_t(1)).result({1, 1, 1, 1});
  EXPECT_EQ(run.error, "values or result do not fit queries and keys");
}

TEST(AttentionKernels, RotaryTurnsHalves) {
  DenseTensor x = tensorOf({1, 1, 1, 4}, {1, 2, 3, 4}), cos = tensorOf({1, 1, 1, 4}, {0, 0, 0, 0}),
              sin = tensorOf({1, 1, 1, 4}, {1, 1, 1, 1});
  EXPECT_EQ(valuesOf(KernelRun("ttnn.rotary_embedding", {x, cos, sin}).result({1, 1, 1, 4})),
            (Values{-3, -4, 1, 2}));
}

TEST(AttentionKernels, CausalAttentionSeesThePastOnly) {
  DenseTensor q = counting({1, 2, 2, 1}), k = tensorOf({1, 1, 2, 1}, {0, 0}),
              v = tensorOf({1, 1, 2, 1}, {4, 8});
  KernelRun run("ttnn.scaled_dot_product_attention", {q, k, v});
  run.with("operandSegmentSizes", List{1, 1, 1, 0, 0}).with("is_causal", true);
  EXPECT_EQ(valuesOf(run.result({1, 2, 2, 1})), (Values{4, 6, 4, 6}))
      << "equal scores; both heads share keys";
}

TEST(AttentionKernels, WindowsEndWithTheirPositionOrAreAroundIt) {
  auto attend = [](bool isCausal, int64_t window) {
    KernelRun run("ttnn.scaled_dot_product_attention",
                  {counting({1, 1, 5, 1}), tensorOf({1, 1, 5, 1}, {0, 0, 0, 0, 0}),
                   tensorOf({1, 1, 5, 1}, {4, 8, 24, 48, 80})});
    return run.with("operandSegmentSizes", List{1, 1, 1, 0, 0})
        .with("is_causal", isCausal)
        .with("sliding_window_size", window);
  };
  EXPECT_EQ(valuesOf(attend(true, 2).result({1, 1, 5, 1})), (Values{4, 6, 16, 36, 64})) << "itself counts";
  EXPECT_EQ(valuesOf(attend(true, 1).result({1, 1, 5, 1})), (Values{4, 8, 24, 48, 80}));
  EXPECT_EQ(valuesOf(attend(false, 2).result({1, 1, 5, 1})), (Values{6, 12, 80.0f / 3, 152.0f / 3, 64}))
      << "half of it on each side, and itself";
  EXPECT_EQ(valuesOf(attend(false, 3).result({1, 1, 5, 1})), valuesOf(attend(false, 2).result({1, 1, 5, 1})));
}

TEST(AttentionKernels, SinksTakeWeightAndGiveNothing) {
  DenseTensor q = counting({1, 2, 2, 1}), k = tensorOf({1, 1, 2, 1}, {0, 0}),
              v = tensorOf({1, 1, 2, 1}, {4, 8}), sinks = tensorOf({1, 2, 1, 1}, {0, 2000});
  KernelRun run("ttnn.scaled_dot_product_attention", {q, k, v, sinks});
  run.with("operandSegmentSizes", List{1, 1, 1, 0, 1}).with("is_causal", false).with("scale", 0.5);
  EXPECT_EQ(valuesOf(run.result({1, 2, 2, 1})), (Values{4, 4, 0, 0}))
      << "a third of the weight, and all of it";

  DenseTensor one = tensorOf({1, 1, 2, 1}, {0, 0}), rows = tensorOf({2, 1}, {0, 2000});
  KernelRun decode("ttnn.scaled_dot_product_attention_decode", {one, k, v, rows});
  decode.with("operandSegmentSizes", List{1, 1, 1, 0, 0, 1}).with("is_causal", false);
  EXPECT_EQ(valuesOf(decode.result({1, 1, 2, 1})), (Values{4, 0})) << "a number for each head";
}

TEST(AttentionKernels, AUserThatIsNotThereIsLeftOut) {
  auto decode = [](double position) {
    KernelRun run("ttnn.scaled_dot_product_attention_decode",
                  {tensorOf({1, 2, 1, 1}, {0, 0}), DenseTensor({{2, 1, 2, 1}, DataType::Float32}),
                   tensorOf({2, 1, 2, 1}, {1, 3, 10, 30}), tensorOf({2}, {position, 1}, DataType::Int32)});
    return run.with("operandSegmentSizes", List{1, 1, 1, 0, 1, 0}).with("is_causal", true);
  };
  EXPECT_EQ(valuesOf(decode(-1).result({1, 2, 1, 1})), (Values{0, 20})) << "as of pages";
  KernelRun before = decode(-2);
  before.result({1, 2, 1, 1});
  EXPECT_EQ(before.error, "position -2 of a cache of 2");
}

TEST(CacheKernels, PositionsPerUser) {
  DenseTensor cache({{2, 1, 4, 1}, DataType::Float32}), rows = tensorOf({1, 2, 1, 1}, {5, 6}),
                                                        positions = tensorOf({2}, {3, 0}, DataType::Int32);
  KernelRun update("ttnn.paged_update_cache", {cache, rows, positions});
  EXPECT_EQ(valuesOf(update.result({})), (Values{0, 0, 0, 5, 6, 0, 0, 0}));
  KernelRun beyond("ttnn.paged_update_cache", {cache, rows, tensorOf({2}, {4, 0}, DataType::Int32)});
  beyond.result({});
  EXPECT_EQ(beyond.error, "entry 0, position 4 of a cache 2x1x4x1 f32");
  // Before the first block of a page table.
  KernelRun before("ttnn.paged_update_cache", {cache, rows, tensorOf({2}, {-5, 0}, DataType::Int32),
                                               tensorOf({2, 1}, {0, 1}, DataType::Int32)});
  before.result({});
  EXPECT_EQ(before.error, "entry -1, position 0 of a cache 2x1x4x1 f32");
}

TEST(CacheKernels, FillOneEntry) {
  DenseTensor cache({{2, 1, 3, 1}, DataType::Float32});
  KernelRun fill("ttnn.fill_cache", {cache, tensorOf({1, 1, 2, 1}, {7, 8})});
  EXPECT_EQ(valuesOf(fill.with("batch_offset", int64_t(1)).result({})), (Values{0, 0, 0, 7, 8, 0}));
}

} // namespace
