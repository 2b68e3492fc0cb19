//===- Paths.cpp - Conversions by way of any form -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Policies convert a tensor by the chains that Conversions knows. Among all forms of a value there may be a faster way
// over one that no op reads or makes. Where conversions stand one behind the other and nobody reads what is between
// them, they go by that way.
//
//===----------------------------------------------------------------------===//
#include "Paths.h"

#include "Changes.h"
#include "tessera/Optimizer/Plan/PlanUses.h"

using namespace tessera;
using namespace tessera::optimal;

namespace {

/// Conversions of one tensor that stand one behind the other and are read by nobody else: steps, half-open.
struct Chain {
  size_t begin = 0, end = 0;
  llvm::SmallVector<LayoutId, 4> stops; ///< of the faster path
  SelectionCost gain = 0;
};

class FasterPaths {
public:
  FasterPaths(const Space &space, const OpCostTable &model, Plan plan)
      : space(space), model(model), plan(std::move(plan)) {}

  Plan run() {
    return withThoseThatStand(space, model, plan, find(),
                              [&](llvm::ArrayRef<Chain> some) { return with(some); });
  }

private:
  std::vector<Chain> find() const;
  Plan with(llvm::ArrayRef<Chain> chains) const;

  const Space &space;
  const OpCostTable &model;
  Plan plan;
};

/// Runs of conversion steps that follow one another in the plan. Where other steps stand between two of one tensor they
/// are left alone: it may have gone out of the way of these.
std::vector<Chain> FasterPaths::find() const {
  PlanUses uses(plan);
  PlanCost cost = planCost(space.problem, plan, model);
  std::vector<Chain> chains;
  auto isConversion = [&](size_t step) { return !plan.steps[step].isRun(); };
  for (size_t begin = 0; begin < plan.steps.size();) {
    // A step that is no conversion is passed over as a chain of one.
    Chain chain{begin, begin + 1, {}, 0};
    SelectionCost now = costOf(cost.steps[begin].total);
    // A form on the way that somebody else reads has to be made, whatever is faster.
    while (isConversion(begin) && chain.end < plan.steps.size() && isConversion(chain.end) &&
           plan.steps[chain.end].reads.front() == plan.steps[chain.end - 1].writes.front() &&
           uses.isReadOnce(plan.steps[chain.end].reads.front()))
      now += costOf(cost.steps[chain.end++].total);
    if (isConversion(begin)) {
      const PlanTensor &source = plan[plan.steps[begin].reads.front()];
      const ValueForms &forms = space.forms[source.value.index()];
      // The end may be reached by conversions that no chain of Conversions has, so what counts is the distance of its
      // two ends.
      std::optional<Form> from = forms.find(source.layout);
      std::optional<Form> to = forms.find(plan[plan.steps[chain.end - 1].writes.front()].layout);
      if (from && to && from != to && forms.distances->at(*from, *to) < now) {
        chain.gain = now - forms.distances->at(*from, *to);
        for (Form form : forms.distances->path(*from, *to))
          chain.stops.push_back(forms.layouts[form]);
        chains.push_back(chain);
      }
    }
    begin = chain.end;
  }
  return chains;
}

Plan FasterPaths::with(llvm::ArrayRef<Chain> chains) const {
  PlanCopy copy(plan);
  for (size_t at = 0; at < plan.steps.size(); ++at) {
    auto chain = llvm::find_if(chains, [&](const Chain &each) { return each.begin == at; });
    if (chain == chains.end()) {
      copy.keep(plan.steps[at]);
      continue;
    }
    // With the op of the chain's last step, for which every stop on the way is made.
    const PlanStep &end = plan.steps[chain->end - 1];
    TensorId last = copy[plan.steps[at].reads.front()];
    for (LayoutId stop : chain->stops)
      last = copy.convert(end.op, last, stop);
    copy[end.writes.front()] = last;
    at = chain->end - 1;
  }
  return copy.finish();
}

} // namespace

Plan optimal::withFasterPaths(const Space &space, const OpCostTable &model, Plan plan) {
  return FasterPaths(space, model, std::move(plan)).run();
}
