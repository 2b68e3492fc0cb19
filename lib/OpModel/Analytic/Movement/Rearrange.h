//===- Rearrange.h - Circular buffers of concat, slice, pad --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_REARRANGE_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_REARRANGE_H

#include "../Family.h"

namespace tessera::analytic {

/// Counted from the front; the rank if there is no such dimension.
size_t concatDim(const OpCall &call);
/// The dimension counted from the end: 1 width, 2 height.
size_t concatAxis(const OpCall &call);
/// Shards of the first operand are joined with shards on the same core.
bool joinsShardByShard(const OpCall &call);
/// Since 2026: shards that cannot be joined are made interleaved first, where the result is to be, too.
bool concatUnshards(const OpCall &call);
/// Its last two dimensions swapped it is what it was: the library makes no tensor of it (asked of ttnn 0.81.1).
bool turnsIntoItself(const TensorRef &tensor);
/// A border falls inside a tile, so that operands are untilized and the result is tilized.
bool concatByRows(const OpCall &call);
void concatMemory(const OpCall &call, MemoryUse &use);

/// The slice starts inside a tile, skips rows or is of one dimension, so that tiles are not copied whole.
bool sliceByRows(const OpCall &call);
void sliceMemory(const OpCall &call, MemoryUse &use);
/// The share of DRAM's banks in which the slice finds its tiles. Pages go round the banks: those of a slice of some columns may all lie in
/// a few of them.
double banksOfSlice(const OpCall &call);
/// Rows, or whole tiles, of the operand become the result.
OpRuntime pagesSliceTime(const OpCall &call);

/// A program that fills what the last tiles of rows and columns leave free, in place.
void fillProgram(MemoryUse &use, const TensorRef &in, int64_t tile);

/// All amounts are zero.
bool padsNothing(const OpCall &call);
/// The padding falls into what the tiles hold already.
bool padIsView(const OpCall &call);
void padMemory(const OpCall &call, MemoryUse &use);
/// The program that pads rows, whose own are `rowBytes` long, as other ops run it; `shifts`: in front of them, too.
void padRowsProgram(const OpCall &call, MemoryUse &use, int64_t rowBytes, bool shifts);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MOVEMENT_REARRANGE_H
