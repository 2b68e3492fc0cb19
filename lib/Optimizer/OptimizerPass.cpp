//===- OptimizerPass.cpp - --ttnn-optimizer -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Optimizer/Passes.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/StringExtras.h"

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

  std::string printed() {
    std::string text;
    llvm::raw_string_ostream os(text);
    getOperation()->print(os);
    return text;
  }
  static llvm::MemoryBufferRef named(StringRef text) { return {text, "module"}; }

  void runOnOperation() override {
    // Pass options are text and are parsed by the functions that the command line uses, so that both accept the
    // same words and refuse others in the same way. The first that is wrong ends the pass, before the module is
    // touched.
    OptimizerOptions options;
    options.memoryLayoutAnalysis = memoryLayoutAnalysisEnabled;
    options.policy = memoryLayoutAnalysisPolicy;
    options.tensorL1UsageCap = tensorL1UsageCap;
    options.analysis.maxLegalLayouts = maxLegalLayouts;
    options.analysis.rowMajorEnabled = rowMajorEnabled;
    options.l1InterleavedFallback = l1InterleavedFallbackAnalysisEnabled;
    options.keepConstants = keepConstants;
    options.strict = strict;
    llvm::Expected<Overrides> overrides =
        parseOverrides(overrideOutputLayout, overrideConv2dConfig, insertMemReconfig);
    if (!overrides) {
      getOperation().emitError() << llvm::toString(overrides.takeError());
      return signalPassFailure();
    }
    options.overrides = std::move(*overrides);
    llvm::Expected<BeamOptions> beam = parseBeamOptions({beamWidth, beamObjective, beamWithout});
    if (!beam) {
      getOperation().emitError() << llvm::toString(beam.takeError());
      return signalPassFailure();
    }
    options.policyOptions.beam = *beam;
    llvm::Expected<std::optional<ScheduleKind>> order = parseSchedule(schedule);
    if (!order) {
      getOperation().emitError() << llvm::toString(order.takeError());
      return signalPassFailure();
    }
    options.policyOptions.schedule = *order;
    llvm::Expected<SpillStrategy> strategy = parseSpillStrategy(spill);
    if (!strategy) {
      getOperation().emitError() << llvm::toString(strategy.takeError());
      return signalPassFailure();
    }
    options.policyOptions.spill = *strategy;
    llvm::Expected<Numerics> exactness = parseNumerics(numerics);
    if (!exactness) {
      getOperation().emitError() << llvm::toString(exactness.takeError());
      return signalPassFailure();
    }
    options.analysis.numerics = *exactness;
    llvm::Expected<RewriteSelection> graph = RewriteSelection::parse(rewrites);
    if (!graph) {
      getOperation().emitError() << llvm::toString(graph.takeError());
      return signalPassFailure();
    }
    options.rewrites = std::move(*graph);
    options.opModel = {opModel, backendVersion, opModelCache};
    if (std::string wrong = checkOptions(options); !wrong.empty()) {
      getOperation().emitError() << wrong;
      return signalPassFailure();
    }
    if (!device.empty()) {
      const DeviceSpec *spec = findDeviceOrDiagnose(device, [&] { return getOperation().emitError(); });
      if (!spec)
        return signalPassFailure();
      options.device = *spec;
    }
    // The pass has no file to compare with, so the guard reads the module's own text before and after
    // (docs/guard.md).
    std::string before = printed();
    FailureOr<OptimizationResult> result = optimize(getOperation(), options);
    if (failed(result))
      return signalPassFailure();
    if (std::string lost = lostOnTheWay(named(before), *result, named(printed()), guardOptions(options));
        !lost.empty()) {
      getOperation().emitError() << "internal error: the plan changes what the module means: " << lost;
      signalPassFailure();
    }
  }
};

} // namespace
