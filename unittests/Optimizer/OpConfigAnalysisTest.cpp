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

#include <set>

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

TEST(Conv2dSearch, BlocksOfSlicesSayNothingOfTheWhole) {
  OpSignature op = conv2d({{"act_block_h_override", int64_t(1024)}});
  Conv2dConfig own;
  own.slice = Conv2dConfig::Slice::DramHeight;
  own.actBlockHOverride = 1024;
  auto heights = [&](const TensorLayout &output) {
    std::set<int64_t> heights;
    for (const OpSpecificConfig &config : enumerateOpConfigs(op, output, own, {}, kWorkers))
      heights.insert(std::holds_alternative<std::monostate>(config) ? 1024 : conv(config).actBlockHOverride);
    return heights;
  };
  EXPECT_EQ(heights(kShards), (std::set<int64_t>{0, 32, 64}));
  EXPECT_EQ(heights(kDram), (std::set<int64_t>{1024}));
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

/// Searches for the configuration of one matmul.
class MatmulSearch : public testing::TestWithParam<const char *> {
protected:
  MatmulSearch(llvm::StringRef board = "p150") : device(*findDevice(board)) {}

  /// The least time, in us, of all configurations that are searched for `question`, on `share` of L1; 0 if none is legal.
  double best(std::string question, double share = 0.95, bool ownChoice = true) {
    std::unique_ptr<OpModel> model = createAnalyticOpModel({device, layouts, l1Budget(device, share)});
    llvm::Expected<TextQuery> query = parseQueryText(question, layouts, device);
    EXPECT_TRUE(bool(query)) << llvm::toString(query.takeError());
    OpConfig config = query->config;
    double best = 0;
    for (const OpSpecificConfig &specific :
         enumerateMatmulConfigs(query->signature, layouts[config.outputs[0]], device.workerGrid)) {
      config.specific = specific;
      OpQuery asked{query->signature, query->inputs, config};
      if ((!ownChoice && std::holds_alternative<std::monostate>(specific)) || !model->query(asked).ok())
        continue;
      double time = model->runtime(asked).total.value() / 1000;
      best = best == 0 ? time : std::min(best, time);
    }
    return best;
  }
  /// `places`: "dram" or "l1" for each operand and the result.
  double bestAt(const char *places) {
    llvm::SmallVector<llvm::StringRef> at;
    llvm::StringRef(places).split(at, ' ');
    return best(("ttnn.matmul 2048x4096@" + at[0] + ", 4096x3072@" + at[1] + " -> 2048x3072@" + at[2]).str());
  }

  const DeviceSpec &device;
  LayoutPool layouts;
};

/// The backend's own choice takes 16x16 tiles at a time once a tensor is in L1, three times as long as from DRAM.
TEST_P(MatmulSearch, HoldsAConfigurationThatIsAsFastAsFromDram) {
  double dram = bestAt("dram dram dram");
  ASSERT_GT(dram, 0);
  EXPECT_GT(bestAt(GetParam()), 0);
  EXPECT_LE(bestAt(GetParam()), dram * 1.02);
}
INSTANTIATE_TEST_SUITE_P(Placements, MatmulSearch,
                         testing::Values("l1 dram dram", "dram l1 dram", "dram dram l1", "l1 l1 dram",
                                         "l1 dram l1", "dram l1 l1", "l1 l1 l1"));

class MatmulSearchN150 : public MatmulSearch {
protected:
  MatmulSearchN150() : MatmulSearch("n150") {}
};

/// The backend takes other kernels where less is free, and they may be faster (gemma's last matmul: 61.9 ms on 95 % of L1,
/// 9.5 on 80 %). The search has them all, down to blocks that fit into a tenth.
TEST_P(MatmulSearchN150, IsNeverSlowerWithMoreL1) {
  double before = 0;
  for (double share : {0.95, 0.8, 0.6, 0.5, 0.3, 0.1}) {
    double now = best(GetParam(), share, /*ownChoice=*/false);
    EXPECT_GT(now, 0) << share;
    EXPECT_GE(now * 1.001, before) << share;
    before = now;
  }
}
INSTANTIATE_TEST_SUITE_P(
    Matmuls, MatmulSearchN150,
    testing::Values("ttnn.matmul 544x2304@dram, 2304x256000xbfp_bf8@dram -> 544x256000@dram",
                    "ttnn.matmul 544x2048@l1, 2048x8192xbfp_bf8@dram -> 544x8192@dram",
                    "ttnn.matmul 32x4096@dram, 4096x14336xbfp_bf8@dram -> 32x14336@l1",
                    // Seventeen rows of tiles, a prime, and 251 columns.
                    "ttnn.matmul 544x1024@dram, 1024x8032@dram -> 544x8032@dram",
                    "ttnn.matmul 8x12x197x64@dram, 8x12x64x197@dram -> 8x12x197x197@dram",
                    "ttnn.matmul 32x32x1x128xf32@dram, 32x32x128x128xf32@dram -> 32x32x1x128xf32@dram"));

TEST_F(MatmulSearchN150, BatchesKeepAllCoresBusy) {
  auto of = [&](const char *question) { return best(question); };
  // On one core after the other, as the backend has it: 672 us.
  EXPECT_LT(of("ttnn.matmul 8x12x197x197xf32@dram, 8x12x197x64xf32@dram -> 8x12x197x64xf32@l1"), 340);
  EXPECT_LT(of("ttnn.matmul 8x12x197x64xf32@l1, 8x12x64x197xf32@l1 -> 8x12x197x197xf32@l1"), 40);
  // Batches that are broadcast have no kernel of their own.
  LayoutPool pool;
  llvm::Expected<TextQuery> query =
      parseQueryText("ttnn.matmul 1x4x64x64@dram, 2x4x64x64@dram -> 2x4x64x64@dram", pool, device);
  ASSERT_TRUE(bool(query)) << llvm::toString(query.takeError());
  EXPECT_EQ(
      enumerateMatmulConfigs(query->signature, pool[query->config.outputs[0]], device.workerGrid).size(), 1u);
}

class MatmulSearchP150 : public MatmulSearch {};

/// Eight experts of one row of tiles each: eight cores if each takes a batch, all cores if each takes a part of all.
TEST_F(MatmulSearchP150, FewRowsOfBatchesAreCutByColumns) {
  double took = best("ttnn.matmul 8x32x14336@l1, 8x14336x4096@dram -> 8x32x4096@l1");
  EXPECT_GT(took, 0);
  EXPECT_LT(took, 2000); // 2,921 without
}

/// Shards are whole batches or even parts of one; in two batches a core would need two blocks of in1.
TEST_F(MatmulSearchN150, ShardsOfBatchesAreBlocks) {
  TensorDesc result{{8, 12, 224, 224}, DataType::BFloat16};
  llvm::Expected<TextQuery> query =
      parseQueryText("ttnn.matmul 8x12x224x64@dram, 8x12x64x224@dram -> 8x12x224x224@dram", layouts, device);
  ASSERT_TRUE(bool(query)) << llvm::toString(query.takeError());
  auto configsOn = [&](MemoryLayout kind, GridShape grid) {
    return enumerateMatmulConfigs(query->signature, l1Sharded(result, kind, grid, device.workerGrid),
                                  device.workerGrid);
  };
  std::vector<OpSpecificConfig> two = configsOn(MemoryLayout::HeightSharded, {48, 1});
  ASSERT_FALSE(two.empty());
  const auto &first = std::get<MatmulProgramConfig>(two.front());
  EXPECT_EQ(first.kind, MatmulProgramConfig::Kind::Reuse);
  EXPECT_EQ(first.perCoreM, 14);
  EXPECT_EQ(first.perCoreN, 7);
  EXPECT_EQ(first.in0BlockW, 2);
  EXPECT_EQ(first.grid, (CoreCoord{8, 6}));
  EXPECT_TRUE(configsOn(MemoryLayout::HeightSharded, {61, 1}).empty()); // 11.01 rows of tiles each
  EXPECT_TRUE(configsOn(MemoryLayout::BlockSharded, {8, 7}).empty());
}

} // namespace
