//===- LibraryCommandOptions.cpp - What commands of the vendor's library take ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/CommandOptions.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Library/TtnnLibrary.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;

/// It becomes part of a folder's name and a word for pip, which take much more for one.
static CLI::Validator libraryVersion() {
  return CLI::Validator(
      [](std::string &text) -> std::string {
        bool version = !text.empty() && llvm::isDigit(text.front()) &&
                       llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '.' || c == '+'; });
        return version ? "" : "expected a version such as " + kTtnnVersion.str() + ", got '" + text + "'";
      },
      "");
}

CLI::Option *tessera::addLibraryVersion(CLI::App *command, std::string &version, llvm::StringRef otherwise) {
  // Set before the option is made, as that shows it as its default.
  version = otherwise.str();
  return addValue(command, "--version", "NUMBER", version, "Which version of the library")
      ->check(libraryVersion())
      ->capture_default_str();
}

static void addWorkers(CLI::App *command, unsigned &workers) {
  addValue(command, "--workers", "N", workers,
           "How many processes may ask the library at once; each takes half a gigabyte, and starts if there "
           "are a thousand questions for it")
      ->check(wholeNumber(1, 64))
      ->capture_default_str();
}

void tessera::addLibrary(CLI::App *command, std::string &version, unsigned &workers) {
  addLibraryVersion(command, version, kTtnnVersion);
  addWorkers(command, workers);
}

void tessera::addModuleLibrary(CLI::App *command, std::string &version, unsigned &workers,
                               llvm::StringRef otherwise) {
  // No default is set: the module has the first word.
  addValue(command, "--version", "NUMBER", version,
           ("Which version of the library (default: the one that the module was imported or planned for, "
            "else " +
            kTtnnVersion + otherwise + ")")
               .str())
      ->check(libraryVersion());
  addWorkers(command, workers);
}

void tessera::addJudge(CommandTree &tree) {
  auto [command, arguments] = tree.add(
      tree.root(), "judge", "Have the vendor's own library judge a module, without a chip", runJudge);
  command->footer(
      "Each op alone first: whether the library accepts it, how much its circular buffers take, and how it "
      "lays out the result, beside what Tessera's op model says and the module states. Then whole functions "
      "with the library's allocator: addresses beside those of 'tessera replay', what finds no room, what "
      "clashes. The library comes from 'tessera setup ttnn'; docs/judge.md tells more.\n\n"
      "The exit code is 0 if the library accepts all that was decided, 1 if not (the lines below the table "
      "say "
      "what and why) or if it could not be asked, 2 for a faulty command line. What it refuses, 'tessera "
      "optimize --confirm' plans around. Examples:\n\n"
      "  tessera judge optimized.mlir\n"
      "  tessera judge optimized.mlir --against model.mlir --json judgement.json\n"
      "  tessera judge optimized.mlir --python program\n"
      "  tessera judge optimized.mlir --simulator libttsim_bh.so     what its kernels compute");
  addInput(command, arguments->input);
  addValue(command, "--against", "FILE", arguments->against,
           "The module before it was planned: what it asks for already is counted apart");
  CLI::Option *program =
      addValue(command, "--python", "FILE", arguments->python,
               "Judge a program instead: the folder that 'tessera export --python' wrote of the module. It "
               "runs on the mock chip from its first op to its last, and its L1 addresses are compared with "
               "those of the replay");
  addAllowBytecode(command, arguments->allowBytecode);
  addDevice(command, arguments->device, "the module's ttcore.system_desc decides, else it is n150");
  // Kernels take minutes where answers take milliseconds, so how much is executed has a bound of its own.
  CLI::Option *simulator = addValue(command, "--simulator", "FILE", arguments->simulator,
                                    "A library that stands in for the chip, such as ttsim's libttsim_bh.so: "
                                    "each op is executed, with the kernels and the tensors that the module "
                                    "has, and with all of its tensors in DRAM; what differs is told");
  addValue(command, "--most-elements", "N", arguments->mostElements,
           "With --simulator: ops whose operands and results have more elements together are not executed")
      ->check(wholeNumber(1, int64_t(1) << 40))
      ->capture_default_str()
      ->needs(simulator);
  addModuleLibrary(command, arguments->version, arguments->workers,
                   "; with --simulator " + kKernelsVersion.str());
  addOpModel(command, arguments->opModel, Caching::InMemory);
  addJson(command, arguments->json, "the judgement");
  // A program is run as a whole: there is nothing of single ops to compare, execute or write.
  for (const char *ofOps : {"--against", "--json", "--simulator"})
    program->excludes(ofOps);
}

/// An environment of Python that has the public compiler.
static void addCompilerSetup(CommandTree &tree, CLI::App &setup, const char *name, const char *description,
                             const char *footer, int (*run)(const SetupArguments &)) {
  auto [command, arguments] = tree.add(setup, name, description, run);
  command->footer(footer);
  addValue(command, "--python", "FILE", arguments->python,
           "A Python 3.12 or 3.13 to make the environment with; without it uv is asked for one, or one is "
           "looked for");
}

/// Each part by itself, as they are large and nobody needs all of them.
void tessera::addSetup(CommandTree &tree) {
  CLI::App *setup =
      tree.root().add_subcommand("setup", "Install what Tessera can use beside itself")->group("Commands");
  setup->require_subcommand(1);
  setup->footer("Examples:\n\n  tessera setup ttnn\n  tessera setup jax\n  tessera setup torch");
  auto [command, arguments] =
      tree.add(*setup, "ttnn", "Install the vendor's library, which judges plans without a chip", setUpTtnn);
  command->footer(
      "It goes into an environment of its own in your cache folder, some 100 MB from PyPI; neither a "
      "chip nor torch is needed. Example:\n\n  tessera setup ttnn");
  addLibraryVersion(command, arguments->version, kTtnnVersion);
  addValue(command, "--python", "FILE", arguments->python,
           "A Python 3.10 or 3.12 to make the environment with; without it uv is asked for one, or one is "
           "looked for");
  addCompilerSetup(
      tree, *setup, "jax", "Install the public compiler, which makes modules of models of JAX",
      "It goes into an environment of its own in your cache folder, some 250 MB from PyPI; no chip is "
      "needed. Example:\n\n  tessera setup jax",
      setUpJax);
  addCompilerSetup(
      tree, *setup, "torch", "Install the public compiler and PyTorch, for models of PyTorch",
      "It goes into an environment of its own in your cache folder, some 3 GB from PyPI, whose PyTorch "
      "brings CUDA along. A Python that has torch, torchax, jax and jax-tt-plugin already will do "
      "instead: TESSERA_JAX names it. Example:\n\n  tessera setup torch",
      setUpTorch);
}

void tessera::addDoctor(CommandTree &tree) {
  auto [command, arguments] = tree.add(
      tree.root(), "doctor", "Say which optional parts are there, and what each would bring", runDoctor);
  command->footer("Example:\n\n  tessera doctor --ask");
  addFlag(command, "--ask", arguments->ask, "Also have each library open a chip");
}
