//===- Eltwise.h - What element-wise kernels have in common ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Kernels of one, two or three operands use shards where they lie if their cores
// agree, and fetch tiles otherwise. EltwiseShards.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_ELTWISE_ELTWISE_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_ELTWISE_ELTWISE_H

#include "../Family.h"
#include "../Shards.h"

namespace tessera::analytic {

/// Each dimension of the operands is equal or 1, and that of the result the larger one.
bool shapesBroadcast(const OpCall &call);
inline constexpr RuleInfo kBroadcastRule = {
    "binary.broadcast",
    "each dimension of the operands must be equal or 1, and that of the result the larger one",
    "facts/formulas 4.2"};

/// Tensors that operands of one layout are combined into, on the same cores in L1: shards are used where they lie.
bool worksInPlace(const TensorRef &operand, const TensorRef &result);
/// The two-operand kernel reads and writes shards where they lie.
bool nativeSharded(const OpCall &call, const TensorRef &a, const TensorRef &b, const TensorRef &result);
bool nativeSharded(const OpCall &call);

/// Result tiles of the busiest core: those of its shard where that is used as it lies. Else all cores share the tiles since 2026, wherever
/// these lie (tt-metal: get_worker_grid in binary_ng_device_operation.cpp; cores in evidence/kernel_counts.csv).
int64_t tilesOfCore(const OpCall &call, bool inPlace);

/// Instructions of the math thread for a tile: counted, else what the family's cycles come to.
double eltwiseMath(const OpCall &call);

/// Of rows: pieces on the busiest core, of 1024 elements at most each, or of several rows that fill a tile. A shard that is used where it
/// lies is one piece of memory; all others, in whichever memory, are gone through row by row.
int64_t rowPieces(const OpCall &call, const TensorRef &tensor, bool inPlace);

/// Undecided results lie where the sharded operand of most cores lies, the first of them; where none is sharded, where operand
/// 0 lies.
void outputsLikeMostCores(OpCall &call);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_ELTWISE_ELTWISE_H
