//===- Declared.cpp - The layouts of the input program --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Declared.h"

#include "tessera/Optimizer/Ledger/DirectReads.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/PlanConversions.h"
#include "tessera/Optimizer/Problem/Schedule.h"
#include "tessera/Optimizer/Table/ResultConfigs.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

std::optional<Plan> tessera::solveDeclared(const Problem &problem, const OpCostTable &model,
                                           const PolicyOptions &) {
  // Every value is made at home then, so no reader goes a way home that could be spared.
  if (llvm::none_of(problem.ops, hasOwnBase)) {
    Plan plan = basePlan(problem, model);
    plan.policy = "declared";
    return plan;
  }
  Oracle oracle(problem, model);
  Draft draft(problem, oracle, programOrder(problem));
  readDirectly(draft);
  return draft.write("declared", Splitting::ForNeed);
}

/// Tries each configuration that leaves the op's results where they are.
static void configure(Draft &draft, OpId op) {
  for (ConfigId config : makingTheSame(draft.oracle, op, draft.config(op))) {
    Nanoseconds before = draft.time();
    draft.attempt([&] { draft.setConfig(op, config); }, /*mayCost=*/false,
                  [&] { return draft.time() < before; });
  }
}

std::optional<Plan> tessera::solveConfigurations(const Problem &problem, const OpCostTable &model,
                                                 const PolicyOptions &options) {
  Oracle oracle(problem, model);
  Draft draft(problem, oracle, programOrder(problem));
  readDirectly(draft);
  for (auto [position, op] : llvm::enumerate(draft.schedule())) {
    configure(draft, op);
    reportProgress(options.progress, "configuring", position + 1, problem.ops.size());
  }
  return draft.write("configurations");
}
