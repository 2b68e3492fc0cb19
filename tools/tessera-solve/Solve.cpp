//===- Solve.cpp - A policy on a problem text -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A problem's text goes the way of a module, without the module: its base is
// fitted, the policy proposes, the checker judges. So policies can be tried, and
// tests state plans, on problems of a few lines.
//
//===----------------------------------------------------------------------===//
#include "Solve.h"

#include "tessera/Optimizer/Contest/Solve.h"
#include "tessera/Optimizer/Plan/BasePlan.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanFigures.h"
#include "tessera/Optimizer/Plan/PlanText.h"
#include "tessera/Optimizer/Problem/ProblemText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

int tessera::fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "tessera-solve") << message << "\n";
  return 1;
}

static void printFigures(llvm::raw_ostream &os, const Problem &problem, const Plan &plan,
                         const PlanCheck &check, const OpModel &model) {
  PlanCost cost = planCost(problem, plan, model), declared = planCost(problem, declaredPlan(problem), model);
  os << llvm::formatv("cost:        {0:f0} ns (ops {1:f0}, conversions {2:f0}); declared {3:f0} ns\n",
                      cost.total().value(), cost.ops.value(), cost.conversions.value(),
                      declared.total().value());
  PlanFigures figures = figuresOf(problem, plan);
  os << llvm::formatv("conversions: {0} reshard, {1} spill, {2} reload, {3} return\n", figures.reshards,
                      figures.spills, figures.reloads, figures.returns);
  os << llvm::formatv("peak:        {0} of {1} bytes at {2}\n", check.l1.peak.value(),
                      problem.l1Budget.value(), describeStep(problem, plan, check.l1.peakStep));
}

/// Solves and prints. True if the plan is what a policy must return.
static bool solveAndPrint(llvm::raw_ostream &os, const PolicyInfo &policy, const ProblemInstance &instance,
                          const PolicyOptions &options, bool asJson) {
  const Problem &problem = instance.problem;
  const OpModel &model = *instance.model;
  Plan plan = solveScheduled(policy, problem, model, options);
  PlanCheck check = checkPlan(problem, plan, model);
  if (asJson)
    os << llvm::formatv("{0:2}", toJson(problem, plan)) << "\n";
  else
    print(os, problem, plan);
  for (const PlanViolation &violation : check.violations)
    os << "violation:   " << violation.rule << ": " << violation.message << "\n";
  // Where nothing may leave L1 that is the answer.
  bool mayExceed = options.spill == SpillStrategy::None &&
                   llvm::all_of(check.violations,
                                [](const PlanViolation &violation) { return violation.rule == kL1Capacity; });
  if (!check.ok() && !mayExceed)
    return false;
  if (!asJson)
    printFigures(os, problem, plan, check, model);
  // Every policy that asks for times promises to be no slower than what it falls back to.
  return isTimeless(policy, options) || mayBeSlower(policy, options) ||
         planCost(problem, plan, model).total() <= planCost(problem, basePlan(problem, model), model).total();
}

static void addName(std::string &list, llvm::StringRef name) {
  list += ((list.empty() ? "" : ", ") + name).str();
}

/// Solves and prints with each; policies that print the same take one place. Returns whose plan is not what
/// it must be.
static std::string solveWithEach(llvm::ArrayRef<const PolicyInfo *> chosen, const ProblemInstance &instance,
                                 const PolicyOptions &options, bool asJson) {
  std::string wrong;
  struct Printed {
    std::string policies, text;
  };
  llvm::SmallVector<Printed> answers;
  for (const PolicyInfo *policy : chosen) {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (!solveAndPrint(os, *policy, instance, options, asJson))
      addName(wrong, policy->name);
    // Many policies agree on small problems: each plan is shown once.
    auto same = llvm::find_if(answers, [&](const Printed &answer) { return answer.text == text; });
    addName(same == answers.end() ? answers.emplace_back(Printed{"", text}).policies : same->policies,
            policy->name);
  }
  for (const Printed &answer : answers) {
    if (chosen.size() > 1)
      llvm::outs() << "policy " << answer.policies << "\n";
    llvm::outs() << answer.text;
  }
  return wrong;
}

int tessera::solveInstance(const SolveArguments &arguments) {
  llvm::SmallVector<const PolicyInfo *> chosen;
  if (arguments.policy == "all" && arguments.json)
    return fail("--json prints one plan; --policy all makes several");
  if (arguments.policy == "all") {
    chosen = llvm::map_to_vector(policies(), [](const PolicyInfo &policy) { return &policy; });
  } else {
    llvm::Expected<const PolicyInfo *> policy = policyNamed(arguments.policy);
    if (!policy)
      return fail(llvm::toString(policy.takeError()));
    chosen.push_back(*policy);
  }
  PolicyOptions plain;
  if (arguments.chainsAsDesigned)
    plain.dropSlowChains = false;
  llvm::Expected<PolicyOptions> options = parsePolicyOptions(arguments.options, plain);
  if (!options)
    return fail(llvm::toString(options.takeError()));
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(arguments.input, /*IsText=*/true);
  if (!buffer)
    return fail(arguments.input + ": " + buffer.getError().message());
  llvm::StringRef shownName = arguments.input == "-" ? "<stdin>" : llvm::StringRef(arguments.input);
  llvm::Expected<ProblemInstance> instance = parseProblem((*buffer)->getBuffer(), shownName);
  if (!instance)
    return fail(llvm::toString(instance.takeError()));
  // Such as an empty file, or the output of a script that failed.
  if (instance->problem.ops.empty())
    return fail(shownName + ": no op, so there is nothing to plan");

  // As the optimizer does it: policies expect a problem whose base is legal.
  CheckedPlan base = fitBase(instance->problem, *instance->model);
  if (!base.check.ok())
    return fail("no plan is legal: " + base.check.violations.front().message);
  std::string wrong = solveWithEach(chosen, *instance, *options, arguments.json);
  if (wrong.empty())
    return 0;
  return fail("the plan is not legal, or slower than the base plan: " + wrong);
}
