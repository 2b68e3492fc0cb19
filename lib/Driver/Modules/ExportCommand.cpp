//===- ExportCommand.cpp - tessera export ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// There are two kinds of export. A program in Python is the module as it
// stands, with the layouts that its text has; all others draw what would be
// planned, or was, if the input is a decisions file. They exclude each other,
// as they would be about different plans.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"
#include "DecidedModule.h"
#include "PythonProgram.h"

#include "tessera/Dialect/TTNN/TTNNInterfaces.h"
#include "tessera/Report/Exports.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
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
  // LLVM is content with whatever exists there, a file as well.
  if (!error && !llvm::sys::fs::is_directory(folder))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    inputError("cannot make folder '" + folder + "': " + error.message());
  return !error;
}

/// Whether each is a file of its own: one may be named like one of a folder, or like the times of another. False after a diagnostic.
static bool areApart(const std::vector<OutputFile> &files) {
  for (size_t i = 0; i != files.size(); ++i)
    for (const OutputFile &earlier : llvm::ArrayRef(files).take_front(i))
      if (sameFile(files[i].path, earlier.path)) {
        usageError("two outputs are to be written to '" + earlier.path +
                   "': name another file for one of them");
        return false;
      }
  return true;
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
    // Standard output takes one of the two.
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
    // There is a function: readShownDecisions() has made sure.
    std::string title = llvm::sys::path::stem(all.input).str() + ", " + all.functions.front().policy +
                        " on " + all.functions.front().device.name + " (estimated)";
    files.push_back(
        jsonFile(inFolder(arguments.visualizer, "config.json"), llvm::json::Object{{"report_name", title}}));
  }
  return files;
}

/// A line for each kind of op whose calls leave out what Tessera does not know of it.
static void warnOfUnread(const OpsOfFile &file, const std::string &input) {
  llvm::StringSet<> said;
  for (const OpOfFile &op : file.ops())
    if (mlir::DictionaryAttr unread = ttnn::unreadProperties(op.ir())) {
      std::string names = llvm::join(llvm::map_range(unread, ttnn::nameOfUnread), ", ");
      if (said.insert((op.ir()->getName().getStringRef() + " " + names).str()).second)
        llvm::errs() << "tessera: warning: '" << input << "': " << describe(op)
                     << ": the program calls it without what Tessera does not know (" << names << ")\n";
    }
}

/// The module as it stands, and not planned anew. Nothing is made before all of it is written.
static int exportProgram(const ExportArguments &arguments) {
  if (isDecisionsFile(arguments.input))
    return inputError(
        "'" + arguments.input +
        "' is a decisions file, which has no module; --python takes what 'tessera optimize -o' wrote");
  const DeviceSpec *device = arguments.device.empty() ? nullptr : findDeviceOrDiagnose(arguments.device);
  if (!arguments.device.empty() && !device)
    return kUsageError;
  std::unique_ptr<OpsOfFile> file =
      OpsOfFile::read(arguments.input, arguments.allowBytecode, device, arguments.opModel);
  if (!file)
    return kInputError;
  // A program opens one device and has no words for a mesh.
  if (const GridShape mesh = file->mesh(); mesh.volume() != 1)
    return inputError(
        "'" + arguments.input + "' is for " + llvm::Twine(mesh.volume()) + " chips (" +
        llvm::Twine(mesh.rows) + "x" + llvm::Twine(mesh.columns) +
        "), and a program is for one; tt-mlir takes the module itself on to its runtime (ttmlir-opt "
        "--ttnn-common-to-runtime-pipeline)");
  std::string title = llvm::sys::path::filename(arguments.input).str() + ", on " + file->device().name;
  if (!file->version().empty())
    title += " by ttnn " + file->version().str();
  llvm::Expected<std::string> module = programOfModule(*file, title);
  auto written = module ? writePythonProgram(*module) : module.takeError();
  if (!written)
    return inputError("'" + arguments.input + "': " + llvm::toString(written.takeError()));
  if (!makeFolder(arguments.python))
    return kInputError;
  warnOfUnread(*file, arguments.input);
  std::vector<OutputFile> files;
  for (auto &[name, text] : *written)
    files.push_back(textFile(inFolder(arguments.python, name), std::move(text)));
  if (!arguments.graphHash.empty()) // then the mesh and the number of its devices
    files.push_back(textFile(inFolder(arguments.python, "module_key"), arguments.graphHash + "\n1x1\n1\n"));
  return writeFiles(std::move(files)) ? kSuccess : kInputError;
}

int tessera::runExport(const ExportArguments &arguments) {
  // Files that lie in folders, or beside these, are looked at when their names are known.
  if (!checkOutputs({{"--perfetto", arguments.perfetto}, {"--model-explorer", arguments.modelExplorer}},
                    arguments.opModel))
    return kUsageError;
  bool shows = !arguments.perfetto.empty() || !arguments.modelExplorer.empty() || !arguments.csv.empty() ||
               !arguments.visualizer.empty();
  // Before anything is read: this is wrong of every module.
  if (shows && !arguments.python.empty())
    return usageError(
        "--python writes the module as it stands, and the other outputs what would be planned: one "
        "after the other");
  if (!arguments.python.empty())
    return exportProgram(arguments);
  if (!shows)
    return usageError("nothing to write: give --python, --perfetto, --visualizer, --model-explorer or --csv");
  auto read = readShownDecisions(arguments);
  if (auto *code = std::get_if<ExitCode>(&read))
    return *code;
  const Decisions &all = std::get<Decisions>(read);
  if (!makeFolder(arguments.csv) || !makeFolder(arguments.visualizer))
    return kInputError;
  std::optional<std::vector<OutputFile>> files = exportedFiles(arguments, all);
  if (files && !areApart(*files))
    return kUsageError;
  return files && writeFiles(std::move(*files)) ? kSuccess : kInputError;
}
