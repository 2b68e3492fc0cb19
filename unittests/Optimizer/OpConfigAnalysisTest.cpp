//===- OpConfigAnalysisTest.cpp - Op-specific knobs worth trying ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The search space of conv2d (facts/optimizer-design 3.1.4): which combinations, in which order, which are
// left out, and what the op itself takes out of the search.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/OpConfigAnalysis.h"

#include "tessera/Device/L1Budget.h"
#include "tessera/OpModel/QueryText.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

const TensorDesc kTensor = {{1, 1, 6272, 64}, DataType::BFloat16};
const GridShape kWorkers = {8, 8};
const TensorLayout kShards = l1Sharded(kTensor, MemoryLayout::HeightSharded, {49, 1}, kWorkers);
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
  std::vector<OpSpecificConfig> configs =
      enumerateConv2dConfigs({{64, 32}, {true, false}, {false, true}}, kShards, {});
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
  std::vector<OpSpecificConfig> configs = enumerateOpConfigs(op, kShards, own, {}, kWorkers);
  ASSERT_EQ(configs.size(), 1u);
  EXPECT_EQ(conv(configs[0]).actBlockHOverride, 64);
  EXPECT_FALSE(conv(configs[0]).deallocateActivation);
}

TEST(Conv2dSearch, ResultsThatTheOpDoesNotWantAreNone) {
  EXPECT_TRUE(
      enumerateOpConfigs(conv2d({{"shard_layout", "block_sharded"}}), kShards, {}, {}, kWorkers).empty());
  EXPECT_FALSE(
      enumerateOpConfigs(conv2d({{"shard_layout", "height_sharded"}}), kShards, {}, {}, kWorkers).empty());
  EXPECT_TRUE(
      enumerateOpConfigs(conv2d({{"output_layout", "row_major"}}), kShards, {}, {}, kWorkers).empty());
  EXPECT_FALSE(enumerateOpConfigs(conv2d({{"output_layout", "tile"}}), kShards, {}, {}, kWorkers).empty());
}

/// Placements of operands and result of a matmul: "dram" or "l1" each.
class MatmulSearch : public testing::TestWithParam<const char *> {
protected:
  /// The least time of all configurations that are searched, in us; 0 if none is legal.
  double best(const char *places) {
    llvm::SmallVector<llvm::StringRef> at;
    llvm::StringRef(places).split(at, ' ');
    llvm::Expected<TextQuery> query = parseQueryText(
        ("ttnn.matmul 2048x4096@" + at[0] + ", 4096x3072@" + at[1] + " -> 2048x3072@" + at[2]).str(), layouts,
        device);
    EXPECT_TRUE(bool(query)) << llvm::toString(query.takeError());
    OpConfig config = query->config;
    double best = 0;
    for (const OpSpecificConfig &specific :
         enumerateMatmulConfigs(query->signature, layouts[config.outputs[0]], device.workerGrid)) {
      config.specific = specific;
      OpQuery asked{query->signature, query->inputs, config};
      if (!model->query(asked).ok())
        continue;
      double time = model->runtime(asked).total.value() / 1000;
      best = best == 0 ? time : std::min(best, time);
    }
    return best;
  }

  const DeviceSpec &device = *findDevice("p150");
  LayoutPool layouts;
  std::unique_ptr<OpModel> model = createAnalyticOpModel({device, layouts, l1Budget(device)});
};

/// The backend's own choice takes 16x16 tiles at a time once a tensor is in L1, three times as long as from DRAM.
TEST_P(MatmulSearch, HoldsAConfigurationThatIsAsFastAsFromDram) {
  double dram = best("dram dram dram");
  ASSERT_GT(dram, 0);
  EXPECT_GT(best(GetParam()), 0);
  EXPECT_LE(best(GetParam()), dram * 1.02);
}
INSTANTIATE_TEST_SUITE_P(Placements, MatmulSearch,
                         testing::Values("l1 dram dram", "dram l1 dram", "dram dram l1", "l1 l1 dram",
                                         "l1 dram l1", "dram l1 l1", "l1 l1 l1"));

} // namespace
