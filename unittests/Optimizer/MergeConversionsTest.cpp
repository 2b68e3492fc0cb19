//===- MergeConversionsTest.cpp - When a conversion op takes over others --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/PlanText.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

const TensorDesc kTensor{{256, 256}, DataType::BFloat16};

/// A plan that is put together by hand. %t is a conversion op of the program, from rows to tiles.
struct Merging {
  explicit Merging(llvm::StringRef program, llvm::StringRef mocks = "")
      : instance(parse(("device grid 2x2\nmock default time 100\n" + mocks + R"(
          %x = argument 256x256xbf16 dram/row_major
        )" + program)
                           .str())),
        builder(instance.problem, "test") {}

  LayoutId l1(PageLayout page = PageLayout::Tile) {
    return instance.layouts->intern(l1Interleaved(kTensor, {2, 2}, page));
  }
  LayoutId dram() { return instance.layouts->intern(dramInterleaved(kTensor)); }
  TensorId x() { return builder.original(ValueId(0)); }

  /// Runs `op` on one tensor, with its result in `layout`.
  TensorId run(size_t op, TensorId read, LayoutId layout) {
    OpConfig config = instance.problem.ops[op].declared;
    config.outputs = {layout};
    builder.run(OpId(op), {read}, config);
    return builder.original(instance.problem.ops[op].results.front());
  }
  TensorId convert(TensorId tensor, LayoutId layout) { return builder.convert(tensor, layout, OpId(0)); }

  std::string text(const Plan &plan) {
    std::string result;
    llvm::raw_string_ostream os(result);
    print(os, instance.problem, plan);
    return result;
  }
  /// The plan before and after. Both are legal.
  std::pair<std::string, std::string> merge() {
    Plan plan = builder.finish();
    EXPECT_TRUE(checkPlan(instance.problem, plan, *instance.model).ok()) << text(plan);
    Plan merged = mergeConversions(instance.problem, plan, *instance.model).value_or(plan);
    EXPECT_TRUE(checkPlan(instance.problem, merged, *instance.model).ok()) << text(merged);
    return {text(plan), text(merged)};
  }

  ProblemInstance instance;
  PlanBuilder builder;
};

constexpr llvm::StringLiteral kOneReader = R"(
  %t = ttnn.to_layout(%x) : 256x256xbf16 conversion
  %a = ttnn.relu(%t) : 256x256xbf16 legal [dram, l1]
  return %a
)";

TEST(MergeConversions, TheOpMakesWhatItsReaderWants) {
  Merging plan(kOneReader);
  TensorId t = plan.run(0, plan.x(), plan.dram());
  plan.run(1, plan.convert(t, plan.l1()), plan.dram());
  // Two ops still, since none does both: but the program's op is one of them, and which comes first is free.
  EXPECT_EQ(plan.merge().second, "t0 = %x dram/interleaved/row_major\n"
                                 "convert t0 -> t3 l1/interleaved/row_major  // reshard for t\n"
                                 "run     t (t3) -> t1 l1/interleaved\n"
                                 "run     a (t1) -> t2 dram/interleaved\n"
                                 "return  t2\n");
}

TEST(MergeConversions, TheOpReadsWhatWasConvertedForIt) {
  Merging plan(kOneReader);
  TensorId t = plan.run(0, plan.convert(plan.x(), plan.l1(PageLayout::RowMajor)), plan.l1());
  TensorId back = plan.convert(t, plan.dram());
  plan.run(1, back, plan.dram());
  EXPECT_EQ(plan.merge().second, "t0 = %x dram/interleaved/row_major\n"
                                 "run     t (t0) -> t1 dram/interleaved\n"
                                 "run     a (t1) -> t2 dram/interleaved\n"
                                 "return  t2\n");
}

TEST(MergeConversions, OfTwoOpsOneConverts) {
  Merging plan(R"(
    %t = ttnn.to_layout(%x) : 256x256xbf16 conversion
    %u = ttnn.to_layout(%t) : 256x256xbf16 declared dram/row_major conversion
    %a = ttnn.relu(%u) : 256x256xbf16 legal [dram, l1]
    return %a
  )");
  TensorId t = plan.run(0, plan.x(), plan.dram());
  TensorId u = plan.run(1, t, plan.l1());
  plan.run(2, plan.convert(u, plan.l1(PageLayout::RowMajor)), plan.dram());
  EXPECT_EQ(plan.merge().second, "t0 = %x dram/interleaved/row_major\n"
                                 "run     t (t0) -> t1 dram/interleaved/row_major\n" // nothing to do
                                 "run     u (t1) -> t2 l1/interleaved/row_major\n"
                                 "run     a (t2) -> t3 dram/interleaved\n"
                                 "return  t3\n");
}

TEST(MergeConversions, NotIfAnotherOpReadsTheOldLayout) {
  Merging plan(R"(
    %t = ttnn.to_layout(%x) : 256x256xbf16 conversion
    %a = ttnn.relu(%t) : 256x256xbf16
    %b = ttnn.gelu(%t) : 256x256xbf16
    return %a, %b
  )");
  TensorId t = plan.run(0, plan.x(), plan.dram());
  plan.run(1, plan.convert(t, plan.l1()), plan.dram());
  plan.run(2, t, plan.dram());
  auto [before, after] = plan.merge();
  EXPECT_EQ(before, after);
}

TEST(MergeConversions, NotIfTheFunctionReturnsTheOldLayout) {
  Merging plan(R"(
    %t = ttnn.to_layout(%x) : 256x256xbf16 conversion
    %a = ttnn.relu(%t) : 256x256xbf16
    return %a, %t
  )");
  TensorId t = plan.run(0, plan.x(), plan.dram());
  plan.run(1, plan.convert(t, plan.l1()), plan.dram());
  auto [before, after] = plan.merge();
  EXPECT_EQ(before, after);
}

TEST(MergeConversions, NotIfAnOverrideSaysWhatTheOpMakes) {
  Merging plan(R"(
    %t = ttnn.to_layout(%x) : 256x256xbf16 conversion only [dram]
    %a = ttnn.relu(%t) : 256x256xbf16
    return %a
  )");
  TensorId t = plan.run(0, plan.x(), plan.dram());
  plan.run(1, plan.convert(t, plan.l1()), plan.dram());
  auto [before, after] = plan.merge();
  EXPECT_EQ(before, after);
}

TEST(MergeConversions, OnlyConversionsTakeOver) {
  Merging plan(R"(
    %t = ttnn.tilize(%x) : 256x256xbf16
    %a = ttnn.relu(%t) : 256x256xbf16
    return %a
  )");
  TensorId t = plan.run(0, plan.x(), plan.dram());
  plan.run(1, plan.convert(t, plan.l1()), plan.dram());
  auto [before, after] = plan.merge();
  EXPECT_EQ(before, after);
}

TEST(MergeConversions, NotIfACopyIsReadByOthersToo) {
  Merging plan(R"(
    %t = ttnn.to_layout(%x) : 256x256xbf16 conversion
    %a = ttnn.relu(%t) : 256x256xbf16
    %b = ttnn.gelu(%x) : 256x256xbf16
    return %a, %b
  )");
  TensorId copy = plan.convert(plan.x(), plan.l1(PageLayout::RowMajor));
  TensorId t = plan.run(0, copy, plan.l1());
  plan.run(1, t, plan.dram());
  plan.run(2, copy, plan.dram());
  auto [before, after] = plan.merge();
  EXPECT_EQ(before, after);
}

} // namespace
