//===- Translation.h - Plans as selections --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_TRANSLATION_H
#define TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_TRANSLATION_H

#include "Space.h"

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
///
/// A value that one op reads is converted on the edge from its maker to that read. Conversions for two readers are a tree with one fork
/// at most: the other form is that fork, and each reads on from there. Those for three are a tree with two forks at most: at the first
/// one reader parts, at the second the other two. Of a value with more readers one other form is paid for once,
/// whoever reads it, and what further ones add only by share (shareOfThird).
class Translation {
public:
  /// The space must outlive it.
  explicit Translation(const Space &space);

  const Space &space;
  SelectionProblem problem;

  /// What the plan does, or what is no dearer and stands in its place (leaveOutDominated).
  Selection selectionOf(const Plan &plan) const;
  /// The same of what each op does, by OpId. Nullopt: whatever is cheapest beside the others.
  Selection selectionOf(llvm::ArrayRef<std::optional<Way>> ways) const;

  /// Of which forms there are tensors. Not `other`: only the one that is made.
  struct Copies {
    Form made;
    std::optional<Form> other;
  };
  /// Where conversions part, and which sharer does so at the first fork: readers in the order of the program, then the return.
  struct Fork {
    Form form;
    size_t early;
  };
  /// What stands between a value's maker and its readers. Forms are by state.
  struct Source {
    SelectionNode node = 0;
    SelectionNode second = 0;   ///< the second fork; `node` is the first one
    std::vector<Form> made;     ///< of a value that one op reads: by way of its maker
    std::vector<Copies> copies; ///< of a shared one
    std::vector<Fork> forks;    ///< of one that three share: by state of either fork
    size_t readers = 0;         ///< that have a node
  };
  const Source &source(ValueId value) const { return sources[value.index()]; }
  SelectionNode node(OpId op) const { return nodeOf[op.index()]; }
  /// What the op does by a selection.
  const Way &wayOf(OpId op, llvm::ArrayRef<SelectionState> selection) const {
    return (*space.ways[op.index()])[selection[node(op)]];
  }

private:
  void addOp(OpId op);
  SelectionNode addRead(ValueId value, llvm::ArrayRef<Form> forms);
  void addShared(ValueId value);
  void addForks(ValueId value, std::optional<SelectionNode> made, llvm::ArrayRef<Form> forms);
  std::vector<Form> formsRead(ValueId value) const;
  /// The way that stands in the place of `its` at the least cost.
  SelectionState nearest(OpId op, Way its) const;
  SelectionCost readCost(ValueId value, const Copies &copies, Form form) const;
  std::optional<SelectionNode> addMade(ValueId value, llvm::ArrayRef<Form> forms);

  SelectionProblemBuilder builder;
  std::vector<SelectionNode> nodeOf; ///< by OpId
  std::vector<Source> sources;       ///< by ValueId
};

} // namespace tessera::optimal

#endif // TESSERA_LIB_OPTIMIZER_POLICY_OPTIMAL_TRANSLATION_H
