//===- ConfigMergeCommand.cpp - tessera config merge ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A merge reports all problems and not the first, each with the places it has:
// configs of a model repeat themselves layer by layer, so that one mistake is
// made sixty times and would be mended sixty times.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"
#include "ItemFile.h"

#include "tessera/Driver/Commands.h"
#include "tessera/ModelRunner/ItemJson.h"
#include "tessera/ModelRunner/MergeCases.h"
#include "tessera/ModelRunner/RunConfig.h"
#include "tessera/Support/Json.h"
#include "tessera/Support/NearestNames.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tessera;
namespace json = llvm::json;

namespace {

/// nullopt after a diagnostic.
std::optional<json::Value> readJson(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer) {
    inputError("cannot read '" + path + "': " + buffer.getError().message());
    return std::nullopt;
  }
  llvm::Expected<json::Value> value = parseJson((*buffer)->getBuffer());
  if (value)
    return std::move(*value);
  inputError(path + ": " + llvm::toString(value.takeError()));
  return std::nullopt;
}

int runCases(const std::string &path) {
  std::optional<json::Value> file = readJson(path);
  if (!file)
    return kInputError;
  llvm::Expected<runner::MergeCasesResult> result = runner::runMergeCases(*file);
  if (!result)
    return inputError(path + ": " + llvm::toString(result.takeError()));
  for (const runner::MergeDisagreement &each : result->disagreements)
    llvm::outs() << "case '" << each.name << "' disagrees in dialect " << each.dialect << "\n  expected "
                 << each.expected << "\n  got      " << each.actual << "\n";
  llvm::outs() << result->agree() << " of " << result->cases << " agree\n";
  return result->agree() == result->cases ? kSuccess : kInputError;
}

/// Each problem once, with its first place: what a state lacks is missing wherever the model asks for it.
int reportProblems(llvm::ArrayRef<runner::MergeProblem> problems) {
  llvm::MapVector<llvm::StringRef, llvm::SmallVector<llvm::StringRef>> places;
  for (const runner::MergeProblem &problem : problems)
    places[problem.message].push_back(problem.path);
  for (const auto &[message, paths] : places) {
    size_t more = paths.size() - 1;
    inputError(
        llvm::formatv("{0}{1}{2}{3}", paths.front(), paths.front().empty() ? "" : ": ", message,
                      more ? llvm::formatv(" (and at {0} more place{1})", more, more > 1 ? "s" : "").str()
                           : std::string())
            .str());
  }
  return kInputError;
}

} // namespace

std::optional<runner::Item> tessera::readItem(const std::string &path, runner::Dialect dialect) {
  if (path.empty())
    return runner::Item();
  std::optional<json::Value> value = readJson(path);
  if (!value)
    return std::nullopt;
  llvm::Expected<runner::Item> item = runner::itemFromJson(*value, dialect);
  if (item)
    return std::move(*item);
  inputError(path + ": " + llvm::toString(item.takeError()));
  return std::nullopt;
}

int tessera::mergeConfigs(const ConfigMergeArguments &arguments) {
  if (!arguments.cases.empty())
    return runCases(arguments.cases);
  if (arguments.model.empty())
    return usageError("either --cases or --model is required");
  llvm::SmallVector<llvm::StringRef> known(std::begin(runner::kMergeModeNames),
                                           std::end(runner::kMergeModeNames));
  auto mode = parseName<runner::MergeMode>("rules", arguments.mode, known);
  if (!mode)
    return usageError(llvm::toString(mode.takeError()));
  runner::MergeOptions options{*mode, nullptr, nullptr};
  // Published rules know no more of a config than its own form has.
  auto dialect =
      options.mode == runner::MergeMode::Published ? runner::Dialect::Spec : runner::Dialect::Compat;
  std::vector<runner::Item> items;
  std::vector<std::string> paths = {arguments.model, arguments.weights};
  paths.insert(paths.end(), arguments.states.begin(), arguments.states.end());
  for (const std::string &path : paths) {
    std::optional<runner::Item> item = readItem(path, dialect);
    if (!item)
      return kInputError;
    items.push_back(std::move(*item));
  }
  // A merge needs a state to take the mesh device from; an empty one has none.
  if (arguments.states.empty())
    items.emplace_back(runner::Dict());
  runner::RunConfig run = runner::runConfig(items[0], items[1], llvm::ArrayRef(items).drop_front(2), options);
  for (const std::string &warning : run.warnings)
    llvm::errs() << "tessera: warning: " << warning << "\n";
  if (!run.problems.empty())
    return reportProblems(run.problems);
  return writeFiles({jsonFile(arguments.output, runner::itemToJson(run.config))}) ? kSuccess : kInputError;
}
