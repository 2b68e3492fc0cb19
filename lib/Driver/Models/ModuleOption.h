//===- ModuleOption.h - The options --module and --layer ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODELS_MODULEOPTION_H
#define TESSERA_LIB_DRIVER_MODELS_MODULEOPTION_H

#include "../Common/CommandTree.h"
#include "../Common/Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/ModelRunner/ModuleTable.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera {

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
