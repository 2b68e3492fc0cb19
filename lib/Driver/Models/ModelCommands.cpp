//===- ModelCommands.cpp - The model runner as a part of the program ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/OptionEffects.h"
#include "../Common/OptionNames.h"
#include "ModelOptions.h"

#include "tessera/Driver/Commands.h"
#include "tessera/ModelRunner/ModuleTable.h"
#include "tessera/ModelRunner/Modules.h"
#include "tessera/ModelRunner/RandomCheckpoint.h"
#include "tessera/ModelRunner/RunConfig.h"
#include "tessera/ModelRunner/WeightConverter.h"

using namespace tessera;

namespace {

using Names = std::vector<std::string>;

constexpr OptionValues kValues[] = {
    {"WEIGHT_TYPE", runner::weightTypeNames},
    {"SPREAD", [] { return Names(std::begin(runner::kSpreadNames), std::end(runner::kSpreadNames)); }},
    {"MODULE", [] { return namesOf(runner::modules()); }},
    {"RULES", [] { return Names(std::begin(runner::kMergeModeNames), std::end(runner::kMergeModeNames)); }},
    {"MODE", [] { return namesOf(runner::model::kModes); }},
};

void addCommands(CommandTree &tree, CLI::App &root) {
  addWeights(tree, root);
  addConfig(tree, root);
  addModel(tree, root);
  addGenerate(tree, root);
}

} // namespace

const CommandPart &tessera::modelCommands() {
  static constexpr CommandPart kPart{"", addCommands, kValues};
  return kPart;
}

void tessera::addModule(CLI::App *command, ModuleChoice &module, const std::string &otherwise) {
  CLI::Option *name = addValue(command, "--module", "MODULE", module.name,
                               "One module by itself: " + listOfValues("MODULE", modelCommands().values) +
                                   "; without it, " + otherwise);
  addValue(command, "--layer", "NUMBER", module.layer,
           "The layer of --module; without it, the first that has it")
      ->check(wholeNumber(0, int64_t(1) << 24))
      ->needs(name);
}

void tessera::refuseRowsOfDecode(CLI::App *command, const std::string &mode) {
  refuseIdle(command, {command->get_option("--seq-len")}, [&mode] {
    // Of other words than these two the command tells.
    return mode == "decode" ? Deciders{{}, "it is about prefill, not decode"} : Deciders{{mode}, ""};
  });
}
