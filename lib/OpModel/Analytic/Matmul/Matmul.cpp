//===- Matmul.cpp - matmul and linear ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Circular buffers of a matmul kernel (facts/formulas 7.2):
//
//   in0     block_h * block_k   doubled if there is a next block to prefetch; none if the shard is used in place
//   in1     block_k * block_w   doubled likewise
//   out     block_h * block_w   aliases the result's shard if sharded
//   interm  block_h * block_w   of its own if the accumulator's format differs from the result's, or if a sharded
//                               result is computed in several blocks
//
//===----------------------------------------------------------------------===//
#include "Matmul.h"

#include "../Kernels.h"

#include "../Runtime.h"

namespace tessera::analytic {

GridShape boxOf(const TensorLayout &layout) {
  if (!layout.cores)
    return layout.grid;
  CoreRange box = layout.cores->boundingBox();
  return {box.end.y - box.start.y + 1, box.end.x - box.start.x + 1};
}

bool statesCores(const TensorRef &tensor) {
  return tensor.sharded() && !tensor.layout->ignorePhysicalLayout && tensor.layout->cores.has_value();
}

static const MatmulProgramConfig *givenConfig(const OpCall &call) {
  return std::get_if<MatmulProgramConfig>(&call.query.config.specific);
}

bool biasFused(const OpCall &call) {
  const MatmulProgramConfig *given = givenConfig(call);
  if (!newest(call) || !call.hasOperand(2))
    return given && call.hasOperand(2);
  const TensorRef &a = call.in[0], &b = call.in[1], &out = call.out[0];
  if (call.in[2].height > 32 || b.batch > 1)
    return false;
  if (given)
    return given->kind != MatmulProgramConfig::Kind::Reuse;
  // Also without a program config, where the backend is sure to choose a kernel that can.
  bool allDram = a.dram() && b.dram() && b.interleaved() && out.interleaved();
  return !out.l1() && (a.sharded() || allDram);
}

bool activationFollows(const OpCall &call) {
  const auto *given = std::get_if<MatmulProgramConfig>(&call.query.config.specific);
  // Since 2026 a program config that fuses none leaves it to a program of its own (asked of ttnn 0.77.0 and 0.81.1).
  bool left = given ? newest(call) && given->fusedActivation.empty() : !matmulPlan(call).given;
  return left && !call.op().string("activation").empty();
}

bool transposes(const OpCall &call, size_t operand) {
  if (!call.op().boolean(operand == 0 ? "transpose_a" : "transpose_b", false))
    return false;
  // Since 2026 the kernels that read blocks transpose them themselves.
  MatmulPlan::Kind kind = matmulPlan(call).kind;
  return !newest(call) || kind == MatmulPlan::Kind::MultiCore || kind == MatmulPlan::Kind::DramSharded;
}

DataType resultType(const OpCall &call) {
  llvm::ArrayRef<LayoutId> wanted = call.query.config.outputs;
  bool free = wanted.empty() || !wanted.front().valid();
  return newest(call) && free ? call.in[0].dtype() : call.out[0].dtype();
}
int64_t resultTile(const OpCall &call) { return tileBytes(resultType(call)).value(); }

bool packsToL1(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  // The accumulation returns from L1 for its last block of K, unless a bias follows or in0 goes to all, and since October 2026 in no
  // kernel that multicasts (asked of ttnn 0.81.1).
  bool october = answersAsOctober2026(call) && plan.kind != MatmulPlan::Kind::Reuse;
  bool early = october || plan.kind == MatmulPlan::Kind::MultiCast1DIn0 ||
               plan.kind == MatmulPlan::Kind::DramSharded ||
               (biasFused(call) && plan.kind != MatmulPlan::Kind::Reuse);
  return matmulComputeConfig(call).packerL1Accumulate && plan.kBlocks() > (early ? 1 : 2);
}

namespace {

using Kind = MatmulPlan::Kind;

// ---- Result layout --------------------------------------------------------------------------------------

/// A request for block shards on one row or column of cores, which the 1D kernels take as it is.
bool asksForLine(const OpCall &call) {
  const TensorRef &out = call.out[0];
  if (!newest(call) || !out.shardedAs(MemoryLayout::BlockSharded) || !statesCores(out))
    return false;
  GridShape box = boxOf(*out.layout);
  Kind kind = matmulPlan(call).kind;
  return (kind == Kind::MultiCast1DIn0 || kind == Kind::MultiCast1DIn1) &&
         (box.rows == 1 || box.columns == 1);
}

/// Cores of the result: the requested ones without multicast, else as many as have work.
CoreRangeSet resultCores(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorRef &out = call.out[0];
  if (newest(call) && plan.kind == Kind::Reuse && statesCores(out))
    return *out.layout->cores;
  int64_t rows = newest(call) ? ceilDiv(out.tileRows, plan.perCoreM) : plan.blocksM();
  if (plan.kind == Kind::MultiCast2D || (!newest(call) && out.shardedAs(MemoryLayout::BlockSharded)))
    return rectangleOfCores({rows, plan.blocksN()});
  GridShape grid =
      plan.kind == Kind::DramSharded ? call.device().workerGrid : GridShape{plan.gridY, plan.gridX};
  int64_t cores = std::min(plan.blocksM() * plan.blocksN(), grid.volume());
  return rowMajorCores(CoreCount(cores), grid);
}

} // namespace

ResultShards resultShards(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorLayout &requested = *call.out[0].layout;
  ResultShards made;
  made.memory = *requested.memory;
  if (asksForLine(call)) {
    made.memory = boxOf(requested).columns == 1 ? MemoryLayout::HeightSharded : MemoryLayout::WidthSharded;
    made.shard = requested.shard;
    made.cores = *requested.cores;
  } else {
    made.shard = {plan.perCoreM, plan.perCoreN};
    made.cores = resultCores(call);
  }
  made.grid = shardGridOn(made.memory, made.cores);
  // Without shards to follow that kernel deals out down the columns of cores, which no layout of the IR says (a rule
  // refuses it).
  made.columnMajor = plan.kind == Kind::Reuse && allOperandsInterleaved(call);
  return made;
}

namespace {

bool addsBias(const OpCall &call) { return call.hasOperand(2) && !biasFused(call); }

/// An op of its own writes the result, from what the kernel made.
bool hasPostOp(const OpCall &call) { return addsBias(call) || activationFollows(call); }

void outputs(OpCall &call) {
  TensorRef &out = call.out[0];
  if (!out.decided())
    return call.dramIfUndecided(0); // also with a sharded in0: facts/ir 5.1
  // Until 2026 what follows the kernel wrote its result as requested.
  if (!out.sharded() || (!newest(call) && hasPostOp(call) && !out.layout->ignorePhysicalLayout))
    return;
  ResultShards made = resultShards(call);
  // The request's own id where it is what the kernel makes: nothing is interned on the way that most queries go.
  bool asRequested = !out.layout->ignorePhysicalLayout && out.layout->memory == made.memory &&
                     out.layout->grid == made.grid && out.layout->shard == made.shard &&
                     (out.layout->cores == made.cores || !newest(call));
  if (asRequested)
    return;
  TensorLayout layout = *out.layout;
  layout.ignorePhysicalLayout = false;
  layout.memory = made.memory;
  layout.grid = made.grid;
  layout.shard = made.shard;
  layout.cores = made.cores;
  call.setOutput(0, layout);
}

// ---- Memory ---------------------------------------------------------------------------------------------

/// Bytes of a tile in the accumulation buffer.
int64_t intermediateTile(const OpCall &call) {
  if (matmulComputeConfig(call).fp32Accumulate)
    return 4096;
  return packsToL1(call) ? 2048 : resultTile(call);
}

/// Columns of tiles that a core of the DRAM-sharded kernel computes: those of its bank, rounded up to subblocks if that makes them
/// fewer.
int64_t bankColumns(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  int64_t shard = call.in[1].shardTiles().columns, banks = ceilDiv(plan.n, shard);
  int64_t columns = ceilDiv(plan.n, banks), most = matmulComputeConfig(call).fp32Accumulate ? 4 : 8;
  int64_t width = 1;
  for (int64_t w = 1; w <= most; ++w)
    if (columns % w == 0)
      width = w;
  int64_t best = columns / width, wide = width;
  for (int64_t w = width + 1; w <= most; ++w)
    if (ceilDiv(columns, w) < best) {
      best = ceilDiv(columns, w);
      wide = w;
    }
  return wide * best;
}

void outputBuffers(const OpCall &call, MemoryUse &use) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorRef &out = call.out[0];
  bool wholeBlock = plan.kind == Kind::Reuse;    // also if it holds several batches
  bool perBank = plan.kind == Kind::DramSharded; // brought into the result's shards afterwards
  int64_t tiles = wholeBlock ? plan.perCoreM * plan.perCoreN : plan.blockH * plan.blockW;
  if (perBank)
    tiles = plan.perCoreM * bankColumns(call);
  int64_t intermediate = intermediateTile(call);
  bool columns = answersAsOctober2026(call) && plan.blockW != plan.perCoreN;
  bool several = out.sharded() && !wholeBlock && (plan.blockH != plan.perCoreM || columns);
  if (!out.sharded() || perBank)
    use.buffer("out block", tiles, resultTile(call));
  // The result's own buffer serves as accumulator if formats agree; a shard does only if it is one row of blocks.
  if (intermediate != resultTile(call) || several)
    use.buffer("accumulator", tiles, intermediate);
}

/// Tiles of in0's circular buffer; that of a shard in place is the shard.
struct In0Buffer {
  int64_t tiles = 0;
  bool inPlace = false;
};
In0Buffer in0Buffer(const OpCall &call, int64_t depth) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorRef &in0 = call.in[0];
  int64_t block = plan.blockH * plan.blockK * depth;
  // Used in place if it is read in one go, or strip by strip; else blocks are copied out of it one by one.
  bool whole =
      plan.kBlocks() == 1 && (plan.blockH == plan.perCoreM || plan.blockW == plan.perCoreN || !newest(call));
  if (plan.kind == Kind::MultiCast1DIn1 && in0.sharded())
    return {plan.kBlocks() * plan.perCoreM * plan.blockK, whole};
  if (plan.kind == Kind::Reuse)
    return {in0.sharded() ? plan.perCoreM * plan.k : block, in0.sharded()};
  return {block, plan.kind == Kind::MultiCast2D && in0.shardedAs(MemoryLayout::HeightSharded)};
}

