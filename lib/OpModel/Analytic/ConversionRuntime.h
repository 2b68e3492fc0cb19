//===- ConversionRuntime.h - Time of moving a tensor as it is ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONRUNTIME_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONRUNTIME_H

#include "OpCall.h"

namespace tessera::analytic {

/// From operand 0 to result 0, same pages: copy, interleaved to sharded, sharded to interleaved, reshard.
OpRuntime conversionTime(const OpCall &call);
/// Between page layouts: tilize and untilize, with padding where the sizes are no multiples of 32.
OpRuntime tilizeTime(const OpCall &call);

/// What a reshard puts on the NoCs of a Wormhole chip.
struct ReshardLoads {
  double link = 0, source = 0, destination = 0; ///< bytes: of the busiest link, of the busiest core
  double readers = 0;                           ///< most destinations that read from one source over one NoC
};
/// Routes every piece of every shard. Requires two sharded tensors with cores.
ReshardLoads reshardLoads(const TensorRef &from, const TensorRef &to);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_CONVERSIONRUNTIME_H
