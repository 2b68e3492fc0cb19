//===- TimingGroups.cpp - Sums and medians of groups of timings -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Medians tell whether the time of a call is right, sums whether that of a program is:
// in a sum errors of many calls cancel, and a few long calls decide it.
//
//===----------------------------------------------------------------------===//
#include "tessera/Evaluation/Evaluation.h"

#include <algorithm>
#include <cmath>

namespace tessera {
namespace {

std::string nameOf(const Timing &timing, TimingGrouping by) {
  switch (by) {
  case TimingGrouping::Table:
    return timing.table;
  case TimingGrouping::Family:
    return timing.opFamily + " " + timing.board;
  case TimingGrouping::Board:
    return timing.board;
  case TimingGrouping::Program:
    return timing.program.empty() ? "(calls by themselves)" : timing.program;
  }
  return "";
}

double median(std::vector<double> &errors) {
  if (errors.empty())
    return 0;
  llvm::sort(errors);
  size_t middle = errors.size() / 2;
  return errors.size() % 2 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2;
}

/// The errors of a group while its rows are read.
struct Errors {
  std::vector<double> all, ofLong;
  std::vector<double> ratios; ///< measured over predicted
};

} // namespace

llvm::StringRef name(TimingGrouping by) {
  constexpr llvm::StringLiteral kNames[] = {"table", "family", "board", "program"};
  return kNames[size_t(by)];
}

/// Rows that were fitted to and rows that were kept back are apart in every group, or the fit would judge itself.
/// Groups come by name, as a map has them.
std::map<std::string, TimingSplit> groupTimings(const TimingEvaluation &evaluation, TimingGrouping by) {
  std::map<std::string, TimingSplit> groups;
  std::map<std::pair<std::string, bool>, Errors> errors;
  auto sumsOf = [&](const Timing &timing) -> TimingSums & {
    TimingSplit &split = groups[nameOf(timing, by)];
    return timing.unseen ? split.unseen : split.seen;
  };
  for (const Timing &timing : evaluation.timings) {
    if (!timing.doubt.empty())
      continue;
    TimingSums &sums = sumsOf(timing);
    double error = std::abs(timing.predicted - timing.measured) / timing.measured;
    Errors &of = errors[{nameOf(timing, by), timing.unseen}];
    of.all.push_back(error);
    // What is far off ran another program than the model's: a layout or a switch that the table does not say.
    if (!isFarOff(timing))
      of.ratios.push_back(timing.measured / timing.crossValidated.value_or(timing.predicted));
    if (timing.measured > kShortTiming)
      of.ofLong.push_back(error);
    sums.measured += double(timing.calls) * timing.measured;
    sums.predicted += double(timing.calls) * timing.predicted;
  }
  // What has no time counts by what it was measured at: the share of time that nobody predicts.
  for (const Timing &timing : evaluation.unknown)
    if (timing.doubt.empty())
      sumsOf(timing).unknown += double(timing.calls) * timing.measured;
  for (auto &[key, of] : errors) {
    TimingSplit &split = groups[key.first];
    TimingSums &sums = key.second ? split.unseen : split.seen;
    sums.rows = of.all.size();
    sums.longRows = of.ofLong.size();
    sums.median = median(of.all);
    sums.longMedian = median(of.ofLong);
    llvm::sort(of.ratios);
    if (!of.ratios.empty())
      // A tenth is left out at either end: single rows that ran something else say nothing of the rest.
      sums.spread = {of.ratios[of.ratios.size() / 10],
                     of.ratios[of.ratios.size() - 1 - of.ratios.size() / 10]};
  }
  return groups;
}

} // namespace tessera
