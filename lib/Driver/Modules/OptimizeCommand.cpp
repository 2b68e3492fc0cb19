//===- OptimizeCommand.cpp - tessera optimize -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. parse and verify      4. verify, print
//   2. choose the device     5. parse the printed text again and compare
//   3. optimize              6. --verify: run the module as it came and as it is
//                            7. write all files, or none; print the summary
//
//===----------------------------------------------------------------------===//
#include "../Common/ModuleFile.h"
#include "../Common/Session.h"
#include "Confirmation.h"
#include "DecidedModule.h"
#include "ModuleComparison.h"
#include "ReportCommand.h"
#include "tessera/Driver/Commands.h"

#include "../Common/Progress.h"
#include "../Common/Reproducer.h"
#include "tessera/Bridge/Loops.h"
#include "tessera/Bridge/ModuleVersion.h"
#include "tessera/Guard/UnknownText.h"
#include "tessera/Library/TtnnLibrary.h"
#include "tessera/Optimizer/OptimizerText.h"
#include "tessera/Optimizer/Policy/ShardSolver.h"
#include "tessera/Simulator/Compare.h"
#include "tessera/Support/Format.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Support/Timing.h"

using namespace mlir;
using namespace tessera;

namespace {

/// Parses `text` in a context of its own and prints it again. Any difference means that the output would not
/// read back as what was decided.
bool readsBack(const std::string &text, bool debugInfo) {
  std::unique_ptr<MLIRContext> context = makeContext();
  // Resources of other dialects are part of the text, so they are kept here as well.
  FallbackAsmResourceMap resources;
  OwningOpRef<ModuleOp> again =
      parseSourceString<ModuleOp>(text, ParserConfig(context.get(), /*verifyAfterParse=*/true, &resources));
  return again && printModule(*again, debugInfo, resources) == text;
}

/// All plans in full, for tests and for tools that draw them.
llvm::json::Value plansAsJson(const OptimizationResult &result) {
  llvm::json::Array plans;
  for (const OptimizedFunction &function : result.functions)
    plans.push_back(toJson(function.built.problem, function.plan));
  return llvm::json::Object{{"plans", std::move(plans)}};
}

/// A plan, and who has confirmed it, if anyone was asked.
struct Optimized {
  OptimizationResult result;
  std::optional<Confirmation> confirmation;
};

/// Totals over all functions on top, then each function by itself.
llvm::json::Value summaryAsJson(const Optimized &optimized, const std::string &input) {
  const OptimizationResult &result = optimized.result;
  llvm::json::Value total = toJson(totalOf(result.functions));
  llvm::json::Array functions;
  for (const OptimizedFunction &function : result.functions)
    functions.push_back(toJson(function.summary));
  llvm::json::Object *object = total.getAsObject();
  (*object)["input"] = input;
  (*object)["op_model"] = toJson(result.opModel);
  (*object)["confirmed"] =
      optimized.confirmation ? toJson(*optimized.confirmation) : llvm::json::Value(nullptr);
  (*object)["functions"] = std::move(functions);
  return total;
}

/// The log of the chain policies' solvers, in the form that the file's name asks for.
class SolverLog {
public:
  explicit SolverLog(std::string path) : path(std::move(path)), textStream(text), textDump(textStream) {}

  /// nullptr if no log was asked for.
  ShardSolverObserver *observer() {
    if (path.empty())
      return nullptr;
    return isJson() ? static_cast<ShardSolverObserver *>(&jsonDump) : &textDump;
  }
  OutputFile take() {
    if (!isJson())
      return {path, [this](llvm::raw_ostream &os) { os << text; }};
    return jsonFile(path, jsonDump.take());
  }

private:
  bool isJson() const { return StringRef(path).ends_with(".json"); }

