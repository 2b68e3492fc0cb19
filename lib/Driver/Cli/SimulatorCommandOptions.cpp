//===- SimulatorCommandOptions.cpp - What commands of the simulator take --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/CommandOptions.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Library/TtnnLibrary.h"

using namespace tessera;

CLI::Option *tessera::addSimulatedInputs(CLI::App *command, std::string &inputs) {
  return addValue(command, "--inputs", "VALUES", inputs,
                  "random:SEED, or a .npy file per argument with commas between them; every device of a mesh "
                  "gets the same")
      ->capture_default_str();
}

CLI::Option *tessera::addSimulatedMemory(CLI::App *command, std::string &memory) {
  return addValue(
             command, "--max-mem", "SIZE", memory,
             "Memory that a run may take, e.g. 16G; what needs more does not begin, and says how much it "
             "needs")
      ->capture_default_str();
}

CLI::Option *tessera::addArithmetic(CLI::App *command, std::string &arithmetic) {
  return addValue(command, "--arithmetic", "ARITHMETIC", arithmetic,
                  "exact: ops compute in fp32 and round once; kernels: in the steps and the precision of the "
                  "device's kernels, where they are known")
      ->capture_default_str();
}

namespace {

void addSimulationOptions(CLI::App *command, SimulationOptions &options) {
  addAllowBytecode(command, options.allowBytecode);
  addSimulatedInputs(command, options.inputs);
  addDevice(command, options.device, "the module's ttcore.system_desc decides, else it is n150");
  addValue(command, "--l1-small-size", "BYTES", options.l1SmallSize,
           "What L1_SMALL takes off the top of L1; tt-mlir opens its devices with the default")
      ->check(wholeNumber(0, 1 << 20))
      ->capture_default_str();
  addSimulatedMemory(command, options.memory);
  addArithmetic(command, options.arithmetic);
  addOpModel(command, options.opModel, Caching::InMemory);
  addProgress(command, options.progress);
}

} // namespace

void tessera::addRun(CommandTree &tree) {
  auto [command, arguments] =
      tree.add(tree.root(), "run", "Run a module on a simulated device: number formats, memory and addresses",
               runSimulation);
  command->footer(
      "Prints a line per result, and per argument that is written in place. docs/simulator.md says what is "
      "simulated. Examples:\n\n"
      "  tessera run model.mlir\n"
      "  tessera run model.mlir --inputs x.npy,w.npy --outputs results --stats\n"
      "  tessera run optimized.mlir --python program --simulator libttsim_bh.so     with the library's own "
      "kernels");
  addValue(command, "input", "FILE", arguments->input, "TTNN module, text or bytecode; - for standard input")
      ->required();
  addValue(command, "--outputs", "FILE", arguments->outputs, "Folder for the results as .npy files");
  addFlag(command, "--stats", arguments->statistics, "Print the time per op, and the peak of each memory");
  CLI::Option *python = addValue(command, "--python", "FILE", arguments->python,
                                 "The folder that 'tessera export --python' wrote of the module: that "
                                 "program runs as well, on the vendor's kernels, and results are compared "
                                 "with the simulator's and with exact ones; --outputs are the program's");
  CLI::Option *simulator =
      addValue(command, "--simulator", "FILE", arguments->simulator,
               "With --python: the library that stands in for the chip, such as ttsim's libttsim_bh.so")
          ->needs(python);
  // Neither means anything alone: kernels run on a simulator, and it runs a program.
  python->needs(simulator);
  addLibraryVersion(command, arguments->version, kKernelsVersion)->needs(python);
  addSimulationOptions(command, arguments->options);
}

void tessera::addVerify(CommandTree &tree) {
  auto [command, arguments] =
      tree.add(tree.root(), "verify", "Run modules on a simulated device and compare what they compute",
               verifyModules);
  command->footer(
      "The exit code is 0 if all results and all arguments that are written in place are the same, bit by "
      "bit, and 1 if not: if they differ, or are not comparable because they say things that Tessera does "
      "not know and so would not compute. With --arithmetic kernels or --against exact it prints how far "
      "both "
      "are from the exact values, and says if the second is worse by more than 10 %; the exit code is 1 "
      "beyond --max-error-growth. Examples:\n\n"
      "  tessera verify model.mlir optimized.mlir\n"
      "  tessera verify model.mlir greedy.mlir beam.mlir df-sharding.mlir     the first runs once\n"
      "  tessera verify model.mlir optimized.mlir --inputs random:7 --bisect\n"
      "  tessera verify model.mlir optimized.mlir --arithmetic kernels --max-error-growth 10\n"
      "  tessera verify model.mlir rewritten.mlir --against exact");
  addValue(command, "before", "FILE", arguments->before, "TTNN module, text or bytecode")->required();
  // Several, since the first one runs once for all of them, and simulated runs take long.
  addValue(command, "after", "FILE", arguments->after,
           "The same functions, e.g. optimized; several are compared with the first one by one")
      ->required();
  addFlag(command, "--bisect", arguments->bisect, "If they differ, name the first op whose value does");
  CLI::Option *structure =
      addFlag(command, "--structure", arguments->structure,
              "Run nothing: tell whether all ops, properties, attributes and data flow of the first module "
              "are in the others, but for what a plan may change; rewrites are more than that, and count as "
              "lost. What Tessera does not know counts like all else");
  addFlag(
      command, "--strict", arguments->strict,
      "Also ask the op model: the exit code is 1 if it refuses an op of the modules that are compared with "
      "the first, or does not know one, so that its time is unknown");
  addSimulationOptions(command, arguments->options);
  addValue(command, "--against", "REFERENCE", arguments->against,
           "input: results are compared with those of the first module; exact: errors of both are compared, "
           "against the first module without rounding between its ops")
      ->capture_default_str();
  addValue(
      command, "--max-error-growth", "PERCENT", arguments->maxErrorGrowth,
      "Where errors are compared: the exit code is 1 if a plan's error exceeds its input's by more; 25 with "
      "--against exact, else any")
      ->check(number());
  // Texts are compared, and nobody is asked what they compute.
  for (const char *ofRuns :
       {"--bisect", "--strict", "--inputs", "--device", "--l1-small-size", "--max-mem", "--arithmetic",
        "--op-model", "--backend-version", "--against", "--max-error-growth"})
    structure->excludes(ofRuns);
}
