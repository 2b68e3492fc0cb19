//===- MatmulRules.cpp - Which matmuls are legal -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// facts/hardware 4.1, one row of its table per group of the table below; tt-metal 0.77, matmul_device_operation.cpp.
// What a kind of kernel requires is in MatmulKindRules.cpp.
//
//===----------------------------------------------------------------------===//
#include "Matmul.h"
#include "MatmulKindRules.h"

namespace tessera::analytic {
namespace {

using Kind = MatmulPlan::Kind;
using namespace matmul_kinds;

const MatmulProgramConfig *config(const OpCall &call) {
  return std::get_if<MatmulProgramConfig>(&call.query.config.specific);
}

/// Older backends do not validate what they chose themselves.
bool validated(const OpCall &call) { return config(call) || newest(call); }

// ---- Common ---------------------------------------------------------------------------------------------

bool innerDims(const OpCall &call) {
  MatmulShape shape = matmulShape(call);
  return shape.k == shape.in1K;
}

/// Of in0 alone: unpackers take each operand's format by itself, so that in1 may be of another float.
bool in0IsFloat(const OpCall &call) {
  DataType type = call.in[0].dtype();
  return type == DataType::BFloat16 || type == DataType::Float32 || isBlockFloat(type);
}

/// Dimensions of in1 that in0 lacks are 1.
bool leadingDims(const TensorRef &a, const TensorRef &b) {
  for (size_t d = a.rank() + 1; d <= b.rank(); ++d)
    if (b.dim(-int64_t(d)) != 1)
      return false;
  return true;
}

/// A single matrix in0 may meet the batches of in1 one after the other.
bool meetsBatches(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  return plan.kind == MatmulPlan::Kind::MultiCast1DIn1 && !plan.fuseBatch && allOperandsInterleaved(call) &&
         call.in[0].dim(-3) == 1;
}

/// Three cases: one matrix in1 for all of in0; pairs of matrices, whose leading dimensions must agree one by one;
/// one matrix in0 for all of in1, which a single kernel can do.
bool batchDims(const OpCall &call) {
  const TensorRef &a = call.in[0], &b = call.in[1];
  // A given config without multicast multiplies pairs of matrices even if each operand is one.
  const MatmulProgramConfig *c = config(call);
  bool pairs = b.batch > 1 || (c && c->kind == MatmulProgramConfig::Kind::Reuse && a.batch == 1);
  if (!pairs)
    return leadingDims(a, b);
  if (a.rank() != b.rank())
    return false;
  for (int64_t d = 3; d <= int64_t(a.rank()); ++d)
    if (a.dim(-d) != b.dim(-d) && !(d == 3 && meetsBatches(call)))
      return false;
  return true;
}

/// The kernel adds one row of tiles; an element-wise add that follows (facts/formulas 7.3) takes as many rows as the result has.
bool biasShape(const OpCall &call) {
  if (!call.hasOperand(2))
    return true;
  const TensorRef &bias = call.in[2];
  MatmulShape shape = matmulShape(call);
  // The kernel reads the bias by tiles of columns of the result: a wider one would have tiles that no column
  // belongs to.
  if (biasFused(call))
    return bias.batch == 1 && bias.height <= 32 && bias.width >= shape.n &&
           ceilDiv(bias.width, 32) == ceilDiv(shape.n, 32);
  bool unbatched = newest(call) || shape.batchB == 1;
  return unbatched && (bias.batch == 1 || bias.batch == std::max(shape.batchA, shape.batchB)) &&
         (bias.height == 1 || bias.height == shape.m) && bias.width == shape.n;
}

/// A bias that is added behind a product of interleaved tensors: where the kernel is the one without multicast, the library transposes
/// the operands back before it takes the shape of the sum from them, so only those that have the same shape either way, or a single
/// column that the sum repeats, keep it. It asks for no sum where all lies in DRAM, and takes the product's own shape where the first operand or the result is sharded (asked of
/// ttnn 0.77.0 and 0.81.1).
bool transposedBesideBias(const OpCall &call) {
  const TensorRef &in0 = call.in[0], &out = call.out[0];
  bool allDram = in0.dram() && call.in[1].dram() && out.dram();
  if (!newest(call) || !call.hasOperand(2) || biasFused(call) || in0.sharded() || out.sharded() || allDram)
    return true;
  MatmulPlan::Kind kind = matmulPlan(call).kind;
  if (kind != MatmulPlan::Kind::MultiCore && kind != MatmulPlan::Kind::Reuse)
    return true;
  const MatmulShape shape = matmulShape(call);
  bool oneColumn = shape.k == 1 && !call.op().boolean("transpose_a", false);
  return oneColumn || (!(call.op().boolean("transpose_a", false) && shape.m != shape.k) &&
                       !(call.op().boolean("transpose_b", false) && shape.n != shape.k));
}

/// An activation that the program config fuses is not applied twice.
bool activationInterleaved(const OpCall &call) {
  bool fused = config(call) && !config(call)->fusedActivation.empty();
  return fused || call.op().string("activation").empty() || (!call.in[0].sharded() && !call.in[1].sharded());
}

/// The op has a name for its activation and nothing else, so one with parameters is lost outside of a program config.
bool activationParameters(const OpCall &call) {
  bool fused = config(call) && !config(call)->fusedActivation.empty();
  return fused || !call.op().string("activation").contains('(');
}

/// What is transposed first cannot be sharded, and kernels that transpose tiles as they read them do so in the order of an
/// interleaved operand: shards are read as they lie, tile by tile, whichever way their rows run. The library refuses only
/// those whose shards are smaller than the block.
bool transposedInterleaved(const OpCall &call) {
  return !(call.op().boolean("transpose_a", false) && call.in[0].sharded()) &&
         !(call.op().boolean("transpose_b", false) && call.in[1].sharded());
}

// ---- No program config ----------------------------------------------------------------------------------

bool defaultIn1Interleaved(const OpCall &call) {
  return config(call) || newest(call) || !call.in[1].sharded();
}

bool defaultIn1Unbatched(const OpCall &call) {
  if (config(call) || call.in[1].batch == 1)
    return true;
  // Since 2026 shards of in0 are multiplied where they lie, whatever in1 is.
  return newest(call) ? call.in[0].sharded() || !call.out[0].sharded()
                      : !call.in[0].sharded() && !call.out[0].sharded();
}

/// With an interleaved in0 the library takes its multicast kernels while their blocks fit beside what lies in L1 by then; else
/// the one that goes tile by tile, to which shards of in1 are illegal. Alone there is room, in a program there may be none.
bool defaultIn1AnyRoom(const OpCall &call) {
  return config(call) || !newest(call) || !call.in[1].sharded() || call.in[0].sharded();
}

// The chooser goes the library's way, which ends without a program for some operands.
bool defaultPossible(const OpCall &call) { return matmulPlan(call).possible; }

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

/// Beyond the worker grid there are cores that dispatch, or none: the library would write to where no kernel runs.
bool configGrid(const OpCall &call) {
  const MatmulProgramConfig *c = config(call);
  if (!c || c->kind == MatmulProgramConfig::Kind::MultiCastDramSharded)
    return true;
  GridShape worker = call.device().workerGrid;
  return c->grid.x <= worker.columns && c->grid.y <= worker.rows;
}

/// Both 1D kernels and the 2D kernel make all batches of in0 rows of one product, or multiply them one by one.
bool fusedBatch(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  if (!validated(call) || !multicasts(plan) || !plan.fuseBatch)
    return true;
  const TensorRef &in0 = call.in[0];
  // Transposed, the rows of a batch are no longer one below the other, so that batches cannot become rows of one
  // matrix by counting on.
  bool torn = call.op().boolean("transpose_a", false) && in0.batch > 1 && plan.m > in0.batch;
  return call.in[1].batch == 1 && !torn;
}

bool blockDividesK(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  return !validated(call) || plan.kind == Kind::MultiCore || plan.k % plan.blockK == 0;
}

bool blocksDivide(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  if (!validated(call) || (plan.kind != Kind::Reuse && !multicasts(plan)))
    return true;
  // The reuse kernel has no blocks between what a core makes and its subblocks.
  bool subblocks = plan.kind == Kind::Reuse
                       ? plan.perCoreM % plan.subblockH == 0 && plan.perCoreN % plan.subblockW == 0
                       : plan.blockH % plan.subblockH == 0 && plan.blockW % plan.subblockW == 0;
  return subblocks &&
         (plan.kind == Kind::Reuse || (plan.perCoreM % plan.blockH == 0 && plan.perCoreN % plan.blockW == 0));
}

bool subblockFitsDst(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  if (!validated(call) || (plan.kind != Kind::Reuse && !multicasts(plan)))
    return true;
  // The destination registers hold 8 tiles of 16 bits while the other half is packed; full sync gives both halves to
  // the product (facts/hardware 1.6).
  int64_t tiles = matmulComputeConfig(call).fp32Accumulate ? 4 : 8;
  if (call.op().boolean("compute_config.dst_full_sync_en", false))
    tiles *= 2;
  return plan.subblockH * plan.subblockW <= tiles;
}

/// Shards that are taller than the tensor make the cores' rows so, too.
bool rowsOfResult(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  bool shared = plan.kind == Kind::MultiCast1DIn1 || plan.kind == Kind::MultiCast2D;
  return !answersAsOctober2026(call) || !shared || plan.perCoreM <= plan.m;
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

/// By the last core, since the library puts the grid at the first: shards that begin elsewhere reach beyond it.
bool shardsInGrid(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  auto within = [&](const TensorRef &tensor) {
    if (!tensor.sharded() || !tensor.l1() || !statesCores(tensor))
      return true;
    CoreCoord last = tensor.layout->cores->boundingBox().end;
    return last.x < plan.gridX && last.y < plan.gridY;
  };
  // Until 2026 it was the operands that had to lie there, also without multicast.
  if (newest(call))
    return !multicasts(plan) || within(call.out[0]);
  bool matters = config(call) && (multicasts(plan) || plan.kind == Kind::Reuse);
  return !matters || (within(call.in[0]) && within(call.in[1]));
}

/// Pages of the largest circular buffers, which the hardware counts in 16 bits.
bool bufferPages(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  if (!multicasts(plan) && plan.kind != Kind::Reuse)
    return true;
  constexpr int64_t limit = 65535;
  // Operands are prefetched as soon as there is a next block (facts/formulas 7.2).
  int64_t depth = plan.batch * plan.kBlocks() > 1 ? 2 : 1;
  return plan.blockH * plan.blockK * depth <= limit && plan.blockW * plan.blockK * depth <= limit &&
         plan.blockH * plan.blockW <= limit;
}

/// The shards that the kernel makes hold the result, and lie on as many cores.
bool resultFitsShards(const OpCall &call) {
  const TensorRef &out = call.out[0];
  const MatmulPlan &plan = matmulPlan(call);
  if (!newest(call) || !out.sharded() || plan.kind == Kind::MultiCore)
    return true;
  // What the kernel makes, not what was asked for: a request that differs is corrected, and this asks whether
  // the correction holds the result.
  ResultShards made = resultShards(call);
  int64_t down = ceilDiv(out.tileRows, made.shard.rows), across = ceilDiv(out.tileCols, made.shard.columns);
  if (made.memory == MemoryLayout::HeightSharded)
    return made.shard.columns == out.tileCols && down <= made.grid.volume();
  if (made.memory == MemoryLayout::WidthSharded)
    return made.shard.rows == out.tileRows && across <= made.grid.volume();
  return made.columnMajor ? down <= made.grid.columns && across <= made.grid.rows
                          : down <= made.grid.rows && across <= made.grid.columns;
}

/// Layouts of the IR count the cores of shards row by row. Without shards to follow, the reuse kernel deals out column by column.
bool resultAlongRows(const OpCall &call) {
  return !newest(call) || !call.out[0].sharded() || !resultShards(call).columnMajor;
}

// Sizes first, since the plan of a config divides by them, and plans are looked at from there on. Rules without
// "config" or "default" in their names hold of both; those of a kind of kernel hold of plans of that kind only.
constexpr Rule kRules[] = {
    {{"matmul.config.sizes", "all sizes of a program config must be positive", "facts/hardware 4.1"},
     configSizes},
    {{"matmul.tiled", "matmul operands must be tiled", "facts/hardware 4.1"}, allOperandsTiled},
    {{"matmul.float", "in0 must be bf16, f32 or a block-float type", "facts/hardware 4.1"}, in0IsFloat},
    {{"matmul.inner_dims", "the width of in0 must equal the height of in1 (after transposition)",
      "facts/hardware 4.1"},
     innerDims},
    {{"matmul.batch_dims",
      "in1 must be a single matrix, or have in0's rank and batch dimensions; a single in0 meets the batches "
      "of in1 only in the 1D mcast_in1 kernel, unfused and interleaved",
      "facts/hardware 4.1"},
     batchDims},
    {{"matmul.bias_shape",
      "the bias must be as wide as the result, and one row (one tile if the kernel adds it) or as high as "
      "the result",
      "facts/hardware 4.1, facts/formulas 7.3"},
     biasShape},
    {{"matmul.bias_transposed",
      "beside a bias that the kernel does not add an operand that is transposed must be square, unless the "
      "kernel multicasts or the first operand or the result is sharded",
      "facts/vendor-library 4"},
     transposedBesideBias},
    {{"matmul.activation",
      "the activation of a matmul with sharded operands belongs in the program config's fused_activation",
      "facts/vendor-library 4"},
     activationInterleaved},
    {{"matmul.activation_parameters",
      "an activation with parameters belongs in the program config's fused_activation",
      "tt-mlir: TTNNOps.td, MatmulOp"},
     activationParameters},
    {{"matmul.transposed_interleaved", "an operand that is transposed must be interleaved",
      "facts/hardware 4.4 transpose", "tiles in the order of an interleaved operand"},
     transposedInterleaved},
    {{"matmul.config.grid", "the program config's grid must lie within the device's worker grid",
      "facts/hardware 4.1"},
     configGrid},
    {{"matmul.default.in1_interleaved", "without a program config in1 must be interleaved",
      "facts/formulas 7.4"},
     defaultIn1Interleaved},
    {{"matmul.default.in1_unbatched", "sharding a batched matmul needs a program config",
      "facts/ir 4.6 (hangs)", "tt-metal#42572"},
     defaultIn1Unbatched},
    {{"matmul.default.program",
      "without a program config a sharded in0 needs in1 interleaved (or batched and placed alike), a sharded "
      "result placed as in0, block shards that cover in0, and no width shards if in1 is batched",
      "facts/vendor-library 4"},
     defaultPossible},
    {{"matmul.config.fused_batch",
      "the batches of in0 are rows of one product only if in1 is a single matrix", "facts/hardware 4.1"},
     fusedBatch},
    {{"matmul.config.k_blocks", "in0_block_w must divide K in tiles", "facts/hardware 4.1"}, blockDividesK},
    {{"matmul.config.out_blocks", "out_block must divide per_core and out_subblock must divide out_block",
      "facts/hardware 4.1"},
     blocksDivide},
    {{"matmul.config.subblock",
      "out_subblock_h x out_subblock_w must be at most 8 (4 with fp32 accumulation)", "facts/hardware 4.1"},
     subblockFitsDst},
    {{"matmul.sharded_result.subblock",
      "the subblocks of a sharded result must be as wide as per_core_N, or one tile high",
      "facts/hardware 4.1"},
     subblockOfShardedOutput},
    {{"matmul.sharded_result.block",
      "the blocks of a sharded result must be as wide as per_core_N, or one tile high",
      "facts/vendor-library 4"},
     blockOfShardedOutput},
    {{"matmul.enough_cores", "the blocks of the result must fit the grid of cores", "facts/hardware 4.1"},
     enoughCores},
    {{"matmul.per_core_m",
      "since October 2026 a core must not make more rows of tiles than the result has, unless in0 goes to "
      "all",
      "asked of ttnn 0.81.1 (matmul_device_operation.cpp)"},
     rowsOfResult},
    {{"matmul.buffer_pages", "a circular buffer holds at most 65535 tiles", "facts/vendor-library 4"},
     bufferPages},
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
    {{"matmul.1d_mcast_in0.bias",
      "in 1D mcast_in0 shards of a bias that the kernel adds are as wide as per_core_N",
      "facts/vendor-library 4"},
     in0OneDBias},
    {{"matmul.1d_mcast_in0.out",
      "1D mcast_in0 gives an interleaved or width-sharded result, in in0's memory if in0 is sharded",
      "facts/hardware 4.1"},
     in0OneDOut},
    {{"matmul.1d_mcast_in0.whole_m",
      "1D mcast_in0 needs per_core_M to cover all rows, without padding if anything is sharded",
      "facts/hardware 4.1"},
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
    {{"matmul.1d_mcast_in1.whole_n", "1D mcast_in1 needs per_core_N to be all columns of a sharded result",
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
    {{"matmul.config.shards",
      "the cores of shards must lie within the program config's grid (since 2026 the result's only)",
      "facts/vendor-library 4"},
     shardsInGrid},
    {{"matmul.sharded_result.shards",
      "per_core_M x per_core_N tiles on each core must be shards of the whole result, full rows if "
      "height-sharded and full columns if width-sharded",
      "facts/vendor-library 4"},
     resultFitsShards},
    {{"matmul.sharded_result.orientation",
      "the reuse kernel needs in0 or in1 sharded to shard the result along the rows of cores",
      "tt-metal 0.77: matmul_device_operation.cpp", "shards along the columns of cores (ttnn 0.81.1)"},
     resultAlongRows},
    {{"matmul.default.in1_any_room",
      "without a program config shards of in1 are legal beside an interleaved in0 only while much of L1 is "
      "free",
      "facts/formulas 7.4", "refused in place by ttnn 0.81.1"},
     defaultIn1AnyRoom},
};

} // namespace

llvm::ArrayRef<Rule> matmulRules() { return kRules; }

} // namespace tessera::analytic
