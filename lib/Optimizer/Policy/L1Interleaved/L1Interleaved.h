//===- L1Interleaved.h - Results in L1 interleaved, without shards -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Two policies that the public compiler has dropped, for comparison: each chooses
// an order of the ops and which results stay in L1 interleaved by a count of bytes
// of its own, as published. What they chose is then made on a draft, which refuses
// what does not fit.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_L1INTERLEAVED_L1INTERLEAVED_H
#define TESSERA_LIB_OPTIMIZER_POLICY_L1INTERLEAVED_L1INTERLEAVED_H

#include "tessera/Optimizer/Ledger/Draft.h"
#include "tessera/Optimizer/Policy/Policy.h"

namespace tessera {

/// Policy `greedy-l1-interleaved` (facts/ir 3.6): for each op, the subset of {result,
/// operands} that keeps most bytes in L1 interleaved, over all orders of computing the operands; the orders
/// make the schedule. Only results with one reader qualify. Unlike upstream, every returned value is
/// followed, through all operands. Exponential in the qualifying operands of one op, at most kMaxL1Operands.
std::optional<Plan> solveGreedyL1Interleaved(const Problem &problem, const OpCostTable &model,
                                             const PolicyOptions &options);

/// Policy `bf-interleaved` (facts/ir 3.6): of the ops that are ready, the one next that
/// adds least to L1 (result less operands that it frees, which may be negative: upstream's underflow is not
/// repeated), ties in program order; its result goes to L1 interleaved if it fits, and stays until all
/// readers ran. O(n log n) in ops and edges.
std::optional<Plan> solveBFInterleaved(const Problem &problem, const OpCostTable &model,
                                       const PolicyOptions &options);

/// Whether the value could lie in L1 interleaved: a result whose op has such a configuration and whose
/// readers may all read it there.
bool mayBeInterleaved(const Problem &problem, const Oracle &oracle, const std::vector<bool> &writtenInPlace,
                      ValueId value);

/// The layout in L1 interleaved of a value of which that is true.
LayoutId interleavedLayout(const Problem &problem, const Oracle &oracle, ValueId value);

/// What the op takes with `config` and operands in L1 interleaved for which `inL1` holds, the others as in its base. Without
/// freeing its input, as these policies take values to live until their last reader has run.
StepCost runWith(const Problem &problem, Oracle &oracle, OpId op, ConfigId config,
                 llvm::function_ref<bool(ValueId)> inL1);

/// Decides on the schedule: each value in `wanted`, in the order in which they are made, goes to L1
/// interleaved for all its readers if the draft stays legal and gets no slower. Nullopt if the order itself
/// exceeds L1.
std::optional<Plan> planInterleaved(const Problem &problem, Oracle &oracle, std::vector<OpId> schedule,
                                    const std::vector<bool> &wanted, llvm::StringRef policy,
                                    const PolicyOptions &options);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_L1INTERLEAVED_L1INTERLEAVED_H
