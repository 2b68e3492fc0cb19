//===- EmbeddedPlans.cpp - Questions about plans, for other programs ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Questions about a plan that was made before. Decisions go in and out as text,
// so a plan may be kept, sent, and asked by another process than that which
// made it.
//
//===----------------------------------------------------------------------===//
#include "Common/Session.h"
#include "EmbeddedModule.h"
#include "Modules/CandidatesOfOp.h"
#include "Modules/DecisionText.h"
#include "Modules/ModuleComparison.h"
#include "Modules/TimeGroupsText.h"

#include "tessera/OpModel/Backends.h"
#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Report/Diff.h"
#include "tessera/Report/Exports.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;
using namespace tessera::embedded;
namespace json = llvm::json;

/// Entries that a list of the most expensive has.
static constexpr size_t kCostliest = 10;

Outcome<std::string> embedded::explain(const std::string &decisions, const std::string &op) {
  llvm::Expected<decisions::Decisions> all = parsedDecisions(decisions);
  if (!all)
    return failure(all.takeError());
  if (!op.empty()) {
    llvm::Expected<DecidedOp> found = findOp(*all, op);
    return found ? Outcome<std::string>(text(toJson(*found))) : failure(found.takeError());
  }
  json::Array functions;
  for (const decisions::FunctionDecisions &function : all->functions)
    functions.push_back(costliestAsJson(function, kCostliest));
  return text(std::move(functions));
}

Outcome<std::string> embedded::timeBy(const std::string &decisions, const std::string &by) {
  auto what = parseName<decisions::TimeBy>("way to group", by, decisions::wordsOf(decisions::TimeBy()));
  if (!what)
    return failure(what.takeError());
  llvm::Expected<decisions::Decisions> all = parsedDecisions(decisions);
  if (!all)
    return failure(all.takeError());
  json::Array functions;
  for (const decisions::FunctionDecisions &function : all->functions)
    functions.push_back(timeByAsJson(function, *what));
  return text(std::move(functions));
}

Outcome<std::string> embedded::table(const std::string &decisions, const std::string &name) {
  llvm::Expected<decisions::Decisions> all = parsedDecisions(decisions);
  if (!all)
    return failure(all.takeError());
  std::vector<report::CsvFile> files = report::csvFiles(*all);
  std::vector<llvm::StringRef> known;
  for (report::CsvFile &file : files) {
    // Tables are called without the ending: here they are no files.
    known.push_back(llvm::StringRef(file.name).split('.').first);
    if (known.back() == name)
      return std::move(file.text);
  }
  return Failure{unknownName("table", name, known), {}};
}

Outcome<std::string> embedded::diff(const std::string &before, const std::string &after) {
  llvm::Expected<decisions::Decisions> first = parsedDecisions(before);
  if (!first)
    return failure(first.takeError());
  llvm::Expected<decisions::Decisions> second = parsedDecisions(after);
  if (!second)
    return failure(second.takeError());
  json::Array functions;
  for (const report::FunctionDiff &each : report::diff(*first, *second))
    functions.push_back(toJson(each));
  return text(std::move(functions));
}

Outcome<std::string> embedded::candidates(const OptimizeRequest &request, const std::string &op, bool all) {
  llvm::Expected<OptimizerOptions> options = optionsOf(request);
  if (!options)
    return failure(options.takeError());
  Outcome<std::unique_ptr<EmbeddedModule>> read = EmbeddedModule::read(request.text, request.name);
  if (auto *wrong = std::get_if<Failure>(&read))
    return std::move(*wrong);
  EmbeddedModule &input = *std::get<std::unique_ptr<EmbeddedModule>>(read);
  // Before the plan: an op that shares its location gets one of its own, which the plan has to have seen.
  llvm::Expected<std::string> wanted = ResultNames(*input.module, input.state).opOf(op);
  if (!wanted)
    return failure(wanted.takeError());
  askForCandidates(*options);
  mlir::FailureOr<OptimizationResult> result = tessera::optimize(*input.module, *options);
  if (mlir::failed(result))
    return input.failure();
  llvm::Expected<CandidatesOfOp> table =
      candidatesOf(*result, *wanted, OpModelOptions(), all, std::numeric_limits<size_t>::max());
  return table ? Outcome<std::string>(text(toJson(*table))) : failure(table.takeError());
}

std::vector<std::string> embedded::policyNames() {
  std::vector<std::string> names;
  for (const PolicyInfo &policy : policies())
    names.push_back(policy.name.str());
  return names;
}

/// The figures of `tessera devices`. Usable L1 is that of a device as the default version of the backend opens it.
std::string embedded::devices() {
  json::Array list;
  for (const DeviceSpec &device : builtinDevices())
    list.push_back(json::Object{{"name", device.name},
                                {"arch", name(device.arch)},
                                {"grid", json::Array{device.workerGrid.rows, device.workerGrid.columns}},
                                {"mesh", json::Array{device.mesh.rows, device.mesh.columns}},
                                {"usable_l1_bytes", asOpenedBy(OpModelOptions(), device).usableL1().value()},
                                {"dram_banks", device.dramBanks},
                                {"dram_bytes", (device.dramBankSize * device.dramBanks).value()},
                                {"clock_ghz", device.clockGHz},
                                {"description", device.description}});
  return text(std::move(list));
}

/// Both modules on the same inputs; nullopt after a diagnostic. `said` has the lines of `tessera verify`.
static std::optional<bool> compareModules(EmbeddedModule &before, EmbeddedModule &after,
                                          const std::string &inputs, std::string &said) {
  SimulationOptions options;
  options.inputs = inputs;
  std::optional<ChosenSimulation> chosen = chosenSimulation(options);
  if (!chosen)
    return std::nullopt;
  std::unique_ptr<SimulatedFile> first = SimulatedFile::of(*before.module, "before", options, nullptr);
  std::unique_ptr<SimulatedFile> second =
      first ? SimulatedFile::of(*after.module, "after", options, nullptr) : nullptr;
  if (!second)
    return std::nullopt;
  std::optional<ModuleComparison> comparison = ModuleComparison::prepare(
      *first, second.get(), ComparisonRequest{chosen->inputs, chosen->memory, chosen->arithmetic});
  // Standard error belongs to the program that called.
  Progress silent(Progress::Wanted::Never);
  if (!comparison || !comparison->runBefore(silent))
    return std::nullopt;
  llvm::raw_string_ostream os(said);
  return comparison->compare(*second, silent, os);
}

Outcome<std::string> embedded::verify(const OptimizeRequest &before, const OptimizeRequest &after,
                                      const std::string &inputs) {
  std::unique_ptr<EmbeddedModule> modules[2];
  const OptimizeRequest *requests[] = {&before, &after};
  for (auto [module, request] : llvm::zip_equal(modules, requests)) {
    Outcome<std::unique_ptr<EmbeddedModule>> read = EmbeddedModule::read(request->text, request->name);
    if (auto *wrong = std::get_if<Failure>(&read))
      return std::move(*wrong);
    module = std::move(std::get<std::unique_ptr<EmbeddedModule>>(read));
  }
  // What the simulator tells people is the text of the failure here.
  CapturedErrors errors;
  std::string said;
  std::optional<bool> equal = compareModules(*modules[0], *modules[1], inputs, said);
  if (equal)
    return text(json::Object{{"equal", *equal}, {"text", said}});
  std::string told = errors.text();
  llvm::StringRef why = llvm::StringRef(told).rtrim();
  // The program that called says for itself that this is an error.
  why.consume_front("tessera: error: ");
  return Failure{why.empty() ? "the modules cannot be run" : why.str(), modules[1]->take()};
}