void in0Buffers(const OpCall &call, MemoryUse &use, int64_t depth) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorRef &in0 = call.in[0];
  In0Buffer buffer = in0Buffer(call, depth);
  if (!buffer.inPlace)
    use.buffer("in0 block", buffer.tiles, in0.tile);
  bool sends = plan.kind == Kind::MultiCast1DIn0 || (plan.kind == Kind::MultiCast2D && !buffer.inPlace);
  if (in0.sharded() && sends && !answersAsOctober2026(call))
    use.buffer("multicast semaphores", 1, 64);
  if (call.op().boolean("transpose_a", false) && !transposes(call, 0))
    use.buffer("in0 block transposed", buffer.tiles, in0.tile);
}

void in1Buffers(const OpCall &call, MemoryUse &use, int64_t depth) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorRef &in1 = call.in[1];
  // The DRAM-sharded reader keeps a third block in flight.
  if (plan.kind == Kind::DramSharded)
    use.buffer("in1 block",
               ceilDiv(plan.n, ceilDiv(plan.n, in1.shardTiles().columns)) * plan.blockK * (depth > 1 ? 3 : 1),
               in1.tile);
  else if (!in1.sharded() || in1.dram())
    use.buffer("in1 block", plan.blockW * plan.blockK * depth, in1.tile);
}

