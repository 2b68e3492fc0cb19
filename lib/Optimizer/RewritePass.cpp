//===- RewritePass.cpp - --ttnn-rewrite -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Rewriting.h"
#include "tessera/Bridge/ModuleVersion.h"
#include "tessera/Device/DeviceNames.h"
#include "tessera/Optimizer/Passes.h"

namespace tessera {
#define GEN_PASS_DEF_TTNNREWRITE
#include "tessera/Optimizer/Passes.h.inc"
} // namespace tessera

using namespace mlir;
using namespace tessera;

namespace {

class RewritePass : public tessera::impl::TTNNRewriteBase<RewritePass> {
public:
  using TTNNRewriteBase::TTNNRewriteBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    llvm::Expected<RewriteSelection> selection = RewriteSelection::parse(rewrites);
    if (!selection) {
      module.emitError() << llvm::toString(selection.takeError());
      return signalPassFailure();
    }
    FailureOr<std::optional<DeviceSpec>> described = deviceOfModule(module);
    const DeviceSpec *named =
        device.empty() ? nullptr : findDeviceOrDiagnose(device, [&] { return module.emitError(); });
    if (failed(described) || (!device.empty() && !named))
      return signalPassFailure();
    // As `optimize` has it: what a rewrite may make depends on the device.
    DeviceSpec asked = deviceFor(*described, named);
    LayoutPool layouts;
    OptimizerOptions options;
    options.opModel = answeringFor(versionOfModule(module), options.opModel);
    (void)rewriteModule(module, *selection,
                        contextOf(module, asOpenedBy(options.opModel, asked), options, layouts));
  }
};

} // namespace
