//===- PlanProgram.cpp - Plans that run on the simulator ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "MutatedPlans.h"

#include "tessera/Device/L1Budget.h"
#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanReplay.h"

#include <set>

using namespace tessera;
using simulator::Function;
using simulator::Step;

Subject::Subject(mlir::ModuleOp module, double cap) : device(*findDevice("n150")) {
  device.l1SmallSize = Bytes(0);
  model = std::make_unique<OpCostTable>(createAnalyticOpModel({device, layouts, l1Budget(device, cap)}));
  built = buildProblem(*module.getOps<mlir::func::FuncOp>().begin(), *model, signatures, {});
  if (!fitBase(problem(), *model).check.ok())
    return;
  Plan made = solve(*findPolicy("greedy"), problem(), *model, {});
  if (checkPlan(problem(), made, *model).ok() && hasAddresses(problem(), made, *model))
    plan = std::move(made);
}

namespace {

std::vector<size_t> numbers(llvm::ArrayRef<TensorId> tensors) {
  std::vector<size_t> list;
  for (TensorId tensor : tensors)
    list.push_back(tensor.index());
  return list;
}

Step stepOf(const Problem &problem, const Plan &plan, const PlanStep &planned) {
  Step step;
  step.reads = numbers(planned.reads);
  step.writes = numbers(planned.writes);
  step.op = StepQuestion(problem, plan, planned).signature();
  if (planned.kind == PlanStep::Kind::Run) {
    step.config.specific = plan.configs[planned.op.index()].specific;
    step.mayView = mayBeView(problem, problem[planned.op]);
  }
  if (convertsLayout(problem, planned))
    step.mayView = plan[planned.reads[0]].layout == plan[planned.writes[0]].layout;
  step.kernel = simulator::findKernel(step.op.name);
  step.place = step.op.name;
  return step;
}

void addFrees(Function &function, llvm::ArrayRef<Deallocation> list) {
  for (const Deallocation &deallocation : list) {
    Step step;
    step.kind = Step::Kind::Free;
    step.reads = {deallocation.tensor.index()};
    step.force = deallocation.force;
    step.place = "deallocate";
    function.steps.push_back(std::move(step));
  }
}

} // namespace

simulator::Program tessera::programOf(const Problem &problem, const Plan &plan) {
  simulator::Program program;
  Function &function = program.functions.emplace_back();
  function.name = problem.function;
  for (const PlanTensor &tensor : plan.tensors) {
    TensorDesc desc = problem[tensor.value].tensor;
    desc.dtype = problem.layout(tensor.layout).dtype;
    function.values.push_back({desc, problem.layout(tensor.layout)});
  }
  std::set<ValueId> seen; // the first tensor of an argument is as it came
  for (size_t tensor = 0; tensor < plan.tensors.size(); ++tensor) {
    ValueId value = plan.tensors[tensor].value;
    if (problem[value].producer.valid() || !seen.insert(value).second)
      continue;
    function.arguments.push_back(tensor);
    function.roles.push_back(simulator::ArgumentRole::Input);
  }
  Deallocations freed = deallocationsAfterLastUse(problem, plan);
  for (auto [index, planned] : llvm::enumerate(plan.steps)) {
    addFrees(function, freed[index]);
    function.steps.push_back(stepOf(problem, plan, planned));
  }
  addFrees(function, freed.back());
  function.returned = numbers(plan.returned);
  return program;
}
