//===- Policy.cpp - The table of policies ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/Policy.h"

#include "Beam/Beam.h"
#include "Declared/Declared.h"
#include "Greedy/Greedy.h"
#include "L1Interleaved/L1Interleaved.h"
#include "tessera/Optimizer/Policy/DFSharding.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

llvm::ArrayRef<PolicyInfo> tessera::policies() {
  static constexpr PolicyInfo kPolicies[] = {
      {"greedy",
       "keep data in L1 op by op, then spill what does not fit, longest remaining lifetime first",
       solveGreedy,
       {},
       /*keepsProgram=*/false,
       ScheduleKind::Program,
       /*decidesNothing=*/false,
       /*hasChains=*/false,
       /*mayBeSlower=*/false,
       /*triesLessL1=*/true},
      {"beam",
       "the best few ways to make each value, forks settled backwards, then what does not fit leaves L1",
       solveBeam,
       {},
       /*keepsProgram=*/false,
       ScheduleKind::Best,
       /*decidesNothing=*/false,
       /*hasChains=*/false,
       /*mayBeSlower=*/false,
       /*triesLessL1=*/true,
       /*improvesOps=*/true,
       /*incumbent=*/"greedy"},
      {"df-sharding", "depth-first chains of sharded ops, joined in L1 where they meet (DFSharding 2.0)",
       solveDFSharding2, "DFSharding", /*keepsProgram=*/false, ScheduleKind::DepthFirst,
       /*decidesNothing=*/false,
       /*hasChains=*/true},
      {"df-sharding-1",
       "depth-first chains of sharded ops that meet in DRAM (DFSharding 1.0, as published: may be slower)",
       solveDFSharding1,
       {},
       /*keepsProgram=*/false,
       ScheduleKind::DepthFirst,
       /*decidesNothing=*/false,
       /*hasChains=*/true,
       /*mayBeSlower=*/true},
      {"greedy-l1-interleaved",
       "results with one reader in L1 interleaved, as many bytes as fit (deprecated upstream)",
       solveGreedyL1Interleaved, "GreedyL1Interleaved"},
      {"bf-interleaved", "results in L1 interleaved, the op that adds least first (deprecated upstream)",
       solveBFInterleaved, "BFInterleaved"},
      {"configurations",
       "the layouts of the input program, and the fastest configuration of each op in them",
       solveConfigurations,
       {},
       /*keepsProgram=*/true},
      {"declared",
       "the layouts of the input program; only what does not fit into L1 goes to DRAM; also called none",
       solveDeclared, "none",
       /*keepsProgram=*/true, ScheduleKind::Program,
       /*decidesNothing=*/true},
  };
  return kPolicies;
}

void tessera::reportFigure(const PolicyOptions &options, llvm::StringRef name, size_t count) {
  if (!options.figures)
    return;
  auto found = llvm::find_if(*options.figures, [&](const auto &figure) { return figure.first == name; });
  if (found == options.figures->end())
    options.figures->emplace_back(name.str(), count);
  else
    found->second += count;
}

bool tessera::mayBeSlower(const PolicyInfo &policy, const PolicyOptions &options) {
  return policy.hasChains && !options.dropSlowChains.value_or(!policy.mayBeSlower);
}

const PolicyInfo *tessera::incumbentOf(const PolicyInfo &policy, const PolicyOptions &options) {
  bool compares =
      options.beam.incumbent && !isTimeless(policy, options) && options.spill == SpillStrategy::Policy;
  return compares ? findPolicy(policy.incumbent) : nullptr;
}

const PolicyInfo *tessera::findPolicy(llvm::StringRef name) {
  auto found = llvm::find_if(policies(), [&](const PolicyInfo &info) {
    return !name.empty() && (info.name == name || info.otherName == name);
  });
  return found == policies().end() ? nullptr : found;
}
