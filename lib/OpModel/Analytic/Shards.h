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
/// Unsharded, or the box around its cores begins at 0:0.
bool beginsAtFirstCore(const TensorRef &tensor);
/// Unsharded, or on the first cores row by row of a grid that ends with the last column and row that have a shard. Kernels that are told core by
/// core what to do, of as many cores as there are shards, reach no others.
bool onFirstCores(const TensorRef &tensor);
/// Same shape, same place and shards.
bool sameLayout(const TensorRef &a, const TensorRef &b);

/// Row-major shards that go to others of the same kind and of another width take their rows along. The library numbers the pieces of all rows
/// one after the other, and leaves out what pads a row only where the shard that it ends in lies on the last column of cores: else it reads
/// other rows, and numbers beyond the end of its table (ttnn 0.77.0 and 0.81.1: reshard_program_factory_generic.cpp).
bool reshardKeepsRows(const TensorRef &from, const TensorRef &to);

/// Rows of height shards are copied to other height shards as they lie: where one of them pads its rows and the other does not, they come out
/// shifted (ttnn 0.81.1, executed).
bool reshardKeepsPadding(const TensorRef &from, const TensorRef &to);

/// All of a tensor in one shard, called a height shard. Ops that make their results' shards anew call it a width shard (asked of ttnn 0.77
/// and 0.81.1).
bool isOneHeightShard(const TensorLayout &layout);
/// The same shard of the tensor under that name.
TensorLayout asWidthShard(const TensorLayout &layout, const TensorDesc &tensor, GridShape workerGrid);

/// Shards of `shard` tiles on a `grid` of cores hold `tiles` rows and columns of tiles: height shards whole rows, width shards whole
/// columns.
bool shardsHold(std::optional<MemoryLayout> memory, GridShape grid, GridShape shard, GridShape tiles);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_SHARDS_H
