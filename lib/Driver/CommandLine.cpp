//===- CommandLine.cpp - The tessera command line -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Driver/Commands.h"

#include <CLI/CLI.hpp>

using namespace tessera;

namespace {

constexpr const char *kAbout = R"(Tessera decides where every tensor of a TTNN program lives on a Tenstorrent chip: which memory, how it is sharded
over which cores, which configuration each op runs with, and where tensors are resharded or spilled. It needs no chip.

  tessera optimize model.mlir -o optimized.mlir          decide, check, rewrite, and say what changed
  tessera optimize model.mlir --device p150 --json -     decide for another board, summary as JSON
  tessera ops ttnn.matmul                                which layouts an op accepts, and why
  tessera layout --shape 53x63 --grid 3x2 --tile         where the elements of a tensor lie, and what is padding)";

constexpr const char *kExitCodes = R"(Exit codes: 0 done; 1 the input or an output file is at fault; 2 the command line is; 3 internal check failed,
nothing was written; 4 out of memory.)";

enum class Caching { InMemory, OnDiskToo };

void addAllowBytecode(CLI::App *command, bool &allow) {
  command->add_flag("--allow-bytecode", allow, "Read MLIR bytecode, which is trusted to be whole: damaged files corrupt memory");
}

/// The options that every command has that asks the op model.
void addOpModel(CLI::App *command, OpModelOptions &options, Caching caching) {
  command->add_option("--op-model", options.choice,
                      "Who answers what ops cost and allow: analytic[:CALIBRATION], the built-in formulas; "
                      "recorded:FILE[,fallthrough], a record; record:FILE[,plugin:FILE|,mock], writes one; plugin:FILE[,fallthrough], "
                      "a shared library; mock, accepts everything at fixed cost, for tests. See docs/op-model-backends.md")
      ->capture_default_str();
  command->add_option("--backend-version", options.backendVersion,
                      "Version of the backend that the built-in formulas answer for: january-2025, august-2025, "
                      "september-2025, autumn-2025, early-november-2025, pinned (the one they are checked against), late-november-2025, newest")
      ->capture_default_str();
  if (caching == Caching::OnDiskToo)
    command->add_option("--op-model-cache", options.cacheFile,
                        "Keep the op model's answers in this file between runs. Worth it for slow plug-ins; results stay the same");
}

void addOptimize(CLI::App &app, OptimizeArguments &arguments) {
  CLI::App *command = app.add_subcommand("optimize", "Decide memory layouts and configurations of a TTNN module");
  command->footer("The input is TTNN IR as tt-mlir writes it with its optimizer off: every tensor DRAM interleaved. Functions marked\n"
                  "tt.function_type = \"forward_device\" (or not marked) are optimized, all else passes through untouched. Every plan is\n"
                  "re-validated op by op before anything is written. Example:\n\n"
                  "  tessera optimize examples/llama_decode.mlir -o optimized.mlir --json summary.json");
  command->add_option("input", arguments.input, "TTNN module; - for standard input")->required();
  addAllowBytecode(command, arguments.allowBytecode);
  command->add_option("-o,--output", arguments.output, "Where the optimized module goes; - for standard output. Without it nothing is written");
  command->add_option("--device", arguments.device, "Board to decide for (see 'tessera devices'); default: the module's ttcore.system_desc, else n150");
  command->add_option("--policy", arguments.policy, "Who decides (see 'tessera policies')")->capture_default_str();
  addOpModel(command, arguments.opModel, Caching::OnDiskToo);
  command->add_option("--json", arguments.json, "Write the summary as JSON; - for standard output");
  command->add_option("--dump-plan", arguments.dumpPlan, "Write the complete plan as JSON: every op's configuration, every tensor's layout, every step");
  command->add_option("--tensor-l1-usage-cap", arguments.l1UsageCap, "Share of usable L1 that tensors and circular buffers may take")
      ->check(CLI::Range(0.0, 1.0))->capture_default_str();
  command->add_option("--max-legal-layouts", arguments.maxLegalLayouts, "Sharded result layouts considered per op")->capture_default_str();
  command->add_flag("--row-major-enabled", arguments.rowMajor, "Also consider row-major layouts for tiled tensors");
  command->add_option("--dump-solver", arguments.dumpSolver,
                      "Write every step of the chain policies' solvers and the state after it, as text, or as JSON if the name ends in "
                      ".json; - for standard output");
  command->add_flag("--l1-interleaved-fallback-analysis-enabled", arguments.l1InterleavedFallback,
                    "As a last step, move results that only the next op reads from DRAM to L1 interleaved");
  command->add_option("--override-output-layout", arguments.overrideOutputLayout,
                      "Layouts of your own: op=8x8:l1:block_sharded:tile[,op=...]; any subset of the fields, in any order. Ops are named by "
                      "their loc(\"...\"), or as --explain lists them");
  command->add_option("--override-conv2d-config", arguments.overrideConv2dConfig,
                      "conv2d configs of your own: op=act_block_h_override#32:shard_layout#height_sharded[,op=...]");
  command->add_option("--insert-memreconfig", arguments.insertMemReconfig, "Conversions in front of operands: op=0:1[,op=...]");
  command->add_flag("--debuginfo", arguments.debugInfo, "Print locations, which carry the names of inserted ops");
  command->add_flag("--explain", arguments.explain, "Print every step of the plan: layouts, configuration, time and what bounds it, L1 in use");
  command->add_flag("-q,--quiet", arguments.quiet, "No summary, no progress and no remarks");
}

