//===- Beam.cpp - The best few ways to make each value --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Layouts first, as if memory were enough: forward over the schedule (Forward),
// backward from the results (Trace). Residency second: what does not fit is
// repaired (Residency), then single changes that save time are made (Polish).
// A plan for which the device's allocator finds no addresses is repaired where
// it clashes.
//
// Objective Time: least planCost. Objective Cores: see Forward::isBetter; never
// asks for a runtime. Guarantee: a legal plan; by Time not slower than
// basePlan, nor than the plan of `greedy` if that has addresses. No guarantee
// on the distance from the optimum: docs/policies.md.
//
//===----------------------------------------------------------------------===//
#include "Beam.h"

#include "Note.h"
#include "Polish.h"
#include "Residency.h"
#include "TimelessOpModel.h"
#include "tessera/Device/L1Budget.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"

using namespace tessera;
using namespace tessera::beam;

/// With more edits than these, the order of victims is the specification's: the others look at more of them.
static constexpr size_t kMaxEdits = 256;
/// Plans that are replayed on the device's allocator and repaired. To plan anew for a tighter budget takes longer than all of
/// that.
static constexpr unsigned kMaxReplays = 8;
/// What a repair frees at least, as the next hole may be as bad.
static constexpr Bytes kLeastRoom(16384);

/// The draft made to fit, by the order of victims that costs least. Nullopt if none makes it fit.
static std::optional<Draft> repaired(Draft &filled, const Beams &beams, const PolicyOptions &options) {
  std::optional<Draft> best;
  size_t edits = 0;
  for (VictimOrder order : kVictimOrders) {
    Draft draft = filled;
    Residency residency(draft, beams, order);
    if (!residency.repair() || (best && draft.time() >= best->time()))
      continue;
    best.emplace(std::move(draft));
    edits = residency.edits();
    if (edits == 0 || edits > kMaxEdits || options.beam.objective == BeamObjective::Cores)
      break;
  }
  reportFigure(options, "edits for L1", edits);
  return best;
}

/// Takes room off where the device's allocator finds none, though by the sum of bytes there is.
static void takeRoom(Draft &draft, const Plan &plan, const PlanReplay &replay) {
  auto take = [&](StepIndex step, Bytes missing) {
    draft.takeRoom(draft.position(plan.steps[step.index()].op), std::max(kLeastRoom, missing));
  };
  for (const LaunchClash &clash : replay.clashes)
    take(clash.step, clash.end - replay.steps[clash.step.index()].lowest.value_or(clash.end));
  for (const NoRoom &request : replay.noRoom)
    if (request.step)
      take(*request.step, request.reserved - request.largestHole);
}

/// What the draft becomes, with an address for everything if a few repairs lead there.
static Plan withAddresses(Draft &draft, const Beams &beams, const OpModel &model,
                          const PolicyOptions &options) {
  const Problem &problem = draft.problem;
  bool polishes = options.beam.objective == BeamObjective::Time && options.beam.polish;
  Polish polish(draft, beams, options);
  for (unsigned round = 0;; ++round) {
    if (polishes)
      polish.run();
    Plan plan = draft.write("beam");
    PlanReplay replay = replayAsOpened(problem, plan, model);
    if (!replay.fits() && round < kMaxReplays) {
      takeRoom(draft, plan, replay);
      if (Residency(draft, beams, VictimOrder::CheapestAhead).repair())
        continue;
    }
    if (polishes)
      reportFigure(options, "changes by polishing", polish.changes());
    return plan;
  }
}

/// Nullopt if L1 is exceeded somewhere whatever leaves.
static std::optional<Plan> search(const Problem &problem, const OpModel &model,
                                  const PolicyOptions &options) {
  bool byTime = options.beam.objective == BeamObjective::Time;
  Oracle oracle(problem, model);
  std::optional<Lookahead> lookahead;
  if (byTime)
    lookahead.emplace(problem, oracle);
  Forward forward(problem, oracle, lookahead ? &*lookahead : nullptr, options);
  Beams beams = forward.run();
  if (options.log)
    note(problem, beams, oracle, *options.log);
  std::vector<Decision> decisions = Trace(problem, oracle, beams, options.beam).run();

  Draft filled(problem, oracle, programOrder(problem));
  fill(filled, decisions);
  std::optional<Draft> best = repaired(filled, beams, options);
  if (!best)
    return std::nullopt;
  return withAddresses(*best, beams, model, options);
}

/// The plan, unless that of `greedy` is faster, legal, and has addresses.
static Plan unlessGreedyIsFaster(const Problem &problem, const OpModel &model, PolicyOptions options,
                                 Plan plan) {
  options.figures = nullptr;
  options.log = nullptr;
  Plan incumbent = findPolicy("greedy")->solve(problem, model, options);
  incumbent.policy = plan.policy;
  bool wins = planCost(problem, incumbent, model).total() < planCost(problem, plan, model).total() &&
              checkPlan(problem, incumbent, model).ok() && replayAsOpened(problem, incumbent, model).fits();
  return wins ? incumbent : plan;
}

Plan tessera::solveBeam(const Problem &problem, const OpModel &model, const PolicyOptions &options) {
  bool byTime = options.beam.objective == BeamObjective::Time;
  TimelessOpModel timeless(model);
  const OpModel &asked = byTime ? model : timeless;
  std::optional<Plan> plan = search(problem, asked, options);
  Plan base = basePlan(problem, asked);
  base.policy = "beam";
  if (!plan || !checkPlan(problem, *plan, model).ok())
    return base;
  if (!byTime)
    return std::move(*plan);
  if (planCost(problem, *plan, model).total() > planCost(problem, base, model).total())
    *plan = std::move(base);
  return options.beam.incumbent ? unlessGreedyIsFaster(problem, model, options, std::move(*plan))
                                : std::move(*plan);
}
