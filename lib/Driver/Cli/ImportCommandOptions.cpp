//===- ImportCommandOptions.cpp - What tessera import takes ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Common/CommandOptions.h"

#include "tessera/Driver/Commands.h"

using namespace tessera;

/// What both ways in have in common.
static void addCompiler(CLI::App *command, ImportArguments &arguments) {
  addValue(
      command, "--level", "N", arguments.level,
      "How much the compiler does: 0 nothing, 1 rewrites of the graph, 2 layouts and configs as well: the "
      "plan to compare with")
      ->check(wholeNumber(0, 2))
      ->capture_default_str();
  addDevice(command, arguments.device, "")->capture_default_str();
  addValue(command, "-o,--output", "FILE", arguments.output, "Where the module goes; '-' is standard output")
      ->capture_default_str();
}

void tessera::addImport(CommandTree &tree) {
  CLI::App *import = tree.root()
                         .add_subcommand("import", "Make a TTNN module of a model, with the public compiler")
                         ->group("Commands");
  import->require_subcommand(1);
  import->footer("The compiler comes from 'tessera setup jax' or 'tessera setup torch' and needs no chip; "
                 "docs/import.md tells more. Examples:\n\n"
                 "  tessera import jax examples/jax/mlp.py:mlp --params 1- -o mlp.mlir\n"
                 "  tessera import torch examples/torch/block.py:Block -o block.mlir");
  auto [jax, arguments] = tree.add(*import, "jax", "A function that JAX can trace", importJax);
  jax->footer("The function takes and returns tensors. A tree of arrays that is an argument's default, as "
              "models of flax have it, is weights. Examples:\n\n"
              "  tessera import jax examples/jax/mlp.py:mlp --params 1- -o mlp.mlir\n"
              "  tessera import jax examples/jax/mlp.py:mlp --shape 64x1024xbf16 --shape 1024x4096xbf16 "
              "--shape 4096x1024xbf16 --params 1- -o mlp.mlir");
  addValue(jax, "function", "MODULE:NAME", arguments->input,
           "package.module:function, looked for in this folder first, or file.py:function")
      ->required();
  // Arguments are described and not made: the compiler traces with shapes alone.
  addValue(jax, "--shape", "SHAPE", arguments->shapes,
           "Shape and type of an argument, as in 32x2048xbf16; once for each, in their order. Without it, "
           "those by which the function's arguments are annotated, as in (x: \"32x2048xbf16\")")
      ->expected(1, -1);
  addValue(
      jax, "--params", "NAMES", arguments->parameters,
      "Which arguments are weights: names, positions from 0, or ranges 2-8 or 2-; commas between them. What "
      "depends on weights alone is computed once")
      ->delimiter(',');
  addValue(jax, "--donate", "NAMES", arguments->donated,
           "Which arguments the caller gives up, as caches are, so that results may be made in their place; "
           "named like weights. Those that jax.jit(function, donate_argnums=...) names are anyway")
      ->delimiter(',');
  addCompiler(jax, *arguments);
  auto [torch, called] = tree.add(*import, "torch", "A model of PyTorch", importTorch);
  torch->footer(
      "The model is a torch.nn.Module, or a class or function that makes one without arguments. Its "
      "parameters and buffers are weights; a buffer that forward changes, such as a cache, is an "
      "argument and a result. Examples:\n\n"
      "  tessera import torch examples/torch/block.py:Block -o block.mlir\n"
      "  tessera import torch examples/torch/block.py:Block --shape 1x256x768xbf16 -o block.mlir");
  addValue(torch, "model", "MODULE:NAME", called->input,
           "package.module:NAME, looked for in this folder first, or file.py:NAME")
      ->required();
  addValue(torch, "--shape", "SHAPE", called->shapes,
           "Shape and type of an argument of forward, as in 1x128x768xbf16; once for each, in their order. "
           "Without it, those by which they are annotated, as in (self, x: \"1x128x768xbf16\")")
      ->expected(1, -1);
  addCompiler(torch, *called);
  auto [stablehlo, given] = tree.add(*import, "stablehlo", "A StableHLO module, as text", importStableHlo);
  stablehlo->footer("Weights are marked in it by stablehlo.custom_call @tt.mark_argument. "
                    "Example:\n\n  tessera import stablehlo model.stablehlo.mlir -o model.mlir");
  addValue(stablehlo, "input", "FILE", given->input, "The module; - for standard input")->required();
  addCompiler(stablehlo, *given);
}
