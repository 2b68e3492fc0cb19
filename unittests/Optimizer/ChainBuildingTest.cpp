//===- ChainBuildingTest.cpp ----------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The boxes of facts/optimizer-design 3.2, each by its name, and
// version 1.0 as a whole.
//
//===----------------------------------------------------------------------===//
#include "ChainTest.h"

#include "DFSharding/ChainBuilder.h"
#include "DFSharding/ChainSolver.h"
#include "tessera/OpModel/MockOpModel.h"

using namespace tessera;
using namespace tessera::df_sharding;

namespace {

std::string chainText(const Problem &problem, const L1Chain &chain) {
  std::string text;
  for (OpId op : chain.ops)
    text += (text.empty() ? "" : " ") + problem[op].location;
  return text;
}

std::vector<std::string> chainsOf(llvm::StringRef ops, bool isolateConcats = true) {
  ProblemInstance instance = instanceOf(ops);
  std::vector<std::string> chains;
  for (const L1Chain &chain : buildChains(instance.problem, isolateConcats))
    chains.push_back(chainText(instance.problem, chain));
  return chains;
}

using Strings = std::vector<std::string>;

// ---- 3.2.2, 3.2.3 chain building -------------------------------------------------------------------------

TEST(ChainBuilding, GoesOnThroughFirstOperandsWithOneUse) {
  EXPECT_EQ(chainsOf(R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.matmul(%x, %x) : 256x256xbf16 legal all 4
    %b = ttnn.relu(%a) : 256x256xbf16 legal all 4
    %c = ttnn.add(%b, %x) : 256x256xbf16 legal all 4
    return %c
  )"),
            (Strings{"a b c"}));
}

TEST(ChainBuilding, SingleUseOnly) {
  EXPECT_EQ(chainsOf(R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal all 4
    %b = ttnn.relu(%a) : 256x256xbf16 legal all 4
    %c = ttnn.add(%b, %a) : 256x256xbf16 legal all 4
    return %c
  )"),
            (Strings{"a", "b c"}));
}

TEST(ChainBuilding, AReturnedValueCountsAsUsed) {
  EXPECT_EQ(chainsOf(R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal all 4
    %b = ttnn.relu(%a) : 256x256xbf16 legal all 4
    return %a, %b
  )"),
            (Strings{"a", "b"}));
}

TEST(ChainBuilding, FirstOperandOnly) {
  EXPECT_EQ(chainsOf(R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal all 4
    %b = ttnn.add(%x, %a) : 256x256xbf16 legal all 4
    return %b
  )"),
            (Strings{"a", "b"}));
}

TEST(ChainBuilding, ShardableOpsOnly) {
  EXPECT_EQ(chainsOf(R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal all 4
    %b = ttnn.softmax(%a) : 256x256xbf16 legal all 4
    %c = ttnn.relu(%b) : 256x256xbf16 legal all 4
    %d = ttnn.relu(%c) : 256x256xbf16 fixed
    return %d
  )"),
            (Strings{"a", "c"}));
}

TEST(ChainBuilding, OpsWithoutShardedConfigurationsEndAChain) {
  EXPECT_EQ(chainsOf(R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal all 4
    %b = ttnn.relu(%a) : 256x256xbf16 legal [dram, l1]
    %c = ttnn.relu(%b) : 256x256xbf16 legal all 4
    return %c
  )"),
            (Strings{"a", "c"}));
}

TEST(ChainBuilding, ValuesWrittenInPlaceAreLeftAlone) {
  EXPECT_EQ(chainsOf(R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal all 4
    ttnn.fill_cache(%a, %x)
    return %a
  )"),
            (Strings{}));
}

TEST(ChainBuilding, ConcatsStandAlone) {
  constexpr llvm::StringLiteral kText = R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal all 4
    %b = ttnn.concat(%a, %x) : 512x256xbf16 legal all 4
    %c = ttnn.relu(%b) : 512x256xbf16 legal all 4
    return %c
  )";
  EXPECT_EQ(chainsOf(kText), (Strings{"a", "b", "c"}));
  EXPECT_EQ(chainsOf(kText, /*isolateConcats=*/false), (Strings{"a", "c"}));
  ProblemInstance instance = instanceOf(kText);
  EXPECT_TRUE(buildChains(instance.problem, true)[1].isConcat);
}

// ---- Version 1.0 -----------------------------------------------------------------------------------------

