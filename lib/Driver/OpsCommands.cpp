//===- OpsCommands.cpp - tessera ops evaluate -----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Session.h"

#include "tessera/Driver/Commands.h"
#include "tessera/OpModel/Evaluation.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;

namespace {

// ---- evaluate -------------------------------------------------------------------------------------------

std::string text(const Share &share) {
  return share.all ? llvm::formatv("{0}/{1}", share.right, share.all).str() : "-";
}

void addRow(TextTable &table, llvm::StringRef name, const GoldenAccuracy &a) {
  table.add({name.str(), text(a.legality), text(a.circularBuffers), text(a.tensorPeak), text(a.peak),
             text(a.outputBytes), text(a.notBelow), text(a.bounds)});
}

void print(const GoldenEvaluation &evaluation, llvm::raw_ostream &os) {
  TextTable table({{"family"},
                   {"legality", Align::Right},
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

void addRow(TextTable &table, llvm::StringRef name, const TimingAccuracy &a) {
  table.add({name.str(), std::to_string(a.count), formatPercent(a.mean), formatPercent(a.median),
             formatPercent(a.worst)});
}

void print(const TimingEvaluation &evaluation, llvm::raw_ostream &os) {
  TextTable table({{"family"},
                   {"rows", Align::Right},
                   {"mean error", Align::Right},
                   {"median", Align::Right},
                   {"worst", Align::Right}});
  for (const auto &[family, accuracy] : evaluation.families)
    addRow(table, family, accuracy);
  for (const auto &[group, accuracy] : evaluation.groups)
    addRow(table, "all " + group, accuracy);
  table.print(os);
  for (const auto &[group, share] : evaluation.ranking)
    os << "ranking of " << group << ": " << text(share) << " pairs in the right order"
       << (share.value() ? " (" + formatPercent(*share.value()) + ")" : "") << "\n";
}

void printRemarks(llvm::StringRef title, llvm::ArrayRef<RowRemark> rows, llvm::raw_ostream &os) {
  for (const RowRemark &row : rows)
    os << title << ": " << row.where << ": " << row.what << "\n";
}

void printTimings(llvm::ArrayRef<Timing> timings, llvm::raw_ostream &os) {
  for (const Timing &timing : timings)
    os << llvm::formatv("{0}: {1}: {2}: measured {3:F0} ns, model {4:F0} ns ({5}{6:F1} %){7}\n", timing.where,
                        timing.family, timing.what, timing.measured, timing.predicted,
                        timing.predicted < timing.measured ? "" : "+",
                        100 * (timing.predicted / timing.measured - 1), timing.mixed ? " mixed" : "");
}

/// Tables go to standard error if the JSON takes standard output.
llvm::raw_ostream &tableStream(const EvaluateArguments &arguments) {
  return arguments.json == "-" ? llvm::errs() : llvm::outs();
}

template <class Evaluation>
void report(const Evaluation &evaluation, bool rows, llvm::raw_ostream &os) {
  print(evaluation, os);
  os << "skipped: " << evaluation.skipped.size() << (rows ? "\n" : " (--rows lists them)\n");
  if (rows)
    printRemarks("skipped", evaluation.skipped, os);
}

} // namespace

int tessera::evaluateOps(const EvaluateArguments &arguments) {
  if (arguments.goldens.empty() && arguments.timings.empty()) {
    llvm::errs() << "tessera: error: nothing to compare with: give --goldens, --timings or both\n";
    return kUsageError;
  }
  llvm::raw_ostream &os = tableStream(arguments);
  llvm::json::Object json;
  auto merge = [&](llvm::json::Object more) {
    for (auto &[key, value] : more)
      json[key] = std::move(value);
  };
  if (!arguments.goldens.empty()) {
    auto evaluation = evaluateGoldens(arguments.goldens);
    if (!evaluation)
      return inputError(llvm::toString(evaluation.takeError()));
    if (arguments.rows)
      printRemarks("wrong", evaluation->wrong, os);
    report(*evaluation, arguments.rows, os);
    merge(toJson(*evaluation));
  }
  if (!arguments.timings.empty()) {
    auto evaluation = evaluateTimings(arguments.timings);
    if (!evaluation)
      return inputError(llvm::toString(evaluation.takeError()));
    if (arguments.rows)
      printTimings(evaluation->timings, os);
    report(*evaluation, arguments.rows, os);
    merge(toJson(*evaluation));
  }
  return arguments.json.empty() || writeJson(arguments.json, std::move(json)) ? kSuccess : kInputError;
}
