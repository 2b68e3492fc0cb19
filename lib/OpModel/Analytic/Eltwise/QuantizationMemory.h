//===- QuantizationMemory.h - What quantization keeps since 2026 ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_ELTWISE_QUANTIZATIONMEMORY_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_ELTWISE_QUANTIZATIONMEMORY_H

#include "../Family.h"

namespace tessera::analytic {

/// A scale and a zero point for each index of one dimension.
bool perChannel(const OpCall &call);

/// Each is a composition of element-wise programs and typecasts, of which these list buffers and what lies between.
void quantizeMemorySince2026(const OpCall &call, MemoryUse &use);
void dequantizeMemorySince2026(const OpCall &call, MemoryUse &use);
void requantizeMemorySince2026(const OpCall &call, MemoryUse &use);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_ELTWISE_QUANTIZATIONMEMORY_H
