//===- LayoutBytes.cpp - What a layout takes from memory ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// facts/hardware 5.6: interleaved, P pages of p bytes over
// B banks take ceil(P / B) * align(p) from each; a shard takes its tiles, or
// its rows, each aligned, whether it is full of data or of padding.
//
//===----------------------------------------------------------------------===//

#include "tessera/Layout/TensorLayout.h"

using namespace llvm;

namespace tessera {
namespace {

bool liesInDram(const TensorLayout &layout) {
  return layout.buffer == BufferType::DRAM || layout.buffer == BufferType::Trace;
}

/// Pages in the memref: its tiles, or its rows.
int64_t pagesOfShard(const TensorLayout &layout) {
  return layout.isTiled() ? layout.shard.volume() : layout.shard.rows;
}

/// Banks over which the memref itself is spread: those of the memory if it is the whole tensor (grid 1x1),
/// else one, since it is then one core's part.
int64_t banksOfShard(const TensorLayout &layout, const DeviceSpec &device) {
  if (layout.isSharded() || layout.grid != GridShape{1, 1})
    return 1;
  return liesInDram(layout) ? device.dramBanks : device.cores().value();
}

} // namespace

Bytes pageBytes(const TensorLayout &layout) {
  return layout.isTiled() ? tileBytes(layout.dtype, layout.tile)
                          : scalarBytes(layout.dtype) * layout.shard.columns;
}

Bytes bankBytes(int64_t pages, Bytes page, int64_t banks, Bytes pageAlignment) {
  return alignUp(page, pageAlignment) * ceilDiv(pages, banks);
}

Bytes bytesPerCore(const TensorLayout &layout, const DeviceSpec &device) {
  if (!layout.onDevice())
    return Bytes(0);
  // Pages are aligned one by one and the sum is not: what the allocator adds for the buffer as a whole is the
  // `Allocator` room's.
  return bankBytes(pagesOfShard(layout), pageBytes(layout), banksOfShard(layout, device),
                   liesInDram(layout) ? device.dramAlignment : device.l1Alignment);
}

Bytes totalBytes(const TensorLayout &layout, ArrayRef<int64_t> shape) {
  // Full shards, whatever the last one holds: that is what the allocator sets aside (facts/hardware 5.6).
  if (layout.isSharded())
    return pageBytes(layout) * pagesOfShard(layout) * layout.grid.volume();
  // Interleaved, there are no shards that could be padded: each page exists once.
  int64_t units = physicalShapeInUnits(layout, shape).volume();
  return (layout.isTiled() ? tileBytes(layout.dtype, layout.tile) : scalarBytes(layout.dtype)) * units;
}

Bytes l1BytesPerCore(const TensorLayout &layout, const DeviceSpec &device) {
  return layout.isL1() ? bytesPerCore(layout, device) : Bytes(0);
}

} // namespace tessera
