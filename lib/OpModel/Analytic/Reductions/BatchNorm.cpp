//===- BatchNorm.cpp - Norms of a batch -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Tile by tile, with a statistic for each channel; training makes the statistics first and keeps running ones.
// Circular buffers: facts/formulas 9.
//
//===----------------------------------------------------------------------===//
#include "../Family.h"
#include "../Runtime.h"

namespace tessera::analytic {
namespace {

enum BatchVariant : unsigned { Inference, Training };

bool statisticsPerChannel(const OpCall &call) {
  const TensorRef &in = call.in[0];
  for (size_t i = 1; i < call.in.size(); ++i)
    if (call.in[i].rank() != 4 || call.in[i].dim(1) != in.dim(1) || call.in[i].elements() != in.dim(1))
      return false;
  return true;
}

/// Inference needs the running mean and variance: the first two optional operands.
bool runningStatistics(const OpCall &call) {
  llvm::ArrayRef<int64_t> sizes = call.op().integers("operandSegmentSizes");
  return call.row.variant != Inference || sizes.size() < 3 || (sizes[1] > 0 && sizes[2] > 0);
}

bool batchTypes(const OpCall &call) {
  return !answersAsNewest(call) || llvm::all_of(call.in, [](const TensorRef &t) {
    return t.dtype() == DataType::BFloat16 || t.dtype() == DataType::Float32;
  });
}

constexpr Rule kBatchRules[] = {
    {{"batch_norm.tiled", "batch norm needs tiled tensors", "facts/hardware 4.3"}, allOperandsTiled},
    {{"batch_norm.interleaved", "batch norm takes interleaved tensors only", "facts/hardware 4.3"},
     everythingInterleaved},
    {{"batch_norm.statistics", "mean, variance, weight and bias must have shape [1, C, 1, 1]",
      "facts/formulas 9"},
     statisticsPerChannel},
    {{"batch_norm.running_statistics", "inference needs the running mean and variance", "facts/formulas 9"},
     runningStatistics},
    {{"batch_norm.types", "batch norm takes bf16 and f32 only",
      "ttnn 0.77.0 and 0.81.1 (batch_norm_device_operation.cpp)"},
     batchTypes},
};

void batchMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  use.program("normalise");
  use.buffer("operand, epsilon, denominator, difference and result", 10, in.tile);
  // Statistics of a batch are of the operand's type. Weight and bias have their two tiles whether they are there or not; of absent
  // ones these are bf16.
  bool training = call.row.variant == Training;
  for (size_t i = 1; i < call.row.maxOperands; ++i) {
    const TensorRef *given = segmentOperand(call, i);
    bool ofBatch = training && i <= 2;
    use.buffer("mean, variance, weight or bias", 2,
               ofBatch ? in.tile
               : given ? given->tile
                       : tileBytes(DataType::BFloat16).value());
  }
  if (!training)
    return;
  use.program("running statistics");
  bool running = segmentOperand(call, 1) || segmentOperand(call, 2) || !answersAsNewest(call);
  use.buffer("statistics, momentum and results",
             !running                     ? 0
             : answersAsOctober2026(call) ? 18
                                          : 24,
             in.tile);
  // Statistics of each image and of the batch lie in L1 where the result does: a tile for each channel.
  int64_t channels = in.dim(1), images = in.dim(0);
  int64_t statistics = 3 * ceilDiv(images * channels, call.cores()) + ceilDiv(channels, call.cores());
  use.tensors(2 * call.perCore(out) + (out.l1() ? statistics * in.tile : 0));
}

constexpr PathCost kBatchTiles = {P::BatchNorm, P::BatchNormMove, P::BatchNormMove};

OpRuntime batchRuntime(const OpCall &call) {
  return timeOf(call, streamWork(call, busiestTiles(call), kBatchTiles));
}

constexpr llvm::StringRef kOperands[] = {"operand", "mean", "variance", "weight", "bias"};
const Family kBatch = {"batch_norm", kOperands, kBatchRules, outputsLikeOperand0, batchMemory, batchRuntime};

const OpRow kRows[] = {
    {"ttnn.batch_norm_inference", &kBatch, 3, 5, 1, 0, Inference},
    {"ttnn.batch_norm_training", &kBatch, 1, 5, 1, 0, Training},
};

} // namespace

Rows batchNormRows() { return kRows; }

} // namespace tessera::analytic
