//===- Spill.cpp - Residency: which values lie in L1 when -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Strategies `farthest-last-use` and `cost` edit a draft (Repair, Admit), `dp`
// searches over the schedule (Dp). Guarantee: legal if the base plan is.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/Spill.h"

#include "Admit.h"
#include "Search.h"
#include "tessera/Optimizer/Ledger/Addresses.h"
#include "tessera/Optimizer/Ledger/PlanToDraft.h"
#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Plan/ScheduledPlan.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace tessera;

/// Editing: strategies FarthestLastUse and Cost.
static Plan edited(const Problem &problem, const OpCostTable &model, const Plan &given,
                   const PolicyOptions &options) {
  Oracle oracle(problem, model);
  Draft filled(problem, oracle, scheduleOf(given));
  decideAs(filled, given);
  bool byUse = options.spill == SpillStrategy::FarthestLastUse;
  // `farthest-last-use` is the published strategy (facts/ir 4.8), there to be compared with: so it gets that
  // order only, and nothing is brought back. `cost` takes the cheapest of three orders, since none of them is
  // best everywhere.
  RepairedDraft repaired = repairedBy(byUse ? kFarthestOnly : kVictimOrders, filled, legalAlternatives);
  reportFigure(options, "edits for L1", repaired.edits);
  // The base plan fits by construction (Plan/BasePlan.h).
  if (!repaired.draft)
    return basePlan(problem, model);
  Draft &draft = *repaired.draft;
  if (!byUse)
    admit(draft, legalAlternatives);
  return writeWithAddresses(draft, model, given.policy, [&] {
    VictimOrder order = byUse ? VictimOrder::FarthestLastUse : VictimOrder::CheapestAhead;
    return Repair(draft, legalAlternatives, order).run();
  });
}

// ---- Strategy Dp -----------------------------------------------------------------------------------------

/// States per op: all that small programs have, and no more altogether than is searched in seconds.
static size_t widthFor(size_t ops) {
  return std::clamp<size_t>((size_t(1) << 13) / std::max<size_t>(1, ops), 16, 4096);
}

/// The moves as a plan.
static Plan planOf(const Problem &problem, Oracle &oracle, llvm::ArrayRef<OpId> schedule,
                   const dp::SearchResult &found, llvm::StringRef policy) {
  PlanBuilder builder(problem, policy.str());
  // The search knows tensors by value and layout; a plan has an id for each copy. The last one that was made is
  // the one that lives, since the search never holds two copies of one value in one layout.
  std::map<dp::Tensor, TensorId> latest;
  for (ValueId value : givenValues(problem))
    latest[{value, problem[value].declared}] = builder.original(value);
  auto convert = [&](dp::Tensor source, LayoutId target, OpId with) {
    return latest[{source.value, target}] = builder.convert(latest.at(source), target, with);
  };
  for (auto [op, move] : llvm::zip_equal(schedule, found.moves)) {
    // In the search's order, which has counted L1 spill by spill.
    for (const dp::Tensor &victim : move.spilled)
      convert(victim, inDram(problem, victim.value), problem[victim.value].producer);
    auto values = distinctValues(problem[op]);
    llvm::SmallVector<TensorId, 4> tensors;
    for (auto [value, input] : llvm::zip_equal(values, move.choice->inputs)) {
      dp::Tensor source{value, input.source};
      tensors.push_back(input.target.valid() ? convert(source, input.target, op) : latest.at(source));
    }
    auto reads = byOperand<TensorId>(problem[op], tensors);
    const OpConfig &config = oracle[move.choice->config];
    builder.run(op, {reads.begin(), reads.end()}, config);
    for (auto [result, layout] : llvm::zip_equal(problem[op].results, config.outputs))
      latest[{result, layout}] = builder.original(result);
  }
  // A tensor in the declared layout that was there and left is not returned: it would have to stay to the end.
  std::map<ValueId, TensorId> leaving;
  for (const dp::Tensor &tensor : found.returned) {
    // A value that is returned twice is converted once.
    auto [entry, isNew] = leaving.try_emplace(tensor.value);
    LayoutId declared = problem[tensor.value].declared;
    if (isNew)
      entry->second = tensor.layout == declared ? latest.at(tensor)
                                                : convert(tensor, declared, problem[tensor.value].producer);
    builder.plan().returned.push_back(entry->second);
  }
  return narrowConversions(problem, std::move(builder.plan()), oracle.conversions());
}

/// Searching: strategy Dp. Nullopt if nothing fits.
static std::optional<Plan> searched(const Problem &problem, const OpCostTable &model, const Plan &given,
                                    const PolicyOptions &options) {
  Oracle oracle(problem, model);
  dp::Forms forms(problem, oracle, given);
  std::vector<OpId> schedule = scheduleOf(given);
  // The search counts bytes and knows no holes. Where the replay finds no address, room is taken off at that op
  // and the search begins anew (docs/spilling): what fits by then may be another set of residents altogether.
  RoomTaken room(problem, schedule);
  for (;;) {
    dp::Search search(problem, oracle, forms, schedule, widthFor(schedule.size()), room.bytes());
    dp::SearchResult found = search.run();
    if (found.moves.size() != schedule.size())
      return std::nullopt;
    reportFigure(options, "dp: above the bound, percent",
                 size_t(std::ceil(100 * (found.time.value() / std::max(1.0, found.bound.value()) - 1))));
    Plan plan = planOf(problem, oracle, schedule, found, given.policy);
    if (!room.takeFor(plan, model))
      return plan;
  }
}

Plan tessera::spillPlan(const Problem &problem, const OpCostTable &model, const Plan &given,
                        const PolicyOptions &options) {
  if (options.spill == SpillStrategy::Dp)
    // If nothing fits with these forms, edits one after the other may still find something: they end at the
    // base plan.
    if (std::optional<Plan> plan = searched(problem, model, given, options))
      return std::move(*plan);
  return edited(problem, model, given, options);
}
