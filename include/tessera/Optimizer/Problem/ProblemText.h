//===- ProblemText.h - Problems as text -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A problem instance in a few lines, with a mock device that behaves as the
// text says: what policies are tested on, and what a bug report about a policy
// should contain. The format is described in docs/problem-format.md.
//
//   device grid 1x1
//   budget 1300KiB
//   mock ttnn.relu buffers 50KiB time 1000
//   %a = argument 32x6400xbf16 dram
//   %b = ttnn.relu(%a) : 32x6400xbf16 legal [l1, dram]
//   return %b
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_PROBLEMTEXT_H
#define TESSERA_OPTIMIZER_PROBLEM_PROBLEMTEXT_H

#include "tessera/Optimizer/Problem/Problem.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace tessera {

/// A problem with all that its ids and its model refer to. The problem stays valid when the instance is
/// moved.
struct ProblemInstance {
  std::unique_ptr<LayoutPool> layouts;
  std::unique_ptr<SignaturePool> signatures;
  std::unique_ptr<OpModel> model; ///< the mock device of the text
  Problem problem;
};

/// Reads one instance. The error is one line, "file:line:column: what is wrong".
llvm::Expected<ProblemInstance> parseProblem(llvm::StringRef text, llvm::StringRef fileName);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_PROBLEMTEXT_H
