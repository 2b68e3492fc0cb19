//===- DeviceRows.cpp - What kernels that work on rows have in common -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Sums here are products: a row times a column of scalers sums along the last
// dimension, a row of scalers times faces along the one before. Rows go through
// in parts of 32, on any thread, as no row's elements depend on another's.
//
//===----------------------------------------------------------------------===//
#include "DeviceRows.h"

#include "VectorUnit.h"

#include "tessera/Simulator/Parallel.h"

namespace tessera::simulator {

using engine::kLanes;

/// Rows that are worked on at a time.
static constexpr int64_t kRowsAtOnce = 32;

/// Tests run kernels without a launch, and then as on Blackhole.
Arch archOf(const KernelCall &call) {
  return call.launch ? call.launch->model.device().arch : Arch::Blackhole;
}

/// Whether Dst holds 32 bits per element: as soon as any tensor of the call has as many.
bool hasWideElements(const KernelCall &call) {
  auto isWide = [](const DenseTensor &tensor) {
    DataType type = tensor.desc.dtype;
    return type == DataType::Float32 || type == DataType::Int32 || type == DataType::UInt32;
  };
  return llvm::any_of(call.operands, [&](const DenseTensor *operand) { return isWide(*operand); }) ||
         isWide(call.result());
}

/// Each row times a column of scalers: its sum is what the first lane of the product holds.
std::vector<float> sumRows(const Rows &rows, engine::Precision precision, float scaler) {
  engine::LeftOperand left(rows.elements, rows.count, rows.width, rows.width, 1);
  // Padding behind the last column is zero here, and adds nothing.
  std::vector<float> scalers(size_t(engine::kTile), scaler);
  engine::RightTile column; // of its lanes only the first one counts
  engine::unpack(column, scalers.data(), engine::kTile, 1, 1, 1);
  std::vector<float> registers(size_t(rows.count * kLanes), 0);
  for (int64_t tile = 0; tile * engine::kTile < rows.width; ++tile)
    engine::multiplyTile(left, tile, column, precision, registers.data());
  std::vector<float> sums;
  for (int64_t row = 0; row < rows.count; ++row)
    sums.push_back(registers[size_t(row * kLanes)]);
  return sums;
}

std::vector<float> sumColumns(const Rows &rows, engine::Precision precision, float scaler) {
  constexpr int64_t kFace = 16; // rows that are summed at once
  std::vector<float> scalers(size_t(kFace), scaler), sums(size_t(rows.width));
  engine::LeftOperand left(scalers.data(), 1, kFace, kFace, 1);
  engine::RightTile face;
  for (int64_t column = 0; column < rows.width; column += kLanes) {
    int64_t columns = std::min(kLanes, rows.width - column);
    float registers[kLanes] = {};
    for (int64_t row = 0; row < rows.count; row += kFace) {
      engine::unpack(face, rows.elements + row * rows.width + column, std::min(kFace, rows.count - row),
                     columns, rows.width, 1);
      // The tile's second half of K is empty on both sides: a face is 16 rows.
      engine::multiplyTile(left, 0, face, precision, registers);
    }
    std::copy_n(registers, columns, sums.begin() + column);
  }
  return sums;
}

void addToRow(llvm::MutableArrayRef<float> row, float number, bool fp32Dest) {
  for (float &element : row)
    element = addOnDevice(element, number, fp32Dest);
}

void multiplyRow(llvm::MutableArrayRef<float> row, float number, engine::Precision precision) {
  engine::multiplyRow(row.data(), int64_t(row.size()), number, precision, row.data());
}

/// Each part has a copy of its rows, on which `work` may write: rows that lie apart in memory are gathered and put
/// back.
void forEachRows(const DenseTensor &input, DenseTensor &result, Along lines,
                 llvm::function_ref<void(const Rows &)> work) {
  int64_t count = lines.outer * lines.inner, extent = lines.extent;
  parallelFor(ceilDiv(count, kRowsAtOnce), [&](int64_t part) {
    int64_t begin = part * kRowsAtOnce, rows = std::min(kRowsAtOnce, count - begin);
    // Lines along another dimension than the last lie strided; the kernels want rows.
    std::vector<float> buffer(size_t(rows * extent));
    auto forEachElement = [&](auto visit) {
      for (int64_t line = begin; line < begin + rows; ++line)
        for (int64_t i = 0; i < extent; ++i)
          visit(buffer[size_t((line - begin) * extent + i)],
                size_t((line / lines.inner * extent + i) * lines.inner + line % lines.inner));
    };
    forEachElement([&](float &element, size_t at) { element = input.floats[at]; });
    work({buffer.data(), rows, extent});
    forEachElement([&](float element, size_t at) { result.floats[at] = element; });
  });
}

/// What a 16-bit Dst keeps of a number: the lower bits are cut off, not rounded.
float stored(float value, bool fp32Dest) { return fp32Dest ? value : vector_unit::cutToBFloat16(value); }

} // namespace tessera::simulator
