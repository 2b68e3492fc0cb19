//===- WeightsCommands.cpp - tessera weights ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A conversion takes hours, so that it can be stopped and repeated, says how
// far it is by the bytes that are to be read, and can be shared by processes.
// Of these the first prints the summary.
//
//===----------------------------------------------------------------------===//
#include "../Common/CommandTree.h"
#include "../Common/Session.h"
#include "MeshOption.h"
#include "ModuleOption.h"

#include "../Common/Progress.h"
#include "tessera/Driver/Commands.h"
#include "tessera/ModelRunner/RandomCheckpoint.h"
#include "tessera/ModelRunner/WeightConverter.h"
#include "tessera/ModelRunner/WeightFolder.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <thread>

using namespace tessera;
namespace json = llvm::json;

namespace {

/// "pattern=type" each; false after a diagnostic.
bool readTypes(llvm::ArrayRef<std::string> texts, std::vector<runner::TypeOverride> &types) {
  for (const std::string &text : texts) {
    // From the back, as no type has an equals sign.
    auto [pattern, name] = llvm::StringRef(text).rsplit('=');
    std::optional<DataType> type = runner::parseWeightType(name);
    if (pattern.empty() || !type) {
      usageError("--dtype takes PATTERN=TYPE, not '" + text +
                 "'; types: " + listOfValues("WEIGHT_TYPE", modelCommands().values));
      return false;
    }
    types.push_back({pattern.str(), *type});
  }
  return true;
}

/// Says how far a conversion has got, to people and to machines.
class Reporter {
public:
  Reporter(const WeightsConvertArguments &arguments, llvm::raw_ostream *events)
      : line(Progress::wanted(arguments.progress, arguments.quiet)), events(events) {}

  void update(const runner::ConvertProgress &progress) {
    double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    double rate = seconds > 0 ? double(progress.bytesRead) / seconds : 0;
    std::string what = llvm::formatv("{0} at {1}/s; weights", formatBytes(Bytes(progress.bytesRead)),
                                     formatBytes(Bytes(int64_t(rate))));
    // By bytes read, not files: experts and norms differ by orders of magnitude.
    double share = progress.bytesToRead ? double(progress.bytesRead) / double(progress.bytesToRead) : 1;
    double left = rate > 0 ? double(progress.bytesToRead - progress.bytesRead) / rate : 0;
    line.update(what, progress.done, progress.all, share);
    if (!events)
      return;
    *events << json::Value(json::Object{{"file", progress.file},
                                        {"done", int64_t(progress.done)},
                                        {"all", int64_t(progress.all)},
                                        {"bytes_read", int64_t(progress.bytesRead)},
                                        {"bytes_to_read", int64_t(progress.bytesToRead)},
                                        {"bytes_written", int64_t(progress.bytesWritten)},
                                        {"seconds", seconds},
                                        {"seconds_to_go", left}})
            << "\n";
    // A reader follows the conversion line by line.
    events->flush();
  }
  void clear() { line.clear(); }

private:
  using Clock = std::chrono::steady_clock;
  Progress line;
  llvm::raw_ostream *events;
  Clock::time_point start = Clock::now();
};

/// Which process of several this is, as Open MPI's mpirun tells in the environment; alone if it tells nothing.
runner::Participant participantOf() {
  auto variable = [](const char *name) {
    const char *value = std::getenv(name);
    return llvm::StringRef(value ? value : "");
  };
  runner::Participant participant;
  if (variable("OMPI_COMM_WORLD_RANK").getAsInteger(10, participant.rank) ||
      variable("OMPI_COMM_WORLD_SIZE").getAsInteger(10, participant.count) ||
      participant.rank >= participant.count)
    return {};
  // The session is part of the names of files.
  for (char c : variable("PMIX_NAMESPACE"))
    participant.session += llvm::isAlnum(c) ? c : '_';
  return participant;
}

/// Where this process writes the lines that are to lie in `path`: the first one there, each other beside it, as they would overwrite one another's.
std::string linesFile(const std::string &path, const runner::Participant &participant) {
  return participant.rank == 0 || path == "-" ? path : path + "." + std::to_string(participant.rank);
}

void printPlan(const runner::ConvertResult &result) {
  TextTable table({{"tensor"}, {"type"}, {"source", Align::Right}, {"file", Align::Right}, {""}});
  for (const runner::ConvertStep &step : result.steps)
    table.add({step.tensor.name(), name(step.tensor.type).str(), formatBytes(Bytes(step.sourceBytes)),
               formatBytes(Bytes(step.fileBytes)), step.reused ? "is there" : ""});
  table.print(llvm::outs());
}

/// Files that are there from an earlier run are no part of the sums: these say what this run did, or has to do.
void printSummary(llvm::raw_ostream &os, const runner::ConvertResult &result, bool dryRun) {
  uint64_t read = 0, written = 0;
  size_t made = 0;
  for (const runner::ConvertStep &step : result.steps)
    if (!step.reused)
      ++made, read += step.sourceBytes, written += step.fileBytes;
  os << llvm::formatv("{0} of {1} files {2}, {3} from {4} of the checkpoint\n", made, result.steps.size(),
                      dryRun ? "to make" : "made", formatBytes(Bytes(written)), formatBytes(Bytes(read)));
  if (!result.unused.empty())
    os << llvm::formatv("{0} tensors of the checkpoint are not used, the first is '{1}'\n",
                        result.unused.size(), result.unused.front());
}

} // namespace

