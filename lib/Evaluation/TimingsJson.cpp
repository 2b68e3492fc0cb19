//===- TimingsJson.cpp - Accuracy of times as JSON ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Figures under fixed keys, which scripts compare from run to run. Errors are shares
// of what was measured: 0.1 is 10 %, and "mape" is a mean of them. Errors of doubtful
// rows are only where the key says so ("doubtful", "all_rows"); rows that were kept to
// check (unseen) stand in figures of their own.
//
//===----------------------------------------------------------------------===//
#include "tessera/Evaluation/Evaluation.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

using Prediction = std::optional<double> (*)(const Timing &);

/// null rather than 0: an error that does not exist is not a small one.
llvm::json::Value orNull(std::optional<double> value) {
  return value ? llvm::json::Value(*value) : llvm::json::Value(nullptr);
}

/// Mean and median of the errors of those timings for which `counts` holds.
class RowErrors {
public:
  RowErrors(llvm::ArrayRef<Timing> timings, Prediction prediction, bool (*counts)(const Timing &)) {
    for (const Timing &timing : timings)
      if (std::optional<double> predicted = prediction(timing); predicted && counts(timing))
        errors.push_back(std::abs(*predicted - timing.measured) / timing.measured);
    llvm::sort(errors);
  }
  llvm::json::Value mean() const {
    double sum = 0;
    for (double error : errors)
      sum += error;
    return errors.empty() ? llvm::json::Value(nullptr) : sum / double(errors.size());
  }
  llvm::json::Value median() const {
    size_t middle = errors.size() / 2;
    return errors.empty()      ? llvm::json::Value(nullptr)
           : errors.size() % 2 ? errors[middle]
                               : (errors[middle - 1] + errors[middle]) / 2;
  }

private:
  std::vector<double> errors;
};

void addGroups(const TimingFigures &figures, llvm::json::Object &json) {
  // All keys are always there, null where the tables have no such rows: who compares two runs finds the same ones.
  for (std::string group : {"gemm", "decode_matmul", "unary", "conversion", "height_sharded_matmul",
                            "collective", "data_movement", "op_trace"}) {
    auto it = figures.groups.find(group);
    bool known = it != figures.groups.end();
    json[group + "_mape"] = known ? llvm::json::Value(it->second.mean) : nullptr;
    json[group + "_median_error"] = known ? llvm::json::Value(it->second.median) : nullptr;
  }
}

void addFamilies(const TimingFigures &figures, llvm::json::Object &json) {
  std::optional<double> worst, worstTrace;
  llvm::json::Object families;
  auto raise = [](std::optional<double> &top, double value) { top = std::max(top.value_or(0), value); };
  for (const auto &[name, accuracy] : figures.families) {
    // Doubtful rows are listed, but the worst of the model is not to be theirs.
    if (!llvm::StringRef(name).ends_with("doubtful")) {
      raise(worst, accuracy.mean);
      if (llvm::StringRef(name).starts_with("trace "))
        raise(worstTrace, accuracy.mean);
    }
    families[name] = llvm::json::Object{{"rows", int64_t(accuracy.count)},
                                        {"mape", accuracy.mean},
                                        {"median_error", accuracy.median},
                                        {"worst_error", accuracy.worst}};
  }
  json["worst_family_error"] = orNull(worst);
  json["op_trace_worst_family_error"] = orNull(worstTrace);
  json["timing_families"] = std::move(families);
}

/// For all together pairs are summed, not shares: a group with few pairs weighs little.
void addRanking(const TimingFigures &figures, llvm::json::Object &json) {
  Share all;
  for (std::string group : {"gemm", "decode_matmul", "conversion", "data_movement", "op_trace"})
    json[group + "_ranking_accuracy"] = nullptr;
  for (const auto &[group, share] : figures.ranking) {
    all += share;
    json[group + "_ranking_accuracy"] = orNull(share.value());
  }
  json["ranking_accuracy"] = orNull(all.value());
}

/// Calls of single ops that the model misses by more than three times, with what the table leaves open.
llvm::json::Array farOff(llvm::ArrayRef<Timing> timings) {
  llvm::json::Array rows;
  for (const Timing &timing : timings)
    if (timing.group == "data_movement" && isFarOff(timing))
      rows.push_back(llvm::json::Object{{"what", timing.what},
                                        {"family", timing.family},
                                        {"predicted_over_measured", timing.predicted / timing.measured},
                                        {"reason", timing.reservation}});
  return rows;
}