/// Cores that hold shards of in0 and compute no block have its buffer for themselves since October 2026 (facts/vendor-library 6).
void senderBuffers(const OpCall &call, MemoryUse &use, int64_t depth) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorRef &in0 = call.in[0];
  In0Buffer buffer = in0Buffer(call, depth);
  bool line = plan.kind == Kind::MultiCast1DIn0;
  if (!answersAsOctober2026(call) || !in0.sharded() || buffer.inPlace ||
      !(line || plan.kind == Kind::MultiCast2D))
    return;
  int64_t holders = line ? in0.shardCores() : ceilDiv(in0.tileCols, in0.shardTiles().columns);
  if (holders <= plan.blocksN())
    return;
  use.otherCores();
  use.buffer("in0 block of cores that only send", buffer.tiles, in0.tile);
}

/// One block of in1 that all batches of in0 meet stays where it is, in kernels of one line of cores (asked of ttnn 0.77.0 and 0.81.1).
bool keepsIn1(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  bool line = plan.kind == Kind::MultiCast1DIn0 || plan.kind == Kind::MultiCast1DIn1;
  return newest(call) && line && plan.kBlocks() == 1 && call.in[1].batch == 1;
}

void kernelBuffers(const OpCall &call, MemoryUse &use) {
  const MatmulPlan &plan = matmulPlan(call);
  use.program("matmul");
  if (plan.kind == Kind::MultiCore) {
    use.buffer("in0 tiles", 2, call.in[0].tile);
    use.buffer("in1 tiles", 2, call.in[1].tile);
    use.buffer("out tiles", 2, resultTile(call));
    return;
  }
  bool again = plan.batch * plan.kBlocks() > 1 || (plan.kind == Kind::Reuse && newest(call));
  in0Buffers(call, use, again ? 2 : 1);
  in1Buffers(call, use, again && !keepsIn1(call) ? 2 : 1);
  outputBuffers(call, use);
  // Only where in0 goes to all are shards of the bias added in place.
  if (biasFused(call) && !(plan.kind == Kind::MultiCast1DIn0 && call.in[2].sharded()))
    use.buffer("bias", plan.kind == Kind::DramSharded ? bankColumns(call) : plan.blockW, call.in[2].tile);
  senderBuffers(call, use, again ? 2 : 1);
}

