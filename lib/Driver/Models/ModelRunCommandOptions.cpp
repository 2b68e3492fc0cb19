//===- ModelRunCommandOptions.cpp - What commands that run models take ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/OptionEffects.h"
#include "ModelOptions.h"

#include "tessera/Driver/Commands.h"

using namespace tessera;

namespace {

constexpr int64_t kMostPositions = int64_t(1) << 24;

void addModelRun(CommandTree &tree, CLI::App &model) {
  auto [command, arguments] =
      tree.add(model, "run", "Run one module by itself on simulated devices, from its files", runModelModule);
  command->footer(
      "What is merged is what runs: model config, weight config and state come from files, or are as the "
      "module makes "
      "them. Example:\n\n"
      "  tessera weights convert --hf tiny --out mlp --module mlp\n"
      "  tessera config --hf tiny --mode decode --mesh 1x1 --module mlp -o mlp.json\n"
      "  tessera model run --weights mlp --mode decode --module mlp --config mlp.json --output y.npy");
  addValue(command, "--weights", "FILE", arguments->weights,
           "Folder that 'tessera weights convert --module' has made")
      ->required();
  addValue(command, "--mode", "MODE", arguments->mode,
           "Which forward function: " + listOfValues("MODE", modelCommands().values))
      ->required();
  addModule(command, arguments->module, "an error");
  addValue(command, "--config", "FILE", arguments->config, "Model config of 'tessera config --module'");
  addValue(command, "--state", "FILE", arguments->state, "State of 'tessera config state --module'");
  addValue(command, "--input", "VALUES", arguments->input,
           "random:SEED, or an .npy file: 1 x 1 x rows x width, of all devices; ids are 1 x rows")
      ->capture_default_str();
  addValue(command, "--output", "FILE", arguments->output, "Where the result goes as an .npy file");
  addValue(command, "--max-positions", "NUMBER", arguments->positions,
           "Positions that the cache has for each user, a multiple of 32")
      ->check(wholeNumber(32, kMostPositions))
      ->capture_default_str();
  addValue(command, "--position", "NUMBER", arguments->position, "Of the users' tokens in decode")
      ->check(wholeNumber(0, kMostPositions))
      ->capture_default_str();
  // Both ways of the program that is run, so that a config can be compared with what the optimizer makes of the
  // same module.
  addFlag(command, "--as-configured", arguments->asConfigured,
          "Tensors lie and ops run as the config says; what is illegal so is an error with its place");
  addFlag(command, "--optimize", arguments->optimize, "Optimize the program before it runs");
  addValue(command, "--policy", "POLICY", arguments->policy, "Of --optimize: " + listOfValues("POLICY"))
      ->needs("--optimize")
      ->capture_default_str();
  addSimulatedMemory(command, arguments->memory);
}

void addModelCompare(CommandTree &tree, CLI::App &model) {
  auto [command, arguments] = tree.add(
      model, "compare", "Say how near the logits of two runs are, and fail if they are not near enough",
      compareModelRuns);
  command->footer("Rows of a user are compared up to the first at which the runs choose different tokens. "
                  "Example:\n\n"
                  "  tessera generate --weights weights --prompt-ids 1,2,3 --logits a.npy\n"
                  "  tessera generate --weights weights --prompt-ids 1,2,3 --logits b.npy --optimize\n"
                  "  tessera model compare a.npy b.npy");
  addValue(command, "before", "FILE", arguments->before, "Logits of 'tessera generate --logits'")->required();
  addValue(command, "after", "FILE", arguments->after, "Those of another run on the same prompts")
      ->required();
  addValue(command, "--min-correlation", "NUMBER", arguments->minCorrelation, "Pearson's, of each row")
      ->check(number())
      ->capture_default_str();
  addValue(command, "--min-top5", "NUMBER", arguments->minTop5,
           "Share of the 5 likeliest tokens that both have, mean of the rows")
      ->check(number())
      ->capture_default_str();
  addValue(command, "--max-divergence", "NUMBER", arguments->maxDivergence,
           "Kullback and Leibler's, in nats, mean of the rows")
      ->check(number())
      ->capture_default_str();
}

} // namespace

