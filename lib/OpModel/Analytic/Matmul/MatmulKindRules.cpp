//===- MatmulKindRules.cpp - What each kind of matmul kernel requires -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// facts/hardware 4.1; tt-metal 0.77, matmul_device_operation.cpp.
//
//===----------------------------------------------------------------------===//
#include "MatmulKindRules.h"

#include "Matmul.h"

namespace tessera::analytic::matmul_kinds {
namespace {

using Kind = MatmulPlan::Kind;
using ML = MemoryLayout;

bool is(const OpCall &call, Kind kind) { return matmulPlan(call).kind == kind; }

/// Older backends do not validate what they chose themselves.
bool validated(const OpCall &call) { return matmulPlan(call).given || newest(call); }

/// A sharded result lies in in0's kind of memory and of shards if in0 is sharded too.
bool outputFollowsIn0(const OpCall &call) {
  const TensorRef &in0 = call.in[0], &out = call.out[0];
  return !in0.sharded() || !out.sharded() ||
         (in0.layout->buffer == out.layout->buffer && in0.layout->memory == out.layout->memory);
}

/// Block shards on one row (or column) of cores are width (or height) shards to the 1D kernels.
bool shardedOnLine(const TensorRef &tensor, ML memory) {
  if (!tensor.sharded() || tensor.shardedAs(memory))
    return true;
  if (!tensor.shardedAs(ML::BlockSharded) || !statesCores(tensor))
    return false;
  GridShape box = boxOf(*tensor.layout);
  return memory == ML::WidthSharded ? box.rows == 1 : box.columns == 1;
}

} // namespace

bool subblockOfShardedOutput(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  bool matters = validated(call) && call.out[0].sharded() && plan.kind != Kind::DramSharded &&
                 plan.kind != Kind::MultiCore;
  return !matters || plan.subblockW == plan.perCoreN || plan.subblockH == 1;
}

/// Packers write a sharded result where it stays, row by row of the block. A block narrower than the shard would
/// have to leave gaps for its neighbours, which only rows of one tile allow.
bool blockOfShardedOutput(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  bool multicasts = plan.kind == Kind::MultiCast1DIn0 || plan.kind == Kind::MultiCast1DIn1 ||
                    plan.kind == Kind::MultiCast2D;
  bool matters = validated(call) && call.out[0].sharded() && multicasts;
  return !matters || plan.blockW == plan.perCoreN || plan.blockH == 1;
}

// ---- 2D -------------------------------------------------------------------------------------------------

bool twoDIn0(const OpCall &call) {
  const TensorRef &in0 = call.in[0];
  if (!is(call, Kind::MultiCast2D) || !in0.sharded())
    return true;
  const MatmulPlan &plan = matmulPlan(call);
  GridShape shard = in0.shardTiles();
  // A column of cores holds all of K in each shard, which serves as the one block of K.
  bool inPlace = in0.shardedAs(ML::HeightSharded) && boxOf(*in0.layout).columns == 1 &&
                 plan.k == plan.blockK && shard.columns == plan.blockK;
  bool blocks = in0.shardedAs(ML::BlockSharded) && shard.columns % plan.blockK == 0;
  return (inPlace || blocks) && (!validated(call) || (plan.fuseBatch && shard.rows == plan.perCoreM));
}

bool twoDIn1(const OpCall &call) {
  const TensorRef &in1 = call.in[1];
  if (!is(call, Kind::MultiCast2D) || !in1.sharded())
    return true;
  if (!in1.shardedAs(ML::WidthSharded) || boxOf(*in1.layout).rows != 1)
    return false;
  // In DRAM any width shards will do; in L1 the shard is the block itself.
  return in1.dram() ||
         (in1.shardTiles().columns == matmulPlan(call).perCoreN && !call.in[0].shardedAs(ML::BlockSharded));
}

/// Shards of another kind than blocks would need a core for each row or column of blocks, and the 2D kernel has one
/// for each pair.
bool twoDOut(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return !is(call, Kind::MultiCast2D) || !out.sharded() ||
         (out.shardedAs(ML::BlockSharded) &&
          (!call.in[0].shardedAs(ML::BlockSharded) || outputFollowsIn0(call)));
}

// ---- 1D, in0 to all -------------------------------------------------------------------------------------

/// Each core has some columns of in0 (a part of K) and sends them to all others in turn, in blocks: so a shard is a
/// whole number of these.
bool in0OneDIn0(const OpCall &call) {
  const TensorRef &in0 = call.in[0];
  if (!is(call, Kind::MultiCast1DIn0) || !in0.sharded())
    return true;
  const MatmulPlan &plan = matmulPlan(call);
  GridShape shard = in0.shardTiles();
  bool fits = plan.fuseBatch && shard.rows == plan.perCoreM && in0.shardCores() <= plan.gridX * plan.gridY;
  return in0.shardedAs(ML::WidthSharded) && shard.columns % plan.blockK == 0 && (!validated(call) || fits);
}

bool in0OneDIn1(const OpCall &call) {
  const TensorRef &in1 = call.in[1];
  if (!is(call, Kind::MultiCast1DIn0) || !in1.sharded())
    return true;
  // A fused bias then lies in shards, too.
  bool biasFits = !biasFused(call) || call.in[2].sharded();
  return in1.shardedAs(ML::WidthSharded) && in1.l1() &&
         in1.shardTiles().columns == matmulPlan(call).perCoreN && biasFits;
}

bool in0OneDBias(const OpCall &call) {
  // Each core adds the shard that it has, as it has it.
  return !is(call, Kind::MultiCast1DIn0) || !biasFused(call) || !call.in[2].sharded() ||
         call.in[2].shardTiles().columns == matmulPlan(call).perCoreN;
}

bool in0OneDOut(const OpCall &call) {
  return !is(call, Kind::MultiCast1DIn0) ||
         (shardedOnLine(call.out[0], ML::WidthSharded) && outputFollowsIn0(call));
}

/// All cores make all rows, each its own columns. Shards have no room for rows of padding, which the interleaved
/// kernel just does not write.
bool in0OneDWholeM(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  if (plan.kind != Kind::MultiCast1DIn0)
    return true;
  bool exact = call.in[0].sharded() || call.out[0].sharded();
  return exact ? plan.m == plan.perCoreM : plan.m <= plan.perCoreM;
}

// ---- 1D, in1 to all -------------------------------------------------------------------------------------

bool in1OneDIn0(const OpCall &call) {
  const TensorRef &in0 = call.in[0];
  if (!is(call, Kind::MultiCast1DIn1) || !in0.sharded())
    return true;
  const MatmulPlan &plan = matmulPlan(call);
  GridShape shard = in0.shardTiles();
  bool held = !validated(call) || (plan.fuseBatch && ceilDiv(plan.m, plan.perCoreM) <= in0.shardCores());
  return in0.shardedAs(ML::HeightSharded) && shard == GridShape{plan.perCoreM, plan.k} && held;
}

bool in1OneDIn1(const OpCall &call) { return !is(call, Kind::MultiCast1DIn1) || !call.in[1].sharded(); }

bool in1OneDOut(const OpCall &call) {
  return !is(call, Kind::MultiCast1DIn1) ||
         (shardedOnLine(call.out[0], ML::HeightSharded) && outputFollowsIn0(call));
}

bool in1OneDWholeN(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  bool matters = plan.kind == Kind::MultiCast1DIn1 && validated(call) && call.out[0].sharded();
  return !matters || plan.n == plan.perCoreN;
}

// ---- One reader per DRAM bank ---------------------------------------------------------------------------

/// Each bank of DRAM holds some columns of in1, all of K, and has a reader beside it: weights come at the full
/// bandwidth, without crossing the chip. in0 is sent around, and each core makes its columns of the result.
bool dramShardedOperands(const OpCall &call) {
  if (!is(call, Kind::DramSharded))
    return true;
  const TensorRef &in0 = call.in[0], &in1 = call.in[1], &out = call.out[0];
  return in0.shardedAs(ML::WidthSharded) && in0.l1() && in1.shardedAs(ML::WidthSharded) && in1.dram() &&
         out.shardedAs(ML::WidthSharded) && out.l1();
}

bool dramShardedShape(const OpCall &call) {
  if (!is(call, Kind::DramSharded))
    return true;
  const MatmulPlan &plan = matmulPlan(call);
  GridShape shard = call.in[0].shardTiles();
  // One row of tiles: the kernel is made for decoding, where a token has one row and weights are all there is to
  // read.
  return plan.m == 1 && plan.perCoreM == 1 && shard.rows == 1 && shard.columns % plan.blockK == 0 &&
         plan.k % shard.columns == 0;
}

// ---- No multicast ---------------------------------------------------------------------------------------

namespace {

/// A shard is the block that its core multiplies, with all of K. Its rows lie one after the other, so a block of K that is not
/// all of it would not lie in one piece.
bool reuseIn0(const OpCall &call, const MatmulPlan &plan) {
  const TensorRef &in0 = call.in[0];
  return !in0.sharded() || (!in0.shardedAs(ML::WidthSharded) && plan.blockK == plan.k &&
                            in0.shardTiles() == GridShape{plan.perCoreM, plan.k});
}

/// Whole batches of in1, on the cores of in0's shards.
bool reuseIn1(const OpCall &call, const MatmulPlan &plan) {
  const TensorRef &in0 = call.in[0], &in1 = call.in[1];
  if (!in1.sharded())
    return true;
  GridShape shard = in1.shardTiles();
  // No core sends anything to another, so each must have its batches of in1 beside its rows of in0.
  return !in1.shardedAs(ML::WidthSharded) && (!in0.sharded() || samePlacement(in0, in1)) &&
         plan.perCoreM % plan.m == 0 && shard.columns == plan.n && shard.rows % plan.k == 0;
}

/// Cores that the blocks are dealt out to because something lies there; 0: any of the grid.
int64_t reuseShardCores(const OpCall &call) {
  const TensorRef &in0 = call.in[0], &in1 = call.in[1];
  if (in0.sharded() && in0.l1())
    return in0.shardCores();
  return in1.sharded() && in1.l1() ? in1.shardCores() : 0;
}

} // namespace

bool reuseOperands(const OpCall &call) {
  if (!is(call, Kind::Reuse))
    return true;
  const MatmulPlan &plan = matmulPlan(call);
  return !call.out[0].shardedAs(ML::WidthSharded) && reuseIn0(call, plan) && reuseIn1(call, plan) &&
         outputFollowsIn0(call);
}

/// Without multicast a core reads all of in1 that its rows need, so that columns are never shared out.
bool reuseShape(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  if (plan.kind != Kind::Reuse)
    return true;
  bool batched = call.in[0].batch > 1 && call.in[1].batch > 1;
  return plan.n == plan.perCoreN && call.in[1].batch == call.in[0].batch &&
         (!batched || plan.m % plan.subblockH == 0);
}

bool reuseBlocks(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  if (plan.kind != Kind::Reuse || plan.m <= 0)
    return true;
  // A core makes parts of one batch, or whole batches.
  bool whole = plan.m % plan.perCoreM == 0 ||
               (plan.perCoreM % plan.m == 0 && plan.m * plan.batch % plan.perCoreM == 0);
  int64_t blocks = plan.blocksM() * plan.blocksN(), cores = reuseShardCores(call);
  if (!newest(call)) // a core per block
    return whole && (everythingInterleaved(call) || blocks <= plan.gridX * plan.gridY);
  // Each core of operands has as many, each of a result at least one.
  if (cores > 0)
    return whole && blocks % cores == 0;
  return whole && (!statesCores(call.out[0]) || blocks >= call.out[0].shardCores());
}

bool multiCoreInterleaved(const OpCall &call) {
  return !is(call, Kind::MultiCore) || everythingInterleaved(call);
}

} // namespace tessera::analytic::matmul_kinds
