//===- ModelCommandOptions.cpp - What commands of the model runner take ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "ModelOptions.h"

#include "tessera/Driver/Commands.h"

using namespace tessera;

namespace {

void addMerge(CommandTree &tree, CLI::App &config) {
  auto [command, arguments] =
      tree.add(config, "merge",
               "Merge a model config with weights and state, or run merges with known results", mergeConfigs);
  command->footer(
      "All that does not fit is reported, with its place. docs/model-runner.md has the rules and the JSON. "
      "Examples:\n\n"
      "  tessera config merge --model decode.json --weights weights.json --state state.json\n"
      "  tessera config merge --cases cases.json");
  CLI::Option *cases =
      addValue(command, "--cases", "FILE", arguments->cases,
               "Run the cases of this file in every dialect that they expect something of, name those that "
               "disagree, and count; the exit code is 0 only if all agree");
  addValue(command, "--model", "FILE", arguments->model, "Model config")->excludes(cases);
  addValue(command, "--weights", "FILE", arguments->weights, "Weight config")->excludes(cases);
  // One file per --state: a list behind a single one would swallow what follows.
  addValue(command, "--state", "FILE", arguments->states, "State; several are merged first, in this order")
      ->excludes(cases)
      ->expected(1)
      ->take_all();
  addValue(command, "--rules", "RULES", arguments->mode,
           "Whose rules hold: " + listOfValues("RULES", modelCommands().values) +
               ". The first two are those of published code; checked loses nothing silently")
      ->excludes(cases)
      ->capture_default_str();
  addValue(command, "-o,--output", "FILE", arguments->output,
           "Where the run config goes; - for standard output")
      ->excludes(cases)
      ->capture_default_str();
}

void addState(CommandTree &tree, CLI::App &config) {
  auto [command, arguments] = tree.add(
      config, "state", "Write the state of a model: its device and the caches of its layers", writeState);
  command->footer(
      "Example:\n\n  tessera config state --hf DeepSeek-V3 --mesh 4x8 --max-positions 4096 -o state.json");
  addValue(command, "--hf", "FILE", arguments->hf, "Folder of the checkpoint; only its config.json is read")
      ->required();
  addValue(command, "--mesh", "SHAPE", arguments->mesh, "Rows and columns of devices, e.g. 4x8")->required();
  addModule(command, arguments->module, "the whole model");
  addValue(command, "--max-positions", "NUMBER", arguments->positions,
           "Positions that the cache has for each user, a multiple of 32 for each row of the mesh")
      ->check(wholeNumber(32, int64_t(1) << 24))
      ->capture_default_str();
  addValue(command, "-o,--output", "FILE", arguments->output, "Where the state goes; - for standard output")
      ->capture_default_str();
}

void addConvertWeights(CommandTree &tree, CLI::App &weights) {
  auto [command, arguments] = tree.add(
      weights, "convert", "Make the tensor files and the weight config of a checkpoint", convertWeightFiles);
  command->footer(
      "What lies in the folder already and is made from the same is kept, so a run that was killed is "
      "repeated as it stands. The bytes do not depend on --jobs or --max-mem. Processes that Open MPI's "
      "mpirun starts share the work. Examples:\n\n"
      "  tessera weights convert --hf DeepSeek-V3 --out weights --mesh 4x8 --dry-run\n"
      "  tessera weights convert --hf DeepSeek-V3 --out weights --mesh 4x8 --dtype '*.w3_experts.*=bfp4_b'");
  addValue(command, "--hf", "FILE", arguments->hf,
           "Folder of the checkpoint: config.json, index and safetensors files")
      ->required();
  addValue(command, "--out", "FILE", arguments->out, "Folder of the weights")->required();
  addValue(command, "--mesh", "SHAPE", arguments->mesh, "Rows and columns of devices, e.g. 4x8")
      ->capture_default_str();
  addDevice(command, arguments->device, "")->capture_default_str();
  addModule(command, arguments->module, "the whole model");
  addValue(command, "--dtype", "PATTERN=TYPE", arguments->types,
           "Data type of all tensors whose names fit, e.g. '*.wo.*=bfp4_b'; --dry-run lists names. Types: " +
               listOfValues("WEIGHT_TYPE", modelCommands().values) + ". May be repeated, the last counts")
      ->expected(1)
      // In order, since a later pattern overrides an earlier one.
      ->take_all();
  addValue(command, "--max-mem", "SIZE", arguments->memory,
           "Memory for tensors, of all threads together, e.g. 512M")
      ->capture_default_str();
  addValue(command, "--jobs", "NUMBER", arguments->jobs,
           "Files made at a time; without it, as many as there are cores")
      ->check(wholeNumber(1, 1024));
  addFlag(command, "--dry-run", arguments->dryRun,
          "Check the checkpoint and list what would be made; write nothing");
  addValue(command, "--json-lines", "FILE", arguments->events,
           "Write a JSON line after each file; - for standard output");
  addProgress(command, arguments->progress);
  addFlag(command, "-q,--quiet", arguments->quiet, "No summary and no progress");
}

void addVerifyWeights(CommandTree &tree, CLI::App &weights) {
  auto [command, arguments] =
      tree.add(weights, "verify", "See whether all tensor files are as they were written", verifyWeightFiles);
  command->footer("Examples:\n\n  tessera weights verify weights\n  tessera weights verify weights --repair");
  addValue(command, "folder", "FILE", arguments->folder, "Folder of the weights")->required();
  addFlag(command, "--repair", arguments->repair,
          "Remove files that are damaged or belong to nothing; 'tessera weights convert' makes those that "
          "are missing");
}

void addRandom(CommandTree &tree, CLI::App &weights) {
  auto [command, arguments] =
      tree.add(weights, "random", "Write a checkpoint of random weights, of any size", writeRandomWeights);
  command->footer("Projections are fp8 with a scale per block. Example:\n\n"
                  "  tessera weights random --config tiny.json --out tiny --seed 1");
  addValue(command, "--config", "FILE", arguments->config, "The model's config.json")->required();
  addValue(command, "--out", "FILE", arguments->out, "Folder of the checkpoint")->required();
  addValue(command, "--seed", "NUMBER", arguments->seed, "What the values follow from")
      ->capture_default_str();
  addValue(command, "--spread", "SPREAD", arguments->spread,
           "How large they are: " + listOfValues("SPREAD", modelCommands().values) +
               ". Even ones make every layer count, so that another layer's weights are seen; trained ones "
               "have the spread of DeepSeek-V3's")
      ->capture_default_str();
  addValue(command, "--shard-size", "SIZE", arguments->shardSize, "Bytes of a file at most, e.g. 512M")
      ->capture_default_str();
}

} // namespace

