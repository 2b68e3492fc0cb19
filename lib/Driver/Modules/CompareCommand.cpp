//===- CompareCommand.cpp - tessera compare -------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Runs several policies on one module and sets their summaries side by side.
//
//===----------------------------------------------------------------------===//
#include "../Common/ModuleFile.h"
#include "../Common/OptionEffects.h"
#include "../Common/Progress.h"
#include "../Common/Reproducer.h"
#include "../Common/Session.h"
#include "CompareAgainst.h"
#include "DecidedModule.h"
#include "tessera/Driver/Commands.h"
#include "tessera/Optimizer/Optimizer.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tessera;

namespace {

/// What one policy made of the module.
struct PolicyOutcome {
  FunctionSummary summary;
  PolicyFigures figures;
  decisions::SpillCounts spills;
  OpModelUse opModel;
};

/// Parses the module anew for each policy: optimization changes it in place. nullopt after a diagnostic.
std::optional<PolicyOutcome> runPolicy(const llvm::SourceMgr &sources, const OptimizerOptions &options) {
  // A context of its own, too, so that no policy finds what another one has left in it.
  std::unique_ptr<MLIRContext> context = makeContext();
  llvm::SourceMgr copy;
  // The text is shared, the buffers are not: a SourceMgr owns those that it is given.
  copy.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(sources.getMemoryBuffer(sources.getMainFileID())->getMemBufferRef()),
      llvm::SMLoc());
  SessionDiagnostics diagnostics(context.get(), copy, /*remarks=*/false);
  AsmParserState text;
  OwningOpRef<ModuleOp> module = parseModule(copy, context.get(), text);
  if (!module)
    return std::nullopt;
  PolicyOutcome outcome;
  OptimizerOptions withFigures = options;
  withFigures.policyOptions.figures = &outcome.figures;
  // The causes tell what a policy could have done otherwise, by pricing values in L1 in the same way for all
  // (docs/policies.md).
  withFigures.spillCauses = true;
  FailureOr<OptimizationResult> result = optimize(*module, withFigures);
  if (failed(result))
    return std::nullopt;
  outcome.summary = totalOf(result->functions);
  for (const OptimizedFunction &function : result->functions)
    outcome.spills += function.spills.value_or(decisions::SpillCounts());
  outcome.opModel = result->opModel;
  return outcome;
}

/// How many of the tensors that a plan counts lie in L1, 0 to 1.
double shareInL1(const FunctionSummary &summary) {
  double inL1 = double(summary.l1Sharded.count + summary.l1Interleaved.count);
  double all = inL1 + double(summary.dram.count + summary.host.count);
  return all > 0 ? inL1 / all : 0;
}

/// What is free of the budget where L1 is fullest, 0 to 1.
double headroom(const FunctionSummary &summary) {
  // With --spill none a plan may exceed the budget.
  return summary.l1Budget.value() > 0 ? std::max(0.0, 1 - summary.peakL1 / summary.l1Budget) : 0;
}

/// The same by what tensors hold, circular buffers apart.
double tensorHeadroom(const FunctionSummary &summary) {
  return summary.l1Budget.value() > 0 ? 1 - summary.peakTensors / summary.l1Budget : 0;
}

/// What none of the plans takes less than. Each bound is one of its own plan, as what a plan does is among the choices,
/// and policies differ in how they have constants lie; so the least of them is one of all.
std::optional<Nanoseconds> commonBound(llvm::ArrayRef<PolicyOutcome> outcomes) {
  std::optional<Nanoseconds> least;
  for (const PolicyOutcome &outcome : outcomes) {
    // What is missing may be lower than all that is there.
    if (!outcome.summary.bound)
      return std::nullopt;
    least = std::min(least.value_or(*outcome.summary.bound), *outcome.summary.bound);
  }
  return least;
}

