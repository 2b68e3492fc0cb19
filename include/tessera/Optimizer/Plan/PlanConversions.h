//===- PlanConversions.h - The conversions of a plan, split and merged ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_PLANCONVERSIONS_H
#define TESSERA_OPTIMIZER_PLAN_PLANCONVERSIONS_H

#include "tessera/OpModel/Conversions.h"
#include "tessera/Optimizer/Plan/Plan.h"

#include <optional>

namespace tessera {

/// Which conversions are split.
enum class Splitting : uint8_t {
  ForTime, ///< into the fastest path, which policies plan with
  ForNeed, ///< if no single op does it within the budget: a program's own conversions stay as they are
};

/// Splits each conversion into the ops of its path, so that every step has its own time and its own L1. Policies plan with the
/// whole (Oracle::convert), and end with this. What one op could make takes several, too, where that is the path: it may not fit
/// into L1 at once, or take longer.
///
///   convert t0 dram rows -> t1 l1/block_sharded tiles
///     =>  convert t0 -> t2 dram tiles;  convert t2 -> t1 l1/block_sharded tiles
///
/// A conversion op of the program runs where its path changes the data type (else last); the other ops of its path
/// stand around it as conversions of its operand and of its result. A conversion without a path stays as it is, for
/// checkPlan to refuse.
Plan narrowConversions(const Problem &problem, Plan plan, Conversions &conversions,
                       Splitting splitting = Splitting::ForTime);

/// Removes each conversion whose source was made by a conversion op of the input program and is read by
/// nothing else, by letting that op produce the target layout itself (facts/optimizer-design
/// 3.5.1, memory reconfiguration), and takes the shortest path for both together:
///
///   %1 = to_layout(%0) : dram tiles               %1 = to_memory_config(%0) : l1 rows
///   convert %1 -> l1 tiles                    =>   %2 = to_layout(%1) : l1 tiles
///   relu(...)                                      relu(%2)
///
/// Nullopt of a plan without such conversions. The result may hold more L1 for longer, so it has to be checked like any plan; what came to
/// stand side by side may be merged once more.
std::optional<Plan> mergeConversions(const Problem &problem, const Plan &plan, const OpCostTable &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_PLANCONVERSIONS_H