void tessera::addWeights(CommandTree &tree, CLI::App &root) {
  CLI::App *weights = root.add_subcommand("weights", "Weights of models: convert and verify tensor files");
  weights->group("Commands");
  weights->footer("Examples:\n\n  tessera weights convert --hf DeepSeek-V3 --out weights --mesh 4x8\n"
                  "  tessera weights verify weights");
  weights->require_subcommand(1);
  addConvertWeights(tree, *weights);
  addVerifyWeights(tree, *weights);
  addRandom(tree, *weights);
}

void tessera::addConfig(CommandTree &tree, CLI::App &root) {
  auto [command, arguments] = tree.add(
      root, "config", "Write what every op of a model is called with, in prefill or decode", writeConfig);
  command->footer(
      "The JSON can be read, compared with that of another run, changed, and merged with weights and state. "
      "docs/model-runner.md has its form. Examples:\n\n"
      "  tessera config --hf DeepSeek-V3 --mode decode --mesh 4x8 -o decode.json\n"
      "  tessera config merge --model decode.json --weights weights.json --state state.json");
  addValue(command, "--hf", "FILE", arguments->hf, "Folder of the checkpoint; only its config.json is read");
  addValue(command, "--mode", "MODE", arguments->mode,
           "Which of the model's two configs: " + listOfValues("MODE", modelCommands().values));
  addValue(command, "--mesh", "SHAPE", arguments->mesh, "Rows and columns of devices, e.g. 4x8");
  addDevice(command, arguments->device, "")->capture_default_str();
  addValue(command, "--seq-len", "NUMBER", arguments->sequenceLength,
           "Rows of a prefill; the program configs of its matmuls are for them, or for 1024 if they are more")
      ->check(wholeNumber(1, int64_t(1) << 31))
      ->capture_default_str();
  refuseRowsOfDecode(command, arguments->mode);
  addValue(command, "-o,--output", "FILE", arguments->output, "Where the config goes; - for standard output")
      ->capture_default_str();
  addModule(command, arguments->module, "the whole model");
  command->require_subcommand(0, 1);
  addMerge(tree, *command);
  addState(tree, *command);
}
