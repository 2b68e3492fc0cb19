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
///   rests   of a value that one or two read, where L1 counts in an order: the form in which it lies between the ops; of one that two read
///           a form before the first of them, and one behind it
///
/// A value that one op reads is converted on the edge from its maker to that read. Conversions for two readers are a tree with one fork
/// at most: the other form is that fork, and each reads on from there. Those for three are a tree with two forks at most: at the first
/// one reader parts, at the second the other two. Of a value with more readers one other form is paid for once,
/// whoever reads it, and what further ones add only by share (shareOfThird).
///
/// Where L1 counts in an order of the ops, times are positions in it, and no plan in that order uses more than the budget by what its selection
/// holds: an op's way while it runs; a rest while its value waits for other ops to run. A value may lie in several forms one after
/// the other, or in two at once: it rests in the smallest of those that it passes through, while it waits, on the way to its last reader. Of one that two read
/// the first one's copy waits as well where the two have parted: in a form that takes no less L1, which then is where the value rests, or
/// in one that takes less, on a way over that form. Since the op itself counts what it reads, a value is not held while one that reads it
/// runs. Values that more than two read, arguments and constants are held by nobody.
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
  /// Where a value rests: until its first reader runs, and from then on. Nullopt: nowhere, or nothing is said of it.
  struct Rests {
    std::optional<Form> before, behind;
    /// Of one that two read: where they part, if the last one's way is over `before` and the first one waits in another form meanwhile.
    std::optional<Form> parted;
  };
  /// The same of what each op does, by OpId, and of where values rest, by ValueId. Nullopt, or none at all: whatever is cheapest beside the
  /// others.
  Selection selectionOf(llvm::ArrayRef<std::optional<Way>> ways, llvm::ArrayRef<Rests> rests = {}) const;

  /// Of which forms there are tensors. Not `other`: only the one that is made.
  struct Copies {
    Form made;
    std::optional<Form> other;
  };
  /// Where conversions part, and which sharer does so at the first fork: readers in the order of the program, then the return, then the rest
  /// before the first reader.
  struct Fork {
    Form form;
    size_t early;
  };
  /// What rests before the first reader is the third to share a value that two read.
  static constexpr size_t kRest = 2;
  /// What stands between a value's maker and its readers. Forms are by state.
  struct Source {
    SelectionNode node = 0;
    SelectionNode second = 0; ///< the second fork; `node` is the first one
    std::optional<SelectionNode>
        third; ///< behind it: where a value rests behind its first reader, if it does so before as well
    std::vector<Form> made;     ///< of a value that one op reads: by way of its maker, or the form to rest in
    std::vector<Copies> copies; ///< of a shared one
    std::vector<Fork> forks;    ///< of one that three share, or two and a rest: by state of either fork
    bool restsBefore = false, restsBehind = false;
    std::optional<size_t> last; ///< the sharer that reads last, where `third` stands in front of it
    size_t readers = 0;         ///< that have a node
    bool rests() const { return restsBefore || restsBehind; }
  };
  const Source &source(ValueId value) const { return sources[value.index()]; }
  SelectionNode node(OpId op) const { return nodeOf[op.index()]; }
  /// What the op does by a selection.
  const Way &wayOf(OpId op, llvm::ArrayRef<SelectionState> selection) const {
    return (*ways[op.index()])[selection[node(op)]];
  }

  bool rests(ValueId value) const { return sources[value.index()].rests(); }
  /// As a selection has it; nothing of a value that does not rest.
  Rests restsOf(ValueId value, llvm::ArrayRef<SelectionState> selection) const;
  /// Where the first reader's copy waits that parted there: the cheapest way to what it reads over any form that takes less L1.
  std::optional<Form> waitsIn(ValueId value, Form parted, Form read) const;

private:
  /// While a value lies there for who reads it next, and other ops run: until its first reader, and from there to its last one.
  struct Waiting {
    std::optional<SelectionLifetime> before, behind;
    size_t last = 0; ///< the sharer that reads last
    bool any() const { return before || behind; }
  };
  /// Nothing where L1 counts in no order, or more than two share the value.
  Waiting waiting(ValueId value) const;
  static void restIn(const Source &source, Rests rests,
                     llvm::function_ref<void(SelectionNode, SelectionState)> forbid);
  void addAll();
  void addOp(OpId op);
  SelectionNode addRestNode(ValueId value, SelectionLifetime span);
  void addRest(ValueId value, SelectionLifetime span);
  SelectionCost wait(ValueId value, Form parted, Form read) const;
  SelectionNode addRead(ValueId value, llvm::ArrayRef<Form> forms);
  /// Copies, or forks where these are exact; what is made in front, if an op makes it.
  void addShared(ValueId value);
  void addForks(ValueId value, std::optional<SelectionNode> made, llvm::ArrayRef<Form> forms,
                const Waiting &waiting);
  void addThird(ValueId value, SelectionLifetime span, std::optional<Form> returned);
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
