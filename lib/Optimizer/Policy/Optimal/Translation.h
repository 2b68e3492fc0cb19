//===- Translation.h - Plans as selections --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_TRANSLATION_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_TRANSLATION_H

#include "Space.h"
#include "tessera/Optimizer/Problem/Schedule.h"

namespace tessera::optimal {

/// Where `other`, the farthest form that is read, is paid for in full: what a reader of a third form adds at least, if there are so many sharers;
/// kForbiddenCost if that one is farther. These sums are never more than the cheapest tree over all forms that are read. There must be a way from
/// `made` to the other one.
SelectionCost shareOfThird(const Distances &distances, Form made, Form other, Form third, size_t sharers);

/// A space as a selection problem, in which no plan's selection costs more than the plan takes. Nodes, in the order of the program:
///
///   read    by an op, of a value that is not settled: its form
///   op      its way, which says the forms that it reads and makes
///   made    of a value that is shared by several: its form
///   copies  of the same: the form that is made, and which other form is there besides, if any
///   forks   two, of a value that is shared by three, instead of copies
///   rests   of a value that one or two read, where L1 counts in an order: the form in which it lies between the ops
///
/// A value that one op reads is converted on the edge from its maker to that read. Conversions for two readers are a tree with one fork
/// at most: the other form is that fork, and each reads on from there. Those for three are a tree with two forks at most: at the first
/// one reader parts, at the second the other two. Of a value with more readers one other form is paid for once,
/// whoever reads it, and what further ones add only by share (shareOfThird).
///
/// Where L1 counts in an order of the ops, times are positions in it, and no plan in that order uses more than the budget by what its selection
/// holds: an op's way while it runs; a rest while its value waits for other ops to run. A value may lie in several forms one after
/// the other, or in two at once: it rests in the smallest of those that it passes through while it waits for its last reader. Since the op itself counts
/// what it reads, a value is not held while one that reads it runs. Values that more than two read, arguments and constants are held by nobody.
class Translation {
public:
  /// L1 counts for each op alone, so any order will do. The space must outlive it.
  explicit Translation(const Space &space);
  /// L1 counts in this order of all ops, by the frugal ways of the space.
  Translation(Space &space, const Schedule &order);

  const Space &space;
  const std::vector<std::shared_ptr<const Ways>> ways; ///< by OpId
  SelectionProblem problem;

  /// What the plan does, or what is no dearer and stands in its place (leaveOutDominated).
  Selection selectionOf(const Plan &plan) const;
  /// The same of what each op does, by OpId, and of where values rest, by ValueId. Nullopt, or none at all: whatever is cheapest beside the
  /// others.
  Selection selectionOf(llvm::ArrayRef<std::optional<Way>> ways,
                        llvm::ArrayRef<std::optional<Form>> rests = {}) const;

  /// Of which forms there are tensors. Not `other`: only the one that is made.
  struct Copies {
    Form made;
    std::optional<Form> other;
  };
  /// Where conversions part, and which sharer does so at the first fork: readers in the order of the program, then the return, then what
  /// rests.
  struct Fork {
    Form form;
    size_t early;
  };
  /// What stands between a value's maker and its readers. Forms are by state.
  struct Source {
    SelectionNode node = 0;
    SelectionNode second = 0;   ///< the second fork; `node` is the first one
    std::vector<Form> made;     ///< of a value that one op reads: by way of its maker, or the form to rest in
    std::vector<Copies> copies; ///< of a shared one
    std::vector<Fork> forks;    ///< of one that three share, or two and a rest: by state of either fork
    bool rests = false;
    size_t readers = 0; ///< that have a node
  };
  const Source &source(ValueId value) const { return sources[value.index()]; }
  SelectionNode node(OpId op) const { return nodeOf[op.index()]; }
  /// What the op does by a selection.
  const Way &wayOf(OpId op, llvm::ArrayRef<SelectionState> selection) const {
    return (*ways[op.index()])[selection[node(op)]];
  }

  /// Nullopt if nothing is said of it.
  std::optional<Form> restOf(ValueId value, llvm::ArrayRef<SelectionState> selection) const;

private:
  /// While a value lies there for who reads it last and other ops run.
  struct Waiting {
    std::vector<SelectionLifetime> spans; ///< none: nobody needs to know where
    std::vector<bool> isLast;             ///< by sharer
  };
  Waiting waiting(ValueId value) const;
  static void restIn(const Source &source, Form form,
                     llvm::function_ref<void(SelectionNode, SelectionState)> forbid);
  void addAll();
  void addOp(OpId op);
  void addRest(ValueId value, const Waiting &waiting);
  SelectionNode addRead(ValueId value, llvm::ArrayRef<Form> forms);
  void addShared(ValueId value);
  void addForks(ValueId value, std::optional<SelectionNode> made, llvm::ArrayRef<Form> forms,
                const Waiting &waiting);
  std::vector<Form> formsRead(ValueId value) const;
  /// The way that stands in the place of `its` at the least cost.
  SelectionState nearest(OpId op, Way its) const;
  SelectionCost readCost(ValueId value, const Copies &copies, Form form) const;
  std::optional<SelectionNode> addMade(ValueId value, llvm::ArrayRef<Form> forms);

  SelectionProblemBuilder builder;
  std::vector<SelectionNode> nodeOf; ///< by OpId
  std::vector<Source> sources;       ///< by ValueId
  std::vector<int64_t> positions;    ///< by OpId: in the order in which L1 counts; empty if it does in none
};

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_TRANSLATION_H
