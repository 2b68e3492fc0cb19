//===- ConvRuntime.cpp - Time of a convolution's programs -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A convolution is several programs, as the library runs them: the operand to shards, a halo of neighbouring rows, the
// kernel, and the result to its place. Each has a time formula of its own that others use as well; one that is sliced
// goes through all of them once per slice.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/ConversionRuntime.h"
#include "../Matmul/Matmul.h"
#include "../Runtime.h"
#include "tessera/OpModel/WindowPrograms.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

MatmulPlan blocksOf(const ConvPlan &plan) {
  using Kind = MatmulPlan::Kind;
  MatmulPlan blocks;
  // The kernel shares its operands as the multicast matmul of that kind does, so its time is that formula's.
  blocks.kind = plan.kind == MemoryLayout::HeightSharded  ? Kind::MultiCast1DIn1
                : plan.kind == MemoryLayout::WidthSharded ? Kind::MultiCast1DIn0
                                                          : Kind::MultiCast2D;
  blocks.m = plan.window.outTileRows();
  blocks.n = ceilDiv(plan.window.outChannels, 32);
  blocks.k = plan.blockW * plan.kBlocks;
  blocks.perCoreM = plan.perCoreM;
  blocks.perCoreN = plan.perCoreN;
  blocks.blockH = plan.blockH;
  // The kernel goes through all columns of a core for each block of rows.
  blocks.blockW = plan.perCoreN;
  blocks.blockK = plan.blockW;
  return blocks;
}

/// Pixels of the input on the core that has most, one stick of channels each.
int64_t inSticks(const ConvPlan &plan) {
  return ceilDiv(plan.window.batch * plan.window.inHeight * plan.window.inWidth, plan.pixelCores);
}
double stickBytes(const OpCall &call, const ConvPlan &plan) {
  return double(plan.channels * call.in[0].scalar);
}

/// The operand to shards: a padded slice if sliced, else as it is.
OpRuntime shardOperand(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &in = call.in[0];
  double rows = double(inSticks(plan)), row = stickBytes(call, plan);
  if (plan.sliced) {
    PaddedSliceWork slice;
    slice.shardRows = rows;
    slice.rowBytes = row;
    // What slices share at their borders is read twice, and left out here.
    slice.bytes = double(in.bytes()) / double(plan.slices);
    if (in.tiled()) {
      slice.tileRows = std::ceil(rows / 32);
      slice.tileCols = double(ceilDiv(plan.channels, 32));
      slice.narrow = plan.channels < 32;
    }
    return paddedSliceTime(call.device(), *call.parameters, slice);
  }
  ShardMove move;
  move.tiled = in.tiled();
  move.unitBytes = move.tiled ? double(in.tile) : row;
  move.units = move.tiled ? std::ceil(rows / 32) * double(ceilDiv(plan.channels, 32)) : rows;
  move.bytes = double(in.bytes());
  move.coresAbove = double(std::min(plan.cores(), call.device().workerGrid.rows));
  move.dram = in.dram();
  return shardingTime(call.device(), *call.parameters, move);
}

OpRuntime halo(const OpCall &call, const ConvPlan &plan) {
  double row = stickBytes(call, plan);
  HaloWork work = haloOf(plan.window, double(inSticks(plan)), double(plan.halo) / row, row,
                         double(plan.pixelCores), double(plan.cores()));
  // A slice has become rows when it was cut out.
  if (call.in[0].tiled() && !plan.sliced) {
    work.tileRows = double(ceilDiv(inSticks(plan), 32));
    work.tileCols = double(ceilDiv(plan.channels, 32));
  }
  return haloTime(call.device(), *call.parameters, work);
}

OpRuntime kernel(const OpCall &call, const ConvPlan &plan) {
  // A window of one pixel gathers nothing: the matmul kernel runs instead, on prepared weights in DRAM.
  if (plan.matmul) {
    MatmulTraffic traffic{call.in[0].tile,   convWeightTile(call), call.out[0].tile, false, true, false, true,
                          mathFidelity(call)};
    return matmulKernelTime(call.device(), *call.parameters, blocksOf(plan), traffic);
  }
  ConvWork work;
  work.rows = double(plan.perCoreM);
  work.columns = double(plan.perCoreN);
  work.inner = double(plan.blockW * plan.kBlocks);
  work.blockRows = double(plan.blockH);
  work.blockInner = double(plan.blockW);
  work.kernelH = double(plan.window.kernelH);
  work.kernelW = double(plan.window.kernelW);
  work.stickBytes = stickBytes(call, plan);
  work.weightTile = double(convWeightTile(call));
  work.channelCores = double(plan.channelCores);
  work.multicast = plan.kind != MemoryLayout::HeightSharded;
  work.doubleBuffer = call.op().boolean("conv2d_config.enable_act_double_buffer", false);
  work.fidelity = mathFidelity(call);
  return convKernelTime(call.device(), *call.parameters, work);
}

/// The result of a slice to its place, or the whole to where it was asked for.
OpRuntime moveResult(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &out = call.out[0];
  double tiles = double(plan.perCoreM * plan.perCoreN), bytes = double(out.bytes()) / double(plan.slices);
  double rows = double(plan.perCoreM * 32), row = double(plan.perCoreN * 32 * out.scalar);
  if (plan.sliced)
    return sliceWriteTime(call.device(), *call.parameters,
                          {out.tiled(), out.tiled() ? tiles : rows, row, out.dram() ? bytes : 0});
  ShardMove move{out.tiled(), out.tiled() ? tiles : rows, out.tiled() ? double(out.tile) : row, bytes, 1,
                 out.dram()};
  return unshardingTime(call.device(), *call.parameters, move);
}

} // namespace

OpRuntime convRuntime(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  OpRuntime slice, time;
  // A sharded operand is taken to lie as the convolution wants it.
  if (!call.in[0].sharded())
    addTime(slice, shardOperand(call, plan));
  if (!plan.matmul)
    addTime(slice, halo(call, plan));
  addTime(slice, kernel(call, plan));
  const TensorRef &out = call.out[0];
  if (plan.sliced || !out.shardedAs(plan.kind) || out.layout->grid != plan.outGrid())
    addTime(slice, moveResult(call, plan));
  // All slices count like the first, which is an approximation: those in the middle have no padding and read
  // more of the operand (facts/vendor-library 4).
  addTime(time, slice, double(plan.slices));
  return time;
}

} // namespace tessera::analytic
