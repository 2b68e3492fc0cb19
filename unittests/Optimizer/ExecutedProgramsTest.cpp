//===- ExecutedProgramsTest.cpp - Optimizing changes no value -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Random programs, optimized by every policy with little L1 and much, some with
// overrides, run on the simulator before and after: every result and every cache
// must be the same, bit by bit. A program that fails is reduced before it is told.
//
//===----------------------------------------------------------------------===//
#include "ExecutedModule.h"
#include "RandomModule.h"
#include "ReduceModule.h"

#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Simulator/Compare.h"

#include "gtest/gtest.h"

#include <cstdlib>

using namespace tessera;
using namespace tessera::simulator;

namespace {

constexpr double kCaps[] = {0.02, 0.05, 0.2, kDefaultL1UsageCap};

/// How one program is optimized.
struct Attempt {
  std::string policy;
  double cap;
  std::string override; ///< of output layouts
};

/// What came of it.
struct Verdict {
  bool ran = false, refused = false;
  std::string wrong; ///< "" if nothing
};

Verdict check(const std::string &text, const ExecutedModule &before, const Attempt &attempt) {
  QuietContext session;
  mlir::OwningOpRef<mlir::ModuleOp> module = session.parse(text);
  std::vector<MeshTensor> arguments = randomArguments(*module);
  OptimizerOptions options;
  options.policy = attempt.policy;
  options.tensorL1UsageCap = attempt.cap;
  options.overrides = llvm::cantFail(parseOverrides(attempt.override, "", ""));
  if (mlir::failed(optimize(*module, options)))
    return {}; // does not fit into so little L1, or cannot be overridden so
  if (!session.defect.empty())
    return {true, false, session.defect};
  ExecutedModule after = execute(*module, arguments);
  if (after.refused)
    return {true, true, ""}; // budgets do not know holes: `tessera replay` tells of them
  if (!after.error.empty())
    return {true, false, after.error};
  for (size_t i = 0; i < before.results.size(); ++i)
    if (!compare(before.results[i][0], after.results[i][0]).exact())
      return {true, false, "result " + std::to_string(i) + " differs"};
  return {true, false, ""};
}

ExecutedModule executeText(const std::string &text) {
  QuietContext session;
  mlir::OwningOpRef<mlir::ModuleOp> module = session.parse(text);
  return module ? execute(*module, randomArguments(*module)) : ExecutedModule{{}, "does not parse", false};
}

/// The smallest part of a program that is still optimized into something else.
std::string reduced(const std::string &text, const Attempt &attempt) {
  return reduceModule(text, [&](const std::string &smaller) {
    ExecutedModule before = executeText(smaller);
    return before.error.empty() && !check(smaller, before, attempt).wrong.empty();
  });
}

/// Every fourth program has a layout of its own for one of its ops.
std::string overrideOf(uint64_t seed) {
  constexpr const char *kLayouts[] = {"l1:interleaved", "dram:interleaved", "8x8:l1:block_sharded",
                                      "64x1:l1:height_sharded"};
  constexpr const char *kOps[] = {"add_0", "relu_0", "matmul_0", "softmax_0", "multiply_0", "concat_0"};
  if (seed % 4 != 0)
    return "";
  return std::string(kOps[seed / 4 % std::size(kOps)]) + "=" + kLayouts[seed / 16 % std::size(kLayouts)];
}

TEST(ExecutedPrograms, EveryPolicyKeepsEveryValue) {
  uint64_t first = fromEnvironment("TESSERA_SEED", 1), count = fromEnvironment("TESSERA_PROGRAMS", 40);
  size_t run = 0, refused = 0;
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    std::string text = randomModule(seed, 12);
    ExecutedModule before = executeText(text);
    ASSERT_EQ(before.error, "") << "seed " << seed << "\n" << text;
    llvm::ArrayRef<PolicyInfo> tried = policies();
    if (std::getenv("TESSERA_ROUND_ROBIN")) // one policy a program: more programs in the same time
      tried = tried.slice(seed % tried.size(), 1);
    for (const PolicyInfo &policy : tried) {
      Attempt attempt{policy.name.str(), kCaps[seed % std::size(kCaps)], overrideOf(seed)};
      Verdict verdict = check(text, before, attempt);
      run += verdict.ran;
      refused += verdict.refused;
      if (!verdict.wrong.empty())
        ADD_FAILURE() << "seed " << seed << ", policy " << attempt.policy << ", cap " << attempt.cap
                      << ", override '" << attempt.override << "': " << verdict.wrong << "\n"
                      << reduced(text, attempt);
    }
  }
  llvm::outs() << run << " optimized programs were run; the device would refuse " << refused << "\n";
  EXPECT_GT(run, count / 2);
}

TEST(ExecutedPrograms, AreReducedToTheOpThatFails) {
  for (uint64_t seed = 1; seed < 100; ++seed) {
    std::string text = randomModule(seed, 12);
    if (!llvm::StringRef(text).contains("ttnn.softmax"))
      continue;
    std::string smallest = reduceModule(
        text, [](const std::string &module) { return llvm::StringRef(module).contains("ttnn.softmax"); });
    EXPECT_EQ(llvm::StringRef(smallest).count("\"ttnn."), 1u) << smallest;
    EXPECT_EQ(llvm::StringRef(smallest).count("%arg0"), 2u) << smallest;
    return;
  }
  FAIL() << "no program has a softmax";
}

} // namespace
