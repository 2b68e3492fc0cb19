//===- WindowBuffers.h - L1 of the programs before a window's kernel -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_WINDOWBUFFERS_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_WINDOWBUFFERS_H

#include "../Family.h"

namespace tessera::analytic {

/// Of the call's exchange, where `config_tensors_in_dram` stands in the attributes of that prefix.
HaloTables haloTables(const OpCall &call, std::array<int64_t, 4> lists, llvm::StringRef prefix);
/// Halo exchange: two sticks of padding; `tiles` of a row of tiled shards (0 if row-major) are untilized, by two
/// kernels with two rows each, into tiles of `tile` bytes.
void haloBuffers(MemoryUse &use, int64_t stick, int64_t tiles, int64_t tile, const HaloTables &tables = {});

/// Bytes per core that are set aside for a tensor in L1: whole shards, rows of whole accesses.
int64_t allocatedBytes(const OpCall &call, const TensorRef &tensor);

/// The tensor's layout with other pages; its shards stay, counted in their units.
TensorLayout repaged(const OpCall &call, const TensorRef &tensor, PageLayout page);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_WINDOWBUFFERS_H
