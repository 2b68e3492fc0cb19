//===- RunCommand.cpp - tessera run ---------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Results are printed as a few figures, with a fingerprint by which two runs
// are compared at a glance, and written as .npy files if they are wanted whole.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"
#include "KernelRun.h"
#include "SimulatedFile.h"

#include "../Common/Progress.h"
#include "tessera/Simulator/Compare.h"
#include "tessera/Simulator/Npy.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace tessera;
using simulator::DenseTensor;

namespace {

/// A result as people and files call it.
struct NamedResult {
  std::string
      name; ///< "main.result0", "main.argument6" if it was written in place; with ".device1" on a mesh
  const DenseTensor *tensor;
};

std::vector<NamedResult> namedResults(const simulator::Function &function,
                                      const simulator::RunResult &result) {
  std::vector<NamedResult> named;
  auto add = [&](const std::string &name, const simulator::MeshTensor &tensors) {
    for (size_t device = 0; device < tensors.size(); ++device)
      named.push_back(
          {function.name + "." + name + (tensors.size() > 1 ? ".device" + std::to_string(device) : ""),
           &tensors[device]});
  };
  for (size_t i = 0; i < result.returned.size(); ++i)
    add("result" + std::to_string(i), result.returned[i]);
  for (const auto &[argument, tensor] : result.written)
    add("argument" + std::to_string(argument), tensor);
  return named;
}

/// Figures by which a person sees whether a tensor makes sense.
struct ValueSummary {
  double least = 0, most = 0, mean = 0;
  int64_t notFinite = 0;
};

ValueSummary summarize(const DenseTensor &tensor) {
  ValueSummary summary;
  int64_t finite = 0;
  double sum = 0;
  for (int64_t i = 0, end = tensor.volume(); i < end; ++i) {
    double value = tensor.at(i);
    // One of them would make all other figures meaningless.
    if (!std::isfinite(value)) {
      ++summary.notFinite;
      continue;
    }
    summary.least = finite ? std::min(summary.least, value) : value;
    summary.most = finite ? std::max(summary.most, value) : value;
    sum += value;
    ++finite;
  }
  summary.mean = finite ? sum / double(finite) : 0;
  return summary;
}

/// The fingerprint is for comparing runs by eye.
void printResults(llvm::ArrayRef<NamedResult> results) {
  TextTable table({{"tensor"},
                   {"type"},
                   {"least", Align::Right},
                   {"most", Align::Right},
                   {"mean", Align::Right},
                   {"not finite", Align::Right},
                   {"fingerprint"}});
  for (const NamedResult &result : results) {
    ValueSummary summary = summarize(*result.tensor);
    table.add({result.name, simulator::describe(result.tensor->desc), llvm::formatv("{0:F4}", summary.least),
               llvm::formatv("{0:F4}", summary.most), llvm::formatv("{0:F4}", summary.mean),
               std::to_string(summary.notFinite),
               llvm::formatv("{0:x-16}", fingerprint(*result.tensor).low)});
  }
  table.print(llvm::outs());
}

void printStatistics(const simulator::RunStatistics &statistics) {
  TextTable table({{"op"}, {"ops", Align::Right}, {"time", Align::Right}});
  for (const auto &[op, time] : statistics.times)
    table.add({op, std::to_string(time.count), formatNanoseconds(Nanoseconds(time.seconds * 1e9))});
  llvm::outs() << "\n";
  table.print(llvm::outs());
  llvm::outs() << "\npeak L1     " << formatBytes(statistics.peakL1) << " per core at " << statistics.peakL1At
               << "\npeak DRAM   " << formatBytes(statistics.peakDram) << " per bank\nmemory      "
               << formatBytes(statistics.needed) << " estimated\n";
}

/// False after a diagnostic.
bool makeFolder(const std::string &folder) {
  std::error_code error = folder.empty() ? std::error_code() : llvm::sys::fs::create_directories(folder);
  // LLVM is content with whatever exists there, a file as well.
  if (!error && !folder.empty() && !llvm::sys::fs::is_directory(folder))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error)
    inputError("cannot make the folder '" + folder + "': " + error.message());
  return !error;
}

/// Results lie in files by the names of functions, which therefore must not lead to other folders. False after a diagnostic.
bool canNameFiles(llvm::ArrayRef<const simulator::Function *> functions) {
  for (const simulator::Function *function : functions)
    if (llvm::StringRef(function->name).contains('/')) {
      inputError("--outputs writes files that are called like functions, and '" + function->name +
                 "' has a '/' in its name");
      return false;
    }
  return true;
}

/// All of them or none: results belong to one run.
bool writeOutputs(const std::string &folder, llvm::ArrayRef<NamedResult> results) {
  if (folder.empty())
    return true;
  std::vector<OutputFile> files;
  for (const NamedResult &result : results) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, result.name + ".npy");
    files.push_back(
        {path.str().str(), [tensor = result.tensor](llvm::raw_ostream &os) { writeNpy(*tensor, os); }});
  }
  return writeFiles(std::move(files));
}

} // namespace

int tessera::runSimulation(const SimulationArguments &arguments) {
  // First, as from here on all processes but one are silent: even errors are to be told once.
  std::optional<std::unique_ptr<simulator::ProcessGroup>> processes = joinProcesses();
  if (!processes)
    return kInputError;
  std::optional<ChosenSimulation> chosen = chosenSimulation(arguments.options);
  if (!chosen)
    return kUsageError;
  // All processes go through the same statements, as they exchange parts of tensors on the way.
  bool isFirst = !*processes || (*processes)->rank() == 0;
  std::unique_ptr<SimulatedFile> file =
      SimulatedFile::read(arguments.input, arguments.options, chosen->device);
  // A run may take long: it does not begin if its results cannot be kept.
  if (!file || (!arguments.outputs.empty() && !canNameFiles(file->forwardFunctions())) ||
      !makeFolder(arguments.outputs))
    return kInputError;
  for (const std::string &unread : file->notUnderstood())
    errorStream() << unread << ": not understood; results are as if it were not there\n";
  if (!arguments.python.empty()) {
    simulator::MachineOptions options{chosen->memory, {}, nullptr};
    options.arithmetic = chosen->arithmetic;
    return runOnKernels(arguments, *file, chosen->inputs, options);
  }
  Progress progress(Progress::wanted(arguments.options.progress));
  std::vector<const simulator::Function *> functions = file->forwardFunctions();
  for (auto [index, function] : llvm::enumerate(functions)) {
    simulator::MachineOptions options{chosen->memory, progress.function("", partOf(index, functions.size())),
                                      nullptr};
    options.processes = processes->get();
    options.arithmetic = chosen->arithmetic;
    std::optional<simulator::RunResult> result = file->run(*function, chosen->inputs, options);
    progress.clear();
    if (!result)
      return kInputError;
    std::vector<NamedResult> results = namedResults(*function, *result);
    printResults(results);
    if (arguments.statistics)
      printStatistics(result->statistics);
    // All processes have all results, and files are written once.
    if (isFirst && !writeOutputs(arguments.outputs, results))
      return kInputError;
  }
  return kSuccess;
}
