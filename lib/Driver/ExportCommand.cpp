//===- ExportCommand.cpp - tessera export ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "DecidedModule.h"
#include "Session.h"

#include "tessera/Report/Exports.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using decisions::Decisions;

/// "DIR/name".
static std::string inFolder(const std::string &folder, llvm::StringRef name) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

static OutputFile textFile(const std::string &path, std::string text) {
  return {path, [text = std::move(text)](llvm::raw_ostream &os) { os << text; }};
}

/// "graph.json" -> "graph.time.json".
static std::string timesPath(const std::string &path) {
  llvm::SmallString<128> times(path);
  llvm::sys::path::replace_extension(times, "time.json");
  return times.str().str();
}

/// False after a diagnostic.
static bool makeFolder(const std::string &folder) {
  if (folder.empty())
    return true;
  std::error_code error = llvm::sys::fs::create_directories(folder);
  if (error)
    inputError("cannot make folder '" + folder + "': " + error.message());
  return !error;
}

/// nullopt after a diagnostic.
static std::optional<std::vector<OutputFile>> exportedFiles(const ExportArguments &arguments,
                                                            const Decisions &all) {
  std::vector<OutputFile> files;
  if (!arguments.perfetto.empty())
    files.push_back({arguments.perfetto, [&](llvm::raw_ostream &os) { report::writePerfetto(os, all); }});
  if (!arguments.modelExplorer.empty()) {
    files.push_back(
        {arguments.modelExplorer, [&](llvm::raw_ostream &os) { report::writeModelExplorer(os, all); }});
    if (arguments.modelExplorer != "-")
      files.push_back({timesPath(arguments.modelExplorer),
                       [&](llvm::raw_ostream &os) { report::writeModelExplorerTimes(os, all); }});
  }
  if (!arguments.csv.empty())
    for (report::CsvFile &file : report::csvFiles(all))
      files.push_back(textFile(inFolder(arguments.csv, file.name), std::move(file.text)));
  if (!arguments.visualizer.empty()) {
    llvm::Expected<std::string> database = report::visualizerDatabase(all);
    if (!database) {
      inputError(llvm::toString(database.takeError()));
      return std::nullopt;
    }
    files.push_back(textFile(inFolder(arguments.visualizer, "db.sqlite"), std::move(*database)));
    std::string title = llvm::sys::path::stem(all.input).str() + ", " + all.functions.front().policy +
                        " on " + all.functions.front().device.name + " (estimated)";
    files.push_back(
        jsonFile(inFolder(arguments.visualizer, "config.json"), llvm::json::Object{{"report_name", title}}));
  }
  return files;
}

int tessera::runExport(const ExportArguments &arguments) {
  if (!checkOutputs({{"--perfetto", arguments.perfetto}, {"--model-explorer", arguments.modelExplorer}},
                    arguments.opModel))
    return kUsageError;
  if (arguments.perfetto.empty() && arguments.modelExplorer.empty() && arguments.csv.empty() &&
      arguments.visualizer.empty())
    return usageError("nothing to write: give --perfetto, --visualizer, --model-explorer or --csv");
  auto read = readShownDecisions(arguments);
  if (auto *code = std::get_if<ExitCode>(&read))
    return *code;
  const Decisions &all = std::get<Decisions>(read);
  if (!makeFolder(arguments.csv) || !makeFolder(arguments.visualizer))
    return kInputError;
  std::optional<std::vector<OutputFile>> files = exportedFiles(arguments, all);
  return files && writeFiles(std::move(*files)) ? kSuccess : kInputError;
}
