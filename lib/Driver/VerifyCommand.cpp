//===- VerifyCommand.cpp - tessera verify ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ModuleComparison.h"
#include "Session.h"

using namespace tessera;

int tessera::verifyModules(const VerifyArguments &arguments) {
  std::optional<const DeviceSpec *> device = chosenDevice(arguments.options);
  std::optional<Bytes> memory = allowedMemory(arguments.options);
  std::optional<SimulatorInputs> inputs = SimulatorInputs::parse(arguments.options.inputs);
  if (!device || !memory || !inputs)
    return kUsageError;
  std::unique_ptr<SimulatedFile> before = SimulatedFile::read(arguments.before, arguments.options, *device);
  std::unique_ptr<SimulatedFile> after =
      before ? SimulatedFile::read(arguments.after, arguments.options, *device) : nullptr;
  if (!after)
    return kInputError;
  Progress progress(Progress::wanted(arguments.options.progress));
  std::optional<bool> equal =
      compareModules(*before, *after, {*inputs, *memory, arguments.bisect}, progress, llvm::outs());
  return equal && *equal ? kSuccess : kInputError;
}
