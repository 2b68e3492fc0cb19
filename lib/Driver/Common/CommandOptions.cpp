//===- CommandOptions.cpp - What commands on modules and layouts take ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Options of several commands are added by one function each, with their words
// and their defaults, so that what is learned at one command holds for the
// others. Who plans a module in order to explain, draw or compare it has to
// plan it as `tessera optimize` did.
//
//===----------------------------------------------------------------------===//
#include "CommandOptions.h"
#include "OptionEffects.h"

#include "tessera/Bridge/Overrides.h"
#include "tessera/Driver/Commands.h"
#include "tessera/Layout/LayoutText.h"
#include "tessera/OpModel/Backends.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace tessera;

// Validators change no text and look at one word each: what two options mean together is for the command, or for
// needs() and excludes().
// ---- What options have in common -------------------------------------------------------------------------

/// Decimal, both bounds included.
CLI::Validator tessera::wholeNumber(int64_t least, int64_t most) {
  return CLI::Validator(
      [=](std::string &text) -> std::string {
        int64_t number = 0;
        if (!llvm::StringRef(text).getAsInteger(10, number) && number >= least && number <= most)
          return "";
        // Without bounds of its own the range would be that of the type, which tells a user nothing.
        if (least == std::numeric_limits<int64_t>::min())
          return "expected a whole number, got " + text;
        return llvm::formatv("expected a whole number from {0} to {1}, got {2}", least, most, text);
      },
      "");
}

CLI::Validator tessera::number() {
  return CLI::Validator(
      [](std::string &text) -> std::string {
        double number = 0;
        // What is NaN compares with nothing, and no bound of it is ever reached.
        bool wrong = llvm::StringRef(text).getAsDouble(number) || std::isnan(number);
        return wrong ? "expected a number, got " + text : "";
      },
      "");
}

CLI::Validator tessera::notEmpty(llvm::StringRef label) {
  const char *wrong = label == "FILE" ? "the file name is empty" : "the value is empty";
  return CLI::Validator([=](std::string &text) -> std::string { return text.empty() ? wrong : ""; }, "");
}

/// A number, or as people say it, so many percent. What is bound to the option is the number.
static CLI::Validator share() {
  return CLI::Validator(
      [](std::string &text) -> std::string {
        llvm::StringRef digits = text;
        const bool percent = digits.consume_back("%");
        double number = 0;
        if (digits.getAsDouble(number))
          return "expected a share, such as 0.95 or 95%, got '" + text + "'";
        // So many digits that no bit is lost: 95% and 0.95 are one number, and give one plan.
        if (percent)
          text = llvm::formatv("{0:e16}", number / 100);
        return "";
      },
      "");
}

CLI::Option *tessera::addFlag(CLI::App *command, const char *names, bool &value, const char *help) {
  // CLI11 would take `--quiet=false` and count what is given twice.
  return command->add_flag(names, value, help)->disable_flag_override();
}

void tessera::addAllowBytecode(CLI::App *command, bool &allow) {
  addFlag(command, "--allow-bytecode", allow,
          "Read MLIR bytecode, which is trusted to be whole: damaged files corrupt memory");
}

CLI::Option *tessera::addDevice(CLI::App *command, std::string &device, const std::string &otherwise) {
  return addValue(command, "--device", "BOARD", device,
                  "The board: " + listOfValues("BOARD") + "; 'tessera devices' describes them" +
                      (otherwise.empty() ? "" : "; without it, " + otherwise));
}

CLI::Option *tessera::addProgress(CLI::App *command, bool &progress) {
  return addFlag(command, "--progress", progress,
                 "Say on standard error how far the run has got; on a terminal it is said without");
}

CLI::Option *tessera::addTop(CLI::App *command, int64_t &top, const std::string &what) {
  CLI::Option *option = addValue(command, "--top", "NUMBER", top, what)->check(wholeNumber(1, 1000000));
  // 0 stands for all: a default that no user can write is not shown.
  return top > 0 ? option->capture_default_str() : option;
}

void tessera::addJson(CLI::App *command, std::string &path, const std::string &what) {
  addValue(command, "--json", "FILE", path, "Write " + what + " as JSON; - for standard output");
}

/// "..., pinned or 0.66.0, ...": of the versions that belong to a library the library's number is taken as well.
static std::string versionsOfBackend() {
  std::vector<std::string> names;
  for (const BackendVersionInfo &version : backendVersions())
    names.push_back((version.name + (version.library.empty() ? "" : " or ") + version.library).str());
  return llvm::join(names, ", ");
}

