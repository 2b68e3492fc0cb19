//===- DecisionLog.h - What a policy notes while it decides ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A policy that is given a log (PolicyOptions::log) writes down what only it knows: which ways to run an op it looked at and how
// it ranked them, which values it made leave L1 and for what, why it gave up on keeping one there. All else follows from the
// plan (Optimizer/Decisions). Without a log nothing is computed for it.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PLAN_DECISIONLOG_H
#define TESSERA_OPTIMIZER_PLAN_DECISIONLOG_H

#include "tessera/Optimizer/Problem/Problem.h"

#include <map>
#include <string>
#include <vector>

namespace tessera {

/// A way to run an op that the policy looked at.
struct LoggedCandidate {
  OpConfig config;
  llvm::SmallVector<LayoutId, 4> inputs; ///< by distinct value that the op reads; may be left out
  Nanoseconds score;                     ///< the policy's own, the lower the better; 0 if it has none in time
  unsigned conversions = 0;              ///< of operands
};

/// A value that leaves L1 before an op.
struct LoggedEviction {
  ValueId victim;
  OpId cause;
  Bytes freed;  ///< L1 per core
  Bytes excess; ///< by how much L1 was exceeded
};

/// Ids are those of the problem that was planned; of another order of the ops inProgramIds brings them back. Empty
/// where a policy has nothing to say.
struct DecisionLog {
  static constexpr size_t kMostCandidates = 16; ///< per op

  bool listsCandidates =
      true; ///< whether the next two are wanted: they take as long as planning, and much room
  std::map<OpId, std::vector<LoggedCandidate>> candidates; ///< best first
  std::map<OpId, size_t> considered;                       ///< how many there were, if more than those
  std::vector<LoggedEviction> evictions;                   ///< in the order in which they were made
  std::map<ValueId, std::string> reasons;                  ///< why a value is not kept in L1: "chain failure"
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PLAN_DECISIONLOG_H
