//===- WeightConverter.cpp - Stage 1: a checkpoint becomes tensor files ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. plan which files there are        3. make the others, one per thread at a time
//   2. see which lie there already       4. publish manifest and weight config
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/WeightConverter.h"

#include "WeightWriter.h"
#include "tessera/Layout/BlockFloat.h"
#include "tessera/ModelRunner/ItemJson.h"
#include "tessera/Support/AtomicFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <map>
#include <mutex>
#include <regex>
#include <thread>

using namespace tessera;
using namespace tessera::runner;
namespace json = llvm::json;

namespace {

/// Grows when the bytes of a file change though all that it is made from stays.
constexpr int kTransformVersion = 1;

// ---- 1. Plan ---------------------------------------------------------------------------------------------

llvm::Error applyTypes(const std::vector<TypeOverride> &types, std::vector<WeightTensor> &tensors) {
  for (const TypeOverride &each : types) {
    llvm::Expected<llvm::GlobPattern> pattern = llvm::GlobPattern::create(each.pattern);
    if (!pattern)
      return llvm::createStringError("'" + each.pattern + "': " + llvm::toString(pattern.takeError()));
    bool used = false;
    for (WeightTensor &tensor : tensors) {
      if (!pattern->match(tensor.name()))
        continue;
      used = true;
      if (isBlockFloat(each.type) && tensor.layout == PageLayout::RowMajor)
        return llvm::createStringError("'" + tensor.name() + "' is row-major, and " + name(each.type) +
                                       " exists in tiles only");
      // In the order given: of two patterns that fit, the later one counts.
      tensor.type = each.type;
    }
    // A pattern that fits nothing is most likely a typing mistake, and the conversion takes hours.
    if (!used)
      return llvm::createStringError("no tensor's name fits '" + each.pattern + "'; names are like '" +
                                     tensors.front().name() + "'");
  }
  return llvm::Error::success();
}

/// What a file's bytes follow from, but for the code.
std::string keyOf(const WeightTensor &tensor, GridShape mesh, const Checkpoint &checkpoint,
                  ScaleBlock block) {
  json::Array sources;
  auto add = [&](llvm::StringRef name) {
    // Sources count by file, place, size and time of change: to hash hundreds of gigabytes would take about as long as
    // to convert them.
    if (const SourceTensor *source = checkpoint.find(name)) {
      const SourceFile &file = checkpoint.fileOf(*source);
      sources.push_back(json::Array{name.str(), int64_t(source->offset), llvm::sys::path::filename(file.path),
                                    int64_t(file.bytes), file.modified});
    }
  };
  for (const std::vector<SourceRows> &parts : tensor.matrices)
    for (const SourceRows &part : parts) {
      add(part.tensor);
      add(part.tensor + "_scale_inv");
      sources.push_back(json::Array{part.begin, part.count});
    }
  json::Value recipe = json::Object{
      {"version", kTransformVersion},    {"header", llvm::toHex(encodeHeader(headerOf(tensor, mesh)))},
      {"transposed", tensor.transposed}, {"columnsFirst", tensor.columnsFirst},
      {"constant", tensor.constant},     {"block", json::Array{block.rows, block.columns}},
      {"sources", std::move(sources)}};
  std::string text = llvm::formatv("{0}", recipe);
  return llvm::toHex(llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

/// A tensor's name in a message without its layer and expert: "layers.3.mlp" is "layers.*.mlp".
std::string withoutIndices(llvm::StringRef problem) {
  static const std::regex index("\\.[0-9]+\\.");
  return std::regex_replace(problem.str(), index, ".*.");
}

llvm::Error checkAllSources(llvm::ArrayRef<ConvertStep> steps, const Checkpoint &checkpoint,
                            ScaleBlock block) {
  std::vector<std::string> problems;
  for (const ConvertStep &step : steps)
    for (const std::vector<SourceRows> &parts : step.tensor.matrices)
      checkSources(checkpoint, parts, sourceColumns(step.tensor), block, problems);
  llvm::sort(problems); // heads share a tensor
  problems.erase(std::unique(problems.begin(), problems.end()), problems.end());
  // What one layer or expert lacks the others lack mostly too: one of each kind is said.
  std::map<std::string, llvm::SmallVector<llvm::StringRef>> kinds;
  for (llvm::StringRef problem : problems)
    kinds[withoutIndices(problem)].push_back(problem);
  llvm::SmallVector<std::string> said;
  constexpr size_t kMost = 20; // with another model's checkpoint every tensor would be listed
  for (const auto &[kind, alike] : kinds)
    if (said.size() < kMost)
      said.push_back(alike.front().str() +
                     (alike.size() > 1 ? llvm::formatv(" (and {0} like it)", alike.size() - 1).str() : ""));
  if (kinds.size() > kMost)
    said.push_back(llvm::formatv("and {0} other kinds", kinds.size() - kMost));
  return problems.empty()
             ? llvm::Error::success()
             : llvm::createStringError("the checkpoint does not fit its config: " + llvm::join(said, "; "));
}

/// Tensors of the checkpoint that no file is made of, sorted. Not an error: the published checkpoint has a layer 61
/// that the modules do not have (facts/deepseek 4.3).
std::vector<std::string> unusedTensors(llvm::ArrayRef<ConvertStep> steps, const Checkpoint &checkpoint) {
  llvm::StringSet<> used;
  for (const ConvertStep &step : steps)
    for (const std::vector<SourceRows> &parts : step.tensor.matrices)
      for (const SourceRows &part : parts) {
        used.insert(part.tensor);
        used.insert(part.tensor + "_scale_inv");
      }
  std::vector<std::string> unused;
  for (llvm::StringRef name : checkpoint.names())
    if (!used.contains(name))
      unused.push_back(name.str());
  return unused;
}

// ---- 2. See what is there ----------------------------------------------------------------------------------

llvm::Expected<ConvertResult> planConversion(const ConvertOptions &options, const Checkpoint &checkpoint,
                                             const WeightFolder &folder, ScaleBlock block) {
  GridShape mesh = options.target.mesh;
  std::vector<WeightTensor> tensors =
      options.module ? planWeights(options.target, *options.module) : planWeights(options.target);
  if (llvm::Error error = applyTypes(options.types, tensors))
    return std::move(error);
  ConvertResult result;
  for (WeightTensor &tensor : tensors) {
    ConvertStep step{std::move(tensor), "", 0, 0};
    step.key = keyOf(step.tensor, mesh, checkpoint, block);
    step.sourceBytes = sourceBytes(step.tensor, checkpoint);
    step.fileBytes = fileBytes(step.tensor, mesh);
    // By key and size, and not by the file's bytes: to read all of them would take as long as to make them.
    // 'tessera weights verify' does.
    step.reused = folder.has(step.tensor.file(), step.key);
    result.steps.push_back(std::move(step));
  }
  // Before the first file is made: a checkpoint that does not fit is told of at once.
  if (llvm::Error error = checkAllSources(result.steps, checkpoint, block))
    return std::move(error);
  result.unused = unusedTensors(result.steps, checkpoint);
  bool allThere = llvm::all_of(result.steps, [](const ConvertStep &step) { return step.reused; });
  // A folder with more files than steps changes, too: the surplus goes.
  result.changed = !allThere || !folder.complete() || folder.entries().size() != result.steps.size();
  return result;
}

// ---- 3. Make files ---------------------------------------------------------------------------------------

/// Passes bytes on, and hashes them.
class HashingStream : public llvm::raw_ostream {
public:
  explicit HashingStream(llvm::raw_ostream &to) : to(to) { SetBufferSize(1 << 16); }
  ~HashingStream() override { flush(); }
  llvm::BLAKE3 hash;

private:
  void write_impl(const char *data, size_t size) override {
    // While the bytes pass: a second reading of the file would be of what the system has cached, not of what
    // was written.
    hash.update(llvm::StringRef(data, size));
    to.write(data, size);
    written += size;
  }
  uint64_t current_pos() const override { return written; }
  llvm::raw_ostream &to;
  uint64_t written = 0;
};

/// This process's part of the work. Threads take one file after the other from a common counter, so that a few large
/// files at the end cost little; which thread makes a file has no influence on its bytes. An error in one file does not
/// stop the others: what is made is noted, and the next run makes only what failed.
class Conversion {
public:
  Conversion(const ConvertOptions &options, const Checkpoint &checkpoint, ScaleBlock block,
             WeightFolder &folder, llvm::ArrayRef<ConvertStep> steps)
      : options(options), checkpoint(checkpoint), block(block), folder(folder) {
    // Round robin: each participant gets a share of every layer, without having to agree with the others.
    for (size_t i = options.participant.rank; i < steps.size(); i += options.participant.count)
      if (!steps[i].reused) {
        todo.push_back(&steps[i]);
        progress.bytesToRead += steps[i].sourceBytes;
      }
    progress.all = todo.size();
    // A place for each file, so that errors come in the order of files and not of threads.
    errors.resize(todo.size());
  }

  llvm::Error run() {
    unsigned count = std::max(1u, std::min<unsigned>(options.jobs, todo.size()));
    std::vector<std::thread> threads;
    for (unsigned i = 0; i != count; ++i)
      // The memory that the user allows is for all threads together.
      threads.emplace_back([&, count] { work(options.memory / count); });
    for (std::thread &thread : threads)
      thread.join();
    std::vector<std::string> failed;
    for (std::string &error : errors)
      if (!error.empty())
        failed.push_back(std::move(error));
    return failed.empty() ? llvm::Error::success() : llvm::createStringError(llvm::join(failed, "; "));
  }

private:
  void work(uint64_t memory) {
    for (size_t i = next++; i < todo.size(); i = next++)
      if (llvm::Error error = make(*todo[i], memory))
        errors[i] = todo[i]->tensor.name() + ": " + llvm::toString(std::move(error));
  }

  llvm::Error make(const ConvertStep &step, uint64_t memory) {
    ManifestEntry entry{step.tensor.file(), step.key, "", step.fileBytes};
    std::string path = folder.pathOf(entry.file);
    if (std::error_code error = llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path)))
      return llvm::createStringError("cannot create the folder of '" + path + "': " + error.message());
    auto print = [&](llvm::raw_ostream &os) {
      HashingStream hashing(os);
      llvm::Error error = writeWeight(step.tensor, options.target.mesh, checkpoint, block, memory, hashing);
      hashing.flush();
      entry.hash = llvm::toHex(hashing.hash.final(), /*LowerCase=*/true);
      return error;
    };
    if (llvm::Error error = tryWriteFileAtomically(path, print))
      return error;
    // After the file lies under its name: what is noted must be there if this process is killed.
    if (llvm::Error error = folder.note(entry))
      return error;
    report(step);
    return llvm::Error::success();
  }

  void report(const ConvertStep &step) {
    std::lock_guard lock(mutex);
    progress.file = step.tensor.file();
    ++progress.done;
    progress.bytesRead += step.sourceBytes;
    progress.bytesWritten += step.fileBytes;
    if (options.progress)
      options.progress(progress);
  }

  const ConvertOptions &options;
  const Checkpoint &checkpoint;
  ScaleBlock block;
  WeightFolder &folder;
  std::vector<const ConvertStep *> todo;
  std::vector<std::string> errors; ///< of todo
  std::atomic<size_t> next = 0;
  std::mutex mutex;
  ConvertProgress progress;
};

/// This process's files, and the others' if there are any.
llvm::Error convertShared(const ConvertOptions &options, const Checkpoint &checkpoint, ScaleBlock block,
                          WeightFolder &folder, llvm::ArrayRef<ConvertStep> steps) {
  const Participant &participant = options.participant;
  auto convert = [&] { return Conversion(options, checkpoint, block, folder, steps).run(); };
  if (participant.count == 1)
    return convert();
  if (llvm::Error error = folder.join(participant))
    return error;
  llvm::Error own = convert();
  if (participant.rank == 0)
    return llvm::joinErrors(std::move(own), folder.gather(participant));
  std::string text = own ? llvm::toString(std::move(own)) : "";
  // Also with an error, as the first process waits for all of them.
  llvm::Error left = folder.leave(participant, text);
  return text.empty() ? std::move(left) : llvm::joinErrors(llvm::createStringError(text), std::move(left));
}

// ---- 4. Publish ------------------------------------------------------------------------------------------

llvm::Error publish(const ConvertOptions &options, WeightFolder &folder, llvm::ArrayRef<ConvertStep> steps) {
  // Stage 3 needs the model's sizes, and shall need nothing but this folder.
  auto config = llvm::MemoryBuffer::getFile(options.hf + "/config.json");
  if (!config)
    return llvm::createStringError("cannot read '" + options.hf +
                                   "/config.json': " + config.getError().message());
  std::vector<std::string> files;
  std::vector<WeightTensor> tensors;
  for (const ConvertStep &step : steps) {
    files.push_back(step.tensor.file());
    tensors.push_back(step.tensor);
  }
  return folder.finish(files, weightConfig(tensors), (*config)->getBuffer());
}

} // namespace

