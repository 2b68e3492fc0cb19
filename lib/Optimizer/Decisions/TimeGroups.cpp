//===- TimeGroups.cpp - Where the time is ---------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// report/src/model/timeGroups.ts is the same for the page; report/check holds the two equal.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Decisions/TimeGroups.h"
#include "tessera/Support/SortStably.h"

#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Optimizer/Decisions/Layers.h"

#include "llvm/ADT/MapVector.h"

#include <map>

using namespace tessera;
using namespace tessera::decisions;

llvm::ArrayRef<llvm::StringRef> decisions::wordsOf(TimeBy) {
  static constexpr llvm::StringRef kWords[] = {"kind", "layer", "bound", "conversion"};
  return kWords;
}

/// "l1/block_sharded": where a layout lies, without the cores.
static std::string placeOf(const TensorLayout &layout) {
  std::string text = name(layout.buffer).str();
  return layout.memory ? text + "/" + name(*layout.memory).str() : text;
}

/// "reshard: l1/block_sharded to dram/interleaved, tile to row_major".
static std::string changeOf(const DecisionWords &w, const StepFacts &step) {
  const TensorLayout &from = w.f.layouts[size_t(w.tensor(step.reads.front()).layout)];
  const TensorLayout &to = w.f.layouts[size_t(w.tensor(step.writes.front()).layout)];
  std::string text;
  auto add = [&](const std::string &before, const std::string &after) {
    if (before != after)
      text += (text.empty() ? "" : ", ") + before + " to " + after;
  };
  add(placeOf(from), placeOf(to));
  add(name(from.page).str(), name(to.page).str());
  add(name(from.dtype).str(), name(to.dtype).str());
  // No word differs where only the grid or the cores do.
  return DecisionWords::reasonOf(step) + ": " + (text.empty() ? placeOf(to) + " on other cores" : text);
}

/// By step, the group that it belongs to; "" if it is in none.
std::vector<std::string> decisions::groupNames(const FunctionDecisions &f, TimeBy what) {
  DecisionWords w(f);
  std::vector<std::string> names, layers;
  if (what == TimeBy::Layer)
    layers = layerNames(f);
  for (auto [index, step] : llvm::enumerate(f.steps))
    // A returned argument is converted for no op, and so in no layer.
    names.push_back(what == TimeBy::Kind    ? w.stepKind(Index(index))
                    : what == TimeBy::Layer ? (step.op ? layers[size_t(*step.op)] : "outside")
                    : what == TimeBy::Bound ? step.time.boundBy
                    : step.isRun()          ? ""
                                            : changeOf(w, step));
  return names;
}

/// Groups come in the order of their first steps, which those of equal times keep, and layers altogether: a model's
/// layers are read from the front.
std::vector<TimeGroup> decisions::timeBy(const FunctionDecisions &f, TimeBy what) {
  struct Sums {
    TimeGroup group;
    std::map<std::string, Nanoseconds> bounds; ///< of equals the first by name stands
  };
  llvm::MapVector<std::string, Sums, std::map<std::string, unsigned>> sums;
  for (auto [step, name] : llvm::zip_equal(f.steps, groupNames(f, what))) {
    // By conversion, ops are in no group.
    if (name.empty())
      continue;
    auto &[group, bounds] = sums[name];
    group.name = name;
    ++group.steps;
    group.time += step.time.total;
    if (!step.isRun())
      group.conversions += step.time.total;
    bounds[step.time.boundBy] += step.time.total;
  }
  std::vector<TimeGroup> groups;
  for (auto &[name, found] : sums) {
    auto &[group, bounds] = found;
    // What bounds most of the group's time, not most of its steps.
    group.boundBy = llvm::max_element(bounds, [](auto &a, auto &b) { return a.second < b.second; })->first;
    groups.push_back(std::move(group));
  }
  if (what != TimeBy::Layer)
    sortStably(groups, [](const TimeGroup &a, const TimeGroup &b) { return a.time > b.time; });
  return groups;
}
