//===- TimeGroups.h - Where the time is -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_TIMEGROUPS_H
#define TESSERA_OPTIMIZER_DECISIONS_TIMEGROUPS_H

#include "tessera/Optimizer/Decisions/Decisions.h"

namespace tessera::decisions {

/// By what steps are put together.
enum class TimeBy : uint8_t {
  Kind,       ///< "kind": ops by name, conversions by reason
  Layer,      ///< "layer": layerNames, conversions with the op that they are for
  Bound,      ///< "bound": what bounds the step
  Conversion, ///< "conversion": conversions only, by reason and what they change
};
/// In the order of the enum.
llvm::ArrayRef<llvm::StringRef> wordsOf(TimeBy);

/// Steps of one kind, one layer, ... Times are the op model's for one run of the function.
struct TimeGroup {
  std::string name;
  int64_t steps = 0;
  Nanoseconds time, conversions; ///< all of it; of that, of conversions
  std::string boundBy;           ///< what bounds most of it

  static void fields(auto &self, auto &&visit) {
    visit("name", self.name);
    visit("steps", self.steps);
    visit("time_ns", self.time);
    visit("conversions_ns", self.conversions);
    visit("bound_by", self.boundBy);
  }
};
/// With the keys of `fields`.
llvm::json::Value toJson(const TimeGroup &group);

/// The name of each step's group; "" of those that are in none.
std::vector<std::string> groupNames(const FunctionDecisions &function, TimeBy what);
/// All groups, whose times add up to the plan's, or to that of its conversions. Layers in the order of the program, else the most
/// time first.
std::vector<TimeGroup> timeBy(const FunctionDecisions &function, TimeBy what);

} // namespace tessera::decisions

#endif // TESSERA_OPTIMIZER_DECISIONS_TIMEGROUPS_H
