//===- DecisionCommandOptions.cpp - What commands on decisions take -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/CommandOptions.h"
#include "../Common/OptionEffects.h"

#include "tessera/Driver/Commands.h"

using namespace tessera;

void tessera::addExplainPlan(CommandTree &tree) {
  auto [command, arguments] = tree.add(
      tree.root(), "explain", "Say why an op got its layout, and what others would have cost", explainPlan);
  command->footer("Plans the module as 'tessera optimize' does and writes nothing; or takes what 'tessera "
                  "optimize --decisions' wrote. "
                  "With --op: where the op reads and writes, its time, who holds L1 beside it, what left L1 "
                  "for it, and what its runners-up "
                  "would have cost the plan, conversions and readers included. Without: the ten ops and the "
                  "ten conversions that take most "
                  "time, a sentence each, and who holds L1 where it is fullest. Examples:\n\n"
                  "  tessera explain examples/llama_decode.mlir\n"
                  "  tessera explain examples/llama_decode.mlir --by kind\n"
                  "  tessera explain examples/llama_decode.mlir --op matmul_0 --policy beam\n"
                  "  tessera explain decisions.json --op 'ttnn.matmul#3' --json -");
  addValue(command, "input", "FILE", arguments->input,
           "TTNN module, text or bytecode, - for standard input; or a decisions file")
      ->required();
  addValue(command, "--op", "NAME", arguments->op,
           "The op: its loc(\"...\") or as 'tessera optimize --explain' lists it, or ttnn.matmul#3 for the "
           "fourth of its kind in the plan, or %5 for what makes it in the module's text");
  addFlag(command, "--all", arguments->all, "Every op, one after the other")->excludes("--op");
  addValue(
      command, "--by", "GROUPS", arguments->by,
      "Where the time is, by " + listOfValues("GROUPS") +
          ": kinds of ops, layers (scopes of the locations, or what repeats itself), what bounds the time, "
          "or what conversions change")
      ->excludes("--op")
      ->excludes("--all");
  addValue(command, "--csv", "FILE", arguments->csv,
           "With --by: write all groups as a table; - for standard output")
      ->needs("--by");
  addTop(command, arguments->top, "Rows of each list")->excludes("--op")->excludes("--all");
  // A decisions file is planned already: options that would decide something are refused then, not ignored.
  std::vector<CLI::Option *> deciding{addPolicy(command, arguments->policy, /*orFile=*/true)};
  llvm::append_range(deciding, addPlanning(command, *arguments));
  refuseIdle(command, deciding, [arguments] { return decidersOf(*arguments); });
  addJson(command, arguments->json, "the same");
}

void tessera::addCandidates(CommandTree &tree) {
  auto [command, arguments] =
      tree.add(tree.root(), "candidates", "List the ways to run an op: layouts, configuration, time and L1",
               listCandidates);
  command->footer(
      "One line for each way that the op model accepts in an empty L1: layouts of the operands (as the "
      "input has them, as their producers may make them, as suits the result) "
      "and results, the "
      "configuration, its time and what bounds it, the L1 per core that it takes beside its "
      "operands, and what must "
      "stay free beside that because the figures are unconfirmed. The fastest first. Conversions "
      "are not part of it: "
      "'tessera explain' counts them. Ops are those of the graph that 'tessera optimize' plans with the same "
      "--rewrites. Examples:\n\n"
      "  tessera candidates examples/llama_decode.mlir --op matmul_0\n"
      "  tessera candidates examples/llama_decode.mlir --op matmul_0 --all --json table.json");
  addInput(command, arguments->input);
  addValue(command, "--op", "NAME", arguments->op, "The op, named as for 'tessera explain'")->required();
  addFlag(command, "--all", arguments->all,
          "Also list ways that take no less time and no less L1 than another one between the same layouts");
  addTop(command, arguments->top, "Rows; without it, all");
  // All ways to run an op are listed, so options that only lead a search have nothing to say here.
  std::vector<CLI::Option *> deciding = addPlanning(command, *arguments);
  llvm::erase_if(deciding, [](const CLI::Option *option) {
    return !llvm::is_contained({"--beam-width", "--beam-objective", "--beam-without", "--gap", "--time-limit",
                                "--drop-slow-chains", "--chains-as-designed", "--spill", "--schedule"},
                               option->get_name());
  });
  refuseIdle(command, deciding, [] {
    return Deciders{{}, "the ways to run an op are the same, whoever decides in which order"};
  });
  addJson(command, arguments->json, "the table");
}
