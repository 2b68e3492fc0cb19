//===- ExecutedProgramsTest.cpp - Optimizing changes no value -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Random programs, optimized by every policy with little L1 and much, run on the
// simulator before and after: every result must be the same, bit by bit.
//
//===----------------------------------------------------------------------===//
#include "RandomModule.h"

#include "tessera/Bridge/SimulatorProgram.h"
#include "tessera/Dialect/Register.h"
#include "tessera/OpModel/OpModel.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Simulator/Compare.h"
#include "tessera/Simulator/Inputs.h"
#include "tessera/Simulator/Machine.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace tessera;
using namespace tessera::simulator;

namespace {

constexpr double kCaps[] = {0.02, 0.05, 0.2, kDefaultL1UsageCap};

struct Outcome {
  std::vector<MeshTensor> results;
  std::string error;
  bool refused = false; ///< the device's allocator finds no room, or its launch check fails
};

Outcome execute(mlir::ModuleOp module) {
  Outcome outcome;
  DeviceSpec device = *findDevice("n150");
  LayoutPool layouts;
  std::unique_ptr<OpModel> model = createAnalyticOpModel({device, layouts, device.usableL1()});
  llvm::Expected<Program> program = readProgram(module, device.mesh);
  if (!program) {
    outcome.error = llvm::toString(program.takeError());
    return outcome;
  }
  const Function &function = program->functions.front();
  std::vector<ValueRange> ranges = argumentRanges(*program, function);
  llvm::Expected<RunResult> result = run(
      *program, function, [&](size_t i) { return MeshTensor(1, randomArgument(function, i, ranges[i], 1)); },
      *model, {Bytes(int64_t(1) << 32), nullptr, nullptr});
  if (!result) {
    outcome.error = llvm::toString(result.takeError());
    outcome.refused = llvm::StringRef(outcome.error).contains("the largest hole has");
    return outcome;
  }
  outcome.results = std::move(result->returned);
  outcome.refused = !result->statistics.clashes.empty();
  return outcome;
}

struct Counts {
  size_t run = 0, refused = 0;
};

void checkPolicy(uint64_t seed, const std::string &text, const Outcome &before, llvm::StringRef policy,
                 Counts &counts) {
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler silent(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  OptimizerOptions options;
  options.policy = policy.str();
  options.tensorL1UsageCap = kCaps[seed % std::size(kCaps)];
  if (mlir::failed(optimize(*module, options)))
    return; // does not fit into so little L1
  Outcome after = execute(*module);
  ++counts.run;
  counts.refused += after.refused;
  if (after.refused)
    return; // budgets do not know holes: `tessera replay` tells of them
  SCOPED_TRACE("seed " + std::to_string(seed) + ", policy " + policy.str());
  ASSERT_EQ(after.error, "");
  for (size_t i = 0; i < before.results.size(); ++i)
    ASSERT_TRUE(compare(before.results[i][0], after.results[i][0]).exact()) << "result " << i;
}

/// TESSERA_PROGRAMS says how many programs, TESSERA_SEED which is the first.
uint64_t fromEnvironment(const char *name, uint64_t otherwise) {
  const char *text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(ExecutedPrograms, EveryPolicyKeepsEveryValue) {
  mlir::DialectRegistry registry;
  registerTesseraDialects(registry);
  uint64_t first = fromEnvironment("TESSERA_SEED", 1), count = fromEnvironment("TESSERA_PROGRAMS", 40);
  Counts counts;
  for (uint64_t seed = first; seed < first + count && !HasFailure(); ++seed) {
    std::string text = randomModule(seed, 12);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    ASSERT_TRUE(module) << text;
    Outcome before = execute(*module);
    ASSERT_EQ(before.error, "") << text;
    for (const PolicyInfo &policy : policies())
      checkPolicy(seed, text, before, policy.name, counts);
  }
  RecordProperty("run", int(counts.run));
  llvm::outs() << counts.run << " optimized programs were run; the device would refuse " << counts.refused
               << "\n";
  EXPECT_GT(counts.run, count);
}

} // namespace
