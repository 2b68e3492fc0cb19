//===- LegalConfigs.h - Which configurations an op may have ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A policy chooses among configurations and never invents one: whatever is not listed in Op::legal cannot be
// planned. The list is therefore wide where a reader may gain (every kind of shards, rows beside tiles, all
// kernels of a matmul) and bounded where it would only be long (AnalysisOptions::maxLegalLayouts of the sharded
// layouts, the useful ones among a matmul's configurations).
//
// Legal means that the op model accepts the configuration in an L1 that is empty but for the operands, with at
// least one set of operand layouts that is plausible. It is no promise: with other operand layouts, or under
// memory pressure, the policy asks the model again.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_LEGALCONFIGS_H
#define TESSERA_OPTIMIZER_PROBLEM_LEGALCONFIGS_H

#include "tessera/Optimizer/Problem/Problem.h"

namespace tessera {

/// Fills Op::legal of every op but those that an override restricts (LegalOpLayoutAnalysis and LegalOpConfigAnalysis, facts/optimizer-design 3.1.3 and
/// 3.1.4): as declared first, then what the model accepts with some plausible inputs, once per signature.
/// Ops are visited in the program's order, since a conversion of the input takes what its operand's producer
/// may make. What was found stays with the problem (Problem::found) and is found again under other budgets and
/// schedules.
void findLegalConfigs(Problem &problem, const OpCostTable &model, const AnalysisOptions &options);

/// The configurations with which `op` makes its result number `result` in one of `layouts`, and its other results placed
/// alike: what the model accepts with some plausible inputs, in the order of `layouts`, of at most `maxSharded` sharded ones
/// of each kind.
/// Overrides ask this, whose layouts need not be among those that findLegalConfigs tries. It leaves no trace in
/// the problem.
std::vector<OpConfig> legalConfigsIn(const Problem &problem, OpId op, unsigned result,
                                     llvm::ArrayRef<LayoutId> layouts, int64_t maxSharded,
                                     const OpCostTable &model, const AnalysisOptions &options);

/// Operand layouts under which `op` might well produce its first result in `result`, tried in turn until `visit`
/// returns true: the base inputs; all activations in L1 interleaved; all placed like the result; only the first placed
/// like the result. Constants and host tensors stay in the base inputs. Returns whether a visit did.
bool forEachPlausibleInputs(const Problem &problem, OpId op, LayoutId result,
                            llvm::function_ref<bool(llvm::ArrayRef<LayoutId>)> visit);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_LEGALCONFIGS_H
