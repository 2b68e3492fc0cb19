//===- ModuleComparison.h - Whether two modules compute the same ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_MODULECOMPARISON_H
#define TESSERA_LIB_DRIVER_MODULES_MODULECOMPARISON_H

#include "../Common/Progress.h"
#include "SimulatedFile.h"

#include "tessera/Driver/Commands.h"

namespace tessera {

struct ComparisonRequest {
  SimulatorInputs inputs;
  Bytes memory; ///< that a run may take
  simulator::Arithmetic arithmetic = simulator::Arithmetic::Exact;
  bool bisect = false;                          ///< if they differ, print the first op whose value does
  simulator::ProcessGroup *processes = nullptr; ///< that share the devices, if set
  std::optional<double> errorGrowth =
      std::nullopt; ///< where errors are compared: what they may grow by, 0.1 for 10 %; any if not set
  Reference reference = Reference::Input;

  /// Whether errors are compared and not bits.
  bool comparesErrors() const {
    return arithmetic != simulator::Arithmetic::Exact || reference != Reference::Input;
  }
};

/// A module, and what it computes.
class ModuleComparison {
public:
  /// nullopt after a diagnostic, if one of `after` has not the functions of `before` that are for the device, or if
  /// something in any of them is not understood: what neither run sees cannot be called equal. `before` must live as
  /// long.
  static std::optional<ModuleComparison> prepare(const SimulatedFile &before,
                                                 llvm::ArrayRef<const SimulatedFile *> after,
                                                 ComparisonRequest request);

  /// Runs the functions of `before`; false after a diagnostic.
  bool runBefore(Progress &progress);
  /// Runs those of one of `after` on the same inputs. Prints a line per result and per argument that is written in
  /// place, and "equal" or "different": bit by bit. Where errors are compared it prints them (ComparedErrors.h), and
  /// whether the second is less exact; then false says that the error grows by more than was asked for. nullopt after a
  /// diagnostic, if something does not run.
  std::optional<bool> compare(const SimulatedFile &after, Progress &progress, llvm::raw_ostream &os) const;

private:
  ModuleComparison(const SimulatedFile &before, ComparisonRequest request)
      : before(before), request(std::move(request)),
        known(std::make_unique<simulator::ResultCache>(Bytes(this->request.memory.value() / 8))) {}

  simulator::MachineOptions options(simulator::Arithmetic arithmetic, ProgressFunction progress) const;
  bool runReference(Progress &progress);
  std::optional<bool> compareErrors(const SimulatedFile &after, Progress &progress,
                                    llvm::raw_ostream &os) const;

  const SimulatedFile &before;
  ComparisonRequest request;
  std::vector<simulator::RunResult> results; ///< by function
  std::vector<simulator::RunResult> exact;   ///< what errors are measured against, where they are compared
  /// Products and convolutions of the runs before: modules that compute the same do it once.
  std::unique_ptr<simulator::ResultCache> known;
};

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_MODULECOMPARISON_H
