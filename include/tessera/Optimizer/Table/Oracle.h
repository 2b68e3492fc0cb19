//===- Oracle.h - A problem's part of the table of costs -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The room says what could be: what an op or a conversion takes in given layouts
// (here), in which layouts an op may read a value (Forms.h, ReadOptions.h), and its
// configurations by where they write (ResultConfigs.h). In goes a problem and the
// table of op costs, out come answers by dense ids, remembered, for an empty L1.
// The ledger and the policies ask; what is decided stands in the ledger.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_TABLE_ORACLE_H
#define TESSERA_OPTIMIZER_TABLE_ORACLE_H

#include "tessera/OpModel/Conversions.h"
#include "tessera/Optimizer/Problem/LegalTensorLayouts.h"
#include "tessera/Optimizer/Problem/Words.h"
#include "tessera/Support/InternPool.h"

#include <map>
#include <optional>

namespace tessera {

/// What a step of the plan needs beside what lies in L1 by then.
struct StepNeeds {
  StepCost cost;
  bool alone = false; ///< nobody knows what it needs: only what the input program has there too may stay
};

/// What the ops and conversions of one problem cost, by dense ids: rows of an OpCostTable. They hold for
/// an empty L1; a policy adds the pressure itself: own + resident tensors <= budget.
class Oracle {
public:
  /// The problem must outlive it; the table's rows are shared. Candidates are taken over as they are then.
  Oracle(const Problem &problem, const OpCostTable &table);

  /// One layout per operand of `op`. Illegal too if an override excludes that (isAllowed). What an op falls back to may
  /// exceed the budget where no tensor lies in L1 but its own (Alone).
  StepCost run(OpId op, llvm::ArrayRef<LayoutId> inputs, ConfigId config);
  /// The same as the plan checker asks it: an op that the model cannot judge runs all the same as the input program has it, in no time,
  /// and needs L1 for its results at least.
  StepNeeds needs(OpId op, llvm::ArrayRef<LayoutId> inputs, ConfigId config);
  /// Illegal too if the conversion would change nothing. All ops of the conversion together, see Conversions.
  StepCost convert(ValueId value, LayoutId from, LayoutId to);
  /// The same for who finds the value in one layout and wants it in the other: free if that is the same one.
  StepCost bring(ValueId value, LayoutId from, LayoutId to) {
    return from == to ? StepCost{true, Nanoseconds(0), Bytes(0)} : convert(value, from, to);
  }
  /// Of the layouts in which the value is there, the place of the one from which it is brought to `target` in least time, the first of
  /// equals, and what that takes; nullopt if it can be from none.
  std::optional<std::pair<size_t, StepCost>> nearest(ValueId value, llvm::ArrayRef<LayoutId> there,
                                                     LayoutId target);
  /// The ops behind convert's answers, for narrowConversions.
  Conversions &conversions() { return paths; }

  /// Op::legal by id, in its order.
  llvm::ArrayRef<ConfigId> legal(OpId op) const { return legalIds[op.index()]; }
  /// baseConfig of the op.
  ConfigId base(OpId op) const { return baseIds[op.index()]; }
  /// Whether the op runs so as what it falls back to.
  bool isBase(OpId op, llvm::ArrayRef<LayoutId> inputs, ConfigId config) const;
  const OpConfig &operator[](ConfigId id) const { return table[id]; }
  /// Any configuration, legal or not.
  ConfigId idOf(const OpConfig &config) { return table.idOf(config); }
  /// The same configuration with a conv2d's deallocate_activation off.
  ConfigId keepingInput(ConfigId id);

  /// Adds all that the op's costs and what it falls back to depend on, but for the configurations that it may have.
  void describe(OpId op, Words &words) const;

  /// L1 per core of a tensor in that layout.
  Bytes l1Bytes(LayoutId layout);
  /// What arguments and constants hold throughout.
  Bytes heldAlways();
  /// `value` with the grid, cores and memory of `placement`; invalid if it does not fit the value's shape.
  LayoutId placedLike(LayoutId placement, ValueId value);
  /// In the pages that the value is declared in; invalid if L1 has none that wide.
  LayoutId l1Interleaved(ValueId value);
  /// In the page layout of `result`, if that is interleaved and the value is declared in the other; else invalid. Most ops
  /// keep pages, so this is how a result in rows begins, or ends.
  LayoutId l1InterleavedLike(LayoutId result, ValueId value);
  /// In such a memory, DRAM or L1, and in such pages; invalid if it cannot be so.
  LayoutId interleaved(ValueId value, BufferType memory, PageLayout page);
  /// Where a value goes that leaves L1.
  LayoutId dram(ValueId value) const { return inDram(problem, value); }
  /// The layouts that a value could be resharded to (LegalTensorLayouts), in the page layout that it is
  /// declared in.
  const LayoutSpace &space(ValueId value) {
    return spaceIn(value, problem.layout(problem[value].declared).page);
  }

private:
  using DescId = Id<struct DescTag>;

  /// What is charged to a step that may run alone only: all that its operands leave.
  Bytes aloneIn(Bytes operands) const;
  const LayoutSpace &spaceIn(ValueId value, PageLayout page);

  const Problem &problem;
  OpCostTable table;
  Conversions paths;
  InternPool<TensorDesc, DescId> descs;
  std::vector<DescId> descOf;                      ///< by ValueId
  std::vector<ConvertedId> convertedAs;            ///< by ValueId
  std::vector<std::optional<SignatureId>> tableId; ///< by the problem's SignatureId
  std::vector<std::vector<ConfigId>> legalIds;
  std::vector<ConfigId> baseIds;
  std::vector<std::optional<Bytes>> bytes; ///< by LayoutId
  std::map<std::pair<LayoutId, DescId>, LayoutId> placements;
  LegalTensorLayouts tensorLayouts;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_TABLE_ORACLE_H
