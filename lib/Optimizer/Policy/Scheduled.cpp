//===- Scheduled.cpp - A policy on each schedule that is asked for --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Beam/Beam.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"
#include "tessera/Optimizer/Policy/Spill.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

static constexpr llvm::StringRef kNames[] = {"ir", "dfs", "memory", "auto"};

llvm::ArrayRef<llvm::StringRef> tessera::scheduleNames() { return kNames; }

llvm::Expected<std::optional<ScheduleKind>> tessera::parseSchedule(llvm::StringRef name) {
  if (name.empty())
    return std::nullopt;
  auto found = llvm::find(kNames, name);
  if (found == std::end(kNames))
    return llvm::createStringError("unknown schedule '" + name + "'" + didYouMean(name, kNames) +
                                   "; known: " + llvm::join(scheduleNames(), ", "));
  return ScheduleKind(found - std::begin(kNames));
}

PolicyOptions tessera::unobserved(const PolicyOptions &options) {
  PolicyOptions quiet = options;
  quiet.figures = nullptr;
  quiet.solverObserver = nullptr;
  quiet.log = nullptr;
  return quiet;
}

namespace {

constexpr Schedule (*kOrders[])(const Problem &) = {programOrder, depthFirstOrder, leastMemoryOrder};

class ScheduledPolicy {
public:
  ScheduledPolicy(const PolicyInfo &policy, const Problem &problem, const OpCostTable &model)
      : policy(policy), problem(problem), model(model) {}

  /// nullopt if the order has no legal plan, or only one that is slower than what the program's order falls back to:
  /// values that the input holds in L1 may be in the way of each other in it.
  std::optional<Plan> on(const Schedule &schedule, const PolicyOptions &options) const {
    if (llvm::is_sorted(schedule))
      return solveWithSpilling(policy, problem, model, options);
    ScheduledProblem scheduled = inOrder(problem, schedule);
    CheckedPlan base = fitBase(scheduled.problem, model);
    if (!base.check.ok())
      return std::nullopt;
    Plan plan = planInProgramIds(scheduled, solveWithSpilling(policy, scheduled.problem, model, options));
    if (options.log)
      *options.log = inProgramIds(scheduled, *options.log);
    Nanoseconds limit = timeOf(basePlan(problem, model));
    if (options.spill == SpillStrategy::None)
      return plan; // that need not fit
    bool lost = timeOf(planInProgramIds(scheduled, std::move(base.plan))) > limit && timeOf(plan) > limit;
    if (lost || !checkPlan(problem, plan, model).ok())
      return std::nullopt;
    return plan;
  }

  Plan best(llvm::ArrayRef<Schedule> orders, const PolicyOptions &options) const {
    PolicyOptions quiet = unobserved(options);
    std::optional<Plan> best;
    size_t bestOrder = 0;
    std::pair<bool, Nanoseconds> bestScore; // without room, time
    for (auto [index, order] : llvm::enumerate(orders)) {
      std::optional<Plan> plan = on(order, quiet);
      if (!plan)
        continue;
      merge(*plan);
      std::pair score(options.hasRoom && !options.hasRoom(*plan), timeOf(*plan));
      if (best && score >= bestScore)
        continue;
      best = std::move(plan);
      bestOrder = index;
      bestScore = score;
    }
    // Who looks on sees the run that counts, and no other.
    bool isObserved = options.figures || options.solverObserver || options.log;
    return isObserved ? *on(orders[bestOrder], options) : std::move(*best);
  }

private:
  /// As `optimize` does with every plan: what is compared is what remains.
  void merge(Plan &plan) const {
    Plan merged = mergeConversions(problem, plan, model);
    if (checkPlan(problem, merged, model).ok() && timeOf(merged) <= timeOf(plan))
      plan = std::move(merged);
  }
  Nanoseconds timeOf(const Plan &plan) const { return planCost(problem, plan, model).total(); }

  const PolicyInfo &policy;
  const Problem &problem;
  OpCostTable model;
};

} // namespace

bool tessera::isTimeless(const PolicyInfo &policy, const PolicyOptions &options) {
  return policy.solve == solveBeam && options.beam.objective == BeamObjective::Cores;
}

/// Orders are compared by time: where none is to be asked for, the program's stays.
static ScheduleKind kindOf(const PolicyInfo &policy, const PolicyOptions &options) {
  return isTimeless(policy, options) ? ScheduleKind::Program : policy.schedule;
}

std::vector<Schedule> tessera::schedulesFor(const PolicyInfo &policy, const Problem &problem,
                                            const PolicyOptions &options) {
  if (!options.order.empty())
    return {options.order};
  ScheduleKind kind = options.schedule.value_or(kindOf(policy, options));
  if (kind != ScheduleKind::Best)
    return {kOrders[size_t(kind)](problem)};
  std::vector<Schedule> orders;
  for (auto order : kOrders)
    if (Schedule schedule = order(problem); !llvm::is_contained(orders, schedule))
      orders.push_back(std::move(schedule));
  return orders;
}

OpCostTable tessera::modelFor(const PolicyInfo &policy, const OpCostTable &model,
                              const PolicyOptions &options) {
  return isTimeless(policy, options) ? model.timeless() : model;
}

Plan tessera::solveScheduled(const PolicyInfo &policy, const Problem &problem, const OpCostTable &given,
                             const PolicyOptions &options) {
  const OpCostTable model = modelFor(policy, given, options);
  ScheduledPolicy scheduled(policy, problem, model);
  std::vector<Schedule> orders = schedulesFor(policy, problem, options);
  if (orders.size() > 1)
    return scheduled.best(orders, options);
  std::optional<Plan> plan = scheduled.on(orders.front(), options);
  return plan ? std::move(*plan) : solveWithSpilling(policy, problem, model, options);
}