  std::string path, text;
  llvm::raw_string_ostream textStream;
  ShardSolverTextDump textDump;
  ShardSolverJsonDump jsonDump;
};

/// All files that the command may write: one list, so that no check forgets one.
std::vector<OutputOption> outputOptions(const OptimizeArguments &arguments) {
  return {{"--output", arguments.output},          {"--json", arguments.json},
          {"--dump-plan", arguments.dumpPlan},     {"--decisions", arguments.decisions},
          {"--report", arguments.report},          {"--dump-solver", arguments.dumpSolver},
          {"--certificate", arguments.certificate}};
}

/// Whether all files could be made: looked at before the planning, which may take long, and not after it.
bool areWritable(llvm::ArrayRef<OutputOption> files) {
  return llvm::all_of(files, [](const OutputOption &file) { return canBeMade(file.path); });
}

/// Writes all files or none; false after a diagnostic.
bool writeOutputs(const OptimizeArguments &arguments, Optimized &optimized, const std::string &text,
                  SolverLog &solverLog) {
  OptimizationResult &result = optimized.result;
  // writeFiles() leaves out files without a path. What is added below takes time or may fail, so it is made only if
  // asked for.
  std::vector<OutputFile> files = {{arguments.output, [&](llvm::raw_ostream &os) { os << text; }},
                                   solverLog.take()};
  if (!arguments.json.empty())
    files.push_back(jsonFile(arguments.json, summaryAsJson(optimized, arguments.input)));
  if (!arguments.dumpPlan.empty())
    files.push_back(jsonFile(arguments.dumpPlan, plansAsJson(result)));
  if (!arguments.certificate.empty()) {
    std::optional<PlanCertificate> certificate = certificateOf(result);
    if (!certificate) {
      inputError(
          "an op reads one value in two layouts, for which nothing is proven; no certificate is written");
      return false;
    }
    files.push_back(jsonFile(arguments.certificate, toJson(*certificate)));
  }
  decisions::Decisions decided = decisionsOf(result, arguments.input);
  if (!arguments.decisions.empty())
    files.push_back({arguments.decisions, [&](llvm::raw_ostream &os) {
                       llvm::json::OStream json(os);
                       write(json, decided);
                       os << "\n";
                     }});
  if (!arguments.report.empty())
    files.push_back(reportFile(arguments.report, {decided, std::nullopt}));
  return writeFiles(std::move(files));
}

/// Where text for people goes: standard error if standard output carries something else.
llvm::raw_ostream &people(const OptimizeArguments &arguments) {
  bool taken = llvm::is_contained({arguments.output, arguments.json, arguments.dumpPlan, arguments.dumpSolver,
                                   arguments.decisions, arguments.report, arguments.certificate},
                                  "-");
  return taken ? llvm::errs() : llvm::outs();
}

/// Said if nobody was asked, too: the formulas may be wrong about an op.
void printConfirmation(llvm::raw_ostream &os, const std::optional<Confirmation> &confirmation,
                       llvm::StringRef opModel, llvm::StringRef version) {
  if (!confirmation) {
    // The one that would be asked, if it is not what is set up anyway.
    llvm::StringRef library = libraryOf(version);
    std::string setUp = "tessera setup ttnn";
    if (!library.empty() && library != kTtnnVersion)
      setUp += " --version " + library.str();
    // Who plans by the library's answers has no other ones to confirm.
    bool asked = opModel == "ttnn" || opModel.starts_with("ttnn:");
    os << "library         " << (asked ? "asked by the op model" : "not confirmed (" + setUp + "; --confirm)")
       << "\n";
    return;
  }
  os << "library         confirmed by " << confirmation->library << ": " << confirmation->accepted << " of "
     << confirmation->ops << " ops, in " << confirmation->plans
     << (confirmation->plans == 1 ? " plan\n" : " plans\n");
  for (const std::string &message : confirmation->refused)
    os << "                refused: " << message << "\n";
}

/// Functions that loops run: how often, and how long all of it takes, which no function's own time holds.
void printLoops(llvm::raw_ostream &os, ModuleOp module, const OptimizationResult &result) {
  module.walk([&](func::FuncOp caller) {
    caller.walk([&](Operation *op) {
      FlatSymbolRefAttr body = isLoop(op) ? bodyOf(op) : FlatSymbolRefAttr();
      auto found = llvm::find_if(result.functions, [&](const OptimizedFunction &function) {
        return body && function.summary.function == body.getValue();
      });
      if (found == result.functions.end())
        return;
      os << "loop            @" << body.getValue() << " runs ";
      if (std::optional<int64_t> trips = tripsOf(op))
        os << *trips << " times in @" << caller.getName() << ": "
           << formatNanoseconds(found->summary.after * double(*trips)) << ", before "
           << formatNanoseconds(found->summary.before * double(*trips)) << "\n";
      else
        os << "in @" << caller.getName() << ", how often depends on values\n";
    });
  });
}

/// Text on the plan, whose form no program should rely on.
void printForPeople(const OptimizeArguments &arguments, const Optimized &optimized, ModuleOp module) {
  const OptimizationResult &result = optimized.result;
  llvm::raw_ostream &people = ::people(arguments);
  if (arguments.explain)
    // --explain was asked for by name, so --quiet does not silence it.
    printSteps(people, result);
  if (arguments.quiet)
    return;
  printReport(people, result);
  printLoops(people, module, result);
  printConfirmation(people, optimized.confirmation, arguments.opModel.choice, result.opModel.backendVersion);
  if (arguments.output.empty())
    people << "output          none: -o FILE writes the optimized module, -o - prints it\n";
  else if (arguments.output != "-")
    people << "output          " << arguments.output << "\n";
}

/// What the module is as text; nullopt if it is not what was decided, after a diagnostic. That is a defect of ours.
std::optional<std::string> checkedText(ModuleOp module, bool debugInfo, FallbackAsmResourceMap &resources,
                                       TimingScope &timing) {
  auto failed = [](StringRef why) {
    llvm::errs() << "tessera: internal error: the optimized module does not " << why
                 << "; nothing was written\n";
    return std::nullopt;
  };
  TimingScope verifying = timing.nest("verify");
  if (mlir::failed(verify(module)))
    return failed("verify");
  verifying.stop();
  TimingScope printing = timing.nest("print");
  dropPlaces(module);
  std::string text = printModule(module, debugInfo, resources);
  printing.stop();
  TimingScope reading = timing.nest("read back");
  if (!readsBack(text, debugInfo))
    return failed("read back");
  return text;
}

/// What the guard compares with: the file, or of bytecode, which only our own reader reads, what it says that it read.
std::string guardedText(const llvm::SourceMgr &sources, ModuleOp module, FallbackAsmResourceMap &resources) {
  StringRef file = mainFile(sources);
  if (!isBytecode(llvm::MemoryBufferRef(file, "")))
    return file.str();
  mlir::emitWarning(UnknownLoc::get(module.getContext()))
      << "bytecode has no names of properties: what Tessera does not know of it is lost, and not seen";
  return printModule(module, /*locations=*/false, resources);
}

/// Success if the output says all that the input does (Guard.h). Else the exit code, after a diagnostic: it is a defect
/// of ours, unless the input has text that MLIR does not look into.
int checkKept(const std::string &input, const OptimizationResult &result, const std::string &output,
              const std::string &file, GuardOptions options, TimingScope &timing, ModuleOp module) {
  TimingScope guarding = timing.nest("guard");
  std::string lost = lostOnTheWay(llvm::MemoryBufferRef(input, file), result,
                                  llvm::MemoryBufferRef(output, "output"), options);
  if (lost.empty())
    return kSuccess;
  if (std::string alias = aliasInUnknownText(module); !alias.empty())
    return inputError("'" + file + "': " + alias);
  llvm::errs() << "tessera: internal error: the optimized module does not keep all of the input: " << lost
               << "; nothing was written\n";
  return kInternalError;
}

/// Whether a rewrite that was applied computes the same with other roundings, so that bits may differ.
bool roundsElsewhere(const RewrittenGraph &graph) {
  return llvm::any_of(graph.applied, [](const AppliedRewrite &applied) {
    return applied.rewrite->exactness == Exactness::Rounding;
  });
}

/// The share of planning in the work, if both programs are run as well. Which is longer depends on the program.
constexpr double kPlanning = 0.5;

/// The module as it came, to be run beside what becomes of it.
class Verification {
public:
  /// nullopt after a diagnostic. Without --verify it does nothing.
  static std::optional<Verification> prepare(ModuleOp module, const OptimizeArguments &arguments,
                                             const OptimizerOptions &options) {
    Verification verification(arguments);
    if (!arguments.verify)
      return verification;
    std::optional<ChosenSimulation> chosen = chosenSimulation(verification.simulation);
    if (!chosen)
      return std::nullopt;
    verification.request = {chosen->inputs, chosen->memory, chosen->arithmetic};
    verification.device = options.device;
    // Read before the optimizer runs, which changes the module in place.
    verification.before = verification.simulated(module);
    return verification.before ? std::optional(std::move(verification)) : std::nullopt;
  }

