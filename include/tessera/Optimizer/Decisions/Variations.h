//===- Variations.h - What one op done otherwise would cost ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Takes a plan, whoever made it, and prices single changes: this op runs in another configuration, reads its operands and makes its
// results in other layouts, and all other ops run as before. What that takes around the op is counted:
//
//   before   relu_1 (t2) -> t4 l1/block_sharded     add_2 (t4) ; matmul_3 (t4)
//   after    convert t2 -> l1/height_sharded        conversion of an operand
//            relu_1 -> l1/height_sharded            the op itself
//            add_2 reads it as it is                the reader in another time
//            convert -> l1/block_sharded            what matmul_3 goes on reading
//
// The change of planCost is exact; the L1 is the plan checker's sum of bytes, addresses are not looked at.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_VARIATIONS_H
#define TESSERA_OPTIMIZER_DECISIONS_VARIATIONS_H

#include "tessera/OpModel/Conversions.h"
#include "tessera/Optimizer/Ledger/L1Reservations.h"
#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Plan/Plan.h"
#include "tessera/Optimizer/Plan/PlanChecker.h"
#include "tessera/Optimizer/Plan/PlanUses.h"

#include <optional>

namespace tessera {

/// One op done otherwise.
struct Variation {
  OpConfig config;
  llvm::SmallVector<LayoutId, 4> inputs; ///< by operand
  Nanoseconds op;                        ///< of the op itself
  Bytes own;                             ///< as StepCost::own
  /// Changes of the plan's time: of the op, of conversions of its operands, of its readers with conversions for them.
  Nanoseconds deltaOp, deltaInputs, deltaReaders;
  int conversions = 0; ///< more of them in the plan
  /// The first step at which there would not be room, and how much is missing there.
  std::optional<StepIndex> tight;
  Bytes missing;

  /// By how much the plan's time would change; below zero if it were faster.
  Nanoseconds delta() const { return deltaOp + deltaInputs + deltaReaders; }
  /// The less the better. What does not fit comes after all that fits, however fast.
  std::pair<bool, Nanoseconds> rank() const { return {tight.has_value(), delta()}; }
};

/// Whether the op, which takes `now`, and `other` differ by less than the model's times of its family are off (OpModel/TimeSpread.h).
bool isInDoubt(const Problem &problem, OpId op, Nanoseconds now, const Variation &other);
/// What changes in doubt may cost a plan that takes `total`, all together (docs/policies.md, "Choices under doubt").
Nanoseconds doubtLimit(Nanoseconds total);

/// Prices changes of one legal plan.
class Variations {
public:
  /// All must outlive this object.
  Variations(const Problem &problem, const Plan &plan, const PlanCost &cost, const L1Usage &l1,
             const OpCostTable &model);

  /// The op with `config`, reading these layouts. nullopt if the op model refuses that, or an op behind it cannot go on.
  std::optional<Variation> price(OpId op, const OpConfig &config, llvm::ArrayRef<LayoutId> inputs);
  /// Of the op's legal configurations, read as now and in all ways that are plausible: for each set of result layouts the
  /// best, first what fits, then by time. What the plan does is not among them.
  std::vector<Variation> alternatives(OpId op);
  /// How many ways to run the op alternatives() looked at last.
  size_t considered() const { return seen; }
  /// The ops that read `tensor`, a copy of a value whose original stays in L1, read the original instead.
  std::optional<Variation> stay(TensorId tensor);

  /// Of the plan as it stands.
  StepIndex stepOf(OpId op) const { return stepOfOp[op.index()]; }
  llvm::ArrayRef<StepIndex> readersOf(TensorId tensor) const { return uses.readers[tensor.index()]; }
  std::optional<StepIndex> makerOf(TensorId tensor) const { return uses.makers[tensor.index()]; }
  const StepInterval &lifeOf(TensorId tensor) const { return lives[tensor.index()]; }
  bool isReturned(TensorId tensor) const { return uses.returned[tensor.index()]; }
  /// Per core; 0 of what lies elsewhere.
  Bytes l1Bytes(LayoutId layout) const;
  /// Of the tensors alive at the step.
  Bytes heldAt(StepIndex step) const { return account.activeAt(step); }

private:
  class Change;

  /// From one layout to another of the value, narrow ops together.
  const StepCost &conversion(ValueId value, LayoutId from, LayoutId to);
  /// One layout per operand. Illegal too if an override excludes it.
  StepCost run(OpId op, llvm::ArrayRef<LayoutId> inputs, const OpConfig &config);
  /// What the step makes, which is part of its need and not held beside it.
  Bytes outputsAt(StepIndex step) const;
  Reservation<StepIndex> held(ValueId value, LayoutId layout, StepInterval life) const;
  void open();

  const Problem &problem;
  const Plan &plan;
  const PlanCost &cost;
  const L1Usage &l1;
  OpCostTable model;
  Conversions conversions;
  std::vector<StepIndex> stepOfOp; ///< by OpId
  std::vector<StepInterval> lives; ///< by TensorId
  PlanUses uses;
  std::vector<bool> copyable;                       ///< by ValueId
  std::vector<llvm::SmallVector<TensorId>> tensors; ///< by ValueId
  std::vector<L1Need> needs;                        ///< by step: beside what is held there
  ReservationTimeline<StepIndex> account;           ///< of the plan, and of a change while it is looked at
  size_t seen = 0;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_DECISIONS_VARIATIONS_H
