//===- Diff.h - What is different between two plans -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two decisions of one model (two policies, two devices), or of two versions of it. Ops are paired in program order, those of the same kind and
// shapes; what an op costs is its own time and that of the conversions made for it, so that the changes of all ops add up to the change
// of the plan's time.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_REPORT_DIFF_H
#define TESSERA_REPORT_DIFF_H

#include "tessera/Optimizer/Decisions/Decisions.h"

namespace llvm {
class raw_ostream;
}

namespace tessera::report {

/// One side of a change.
struct DiffSide {
  decisions::Index op = 0;
  std::string location;             ///< of the op
  std::vector<std::string> outputs; ///< layouts of the results, short form
  std::string config;               ///< for people
  std::string boundBy;
  Nanoseconds own, conversions;       ///< the op, and what is converted for it or of its results
  std::vector<std::string> converted; ///< "reload of %3 to l1/...", those conversions in order
  Bytes l1;                           ///< at its step

  Nanoseconds total() const { return own + conversions; }
};

/// A pair of ops of which something is different, or an op that only one plan has.
struct DiffEntry {
  std::string name; ///< "ttnn.matmul"
  std::optional<DiffSide> before, after;
  /// "layout", "configuration", "conversions", "time"; or "only before", "only after".
  std::vector<std::string> what;
  Nanoseconds delta; ///< after - before
  size_t place = 0;  ///< in program order
};

struct DiffedPlan {
  std::string policy, device;
  Nanoseconds time;
  Bytes peakL1;
};

struct FunctionDiff {
  std::string function;
  DiffedPlan before, after;
  int64_t paired = 0; ///< ops of both
  /// By how much time they change, the most first, then in program order.
  std::vector<DiffEntry> entries;
};

/// Functions of the same name, then those that are left over in their order.
std::vector<FunctionDiff> diff(const decisions::Decisions &before, const decisions::Decisions &after);

llvm::json::Value toJson(const FunctionDiff &diff);
/// The first `most` changes, a line or two each.
void print(llvm::raw_ostream &os, const FunctionDiff &diff, size_t most);

} // namespace tessera::report

#endif // TESSERA_REPORT_DIFF_H