  /// Whether the optimized module computes the same; prints what `tessera verify` does. Of a graph with rewrites that
  /// round elsewhere that means: as exactly.
  bool holds(ModuleOp module, const OptimizationResult &result, Progress &progress, TimingScope &timing) {
    if (!before)
      return true;
    TimingScope running = timing.nest("simulate");
    if (result.graph && roundsElsewhere(*result.graph)) {
      // Bits will differ, so both are held against what no rounding would give.
      request.reference = Reference::Unrounded;
      request.errorGrowth = simulator::kErrorGrowthOfRewrites;
    }
    std::unique_ptr<SimulatedFile> after = simulated(module);
    std::optional<ModuleComparison> comparison =
        after ? ModuleComparison::prepare(*before, after.get(), request) : std::nullopt;
    if (!comparison)
      return false;
    progress.setPart({kPlanning, (kPlanning + 1) / 2});
    bool ran = comparison->runBefore(progress);
    progress.setPart({(kPlanning + 1) / 2, 1});
    std::optional<bool> equal = ran ? comparison->compare(*after, progress, people(arguments)) : std::nullopt;
    if (equal && !*equal)
      inputError(llvm::Twine("the optimized module computes ") +
                 (request.comparesErrors() ? "less exactly" : "something else") + "; nothing was written");
    return equal && *equal;
  }

private:
  explicit Verification(const OptimizeArguments &arguments) : arguments(arguments) {
    simulation.inputs = arguments.inputs;
    simulation.memory = arguments.memory;
    simulation.arithmetic = arguments.arithmetic;
    simulation.opModel = arguments.opModel;
    simulation.opModel.cacheFile.clear(); // the optimizer's run owns it
  }
  /// The module as the simulator runs it, on the device that it is planned for.
  std::unique_ptr<SimulatedFile> simulated(ModuleOp module) const {
    return SimulatedFile::of(module, arguments.input, simulation, device ? &*device : nullptr);
  }

