//===- Forks.cpp - Conversions that several readers share -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Forks.h"

#include "Changes.h"
#include "tessera/Optimizer/Plan/PlanUses.h"
#include "tessera/Support/AddOnce.h"

using namespace tessera;
using namespace tessera::optimal;

/// Dreyfus and Wagner 1971: of each set of leaves, from each form, the cheapest tree. It goes to some fork first, and there falls into the trees of
/// two smaller sets; sets of one leaf end there. Sets are bits, and a subset is a smaller number, so all parts are known.
/// With k leaves and n forms that is 3^k n for what forks here and 2^k n^2 for the ways to there: some 40,000 for 6
/// and 20.
CheapestTree::CheapestTree(const Distances &distances, llvm::ArrayRef<Form> leaves)
    : distances(distances), leaves(leaves), trees(size_t(1) << leaves.size()) {
  for (size_t some = 1; some < trees.size(); ++some) {
    // First what forks right here, then by way of there.
    std::vector<Tree> here(distances.forms);
    for (Form form = 0; form < distances.forms; ++form) {
      here[form].fork = form;
      for (size_t leaf = 0; leaf < leaves.size(); ++leaf)
        // A leaf at itself needs no conversion.
        if (some == size_t(1) << leaf && leaves[leaf] == form)
          here[form].cost = 0;
      for (size_t split = (some - 1) & some; split > 0; split = (split - 1) & some)
        if (SelectionCost cost = sum(trees[split][form].cost, trees[some & ~split][form].cost);
            cost < here[form].cost)
          here[form] = {cost, form, split};
    }
    // Distances are shortest paths, so one step to the fork is enough.
    trees[some] = here;
    for (Form form = 0; form < distances.forms; ++form)
      for (Form fork = 0; fork < distances.forms; ++fork)
        if (SelectionCost cost = sum(distances.at(form, fork), here[fork].cost);
            cost < trees[some][form].cost)
          trees[some][form] = {cost, fork, here[fork].split};
  }
}

/// The trees of two sides may pass through one form, each in its own way; the first way stands for both, and costs no
/// more.
std::map<Form, Form> CheapestTree::parents(Form root) const {
  std::map<Form, Form> parents;
  if (!leaves.empty())
    collect(trees.size() - 1, root, parents, root);
  return parents;
}

void CheapestTree::collect(size_t some, Form root, std::map<Form, Form> &parents, Form from) const {
  const Tree &tree = trees[some][from];
  // Each stop on the way hangs on the one before it.
  Form last = from;
  if (tree.fork != from)
    for (Form stop : distances.path(from, tree.fork)) {
      // What is there already stays where it comes from, so that all hang on the root.
      if (stop != root)
        parents.try_emplace(stop, last);
      last = stop;
    }
  if (tree.split == 0)
    return;
  collect(tree.split, root, parents, tree.fork);
  collect(some & ~tree.split, root, parents, tree.fork);
}

namespace {

/// All conversions of one value.
struct Change {
  ValueId value;
  std::map<Form, Form> parents;
  SelectionCost gain = 0;
};

class Forks {
public:
  Forks(const Space &space, const OpCostTable &model, Plan plan)
      : space(space), model(model), plan(std::move(plan)) {}

  Plan run() {
    return withThoseThatStand(space, model, plan, find(),
                              [&](llvm::ArrayRef<Change> some) { return with(some); });
  }

private:
  std::vector<Change> find() const;
  Plan with(llvm::ArrayRef<Change> changed) const;

