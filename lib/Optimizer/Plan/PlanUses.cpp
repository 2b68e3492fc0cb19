//===- PlanUses.cpp - Who makes and who reads the tensors of a plan -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/PlanUses.h"

using namespace tessera;

PlanUses::PlanUses(const Plan &plan)
    : makers(plan.tensors.size()), readers(plan.tensors.size()), reads(plan.tensors.size(), 0),
      returned(plan.tensors.size(), false) {
  for (StepIndex step; step < plan.end(); ++step) {
    for (TensorId id : plan[step].writes)
      makers[id.index()] = step;
    for (TensorId id : plan[step].reads) {
      ++reads[id.index()];
      if (std::vector<StepIndex> &all = readers[id.index()]; all.empty() || all.back() != step)
        all.push_back(step);
    }
  }
  for (TensorId id : plan.returned)
    returned[id.index()] = true;
}
