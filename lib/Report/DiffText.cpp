//===- DiffText.cpp - What is different, for people -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Report/Diff.h"

#include "tessera/Optimizer/Decisions/DecisionWords.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace tessera;
using namespace tessera::report;

/// "l1/x -> dram/y", or the one that both have.
static std::string fromTo(const std::string &before, const std::string &after) {
  return before == after ? before : before + " -> " + after;
}

/// What changed in one op, layouts first: "l1/height_sharded/8x1 ... -> dram/interleaved; conversions 0 (0 ns) -> 1 (2
/// us)".
static std::string sentence(const DiffEntry &entry) {
  if (!entry.before || !entry.after) {
    const DiffSide &only = entry.before ? *entry.before : *entry.after;
    return entry.what.front() + ", " + llvm::join(only.outputs, ", ") +
           (only.rewritten.empty() ? "" : "; " + only.rewritten);
  }
  const DiffSide &before = *entry.before, &after = *entry.after;
  std::string text = fromTo(llvm::join(before.outputs, ", "), llvm::join(after.outputs, ", "));
  if (before.config != after.config)
    text += "; " + fromTo(before.config.empty() ? "no configuration" : before.config,
                          after.config.empty() ? "no configuration" : after.config);
  if (before.converted != after.converted)
    text += llvm::formatv("; conversions {0} ({1}) -> {2} ({3})", before.converted.size(),
                          formatNanoseconds(before.conversions), after.converted.size(),
                          formatNanoseconds(after.conversions));
  return text;
}

/// The op's name in both plans. Of ops that share a location each plan has its own numbers: who reads the first plan's
/// finds the op.
static std::string nameOf(const DiffEntry &entry) {
  if (!entry.before || !entry.after)
    return entry.before ? entry.before->called : entry.after->called;
  bool isOne = entry.before->location == entry.after->location;
  return fromTo(entry.before->called, isOne ? entry.before->called : entry.after->called);
}

/// Their names with commas; "none" for a graph that is the input's.
static std::string rewritesOf(const DiffedPlan &plan) {
  return plan.rewrites.empty() ? "none" : llvm::join(plan.rewrites, ", ");
}

/// The first `most` of what is different.
static void printChanges(llvm::raw_ostream &os, const FunctionDiff &diff, size_t most) {
  if (diff.entries.empty()) {
    os << "nothing is different in " << diff.paired << " ops\n";
    return;
  }
  TextTable table({{"time", Align::Right}, {"op"}, {"before -> after"}});
  // Entries come with the largest difference of time first.
  for (const DiffEntry &entry : llvm::ArrayRef(diff.entries).take_front(most))
    table.add({DecisionWords::signedTime(entry.delta), nameOf(entry), sentence(entry)});
  table.print(os);
  os << table.rows() << " of " << diff.entries.size() << " ops that differ; " << diff.paired
     << " ops are in both\n";
}

/// Ops that are missing in a plan's time, which must be said wherever times are compared.
static void printUnpriced(llvm::raw_ostream &os, const FunctionDiff &diff, const SideNames &names) {
  if (diff.unpriced.empty())
    return;
  os << "ops without a time, which the op model refuses or does not know\n";
  for (const UnpricedOp &op : diff.unpriced) {
    os << "  " << op.name << " " << op.called << ": none in "
       << (op.before && op.after ? "both"
           : op.before           ? names.before
                                 : names.after);
    if (op.elsewhere)
      os << ", " << formatNanoseconds(*op.elsewhere) << " in " << (op.before ? names.after : names.before);
    os << "\n";
  }
}

void report::print(llvm::raw_ostream &os, const FunctionDiff &diff, size_t most) {
  const DiffedPlan &before = diff.before, &after = diff.after;
  os << "@" << diff.function << ": "
     << fromTo(before.policy + " on " + before.device, after.policy + " on " + after.device) << "; "
     << formatNanoseconds(before.time) << " -> " << formatNanoseconds(after.time) << " ("
     << DecisionWords::signedTime(after.time - before.time) << "), peak L1 " << formatBytes(before.peakL1)
     << " -> " << formatBytes(after.peakL1) << "\n";
  // Before the ops, which it explains: whole groups of them are in one of the plans only.
  if (before.rewrites != after.rewrites)
    os << "rewrites of the graph: " << rewritesOf(before) << " -> " << rewritesOf(after) << "\n";
  printUnpriced(os, diff, {"before", "after"});
  printChanges(os, diff, most);
}

/// Ops of each kind on both sides: how many, and how long they take together.
static void printKinds(llvm::raw_ostream &os, const FunctionDiff &diff) {
  TextTable table({{"kind"},
                   {"ops", Align::Right},
                   {"time", Align::Right},
                   {"ops", Align::Right},
                   {"time", Align::Right}});
  for (const KindOfOp &kind : diff.kinds)
    table.add({kind.name, std::to_string(kind.before), formatNanoseconds(kind.timeBefore),
               std::to_string(kind.after), formatNanoseconds(kind.timeAfter)});
  table.print(os);
}

void report::printSideBySide(llvm::raw_ostream &os, const FunctionDiff &diff, const SideNames &names,
                             size_t most) {
  const DiffedPlan &before = diff.before, &after = diff.after;
  auto conversions = [](const DiffedPlan &plan) {
    return llvm::formatv("{0}, {1}", plan.conversions, formatNanoseconds(plan.conversionTime)).str();
  };
  // A column per side and one for what is said of both.
  TextTable plans({{"@" + diff.function}, {names.before, Align::Right}, {names.after, Align::Right}, {""}});
  plans.add({"time", formatNanoseconds(before.time), formatNanoseconds(after.time),
             llvm::formatv("{0:F2} times as fast", diff.speedUp())});
  plans.add({"conversions", conversions(before), conversions(after)});
  plans.add({"peak L1", formatBytes(before.peakL1), formatBytes(after.peakL1)});
  plans.add({"board", before.device, after.device});
  plans.print(os);
  // Under the speed-up that they are missing in.
  if (int64_t leftOut = diff.leftOut())
    os << "of " << leftOut << " ops neither side has a time, or only one has the op: they are left out\n";
  os << "\n";
  printKinds(os, diff);
  os << "\n";
  printUnpriced(os, diff, names);
  printChanges(os, diff, most);
  os << "\n";
}
