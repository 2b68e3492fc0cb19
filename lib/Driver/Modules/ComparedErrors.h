//===- ComparedErrors.h - How exact modules are ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_COMPAREDERRORS_H
#define TESSERA_LIB_DRIVER_MODULES_COMPAREDERRORS_H

#include "tessera/Simulator/Machine.h"

#include <optional>

namespace tessera {

/// What a function gave: the values that errors are measured against, and before and after it was planned.
struct ErrorRuns {
  const simulator::Function &function;
  const simulator::RunResult &exact, &before, &after;
};

/// By how much a plan's error may exceed its input's without being called worse.
inline constexpr double kErrorTolerance = 0.1;

/// Prints a line per result and per argument that is written in place: the error of input and plan against the exact
/// values, and of the plan against the input, as relative rms, correlation, largest and mean difference. Returns by how
/// much the plan's error exceeds its input's, where that is most: 0.25 for 25 %; infinity if something has not even the
/// same shape; nullopt if no element of a tensor is finite in both, so that nothing can be said.
std::optional<double> printErrors(const ErrorRuns &runs, llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_COMPAREDERRORS_H
