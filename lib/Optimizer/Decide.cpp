//===- Decide.cpp - From what policies plan to the plan that stands -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Decide.h"

#include "tessera/Optimizer/Contest/Contest.h"
#include "tessera/Optimizer/Contest/PlansForLess.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"
#include "tessera/Optimizer/Plan/StatedKernels.h"
#include "tessera/Optimizer/Policy/L1InterleavedFallback.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tessera;

TimingScope tessera::timed(const OptimizerOptions &options, StringRef part) {
  return options.timing ? options.timing->nest(part) : TimingScope();
}

CheckedPlan tessera::checked(const Problem &problem, Plan plan, const OpCostTable &model,
                             const OptimizerOptions &options) {
  TimingScope timing = timed(options, "check");
  PlanCheck check = checkPlan(problem, plan, model);
  return {std::move(plan), std::move(check)};
}

namespace {

/// Shares of the work: of the first plan of a run, behind which come those for less L1; and of the run of the policy itself beside those of all
/// its incumbents. Set beside runs of resnet50_xla, yolo_v8 and a decode layer of Llama; programs differ.
constexpr double kFirstPlan = 0.6, kOwnRun = 0.85;

/// One policy on one problem.
class Run {
public:
  Run(const PolicyInfo &policy, const OptimizerOptions &options, PolicyOptions policyOptions,
      const Judge &judge, Contest &contest)
      : policy(policy), options(options), policyOptions(std::move(policyOptions)), judge(judge),
        contest(contest) {}

  /// What the policy plans, which is legal (Contest/Solve.h), if that is no slower than what it was given; else that.
  void plan(const CheckedPlan &base) {
    standing = judged(solve(judge.problem, judge.model, inPart(policyOptions, {0, kFirstPlan})));
    keepLog();
    bool isAsGiven = false;
    // A policy that is to be as designed may be slower than what it was given.
    if (!mayBeSlower(policy, policyOptions)) {
      keepIfFaster(judged(base.plan));
      // An optimizer's output is better than what all that starts from its base may lead to.
      if (!hasOverrides(judge.problem))
        if (Entry declared = judged(declaredPlan(judge.problem)); judge.holds(declared)) {
          // Who decides nothing keeps it, whatever would be faster.
          isAsGiven = policy.decidesNothing;
          if (isAsGiven)
            standing = std::move(declared);
          else
            keepIfFaster(std::move(declared));
        }
    }
    if (!isAsGiven)
      standing = judge.merged(std::move(standing));
    // A later step may only improve.
    if (options.l1InterleavedFallback)
      if (Entry upgraded = judged(upgradeToL1Interleaved(judge.problem, standing.plan, judge.model));
          upgraded.legal() && upgraded.time <= standing.time)
        standing = std::move(upgraded);
  }

  /// With addresses, and for less L1 if that is faster; enters the contest. Ends the run.
  void finish() {
    // What was seen of the first run stands.
    PolicyOptions again = inPart(unobserved(policyOptions), {kFirstPlan, 1});
    auto planFor = [&](const Problem &tighter, const OpCostTable &itsModel) {
      return solve(tighter, itsModel, again);
    };
    standing = entryWithAddresses(judge, std::move(standing), planFor, [&] { keepLog(); });
    contest.consider({standing, log});
    // In the order that won: searching all orders for each budget again would multiply the planning time.
    again.order = scheduleOf(standing.plan);
    again.beam.incumbent = false; // which is planned for less L1 as well
    auto tell = [&](const Entry &entry) {
      if (policy.provesBound && again.notes && judge.isPlaced(entry))
        again.notes->standing = entry.time;
    };
    tell(standing);
    if (triesLessL1(policy, policyOptions) && policyOptions.spill == SpillStrategy::Policy &&
        !(isProvenGood(policyOptions, standing.time) && judge.isPlaced(standing)))
      standing =
          fastestForLess(judge, std::move(standing), policy, planFor, [&](const Entry &entry, bool best) {
            if (best) {
              keepLog();
              tell(entry);
            }
            contest.consider({entry, lastLog});
          });
    contest.enter({std::move(standing), std::move(log)});
  }

  Nanoseconds time() const { return standing.time; }

private:
  Plan solve(const Problem &posed, const OpCostTable &itsModel, PolicyOptions how) {
    TimingScope timing = timed(options, "policy");
    lastLog = {};
    lastLog.listsCandidates = options.trace;
    // Who is given a log computes for it, so only who asks for decisions gets one.
    how.log = options.decisions ? &lastLog : nullptr;
    return solveScheduled(policy, posed, itsModel, how);
  }

  Entry judged(Plan plan) const {
    TimingScope timing = timed(options, "check");
    return judge.judged(std::move(plan));
  }
  /// What the last run noted goes with the plan that stands now.
  void keepLog() { log = lastLog; }

