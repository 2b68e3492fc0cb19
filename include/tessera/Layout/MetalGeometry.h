//===- MetalGeometry.h - Where each element lies --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The isomorphism between a tensor's indices and its memory, worked out once
// per layout and shape and then cheap per element. For 2x3x64x128 f32 on a 2x4
// grid in 32x32 tiles, element [1, 1, 6, 100]:
//
//   collapsed   (d0 * 192 + d1 * 64 + d2, d3)        = (262, 100)
//   core        (262 / 192, 100 / 32)                = (1, 3)      shards of 192x32 elements
//   in shard    (262 % 192, 100 % 32)                = (70, 4)
//   tile        (70 / 32, 4 / 32)                    = (2, 0)      the memref's index
//   face        row 70 % 32 = 6, column 4: the upper left 16x16 face, number 0
//   offset      tile 2 * 4096 + (0 * 256 + 6 * 16 + 4) * 4 = 8592 bytes into the shard
//
// And back from (core, offset) to the index. What lies in a shard but comes
// from no index is padding: beyond the data of the shard, or in a gap that a
// padded stride leaves.
//
// Tiles are row-major in the shard, faces in the tile, elements in the face. A
// block-float tile begins with one exponent byte per face row; its mantissas
// follow (facts/deepseek 5.2, 5.3).
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_METALGEOMETRY_H
#define TESSERA_LAYOUT_METALGEOMETRY_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Layout/MetalLayout.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MathExtras.h"

namespace tessera {

/// An index into a tensor, a grid or a shard; large enough for the usual ranks without allocation.
using Index = llvm::SmallVector<int64_t, 8>;

/// Where one element lies.
struct MetalLocation {
  Index collapsed; ///< physical index before the grid cuts it, in elements
  Index core;      ///< grid coordinate
  Index inShard;   ///< element of the core's shard
  Index unit;      ///< index into the memref: the tile, or the element if not tiled
  int64_t face = 0, faceRow = 0, faceColumn = 0; ///< in the tile; 0 if not tiled
  Bytes offset;                  ///< of the element (block floats: its mantissa) from the start of the shard
  unsigned bit = 0;              ///< of the mantissa in that byte; 0 unless mantissas are smaller than a byte
  std::optional<Bytes> exponent; ///< block floats: offset of the shared exponent
  bool operator==(const MetalLocation &) const = default;
};

/// A box of elements, half-open per dimension.
struct ElementBox {
  Index begin, end;
  /// In elements.
  int64_t volume() const;
  bool contains(llvm::ArrayRef<int64_t> index) const;
  bool operator==(const ElementBox &) const = default;
};

/// How a result of the map is undone: subtract what the known dimensions contribute, then divide by the
/// strides of the others, largest first.
struct DecodeStep {
  struct Term {
    unsigned dim = 0;
    int64_t stride = 1, extent = 1;
  };
  unsigned result = 0;
  int64_t constant = 0;
  llvm::SmallVector<Term, 4> known;   ///< found by earlier steps
  llvm::SmallVector<Term, 4> unknown; ///< found by this one, largest stride first
};

/// The steps that undo `linear` on the box `shape`, or an explanation why two indices may share a place. A
/// map can be undone if its results, taken in some order, each leave strides that step over all that lies
/// below them.
llvm::Expected<llvm::SmallVector<DecodeStep, 4>> planDecoding(const LinearMap &linear,
                                                              llvm::ArrayRef<int64_t> shape);

/// Division of non-negative numbers by a number that is known beforehand and most often a power of two.
class Divisor {
public:
  explicit Divisor(int64_t value = 1)
      : number(value),
        shift(llvm::isPowerOf2_64(uint64_t(value)) ? int(llvm::Log2_64(uint64_t(value))) : -1) {}
  int64_t value() const { return number; }
  int64_t divide(int64_t dividend) const { return shift >= 0 ? dividend >> shift : dividend / number; }

private:
  int64_t number;
  int shift; ///< -1: no power of two
};

/// To what a device's memory rounds up: the NoC addresses no less. Without a device nothing is rounded.
struct NocAlignment {
  Bytes page{1};   ///< of a tile, or of a row of scalars
  Bytes buffer{1}; ///< of all that a core sets aside
  bool operator==(const NocAlignment &) const = default;
};

/// Host memory that no device reads has none. Source: facts/hardware 1.3; the buffer's: docs/memory.md.
NocAlignment nocAlignment(MemorySpace space, const DeviceSpec &device);

class MetalGeometry {
public:
  /// The error lists every violation of checkMetalLayout, or says that the aligned size is beyond 64 bits.
  static llvm::Expected<MetalGeometry> create(MetalLayout layout, llvm::ArrayRef<int64_t> shape,
                                              NocAlignment alignment = {});

