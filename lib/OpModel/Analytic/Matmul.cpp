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

#include "Runtime.h"

namespace tessera::analytic {

bool biasFused(const OpCall &call) { return call.hasOperand(2) && matmulPlan(call).given; }

bool activationFollows(const OpCall &call) {
  return !call.op().string("activation").empty() && !matmulPlan(call).given;
}

bool transposes(const OpCall &call, size_t operand) {
  return call.op().boolean(operand == 0 ? "transpose_a" : "transpose_b", false);
}

namespace {

using Kind = MatmulPlan::Kind;

// ---- Result layout --------------------------------------------------------------------------------------

/// The result as the kernel shards it: per_core_M x per_core_N tiles on as many cores as have work, placed
/// row by row on the plan's grid. The request fixes only buffer and kind.
TensorLayout producedShards(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorLayout &requested = *call.out[0].layout;
  GridShape grid{plan.blocksM(), plan.blocksN()};
  TensorLayout layout = l1Sharded(*call.out[0].desc, *requested.memory, grid, call.device().workerGrid);
  layout.buffer = requested.buffer;
  layout.dtype = requested.dtype;
  layout.mesh = requested.mesh;
  layout.shard = {plan.perCoreM, plan.perCoreN};
  if (*requested.memory == MemoryLayout::BlockSharded)
    layout.cores = rectangleOfCores(grid);
  else
    layout.cores = rowMajorCores(CoreCount(grid.volume()), {plan.gridY, plan.gridX});
  return layout;
}

bool addsBias(const OpCall &call) { return call.hasOperand(2) && !biasFused(call); }

/// An op of its own writes the result, from what the kernel made.
bool hasPostOp(const OpCall &call) { return addsBias(call) || activationFollows(call); }

void outputs(OpCall &call) {
  TensorRef &out = call.out[0];
  if (!out.decided())
    return call.dramIfUndecided(0); // also with a sharded in0: facts/ir 5.1
  if (!out.sharded() || (hasPostOp(call) && !out.layout->ignorePhysicalLayout))
    return;
  const MatmulPlan &plan = matmulPlan(call);
  GridShape grid{plan.blocksM(), plan.blocksN()};
  // The request's own id where it is what the kernel makes: nothing is interned on the way that most queries go.
  bool asRequested = !out.layout->ignorePhysicalLayout && out.layout->grid == grid &&
                     out.layout->shard == GridShape{plan.perCoreM, plan.perCoreN};
  if (!asRequested)
    call.setOutput(0, producedShards(call));
}

// ---- Memory ---------------------------------------------------------------------------------------------

/// Bytes of a tile in the accumulation buffer.
int64_t intermediateTile(const OpCall &call) {
  const MatmulPlan &plan = matmulPlan(call);
  bool fp32 = call.op().boolean("compute_config.fp32_dest_acc_en", false);
  // The packer accumulates in L1 from the third block of K on, with a bias from the second (facts/hardware 4.6).
  bool packsToL1 =
      call.op().boolean("compute_config.packer_l1_acc", false) && plan.kBlocks() > (biasFused(call) ? 1 : 2);
  if (fp32)
    return 4096;
  return packsToL1 ? 2048 : call.out[0].tile;
}

void outputBuffers(const OpCall &call, MemoryUse &use) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorRef &out = call.out[0];
  bool wholeBlock = plan.kind == Kind::Reuse; // also if it holds several batches
  int64_t tiles = wholeBlock ? plan.perCoreM * plan.perCoreN : plan.blockH * plan.blockW;
  int64_t intermediate = intermediateTile(call);
  bool separate = intermediate != out.tile;
  bool severalBlocks = !wholeBlock && (plan.blockH != plan.perCoreM || plan.blockW != plan.perCoreN);
  if (!out.sharded())
    use.buffer("out block", tiles, out.tile);
  // The result's own buffer serves as accumulator if formats agree; a shard does only if it is one block.
  if (separate || (out.sharded() && severalBlocks))
    use.buffer("accumulator", tiles, intermediate);
}

void in0Buffers(const OpCall &call, MemoryUse &use, int64_t depth) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorRef &in0 = call.in[0];
  if (plan.kind == Kind::MultiCast1DIn1 && in0.sharded()) {
    // The shard is in0's buffer; with several k blocks they are copied out of it one by one.
    if (plan.kBlocks() > 1)
      use.buffer("in0 blocks read again", plan.kBlocks() * plan.perCoreM * plan.blockK, in0.tile);
    return;
  }
  bool inPlace = in0.sharded() && (plan.kind == Kind::Reuse || in0.shardedAs(MemoryLayout::HeightSharded));
  if (!inPlace)
    use.buffer("in0 block", plan.blockH * plan.blockK * depth, in0.tile);
  if (in0.sharded() && !inPlace)
    use.buffer("multicast semaphores", 1, 64);
}

void kernelBuffers(const OpCall &call, MemoryUse &use) {
  const MatmulPlan &plan = matmulPlan(call);
  const TensorRef &in1 = call.in[1];
  use.program("matmul");
  if (plan.kind == Kind::MultiCore) {
    use.buffer("in0 tiles", 2, call.in[0].tile);
    use.buffer("in1 tiles", 2, in1.tile);
    use.buffer("out tiles", 2, call.out[0].tile);
    return;
  }
  int64_t depth = plan.batch * plan.kBlocks() > 1 ? 2 : 1;
  in0Buffers(call, use, depth);
  bool in1InPlace = in1.sharded() && in1.l1();
  // The DRAM-sharded reader keeps a third block in flight.
  int64_t in1Depth = plan.kind == Kind::DramSharded && plan.kBlocks() > 1 ? 3 : depth;
  if (!in1InPlace)
    use.buffer("in1 block", plan.blockW * plan.blockK * in1Depth, in1.tile);
  outputBuffers(call, use);
  if (biasFused(call))
    use.buffer("bias", plan.blockW, call.in[2].tile);
}

/// L1 per core of the kernel's own result, before anything that follows it.
int64_t productBytes(const OpCall &call) {
  const TensorRef &out = call.out[0];
  if (!out.l1() || !out.sharded())
    return call.perCore(out);
  return ceilDiv(out.tiles(), matmulPlan(call).cores()) * out.tile;
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
    binaryBuffers(call, use, out, call.in[2], out);
  }
  if (activationFollows(call)) {
    use.program("activation");
    use.buffer("operand and result", 4, out.tile);
  }
  use.tensors(temporaries + call.perCore(out) + (hasPostOp(call) ? productBytes(call) : 0));
}

/// The kernels that the backend's own choice leads to; the others, weights in shards, a bias that is added
/// within the kernel and an accumulator of its own format are in no golden.
bool confirmed(const OpCall &call) {
  Kind kind = matmulPlan(call).kind;
  return kind != Kind::Reuse && kind != Kind::DramSharded && !call.in[1].sharded() && !biasFused(call) &&
         intermediateTile(call) == call.out[0].tile;
}

constexpr llvm::StringRef kOperands[] = {"in0", "in1", "bias"};
const Family kMatmul = {"matmul", kOperands, matmulRules(), outputs, memory, matmulRuntime, confirmed};

const OpRow kRows[] = {
    {"ttnn.linear", &kMatmul, 2, 3},
    {"ttnn.matmul", &kMatmul, 2, 2},
};

} // namespace

Rows matmulRows() { return kRows; }

} // namespace tessera::analytic
