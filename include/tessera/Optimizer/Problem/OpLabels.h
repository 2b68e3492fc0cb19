//===- OpLabels.h - What a person calls an op -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_OPLABELS_H
#define TESSERA_OPTIMIZER_PROBLEM_OPLABELS_H

#include "tessera/Optimizer/Problem/Problem.h"

#include "llvm/ADT/StringMap.h"

namespace tessera {

/// Numbers ops by kind, from 0, over all functions of a file: "ttnn.matmul#3".
class OpNumbers {
public:
  std::string next(llvm::StringRef kind) { return kind.str() + "#" + std::to_string(counters[kind]++); }

  /// Passes over the ops of a function.
  void skip(const Problem &problem);

private:
  llvm::StringMap<unsigned> counters;
};

/// By OpId: the op's location; where others of the function have the same, as those of one line of a model do, its kind and number with
/// it: "dot_general (ttnn.matmul#3)". `numbers` have passed over the functions before this one.
std::vector<std::string> opLabels(const Problem &problem, OpNumbers numbers = {});

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_OPLABELS_H
