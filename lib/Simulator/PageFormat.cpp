//===- PageFormat.cpp - Elements as the bytes of a page -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A tile's page holds its four faces one after the other, each row by row:
//
//   rows  0 .. 15    face 0 | face 1        columns 0 .. 15 | 16 .. 31
//   rows 16 .. 31    face 2 | face 3
//
// so element (20, 3) of bf16 lies at ((2 * 16 + 4) * 16 + 3) * 2 bytes. Most tiles of
// a large tensor have an element everywhere: these go through loops without a
// question, which compilers make vectors of. All others go piece by piece, with
// padding between. Blocks of floats are packed by Layout/BlockFloat.
//
//===----------------------------------------------------------------------===//
#include "PageFormat.h"

#include "tessera/Layout/BlockFloat.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>

namespace tessera::simulator {

namespace {

constexpr int kEdge = 32, kFace = 16;
/// What padding holds: a kernel that used it would show it in its results.
constexpr float kPoison = std::numeric_limits<float>::quiet_NaN();
constexpr int32_t kIntegerPoison = 0x5a5a5a5a;
static_assert(std::endian::native == std::endian::little,
              "devices are little-endian, and pages are copied as they are");

/// Columns of the page that hold elements: [first, second).
std::pair<int64_t, int64_t> filledColumns(const PageRows &rows) {
  int64_t from = std::clamp<int64_t>(-rows.begin, 0, rows.columns);
  return {from, std::clamp<int64_t>(rows.width - rows.begin, from, rows.columns)};
}

/// A piece of a page: `count` columns from `column` on of row `row`, which lie side by side in memory.
struct Piece {
  size_t row;
  int64_t column, count;
};

/// Calls `visit(piece)` for the pieces of a page in memory order: face rows of a tile, or the row that the page is.
template <class Visit>
void forEachPiece(bool tiled, const PageRows &rows, Visit visit) {
  if (!tiled)
    return visit(Piece{0, 0, rows.columns});
  // Faces of 16x16 one after the other, upper before lower (facts/hardware 1.3).
  for (int face = 0; face < 4; ++face)
    for (int row = 0; row < kFace; ++row)
      visit(Piece{size_t(face / 2 * kFace + row), face % 2 * kFace, kFace});
}

/// Where the elements of a piece lie in it: [first, second) of the page's columns; none in rows of padding.
std::pair<int64_t, int64_t> filledPart(const Piece &piece, int64_t row, std::pair<int64_t, int64_t> filled) {
  int64_t end = piece.column + piece.count;
  int64_t first = std::clamp(filled.first, piece.column, end);
  return {first, row < 0 ? first : std::clamp(filled.second, first, end)};
}

/// `count` scalars one after the other.
template <class T, class Encode>
[[gnu::always_inline]] inline void encodeRun(const T *from, int64_t count, uint8_t *bytes, Encode encode) {
  for (int64_t i = 0; i < count; ++i) {
    auto scalar = encode(from[i]);
    std::memcpy(bytes + i * int64_t(sizeof(scalar)), &scalar, sizeof(scalar));
  }
}

template <class Scalar, class T, class Decode>
[[gnu::always_inline]] inline void decodeRun(const uint8_t *bytes, int64_t count, T *to, Decode decode) {
  for (int64_t i = 0; i < count; ++i) {
    Scalar scalar;
    std::memcpy(&scalar, bytes + i * int64_t(sizeof(scalar)), sizeof(scalar));
    to[i] = decode(scalar);
  }
}

/// Calls `visit(its first element in the tensor, its first scalar in the page)` for each face row of a tile whose columns are all
/// filled, as in most tiles; -1 for a row of padding.
template <class Visit>
[[gnu::always_inline]] inline void forEachFaceRow(const PageRows &rows, Visit visit) {
  constexpr size_t kRows = kFace;
  for (size_t face = 0; face < 4; ++face)
    for (size_t row = 0; row < kRows; ++row) {
      int64_t logical = rows.rowOf[face / 2 * kRows + row];
      visit(logical < 0 ? -1 : logical * rows.width + rows.begin + int64_t(face % 2 * kRows),
            int64_t((face * kRows + row) * kRows));
    }
}

/// Rows of padding are written and not passed over: memory is used again, and elements of an older tensor must not
/// stay behind as padding.
template <class T, class Encode>
[[gnu::always_inline]] inline void encodeFaceRows(const T *elements, const PageRows &rows, T padding,
                                                  uint8_t *bytes, Encode encode) {
  T none[kFace];
  std::fill_n(none, kFace, padding);
  forEachFaceRow(rows, [&](int64_t element, int64_t scalar) {
    encodeRun(element < 0 ? none : elements + element, kFace,
              bytes + scalar * int64_t(sizeof(encode(padding))), encode);
  });
}

template <class Scalar, class T, class Decode>
[[gnu::always_inline]] inline void decodeFaceRows(const uint8_t *bytes, const PageRows &rows, T *elements,
                                                  Decode decode) {
  forEachFaceRow(rows, [&](int64_t element, int64_t scalar) {
    if (element >= 0)
      decodeRun<Scalar>(bytes + scalar * int64_t(sizeof(Scalar)), kFace, elements + element, decode);
  });
}

// The same with longer vectors: they take a third to a half of the time.
enum class Vectors : uint8_t { Plain, Avx2, Avx512 };

#if defined(__x86_64__)
Vectors chooseVectors() {
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Vectors::Avx512;
  return __builtin_cpu_supports("avx2") ? Vectors::Avx2 : Vectors::Plain;
}

// By attribute, and not by a flag for the file: the program has to start on machines without them. Without the width
// that is asked for the compiler keeps to vectors of 256 bits.
#define TESSERA_AVX2 __attribute__((target("avx2")))
#define TESSERA_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl"), min_vector_width(512)))

/// The body is the same. What it calls is inlined, so the attribute of this function decides which vectors all of it
/// takes.
template <class T, class Encode>
TESSERA_AVX2 void encodeAvx2(const T *elements, const PageRows &rows, T padding, uint8_t *bytes,
                             Encode encode) {
  encodeFaceRows(elements, rows, padding, bytes, encode);
}
template <class T, class Encode>
TESSERA_AVX512 void encodeAvx512(const T *elements, const PageRows &rows, T padding, uint8_t *bytes,
                                 Encode encode) {
  encodeFaceRows(elements, rows, padding, bytes, encode);
}
template <class Scalar, class T, class Decode>
TESSERA_AVX2 void decodeAvx2(const uint8_t *bytes, const PageRows &rows, T *elements, Decode decode) {
  decodeFaceRows<Scalar>(bytes, rows, elements, decode);
}
template <class Scalar, class T, class Decode>
TESSERA_AVX512 void decodeAvx512(const uint8_t *bytes, const PageRows &rows, T *elements, Decode decode) {
  decodeFaceRows<Scalar>(bytes, rows, elements, decode);
}
#else
Vectors chooseVectors() { return Vectors::Plain; }
#endif

/// Which of the three it is depends on the machine, and is asked once; the bytes are the same.
template <class T, class Encode>
void encodeTile(const T *elements, const PageRows &rows, T padding, uint8_t *bytes, Encode encode) {
  static const Vectors vectors = chooseVectors();
#if defined(__x86_64__)
  if (vectors == Vectors::Avx512)
    return encodeAvx512(elements, rows, padding, bytes, encode);
  if (vectors == Vectors::Avx2)
    return encodeAvx2(elements, rows, padding, bytes, encode);
#endif
  encodeFaceRows(elements, rows, padding, bytes, encode);
}

template <class Scalar, class T, class Decode>
void decodeTile(const uint8_t *bytes, const PageRows &rows, T *elements, Decode decode) {
  static const Vectors vectors = chooseVectors();
#if defined(__x86_64__)
  if (vectors == Vectors::Avx512)
    return decodeAvx512<Scalar>(bytes, rows, elements, decode);
  if (vectors == Vectors::Avx2)
    return decodeAvx2<Scalar>(bytes, rows, elements, decode);
#endif
  decodeFaceRows<Scalar>(bytes, rows, elements, decode);
}

/// Writes a page whose scalars are `encode(element)`.
/// A tile whose columns all hold elements goes row by row of its faces, without a question inside; any other page
/// piece by piece, with padding where no elements are.
template <class T, class Encode>
void storeScalars(bool tiled, const T *elements, const PageRows &rows, T padding, uint8_t *bytes,
                  Encode encode) {
  constexpr auto kSize = int64_t(sizeof(encode(padding)));
  std::pair<int64_t, int64_t> filled = filledColumns(rows);
  if (tiled && filled == std::pair<int64_t, int64_t>(0, kEdge))
    return encodeTile(elements, rows, padding, bytes, encode);
  forEachPiece(tiled, rows, [&](Piece piece) {
    int64_t row = rows.rowOf[piece.row];
    auto [first, last] = filledPart(piece, row, filled);
    // Padding before the first element, where a layout begins behind column 0, and behind the last.
    auto pad = [&](int64_t from, int64_t to) {
      for (int64_t i = from; i < to; ++i)
        encodeRun(&padding, 1, bytes + (i - piece.column) * kSize, encode);
    };
    pad(piece.column, first);
    if (first < last)
      encodeRun(elements + row * rows.width + rows.begin + first, last - first,
                bytes + (first - piece.column) * kSize, encode);
    pad(last, piece.column + piece.count);
    bytes += piece.count * kSize;
  });
}

/// Reads the elements of a page whose scalars are of type Scalar.
template <class Scalar, class T, class Decode>
void loadScalars(bool tiled, T *elements, const PageRows &rows, const uint8_t *bytes, Decode decode) {
  std::pair<int64_t, int64_t> filled = filledColumns(rows);
  if (tiled && filled == std::pair<int64_t, int64_t>(0, kEdge))
    return decodeTile<Scalar>(bytes, rows, elements, decode);
  forEachPiece(tiled, rows, [&](Piece piece) {
    int64_t row = rows.rowOf[piece.row];
    auto [first, last] = filledPart(piece, row, filled);
    if (first < last)
      decodeRun<Scalar>(bytes + (first - piece.column) * int64_t(sizeof(Scalar)), last - first,
                        elements + row * rows.width + rows.begin + first, decode);
    bytes += piece.count * int64_t(sizeof(Scalar));
  });
}

// ---- Block-float tiles -----------------------------------------------------------------------------------

/// The elements of a tile row by row. Padding is poison where it has an exponent of its own, and 0 where it shares one.
void gatherTile(const float *elements, const PageRows &rows, float *tile) {
  auto [from, to] = filledColumns(rows);
  if (from == 0 && to == kEdge) {
    for (int row = 0; row < kEdge; ++row)
      if (int64_t logical = rows.rowOf[size_t(row)]; logical >= 0)
        std::copy_n(elements + logical * rows.width + rows.begin, kEdge, tile + row * kEdge);
      else
        std::fill_n(tile + row * kEdge, kEdge, kPoison);
    return;
  }
  for (int row = 0; row < kEdge; ++row)
    for (int64_t face = 0; face < kEdge; face += kFace) {
      float *group = tile + row * kEdge + face;
      // Poison beside elements would take their exponent to the largest, and all their bits with it.
      bool shares = rows.rowOf[size_t(row)] >= 0 && from < face + kFace && to > face;
      std::fill_n(group, kFace, shares ? 0.0f : kPoison);
      const float *source = elements + rows.rowOf[size_t(row)] * rows.width + rows.begin;
      for (int64_t i = std::max(from, face), end = std::min(to, face + kFace); shares && i < end; ++i)
        tile[row * kEdge + i] = source[i];
    }
}

void scatterTile(const float *tile, const PageRows &rows, float *elements) {
  auto [from, to] = filledColumns(rows);
  for (int row = 0; row < kEdge; ++row)
    if (rows.rowOf[size_t(row)] >= 0)
      std::copy(tile + row * kEdge + from, tile + row * kEdge + to,
                elements + rows.rowOf[size_t(row)] * rows.width + rows.begin + from);
}

/// Where the first element lies, if all rows and columns of a tile are elements and rows follow each other, as in most tiles.
std::optional<int64_t> beginOfWholeTile(const PageRows &rows) {
  if (filledColumns(rows) != std::pair<int64_t, int64_t>(0, kEdge) || rows.rowOf[0] < 0)
    return std::nullopt;
  for (size_t row = 1; row < size_t(kEdge); ++row)
    if (rows.rowOf[row] != rows.rowOf[0] + int64_t(row))
      return std::nullopt;
  return rows.rowOf[0] * rows.width + rows.begin;
}

} // namespace

bool isStorable(DataType type) {
  return canPackTile(type) || type == DataType::UInt32 || type == DataType::UInt16 ||
         type == DataType::UInt8 || type == DataType::Int32 || type == DataType::Bool;
}

static void storeFloats(DataType type, bool tiled, const float *elements, const PageRows &rows,
                        uint8_t *bytes) {
  if (isBlockFloat(type)) {
    // Without a copy: most of large weights are such tiles.
    if (std::optional<int64_t> begin = beginOfWholeTile(rows))
      return packTile(type, elements + *begin, bytes, BlockFloatRounding::Host, rows.width);
    float tile[kEdge * kEdge];
    gatherTile(elements, rows, tile);
    return packTile(type, tile, bytes);
  }
  if (type == DataType::BFloat16)
    return storeScalars(tiled, elements, rows, kPoison, bytes,
                        [](float element) { return toBFloat16(element); });
  storeScalars(tiled, elements, rows, kPoison, bytes, [](float element) { return element; });
}

static void loadFloats(DataType type, bool tiled, float *elements, const PageRows &rows,
                       const uint8_t *bytes) {
  if (isBlockFloat(type)) {
    if (std::optional<int64_t> begin = beginOfWholeTile(rows))
      return unpackTile(type, bytes, elements + *begin, rows.width);
    float tile[kEdge * kEdge];
    unpackTile(type, bytes, tile);
    return scatterTile(tile, rows, elements);
  }
  if (type == DataType::BFloat16)
    return loadScalars<uint16_t>(tiled, elements, rows, bytes,
                                 [](uint16_t scalar) { return fromBFloat16(scalar); });
  loadScalars<float>(tiled, elements, rows, bytes, [](float element) { return element; });
}

/// Low bytes are stored: 300 is 44 as u8. Inputs that a format cannot hold are refused where they are read (Npy.cpp).
static void storeIntegers(DataType type, bool tiled, const int32_t *elements, const PageRows &rows,
                          uint8_t *bytes) {
  switch (scalarBytes(type).value()) {
  case 1:
    return storeScalars(tiled, elements, rows, kIntegerPoison, bytes,
                        [](int32_t element) { return uint8_t(element); });
  case 2:
    return storeScalars(tiled, elements, rows, kIntegerPoison, bytes,
                        [](int32_t element) { return uint16_t(element); });
  default:
    return storeScalars(tiled, elements, rows, kIntegerPoison, bytes,
                        [](int32_t element) { return element; });
  }
}

/// 8 and 16 bits are widened without a sign. 32 bits are taken as they are; whether they are signed is the type's
/// affair.
static void loadIntegers(DataType type, bool tiled, int32_t *elements, const PageRows &rows,
                         const uint8_t *bytes) {
  auto widen = [](auto scalar) { return int32_t(scalar); };
  switch (scalarBytes(type).value()) {
  case 1:
    return loadScalars<uint8_t>(tiled, elements, rows, bytes, widen);
  case 2:
    return loadScalars<uint16_t>(tiled, elements, rows, bytes, widen);
  default:
    return loadScalars<int32_t>(tiled, elements, rows, bytes, widen);
  }
}

void storePage(DataType type, bool tiled, const DenseTensor &values, const PageRows &rows, uint8_t *bytes) {
  if (values.isInteger())
    storeIntegers(type, tiled, values.integers.data(), rows, bytes);
  else
    storeFloats(type, tiled, values.floats.data(), rows, bytes);
}

void loadPage(DataType type, bool tiled, DenseTensor &values, const PageRows &rows, const uint8_t *bytes) {
  if (values.isInteger())
    loadIntegers(type, tiled, values.integers.data(), rows, bytes);
  else
    loadFloats(type, tiled, values.floats.data(), rows, bytes);
}

} // namespace tessera::simulator
