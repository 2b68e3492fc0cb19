//===- ConversionsTest.cpp ------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/PlanText.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

const TensorDesc kTensor{{256, 256}, DataType::BFloat16};

/// A mock device, and layouts of one tensor on its grid of 2x2 cores.
struct Device {
  explicit Device(llvm::StringRef mocks)
      : instance(parse(("device grid 2x2\n" + mocks +
                        "\n%x = argument 256x256xbf16 dram\n%a = ttnn.relu(%x) : 256x256xbf16\nreturn %a")
                           .str())),
        conversions(*instance.model) {}

  LayoutId id(const TensorLayout &layout) { return instance.layouts->intern(layout); }
  LayoutId dram(PageLayout page, DataType dtype = DataType::BFloat16) {
    return id(dramInterleaved({kTensor.shape, dtype}, page));
  }
  LayoutId l1(PageLayout page) { return id(l1Interleaved(kTensor, {2, 2}, page)); }
  LayoutId height(PageLayout page) {
    return id(l1Sharded(kTensor, MemoryLayout::HeightSharded, {4, 1}, {2, 2}, page));
  }

  /// The ops of the path in order, each with what it makes.
  std::string path(LayoutId from, LayoutId to) {
    const Conversion &conversion = conversions.find(kTensor, from, to);
    std::string text = conversion.cost.legal ? "" : "none";
    for (LayoutId stop : conversion.stops) {
      text += (text.empty() ? "" : "; ") +
              conversionSignature(kTensor.shape, (*instance.layouts)[from], (*instance.layouts)[stop])
                  .name.substr(5) +
              " " + describe((*instance.layouts)[stop]);
      from = stop;
    }
    return text;
  }

  ProblemInstance instance;
  Conversions conversions;
};

TEST(Conversions, OneThingAtATime) {
  TensorLayout tiles = dramInterleaved(kTensor), rows = dramInterleaved(kTensor, PageLayout::RowMajor);
  TensorLayout wide = dramInterleaved({kTensor.shape, DataType::Float32});
  TensorLayout l1 = l1Interleaved(kTensor, {2, 2}), host = systemMemory(kTensor);
  EXPECT_EQ(narrowConversion(tiles, l1), ConversionKind::MemoryConfig);
  EXPECT_EQ(narrowConversion(rows, tiles), ConversionKind::Layout);
  EXPECT_EQ(narrowConversion(rows, wide), ConversionKind::Layout);
  EXPECT_EQ(narrowConversion(tiles, wide), ConversionKind::Typecast);
  EXPECT_EQ(narrowConversion(rows, l1), std::nullopt);
  EXPECT_EQ(narrowConversion(l1, wide), std::nullopt);
  EXPECT_EQ(narrowConversion(host, rows), std::nullopt);
}

TEST(Conversions, ThePathIsTheFastest) {
  // Rows are slow to move: tilize first. Tiles are slow to make in DRAM: tilize in L1.
  Device moving("mock default time 100\nmock ttnn.to_memory_config time 100 dram 50");
  EXPECT_EQ(moving.path(moving.dram(PageLayout::RowMajor), moving.l1(PageLayout::Tile)),
            "to_layout dram/interleaved; to_memory_config l1/interleaved");
  Device tilizing("mock default time 100\nmock ttnn.to_layout time 100 dram 500");
  EXPECT_EQ(tilizing.path(tilizing.dram(PageLayout::RowMajor), tilizing.l1(PageLayout::Tile)),
            "to_memory_config l1/interleaved/row_major; to_layout l1/interleaved");
  const Conversion &whole =
      tilizing.conversions.find(kTensor, tilizing.dram(PageLayout::RowMajor), tilizing.l1(PageLayout::Tile));
  EXPECT_EQ(whole.cost.time, Nanoseconds(200));
  // Both tensors lie in L1 while the second op runs: 32 KiB of rows and 32 KiB of tiles per core.
  EXPECT_EQ(whole.cost.own, Bytes(64 * 1024));
}

