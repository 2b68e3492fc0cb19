//===- Diff.h - What is different between two plans -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two decisions of one model (two policies, two devices), or of two versions of it. Ops are paired in program order,
// those of the same kind and shapes; what an op costs is its own time and that of the conversions made for it, so that
// the changes of all ops add up to the change of the plan's time.
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
  std::string called;               ///< OpFacts::called
  std::vector<std::string> outputs; ///< layouts of the results, short form
  std::string config;               ///< for people
  std::string boundBy;
  Nanoseconds own, conversions;       ///< the op, and what is converted for it or of its results
  std::vector<std::string> converted; ///< "reload of %3 to l1/...", those conversions in order
  Bytes l1;                           ///< at its step
  /// How the op came here, or went from here: "attention (rounding) for softmax_1 and 2 more"; "" of an op that no
  /// rewrite touched.
  std::string rewritten;

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
  int64_t conversions = 0; ///< those of the plan, and those that the module has as ops
  Nanoseconds conversionTime;
  std::vector<std::string> rewrites; ///< of the graph that was planned, by name
};

/// An op that the op model has no time for: it is missing in the plan's time.
struct UnpricedOp {
  std::string name, location, called;
  bool before = false, after = false;   ///< where it has no time
  std::optional<Nanoseconds> elsewhere; ///< what its partner in the other plan takes, if that has a time
};

/// All ops of a name in both plans, conversions apart.
struct KindOfOp {
  std::string name;
  int64_t before = 0, after = 0; ///< how many
  Nanoseconds timeBefore, timeAfter;
};

struct FunctionDiff {
  std::string function;
  DiffedPlan before, after;
  int64_t paired = 0; ///< ops of both
  /// By how much time they change, the most first, then in program order.
  std::vector<DiffEntry> entries;
  std::vector<UnpricedOp> unpriced; ///< in program order
  std::vector<KindOfOp> kinds;      ///< those that take most time in both together first

  /// How many times as fast the plan behind is: an op that one of both has no time for takes the other one's. 1 if a
  /// plan takes no time.
  double speedUp() const;
  /// Ops without a time that no partner lends one: neither plan's time holds them.
  int64_t leftOut() const;
};

/// "(1x32x64, 64x128) -> (1x32x128)": shapes of what a function takes, its constants included, and of what it returns.
/// Two plans are of one program as far as these tell. The returned ones ascend, as plans differ in which is made first.
std::string shapesOf(const decisions::FunctionDecisions &function);

/// Functions of the same name, then those that are left over in their order.
std::vector<FunctionDiff> diff(const decisions::Decisions &before, const decisions::Decisions &after);

llvm::json::Value toJson(const FunctionDiff &diff);
/// The first `most` changes, a line or two each.
void print(llvm::raw_ostream &os, const FunctionDiff &diff, size_t most);

/// What a reader calls both sides.
struct SideNames {
  std::string before, after;
};
/// Both plans as two columns, then the time by kind of op, the ops that have none, and the first `most` changes.
void printSideBySide(llvm::raw_ostream &os, const FunctionDiff &diff, const SideNames &names, size_t most);

} // namespace tessera::report

#endif // TESSERA_REPORT_DIFF_H