int tessera::convertWeightFiles(const WeightsConvertArguments &arguments) {
  std::optional<GridShape> mesh = readMeshOrDiagnose(arguments.mesh);
  const DeviceSpec *device = mesh ? findDeviceOrDiagnose(arguments.device) : nullptr;
  // Each only if all before it were right, so that there is one diagnostic.
  std::optional<uint64_t> memory = device ? readSizeOrDiagnose("--max-mem", arguments.memory) : std::nullopt;
  runner::ConvertOptions options;
  if (!memory || !readTypes(arguments.types, options.types))
    return kUsageError;
  std::optional<runner::HfConfig> hf = readHfOrDiagnose(arguments.hf, *mesh);
  if (!hf)
    return kInputError;
  std::optional<std::optional<runner::ModulePlace>> module = chosenModule(arguments.module, *hf);
  if (!module)
    return kUsageError;
  options.module = *module;
  options.participant = participantOf();
  std::error_code cannotOpen;
  std::unique_ptr<llvm::raw_fd_ostream> events;
  std::string lines = linesFile(arguments.events, options.participant);
  if (!arguments.events.empty())
    // Opened at once: lines come while the conversion runs, which may take hours.
    events = std::make_unique<llvm::raw_fd_ostream>(lines, cannotOpen);
  if (cannotOpen)
    return inputError("cannot write '" + lines + "': " + cannotOpen.message());
  Reporter reporter(arguments, events.get());
  options.target = {*hf, *mesh, device->workerGrid, device->dramBanks};
  options.hf = arguments.hf;
  options.out = arguments.out;
  options.memory = *memory;
  // A system that does not know its cores says 0.
  options.jobs = arguments.jobs ? arguments.jobs : std::max(1u, std::thread::hardware_concurrency());
  options.dryRun = arguments.dryRun;
  options.progress = [&](const runner::ConvertProgress &progress) { reporter.update(progress); };
  llvm::Expected<runner::ConvertResult> result = runner::convertWeights(options);
  reporter.clear();
  if (!result)
    return inputError(llvm::toString(result.takeError()));
  bool speaks = options.participant.rank == 0; // for all
  if (arguments.dryRun && speaks)
    printPlan(*result);
  if (!arguments.quiet && speaks)
    printSummary(arguments.events == "-" ? llvm::errs() : llvm::outs(), *result, arguments.dryRun);
  return kSuccess;
}

/// A line per problem, and exit code 1 if there was any, repaired or not: a script has to convert again in both
/// cases.
int tessera::verifyWeightFiles(const WeightsVerifyArguments &arguments) {
  llvm::Expected<runner::WeightFolder> folder = runner::WeightFolder::open(arguments.folder);
  if (!folder)
    return inputError(llvm::toString(folder.takeError()));
  llvm::Expected<std::vector<std::string>> problems = folder->verify(arguments.repair);
  if (!problems)
    return inputError(llvm::toString(problems.takeError()));
  for (const std::string &problem : *problems)
    inputError(arguments.folder + ": " + problem);
  if (problems->empty())
    llvm::outs() << folder->entries().size() << " files are as they were written\n";
  else if (arguments.repair)
    llvm::errs() << "tessera: note: 'tessera weights convert' makes what is missing\n";
  return problems->empty() ? kSuccess : kInputError;
}

/// A checkpoint of the model's shapes with numbers that follow from the seed: for runs of models whose weights are
/// too large to fetch.
int tessera::writeRandomWeights(const WeightsRandomArguments &arguments) {
  std::optional<uint64_t> shard = readSizeOrDiagnose("--shard-size", arguments.shardSize);
  if (!shard)
    return kUsageError;
  const auto *spread = llvm::find(runner::kSpreadNames, arguments.spread);
  if (spread == std::end(runner::kSpreadNames))
    return usageError("unknown spread '" + arguments.spread +
                      "'; known: " + listOfValues("SPREAD", modelCommands().values));
  if (llvm::Error error =
          runner::writeRandomCheckpoint({arguments.config, arguments.out, arguments.seed, *shard,
                                         runner::Spread(spread - std::begin(runner::kSpreadNames))}))
    return inputError(llvm::toString(std::move(error)));
  return kSuccess;
}
