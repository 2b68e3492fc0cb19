//===- RuleCases.h - One example that each rule accepts and one it refuses -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPMODEL_RULECASES_H
#define TESSERA_UNITTESTS_OPMODEL_RULECASES_H

#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// Queries as QueryText.h reads them. CONV, POINT, SMALL, FOLD, TOLD, DEEP, LARGE, DEPTHWISE and POOL stand for attributes (RulesTest.cpp).
/// `refused` is empty where no text can say what the rule refuses.
struct RuleCase {
  llvm::StringLiteral rule, accepted, refused;
  BackendVersion version = BackendVersion::Pinned; ///< that has the rule
};
inline constexpr BackendVersion kNewest = BackendVersion::Newest;

llvm::ArrayRef<RuleCase> ruleCasesOfEltwise();
llvm::ArrayRef<RuleCase> ruleCasesOfMatmul();
llvm::ArrayRef<RuleCase> ruleCasesOfWindow();
llvm::ArrayRef<RuleCase> ruleCasesOfReduction();
llvm::ArrayRef<RuleCase> ruleCasesOfMovement();
llvm::ArrayRef<RuleCase> ruleCasesOfAttention();
llvm::ArrayRef<RuleCase> ruleCasesOfExperts();

} // namespace tessera

#endif