  const Space &space;
  const OpCostTable &model;
  Plan plan;
};

/// Of those values that are converted: from where, to what, and whether a tree costs less than what the plan does.
std::vector<Change> Forks::find() const {
  PlanUses uses(plan);
  PlanCost cost = planCost(space.problem, plan, model);
  auto isConverted = [&](size_t tensor) {
    auto maker = uses.makers[tensor];
    return maker && !plan[*maker].isRun();
  };
  struct Its {
    std::vector<Form> roots, leaves;
    SelectionCost cost = 0;
    bool isKnown = true;
  };
  std::vector<Its> all(space.problem.values.size());
  for (size_t id = 0; id < plan.tensors.size(); ++id) {
    const PlanTensor &tensor = plan.tensors[id];
    Its &its = all[tensor.value.index()];
    std::optional<Form> form = space.forms[tensor.value.index()].find(tensor.layout);
    its.isKnown &= form.has_value();
    if (!form)
      continue;
    // What the op makes, or what the function is given, is where its conversions begin.
    if (!isConverted(id))
      its.roots.push_back(*form);
    else
      its.cost += costOf(cost.steps[uses.makers[id]->index()].total);
    bool isRead = uses.returned[id] ||
                  llvm::any_of(uses.readers[id], [&](StepIndex reader) { return plan[reader].isRun(); });
    // What is only converted further need not be made at all: a tree may go another way.
    if (isConverted(id) && isRead)
      addOnce(its.leaves, *form);
  }
  std::vector<Change> found;
  for (auto [index, its] : llvm::enumerate(all)) {
    // Of a value that is made twice, or in a form that the space has no distance of, nothing is known; without conversions nothing can be gained.
    if (!its.isKnown || its.roots.size() != 1 || its.cost == 0 ||
        its.leaves.size() > CheapestTree::kMostLeaves)
      continue;
    CheapestTree tree(*space.forms[index].distances, its.leaves);
    if (SelectionCost least = its.leaves.empty() ? 0 : tree.cost(its.roots.front()); least < its.cost)
      found.push_back({ValueId(index), tree.parents(its.roots.front()), its.cost - least});
  }
  return found;
}

/// A form is made where the plan made it first, and before that one from which another is made.
Plan Forks::with(llvm::ArrayRef<Change> changed) const {
  std::vector<const std::map<Form, Form> *> treeOf(space.problem.values.size());
  for (const Change &its : changed)
    treeOf[its.value.index()] = &its.parents;
  PlanCopy copy(plan);
  std::vector<std::map<LayoutId, TensorId>> there(treeOf.size()); ///< by value, layout
  auto enter = [&](TensorId old) { there[plan[old].value.index()][plan[old].layout] = copy[old]; };
  // What a form is made from comes before it, as late as the plan's first conversion that needs it: no copy lives longer than one did.
  auto make = [&](auto &self, ValueId value, LayoutId layout, OpId with) -> TensorId {
    auto &its = there[value.index()];
    if (auto known = its.find(layout); known != its.end())
      return known->second;
    const ValueForms &forms = space.forms[value.index()];
    LayoutId source = forms.layouts[treeOf[value.index()]->at(*forms.find(layout))];
    return its[layout] = copy.convert(with, self(self, value, source, with), layout);
  };
  for (size_t id = 0; id < plan.tensors.size(); ++id)
    // Before any step: what no step makes.
    if (copy[TensorId(id)].valid())
      enter(TensorId(id));
  for (const PlanStep &step : plan.steps) {
    if (step.isRun() || !treeOf[plan[step.writes.front()].value.index()]) {
      copy.keep(step);
      llvm::for_each(step.writes, enter);
      continue;
    }
    const PlanTensor &target = plan[step.writes.front()];
    const ValueForms &forms = space.forms[target.value.index()];
    bool isKept = there[target.value.index()].count(target.layout) ||
                  treeOf[target.value.index()]->count(*forms.find(target.layout));
    // A copy that is in no tree was a stop on a way that is not gone any more.
    if (isKept)
      copy[step.writes.front()] = make(make, target.value, target.layout, step.op);
  }
  return copy.finish();
}

} // namespace

Plan optimal::withForks(const Space &space, const OpCostTable &model, Plan plan) {
  return Forks(space, model, std::move(plan)).run();
}
