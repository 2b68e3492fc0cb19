//===- OpConfigAnalysisTest.cpp - Op-specific knobs worth trying ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The search space of conv2d (spec ttnn-optimizer-detailed-design.md 3.1.4): which combinations, in which order, which are
// left out, and what the op itself takes out of the search.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

const TensorDesc kTensor = {{1, 1, 6272, 64}, DataType::BFloat16};
const TensorLayout kShards = l1Sharded(kTensor, MemoryLayout::HeightSharded, {49, 1}, {8, 8});
const TensorLayout kDram = dramInterleaved(kTensor);

const Conv2dConfig &conv(const OpSpecificConfig &config) { return std::get<Conv2dConfig>(config); }

OpSignature conv2d(std::vector<std::pair<std::string, AttrValue>> keys = {}) {
  OpSignature signature;
  signature.name = "ttnn.conv2d";
  for (auto &[key, value] : keys)
    signature.addAttribute("conv2d_config." + key, value);
  return signature;
}

TEST(Conv2dSearch, TheSpecsSpaceInOdometerOrder) {
  std::vector<OpSpecificConfig> configs = enumerateConv2dConfigs({}, kShards, {});
  ASSERT_EQ(configs.size(), 3u);
  for (auto [config, height] : llvm::zip_equal(configs, std::array{0, 64, 32})) {
    EXPECT_EQ(conv(config).actBlockHOverride, height);
    EXPECT_TRUE(conv(config).deallocateActivation);
    EXPECT_EQ(conv(config).shardLayout, MemoryLayout::HeightSharded);
    EXPECT_EQ(conv(config).slice, Conv2dConfig::Slice::L1Full);
  }
}

TEST(Conv2dSearch, TheLastKnobTurnsFastest) {
  std::vector<OpSpecificConfig> configs = enumerateConv2dConfigs({{64, 32}, {true, false}, {false, true}}, kShards, {});
  ASSERT_EQ(configs.size(), 8u);
  EXPECT_EQ(conv(configs[0]).reshardIfNotOptimal, false);
  EXPECT_EQ(conv(configs[1]).reshardIfNotOptimal, true);
  EXPECT_TRUE(conv(configs[1]).deallocateActivation);
  EXPECT_FALSE(conv(configs[2]).deallocateActivation);
  EXPECT_EQ(conv(configs[3]).actBlockHOverride, 64);
  EXPECT_EQ(conv(configs[4]).actBlockHOverride, 32);
}

TEST(Conv2dSearch, AnEmptyKnobLeavesNothing) {
  EXPECT_TRUE(enumerateConv2dConfigs({{}, {true}, {}}, kShards, {}).empty());
}

TEST(Conv2dSearch, ReshardingWithoutShardLayoutIsLeftOut) {
  Conv2dSearchSpace space{{0}, {false}, {false, true}};
  EXPECT_EQ(enumerateConv2dConfigs(space, kShards, {}).size(), 2u);
  std::vector<OpSpecificConfig> unsharded = enumerateConv2dConfigs(space, kDram, {});
  ASSERT_EQ(unsharded.size(), 1u);
  EXPECT_EQ(conv(unsharded[0]).reshardIfNotOptimal, false);
  // Unless the op names a shard layout itself.
  Conv2dConfig blocks;
  blocks.shardLayout = MemoryLayout::BlockSharded;
  EXPECT_EQ(enumerateConv2dConfigs(space, kDram, blocks).size(), 2u);
}

TEST(Conv2dSearch, AnyCombinationCanBeLeftOut) {
  auto flat = [](const Conv2dConfig &config) { return config.actBlockHOverride != 32; };
  std::vector<OpSpecificConfig> configs = enumerateConv2dConfigs({}, kShards, {}, flat);
  ASSERT_EQ(configs.size(), 1u);
  EXPECT_EQ(conv(configs[0]).actBlockHOverride, 32);
}

TEST(Conv2dSearch, UnshardedResultsLeaveShardsAndSlicesToTheBackend) {
  std::vector<OpSpecificConfig> configs = enumerateConv2dConfigs({}, kDram, {});
  ASSERT_EQ(configs.size(), 3u);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(configs[0])); // what the op does that sets nothing
  EXPECT_EQ(conv(configs[1]).actBlockHOverride, 64);
  EXPECT_EQ(conv(configs[1]).slice, Conv2dConfig::Slice::Backend);
  EXPECT_FALSE(conv(configs[1]).shardLayout);
  EXPECT_FALSE(conv(configs[1]).deallocateActivation);
}

TEST(Conv2dSearch, WhatTheOpSetsIsNotSearched) {
  OpSignature op = conv2d({{"act_block_h_override", int64_t(64)}, {"deallocate_activation", false}});
  Conv2dConfig own;
  own.actBlockHOverride = 64;
  std::vector<OpSpecificConfig> configs = enumerateOpConfigs(op, kShards, own, {});
  ASSERT_EQ(configs.size(), 1u);
  EXPECT_EQ(conv(configs[0]).actBlockHOverride, 64);
  EXPECT_FALSE(conv(configs[0]).deallocateActivation);
}

TEST(Conv2dSearch, ResultsThatTheOpDoesNotWantAreNone) {
  EXPECT_TRUE(enumerateOpConfigs(conv2d({{"shard_layout", "block_sharded"}}), kShards, {}, {}).empty());
  EXPECT_FALSE(enumerateOpConfigs(conv2d({{"shard_layout", "height_sharded"}}), kShards, {}, {}).empty());
  EXPECT_TRUE(enumerateOpConfigs(conv2d({{"output_layout", "row_major"}}), kShards, {}, {}).empty());
  EXPECT_FALSE(enumerateOpConfigs(conv2d({{"output_layout", "tile"}}), kShards, {}, {}).empty());
}

} // namespace
