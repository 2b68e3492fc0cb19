//===- Policy.cpp - The table of policies ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/Policy.h"

#include "Greedy/Greedy.h"
#include "llvm/ADT/STLExtras.h"

using namespace tessera;

static Plan solveDeclared(const Problem &problem, const OpModel &, const PolicyOptions &) {
  return declaredPlan(problem);
}

llvm::ArrayRef<PolicyInfo> tessera::policies() {
  static constexpr PolicyInfo kPolicies[] = {
      {"greedy", "keep data in L1 op by op, then spill what does not fit, longest remaining lifetime first",
       solveGreedy},
      {"declared", "change nothing: the layouts of the input program", solveDeclared},
  };
  return kPolicies;
}

const PolicyInfo *tessera::findPolicy(llvm::StringRef name) {
  auto found = llvm::find_if(policies(), [&](const PolicyInfo &info) { return info.name == name; });
  return found == policies().end() ? nullptr : found;
}
