//===- ProblemTest.cpp ----------------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"
#include "tessera/Optimizer/Problem/LegalTensorLayouts.h"
#include "tessera/Optimizer/Problem/OperandLayouts.h"

#include <map>
#include <set>

using namespace tessera;

namespace {

constexpr llvm::StringLiteral kFork = R"(
  device grid 2x2
  %x = argument 64x64xbf16 dram
  %a = ttnn.relu(%x) : 64x64xbf16
  %b = ttnn.add(%a, %a) : 64x64xbf16
  ttnn.fill_cache(%x, %b)
  return %b
)";

TEST(OperandLayouts, AValueHasOneLayoutByHoweverManyOperands) {
  ProblemInstance parsed = parse(R"(
    device grid 2x2
    %x = argument 64x64xbf16 dram
    %y = argument 64x64xbf16 l1
    %z = ttnn.where(%x, %y, %x) : 64x64xbf16
    return %z
  )");
  const Problem &problem = parsed.problem;
  const Op &op = problem.ops.front();
  LayoutId dram = problem.values[0].declared, l1 = problem.values[1].declared;
  EXPECT_EQ(placesOf(op), (llvm::SmallVector<unsigned, 8>{0, 1, 0}));
  EXPECT_EQ(placeOf(op, ValueId(1)), 1u);
  OperandLayouts inputs = declaredInputs(problem, OpId(0));
  EXPECT_EQ(inputs, (OperandLayouts{dram, l1, dram}));
  EXPECT_EQ(baseInputs(problem, OpId(0)), inputs);
  setInput(op, ValueId(0), l1, inputs);
  EXPECT_EQ(inputs, (OperandLayouts{l1, l1, l1}));
  setInput(op, ValueId(2), dram, inputs); // which the op does not read
  EXPECT_EQ(inputs, (OperandLayouts{l1, l1, l1}));
  EXPECT_EQ(byOperand<LayoutId>(op, {dram, l1}), (OperandLayouts{dram, l1, dram}));
  EXPECT_EQ(byValue<LayoutId>(op, {dram, l1, dram}), (llvm::SmallVector<LayoutId, 4>{dram, l1}));
}

TEST(Problem, GoodOneHasNoComplaint) { EXPECT_EQ(checkProblem(parse(kFork).problem), ""); }

/// Breaks a good problem in one way and looks for the complaint.
struct Breakage {
  const char *what;
  std::function<void(Problem &)> breakIt;
  const char *complaint;
};

TEST(Problem, EveryInconsistencyIsFound) {
  const Breakage breakages[] = {
      {"no pool", [](Problem &p) { p.layouts = nullptr; }, "no layout pool"},
      {"declared layout", [](Problem &p) { p.values[1].declared = LayoutId(999); },
       "declared layout is not in the pool"},
      {"no producer", [](Problem &p) { p.values[1].producer = OpId(); }, "an activation without a producer"},
      {"wrong producer", [](Problem &p) { p.values[1].producer = OpId(9); }, "producer does not exist"},
      {"wrong result", [](Problem &p) { p.values[1].resultIndex = 1; }, "is not result 1"},
      {"signature", [](Problem &p) { p.ops[0].signature = SignatureId(99); }, "signature is not in the pool"},
      {"operand count", [](Problem &p) { p.ops[0].operands.clear(); }, "0 operands and 1 results"},
      {"dangling operand", [](Problem &p) { p.ops[0].operands[0] = ValueId(77); },
       "operand 0 does not exist"},
      {"later operand", [](Problem &p) { p.ops[0].operands[0] = ValueId(2); }, "is computed later"},
      {"missing use", [](Problem &p) { p.values[0].uses.clear(); }, "does not list this use"},
      {"extra use", [](Problem &p) { p.values[2].uses.push_back({OpId(0), 0}); },
       "lists a use that does not exist"},
      {"unordered uses", [](Problem &p) { std::swap(p.values[1].uses[0], p.values[1].uses[1]); },
       "not in schedule order"},
      {"after later op", [](Problem &p) { p.ops[0].after = {OpId(1)}; },
       "must stand after an op that is not before it"},
      {"writes nothing", [](Problem &p) { p.ops[0].writes = {1}; },
       "writes an operand that it does not have"},
      {"no configuration", [](Problem &p) { p.ops[0].legal.clear(); }, "no legal configuration"},
      {"short configuration", [](Problem &p) { p.ops[0].legal[0].outputs.clear(); }, "one layout per result"},
      {"declared differs", [](Problem &p) { p.ops[0].declared = p.ops[0].legal[1]; },
       "declared layout of %a differ"},
      {"returned unmarked", [](Problem &p) { p.values[2].returned = false; }, "returned but not marked"},
      {"marked unreturned", [](Problem &p) { p.values[1].returned = true; }, "marked as returned but is not"},
  };
  for (const Breakage &breakage : breakages) {
    ProblemInstance instance = parse(kFork);
    breakage.breakIt(instance.problem);
    EXPECT_NE(checkProblem(instance.problem).find(breakage.complaint), std::string::npos)
        << breakage.what << ": " << checkProblem(instance.problem);
  }
}

