//===- L1Usage.h - Which operands stay in L1, and who goes first ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The core of policy greedy-l1-interleaved (facts/ir 3.6),
// for one op D and the ops that compute its operands:
//
//         output  required       order C, A, B: the peak is 10
//   A        2       8             C needs  9               | C's output 1 stays
//   B        3       7             A needs  8 + 1           | 1 + 2 stay
//   C        1       9             B needs  7 + 1 + 2 = 10  | 1 + 2 + 3 stay
//   D        4       0             D needs  4 + 6 = 10
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_L1INTERLEAVED_L1USAGE_H
#define TESSERA_LIB_OPTIMIZER_POLICY_L1INTERLEAVED_L1USAGE_H

#include "tessera/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>

namespace tessera {

/// L1 per core of one op.
struct OperandL1 {
  Bytes output;   ///< of its result, if that stays in L1; 0 if it cannot
  Bytes required; ///< at the peak of computing it and all that only it reads, the result included
};

struct L1Choice {
  uint32_t kept = 0; ///< bit i: operand i stays in L1
  bool keepsResult = false;
  llvm::SmallVector<unsigned, 4> precedence; ///< operands, in the order in which they are computed
  Bytes required;                            ///< peak over all of it
  Bytes bytes;                               ///< kept, the result included
};

/// More operands than this are not considered together: the 2^n subsets are enumerated. The largest ones
/// count.
inline constexpr size_t kMaxL1Operands = 10;

/// The order with the lowest peak if the operands in `kept` stay: most (required - output kept) first, ties
/// by index. Optimal by exchange, so that the published enumeration of all n! orders is not needed.
llvm::SmallVector<unsigned, 4> bestPrecedence(llvm::ArrayRef<OperandL1> operands, uint32_t kept);

/// Of all subsets of {operands, result} that fit `usable`, the one that keeps most bytes; ties: the lower
/// peak, then fewer operands by index. `resultRequired(kept)` is what the op itself needs beside the operands
/// kept, nullopt if it cannot run with them there. The empty subset if nothing fits.
L1Choice
chooseL1Usage(llvm::ArrayRef<OperandL1> operands, Bytes resultOutput, Bytes usable,
              llvm::function_ref<std::optional<Bytes>(uint32_t kept, bool keepsResult)> resultRequired);

} // namespace tessera

#endif // TESSERA_LIB_OPTIMIZER_POLICY_L1INTERLEAVED_L1USAGE_H
