//===- Rehearsal.cpp - What planning will ask, by planning once more ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Rehearsal.h"
#include "Rewriting.h"

#include "tessera/OpModel/Listening.h"
#include "tessera/Optimizer/Policy/Policy.h"

using namespace mlir;
using namespace tessera;

OptimizerOptions tessera::unnoticed(OptimizerOptions options) {
  options.policyOptions = unobserved(std::move(options.policyOptions));
  options.inputTotals |= options.decisions;
  options.decisions = options.trace = options.spillCauses = options.bound = options.strict = false;
  return options;
}

static std::vector<ForeseenQuestion> rehearse(ModuleOp module, const PolicyInfo &policy,
                                              const OpModelContext &context, OptimizerOptions options) {
  OptimizationResult result;
  OpModelContext own = inPool(context, *result.layouts);
  std::vector<ForeseenQuestion> questions;
  auto heard = [&](const std::string &question, const OpQuery &, const ValidationResult &answer) {
    // What the formulas refuse is put to nobody.
    // Out of memory is passed on, since the library's sizes may be others than the formulas'.
    if (!answer.ok() && answer.status != ValidationStatus::OutOfMemory)
      return;
    ForeseenQuestion foreseen{question, {}};
    for (LayoutId id : answer.constraints.outputLayouts)
      foreseen.expected.push_back((*result.layouts)[id]);
    questions.push_back(std::move(foreseen));
  };
  OpCostTable model(listening(createAnalyticOpModel(own), heard));
  // The real run has the same to say.
  ScopedDiagnosticHandler silence(module.getContext(), [](Diagnostic &) { return success(); });
  // The formulas' plan need not be the library's, so some questions will be new; these are asked during the
  // real search.
  OwningOpRef<ModuleOp> copy = module.clone();
  (void)optimizeFunctions(*copy, policy, model, options, result);
  return questions;
}

std::function<std::vector<ForeseenQuestion>()> tessera::rehearsal(ModuleOp module, const PolicyInfo &policy,
                                                                  const OpModelContext &context,
                                                                  const OptimizerOptions &options) {
  return [module, &policy, asked = OpModelContext(context), &options]() mutable {
    asked.version = backendVersionOf(options.opModel).version;
    OptimizerOptions quiet = unnoticed(options);
    quiet.timing = nullptr;
    return rehearse(module, policy, asked, std::move(quiet));
  };
}
