//===- Solve.h - A policy on a problem text -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_TOOLS_SOLVE_H
#define TESSERA_TOOLS_SOLVE_H

#include "tessera/Optimizer/Policy/PolicyText.h"

#include "llvm/ADT/Twine.h"

#include <string>

namespace tessera {

/// Prints an error of this program; 1, its exit code then.
int fail(const llvm::Twine &message);

struct SolveArguments {
  std::string input = "-";       ///< "-" is standard input
  std::string policy = "greedy"; ///< or "all"
  bool json = false;             ///< print the plan as JSON instead of text
  PolicyText options = {};
  bool chainsAsDesigned = false; ///< as `tessera optimize --chains-as-designed`
};

/// Solves the instance and prints. Returns 0 if the plans are legal and, where that is promised, not slower than the
/// base plan; 1 after a diagnostic if one is not, or if the input cannot be read.
int solveInstance(const SolveArguments &arguments);

} // namespace tessera

#endif // TESSERA_TOOLS_SOLVE_H
