//===- Commands.h - What the tessera command line can do -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A struct per command with what its line may say, and the function that does it. Neither knows how a line is read:
// lib/Driver/Cli binds options to the structs, and Embedded.h fills some of them without any line. Defaults stand
// here, so that help shows those that hold.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_DRIVER_COMMANDS_H
#define TESSERA_DRIVER_COMMANDS_H

#include "tessera/Device/L1Budget.h"
#include "tessera/Driver/DefaultRewrites.h"
#include "tessera/OpModel/OpModelOptions.h"
#include "tessera/Optimizer/Policy/BeamOptions.h"
#include "tessera/Optimizer/Policy/DefaultPolicy.h"
#include "tessera/Optimizer/Policy/OptimalOptions.h"
#include "tessera/Support/ToolProcess.h"

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace tessera {

/// Exit codes of the command line. Who calls Tessera from a script can tell a plan that does not hold from a line that
/// is wrong, and both from a defect of ours.
enum ExitCode : int {
  kSuccess = 0,
  kInputError =
      1, ///< the input, or a file to write, is at fault; or the answer is no: an op is not legal, a replay
         ///< disagrees, modules compute something else
  kUsageError = 2,    ///< the command line is at fault
  kInternalError = 3, ///< Tessera produced something that it cannot vouch for; nothing was written
  kOutOfMemory = kOutOfMemoryExitCode,
};

/// Whether a path is that of a decisions file: text that begins with a brace. What can be read once only, such as a pipe, is
/// left to who reads modules.
bool isDecisionsFile(const std::string &path);

/// How policies of chains go about slow ones; neither: as the policy does it. Two flags and not one of three values, as
/// each is an option that is given or not.
struct ChainFlags {
  bool drop = false;       ///< take them out again
  bool asDesigned = false; ///< ask for no time
  /// PolicyOptions::dropSlowChains.
  std::optional<bool> dropsSlow() const { return drop || asDesigned ? std::optional(drop) : std::nullopt; }
};

/// `tessera optimize`. Empty strings: not given. "-" is standard input or output. The other commands that plan derive
/// theirs from it: who explains or compares a plan makes it once more, and has to be able to ask for the same.
struct OptimizeArguments {
  std::string input;
  bool allowBytecode = false; ///< MLIR's reader trusts bytecode to be whole
  std::string output;         ///< optimized IR; if empty, only the summary is printed
  std::string device;         ///< name; if empty, the module's own system description decides
  std::string policy = kDefaultPolicy;
  OpModelOptions opModel;
  std::string json;      ///< summary as JSON
  std::string dumpPlan;  ///< plans as JSON
  std::string decisions; ///< what was decided and why (docs/decisions-format.md)
  std::string report;    ///< the same as a page (docs/report.md)
  double l1UsageCap = kDefaultL1UsageCap;
  int64_t maxLegalLayouts = 8;
  BeamText beam;
  OptimalText optimal;
  std::string certificate; ///< a plan's proof: where `optimize` writes it, what `certify` checks
  std::string schedule;    ///< empty: as the policy likes it best
  std::string spill = "policy";
  ChainFlags chains;
  bool rowMajor = false;
  std::string dumpSolver; ///< steps and states of the chain policies' solvers; JSON if the name ends in .json
  bool l1InterleavedFallback = false;
  bool keepConstants = false;
  bool bound = false;                      ///< prove a lower bound
  bool strict = false;                     ///< refuse what is not understood
  std::string numerics = "keep";           ///< one of kNumericsNames
  std::string rewrites = kDefaultRewrites; ///< as RewriteSelection::parse takes it
  std::string overrideOutputLayout, overrideConv2dConfig, insertMemReconfig;
  bool verify = false;                  ///< run the module before and after on simulated devices
  std::string inputs = "random:1";      ///< of these runs, as in SimulationOptions
  std::string memory = "8G";            ///< that a run may take
  std::string arithmetic = "exact";     ///< of these runs, as in SimulationOptions
  bool confirm = false;                 ///< plan until the vendor's library accepts all
  bool timing = false;                  ///< print how long each part of the run took
  bool debugInfo = false;               ///< print locations even if the input had none
  bool explain = false;                 ///< print every step of the plan
  bool quiet = false;                   ///< no summary, no progress, no remarks
  bool progress = false;                ///< report progress even without a terminal
  std::vector<std::string> commandLine; ///< all its words, for a reproducer
};

/// `tessera explain`. The input may be a decisions file instead.
struct ExplainPlanArguments : OptimizeArguments {
  std::string op;   ///< location, "ttnn.matmul#3" or "%5"; empty: what costs most
  bool all = false; ///< every op
  std::string by;   ///< a word of decisions::TimeBy: where the time is; empty: not wanted
  std::string csv;  ///< the groups of `by` as a table; "-" is standard output
  int64_t top = 10; ///< rows of each list
};

/// What `tessera report` and `tessera diff` have in common. The input may be a decisions file instead.
struct ComparingArguments : OptimizeArguments {
  std::string
      against; ///< policy, board, module or decisions file: what that does otherwise than the input's plan; empty: none
  bool againstStands = false; ///< `against` is a module that is planned already
};

/// `tessera report`. A judgement comes as a file and is not made here: that needs the vendor's library, a report does
/// not.
struct ReportArguments : ComparingArguments {
  std::string judged; ///< what `tessera judge --json` wrote of the plan; empty: none
};

/// `tessera diff`.
struct DiffArguments : ComparingArguments {
  bool all = false; ///< more than the changes that matter most
  int64_t top = 10; ///< these
};

/// `tessera export`. The input may be a decisions file instead. Empty strings: not wanted.
struct ExportArguments : OptimizeArguments {
  std::string perfetto, modelExplorer; ///< files
  std::string visualizer, csv;         ///< folders
  std::string python;                  ///< a folder: the module as it stands, as a program for ttnn
  std::string graphHash;               ///< of the compiler that shall run the program; empty: none
};

/// `tessera candidates`.
struct CandidatesArguments : OptimizeArguments {
  std::string op;   ///< as in ExplainPlanArguments
  bool all = false; ///< dominated rows, too
  int64_t top = 0;  ///< rows; 0: no limit
};

/// `tessera layout`. Lists as on the command line: `2x3x64` or `2,3,64`. Empty strings: not given. All of it is text,
/// as who embeds Tessera gives the same words (Embedded.h).
struct LayoutArguments {
  std::string shape, grid;
  std::string dtype = "bf16";
  std::string tile;              ///< height x width; empty: scalars
  std::string collapse = "0:-1"; ///< intervals with commas between them, or "none"
  std::string align;             ///< one per dimension
  std::string oob = "undef";
  std::string memory = "l1";
  std::string index; ///< of the element to look up
  std::string device = "n150";
  std::string svg;      ///< drawing; "-" is standard output
  bool padding = false; ///< list the regions that hold padding
};

/// `tessera compare`.
struct CompareArguments : OptimizeArguments {
  std::string policies;    ///< with commas between them; empty: all, or with `against` the default one
  std::string against;     ///< another compiler's plan of the same program; empty: policies among themselves
  bool judge = false;      ///< ask the vendor's library about both
  std::string version;     ///< of the library
  unsigned workers = 2;    ///< processes of the library at most
  bool statistics = false; ///< print the figures that single policies have
  bool all = false;        ///< all changes, not only those that matter most
};

/// `tessera replay`. Either a folder or a module. Empty strings: not given.
struct ReplayArguments {
  std::string traces; ///< folder of recorded runs of the device's allocator
  std::string input;
  bool allowBytecode = false;
  std::string device; ///< as in OptimizeArguments
  OpModelOptions opModel;
  int64_t l1SmallSize = kL1SmallSize.value(); ///< bytes
  bool strict = false;                        ///< as in VerifyArguments
};

/// What `tessera run` and `tessera verify` have in common.
struct SimulationOptions {
  std::string inputs = "random:1"; ///< or .npy files with commas between them, one per argument
  bool allowBytecode = false;
  std::string device; ///< as in OptimizeArguments
  OpModelOptions opModel;
  int64_t l1SmallSize = kL1SmallSize.value(); ///< as in ReplayArguments
  std::string memory = "8G";                  ///< bytes, with K, M or G
  std::string arithmetic = "exact";           ///< or "kernels"
  bool progress = false;                      ///< as in OptimizeArguments
};

/// `tessera run`.
struct SimulationArguments {
  std::string input;
  std::string outputs; ///< folder for .npy files; empty: none
  bool statistics = false;
  std::string
      python; ///< folder of a program of the module that is run instead, on the library's kernels; empty: none
  std::string simulator; ///< with `python`: the library that stands in for the chip
  std::string version;   ///< with `python`: of the library
  SimulationOptions options;
};

/// What errors are measured against.
enum class Reference : uint8_t {
  Input,     ///< the input in exact arithmetic, results of ops rounded to their formats
  Unrounded, ///< the input without rounding between ops
};

/// Their words on the command line, in their order.
inline constexpr const char *kReferenceNames[] = {"input", "exact"};

/// `tessera verify`.
struct VerifyArguments {
  std::optional<double>
      maxErrorGrowth; ///< in percent, where errors are compared; not set: 25 against exact, else any
  std::string against = kReferenceNames[0];
  std::string before;
  std::vector<std::string> after;
  bool bisect = false;
  bool structure = false; ///< run nothing: compare what the texts say (Guard.h)
  bool strict = false;    ///< an op that the op model refuses, or does not know, is a failure
  SimulationOptions options;
};

/// Calls that are put to the vendor's library (Evaluation/Harvest.h), and by how many processes: few, as each takes
/// half a gigabyte.
struct LibraryCalls {
  std::string device;           ///< as in OptimizeArguments
  std::vector<std::string> ops; ///< empty: all
  double scale = 1;
  std::string version; ///< of the library
  unsigned workers = 2;
};

/// `tessera ops harvest`.
struct HarvestArguments : LibraryCalls {
  unsigned seed = 1;
  std::vector<std::string> fromSearch; ///< modules whose search is listened to; empty: calls are made
  std::string policy;                  ///< of that search
  bool allowBytecode = false;
  std::string out = "-"; ///< the rows
  bool progress = false; ///< as in OptimizeArguments
};

/// `tessera ops evaluate`. Empty strings: not given.
struct EvaluateArguments {
  std::string goldens, timings; ///< CSV file; CSV file or folder
  bool library = false;         ///< the answers are the library's, to the calls of `goldens` or to made ones
  LibraryCalls calls;
  std::string calibration; ///< parameters of the model's times; built-in ones if not given
  std::string json;        ///< "-" for standard output
  unsigned folds = 0;      ///< of cross-validation; 0: none
  unsigned seed = 1;
  bool progress = false;         ///< as in OptimizeArguments
  bool rows = false;             ///< list every timing, and every golden that the model gets wrong
  std::string groupBy = "table"; ///< table, family, board or program: what sums are printed of
};

/// `tessera ops convert`. Empty strings: not given.
struct ConvertArguments {
  std::string goldens, timings; ///< CSV files; one of the two
  std::string out;              ///< "-" for standard output
};

/// `tessera ops parameters`.
struct ParametersArguments {
  std::string calibration; ///< values to show; built-in ones if not given
  std::string json;        ///< a calibration file; "-" for standard output
};

/// `tessera ops calibrate`.
struct CalibrateArguments {
  std::string timings, out;
  bool progress = false; ///< as in OptimizeArguments
};

/// `tessera ops explain`. Either the op of a file, or one that is described: tensors as `64x1024xf32@hs8`;
/// include/tessera/OpModel/QueryText.h has the form.
struct ExplainArguments {
  std::string op;       ///< the op's name, or the file
  std::string selected; ///< which op of the file; Driver/Common/OpsOfFile.h has the forms. Empty: no file
  bool allowBytecode = false;
  std::vector<std::string> in, out;
  std::vector<std::string> attributes; ///< "name=value"
  std::string config;                  ///< "mcast2d grid=8x8 k=2 m=4 n=4"
  std::string device, json;            ///< as in OptimizeArguments
  OpModelOptions opModel;
  double l1UsageCap = kDefaultL1UsageCap;
};

/// `tessera ops cliffs`.
struct CliffsArguments {
  std::vector<std::string> inputs; ///< TTNN files, folders of them, .txt files with a query a line
  std::vector<std::string> devices{"n150", "p150"};
  bool allowBytecode = false;
  std::string report; ///< Markdown; "-" for standard output; empty: none
};

/// `tessera ops counts`.
struct CountsArguments {
  std::string table; ///< of counted calls
};

/// `tessera ops table`.
struct OpTableArguments {
  std::string device = "n150";
  OpModelOptions opModel;
};

/// `tessera ops`.
struct OpListArguments {
  std::string op;                    ///< whose rules to list; empty: list the ops
  std::vector<std::string> commands; ///< below `tessera ops`: what a name that is not an op may have meant
};

/// One module of a model.
struct ModuleChoice {
  std::string name;             ///< empty: the whole model
  std::optional<int64_t> layer; ///< none: the first that has it
};

/// `tessera config`.
struct ConfigArguments {
  std::string hf;   ///< folder with config.json
  std::string mode; ///< "prefill" or "decode"
  std::string mesh; ///< "4x8"
  std::string device = "n150";
  int64_t sequenceLength = 1024;
  ModuleChoice module;
  std::string output = "-";
};

/// `tessera config state`.
struct ConfigStateArguments {
  std::string hf;   ///< folder with config.json
  std::string mesh; ///< "4x8"
  int64_t positions = 1024;
  ModuleChoice module;
  std::string output = "-";
};

/// `tessera config merge`. Either cases, or the parts to merge.
struct ConfigMergeArguments {
  std::string cases;
  std::string model, weights;      ///< JSON as ModelRunner/ItemJson.h has it; empty: not given
  std::vector<std::string> states; ///< likewise
  std::string mode = "checked";    ///< see runner::kMergeModeNames
  std::string output = "-";
};

/// `tessera weights convert`.
struct WeightsConvertArguments {
  std::string hf, out;
  std::string mesh = "1x1", device = "n150";
  std::vector<std::string> types; ///< "pattern=type"
  std::string memory = "2G";      ///< bytes, with K, M or G
  unsigned jobs = 0;              ///< 0: as many as there are cores
  bool dryRun = false;
  std::string events; ///< JSON lines; "-" for standard output
  ModuleChoice module;
  bool progress = false, quiet = false;
};

/// `tessera weights verify`.
struct WeightsVerifyArguments {
  std::string folder;
  bool repair = false;
};

/// `tessera weights random`.
struct WeightsRandomArguments {
  std::string config, out;
  uint64_t seed = 1;
  std::string spread = "even"; ///< of runner::kSpreadNames
  std::string shardSize = "5G";
};

/// `tessera judge`.
struct JudgeArguments {
  std::string input;
  std::string against; ///< the same module before it was planned; empty: every op counts as decided
  bool allowBytecode = false;
  std::string device;    ///< as in OptimizeArguments
  std::string version;   ///< of the library; empty: the one that plans are judged by, or whose kernels run
  unsigned workers = 2;  ///< processes of the library at most
  std::string simulator; ///< a library that stands in for the chip: ops are executed; empty: a mock chip
  int64_t mostElements = 1'000'000; ///< with `simulator`: of operands and results of an op that is executed
  OpModelOptions opModel;
  std::string json; ///< the judgement; "-" for standard output
  std::string
      python; ///< a folder that `tessera export --python` wrote: judge that program; empty: the module
};

/// `tessera import jax`, `tessera import torch` and `tessera import stablehlo`.
struct ImportArguments {
  std::string input;               ///< "package.module:function" or "file.py:function"; or the module's file
  std::vector<std::string> shapes; ///< of the function's arguments: "32x2048xbf16"
  std::vector<std::string> parameters; ///< which of them are weights: names, "2", "2-8", "2-"
  std::vector<std::string> donated;    ///< which of them the caller gives up; likewise
  int64_t level = 1;                   ///< of the compiler's optimization
  std::string device = "p150";
  std::string output = "-";
};

/// `tessera setup ttnn`, `tessera setup jax` and `tessera setup torch`.
struct SetupArguments {
  std::string version;
  std::string python; ///< the interpreter to take; empty: one that is found
};

/// `tessera doctor`.
struct DoctorArguments {
  bool ask = false; ///< whether the library answers, too
};

/// `tessera model trace`.
struct ModelTraceArguments {
  std::string hf;   ///< folder with config.json
  std::string mode; ///< "prefill" or "decode"
  std::string mesh = "1x1";
  std::string device;  ///< empty: by the mesh
  ModuleChoice module; ///< a layer without a module's name: the layer
  std::string config;  ///< empty: as `tessera config` writes it
  bool asConfigured = false;
  int64_t sequenceLength = 1024;
  std::optional<int64_t> positions; ///< none: 1024, or as many as a prefill fills
  std::string output = "-";
};

/// `tessera model run`.
struct ModelRunArguments {
  std::string weights; ///< folder that `tessera weights convert --module` made
  std::string mode;    ///< "prefill" or "decode"
  ModuleChoice module;
  std::string config, state;      ///< empty: as `tessera config` writes them
  std::string input = "random:1"; ///< or an .npy file
  std::string output;             ///< .npy file; empty: none
  int64_t positions = 1024, position = 0;
  bool asConfigured = false, optimize = false;
  std::string policy = kDefaultPolicy;
  std::string memory = "8G";
};

/// `tessera model compare`. Files of `tessera generate --logits`.
struct ModelCompareArguments {
  std::string before, after;
  double minCorrelation = 0.99; ///< of each row
  double minTop5 = 0.8;         ///< share of the 5 likeliest tokens, mean of rows
  double maxDivergence = 0.05;  ///< nats, mean of rows
};

/// `tessera generate`.
struct GenerateArguments {
  std::string weights;              ///< folder that `tessera weights convert` made
  std::vector<std::string> prompts; ///< "1,2,3", one per user
  int64_t newTokens = 16;
  std::string prefillConfig, decodeConfig, state; ///< empty: as `tessera config` writes them
  std::string mesh;                               ///< must be that of the weights; empty: it is
  std::string device;                             ///< empty: by the mesh
  bool asConfigured = false, optimize = false;
  std::string policy = kDefaultPolicy;
  bool noEstimates = false;
  std::string logits; ///< .npy file; empty: none
  std::string memory = "8G";
  bool quiet = false;
};

// Each returns an ExitCode; diagnostics go to standard error.
/// Plans, checks what was planned in several ways, and writes all outputs or none.
int runOptimize(const OptimizeArguments &arguments);
/// Several policies on one module, or a plan beside another compiler's: nothing is written but figures.
int runCompare(const CompareArguments &arguments);
/// Whether a certificate is one of the module.
int runCertify(const OptimizeArguments &arguments);
/// Why an op runs as it does, or which steps cost most.
int explainPlan(const ExplainPlanArguments &arguments);
/// Writes a plan as a page.
int runReport(const ReportArguments &arguments);
/// What another plan does otherwise, the most expensive change first.
int runDiff(const DiffArguments &arguments);
/// Writes a plan for other viewers.
int runExport(const ExportArguments &arguments);
/// All ways to run an op.
int listCandidates(const CandidatesArguments &arguments);
/// A layout by itself, without a module: for who writes one by hand, or wonders about one.
int runLayout(const LayoutArguments &arguments);
/// kSuccess only if everything agrees with the record, or all of the module fits.
int runReplay(const ReplayArguments &arguments);
/// kSuccess if the module runs, whatever it computes.
int runSimulation(const SimulationArguments &arguments);
/// kSuccess only if all results are the same.
int verifyModules(const VerifyArguments &arguments);
/// kSuccess only if the library accepts every op that was decided, and the whole of it.
int runJudge(const JudgeArguments &arguments);
/// Each installs into a folder of its own and tries what it has installed: an installation that does not start is
/// none.
int setUpTtnn(const SetupArguments &arguments);
int setUpJax(const SetupArguments &arguments);
int setUpTorch(const SetupArguments &arguments);
/// Each has the public compiler make a TTNN module, and writes none that Tessera cannot read.
int importJax(const ImportArguments &arguments);
int importTorch(const ImportArguments &arguments);
int importStableHlo(const ImportArguments &arguments);
/// What optional parts are there, and what each would bring.
int runDoctor(const DoctorArguments &arguments);
/// Lists for people; what commands take of them is completed by the shell (CommandTree.h).
int listDevices();
int listPolicies();
int listRewrites();
/// All ops, or the legality rules of one.
int listOps(const OpListArguments &arguments);
/// How far the op model is from recorded answers and times, or from what the library answers now. kSuccess however far
/// it is.
int evaluateOps(const EvaluateArguments &arguments);
/// Writes what the vendor's library says of calls as goldens.
int harvestOps(const HarvestArguments &arguments);
/// Fits the times to somebody's own device; the file is then given to --op-model.
int calibrateOps(const CalibrateArguments &arguments);
/// Writes rows of another kind of table with the columns of docs/timings-format.md.
int convertRows(const ConvertArguments &arguments);
/// The figures that a calibration may change, with where they come from.
int listParameters(const ParametersArguments &arguments);
/// kSuccess only if the op is legal as asked.
int explainOp(const ExplainArguments &arguments);
/// Where a small change of layout changes an op's time too much, or not at all although bytes move.
int searchCliffs(const CliffsArguments &arguments);
/// What the model says that kernels execute against what was counted: times may be right for wrong reasons, counts not.
int compareKernelCounts(const CountsArguments &arguments);
/// Which memory layouts each op accepts on a device.
int printOpTable(const OpTableArguments &arguments);

/// A model's config as its code makes it, to be read, changed and merged.
int writeConfig(const ConfigArguments &arguments);
/// Apart from the config, as it holds what a run changes: the caches.
int writeState(const ConfigStateArguments &arguments);
/// kSuccess only if all cases agree, or the parts merge.
int mergeConfigs(const ConfigMergeArguments &arguments);

/// May be killed and run again: what is made is kept.
int convertWeightFiles(const WeightsConvertArguments &arguments);
/// kSuccess only if all is as it was written.
int verifyWeightFiles(const WeightsVerifyArguments &arguments);
/// A checkpoint of any size, for who has none at hand.
int writeRandomWeights(const WeightsRandomArguments &arguments);

/// The module that a model's forward functions make, for the optimizer.
int traceModelModule(const ModelTraceArguments &arguments);
/// One module of a model from its files, on simulated devices.
int runModelModule(const ModelRunArguments &arguments);
/// kSuccess only if the runs are as near as asked.
int compareModelRuns(const ModelCompareArguments &arguments);
/// A whole model on simulated devices, prompts to tokens.
int generateTokens(const GenerateArguments &arguments);

/// Commands that a program may be built without (lib/Driver/Common/CommandTree.h).
struct CommandPart;
const CommandPart &modelCommands();      ///< `tessera weights`, `config`, `model` and `generate`
const CommandPart &evaluationCommands(); ///< below `tessera ops`: the op model against real answers and times

/// Parses the command line and runs what it asks for.
int runCommandLine(int argc, char **argv, llvm::ArrayRef<const CommandPart *> parts);

} // namespace tessera

#endif // TESSERA_DRIVER_COMMANDS_H
