//===- TimeGroupsText.cpp - Where the time is, for people and files -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Times by groups of steps, in three forms. The table for people has so many
// rows as are asked for and the rest as one; JSON and CSV have all groups, as
// programs can leave rows out themselves.
//
//===----------------------------------------------------------------------===//
#include "TimeGroupsText.h"

#include "tessera/Support/Csv.h"
#include "tessera/Support/Format.h"
#include "tessera/Support/TextTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace tessera;
using namespace tessera::decisions;
namespace json = llvm::json;

void tessera::printTimeBy(llvm::raw_ostream &os, const FunctionDecisions &f, TimeBy by, size_t most) {
  os << llvm::formatv("@{0}: {1} by {2}, policy {3}, {4}\n", f.function, formatNanoseconds(f.after.time),
                      word(by), f.policy, f.device.name);
  std::vector<TimeGroup> groups = timeBy(f, by);
  TextTable table({{word(by)},
                   {"steps", Align::Right},
                   {"time", Align::Right},
                   {"share", Align::Right},
                   {"conversions", Align::Right},
                   {"mostly bound by"}});
  auto add = [&](const TimeGroup &group) {
    table.add({group.name, std::to_string(group.steps), formatNanoseconds(group.time),
               formatPercent(f.after.time > Nanoseconds(0) ? group.time / f.after.time : 0),
               formatNanoseconds(group.conversions), group.boundBy});
  };
  for (const TimeGroup &group : llvm::ArrayRef(groups).take_front(most))
    add(group);
  // Told as one, so that the column adds up to the time above the table.
  if (groups.size() > most) {
    TimeGroup others{std::to_string(groups.size() - most) + " others", 0, {}, {}, ""};
    for (const TimeGroup &group : llvm::ArrayRef(groups).drop_front(most)) {
      others.steps += group.steps;
      others.time += group.time;
      others.conversions += group.conversions;
    }
    add(others);
  }
  table.print(os);
}

json::Value tessera::timeByAsJson(const FunctionDecisions &f, TimeBy by) {
  json::Array groups;
  for (const TimeGroup &group : timeBy(f, by))
    groups.push_back(toJson(group));
  return json::Object{{"function", f.function},
                      {"by", word(by)},
                      {"time_ns", int64_t(std::llround(f.after.time.value()))},
                      {"groups", std::move(groups)}};
}

OutputFile tessera::timeByCsv(const std::string &path, const Decisions &all, TimeBy by) {
  // Whole nanoseconds: figures of a model have no digits behind these that would mean anything.
  auto number = [](Nanoseconds time) { return std::to_string(std::llround(time.value())); };
  std::vector<std::vector<std::string>> rows;
  for (const FunctionDecisions &f : all.functions)
    for (const TimeGroup &group : timeBy(f, by))
      rows.push_back({f.function, group.name, std::to_string(group.steps), number(group.time),
                      number(group.conversions), group.boundBy});
  std::string name = word(by),
              text = csvText({"function", name, "steps", "time_ns", "conversions_ns", "bound_by"}, rows);
  return {path, [text = std::move(text)](llvm::raw_ostream &os) { os << text; }};
}
