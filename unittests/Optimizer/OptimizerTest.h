//===- OptimizerTest.h - Problems for tests -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_OPTIMIZERTEST_H
#define TESSERA_UNITTESTS_OPTIMIZER_OPTIMIZERTEST_H

#include "tessera/Optimizer/Plan/Plan.h"
#include "tessera/Optimizer/Problem/ProblemText.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

namespace tessera {

/// The problem of the text, which must be a good one.
inline ProblemInstance parse(llvm::StringRef text) {
  llvm::Expected<ProblemInstance> instance = parseProblem(text, "test");
  if (!instance) {
    ADD_FAILURE() << llvm::toString(instance.takeError());
    return {};
  }
  return std::move(*instance);
}

/// "" if the text is a good one.
inline std::string parseError(llvm::StringRef text) {
  llvm::Expected<ProblemInstance> instance = parseProblem(text, "test");
  return instance ? "" : llvm::toString(instance.takeError());
}

inline std::string jsonText(const Problem &problem, const Plan &plan) {
  return llvm::formatv("{0:2}", toJson(problem, plan)).str();
}

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_OPTIMIZERTEST_H
