//===- MetalLayoutTest.cpp - The walkthrough of facts/tensor-layout -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/MetalLayout.h"
#include "tessera/Layout/MetalGeometry.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

constexpr TileShape k32x32{32, 32};

LinearMap map(unsigned dims, std::initializer_list<std::initializer_list<int64_t>> results) {
  LinearMap m;
  m.dims = dims;
  for (const auto &coefficients : results)
    m.results.push_back({coefficients});
  return m;
}

MetalLayout build(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> grid,
                  MetalLayoutOptions options = {}, DataType dtype = DataType::Float32) {
  llvm::Expected<MetalLayout> layout = buildMetalLayout(shape, dtype, grid, options);
  EXPECT_TRUE(bool(layout)) << llvm::toString(layout.takeError());
  return layout ? *layout : MetalLayout();
}

std::string buildError(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> grid,
                       MetalLayoutOptions options = {}, DataType dtype = DataType::Float32) {
  llvm::Expected<MetalLayout> layout = buildMetalLayout(shape, dtype, grid, options);
  return layout ? "" : llvm::toString(layout.takeError());
}

std::string collapseText(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<CollapseInterval> intervals) {
  llvm::Expected<LinearMap> linear = collapseDimensions(shape, intervals);
  if (!linear)
    return llvm::toString(linear.takeError());
  MetalLayout layout;
  layout.linear = *linear;
  std::string text = describe(layout);
  return text.substr(text.find("-> ") + 3, text.find(", undef") - text.find("-> ") - 3);
}

// ---- facts/tensor-layout : "An Example", "Dimension Collapsing", "Multi-Core" ----------------------------

TEST(MetalLayoutSpec, FirstExample) {
  MetalLayout layout = build({2, 3, 64, 128}, {1, 1});
  EXPECT_EQ(layout.linear.apply({1, 1, 6, 100}), (Shape{262, 100}));
  EXPECT_EQ(layout.linear.extents({2, 3, 64, 128}), (Shape{384, 128}));
  EXPECT_EQ(describe(layout),
            "#ttcore.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), undef, <1x1>, "
            "memref<384x128xf32, #ttcore.memory_space<l1>>>");
}

// With extents 2, 3, 5, 7, ... the strides tell which dimensions were joined.
TEST(MetalLayoutSpec, CollapseIntervals) {
  EXPECT_EQ(collapseText({2, 3, 5}, {{0, -1}}), "(d0 * 3 + d1, d2)");
  EXPECT_EQ(collapseText({2, 3, 5, 7}, {{1, -1}}), "(d0, d1 * 5 + d2, d3)");
  EXPECT_EQ(collapseText({2, 3, 5, 7}, {{0, 2}}), "(d0 * 3 + d1, d2, d3)");
  EXPECT_EQ(collapseText({2, 3, 5, 7, 11, 13, 17}, {{0, 3}, {-3, -1}}),
            "(d0 * 15 + d1 * 5 + d2, d3, d4 * 13 + d5, d6)");
}

TEST(MetalLayoutSpec, MultiCore) {
  EXPECT_EQ(build({2, 3, 64, 128}, {2, 4}).shard, (Shape{192, 32}));
  EXPECT_EQ(build({8, 300}, {1, 2}).shard, (Shape{8, 150}));
  EXPECT_EQ(build({8, 96, 32}, {2, 1}).shard, (Shape{384, 32}));
}

TEST(MetalLayoutSpec, GridsOfHigherRank) {
  LinearMap twice = map(3, {{96, 1, 0}, {0, 1, 0}, {0, 0, 1}});
  EXPECT_EQ(impliedShard(twice, {8, 96, 32}, {2, 1, 2}, std::nullopt), (Shape{384, 96, 16}));
  LinearMap seven = map(
      7,
      {{2688, 896, 448, 224, 32, 1, 0}, {0, 0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 0, 1}});
  EXPECT_EQ(impliedShard(seven, {5, 3, 2, 2, 7, 32, 32}, {3, 2, 2, 2}, std::nullopt),
            (Shape{4480, 4, 16, 16}));
}

// ---- "Tilized", "Padding", "Multi-device" -----------------------------------------------------------------

TEST(MetalLayoutSpec, Tilized) {
  EXPECT_EQ(build({3, 64, 128}, {3, 2}).shard, (Shape{64, 64}));
  MetalLayout tiled = build({3, 64, 128}, {3, 2}, {.tile = k32x32}, DataType::BFP_BFloat8);
  EXPECT_EQ(tiled.shard, (Shape{2, 2}));
  EXPECT_EQ(describe(tiled), "#ttcore.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <3x2>, "
                             "memref<2x2x!ttcore.tile<32x32, bfp_bf8>, #ttcore.memory_space<l1>>>");
}