  void keepIfFaster(Entry other) {
    if (other.beats(standing))
      standing = std::move(other);
  }

  const PolicyInfo &policy;
  const OptimizerOptions &options;
  PolicyOptions policyOptions;
  const Judge &judge;
  Contest &contest;
  Entry standing;
  DecisionLog log, lastLog;
};

} // namespace

/// What the policy plans as if L1 were endless, and nothing after that: the plan may need more L1 than there is.
static StandingPlan layoutsAlone(const BuiltProblem &built, const PolicyInfo &policy,
                                 const OpCostTable &model, const OptimizerOptions &options) {
  StandingPlan standing;
  PolicyOptions policyOptions = options.policyOptions;
  standing.log.listsCandidates = options.trace;
  if (options.decisions)
    policyOptions.log = &standing.log;
  standing.plan =
      checked(built.problem, solveScheduled(policy, built.problem, model, policyOptions), model, options);
  standing.plan.plan.policy = policy.name.str();
  return standing;
}

/// The best of the policy's own runs and of its incumbents'. One that has single changes made has a contest of its own, as if it had been asked
/// for: so no plan is slower than that of any incumbent but for choices in doubt, however many faster ones crowd out what single changes would be made in.
static Noted contested(const PolicyInfo &policy, const OptimizerOptions &options, const PolicyOptions &asked,
                       const Judge &judge, const CheckedPlan &base) {
  Contest contest(judge);
  Run run(policy, options, inPart(asked, {0, kOwnRun}), judge, contest);
  run.plan(base);
  run.finish();
  auto isOpen = [&] { return contest.rank().first || !isProvenGood(asked, contest.rank().second); };
  // Down the line of incumbents: each is tried on the orders of the one above it, until what stands is proven good
  // enough.
  const PolicyInfo *who = &policy;
  while (const PolicyInfo *incumbent =
             asked.spill == SpillStrategy::Policy && isOpen() ? incumbentOf(*who, asked) : nullptr) {
    PolicyOptions itsOptions = inPart(forIncumbent(asked), {kOwnRun, 1});
    if (improvesOps(*incumbent, asked)) {
      // Its own contest goes down the line of incumbents behind it.
      contest.enter(contested(*incumbent, options, itsOptions, judge, base));
      break;
    }
    std::vector<Schedule> orders = schedulesFor(*who, judge.problem, asked);
    for (auto [index, order] : llvm::enumerate(orders)) {
      PolicyOptions inOrder = inPart(itsOptions, partOf(index, orders.size()));
      inOrder.order = order;
      Run other(*incumbent, options, std::move(inOrder), judge, contest);
      other.plan(base);
      // Addresses and plans for less L1 are looked for where the incumbent plans by itself, for the first order, so that no plan
      // is slower than its own; and in another order only if that is promising.
      if (index == 0 || Rank(false, other.time()) < contest.rank())
        other.finish();
    }
    who = incumbent;
  }
  // Also where nothing faster is left in the layouts that a bound is about: a change may lead to others.
  if (improvesOps(policy, asked)) {
    TimingScope timing = timed(options, "improve");
    // What is said to be the best is so by the model's times, also where they are in doubt.
    contest.improve(/*settlesDoubts=*/!policy.provesBound);
  }
  return contest.result();
}

StandingPlan tessera::decide(const BuiltProblem &built, const PolicyInfo &policy, const OpCostTable &given,
                             const OptimizerOptions &options, const CheckedPlan &base) {
  const PolicyOptions &asked = options.policyOptions;
  // Who is not to ask for times is not helped by them either.
  const OpCostTable model = modelFor(policy, given, asked);
  // That plan need not fit, and a contest takes in legal plans only.
  if (asked.spill == SpillStrategy::None)
    return layoutsAlone(built, policy, model, options);
  Judge judge(built.problem, model);
  SolvingNotes notes;
  PolicyOptions noting = asked;
  noting.notes = &notes;
  Noted best = contested(policy, options, noting, judge, base);
  if (!judge.isPlaced(best.entry))
    func::FuncOp(built.binding.function).emitWarning()
        << "the device's allocator finds no room for '" << built.problem.function
        << "': its L1 is free in pieces; 'tessera replay' shows the addresses";
  if (!policy.keepsProgram) {
    // Behind the contest: which tensors lie beside a matmul is known of the plan that stands, and still is planned for as much L1.
    Bytes plannedFor = best.entry.plannedFor;
    best.entry = judge.judged(withStatedKernels(judge.problem, std::move(best.entry.plan), judge.model));
    best.entry.plannedFor = plannedFor;
  }
  Plan &plan = best.entry.plan;
  plan.origin = originOf(policy, built.problem, best.entry);
  plan.policy = policy.name.str();
  return {{std::move(plan), std::move(best.entry.check)}, std::move(best.log), std::move(notes)};
}
