//===- EvaluateCommand.cpp - tessera ops evaluate, calibrate, parameters --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// How good the op model is, in figures that do not flatter it: rows that it
// cannot express are counted as skipped, fits can be judged by rows that they
// have not seen, and what it refuses too strictly on purpose stands apart.
//
//===----------------------------------------------------------------------===//
#include "../Common/Session.h"

#include "../Common/CommandTree.h"
#include "../Common/Progress.h"
#include "HarvestCommand.h"
#include "tessera/Driver/Commands.h"
#include "tessera/Evaluation/Harvest.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"
#include "tessera/Support/WrapText.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

// ---- evaluate -------------------------------------------------------------------------------------------

std::string text(const Share &share) {
  return share.all ? llvm::formatv("{0}/{1}", share.right, share.all).str() : "-";
}

void addRow(TextTable &table, llvm::StringRef name, const GoldenAccuracy &a) {
  table.add({name.str(), text(a.legality), a.strict ? std::to_string(a.strict) : "-", text(a.circularBuffers),
             text(a.tensorPeak), text(a.peak), text(a.outputBytes), text(a.notBelow), text(a.bounds)});
}

/// What can be said of answers that were just given, and of no table.
void printLive(const GoldenEvaluation &evaluation, llvm::raw_ostream &os) {
  TextTable table({{"op"},
                   {"legality", Align::Right},
                   {"too lax", Align::Right},
                   {"CB peak", Align::Right},
                   {"tensor peak", Align::Right},
                   {"not below -2 %", Align::Right},
                   {"results", Align::Right}});
  auto add = [&](llvm::StringRef name, const GoldenAccuracy &a) {
    table.add({name.str(), text(a.legality), a.tooLax ? std::to_string(a.tooLax) : "",
               text(a.circularBuffers), text(a.tensorPeak), text(a.notBelow), text(a.results)});
  };
  for (const auto &[op, accuracy] : evaluation.families)
    add(op, accuracy);
  add("all", evaluation.all);
  table.print(os);
}

void print(const GoldenEvaluation &evaluation, llvm::raw_ostream &os) {
  TextTable table({{"family"},
                   {"legality", Align::Right},
                   {"strict on purpose", Align::Right},
                   {"CB peak", Align::Right},
                   {"tensor peak", Align::Right},
                   {"peak", Align::Right},
                   {"output", Align::Right},
                   {"not below -2 %", Align::Right},
                   {"bounds", Align::Right}});
  for (const auto &[family, accuracy] : evaluation.families)
    addRow(table, family, accuracy);
  addRow(table, "all", evaluation.all);
  addRow(table, ("revision " + primaryRevision()).str(), evaluation.primary);
  table.print(os);
}

/// The cross-validated accuracy of that name, "-" without.
std::string text(const std::optional<TimingFigures> &figures,
                 std::map<std::string, TimingAccuracy> TimingFigures::*which, const std::string &name,
                 double TimingAccuracy::*figure) {
  // A fit that left all rows of a group out has no figure for it.
  if (!figures || !((*figures).*which).count(name))
    return "-";
  return formatPercent(((*figures).*which).at(name).*figure);
}

/// How much of the measured time of each group the model explains, beside medians; rows kept to check apart.
void printGroups(const TimingEvaluation &evaluation, TimingGrouping by, llvm::raw_ostream &os) {
  std::vector<TextTable::Column> columns = {{name(by).str()}};
  for (llvm::StringRef split : {"", "unseen "})
    for (llvm::StringRef figure : {"rows", "median", "above 3 us", "sum ratio", "time known"})
      columns.push_back({(split + figure).str(), Align::Right});
  TextTable table(columns);
  for (const auto &[group, split] : groupTimings(evaluation, by)) {
    std::vector<std::string> cells = {group};
    for (const TimingSums &sums : {split.seen, split.unseen}) {
      cells.push_back(sums.rows ? std::to_string(sums.rows) : "-");
      cells.push_back(sums.rows ? formatPercent(sums.median) : "-");
      cells.push_back(sums.longRows ? formatPercent(sums.longMedian) : "-");
      cells.push_back(sums.ratio() ? llvm::formatv("{0:F2}", *sums.ratio()).str() : "-");
      cells.push_back(sums.known() ? formatPercent(*sums.known()) : "-");
    }
    table.add(cells);
  }
  table.print(os);
}

