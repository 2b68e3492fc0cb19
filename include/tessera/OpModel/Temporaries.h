//===- Temporaries.h - What an op makes beside its results ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_TEMPORARIES_H
#define TESSERA_OPMODEL_TEMPORARIES_H

#include "tessera/Allocator/MadeBlock.h"
#include "tessera/OpModel/OpModel.h"

namespace tessera {

/// L1 per core of the tensors that an op makes beside its results and frees, at the peak. The newest backend's peak has whole
/// shards of the results, older ones' has their pages as `outputL1BufferSize` has.
Bytes temporariesL1(const OpConstraints &constraints, const OpModelContext &context);

/// Circular buffers and scratchpads: what grows from the bottom of L1 while the op runs. Scratchpads are what the answer's peak has beside the
/// buffers and tensors that it is of, where these come together; since October 2026 no record of the library counts them, its launches do.
inline Bytes grownFromBelow(const OpConstraints &answer) {
  return answer.cbL1PeakSize +
         std::max(Bytes(0), answer.peakL1MemorySize - answer.cbL1PeakSize - answer.tensorL1PeakSize);
}

/// What the op makes in L1, in order, as the built-in formulas know it. Where they know no order, or the answer of another op
/// model has another peak: one temporary before the results, freed after them.
MadeBlocks madeBlocks(const OpQuery &query, const OpConstraints &answer, const OpModelContext &context);

} // namespace tessera

#endif // TESSERA_OPMODEL_TEMPORARIES_H
