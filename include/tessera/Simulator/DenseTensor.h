//===- DenseTensor.h - The values of a tensor, wherever it lies -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_DENSETENSOR_H
#define TESSERA_SIMULATOR_DENSETENSOR_H

#include "tessera/Layout/TensorLayout.h"
#include "tessera/Simulator/Elements.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tessera::simulator {

/// Whether values of that type are whole numbers: u8, u16, u32, si32, bool. The others compute in fp32.
bool holdsIntegers(DataType type);

/// Product of the extents; 1 for rank 0.
int64_t volumeOf(llvm::ArrayRef<int64_t> shape);

/// Elements in row-major order of the logical shape: no tiles, no padding. Floating-point formats are held as fp32, whether
/// or not the values are representable in `desc.dtype` (that is decided when they are written to memory); integer formats as
/// 32 bits, u32 in two's complement.
struct DenseTensor {
  TensorDesc desc;
  Elements<float> floats;     ///< empty if holdsIntegers(desc.dtype)
  Elements<int32_t> integers; ///< empty otherwise

  DenseTensor() = default;
  /// All zeros.
  explicit DenseTensor(TensorDesc desc);
  /// Elements that are not set: for who writes all of them.
  static DenseTensor unset(TensorDesc desc);

  bool isInteger() const { return holdsIntegers(desc.dtype); }
  int64_t volume() const { return volumeOf(desc.shape); }
  llvm::ArrayRef<int64_t> shape() const { return desc.shape; }
  int64_t rank() const { return int64_t(desc.shape.size()); }
  /// One element as the number it is; u32 is not negative.
  double at(int64_t index) const;
  /// One element as a place in another tensor, cut toward 0. What is no number, or beyond 62 bits, is a place that no tensor has,
  /// to which an extent may be added.
  int64_t indexAt(int64_t index) const;
  /// Sets one element; integer formats wrap around, as a cast to 32 bits does.
  void set(int64_t index, double value);
};

/// Calls `body` with the elements of all tensors: `Elements<float>` or `Elements<int32_t>`. For code that moves elements
/// and does not look at them. The tensors must hold the same kind.
template <class Body>
void withElements(const DenseTensor &from, DenseTensor &to, Body body) {
  if (from.isInteger())
    body(from.integers, to.integers);
  else
    body(from.floats, to.floats);
}

/// The number without its fraction. NaN has none and is 0; what no 64 bits hold is about the largest that they do. The device's
/// conversion is not specified either, so that any fixed one will do.
int64_t wholeOf(double value);

/// Row-major distances between neighbours of each dimension, in elements.
Shape rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// "2x3x64 bf16".
std::string describe(const TensorDesc &desc);

/// An error with that text.
llvm::Error failure(const llvm::Twine &message);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_DENSETENSOR_H
