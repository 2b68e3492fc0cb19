//===- ReportCommand.cpp - tessera report, tessera diff -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// `report` and `diff` are about two plans of one program: by another policy,
// for another board, or of another file. One option names the other plan,
// whichever of the three it is, and all else is as for the first.
//
//===----------------------------------------------------------------------===//
#include "ReportCommand.h"
#include "../Common/CommandTree.h"
#include "../Common/Session.h"
#include "DecidedModule.h"

#include "tessera/Optimizer/Policy/Policy.h"
#include "tessera/Report/Diff.h"
#include "tessera/Support/Json.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
namespace json = llvm::json;

OutputFile tessera::reportFile(const std::string &path, report::ReportedPlans plans) {
  return {path, [plans = std::move(plans)](llvm::raw_ostream &os) mutable {
            report::writeHtml(os, std::move(plans));
          }};
}

/// The arguments by which the other plan is made: those of the first, with another policy, board or file. nullopt after
/// a diagnostic.
static std::optional<OptimizeArguments> otherPlan(const OptimizeArguments &first,
                                                  const std::string &against) {
  OptimizeArguments other = first;
  // Names before files: a file that is called like one of them is reached by "./".
  if (findPolicy(against))
    other.policy = against;
  else if (findDevice(against))
    other.device = against;
  else if (against == "-" || llvm::sys::fs::exists(against))
    other.input = against;
  else {
    std::vector<std::string> names = findValues(commonValues(), "PLAN")->names();
    usageError("'" + against + "' is no policy, no board and no file" +
               didYouMean(against, llvm::SmallVector<llvm::StringRef>(names.begin(), names.end())));
    return std::nullopt;
  }
  if (other.input == "-" && first.input == "-") {
    usageError("standard input can be read once only; give a file to compare plans of");
    return std::nullopt;
  }
  // A policy or a board has nothing to decide where the plan is read from a file.
  if (against != first.input && other.input == first.input && isDecisionsFile(first.input)) {
    usageError("'" + against + "' is no other plan: '" + first.input +
               "' is a decisions file, which has one; give the module, or another decisions file");
    return std::nullopt;
  }
  return other;
}

/// What `tessera judge --json` wrote. The error names the file.
static llvm::Expected<json::Value> readJudgement(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError("'" + path + "': " + buffer.getError().message());
  llvm::Expected<json::Value> read = parseJson((*buffer)->getBuffer());
  if (!read)
    return llvm::createStringError("'" + path + "': " + llvm::toString(read.takeError()));
  const json::Object *object = read->getAsObject();
  // Any JSON could be given: these two keys are what a report reads.
  if (!object || !object->getString("library") || !object->getArray("functions"))
    return llvm::createStringError("'" + path + "' is not what 'tessera judge --json' writes");
  return read;
}

/// What `report` and `diff` are about: the plan of the input, and the other one, if one is named.
struct TwoPlans {
  decisions::Decisions plan;
  std::optional<decisions::Decisions> other;
};

static std::string shapesOf(const decisions::Decisions &plan) {
  return llvm::join(llvm::map_range(plan.functions, report::shapesOf), ", ");
}

/// A graph before and after a change may be compared, and so may two models: but then what differs is not the plans'
/// doing.
static void warnIfUnlike(const ComparingArguments &arguments, const TwoPlans &plans) {
  std::string before = shapesOf(plans.plan), after = shapesOf(*plans.other);
  if (before != after)
    llvm::errs() << "tessera: warning: '" << arguments.input << "' and '" << arguments.against
                 << "' are not one program: the first computes " << llvm::StringRef(before).take_front(200)
                 << ", the second " << llvm::StringRef(after).take_front(200) << "\n";
}

/// The exit code after a diagnostic. What is wrong with the arguments is said before anything is planned.
static std::variant<TwoPlans, ExitCode> readPlans(const ComparingArguments &arguments) {
  std::optional<OptimizeArguments> other;
  if (!arguments.against.empty()) {
    other = otherPlan(arguments, arguments.against);
    if (!other)
      return kUsageError;
    if (arguments.againstStands && (findPolicy(arguments.against) || findDevice(arguments.against))) {
      usageError("'" + arguments.against +
                 "' is no module, and --against-as-it-stands takes one as it is planned");
      return kUsageError;
    }
    if (arguments.againstStands)
      takeAsItStands(*other);
  }
  auto plan = readShownDecisions(arguments);
  if (auto *code = std::get_if<ExitCode>(&plan))
    return *code;
  TwoPlans plans{std::move(std::get<decisions::Decisions>(plan)), std::nullopt};
  if (!other)
    return plans;
  auto against = readShownDecisions(*other);
  if (auto *code = std::get_if<ExitCode>(&against))
    return *code;
  plans.other = std::move(std::get<decisions::Decisions>(against));
  warnIfUnlike(arguments, plans);
  return plans;
}

int tessera::runReport(const ReportArguments &arguments) {
  if (!checkOutputs({{"--output", arguments.output}}, arguments.opModel))
    return kUsageError;
  // Planning takes longest, so what can fail before it does.
  if (!canBeMade(arguments.output))
    return kInputError;
  auto read = readPlans(arguments);
  if (auto *code = std::get_if<ExitCode>(&read))
    return *code;
  auto &[plan, other] = std::get<TwoPlans>(read);
  report::ReportedPlans plans{std::move(plan), std::move(other), {}};
  if (!arguments.judged.empty()) {
    llvm::Expected<json::Value> judgement = readJudgement(arguments.judged);
    if (!judgement)
      return inputError(llvm::toString(judgement.takeError()));
    plans.judgement = std::move(*judgement);
  }
  return writeFiles({reportFile(arguments.output, std::move(plans))}) ? kSuccess : kInputError;
}

int tessera::runDiff(const DiffArguments &arguments) {
  if (!checkOutputs({{"--json", arguments.json}}, arguments.opModel))
    return kUsageError;
  auto read = readPlans(arguments);
  if (auto *code = std::get_if<ExitCode>(&read))
    return *code;
  const auto &[before, after] = std::get<TwoPlans>(read);
  std::vector<report::FunctionDiff> diffs = report::diff(before, *after);
  json::Array list;
  for (const report::FunctionDiff &diff : diffs)
    list.push_back(toJson(diff));
  if (!writeFiles({jsonFile(arguments.json, json::Object{{"format", "tessera.diff"},
                                                         {"version", 1},
                                                         {"before", arguments.input},
                                                         {"after", arguments.against},
                                                         {"functions", std::move(list)}})}))
    return kInputError;
  llvm::raw_ostream &people = arguments.json == "-" ? llvm::errs() : llvm::outs();
  for (const report::FunctionDiff &diff : diffs)
    report::print(people, diff, arguments.all ? diff.entries.size() : size_t(arguments.top));
  return kSuccess;
}
