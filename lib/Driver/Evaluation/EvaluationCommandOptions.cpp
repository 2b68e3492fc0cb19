//===- EvaluationCommandOptions.cpp - Commands on the op model's truth ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/CommandOptions.h"
#include "../Common/OptionNames.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Evaluation/Evaluation.h"

using namespace tessera;

namespace {

constexpr const char *kTimings = "CSV of device timings, or a folder of such files";

void addCliffs(CommandTree &tree, CLI::App &ops) {
  auto [command, arguments] =
      tree.add(ops, "cliffs", "Search the op model's times for jumps, and for transfers that cost nothing",
               searchCliffs);
  command->footer(
      "For every op of the files, the places of its tensors are changed one at a time. Each kind of change "
      "that makes a time jump by more than three, or that moves a tensor to DRAM for free, needs a reason "
      "from the hardware (lib/Evaluation/CliffReasons.cpp); without one the command fails. "
      "Example:\n\n"
      "  tessera ops cliffs models/ --device p150 --report cliffs.md");
  addValue(command, "files", "FILE", arguments->inputs,
           "TTNN files, folders of them, or .txt files with one query of 'tessera ops explain' a line")
      ->required();
  addAllowBytecode(command, arguments->allowBytecode);
  addValue(command, "--device", "BOARD", arguments->devices,
           "The boards: " + listOfValues("BOARD") + "; 'tessera devices' describes them")
      ->capture_default_str();
  addValue(command, "--report", "FILE", arguments->report,
           "Write all that was found as Markdown; - for standard output");
}

void addCounts(CommandTree &tree, CLI::App &ops) {
  auto [command, arguments] =
      tree.add(ops, "counts", "Compare what the model says kernels execute with what was counted",
               compareKernelCounts);
  command->footer(
      "Cores exact; reads and writes, waits for either, and bytes of the busiest DRAM channel within 5 %; "
      "median error of the instructions of the busier data-movement processor. docs/kernel-counts.md says "
      "what is "
      "counted, docs/timings-format.md what the table's columns are. Example:\n\n"
      "  tessera ops counts evidence/kernel_counts.csv");
  addValue(command, "table", "FILE", arguments->table, "Calls with what their kernels executed")->required();
}

/// Which calls are made, and who answers.
void addLibraryCalls(CLI::App *command, LibraryCalls &calls) {
  addValue(command, "--ops", "OP,...", calls.ops, "Only calls of these ops; else all that models call")
      ->delimiter(',');
  addValue(command, "--scale", "NUMBER", calls.scale, "How many calls: 1 is some 2,700")
      ->check(number())
      ->capture_default_str();
  addDevice(command, calls.device,
            "the table's rows or the module's ttcore.system_desc decide, else it is n150");
  addLibrary(command, calls.version, calls.workers);
}

void addHarvest(CommandTree &tree, CLI::App &ops) {
  auto [command, arguments] = tree.add(
      ops, "harvest", "Ask the vendor's library about calls as models make them, and write rows of goldens",
      harvestOps);
  command->footer(
      "Shapes are those of published models, layouts and configurations those that the search has. Equal "
      "seeds make equal calls; other seeds make others. With --from-search, the calls are all that the "
      "search "
      "asks the op model about when it plans the modules. 'tessera ops evaluate --goldens' reads the rows; "
      "docs/timings-format.md has their columns. The library comes from 'tessera setup ttnn'. Examples:\n\n"
      "  tessera ops harvest --seed 7 --ops matmul,linear -o rows.csv\n"
      "  tessera ops harvest --from-search model.mlir -o asked.csv\n"
      "  tessera ops evaluate --goldens rows.csv --rows");
  addValue(command, "--seed", "NUMBER", arguments->seed, "Which calls")
      ->check(wholeNumber(0, UINT32_MAX))
      ->capture_default_str();
  CLI::Option *search = addValue(command, "--from-search", "FILE", arguments->fromSearch,
                                 "TTNN modules whose search is listened to");
  // Before the option is made, as that shows it as its default.
  arguments->policy = kDefaultPolicy;
  addValue(command, "--policy", "POLICY", arguments->policy,
           "Whose search that is: " + listOfValues("POLICY"))
      ->capture_default_str();
  addAllowBytecode(command, arguments->allowBytecode);
  addLibraryCalls(command, *arguments);
  addProgress(command, arguments->progress);
  addValue(command, "-o,--output", "FILE", arguments->out, "The rows; - for standard output")
      ->capture_default_str();
  // Calls are made, or heard: what is about the one says nothing of the other.
  for (const char *name : {"--policy", "--allow-bytecode"})
    command->get_option(name)->needs(search);
  for (const char *name : {"--seed", "--ops", "--scale"})
    command->get_option(name)->excludes(search);
}

void addEvaluate(CommandTree &tree, CLI::App &ops) {
  auto [command, arguments] =
      tree.add(ops, "evaluate", "Compare the op model with rows of real answers and times", evaluateOps);
  command->footer(
      "Columns are found by name, in any order. What the model cannot express is counted as skipped. "
      "docs/timings-format.md has the columns, with an example of ten rows, docs/op-model.md the keys of "
      "--json. With --library the answers are those that the vendor's library gives now ('tessera setup "
      "ttnn'): to the calls of --goldens, or else to those that 'tessera ops harvest' makes of --seed. "
      "Examples:\n\n"
      "  tessera ops evaluate --timings mine.csv --rows\n"
      "  tessera ops evaluate --library --seed 7 --ops matmul,conv2d --rows\n"
      "  tessera ops evaluate --goldens evidence/goldens.csv --timings evidence/timings --json "
      "accuracy.json");
  addValue(command, "--goldens", "FILE", arguments->goldens,
           "CSV of a real backend's answers: legality and L1 figures");
  addValue(command, "--timings", "FILE", arguments->timings, kTimings);
  addValue(command, "--calibration", "FILE", arguments->calibration,
           "Parameters of the model's times, as 'tessera ops calibrate' writes them");
  addValue(command, "--cross-validate", "N", arguments->folds,
           "Also fit the times' parameters to all but one of N parts of the timings, no shape in two of "
           "them, and judge the part left out; 5 is usual")
      ->check(wholeNumber(2, 100));
  // One seed for all that is drawn, so that one number repeats a run.
  addValue(command, "--seed", "NUMBER", arguments->seed,
           "Of the parts and of the values that fits begin with, and of the calls with --library")
      ->check(wholeNumber(0, UINT32_MAX))
      ->capture_default_str();
  addFlag(command, "--library", arguments->library, "Ask the vendor's library instead of believing a table");
  addLibraryCalls(command, arguments->calls);
  addValue(command, "--group-by", "GROUP", arguments->groupBy,
           "Of what to print medians and sums of times, rows kept to check apart: " +
               listOfValues("GROUP", evaluationCommands().values))
      ->capture_default_str();
  addFlag(command, "--rows", arguments->rows,
          "List every timing, the goldens that the model gets wrong, and what was skipped");
  addProgress(command, arguments->progress);
  addJson(command, arguments->json, "all figures, shares in 0..1,");
  // What is about times says nothing of goldens, and what is about calls that are made nothing of tables.
  for (const char *name : {"--calibration", "--cross-validate", "--group-by"})
    command->get_option(name)->needs(command->get_option("--timings"));
  for (const char *name : {"--ops", "--scale", "--device", "--version", "--workers"})
    command->get_option(name)->needs(command->get_option("--library"));
}

void addCalibrate(CommandTree &tree, CLI::App &ops) {
  auto [command, arguments] = tree.add(
      ops, "calibrate", "Fit the op model's times to timings of your own device and software", calibrateOps);
  command->footer("The tables are those that 'tessera ops evaluate --timings' reads. Parameters that no row "
                  "depends on keep their built-in values. Example:\n\n"
                  "  tessera ops calibrate --timings my-board.csv --out my-board.json\n"
                  "  tessera optimize model.mlir --device n150 --op-model analytic:my-board.json");
  addValue(command, "--timings", "FILE", arguments->timings, kTimings)->required();
  addValue(command, "--out", "FILE", arguments->out, "The calibration file to write; - for standard output")
      ->required();
  addProgress(command, arguments->progress);
}

void addConvertTables(CommandTree &tree, CLI::App &ops) {
  auto [command, arguments] =
      tree.add(ops, "convert",
               "Write a table of timings or goldens with the columns of docs/timings-format.md", convertRows);
  command->footer(
      "For tables that were published with other columns, as 'tessera ops evaluate' reads them, too. "
      "What these columns cannot express is skipped, and named. Example:\n\n"
      "  tessera ops convert --timings data_movement.csv --out rows.csv");
  CLI::Option *goldens = addValue(command, "--goldens", "FILE", arguments->goldens, "CSV of goldens");
  CLI::Option *timings = addValue(command, "--timings", "FILE", arguments->timings, "CSV of timings");
  goldens->excludes(timings);
  addValue(command, "--out", "FILE", arguments->out, "The table to write; - for standard output")->required();
}

void addParameters(CommandTree &tree, CLI::App &ops) {
  auto [command, arguments] =
      tree.add(ops, "parameters", "List the figures that the op model's times are made of", listParameters);
  command->footer("Unit, value for each architecture, which values 'tessera ops calibrate' may change, and "
                  "where they were measured. A file written with --json can be edited and given to "
                  "--op-model analytic:FILE. Examples:\n\n"
                  "  tessera ops parameters\n"
                  "  tessera ops parameters --json mine.json");
  addValue(command, "--calibration", "FILE", arguments->calibration,
           "Show the values of this calibration file");
  addJson(command, arguments->json, "the values, a calibration file,");
}

constexpr OptionValues kValues[] = {
    {"GROUP", [] { return namesUpTo(TimingGrouping::Program); }},
};

void addCommands(CommandTree &tree, CLI::App &ops) {
  addCliffs(tree, ops);
  addCounts(tree, ops);
  addEvaluate(tree, ops);
  addHarvest(tree, ops);
  addCalibrate(tree, ops);
  addConvertTables(tree, ops);
  addParameters(tree, ops);
}

} // namespace

const CommandPart &tessera::evaluationCommands() {
  static constexpr CommandPart kPart{"ops", addCommands, kValues};
  return kPart;
}