void tessera::addOpModel(CLI::App *command, OpModelOptions &options, Caching caching) {
  std::string who = "Who answers what ops cost and allow; docs/op-model-backends.md tells more";
  // The forms are those of the table, so help cannot leave one out.
  for (const OpModelBackendInfo &backend : opModelBackends())
    who += ("\n- " + backend.form + ": " + backend.summary).str();
  addValue(command, "--op-model", "WHO", options.choice, who)->capture_default_str();
  addValue(
      command, "--backend-version", "VERSION", options.backendVersion,
      "The backend's version that the built-in formulas answer for, oldest first: " + versionsOfBackend() +
          "; without it, that of the vendor's library if it is asked, else the "
          "one that the module was imported or planned for, else " +
          kDefaultBackendVersion);
  if (caching == Caching::OnDiskToo)
    addValue(command, "--op-model-cache", "FILE", options.cacheFile,
             "Keep the op model's answers in this file between runs. Worth it for slow plug-ins; results "
             "stay the same");
}

void tessera::addL1UsageCap(CLI::App *command, double &l1UsageCap) {
  addValue(command, "--tensor-l1-usage-cap", "SHARE", l1UsageCap,
           "Share of usable L1 that tensors and circular buffers may take, from 0 to 1, or as 95%; never "
           "more than is left beside the 64 KiB of L1_SMALL, with which tt-mlir opens devices")
      ->transform(share())
      ->capture_default_str();
}

void tessera::addInput(CLI::App *command, std::string &input) {
  addValue(command, "input", "FILE", input, "TTNN module, text or bytecode; - for standard input")
      ->required();
}

/// Limits of searches are bounds on what is looked at, never on time: the same input gives the same plan on any
/// machine.
void tessera::addSearchLimits(CLI::App *command, double &l1UsageCap, int64_t &maxLegalLayouts, BeamText &beam,
                              std::string &spill) {
  addL1UsageCap(command, l1UsageCap);
  addValue(
      command, "--max-legal-layouts", "NUMBER", maxLegalLayouts,
      "Sharded result layouts considered per op, the largest grids first; of each kind of sharding a quarter "
      "as many in any case")
      ->check(wholeNumber())
      ->capture_default_str();
  addValue(
      command, "--spill", "STRATEGY", spill,
      "Which values leave L1 where it is full, " + listOfValues("STRATEGY") +
          ". policy: each policy's own way; else the policy's layouts are also planned as if L1 were "
          "endless, and what does not fit leaves: the value that is read last, or the one that costs "
          "least time per byte, or the best set of all at each op. none: nothing leaves, to see the layouts "
          "alone, pass 1 of greedy; such a plan may not fit, and is not written then")
      ->capture_default_str();
  addValue(command, "--beam-width", "NUMBER", beam.width, "Policy beam: candidates kept per op")
      ->check(wholeNumber())
      ->capture_default_str();
  addValue(command, "--beam-objective", "OBJECTIVE", beam.objective,
           "Policy beam: what it looks for, " + listOfValues("OBJECTIVE"))
      ->capture_default_str();
  addValue(command, "--beam-without", "PART,...", beam.without,
           "Policy beam: parts to leave out, to see what they give: " + listOfValues("PART"));
}

void tessera::addSchedule(CLI::App *command, std::string &schedule) {
  addValue(
      command, "--schedule", "SCHEDULE", schedule,
      "In which order ops run: " + listOfValues("SCHEDULE") +
          ". ir: as the input has them; dfs: depth first, branches that another one waits for before it; "
          "memory: what keeps the fewest bytes live; auto: each of them, the fastest plan. Without it dfs "
          "for the df-sharding policies, auto for optimal and for beam by time, ir for the others");
}

void tessera::addChainFlags(CLI::App *command, ChainFlags &chains) {
  addFlag(command, "--drop-slow-chains", chains.drop,
          "Policy df-sharding-1: take chains out again that cost more time than they gain. The published "
          "policy does not compare, so that without this its plan may be slower than the input");
  addFlag(command, "--chains-as-designed", chains.asDesigned,
          "Policy df-sharding: DFSharding 2.0 as designed, which asks for no time. No chain is taken out for "
          "its time, no merge is refused for it, and neither the plan of 1.0 nor the input takes the plan's "
          "place, so that it may be slower than both")
      ->excludes("--drop-slow-chains");
}

