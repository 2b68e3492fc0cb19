//===- BlockFloat.h - Tiles of numbers as a device stores them ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A tile of 32x32 lies as four faces of 16x16: top left, top right, bottom left,
// bottom right, each row by row. In block-float tiles the 16 elements of a face
// row share an exponent, the largest of theirs; 64 exponents stand in front, and
// of each element follow its sign and 7 or 3 bits of its mantissa:
//
//   element = (-1)^sign * mantissa * 2^(exponent - 127 - (bits - 1))
//
// Source: facts/deepseek 5.2 and 5.3, with published vectors in 5.4.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_BLOCKFLOAT_H
#define TESSERA_LAYOUT_BLOCKFLOAT_H

#include "tessera/Layout/DataType.h"

#include <bit>

namespace tessera {

/// How mantissas are shortened.
enum class BlockFloatRounding : uint8_t {
  Host,   ///< as TTNN's host code: to nearest, ties to even
  Device, ///< as a device's packer: to 7 bits, ties away from zero, of which Bfp4 keeps the upper 3
};

/// Whether tiles of that type are packed: f32, bf16, bfp_bf8, bfp_bf4.
bool canPackTile(DataType type);

/// Writes the tileBytes(type) bytes of a 32x32 tile, given row by row with `stride` elements from one to the next. bf16
/// is rounded to nearest, ties to even. Requires canPackTile(type). The bytes do not depend on the machine.
void packTile(DataType type, const float *elements, uint8_t *tile,
              BlockFloatRounding rounding = BlockFloatRounding::Host, int64_t stride = 32);

/// The elements of a packed tile, row by row with `stride` elements from one to the next. Requires canPackTile(type).
void unpackTile(DataType type, const uint8_t *tile, float *elements, int64_t stride = 32);

/// bf16 nearest to a number, ties to even; NaN stays NaN.
inline uint16_t toBFloat16(float number) {
  auto bits = std::bit_cast<uint32_t>(number);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return uint16_t(bits >> 16 | 0x40); // rounding could carry a NaN over to zero
  return uint16_t((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}
inline float fromBFloat16(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }

} // namespace tessera

#endif // TESSERA_LAYOUT_BLOCKFLOAT_H
