//===- ReportCommandOptions.cpp - What commands that draw plans take ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/CommandOptions.h"
#include "../Common/OptionEffects.h"

#include "tessera/Driver/Commands.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;

/// Options of commands on one plan, or two: the input first, as the other plan is the second word.
template <class Arguments>
static void addDecided(CLI::App *command, Arguments *arguments) {
  addValue(command, "input", "FILE", arguments->input,
           "TTNN module, text or bytecode, - for standard input; or a decisions file")
      ->required();
  std::vector<CLI::Option *> deciding{addPolicy(command, arguments->policy, /*orFile=*/true)};
  llvm::append_range(deciding, addPlanning(command, *arguments));
  refuseIdle(command, deciding, [arguments] { return decidersOf(*arguments); });
}

/// The other plan, alike for all commands that compare: second word or option.
static CLI::Option *addAgainst(CLI::App *command, ComparingArguments &arguments) {
  return addValue(command, "plan,--against", "PLAN", arguments.against,
                  "The other plan, what it does otherwise is shown: another policy or another board for the "
                  "same module, or a file, module or decisions. Policies and boards: " +
                      listOfValues("PLAN"));
}

void tessera::addReport(CommandTree &tree) {
  auto [command, arguments] = tree.add(
      tree.root(), "report", "Draw a plan as one HTML file: memory, time, layouts, and why", runReport);
  command->footer(
      "Plans the module as 'tessera optimize' does, or takes what 'tessera optimize --decisions' wrote, and "
      "writes one "
      "file that any current browser opens from disk and that fetches nothing: who holds L1 at which address "
      "and when, every op with its runners-up, the graph, the cores. With a second plan also what that "
      "does otherwise, as 'tessera diff' says it. docs/report.md shows it. Examples:\n\n"
      "  tessera report examples/llama_decode.mlir -o report.html\n"
      "  tessera report examples/llama_decode.mlir -o report.html --policy beam --against greedy\n"
      "  tessera report examples/resnet_block.mlir p150 -o report.html\n"
      "  tessera report before.json after.json -o report.html");
  addDecided(command, arguments);
  addValue(command, "-o,--output", "FILE", arguments->output, "The report; - for standard output")
      ->required();
  CLI::Option *against = addAgainst(command, *arguments);
  addFlag(command, "--against-as-it-stands", arguments->againstStands,
          "The module that is compared with is another compiler's plan: it is not planned anew")
      ->needs(against);
  addValue(command, "--judged", "FILE", arguments->judged,
           "What 'tessera judge --json' wrote of the optimized module: a column with what the library says "
           "of each op");
}

void tessera::addDiff(CommandTree &tree) {
  auto [command, arguments] =
      tree.add(tree.root(), "diff",
               "Say what is different between two plans, the most expensive change first", runDiff);
  command->footer("Ops are paired in program order by kind and shapes. A change counts what the op takes "
                  "with the conversions made for "
                  "it, so that all changes add up to the change of the plan's time. Examples:\n\n"
                  "  tessera diff examples/llama_decode.mlir beam\n"
                  "  tessera diff examples/llama_decode.mlir p150 --all\n"
                  "  tessera diff before.json after.json --json -");
  addDecided(command, arguments);
  addAgainst(command, *arguments)->required();
  addFlag(command, "--all", arguments->all, "All changes, not only those that change most time");
  addTop(command, arguments->top, "Changes that are listed")->excludes("--all");
  addJson(command, arguments->json, "all changes");
}

/// Of an option that names a folder: "-" would be one of that name, where it is standard output everywhere else.
static CLI::Validator aFolder() {
  return CLI::Validator(
      [](std::string &text) -> std::string {
        return text == "-" ? "takes a folder, and '-' is standard output" : "";
      },
      "");
}

void tessera::addExport(CommandTree &tree) {
  auto [command, arguments] = tree.add(
      tree.root(), "export",
      "Write a plan as a Python program for ttnn, or as files of other viewers: Perfetto, ttnn-visualizer, "
      "Model Explorer, CSV",
      runExport);
  command->footer("Times are estimates and addresses are those of the replay, so that all of this is there "
                  "before a run on a chip. "
                  "docs/report.md says what is in the files and how to open them. Examples:\n\n"
                  "  tessera export examples/llama_decode.mlir --perfetto trace.json\n"
                  "  tessera export examples/llama_decode.mlir --policy beam --visualizer report "
                  "--model-explorer graph.json\n"
                  "  tessera export decisions.json --csv tables\n"
                  "  tessera export optimized.mlir --python program");
  addDecided(command, arguments);
  addValue(command, "--perfetto", "FILE", arguments->perfetto,
           "The estimated timeline with counters of L1 and DRAM, for ui.perfetto.dev; - for standard output");
  addValue(command, "--visualizer", "FILE", arguments->visualizer,
           "A folder: a memory report with circular buffers that ttnn-visualizer opens")
      ->check(aFolder());
  addValue(command, "--model-explorer", "FILE", arguments->modelExplorer,
           "The graph for Model Explorer, and beside it, as FILE's name with .time.json, what colours it by "
           "time; - for standard output, which has the graph only");
  addValue(command, "--csv", "FILE", arguments->csv,
           "A folder: steps, tensors, circular buffers, runners-up and spills as tables")
      ->check(aFolder());
  addValue(command, "--python", "FILE", arguments->python,
           "A folder: the module as it stands, which is what 'tessera optimize -o' wrote, as main.py, a "
           "program for ttnn, and run.py, which runs it alone; docs/programs.md")
      ->check(aFolder());
  // The compiler looks programs up by this hash, so it means nothing to the other formats.
  addValue(command, "--graph-hash", "HASH", arguments->graphHash,
           "With --python: also module_key, by which a compiler with TTXLA_CODEGEN_LOAD_DIR knows the graph "
           "that the program stands for")
      ->needs(command->get_option("--python"))
      ->check(CLI::Validator(
          [](std::string &text) -> std::string {
            bool hash = text.size() == 16 && llvm::all_of(text, [](char c) { return llvm::isHexDigit(c); });
            return hash ? "" : "'" + text + "' is not 16 hexadecimal digits, as the compiler prints them";
          },
          ""));
}
