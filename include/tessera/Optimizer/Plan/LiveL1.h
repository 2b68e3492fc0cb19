//===- LiveL1.h - What lies in L1 while a step runs -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Sums of bytes per core, as the plan checker counts them; addresses are PlanReplay's.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_LIVEL1_H
#define TESSERA_OPTIMIZER_PLAN_LIVEL1_H

#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/Plan.h"

namespace tessera {

/// By TensorId: what it holds while it lives.
std::vector<Bytes> tensorL1(const Problem &problem, const Plan &plan);

/// By step, and behind the last: what all tensors hold that live then, those that the step reads and makes included
/// (lifetimes).
std::vector<Bytes> liveL1(const Problem &problem, const Plan &plan);
/// What the step makes.
Bytes resultL1(const Problem &problem, const Plan &plan, const PlanStep &step);

/// The question with the L1 that tensors hold which are not the step's own: `live` less its results and its operands.
OpQuery pressed(const StepQuestion &question, Bytes live, Bytes results, const OpModelContext &context);
/// Whether the answer has the layouts that the plan wants of the step. A model may accept a call and say that it makes others.
bool makesAsPlanned(const ValidationResult &answer, const Plan &plan, const PlanStep &step);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_LIVEL1_H
