//===- ConfigCommand.cpp - tessera config ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/CommandTree.h"
#include "../Common/Session.h"
#include "MeshOption.h"
#include "ModuleOption.h"

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
    return usageError("unknown mode '" + arguments.mode +
                      "'; known: " + listOfValues("MODE", modelCommands().values));
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
  std::optional<std::optional<runner::ModulePlace>> module = chosenModule(arguments.module, *hf);
  if (!module)
    return kUsageError;
  runner::Item config = mode->config(target);
  if (*module)
    config = runner::modelConfigOf(*hf, **module, config);
  return writeFiles({jsonFile(arguments.output, runner::itemToJson(config))}) ? kSuccess : kInputError;
}

int tessera::writeState(const ConfigStateArguments &arguments) {
  std::optional<GridShape> mesh = readMeshOrDiagnose(arguments.mesh);
  if (!mesh)
    return kUsageError;
  int64_t unit = runner::kTile * mesh->rows; // a prefill fills whole tiles on all rows
  if (arguments.positions % unit != 0)
    return usageError("--max-positions should be a multiple of " + llvm::Twine(unit) + ", not " +
                      llvm::Twine(arguments.positions));
  llvm::Expected<runner::HfConfig> hf = runner::readHfFolder(arguments.hf);
  if (!hf)
    return inputError(llvm::toString(hf.takeError()));
  if (llvm::Error error = runner::checkMesh(*hf, *mesh))
    return inputError(llvm::toString(std::move(error)));
  runner::Target target{*hf, *mesh};
  target.cachePositions = arguments.positions;
  std::optional<std::optional<runner::ModulePlace>> module = chosenModule(arguments.module, *hf);
  if (!module)
    return kUsageError;
  runner::MeshDevice device{"mesh", *mesh};
  runner::Item state = *module ? runner::createState(target, device, **module)
                               : runner::Item(runner::model::createState(target, device));
  return writeFiles({jsonFile(arguments.output, runner::itemToJson(state))}) ? kSuccess : kInputError;
}
