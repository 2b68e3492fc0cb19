//===- Policy.cpp - The table of policies ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Support/NearestNames.h"

#include "Beam/Beam.h"
#include "Declared/Declared.h"
#include "Greedy/Greedy.h"
#include "L1Interleaved/L1Interleaved.h"
#include "Optimal/Optimal.h"
#include "tessera/Optimizer/Policy/DFSharding.h"
#include "tessera/Optimizer/Policy/SolvingNotes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace tessera;

// All that tells policies apart stands in these rows. Code that runs them asks for a property and never for a name,
// so that a new policy is a folder and a row.
static constexpr PolicyInfo kPolicies[] = {
    // Decides op by op, so that what room allows may cost more further on: hence the plans for less L1, of which it makes one more than
    // those that look ahead, as they take it little time.
    {.name = "greedy",
     .summary = "keep data in L1 op by op, then spill what does not fit, longest remaining lifetime first",
     .solve = solveGreedy,
     .uselessBudgets = 3},
    // Never slower than its incumbent, whose plans take a fraction of its time.
    {.name = "beam",
     .summary =
         "the best few ways to make each value, forks settled backwards, then what does not fit leaves L1",
     .solve = solveBeam,
     .schedule = ScheduleKind::Best,
     .uselessBudgets = 2,
     .improvesOps = true,
     .hasObjective = true,
     .incumbent = "greedy"},
    // Starts from the plan of its incumbent, whose layouts are among its choices. It has no other objective than time,
    // which is what its bound is about.
    {.name = "optimal",
     .summary =
         "the best selection of layouts over the whole graph, then windows of it solved exactly where L1 "
         "is full; with a proven bound",
     .solve = solveOptimal,
     .schedule = ScheduleKind::Best,
     .uselessBudgets = 2,
     .improvesOps = true,
     .provesBound = true,
     .incumbent = "beam"},
    // Chains follow data flow, so they are long only where the schedule does, too; with that schedule it was published.
    {.name = "df-sharding",
     .summary = "depth-first chains of sharded ops, joined in L1 where they meet (DFSharding 2.0)",
     .solve = solveDFSharding2,
     .otherName = "DFSharding",
     .schedule = ScheduleKind::DepthFirst,
     .hasChains = true,
     .incumbent = "df-sharding-1"},
    // As published it asks for no time, so its plan stands even where it loses.
    {.name = "df-sharding-1",
     .summary = "depth-first chains of sharded ops that meet in DRAM (DFSharding 1.0, as published: may be "
                "slower)",
     .solve = solveDFSharding1,
     .schedule = ScheduleKind::DepthFirst,
     .hasChains = true,
     .mayBeSlower = true},
    // These two order the ops themselves, so no schedule is asked for.
    {.name = "greedy-l1-interleaved",
     .summary = "results with one reader in L1 interleaved, as many bytes as fit (deprecated upstream)",
     .solve = solveGreedyL1Interleaved,
     .otherName = "GreedyL1Interleaved"},
    {.name = "bf-interleaved",
     .summary = "results in L1 interleaved, the op that adds least first (deprecated upstream)",
     .solve = solveBFInterleaved,
     .otherName = "BFInterleaved"},
    // The program's own layouts are what it is about, so not even constants are converted ahead.
    {.name = "configurations",
     .summary = "the layouts of the input program, and the fastest configuration of each op in them",
     .solve = solveConfigurations,
     .keepsProgram = true},
    {.name = "declared",
     .summary =
         "the layouts of the input program; only what does not fit into L1 goes to DRAM; also called none",
     .solve = solveDeclared,
     .otherName = "none",
     .keepsProgram = true,
     .decidesNothing = true},
};

llvm::ArrayRef<PolicyInfo> tessera::policies() { return kPolicies; }

void tessera::reportFigure(const PolicyOptions &options, llvm::StringRef name, size_t count) {
  if (!options.figures)
    return;
  // A list and no map: figures are printed in the order in which the policy first told them.
  auto found = llvm::find_if(*options.figures, [&](const auto &figure) { return figure.first == name; });
  if (found == options.figures->end())
    options.figures->emplace_back(name.str(), count);
  else
    found->second += count;
}

bool tessera::mayBeSlower(const PolicyInfo &policy, const PolicyOptions &options) {
  return policy.hasChains && !options.dropSlowChains.value_or(!policy.mayBeSlower);
}

bool tessera::isTimeless(const PolicyInfo &policy, const PolicyOptions &options) {
  return policy.hasObjective && options.beam.objective == BeamObjective::Cores;
}

OpCostTable tessera::modelFor(const PolicyInfo &policy, const OpCostTable &model,
                              const PolicyOptions &options) {
  // A model without times, so that no code on the way can let a time decide (docs/policies, `cores`).
  return isTimeless(policy, options) ? model.timeless() : model;
}

bool tessera::triesLessL1(const PolicyInfo &policy, const PolicyOptions &options) {
  return policy.uselessBudgets > 0 && !options.once && !isTimeless(policy, options);
}

bool tessera::improvesOps(const PolicyInfo &policy, const PolicyOptions &options) {
  // Single changes count as polishing: one switch measures what both give.
  return policy.improvesOps && options.beam.polish && !options.once && !isTimeless(policy, options);
}

bool tessera::plansOnce(const PolicyInfo &policy, const PolicyOptions &options) {
  const PolicyInfo *incumbent = incumbentOf(policy, options);
  return options.schedule.value_or(policy.schedule) != ScheduleKind::Best && !triesLessL1(policy, options) &&
         !improvesOps(policy, options) && (!incumbent || plansOnce(*incumbent, options));
}

const PolicyInfo *tessera::incumbentOf(const PolicyInfo &policy, const PolicyOptions &options) {
  bool compares = options.beam.incumbent && !options.once && !isTimeless(policy, options) &&
                  !mayBeSlower(policy, options);
  return compares ? findPolicy(policy.incumbent) : nullptr;
}

bool tessera::isProvenGood(const PolicyOptions &options, Nanoseconds time) {
  // Costs in a bound are rounded down, and a plan's time is a sum in floating point.
  constexpr double kRounding = 1; // ns
  return options.notes && options.notes->bound &&
         time.value() <= options.notes->bound->value() * (1 + options.optimal.gap) + kRounding;
}

PolicyOptions tessera::unobserved(const PolicyOptions &options) {
  PolicyOptions quiet = options;
  quiet.figures = nullptr;
  quiet.solverObserver = nullptr;
  quiet.log = nullptr;
  return quiet;
}

PolicyOptions tessera::forIncumbent(const PolicyOptions &options) {
  PolicyOptions its = unobserved(options);
  its.dropSlowChains = true;
  return its;
}

PolicyOptions tessera::inPart(PolicyOptions options, ProgressPart part) {
  options.progress = options.progress.part(part);
  return options;
}

const PolicyInfo *tessera::findPolicy(llvm::StringRef name) {
  auto found = llvm::find_if(policies(), [&](const PolicyInfo &info) {
    // Most rows have an empty other name, which is nobody's.
    return !name.empty() && (info.name == name || info.otherName == name);
  });
  return found == policies().end() ? nullptr : found;
}

llvm::Expected<const PolicyInfo *> tessera::policyNamed(llvm::StringRef name) {
  if (const PolicyInfo *found = findPolicy(name))
    return found;
  auto known = llvm::map_to_vector(policies(), [](const PolicyInfo &policy) { return policy.name; });
  return llvm::createStringError(unknownName("policy", name, known));
}
