//===- ConvReaders.h - Whether two readers share a convolution's input ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_CONVREADERS_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_CONVREADERS_H

#include "../Family.h"

namespace tessera::analytic {

/// The weights' reader gathers half of every activation block: always in block shards, in height shards where the
/// library expects to wait less before the first product. Its figures, not this model's: it is its choice that is
/// foretold. tt-metal 0.77: conv2d_op_program_factory_common.cpp.
bool sharesReading(const OpCall &call, const ConvPlan &plan);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_WINDOWS_CONVREADERS_H
