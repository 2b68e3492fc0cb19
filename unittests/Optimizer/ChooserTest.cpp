//===- ChooserTest.cpp - The best way to run one op here ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"

#include "Greedy/Chooser.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;
using namespace tessera::greedy;

namespace {

struct Choosing {
  explicit Choosing(const llvm::Twine &program)
      : instance(parse(("device grid 2x2\n" + program).str())), oracle(problem, *instance.model),
        lookahead(problem, oracle), chooser(problem, oracle, lookahead) {}

  /// The op with its operands where they are at home, read later by others too.
  Situation situation(llvm::StringRef op) {
    auto found = llvm::find_if(problem.ops, [&](const Op &candidate) { return candidate.location == op; });
    Situation result;
    result.op = OpId(found - problem.ops.begin());
    for (ValueId operand : problem[result.op].operands)
      if (!llvm::is_contained(result.values, operand))
        result.values.push_back(operand);
    for (ValueId value : result.values)
      result.sources.push_back({{problem[value].declared}});
    result.pinned.assign(result.values.size(), false);
    result.leavesAt.assign(problem[result.op].results.size(), problem.end());
    return result;
  }
  LayoutId height(ValueId value) {
    return instance.layouts->intern(
        l1Sharded(problem[value].tensor, MemoryLayout::HeightSharded, {4, 1}, problem.device.workerGrid));
  }

  std::string name(LayoutId layout) { return describe(problem.layout(layout)); }
  /// "%x dram/interleaved, %y => l1/interleaved makes l1/interleaved": %y is converted.
  std::string text(const Situation &situation, const std::optional<Candidate> &candidate) {
    if (!candidate)
      return "nothing";
    std::string result;
    for (auto [index, choice] : llvm::enumerate(candidate->choices))
      result += (index ? ", " : "") + problem[situation.values[index]].name + " " +
                (choice.target.valid() ? "=> " + name(choice.target)
                                       : name(situation.sources[index][choice.source].layout));
    return result + " makes " + name(oracle[candidate->config].outputs.front());
  }
  std::string best(const Situation &situation) { return text(situation, chooser.best(situation)); }

  ProblemInstance instance;
  const Problem &problem = instance.problem;
  Oracle oracle;
  Lookahead lookahead;
  Chooser chooser;
};

constexpr llvm::StringLiteral kChain = R"(
  mock default time 1000 dram 500
  mock ttnn.to_memory_config time 3000 dram 0
  %x = argument 256x256xbf16 dram
  %a = ttnn.relu(%x) : 256x256xbf16
  %b = ttnn.relu(%a) : 256x256xbf16
  return %b
)";

TEST(Chooser, WritesWhereTheReaderWins) {
  Choosing at(kChain);
  Situation a = at.situation("a");
  EXPECT_EQ(at.best(a), "%x dram/interleaved makes l1/interleaved");
  // The op 1500, and b saves 500.
  LayoutId l1 = at.oracle.l1Interleaved(ValueId(1));
  EXPECT_EQ(at.chooser.best(a)->score.time, Nanoseconds(1500 - 500) + at.lookahead.residencyCharge(l1));
}

TEST(Chooser, WhatLeavesL1AtOnceIsMadeInDram) {
  Choosing at(kChain);
  Situation a = at.situation("a");
  a.leavesAt = {SchedulePos(1)};
  EXPECT_EQ(at.best(a), "%x dram/interleaved makes dram/interleaved");
}

TEST(Chooser, ReadsTheCopyThatIsFaster) {
  Choosing at(kChain);
  Situation b = at.situation("b");
  b.sources[0].push_back({at.oracle.l1Interleaved(ValueId(1)), 1});
  std::optional<Candidate> best = at.chooser.best(b);
  ASSERT_TRUE(best);
  EXPECT_EQ(best->choices[0].source, 1u);
  EXPECT_FALSE(best->choices[0].target.valid());
}

/// The sum reads shards of one kind only, or DRAM at 5000.
constexpr llvm::StringLiteral kJoin = R"(
  mock default time 1000 dram 5000 interleaved 1000
  mock ttnn.add same_placement
  mock ttnn.to_memory_config time 2000 dram 0 interleaved 0
  %x = argument 256x256xbf16 dram
  %y = argument 256x256xbf16 dram
  %b = ttnn.relu(%y) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %s = ttnn.add(%x, %b) : 256x256xbf16 legal [dram, l1/height_sharded/4x1]
  %o = ttnn.relu(%s) : 256x256xbf16
  return %o
)";

