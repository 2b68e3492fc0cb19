//===- Solve.cpp - A problem as it is posed -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Contest/Solve.h"

#include "tessera/Optimizer/Plan/BasePlan.h"

using namespace tessera;

Plan tessera::solve(const PolicyInfo &policy, const Problem &problem, const OpCostTable &given,
                    const PolicyOptions &options) {
  const OpCostTable model = modelFor(policy, given, options);
  Judge judge(problem, model);
  // Judged here and not by who proposes: what a policy believes of its plan does not count.
  auto enter = [&](const PolicyInfo &who, const PolicyOptions &how) {
    std::optional<Plan> plan = who.solve(problem, model, how);
    return plan ? std::optional(judge.judgedMerged(std::move(*plan))) : std::nullopt;
  };
  std::optional<Entry> its;
  if (const PolicyInfo *incumbent = incumbentOf(policy, options))
    its = enter(*incumbent, forIncumbent(options));
  // The incumbent's plan is asked for addresses only if it wins, or is where the policy starts: a replay takes longer than a
  // comparison of times.
  PolicyOptions how = options;
  how.incumbentPlan = policy.provesBound && its && judge.holds(*its) ? &its->plan : nullptr;
  // The incumbent plans first and without observers, so that what is told afterwards is what the policy itself did.
  std::optional<Entry> standing = enter(policy, how);
  bool isLegal = standing && standing->legal();
  // A score is an estimate at joins and forks (docs/policies.md), so whole plans are compared once more: with the base plan.
  if (!isLegal || !(mayBeSlower(policy, options) || isTimeless(policy, options)))
    if (Plan base = basePlan(problem, model);
        !isLegal || standing->time > planCost(problem, base, model).total()) {
      if (options.log)
        options.log->reasons.clear(); // of what is not the plan's
      standing = judge.judged(std::move(base));
    }
  if (its && its->beats(*standing) && (how.incumbentPlan || judge.isPlaced(*its)))
    standing = std::move(its);
  return std::move(standing->plan);
}
