//===- Solve.cpp - A problem as it is posed -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Contest/Solve.h"

#include "tessera/Optimizer/Plan/BasePlan.h"

using namespace tessera;

namespace {

class Solver {
public:
  Solver(const PolicyInfo &policy, const Problem &problem, const OpCostTable &model,
         const PolicyOptions &options)
      : policy(policy), options(options), model(modelFor(policy, model, options)),
        judge(problem, this->model) {}

  Plan run() {
    std::optional<Entry> its;
    if (const PolicyInfo *incumbent = incumbentOf(policy, options))
      its = enter(*incumbent, unobserved(options));
    // The incumbent's plan is asked for addresses only if it wins, or is where the policy starts: a replay takes longer than a
    // comparison of times.
    PolicyOptions how = options;
    how.incumbentPlan = policy.provesBound && its && judge.holds(*its) ? &its->plan : nullptr;
    // The incumbent plans first and without observers, so that what is told afterwards is what the policy itself did.
    std::optional<Entry> own = enter(policy, how);
    Entry standing = own && stands(*own) ? std::move(*own) : base();
    if (its && its->beats(standing) && (how.incumbentPlan || judge.isPlaced(*its)))
      standing = std::move(*its);
    return std::move(standing.plan);
  }

private:
  std::optional<Entry> enter(const PolicyInfo &who, const PolicyOptions &how) {
    // Judged here and not by who proposes: what a policy believes of its plan does not count.
    std::optional<Plan> plan = who.solve(judge.problem, judge.model, how);
    return plan ? std::optional(judge.judged(std::move(*plan))) : std::nullopt;
  }

  /// A score is an estimate at joins and forks (docs/policies.md), so whole plans are compared once more: with the base plan.
  bool stands(const Entry &own) {
    return own.legal() && (mayBeSlower(policy, options) || isTimeless(policy, options) ||
                           own.time <= planCost(judge.problem, basePlanOnce(), judge.model).total());
  }

  Entry base() {
    if (options.log)
      options.log->reasons.clear(); // of what is not the plan's
    return judge.judged(basePlanOnce());
  }

  const Plan &basePlanOnce() {
    if (!fallback)
      fallback = basePlan(judge.problem, judge.model);
    return *fallback;
  }

  const PolicyInfo &policy;
  const PolicyOptions &options;
  OpCostTable model;
  Judge judge;
  std::optional<Plan> fallback;
};

} // namespace

Plan tessera::solve(const PolicyInfo &policy, const Problem &problem, const OpCostTable &model,
                    const PolicyOptions &options) {
  return Solver(policy, problem, model, options).run();
}
