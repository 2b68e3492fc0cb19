//===- Norm.cpp - Normalizations ------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Means and squares are taken in double and rounded to fp32 once; weight and bias are
// applied in fp32 to what is rounded. How the device's kernels do it: DeviceNorm.cpp.
//
//===----------------------------------------------------------------------===//
#include "DeviceKernels.h"
#include "Families.h"

#include "tessera/Simulator/Parallel.h"

#include <cmath>

namespace tessera::simulator {

namespace {

/// Normalizes `count` elements: with their mean taken off first, or not.
void normalizeLine(const float *from, float *to, int64_t count, double epsilon, bool centered) {
  // Two passes: squares of differences keep the bits that the difference of two large sums would lose.
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < count && centered; ++i)
    sum += from[i];
  double mean = centered ? sum / double(count) : 0;
  for (int64_t i = 0; i < count; ++i)
    squares += (from[i] - mean) * (from[i] - mean);
  double scale = 1 / std::sqrt(squares / double(count) + epsilon);
  for (int64_t i = 0; i < count; ++i)
    to[i] = float((from[i] - mean) * scale);
}

llvm::Error runLastDimNorm(KernelCall &call, bool centered) {
  if (llvm::Error error = needFloats(call))
    return error;
  if (llvm::Error error = needSameVolume(call))
    return error;
  const DenseTensor &input = call.operand(0), *weight = call.segment(1), *bias = call.segment(2);
  int64_t width = input.shape().back();
  if ((weight && weight->volume() != width) || (bias && bias->volume() != width))
    return failure("weight or bias is not as long as the last dimension");
  double epsilon = call.op.number("epsilon", 1e-12);
  parallelFor(input.volume() / std::max<int64_t>(width, 1), [&](int64_t line) {
    float *to = call.result().floats.data() + line * width;
    normalizeLine(input.floats.data() + line * width, to, width, epsilon, centered);
    for (int64_t i = 0; i < width; ++i)
      // In fp32 from here on: the row was rounded as the op's own result would be without them.
      to[i] = to[i] * (weight ? weight->floats[size_t(i)] : 1) + (bias ? bias->floats[size_t(i)] : 0);
  });
  return llvm::Error::success();
}

llvm::Error runRmsNorm(KernelCall &call) { return runLastDimNorm(call, false); }
llvm::Error runLayerNorm(KernelCall &call) { return runLastDimNorm(call, true); }

/// results[1] = operand + residual, results[0] = its norm.
llvm::Error runRmsNormResidual(KernelCall &call) {
  if (llvm::Error error = needFloats(call))
    return error;
  const DenseTensor &input = call.operand(0), &residual = call.operand(1), &weight = call.operand(2);
  DenseTensor &norm = call.results[0], &sum = call.results[1];
  int64_t width = input.rank() == 0 ? 0 : input.shape().back();
  if (residual.volume() != input.volume() || norm.volume() != input.volume() ||
      sum.volume() != input.volume() || weight.volume() != width)
    return failure("residual and results are not as large as the operand, or the weight is no row of it");
  // The sum is a result as well, and the norm is taken of it as it is before it is rounded to its format.
  for (size_t i = 0; i < sum.floats.size(); ++i)
    sum.floats[i] = input.floats[i] + residual.floats[i];
  double epsilon = call.op.number("epsilon", 1e-6);
  parallelFor(input.volume() / std::max<int64_t>(width, 1), [&](int64_t line) {
    float *to = norm.floats.data() + line * width;
    normalizeLine(sum.floats.data() + line * width, to, width, epsilon, /*centered=*/false);
    for (int64_t i = 0; i < width; ++i)
      to[i] *= weight.floats[size_t(i)];
  });
  return llvm::Error::success();
}

/// NCHW: mean, variance, weight and bias are per channel.
llvm::Error runBatchNorm(KernelCall &call) {
  if (llvm::Error error = needFloats(call))
    return error;
  if (llvm::Error error = needSameVolume(call))
    return error;
  const DenseTensor &input = call.operand(0), *mean = call.segment(1), *variance = call.segment(2),
                    *weight = call.segment(3), *bias = call.segment(4);
  if (input.rank() < 2)
    return failure("batch_norm_inference needs channels in dimension 1");
  int64_t channels = input.shape()[1];
  for (const DenseTensor *parameter : {mean, variance, weight, bias})
    if (parameter && parameter->volume() != channels)
      return failure("a parameter has another number of elements than there are channels");
  if (!mean || !variance)
    return failure("batch_norm_inference without mean or variance");
  double epsilon = call.op.number("epsilon", 1e-5);
  // A line is one channel of one image: mean and scale are the same all along it.
  Along lines = along(input.shape(), 1);
  parallelFor(lines.outer * channels, [&](int64_t line) {
    size_t channel = size_t(line % channels);
    double scale = 1 / std::sqrt(double(variance->floats[channel]) + epsilon);
    for (int64_t i = line * lines.inner, end = i + lines.inner; i < end; ++i)
      call.result().floats[size_t(i)] = float((input.floats[size_t(i)] - double(mean->floats[channel])) *
                                                  scale * (weight ? weight->floats[channel] : 1) +
                                              (bias ? bias->floats[channel] : 0));
  });
  return llvm::Error::success();
}

const KernelRow kNorm[] = {
    {.name = "ttnn.rms_norm", .kernel = runRmsNorm, .deviceKernel = runRmsNormOnDevice},
    {.name = "ttnn.layer_norm", .kernel = runLayerNorm, .deviceKernel = runLayerNormOnDevice},
    {"ttnn.rms_norm_residual", runRmsNormResidual},
    {"ttnn.batch_norm_inference", runBatchNorm}};

} // namespace

llvm::ArrayRef<KernelRow> normKernels() { return kNorm; }

} // namespace tessera::simulator
