//===- BasePlan.cpp - The plan that every policy falls back to ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/BasePlan.h"

#include "tessera/Optimizer/Memory/Lifetime.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Problem/Base.h"

#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <set>
#include <utility>

using namespace tessera;

Plan tessera::declaredPlan(const Problem &problem) {
  PlanBuilder builder(problem, "declared");
  std::vector<TensorId> reads;
  for (size_t i = 0; i < problem.ops.size(); ++i) {
    reads.clear();
    for (ValueId operand : problem.ops[i].operands)
      reads.push_back(builder.original(operand));
    builder.run(OpId(i), reads, problem.ops[i].declared);
  }
  return builder.finish();
}

namespace {

/// Every op in its base, every value at home: in conversions that need not be single ops.
Plan planAtHome(const Problem &problem) {
  PlanBuilder builder(problem, "declared");
  std::vector<TensorId> home; // by ValueId: the tensor at home
  for (size_t i = 0; i < problem.values.size(); ++i)
    home.push_back(builder.original(ValueId(i))); // of arguments
  for (OpId id : programOrder(problem)) {
    const Op &op = problem[id];
    std::vector<TensorId> reads;
    for (auto [index, operand] : llvm::enumerate(op.operands)) {
      size_t first = firstOperand(op, operand);
      TensorId source = home[operand.index()];
      LayoutId wanted = baseInput(problem, id, index);
      // An operand that is given twice is converted once. For this reader alone: copies that live on for later ones would hold L1,
      // and whether that pays is for policies to decide.
      reads.push_back(first < index                     ? reads[first]
                      : wanted == problem[operand].home ? source
                                                        : builder.convert(source, wanted, id));
    }
    builder.run(id, std::move(reads), baseConfig(op));
    for (ValueId result : op.results) {
      const Value &value = problem[result];
      TensorId made = home[result.index()] = builder.original(result);
      // No op would read the converted tensor.
      if (!isRead(value) || builder.plan()[made].layout == value.home)
        continue;
      // At once, so that no value holds L1 from its op to its first reader that is at home in DRAM.
      home[result.index()] = builder.convert(made, value.home, id);
    }
  }
  return builder.finish();
}

/// Where the plan needs more L1 than there is. The check tells of the first violations only, but all figures.
std::vector<bool> fullSteps(const Problem &problem, const CheckedPlan &base) {
  const PlanCheck &check = base.check;
  std::vector<bool> full(base.plan.steps.size(), false);
  for (const PlanViolation &violation : check.violations)
    if (violation.rule == kL1Capacity && violation.step)
      full[violation.step->index()] = true;
  for (size_t step = 0; step < check.l1.tensors.size(); ++step)
    if (check.l1.total(StepIndex(step)) > problem.l1Budget)
      full[step] = true;
  return full;
}

/// The values that lie in L1 at a full step and may lie in DRAM instead.
std::vector<ValueId> valuesInTheWay(const Problem &problem, const CheckedPlan &base) {
  // What may not leave: arguments and constants, which lie where the program put them; what is written in
  // place, whose writes a copy would miss; and what an override demands as it is.
  std::vector<bool> copyable = copyableValues(problem);
  std::vector<bool> full = fullSteps(problem, base);
  auto mayLeave = [&](TensorId id) {
    ValueId value = base.plan[id].value;
    // What is at home in DRAM lies in L1 only for one reader, whose base wants it there.
    return problem[value].kind == ValueKind::Activation && copyable[value.index()] &&
           problem.layout(problem[value].home).isL1();
  };
  // Step by step with what lives there, so that a program of many layers takes time linear in its steps.
  std::vector<StepInterval> intervals = lifetimes(problem, base.plan);
  LifetimeEvents events(intervals, base.plan.end());
  std::set<TensorId> live;
  std::set<ValueId> found;
  // All that is in the way leaves, not just enough of it: the base plan has to fit, and policies bring back
  // what there is room for.
  for (StepIndex step; step < base.plan.end(); ++step) {
    for (TensorId born : events.bornAt(step))
      if (mayLeave(born) && !found.contains(base.plan[born].value))
        live.insert(born);
    if (full[step.index()])
      for (TensorId id : std::exchange(live, {})) // each is looked at once, however many steps are full
        found.insert(base.plan[id].value);
    for (TensorId dead : events.deadAfter(step))
      live.erase(dead);
  }
  return {found.begin(), found.end()};
}

} // namespace

Plan tessera::basePlan(const Problem &problem, const OpCostTable &model) {
  Conversions conversions(model);
  return narrowConversions(problem, planAtHome(problem), conversions, Splitting::ForNeed);
}

CheckedPlan tessera::fitBase(Problem &problem, const OpCostTable &model) {
  std::optional<BaseSearch> search; // most programs fit
  for (;;) {
    CheckedPlan base{basePlan(problem, model), {}};
    base.check = checkPlan(problem, base.plan, model);
    // Each round moves at least one value to DRAM, and none comes back: it ends.
    std::vector<ValueId> moved = valuesInTheWay(problem, base);
    if (moved.empty())
      return base;
    // Only the ops around a moved value read or make it elsewhere. The rest keeps its base, which is what makes
    // a round cheap.
    std::set<OpId> touched;
    for (ValueId id : moved) {
      Value &value = problem.values[id.index()];
      value.home = inDram(problem, id);
      touched.insert(value.producer);
      for (const Use &use : value.uses)
        touched.insert(use.op);
    }
    if (!search)
      search.emplace(problem, model);
    for (OpId op : touched)
      search->settle(op);
  }
}
