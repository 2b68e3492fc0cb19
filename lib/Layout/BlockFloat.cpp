//===- BlockFloat.cpp - Tiles of numbers as a device stores them ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "tessera/Layout/BlockFloat.h"

#include "llvm/Support/Endian.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace tessera;

namespace {

constexpr int kEdge = 32, kFace = 16, kRows = 64; ///< of a tile, of a face, face rows of a tile
constexpr uint32_t kHiddenBit = 1 << 23;

/// First element of a face row in a tile that lies row by row, `stride` from one to the next.
constexpr int64_t faceRowBegin(int row, int64_t stride) {
  int face = row / kFace;
  return ((face / 2) * kFace + row % kFace) * stride + (face % 2) * kFace;
}

#define TESSERA_INLINE inline __attribute__((always_inline))

/// Sign and mantissas of a face row; returns its exponent. Written as loops over 16 that compilers turn into vectors.
template <int bits, BlockFloatRounding rounding>
TESSERA_INLINE uint32_t encodeRow(const float *row, uint32_t *codes) {
  uint32_t words[kFace], exponents[kFace], largest = 0;
  std::memcpy(words, row, sizeof(words));
  for (int i = 0; i != kFace; ++i) {
    exponents[i] = (words[i] >> 23) & 0xff;
    largest = std::max(largest, exponents[i]);
  }
  // The device rounds to 7 bits and then cuts down to 3; the host rounds once (facts/deepseek 5.3).
  constexpr uint32_t kept = rounding == BlockFloatRounding::Host ? bits : 7, dropped = 24 - kept;
  constexpr uint32_t most = (1u << kept) - 1, half = 1u << (dropped - 1);
  for (int i = 0; i != kFace; ++i) {
    uint32_t mantissa = exponents[i] ? (words[i] & (kHiddenBit - 1)) | kHiddenBit : 0;
    mantissa >>= std::min(largest - exponents[i], 31u); // truncates: no sticky bit
    uint32_t odd = (mantissa >> dropped) & 1;
    mantissa = (mantissa + (rounding == BlockFloatRounding::Host ? half - 1 + odd : half)) >> dropped;
    mantissa =
        std::min(mantissa, most) >> (kept - bits); // a carry out of the top clamps: the exponent is shared
    codes[i] = mantissa ? (words[i] >> 31) << bits | mantissa : 0;
  }
  return largest;
}

template <int bits, BlockFloatRounding rounding>
TESSERA_INLINE void packBlocks(const float *elements, int64_t stride, uint8_t *tile) {
  uint8_t *mantissas = tile + kRows;
  for (int row = 0; row != kRows; ++row) {
    uint32_t codes[kFace];
    tile[row] = uint8_t(encodeRow<bits, rounding>(elements + faceRowBegin(row, stride), codes));
    if constexpr (bits == 7) {
      for (int i = 0; i != kFace; ++i)
        mantissas[row * kFace + i] = uint8_t(codes[i]);
    } else {
      for (int i = 0; i != kFace / 2; ++i)
        mantissas[row * kFace / 2 + i] = uint8_t(codes[2 * i] | codes[2 * i + 1] << 4);
    }
  }
}

// The same code for several instruction sets: integers only, so that all give the same bytes.
template <int bits, BlockFloatRounding rounding>
void packPlain(const float *elements, int64_t stride, uint8_t *tile) {
  packBlocks<bits, rounding>(elements, stride, tile);
}
#if defined(__x86_64__)
template <int bits, BlockFloatRounding rounding>
__attribute__((target("avx2"))) void packAvx2(const float *elements, int64_t stride, uint8_t *tile) {
  packBlocks<bits, rounding>(elements, stride, tile);
}
template <int bits, BlockFloatRounding rounding>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"), min_vector_width(512))) void
packAvx512(const float *elements, int64_t stride, uint8_t *tile) {
  packBlocks<bits, rounding>(elements, stride, tile);
}
#endif

#if defined(__x86_64__)
bool hasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#endif

using Pack = void (*)(const float *, int64_t, uint8_t *);

template <int bits, BlockFloatRounding rounding>
Pack choosePack() {
#if defined(__x86_64__)
  if (hasAvx512())
    return packAvx512<bits, rounding>;
  if (__builtin_cpu_supports("avx2"))
    return packAvx2<bits, rounding>;
#endif
  return packPlain<bits, rounding>;
}

template <int bits>
void pack(const float *elements, int64_t stride, uint8_t *tile, BlockFloatRounding rounding) {
  static const Pack host = choosePack<bits, BlockFloatRounding::Host>();
  static const Pack device = choosePack<bits, BlockFloatRounding::Device>();
  (rounding == BlockFloatRounding::Host ? host : device)(elements, stride, tile);
}

/// What the last bit of a mantissa is worth in a row of that exponent; products with 7 bits are exact.
template <int bits>
TESSERA_INLINE float unitOf(uint32_t exponent) {
  constexpr uint32_t kBelow = bits - 1;
  return exponent > kBelow ? std::bit_cast<float>((exponent - kBelow) << 23)
                           : std::ldexp(1.0f, int(exponent) - 127 - int(kBelow)); // not normal
}

template <int bits>
TESSERA_INLINE void unpackBlocks(const uint8_t *tile, float *elements, int64_t stride) {
  const uint8_t *mantissas = tile + kRows;
  for (int row = 0; row != kRows; ++row) {
    float unit = unitOf<bits>(tile[row]);
    for (int i = 0; i != kFace; ++i) {
      int index = row * kFace + i;
      uint32_t code = bits == 7 ? mantissas[index] : mantissas[index / 2] >> (index % 2 * 4) & 0xf;
      int mantissa = int(code & ((1 << bits) - 1));
      float number = float(mantissa) * unit;
      number = number < std::numeric_limits<float>::min() ? 0 : number; // as TTNN flushes
      elements[faceRowBegin(row, stride) + i] = number != 0 && code >> bits ? -number : number;
    }
  }
}

template <int bits>
void unpackPlain(const uint8_t *tile, float *elements, int64_t stride) {
  unpackBlocks<bits>(tile, elements, stride);
}
#if defined(__x86_64__)
template <int bits>
__attribute__((target("avx2"))) void unpackAvx2(const uint8_t *tile, float *elements, int64_t stride) {
  unpackBlocks<bits>(tile, elements, stride);
}
template <int bits>
__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"), min_vector_width(512))) void
unpackAvx512(const uint8_t *tile, float *elements, int64_t stride) {
  unpackBlocks<bits>(tile, elements, stride);
}
#endif

using Unpack = void (*)(const uint8_t *, float *, int64_t);

template <int bits>
Unpack chooseUnpack() {
#if defined(__x86_64__)
  if (hasAvx512())
    return unpackAvx512<bits>;
  if (__builtin_cpu_supports("avx2"))
    return unpackAvx2<bits>;
#endif
  return unpackPlain<bits>;
}

template <int bits>
void unpack(const uint8_t *tile, float *elements, int64_t stride) {
  static const Unpack chosen = chooseUnpack<bits>();
  chosen(tile, elements, stride);
}

} // namespace

