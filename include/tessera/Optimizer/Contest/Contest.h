//===- Contest.h - Which plan stands --------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_CONTEST_CONTEST_H
#define TESSERA_OPTIMIZER_CONTEST_CONTEST_H

#include "tessera/Optimizer/Contest/Entry.h"
#include "tessera/Optimizer/Plan/DecisionLog.h"

namespace tessera {

/// An entry, and what its policy noted in the run that found it.
struct Noted {
  Entry entry;
  DecisionLog log; ///< empty unless somebody asked for it
};

/// Of the plans that several runs end with, the one that stands: that of the first rank (Judge::rank).
class Contest {
public:
  /// `judge` must outlive it.
  explicit Contest(const Judge &judge) : judge(judge), best(judge) {}

  /// What a run ends with; whether it stands now. Equal ranks leave the earlier one its place.
  bool enter(Noted noted);
  /// What a run sees on its way and does not end with, or does: single changes may turn the order of the fastest around.
  void consider(const Noted &noted);
  /// Of what stands. Not to be called before something was entered; nor are the others.
  const Rank &rank() const { return best.rank(); }
  /// Single changes that save time are made (improved), in what stands and in the fastest of those considered; what is best after
  /// them stands, with fewer conversions where the model cannot tell what these save (withFewerConversions).
  void improve(bool settlesDoubts);
  /// Ends the contest.
  Noted result() { return {best.take(), std::move(log)}; }

private:
  static constexpr size_t kFastest = 3;

  const Judge &judge;
  Best best;
  DecisionLog log;            ///< of the best
  std::vector<Noted> fastest; ///< of those considered, each of another time, by time
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_CONTEST_CONTEST_H