void addLayout(CLI::App &app, LayoutArguments &arguments) {
  CLI::App *command = app.add_subcommand("layout", "Build a tensor layout and say what follows from it");
  command->footer("Prints #ttcore.metal_layout, the shard, bytes, padding, where an element lies, and TTNN's "
                  "layout or why there is none.\n"
                  "docs/tensor-layout.md explains the terms. Example:\n\n"
                  "  tessera layout --shape 2x3x64x128 --grid 2x4 --dtype bf16 --tile --index 1,1,6,100 "
                  "--svg layout.svg");
  command->add_option("--shape", arguments.shape, "Shape of the tensor, e.g. 2x3x64x128")->required();
  command
      ->add_option("--grid", arguments.grid,
                   "Cores per physical dimension, e.g. 2x4; a virtual grid, may have any rank")
      ->required();
  command->add_option("--dtype", arguments.dtype, "Format in memory: f32, bf16, bfp_bf8, ...")
      ->capture_default_str();
  command
      ->add_option("--tile", arguments.tile,
                   "In tiles, of 32x32 unless a shape is given; without it, scalars")
      ->expected(0, 1)
      ->default_str("32x32");
  command
      ->add_option(
          "--collapse", arguments.collapse,
          "Dimensions [begin, end) that fold into one, negative from the end; several: 0:3,-3:-1; or none")
      ->capture_default_str();
  command->add_option("--align", arguments.align,
                      "Per dimension, what its extent is rounded up to in the strides above it, e.g. 1x32x1");
  command->add_option("--oob", arguments.oob, "What fills padding: undef, zero, one, inf, neginf")
      ->capture_default_str();
  command->add_option("--memory", arguments.memory, "Where the shards lie: system, mmio, dram, l1")
      ->capture_default_str();
  command->add_option("--index", arguments.index, "Element to look up, e.g. 1,1,6,100");
  command->add_flag("--padding", arguments.padding, "List the regions of each shard that hold padding");
  command->add_option("--device", arguments.device, "Board whose cores are meant (see 'tessera devices')")
      ->capture_default_str();
  command->add_option("--svg", arguments.svg, "Draw cores, shards, tiles and padding; - for standard output");
}

void addCompare(CLI::App &app, CompareArguments &arguments) {
  CLI::App *command = app.add_subcommand("compare", "Run several policies on one module and set their results side by side");
  command->footer("Nothing is written but the table. Example:\n\n"
                  "  tessera compare examples/resnet_block.mlir --policies greedy,df-sharding,df-sharding-1");
  command->add_option("input", arguments.input, "TTNN module; - for standard input")->required();
  addAllowBytecode(command, arguments.allowBytecode);
  command->add_option("--policies", arguments.policies, "Which, separated by commas; default: all")->delimiter(',');
  command->add_option("--device", arguments.device, "Board to decide for (see 'tessera devices')");
  addOpModel(command, arguments.opModel, Caching::OnDiskToo);
  command->add_option("--json", arguments.json, "Write the figures as JSON; - for standard output");
  command->add_option("--tensor-l1-usage-cap", arguments.l1UsageCap, "Share of usable L1 that may be taken")
      ->check(CLI::Range(0.0, 1.0))->capture_default_str();
  command->add_option("--max-legal-layouts", arguments.maxLegalLayouts, "Sharded result layouts considered per op")->capture_default_str();
}

