//===- ModelOptions.h - What commands of the model runner take ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_DRIVER_MODELS_MODELOPTIONS_H
#define TESSERA_LIB_DRIVER_MODELS_MODELOPTIONS_H

#include "../Common/CommandOptions.h"

namespace tessera {

struct ModuleChoice;

/// The commands below `tessera weights`.
void addWeights(CommandTree &tree, CLI::App &root);
/// `tessera config` and the commands below it.
void addConfig(CommandTree &tree, CLI::App &root);
/// The commands below `tessera model`.
void addModel(CommandTree &tree, CLI::App &root);
void addGenerate(CommandTree &tree, CLI::App &root);

/// --module and --layer.
void addModule(CLI::App *command, ModuleChoice &module, const std::string &otherwise);
/// Lets the command end in an error if --seq-len is given in decode, which has a row for each user. `mode` is what --mode takes.
void refuseRowsOfDecode(CLI::App *command, const std::string &mode);

} // namespace tessera

#endif // TESSERA_LIB_DRIVER_MODELS_MODELOPTIONS_H
