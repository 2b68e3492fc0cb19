//===- DeviceNorm.cpp - rms_norm and layer_norm as the library's kernels --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Mean, difference, square, mean of squares, 1 / sqrt, and a product each by it and
// by the weight: each step is written and read back (kernel layernorm.cpp of ttnn
// 0.81.1; sharded operands have another kernel, whose sums are cut otherwise, and are
// computed as if interleaved). Without a compute config both run with HiFi4, the
// layer norm with a 32-bit Dst, the RMS norm with 16 bits and an approximate root
// (facts/real-kernels).
//
//===----------------------------------------------------------------------===//
#include "DeviceKernels.h"

#include "DeviceRows.h"
#include "VectorUnit.h"

#include "tessera/OpModel/ComputeConfig.h"

namespace tessera::simulator {

namespace {

struct Norm {
  engine::Precision precision;
  vector_unit::Function inverseRoot;
  float epsilon;
  bool isCentered;
  const DenseTensor *weight, *bias; ///< as wide as a row, or null
};

/// The vector unit divides the matrix engine's sums.
std::vector<float> meansOf(const Rows &rows, const Norm &how) {
  std::vector<float> means = sumRows(rows, how.precision);
  for (float &mean : means)
    mean = stored(vector_unit::multiply(mean, 1 / float(rows.width)), how.precision.fp32Dest);
  return means;
}

void center(const Rows &rows, const Norm &how) {
  std::vector<float> means = meansOf(rows, how);
  for (int64_t row = 0; row < rows.count; ++row)
    addToRow(rows.row(row), -means[size_t(row)], how.precision.fp32Dest);
}

/// What each row is to be multiplied by.
std::vector<float> scalesOf(const Rows &rows, const Norm &how) {
  std::vector<float> squares(size_t(rows.count * rows.width));
  engine::multiplyElements(rows.elements, rows.elements, int64_t(squares.size()), how.precision,
                           squares.data());
  std::vector<float> scales = meansOf({squares.data(), rows.count, rows.width}, how);
  for (float &scale : scales)
    scale = how.inverseRoot(addOnDevice(scale, how.epsilon, how.precision.fp32Dest));
  return scales;
}

void applyParameters(llvm::MutableArrayRef<float> row, const Norm &how) {
  if (how.weight)
    engine::multiplyElements(row.data(), how.weight->floats.data(), int64_t(row.size()), how.precision,
                             row.data());
  for (size_t i = 0; how.bias && i < row.size(); ++i)
    row[i] = addOnDevice(row[i], how.bias->floats[i], how.precision.fp32Dest);
}

void normalizeRows(const Rows &rows, const Norm &how) {
  if (how.isCentered)
    center(rows, how);
  std::vector<float> scales = scalesOf(rows, how);
  for (int64_t row = 0; row < rows.count; ++row) {
    multiplyRow(rows.row(row), scales[size_t(row)], how.precision);
    applyParameters(rows.row(row), how);
  }
}

float roughInverseRoot16(float x) { return vector_unit::nearestBFloat16(vector_unit::roughInverseRoot(x)); }

vector_unit::Function inverseRootOf(const ComputeConfig &config, Arch arch) {
  if (!config.approximate)
    return vector_unit::findFunction("rsqrt", arch, config.fp32Accumulate);
  return config.fp32Accumulate ? vector_unit::roughInverseRoot : roughInverseRoot16;
}

llvm::Error runNormOnDevice(KernelCall &call, bool isCentered) {
  if (llvm::Error error = needFloats(call))
    return error;
  if (llvm::Error error = needSameVolume(call))
    return error;
  const DenseTensor &input = call.operand(0), *weight = call.segment(1), *bias = call.segment(2);
  int64_t width = input.shape().back();
  if ((weight && weight->volume() != width) || (bias && bias->volume() != width))
    return failure("weight or bias is not as long as the last dimension");
  // What each kernel takes where nothing is stated; a 32-bit Dst where the operand has 32 bits.
  ComputeConfig config = statedComputeConfig(call.op).value_or(
      ComputeConfig{.fidelity = 4,
                    .approximate = !isCentered,
                    .fp32Accumulate = isCentered || input.desc.dtype == DataType::Float32});
  Norm how{{config.fidelity, config.fp32Accumulate},
           inverseRootOf(config, archOf(call)),
           float(call.op.number("epsilon", 1e-12)),
           isCentered,
           weight,
           bias};
  forEachRows(input, call.result(), along(input.shape(), input.rank() - 1),
              [&](const Rows &rows) { normalizeRows(rows, how); });
  return llvm::Error::success();
}

} // namespace

llvm::Error runRmsNormOnDevice(KernelCall &call) { return runNormOnDevice(call, false); }
llvm::Error runLayerNormOnDevice(KernelCall &call) { return runNormOnDevice(call, true); }

} // namespace tessera::simulator
