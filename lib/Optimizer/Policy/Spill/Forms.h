//===- Forms.h - Which layouts a value may have ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_SPILL_FORMS_H
#define TESSERA_LIB_OPTIMIZER_POLICY_SPILL_FORMS_H

#include "tessera/Optimizer/Plan/Plan.h"
#include "tessera/Optimizer/Table/Oracle.h"

namespace tessera::dp {

using Layouts = llvm::SmallVector<LayoutId, 4>;

/// The layouts that the search gives a value: those that the given plan makes it and reads it in, those of the input
/// program, DRAM and L1 interleaved, and the shards on most cores that its producer can make.
class Forms {
public:
  Forms(const Problem &problem, Oracle &oracle, const Plan &given);

  llvm::ArrayRef<LayoutId> of(ValueId value) const { return forms[value.index()]; }
  /// The configuration in which the given plan runs the op.
  ConfigId given(OpId op) const { return configs[op.index()]; }
  /// The layout in which the given plan reads an operand.
  LayoutId givenInput(OpId op, size_t operand) const { return inputs[op.index()][operand]; }
  /// Whether conversions may make copies of the value: not if it is written in place, or if an override demands it as it is.
  bool mayBeCopied(ValueId value) const { return copyable[value.index()]; }

private:
  void add(ValueId value, LayoutId layout);
  void addShards(OpId op);

  const Problem &problem;
  Oracle &oracle;
  std::vector<Layouts> forms; ///< by ValueId
  std::vector<ConfigId> configs;
  std::vector<Layouts> inputs; ///< by OpId, operand
  std::vector<bool> copyable;
};

} // namespace tessera::dp

#endif // TESSERA_LIB_OPTIMIZER_POLICY_SPILL_FORMS_H