std::optional<TimingGrouping> groupingOf(llvm::StringRef text) {
  for (unsigned by = 0; by <= unsigned(TimingGrouping::Program); ++by)
    if (name(TimingGrouping(by)) == text)
      return TimingGrouping(by);
  return std::nullopt;
}

/// Cross-validated figures stand beside those of the fit to all rows: their difference is what the fit owes to having
/// seen these very rows.
void print(const TimingEvaluation &evaluation, llvm::raw_ostream &os) {
  std::vector<TextTable::Column> columns = {{"family"},
                                            {"rows", Align::Right},
                                            {"mean error", Align::Right},
                                            {"median", Align::Right},
                                            {"worst", Align::Right}};
  const std::optional<TimingFigures> &held = evaluation.crossValidated;
  if (held) {
    columns.push_back({"cross-validated", Align::Right});
    columns.push_back({"median", Align::Right});
  }
  TextTable table(columns);
  auto add = [&](const std::string &label, const std::string &name,
                 std::map<std::string, TimingAccuracy> TimingFigures::*which) {
    const TimingAccuracy &a = (evaluation.figures.*which).at(name);
    std::vector<std::string> cells = {label, std::to_string(a.count), formatPercent(a.mean),
                                      formatPercent(a.median), formatPercent(a.worst)};
    if (held) {
      cells.push_back(text(held, which, name, &TimingAccuracy::mean));
      cells.push_back(text(held, which, name, &TimingAccuracy::median));
    }
    table.add(cells);
  };
  for (const auto &[family, accuracy] : evaluation.figures.families)
    add(family, family, &TimingFigures::families);
  for (const auto &[group, accuracy] : evaluation.figures.groups)
    add("all " + group, group, &TimingFigures::groups);
  table.print(os);
  for (const auto &[group, share] : evaluation.figures.ranking) {
    os << "ranking of " << group << ": " << text(share) << " pairs in the right order";
    if (held) {
      auto validated = held->ranking.find(group); // none if no row could be judged
      os << ", cross-validated " << text(validated == held->ranking.end() ? Share() : validated->second);
    }
    os << "\n";
  }
}

void printRemarks(llvm::StringRef title, llvm::ArrayRef<RowRemark> rows, llvm::raw_ostream &os) {
  for (const RowRemark &row : rows)
    os << title << ": " << row.where << ": " << row.what << "\n";
}

/// One line per row, for searching: what was measured, what the model says, and by how much it is off in percent of
/// the measurement.
void printTimings(llvm::ArrayRef<Timing> timings, llvm::raw_ostream &os) {
  for (const Timing &timing : timings)
    os << llvm::formatv(
        "{0}: {1}: {2}: measured {3:F0} ns, model {4:F0} ns ({5}{6:F1} %){7}\n", timing.where, timing.family,
        timing.what, timing.measured, timing.predicted, timing.predicted < timing.measured ? "" : "+",
        100 * (timing.predicted / timing.measured - 1),
        (timing.unseen ? ", unseen" : "") + (timing.doubt.empty() ? "" : ", doubtful: " + timing.doubt));
}

/// Tables go to standard error if the JSON takes standard output.
llvm::raw_ostream &tableStream(const EvaluateArguments &arguments) {
  return arguments.json == "-" ? llvm::errs() : llvm::outs();
}

void printSkipped(const std::vector<RowRemark> &skipped, bool rows, llvm::raw_ostream &os) {
  os << "skipped: " << skipped.size() << (rows ? "\n" : " (--rows lists them)\n");
  if (rows)
    printRemarks("skipped", skipped, os);
}

template <class Evaluation>
void report(const Evaluation &evaluation, bool rows, llvm::raw_ostream &os) {
  print(evaluation, os);
  printSkipped(evaluation.skipped, rows, os);
}

