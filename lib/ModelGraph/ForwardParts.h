//===- ForwardParts.h - What forward functions share ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_MODELGRAPH_FORWARDPARTS_H
#define TESSERA_LIB_MODELGRAPH_FORWARDPARTS_H

#include "tessera/ModelGraph/Forward.h"
#include "tessera/ModelGraph/Ops.h"

namespace tessera::runner {

/// Rows of 1 x 1 x rows x width, `most` at a time: what `compute` makes of 1 x chunks x most x width.
template <class Compute>
Tensor inChunks(Graph &g, const Tensor &x, int64_t most, Compute compute) {
  int64_t rows = x.extent(2);
  if (rows <= most)
    return compute(x);
  // The chunks lie in a dimension of their own, so that one op of each kind takes them all; rows that fill the last
  // chunk are cut off again.
  int64_t padded = alignUp(rows, most);
  Tensor made = compute(op::reshape(g, op::padTo(g, x, 2, padded, 0), {1, padded / most, most, x.extent(3)}));
  return op::slice(g, op::reshape(g, made, {1, 1, padded, made.extent(3)}), 2, 0, rows);
}

} // namespace tessera::runner

#endif // TESSERA_LIB_MODELGRAPH_FORWARDPARTS_H