/// A row per policy; columns that none has anything in are left out.
void printTable(llvm::raw_ostream &os, llvm::ArrayRef<PolicyOutcome> outcomes) {
  std::vector<TextTable::Column> columns{{"policy"},
                                         {"time", Align::Right},
                                         {"speed-up", Align::Right},
                                         {"in L1", Align::Right},
                                         {"sharded", Align::Right},
                                         {"mean cores", Align::Right},
                                         {"reshards", Align::Right},
                                         {"spills", Align::Right},
                                         {"reloads", Align::Right},
                                         {"peak L1", Align::Right},
                                         {"headroom", Align::Right},
                                         {"planned in", Align::Right}};
  std::optional<Nanoseconds> bound = commonBound(outcomes);
  if (bound)
    columns.push_back({"above bound", Align::Right});
  // Of how many ops the time is not known, and so not part of what is compared.
  // Most models have none of them, and a column of zeros tells nothing.
  bool anyUnknown =
      llvm::any_of(outcomes, [](const PolicyOutcome &outcome) { return unknownTimes(outcome.summary) > 0; });
  if (anyUnknown)
    columns.push_back({"times unknown", Align::Right});
  TextTable table(columns);
  for (const PolicyOutcome &outcome : outcomes) {
    const FunctionSummary &s = outcome.summary;
    std::vector<std::string> cells{s.policy,
                                   formatNanoseconds(s.after),
                                   llvm::formatv("{0:F2}x", s.after.value() > 0 ? s.before / s.after : 1.0),
                                   formatPercent(shareInL1(s)),
                                   std::to_string(s.l1Sharded.count),
                                   llvm::formatv("{0:F1}", s.meanCores),
                                   std::to_string(s.reshards),
                                   std::to_string(s.spills),
                                   std::to_string(s.reloads),
                                   formatBytes(s.peakL1),
                                   formatPercent(headroom(s)),
                                   llvm::formatv("{0:F2} s", s.planningSeconds)};
    if (bound)
      cells.push_back(llvm::formatv(
          "{0:F1} %", *bound > Nanoseconds(0) ? 100 * std::max(0.0, s.after / *bound - 1) : 0.0));
    if (anyUnknown)
      cells.push_back(std::to_string(unknownTimes(s)));
    table.add(std::move(cells));
  }
  table.print(os);
  if (bound)
    os << "\nbound " << formatNanoseconds(*bound) << ": none of these plans takes less (docs/certified.md)\n";
}

/// Why ops read from DRAM, judged alike for all policies: each value is priced in L1, all else as the plan has it.
void printSpills(llvm::raw_ostream &os, llvm::ArrayRef<PolicyOutcome> outcomes) {
  os << "\nResults that ops read from DRAM, by cause\n";
  TextTable table({{"policy"},
                   {"none legal in L1", Align::Right},
                   {"no room in L1", Align::Right},
                   {"L1 no faster", Align::Right},
                   {"not found", Align::Right},
                   {"in all", Align::Right}});
  for (const PolicyOutcome &outcome : outcomes) {
    const decisions::SpillCounts &s = outcome.spills;
    table.add({outcome.summary.policy, std::to_string(s.backend), std::to_string(s.memory),
               std::to_string(s.faster), std::to_string(s.policy),
               std::to_string(s.backend + s.memory + s.faster + s.policy)});
  }
  table.print(os);
}

/// The same as the refactoring proposal counts it, by operands: another count, so not beside the causes.
void printOperands(llvm::raw_ostream &os, llvm::ArrayRef<PolicyOutcome> outcomes) {
  os << "\nOperands that ops read from DRAM, and where a layout in L1 would be legal and fit\n";
  TextTable table({{"policy"},
                   {"operands", Align::Right},
                   {"of these, L1 possible", Align::Right},
                   {"forks, L1 possible", Align::Right}});
  for (const PolicyOutcome &outcome : outcomes) {
    const decisions::SpillCounts &s = outcome.spills;
    table.add({outcome.summary.policy, std::to_string(s.edges), std::to_string(s.possibleEdges),
               std::to_string(s.possibleForks)});
  }
  table.print(os);
}

llvm::json::Value asJson(const decisions::SpillCounts &spills) {
  return llvm::json::Object{{"backend", spills.backend},
                            {"memory", spills.memory},
                            {"faster", spills.faster},
                            {"policy", spills.policy},
                            {"operands", spills.edges},
                            {"operands_l1_possible", spills.possibleEdges},
                            {"forks_l1_possible", spills.possibleForks}};
}