  const OptimizeArguments &arguments;
  SimulationOptions simulation;
  std::optional<DeviceSpec> device;
  ComparisonRequest request;
  std::unique_ptr<SimulatedFile> before;
};

} // namespace

llvm::Expected<OptimizerOptions> tessera::optionsOf(const OptimizeArguments &arguments) {
  OptimizerOptions plain;
  plain.policy = arguments.policy;
  plain.opModel = arguments.opModel;
  plain.tensorL1UsageCap = arguments.l1UsageCap;
  plain.analysis.maxLegalLayouts = arguments.maxLegalLayouts;
  plain.analysis.rowMajorEnabled = arguments.rowMajor;
  plain.l1InterleavedFallback = arguments.l1InterleavedFallback;
  plain.keepConstants = arguments.keepConstants;
  // A certificate is a proof of a bound, so there has to be one.
  plain.bound = arguments.bound || !arguments.certificate.empty();
  plain.strict = arguments.strict;
  // They cost as much as several plans, so only who reads them has them made.
  plain.decisions = !arguments.decisions.empty() || !arguments.report.empty();
  plain.trace = !arguments.decisions.empty();
  plain.policyOptions.dropSlowChains = arguments.chains.dropsSlow();
  OptimizerText text;
  text.policy = {arguments.beam, arguments.optimal, arguments.schedule, arguments.spill};
  text.numerics = arguments.numerics;
  text.rewrites = arguments.rewrites;
  text.overrideOutputLayout = arguments.overrideOutputLayout;
  text.overrideConv2dConfig = arguments.overrideConv2dConfig;
  text.insertMemReconfig = arguments.insertMemReconfig;
  text.device = arguments.device;
  return parseOptions(text, std::move(plain));
}

std::optional<OptimizerOptions>
tessera::optimizerOptions(const OptimizeArguments &arguments, Progress &progress,
                          llvm::function_ref<InFlightDiagnostic()> emitError) {
  // Usage errors come before those of the module: they are true of every module.
  if (!findPolicyOrDiagnose(arguments.policy, emitError))
    return std::nullopt;
  llvm::Expected<OptimizerOptions> options = optionsOf(arguments);
  if (!options) {
    usageError(llvm::toString(options.takeError()));
    return std::nullopt;
  }
  options->policyOptions.progress = progress.function("", {0, arguments.verify ? kPlanning : 1});
  return std::move(*options);
}

