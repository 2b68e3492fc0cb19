//===- ConfigCommand.cpp - tessera config ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Configs and states are written as JSON so that they can be changed and given
// back. What is written is what a run makes by itself for the same arguments.
//
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
  // Not by the parser, as the commands below `config` do without them.
  for (auto [option, value] : {std::pair("--hf", &arguments.hf), std::pair("--mode", &arguments.mode),
                               std::pair("--mesh", &arguments.mesh)})
    if (value->empty())
      return usageError(llvm::Twine(option) + " is required");
  const runner::model::Mode *mode = chosenMode(arguments.mode);
  if (!mode)
    return kUsageError;
  std::optional<GridShape> mesh = readMeshOrDiagnose(arguments.mesh);
  const DeviceSpec *device = mesh ? findDeviceOrDiagnose(arguments.device) : nullptr;
  if (!device)
    return kUsageError;
  std::optional<runner::HfConfig> hf = readHfOrDiagnose(arguments.hf, *mesh);
  if (!hf)
    return kInputError;
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
  std::optional<runner::HfConfig> hf = readHfOrDiagnose(arguments.hf, *mesh);
  if (!hf)
    return kInputError;
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