/// L1 per core of the kernel's own result, before anything that follows it.
int64_t productBytes(const OpCall &call) {
  const TensorRef &out = call.out[0];
  if (!out.l1() || !out.sharded())
    return call.perCore(out);
  return ceilDiv(out.tiles(), matmulPlan(call).cores()) * out.tile;
}

/// What a core sets aside for the result: since 2026 the backend reports whole shards.
int64_t resultBytes(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return newest(call) && out.l1() && out.sharded() ? out.shardTiles().volume() * out.tile : call.perCore(out);
}

void memory(const OpCall &call, MemoryUse &use) {
  const TensorRef &out = call.out[0];
  // Transposed operands exist in both forms while the kernel runs.
  int64_t temporaries = 0;
  for (size_t i = 0; i < 2; ++i) {
    if (!transposes(call, i))
      continue;
    use.program("transpose");
    use.buffer("operand and result of the transposition", 4, call.in[i].tile);
    if (call.in[i].l1())
      temporaries += call.perCoreInterleaved(call.in[i]);
  }
  kernelBuffers(call, use);
  if (addsBias(call)) {
    use.program("bias"); // added to the product, which lies where the result does
    TensorRef product = out;
    product.tile = resultTile(call);
    binaryBuffers(call, use, product, call.in[2], product);
  }
  if (activationFollows(call)) {
    use.program("activation");
    use.buffer("operand and result", 4, resultTile(call));
  }
  int64_t product = !hasPostOp(call) ? 0 : newest(call) ? resultBytes(call) : productBytes(call);
  use.tensors(temporaries + resultBytes(call) + product);
  // What shards hold beyond the result's pages is resident already (Pressure.h).
  use.combinedPeak(use.circularBuffers() + temporaries + call.perCore(out) + product);
}

/// The kernels that the backend's own choice leads to; the others, weights in shards, a bias that is added
/// within the kernel and an accumulator of its own format are in no golden.
bool confirmed(const OpCall &call) {
  Kind kind = matmulPlan(call).kind;
  return kind != Kind::Reuse && kind != Kind::DramSharded && !call.in[1].sharded() && !biasFused(call) &&
         intermediateTile(call) == call.out[0].tile;
}

constexpr llvm::StringRef kOperands[] = {"in0", "in1", "bias"};
const Family kMatmul = {"matmul", kOperands,     matmulRules(), outputs,
                        memory,   matmulRuntime, confirmed,     countMatmul};

const OpRow kRows[] = {
    {"ttnn.linear", &kMatmul, 2, 3},
    {"ttnn.matmul", &kMatmul, 2, 2},
};

} // namespace

Rows matmulRows() { return kRows; }

} // namespace tessera::analytic
