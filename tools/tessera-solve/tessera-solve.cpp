//===- tessera-solve.cpp - A policy on a problem text ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   tessera-solve [--policy NAME|all] [--json] instance.problem
//
// Solves one instance (docs/problem-format.md) and prints the plan, its cost
// beside the declared program's, its L1 peak, and what the plan checker says.
// Exit code 0: the plans are legal and not slower than the declared program.
// 1: one is not, or the input cannot be read.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanText.h"
#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Optimizer/Problem/ProblemText.h"
#include "tessera/Support/NearestNames.h"
#include "tessera/Support/ToolProcess.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
namespace cl = llvm::cl;

static cl::OptionCategory category("tessera-solve");
static cl::opt<std::string> input(cl::Positional, cl::desc("<instance.problem, or - for standard input>"),
                                  cl::init("-"), cl::cat(category));
static cl::opt<std::string> policyName("policy", cl::desc("The policy to run, or all"),
                                       cl::value_desc("name"), cl::init("greedy"), cl::cat(category));
static cl::opt<bool> asJson("json", cl::desc("Print the plan as JSON instead of text"), cl::cat(category));

static int fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "tessera-solve") << message << "\n";
  return 1;
}

static size_t countConversions(const Plan &plan, ConversionReason reason) {
  return llvm::count_if(plan.steps, [&](const PlanStep &step) {
    return step.kind == PlanStep::Kind::Convert && step.reason == reason;
  });
}

static void printFigures(const Problem &problem, const Plan &plan, const PlanCheck &check,
                         const OpModel &model) {
  PlanCost cost = planCost(problem, plan, model), declared = planCost(problem, declaredPlan(problem), model);
  llvm::outs() << llvm::formatv(
      "cost:        {0:f0} ns (ops {1:f0}, conversions {2:f0}); declared {3:f0} ns\n", cost.total().value(),
      cost.ops.value(), cost.conversions.value(), declared.total().value());
  llvm::outs() << llvm::formatv(
      "conversions: {0} reshard, {1} spill, {2} reload, {3} return\n",
      countConversions(plan, ConversionReason::Reshard), countConversions(plan, ConversionReason::Spill),
      countConversions(plan, ConversionReason::Reload), countConversions(plan, ConversionReason::Return));
  llvm::outs() << llvm::formatv("peak:        {0} of {1} bytes at {2}\n", check.l1.peak.value(),
                                problem.l1Budget.value(), describeStep(problem, plan, check.l1.peakStep));
}

/// Solves and prints. True if the plan is what a policy must return.
static bool solve(const PolicyInfo &policy, const ProblemInstance &instance) {
  const Problem &problem = instance.problem;
  const OpModel &model = *instance.model;
  Plan plan = policy.solve(problem, model, {});
  PlanCheck check = checkPlan(problem, plan, model);
  if (asJson)
    llvm::outs() << llvm::formatv("{0:2}", toJson(problem, plan)) << "\n";
  else
    print(llvm::outs(), problem, plan);
  for (const PlanViolation &violation : check.violations)
    llvm::outs() << "violation:   " << violation.rule << ": " << violation.message << "\n";
  if (!check.ok())
    return false;
  if (!asJson)
    printFigures(problem, plan, check, model);
  return planCost(problem, plan, model).total() <= planCost(problem, basePlan(problem), model).total();
}

int main(int argc, char **argv) {
  ToolProcess process(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "runs a policy on a problem instance and checks its plan\n");

  llvm::SmallVector<const PolicyInfo *> chosen;
  for (const PolicyInfo &policy : policies())
    if (policyName == "all" || policyName == policy.name.str())
      chosen.push_back(&policy);
  if (chosen.empty()) {
    llvm::SmallVector<llvm::StringRef> known;
    for (const PolicyInfo &policy : policies())
      known.push_back(policy.name);
    return fail("unknown policy '" + policyName + "'" + didYouMean(policyName, known));
  }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(input, /*IsText=*/true);
  if (!buffer)
    return fail(input + ": " + buffer.getError().message());
  llvm::StringRef shownName = input == "-" ? "<stdin>" : llvm::StringRef(input);
  llvm::Expected<ProblemInstance> instance = parseProblem((*buffer)->getBuffer(), shownName);
  if (!instance)
    return fail(llvm::toString(instance.takeError()));

  bool allGood = true;
  for (const PolicyInfo *policy : chosen) {
    if (chosen.size() > 1)
      llvm::outs() << "policy " << policy->name << "\n";
    allGood &= solve(*policy, *instance);
  }
  return process.finish(allGood ? 0 : 1);
}
