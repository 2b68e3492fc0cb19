//===- Pack.cpp - Rounding as the device's packers do ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Source: tt-isa-documentation, Packers/FormatConversion.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include "tessera/Layout/BlockFloat.h"
#include "tessera/Simulator/Parallel.h"

#include "llvm/ADT/bit.h"

#include <cmath>

namespace tessera::simulator {

static constexpr int64_t kEdge = 32;

float packed(float value) {
  auto bits = llvm::bit_cast<uint32_t>(value);
  bool isFinite = (bits & 0x7f800000) != 0x7f800000;
  return isFinite ? llvm::bit_cast<float>((bits + 0x8000) & 0xffff0000) : value;
}

/// Rows and columns of a tile that hold elements, `stride` from row to row. Exponents are shared along a row only: which rows
/// stand in a tile does not matter.
static void packBlock(DataType type, float *elements, int64_t rows, int64_t columns, int64_t stride) {
  // Zeros beside elements leave their exponent as it is.
  float tile[kEdge * kEdge] = {};
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = 0; i < columns; ++i) {
      float element = elements[row * stride + i];
      if (!std::isfinite(element)) // padding must show
        return;
      tile[row * kEdge + i] = llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(element) & 0xffff0000);
    }
  std::vector<uint8_t> bytes(size_t(tileBytes(type).value()));
  packTile(type, tile, bytes.data(), BlockFloatRounding::Device);
  unpackTile(type, bytes.data(), tile);
  for (int64_t row = 0; row < rows; ++row)
    std::copy_n(tile + row * kEdge, columns, elements + row * stride);
}

static void packBlocks(DenseTensor &tensor) {
  int64_t width = tensor.rank() == 0 ? 1 : tensor.shape().back();
  int64_t rows = width == 0 ? 0 : tensor.volume() / width;
  parallelFor(ceilDiv(rows, kEdge), [&](int64_t part) {
    int64_t row = part * kEdge;
    for (int64_t column = 0; column < width; column += kEdge)
      packBlock(tensor.desc.dtype, tensor.floats.data() + row * width + column, std::min(kEdge, rows - row),
                std::min(kEdge, width - column), width);
  });
}

void packResult(DenseTensor &tensor) {
  if (isBlockFloat(tensor.desc.dtype))
    return packBlocks(tensor);
  if (tensor.desc.dtype == DataType::BFloat16)
    for (float &value : tensor.floats)
      value = packed(value);
}

} // namespace tessera::simulator
