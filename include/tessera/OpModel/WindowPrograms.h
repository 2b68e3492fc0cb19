//===- WindowPrograms.h - Programs that sliding windows are made of ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// conv2d and the pools are several device programs, one after the other:
//
//   [padded slice]  a part of the image from DRAM to shards, if sliced
//   halo            every core gets the rows around its own
//   kernel          the convolution or the pool
//   [slice write]   the result of a slice to its place in DRAM
//
// Each is a function of plain figures, so that profiles, where they are rows of
// their own, can check it. Figures are those of the busiest core unless said
// otherwise. docs/op-model.md, "Time".
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_WINDOWPROGRAMS_H
#define TESSERA_OPMODEL_WINDOWPROGRAMS_H

#include "tessera/OpModel/OpModel.h"
#include "tessera/OpModel/Parameters.h"
#include "tessera/OpModel/Window.h"

namespace tessera::analytic {

/// Times include the launch of the program.
struct HaloWork {
  double shardRows = 1, rowBytes = 2; ///< input shard: sticks, and bytes of one once untilized
  double tileRows = 0, tileCols = 0;  ///< of a tiled input shard, which is untilized; 0 if row-major
  double outRows = 1;                 ///< sticks of the result
  double imageShare = 1;              ///< of the padded image that is image; padding is written locally
  double neededRows =
      1; ///< input sticks divided by the cores that share them; < shardRows if the last have less
  /// Cores that share the pixels, and all that take part.
  double pixelCores = 1, cores = 1;
};
/// One halo exchange: gathers under each core the input sticks that its outputs need.
OpRuntime haloTime(const DeviceSpec &device, const Parameters &parameters, const HaloWork &work);

/// Of one slice, on the core with most of it.
struct PaddedSliceWork {
  double shardRows = 1, rowBytes = 2; ///< result shard, row-major
  double tileRows = 0, tileCols = 0;  ///< of a tiled source under one shard; 0 if row-major
  bool narrow = false;                ///< rows are cut from tiles: less than a tile wide
  double bytes = 0;                   ///< to read, all cores
};
/// Cuts one slice of an image in DRAM into shards in L1 (convolutions over DRAM slices).
OpRuntime paddedSliceTime(const DeviceSpec &device, const Parameters &parameters,
                          const PaddedSliceWork &work);

/// Of one slice's result, on the core with most of it.
struct SliceWriteWork {
  bool tiled = true;
  double units = 1;    ///< tiles, or rows
  double rowBytes = 0; ///< of a row, if row-major
  double bytes = 0;    ///< to write, all cores
};
/// Writes the shards of a slice's result into the whole result in DRAM.
OpRuntime sliceWriteTime(const DeviceSpec &device, const Parameters &parameters, const SliceWriteWork &work);

/// Sizes in tiles unless said otherwise.
struct ConvWork {
  /// Of one core.
  double rows = 1, columns = 1; ///< of the result
  double inner = 1;             ///< tile rows of the weights
  double blockRows = 1, blockInner = 1;
  double kernelH = 1, kernelW = 1;
  double stickBytes = 2;     ///< one pixel's channels on this core
  double weightTile = 2048;  ///< bytes
  double channelCores = 1;   ///< share the input channels
  bool multicast = false;    ///< activation and weights of a K block are multicast: block and width sharding
  bool doubleBuffer = false; ///< the next activation block is read during arithmetic
  int fidelity = 2;          ///< 1 LoFi ... 4 HiFi4
};
/// The convolution kernel itself, once its halo is there.
OpRuntime convKernelTime(const DeviceSpec &device, const Parameters &parameters, const ConvWork &work);

/// Of one core; channels go by tiles.
struct PoolWork {
  double sticks = 1; ///< of the result
  double tileCols = 1;
  double kernelH = 1, kernelW = 1;
};
/// The pooling kernel, as above.
OpRuntime poolKernelTime(const DeviceSpec &device, const Parameters &parameters, const PoolWork &work);

/// Halo of a window over `inShardRows` sticks per core, made into `outRows` (Window::haloSticks).
HaloWork haloOf(const Window &window, double inShardRows, double outRows, double stickBytes,
                double pixelCores, double cores);

} // namespace tessera::analytic

#endif // TESSERA_OPMODEL_WINDOWPROGRAMS_H
