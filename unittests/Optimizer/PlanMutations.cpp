//===- PlanMutations.cpp - What a policy can decide wrongly ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "MutatedPlans.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

namespace {

const TensorDesc &descOf(Subject &subject, const Plan &plan, TensorId tensor) {
  return subject.problem()[plan[tensor].value].tensor;
}

/// A tensor of the plan with another value of the same shape and type; nullopt if there is none.
std::optional<TensorId> otherTensor(Subject &subject, const Plan &plan, TensorId instead, Random &random) {
  std::vector<TensorId> others;
  for (size_t i = 0; i < plan.tensors.size(); ++i)
    if (plan.tensors[i].value != plan[instead].value &&
        descOf(subject, plan, TensorId(i)) == descOf(subject, plan, instead))
      others.push_back(TensorId(i));
  return others.empty() ? std::nullopt : std::optional(anyOf(others, random));
}

bool swapOperands(Subject &subject, Plan &plan, Random &random) {
  PlanStep &step = anyOf(plan.steps, random);
  if (step.reads.size() < 2 || step.reads[0] == step.reads[1] ||
      !(descOf(subject, plan, step.reads[0]) == descOf(subject, plan, step.reads[1])))
    return false;
  std::swap(step.reads[0], step.reads[1]);
  return true;
}

bool readOther(Subject &subject, Plan &plan, Random &random) {
  PlanStep &step = anyOf(plan.steps, random);
  if (step.reads.empty())
    return false;
  TensorId &read = anyOf(step.reads, random);
  std::optional<TensorId> other = otherTensor(subject, plan, read, random);
  if (!other || llvm::is_contained(step.writes, *other))
    return false;
  read = *other;
  return true;
}

bool returnOther(Subject &subject, Plan &plan, Random &random) {
  TensorId &returned = anyOf(plan.returned, random);
  std::optional<TensorId> other = otherTensor(subject, plan, returned, random);
  if (!other)
    return false;
  returned = *other;
  return true;
}

/// Takes a step out; who read what it made reads what it read.
void bypass(Plan &plan, size_t index) {
  TensorId from = plan.steps[index].reads[0], made = plan.steps[index].writes[0];
  plan.steps.erase(plan.steps.begin() + int64_t(index));
  for (PlanStep &step : plan.steps)
    llvm::replace(step.reads, made, from);
  llvm::replace(plan.returned, made, from);
}

bool dropConversion(Subject &, Plan &plan, Random &random) {
  auto index = size_t(random() % plan.steps.size());
  if (plan.steps[index].kind != PlanStep::Kind::Convert)
    return false;
  bypass(plan, index);
  return true;
}

bool dropOp(Subject &subject, Plan &plan, Random &random) {
  auto index = size_t(random() % plan.steps.size());
  const PlanStep &step = plan.steps[index];
  if (step.kind != PlanStep::Kind::Run || step.writes.empty() || step.reads.empty() ||
      !(descOf(subject, plan, step.writes[0]) == descOf(subject, plan, step.reads[0])))
    return false;
  bypass(plan, index);
  return true;
}

bool otherLayout(Subject &subject, Plan &plan, Random &random) {
  PlanStep &step = anyOf(plan.steps, random);
  if (step.writes.empty())
    return false;
  PlanTensor &tensor = plan.tensors[step.writes[0].index()];
  LayoutSpace space = enumerateLayouts(subject.problem()[tensor.value].tensor, PageLayout::Tile,
                                       subject.device, subject.layouts);
  std::vector<LayoutId> all = space.interleaved;
  all.insert(all.end(), space.sharded.begin(), space.sharded.end());
  if (all.empty())
    return false;
  LayoutId other = anyOf(all, random);
  if (other == tensor.layout)
    return false;
  tensor.layout = other;
  if (step.kind == PlanStep::Kind::Run)
    plan.configs[step.op.index()].outputs[0] = other;
  return true;
}

void move(Plan &plan, size_t from, size_t to) {
  auto begin = plan.steps.begin();
  if (from < to)
    std::rotate(begin + int64_t(from), begin + int64_t(from) + 1, begin + int64_t(to) + 1);
  else
    std::rotate(begin + int64_t(to), begin + int64_t(from), begin + int64_t(from) + 1);
}

bool runBefore(Subject &, Plan &plan, Random &random) {
  auto index = size_t(random() % plan.steps.size());
  if (index == 0)
    return false;
  move(plan, index, size_t(random() % index));
  return true;
}

bool updateBehindReader(Subject &subject, Plan &plan, Random &random) {
  auto index = size_t(random() % plan.steps.size());
  const PlanStep &update = plan.steps[index];
  if (update.kind != PlanStep::Kind::Run || subject.problem()[update.op].writes.empty())
    return false;
  TensorId written = update.reads[subject.problem()[update.op].writes.front()];
  for (size_t reader = index + 1; reader < plan.steps.size(); ++reader)
    if (llvm::is_contained(plan.steps[reader].reads, written)) {
      move(plan, index, reader);
      return true;
    }
  return false;
}

bool wrongActivation(Subject &subject, Plan &plan, Random &random) {
  auto op = size_t(random() % plan.configs.size());
  if (subject.problem().ops[op].name != "ttnn.matmul")
    return false;
  MatmulProgramConfig config;
  if (auto *own = std::get_if<MatmulProgramConfig>(&plan.configs[op].specific))
    config = *own;
  config.fusedActivation = random() % 2 ? "relu" : "silu";
  plan.configs[op].specific = config;
  return true;
}

constexpr MutationKind kKinds[] = {
    {"operands swapped", swapOperands},
    {"another value read", readOther},
    {"another value returned", returnOther},
    {"op left out", dropOp},
    {"step moved ahead", runBefore},
    {"cache update behind its reader", updateBehindReader},
    {"another activation", wrongActivation},
    {"another layout of a result", otherLayout},
    {"conversion left out, layouts known", dropConversion},
};

} // namespace

llvm::ArrayRef<MutationKind> tessera::planMutations() { return kKinds; }