/// The formulas against what the library says now.
llvm::Expected<GoldenEvaluation> evaluateLive(const EvaluateArguments &arguments, llvm::raw_ostream &os) {
  Progress progress(Progress::wanted(arguments.progress));
  std::vector<RowRemark> skipped;
  auto calls = arguments.goldens.empty() ? madeCalls(arguments.calls, arguments.seed)
                                         : goldenCalls(arguments.goldens, skipped);
  if (!calls)
    return calls.takeError();
  auto answers = askLibrary(*calls, arguments.calls.version, arguments.calls.workers, progress.function());
  if (!answers)
    return answers.takeError();
  progress.clear();
  GoldenEvaluation evaluation = answers->evaluate();
  llvm::append_range(evaluation.skipped, skipped);
  if (arguments.rows)
    printRemarks("wrong", evaluation.wrong, os);
  printLive(evaluation, os);
  os << answers->library << " answered " << answers->size() << " of " << calls->size() << " calls\n";
  printSkipped(evaluation.skipped, arguments.rows, os);
  return evaluation;
}

/// The built-in values if no file is given.
llvm::Expected<Calibration> calibrationOf(const std::string &path) {
  return path.empty() ? builtInCalibration() : readCalibration(path);
}

/// The timings as the calibration has them, cross-validated if that is asked for.
llvm::Expected<TimingEvaluation> timingsOf(const EvaluateArguments &arguments) {
  llvm::Expected<Calibration> calibration = calibrationOf(arguments.calibration);
  if (!calibration)
    return calibration.takeError();
  llvm::Expected<TimingEvaluation> evaluation = evaluateTimings(arguments.timings, *calibration);
  if (evaluation && arguments.folds) {
    Progress progress(Progress::wanted(arguments.progress));
    crossValidate(*evaluation, arguments.folds, arguments.seed, progress.function());
  }
  return evaluation;
}

llvm::StringRef fitName(ParameterFit fit) {
  // In the order of ParameterFit.
  constexpr llvm::StringLiteral kNames[] = {"-", "wormhole", "blackhole", "both", "as one"};
  return kNames[size_t(fit)];
}

/// As `tessera devices` says it from the other side.
constexpr llvm::StringLiteral kRates = "dram.read and dram.write are rates that a fit ended with, beside "
                                       "start-up and the work on each tile; they are not the "
                                       "bandwidths of 'tessera devices', which were measured from start to "
                                       "end and scale these rates from board to board.";

} // namespace

/// Each table that is given is evaluated by itself; the JSON has the keys of all of them in any case.
int tessera::evaluateOps(const EvaluateArguments &arguments) {
  if (arguments.goldens.empty() && arguments.timings.empty() && !arguments.library) {
    llvm::errs() << "tessera: error: nothing to compare with: give --goldens, --timings or --library\n";
    return kUsageError;
  }
  // Before any row is read, as it is wrong for every table.
  std::optional<TimingGrouping> grouping = groupingOf(arguments.groupBy);
  if (!grouping)
    return usageError("--group-by: unknown '" + arguments.groupBy +
                      "'; known: " + listOfValues("GROUP", evaluationCommands().values));
  // Before anything is printed, too: a run that fails prints no half of an answer.
  std::optional<TimingEvaluation> timings;
  if (!arguments.timings.empty()) {
    llvm::Expected<TimingEvaluation> evaluation = timingsOf(arguments);
    if (!evaluation)
      return inputError(llvm::toString(evaluation.takeError()));
    timings = std::move(*evaluation);
  }
  llvm::raw_ostream &os = tableStream(arguments);
  // Scripts that read the file then need not know which tables a run was given.
  llvm::json::Object json = toJson(GoldenEvaluation()); // every key is there, null without rows
  auto merge = [&](llvm::json::Object more) {
    for (auto &[key, value] : more)
      json[key] = std::move(value);
  };
  merge(toJson(TimingEvaluation()));
  if (arguments.library) {
    auto evaluation = evaluateLive(arguments, os);
    if (!evaluation)
      return inputError(llvm::toString(evaluation.takeError()));
    merge(toJson(*evaluation));
  } else if (!arguments.goldens.empty()) {
    auto evaluation = evaluateGoldens(arguments.goldens);
    if (!evaluation)
      return inputError(llvm::toString(evaluation.takeError()));
    if (arguments.rows) {
      printRemarks("wrong", evaluation->wrong, os);
      printRemarks("strict on purpose", evaluation->strict, os);
    }
    report(*evaluation, arguments.rows, os);
    merge(toJson(*evaluation));
  }
  if (timings) {
    if (arguments.rows)
      printTimings(timings->timings, os);
    report(*timings, arguments.rows, os);
    printGroups(*timings, *grouping, os);
    merge(toJson(*timings));
  }
  return writeFiles({jsonFile(arguments.json, std::move(json))}) ? kSuccess : kInputError;
}