llvm::json::Object figuresJson(const TimingFigures &figures, llvm::ArrayRef<Timing> timings,
                               Prediction prediction) {
  llvm::json::Object json;
  addGroups(figures, json);
  addFamilies(figures, json);
  addRanking(figures, json);
  // Doubtful rows are left out of the whole, and taken in where the name says "all rows".
  auto sound = [](const Timing &t) { return t.doubt.empty() && !t.unseen; };
  auto unary = [](const Timing &t) { return llvm::StringRef(t.group).starts_with("unary") && !t.unseen; };
  auto trace = [](const Timing &t) { return llvm::StringRef(t.group).starts_with("op_trace") && !t.unseen; };
  json["median_error"] = RowErrors(timings, prediction, sound).median();
  json["unary_all_rows_mape"] = RowErrors(timings, prediction, unary).mean();
  json["unary_all_rows_median_error"] = RowErrors(timings, prediction, unary).median();
  json["op_trace_all_rows_mape"] = RowErrors(timings, prediction, trace).mean();
  json["op_trace_all_rows_median_error"] = RowErrors(timings, prediction, trace).median();
  return json;
}

llvm::json::Value sumsJson(const TimingSums &sums) {
  // 0 errors of no rows would read as no error.
  auto of = [&](size_t rows, double figure) { return orNull(rows ? std::optional(figure) : std::nullopt); };
  return llvm::json::Object{{"rows", int64_t(sums.rows)},
                            {"median_error", of(sums.rows, sums.median)},
                            {"long_rows", int64_t(sums.longRows)},
                            {"long_median_error", of(sums.longRows, sums.longMedian)},
                            {"measured_over_predicted",
                             sums.rows
                                 ? llvm::json::Value(llvm::json::Array{sums.spread.first, sums.spread.second})
                                 : llvm::json::Value(nullptr)},
                            {"measured_ns", sums.measured},
                            {"predicted_ns", sums.predicted},
                            {"predicted_over_measured", orNull(sums.ratio())},
                            {"known_share", orNull(sums.known())}};
}

llvm::json::Object splitJson(const std::map<std::string, TimingSplit> &groups) {
  llvm::json::Object json;
  for (const auto &[name, split] : groups)
    json[name] = llvm::json::Object{{"seen", sumsJson(split.seen)}, {"unseen", sumsJson(split.unseen)}};
  return json;
}

/// The same rows in four divisions, each with those that were kept to check beside the others.
void addGroupings(const TimingEvaluation &evaluation, llvm::json::Object &json) {
  json["timings_by_table"] = splitJson(groupTimings(evaluation, TimingGrouping::Table));
  json["timings_by_family"] = splitJson(groupTimings(evaluation, TimingGrouping::Family));
  json["timings_by_board"] = splitJson(groupTimings(evaluation, TimingGrouping::Board));
  json["timings_by_program"] = splitJson(groupTimings(evaluation, TimingGrouping::Program));
}

} // namespace

llvm::json::Object toJson(const TimingEvaluation &evaluation) {
  auto model = [](const Timing &timing) -> std::optional<double> { return timing.predicted; };
  llvm::json::Object json = figuresJson(evaluation.figures, evaluation.timings, model);
  // The same figures once more, each row predicted by a fit that had not seen its shape.
  if (evaluation.crossValidated) {
    auto held = [](const Timing &timing) { return timing.crossValidated; };
    json["cross_validated"] = figuresJson(*evaluation.crossValidated, evaluation.timings, held);
  }
  addGroupings(evaluation, json);
  json["timings_far_off"] = farOff(evaluation.timings);
  json["timings_doubtful"] =
      int64_t(llvm::count_if(evaluation.timings, [](const Timing &timing) { return !timing.doubt.empty(); }));
  json["timings_unseen"] =
      int64_t(llvm::count_if(evaluation.timings, [](const Timing &timing) { return timing.unseen; }));
  json["timings_counted"] = int64_t(evaluation.timings.size());
  json["timings_skipped"] = int64_t(evaluation.skipped.size());
  return json;
}

} // namespace tessera
