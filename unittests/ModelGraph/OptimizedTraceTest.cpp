//===- OptimizedTraceTest.cpp - The configured program is a plan too ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "TinyModel.h"

#include "tessera/ModelRunner/ConfigHelpers.h"

#include "llvm/Support/FileSystem.h"

using namespace tessera;
using namespace tessera::runner;

namespace {

// DeepSeek-V3 itself, on a Galaxy: the weights of its MLPs lie in shards over the DRAM banks, as no policy places them.
class OptimizedTraceTest : public testing::Test {
protected:
  OptimizedTraceTest() : context(TinyModel::on({1, 2}).context()), board(boardFor({4, 8})) {
    std::string folder = testing::TempDir() + "/deepseek-v3";
    EXPECT_FALSE(llvm::sys::fs::create_directories(folder));
    EXPECT_FALSE(llvm::sys::fs::copy_file(TESSERA_MODELS "/deepseek-v3.json", folder + "/config.json"));
    target =
        Target{llvm::cantFail(readHfFolder(folder)), {4, 8}, board.workerGrid, board.dramBanks, kTile, 4096};
  }

  /// The decode of a module alone.
  llvm::Expected<TracedModel> trace(llvm::StringRef name, bool asConfigured, const Item &config = {}) {
    ModulePlace place = llvm::cantFail(moduleAt(target->hf, *findModule(name), std::nullopt));
    return traceModule(context, *target, Phase::Decode, board, place,
                       {config, {}, {}, nullptr, asConfigured});
  }

  mlir::MLIRContext &context;
  DeviceSpec board;
  std::optional<Target> target;
};

TEST(BoardTest, ALargerMeshThanAnyBoardsIsOfTheLargestBoard) {
  EXPECT_EQ(boardFor({8, 8}).name, "galaxy");
  EXPECT_EQ(boardFor({8, 8}).mesh, (GridShape{8, 8}));
  EXPECT_EQ(boardFor({1, 1}).name, "n150");
  EXPECT_EQ(boardFor({1, 4}).name, "t3000");
}

class OptimizedModuleTest : public OptimizedTraceTest, public testing::WithParamInterface<const char *> {};

TEST_P(OptimizedModuleTest, IsNeverSlowerThanWhatIsConfigured) {
  llvm::Expected<TracedModel> configured = trace(GetParam(), /*asConfigured=*/true);
  ASSERT_TRUE(bool(configured)) << llvm::toString(configured.takeError());
  llvm::Expected<ConfiguredCost> cost = configuredCost(*configured->module, board);
  ASSERT_TRUE(bool(cost)) << llvm::toString(cost.takeError());
  ASSERT_EQ(cost->refused, std::vector<std::string>());
  ASSERT_EQ(cost->unknown, std::vector<std::string>());
  // Greedy alone loses to the configs of four of these.
  llvm::Expected<OptimizedTrace> optimized =
      optimizedTrace([&](bool asConfigured) { return trace(GetParam(), asConfigured); }, board, "greedy");
  ASSERT_TRUE(bool(optimized)) << llvm::toString(optimized.takeError());
  EXPECT_LE(optimized->estimate.after.value(), cost->time.value());
}

INSTANTIATE_TEST_SUITE_P(Decode, OptimizedModuleTest,
                         testing::Values("mla_norm", "mlp", "shared_experts", "norm", "lm_head"));

// A config that cannot run as it stands takes no part, and does not keep the rest from being optimized.
TEST_F(OptimizedTraceTest, WhatTheOpModelRefusesTakesNoPart) {
  Item config =
      modelConfigOf(target->hf, llvm::cantFail(moduleAt(target->hf, *findModule("mlp"), std::nullopt)),
                    modelConfigOf(*target, Phase::Decode));
  Dict programs = *config.get<Dict>();
  for (auto &[key, item] : programs.entries)
    if (auto linear = fromItem<LinearConfig>(item); linear && linear->program_config) {
      std::get<MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig>(*linear->program_config).in0_block_w =
          3;
      item = toItem(*linear);
    }
  config = Item(programs);
  llvm::Expected<TracedModel> configured = trace("mlp", /*asConfigured=*/true, config);
  ASSERT_TRUE(bool(configured)) << llvm::toString(configured.takeError());
  std::string refused = llvm::toString(checkConfigured(*configured->module, board));
  EXPECT_TRUE(llvm::StringRef(refused).starts_with("w1: ttnn.linear: ")) << refused;
  llvm::Expected<OptimizedTrace> optimized =
      optimizedTrace([&](bool asConfigured) { return trace("mlp", asConfigured, config); }, board, "greedy");
  ASSERT_TRUE(bool(optimized)) << llvm::toString(optimized.takeError());
  EXPECT_LT(optimized->estimate.after.value(), optimized->estimate.before.value());
}

} // namespace
