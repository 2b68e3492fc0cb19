//===- SimulatedFile.h - A module on a simulated device -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_SIMULATEDFILE_H
#define TESSERA_LIB_DRIVER_MODULES_SIMULATEDFILE_H

#include "tessera/Driver/Commands.h"
#include "tessera/OpModel/Backends.h"
#include "tessera/Simulator/Inputs.h"
#include "tessera/Simulator/Machine.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace tessera {

/// What `tessera run` and `tessera verify` take of values: "random:SEED", or .npy files with commas between them.
struct SimulatorInputs {
  std::vector<std::string> files;
  uint64_t seed = 0;
  /// What is asked of the arguments' values; empty: what the function that runs asks of them.
  std::vector<simulator::ValueRange> ranges;
  /// nullopt after a diagnostic.
  static std::optional<SimulatorInputs> parse(llvm::StringRef text);
};

/// A file of TTNN functions, ready to be run.
class SimulatedFile {
public:
  /// Parses the file for `device`, or if that is nullptr for the one that it describes, else n150. nullptr after a
  /// diagnostic.
  static std::unique_ptr<SimulatedFile> read(const std::string &path, const SimulationOptions &options,
                                             const DeviceSpec *device);
  /// The same of a module that is parsed already, and is called `name` in diagnostics. Keeps nothing of the module.
  static std::unique_ptr<SimulatedFile> of(mlir::ModuleOp module, llvm::StringRef name,
                                           const SimulationOptions &options, const DeviceSpec *device);

  const simulator::Program &program() const { return content; }
  /// Those for the device, in the order of the file.
  std::vector<const simulator::Function *> forwardFunctions() const;
  const OpModel &model() const { return backend->model(); }
  /// What one of them asks of its arguments.
  std::vector<simulator::ValueRange> ranges(const simulator::Function &function) const {
    return argumentRanges(content, function);
  }
  /// What its arguments are given; an error of the first file that does not fit. Of one device: on a mesh all get the
  /// same.
  llvm::Expected<std::vector<simulator::DenseTensor>> arguments(const simulator::Function &function,
                                                                const SimulatorInputs &inputs) const;
  /// Runs one of them on these inputs; nullopt after a diagnostic.
  std::optional<simulator::RunResult> run(const simulator::Function &function, const SimulatorInputs &inputs,
                                          const simulator::MachineOptions &options) const;
  /// The same without rounding between ops (Simulator/Unrounded.h): what results would be if formats were no matter.
  std::optional<simulator::RunResult> runUnrounded(const simulator::Function &function,
                                                   const SimulatorInputs &inputs,
                                                   const simulator::MachineOptions &options) const;

  /// What of the module the simulator does not see, with places; it computes as if that were not there.
  const std::vector<std::string> &notUnderstood() const { return unread; }

private:
  SimulatedFile() = default;
  /// Runs a function of `program`, which is this file's or made of it, on the arguments of this file's function.
  std::optional<simulator::RunResult> run(const simulator::Program &program,
                                          const simulator::Function &function, const SimulatorInputs &inputs,
                                          const simulator::MachineOptions &options) const;
  std::vector<std::string> unread;
  LayoutPool layouts;
  simulator::Program content;
  std::optional<OpModelBackend> backend;
};

/// The processes that mpirun started with this one, nullptr if it is alone; nullopt after a diagnostic. All but the
/// first print nothing from then on.
std::optional<std::unique_ptr<simulator::ProcessGroup>> joinProcesses();

/// What options say of a run.
struct ChosenSimulation {
  const DeviceSpec *device; ///< nullptr if they name none
  Bytes memory;             ///< that it may take of this machine's
  SimulatorInputs inputs;
  simulator::Arithmetic arithmetic; ///< of kernels
};
/// nullopt after a diagnostic for each option that is wrong.
std::optional<ChosenSimulation> chosenSimulation(const SimulationOptions &options);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_SIMULATEDFILE_H
