//===- LayoutDrawing.h - A layout as a picture ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LAYOUT_LAYOUTDRAWING_H
#define TESSERA_LAYOUT_LAYOUTDRAWING_H

#include "tessera/Device/DeviceSpec.h"
#include "tessera/Layout/MetalGeometry.h"

namespace llvm {
class raw_ostream;
}

namespace tessera {

struct LayoutDrawingOptions {
  /// Draw the cores where this device has them, one panel per chip, idle cores too. Null, or a grid that does
  /// not fit: draw the virtual grid, one panel per coordinate of its leading dimensions.
  const DeviceSpec *device = nullptr;
  /// Element of the tensor to point out; must lie within its shape.
  std::optional<Index> element;
};

/// Writes a self-contained SVG of the layout's cores, their shards, tiles and padding.
///
/// A shard is drawn as its memory: columns are the innermost dimension, rows all others in row-major order.
/// What is too fine to show (more than 8 panels, 64 x 64 cores, hundreds of padding boxes in a shard, tiles
/// below three pixels) is left out or summarised, and the drawing says so; its size and the time it takes stay
/// bounded for any layout.
void drawLayout(llvm::raw_ostream &os, const MetalGeometry &geometry,
                const LayoutDrawingOptions &options = {});

} // namespace tessera

#endif // TESSERA_LAYOUT_LAYOUTDRAWING_H