bool tessera::canPackTile(DataType type) {
  return type == DataType::Float32 || type == DataType::BFloat16 || type == DataType::BFP_BFloat8 ||
         type == DataType::BFP_BFloat4;
}

void tessera::packTile(DataType type, const float *elements, uint8_t *tile, BlockFloatRounding rounding,
                       int64_t stride) {
  using namespace llvm::support::endian;
  if (type == DataType::BFP_BFloat8)
    return pack<7>(elements, stride, tile, rounding);
  if (type == DataType::BFP_BFloat4)
    return pack<3>(elements, stride, tile, rounding);
  for (int row = 0; row != kRows; ++row)
    for (int i = 0; i != kFace; ++i) {
      float number = elements[faceRowBegin(row, stride) + i];
      if (type == DataType::BFloat16)
        write16le(tile + 2 * (row * kFace + i), toBFloat16(number));
      else
        write32le(tile + 4 * (row * kFace + i), std::bit_cast<uint32_t>(number));
    }
}

void tessera::unpackTile(DataType type, const uint8_t *tile, float *elements, int64_t stride) {
  using namespace llvm::support::endian;
  if (type == DataType::BFP_BFloat8)
    return unpack<7>(tile, elements, stride);
  if (type == DataType::BFP_BFloat4)
    return unpack<3>(tile, elements, stride);
  for (int i = 0; i != kEdge * kEdge; ++i)
    elements[faceRowBegin(i / kFace, stride) + i % kFace] =
        type == DataType::BFloat16 ? fromBFloat16(read16le(tile + 2 * i))
                                   : std::bit_cast<float>(read32le(tile + 4 * i));
}
