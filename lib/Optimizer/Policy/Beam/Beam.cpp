//===- Beam.cpp - The best few ways to make each value --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Layouts first, as if memory were enough: forward over the schedule (Forward),
// backward from the results (Trace). Residency second: what does not fit is
// repaired (Common/Repair), then single changes that save time are made (Polish).
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

#include "../Common/Addresses.h"
#include "../Common/Repair.h"
#include "Note.h"
#include "Polish.h"
#include "TimelessOpModel.h"
#include "tessera/Device/L1Budget.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"

using namespace tessera;
using namespace tessera::beam;

/// Where L1 is exceeded an op may do what else is in its beam.
static Alternatives inBeams(const Beams &beams) {
  return [&beams](Draft &, OpId op) {
    std::vector<Decision> decisions;
    for (const Candidate &candidate : beams[op])
      decisions.push_back(decisionOf(candidate));
    return decisions;
  };
}

/// What the draft becomes, with an address for everything if a few repairs lead there.
static Plan withAddresses(Draft &draft, const Beams &beams, const OpModel &model,
                          const PolicyOptions &options) {
  bool polishes = options.beam.objective == BeamObjective::Time && options.beam.polish;
  Polish polish(draft, beams, options);
  if (polishes)
    polish.run();
  Plan plan = options.layoutsOnly ? draft.write("beam") : writeWithAddresses(draft, model, "beam", [&] {
    if (!Repair(draft, inBeams(beams), VictimOrder::CheapestAhead).run())
      return false;
    if (polishes)
      polish.run();
    return true;
  });
  if (polishes)
    reportFigure(options, "changes by polishing", polish.changes());
  return plan;
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
  RepairedDraft repaired = repairedBy(byTime ? kVictimOrders : kFarthestOnly, filled, inBeams(beams));
  reportFigure(options, "edits for L1", repaired.edits);
  if (!repaired.draft)
    return std::nullopt;
  return withAddresses(*repaired.draft, beams, model, options);
}

/// The plan, unless that of `greedy` is faster, legal, and has addresses.
static Plan unlessGreedyIsFaster(const Problem &problem, const OpModel &model, PolicyOptions options,
                                 Plan plan) {
  options.figures = nullptr;
  options.log = nullptr;
  Plan incumbent = findPolicy("greedy")->solve(problem, model, options);
  incumbent.policy = plan.policy;
  bool wins = planCost(problem, incumbent, model).total() < planCost(problem, plan, model).total() &&
              checkPlan(problem, incumbent, model).ok() && hasAddresses(problem, incumbent, model);
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
