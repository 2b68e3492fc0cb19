//===- PolicyText.h - Options of policies as people write them ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_POLICYTEXT_H
#define TESSERA_OPTIMIZER_POLICY_POLICYTEXT_H

#include "tessera/Optimizer/Policy/Policy.h"

namespace tessera {

/// What of PolicyOptions has names. As it stands here it is what holds if nobody asks for anything.
struct PolicyText {
  BeamText beam;
  OptimalText optimal;
  std::string schedule; ///< "": as the policy likes it best
  std::string spill = "policy";
};

/// `rest` with what the text says. Fails on the first name or number that is wrong.
llvm::Expected<PolicyOptions> parsePolicyOptions(const PolicyText &text, PolicyOptions rest);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_POLICYTEXT_H
