//===- Reshape.h - Circular buffers of a reshape -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_RESHAPE_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_RESHAPE_H

#include "../Family.h"

namespace tessera::analytic {

/// The result lies where the operand lies, shard for shard.
bool sharesBuffer(const OpCall &call);

/// Where a copy comes to lie that was wished in `wish`, the operand's placement if nothing is wished: for the shape of the result, on the
/// same cores if they form a rectangle, blocks on as many of them as cut it evenly. Else it is interleaved. `keepsBlocks`: of tiles as wished.
TensorLayout resharded(const OpCall &call, const TensorLayout &wish, bool keepsBlocks);

/// A result of one dimension is `made` with padding, which is then left out of its shape: shards must have all of it.
bool holdsFlatResult(const OpCall &call, const TensorLayout &made);

/// No page moves: the result is the operand's buffer.
bool reshapeIsView(const OpCall &call);
/// Since October 2026: the shape stays, padding apart, and the tensor is moved to where the result was asked for.
bool reshapeIsMove(const OpCall &call);
void reshapeMemory(const OpCall &call, MemoryUse &use);
/// Since 2026: the program that cuts interleaved rows of `source` bytes anew, to rows of `target` bytes, as other ops run it.
void recutRowsProgram(const OpCall &call, MemoryUse &use, int64_t source, int64_t target, bool toDram);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_RESHAPE_H
