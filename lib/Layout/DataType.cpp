//===- DataType.cpp - Element formats and their sizes ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/DataType.h"

#include <algorithm>

using namespace llvm;

namespace tessera {
namespace {

struct Format {
  StringLiteral name;
  int64_t bits; ///< per element; for block floats sign and mantissa
  bool block;   ///< plus a shared exponent byte per 16 elements
};

/// By DataType. Names: facts/ir 1.1; sizes: facts/hardware 1.3. A boolean takes a byte, whatever its name says.
constexpr Format kFormats[kNumDataTypes] = {
    {"f32", 32, false},   {"f16", 16, false},  {"bf16", 16, false},  {"bfp_f8", 8, true},
    {"bfp_bf8", 8, true}, {"bfp_f4", 4, true}, {"bfp_bf4", 4, true}, {"bfp_f2", 2, true},
    {"bfp_bf2", 2, true}, {"u32", 32, false},  {"u16", 16, false},   {"u8", 8, false},
    {"si32", 32, false},  {"i1", 8, false},
};

constexpr int64_t kElementsPerExponent = 16;
/// Tiny tiles: the exponent section is at least one L1 alignment unit (facts/deepseek 5.3, "tiny tiles").
constexpr int64_t kLeastExponentBytes = 16;

const Format &formatOf(DataType type) { return kFormats[unsigned(type)]; }

} // namespace

StringRef name(DataType type) { return formatOf(type).name; }

std::optional<DataType> parseDataType(StringRef text) {
  for (unsigned i = 0; i != kNumDataTypes; ++i)
    if (kFormats[i].name == text)
      return DataType(i);
  return std::nullopt;
}

bool isBlockFloat(DataType type) { return formatOf(type).block; }

Bytes scalarBytes(DataType type) { return Bytes(ceilDiv(formatOf(type).bits, 8)); }

int64_t elementBits(DataType type) { return formatOf(type).bits; }

Bytes exponentBytes(DataType type, TileShape tile) {
  if (!isBlockFloat(type))
    return Bytes(0);
  return Bytes(std::max(kLeastExponentBytes, ceilDiv(tile.elements(), kElementsPerExponent)));
}

Bytes tileBytes(DataType type, TileShape tile) {
  return exponentBytes(type, tile) + Bytes(ceilDiv(tile.elements() * elementBits(type), 8));
}

} // namespace tessera
