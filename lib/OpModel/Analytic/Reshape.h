//===- Reshape.h - Circular buffers of a reshape -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_RESHAPE_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_RESHAPE_H

#include "Family.h"

namespace tessera::analytic {

/// The result lies where the operand lies, shard for shard.
bool sharesBuffer(const OpCall &call);

/// No page moves: the result is the operand's buffer.
bool reshapeIsView(const OpCall &call);
void reshapeMemory(const OpCall &call, MemoryUse &use);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_RESHAPE_H
