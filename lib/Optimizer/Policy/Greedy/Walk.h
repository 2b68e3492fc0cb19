//===- Walk.h - One walk over the schedule, repeated under pressure -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Places op after op (Chooser) and keeps account of what lies in L1. Where an
// op does not fit, values with the longest remaining lifetime are marked to
// leave L1 before that op (Pass 2). Their producers may now prefer to write to
// DRAM at once, their readers to read something else, so the walk has to be
// repeated. First it goes on as if they had just left, and marks what else has
// to go: a walk per mark would make long programs under pressure quadratic.
//
//   walk 1   a b c d . . . .    d does not fit: a leaves before d
//              e f g h          f does not fit either: b leaves before f
//   walk 2   a b c d e f g h    a is written to DRAM at once: no further marks
//
// Each repetition follows at least one mark, earlier than the value had one
// before, so it ends; the plan is that of a walk without new marks. Choices
// whose situation did not change are remembered, so that a repetition costs
// next to nothing.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_GREEDY_WALK_H
#define TESSERA_LIB_OPTIMIZER_POLICY_GREEDY_WALK_H

#include "Chooser.h"
#include "tessera/Optimizer/Memory/SpillSelection.h"
#include "tessera/Optimizer/Memory/UsageTimeline.h"
#include "tessera/Optimizer/Policy/Policy.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tessera::greedy {

class Walk {
public:
  Walk(const Problem &problem, Oracle &oracle, Lookahead &lookahead, const PolicyOptions &options);

  /// The plan, or nullopt if some op fits nowhere: the base plan then needs more L1 than there is.
  std::optional<Plan> run();
  /// The most L1 that a step of that plan needs, by the walk's own account: no less than PlanChecker finds.
  Bytes peak() const { return timeline.peak({StepIndex(), timeline.end()}); }

private:
  enum class Outcome : uint8_t {
    Placed,
    Again,  ///< the same op: there is more room now, or it keeps its declared layouts
    Repeat, ///< the whole walk: nothing can be said before the marks made so far have been followed
    Stuck,  ///< the op fits nowhere
  };

  /// A copy of a value.
  struct Copy {
    TensorId tensor;
    LayoutId layout;
    Bytes bytes;        ///< in L1
    StepIndex lastStep; ///< that read or made it
  };

  // Setting up
  void findBarriers();
  bool isBarrier(OpId op);
  /// Forgets a walk, but for its marks and its choices.
  void clear();
  /// The `number`th walk, from 1.
  Outcome walk(unsigned number);
  // One op
  Outcome place(OpId op);
  /// One attempt of place(), which repeats it while there is more room each time.
  Outcome tryToPlace(OpId op);
  Situation describe(OpId op) const;
  void forgetUnusable(ValueId value, OpId op);
  bool isUsable(ValueId value, size_t copy, OpId op) const;
  std::optional<Candidate> choose(const Situation &situation);
  std::optional<Candidate> best(const Situation &situation);
  std::optional<Candidate> inBaseConfig(const Situation &situation);
  // Pressure
  const ReadableCopy &sourceOf(const Situation &situation, const Candidate &candidate, size_t value) const;
  Copy &copyOf(const Situation &situation, const Candidate &candidate, size_t value);
  template <class Visit>
  void forEachDying(OpId op, Visit visit) const;
  bool diesWith(ValueId value, OpId op) const;
  using StepVisitor = llvm::function_ref<void(Bytes resident, Bytes own)>;
  void forEachStep(const Situation &situation, const Candidate &candidate, StepVisitor visit);
  /// The most L1 that any of the op's steps takes, and that copies kept for it took on the way here.
  Bytes required(const Situation &situation, const Candidate &candidate);
  /// The op does not fit: others leave, or the candidate becomes one that fits, or its own operands leave.
  Outcome relieve(const Situation &situation, Candidate &candidate);
  bool evict(OpId op, Bytes excess, bool includeOperands);
  void markVictims(llvm::ArrayRef<SpillCandidate> victims, OpId op, Bytes excess);
  void leave(const SpillCandidate &victim);
  Outcome giveUp(OpId op);
  // Writing the plan
  void emit(const Situation &situation, const Candidate &candidate);
  TensorId read(const Situation &situation, const Candidate &candidate, size_t value);
  void registerResult(OpId op, ValueId result, LayoutId layout);
  void hold(ValueId value, Bytes bytes, SchedulePos lastReader);
  SchedulePos lastReaderInL1(ValueId value, LayoutId layout) const;
  /// The conversion that follows a result's producer: into the declared layout if it is returned elsewhere,
  /// into DRAM if it leaves L1 later. Invalid if none does.
  LayoutId conversionAfter(ValueId result, LayoutId layout);

  const Problem &problem;
  Oracle &oracle;
  const Lookahead &lookahead;
  const PolicyOptions &options;
  Chooser chooser;
  std::vector<bool> copyable;          ///< by ValueId
  std::vector<SchedulePos> lastHolder; ///< by ValueId: lastReaders(), views included
  std::vector<SchedulePos> leavesAt; ///< by ValueId: the op from which on it is in DRAM only; the end: never
  std::vector<bool>
      keepsDeclared; ///< by OpId: runs in its base configuration, as the program has it but for overrides
  /// By OpId: the last situation and what was chosen in it.
  std::vector<std::optional<std::pair<Situation, std::optional<Candidate>>>> chosen;
  ByWords<std::optional<Candidate>> answers; ///< of `best`

  // State of the current walk
  std::optional<PlanBuilder> builder;
  std::vector<llvm::SmallVector<Copy, 2>> copies; ///< by ValueId; the original first
  SpillCandidates live;                           ///< tensors in L1 that end before the program does
  Bytes liveBytes;                                ///< these, and those that stay to the end
  UsageTimeline<StepIndex> timeline;
  StepIndex lastBarrier; ///< steps before this are behind a barrier: no L1 copy lives across
  bool marked = false;   ///< values were marked to leave L1: the walk has to be repeated
};

} // namespace tessera::greedy

#endif // TESSERA_LIB_OPTIMIZER_POLICY_GREEDY_WALK_H
