//===- LookaheadTest.cpp - What a layout is worth to those who read it ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "Common/Lookahead.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tessera;

namespace {

/// Each operand and result in DRAM costs 500, a conversion 3000, and one core holds everything.
struct Looking {
  explicit Looking(const llvm::Twine &program)
      : instance(parse(("device grid 1x1\nmock default time 1000 dram 500\n" + program).str())),
        oracle(instance.problem, *instance.model), lookahead(instance.problem, oracle) {}

  ValueId value(llvm::StringRef name) {
    auto found =
        llvm::find_if(instance.problem.values, [&](const Value &value) { return value.name == name; });
    return ValueId(found - instance.problem.values.begin());
  }
  LayoutId l1(llvm::StringRef name) { return oracle.l1Interleaved(value(name)); }
  LayoutId dram(llvm::StringRef name) { return oracle.dram(value(name)); }
  /// In nanoseconds, if every reader has a legal way.
  std::optional<double> worthInL1(llvm::StringRef name) {
    return number(lookahead.worth(value(name), l1(name)));
  }
  static std::optional<double> number(Price price) {
    return price.possible() ? std::optional(price.time.value()) : std::nullopt;
  }

  ProblemInstance instance;
  Oracle oracle;
  Lookahead lookahead;
};

constexpr llvm::StringLiteral kDiamond = R"(
  mock ttnn.to_memory_config time 3000 dram 0
  %x = argument 32x32xbf16 dram
  %a = ttnn.relu(%x) : 32x64xbf16
  %u = ttnn.relu(%a) : 32x64xbf16
  %v = ttnn.relu(%a) : 32x64xbf16
  %o = ttnn.add(%u, %v) : 32x64xbf16
  return %o
)";

TEST(Lookahead, AtHomeALayoutIsWorthNothing) {
  Looking at(kDiamond);
  for (llvm::StringRef name : {"%a", "%u", "%v", "%o"})
    EXPECT_EQ(at.lookahead.worth(at.value(name), at.dram(name)), Price()) << name.str();
}

TEST(Lookahead, AReturnedValueMustComeHome) { EXPECT_EQ(Looking(kDiamond).worthInL1("%o"), 3000); }

TEST(Lookahead, OperandsOfAJoinCountOnEachOther) {
  // add runs 2500 with everything in DRAM. With u in L1 it could run 2000; it counts on v to come along: 1500.
  Looking at(kDiamond);
  EXPECT_EQ(at.worthInL1("%u"), -1000);
  EXPECT_EQ(at.worthInL1("%v"), -1000);
}

TEST(Lookahead, EveryReaderWins) {
  // u and v each save 500 by reading a from L1, and write to L1 in either case.
  EXPECT_EQ(Looking(kDiamond).worthInL1("%a"), -1000);
}

TEST(Lookahead, LayersThatRepeatAreAskedOnce) {
  std::string text = "mock ttnn.to_memory_config time 3000 dram 0\n%v0 = argument 32x32xbf16 dram\n";
  constexpr size_t count = 20;
  for (size_t i = 0; i < count; ++i)
    text += llvm::formatv("%v{1} = ttnn.relu(%v{0}) : 32x32xbf16\n", i, i + 1);
  Looking at(text + llvm::formatv("return %v{0}", count).str());
  // The last one's result is returned, and the worth of the others' comes to rest after a few.
  EXPECT_NE(at.lookahead.kindOf(OpId(count - 1)), at.lookahead.kindOf(OpId(0)));
  for (size_t i = 1; i < count / 2; ++i)
    EXPECT_EQ(at.lookahead.kindOf(OpId(i)), at.lookahead.kindOf(OpId(1))) << i;
  EXPECT_EQ(at.worthInL1("%v5"), at.worthInL1("%v6"));
}

TEST(Lookahead, AReaderIsWorthWhatItsOwnReadersWin) {
  // gelu keeps the kind of shards that it reads, and c takes block shards only: from DRAM gelu makes them, 1500, and c
  // saves 500. From height shards gelu itself is faster, but the best that it makes of them lies in DRAM, 1500.
  Looking at(R"(
    mock ttnn.to_memory_config time 3000 dram 0
    mock ttnn.gelu same_placement
    mock ttnn.exp same_placement
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x64xbf16 legal [dram, l1/height_sharded/1x1]
    %b = ttnn.gelu(%a) : 32x64xbf16 legal [dram, l1/height_sharded/1x1, l1/block_sharded/1x1]
    %c = ttnn.exp(%b) : 32x64xbf16 legal [l1/block_sharded/1x1]
    return %c
  )");
  LayoutId height = at.instance.problem.ops[0].legal[1].outputs.front();
  EXPECT_EQ(at.lookahead.worth(at.value("%a"), height),
            Price() + (Nanoseconds(500) + at.lookahead.residencyCharge(at.dram("%a"))));
}

TEST(Lookahead, ReadersBehindASpillWinNothing) {
  Looking at(kDiamond);
  ValueId a = at.value("%a");
  LayoutId l1 = at.l1("%a");
  EXPECT_EQ(at.number(at.lookahead.worthUntil(a, l1, SchedulePos(4))), -1000);      // stays to the end
  EXPECT_EQ(at.number(at.lookahead.worthUntil(a, l1, SchedulePos(2))), 3000 - 500); // v, op 2, reads DRAM
  EXPECT_EQ(at.number(at.lookahead.worthUntil(a, l1, SchedulePos(1))), 3000);       // u as well
  EXPECT_EQ(at.number(at.lookahead.worthUntil(a, at.dram("%a"), SchedulePos(1))),
            0); // what lies in DRAM does not leave
}

TEST(Lookahead, AReaderThatTakesOneLayoutOnlyPaysTheConversion) {
  Looking at(R"(
    mock ttnn.to_memory_config time 3000 dram 0
    mock ttnn.mystery not_implemented
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x64xbf16
    %m = ttnn.mystery(%a) : 32x64xbf16 fixed
    return %m
  )");
  EXPECT_EQ(at.worthInL1("%a"), 3000);
}

TEST(Lookahead, WithoutAConversionThereIsNoWayBack) {
  Looking at(R"(
    mock ttnn.to_memory_config metal_backend_error
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x64xbf16
    return %a
  )");
  EXPECT_EQ(at.worthInL1("%a"), std::nullopt);
}

TEST(Lookahead, WhatIsWrittenInPlaceStaysAtHome) {
  Looking at(R"(
    mock ttnn.to_memory_config time 1 dram 0
    %x = argument 32x64xbf16 dram
    %buffer = ttnn.relu(%x) : 32x64xbf16
    %r = ttnn.exchange(%x, %buffer) : 32x64xbf16 fixed writes %buffer
    %s = ttnn.add(%buffer, %r) : 32x64xbf16 after r
    return %s
  )");
  EXPECT_EQ(at.worthInL1("%buffer"), std::nullopt);
}

TEST(Lookahead, TheChargeOrdersLayoutsAndDecidesNothingElse) {
  Looking at(R"(
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x64xbf16 legal [dram, l1, l1/height_sharded/1x1]
    return %a
  )");
  std::vector<Nanoseconds> charges;
  for (const OpConfig &config : at.instance.problem.ops[0].legal)
    charges.push_back(at.lookahead.residencyCharge(config.outputs.front()));
  EXPECT_EQ(charges.back(), Nanoseconds(0));
  EXPECT_GT(charges[0], charges[1]);
  EXPECT_GT(charges[1], charges[2]);
  EXPECT_LT(charges[0], at.instance.problem.device.launch * 0.1);
}

} // namespace