static void addOverrides(CLI::App *command, OptimizeArguments &arguments) {
  constexpr const char *kOverrides = "Deciding single ops yourself (docs/overrides.md)";
  addValue(
      command, "--override-output-layout", "TEXT", arguments.overrideOutputLayout,
      "Layouts of your own: op=8x8:l1:block_sharded:tile[,op=...]; any subset of the words, in any order: " +
          legalLayoutWords() + ". Ops are named by their loc(\"...\"), or as --explain lists them")
      ->group(kOverrides);
  addValue(
      command, "--override-conv2d-config", "TEXT", arguments.overrideConv2dConfig,
      "conv2d configs of your own: op=act_block_h_override#32:shard_layout#height_sharded[,op=...]; keys: " +
          llvm::join(conv2dOverrideKeys(), ", "))
      ->group(kOverrides);
  addValue(command, "--insert-memreconfig", "TEXT", arguments.insertMemReconfig,
           "Conversions in front of operands: op=0:1[,op=...]")
      ->group(kOverrides);
}

CLI::Option *tessera::addBound(CLI::App *command, bool &bound) {
  return addFlag(command, "--bound", bound,
                 "Prove what no plan takes less than, and say how far from that each one is "
                 "(docs/certified.md)");
}

CLI::Option *tessera::addPolicy(CLI::App *command, std::string &policy, bool orFile) {
  return addValue(command, "--policy", "POLICY", policy,
                  "Who decides: " + listOfValues("POLICY") +
                      (orFile ? "; a decisions file has its own" : "; 'tessera policies' describes them"))
      ->capture_default_str();
}

/// Returned are the options that change a plan, for refuseIdle: it tells of those that have no effect on what was
/// chosen.
std::vector<CLI::Option *> tessera::addPlanning(CLI::App *command, OptimizeArguments &arguments) {
  addAllowBytecode(command, arguments.allowBytecode);
  addProgress(command, arguments.progress);
  // How a module is read and whether progress is told changes no plan, so what is there by now is not returned.
  std::vector<CLI::Option *> before = command->get_options();
  addDevice(command, arguments.device, "the module's ttcore.system_desc decides, else it is n150");
  // Whoever explains, draws or compares a decision plans once more, and has to be asked the same: so all
  // commands that plan share these options, their words and their defaults.
  addSearchLimits(command, arguments.l1UsageCap, arguments.maxLegalLayouts, arguments.beam, arguments.spill);
  addValue(command, "--gap", "SHARE", arguments.optimal.gap,
           "Policy optimal: how far above its bound a plan is good enough, such as 1% or 0.01")
      ->capture_default_str();
  addValue(
      command, "--time-limit", "SECONDS", arguments.optimal.timeLimit,
      "Policy optimal: how long it may look for better windows in each order of the ops; without it, a fixed "
      "number of them, so that the same input gives the same plan");
  addSchedule(command, arguments.schedule);
  addChainFlags(command, arguments.chains);
  addFlag(command, "--row-major-enabled", arguments.rowMajor,
          "Also consider row-major layouts for tiled tensors");
  addFlag(command, "--l1-interleaved-fallback-analysis-enabled", arguments.l1InterleavedFallback,
          "As a last step, move results that only the next op reads from DRAM to L1 interleaved");
  addFlag(command, "--keep-constants", arguments.keepConstants,
          "Leave constants as they lie; else those that an op reads faster in another page layout are "
          "converted once, by const-eval functions");
  addFlag(command, "--strict", arguments.strict,
          "Refuse modules with properties, ops or attributes that Tessera does not know; else they stay as "
          "they are, and so do the layouts of the ops that have them. Refuse plans, too, in which an op "
          "stays whose time is unknown, as the op model refuses it or does not know it");
  addValue(
      command, "--numerics", "NUMERICS", arguments.numerics,
      "How exactly planned matmuls and convolutions compute that state no compute config: " +
          listOfValues("NUMERICS") +
          ". keep: no less exactly than as declared, in 32-bit sums where that costs no more than 2 %; the "
          "plan says it in each op's compute config. as-compiled: nothing is said, and the backend "
          "multiplies in one pass (LoFi) whatever has a program config. fast: one pass everywhere, with "
          "16-bit sums. docs/numerics.md has what that does to results")
      ->capture_default_str();
  addValue(
      command, "--rewrites", "REWRITE,...", arguments.rewrites,
      "Rewrites of the graph that may be made before it is planned, attention into one op among them: all, "
      "exact (those that keep every bit) or none, then +NAME or -NAME, with commas between them; "
      "'tessera rewrites' lists them. They stand if the plan takes less time with them")
      ->capture_default_str();
  addOpModel(command, arguments.opModel, Caching::OnDiskToo);
  addOverrides(command, arguments);
  std::vector<CLI::Option *> deciding = command->get_options();
  // By difference, so that an option that is added above cannot be missing from what is returned.
  llvm::erase_if(deciding, [&](CLI::Option *option) { return llvm::is_contained(before, option); });
  return deciding;
}

