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
  Bytes memory;                                 ///< that a run may take
  bool bisect = false;                          ///< if they differ, print the first op whose value does
  simulator::ProcessGroup *processes = nullptr; ///< that share the devices, if set
};

/// A module, and what it computes.
class ModuleComparison {
public:
  /// nullopt after a diagnostic, if one of `after` has not the functions of `before` that are for the device. `before` must
  /// live as long.
  static std::optional<ModuleComparison> prepare(const SimulatedFile &before,
                                                 llvm::ArrayRef<const SimulatedFile *> after,
                                                 ComparisonRequest request);

  /// Runs the functions of `before`; false after a diagnostic.
  bool runBefore(Progress &progress);
  /// Runs those of one of `after` on the same inputs. Prints a line per result and per argument that is written in place, and
  /// "equal" or "different": bit by bit. nullopt after a diagnostic, if something does not run.
  std::optional<bool> compare(const SimulatedFile &after, Progress &progress, llvm::raw_ostream &os) const;

private:
  ModuleComparison(const SimulatedFile &before, ComparisonRequest request)
      : before(before), request(std::move(request)),
        known(std::make_unique<simulator::ResultCache>(Bytes(this->request.memory.value() / 8))) {}

  simulator::MachineOptions options(ProgressFunction progress) const;

  const SimulatedFile &before;
  ComparisonRequest request;
  std::vector<simulator::RunResult> results; ///< by function
  /// Products and convolutions of the runs before: modules that compute the same do it once.
  std::unique_ptr<simulator::ResultCache> known;
};

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULECOMPARISON_H