void tessera::addModel(CommandTree &tree, CLI::App &root) {
  CLI::App *model = root.add_subcommand("model", "Models as TTNN modules");
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
  addValue(command, "--mode", "MODE", arguments->mode,
           "Which forward functions: " + listOfValues("MODE", modelCommands().values))
      ->required();
  addValue(command, "--mesh", "SHAPE", arguments->mesh, "Rows and columns of devices, e.g. 4x8")
      ->capture_default_str();
  addDevice(command, arguments->device, "the mesh decides");
  addValue(command, "--module", "MODULE", arguments->module.name,
           "One module by itself: " + listOfValues("MODULE", modelCommands().values));
  // Only bounds are checked here. How many layers there are is known when the checkpoint is read, and only then
  // can an error name it.
  addValue(command, "--layer", "NUMBER", arguments->module.layer,
           "This layer alone, from hidden states to hidden states, or that of --module; without it, from "
           "token ids to logits")
      ->check(wholeNumber(0, kMostPositions));
  addValue(command, "--config", "FILE", arguments->config,
           "A config of 'tessera config' that was changed, of the whole model or of --module");
  addFlag(command, "--as-configured", arguments->asConfigured,
          "Tensors lie and ops run as the config says; without it both are left to the optimizer");
  addValue(command, "--seq-len", "NUMBER", arguments->sequenceLength,
           "Rows of a prefill on each mesh row, a multiple of 32")
      ->check(wholeNumber(32, kMostPositions))
      ->capture_default_str();
  refuseRowsOfDecode(command, arguments->mode);
  addValue(
      command, "--max-positions", "NUMBER", arguments->positions,
      "Positions that the cache has for each user, a multiple of 32; without it, 1024, or the rows of the "
      "prefill on all mesh rows if these are more")
      ->check(wholeNumber(32, kMostPositions));
  addValue(command, "-o,--output", "FILE", arguments->output, "Where the module goes; - for standard output")
      ->capture_default_str();
  addModelRun(tree, *model);
  addModelCompare(tree, *model);
}

void tessera::addGenerate(CommandTree &tree, CLI::App &root) {
  auto [command, arguments] =
      tree.add(root, "generate", "Run a model on simulated devices: prompts in, tokens out", generateTokens);
  command->footer(
      "The last of three stages: weights are mapped into memory once for prefill and decode, prompts are "
      "prefilled one by one, then all decode together, greedily. Example:\n\n"
      "  tessera weights convert --hf tiny --out weights\n"
      "  tessera generate --weights weights --prompt-ids 1,2,3 --max-new-tokens 8 --optimize");
  addValue(command, "--weights", "FILE", arguments->weights, "Folder that 'tessera weights convert' has made")
      ->required();
  // One word per mention: a list of any length would swallow what stands behind it.
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
  addValue(command, "--state", "FILE", arguments->state,
           "A state as 'tessera config state' writes it; without it, one for the longest prompt");
  addValue(command, "--mesh", "SHAPE", arguments->mesh,
           "The mesh that the weights are cut for, if it shall be checked");
  addDevice(command, arguments->device, "the mesh decides");
  addFlag(command, "--as-configured", arguments->asConfigured,
          "Tensors lie and ops run as the config says; what is illegal so is an error with its place");
  addFlag(command, "--optimize", arguments->optimize, "Optimize the programs before they run");
  CLI::Option *policy = addValue(command, "--policy", "POLICY", arguments->policy,
                                 "Of --optimize and of the estimates: " + listOfValues("POLICY"))
                            ->capture_default_str();
  refuseIdle(command, {policy}, [arguments] {
    if (arguments->optimize || !(arguments->quiet || arguments->noEstimates))
      return Deciders{{arguments->policy}, ""};
    return Deciders{{}, "without --optimize and without estimates nothing is planned"};
  });
  addFlag(command, "--no-estimates", arguments->noEstimates,
          "Leave out the estimated times on devices, which take an optimization for each board");
  addValue(command, "--logits", "FILE", arguments->logits,
           "Write the logits of each new token, users x tokens x vocabulary, as an .npy file for 'tessera "
           "model compare'");
  addSimulatedMemory(command, arguments->memory);
  addFlag(command, "-q,--quiet", arguments->quiet, "Tokens alone");
}
