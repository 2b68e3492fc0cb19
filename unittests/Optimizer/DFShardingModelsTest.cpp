//===- DFShardingModelsTest.cpp - The chain policy on all of models/ttnn ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "SharedFiles.h"
#include "tessera/Device/L1Budget.h"
#include "tessera/Dialect/Register.h"
#include "tessera/Optimizer/Optimizer.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

/// What the policy makes of the file. Every warning is a failure: one is given if a plan is not legal. But for ops that need more
/// than the cap leaves by themselves.
FunctionSummary run(const std::filesystem::path &file, llvm::StringRef policy) {
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  mlir::ScopedDiagnosticHandler diagnostics(&context, [](mlir::Diagnostic &diagnostic) {
    bool alone = llvm::StringRef(diagnostic.str()).contains("it runs while no tensor lies in L1 but its own");
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Remark && !alone)
      ADD_FAILURE() << diagnostic.str();
    return mlir::success();
  });
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(file.string(), &context);
  if (!module)
    return {};
  OptimizerOptions options;
  options.policy = policy.str();
  mlir::FailureOr<OptimizationResult> result = optimize(*module, options);
  return mlir::succeeded(result) ? totalOf(result->functions) : FunctionSummary();
}

/// What the runtime leaves of an n150's L1: ops that run alone may have it.
const Bytes kAllL1 = l1Budget(*findDevice("n150"), 1);

TEST(DFShardingModels, Version2IsNeverSlowerThanVersion1NorEitherThanTheInput) {
  std::vector<std::filesystem::path> files = modelFiles();
  size_t faster = 0;
  for (const auto &file : files) {
    SCOPED_TRACE(file.filename().string());
    FunctionSummary one = run(file, "df-sharding-1"), two = run(file, "df-sharding");
    ASSERT_GT(two.ops, 0u);
    EXPECT_LE(one.after, one.before);
    EXPECT_LE(two.after, one.after);
    EXPECT_LE(two.peakL1, kAllL1);
    faster += two.after < one.after;
  }
  // Section 4.1 is worth it on most of them; of the examples, on one.
  EXPECT_GT(faster, hasRealModels() ? files.size() / 2 : 0);
}

TEST(L1InterleavedModels, NeverSlowerThanTheInput) {
  std::vector<std::filesystem::path> files = modelFiles();
  for (const auto &file : files)
    for (llvm::StringRef policy : {"greedy-l1-interleaved", "bf-interleaved"}) {
      SCOPED_TRACE(file.filename().string() + " " + policy.str());
      FunctionSummary summary = run(file, policy);
      ASSERT_GT(summary.ops, 0u);
      EXPECT_LE(summary.after, summary.before);
      EXPECT_LE(summary.peakL1, kAllL1);
    }
}

} // namespace
