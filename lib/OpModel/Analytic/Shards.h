//===- Shards.h - How shards fill tensors and cores -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_SHARDS_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_SHARDS_H

#include "OpCall.h"

namespace tessera::analytic {

/// The shards are all full. Rows of row-major shards are padded to the shard's width, so that only their number counts.
bool wholeShards(const TensorRef &tensor);
/// Shards and tensor have equally many tiles.
bool fillsCores(const TensorRef &tensor);
/// The two lie on the same cores.
bool sameCores(const TensorRef &a, const TensorRef &b);
/// Same shape, same place and shards.
bool sameLayout(const TensorRef &a, const TensorRef &b);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_SHARDS_H
