//===- ModelCommandOptions.cpp - What commands of the model runner take ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "CommandOptions.h"

#include "tessera/Driver/Commands.h"

#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

void addMerge(CommandTree &tree, CLI::App &config) {
  auto [command, arguments] = tree.add(
      config, "merge", "Merge a model config with weights and state, or run merges with known results", mergeConfigs);
  command->footer("All that does not fit is reported, with its place. docs/model-runner.md has the rules and the JSON. "
                  "Examples:\n\n"
                  "  tessera config merge --model decode.json --weights weights.json --state state.json\n"
                  "  tessera config merge --cases cases.json");
  CLI::Option *cases =
      addValue(command, "--cases", "FILE", arguments->cases,
               "Run the cases of this file in every dialect that they expect something of, name those that "
               "disagree, and count; the exit code is 0 only if all agree");
  addValue(command, "--model", "FILE", arguments->model, "Model config")->excludes(cases);
  addValue(command, "--weights", "FILE", arguments->weights, "Weight config")->excludes(cases);
  addValue(command, "--state", "FILE", arguments->states, "State; several are merged first, in this order")
      ->excludes(cases)
      ->expected(1)
      ->take_all();
  addValue(command, "--rules", "RULES", arguments->mode,
           "Whose rules hold: " + listOfValues("RULES") +
               ". The first two are those of published code; checked loses nothing silently")
      ->excludes(cases)
      ->capture_default_str();
  addValue(command, "-o,--output", "FILE", arguments->output, "Where the run config goes; - for standard output")
      ->excludes(cases)
      ->capture_default_str();
}

} // namespace

void tessera::addConfig(CommandTree &tree) {
  CLI::App *config = tree.add(tree.root(), "config", "Configurations of models: merge them", [&tree] {
    llvm::outs() << helpText(tree.chosen());
    return int(kSuccess);
  });
  config->footer("Examples:\n\n  tessera config merge --cases cases.json");
  config->require_subcommand(0, 1);
  addMerge(tree, *config);
}
