//===- Candidate.h - One way to run an op, and what led to it -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_CANDIDATE_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_CANDIDATE_H

#include "../Common/Lookahead.h"
#include "tessera/Optimizer/Ledger/Reads.h"
#include "tessera/Optimizer/Problem/Words.h"

#include <deque>
#include <vector>

namespace tessera::beam {

/// What a path through the program has taken so far, time and reshards above those of the path to the same op that took
/// least: only that decides, and where a model repeats a layer, so do the figures.
struct Score {
  /// The ops' own, conversions, and each parent's divided by the number of its readers, so that what several
  /// read is not counted several times.
  Nanoseconds time;
  /// Of the result on the path that lies on fewest; results that are not sharded do not count.
  int64_t minCores = kManyCores;
  unsigned reshards = 0;

  static constexpr int64_t kManyCores = int64_t(1) << 40;
};

/// How a candidate reads one value.
struct Input {
  LayoutId layout;
  unsigned parent = 0; ///< the candidate of the value's producer that was assumed
  bool converted = false;
};

/// One way to run an op.
struct Candidate {
  ConfigId config;
  llvm::SmallVector<Input, 3> inputs; ///< by distinct value that the op reads
  Score score;
  Price worth;              ///< what the readers of the results are expected to lose, or win (below zero)
  int residency = 0;        ///< residencyOf the worst of the results
  unsigned conversions = 0; ///< of its own
  unsigned order = 0;       ///< in which it was found
};

/// As it is made on a draft.
Decision decisionOf(const Candidate &candidate);

/// Of one op, best first; no two make their results in the same layouts.
using Beam = std::vector<Candidate>;

/// The beams of all ops. Equal ones are kept once, so that a model of many layers takes little more room than one layer.
class Beams {
public:
  const Beam &operator[](OpId op) const { return distinct[numbers[op.index()]]; }
  /// Equal for ops with equal beams.
  size_t numberOf(OpId op) const { return numbers[op.index()]; }

  /// That of the next op. The beam is kept if none is like it.
  void append(Beam beam);
  /// The same, known to be the beam `number`.
  void append(size_t number) { numbers.push_back(number); }

private:
  std::deque<Beam> distinct;
  ByWords<size_t> numberOfContent;
  std::vector<size_t> numbers; ///< by OpId
};

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_CANDIDATE_H