  const MetalLayout &layout() const { return description; }
  llvm::ArrayRef<int64_t> shape() const { return logical; }
  /// Extents of the collapsed tensor, in elements.
  llvm::ArrayRef<int64_t> collapsedShape() const { return collapsed; }
  /// Elements of the collapsed tensor per core, before tiles round them up: the scalar shard shape of
  /// facts/tensor-layout "Padding".
  llvm::ArrayRef<int64_t> scalarShard() const { return scalar; }
  /// Elements that a core sets aside: the scalar shard in whole tiles, or in rows as long as the alignment asks for.
  llvm::ArrayRef<int64_t> paddedShard() const { return padded; }

  int64_t cores() const { return coreVolume; }
  /// The grid's coordinate of a core, which row-major order gives that number. Requires number < cores().
  Index coreAt(int64_t number) const;
  int64_t logicalVolume() const;  ///< elements of the tensor
  int64_t physicalVolume() const; ///< elements of all shards
  int64_t paddingVolume() const { return physicalVolume() - logicalVolume(); }
  /// Real elements per element set aside; 1 for an empty tensor.
  double utilisation() const;
  Bytes pageBytes() const;    ///< of a tile, or of a row of the shard's scalars
  Bytes bytesPerCore() const; ///< of one shard, its pages a stride apart
  /// From one page to the next: pageBytes(), aligned.
  Bytes pageStride() const { return Bytes(strideOfPage); }
  /// What the allocator sets aside for it.
  Bytes reservedPerCore() const { return alignUp(bytesPerCore(), alignment.buffer); }
  /// Of all cores, idle ones too: every core of the grid sets its shard aside.
  Bytes totalBytes() const { return bytesPerCore() * cores(); }

  // ---- To memory ----

  /// Where the element of the tensor lies. Requires an index within the shape. Reuses the memory of
  /// `location`.
  void locate(llvm::ArrayRef<int64_t> index, MetalLocation &location) const;
  MetalLocation locate(llvm::ArrayRef<int64_t> index) const;

  // ---- And back ----

  /// The tensor's index of an element of a shard. False, and `index` meaningless, if it is padding. Requires
  /// a core within the grid and an element within the padded shard.
  bool logicalIndex(llvm::ArrayRef<int64_t> core, llvm::ArrayRef<int64_t> inShard, Index &index) const;
  /// The element of the shard whose byte (mantissa) begins at `offset` and `bit`, or nullopt for a place
  /// where none begins: an exponent, the middle of an element, outside.
  std::optional<Index> elementAt(Bytes offset, unsigned bit = 0) const;
  /// Whether no element of the tensor lies there; requires what logicalIndex requires.
  bool isPadding(llvm::ArrayRef<int64_t> core, llvm::ArrayRef<int64_t> inShard) const;

  /// Calls `visit` for disjoint boxes that make up all padding of the core's shard, until it returns false; returns
  /// what the last call did. Costs in proportion to the boxes visited, not to the elements: a box per gap between
  /// runs of real data.
  bool forEachPaddingRegion(llvm::ArrayRef<int64_t> core,
                            llvm::function_ref<bool(const ElementBox &box)> visit) const;

private:
  class PaddingSweep;
  MetalGeometry() = default;
  /// Fills in unit, face, offset, bit and exponent of a location whose element of the shard is known.
  void placeInUnit(MetalLocation &location) const;

  MetalLayout description;
  Index logical, collapsed, scalar, padded;
  llvm::SmallVector<DecodeStep, 4> decoding;
  NocAlignment alignment;
  int64_t strideOfPage = 1;
  unsigned pageDims =
      0; ///< dimensions of the memref that count pages: all of tiles, all but the last of scalars
  int64_t coreVolume = 1;
  bool empty = false; ///< no elements: all is padding

  // What locate() needs, worked out once. A scalar is a tile of one element.
  llvm::SmallVector<Divisor, 4> shardDivisors; ///< by scalarShard()
  Divisor tileHeight, tileWidth, faceHeight, faceWidth;
  int64_t facesPerRow = 1, unitBytes = 1, elementBits = 8, exponentBytes = 0;
};

} // namespace tessera

#endif // TESSERA_LAYOUT_METALGEOMETRY_H
