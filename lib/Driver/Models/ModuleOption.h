//===- ModuleOption.h - The options --module and --layer ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODELS_MODULEOPTION_H
#define TESSERA_LIB_DRIVER_MODELS_MODULEOPTION_H

#include "../Common/CommandTree.h"
#include "../Common/Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/ModelRunner/ModuleTable.h"
#include "tessera/ModelRunner/Modules.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera {

/// The mode that --mode names; nullptr after a diagnostic.
inline const runner::model::Mode *chosenMode(const std::string &name) {
  auto isIt = [&](const runner::model::Mode &mode) { return mode.name == name; };
  if (const auto *mode = llvm::find_if(runner::model::kModes, isIt); mode != std::end(runner::model::kModes))
    return mode;
  usageError("unknown mode '" + name + "'; known: " + listOfValues("MODE", modelCommands().values));
  return nullptr;
}

/// The module that options name, none if they name none; nullopt after a diagnostic.
inline std::optional<std::optional<runner::ModulePlace>> chosenModule(const ModuleChoice &choice,
                                                                      const runner::HfConfig &hf) {
  if (choice.name.empty())
    return std::optional<runner::ModulePlace>();
  const runner::ModuleInfo *module = runner::findModule(choice.name);
  if (!module) {
    usageError("unknown module '" + choice.name +
               "'; known: " + listOfValues("MODULE", modelCommands().values));
    return std::nullopt;
  }
  llvm::Expected<runner::ModulePlace> place = runner::moduleAt(hf, *module, choice.layer);
  if (place)
    return std::optional(*place);
  usageError(llvm::toString(place.takeError()));
  return std::nullopt;
}

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODELS_MODULEOPTION_H