TEST(MetalLayoutSpec, GridDividesFirstThenTiles) {
  EXPECT_EQ(build({53, 63}, {3, 2}).shard, (Shape{18, 32}));
  EXPECT_EQ(build({53, 63}, {3, 2}, {.tile = k32x32}, DataType::BFP_BFloat8).shard, (Shape{1, 1}));
}

TEST(MetalLayoutSpec, PaddedStride) {
  EXPECT_EQ(build({2, 8, 32}, {1, 2}).shard, (Shape{16, 16}));
  EXPECT_EQ(build({2, 8, 32}, {1, 2}, {.tile = k32x32}).shard, (Shape{1, 1}));
  MetalLayout apart = build({2, 8, 32}, {1, 2}, {.alignments = {1, 32, 1}, .tile = k32x32});
  EXPECT_EQ(apart.linear, map(3, {{32, 1, 0}, {0, 0, 1}}));
  EXPECT_EQ(apart.shard, (Shape{2, 1}));
}

TEST(MetalLayoutSpec, MultiDevice) {
  MetalLayout layout =
      build({2, 3, 64, 128}, {2, 2, 4}, {.collapse = {{1, -1}}, .tile = k32x32}, DataType::BFP_BFloat8);
  EXPECT_EQ(layout.linear, map(4, {{1, 0, 0, 0}, {0, 64, 1, 0}, {0, 0, 0, 1}}));
  EXPECT_EQ(layout.shard, (Shape{1, 3, 1}));
}

// ---- Builders ---------------------------------------------------------------------------------------------

TEST(MetalLayoutBuilder, IntervalsInAnyOrderAndEmptyOnes) {
  EXPECT_EQ(collapseText({2, 3, 5, 7, 11}, {{3, 5}, {0, 2}}), "(d0 * 3 + d1, d2, d3 * 11 + d4)");
  EXPECT_EQ(collapseText({2, 3, 5}, {}), "(d0, d1, d2)");
  EXPECT_EQ(collapseText({2, 3, 5}, {{1, 1}}), "(d0, d1, d2)");
  EXPECT_EQ(collapseText({2, 3, 5}, {{0, 3}}), "(d0 * 15 + d1 * 5 + d2)");
  EXPECT_EQ(collapseText({2, 3, 5}, {{-2, 3}}), "(d0, d1 * 5 + d2)");
  EXPECT_EQ(collapseText({7}, {{0, -1}}), "(d0)");
  EXPECT_EQ(collapseText({}, {{0, -1}}), "()");
}

TEST(MetalLayoutBuilder, IntervalErrors) {
  EXPECT_EQ(collapseText({2, 3, 5}, {{0, 4}}),
            "collapse interval (0, 4) reaches beyond the 3 dimensions of the tensor");
  EXPECT_EQ(collapseText({2, 3, 5}, {{-4, 2}}),
            "collapse interval (-4, 2) reaches beyond the 3 dimensions of the tensor");
  EXPECT_EQ(collapseText({2, 3, 5}, {{2, -2}}),
            "collapse interval (2, -2) is [2, 1) of 3 dimensions: it ends before it begins");
  EXPECT_EQ(collapseText({2, 3, 5, 7}, {{2, 4}, {0, 3}}), "collapse intervals [0, 3) and [2, 4) overlap");
}

TEST(MetalLayoutBuilder, AlignmentErrors) {
  EXPECT_EQ(buildError({2, 8, 32}, {1, 1}, {.alignments = {1, 32}}),
            "2 alignments are given for a tensor of 3 dimensions");
  EXPECT_EQ(buildError({2, 8, 32}, {1, 1}, {.alignments = {1, 0, 1}}), "an alignment is at least 1, not 0");
}

TEST(MetalLayoutBuilder, AlignmentsActOnOuterStrides) {
  EXPECT_EQ(build({2, 3, 5, 7}, {1, 1}, {.alignments = {1, 4, 8, 1}}).linear,
            map(4, {{32, 8, 1, 0}, {0, 0, 0, 1}}));
  EXPECT_EQ(build({2, 3, 5, 7}, {1, 1}, {.alignments = {64, 1, 1, 64}}).linear,
            build({2, 3, 5, 7}, {1, 1}).linear);
}

