//===- SpillTest.cpp - Who leaves L1, and who could have stayed -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The numeric scenarios of facts/ir 9.5: strategy farthest-last-use has to make
// the published choices, the others must not be slower nor write more bytes to
// DRAM.
//
//===----------------------------------------------------------------------===//
#include "OptimizerTest.h"
#include "SpillScenarios.h"

#include "tessera/Optimizer/Policy/Spill.h"

#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanFigures.h"

#include <set>

using namespace tessera;

namespace {

struct Spilled {
  std::set<std::string> names; ///< of values that are in DRAM at some time
  Bytes bytes;
  Nanoseconds time;
};

Spilled spill(const SpillScenario &scenario, SpillStrategy strategy) {
  ProblemInstance instance = parse(scenario.text);
  Problem &problem = instance.problem;
  fitBase(problem, *instance.model);
  PolicyOptions options;
  options.spill = strategy;
  Plan plan = spillPlan(problem, *instance.model, declaredPlan(problem), options);
  PlanCheck check = checkPlan(problem, plan, *instance.model);
  for (const PlanViolation &violation : check.violations)
    ADD_FAILURE() << scenario.name << ": " << violation.message;
  Spilled spilled;
  spilled.time = planCost(problem, plan, *instance.model).total();
  for (const PlanTensor &tensor : plan.tensors)
    if (const Value &value = problem[tensor.value];
        value.producer.valid() && !value.returned && problem.layout(tensor.layout).isDram() &&
        spilled.names.insert(problem[value.producer].location).second)
      spilled.bytes += totalBytes(problem.layout(tensor.layout), value.tensor.shape);
  return spilled;
}

TEST(Spill, FarthestLastUseMakesThePublishedChoices) {
  for (const SpillScenario &scenario : spillScenarios())
    EXPECT_EQ(spill(scenario, SpillStrategy::FarthestLastUse).names, scenario.leave) << scenario.name;
}

/// The published pass moves a victim out of L1 for all of its life, and reshards it back for those who read it before it was
/// in the way (facts/ir 4.8). Here they read what still lies there.
TEST(Spill, WhoReadsAVictimBeforeItLeavesReadsL1) {
  ProblemInstance instance = parse(R"(
    device grid 1x1
    budget 1300KiB
    mock default time 1000 dram 500
    mock ttnn.to_memory_config time 1500 dram 0
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x8000xbf16 declared l1
    %early = ttnn.gelu(%a) : 32x1600xbf16 declared l1
    %soon = ttnn.gelu(%a) : 32x1600xbf16 declared l1
    %then = ttnn.gelu(%a) : 32x1600xbf16 declared l1
    %p = ttnn.relu(%x) : 32x12800xbf16 declared l1
    %late = ttnn.concat(%p, %early, %soon, %then) : 32x1600xbf16 declared l1
    %last = ttnn.add(%a, %late) : 32x32xbf16
    return %last
  )");
  Problem &problem = instance.problem;
  fitBase(problem, *instance.model);
  for (SpillStrategy strategy : {SpillStrategy::FarthestLastUse, SpillStrategy::Cost, SpillStrategy::Dp}) {
    PolicyOptions options;
    options.spill = strategy;
    Plan plan = spillPlan(problem, *instance.model, declaredPlan(problem), options);
    EXPECT_TRUE(checkPlan(problem, plan, *instance.model).ok());
    auto readBy = [&](llvm::StringRef reader) {
      for (const PlanStep &step : plan.steps)
        if (step.kind == PlanStep::Kind::Run && problem[step.op].location == reader)
          return describe(problem.layout(plan[step.reads.front()].layout));
      return std::string("nothing");
    };
    for (llvm::StringRef reader : {"early", "soon", "then"})
      EXPECT_EQ(readBy(reader), "l1/interleaved") << int(strategy);
    // The others let p go, which costs less.
    EXPECT_EQ(readBy("last"),
              strategy == SpillStrategy::FarthestLastUse ? "dram/interleaved" : "l1/interleaved");
  }
}

/// A reload takes 600 ns, reading DRAM 500. A hundred nanoseconds are little beside 200 KiB, but they decide.
TEST(Spill, ReadsDramWhereThatIsFasterThanAReload) {
  ProblemInstance instance = parse(R"(
    device grid 1x1
    budget 1300KiB
    mock default time 1000 dram 500
    mock ttnn.to_memory_config time 600 dram 0
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x8000xbf16 declared l1
    %early = ttnn.gelu(%a) : 32x1600xbf16 declared l1
    %p = ttnn.relu(%x) : 32x14400xbf16 declared l1
    %late = ttnn.add(%p, %early) : 32x1600xbf16 declared l1
    %last = ttnn.add(%a, %late) : 32x32xbf16
    return %last
  )");
  Problem &problem = instance.problem;
  fitBase(problem, *instance.model);
  PolicyOptions options;
  options.spill = SpillStrategy::FarthestLastUse;
  Plan plan = spillPlan(problem, *instance.model, declaredPlan(problem), options);
  EXPECT_EQ(figuresOf(problem, plan).reloads, 0);
}

/// What leaves L1 and is returned there comes back at the end: the tensor that left is not kept for it.
TEST(Spill, WhatWasSpilledIsReturnedFromWhereItWent) {
  ProblemInstance instance = parse(R"(
    device grid 1x1
    budget 1300KiB
    mock default time 1000 dram 100
    mock ttnn.gelu time 1000 dram 90000
    mock ttnn.to_memory_config time 600 dram 0
    %x = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 32x12800xbf16 declared l1
    %b = ttnn.gelu(%a) : 32x32xbf16
    %p = ttnn.softmax(%b) : 32x14400xbf16 declared l1 only [l1]
    %c = ttnn.relu(%p) : 32x32xbf16
    return %c, %a
  )");
  Problem &problem = instance.problem;
  fitBase(problem, *instance.model);
  PolicyOptions options;
  options.spill = SpillStrategy::Dp;
  Plan plan = spillPlan(problem, *instance.model, declaredPlan(problem), options);
  EXPECT_TRUE(checkPlan(problem, plan, *instance.model).ok());
  EXPECT_EQ(figuresOf(problem, plan).returns, 2); // there and back
}

/// Two copies of a that lie in L1 leave together: both are read later, and one of them is written.
TEST(Spill, OfSeveralCopiesThatLeaveOneIsSpilled) {
  ProblemInstance instance = parse(R"(
    device grid 2x1
    budget 1300KiB
    mock default time 1000 dram 100
    mock ttnn.to_memory_config time 300 dram 0
    mock ttnn.exp time 1000 buffers 1200KiB
    mock ttnn.neg time 1000 sharded_inputs
    mock ttnn.gelu time 1000 dram 5000 interleaved_inputs
    %x = argument 64x6400xbf16 dram
    %y = argument 32x32xbf16 dram
    %a = ttnn.relu(%x) : 64x6400xbf16 only [l1]
    %p = ttnn.neg(%a) : 32x32xbf16 only [dram] reads [l1/height_sharded/2x1]
    %q = ttnn.gelu(%a) : 32x32xbf16
    %b = ttnn.exp(%y) : 32x32xbf16
    %r = ttnn.neg(%a) : 32x32xbf16 only [dram] reads [l1/height_sharded/2x1]
    %s = ttnn.gelu(%a) : 32x32xbf16
    return %p, %q, %b, %r, %s
  )");
  Problem &problem = instance.problem;
  fitBase(problem, *instance.model);
  PolicyOptions options;
  options.spill = SpillStrategy::Dp;
  // What p and r are to read is in the base plan, and nowhere in the declared one.
  for (const Plan &given : {basePlan(problem, *instance.model), declaredPlan(problem)}) {
    Plan plan = spillPlan(problem, *instance.model, given, options);
    EXPECT_TRUE(checkPlan(problem, plan, *instance.model).ok());
    // Of a: a reshard for p, a spill, and a reload each for r and s. Besides, q and s are made in L1 and returned.
    EXPECT_EQ(planCost(problem, plan, *instance.model).conversions.value(), 6 * 300.0);
  }
}

/// The command line's way: of the strategy's plans and the policy's own the fastest stays.
TEST(Spill, CostAndDpAreNeverSlowerThanFarthestLastUseForAnyPolicy) {
  for (const SpillScenario &scenario : spillScenarios())
    for (const PolicyInfo &policy : policies()) {
      auto timeWith = [&](SpillStrategy strategy) {
        ProblemInstance instance = parse(scenario.text);
        fitBase(instance.problem, *instance.model);
        PolicyOptions options;
        options.spill = strategy;
        Plan plan = solveWithSpilling(policy, instance.problem, *instance.model, options);
        EXPECT_TRUE(checkPlan(instance.problem, plan, *instance.model).ok());
        return planCost(instance.problem, plan, *instance.model).total();
      };
      Nanoseconds farthest = timeWith(SpillStrategy::FarthestLastUse);
      EXPECT_LE(timeWith(SpillStrategy::Cost), farthest) << scenario.name << ", " << policy.name.str();
      EXPECT_LE(timeWith(SpillStrategy::Dp), farthest) << scenario.name << ", " << policy.name.str();
    }
}

TEST(Spill, CostAndDpAreNeverSlowerNorSpillMore) {
  for (const SpillScenario &scenario : spillScenarios()) {
    Spilled farthest = spill(scenario, SpillStrategy::FarthestLastUse);
    for (SpillStrategy strategy : {SpillStrategy::Cost, SpillStrategy::Dp}) {
      Spilled other = spill(scenario, strategy);
      EXPECT_LE(other.time, farthest.time) << scenario.name << " " << int(strategy);
      EXPECT_LE(other.bytes, farthest.bytes) << scenario.name << " " << int(strategy);
    }
  }
}

} // namespace
