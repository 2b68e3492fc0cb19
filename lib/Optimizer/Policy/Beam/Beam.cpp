//===- Beam.cpp - The best few ways to make each value --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Layouts first, as if memory were enough: forward over the schedule (Forward),
// backward from the results (Trace). Residency second: what does not fit is
// repaired (Ledger/Repair), then single changes that save time are made (Polish).
// A plan for which the device's allocator finds no addresses is repaired where
// it clashes.
//
// Objective Time: least planCost. Objective Cores: see Forward::isBetter; never
// asks for a runtime. By Time its plan is compared with that of `greedy`
// (PolicyInfo::incumbent, Contest/Solve.h). No guarantee on the distance from
// the optimum: docs/policies.md.
//
//===----------------------------------------------------------------------===//
#include "Beam.h"

#include "Polish.h"
#include "Trace.h"
#include "tessera/Optimizer/Ledger/Addresses.h"
#include "tessera/Optimizer/Ledger/Repair.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"
#include "tessera/Optimizer/Plan/TighterBudgets.h"

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

/// Writes down the candidates of every op, as the forward pass ranked them.
static void note(const Problem &problem, const Beams &beams, const Oracle &oracle, DecisionLog &log) {
  for (size_t op = 0; op < problem.ops.size(); ++op)
    for (const Candidate &candidate :
         llvm::ArrayRef(beams[OpId(op)]).take_front(DecisionLog::kMostCandidates)) {
      auto [config, inputs] = decisionOf(candidate);
      log.candidates[OpId(op)].push_back({oracle[config],
                                          {inputs.begin(), inputs.end()},
                                          candidate.score.time + candidate.worth.time,
                                          candidate.conversions});
    }
}

/// A draft as a plan.
struct Written {
  Plan plan;
  bool fits; ///< the device's allocator finds an address for everything
  Nanoseconds time;
};

/// The draft polished and written, with an address for everything if a few repairs where it clashes lead there.
static Written withRepairs(Draft &draft, const Beams &beams, const OpCostTable &model,
                           const PolicyOptions &options) {
  bool polishes = options.beam.objective == BeamObjective::Time && options.beam.polish;
  // One for all repairs: what found nothing once is not tried again in the same surroundings.
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
  bool fits = options.layoutsOnly || hasAddresses(draft.problem, plan, model);
  return {std::move(plan), fits, draft.time()};
}

/// What the draft becomes. If no repairs at single ops lead to addresses, room is taken off at all of them.
static Plan withAddresses(const Draft &draft, const Beams &beams, const OpCostTable &model,
                          const PolicyOptions &options) {
  Draft repaired = draft;
  Written local = withRepairs(repaired, beams, model, options);
  if (local.fits)
    return std::move(local.plan);
  PolicyOptions quiet = unobserved(options); // the figures of the first attempt stand
  std::optional<Written> best;
  forTighterBudgets(draft.problem, kForHoles, [&](Bytes budget) {
    // From the draft as it was before repairs at single ops: these led nowhere.
    Draft tight = draft;
    for (SchedulePos at; at < tight.end(); ++at)
      tight.takeRoom(at, draft.problem.l1Budget - budget);
    if (!Repair(tight, inBeams(beams), VictimOrder::CheapestAhead).run())
      return Attempt::Unsound;
    Written written = withRepairs(tight, beams, model, quiet);
    if (!written.fits)
      return Attempt::Unsound;
    if (best && written.time >= best->time)
      return Attempt::Worse;
    best = std::move(written);
    return Attempt::Better;
  });
  return std::move(best ? best->plan : local.plan);
}

std::optional<Plan> tessera::solveBeam(const Problem &problem, const OpCostTable &model,
                                       const PolicyOptions &options) {
  bool byTime = options.beam.objective == BeamObjective::Time;
  Oracle oracle(problem, model);
  std::optional<Lookahead> lookahead;
  if (byTime)
    lookahead.emplace(problem, oracle);
  // Of programs of any size the search takes about half of the time, and polishing the rest.
  PolicyOptions searching = inPart(options, partOf(0, 2)), polishing = inPart(options, partOf(1, 2));
  Forward forward(problem, oracle, lookahead ? &*lookahead : nullptr, searching);
  Beams beams = forward.run();
  if (options.log && options.log->listsCandidates)
    note(problem, beams, oracle, *options.log);
  std::vector<Decision> decisions = Trace(problem, oracle, beams, options.beam).run();

  Draft filled(problem, oracle, programOrder(problem));
  takeAll(filled, decisions);
  RepairedDraft repaired = repairedBy(byTime ? kVictimOrders : kFarthestOnly, filled, inBeams(beams));
  reportFigure(options, "edits for L1", repaired.edits);
  if (!repaired.draft)
    return std::nullopt; // L1 is exceeded somewhere whatever leaves
  return withAddresses(*repaired.draft, beams, model, polishing);
}
