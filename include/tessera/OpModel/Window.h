//===- Window.h - Sliding windows over flattened images ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// conv2d and the pools see an image as sticks: one stick holds the channels of
// one pixel, and sticks are numbered row by row, image by image. Each core makes
// a run of output sticks and needs the run of padded input sticks under it:
// its halo.
//
//   out sticks of core i   [i * perCore, (i + 1) * perCore)
//   first input stick      the window's upper left corner at the first of them
//   last input stick       the window's lower right corner at the last of them
//
// facts/formulas 11.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPMODEL_WINDOW_H
#define TESSERA_OPMODEL_WINDOW_H

#include "tessera/Layout/TensorLayout.h"

#include <array>

namespace tessera::analytic {

/// The lists that drive a halo exchange: buffers of their own in L1, or in DRAM and brought into circular buffers.
struct HaloTables {
  std::array<int64_t, 4> lists = {}; ///< bytes per core
  bool inDram = false;

  /// L1 per core that they take as tensors: whole accesses.
  int64_t tensors() const;
};
struct Window {
  int64_t batch = 1, inHeight = 1, inWidth = 1, inChannels = 1, outChannels = 1;
  int64_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1, dilationH = 1, dilationW = 1;
  int64_t padTop = 0, padBottom = 0, padLeft = 0, padRight = 0;
  int64_t ceilBottom = 0, ceilRight = 0; ///< what the last windows need beyond the padding (ceil_mode)
  int64_t outHeight = 1, outWidth = 1;
  int64_t everyH = 1,
          everyW = 1; ///< one in so many rows and columns is the operand's; zeros stand between them

  /// Extents of the operand's own image, without zeros between its elements.
  int64_t givenHeight() const { return ceilDiv(inHeight, everyH); }
  int64_t givenWidth() const { return ceilDiv(inWidth, everyW); }
  int64_t inSticks() const { return batch * givenHeight() * givenWidth(); }
  int64_t paddedWidth() const { return inWidth + padLeft + padRight + ceilRight; }
  int64_t paddedHeight() const { return inHeight + padTop + padBottom + ceilBottom; }
  int64_t outSticks() const { return batch * outHeight * outWidth; }
  int64_t outTileRows() const { return ceilDiv(outSticks(), 32); }
  bool pointwise() const {
    return kernelH == 1 && kernelW == 1 && strideH == 1 && strideW == 1 &&
           padTop + padBottom + padLeft + padRight == 0;
  }
  /// Sizes are positive, bounded, and the kernel fits the padded image.
  bool valid() const;
  bool operator==(const Window &) const = default;

  /// Number of padded input sticks that the hungriest of `cores` cores needs for `perCore` output sticks.
  int64_t haloSticks(int64_t perCore) const;
  /// Bytes of the table by which the readers find their input, of the core that needs most: per run of output
  /// sticks that a reader works on at a time a header, and the start and end of each piece that stays in one
  /// output row, all 16 bit. `readers` (1 or 2) share a block of more than one tile.
  int64_t readerTableBytes(int64_t perCore, int64_t blockSticks, int64_t readers) const;
  /// Bytes of the four tables that drive the halo exchange, of the core that needs most (of a few): what to
  /// pad, and what to send where, each split between two kernels, all 16 bit. `inPerCore` input sticks lie on
  /// a core; tiled ones are sent as they are untilized, 32 at a time.
  int64_t haloTableBytes(int64_t perCore, int64_t inPerCore, bool tiled) const;
  /// Who holds and makes what in an exchange.
  struct Split {
    int64_t perCore, inPerCore; ///< output and input sticks of a core
    int64_t cores;              ///< that share the pixels; the last may have none
    int64_t columns; ///< of cores in a row, which is the order in which tiled sticks of one block are sent
    bool tiled;      ///< the operand
  };
  /// The same of all cores, as backends since 2026 have them, list by list.
  std::array<int64_t, 4> haloLists(const Split &split) const;
  /// Bytes of the table of an average's divisors, of the core that needs most: where each run of windows of one divisor begins and ends,
  /// and its inverse, all 16 bit. `counts`: padding counts as pixels do.
  int64_t divisorTableBytes(int64_t perCore, bool counts) const;
  /// The same window over `1 / slices` of the output rows (or columns).
  Window slice(int64_t slices, bool alongWidth) const;

private:
  static constexpr size_t kFields = 21;
  /// All that a window is.
  std::array<int64_t, kFields> fields() const {
    return {batch,    inHeight,   inWidth,   inChannels, outChannels, kernelH,   kernelW,
            strideH,  strideW,    dilationH, dilationW,  padTop,      padBottom, padLeft,
            padRight, ceilBottom, ceilRight, outHeight,  outWidth,    everyH,    everyW};
  }
  /// Half-open range.
  struct Range {
    int64_t begin = 0, end = 0;
  };
  /// Sticks of an input shard, from its stick `source` on, that go to one core in one piece.
  struct Transfer {
    int64_t source, size, core;
  };
  std::array<int64_t, 4> countedLists(const Split &split) const;
  /// What a core sends, to itself first, then to the others in order.
  std::vector<Transfer> transfersFrom(int64_t core, const Split &split) const;
  static void sortByBlocks(std::vector<Transfer> &transfers, int64_t columns);
  void addTransfers(Range sticks, int64_t target, Range halo, std::vector<Transfer> &transfers) const;
  /// Pixels under the window of an output stick.
  int64_t divisor(int64_t outStick, bool counts) const;
  /// Padded number of the first input stick under an output stick.
  int64_t inputStick(int64_t outStick) const;
  /// Padded input sticks under the `perCore` output sticks of a core. One that has none is given those of the last stick, unless they begin
  /// with the image's first.
  Range haloOf(int64_t core, int64_t perCore) const;
  /// Runs of padding within `halo`.
  int64_t paddingRuns(Range halo) const;
  /// Runs of the input sticks `sticks` (which count no padding) that land in `halo` one behind the other.
  int64_t piecesIn(Range sticks, Range halo) const;
  /// Padded number of an input stick.
  int64_t padded(int64_t stick) const;
  /// Where the piece ends that input stick `stick` lies in: of its row, or with zeros between elements it alone.
  int64_t pieceEnd(int64_t stick) const;
};

// Window::fields has all.
static_assert(sizeof(Window) == 21 * sizeof(int64_t));

} // namespace tessera::analytic

#endif // TESSERA_OPMODEL_WINDOW_H
