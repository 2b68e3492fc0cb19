//===- BlockFloat.cpp - Tiles of numbers as a device stores them ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A tile of 32x32 elements is four faces of 16x16, in the order upper left,
// upper right, lower left, lower right; a face is stored row by row. A block
// float shares one exponent among the 16 elements of a face row. The tile
// begins with its 64 exponents, a byte each; behind them stand the elements'
// signs and mantissas, 8 bits each in bfp8 and 4 in bfp4 (facts/deepseek 5.2,
// 5.3). So a tile takes 64 + 1024 bytes, or 64 + 512. Weights of a model are
// billions of elements, which is why packing exists for three instruction sets.
// All of them compute with integers in the same order, so that a file of
// weights has the same bytes on every machine; unpacking multiplies by powers
// of two, which is exact.
//
//===----------------------------------------------------------------------===//
#include "tessera/Layout/BlockFloat.h"

#include "llvm/Support/Endian.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

using namespace tessera;

namespace {

constexpr int kEdge = 32, kFace = 16, kRows = 64; ///< of a tile, of a face, face rows of a tile
/// The leading one of a mantissa, which a float of 32 bits implies and a block float stores.
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
    // Biased exponents: those of zeros and subnormals are 0, and so is that of a row of nothing else.
    largest = std::max(largest, exponents[i]);
  }
  // The device rounds to 7 bits and then cuts down to 3; the host rounds once (facts/deepseek 5.3).
  constexpr uint32_t kept = rounding == BlockFloatRounding::Host ? bits : 7, dropped = 24 - kept;
  // Half of the last bit that is kept: added before the cut, it rounds to nearest. Host code takes one less of even
  // numbers, so that ties go to even; the device adds it always, so that ties go away from zero.
  constexpr uint32_t most = (1u << kept) - 1, half = 1u << (dropped - 1);
  for (int i = 0; i != kFace; ++i) {
    // Subnormals count as 0 (facts/deepseek 5.3). A shift by 32 and more is undefined in C++, so it stops at 31, which
    // leaves 0 of 24 bits, too.
    uint32_t mantissa = exponents[i] ? (words[i] & (kHiddenBit - 1)) | kHiddenBit : 0;
    mantissa >>= std::min(largest - exponents[i], 31u); // truncates: no sticky bit
    uint32_t odd = (mantissa >> dropped) & 1;
    mantissa = (mantissa + (rounding == BlockFloatRounding::Host ? half - 1 + odd : half)) >> dropped;
    mantissa =
        std::min(mantissa, most) >> (kept - bits); // a carry out of the top clamps: the exponent is shared
    // The sign stands on top of the mantissa; zero has none (facts/deepseek 5.3).
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
        // The first of two lies in the low half (facts/deepseek 5.3).
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

// By hand for AVX-512: compilers find the largest exponent of a row 64 times, here it is that of four rows at a time.
#define TESSERA_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))

/// In each lane of 128 bits, the largest element of a, of b, of c and of d.
TESSERA_AVX512 TESSERA_INLINE __m512i largestOfFour(__m512i a, __m512i b, __m512i c, __m512i d) {
  __m512i ab = _mm512_max_epu32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
  __m512i cd = _mm512_max_epu32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
  __m512i all = _mm512_max_epu32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
  all = _mm512_max_epu32(all, _mm512_shuffle_i64x2(all, all, 0x4e));
  return _mm512_max_epu32(all, _mm512_shuffle_i64x2(all, all, 0xb1));
}

/// encodeRow() of 16 numbers, a byte each.
template <int bits, BlockFloatRounding rounding>
TESSERA_AVX512 TESSERA_INLINE __m128i encodeSixteen(__m512i words, __m512i exponents, __m512i largest) {
  constexpr bool kHost = rounding == BlockFloatRounding::Host;
  constexpr int kKept = kHost ? bits : 7, kDropped = 24 - kKept;
  __m512i mantissa = _mm512_or_si512(_mm512_and_si512(words, _mm512_set1_epi32(kHiddenBit - 1)),
                                     _mm512_set1_epi32(kHiddenBit));
  mantissa = _mm512_maskz_srlv_epi32(_mm512_test_epi32_mask(exponents, exponents), mantissa,
                                     _mm512_sub_epi32(largest, exponents)); // by 32 and more: 0
  __m512i half = _mm512_set1_epi32((1 << (kDropped - 1)) - (kHost ? 1 : 0));
  if constexpr (kHost)
    half =
        _mm512_add_epi32(half, _mm512_and_si512(_mm512_srli_epi32(mantissa, kDropped), _mm512_set1_epi32(1)));
  mantissa = _mm512_srli_epi32(_mm512_add_epi32(mantissa, half), kDropped);
  // Rounding may carry to 2^kKept, which is at most 128 and still a byte: the minimum clamps it, as the exponent is
  // shared and cannot grow for one element.
  __m128i codes = _mm_min_epu8(_mm512_cvtusepi32_epi8(mantissa), _mm_set1_epi8((1 << kKept) - 1));
  if constexpr (kKept != bits)
    codes = _mm_and_si128(_mm_srli_epi16(codes, kKept - bits), _mm_set1_epi8((1 << bits) - 1));
  // Only where a code is not zero: see encodeRow().
  __mmask16 negative = _mm512_movepi32_mask(words) & _mm_test_epi8_mask(codes, codes);
  return _mm_or_si128(codes, _mm_maskz_set1_epi8(negative, char(1 << bits)));
}

template <int bits, BlockFloatRounding rounding>
TESSERA_AVX512 void packAvx512(const float *elements, int64_t stride, uint8_t *tile) {
  for (int row = 0; row != kRows; row += 4) {
    // Four face rows that begin at a multiple of four are of one face, as 4 divides 16, so they lie `stride` apart.
    const float *from = elements + faceRowBegin(row, stride);
    __m512i words[4], exponents[4];
    for (int i = 0; i != 4; ++i) {
      words[i] = _mm512_loadu_si512(from + i * stride);
      __builtin_prefetch(from + i * stride + kEdge); // of the tile beside it, which is mostly the next
      exponents[i] = _mm512_and_si512(_mm512_srli_epi32(words[i], 23), _mm512_set1_epi32(0xff));
    }
    __m512i largest = largestOfFour(exponents[0], exponents[1], exponents[2], exponents[3]);
    _mm_storeu_si32(tile + row, _mm_cvtepi32_epi8(_mm512_castsi512_si128(largest)));
    const __m128i codes[4] = {
        encodeSixteen<bits, rounding>(words[0], exponents[0], _mm512_shuffle_epi32(largest, _MM_PERM_AAAA)),
        encodeSixteen<bits, rounding>(words[1], exponents[1], _mm512_shuffle_epi32(largest, _MM_PERM_BBBB)),
        encodeSixteen<bits, rounding>(words[2], exponents[2], _mm512_shuffle_epi32(largest, _MM_PERM_CCCC)),
        encodeSixteen<bits, rounding>(words[3], exponents[3], _mm512_shuffle_epi32(largest, _MM_PERM_DDDD))};
    for (int i = 0; i != 4; ++i) {
      uint8_t *to = tile + kRows + (row + i) * kFace * (bits + 1) / 8;
      if constexpr (bits == 7) {
        _mm_storeu_si128(reinterpret_cast<__m128i *>(to), codes[i]);
      } else { // two in a byte, the first one below
        // Each pair of bytes as first * 1 + second * 16, which is both of them in one byte; packing drops the empty
        // upper halves.
        __m128i pairs = _mm_maddubs_epi16(codes[i], _mm_set1_epi16(0x1001));
        _mm_storeu_si64(to, _mm_packus_epi16(pairs, pairs));
      }
    }
  }
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
  // Chosen once per process: asking the processor takes longer than packing a tile.
  static const Pack host = choosePack<bits, BlockFloatRounding::Host>();
  static const Pack device = choosePack<bits, BlockFloatRounding::Device>();
  (rounding == BlockFloatRounding::Host ? host : device)(elements, stride, tile);
}

/// What the last bit of a mantissa is worth in a row of that exponent; products with 7 bits are exact.
template <int bits>
TESSERA_INLINE float unitOf(uint32_t exponent) {
  // 2^(exponent - 127 - (bits - 1)): as a float that is the exponent less bits - 1, with no mantissa, while that is a
  // normal number.
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
      // What was flushed is +0, whatever its sign bit said.
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
  // The other formats share nothing between elements: only their order is the tile's.
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
