//===- PlanCertificate.h - A plan and its bound, to be checked again ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_PLANCERTIFICATE_H
#define TESSERA_OPTIMIZER_POLICY_PLANCERTIFICATE_H

#include "tessera/Optimizer/Policy/PlanBound.h"

#include "llvm/ADT/StringSet.h"

#include <map>

namespace tessera {

/// Names of ops that no rewrite takes away, by function.
using KeptOps = std::map<std::string, llvm::StringSet<>>;

/// What is claimed of one function: that this plan is legal and takes so long, and that no plan takes less than the bound.
struct FunctionCertificate {
  std::string function;
  Nanoseconds time;
  llvm::json::Value plan; ///< toJson of a plan; which layouts and ops it names only the problem knows
  PlanBound bound;
};

/// What is claimed of a module (docs/certified.md). Whoever checks it needs the module as it came, and the same options.
struct PlanCertificate {
  std::string policy;
  /// The graph is the rewritten one, in which these ops stay; nullopt: it is as it came.
  std::optional<KeptOps> kept;
  std::vector<FunctionCertificate> functions;
};

/// One object, which planCertificateFromJson reads.
llvm::json::Value toJson(const PlanCertificate &certificate);
/// The error says which key is missing or not as it must be.
llvm::Expected<PlanCertificate> planCertificateFromJson(llvm::StringRef text);

/// Success if the plan is one of the problem, legal, as fast as is said, and the bound is proven. The selection problem is made anew
/// from the table, and the proof gone through by code of its own (checkBound). Gives the plan.
llvm::Expected<Plan> checkPlanCertificate(const Problem &problem, const OpCostTable &table,
                                          const FunctionCertificate &certificate);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_PLANCERTIFICATE_H