void addEvaluate(CLI::App &ops, EvaluateArguments &arguments) {
  CLI::App *command = ops.add_subcommand("evaluate", "Compare the op model with rows of real answers and times");
  command->footer("Columns are found by name, in any order; any subset of rows will do. What the model cannot express is counted\n"
                  "as skipped. docs/op-model.md lists the columns and the keys of --json. Example:\n\n"
                  "  tessera ops evaluate --goldens opmodel-goldens.csv --timings perf --json accuracy.json");
  command->add_option("--goldens", arguments.goldens, "CSV of a real backend's answers: legality and L1 figures");
  command->add_option("--timings", arguments.timings, "CSV of device timings, or a folder of such files");
  command->add_option("--json", arguments.json, "Write all figures as JSON, shares in 0..1; - for standard output");
  command->add_option("--calibration", arguments.calibration, "Parameters of the model's times, as 'tessera ops calibrate' writes them");
  command->add_option("--cross-validate", arguments.folds,
                      "Also fit the times' parameters to all but one of N parts of the timings, no shape in two of them, and judge the "
                      "part left out; 5 is usual")
      ->check(CLI::Range(2, 100));
  command->add_option("--seed", arguments.seed, "Of the parts and of the values that fits begin with")->capture_default_str();
  command->add_flag("--rows", arguments.rows, "List every timing, the goldens that the model gets wrong, and what was skipped");
}

void addParameters(CLI::App &ops, ParametersArguments &arguments) {
  CLI::App *command = ops.add_subcommand("parameters", "List the figures that the op model's times are made of");
  command->footer("Unit, value for each architecture, which values 'tessera ops calibrate' may change, and where they were measured.\n"
                  "A file written with --json can be edited and given to --op-model analytic:FILE.");
  command->add_option("--calibration", arguments.calibration, "Show the values of this calibration file");
  command->add_option("--json", arguments.json, "Write the values as a calibration file; - for standard output");
}

void addCalibrate(CLI::App &ops, CalibrateArguments &arguments) {
  CLI::App *command = ops.add_subcommand("calibrate", "Fit the op model's times to timings of your own device and software");
  command->footer("The tables are those that 'tessera ops evaluate --timings' reads. Parameters that no row depends on keep their built-in\n"
                  "values. Example:\n\n"
                  "  tessera ops calibrate --timings my-board.csv --out my-board.json\n"
                  "  tessera optimize model.mlir --device n150 --op-model analytic:my-board.json");
  command->add_option("--timings", arguments.timings, "CSV of device timings, or a folder of such files")->required();
  command->add_option("--out", arguments.out, "The calibration file to write; - for standard output")->required();
}