/// Plans the module, which is changed in place, or replaced if a plan had to be made anew after a refusal.
static FailureOr<Optimized> planned(OwningOpRef<ModuleOp> &module, OptimizerOptions &options, bool confirm) {
  std::optional<Confirmation> confirmation;
  std::string library;
  if (confirm) {
    confirmation.emplace();
    // The library confirms that the module is planned for, and without a word about it the formulas answer for the one
    // that confirms: a plan would be refused for what only the other version allows.
    StringRef known = libraryOf(answeringFor(versionOfModule(*module), options.opModel).backendVersion);
    library = (known.empty() ? StringRef(kTtnnVersion) : known).str();
    answerAsLibrary(options.opModel, library);
  }
  FailureOr<OptimizationResult> result =
      confirmation ? optimizeConfirmed(module, options, library, *confirmation) : optimize(*module, options);
  if (failed(result))
    return failure();
  return Optimized{std::move(*result), std::move(confirmation)};
}

/// Writes what is to be written and prints the summary. Returns the exit code.
static int hand(const OptimizeArguments &arguments, Optimized &done, ModuleOp module,
                const std::string &optimized, SolverLog &solverLog) {
  // The summary of a plan that does not fit is still of use, a module that the device refuses is not.
  bool fits = llvm::all_of(done.result.functions,
                           [](const OptimizedFunction &function) { return function.summary.fits; });
  if (!fits && !arguments.output.empty())
    return inputError("the plan exceeds L1, as nothing may leave it (--spill none); no module is written");
  if (!writeOutputs(arguments, done, optimized, solverLog))
    return kInputError;
  printForPeople(arguments, done, module);
  return kSuccess;
}

int tessera::runOptimize(const OptimizeArguments &arguments) {
  std::unique_ptr<MLIRContext> context = makeContext();
  llvm::SourceMgr sources;
  SessionDiagnostics diagnostics(context.get(), sources, /*remarks=*/!arguments.quiet);
  Progress progress(Progress::wanted(arguments.progress, arguments.quiet));
  std::optional<OptimizerOptions> options =
      optimizerOptions(arguments, progress, [&] { return mlir::emitError(UnknownLoc::get(context.get())); });
  // Before anything is read, so that no plan is lost to two outputs that write one file.
  if (!options || !checkOutputs(outputOptions(arguments), arguments.opModel))
    return kUsageError;
  SolverLog solverLog(arguments.dumpSolver);
  options->policyOptions.solverObserver = solverLog.observer();
  DefaultTimingManager timer; // prints when it ends
  timer.setEnabled(arguments.timing);
  TimingScope timing = timer.getRootScope();
  options->timing = &timing;

  TimingScope parsing = timing.nest("parse");
  if (!areWritable(outputOptions(arguments)) || !readInput(arguments.input, arguments.allowBytecode, sources))
    return kInputError;
  // From here on a crash writes what was read and how to run it again.
  Reproducer reproducer(arguments.commandLine, mainFile(sources));
  AsmParserState text;
  FallbackAsmResourceMap resources;
  OwningOpRef<ModuleOp> module = parseModule(sources, context.get(), text, &resources);
  parsing.stop();
  if (!module)
    return kInputError;
  // Locations carry the names that overrides match: a file that has them keeps them.
  bool debugInfo = arguments.debugInfo || hasOwnLocations(*module);
  // The guard's text of bytecode is printed from the module, so it has to be taken before the optimizer changes
  // it.
  std::string input = guardedText(sources, *module, resources);
  options->print = [&](ModuleOp graph) { // like the output, so that the guard can compare the two
    OwningOpRef<ModuleOp> copy = graph.clone();
    dropPlaces(*copy);
    return printModule(*copy, debugInfo, resources);
  };
  std::optional<Verification> verification = Verification::prepare(*module, arguments, *options);
  if (!verification)
    return kInputError;
  FailureOr<Optimized> done = planned(module, *options, arguments.confirm);
  progress.clear();
  if (failed(done) || !verification->holds(*module, done->result, progress, timing))
    return kInputError;

  std::optional<std::string> optimized = checkedText(*module, debugInfo, resources, timing);
  GuardOptions guard = guardOptions(*options);
  guard.locations = debugInfo;
  int kept = optimized ? checkKept(input, done->result, *optimized, arguments.input, guard, timing, *module)
                       : kInternalError;
  // A defect of ours must not go unseen: the exit code is its own, and the reproducer tells how to run it
  // again.
  if (kept == kInternalError)
    reproducer.write();
  if (kept != kSuccess)
    return kept;
  TimingScope writing = timing.nest("write");
  return hand(arguments, *done, *module, *optimized, solverLog);
}
