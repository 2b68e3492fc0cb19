//===- OptimalOptions.h - What policy `optimal` can be asked for ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_POLICY_OPTIMALOPTIONS_H
#define TESSERA_OPTIMIZER_POLICY_OPTIMALOPTIONS_H

#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace tessera {

/// docs/certified.md. Both end the search early; neither changes what is proven of a plan.
struct OptimalOptions {
  /// It ends where its plan takes no more than this share above what it proves that no plan takes less than.
  double gap = 0;
  /// It tries windows for at most so long. Its plan then depends on the machine; nullopt: as many windows as the problem has nodes.
  std::optional<double> seconds;
};

/// The same as people write it: "1%" or "0.01"; seconds, "": no limit.
struct OptimalText {
  std::string gap = "0%";
  std::string timeLimit;
};

/// Fails on what is no share of at least 0, and on no number of seconds above 0.
llvm::Expected<OptimalOptions> parseOptimalOptions(const OptimalText &text);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_POLICY_OPTIMALOPTIONS_H
