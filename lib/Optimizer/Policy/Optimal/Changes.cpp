//===- Changes.cpp - Changes of a plan's conversions ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Changes.h"

#include "tessera/Optimizer/Plan/PlanUses.h"

using namespace tessera;
using namespace tessera::optimal;

PlanCopy::PlanCopy(const Plan &plan)
    : plan(plan), made(plan), renamed(plan.tensors.size()), kept(plan.tensors.size()) {
  made.steps.clear();
  made.tensors.clear();
  PlanUses uses(plan);
  // Arguments first, as the checker tells them by their ids.
  for (size_t id = 0; id < plan.tensors.size(); ++id)
    if (!uses.makers[id])
      renamed[id] = add(plan.tensors[id]);
}

TensorId PlanCopy::add(PlanTensor tensor) {
  made.tensors.push_back(tensor);
  return TensorId(made.tensors.size() - 1);
}

void PlanCopy::keep(PlanStep step) {
  for (TensorId &read : step.reads)
    read = renamed[read.index()];
  for (TensorId &write : step.writes)
    // A caller may let another tensor stand for this one later (operator[]); a place stays with what the step itself
    // makes.
    write = renamed[write.index()] = kept[write.index()] = add(plan[write]);
  made.steps.push_back(std::move(step));
}

TensorId PlanCopy::convert(OpId with, TensorId source, LayoutId layout) {
  TensorId target = add({made[source].value, layout});
  made.steps.push_back({PlanStep::Kind::Convert, with, {source}, {target}});
  return target;
}

Plan PlanCopy::finish() {
  // A place goes with the tensors that it is kept for and since.
  for (KeptPlace &place : made.kept)
    place = {kept[place.tensor.index()], kept[place.since.index()]};
  llvm::erase_if(made.kept,
                 [](const KeptPlace &place) { return !place.tensor.valid() || !place.since.valid(); });
  for (TensorId &id : made.returned)
    id = renamed[id.index()];
  return std::move(made);
}
