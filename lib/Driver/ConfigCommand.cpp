//===- ConfigCommand.cpp - tessera config ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "CommandTree.h"
#include "MeshOption.h"
#include "Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/ModelRunner/ItemJson.h"
#include "tessera/ModelRunner/Modules.h"

#include "llvm/ADT/STLExtras.h"

using namespace tessera;

int tessera::writeConfig(const ConfigArguments &arguments) {
  for (auto [option, value] : {std::pair("--hf", &arguments.hf), std::pair("--mode", &arguments.mode),
                               std::pair("--mesh", &arguments.mesh)})
    if (value->empty())
      return usageError(llvm::Twine(option) + " is required");
  const auto *mode = llvm::find_if(
      runner::model::kModes, [&](const runner::model::Mode &each) { return each.name == arguments.mode; });
  if (mode == std::end(runner::model::kModes))
    return usageError("unknown mode '" + arguments.mode + "'; known: " + listOfValues("MODE"));
  std::optional<GridShape> mesh = readMeshOrDiagnose(arguments.mesh);
  const DeviceSpec *device = mesh ? findDeviceOrDiagnose(arguments.device) : nullptr;
  if (!device)
    return kUsageError;
  llvm::Expected<runner::HfConfig> hf = runner::readHfFolder(arguments.hf);
  if (!hf)
    return inputError(llvm::toString(hf.takeError()));
  if (llvm::Error error = runner::checkMesh(*hf, *mesh))
    return inputError(llvm::toString(std::move(error)));
  runner::Target target{*hf, *mesh, device->workerGrid, device->dramBanks, arguments.sequenceLength};
  return writeFiles({jsonFile(arguments.output, runner::itemToJson(mode->config(target)))}) ? kSuccess
                                                                                            : kInputError;
}
