//===- SimulatorTest.h - Tensors for tests of the simulator ---------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_SIMULATOR_SIMULATORTEST_H
#define TESSERA_UNITTESTS_SIMULATOR_SIMULATORTEST_H

#include "tessera/Simulator/Kernels.h"

#include "gtest/gtest.h"

#include <numeric>

namespace tessera::simulator {

/// Elements 0, 1, 2, ... times `step`.
inline DenseTensor counting(Shape shape, DataType dtype = DataType::Float32, double step = 1) {
  DenseTensor tensor({std::move(shape), dtype});
  for (int64_t i = 0; i < tensor.volume(); ++i)
    tensor.set(i, double(i) * step);
  return tensor;
}

inline DenseTensor tensorOf(Shape shape, std::initializer_list<double> values,
                            DataType dtype = DataType::Float32) {
  DenseTensor tensor({std::move(shape), dtype});
  int64_t index = 0;
  for (double value : values)
    tensor.set(index++, value);
  return tensor;
}

inline std::vector<double> valuesOf(const DenseTensor &tensor) {
  std::vector<double> values;
  for (int64_t i = 0; i < tensor.volume(); ++i)
    values.push_back(tensor.at(i));
  return values;
}

/// Runs a kernel by the op's name.
struct KernelRun {
  explicit KernelRun(std::string name, std::vector<DenseTensor> operands) : operands(std::move(operands)) {
    op.name = std::move(name);
  }
  /// As the device's kernel computes it.
  KernelRun &onDevice() {
    arithmetic = Arithmetic::Kernels;
    return *this;
  }
  KernelRun &with(std::string name, AttrValue value) {
    op.addAttribute(std::move(name), std::move(value));
    return *this;
  }
  /// The result, or the message of the kernel's error in `error`.
  DenseTensor result(Shape shape, DataType dtype = DataType::Float32) {
    return allResults({{std::move(shape), dtype}}).front();
  }
  /// Of an op that has several.
  std::vector<DenseTensor> allResults(const std::vector<TensorDesc> &wanted) {
    std::vector<const DenseTensor *> pointers;
    for (const DenseTensor &operand : operands)
      pointers.push_back(&operand);
    const KernelRow *row = findKernel(op.name);
    std::vector<DenseTensor> results;
    for (const TensorDesc &desc : wanted)
      results.emplace_back(desc);
    if (row->inPlace)
      results.front() = operands.front();
    KernelCall call{op, config, pointers, results, nullptr, arithmetic};
    if (llvm::Error failed = runKernel(*row, call))
      error = llvm::toString(std::move(failed));
    return results;
  }

  OpSignature op;
  OpSpecificConfig config;
  std::vector<DenseTensor> operands;
  Arithmetic arithmetic = Arithmetic::Exact;
  std::string error;
};

} // namespace tessera::simulator

#endif // TESSERA_UNITTESTS_SIMULATOR_SIMULATORTEST_H
