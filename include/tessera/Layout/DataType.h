//===- DataType.h - Element formats and their sizes -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_DATATYPE_H
#define TESSERA_LAYOUT_DATATYPE_H

#include "tessera/Support/Units.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace tessera {

/// The element formats of `#ttcore.supportedDataTypes`, in its order.
/// The `BFP_` ones are block floating point: 16 elements of a tile's face row share one exponent byte.
enum class DataType : uint8_t {
  Float32,
  Float16,
  BFloat16,
  BFP_Float8,
  BFP_BFloat8,
  BFP_Float4,
  BFP_BFloat4,
  BFP_Float2,
  BFP_BFloat2,
  UInt32,
  UInt16,
  UInt8,
  Int32,
  Bool,
};
inline constexpr unsigned kNumDataTypes = 14;

/// Height and width of a tile, in elements.
struct TileShape {
  int64_t height = 32, width = 32;
  constexpr int64_t elements() const { return height * width; }
  constexpr auto operator<=>(const TileShape &) const = default;
};

/// The spelling in IR: f32 f16 bf16 bfp_f8 bfp_bf8 bfp_f4 bfp_bf4 bfp_f2 bfp_bf2 u32 u16 u8 si32 i1. The last one is
/// Bool (facts/dialect 3).
llvm::StringRef name(DataType type);
/// The inverse of name(); nullopt for any other text.
std::optional<DataType> parseDataType(llvm::StringRef text);

/// True for the BFP_ formats, which exist in tiles only.
bool isBlockFloat(DataType type);

/// Bytes of one scalar of a non-block format (bool: 1). For block formats, the bytes of one element's
/// mantissa would not be whole: ask tileBytes instead.
Bytes scalarBytes(DataType type);

/// Bits of one element; for block formats of its sign and mantissa, without the shared exponent.
int64_t elementBits(DataType type);

/// Bytes of the shared exponents with which a block-float tile begins; 0 for other formats. Source: see
/// tileBytes.
Bytes exponentBytes(DataType type, TileShape tile = {});

/// Bytes of one tile: elements x scalar bytes, or for block formats mantissas plus one exponent byte per
/// 16 elements (32x32: bfp8 1088, bfp4 576, bfp2 320; facts/hardware 1.3). The exponents
/// of a tiny tile fill at least 16 bytes (facts/deepseek 5.3).
Bytes tileBytes(DataType type, TileShape tile = {});

} // namespace tessera

#endif // TESSERA_LAYOUT_DATATYPE_H
