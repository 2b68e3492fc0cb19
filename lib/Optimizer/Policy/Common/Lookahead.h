//===- Lookahead.h - What a layout is worth to those who read it ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A choice that looks best for one op alone never returns to L1: the op pays
// for the write, its readers get the benefit. So each layout of a value has a
// worth: the time that its readers win or lose against reading it from home,
//
//   worth(v, l) = sum over readers c of  cost(c, v = l) - cost(c, v = home)
//   cost(c, v = l) = min over configurations k of c, and layouts s that v can be converted to from l, of
//                    conversion(l -> s) + time(c, v = s, k) + worth of c's results in k's layouts
//
// computed backwards over the program, so that the last term is known. Other
// operands of c are taken as in its base configuration (declared, but for
// overrides), or placed like s, whichever is better:
// add(a, b) needs both sharded alike, and sharding either of them first must look worth it.
// The sum over readers makes it exact for trees, an estimate for joins.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_COMMON_LOOKAHEAD_H
#define TESSERA_LIB_OPTIMIZER_POLICY_COMMON_LOOKAHEAD_H

#include "Oracle.h"

namespace tessera {

/// What a choice costs, or the difference of two such. Readers that are left without any legal way count first, and no
/// time outweighs one of them.
struct Price {
  int stuck = 0; ///< readers; below zero if the choice is what lets them run
  Nanoseconds time;

  bool possible() const { return stuck <= 0; }
  Price operator+(Price other) const { return {stuck + other.stuck, time + other.time}; }
  Price operator-(Price other) const { return {stuck - other.stuck, time - other.time}; }
  Price operator+(Nanoseconds more) const { return {stuck, time + more}; }
  Price &operator+=(Price other) { return *this = *this + other; }
  auto operator<=>(const Price &) const = default;
};
/// Of one reader for which nothing is legal.
inline constexpr Price kNoWay{1, {}};

class Lookahead {
public:
  /// Computes the worth of every layout that a legal configuration gives to a value.
  Lookahead(const Problem &problem, Oracle &oracle);

  /// The worth, the lower the better; a return, from home, is counted as a reader.
  Price worth(ValueId value, LayoutId layout) { return worthOf(value, layout, problem.end()); }
  /// The same if readers from `leavesAt` on find the value in DRAM only, and a conversion must bring it
  /// there.
  Price worthUntil(ValueId value, LayoutId layout, SchedulePos leavesAt);

  /// The small charge for results that leave L1 or sharding behind, so that near-ties fall to the
  /// preference of facts/optimizer-proposal "Pass 2": sharded, then L1 interleaved, then DRAM.
  Nanoseconds residencyCharge(LayoutId layout) const;

private:
  /// One op that reads a value, whichever operands it reads it by.
  struct Reader {
    OpId op;
    std::vector<LayoutId> sources; ///< layouts worth converting to; home first, or the only one that will do
    llvm::SmallVector<std::pair<LayoutId, Price>, 12> direct; ///< memo of directCost
    llvm::SmallVector<std::pair<LayoutId, Price>, 12> best;   ///< memo of readCost
  };

  Price worthOf(ValueId value, LayoutId layout, SchedulePos leavesAt);
  Price returnCost(ValueId value, LayoutId layout);
  Price readCost(ValueId value, Reader &reader, LayoutId layout);
  Price directCost(ValueId value, Reader &reader, LayoutId layout);
  Price compute(ValueId value, OpId op, LayoutId layout);
  Price cheapestConfig(OpId op, llvm::ArrayRef<LayoutId> inputs);
  void collectReaders();
  bool readsBaseInput(ValueId value, const Reader &reader) const;
  void collectSources(ValueId value, Reader &reader);

  const Problem &problem;
  Oracle &oracle;
  std::vector<bool> writtenInPlace;                                     ///< by ValueId
  std::vector<std::vector<Reader>> readers;                             ///< by ValueId, in schedule order
  std::vector<llvm::SmallVector<std::pair<LayoutId, Price>, 10>> known; ///< by ValueId: worth of its layouts
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_COMMON_LOOKAHEAD_H