TEST(MetalLayoutBuilder, GridErrors) {
  EXPECT_EQ(buildError({2, 3, 64, 128}, {2, 2, 4}),
            "the linear map has 2 results, but grid <2x2x4> has rank 3");
  EXPECT_EQ(buildError({8, 8}, {0, 1}), "grid <0x1> has an extent of 0");
  EXPECT_EQ(buildError({8}, {2}, {.tile = k32x32}),
            "tiles cut two dimensions, but the linear map has 1 results");
}

TEST(MetalLayoutBuilder, HugeTensorsAreErrorsNotOverflow) {
  constexpr int64_t kHuge = int64_t(1) << 40;
  EXPECT_EQ(buildError({kHuge, kHuge, kHuge}, {1, 1}),
            "the tensor's physical size exceeds what 64 bits can count");
  EXPECT_EQ(buildError({2, kHuge, kHuge, 2}, {1, 1}), "the strides of the dimensions [0, 3) exceed 2^62");
  EXPECT_EQ(buildError({2, 2, 2}, {1, 1}, {.alignments = {1, INT64_MAX, 1}}),
            "the strides of the dimensions [0, 2) exceed 2^62");
  EXPECT_EQ(buildError({INT64_MAX, 2}, {1, 1}), "the tensor's physical size exceeds what 64 bits can count");
  EXPECT_EQ(buildError({2, 2}, {INT64_MAX, 2}), "the tensor's physical size exceeds what 64 bits can count");
  EXPECT_EQ(buildError({-1, 2}, {1, 1}), "the tensor has an extent of -1; layouts need static shapes");
}

TEST(MetalLayoutBuilder, OptionsArriveInTheLayout) {
  MetalLayout layout =
      build({8, 8}, {1, 1}, {.oob = OobValue::NegInf, .space = MemorySpace::DeviceDRAM}, DataType::UInt16);
  EXPECT_EQ(describe(layout), "#ttcore.metal_layout<(d0, d1) -> (d0, d1), neginf, <1x1>, "
                              "memref<8x8xui16, #ttcore.memory_space<dram>>>");
}

TEST(MetalLayoutNames, HashFollowsEquality) {
  MetalLayout a = build({8, 8}, {2, 2}), b = a;
  EXPECT_EQ(hash_value(a), hash_value(b));
  b.oob = OobValue::Zero;
  EXPECT_NE(a, b);
  EXPECT_NE(hash_value(a), hash_value(b));
}

// ---- Rules: each message, each by itself ------------------------------------------------------------------

/// The rules that `change` breaks in a legal 64x64 layout, and the only message if there is one rule.
struct Broken {
  std::vector<std::string> rules;
  std::string message;
};
Broken broken(void (*change)(MetalLayout &), llvm::ArrayRef<int64_t> shape = {64, 64}) {
  MetalLayout layout = build({64, 64}, {2, 2}, {.tile = k32x32});
  EXPECT_TRUE(checkMetalLayout(layout, {64, 64}).empty());
  change(layout);
  Broken result;
  for (const MetalViolation &violation : checkMetalLayout(layout, shape)) {
    result.rules.push_back(violation.rule.str());
    result.message = violation.message;
  }
  return result;
}

#define EXPECT_BREAKS(ID, MESSAGE, ...)                                                                      \
  do {                                                                                                       \
    Broken b = broken(__VA_ARGS__);                                                                          \
    EXPECT_EQ(b.rules, std::vector<std::string>{ID});                                                        \
    EXPECT_EQ(b.message, MESSAGE);                                                                           \
  } while (false)

TEST(MetalLayoutRules, MapDims) {
  EXPECT_BREAKS("metal_layout.map_dims", "the linear map has 2 dimensions, but the tensor has rank 3",
                [](MetalLayout &) {}, {1, 64, 64});
  EXPECT_BREAKS("metal_layout.map_dims", "the linear map has 2 dimensions, but a result has 1 coefficients",
                [](MetalLayout &l) { l.linear.results[0].coefficients.pop_back(); });
}

TEST(MetalLayoutRules, Ranks) {
  EXPECT_BREAKS("metal_layout.grid_rank", "the linear map has 2 results, but grid <2x2x1> has rank 3",
                [](MetalLayout &l) { l.grid.push_back(1); });
  EXPECT_BREAKS("metal_layout.shard_rank", "the linear map has 2 results, but memref 1 has rank 1",
                [](MetalLayout &l) { l.shard.pop_back(); });
}

TEST(MetalLayoutRules, Extents) {
  EXPECT_BREAKS("metal_layout.tensor_shape", "the tensor has an extent of -1; layouts need static shapes",
                [](MetalLayout &) {}, {-1, 64});
  EXPECT_BREAKS("metal_layout.grid_extents", "grid <2x0> has an extent of 0",
                [](MetalLayout &l) { l.grid[1] = 0; });
}