TEST(DFSharding1, AChainStaysInL1AndSpillsAtItsEnd) {
  Solved solved(kThreeRelus, DFShardingOptions::version1());
  EXPECT_EQ(solved.reads("a", 0), "dram");
  EXPECT_EQ(solved.reads("b", 0), "height_sharded");
  EXPECT_EQ(solved.makes("c"), "height_sharded");
  EXPECT_EQ(solved.figures().returns, 1);
  EXPECT_EQ(solved.plan.steps.size(), 4u);
  EXPECT_EQ(solved.report.completed, 1u);
  EXPECT_EQ(solved.report.chainedOps, 3u);
  EXPECT_EQ(solved.report.spills.total(), 0u); // only the function's return reads c
}

TEST(DFSharding1, MostCoresWin) {
  Solved solved(R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/2x1, l1/height_sharded/4x1]
    %b = ttnn.relu(%a) : 256x256xbf16 legal [dram, l1/width_sharded/1x2, l1/width_sharded/1x4]
    return %b
  )",
                DFShardingOptions::version1());
  const Plan &plan = solved.plan;
  EXPECT_EQ(solved.problem.layout(plan.configs[0].outputs[0]).coreCount(), CoreCount(4));
  EXPECT_EQ(solved.problem.layout(plan.configs[1].outputs[0]).coreCount(), CoreCount(4));
}

TEST(DFSharding1, AReshardJoinsWhatDoesNotFit) {
  Solved solved(R"(
    mock ttnn.relu same_placement
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.relu(%a) : 256x256xbf16 legal [dram, l1/width_sharded/1x4]
    return %b
  )",
                DFShardingOptions::version1());
  EXPECT_EQ(solved.makes("a"), "height_sharded");
  EXPECT_EQ(solved.reads("b", 0), "width_sharded");
  EXPECT_EQ(solved.figures().reshards, 1);
  EXPECT_EQ(solved.report.reshards, 1u);
}

TEST(DFSharding1, AnOpThatTakesNoDramGetsAReshardInFront) {
  ProblemInstance instance = parse((kDevice + R"(
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.relu(%a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %b
  )")
                                       .str());
  MockOpModel model(instance.model->context());
  model.defaultBehaviour().time = Nanoseconds(100);
  // In L1 only from L1, as conv2d wants it.
  model.behaviour("ttnn.relu").accepts = [](const OpQuery &query, LayoutPool &pool) {
    return pool[query.inputs[0]].isL1() || pool[query.config.outputs[0]].isDram();
  };
  std::vector<L1Chain> chains = buildChains(instance.problem, false);
  Oracle oracle(instance.problem, model);
  Draft draft(instance.problem, oracle, programOrder(instance.problem));
  ChainSolver solver(draft, model, chains[0]);
  std::optional<ChainSolution> solution = solver.solve(nullptr);
  ASSERT_TRUE(solution);
  EXPECT_TRUE(solution->reshards[0].valid());
  EXPECT_FALSE(solution->reshards[1].valid());
}

TEST(DFSharding1, OneFailingEdgeFailsTheChain) {
  Solved solved(R"(
    mock ttnn.gelu dram_inputs
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.gelu(%a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %c = ttnn.relu(%b) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %c
  )",
                DFShardingOptions::version1());
  EXPECT_EQ(solved.report.failed, 1u);
  EXPECT_EQ(solved.report.completed, 0u);
  EXPECT_EQ(solved.report.spills.chainFailure, 2u); // a and b; nobody reads c
  EXPECT_EQ(solved.plan.steps.size(), 3u);
}

TEST(DFSharding1, NoRoomIsToldFromNoLayout) {
  Solved solved(R"(
    mock ttnn.gelu buffers 1250KiB
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.gelu(%a) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    return %b
  )",
                DFShardingOptions::version1());
  EXPECT_EQ(solved.report.failed, 1u);
  EXPECT_EQ(solved.report.spills.memory, 1u);
}

TEST(DFSharding1, ASlowChainIsDropped) {
  Solved solved(R"(
    mock ttnn.to_memory_config time 9000 dram 0
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
    %b = ttnn.softmax(%a) : 256x256xbf16
    return %b
  )",
                DFShardingOptions::version1());
  EXPECT_EQ(solved.report.dropped, 1u);
  EXPECT_EQ(solved.makes("a"), "dram");
  EXPECT_EQ(solved.figures().spills, 0);
}

} // namespace
