//===- Policy.h - Who decides ----------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_POLICY_H
#define TESSERA_OPTIMIZER_POLICY_POLICY_H

#include "tessera/Optimizer/Plan/Plan.h"

#include <functional>

namespace tessera {

struct PolicyOptions {
  /// Called now and then with (ops decided, ops in all). May be empty.
  std::function<void(size_t, size_t)> progress;
};

/// A policy is a function: same problem, same options, same plan. It must return a plan that checkPlan accepts;
/// where it finds nothing better it returns declaredPlan().
using PolicyFunction = Plan (*)(const Problem &, const OpModel &, const PolicyOptions &);

struct PolicyInfo {
  llvm::StringRef name;    ///< "greedy"
  llvm::StringRef summary; ///< one line for `tessera policies`
  PolicyFunction solve;
};

/// All policies, in the order in which they are listed. The one place to add another.
llvm::ArrayRef<PolicyInfo> policies();
const PolicyInfo *findPolicy(llvm::StringRef name);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_POLICY_H