// ---- optimize --------------------------------------------------------------------------------------------

static void addVerification(CLI::App *command, OptimizeArguments *arguments) {
  // Groups are for --help: an option is found by what it is for, and the list would be too long as one.
  constexpr const char *kVerifying = "Proving that nothing changed (docs/simulator.md)";
  addFlag(command, "--verify", arguments->verify,
          "Run the module before and after on a simulated device and compare, as 'tessera verify' does: a "
          "line per result; if one differs, or with rewrites that round elsewhere is less exact, or does not "
          "run, nothing is written and the exit code is 1")
      ->group(kVerifying);
  addSimulatedInputs(command, arguments->inputs)->group(kVerifying);
  addSimulatedMemory(command, arguments->memory)->group(kVerifying);
  addArithmetic(command, arguments->arithmetic)->group(kVerifying);
  // Without --verify nothing runs, so these would have no effect.
  for (const char *name : {"--inputs", "--max-mem", "--arithmetic"})
    command->get_option(name)->needs(command->get_option("--verify"));
}

static void addOutputs(CLI::App *command, OptimizeArguments *arguments) {
  constexpr const char *kOutputs = "What is printed and written";
  addFlag(command, "--explain", arguments->explain,
          "Print every step of the plan: layouts, configuration, time and what bounds it, L1 in use")
      ->group(kOutputs);
  addBound(command, arguments->bound)->group(kOutputs);
  addValue(
      command, "--certificate", "FILE", arguments->certificate,
      "Write the plan with the proof of its bound as JSON, which 'tessera certify' checks; - for standard "
      "output")
      ->group(kOutputs);
  addJson(command, arguments->json, "the summary");
  addValue(command, "--dump-plan", "FILE", arguments->dumpPlan,
           "Write the complete plan as JSON: every op's configuration, every tensor's layout, every step; - "
           "for standard output");
  addValue(command, "--decisions", "FILE", arguments->decisions,
           "Write what was decided and why as JSON: every op with what its runners-up would have cost, every "
           "tensor with its address and lifetime, spills by cause; 'tessera explain' reads it, "
           "docs/decisions-format.md has the keys; - for standard output");
  addValue(
      command, "--report", "FILE", arguments->report,
      "Draw the same as one HTML file, as 'tessera report' does (docs/report.md); - for standard output");
  addValue(
      command, "--dump-solver", "FILE", arguments->dumpSolver,
      "Write every step of the df-sharding policies' solvers and the state after it, as text, or as JSON if "
      "the name ends in .json, nothing with other policies; - for standard output");
  addFlag(command, "--debuginfo", arguments->debugInfo,
          "Write locations, which carry the names of inserted ops");
  addFlag(command, "--timing", arguments->timing,
          "Print how long each part of the run took, on standard error");
  addFlag(command, "-q,--quiet", arguments->quiet, "No summary, no progress and no remarks");
  // At the end, as some of them were added by functions that other commands share.
  for (const char *name : {"--json", "--dump-plan", "--decisions", "--report", "--dump-solver", "--debuginfo",
                           "--timing", "--progress", "--quiet"})
    command->get_option(name)->group(kOutputs);
}