/// On its shards a kernel works with all cores.
TEST(Conversions, PagesChangeInShardsWhereThatIsFaster) {
  llvm::StringRef slow = "mock default time 100\nmock ttnn.to_layout time 100 interleaved 300 dram 300";
  Device device(slow);
  EXPECT_EQ(device.path(device.l1(PageLayout::Tile), device.l1(PageLayout::RowMajor)),
            "to_memory_config l1/height_sharded/4x1 2x8 tiles bf16; "
            "to_layout l1/height_sharded/4x1/row_major 64x256 elements bf16; "
            "to_memory_config l1/interleaved/row_major");
  // Not if what lies there is too large, or if two moves take what is saved.
  Device crowded((slow + "\nmock ttnn.to_memory_config buffers 2000KiB").str());
  EXPECT_EQ(crowded.path(crowded.l1(PageLayout::Tile), crowded.l1(PageLayout::RowMajor)),
            "to_layout l1/interleaved/row_major");
  Device near("mock default time 100\nmock ttnn.to_layout time 100 interleaved 90");
  EXPECT_EQ(near.path(near.l1(PageLayout::Tile), near.l1(PageLayout::RowMajor)),
            "to_layout l1/interleaved/row_major");
}

TEST(Conversions, DataTypesChangeOnTheWay) {
  Device device("mock default time 100\nmock ttnn.to_layout same_placement");
  EXPECT_EQ(device.path(device.dram(PageLayout::Tile), device.dram(PageLayout::Tile, DataType::Float32)),
            "typecast dram/interleaved");
  EXPECT_EQ(
      device.path(device.height(PageLayout::RowMajor), device.dram(PageLayout::Tile, DataType::Float32)),
      "to_memory_config dram/interleaved/row_major; to_layout dram/interleaved");
}

TEST(Conversions, NoWayIsNone) {
  Device device("mock default time 100\nmock ttnn.to_layout metal_backend_error");
  EXPECT_EQ(device.path(device.dram(PageLayout::RowMajor), device.l1(PageLayout::Tile)), "none");
  Device moving("mock default time 100\nmock ttnn.to_memory_config metal_backend_error");
  EXPECT_FALSE(moving.conversions.find(kTensor, moving.dram(PageLayout::Tile), moving.l1(PageLayout::Tile))
                   .cost.legal);
}

// ---- In plans --------------------------------------------------------------------------------------------

constexpr llvm::StringLiteral kTilize = R"(
  device grid 2x2
  mock default time 100
  %x = argument 256x256xbf16 dram/row_major
  %t = ttnn.to_layout(%x) : 256x256xbf16 conversion
  %a = ttnn.relu(%t) : 256x256xbf16 legal [dram, l1]
  return %a
)";

std::string text(const Problem &problem, const Plan &plan) {
  std::string result;
  llvm::raw_string_ostream os(result);
  print(os, problem, plan);
  return result;
}

/// The op %t makes L1 tiles at once, as a policy asks for.
Plan tilizedIntoL1(const ProblemInstance &instance) {
  Plan plan = declaredPlan(instance.problem);
  LayoutId l1 = instance.layouts->intern(l1Interleaved(kTensor, {2, 2}));
  plan.tensors[plan.steps[0].writes[0].index()].layout = l1;
  plan.configs[0].outputs = {l1};
  return plan;
}

TEST(NarrowConversions, AnOpOfTheProgramBecomesItsPath) {
  ProblemInstance instance = parse(kTilize);
  Plan whole = tilizedIntoL1(instance);
  PlanCheck check = checkPlan(instance.problem, whole, *instance.model);
  ASSERT_EQ(check.violations.size(), 1u);
  EXPECT_EQ(check.violations[0].rule, "plan.conversion_not_narrow");
  EXPECT_EQ(check.violations[0].message, "step 0 (run t) turns t0 (%x, dram/interleaved/row_major) into t1 "
                                         "(%t, l1/interleaved): no single op does");

  Conversions conversions(*instance.model);
  Plan plan = narrowConversions(instance.problem, whole, conversions);
  EXPECT_TRUE(checkPlan(instance.problem, plan, *instance.model).ok());
  EXPECT_EQ(text(instance.problem, plan), "t0 = %x dram/interleaved/row_major\n"
                                          "convert t0 -> t3 l1/interleaved/row_major  // reshard for t\n"
                                          "run     t (t3) -> t1 l1/interleaved\n"
                                          "run     a (t1) -> t2 dram/interleaved\n"
                                          "return  t2\n");
  EXPECT_EQ(planCost(instance.problem, plan, *instance.model).total(), Nanoseconds(300));
}

