//===- RepeatMemory.h - repeat and repeat_interleave since 2026 -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_REPEATMEMORY_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_REPEATMEMORY_H

#include "../Family.h"

namespace tessera::analytic {

/// Every count is one, so that no page moves.
bool repeatsNothing(const OpCall &call);
/// Times that dimension `d` (from the end, from 1) is repeated.
int64_t timesOf(const OpCall &call, size_t d);
/// An interleaved repeat of the last dimension.
bool repeatsWidth(const OpCall &call);

/// The kernel repeats shards where they lie.
bool repeatsShards(const OpCall &call);
/// The second kernel, of August 2026, takes such tensors.
bool hasSecondKernel(const OpCall &call);
/// Since 2026: a tiled operand is untilized, and the result tilized.
bool repeatsAsRows(const OpCall &call);
/// Where an undecided result of a sharded operand lies that is not repeated where it lies.
TensorLayout repeatedLayout(const OpCall &call);

/// One program for each dimension that is repeated.
void repeatMemorySince2026(const OpCall &call, MemoryUse &use);
/// An interleaved repeat that keeps row-major shards on their cores.
bool upsamplesShards(const OpCall &call);
/// Where it leaves them if nothing is wished.
TensorLayout upsampledLayout(const OpCall &call);
void interleaveMemorySince2026(const OpCall &call, MemoryUse &use);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_REPEATMEMORY_H
