//===- Tilize.h - Circular buffers of tilize and untilize ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Many data-movement kernels work on rows: tiled tensors are untilized first
// and tilized afterwards, by programs of their own. facts/formulas 8.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_TILIZE_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_TILIZE_H

#include "Family.h"

namespace tessera::analytic {

/// One row of tiles in and out, twice if a core has several. Rows too wide for L1 are cut.
void untilizeProgram(const OpCall &call, MemoryUse &use, const TensorRef &tensor, int64_t outTile);
void tilizeProgram(const OpCall &call, MemoryUse &use, const TensorRef &tensor, int64_t inTile);

/// L1 per core of `tensor` as a row-major copy in the same buffer: 0 if it lies in DRAM.
int64_t rowMajorCopy(const OpCall &call, const TensorRef &tensor);
/// The same if `l1` says that the copy lies in L1.
int64_t rowMajorBytes(const OpCall &call, const TensorRef &tensor, bool l1);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_TILIZE_H
