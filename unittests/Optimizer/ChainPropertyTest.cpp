//===- ChainPropertyTest.cpp - What holds for drafts and chains ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "Common/Draft.h"
#include "DFSharding/ChainBuilder.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Policy/DFSharding.h"
#include "tessera/Optimizer/Policy/L1InterleavedFallback.h"
#include "tessera/Optimizer/Problem/ProblemText.h"
#include "tessera/Optimizer/Problem/Schedule.h"
#include "gtest/gtest.h"
#include <cmath>
#include <rapidcheck.h>

using namespace tessera;
using namespace tessera::df_sharding;

namespace {

using RandomBytes = std::vector<uint8_t>;

/// Runs `property(text, more)` on random problems; `more` are random bytes of its own.
template <class Property>
void forRandomProblems(const char *description, Property property) {
  auto bytes = rc::gen::resize(300, rc::gen::container<RandomBytes>(rc::gen::arbitrary<uint8_t>()));
  bool holds = rc::check(description, [&] {
    std::string text = randomProblem(*bytes);
    RC_LOG() << text;
    property(text, *bytes);
  });
  EXPECT_TRUE(holds);
}

/// Changes decisions of a draft at random.
class Shaker {
public:
  Shaker(const Problem &problem, Oracle &oracle, Draft &draft, const RandomBytes &bytes)
      : problem(problem), oracle(oracle), draft(draft), bytes(bytes) {}

  void shake() {
    OpId op(pick(problem.ops.size()));
    if (problem[op].role == OpRole::Fixed)
      return;
    switch (pick(3)) {
    case 0: {
      llvm::ArrayRef<ConfigId> legal = oracle.legal(op);
      return draft.setConfig(op, legal[pick(legal.size())]);
    }
    case 1:
      return changeRead(op);
    default:
      for (ValueId result : problem[op].results)
        draft.setInterleavedCopy(result, pick(2) ? oracle.l1Interleaved(result) : LayoutId());
    }
  }

private:
  size_t pick(size_t choices) {
    return choices == 0 || bytes.empty() ? 0 : bytes[next++ % bytes.size()] % choices;
  }

  void changeRead(OpId op) {
    if (problem[op].operands.empty())
      return;
    size_t operand = pick(problem[op].operands.size());
    if (!draft.mayReadElsewhere(op, operand))
      return;
    Read read{Source(pick(3)), {}};
    const LayoutSpace &space = oracle.space(problem[op].operands[operand]);
    if (pick(3) == 0 && !space.sharded.empty())
      read.reshard = space.sharded[pick(space.sharded.size())];
    draft.setRead(op, operand, read);
  }

  const Problem &problem;
  Oracle &oracle;
  Draft &draft;
  const RandomBytes &bytes;
  size_t next = 0;
};

/// Whether the model accepts what the step does.
bool isKnown(const Problem &problem, Oracle &oracle, const Plan &plan, const PlanStep &step) {
  if (step.kind == PlanStep::Kind::Convert)
    return true;
  std::vector<LayoutId> inputs;
  for (TensorId id : step.reads)
    inputs.push_back(plan[id].layout);
  const OpConfig &config = plan.configs[step.op.index()];
  return config != baseConfig(problem[step.op]) || oracle.run(step.op, inputs, oracle.base(step.op)).legal;
}

/// The draft's own accounting of legality, L1 and time is PlanChecker's and planCost's.
TEST(Draft, WhatItAppliesIsLegalAndCostsWhatItSays) {
  forRandomProblems("draft", [](const std::string &text, const RandomBytes &more) {
    ProblemInstance instance = parseRandom(text);
    const Problem &problem = instance.problem;
    Oracle oracle(problem, *instance.model);
    Draft draft(problem, oracle, depthFirstOrder(problem));
    RC_PRE(draft.checkAll() == Outcome::Applied); // else the policy takes the program's order
    Shaker shaker(problem, oracle, draft, more);
    size_t applied = 0;
    for (int i = 0; i < 60; ++i)
      applied += draft.attempt([&] { shaker.shake(); }, /*mayCost=*/true) == Outcome::Applied;
    Plan plan = draft.write("random");
    PlanCheck check = checkPlan(problem, plan, *instance.model);
    RC_ASSERT(violations(check) == "");
    // Ops that the model refuses as declared count in planCost only.
    PlanCost cost = planCost(problem, plan, *instance.model);
    double known = 0;
    for (auto [step, runtime] : llvm::zip_equal(plan.steps, cost.steps))
      known += isKnown(problem, oracle, plan, step) ? runtime.total.value() : 0;
    RC_ASSERT(std::abs(known - draft.time().value()) < 1e-3);
    RC_CLASSIFY(applied > 10, "more than 10 changes");
  });
}

/// What it refuses for lack of L1, PlanChecker would refuse too.
TEST(Draft, RefusesOnlyWhatIsIllegal) {
  forRandomProblems("draft refuses", [](const std::string &text, const RandomBytes &more) {
    ProblemInstance instance = parseRandom(text);
    const Problem &problem = instance.problem;
    Oracle oracle(problem, *instance.model);
    Draft draft(problem, oracle, depthFirstOrder(problem));
    RC_PRE(draft.checkAll() == Outcome::Applied); // else the policy takes the program's order
    Shaker shaker(problem, oracle, draft, more);
    for (int i = 0; i < 20; ++i) {
      std::optional<Plan> tried;
      Outcome outcome = draft.attempt(
          [&] {
            shaker.shake();
            tried = draft.write("tried");
          },
          /*mayCost=*/true);
      RC_ASSERT(checkPlan(problem, *tried, *instance.model).ok() == (outcome == Outcome::Applied));
    }
  });
}

TEST(DFSharding, Version2IsNeverSlowerThanVersion1AndNoPlanIsRejected) {
  forRandomProblems("2.0 against 1.0", [](const std::string &text, const RandomBytes &) {
    ProblemInstance instance = parseRandom(text);
    const Problem &problem = instance.problem;
    DFShardingReport first, second;
    Plan one = solveDFSharding(problem, *instance.model, {}, DFShardingOptions::version1(), &first);
    Plan two = solveDFSharding(problem, *instance.model, {}, {}, &second);
    RC_ASSERT(first.rejectedPlans == 0u);
    RC_ASSERT(second.rejectedPlans == 0u);
    RC_ASSERT(planCost(problem, two, *instance.model).total() <=
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
    forRandomProblems(policy.name.data(), [&](const std::string &text, const RandomBytes &) {
      ProblemInstance instance = parseRandom(text);
      const Problem &problem = instance.problem;
      Plan before = policy.solve(problem, *instance.model, {});
      Plan after = upgradeToL1Interleaved(problem, before, *instance.model);
      RC_ASSERT(violations(checkPlan(problem, after, *instance.model)) == "");
      RC_ASSERT(planCost(problem, after, *instance.model).total() <=
                planCost(problem, before, *instance.model).total());
      RC_ASSERT(after.steps.size() == before.steps.size());
    });
}

} // namespace
