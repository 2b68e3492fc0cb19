//===- DeviceSoftmax.cpp - softmax as the library's kernel ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// exp(x) or exp(x - max), packed; their sum by the matrix engine; its reciprocal; a
// product. Without a compute config it runs with the rough exponential, a 32-bit Dst
// and HiFi4, on Wormhole HiFi3 (facts/real-kernels; kernel attention/compute/softmax
// of ttnn 0.81.1).
//
//===----------------------------------------------------------------------===//
#include "DeviceKernels.h"

#include "DeviceRows.h"
#include "VectorUnit.h"

#include "tessera/OpModel/ComputeConfig.h"

#include <algorithm>

namespace tessera::simulator {

namespace {

struct Softmax {
  engine::Precision precision;
  vector_unit::Function exponential, reciprocal;
  bool isStable;        ///< numericStable: the largest element is taken off
  bool packsToBFloat16; ///< exponentials are written in the operand's format
};

/// Dst of 16 bits cuts it.
float roughExponential16(float x) { return vector_unit::cutToBFloat16(vector_unit::roughExponential(x)); }

vector_unit::Function exponentialOf(const ComputeConfig &config, Arch arch) {
  if (!config.approximate)
    return vector_unit::findFunction("exp", arch, config.fp32Accumulate);
  return config.fp32Accumulate ? vector_unit::roughExponential : roughExponential16;
}

Softmax softmaxOf(const KernelCall &call) {
  Arch arch = archOf(call);
  ComputeConfig config = statedComputeConfig(call.op).value_or(ComputeConfig{
      .fidelity = arch == Arch::WormholeB0 ? 3 : 4, .approximate = true, .fp32Accumulate = true});
  return {{config.fidelity, config.fp32Accumulate},
          exponentialOf(config, arch),
          vector_unit::findFunction("reciprocal", arch, config.fp32Accumulate),
          call.op.boolean("numericStable", false),
          !config.fp32Accumulate || call.operand(0).desc.dtype != DataType::Float32};
}

void exponentialsOf(llvm::MutableArrayRef<float> row, const Softmax &how) {
  if (how.isStable && !row.empty())
    addToRow(row, -*std::max_element(row.begin(), row.end()), how.precision.fp32Dest);
  for (float &element : row) {
    float power = how.exponential(element);
    element = how.packsToBFloat16 ? packed(power) : power;
  }
}

void softmaxRows(const Rows &rows, const Softmax &how) {
  for (int64_t row = 0; row < rows.count; ++row)
    exponentialsOf(rows.row(row), how);
  std::vector<float> sums = sumRows(rows, how.precision);
  for (int64_t row = 0; row < rows.count; ++row)
    multiplyRow(rows.row(row), how.reciprocal(sums[size_t(row)]), how.precision);
}

} // namespace

llvm::Error runSoftmaxOnDevice(KernelCall &call) {
  if (llvm::Error error = needFloats(call))
    return error;
  if (llvm::Error error = needSameVolume(call))
    return error;
  const DenseTensor &input = call.operand(0);
  Softmax how = softmaxOf(call);
  forEachRows(input, call.result(),
              along(input.shape(), dimension(call.op.integer("dimension", -1), size_t(input.rank()))),
              [&](const Rows &rows) { softmaxRows(rows, how); });
  return llvm::Error::success();
}

} // namespace tessera::simulator