TEST(Problem, SinksWriteTheirFirstOperandAndArguments) {
  ProblemInstance instance = parse(R"(
    %cache = argument 64x64xbf16 dram
    %index = argument 32x32xbf16 dram
    %x = argument 64x64xbf16 dram
    %a = ttnn.relu(%x) : 64x64xbf16
    ttnn.paged_update_cache(%cache, %a, %index)
    return %a
  )");
  EXPECT_EQ(valuesWrittenInPlace(instance.problem), (std::vector<bool>{true, true, false, false}));
}

TEST(Problem, ViewsKeepWhatTheyView) {
  ProblemInstance instance = parse(R"(
    %x = argument 64x64xbf16 dram
    %a = ttnn.relu(%x) : 64x64xbf16
    %v = ttnn.reshape(%a) : 64x64xbf16
    %w = ttnn.reshape(%a) : 64x64xbf16
    %b = ttnn.relu(%v) : 64x64xbf16
    %c = ttnn.add(%w, %b) : 64x64xbf16
    return %c
  )");
  // x is not owned; a, v and w share one buffer, last read by op 4; b by op 4; c is returned.
  std::vector<size_t> last;
  for (SchedulePos position : lastReaders(instance.problem))
    last.push_back(position.index());
  EXPECT_EQ(last, (std::vector<size_t>{5, 4, 4, 4, 4, 5}));
}

/// The names of those ops whose view shows, as the problem has them before they are kept (keepViews).
static std::string shownIn(llvm::StringRef text) {
  ProblemInstance instance = parse(text);
  for (Op &op : instance.problem.ops)
    if (op.role == OpRole::Fixed)
      op.role = op.name == "ttnn.to_memory_config" ? OpRole::Conversion : OpRole::Compute;
  std::string names;
  for (auto [op, shows] : llvm::zip_equal(instance.problem.ops, viewsThatShow(instance.problem)))
    names += shows ? op.location + " " : "";
  return names;
}

TEST(Problem, ViewsShowWhereOneTensorIsWrittenAndTheOtherReadAfterThat) {
  // Of what the program has: the view is read behind the write, before it, and written itself.
  EXPECT_EQ(shownIn(R"(
    %x = argument 64x64xbf16 dram
    %a = ttnn.relu(%x) : 64x64xbf16
    %v = ttnn.reshape(%a) : 64x64xbf16
    %w = ttnn.reshape(%a) : 64x64xbf16
    %b = ttnn.relu(%w) : 64x64xbf16
    ttnn.fill_cache(%a, %x)
    %c = ttnn.add(%v, %b) : 64x64xbf16
    return %c
  )"),
            "v ");
  EXPECT_EQ(shownIn(R"(
    %x = argument 64x64xbf16 dram
    %y = argument 64x64xbf16 dram
    %v = ttnn.reshape(%x) : 64x64xbf16
    %w = ttnn.reshape(%v) : 64x64xbf16
    ttnn.fill_cache(%w, %y)
    return %y
  )"),
            "v w ")
      << "the caller sees what is written to its argument";
  EXPECT_EQ(shownIn(R"(
    %x = argument 64x64xbf16 dram
    %a = ttnn.relu(%x) : 64x64xbf16
    %v = ttnn.slice_static(%a) : 64x32xbf16
    ttnn.fill_cache(%a, %x)
    %c = ttnn.relu(%v) : 64x32xbf16
    return %c
  )"),
            "")
      << "a part is no view";
}

