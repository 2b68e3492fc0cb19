//===- KernelRun.h - A program on the library's own kernels ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODULES_KERNELRUN_H
#define TESSERA_LIB_DRIVER_MODULES_KERNELRUN_H

#include "SimulatedFile.h"

#include "tessera/Library/TtnnLibrary.h"

namespace tessera {

/// The library of that version on a simulator of `device`, with what compiles kernels for it. The error says what is
/// missing.
llvm::Expected<TtnnSession> openOnSimulator(const std::string &simulator, const std::string &version,
                                            const DeviceSpec &device);

/// Runs `arguments.python`, the program of the file's module, on the kernels of the vendor's library and a simulator of
/// the chip's hardware (docs/programs.md); prints how far its results are from those of Tessera's own simulator and
/// from exact ones. Returns an exit code.
int runOnKernels(const SimulationArguments &arguments, const SimulatedFile &file,
                 const SimulatorInputs &inputs, const simulator::MachineOptions &options);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODULES_KERNELRUN_H
