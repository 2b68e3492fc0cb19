//===- Permute.h - Circular buffers of permute and transpose -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_PERMUTE_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_PERMUTE_H

#include "../Family.h"

namespace tessera::analytic {

/// No page moves: the result is the operand's buffer.
bool permuteIsView(const OpCall &call);
/// The same of a transpose, since 2026.
bool transposeIsView(const OpCall &call);

/// Each core turns the shard that it has into its shard of the result; all other tiles are shared out over the cores since 2026.
bool turnsInShards(const OpCall &call);
/// Cores turn tiles in their shards, or collect the rows of these, now or on the way: the library tells them one by one, from the first.
bool tellsCores(const OpCall &call);

/// Block floats are converted to bf16 before, and back afterwards.
bool turnsAsBf16(const OpCall &call);

/// The permutation that a transpose is: both of its dimensions exist.
llvm::SmallVector<int64_t, 6> orderOfTranspose(const OpCall &call);

/// A program that exchanges the last two dimensions of interleaved rows, in blocks.
void turnRowsMemory(MemoryUse &use, const TensorRef &rows);

/// Since 2026: the program that exchanges dimension `dim` of interleaved tiles with the last, as other ops run it.
void exchangeWithLast(const OpCall &call, MemoryUse &use, const TensorRef &tiles, size_t dim);
/// What it makes of a tensor.
TensorDesc exchangedWithLast(const TensorDesc &desc, size_t dim);
/// L1 per core of the copies by which block floats go: before and after the exchange, where these lie in L1. None of other types.
std::array<MemoryUse::Made, 2> convertedCopies(const OpCall &call, MemoryUse &use, const TensorDesc &desc,
                                               size_t dim, bool fromL1, bool toL1);

/// A tensor that an op makes on the way.
struct MadeTensor {
  TensorDesc desc;
  TensorLayout layout;
  /// Refers to this object.
  TensorRef ref() const { return makeTensorRef(desc, &layout); }
};
/// Since 2026: where a transpose of the last two of four dimensions leaves row-major shards if nothing is wished, as other ops run it, and what
/// it takes but the result.
MadeTensor turnedShards(const OpCall &call, const MadeTensor &rows);
void turnShards(const OpCall &call, MemoryUse &use, const MadeTensor &rows, const MadeTensor &result);

/// Buffers and temporaries of the two ops, of all versions.
void permuteMemory(const OpCall &call, MemoryUse &use);
void transposeMemory(const OpCall &call, MemoryUse &use);

/// Since 2026: where the result of a permute or transpose of a sharded operand lies if nothing is wished.
TensorLayout permutedLayout(const OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_PERMUTE_H
