//===- Entry.h - A plan, judged once --------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Whoever proposes a plan, it stands only if it is legal, and faster than what stood before; at the end it must have addresses,
// too. Policies propose and do not judge; who stands is decided here, in Solve.h and in Contest.h, and nowhere else.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_CONTEST_ENTRY_H
#define TESSERA_OPTIMIZER_CONTEST_ENTRY_H

#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"

namespace tessera {

/// A plan and what is to be known of it.
struct Entry {
  Plan plan;
  PlanCheck check;
  Nanoseconds time; ///< planCost
  Bytes plannedFor; ///< a budget below the problem's; 0 if it is that

  bool legal() const { return check.ok(); }
  /// Of two legal entries the one that was there first stays unless the other is faster.
  bool beats(const Entry &standing) const { return legal() && (!standing.legal() || time < standing.time); }
};

/// Without addresses, time: of two plans that are legal, the lesser one is better.
using Rank = std::pair<bool, Nanoseconds>;

/// Judges plans for one problem. Both arguments must outlive it.
class Judge {
public:
  Judge(const Problem &problem, const OpCostTable &model) : problem(problem), model(model) {}

  Entry judged(Plan plan) const;
  /// With conversions merged (PlanConversions.h), if it is legal so and no slower: as every plan is handed on.
  Entry merged(Entry entry) const;
  Entry judgedMerged(Plan plan) const { return merged(judged(std::move(plan))); }
  /// Whether the device's allocator finds an address for everything (hasAddresses). Not part of an entry: it takes a replay, and most
  /// entries have lost by then.
  bool isPlaced(const Entry &entry) const;
  Rank rank(const Entry &entry) const { return {!isPlaced(entry), entry.time}; }
  /// Legal and placed.
  bool holds(const Entry &entry) const { return entry.legal() && isPlaced(entry); }

  const Problem &problem;
  const OpCostTable &model;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_CONTEST_ENTRY_H
