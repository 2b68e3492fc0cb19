//===- Space.h - All that a plan may choose from --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What a bound is a bound over (docs/certified.md, "Plans"):
//
//   forms   of a value: the layouts in which tensors of it may lie
//   hops    from form to form, by one conversion op; `distance` is the fastest way over any of the forms
//   ways    of an op: which forms it reads, and which ones it makes of its results; of all configurations that
//           do so the fastest
//
// Nothing here depends on what else lies in L1: a way is there if the op fits with nothing beside it.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_SPACE_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_SPACE_H

#include "tessera/Optimizer/Plan/Cost.h"
#include "tessera/Optimizer/Selection/SelectionProblem.h"
#include "tessera/Optimizer/Table/Oracle.h"

#include <map>
#include <memory>

namespace tessera::optimal {

/// In parts of a nanosecond (kBoundParts), rounded down.
SelectionCost costOf(Nanoseconds time);

/// Counted within its value.
using Form = uint32_t;

/// How values of one kind get from form to form. Equal ones are kept once.
struct Distances {
  size_t forms = 0;
  std::vector<SelectionCost> costs; ///< by form and form, row by row; kForbiddenCost where there is no way
  std::vector<SelectionCost>
      arrivals; ///< by form: the last hop to it, at least; kForbiddenCost if there is none
  /// By form and form: one that the fastest way passes through; none if that is one hop, or if there is no way.
  std::vector<std::optional<Form>> over;
  SelectionCost at(Form from, Form to) const { return costs[size_t(from) * forms + to]; }
  /// The forms of the fastest way behind `from`, in order; the last is `to`. There must be a way.
  llvm::SmallVector<Form, 4> path(Form from, Form to) const;
};

struct ValueForms {
  std::vector<LayoutId> layouts; ///< by form
  std::shared_ptr<const Distances> distances;

  std::optional<Form> find(LayoutId layout) const;
};

/// What is settled between one op and the ends of the program (Space::settle) is part of the cost; the form is then the declared one.
struct Way {
  SelectionCost cost = 0;
  llvm::SmallVector<Form, 4> reads; ///< by distinct value that the op reads
  llvm::SmallVector<Form, 2> makes; ///< by result
  ConfigId config;                  ///< the fastest that does so
  /// The same as the op itself does it, settled or not.
  llvm::SmallVector<Form, 4> itsReads;
  llvm::SmallVector<Form, 2> itsMakes;
  Bytes needs; ///< L1 per core while it runs: operands, results and what else it takes
  /// Between the same forms in more time and with less L1: by time, each with less than the one before it. No part of a bound, which has L1 for
  /// each op alone.
  std::vector<Way> slower;
};
using Ways = std::vector<Way>;

/// What spaces of one program have in common, however its ops are ordered, whatever plan is among the choices, and for any budget: so it is
/// worked out once. Of layouts and configurations of one table.
struct SpaceMemory {
  /// A tensor of these forms, and hops of plans that are faster than any other way.
  using Hops = std::vector<std::tuple<LayoutId, LayoutId, SelectionCost>>;
  /// By budget, shape, whether an override wants it as it is made (isDemanded), and those two.
  std::map<std::tuple<Bytes, Shape, bool, std::vector<LayoutId>, Hops>, std::shared_ptr<const Distances>>
      distances;
  /// By what they depend on: all that the table takes, by forms.
  ByWords<std::shared_ptr<const Ways>> found;
  /// Those with what is settled in their cost, and without those that others stand for.
  ByWords<std::shared_ptr<const Ways>> ways, frugal;
};

/// Costs of what is forbidden grow no further.
inline SelectionCost sum(SelectionCost a, SelectionCost b) { return std::min(kForbiddenCost, a + b); }

/// A plan with its figures.
struct PricedPlan {
  const Plan &plan;
  PlanCost cost;
};

/// What a way that stands for another one is no worse in.
enum class StandIn { Time, TimeAndL1 };

class Space {
public:
  /// All that legal configurations make and readers may be given (conversionTargets), and besides it all that the plans in
  /// `also` do, so that no bound is above one of them. The arguments must outlive it, but for `also`. `memory`: of another space of the
  /// same table; it changes nothing but the time that this takes. Null: a new one.
  Space(const Problem &problem, const OpCostTable &table, llvm::ArrayRef<PricedPlan> also,
        std::shared_ptr<SpaceMemory> memory = nullptr);

  const Problem &problem;
  std::vector<ValueForms> forms;                 ///< by ValueId
  std::vector<std::shared_ptr<const Ways>> ways; ///< by OpId, cheapest first; equal ops share them
  /// By OpId, cheapest first: where L1 has a price, so that a way may be there for what it leaves to others. Of ways between the same forms
  /// more than one, and all that no other one stands for that needs no more L1 (Way::slower is empty).
  std::vector<std::shared_ptr<const Ways>> frugalWays();
  /// False if a plan of `also` does what ways cannot say: an op that reads one value in two layouts.
  bool coversAll = true;

  /// Who reads a value: ops, and the return of what is made here. Each once.
  size_t countSharers(ValueId value) const;
  /// Whether the value is nobody's but one op's, or a constant. Such a constant is read by its sharers as if each had its share of
  /// the way to each form.
  bool isSettled(ValueId value) const;
  /// The way with what is settled in its cost.
  Way settled(OpId op, Way way) const;
  /// What the plan's step does, which runs an op. `cost`: of the step.
  Way wayOf(const Plan &plan, const PlanStep &step, SelectionCost cost) const;
  /// While the op runs, with its operands. All of L1 if it fits only by itself; and all but what the input program may have there if nobody knows.
  Bytes needs(OpId op, const OpCost &row, ConfigId config) const;
  Bytes l1Bytes(ValueId value, Form form) const { return oracle.l1Bytes(forms[value.index()].layouts[form]); }

private:
  void collectConfigs();
  void addForm(ValueId value, LayoutId layout);
  void collectForms(llvm::ArrayRef<PricedPlan> also);
  void closeForms(ValueId value);
  void measureDistances();
  /// One op alone; kForbiddenCost where none does it in one.
  SelectionCost hop(ValueId value, LayoutId from, LayoutId to);
  void collectExtras(llvm::ArrayRef<PricedPlan> also);
  std::shared_ptr<const Distances> measured(ValueId value, const SpaceMemory::Hops &hops);
  Words describe(OpId op);
  Ways gathered(OpId op, Words &words);
  /// Without those that others stand for by time.
  std::shared_ptr<const Ways> findWays(OpId op);
  Ways settled(OpId op, llvm::ArrayRef<Way> found) const;
  void leaveOut(OpId op, Ways &ways, StandIn by) const;

  OpCostTable table;
  mutable Oracle oracle; ///< which remembers what it was asked
  std::shared_ptr<SpaceMemory> memory;
  std::vector<std::vector<ConfigId>> configs; ///< by OpId: legal, for this budget or for less
  std::vector<std::vector<Way>> extras;       ///< by OpId: what plans do
  std::vector<SpaceMemory::Hops> extraHops;   ///< of plans, by value
};

/// What `mine` costs in the place of `its`, with the conversions that make up for its forms.
SelectionCost detour(const Way &its, const Way &mine, llvm::ArrayRef<const Distances *> reads,
                     llvm::ArrayRef<const Distances *> makes);

/// Leaves out each way that another one is never worse than, whatever the others do: one that reads or makes other forms and pays
/// for the conversions between them. Cheapest first.
void leaveOutDominated(Ways &ways, llvm::ArrayRef<const Distances *> reads,
                       llvm::ArrayRef<const Distances *> makes, StandIn by = StandIn::Time);

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_SPACE_H
