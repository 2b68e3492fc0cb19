//===- ChainPropertyTest.cpp - What holds for chain policies ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Policy/DFSharding.h"
#include "tessera/Optimizer/Policy/L1InterleavedFallback.h"
#include "tessera/Optimizer/Problem/ProblemText.h"
#include "gtest/gtest.h"
#include <rapidcheck.h>

using namespace tessera;

namespace {

/// Runs `property(text)` on random problems.
template <class Property>
void forRandomProblems(const char *description, Property property) {
  auto bytes = rc::gen::resize(300, rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
  bool holds = rc::check(description, [&] {
    std::string text = randomProblem(*bytes);
    RC_LOG() << text;
    property(text);
  });
  EXPECT_TRUE(holds);
}

TEST(DFSharding, PlansAreLegalAndTheStandingOneIsNoSlowerThanVersion1) {
  forRandomProblems("2.0 against 1.0", [](const std::string &text) {
    ProblemInstance instance = parseRandom(text);
    const Problem &problem = instance.problem;
    DFShardingReport second;
    Plan one = solveDFSharding(problem, *instance.model, {}, DFShardingOptions::version1());
    Plan two = solveDFSharding(problem, *instance.model, {}, {}, &second);
    // The draft's own accounting sees to it: nobody has asked the checker yet.
    RC_ASSERT(violations(checkPlan(problem, one, *instance.model)) == "");
    RC_ASSERT(violations(checkPlan(problem, two, *instance.model)) == "");
    Plan standing = solve(*findPolicy("df-sharding"), problem, *instance.model, {});
    RC_ASSERT(!hasAddresses(problem, one, *instance.model) ||
              planCost(problem, standing, *instance.model).total() <=
                  planCost(problem, one, *instance.model).total());
    RC_CLASSIFY(second.completed > 0, "chains");
    RC_CLASSIFY(second.shardedForks + second.interleavedForks > 0, "forks");
    RC_CLASSIFY(second.simpleMerges > 0, "merges");
    RC_CLASSIFY(second.threeWayMerges > 0, "3-way merges");
    RC_CLASSIFY(second.reshapeReservations > 0, "reshapes");
  });
}

TEST(L1InterleavedFallback, KeepsEveryPolicysPlanLegalAndNoSlower) {
  for (const PolicyInfo &policy : policies())
    forRandomProblems(policy.name.data(), [&](const std::string &text) {
      ProblemInstance instance = parseRandom(text);
      const Problem &problem = instance.problem;
      Plan before = solve(policy, problem, *instance.model, {});
      Plan after = upgradeToL1Interleaved(problem, before, *instance.model);
      RC_ASSERT(violations(checkPlan(problem, after, *instance.model)) == "");
      RC_ASSERT(planCost(problem, after, *instance.model).total() <=
                planCost(problem, before, *instance.model).total());
      RC_ASSERT(after.steps.size() == before.steps.size());
    });
}

} // namespace