void tessera::addOptimize(CommandTree &tree) {
  auto [command, arguments] = tree.add(
      tree.root(), "optimize", "Decide memory layouts and configurations of a TTNN module", runOptimize);
  command->footer(
      "The input is TTNN IR as tt-mlir writes it with its optimizer off: every tensor DRAM interleaved; the "
      "README shows how to get it, and how tt-mlir goes on with the result. Functions marked "
      "tt.function_type = \"forward_device\" (or not marked) are optimized, all else passes through "
      "untouched. Every plan is re-validated op by op before anything is written. Examples:\n\n"
      "  tessera optimize examples/llama_decode.mlir -o optimized.mlir --json summary.json\n"
      "  tessera optimize examples/llama_decode.mlir -q -o - | less\n"
      "  tessera optimize examples/llama_decode.mlir -o optimized.mlir --verify\n"
      "  tessera optimize examples/resnet_block.mlir --explain --policy df-sharding\n"
      "  tessera optimize examples/resnet_block.mlir --override-output-layout 'relu_0=8x8:l1:block_sharded'");
  addInput(command, arguments->input);
  addValue(command, "-o,--output", "FILE", arguments->output,
           "Where the optimized module goes; - for standard output. Without it no module is written, only "
           "the summary printed");
  addPolicy(command, arguments->policy, /*orFile=*/false);
  // A function, as the policy is known only when the whole line has been read.
  refuseIdle(command, addPlanning(command, *arguments),
             [arguments] { return Deciders{{arguments->policy}, ""}; });

  addVerification(command, arguments);
  addFlag(
      command, "--confirm", arguments->confirm,
      "Ask the vendor's library about every op that the plan decides, and plan anew without what it refuses "
      "until it accepts all; needs 'tessera setup ttnn', docs/judge.md");
  addOutputs(command, arguments);
}

// ---- certify ---------------------------------------------------------------------------------------------

void tessera::addCertify(CommandTree &tree) {
  auto [command, arguments] =
      tree.add(tree.root(), "certify", "Check what a certificate claims of a module's plan", runCertify);
  command->footer("'tessera optimize --certificate FILE' writes one: the plan, its time, and the proof of "
                  "what no plan takes "
                  "less than (docs/certified.md). Here the problem is made anew from the module that "
                  "'tessera optimize' read, not from what it wrote, with the options that the "
                  "plan was made with, and all that is claimed is checked: that the plan is legal, takes so "
                  "long, and that the "
                  "proof proves the bound. The exit code is 0 only if all of that holds. Examples:\n\n"
                  "  tessera optimize examples/resnet_block.mlir --policy optimal --certificate proof.json\n"
                  "  tessera certify examples/resnet_block.mlir proof.json");
  addInput(command, arguments->input);
  addValue(command, "certificate", "CERTIFICATE", arguments->certificate,
           "What 'tessera optimize --certificate' wrote")
      ->required();
  addPlanning(command, *arguments);
}

// ---- compare ---------------------------------------------------------------------------------------------

void tessera::addCompare(CommandTree &tree) {
  auto [command, arguments] = tree.add(
      tree.root(), "compare",
      "Set the results of several policies side by side, or a plan and another compiler's", runCompare);
  command->footer(
      "Nothing is written but the table. Examples:\n\n"
      "  tessera compare examples/resnet_block.mlir\n"
      "  tessera compare examples/resnet_block.mlir --policies greedy,df-sharding --json figures.json\n"
      "  tessera compare model.mlir --against compiled.mlir --judge");
  addInput(command, arguments->input);
  addValue(command, "--policies", "POLICY,...", arguments->policies,
           "Which, with commas between them: " + listOfValues("POLICY") +
               "; without it, all, or with --against the default one");
  CLI::Option *against = addValue(
      command, "--against", "FILE", arguments->against,
      "A module of the same program that another compiler planned: it is taken as it stands, and each of the "
      "policies is set beside it, op by op, with times of one op model. Ops that have none are listed, and "
      "take the other side's in the comparison");
  CLI::Option *judge =
      addFlag(command, "--judge", arguments->judge,
              "With --against: what the vendor's library says of both, as 'tessera judge' does")
          ->needs(against);
  addModuleLibrary(command, arguments->version, arguments->workers, "");
  for (const char *name : {"--version", "--workers"})
    command->get_option(name)->needs(judge);
  addFlag(command, "--all", arguments->all,
          "With --against: all changes, not only the ten that change most time")
      ->needs(against);
  refuseIdle(command, addPlanning(command, *arguments),
             [arguments] { return Deciders{comparedPolicies(*arguments), ""}; });
  // Each policy counts other things, so these do not fit into the table's columns.
  addFlag(command, "--statistics", arguments->statistics,
          "Also print what single policies count of their own work: chains, searches, spills; --json has it "
          "in any case");
  addBound(command, arguments->bound);
  addJson(command, arguments->json, "the figures");
}

// ---- layout ----------------------------------------------------------------------------------------------