TEST(MetalLayoutRules, Strides) {
  EXPECT_BREAKS("metal_layout.strides", "the linear map has a stride of -1: indices would be negative",
                [](MetalLayout &l) { l.linear.results[0].coefficients[0] = -1; });
  EXPECT_BREAKS("metal_layout.strides", "the linear map has a constant of -1: indices would be negative",
                [](MetalLayout &l) { l.linear.results[0].constant = -1; });
}

TEST(MetalLayoutRules, Tiles) {
  EXPECT_BREAKS("metal_layout.tile_shape", "tile 32x24 does not consist of faces of up to 16x16",
                [](MetalLayout &l) { l.tile = TileShape{32, 24}; });
  EXPECT_BREAKS("metal_layout.tile_shape", "tile 0x32 does not consist of faces of up to 16x16",
                [](MetalLayout &l) { l.tile = TileShape{0, 32}; });
  EXPECT_BREAKS("metal_layout.tile_rank", "tiles cut two dimensions, but the linear map has 1 results",
                [](MetalLayout &l) { l.linear.results.pop_back(), l.grid.pop_back(), l.shard.pop_back(); });
}

TEST(MetalLayoutRules, BlockFloats) {
  EXPECT_BREAKS("metal_layout.block_float", "bfp_bf4 exists in tiles only",
                [](MetalLayout &l) { l.dtype = DataType::BFP_BFloat4, l.tile = std::nullopt; });
  EXPECT_BREAKS("metal_layout.block_float",
                "bfp_bf8 shares an exponent among 16 elements of a row, but tile 16x8 has rows of 8",
                [](MetalLayout &l) { l.dtype = DataType::BFP_BFloat8, l.tile = TileShape{16, 8}; });
}

TEST(MetalLayoutRules, Size) {
  EXPECT_BREAKS("metal_layout.size", "the tensor's physical size exceeds what 64 bits can count",
                [](MetalLayout &l) { l.linear.results[0].coefficients[0] = INT64_MAX; });
}

TEST(MetalLayoutRules, Injective) {
  Broken shared = broken([](MetalLayout &l) {
    l.linear.results[0].coefficients = {1, 1}, l.linear.results[1].coefficients = {0, 0};
  });
  EXPECT_EQ(shared.rules, (std::vector<std::string>{"metal_layout.injective", "metal_layout.shard_shape"}));
  Broken lost = broken([](MetalLayout &l) { l.linear.results[1].coefficients = {0, 0}, l.shard = {1, 1}; });
  EXPECT_EQ(lost.rules, std::vector<std::string>{"metal_layout.injective"});
  EXPECT_EQ(lost.message, "no result of the linear map reads d1: its 64 elements would share a place");
  Broken mixed = broken([](MetalLayout &l) {
    l.linear.results[0].coefficients = {32, 1}, l.linear.results[1].coefficients = {0, 0};
    l.shard = {33, 1};
  });
  EXPECT_EQ(mixed.rules, std::vector<std::string>{"metal_layout.injective"});
  EXPECT_EQ(mixed.message,
            "result 0 of the linear map mixes d0, d1: their strides do not step over one another, so "
            "two elements may share a place");
}

TEST(MetalLayoutRules, MapsThatOneResultUntiesAreInjective) {
  EXPECT_TRUE(broken([](MetalLayout &l) {
                l.linear.results[0].coefficients = {1, 1}, l.shard = {2, 1};
              }).rules.empty());
}

TEST(MetalLayoutRules, ShardShape) {
  EXPECT_BREAKS("metal_layout.shard_shape",
                "memref 2x1 is not the shard of tensor 64x64 on grid <2x2>: that is 1x1 tiles",
                [](MetalLayout &l) { l.shard = {2, 1}; });
  EXPECT_BREAKS("metal_layout.shard_shape",
                "memref 1x1 is not the shard of tensor 64x64 on grid <2x2>: that is 32x32",
                [](MetalLayout &l) { l.tile = std::nullopt; });
}

TEST(MetalLayoutRules, IndependentViolationsAreAllReported) {
  Broken b = broken([](MetalLayout &l) { l.grid = {2}, l.shard = {1}, l.tile = TileShape{3, 33}; }, {64, -2});
  EXPECT_EQ(b.rules, (std::vector<std::string>{"metal_layout.grid_rank", "metal_layout.shard_rank",
                                               "metal_layout.tensor_shape", "metal_layout.tile_shape"}));
}

} // namespace
