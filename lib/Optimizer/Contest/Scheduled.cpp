//===- Scheduled.cpp - A policy on each schedule that is asked for --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"
#include "tessera/Optimizer/Policy/SolvingNotes.h"

#include "tessera/Support/AddOnce.h"
#include "tessera/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

namespace {

/// By ScheduleKind, and behind these what is tried beside them.
constexpr Schedule (*kOrders[])(const Problem &) = {programOrder, depthFirstOrder, leastMemoryOrder,
                                                    unknownFirstOrder};

/// nullopt if the order has no legal plan, or only one that is slower than what the program's order falls back to:
/// values that the input holds in L1 may be in the way of each other in it.
std::optional<Entry> plannedOn(const Schedule &schedule, const PolicyInfo &policy, const Judge &judge,
                               const PolicyOptions &options) {
  const auto &[problem, model] = judge;
  // The program's order is the problem's own, and needs no renumbering.
  if (llvm::is_sorted(schedule))
    return judge.judged(solveWithSpilling(policy, problem, model, options));
  ScheduledProblem scheduled = inOrder(problem, schedule);
  // Another order holds other values at the same time, so what has to leave L1 before any policy begins is
  // decided anew.
  CheckedPlan base = fitBase(scheduled.problem, model);
  if (!base.check.ok())
    return std::nullopt;
  auto back = [&](Plan plan) { return judge.judged(planInProgramIds(scheduled, std::move(plan))); };
  Entry entry = back(solveWithSpilling(policy, scheduled.problem, model, options));
  // The policy noted its reasons under the ids of the reordered problem.
  if (options.log)
    *options.log = inProgramIds(scheduled, *options.log);
  if (options.spill == SpillStrategy::None)
    return entry; // that need not fit
  // An order is lost only if both its plan and its base plan are slower than the program's: values at home in
  // DRAM would else make an order look bad that the policy plans well.
  Nanoseconds limit = judge.judged(basePlan(problem, model)).time;
  bool lost = entry.time > limit && back(std::move(base.plan)).time > limit;
  return lost || !entry.legal() ? std::nullopt : std::optional(std::move(entry));
}

Plan bestOf(llvm::ArrayRef<Schedule> orders, const PolicyInfo &policy, const Judge &judge,
            const PolicyOptions &options) {
  // Every order is tried without observers: figures of plans that are dropped would mix with those of the one
  // that stands. Logs and figures are kept apart, so that telling of a plan does not mean planning it again.
  PolicyOptions quiet = unobserved(options);
  // Who looks on sees the run that counts, and no other.
  bool isObserved = bool(options.solverObserver);
  size_t runs = orders.size() + isObserved;
  DecisionLog bestLog;
  PolicyFigures bestFigures;
  Best best(judge);
  size_t bestOrder = 0;
  for (auto [index, order] : llvm::enumerate(orders)) {
    // A bound is one for every order.
    if (!best.empty() && !best.rank().first && isProvenGood(options, best.rank().second))
      break;
    DecisionLog log;
    if (options.log) {
      log.listsCandidates = options.log->listsCandidates;
      quiet.log = &log;
    }
    PolicyFigures figures;
    quiet.figures = options.figures ? &figures : nullptr;
    std::optional<Entry> entry = plannedOn(order, policy, judge, inPart(quiet, partOf(index, runs)));
    // Orders differ in which conversions come to stand behind each other, so they are compared as they are
    // handed on.
    if (!entry || !best.consider(judge.merged(std::move(*entry))))
      continue;
    bestOrder = index;
    bestLog = std::move(log);
    bestFigures = std::move(figures);
  }
  // What stands is the plan that was made unobserved: a policy that takes notes knows more the second time, and who looks on is to change nothing.
  if (isObserved) {
    PolicyOptions watched = unobserved(options);
    watched.solverObserver = options.solverObserver;
    (void)plannedOn(orders[bestOrder], policy, judge, inPart(watched, partOf(orders.size(), runs)));
  }
  for (const auto &[name, count] : bestFigures)
    reportFigure(options, name, count);
  if (options.log)
    *options.log = std::move(bestLog);
  return best.take().plan;
}

} // namespace

/// Orders are compared by time: where none is to be asked for, the program's stays.
static ScheduleKind kindOf(const PolicyInfo &policy, const PolicyOptions &options) {
  return isTimeless(policy, options) ? ScheduleKind::Program : policy.schedule;
}

std::vector<Schedule> tessera::schedulesFor(const PolicyInfo &policy, const Problem &problem,
                                            const PolicyOptions &options) {
  if (!options.order.empty())
    return {options.order};
  ScheduleKind kind = options.schedule.value_or(kindOf(policy, options));
  if (options.once && kind == ScheduleKind::Best)
    kind = ScheduleKind::Program;
  if (kind != ScheduleKind::Best)
    return {kOrders[size_t(kind)](problem)};
  std::vector<Schedule> orders;
  for (auto order : kOrders)
    // Short programs often have one order only, which then is planned once.
    addOnce(orders, order(problem));
  return orders;
}

/// "" for the program's.
static llvm::StringRef describeOrder(const Problem &problem, const Schedule &schedule) {
  static constexpr llvm::StringLiteral kWords[] = {"", "ops depth first", "ops in the order of least memory",
                                                   "ops of unknown needs first"};
  for (auto [words, order] : llvm::zip_equal(kWords, kOrders))
    if (schedule == order(problem))
      return words;
  return "ops in an order of its own";
}

std::string tessera::originOf(const PolicyInfo &policy, const Problem &problem, const Entry &entry) {
  llvm::SmallVector<std::string, 3> parts;
  if (entry.plan.policy.empty())
    parts.push_back("the base plan");
  else if (entry.plan.policy != policy.name)
    parts.push_back("the plan of " + entry.plan.policy);
  if (llvm::StringRef order = describeOrder(problem, scheduleOf(entry.plan)); !order.empty())
    parts.push_back(order.str());
  if (entry.plannedFor > Bytes(0))
    parts.push_back("as for " + formatBytes(entry.plannedFor) + " of L1");
  return llvm::join(parts, ", ");
}

Plan tessera::solveScheduled(const PolicyInfo &policy, const Problem &problem, const OpCostTable &given,
                             const PolicyOptions &options) {
  const OpCostTable model = modelFor(policy, given, options);
  Judge judge(problem, model);
  std::vector<Schedule> orders = schedulesFor(policy, problem, options);
  if (orders.size() > 1)
    return bestOf(orders, policy, judge, options);
  std::optional<Entry> entry = plannedOn(orders.front(), policy, judge, options);
  return entry ? std::move(entry->plan) : solveWithSpilling(policy, problem, model, options);
}