/// Figures that only some policies have: one line per policy that reports any.
void printFigures(llvm::raw_ostream &os, llvm::ArrayRef<PolicyOutcome> outcomes) {
  for (const PolicyOutcome &outcome : outcomes) {
    if (outcome.figures.empty())
      continue;
    os << "\n" << outcome.summary.policy << "\n";
    for (const auto &[name, count] : outcome.figures)
      os << llvm::formatv("  {0,-42}{1,6}\n", name, count);
  }
}

/// Who answered, if that was a choice: one line per policy.
void printOpModels(llvm::raw_ostream &os, llvm::ArrayRef<PolicyOutcome> outcomes,
                   const OpModelOptions &options) {
  // The built-in formulas are the same for all, and there is nothing to tell.
  if (options == OpModelOptions())
    return;
  for (const PolicyOutcome &outcome : outcomes) {
    os << "\n" << outcome.summary.policy << "\n";
    printUse(os, outcome.opModel);
  }
}

llvm::json::Value asJson(llvm::ArrayRef<PolicyOutcome> outcomes, const std::string &input) {
  llvm::json::Array policies;
  for (const PolicyOutcome &outcome : outcomes) {
    llvm::json::Value summary = toJson(outcome.summary);
    llvm::json::Object figures;
    for (const auto &[name, count] : outcome.figures)
      figures[name] = int64_t(count);
    llvm::json::Object *object = summary.getAsObject();
    (*object)["figures"] = std::move(figures);
    (*object)["op_model"] = toJson(outcome.opModel);
    (*object)["share_in_l1"] = shareInL1(outcome.summary);
    (*object)["l1_headroom"] = headroom(outcome.summary);
    (*object)["l1_headroom_tensors"] = tensorHeadroom(outcome.summary);
    (*object)["from_dram"] = asJson(outcome.spills);
    // Here alone: a summary has no time of this machine, so that equal runs write equal files.
    (*object)["planning_seconds"] = outcome.summary.planningSeconds;
    policies.push_back(std::move(summary));
  }
  return llvm::json::Object{{"input", input}, {"policies", std::move(policies)}};
}

} // namespace

int tessera::runCompare(const CompareArguments &arguments) {
  // Diagnostics need a context before there is a module; each policy parses in its own.
  MLIRContext lookup(MLIRContext::Threading::DISABLED);
  llvm::SourceMgr sources;
  SessionDiagnostics diagnostics(&lookup, sources, /*remarks=*/false);
  auto emitError = [&] { return mlir::emitError(UnknownLoc::get(&lookup)); };
  Progress progress(Progress::wanted(arguments.progress));
  std::optional<OptimizerOptions> chosen = optimizerOptions(arguments, progress, emitError);
  if (!chosen || !checkOutputs({{"--json", arguments.json}}, arguments.opModel))
    return kUsageError;
  OptimizerOptions options = std::move(*chosen);
  std::vector<std::string> names = comparedPolicies(arguments);
  for (StringRef name : names)
    if (!findPolicyOrDiagnose(name, emitError))
      return kUsageError;
  if (!arguments.against.empty())
    return compareAgainst(arguments, names);
  if (!readInput(arguments.input, arguments.allowBytecode, sources))
    return kInputError;
  Reproducer reproducer(arguments.commandLine, mainFile(sources));
  // One after the other: the planning time of each is printed.
  std::vector<PolicyOutcome> outcomes;
  for (auto [index, name] : llvm::enumerate(names)) {
    options.policyOptions.progress = progress.function(name + ": ", partOf(index, names.size()));
    options.policy = name;
    std::optional<PolicyOutcome> outcome = runPolicy(sources, options);
    if (!outcome)
      return kInputError;
    outcomes.push_back(std::move(*outcome));
  }
  progress.clear();
  // Before anything is printed: a run whose file cannot be written has failed.
  if (!writeFiles({jsonFile(arguments.json, asJson(outcomes, arguments.input))}))
    return kInputError;
  llvm::raw_ostream &people = arguments.json == "-" ? llvm::errs() : llvm::outs();
  printTable(people, outcomes);
  printSpills(people, outcomes);
  if (arguments.statistics) {
    printOperands(people, outcomes);
    printFigures(people, outcomes);
  }
  printOpModels(people, outcomes, arguments.opModel);
  return kSuccess;
}
