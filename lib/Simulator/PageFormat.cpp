//===- PageFormat.cpp - Elements as the bytes of a page -------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PageFormat.h"

#include "tessera/Layout/BlockFloat.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace tessera::simulator {

namespace {

constexpr int kEdge = 32, kFace = 16;
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
  for (int face = 0; face < 4; ++face)
    for (int row = 0; row < kFace; ++row)
      visit(Piece{size_t(face / 2 * kFace + row), face % 2 * kFace, kFace});
}

/// Writes a page whose scalars are `encode(element)`.
template <class T, class Encode>
void storeScalars(bool tiled, const T *elements, const PageRows &rows, T padding, uint8_t *bytes,
                  Encode encode) {
  using Scalar = decltype(encode(padding));
  auto [from, to] = filledColumns(rows);
  auto put = [&](Scalar scalar) {
    std::memcpy(bytes, &scalar, sizeof(scalar));
    bytes += sizeof(scalar);
  };
  forEachPiece(tiled, rows, [&, from = from, to = to](Piece piece) {
    int64_t row = rows.rowOf[piece.row], end = piece.column + piece.count;
    int64_t first = std::clamp(from, piece.column, end), last = row < 0 ? first : std::clamp(to, first, end);
    const T *source = elements + row * rows.width + rows.begin;
    for (int64_t i = piece.column; i < first; ++i)
      put(encode(padding));
    for (int64_t i = first; i < last; ++i)
      put(encode(source[i]));
    for (int64_t i = last; i < end; ++i)
      put(encode(padding));
  });
}

/// Reads the elements of a page whose scalars are of type Scalar.
template <class Scalar, class T, class Decode>
void loadScalars(bool tiled, T *elements, const PageRows &rows, const uint8_t *bytes, Decode decode) {
  auto [from, to] = filledColumns(rows);
  forEachPiece(tiled, rows, [&, from = from, to = to](Piece piece) {
    int64_t row = rows.rowOf[piece.row], end = piece.column + piece.count;
    int64_t first = std::clamp(from, piece.column, end), last = row < 0 ? first : std::clamp(to, first, end);
    T *target = elements + row * rows.width + rows.begin;
    const uint8_t *source = bytes + (first - piece.column) * int64_t(sizeof(Scalar));
    for (int64_t i = first; i < last; ++i, source += sizeof(Scalar)) {
      Scalar scalar;
      std::memcpy(&scalar, source, sizeof(scalar));
      target[i] = decode(scalar);
    }
    bytes += piece.count * int64_t(sizeof(Scalar));
  });
}

// ---- Block-float tiles -----------------------------------------------------------------------------------

/// The elements of a tile row by row. Padding is poison where it has an exponent of its own, and 0 where it shares one.
void gatherTile(const float *elements, const PageRows &rows, float *tile) {
  auto [from, to] = filledColumns(rows);
  for (int row = 0; row < kEdge; ++row)
    for (int64_t face = 0; face < kEdge; face += kFace) {
      float *group = tile + row * kEdge + face;
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

} // namespace

bool isStorable(DataType type) {
  return canPackTile(type) || type == DataType::UInt32 || type == DataType::UInt16 ||
         type == DataType::UInt8 || type == DataType::Int32 || type == DataType::Bool;
}

void storeFloats(DataType type, bool tiled, const float *elements, const PageRows &rows, uint8_t *bytes) {
  if (isBlockFloat(type)) {
    float tile[kEdge * kEdge];
    gatherTile(elements, rows, tile);
    return packTile(type, tile, bytes);
  }
  if (type == DataType::BFloat16)
    return storeScalars(tiled, elements, rows, kPoison, bytes, toBFloat16);
  storeScalars(tiled, elements, rows, kPoison, bytes, [](float element) { return element; });
}

void loadFloats(DataType type, bool tiled, float *elements, const PageRows &rows, const uint8_t *bytes) {
  if (isBlockFloat(type)) {
    float tile[kEdge * kEdge];
    unpackTile(type, bytes, tile);
    return scatterTile(tile, rows, elements);
  }
  if (type == DataType::BFloat16)
    return loadScalars<uint16_t>(tiled, elements, rows, bytes, fromBFloat16);
  loadScalars<float>(tiled, elements, rows, bytes, [](float element) { return element; });
}

void storeIntegers(DataType type, bool tiled, const int32_t *elements, const PageRows &rows, uint8_t *bytes) {
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

void loadIntegers(DataType type, bool tiled, int32_t *elements, const PageRows &rows, const uint8_t *bytes) {
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

} // namespace tessera::simulator
