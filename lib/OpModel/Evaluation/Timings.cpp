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

void TimingSink::add(Timing timing, llvm::Expected<double> predicted) {
  if (!predicted)
    return skip(timing.what + ": " + llvm::toString(predicted.takeError()));
  if (!(timing.measured > 0))
    return skip(timing.what + ": no measured time");
  timing.where = llvm::formatv("{0}:{1}", table.path(), row.line()).str();
  timing.predicted = *predicted;
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
       {matmulReaders(), streamReaders(), traceReaders(), collectiveReaders()})
    for (const TimingReader &reader : readers)
      if (table.has(reader.columns))
        return &reader;
  return nullptr;
}

llvm::Error evaluateFile(llvm::StringRef path, TimingEvaluation &evaluation) {
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
  for (size_t i = 0; i < table->size(); ++i) {
    TimingSink sink(evaluation, *table, table->row(i));
    reader->read(table->row(i), sink);
  }
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

/// Rows that mix configurations say nothing about an order.
Share rankingOf(llvm::ArrayRef<const Timing *> rows) {
  Share share;
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t j = i + 1; j < rows.size(); ++j) {
      const Timing &a = *rows[i], &b = *rows[j];
      if (std::max(a.measured, b.measured) > 1.1 * std::min(a.measured, b.measured))
        share.count((a.measured > b.measured) == (a.predicted > b.predicted) && a.predicted != b.predicted);
    }
  return share;
}

void summarize(TimingEvaluation &evaluation) {
  std::map<std::string, std::vector<double>> families, groups;
  std::map<std::pair<std::string, std::string>, std::vector<const Timing *>> classes;
  for (const Timing &timing : evaluation.timings) {
    families[timing.family].push_back(timing.error());
    groups[timing.group].push_back(timing.error());
    if (!timing.rankingClass.empty() && !timing.mixed)
      classes[{timing.group, timing.rankingClass}].push_back(&timing);
  }
  for (const auto &[name, errors] : families)
    evaluation.families[name] = accuracyOf(errors);
  for (const auto &[name, errors] : groups)
    evaluation.groups[name] = accuracyOf(errors);
  for (const auto &[key, rows] : classes)
    evaluation.ranking[key.first] += rankingOf(rows);
}

} // namespace
} // namespace evaluation

double Timing::error() const { return std::abs(predicted - measured) / measured; }

llvm::Expected<TimingEvaluation> evaluateTimings(llvm::StringRef fileOrFolder) {
  auto files = evaluation::csvFiles(fileOrFolder);
  if (!files)
    return files.takeError();
  TimingEvaluation result;
  for (const std::string &file : *files)
    if (llvm::Error error = evaluation::evaluateFile(file, result))
      return std::move(error);
  evaluation::summarize(result);
  return result;
}

using evaluation::kDoubtful;
using evaluation::kDoubtfulFamily;

llvm::json::Object toJson(const TimingEvaluation &evaluation) {
  llvm::json::Object json, families;
  for (const char *group :
       {"gemm", "decode_matmul", "unary", "conversion", "height_sharded_matmul", "collective"}) {
    auto it = evaluation.groups.find(group);
    bool known = it != evaluation.groups.end();
    json[std::string(group) + "_mape"] = known ? llvm::json::Value(it->second.mean) : nullptr;
    json[std::string(group) + "_median_error"] = known ? llvm::json::Value(it->second.median) : nullptr;
  }
  auto trace = evaluation.groups.find("op_trace");
  bool traced = trace != evaluation.groups.end();
  json["op_trace_median_error"] = traced ? llvm::json::Value(trace->second.median) : nullptr;
  json["op_trace_mape"] = traced ? llvm::json::Value(trace->second.mean) : nullptr;
  std::vector<double> all, traces, everyUnary;
  for (const Timing &timing : evaluation.timings) {
    if (timing.group != kDoubtful)
      all.push_back(timing.error());
    if (timing.group == "unary" || timing.group == kDoubtful)
      everyUnary.push_back(timing.error());
    if (timing.group == "op_trace" && !timing.mixed)
      traces.push_back(timing.error());
  }
  auto meanOf = [](const std::vector<double> &errors) {
    return errors.empty() ? llvm::json::Value(nullptr) : evaluation::accuracyOf(errors).mean;
  };
  json["median_error"] = all.empty() ? llvm::json::Value(nullptr) : evaluation::accuracyOf(all).median;
  json["unary_all_rows_mape"] = meanOf(everyUnary);
  json["op_trace_unmixed_mape"] = meanOf(traces);
  double worst = 0, worstTrace = 0;
  for (const auto &[name, accuracy] : evaluation.families) {
    if (name != kDoubtfulFamily)
      worst = std::max(worst, accuracy.mean);
    if (llvm::StringRef(name).starts_with("trace "))
      worstTrace = std::max(worstTrace, accuracy.mean);
    families[name] = llvm::json::Object{{"rows", int64_t(accuracy.count)},
                                        {"mape", accuracy.mean},
                                        {"median_error", accuracy.median},
                                        {"worst_error", accuracy.worst}};
  }
  json["worst_family_error"] = all.empty() ? llvm::json::Value(nullptr) : worst;
  json["op_trace_worst_family_error"] = traced ? llvm::json::Value(worstTrace) : nullptr;
  auto doubtful = evaluation.groups.find(std::string(kDoubtful));
  json["unary_doubtful_rows"] = doubtful == evaluation.groups.end() ? 0 : int64_t(doubtful->second.count);
  Share ranking;
  for (const auto &[group, share] : evaluation.ranking) {
    ranking += share;
    json[group + "_ranking_accuracy"] = share.value() ? llvm::json::Value(*share.value()) : nullptr;
  }
  json["ranking_accuracy"] = ranking.value() ? llvm::json::Value(*ranking.value()) : nullptr;
  json["timing_families"] = std::move(families);
  json["timings_counted"] = int64_t(evaluation.timings.size());
  json["timings_skipped"] = int64_t(evaluation.skipped.size());
  return json;
}

} // namespace tessera
