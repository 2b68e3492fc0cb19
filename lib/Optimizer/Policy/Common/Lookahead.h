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
// What a reader pays depends on the op and on what its results are worth, not on where it stands. Programs repeat layers, and a few layers
// before the end worths repeat, too, bit by bit: so ops that are alike in all of that (kindOf) are asked once.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_COMMON_LOOKAHEAD_H
#define TESSERA_LIB_OPTIMIZER_POLICY_COMMON_LOOKAHEAD_H

#include "tessera/Optimizer/Problem/Words.h"
#include "tessera/Optimizer/Table/Oracle.h"

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

/// How far a layout is from where results lie best: 0 sharded in L1, 1 interleaved there, 2 elsewhere (facts/optimizer-proposal "Pass 2").
inline int residencyOf(const TensorLayout &layout) { return layout.isSharded() ? 0 : layout.isL1() ? 1 : 2; }

class Lookahead {
public:
  /// Computes the worth of every layout that a legal configuration gives to a value.
  Lookahead(const Problem &problem, Oracle &oracle);

  /// The worth, the lower the better; a return, from home, is counted as a reader.
  Price worth(ValueId value, LayoutId layout) { return worthOf(value, layout, problem.end()); }
  /// The same if readers from `leavesAt` on find the value in DRAM only, and a conversion must bring it
  /// there.
  Price worthUntil(ValueId value, LayoutId layout, SchedulePos leavesAt);

  /// The small charge for results that leave L1 or sharding behind (residencyOf), so that near-ties fall to that preference.
  Nanoseconds residencyCharge(LayoutId layout) const;

  /// A number that two ops share if nothing about them or about the worth of their results tells one from the other: whoever chooses for
  /// them from equal places of their operands chooses the same.
  uint32_t kindOf(OpId op) const { return kinds[op.index()]; }

private:
  /// What it takes an op to read a value. Ops of a kind share one for each value that they read.
  struct Reading {
    llvm::ArrayRef<LayoutId>
        sources; ///< layouts worth converting to; home first, or the only one that will do
    llvm::SmallVector<std::pair<LayoutId, Price>, 12> direct; ///< memo of directCost
    llvm::SmallVector<std::pair<LayoutId, Price>, 12> best;   ///< memo of readCost
  };
  /// One op that reads a value, whichever operands it reads it by.
  struct Reader {
    OpId op;
    uint32_t position = 0;      ///< of the value among those that the op reads
    Reading *reading = nullptr; ///< once the worth of what the op makes is known
  };
  /// Of an op (`shapes` or `kinds`) and a value that it reads.
  using Place = std::pair<uint32_t, uint32_t>;

  /// Remembered only of values that stay to their last reader.
  Price worthOf(ValueId value, LayoutId layout, SchedulePos leavesAt);
  Price readCost(ValueId value, Reader &reader, LayoutId layout);
  /// The reader as it finds the value, with no conversion of it.
  Price directCost(ValueId value, Reader &reader, LayoutId layout);
  /// Others as in the base, or all placed like this one, whichever is better.
  Price compute(ValueId value, OpId op, LayoutId layout);
  /// Over all legal ones, with the worth of what they make.
  Price cheapestConfig(OpId op, llvm::ArrayRef<LayoutId> inputs);
  Words wordsOf(OpId op) const;
  void collectReaders();
  bool readsBaseInput(ValueId value, const Reader &reader) const;
  /// Reading::sources, found once for each shape of op.
  std::vector<LayoutId> sourcesOf(ValueId value, const Reader &reader);
  void findKind(OpId op, WordNumbers &numbers);
  /// Gives the op's reads the memo of its kind. `left`: by value, readers that have none yet.
  void setReadings(OpId op, std::vector<size_t> &left);

  const Problem &problem;
  Oracle &oracle;
  std::vector<bool> writtenInPlace;                                     ///< by ValueId
  std::vector<uint32_t> shapes;                                         ///< by OpId: equal for equal wordsOf
  std::vector<uint32_t> kinds;                                          ///< by OpId: kindOf
  std::map<Place, std::vector<LayoutId>> sources;                       ///< by shape
  std::map<Place, Reading> readings;                                    ///< by kind
  std::vector<std::vector<Reader>> readers;                             ///< by ValueId, in schedule order
  std::vector<llvm::SmallVector<std::pair<LayoutId, Price>, 10>> known; ///< by ValueId: worth of its layouts
};

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_COMMON_LOOKAHEAD_H
