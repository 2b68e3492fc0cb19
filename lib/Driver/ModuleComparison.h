//===- ModuleComparison.h - Whether two modules compute the same ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULECOMPARISON_H
#define TESSERA_LIB_DRIVER_MODULECOMPARISON_H

#include "Progress.h"
#include "SimulatedFile.h"

namespace tessera {

struct ComparisonRequest {
  SimulatorInputs inputs;
  Bytes memory;        ///< that a run may take
  bool bisect = false; ///< if they differ, print the first op whose value does
};

/// Runs the functions of both that are for the device on the same inputs. Prints a line per result and per argument that is
/// written in place, and "equal" or "different": bit by bit. nullopt after a diagnostic, if something does not run.
std::optional<bool> compareModules(const SimulatedFile &before, const SimulatedFile &after,
                                   const ComparisonRequest &request, Progress &progress,
                                   llvm::raw_ostream &os);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULECOMPARISON_H