/// TTNN's names; the others are the IR's.
static constexpr std::pair<llvm::StringLiteral, DataType> kTtnnTypes[] = {
    {"bfp8_b", DataType::BFP_BFloat8}, {"bfloat8_b", DataType::BFP_BFloat8},
    {"bfp4_b", DataType::BFP_BFloat4}, {"bfloat4_b", DataType::BFP_BFloat4},
    {"bfloat16", DataType::BFloat16},  {"float32", DataType::Float32}};

std::vector<std::string> runner::weightTypeNames() {
  std::vector<std::string> names;
  for (unsigned i = 0; i < kNumDataTypes; ++i)
    if (canPackTile(DataType(i)))
      names.push_back(name(DataType(i)).str());
  for (const auto &type : kTtnnTypes)
    names.push_back(type.first.str());
  return names;
}

std::optional<DataType> runner::parseWeightType(llvm::StringRef text) {
  for (auto [name, type] : kTtnnTypes)
    if (name == text)
      return type;
  std::optional<DataType> type = parseDataType(text);
  return type && canPackTile(*type) ? type : std::nullopt;
}

llvm::Expected<ConvertResult> runner::convertWeights(const ConvertOptions &options) {
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(options.hf);
  if (!checkpoint)
    return checkpoint.takeError();
  llvm::Expected<WeightFolder> folder = WeightFolder::open(options.out);
  if (!folder)
    return folder.takeError();
  ScaleBlock block{options.target.hf.blockRows, options.target.hf.blockColumns};
  llvm::Expected<ConvertResult> result = planConversion(options, *checkpoint, *folder, block);
  if (!result || options.dryRun || !result->changed)
    return result;
  if (options.participant.rank == 0)
    if (llvm::Error error = folder->begin())
      return std::move(error);
  if (llvm::Error error = convertShared(options, *checkpoint, block, *folder, result->steps))
    return std::move(error);
  if (options.participant.rank == 0)
    if (llvm::Error error = publish(options, *folder, result->steps))
      return std::move(error);
  return result;
}
