//===- PlanText.h - A plan for people -------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_PLANTEXT_H
#define TESSERA_OPTIMIZER_PLAN_PLANTEXT_H

#include "tessera/Optimizer/Plan/Plan.h"

namespace llvm {
class raw_ostream;
}

namespace tessera {

/// "step 3 (run relu_1)", "step 4 (conversion of %12)". Ids that do not exist are shown as "?".
std::string describeStep(const Problem &problem, const Plan &plan, StepIndex step);

/// "t4 (%12, l1/interleaved ...)".
std::string describeTensor(const Problem &problem, const Plan &plan, TensorId tensor);

/// The plan as the straight-line program of Plan.h's comment, one line per argument in use, step and returned
/// tensor; its ids must exist. For people and for tests; toJson is the form to read back.
void print(llvm::raw_ostream &os, const Problem &problem, const Plan &plan);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_PLANTEXT_H
