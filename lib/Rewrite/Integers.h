//===- Integers.h - Whole numbers that are known before the call ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_REWRITE_INTEGERS_H
#define TESSERA_LIB_REWRITE_INTEGERS_H

#include "Proposal.h"

#include <optional>

namespace tessera::rewrite {

/// Whether tensors of the element type have each of these whole numbers: others wrap, or are rounded. Of 32 bits without a sign half is as much
/// as positions take.
bool holds(mlir::Type type, llvm::ArrayRef<int64_t> numbers);

/// The elements of a tensor of whole numbers, in the order of rows, if they follow from the program alone: counted by arange, filled, or
/// computed of such by the few ops with which frameworks make positions of indices. Const-eval functions are looked into. nullopt of others,
/// and of more than `most`, which are no positions of masks and caches.
std::optional<llvm::SmallVector<int64_t>> integersIn(mlir::Value value, int64_t most = 4096);

/// Positions in that shape, 0 up to `count`: clamped, unless a clamp right before keeps them there.
mlir::Value keptBelow(mlir::Value positions, llvm::ArrayRef<int64_t> shape, int64_t count,
                      Proposal &proposal);

/// Positions in that shape, -1 for those outside of 0 up to `count`: the device's cache updates leave these users out, as scatters do with
/// what lies outside.
mlir::Value noneOutside(mlir::Value positions, llvm::ArrayRef<int64_t> shape, int64_t count,
                        Proposal &proposal);

} // namespace tessera::rewrite

#endif // TESSERA_LIB_REWRITE_INTEGERS_H
