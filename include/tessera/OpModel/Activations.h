//===- Activations.h - Functions that a kernel applies on its way ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Binary ops apply activations to their operands and their result, matmuls to
// their result. Signatures and configurations have them as text:
//
//   "silu"    "leaky_relu(0.1)"    "relu, mul_unary_sfpu(2)"
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_ACTIVATIONS_H
#define TESSERA_OPMODEL_ACTIVATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tessera {

/// One of them, by its name in `#ttnn.unary_with_param`.
struct Activation {
  std::string name;
  llvm::SmallVector<double, 2> params; ///< single precision
  bool operator==(const Activation &) const = default;
};

/// The attributes of a binary op that list activations: of its first operand, its second, its result.
inline constexpr llvm::StringLiteral kActivationLists[] = {"input_tensor_a_activations",
                                                           "input_tensor_b_activations", "activations"};

/// In the order in which they are applied; "" if there are none. Parameters have the digits that single precision needs.
std::string activationsText(llvm::ArrayRef<Activation> activations);
/// The activations that the text lists; nullopt if it is no such text.
std::optional<llvm::SmallVector<Activation>> parseActivations(llvm::StringRef text);

/// The unary op of ttnn that computes the same, without its prefix: "recip" is "reciprocal". Most have the same name; there
/// need not be such an op.
llvm::StringRef unaryOpOf(llvm::StringRef activation);

} // namespace tessera

#endif // TESSERA_OPMODEL_ACTIVATIONS_H
