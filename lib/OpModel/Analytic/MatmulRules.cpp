//===- MatmulRules.cpp - Which matmuls are legal -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// facts/hardware 4.1, one row of its table per group below.
// A rule of a group holds trivially if the plan is of another kind.
//
//===----------------------------------------------------------------------===//
#include "Matmul.h"

namespace tessera::analytic {
namespace {

using Kind = MatmulPlan::Kind;
using ML = MemoryLayout;

const MatmulProgramConfig *config(const OpCall &call) {
  return std::get_if<MatmulProgramConfig>(&call.query.config.specific);
}

// ---- Common ---------------------------------------------------------------------------------------------

bool innerDims(const OpCall &call) {
  MatmulShape shape = matmulShape(call);
  return shape.k == shape.in1K;
}

bool batchDims(const OpCall &call) {
  const TensorRef &a = call.in[0], &b = call.in[1];
  for (size_t d = 3; d <= b.rank(); ++d) {
    int64_t size = b.dim(-int64_t(d));
    if (size != 1 && size != a.dim(-int64_t(d)) && a.dim(-int64_t(d)) != 1)
      return false;
  }
  return true;
}

/// With a program config the kernel adds the bias itself and takes one row of tiles; without one an element-wise add
/// follows (facts/formulas 7.3), which takes as many rows as the result has.
bool biasShape(const OpCall &call) {
  if (!call.hasOperand(2))
    return true;
  const TensorRef &bias = call.in[2];
  MatmulShape shape = matmulShape(call);
  bool fitsRows = config(call) ? bias.batch == 1 && bias.height <= 32
                               : (bias.batch == 1 || bias.batch == std::max(shape.batchA, shape.batchB)) &&
                                     (bias.height == 1 || bias.height == shape.m);
  return fitsRows && bias.width == shape.n;
}

bool transposedInterleaved(const OpCall &call) {
  return !(transposes(call, 0) && call.in[0].sharded()) && !(transposes(call, 1) && call.in[1].sharded());
}

bool noConfigNeedsPlainIn1(const OpCall &call) { return config(call) || !call.in[1].sharded(); }

bool noConfigNeedsUnbatchedIn1(const OpCall &call) {
  return config(call) || call.in[1].batch == 1 || !(call.out[0].sharded() || call.in[0].sharded());
}

// Rules on configs do not look at a plan that the backend chose: its choices are legal as they are.
// ---- Program config in itself ---------------------------------------------------------------------------
bool configSizes(const OpCall &call) {
  const MatmulProgramConfig *c = config(call);
  if (!c)
    return true;
  // Products of three sizes stay within 64 bits.
  constexpr int64_t limit = 1 << 20;
  for (int64_t size :
       {c->in0BlockW, c->outSubblockH, c->outSubblockW, c->outBlockH, c->outBlockW, c->perCoreM, c->perCoreN})
    if (size < 1 || size > limit)
      return false;
  // The DRAM-sharded config has no grid: its cores follow from per_core_N.
  return c->kind == MatmulProgramConfig::Kind::MultiCastDramSharded || (c->grid.x >= 1 && c->grid.y >= 1);
}

bool configGrid(const OpCall &call) {
  const MatmulProgramConfig *c = config(call);
  if (!c || c->kind == MatmulProgramConfig::Kind::MultiCastDramSharded)
    return true;
  GridShape worker = call.device().workerGrid;
  return c->grid.x <= worker.columns && c->grid.y <= worker.rows;
}

bool blockDividesK(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  return !plan.given || plan.k % plan.blockK == 0;
}

bool blocksDivide(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  const MatmulProgramConfig *c = config(call);
  if (!c || c->kind == MatmulProgramConfig::Kind::MultiCastDramSharded)
    return true;
  return plan.perCoreM % plan.blockH == 0 && plan.perCoreN % plan.blockW == 0 &&
         plan.blockH % c->outSubblockH == 0 && plan.blockW % c->outSubblockW == 0;
}

bool subblockFitsDst(const OpCall &call) {
  const MatmulProgramConfig *c = config(call);
  if (!c)
    return true;
  // The destination registers hold 8 tiles of 16 bits while the other half is packed; full sync gives both halves to
  // the product (facts/hardware 1.6).
  int64_t tiles = call.op().boolean("compute_config.fp32_dest_acc_en", false) ? 4 : 8;
  if (call.op().boolean("compute_config.dst_full_sync_en", false))
    tiles *= 2;
  return c->outSubblockH * c->outSubblockW <= tiles;
}

bool enoughCores(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  // Without multicast the blocks are dealt out over whatever cores there are.
  if (plan.kind == Kind::MultiCore || plan.kind == Kind::Reuse)
    return true;
  // Rows of cores share in0, columns in1, so each direction must fit by itself.
  if (plan.kind == Kind::MultiCast2D)
    return plan.blocksN() <= plan.gridX && plan.blocksM() <= plan.gridY;
  return plan.cores() <= std::min(plan.gridX * plan.gridY, call.cores());
}

// ---- Per kind -------------------------------------------------------------------------------------------
bool is(const OpCall &call, Kind kind) { return matmulPlan(call).kind == kind; }

bool interleavedOr(const TensorRef &tensor, ML memory) {
  return !tensor.sharded() || tensor.shardedAs(memory);
}

/// A sharded output lies in in0's kind of memory if in0 is sharded too.
bool outputInSameBuffer(const OpCall &call) {
  const TensorRef &in0 = call.in[0], &out = call.out[0];
  return !in0.sharded() || !out.sharded() || in0.layout->buffer == out.layout->buffer;
}

/// The shard is the kernel's output buffer and is filled subblock by subblock: only subblocks as wide as the block, or
/// one tile high, leave its tiles row by row.
bool subblockOfShardedOutput(const OpCall &call) {
  const MatmulProgramConfig *c = config(call);
  return !c || !call.out[0].sharded() || c->outSubblockW == c->perCoreN || c->outSubblockH == 1;
}

bool twoDGrid(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  return !is(call, Kind::MultiCast2D) || !plan.given || (plan.gridX >= 2 && plan.gridY >= 2);
}

bool twoDIn0(const OpCall &call) {
  const TensorRef &in0 = call.in[0];
  if (!is(call, Kind::MultiCast2D) || !in0.sharded())
    return true;
  const MatmulPlan &plan = matmulPlan(call);
  GridShape shard = in0.shardTiles();
  // A single column of cores has no other cores to multicast in0 to; then a shard may serve as the one block of K.
  if (in0.shardedAs(ML::HeightSharded))
    return plan.gridX == 1 && plan.k == plan.blockK && shard.columns == plan.blockK;
  return in0.shardedAs(ML::BlockSharded) && (!plan.given || shard.rows == plan.perCoreM) &&
         shard.columns % plan.blockK == 0;
}

bool twoDIn1(const OpCall &call) {
  const TensorRef &in1 = call.in[1];
  if (!is(call, Kind::MultiCast2D) || !in1.sharded())
    return true;
  if (!in1.shardedAs(ML::WidthSharded))
    return false;
  // In DRAM any width shards will do; in L1 the shard is the block itself.
  return in1.dram() ||
         (in1.shardTiles().columns == matmulPlan(call).perCoreN && !call.in[0].shardedAs(ML::BlockSharded));
}

bool twoDOut(const OpCall &call) {
  return !is(call, Kind::MultiCast2D) || (interleavedOr(call.out[0], ML::BlockSharded) &&
                                          outputInSameBuffer(call) && subblockOfShardedOutput(call));
}

bool in0OneDIn0(const OpCall &call) {
  const TensorRef &in0 = call.in[0];
  if (!is(call, Kind::MultiCast1DIn0))
    return true;
  return interleavedOr(in0, ML::WidthSharded) &&
         (!in0.sharded() || in0.shardTiles().columns % matmulPlan(call).blockK == 0);
}

bool in0OneDIn1(const OpCall &call) {
  const TensorRef &in1 = call.in[1];
  if (!is(call, Kind::MultiCast1DIn0) || !in1.sharded())
    return true;
  return in1.shardedAs(ML::WidthSharded) && in1.l1() && in1.shardTiles().columns == matmulPlan(call).perCoreN;
}

bool in0OneDOut(const OpCall &call) {
  return !is(call, Kind::MultiCast1DIn0) ||
         (interleavedOr(call.out[0], ML::WidthSharded) && outputInSameBuffer(call));
}

bool in0OneDWholeM(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  return plan.kind != Kind::MultiCast1DIn0 || plan.m == plan.perCoreM;
}

bool in1OneDIn0(const OpCall &call) {
  const TensorRef &in0 = call.in[0];
  if (!is(call, Kind::MultiCast1DIn1))
    return true;
  if (!in0.sharded())
    return true;
  const MatmulPlan &plan = matmulPlan(call);
  return in0.shardedAs(ML::HeightSharded) && in0.shardTiles().columns == plan.k &&
         in0.shardTiles().rows == plan.perCoreM;
}

bool in1OneDIn1(const OpCall &call) { return !is(call, Kind::MultiCast1DIn1) || !call.in[1].sharded(); }

bool in1OneDOut(const OpCall &call) {
  return !is(call, Kind::MultiCast1DIn1) ||
         (interleavedOr(call.out[0], ML::HeightSharded) && outputInSameBuffer(call));
}

bool in1OneDWholeN(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  return plan.kind != Kind::MultiCast1DIn1 || !plan.given || plan.n == plan.perCoreN;
}

bool dramShardedOperands(const OpCall &call) {
  if (!is(call, Kind::DramSharded))
    return true;
  const TensorRef &in0 = call.in[0], &in1 = call.in[1], &out = call.out[0];
  // Undecided is fine: the kernel places its result itself.
  bool outFits = !out.decided() || (out.shardedAs(ML::WidthSharded) && out.l1());
  return in0.shardedAs(ML::WidthSharded) && in0.l1() && in1.shardedAs(ML::WidthSharded) && in1.dram() &&
         outFits;
}

bool dramShardedShape(const OpCall &call) {
  if (!is(call, Kind::DramSharded))
    return true;
  const MatmulPlan &plan = matmulPlan(call);
  int64_t width = call.in[0].shardTiles().columns;
  return plan.m == 1 && plan.perCoreM == 1 && width % plan.blockK == 0 && plan.k % width == 0;
}

bool reuseOperands(const OpCall &call) {
  if (!is(call, Kind::Reuse))
    return true;
  const TensorRef &in0 = call.in[0], &in1 = call.in[1], &out = call.out[0];
  const MatmulPlan &plan = matmulPlan(call);
  auto notWidth = [](const TensorRef &tensor) { return !tensor.shardedAs(ML::WidthSharded); };
  // A shard is the block that its core multiplies: with the same batches of in1 beside it, and where in0 lies.
  // Its rows lie one after the other, so a block of K that is not all of it would not lie in one piece.
  bool in0Fits =
      !in0.sharded() || (in0.shardTiles() == GridShape{plan.perCoreM, plan.k} && plan.blockK == plan.k);
  bool in1Fits = !in1.sharded() || (plan.m > 0 && samePlacement(in0, in1) && plan.perCoreM % plan.m == 0 &&
                                    in1.shardTiles() == GridShape{plan.perCoreM / plan.m * plan.k, plan.n});
  bool outFollows = !in0.sharded() || !out.decided() || !out.sharded() ||
                    (in0.layout->buffer == out.layout->buffer && in0.layout->memory == out.layout->memory);
  return notWidth(in0) && notWidth(in1) && notWidth(out) && in0Fits && in1Fits && outFollows;
}

bool reuseShape(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  if (plan.kind != Kind::Reuse)
    return true;
  return plan.n == plan.perCoreN && call.in[1].batch == call.in[0].batch;
}

/// The kernel deals out (batches * M) / per_core_M blocks without a remainder; one that lies in two batches would need two
/// blocks of in1. With shards each core has the one that lies there.
bool reuseBlocks(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  if (plan.kind != Kind::Reuse || plan.m <= 0)
    return true;
  bool whole = plan.m % plan.perCoreM == 0 ||
               (plan.perCoreM % plan.m == 0 && plan.m * plan.batch % plan.perCoreM == 0);
  bool sharded = call.in[0].sharded() || call.out[0].sharded();
  return whole && (!sharded || plan.blocksM() * plan.blocksN() <= plan.gridX * plan.gridY);
}

bool multiCoreInterleaved(const OpCall &call) {
  return !is(call, Kind::MultiCore) || (allOperandsInterleaved(call) && outputsInterleaved(call));
}

constexpr Rule kRules[] = {
    {{"matmul.tiled", "matmul operands must be tiled", "facts/hardware 4.1"}, allOperandsTiled},
    {{"matmul.inner_dims", "the width of in0 must equal the height of in1 (after transposition)",
      "facts/hardware 4.1"},
     innerDims},
    {{"matmul.batch_dims", "each batch dimension of in1 must be 1 or in0's", "facts/hardware 4.1"},
     batchDims},
    {{"matmul.bias_shape",
      "the bias must be as wide as the result, and one row (one tile with a program config) or as high as "
      "the result",
      "facts/hardware 4.1, facts/formulas 7.3"},
     biasShape},
    {{"matmul.transposed_interleaved", "an operand that is transposed first must be interleaved",
      "facts/hardware 4.4 transpose"},
     transposedInterleaved},
    {{"matmul.config.sizes", "all sizes of a program config must be positive", "facts/hardware 4.1"},
     configSizes},
    {{"matmul.config.grid", "the program config's grid must lie within the device's worker grid",
      "facts/hardware 4.1"},
     configGrid},
    {{"matmul.config.k_blocks", "in0_block_w must divide K in tiles", "facts/hardware 4.1"}, blockDividesK},
    {{"matmul.config.out_blocks", "out_block must divide per_core and out_subblock must divide out_block",
      "facts/hardware 4.1"},
     blocksDivide},
    {{"matmul.config.subblock",
      "out_subblock_h x out_subblock_w must be at most 8 (4 with fp32 accumulation)", "facts/hardware 4.1"},
     subblockFitsDst},
    {{"matmul.default.in1_interleaved", "without a program config in1 must be interleaved",
      "facts/formulas 7.4"},
     noConfigNeedsPlainIn1},
    {{"matmul.default.in1_unbatched", "sharding a batched matmul needs a program config",
      "facts/ir 4.6 (hangs, tt-metal#42572)"},
     noConfigNeedsUnbatchedIn1},
    {{"matmul.enough_cores", "the blocks of the result must fit the grid of cores", "facts/hardware 4.1"},
     enoughCores},
    {{"matmul.2d_mcast.grid", "2D multicast needs at least two rows and two columns of cores",
      "facts/hardware 4.1"},
     twoDGrid},
    {{"matmul.2d_mcast.in0",
      "2D multicast needs in0 interleaved, or block-sharded with shards of per_core_M rows and a multiple of "
      "in0_block_w columns",
      "facts/hardware 4.1"},
     twoDIn0},
    {{"matmul.2d_mcast.in1", "2D multicast needs in1 interleaved, or width-sharded in DRAM or by per_core_N",
      "facts/hardware 4.1"},
     twoDIn1},
    {{"matmul.2d_mcast.out",
      "2D multicast gives an interleaved or block-sharded result, in in0's memory if in0 is sharded",
      "facts/hardware 4.1"},
     twoDOut},
    {{"matmul.1d_mcast_in0.in0",
      "1D mcast_in0 needs in0 interleaved, or width-sharded by a multiple of in0_block_w",
      "facts/hardware 4.1"},
     in0OneDIn0},
    {{"matmul.1d_mcast_in0.in1", "1D mcast_in0 needs in1 interleaved, or width-sharded in L1 by per_core_N",
      "facts/hardware 4.1"},
     in0OneDIn1},
    {{"matmul.1d_mcast_in0.out",
      "1D mcast_in0 gives an interleaved or width-sharded result, in in0's memory if in0 is sharded",
      "facts/hardware 4.1"},
     in0OneDOut},
    {{"matmul.1d_mcast_in0.whole_m", "1D mcast_in0 needs per_core_M to cover all rows", "facts/hardware 4.1"},
     in0OneDWholeM},
    {{"matmul.1d_mcast_in1.in0",
      "1D mcast_in1 needs in0 interleaved, or height-sharded with full rows and per_core_M of them",
      "facts/hardware 4.1"},
     in1OneDIn0},
    {{"matmul.1d_mcast_in1.in1_interleaved", "1D mcast_in1 needs an interleaved in1", "facts/hardware 4.1"},
     in1OneDIn1},
    {{"matmul.1d_mcast_in1.out",
      "1D mcast_in1 gives an interleaved or height-sharded result, in in0's memory if in0 is sharded",
      "facts/hardware 4.1"},
     in1OneDOut},
    {{"matmul.1d_mcast_in1.whole_n", "1D mcast_in1 needs per_core_N to cover all columns",
      "facts/hardware 4.1"},
     in1OneDWholeN},
    {{"matmul.dram_sharded.operands",
      "the DRAM-sharded kernel needs in0 width-sharded in L1, in1 width-sharded in DRAM and a width-sharded "
      "result",
      "facts/hardware 4.1"},
     dramShardedOperands},
    {{"matmul.dram_sharded.shape",
      "the DRAM-sharded kernel needs one tile row and even shards of in0 that in0_block_w divides",
      "facts/hardware 4.1"},
     dramShardedShape},
    {{"matmul.reuse.operands",
      "the reuse kernel takes nothing width-sharded, in0 in shards of per_core_M rows with all of K as one "
      "block, in1 sharded only like in0 with the same batches, and a sharded result only as in0 is sharded",
      "facts/hardware 4.1"},
     reuseOperands},
    {{"matmul.reuse.shape", "the reuse kernel needs per_core_N to cover all columns and no batch broadcast",
      "facts/hardware 4.1"},
     reuseShape},
    {{"matmul.reuse.blocks",
      "the reuse kernel needs per_core_M to divide the rows of a batch or to be whole batches, and a core "
      "for each block of what is sharded",
      "facts/hardware 4.1"},
     reuseBlocks},
    {{"matmul.multi_core.interleaved",
      "the tile-by-tile kernel, which these sizes lead to, needs everything interleaved",
      "facts/hardware 4.1"},
     multiCoreInterleaved},
};

} // namespace

llvm::ArrayRef<Rule> matmulRules() { return kRules; }

} // namespace tessera::analytic
