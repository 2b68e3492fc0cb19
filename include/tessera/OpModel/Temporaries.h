//===- Temporaries.h - What an op makes beside its results ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_TEMPORARIES_H
#define TESSERA_OPMODEL_TEMPORARIES_H

#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// L1 per core of the tensors that an op makes beside its results and frees, at the peak. The newest backend's peak has whole
/// shards of the results, older ones' has their pages as `outputL1BufferSize` has.
Bytes temporariesL1(const OpConstraints &constraints, const OpModelContext &context);

/// A convolution reads its operand through a halo; that of a 1x1 window is a matmul, and reads it as it lies (facts/formulas 11).
bool makesHalo(const OpSignature &convolution);

} // namespace tessera

#endif // TESSERA_OPMODEL_TEMPORARIES_H
