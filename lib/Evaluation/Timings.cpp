//===- Timings.cpp - The analytic model against measured times -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Timings.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace evaluation {

void TimingSink::skip(const llvm::Twine &reason) {
  evaluation.skipped.push_back({llvm::formatv("{0}:{1}", table.path(), row.line()).str(), reason.str()});
}

void TimingSink::add(Timing timing, llvm::Expected<KernelTime> model) {
  if (!model)
    return skip(timing.what + ": " + llvm::toString(model.takeError()));
  // From a picosecond to eleven days: others would drown the rest in a mean.
  if (!(timing.measured >= 1e-3 && timing.measured <= 1e15))
    return skip(timing.what + ": no measured time");
  timing.where = llvm::formatv("{0}:{1}", table.path(), row.line()).str();
  if (!timing.doubt.empty()) {
    timing.family += ", doubtful";
    timing.group += "_doubtful";
  }
  timing.model = std::move(*model);
  timing.predicted = timing.model(calibration);
  evaluation.timings.push_back(std::move(timing));
}

Shape shapeOf(llvm::StringRef text) {
  Shape shape;
  double elements = 1;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  for (llvm::StringRef part : parts) {
    int64_t dim;
    if (part.trim().getAsInteger(10, dim) || dim < 1 || dim > int64_t(1) << 32)
      return {};
    shape.push_back(dim);
    elements *= double(dim);
  }
  return elements <= double(int64_t(1) << 40) ? shape : Shape();
}

std::optional<DataType> dataTypeOf(llvm::StringRef text) {
  static constexpr std::pair<llvm::StringLiteral, DataType> kNames[] = {
      {"bfloat16", DataType::BFloat16},   {"bfloat8_b", DataType::BFP_BFloat8},
      {"bfloat8", DataType::BFP_BFloat8}, {"bfp8", DataType::BFP_BFloat8},
      {"bfp8_b", DataType::BFP_BFloat8},  {"bfloat4_b", DataType::BFP_BFloat4},
      {"bfp4", DataType::BFP_BFloat4},    {"bfp4_b", DataType::BFP_BFloat4},
      {"float32", DataType::Float32},     {"uint32", DataType::UInt32},
      {"int32", DataType::Int32},         {"uint16", DataType::UInt16},
      {"uint8", DataType::UInt8}};
  for (const auto &[name, type] : kNames)
    if (text.equals_insensitive(name))
      return type;
  return parseDataType(text);
}

std::optional<DeviceSpec> deviceOf(llvm::StringRef nameOrArch, GridShape grid) {
  const DeviceSpec *device = findDevice(nameOrArch);
  if (!device)
    device = findDevice(nameOrArch.starts_with("worm")    ? "n150"
                        : nameOrArch.starts_with("black") ? "p150"
                                                          : llvm::StringRef());
  if (!device)
    return std::nullopt;
  DeviceSpec spec = *device;
  if (grid.rows > 0 && grid.columns > 0)
    spec.workerGrid = grid;
  return spec;
}

namespace {

const TimingReader *readerFor(const CsvTable &table) {
  for (llvm::ArrayRef<TimingReader> readers :
       {matmulReaders(), streamReaders(), traceReaders(), moveReaders(), collectiveReaders()})
    for (const TimingReader &reader : readers)
      if (table.has(reader.columns))
        return &reader;
  return nullptr;
}

llvm::Error evaluateFile(llvm::StringRef path, const Calibration &calibration, TimingEvaluation &evaluation) {
  auto table = CsvTable::read(path);
  if (!table)
    return table.takeError();
  const TimingReader *reader = readerFor(*table);
  if (!reader) {
    evaluation.skipped.push_back(
        {path.str(),
         llvm::formatv("{0} rows: its columns are none of a known table of op timings", table->size())});
    return llvm::Error::success();
  }
  reader->read(*table, [&](CsvTable::Row row) { return TimingSink(evaluation, calibration, *table, row); });
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>> csvFiles(llvm::StringRef fileOrFolder) {
  if (!llvm::sys::fs::is_directory(fileOrFolder))
    return std::vector<std::string>{fileOrFolder.str()};
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(fileOrFolder, error), end; it != end && !error;
       it.increment(error))
    if (llvm::sys::path::extension(it->path()) == ".csv")
      files.push_back(it->path());
  if (error)
    return llvm::createStringError(error, "cannot read folder '%s'", fileOrFolder.str().c_str());
  if (files.empty())
    return llvm::createStringError("no .csv files in '%s'", fileOrFolder.str().c_str());
  llvm::sort(files);
  return files;
}

TimingAccuracy accuracyOf(std::vector<double> errors) {
  TimingAccuracy accuracy;
  accuracy.count = errors.size();
  if (errors.empty())
    return accuracy;
  llvm::sort(errors);
  for (double error : errors)
    accuracy.mean += error / double(errors.size());
  size_t middle = errors.size() / 2;
  accuracy.median = errors.size() % 2 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
  accuracy.worst = errors.back();
  return accuracy;
}

double errorOf(double predicted, double measured) { return std::abs(predicted - measured) / measured; }

struct Judged {
  double measured, predicted;
};

Share rankingOf(llvm::ArrayRef<Judged> rows) {
  Share share;
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t j = i + 1; j < rows.size(); ++j) {
      const Judged &a = rows[i], &b = rows[j];
      if (std::max(a.measured, b.measured) > 1.1 * std::min(a.measured, b.measured))
        share.count((a.measured > b.measured) == (a.predicted > b.predicted) && a.predicted != b.predicted);
    }
  return share;
}

} // namespace

TimingFigures figuresOf(llvm::ArrayRef<Timing> timings,
                        llvm::function_ref<std::optional<double>(const Timing &)> prediction) {
  std::map<std::string, std::vector<double>> families, groups;
  std::map<std::pair<std::string, std::string>, std::vector<Judged>> classes;
  for (const Timing &timing : timings) {
    std::optional<double> predicted = prediction(timing);
    if (!predicted)
      continue;
    families[timing.family].push_back(errorOf(*predicted, timing.measured));
    groups[timing.group].push_back(errorOf(*predicted, timing.measured));
    if (!timing.rankingClass.empty() && timing.doubt.empty())
      classes[{timing.group, timing.rankingClass}].push_back({timing.measured, *predicted});
  }
  TimingFigures figures;
  for (const auto &[name, errors] : families)
    figures.families[name] = accuracyOf(errors);
  for (const auto &[name, errors] : groups)
    figures.groups[name] = accuracyOf(errors);
  for (const auto &[key, rows] : classes)
    figures.ranking[key.first] += rankingOf(rows);
  return figures;
}

} // namespace evaluation

bool isFarOff(const Timing &timing) {
  return std::max(timing.predicted, timing.measured) > 3 * std::min(timing.predicted, timing.measured);
}

llvm::Expected<TimingEvaluation> evaluateTimings(llvm::StringRef fileOrFolder,
                                                 const Calibration &calibration) {
  auto files = evaluation::csvFiles(fileOrFolder);
  if (!files)
    return files.takeError();
  TimingEvaluation result;
  for (const std::string &file : *files)
    if (llvm::Error error = evaluation::evaluateFile(file, calibration, result))
      return std::move(error);
  result.figures =
      evaluation::figuresOf(result.timings, [](const Timing &timing) { return timing.predicted; });
  return result;
}

} // namespace tessera
