//===- Search.h - The best set of residents at each position --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Dynamic programming over the schedule (facts/optimizer-proposal "Optimal Spilling"). A state is the set of tensors, a value in a layout each, that
// are there after an op and will be read; an op leads from one state to others:
//
//   {a l1, b l1}  --  add(a, b) -> c l1, a is read later  -->  {a l1, c l1}
//                 \-  a leaves before: spill a             -->  {a dram, c l1}
//                 \-  c written to DRAM at once             -->  {a l1, c dram}
//
// Of equal states the cheapest stays; a state with all that another one has, and
// no dearer, makes that one superfluous, for a tensor may be given up at any
// time at no cost. So nothing leaves L1 before it has to: only where an op does
// not fit, the smallest sets of victims are tried, operands included. A
// victim without a copy elsewhere is spilled right before that op. A reader may
// read whatever is there, or convert it, for itself or for later readers too:
// so a value may return to L1, or live in L1 for some of its readers only.
//
// At most `width` states stay per op, those with the least time so far and the
// least that their readers lose by what is not there. If none is dropped the
// result is the best there is; else `bound` is a time that none is below.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_SPILL_SEARCH_H
#define TESSERA_LIB_OPTIMIZER_POLICY_SPILL_SEARCH_H

#include "Choices.h"
#include "llvm/ADT/STLExtras.h"

namespace tessera::dp {

/// A value in a layout.
struct Tensor {
  ValueId value;
  LayoutId layout;
  auto operator<=>(const Tensor &) const = default;
};
using Tensors = llvm::SmallVector<Tensor, 12>; ///< ascending

/// What happens at one position: the victims that are spilled, then a choice.
struct Move {
  llvm::SmallVector<Tensor, 2> spilled;
  const Choice *choice = nullptr; ///< of the search
};

struct SearchResult {
  /// By schedule position; empty if nothing fits.
  std::vector<Move> moves;
  /// By Problem::returned: the tensor that is there at the end, in the declared layout or to be converted to it.
  std::vector<Tensor> returned;
  Nanoseconds time;
  Nanoseconds bound;  ///< nothing that the search knows of takes less
  bool exact = false; ///< nothing was left out
};

class Search {
public:
  /// `width` at least 1. `withheld`: room that is not to be used, by schedule position.
  Search(const Problem &problem, Oracle &oracle, const Forms &forms, std::vector<OpId> schedule, size_t width,
         llvm::ArrayRef<Bytes> withheld);

  /// Once. What it returns refers to the search.
  SearchResult run();

private:
  struct State {
    Tensors tensors;
    Nanoseconds time;
    Move move;             ///< that led here
    size_t from = 0;       ///< the node before it; then the state's own
    Nanoseconds penalty{}; ///< what readers lose by what is not there, each by itself
  };
  /// One step of the way to a state.
  /// States are dropped after every op but the way to those that stay has to be found again at the end, so the
  /// moves are kept as a tree that grows by `width` nodes per op.
  struct Node {
    size_t parent = 0;
    Move move;
  };
  /// A choice in a state, as it is tried.
  struct Attempt {
    const State &state;
    OpId op;
    SchedulePos position;
    const Choice &choice;
  };
  /// What may leave L1 so that an op fits.
  struct Victim {
    Tensor tensor;
    Bytes bytes;
  };
  /// An attempt without some victims, step by step.
  struct Trial {
    const Attempt &attempt;
    llvm::ArrayRef<Victim> victims;
    llvm::ArrayRef<ValueId> read; ///< by the op; as Choice::inputs
    Bytes budget, held;           ///< held: in L1, at the step that is looked at
    Nanoseconds time;
    Tensors stay; ///< what is there after that step, in no order
    llvm::SmallVector<Tensor, 2> spilled;

    bool isVictim(const Tensor &tensor) const {
      return llvm::any_of(victims, [&](const Victim &victim) { return victim.tensor == tensor; });
    }
  };

  /// All ways to run the op from each of the states; what comes out is collected in `next`.
  void expand(OpId op, SchedulePos position);
  void tryChoice(const Attempt &attempt);
  /// `missing` is a lower bound that spares attempts with victims too small to help.
  bool tryWithout(const Attempt &attempt, llvm::ArrayRef<Victim> victims, Bytes &missing);
  void part(Trial &trial) const;
  std::optional<Tensor> spilledFrom(const Trial &trial, ValueId value) const;
  bool spill(Trial &trial);
  bool convert(Trial &trial, Bytes &missing) const;
  bool hasRoom(const Trial &trial, Bytes &missing) const;
  llvm::SmallVector<Victim> victimsOf(const Attempt &attempt);
  void keepBest(SchedulePos position);
  /// Unless the same tensors are there in less time already.
  void add(State state);
  /// Ranks states, and is no part of their time: readers are judged one by one, so it may count a conversion
  /// that several of them would share. It never decides which of two states makes the other superfluous.
  Nanoseconds penaltyOf(const State &state, SchedulePos position);
  Nanoseconds penaltyOf(ValueId value, llvm::ArrayRef<LayoutId> present, SchedulePos position);
  SearchResult finish();
  /// Ascending; empty if the value is nowhere.
  Layouts presentIn(const State &state, ValueId value) const;
  bool isReadAfter(ValueId value, SchedulePos position) const { return lastUse[value.index()] > position; }
  Frees mayFree(OpId op, SchedulePos position) const;
  /// Less what is withheld there.
  Bytes budgetAt(SchedulePos position) const;
  bool isArgument(const Tensor &tensor) const;
  Bytes bytes(const Tensor &tensor) const;

  const Problem &problem;
  Oracle &oracle;
  const Forms &forms;
  std::vector<OpId> schedule;
  size_t width;
  std::vector<Bytes> withheld;
  Choices choices;
  std::vector<SchedulePos> lastHolders;                   ///< by ValueId: lastReaders(), views included
  std::vector<SchedulePos> lastUse;                       ///< by ValueId: lastUses()
  std::vector<llvm::SmallVector<SchedulePos, 4>> readers; ///< by ValueId, ascending
  std::vector<Nanoseconds> rest; ///< by schedule position: what the ops from there on take at least
  Bytes always;                  ///< L1 that arguments hold
  std::vector<State> states, next;
  std::map<Tensors, size_t> nextOf; ///< among `next`
  std::vector<Node> nodes;
  std::map<std::pair<ValueId, std::vector<uint32_t>>, Nanoseconds> penalties; ///< at the position at hand
  Nanoseconds bound;
  bool dropped = false;
};

} // namespace tessera::dp

#endif // TESSERA_LIB_OPTIMIZER_POLICY_SPILL_SEARCH_H
