//===- PolicyPropertyTest.cpp - What holds for every policy ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RandomProblem.h"

#include "Common/Lookahead.h"
#include "Greedy/Walk.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanFigures.h"
#include "tessera/Optimizer/Policy/Spill.h"
#include "tessera/Optimizer/Problem/ProblemText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <rapidcheck.h>

using namespace tessera;

namespace {

std::string json(const Problem &problem, const Plan &plan) {
  return llvm::formatv("{0}", toJson(problem, plan)).str();
}

/// Bytes of which a random problem is made: up to about 15 ops, or 5 for a policy that proves its plans, which takes long.
int sizeFor(const PolicyInfo &policy) { return policy.provesBound ? 100 : 300; }

/// Runs `property(text)` on random problems.
template <class Property>
void forRandomProblems(const char *description, Property property, bool someInL1 = true, int size = 300) {
  auto bytes = rc::gen::resize(size, rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
  bool holds = rc::check(description, [&] {
    std::string text = randomProblem(*bytes, someInL1);
    RC_LOG() << text;
    property(text);
  });
  EXPECT_TRUE(holds);
}

TEST(EveryPolicy, PlansAreLegalDeterministicAndNeverSlowerThanTheBasePlan) {
  for (const PolicyInfo &policy : policies())
    forRandomProblems(
        policy.name.data(),
        [&](const std::string &text) {
          ProblemInstance instance = parseRandom(text);
          const Problem &problem = instance.problem;
          Plan plan = solve(policy, problem, *instance.model, {});
          PlanCheck check = checkPlan(problem, plan, *instance.model);
          RC_ASSERT(violations(check) == "");
          RC_ASSERT(planCost(problem, plan, *instance.model).total() <=
                    planCost(problem, basePlan(problem, *instance.model), *instance.model).total());

          ProblemInstance again = parseRandom(text);
          RC_ASSERT(json(again.problem, solve(policy, again.problem, *again.model, {})) ==
                    json(problem, plan));

          llvm::Expected<Plan> read = planFromJson(problem, toJson(problem, plan));
          if (!read)
            RC_FAIL(llvm::toString(read.takeError()));
          RC_ASSERT(json(problem, *read) == json(problem, plan));
        },
        true, sizeFor(policy));
}

/// Strategies of --spill: whatever they make of a policy's layouts is legal and not slower than what the policy does itself.
TEST(EveryStrategy, PlansAreLegalAndNeverSlowerThanThePolicys) {
  for (llvm::StringRef name : {"greedy", "declared"}) {
    const PolicyInfo &policy = *findPolicy(name);
    forRandomProblems(name.data(), [&](const std::string &text) {
      ProblemInstance instance = parseRandom(text);
      const Problem &problem = instance.problem;
      auto cost = [&](const Plan &plan) { return planCost(problem, plan, *instance.model).total(); };
      Plan own = solve(policy, problem, *instance.model, {});
      size_t faster = 0;
      for (SpillStrategy strategy :
           {SpillStrategy::FarthestLastUse, SpillStrategy::Cost, SpillStrategy::Dp}) {
        PolicyOptions options;
        options.spill = strategy;
        Plan plan = solveWithSpilling(policy, problem, *instance.model, options);
        RC_ASSERT(violations(checkPlan(problem, plan, *instance.model)) == "");
        RC_ASSERT(cost(plan) <= cost(own));
        RC_ASSERT(json(problem, solveWithSpilling(policy, problem, *instance.model, options)) ==
                  json(problem, plan));
        faster += cost(plan) < cost(own);
      }
      RC_CLASSIFY(faster > 0, "faster");
    });
  }
}

/// Takes the declared configuration from some ops that can run in another one on declared operands, as overrides do.
size_t restrictSome(Problem &problem, const OpModel &model, const std::vector<uint8_t> &bytes) {
  size_t restricted = 0;
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    Op &op = problem.ops[i];
    if (bytes.empty() || bytes[i % bytes.size()] % 3 != 0 || op.role != OpRole::Compute)
      continue;
    std::vector<LayoutId> inputs;
    for (ValueId operand : op.operands)
      inputs.push_back(problem[operand].declared);
    std::vector<OpConfig> left;
    for (const OpConfig &config : op.legal)
      if (config != op.declared)
        left.push_back(config);
    auto runs = llvm::find_if(left, [&](const OpConfig &config) {
      return model.query({problem.signature(OpId(i)), inputs, config}).ok();
    });
    if (runs == left.end())
      continue;
    std::rotate(left.begin(), runs, runs + 1);
    op.legal = std::move(left);
    op.restricted = true;
    ++restricted;
  }
  return restricted;
}

TEST(EveryPolicy, HonoursOverridesAndIsNeverSlowerThanTheBasePlan) {
  for (const PolicyInfo &policy : policies()) {
    auto bytes = rc::gen::resize(sizeFor(policy),
                                 rc::gen::container<std::vector<uint8_t>>(rc::gen::arbitrary<uint8_t>()));
    EXPECT_TRUE(rc::check(policy.name.str() + " with overrides", [&] {
      std::string text = randomProblem(*bytes);
      RC_LOG() << text;
      ProblemInstance instance = parseRandom(text);
      Problem &problem = instance.problem;
      size_t restricted = restrictSome(problem, *instance.model, *bytes);
      RC_ASSERT(checkProblem(problem) == "");
      for (const Op &op : problem.ops)
        if (op.restricted)
          RC_LOG() << "only: " << op.location << "\n";
      // Restricted ops may need more L1 than there is, as declared ops may not.
      if (!checkPlan(problem, basePlan(problem, *instance.model), *instance.model).ok())
        return;
      Plan plan = solve(policy, problem, *instance.model, {});
      RC_ASSERT(violations(checkPlan(problem, plan, *instance.model)) == "");
      RC_ASSERT(planCost(problem, plan, *instance.model).total() <=
                planCost(problem, basePlan(problem, *instance.model), *instance.model).total());
      RC_CLASSIFY(restricted > 0, "with overrides");
    }));
  }
}

/// The policy falls back to the base plan if its own plan is illegal or none is found. It never needs to where the program
/// has nothing in L1; values that the function returns in L1 it may hold twice.
TEST(Greedy, WalkNeedsNoFallback) {
  forRandomProblems(
      "greedy's own plan is legal",
      [](const std::string &text) {
        ProblemInstance instance = parseRandom(text);
        const Problem &problem = instance.problem;
        Oracle oracle(problem, *instance.model);
        Lookahead lookahead(problem, oracle);
        greedy::Walk walk(problem, oracle, lookahead, {});
        std::optional<Plan> plan = walk.run();
        RC_ASSERT(plan.has_value());
        PlanCheck check = checkPlan(problem, *plan, *instance.model);
        RC_ASSERT(violations(check) == "");
        // The walk holds a value for its last reader, before it is known that this one reads another copy.
        RC_ASSERT(walk.peak() >= check.l1.peak);
        RC_CLASSIFY(walk.peak() == check.l1.peak, "the same peak");
        PlanFigures figures = figuresOf(problem, *plan);
        RC_CLASSIFY(figures.reshards > 0, "reshard");
        RC_CLASSIFY(figures.spills > 0, "spill");
        RC_CLASSIFY(figures.reloads > 0, "reload");
        RC_CLASSIFY(figures.returns > 0, "return");
      },
      /*someInL1=*/false);
}

/// Nothing moves in a program that fits; if nothing that may move helps, L1 is what there is too little of.
TEST(FitBase, KeepsWhatFits) {
  forRandomProblems("fit", [](const std::string &text) {
    ProblemInstance instance = parseUnfitted(text);
    Problem &problem = instance.problem;
    Plan declared = declaredPlan(problem);
    bool fits = checkPlan(problem, declared, *instance.model).ok();
    CheckedPlan base = fitBase(problem, *instance.model);
    RC_ASSERT(checkProblem(problem) == "");
    if (fits)
      RC_ASSERT(json(problem, base.plan) == json(problem, declared));
    for (const PlanViolation &violation : base.check.violations)
      RC_ASSERT(violation.rule == kL1Capacity.str());
    RC_CLASSIFY(fits, "fits as declared");
    RC_CLASSIFY(!fits && base.check.ok(), "made to fit");
  });
}

} // namespace
