//===- Timings.cpp - The analytic model against measured times -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Every row is counted, or told of with the reason why not. Doubtful rows count under
// names of their own, since their labels may be wrong and the model right; rows that
// were kept to check are judged apart.
//
//===----------------------------------------------------------------------===//
#include "Timings.h"

#include "Import/Import.h"

#include "tessera/OpModel/OpTable.h"
#include "tessera/Support/Format.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace evaluation {

namespace {

/// The timings of a file, whatever its columns. Nothing but a remark if they are none of a known table.
llvm::Expected<std::vector<TimingRow>> timingsOf(llvm::StringRef path, std::vector<RowRemark> &skipped) {
  llvm::Expected<CsvTable> table = CsvTable::read(path);
  if (!table)
    return table.takeError();
  // Ours first: a table by the schema may have columns that an importer looks for, too.
  if (isOurs(*table))
    return readTimings(*table);
  if (std::optional<std::vector<TimingRow>> imported = importTimings(*table, skipped))
    return std::move(*imported);
  skipped.push_back({path.str(), counted(int64_t(table->size()), "row") +
                                     ": its columns are none of a known table of op timings"});
  return std::vector<TimingRow>();
}

/// A mesh is a board of its own: its rows are told apart from those of a single chip.
std::string boardOf(const DeviceSpec &device) {
  const GridShape mesh = device.mesh;
  return mesh.rows * mesh.columns > 1
             ? llvm::formatv("{0} {1}x{2}", device.name, mesh.rows, mesh.columns).str()
             : device.name;
}

/// The family by which the model treats the op; of one that it does not know, its name.
std::string opFamilyOf(llvm::StringRef name) {
  if (const OpInfo *op = findOp(name))
    return op->family.str();
  name.consume_front("ttnn.");
  return name.str();
}

/// Prices one row. What the model cannot price is listed with the reason, and has no place in the figures.
void add(TimingRow row, llvm::StringRef path, const Calibration &calibration, TimingEvaluation &evaluation) {
  Timing timing;
  timing.where = llvm::formatv("{0}:{1}", path, row.line).str();
  timing.what = row.call.text();
  timing.table = llvm::sys::path::stem(path).str();
  timing.board = boardOf(row.call.query.device);
  timing.opFamily = opFamilyOf(row.call.query.signature.name);
  timing.program = std::move(row.program);
  timing.calls = row.calls;
  timing.unseen = row.unseen;
  timing.measured = row.ns;
  timing.doubt = std::move(row.doubt);
  llvm::Expected<KernelTime> model = modelOf(row);
  if (!model) {
    evaluation.skipped.push_back({timing.where, timing.what + ": " + llvm::toString(model.takeError())});
    evaluation.unknown.push_back(std::move(timing));
    return;
  }
  timing.family = std::move(row.family);
  timing.group = std::move(row.group);
  timing.rankingClass = std::move(row.ranking);
  timing.shape = std::move(row.shape);
  timing.reservation = std::move(row.reservation);
  if (!timing.doubt.empty()) {
    // Kept in sight, but out of the figures and of what is fitted.
    timing.family += ", doubtful";
    timing.group += "_doubtful";
  }
  // Kept as a function of the parameters: what is fitted and what is judged is the same.
  timing.model = std::move(*model);
  timing.predicted = timing.model(calibration);
  evaluation.timings.push_back(std::move(timing));
}

/// Adds all rows of a file. A file that cannot be read is an error; a table of another kind is a remark.
llvm::Error evaluateFile(llvm::StringRef path, const Calibration &calibration, TimingEvaluation &evaluation) {
  llvm::Expected<std::vector<TimingRow>> rows = timingsOf(path, evaluation.skipped);
  if (!rows)
    return rows.takeError();
  for (TimingRow &row : *rows)
    add(std::move(row), path, calibration, evaluation);
  return llvm::Error::success();
}

/// The file itself, or the tables of a folder, without those of folders in it.
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
  // File systems list in any order; remarks and sums follow the order of the files.
  llvm::sort(files);
  return files;
}

/// Mean, median and largest of the errors: a few rows that are far off move the mean and not the median.
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

/// Of the measured time: predicting nothing is an error of 1, and predicting too much has no bound.
double errorOf(double predicted, double measured) { return std::abs(predicted - measured) / measured; }

/// Both times of one row, in nanoseconds.
struct Judged {
  double measured, predicted;
};

/// Of all pairs of one class whose measured times differ, the share that the model puts in the same order: what a
/// choice between two layouts rests on, whatever the times themselves are. Quadratic in the rows of a class.
Share rankingOf(llvm::ArrayRef<Judged> rows) {
  Share share;
  for (size_t i = 0; i < rows.size(); ++i)
    for (size_t j = i + 1; j < rows.size(); ++j) {
      const Judged &a = rows[i], &b = rows[j];
      // Times less than a tenth apart have no order that a choice could rest on.
      if (std::max(a.measured, b.measured) > 1.1 * std::min(a.measured, b.measured))
        // A tie tells the optimizer nothing, so it counts as wrong.
        share.count((a.measured > b.measured) == (a.predicted > b.predicted) && a.predicted != b.predicted);
    }
  return share;
}

} // namespace

TimingFigures figuresOf(llvm::ArrayRef<Timing> timings,
                        llvm::function_ref<std::optional<double>(const Timing &)> prediction) {
  // Ordered maps, so that figures come in the same order on every machine.
  std::map<std::string, std::vector<double>> families, groups;
  std::map<std::pair<std::string, std::string>, std::vector<Judged>> classes;
  for (const Timing &timing : timings) {
    std::optional<double> predicted = prediction(timing);
    if (!predicted)
      continue;
    families[timing.family].push_back(errorOf(*predicted, timing.measured));
    groups[timing.group].push_back(errorOf(*predicted, timing.measured));
    // A label that may be wrong may have put the row among layouts that it does not compete with.
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
  // In either direction: a time of nothing is as far off as one of three times too much.
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
  // Rows that were kept to check the model are judged apart from those that it was fitted to.
  auto predicted = [&](bool unseen) {
    return evaluation::figuresOf(result.timings, [unseen](const Timing &timing) {
      return timing.unseen == unseen ? std::optional(timing.predicted) : std::nullopt;
    });
  };
  result.figures = predicted(false);
  result.unseen = predicted(true);
  return result;
}

llvm::Expected<std::string> convertTimings(llvm::StringRef path, std::vector<RowRemark> &skipped) {
  auto rows = evaluation::timingsOf(path, skipped);
  if (!rows)
    return rows.takeError();
  return evaluation::timingsText(*rows);
}

} // namespace tessera
