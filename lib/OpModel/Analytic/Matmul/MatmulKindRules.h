//===- MatmulKindRules.h - What each kind of matmul kernel requires -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MATMUL_MATMULKINDRULES_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MATMUL_MATMULKINDRULES_H

#include "../Family.h"

namespace tessera::analytic::matmul_kinds {

// Each holds of plans of other kinds. MatmulRules.cpp has what they say.

// Of several kinds.
bool subblockOfShardedOutput(const OpCall &call);
bool blockOfShardedOutput(const OpCall &call);

// 2D multicast: rows of cores share in0, columns share in1.
bool twoDIn0(const OpCall &call);
bool twoDIn1(const OpCall &call);
bool twoDOut(const OpCall &call);

// 1D multicast of in0: every core has all of M.
bool in0OneDIn0(const OpCall &call);
bool in0OneDIn1(const OpCall &call);
bool in0OneDBias(const OpCall &call);
bool in0OneDOut(const OpCall &call);
bool in0OneDWholeM(const OpCall &call);

// 1D multicast of in1: every core has all of N.
bool in1OneDIn0(const OpCall &call);
bool in1OneDIn1(const OpCall &call);
bool in1OneDOut(const OpCall &call);
bool in1OneDWholeN(const OpCall &call);

// Weights streamed from one DRAM bank per core.
bool dramShardedOperands(const OpCall &call);
bool dramShardedShape(const OpCall &call);

// No multicast; batches are dealt out.
bool reuseOperands(const OpCall &call);
bool reuseShape(const OpCall &call);
bool reuseBlocks(const OpCall &call);

// Tile by tile, the kernel that takes any size.
bool multiCoreInterleaved(const OpCall &call);

} // namespace tessera::analytic::matmul_kinds

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MATMUL_MATMULKINDRULES_H
