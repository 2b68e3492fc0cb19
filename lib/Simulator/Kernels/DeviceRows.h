//===- DeviceRows.h - What kernels that work on rows have in common -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Kernels of reductions, softmax and norms take rows of elements through the matrix
// engine and the vector unit in turn. What they write to L1 between two steps is in
// bf16, or with 32-bit Dst in fp32, of which the matrix engine reads 10 bits of the
// mantissa.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_KERNELS_DEVICEROWS_H
#define TESSERA_LIB_SIMULATOR_KERNELS_DEVICEROWS_H

#include "DeviceProduct.h"

namespace tessera::simulator {

/// The chip of the launch; Blackhole if it is not known.
Arch archOf(const KernelCall &call);
/// Whether an element of an operand or of the result takes 32 bits: elementwise kernels then run with a 32-bit Dst.
bool hasWideElements(const KernelCall &call);

/// Rows of one width, one after the other.
struct Rows {
  float *elements = nullptr;
  int64_t count = 0, width = 0;
  llvm::MutableArrayRef<float> row(int64_t index) const { return {elements + index * width, size_t(width)}; }
};

/// scaler * the sum of each row, as a product with a column of scalers: tile by tile, phase by phase.
std::vector<float> sumRows(const Rows &rows, engine::Precision precision, float scaler = 1);
/// scaler * the sum of each column of a matrix, as a product of a row of scalers with each face.
std::vector<float> sumColumns(const Rows &rows, engine::Precision precision, float scaler = 1);

/// Adds `number` to each element.
void addToRow(llvm::MutableArrayRef<float> row, float number, bool fp32Dest);
/// Multiplies each element by `number`.
void multiplyRow(llvm::MutableArrayRef<float> row, float number, engine::Precision precision);

/// Calls `work` with some rows at a time, in parallel: lines of a tensor along a dimension, whose elements become the result.
/// Rows that do not follow each other in memory are copied.
void forEachRows(const DenseTensor &input, DenseTensor &result, Along lines,
                 llvm::function_ref<void(const Rows &)> work);

/// What the vector unit leaves of a register that it stores to Dst as it is.
float stored(float value, bool fp32Dest);

} // namespace tessera::simulator

#endif // TESSERA_LIB_SIMULATOR_KERNELS_DEVICEROWS_H
