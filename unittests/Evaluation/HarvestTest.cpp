//===- HarvestTest.cpp - Calls that are made for the vendor's library -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Evaluation/Harvest.h"
#include "tessera/OpModel/OpTable.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

HarvestOptions options(uint64_t seed, double scale, std::vector<std::string> ops = {}) {
  return {*findDevice("n150"), BackendVersion::Newest, seed, scale, std::move(ops)};
}

bool same(const NamedCall &a, const NamedCall &b) {
  return a.id == b.id && a.query.signature == b.query.signature && a.query.inputs == b.query.inputs &&
         a.query.outputs == b.query.outputs && a.query.specific == b.query.specific;
}

TEST(Harvest, EqualSeedsMakeEqualCalls) {
  std::vector<NamedCall> once = makeCalls(options(3, 0.05)), again = makeCalls(options(3, 0.05));
  ASSERT_EQ(once.size(), again.size());
  for (size_t i = 0; i < once.size(); ++i)
    EXPECT_TRUE(same(once[i], again[i])) << once[i].id;
  EXPECT_FALSE(same(once.front(), makeCalls(options(4, 0.05)).front()));
}

TEST(Harvest, CallsOfAnOpDependNeitherOnOthersNorOnTheScale) {
  std::vector<NamedCall> few = makeCalls(options(3, 0.05, {"softmax"}));
  std::vector<NamedCall> many = makeCalls(options(3, 0.2, {"ttnn.softmax", "add"}));
  auto first = llvm::find_if(many, [](const NamedCall &c) { return c.id == "n150/3/softmax#0"; });
  ASSERT_NE(first, many.end());
  EXPECT_TRUE(same(few.front(), *first));
}

TEST(Harvest, EveryOpIsKnownToTheOpModel) {
  for (llvm::StringRef op : harvestedOps())
    EXPECT_TRUE(findOp(("ttnn." + op).str())) << op.str();
}

TEST(Harvest, TensorsLieOnTheBoard) {
  for (const NamedCall &call : makeCalls(options(11, 0.2))) {
    ASSERT_EQ(call.query.inputs.size(), call.query.signature.operands.size()) << call.id;
    for (const TensorLayout &layout : call.query.outputs)
      if (layout.isSharded())
        EXPECT_LE(layout.coreCount(), CoreCount(64)) << call.id;
  }
}

} // namespace
