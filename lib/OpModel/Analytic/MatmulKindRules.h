//===- MatmulKindRules.h - What each kind of matmul kernel requires -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_MATMULKINDRULES_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_MATMULKINDRULES_H

#include "Family.h"

namespace tessera::analytic::matmul_kinds {

// Each holds of plans of other kinds. MatmulRules.cpp has what they say.

bool subblockOfShardedOutput(const OpCall &call);
bool blockOfShardedOutput(const OpCall &call);

bool twoDIn0(const OpCall &call);
bool twoDIn1(const OpCall &call);
bool twoDOut(const OpCall &call);

bool in0OneDIn0(const OpCall &call);
bool in0OneDIn1(const OpCall &call);
bool in0OneDBias(const OpCall &call);
bool in0OneDOut(const OpCall &call);
bool in0OneDWholeM(const OpCall &call);

bool in1OneDIn0(const OpCall &call);
bool in1OneDIn1(const OpCall &call);
bool in1OneDOut(const OpCall &call);
bool in1OneDWholeN(const OpCall &call);

bool dramShardedOperands(const OpCall &call);
bool dramShardedShape(const OpCall &call);

bool reuseOperands(const OpCall &call);
bool reuseShape(const OpCall &call);
bool reuseBlocks(const OpCall &call);

bool multiCoreInterleaved(const OpCall &call);

} // namespace tessera::analytic::matmul_kinds

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_MATMULKINDRULES_H