/// Fits parameters to all rows and writes them; the table sets the errors before and behind the fit side by side.
int tessera::calibrateOps(const CalibrateArguments &arguments) {
  auto evaluation = evaluateTimings(arguments.timings);
  if (!evaluation)
    return inputError(llvm::toString(evaluation.takeError()));
  if (evaluation->timings.empty())
    return inputError("no row of '" + arguments.timings + "' is a timing that the model can express");
  Progress progress(Progress::wanted(arguments.progress));
  Calibration calibration = calibrate(evaluation->timings, builtInCalibration(), progress.function());
  progress.clear();
  // Fitted to and judged by the same rows; `tessera ops evaluate --cross-validate` judges by rows that no fit has seen.
  auto after = evaluateTimings(arguments.timings, calibration);
  if (!after)
    return inputError(llvm::toString(after.takeError()));
  llvm::raw_ostream &os = arguments.out == "-" ? llvm::errs() : llvm::outs();
  TextTable table(
      {{"family"}, {"rows", Align::Right}, {"built-in", Align::Right}, {"calibrated", Align::Right}});
  for (const auto &[family, accuracy] : after->figures.families)
    table.add({family, std::to_string(accuracy.count),
               formatPercent(evaluation->figures.families.at(family).mean), formatPercent(accuracy.mean)});
  if (!writeFiles({jsonFile(arguments.out, toJson(calibration))}))
    return kInputError;
  table.print(os);
  return kSuccess;
}

/// Published tables become files with our columns. What a row says that these cannot express is skipped, by name.
int tessera::convertRows(const ConvertArguments &arguments) {
  if (arguments.goldens.empty() && arguments.timings.empty()) {
    llvm::errs() << "tessera: error: nothing to convert: give --goldens or --timings\n";
    return kUsageError;
  }
  bool goldens = !arguments.goldens.empty();
  const std::string &input = goldens ? arguments.goldens : arguments.timings;
  std::vector<RowRemark> skipped;
  auto text = goldens ? convertGoldens(input, skipped) : convertTimings(input, skipped);
  if (!text)
    return inputError(llvm::toString(text.takeError()));
  // A header alone is no table: most likely this is another file than was meant.
  if (llvm::StringRef(*text).count('\n') < 2 && !skipped.empty())
    return inputError("no row of '" + input + "' can be converted: " + skipped.front().what);
  OutputFile file{arguments.out, [&](llvm::raw_ostream &out) { out << *text; }};
  if (!writeFiles({file}))
    return kInputError;
  llvm::raw_ostream &os = arguments.out == "-" ? llvm::errs() : llvm::outs();
  // All of them by name: the table that is written has no trace of what it lacks.
  os << "skipped: " << skipped.size() << "\n";
  printRemarks("skipped", skipped, os);
  return kSuccess;
}

int tessera::listParameters(const ParametersArguments &arguments) {
  llvm::Expected<Calibration> calibration = calibrationOf(arguments.calibration);
  if (!calibration)
    return inputError(llvm::toString(calibration.takeError()));
  TextTable table({{"parameter"},
                   {"unit"},
                   {"wormhole_b0", Align::Right},
                   {"blackhole", Align::Right},
                   {"fitted"},
                   {"measured in"}});
  for (size_t i = 0; i < kParameterCount; ++i) {
    const ParameterInfo &info = parameterTable()[i];
    auto value = [&](const Parameters &values) {
      std::string text;
      // Six digits: parameters lie many orders of magnitude apart.
      llvm::raw_string_ostream(text) << llvm::format("%.6g", values[Parameter(i)]);
      return text;
    };
    table.add({info.name.str(), info.unit.str(), value(calibration->wormhole), value(calibration->blackhole),
               fitName(info.fit).str(), info.origin.str()});
  }
  if (!writeFiles({jsonFile(arguments.json, toJson(*calibration))}))
    return kInputError;
  llvm::raw_ostream &people = arguments.json == "-" ? llvm::errs() : llvm::outs();
  table.print(people);
  people << "\n" << wrapText(kRates, textWidth()) << "\n";
  return kSuccess;
}
