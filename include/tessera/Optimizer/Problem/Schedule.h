//===- Schedule.h - Orders in which a problem's ops can run ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A schedule is a permutation of the ops that keeps every precedence. To a policy
// it is a property of the problem, whose ids follow it (SchedulePos): `inOrder`
// makes the problem of a schedule, `planInProgramIds` brings a
// plan for it back to the ids of the program.
//
//   program order   as the input has it
//   depth first     the published heuristic (facts/optimizer-design 3.2.2)
//   least memory    last op first, next the op before which the fewest bytes
//                   are live
//   unknown first   program order, but ops of unknown needs before all that
//                   they need not wait for
//
// All but the program's run first, in program order, what makes constants (ttcore.load_cached): where nothing is cached yet, a whole
// const-eval function runs there, whose circular buffers must not meet tensors of this one.
//
// Linear in ops and edges but for a logarithm.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_SCHEDULE_H
#define TESSERA_OPTIMIZER_PROBLEM_SCHEDULE_H

#include "tessera/Optimizer/Problem/Problem.h"

namespace tessera {

/// By position: the op that runs there. Each op of the problem once.
using Schedule = std::vector<OpId>;

/// By OpId: where the op runs in it.
std::vector<SchedulePos> positionsIn(llvm::ArrayRef<OpId> schedule);

/// Who has written a memory last, and who has read it since.
struct MemoryHistory {
  OpId writer;
  std::vector<OpId> readers;

  /// The next op in program order that reads it, or also `writes`. Adds the ones that it must follow.
  void touch(OpId op, bool writes, std::vector<OpId> &before);
};

/// What must run before what: producers before readers, memory effects in their order (Op::after), and what reads a value
/// or anything that may be a view of it on its side of an op that writes the value in place, or frees it, as declared.
class Precedence {
public:
  /// Asked of the program's order, which keeps all of it. Linear in operands but for a logarithm.
  explicit Precedence(const Problem &problem);

  /// Ops that wait for `op`, each once, ascending.
  llvm::ArrayRef<OpId> followers(OpId op) const { return after[op.index()]; }
  /// Ops that `op` waits for, each once, ascending.
  llvm::ArrayRef<OpId> predecessors(OpId op) const { return before[op.index()]; }
  size_t ops() const { return before.size(); }

private:
  std::vector<std::vector<OpId>> before, after; ///< by OpId
};

/// The one reader of the op's only result if that reads it as first operand and is no concat: what depth-first order
/// runs next if it may run then, and what may continue the op's chain (facts/optimizer-design 3.2.3). Else invalid.
OpId soleFirstReader(const Problem &problem, OpId op);

/// The order of the published chain policies (facts/optimizer-design 3.2.2, facts/ir 3.2). After an op comes its
/// soleFirstReader, if that is ready; else, of the ops that are ready: layout conversions of the input program, then ops
/// with a follower that would stay blocked (it waits for something else, too, so the op begins no chain that could go on
/// at once), then the rest; each in program order. Who would stay blocked is judged anew at each step.
Schedule depthFirstOrder(const Problem &problem);

/// List scheduling from the last op to the first: of the ops whose followers are all placed, the one before which the
/// fewest bytes of activations are live (operands that get live by it, less its results); ties: the latest in program
/// order, so that a program in which nothing is to be gained keeps its order. Backwards, since then every op stands as
/// late as it can: what is small and ready early (tables, masks) is not made, and held, before it is needed.
Schedule leastMemoryOrder(const Problem &problem);

/// Program order, but that ops which the op model does not know, and what these wait for, come first: nothing that the program does not hold there may
/// lie in L1 across such an op, so it should stand where little is live. Program order if there are none.
Schedule unknownFirstOrder(const Problem &problem);

/// A problem in another order.
struct ScheduledProblem {
  Problem problem;
  std::vector<OpId> ops;       ///< by OpId of `problem`: the op of the original
  std::vector<ValueId> values; ///< by ValueId of `problem`: the value of the original
};
/// The same problem with its ops in the order of `schedule`, which must keep every precedence.
ScheduledProblem inOrder(const Problem &problem, const Schedule &schedule);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_SCHEDULE_H
