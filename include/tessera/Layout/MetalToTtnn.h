//===- MetalToTtnn.h - Between the compiler's layout and TTNN's -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// TTNN always folds all dimensions but the last into rows, pads each matrix to
// whole tiles first, and hands out whole tiles to cores. metal_layout can say
// more; these functions translate what both can say, and explain the rest.
//
// "The same" means: every element lies in the same shard, at the same place.
// The value that fills padding is not translated: TTNN promises none. The
// grid's cores are TTNN's canonical ones (facts/ir 1.1), as
// metal_layout's grid is virtual.
//
// Source: facts/tensor-layout "TTNN Tensor Layout".
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_METALTOTTNN_H
#define TESSERA_LAYOUT_METALTOTTNN_H

#include "tessera/Layout/MetalLayout.h"
#include "tessera/Layout/TensorLayout.h"
#include "llvm/Support/Error.h"

namespace tessera {

/// A layout in TTNN's words.
struct TtnnTerms {
  Shape shape;                  ///< logical
  Shape stride;                 ///< of each dimension in the 2-D physical layout, in elements
  GridShape shardShape;         ///< what a core holds of the 2-D layout, in elements; need not be whole tiles
  GridShape physicalShardShape; ///< shardShape in whole tiles
  TileShape tileShape;          ///< 1x1 if row-major
  /// Shards that hold data: ceil(rows / shard rows) x ceil(row width / shard columns). The document's formula
  /// divides the second component by shard_shape[0], a mistake for shard_shape[1]; and its stride[0] //
  /// stride[-2] counts the rows of one outermost slice, where all rows are meant. This may be less than the
  /// grid of the metal_layout, whose last cores may hold nothing.
  GridShape gridShape;
};

/// The terms of a layout of `shape`. Error, with the reason, where TTNN cannot collapse dimensions so.
llvm::Expected<TtnnTerms> ttnnTerms(const MetalLayout &layout, llvm::ArrayRef<int64_t> shape);

/// The same layout for TTNN. L1 grids n x 1 become height sharded, 1 x n width sharded, others block sharded;
/// DRAM with grid 1x1 becomes interleaved. Errors say what TTNN cannot express and what would be possible
/// instead; a batch that is cut by itself is a case for a mesh tensor.
llvm::Expected<TensorLayout> toTensorLayout(const MetalLayout &layout, llvm::ArrayRef<int64_t> shape,
                                            const DeviceSpec &device);

/// And back. Errors: L1 interleaved (pages go round-robin, not in shards), whole tiles dealt out unevenly,
/// cores that are not the canonical ones, buffers and attributes that metal_layout has no word for.
llvm::Expected<MetalLayout> toMetalLayout(const TensorLayout &layout, llvm::ArrayRef<int64_t> shape,
                                          const DeviceSpec &device);

} // namespace tessera

#endif // TESSERA_LAYOUT_METALTOTTNN_H
