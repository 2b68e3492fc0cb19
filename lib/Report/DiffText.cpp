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

static std::string sentence(const DiffEntry &entry) {
  if (!entry.before || !entry.after) {
    const DiffSide &only = entry.before ? *entry.before : *entry.after;
    return entry.what.front() + ", " + llvm::join(only.outputs, ", ");
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

/// The op's name in both plans, which may count differently.
static std::string nameOf(const DiffEntry &entry) {
  if (!entry.before || !entry.after)
    return entry.before ? entry.before->location : entry.after->location;
  return fromTo(entry.before->location, entry.after->location);
}

void report::print(llvm::raw_ostream &os, const FunctionDiff &diff, size_t most) {
  const DiffedPlan &before = diff.before, &after = diff.after;
  os << "@" << diff.function << ": "
     << fromTo(before.policy + " on " + before.device, after.policy + " on " + after.device) << "; "
     << formatNanoseconds(before.time) << " -> " << formatNanoseconds(after.time) << " ("
     << DecisionWords::signedTime(after.time - before.time) << "), peak L1 " << formatBytes(before.peakL1)
     << " -> " << formatBytes(after.peakL1) << "\n";
  if (diff.entries.empty()) {
    os << "nothing is different in " << diff.paired << " ops\n";
    return;
  }
  TextTable table({{"time", Align::Right}, {"op"}, {"before -> after"}});
  for (const DiffEntry &entry : llvm::ArrayRef(diff.entries).take_front(most))
    table.add({DecisionWords::signedTime(entry.delta), nameOf(entry), sentence(entry)});
  table.print(os);
  os << table.rows() << " of " << diff.entries.size() << " ops that differ; " << diff.paired
     << " ops are in both\n";
}
