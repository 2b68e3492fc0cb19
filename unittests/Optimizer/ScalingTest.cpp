//===- ScalingTest.cpp - Work per op of long programs --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Counted, not timed: policies report each op or chain that they look at; those that decide nothing look at none, and their questions to
// the op model are counted.
//
//===----------------------------------------------------------------------===//
#include "ChainTest.h"

#include "tessera/Optimizer/Contest/Solve.h"

using namespace tessera;

namespace {

constexpr llvm::StringLiteral kResult = " : 256x256xbf16 legal [dram, l1/height_sharded/4x1]\n";

/// `count` results, of which 40 fit into L1, then their sum from the last to the first.
std::string branches(size_t count) {
  std::string text = "%x = argument 256x256xbf16 dram\n";
  for (size_t i = 0; i < count; ++i)
    text += llvm::formatv("%b{0} = ttnn.relu(%x){1}", i, kResult);
  std::string sum = llvm::formatv("%b{0}", count - 1);
  for (size_t i = count - 1; i-- > 0;) {
    text += llvm::formatv("%s{0} = ttnn.add({1}, %b{0}){2}", i, sum, kResult);
    sum = llvm::formatv("%s{0}", i);
  }
  return text + "return " + sum + "\n";
}

/// One value that `count` ops read.
std::string fanOut(size_t count) {
  std::string text = llvm::formatv("%x = argument 256x256xbf16 dram\n%y = ttnn.relu(%x){0}", kResult),
              sum = "%y";
  for (size_t i = 0; i < count; ++i) {
    text += llvm::formatv("%s{0} = ttnn.add({1}, %y){2}", i, sum, kResult);
    sum = llvm::formatv("%s{0}", i);
  }
  return text + "return " + sum + "\n";
}

struct Work {
  size_t reports = 0, questions = 0;
};

Work workOf(const PolicyInfo &policy, const std::string &ops, bool once = false) {
  ProblemInstance instance = instanceOf(ops);
  OpCostTable model(*instance.model);
  Work work;
  PolicyOptions options;
  options.once = once;
  options.progress = ProgressFunction([&](auto &&...) { ++work.reports; });
  options.optimal.gap = -1; // a proof would end the search, of short programs sooner
  Plan plan = solve(policy, instance.problem, model, options);
  work.questions = model.statistics().hits + model.statistics().misses;
  EXPECT_TRUE(checkPlan(instance.problem, plan, model).ok()) << policy.name.str();
  return work;
}

TEST(Scaling, NoPolicyLooksAtAnOpOfALongProgramMoreOften) {
  for (const PolicyInfo &policy : policies())
    for (auto shape : {branches, fanOut}) {
      auto counted = policy.decidesNothing ? &Work::questions : &Work::reports;
      size_t few = workOf(policy, shape(100)).*counted, many = workOf(policy, shape(1000)).*counted;
      EXPECT_GT(few, 0u) << policy.name.str();
      EXPECT_LE(many, 2 * 10 * few) << policy.name.str();
    }
}

/// Graphs are compared by first attempts.
TEST(Scaling, AFirstAttemptOfBeamAsksNoIncumbent) {
  const PolicyInfo &beam = *findPolicy("beam");
  size_t whole = workOf(beam, fanOut(200)).reports, once = workOf(beam, fanOut(200), /*once=*/true).reports;
  EXPECT_LE(once + 200, whole);
  EXPECT_FALSE(plansOnce(beam, {}));
  EXPECT_TRUE(plansOnce(*findPolicy("df-sharding-1"), {}));
}

/// Under pressure the greedy walk is repeated, but not for each of the values that have to leave.
TEST(Scaling, GreedyRepeatsItsWalkOnceForAllThatHaveToLeave) {
  size_t ops = 2 * 2000 - 1, looks = workOf(*findPolicy("greedy"), branches(2000)).reports;
  EXPECT_GT(looks, ops);
  EXPECT_LT(looks, 8 * ops);
}

} // namespace
