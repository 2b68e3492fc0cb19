//===- L1Usage.cpp - Which operands stay in L1, and who goes first -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "L1Usage.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace tessera;

// A set is 32 bits: of more operands those behind are never kept.
static bool has(uint32_t set, size_t index) { return index < 32 && (set >> index & 1); }

static Bytes keptOutput(llvm::ArrayRef<OperandL1> operands, uint32_t kept, size_t index) {
  return has(kept, index) ? operands[index].output : Bytes(0);
}

/// The classic rule for evaluating subtrees with fewest registers (Sethi and Ullman): it minimises the peak.
/// Example: A needs 10 and leaves 2, B needs 8 and leaves 4. A first peaks at max(10, 2 + 8) = 10, B first at
/// max(8, 4 + 10) = 14. The key is what is left less what is needed: -8 for A, -4 for B.
llvm::SmallVector<unsigned, 4> tessera::bestPrecedence(llvm::ArrayRef<OperandL1> operands, uint32_t kept) {
  llvm::SmallVector<unsigned, 4> order;
  for (unsigned i = 0; i < operands.size(); ++i)
    order.push_back(i);
  // What needs most beyond what it leaves behind goes first, while least lies in L1 beside it.
  auto key = [&](unsigned i) { return std::tuple(keptOutput(operands, kept, i) - operands[i].required, i); };
  llvm::sort(order, [&](unsigned a, unsigned b) { return key(a) < key(b); });
  return order;
}

/// The operands that may be in a subset: those with an output, the largest ones if there are too many.
static llvm::SmallVector<unsigned, 8> choosable(llvm::ArrayRef<OperandL1> operands) {
  llvm::SmallVector<unsigned, 8> indices;
  for (unsigned i = 0; i < std::min<size_t>(operands.size(), 32); ++i)
    if (operands[i].output > Bytes(0))
      indices.push_back(i);
  llvm::sort(indices, [&](unsigned a, unsigned b) {
    return std::tuple(operands[b].output, a) < std::tuple(operands[a].output, b);
  });
  indices.truncate(std::min(indices.size(), kMaxL1Operands));
  llvm::sort(indices);
  return indices;
}

/// Peak and sum of one choice, in bytes per core.
static L1Choice evaluate(llvm::ArrayRef<OperandL1> operands, uint32_t kept, bool keepsResult,
                         Bytes resultOutput, Bytes resultRequired) {
  L1Choice choice{kept, keepsResult, bestPrecedence(operands, kept), {}, {}};
  // While an operand is computed, those before it that stay lie in L1 already.
  for (unsigned index : choice.precedence) {
    choice.required = std::max(choice.required, choice.bytes + operands[index].required);
    choice.bytes += keptOutput(operands, kept, index);
  }
  Bytes result = keepsResult ? resultOutput : Bytes(0);
  choice.required = std::max(choice.required, choice.bytes + std::max(resultRequired, result));
  choice.bytes += result;
  return choice;
}

L1Choice tessera::chooseL1Usage(
    llvm::ArrayRef<OperandL1> operands, Bytes resultOutput, Bytes usable,
    llvm::function_ref<std::optional<Bytes>(uint32_t kept, bool keepsResult)> resultRequired) {
  llvm::SmallVector<unsigned, 8> indices = choosable(operands);
  std::optional<L1Choice> best;
  auto rank = [](const L1Choice &choice) {
    // Most bytes, as published; then what leaves most room, then the first set, so that nothing depends on chance.
    return std::tuple(Bytes(0) - choice.bytes, choice.required, choice.kept);
  };
  // Every set of what may stay. The order need not be searched: for a given set the best one is known (bestPrecedence).
  for (uint32_t subset = 0; subset < (uint32_t(1) << indices.size()); ++subset) {
    uint32_t kept = 0;
    for (size_t i = 0; i < indices.size(); ++i)
      kept |= uint32_t(has(subset, i)) << indices[i];
    for (bool keepsResult : {false, true}) {
      if (keepsResult && resultOutput == Bytes(0))
        continue;
      std::optional<Bytes> required = resultRequired(kept, keepsResult);
      if (!required)
        continue;
      L1Choice choice = evaluate(operands, kept, keepsResult, resultOutput, *required);
      if (choice.required <= usable && (!best || rank(choice) < rank(*best)))
        best = std::move(choice);
    }
  }
  // Nothing fits, not even keeping nothing: what comes of that is for the draft to say.
  return best ? *best : evaluate(operands, 0, false, resultOutput, Bytes(0));
}