Situation shardedJoin(Choosing &at) {
  Situation s = at.situation("s");
  s.sources[1] = {{at.height(ValueId(2))}};
  return s;
}

TEST(Chooser, BringsAnOperandToTheOther) {
  Choosing at(kJoin);
  EXPECT_EQ(at.best(shardedJoin(at)),
            "%x => l1/height_sharded/4x1 2x8 tiles bf16, %b l1/height_sharded/4x1 2x8 tiles bf16 "
            "makes l1/height_sharded/4x1 2x8 tiles bf16");
}

TEST(Chooser, APinnedOperandIsReadWhereItIs) {
  Choosing at(kJoin);
  Situation s = shardedJoin(at);
  s.pinned[0] = true;
  EXPECT_EQ(at.best(s), "%x dram/interleaved, %b l1/height_sharded/4x1 2x8 tiles bf16 "
                        "makes l1/height_sharded/4x1 2x8 tiles bf16");
}

TEST(Chooser, ShardsFirstWhereTimesAreEqual) {
  Choosing at(R"(
    mock default time 1000
    mock ttnn.to_memory_config time 0
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1, l1/height_sharded/4x1]
    return %a
  )");
  EXPECT_EQ(at.best(at.situation("a")), "%x dram/interleaved makes l1/height_sharded/4x1 2x8 tiles bf16");
}

/// DRAM is charged 52 ns and L1 26, by which it is slower here: the scores are equal.
TEST(Chooser, StaysInL1WhereScoresAreEqual) {
  Choosing at(R"(
    mock default time 1000 interleaved 26
    mock ttnn.to_memory_config time 0 interleaved 0
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16 legal [dram, l1]
    return %a
  )");
  EXPECT_EQ(at.best(at.situation("a")), "%x dram/interleaved makes l1/interleaved");
}

TEST(Chooser, AConvolutionFreesOnlyWhatDies) {
  Choosing at(R"(
    mock default time 1000 dram 1000
    mock ttnn.to_memory_config time 9000
    %x = argument 256x256xbf16 dram
    %a = ttnn.relu(%x) : 256x256xbf16
    %c = ttnn.conv2d(%a) : 256x256xbf16 legal [dram/frees_input]
    return %c
  )");
  Situation c = at.situation("c");
  auto frees = [&] {
    std::optional<Candidate> best = at.chooser.best(c);
    return best && at.oracle.keepingInput(best->config) != best->config;
  };
  EXPECT_FALSE(frees());
  c.sources[0][0].dies = true;
  EXPECT_TRUE(frees());
}

TEST(Chooser, NothingIfNothingIsLegal) {
  Choosing at(R"(
    mock ttnn.softmax metal_backend_error
    %x = argument 256x256xbf16 dram
    %a = ttnn.softmax(%x) : 256x256xbf16
    return %a
  )");
  EXPECT_EQ(at.best(at.situation("a")), "nothing");
  EXPECT_TRUE(at.chooser.all(at.situation("a")).empty());
}

TEST(Chooser, AllWaysAreLegalAndTheBestIsFirst) {
  Choosing at(kJoin);
  Situation s = shardedJoin(at);
  std::vector<Candidate> all = at.chooser.all(s);
  ASSERT_GT(all.size(), 3u);
  EXPECT_EQ(at.text(s, all.front()), at.best(s));
  EXPECT_TRUE(llvm::is_sorted(all, [](const Candidate &a, const Candidate &b) {
    return a.score.time < b.score.time - Nanoseconds(1);
  }));
  std::vector<std::string> texts;
  for (const Candidate &candidate : all) {
    LayoutId inputs[2];
    for (auto [index, choice] : llvm::enumerate(candidate.choices))
      inputs[index] = choice.target.valid() ? choice.target : s.sources[index][choice.source].layout;
    EXPECT_TRUE(at.oracle.run(s.op, inputs, candidate.config).legal) << at.text(s, candidate);
    texts.push_back(at.text(s, candidate));
  }
  llvm::sort(texts);
  EXPECT_TRUE(llvm::adjacent_find(texts) == texts.end()) << "a way is found twice";
}

} // namespace