void tessera::addLayout(CommandTree &tree) {
  auto [command, arguments] =
      tree.add(tree.root(), "layout", "Build a tensor layout and say what follows from it", runLayout);
  command->footer("Prints #ttcore.metal_layout, the shard, bytes, padding, where an element lies, and "
                  "TTNN's layout or why there is none. docs/tensor-layout.md explains the terms. "
                  "Examples:\n\n"
                  "  tessera layout --shape 53x63 --grid 3x2 --tile --padding\n"
                  "  tessera layout --shape 2x3x64x128 --grid 2x4 --dtype bf16 --tile --index 1,1,6,100 "
                  "--svg layout.svg");
  addValue(command, "--shape", "SHAPE", arguments->shape, "Shape of the tensor, e.g. 2x3x64x128")->required();
  addValue(command, "--grid", "SHAPE", arguments->grid,
           "Cores per physical dimension, e.g. 2x4; a virtual grid, may have any rank")
      ->required();
  addValue(command, "--dtype", "TYPE", arguments->dtype, "Format in memory: " + listOfValues("TYPE"))
      ->capture_default_str();
  // Three meanings in one option: absent for scalars, alone for tiles of 32x32, with a shape for others. Hence
  // zero words or one.
  addValue(command, "--tile", "SHAPE", arguments->tile,
           "In tiles, of 32x32 unless a shape is given; without it, scalars")
      ->expected(0, 1)
      ->default_str("32x32");
  addValue(command, "--collapse", "BEGIN:END,...", arguments->collapse,
           "Dimensions [begin, end) that fold into one, negative from the end; several: 0:3,-3:-1; or none")
      ->capture_default_str();
  addValue(command, "--align", "SHAPE", arguments->align,
           "Per dimension, what its extent is rounded up to in the strides above it, e.g. 1x32x1");
  addValue(command, "--oob", "FILL", arguments->oob, "What fills padding: " + listOfValues("FILL"))
      ->capture_default_str();
  addValue(command, "--memory", "MEMORY", arguments->memory,
           "Where the shards lie: " + listOfValues("MEMORY"))
      ->capture_default_str();
  addValue(command, "--index", "INDEX", arguments->index, "Element to look up, e.g. 1,1,6,100");
  addFlag(command, "--padding", arguments->padding, "List the regions of each shard that hold padding");
  addDevice(command, arguments->device, "")->capture_default_str();
  addValue(command, "--svg", "FILE", arguments->svg,
           "Draw cores, shards, tiles and padding; - for standard output");
}

// ---- replay ----------------------------------------------------------------------------------------------

void tessera::addReplay(CommandTree &tree) {
  auto [command, arguments] = tree.add(
      tree.root(), "replay",
      "Give a module's tensors addresses as the device's allocator does, and say what clashes", runReplay);
  command->footer("A module is taken as it stands: layouts, order, deallocates. Each op's line tells where "
                  "its results lie in L1, where its circular buffers end, and the lowest tensor then. What "
                  "finds no room and which tensors circular buffers run into follows. The exit code is 0 "
                  "only if all fits.\n\n"
                  "With --traces, recorded runs of the real allocator are asked again, and the first "
                  "disagreement of each is printed. The last line counts: events N of M, programs K of L. "
                  "The exit code is 0 only if all agree. docs/memory.md has the allocator's rules and the "
                  "form of the files. Examples:\n\n"
                  "  tessera replay optimized.mlir\n"
                  "  tessera replay --traces evidence/allocator");
  // Not required, as recorded runs take its place: they bring the sizes of memory and buffers with them, so
  // that no module is asked.
  addValue(command, "input", "FILE", arguments->input, "TTNN module, text or bytecode; - for standard input");
  addAllowBytecode(command, arguments->allowBytecode);
  addDevice(command, arguments->device, "the module's ttcore.system_desc decides, else it is n150");
  addValue(command, "--l1-small-size", "BYTES", arguments->l1SmallSize,
           "What L1_SMALL takes off the top of L1; tt-mlir opens its devices with the default")
      ->check(wholeNumber(0, 1 << 20))
      ->capture_default_str();
  addOpModel(command, arguments->opModel, Caching::InMemory);
  addFlag(command, "--strict", arguments->strict,
          "The exit code is 1, too, if the op model refuses an op or does not know it: what buffers it needs "
          "and how long it takes is unknown then");
  // All that is about a module; before the option itself is among them.
  std::vector<CLI::Option *> ofModule =
      command->get_options([](const CLI::Option *option) { return option->get_name() != "--help"; });
  CLI::Option *traces =
      addValue(command, "--traces", "FILE", arguments->traces,
               "Folder of recorded runs: traces-index.csv with the files it names, cb-programs.csv with "
               "cb-placement.csv");
  for (CLI::Option *option : ofModule)
    traces->excludes(option);
}
