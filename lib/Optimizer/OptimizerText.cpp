//===- OptimizerText.cpp - Options of a plan as people write them ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/OptimizerText.h"

#include "tessera/Device/DeviceNames.h"
#include "tessera/Support/NearestNames.h"

using namespace tessera;

/// What is wrong with the options that are no words, or "".
static std::string checkOptions(const OptimizerOptions &options) {
  if (std::string wrong = checkL1UsageCap(options.tensorL1UsageCap); !wrong.empty())
    return wrong;
  if (int64_t most = options.analysis.maxLegalLayouts; most < 0)
    return "max-legal-layouts must not be negative; got " + std::to_string(most);
  return checkOpModelOptions(options.opModel);
}

llvm::Expected<OptimizerOptions> tessera::parseOptions(const OptimizerText &text, OptimizerOptions rest) {
  OptimizerOptions options = std::move(rest);
  if (llvm::Error error =
          parsePolicyOptions(text.policy, options.policyOptions).moveInto(options.policyOptions))
    return error;
  if (llvm::Error error =
          parseName<Numerics>("numerics", text.numerics, kNumericsNames).moveInto(options.analysis.numerics))
    return error;
  if (llvm::Error error = RewriteSelection::parse(text.rewrites).moveInto(options.rewrites))
    return error;
  if (std::string wrong = checkOptions(options); !wrong.empty())
    return llvm::createStringError(wrong);
  // After what is true of every module: overrides name ops of one, and a board may be one of several that it runs on.
  if (llvm::Error error =
          parseOverrides(text.overrideOutputLayout, text.overrideConv2dConfig, text.insertMemReconfig)
              .moveInto(options.overrides))
    return error;
  if (text.device.empty())
    return options;
  llvm::Expected<const DeviceSpec *> device = deviceNamed(text.device);
  if (!device)
    return device.takeError();
  options.device = **device;
  return options;
}
