//===- OptimizerPass.cpp - --ttnn-optimizer -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/OptimizerText.h"
#include "tessera/Optimizer/Passes.h"

namespace tessera {
#define GEN_PASS_DEF_TTNNOPTIMIZER
#include "tessera/Optimizer/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

namespace {

class OptimizerPass : public tessera::impl::TTNNOptimizerBase<OptimizerPass> {
public:
  using TTNNOptimizerBase::TTNNOptimizerBase;

  /// The module alone. What stands around it is not looked at: its siblings are changed by other threads.
  std::string printed() {
    std::string text;
    llvm::raw_string_ostream os(text);
    getOperation()->print(os, OpPrintingFlags().useLocalScope(getOperation()->getParentOp()));
    return text;
  }
  static llvm::MemoryBufferRef named(StringRef text) { return {text, "module"}; }

  OptimizerText text() const {
    OptimizerText text;
    text.policy.beam = {beamWidth, beamObjective, beamWithout};
    text.policy.schedule = schedule;
    text.policy.spill = spill;
    text.numerics = numerics;
    text.rewrites = rewrites;
    text.overrideOutputLayout = overrideOutputLayout;
    text.overrideConv2dConfig = overrideConv2dConfig;
    text.insertMemReconfig = insertMemReconfig;
    text.device = device;
    return text;
  }
  /// What needs no reading. The rest is text, and is read where all others read it (OptimizerText.h).
  OptimizerOptions withoutWords() const {
    OptimizerOptions options;
    options.memoryLayoutAnalysis = memoryLayoutAnalysisEnabled;
    options.policy = memoryLayoutAnalysisPolicy;
    options.tensorL1UsageCap = tensorL1UsageCap;
    options.analysis.maxLegalLayouts = maxLegalLayouts;
    options.analysis.rowMajorEnabled = rowMajorEnabled;
    options.l1InterleavedFallback = l1InterleavedFallbackAnalysisEnabled;
    options.keepConstants = keepConstants;
    options.strict = strict;
    options.opModel = {opModel, backendVersion, opModelCache};
    return options;
  }

  void runOnOperation() override {
    // Before the module is touched: what is wrong with the options ends the pass.
    llvm::Expected<OptimizerOptions> options = parseOptions(text(), withoutWords());
    if (!options) {
      getOperation().emitError() << llvm::toString(options.takeError());
      return signalPassFailure();
    }
    // A warning and no error: tt-mlir takes both options, and pipelines are written once for several runs.
    if (!memoryLayoutAnalysisEnabled && memoryLayoutAnalysisPolicy.hasValue())
      getOperation().emitWarning() << "memory-layout-analysis-policy has no effect without "
                                      "memory-layout-analysis-enabled=true: layouts stay "
                                      "as they are, and configurations alone are chosen";
    // The pass has no file to compare with, so the guard reads the module's own text before and after
    // (docs/guard.md).
    std::string before = printed();
    FailureOr<OptimizationResult> result = optimize(getOperation(), *options);
    if (failed(result))
      return signalPassFailure();
    if (std::string lost = lostOnTheWay(named(before), *result, named(printed()), guardOptions(*options));
        !lost.empty()) {
      getOperation().emitError() << "internal error: the plan changes what the module means: " << lost;
      signalPassFailure();
    }
  }
};

} // namespace
