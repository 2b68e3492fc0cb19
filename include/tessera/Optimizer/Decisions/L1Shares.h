//===- L1Shares.h - Who holds L1 at a step --------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The plan checker's figure of a step by names. What lives beside the op counts with all its bytes. What the op makes counts as far as it is
// there at the op's peak: a view lies in the buffer of its operand, which is counted there, and some ops need most before their results are made.
//
//   step        checker   = beside it + results at the peak + temporaries + circular buffers + margin
//   reshape_0   294 KiB   = 98 KiB    + 0 KiB (a view)      + 0 KiB       + 192 KiB          + 4 KiB
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_DECISIONS_L1SHARES_H
#define TESSERA_OPTIMIZER_DECISIONS_L1SHARES_H

#include "tessera/Optimizer/Decisions/Decisions.h"

namespace tessera::decisions {

enum class L1Holder : uint8_t { Tensor, View, Buffers, Temporaries, Margin };
/// "tensor", "view", "circular buffers", "temporaries", "margin".
llvm::ArrayRef<llvm::StringRef> wordsOf(L1Holder);

/// A part of what is held against the budget at a step.
struct L1Share {
  L1Holder holder = L1Holder::Tensor;
  std::optional<Index> tensor; ///< of Tensor and View
  Bytes bytes;                 ///< that count; not below zero
};

/// All of them, tensors in the order of their numbers, the others if they hold anything. Their bytes add up to StepL1::total(). A tensor
/// whose bytes are in another one (a view), or that is not there yet at the op's peak, has 0.
std::vector<L1Share> l1Shares(const FunctionDecisions &function, Index step);

} // namespace tessera::decisions

#endif // TESSERA_OPTIMIZER_DECISIONS_L1SHARES_H
