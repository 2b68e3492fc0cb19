//===- VerifyCommand.cpp - tessera verify ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ModuleComparison.h"
#include "Session.h"

using namespace tessera;

int tessera::verifyModules(const VerifyArguments &arguments) {
  std::optional<std::unique_ptr<simulator::ProcessGroup>> processes = joinProcesses();
  if (!processes)
    return kInputError;
  std::optional<const DeviceSpec *> device = chosenDevice(arguments.options);
  std::optional<Bytes> memory = allowedMemory(arguments.options);
  std::optional<SimulatorInputs> inputs = SimulatorInputs::parse(arguments.options.inputs);
  if (!device || !memory || !inputs)
    return kUsageError;
  std::unique_ptr<SimulatedFile> before = SimulatedFile::read(arguments.before, arguments.options, *device);
  std::vector<std::unique_ptr<SimulatedFile>> after;
  for (size_t i = 0; before && i < arguments.after.size(); ++i) {
    after.push_back(SimulatedFile::read(arguments.after[i], arguments.options, *device));
    if (!after.back())
      return kInputError;
  }
  if (!before)
    return kInputError;
  std::vector<const SimulatedFile *> files;
  for (const std::unique_ptr<SimulatedFile> &file : after)
    files.push_back(file.get());
  std::optional<ModuleComparison> comparison =
      ModuleComparison::prepare(*before, files, {*inputs, *memory, arguments.bisect, processes->get()});
  Progress progress(Progress::wanted(arguments.options.progress));
  if (!comparison || !comparison->runBefore(progress))
    return kInputError;
  bool allEqual = true;
  for (auto [name, file] : llvm::zip_equal(arguments.after, files)) {
    if (files.size() > 1)
      llvm::outs() << name << ":\n";
    llvm::outs().flush(); // diagnostics of the run come behind its name
    allEqual &= comparison->compare(*file, progress, llvm::outs()).value_or(false);
  }
  return allEqual ? kSuccess : kInputError;
}
