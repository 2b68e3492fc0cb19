//===- Entry.h - A plan, judged once --------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Whoever proposes a plan, it stands only if it is legal, and faster than what stood before; at the end it must have addresses,
// too. Policies propose and do not judge; who stands is decided here, in Solve.h and in Contest.h, and nowhere else.
//
// In come a problem, a policy and what is asked of it; out goes the plan that stands, with what its check said. The
// room runs policies on other orders of the ops, for less L1 and with other ways to spill, and judges each plan once.
// `decide` (lib/Optimizer/Decide.cpp), tessera-solve and the tests call it; no policy does.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_CONTEST_ENTRY_H
#define TESSERA_OPTIMIZER_CONTEST_ENTRY_H

#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"

#include <optional>

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

  /// Checked and priced by this problem and this model, whatever problem it was planned for.
  Entry judged(Plan plan) const;
  /// With conversions merged (PlanConversions.h), if it is legal so and no slower: as every plan is handed on.
  Entry merged(Entry entry) const;
  Entry judgedMerged(Plan plan) const { return merged(judged(std::move(plan))); }
  /// Whether the device's allocator finds an address for everything (hasAddresses). Not part of an entry: it takes a replay, and most
  /// entries have lost by then.
  bool isPlaced(const Entry &entry) const;
  /// With addresses: its own, or where it has none those of places that are kept (KeptPlaces.h). Nullopt if that does not help.
  std::optional<Entry> placed(Entry entry) const;
  /// Of a legal entry; takes a replay.
  Rank rank(const Entry &entry) const { return {!isPlaced(entry), entry.time}; }
  /// Legal and placed.
  bool holds(const Entry &entry) const { return entry.legal() && isPlaced(entry); }

  const Problem &problem;
  const OpCostTable &model;
};

/// Of entries that come one after the other that of the first rank; of equals the first, so that which plan stands does not depend on how
/// many more are tried. `judge` must outlive it.
class Best {
public:
  explicit Best(const Judge &judge) : judge(judge) {}

  /// Whether the entry stands now. It must be legal, unless no entry need be.
  bool consider(Entry entry);
  bool empty() const { return !standing; }
  /// Not to be called before an entry was considered; nor is `take`, which ends it.
  const Entry &entry() const { return *standing; }
  /// By a placed entry, whatever its time.
  void replace(Entry entry) {
    itsRank = {false, entry.time};
    standing = std::move(entry);
  }
  const Rank &rank() const { return itsRank; }
  Entry take() { return std::move(*standing); }

private:
  const Judge &judge;
  std::optional<Entry> standing;
  Rank itsRank;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_CONTEST_ENTRY_H
