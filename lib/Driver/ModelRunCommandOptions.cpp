//===- ModelRunCommandOptions.cpp - What commands that run models take ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "CommandOptions.h"

#include "tessera/Driver/Commands.h"

using namespace tessera;

namespace {

constexpr int64_t kMostPositions = int64_t(1) << 24;

} // namespace

void tessera::addModel(CommandTree &tree) {
  CLI::App *model = tree.root().add_subcommand("model", "Models as TTNN modules");
  model->group("Commands");
  model->footer(
      "Example:\n\n  tessera model trace --hf DeepSeek-V3 --mode decode --mesh 4x8 --layer 3 -o layer.mlir");
  model->require_subcommand(1);
  auto [command, arguments] = tree.add(
      *model, "trace", "Write a model, or a layer of it, as the TTNN module that its forward functions make",
      traceModelModule);
  command->footer("The module is what a compiler would hand to its optimizer: every tensor in DRAM, no "
                  "program configs. All "
                  "devices of the mesh run it; shapes are those of one of them. Examples:\n\n"
                  "  tessera model trace --hf DeepSeek-V3 --mode decode --mesh 4x8 --layer 3 -o layer.mlir\n"
                  "  tessera optimize layer.mlir -o optimized.mlir --policy beam");
  addValue(command, "--hf", "FILE", arguments->hf, "Folder of the checkpoint; only its config.json is read")
      ->required();
  addValue(command, "--mode", "MODE", arguments->mode, "Which forward functions: " + listOfValues("MODE"))
      ->required();
  addValue(command, "--mesh", "SHAPE", arguments->mesh, "Rows and columns of devices, e.g. 4x8")
      ->capture_default_str();
  addDevice(command, arguments->device, "the mesh decides");
  addValue(command, "--layer", "NUMBER", arguments->layer,
           "This layer alone, from hidden states to hidden states; without it, from token ids to logits")
      ->check(wholeNumber(0, kMostPositions));
  addValue(command, "--seq-len", "NUMBER", arguments->sequenceLength,
           "Rows of a prefill on each mesh row, a multiple of 32")
      ->check(wholeNumber(32, kMostPositions))
      ->capture_default_str();
  addValue(command, "--max-positions", "NUMBER", arguments->positions,
           "Positions that the cache has for each user, a multiple of 32")
      ->check(wholeNumber(32, kMostPositions))
      ->capture_default_str();
  addValue(command, "-o,--output", "FILE", arguments->output, "Where the module goes; - for standard output")
      ->capture_default_str();
}

void tessera::addGenerate(CommandTree &tree) {
  auto [command, arguments] = tree.add(
      tree.root(), "generate", "Run a model on simulated devices: prompts in, tokens out", generateTokens);
  command->footer(
      "The last of three stages: weights are mapped into memory once for prefill and decode, prompts are "
      "prefilled one by one, then all decode together, greedily. Example:\n\n"
      "  tessera weights convert --hf tiny --out weights\n"
      "  tessera generate --weights weights --prompt-ids 1,2,3 --max-new-tokens 8 --optimize");
  addValue(command, "--weights", "FILE", arguments->weights, "Folder that 'tessera weights convert' has made")
      ->required();
  addValue(command, "--prompt-ids", "IDS", arguments->prompts,
           "Tokens of a prompt, e.g. 1,2,3. May be repeated: one user each")
      ->required()
      ->expected(1)
      ->take_all();
  addValue(command, "--max-new-tokens", "NUMBER", arguments->newTokens, "Tokens to generate for each user")
      ->check(wholeNumber(1, kMostPositions))
      ->capture_default_str();
  addValue(command, "--prefill-config", "FILE", arguments->prefillConfig,
           "A config of 'tessera config --mode prefill' that was changed");
  addValue(command, "--decode-config", "FILE", arguments->decodeConfig,
           "A config of 'tessera config --mode decode' that was changed");
  addValue(command, "--mesh", "SHAPE", arguments->mesh,
           "The mesh that the weights are cut for, if it shall be checked");
  addDevice(command, arguments->device, "the mesh decides");
  addFlag(command, "--optimize", arguments->optimize, "Optimize the programs before they run");
  addValue(command, "--policy", "POLICY", arguments->policy,
           "Of --optimize and of the estimates: " + listOfValues("POLICY"))
      ->capture_default_str();
  addFlag(command, "--no-estimates", arguments->noEstimates,
          "Leave out the estimated times on devices, which take an optimization for each board");
  addSimulatedMemory(command, arguments->memory);
  addFlag(command, "-q,--quiet", arguments->quiet, "Tokens alone");
}