void addExplain(CLI::App &ops, ExplainArguments &arguments) {
  CLI::App *command = ops.add_subcommand("explain", "Ask the op model about one op: legality, layouts, circular buffers, L1, time");
  command->footer("Of a file: --op names the op by its loc(\"...\"), by the name that 'tessera optimize --explain' lists, by its line\n"
                  "(12, model.mlir:12, model.mlir:12:8), by its result (%5), or as the n-th of its kind (ttnn.matmul#3, from 0).\n"
                  "Described: a tensor is SHAPExDTYPE@LAYOUT, e.g. 64x1024xf32@hs8; bf16 if no type is given. Layouts: dram, l1, host,\n"
                  "hsN, wsN, bsRxC (sharded over N or RxC cores), wsdramN, each with /rm for row-major; @? leaves a result to the\n"
                  "backend. Examples:\n\n"
                  "  tessera ops explain examples/llama_decode.mlir --op 'ttnn.matmul#3'\n"
                  "  tessera ops explain ttnn.matmul --in 2048x2048@bs8x8 2048x2048@dram --out 2048x2048@bs8x8 "
                  "--config 'mcast2d k=8 m=8 n=8 sub=1x8'");
  command->add_option("op", arguments.op, "The op, e.g. ttnn.matmul; with --op, the TTNN file (- for standard input)")->required();
  CLI::Option *selected = command->add_option("--op", arguments.selected, "Which op of the file");
  addAllowBytecode(command, arguments.allowBytecode);
  for (CLI::Option *option : {command->add_option("--in", arguments.in, "Operands"), command->add_option("--out", arguments.out, "Results"),
                              command->add_option("--attr", arguments.attributes,
                                                  "Attributes, name=value: dim=-1, permutation=[0,2,1], compute_config.math_fidelity=hifi4"),
                              command->add_option("--config", arguments.config,
                                                  "reuse, mcast2d, mcast1d_in0, mcast1d_in1, dram_sharded with grid, k, m, n, sub, block; or conv")})
    option->excludes(selected);
  command->add_option("--device", arguments.device, "Board (see 'tessera devices'); default: the file's ttcore.system_desc, else n150");
  addOpModel(command, arguments.opModel, Caching::InMemory);
  command->add_option("--json", arguments.json, "Write the answer as JSON; - for standard output");
}

void addTable(CLI::App &ops, OpTableArguments &arguments) {
  CLI::App *command = ops.add_subcommand("table", "Which memory layouts each op accepts");
  command->add_option("--device", arguments.device, "Board (see 'tessera devices')")->capture_default_str();
  addOpModel(command, arguments.opModel, Caching::InMemory);
}

/// `-o ""` is most often a variable of a script that is not set, rather than a wish for no output.
void refuseEmptyFileNames(CLI::App &app) {
  for (const char *name : {"--output", "--json", "--dump-plan", "--dump-solver", "--op-model-cache", "--svg", "--out"})
    if (CLI::Option *option = app.get_option_no_throw(name))
      option->check([](const std::string &path) { return path.empty() ? "the file name is empty" : ""; });
  for (CLI::App *command : app.get_subcommands({}))
    refuseEmptyFileNames(*command);
}

} // namespace

int tessera::runCommandLine(int argc, char **argv) {
  CLI::App app(kAbout, "tessera");
  app.footer(kExitCodes);
  app.require_subcommand(1);
  app.set_version_flag("--version", "tessera " TESSERA_VERSION);
  app.get_formatter()->column_width(34);

  OptimizeArguments optimize;
  addOptimize(app, optimize);
  LayoutArguments layout;
  addLayout(app, layout);
  CompareArguments compare;
  addCompare(app, compare);
  app.add_subcommand("devices", "List the boards that Tessera knows, with the figures it uses");
  app.add_subcommand("policies", "List the policies that can decide");
  CLI::App *ops = app.add_subcommand("ops", "List the ops that the op model knows, or the legality rules of one");
  std::string op;
  ops->add_option("op", op, "An op, e.g. ttnn.matmul");
  EvaluateArguments evaluate;
  addEvaluate(*ops, evaluate);
  CalibrateArguments calibrate;
  addCalibrate(*ops, calibrate);
  ParametersArguments parameters;
  addParameters(*ops, parameters);
  ExplainArguments explain;
  addExplain(*ops, explain);
  OpTableArguments table;
  addTable(*ops, table);
  refuseEmptyFileNames(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? kSuccess : kUsageError;
  }
  if (app.got_subcommand("optimize"))
    return runOptimize(optimize);
  if (app.got_subcommand("layout"))
    return runLayout(layout);
  if (app.got_subcommand("compare"))
    return runCompare(compare);
  if (app.got_subcommand("devices"))
    return listDevices();
  if (app.got_subcommand("policies"))
    return listPolicies();
  if (ops->got_subcommand("explain"))
    return explainOp(explain);
  if (ops->got_subcommand("table"))
    return printOpTable(table);
  if (ops->got_subcommand("evaluate"))
    return evaluateOps(evaluate);
  if (ops->got_subcommand("calibrate"))
    return calibrateOps(calibrate);
  if (ops->got_subcommand("parameters"))
    return listParameters(parameters);
  return listOps(op);
}