TEST(Problem, WhatIsCopiedAsDeclaredIsAMemoryOfItsOwn) {
  // The first conversion is a copy that stays one, so that nothing shows of the view behind it.
  const char *text = R"(
    %x = argument 64x64xbf16 dram
    %a = ttnn.relu(%x) : 64x64xbf16
    %v = ttnn.to_memory_config(%a) : 64x64xbf16 declared l1/interleaved conversion
    %w = ttnn.reshape(%v) : 64x64xbf16
    ttnn.fill_cache(%w, %x)
    %c = ttnn.add(%a, %w) : 64x64xbf16
    return %c
  )";
  EXPECT_EQ(shownIn(text), "v ");
  ProblemInstance instance = parse(text);
  EXPECT_EQ(instance.problem.ops[1].role, OpRole::Fixed);
  EXPECT_EQ(instance.problem.ops[2].role, OpRole::Compute);
  // x, a, v, w, c.
  EXPECT_EQ(valuesWrittenInPlace(instance.problem), (std::vector<bool>{true, false, true, true, false}));
}

// ---- LegalTensorLayouts ----------------------------------------------------------------------------------

TEST(LegalTensorLayouts, HasTheScalarTypesOfArgumentsAndResultsAndNoOthers) {
  ProblemInstance instance = parse(R"(
    %a = argument 64x64xf32 dram
    %x = ttnn.typecast(%a) : 64x64xbf16
    return %x
  )");
  LegalTensorLayouts layouts(instance.problem);
  for (DataType type : scalarDataTypes(instance.problem))
    EXPECT_FALSE(layouts.of({{64, 64}, type}, PageLayout::Tile).sharded.empty());
  EXPECT_TRUE(layouts.of({{64, 64}, DataType::UInt16}, PageLayout::Tile).interleaved.empty());
}

// ---- enumerateLayouts ------------------------------------------------------------------------------------

DeviceSpec deviceWithGrid(GridShape grid) {
  DeviceSpec device = *findDevice("n150");
  device.workerGrid = grid;
  return device;
}

/// The definition, tried out on all grids: one layout per kind and shard shape, with the smallest grid.
std::set<std::tuple<MemoryLayout, GridShape>> allGrids(const TensorDesc &tensor, PageLayout page,
                                                       GridShape workers) {
  GridShape units = physicalShapeInUnits(dramInterleaved(tensor, page), tensor.shape);
  std::map<std::tuple<MemoryLayout, GridShape>, GridShape> smallest; // (kind, shard) -> grid
  auto consider = [&](MemoryLayout kind, GridShape grid) {
    if (grid.rows > units.rows || grid.columns > units.columns)
      return;
    smallest.try_emplace({kind, l1Sharded(tensor, kind, grid, workers, page).shard}, grid);
  };
  for (int64_t rows = 1; rows <= workers.rows; ++rows)
    for (int64_t columns = 1; columns <= workers.columns; ++columns)
      consider(MemoryLayout::BlockSharded, {rows, columns});
  for (int64_t n = 1; n <= workers.volume(); ++n) {
    consider(MemoryLayout::HeightSharded, {n, 1});
    consider(MemoryLayout::WidthSharded, {1, n});
  }
  std::set<std::tuple<MemoryLayout, GridShape>> grids;
  for (const auto &[key, grid] : smallest)
    grids.insert({std::get<0>(key), grid});
  return grids;
}

