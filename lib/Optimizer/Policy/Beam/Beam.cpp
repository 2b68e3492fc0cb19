//===- Beam.cpp - The best few ways to make each value --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Layouts first, as if memory were enough: forward over the schedule (Forward),
// backward from the results (Trace). Residency second: what does not fit is
// repaired (Residency), then single changes that save time are made (Polish).
//
// Objective Time: least planCost. Objective Cores: see Forward::isBetter; never
// asks for a runtime. Guarantee: a legal plan; by Time not slower than
// basePlan. No guarantee on the distance from the optimum: docs/policies.md.
//
//===----------------------------------------------------------------------===//
#include "Beam.h"

#include "Polish.h"
#include "Residency.h"
#include "TimelessOpModel.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"

using namespace tessera;
using namespace tessera::beam;

static std::vector<OpId> programOrder(const Problem &problem) {
  std::vector<OpId> order;
  for (size_t i = 0; i < problem.ops.size(); ++i)
    order.push_back(OpId(i));
  return order;
}

/// With more edits than these, the order of victims is the specification's: the others look at more of them.
static constexpr size_t kMaxEdits = 256;

/// The draft made to fit, by the order of victims that costs least. Nullopt if none makes it fit.
static std::optional<Draft> repaired(Draft &filled, llvm::ArrayRef<Beam> beams,
                                     const PolicyOptions &options) {
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

/// Nullopt if L1 is exceeded somewhere whatever leaves.
static std::optional<Plan> search(const Problem &problem, const OpModel &model,
                                  const PolicyOptions &options) {
  bool byTime = options.beam.objective == BeamObjective::Time;
  Oracle oracle(problem, model);
  std::optional<Lookahead> lookahead;
  if (byTime)
    lookahead.emplace(problem, oracle);
  Forward forward(problem, oracle, lookahead ? &*lookahead : nullptr, options);
  std::vector<Beam> beams = forward.run();
  std::vector<Decision> decisions = Trace(problem, oracle, beams, options.beam).run();

  Draft filled(problem, oracle, programOrder(problem));
  fill(filled, decisions);
  std::optional<Draft> best = repaired(filled, beams, options);
  if (!best)
    return std::nullopt;
  if (byTime && options.beam.polish)
    reportFigure(options, "changes by polishing", Polish(*best, beams, options).run());
  return best->write("beam");
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
  if (byTime && planCost(problem, *plan, model).total() > planCost(problem, base, model).total())
    return base;
  return std::move(*plan);
}
