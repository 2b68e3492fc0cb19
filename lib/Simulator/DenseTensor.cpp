//===- DenseTensor.cpp - The values of a tensor, wherever it lies ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Elements are fp32 or 32-bit integers, whatever the format: kernels then have two
// cases, and rounding has one place, where memory is written (PageFormat.cpp).
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/DenseTensor.h"

#include "tessera/Simulator/Parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tessera::simulator {

bool holdsIntegers(DataType type) {
  return type == DataType::UInt32 || type == DataType::UInt16 || type == DataType::UInt8 ||
         type == DataType::Int32 || type == DataType::Bool;
}

/// Of shapes that were checked (fitsLayouts): the product stays within 64 bits.
int64_t volumeOf(llvm::ArrayRef<int64_t> shape) {
  int64_t volume = 1;
  for (int64_t extent : shape)
    volume *= extent;
  return volume;
}

DenseTensor::DenseTensor(TensorDesc desc) : DenseTensor(unset(std::move(desc))) {
  auto clear = [](auto &elements) {
    // Elements for one thread: pages that are touched first are cleared by the system on the thread that touches them.
    constexpr int64_t kPart = 1 << 20;
    auto count = int64_t(elements.size());
    parallelFor(ceilDiv(count, kPart), [&](int64_t part) {
      std::fill_n(elements.data() + part * kPart, std::min(kPart, count - part * kPart), 0);
    });
  };
  clear(integers);
  clear(floats);
}

DenseTensor DenseTensor::unset(TensorDesc desc) {
  DenseTensor tensor;
  tensor.desc = std::move(desc);
  auto count = size_t(tensor.volume());
  if (tensor.isInteger())
    tensor.integers.resize(count);
  else
    tensor.floats.resize(count);
  return tensor;
}

double DenseTensor::at(int64_t index) const {
  if (!isInteger())
    return floats[size_t(index)];
  int32_t value = integers[size_t(index)];
  return desc.dtype == DataType::UInt32 ? double(uint32_t(value)) : double(value);
}

int64_t DenseTensor::indexAt(int64_t index) const {
  constexpr double kBeyond = 0x1p62;
  double value = at(index);
  return std::isnan(value) ? -int64_t(kBeyond) : int64_t(std::clamp(value, -kBeyond, kBeyond));
}

void DenseTensor::set(int64_t index, double value) {
  if (!isInteger()) {
    floats[size_t(index)] = float(value);
    return;
  }
  // Through unsigned numbers, for which leaving out the upper bits is defined.
  integers[size_t(index)] = int32_t(uint32_t(uint64_t(wholeOf(value))));
}

int64_t wholeOf(double value) {
  constexpr double kMost = 9.0e18;
  return std::isnan(value) ? 0 : int64_t(std::clamp(value, -kMost, kMost));
}

/// Example: of 2 x 3 x 4 they are 12, 4 and 1.
Shape rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

std::string describe(const TensorDesc &desc) {
  std::string text;
  for (int64_t extent : desc.shape)
    text += std::to_string(extent) + "x";
  if (!text.empty())
    text.pop_back();
  return (text.empty() ? "scalar" : text) + " " + name(desc.dtype).str();
}

llvm::Error failure(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

} // namespace tessera::simulator