/// Shapes and grids of facts/ir 9.6, and some that are not multiples of anything.
TEST(ProblemText, BaseInputsBelongToRestrictedOps) {
  auto complaintOf = [](llvm::StringRef op) {
    std::string text =
        ("%x = argument 64x64xbf16 dram\n%a = ttnn.add(%x, %x) : 64x64xbf16 " + op + "\nreturn %a\n").str();
    llvm::Expected<ProblemInstance> instance = parseProblem(text, "p");
    return instance ? std::string() : llvm::toString(instance.takeError());
  };
  EXPECT_EQ(complaintOf("only [l1] reads [l1, l1]"), "");
  EXPECT_EQ(complaintOf("only [l1]"), "");
  EXPECT_NE(complaintOf("legal [l1] reads [l1, l1]")
                .find("do not name one layout per operand of an op with a base of its own"),
            std::string::npos);
  EXPECT_NE(complaintOf("only [l1] reads [l1, dram]").find("its base inputs read %x in two layouts"),
            std::string::npos);
  EXPECT_NE(complaintOf("only [l1] reads [l1]").find("expected ','"), std::string::npos);
}

TEST(LayoutSpace, HoldsOneLayoutPerDistinctShardShape) {
  const Shape shapes[] = {{256, 512, 32}, {128, 256, 64}, {512, 1024, 128}, {16, 16},
                          {1, 1},         {100},          {3, 70, 500},     {}};
  for (const Shape &shape : shapes)
    for (GridShape grid : {GridShape{4, 4}, {8, 8}, {6, 6}, {2, 2}, {10, 13}, {1, 1}})
      for (PageLayout page : {PageLayout::Tile, PageLayout::RowMajor}) {
        TensorDesc tensor{shape, DataType::BFloat16};
        DeviceSpec device = deviceWithGrid(grid);
        LayoutPool pool;
        LayoutSpace space = enumerateLayouts(tensor, page, device, pool);
        std::set<std::tuple<MemoryLayout, GridShape>> found;
        for (LayoutId id : space.sharded) {
          EXPECT_TRUE(found.insert({*pool[id].memory, pool[id].grid}).second) << describe(pool[id]);
          EXPECT_EQ(checkLayoutFor(pool[id], shape, device), "") << describe(pool[id]);
        }
        // Row-major tensors have too many splits to try all of them here.
        if (page == PageLayout::Tile) {
          EXPECT_EQ(found, allGrids(tensor, page, grid));
        }
        ASSERT_EQ(space.interleaved.size(), 2u);
        EXPECT_TRUE(pool[space.interleaved[0]].isDram());
        EXPECT_TRUE(pool[space.interleaved[1]].isL1());
      }
}

TEST(LayoutSpace, LargestGridsComeFirst) {
  LayoutPool pool;
  LayoutSpace space =
      enumerateLayouts({{2048, 2048}, DataType::BFloat16}, PageLayout::Tile, deviceWithGrid({8, 8}), pool);
  EXPECT_TRUE(pool[space.interleaved[0]].isDram());
  EXPECT_TRUE(pool[space.interleaved[1]].isL1());
  ASSERT_GE(space.sharded.size(), 3u);
  // 64 x 64 tiles on 64 cores: block 8x8, height 64x1, width 1x64, in this order.
  EXPECT_EQ(pool[space.sharded[0]].memory, MemoryLayout::BlockSharded);
  EXPECT_EQ(pool[space.sharded[0]].grid, (GridShape{8, 8}));
  EXPECT_EQ(pool[space.sharded[1]].grid, (GridShape{64, 1}));
  EXPECT_EQ(pool[space.sharded[2]].grid, (GridShape{1, 64}));
  for (size_t i = 1; i < space.sharded.size(); ++i)
    EXPECT_GE(pool[space.sharded[i - 1]].grid.volume(), pool[space.sharded[i]].grid.volume());
}

TEST(LayoutSpace, BlockFloatsHaveNoRowMajorForm) {
  LayoutPool pool;
  LayoutSpace space =
      enumerateLayouts({{64, 64}, DataType::BFP_BFloat8}, PageLayout::RowMajor, deviceWithGrid({8, 8}), pool);
  EXPECT_TRUE(space.interleaved.empty());
  EXPECT_TRUE(space.sharded.empty());
}

TEST(LayoutSpace, EmptyTensorsAreNotCut) {
  LayoutPool pool;
  EXPECT_TRUE(enumerateLayouts({{0, 64}, DataType::BFloat16}, PageLayout::Tile, deviceWithGrid({8, 8}), pool)
                  .sharded.empty());
}

} // namespace
