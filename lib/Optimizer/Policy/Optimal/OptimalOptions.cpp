//===- OptimalOptions.cpp - What policy `optimal` can be asked for --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Policy/OptimalOptions.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace tessera;

llvm::Expected<OptimalOptions> tessera::parseOptimalOptions(const OptimalText &text) {
  OptimalOptions options;
  llvm::StringRef gap = text.gap;
  bool percent = gap.consume_back("%");
  if (gap.getAsDouble(options.gap) || !std::isfinite(options.gap) || options.gap < 0)
    return llvm::createStringError(
        llvm::formatv("gap must be a share of at least 0, such as 1% or 0.01; got '{0}'", text.gap));
  if (percent)
    options.gap /= 100;
  if (text.timeLimit.empty())
    return options;
  double seconds = 0;
  if (llvm::StringRef(text.timeLimit).getAsDouble(seconds) || !std::isfinite(seconds) || seconds <= 0)
    return llvm::createStringError(
        llvm::formatv("time-limit must be a number of seconds above 0; got '{0}'", text.timeLimit));
  options.seconds = seconds;
  return options;
}
