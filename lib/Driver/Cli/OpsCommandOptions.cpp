//===- OpsCommandOptions.cpp - What tessera ops and its commands take -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/CommandOptions.h"

#include "tessera/Driver/Commands.h"
#include "tessera/Layout/LayoutText.h"
#include "tessera/OpModel/QueryText.h"

using namespace tessera;

namespace {

void addExplain(CommandTree &tree, CLI::App &ops) {
  auto [command, arguments] =
      tree.add(ops, "explain", "Ask the op model about one op: legality, layouts, circular buffers, L1, time",
               explainOp);
  command->footer(
      "Of a file: --op names the op by its loc(\"...\"), by the name that 'tessera optimize --explain' "
      "lists, by its line (12, model.mlir:12, model.mlir:12:8), by its result (%5), or as the n-th of its "
      "kind (ttnn.matmul#3, from 0).\n\n"
      "Described: a tensor is SHAPExDTYPE@LAYOUT, e.g. 64x1024xf32@hs8; bf16 if no type is given. A layout "
      "is words with / between them, e.g. l1/height_sharded/8x1/row_major: " +
      legalLayoutWords() +
      ". @? leaves a result's layout to the backend; without --out its shape follows from the operands, "
      "where "
      "they tell it.\n\n"
      "The exit code is 0 only if the op is legal as asked. Examples:\n\n"
      "  tessera ops explain examples/llama_decode.mlir --op 'ttnn.matmul#3'\n"
      "  tessera ops explain ttnn.matmul --in 2048x2048@bs8x8 2048x2048@dram --out 2048x2048@bs8x8 "
      "--config 'mcast2d k=8 m=8 n=8 sub=1x8'");
  addValue(command, "op", "OP or FILE", arguments->op,
           "The op, e.g. ttnn.matmul; with --op, the TTNN file (- for standard input)")
      ->required();
  CLI::Option *selected = addValue(command, "--op", "NAME", arguments->selected, "Which op of the file");
  addAllowBytecode(command, arguments->allowBytecode);
  constexpr const char *kDescribed = "An op that is described";
  for (CLI::Option *option :
       {addValue(command, "--in", "TENSOR", arguments->in, "Operands"),
        addValue(command, "--out", "TENSOR", arguments->out, "Results"),
        addValue(command, "--attr", "NAME=VALUE", arguments->attributes,
                 "Attributes: dim=-1, permutation=[0,2,1], compute_config.math_fidelity=hifi4"),
        addValue(command, "--config", "TEXT", arguments->config, "How it runs: " + queryConfigWords())})
    // Of a file the op has all of these already.
    option->excludes(selected)->group(kDescribed);
  // No default: a device that was named outranks the file's description, one that was not must not.
  addDevice(command, arguments->device, "the file's ttcore.system_desc decides, else it is n150");
  addL1UsageCap(command, arguments->l1UsageCap);
  addOpModel(command, arguments->opModel, Caching::InMemory);
  addJson(command, arguments->json, "the answer");
}

void addTable(CommandTree &tree, CLI::App &ops) {
  auto [command, arguments] = tree.add(ops, "table", "Which memory layouts each op accepts", printOpTable);
  command->footer(
      "Examples:\n\n  tessera ops table\n  tessera ops table --device p150 --backend-version newest");
  addDevice(command, arguments->device, "")->capture_default_str();
  addOpModel(command, arguments->opModel, Caching::InMemory);
}

} // namespace

void tessera::addOps(CommandTree &tree) {
  auto [ops, arguments] = tree.add(
      tree.root(), "ops", "List the ops that the op model knows, or the legality rules of one", listOps);
  ops->footer(
      "Examples:\n\n"
      "  tessera ops                                            all ops\n"
      "  tessera ops ttnn.matmul                                the rules of one, each with its source\n"
      "  tessera ops explain model.mlir --op 'ttnn.matmul#3'    one op of a file");
  addValue(ops, "op", "OP", arguments->op, "An op, e.g. ttnn.matmul");
  addExplain(tree, *ops);
  addTable(tree, *ops);
  tree.addPart(*ops);
  // When all are there: a word that is no op may be one of them, mistyped.
  arguments->commands = commandNames(*ops);
}