/// Policies have counted with the path, so it is what is written, although one op could do it.
TEST(NarrowConversions, OneOpThatDoesNotFitBecomesItsPath) {
  Device device("mock default time 100\nmock ttnn.to_layout buffers 2000KiB dram_buffers 0");
  LayoutId tiles = device.l1(PageLayout::Tile), rows = device.l1(PageLayout::RowMajor);
  EXPECT_EQ(device.path(tiles, rows),
            "to_memory_config dram/interleaved; to_layout dram/interleaved/row_major; "
            "to_memory_config l1/interleaved/row_major");
  const Problem &problem = device.instance.problem;
  PlanBuilder builder(problem, "test");
  TensorId inL1 = builder.convert(builder.original(ValueId(0)), tiles, OpId(0));
  TensorId inRows = builder.convert(inL1, rows, OpId(0));
  builder.run(OpId(0), {inRows}, problem[OpId(0)].declared);
  Plan plan = narrowConversions(problem, builder.finish(), device.conversions);
  EXPECT_TRUE(checkPlan(problem, plan, *device.instance.model).ok()) << text(problem, plan);
  EXPECT_EQ(plan.steps.size(), 5u) << text(problem, plan);
}

/// What a program converts in one op is its own affair, until a policy decides.
TEST(NarrowConversions, ABasePlanKeepsWhatOneOpDoes) {
  ProblemInstance instance = parse(R"(
    device grid 2x2
    mock default time 100
    mock ttnn.to_layout time 100 interleaved 300 dram 300
    %x = argument 256x256xbf16 l1
    %t = ttnn.to_layout(%x) : 256x256xbf16 conversion declared l1/row_major
    return %t
  )");
  Plan base = basePlan(instance.problem, *instance.model);
  EXPECT_EQ(base.steps.size(), 1u) << text(instance.problem, base);
  Conversions conversions(*instance.model);
  Plan whole = narrowConversions(instance.problem, base, conversions);
  EXPECT_EQ(whole.steps.size(), 3u) << text(instance.problem, whole);
}

TEST(NarrowConversions, TheOpItselfChangesTheDataType) {
  ProblemInstance instance = parse(R"(
    device grid 2x2
    mock default time 100
    %x = argument 256x256xbf16 dram
    %t = ttnn.to_layout(%x) : 256x256xf32 conversion
    %a = ttnn.relu(%t) : 256x256xf32
    return %a
  )");
  Plan whole = declaredPlan(instance.problem);
  LayoutId l1 = instance.layouts->intern(l1Interleaved({kTensor.shape, DataType::Float32}, {2, 2}));
  whole.tensors[1].layout = l1;
  whole.configs[0].outputs = {l1};
  Conversions conversions(*instance.model);
  Plan plan = narrowConversions(instance.problem, whole, conversions);
  EXPECT_TRUE(checkPlan(instance.problem, plan, *instance.model).ok());
  EXPECT_EQ(plan.steps.size(), 3u);
}

TEST(MergeConversions, AnOpTakesOverWhatFollows) {
  ProblemInstance instance = parse(kTilize);
  const Problem &problem = instance.problem;
  LayoutId l1 = instance.layouts->intern(l1Interleaved(kTensor, {2, 2}));
  LayoutId rows = instance.layouts->intern(l1Interleaved(kTensor, {2, 2}, PageLayout::RowMajor));
  PlanBuilder builder(problem, "test");
  TensorId first = builder.convert(builder.original(ValueId(0)), rows, OpId(0));
  OpConfig tiles = problem.ops[0].declared;
  tiles.outputs = {l1};
  builder.run(OpId(0), {first}, tiles);
  TensorId dram = builder.convert(builder.original(ValueId(1)), problem.values[1].declared, OpId(1));
  builder.run(OpId(1), {dram}, problem.ops[1].declared);
  Plan plan = builder.finish();
  ASSERT_TRUE(checkPlan(problem, plan, *instance.model).ok());
  // Three ops for what one does.
  Plan merged = *mergeConversions(problem, plan, *instance.model);
  EXPECT_TRUE(checkPlan(problem, merged, *instance.model).ok());
  EXPECT_EQ(text(problem, merged), text(problem, declaredPlan(problem)));
}

} // namespace
