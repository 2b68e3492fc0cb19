//===- GlobalPool.cpp - The average of whole images ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. The operand goes to where the result is to lie, interleaved.
//   2. Tiles in which images end are untilized.
//   3. Rows are reduced, those of tall images by several cores; the results of several images are tilized afterwards, and those of whole
//      tiles untilized where rows are asked for.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "PoolShards.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

bool toL1(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return out.decided() ? out.l1() : in.l1();
}

/// L1 per core of the operand, interleaved in these pages.
int64_t perCore(const OpCall &call, bool l1, PageLayout page) {
  if (!l1)
    return 0;
  const TensorDesc &desc = *call.in[0].desc;
  TensorLayout layout = l1Interleaved(desc, call.device().workerGrid, page);
  return allocatedBytes(call, makeTensorRef(desc, &layout));
}

} // namespace

/// The library replaces an average over the whole image by a reduction. The rules about windows and shards of a
/// pool do not hold of it, and whoever asks them has to ask this first.
bool averagesImages(const OpCall &call, const Window &w) {
  bool whole = w.kernelH == w.inHeight && w.kernelW == w.inWidth;
  bool padded = w.padTop + w.padBottom + w.padLeft + w.padRight > 0;
  // Tiles are seen image by image with the padding of them all, which images that do not share it evenly are pooled for (asked of ttnn
  // 0.77.0).
  const TensorRef &in = call.in[0];
  bool even = !in.tiled() || w.batch < 1 || in.tileRows * 32 % w.batch == 0;
  return answersAsNewest(call) && call.row.variant == AveragePool && whole && !padded && even &&
         !isBlockFloat(call.in[0].dtype());
}

void globalPoolOutput(OpCall &call) {
  const TensorRef &out = call.out[0];
  if (out.decided() && !out.sharded())
    return;
  PageLayout page = out.decided() && out.tiled() ? PageLayout::Tile : PageLayout::RowMajor;
  call.setOutput(0, toL1(call) ? l1Interleaved(*out.desc, call.device().workerGrid, page)
                               : dramInterleaved(*out.desc, page));
}

namespace {

constexpr int64_t kSumsTile = 4096; ///< of 32 bits

/// How the rows of pixels of one image after another are reduced.
struct ImageReduction {
  int64_t pixels, channels, batch, tile;
  bool tiles;                   ///< of the operand, in which no image ends
  int64_t parts = 1, depth = 2; ///< cores for an image; tiles of the operand on their way

  ImageReduction(const OpCall &call, int64_t pixels, int64_t batch, bool tiles)
      : pixels(pixels), channels(call.in[0].width), batch(batch), tile(1024 * call.in[0].scalar),
        tiles(tiles) {
    // As in a reduction over the height of tiles (ReductionSteps.cpp), several cores share a tall image if there are two at least for
    // each of its columns; images of rows are shared earlier, and were before October 2026 (asked of ttnn 0.77.0 and 0.81.1).
    constexpr int64_t leastOfRows = 16, leastOfTiles = 20, leastCores = 2;
    int64_t rows = ceilDiv(pixels, 32), columns = batch * ceilDiv(channels, 32);
    bool tall = tiles ? answersAsOctober2026(call) && rows >= leastOfTiles : rows >= leastOfRows;
    if (tall && leastCores * columns <= call.cores())
      parts = std::min(call.cores() / columns, rows);
    constexpr int64_t busy = 4, many = 8;
    bool sharesBf16 = shared() && tile != kSumsTile;
    if (sharesBf16 || (answersAsOctober2026(call) && columns / call.cores() >= busy))
      depth = many;
  }

  bool shared() const { return parts > 1; }
  void programs(MemoryUse &use) const;
  /// L1 per core of what the parts of the images are reduced to: a row of 32-bit sums each, beside the averages.
  int64_t bytesOfParts(const OpCall &call) const;
};

/// Rows are tilized as they are reduced, two to eight tiles of a column at once.
void ImageReduction::programs(MemoryUse &use) const {
  constexpr int64_t fewest = 2, most = 8;
  int64_t together = std::clamp(ceilDiv(pixels, 32), fewest, most);
  use.program("reduction");
  use.buffer("scaler", 1, tile);
  use.buffer("result", 2, shared() ? kSumsTile : tile);
  if (tiles) {
    use.buffer("operand", depth, tile);
  } else {
    use.buffer("rows", 2, tile);
    use.buffer("tiles of rows, and their sum", together + 1, tile);
    use.buffer("intermediate", 1, shared() ? kSumsTile : tile);
  }
  if (!shared())
    return;
  use.program("reduce parts");
  use.buffer("rows, scaler and intermediate", 4, kSumsTile);
  use.buffer("tiles of rows", std::max(fewest, ceilDiv(parts, 32)), kSumsTile);
  use.buffer("accumulator and result", 3, tile);
}

int64_t ImageReduction::bytesOfParts(const OpCall &call) const {
  if (!shared())
    return 0;
  TensorDesc sums{{1, 1, batch * parts, channels}, DataType::Float32};
  return rowMajorBytes(call, makeTensorRef(sums, nullptr), /*l1=*/true);
}

} // namespace

void globalPoolMemory(const OpCall &call, const Window &w, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool l1 = toL1(call), moves = in.sharded() || in.l1() != l1;
  bool cut = in.tiled() && w.inHeight * w.inWidth % 32 != 0, whole = in.tiled() && !cut;
  ImageReduction reduction(call, w.inHeight * w.inWidth, w.batch, whole);
  int64_t tile = 1024 * in.scalar;
  if (cut) // its shards are interleaved first
    untilizeProgram(call, use, makeTensorRef(*in.desc, nullptr), tile);
  reduction.programs(use);

  // Averages of whole tiles that no cores share are tiles, all others rows, but for those that are tiles to the end.
  bool inTiles = whole && !(reduction.shared() && !out.tiled());
  bool again = inTiles ? !out.tiled() || w.batch > 1 : out.tiled() && w.batch > 1;
  TensorDesc each{{w.batch, 1, 1, w.inChannels}, in.dtype()},
      joined{{1, 1, w.batch, w.inChannels}, in.dtype()};
  int64_t averages = inTiles ? call.perCoreInterleaved(makeTensorRef(each, nullptr))
                             : rowMajorBytes(call, makeTensorRef(joined, nullptr), /*l1=*/true);
  if (again && inTiles && !out.tiled())
    unpadProgram(call, use, makeTensorRef(each, nullptr), tile);
  else if (again && !inTiles)
    tilizeProgram(call, use, makeTensorRef(joined, nullptr), tile, nullptr, "tilize");

  int64_t moved = moves ? perCore(call, l1, in.tiled() ? PageLayout::Tile : PageLayout::RowMajor) : 0;
  int64_t rows = cut ? perCore(call, l1, PageLayout::RowMajor) : 0;
  int64_t held = rows > 0 ? rows : moved, result = allocatedBytes(call, out);
  // The largest of three moments: the moved operand beside its rows, what is reduced and the parts beside the averages, and these beside
  // the result.
  int64_t first = again ? (l1 ? averages : 0) : result, parts = l1 ? reduction.bytesOfParts(call) : 0;
  use.tensors(std::max({moved + rows, held + parts + first, held + first + (again ? result : 0)}));
}

// ---- global_avg_pool2d ----------------------------------------------------------------------------------

namespace {

/// The operand as a tensor of N x 1 x HW x C.
struct Images {
  explicit Images(const TensorRef &in)
      : batch(in.rank() >= 4 ? in.dim(0) : 1), height(in.rank() >= 3 ? in.dim(-3) : 1),
        pixels(height * in.height), columns(ceilDiv(in.width, 32)) {}
  int64_t batch, height, pixels, columns;
  bool cut() const { return pixels % 32 != 0; }
};

/// L1 per core of interleaved tiles.
int64_t tilesPerCore(const OpCall &call, bool l1, int64_t tiles, int64_t tile) {
  return l1 ? ceilDiv(tiles, call.cores()) * tile : 0;
}

int64_t rowsPerCore(const OpCall &call, bool l1, int64_t rows) {
  int64_t row = alignUp(call.in[0].rowBytes(), call.device().l1Alignment.value());
  return l1 ? ceilDiv(rows, call.cores()) * row : 0;
}

} // namespace

void wholeImagesOutput(OpCall &call) {
  if (!call.out[0].decided() || call.out[0].sharded())
    call.setOutput(0, toL1(call)
                          ? l1Interleaved(*call.out[0].desc, call.device().workerGrid, PageLayout::Tile)
                          : dramInterleaved(*call.out[0].desc, PageLayout::Tile));
}

/// L1 per core of an interleaved copy of the operand. Shards are laid out in L1 first, wherever the result is to lie.
int64_t laidOut(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!in.sharded() && (in.l1() || !toL1(call)))
    return 0;
  return in.tiled() ? tilesPerCore(call, true, in.tiles(), in.tile) : rowsPerCore(call, true, in.rows());
}

void wholeImagesBuffers(const OpCall &call, const Images &images, bool tiles, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t tile = 1024 * in.scalar;
  if (in.tiled() && images.cut())
    unpadProgram(call, use, in, tile);
  ImageReduction(call, images.pixels, images.batch, tiles).programs(use);
  if (images.batch == 1 || tiles)
    return;
  TensorDesc joined{{1, 1, images.batch, in.width}, in.dtype()};
  tilizeProgram(call, use, makeTensorRef(joined, nullptr), tile, nullptr, "tilize");
}

void wholeImagesMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  Images images(in);
  bool l1 = toL1(call), tiles = in.tiled() && !images.cut();
  wholeImagesBuffers(call, images, tiles, use);
  // What was laid out anew stays, but for what comes from DRAM and is untilized.
  int64_t laid = laidOut(call), held = in.sharded() || tiles ? laid : 0, copy = laid - held, read = 0;
  if (tiles && images.height > 1 && in.height % 32 != 0)
    read = tilesPerCore(call, l1, images.batch * images.pixels / 32 * images.columns, in.tile);
  else if (in.tiled() && !tiles)
    read = rowsPerCore(call, l1, images.batch * images.pixels);
  bool several = images.batch > 1;
  int64_t result = tilesPerCore(call, l1, images.batch * images.columns, in.tile);
  int64_t averages = several && !tiles ? rowsPerCore(call, l1, images.batch) : result;
  int64_t joined = several ? tilesPerCore(call, l1, ceilDiv(images.batch, 32) * images.columns, in.tile) : 0;
  // The untilized or moved operand goes once it is reduced; averages of several images are joined, and laid out
  // anew as the result.
  int64_t parts = l1 ? ImageReduction(call, images.pixels, images.batch, tiles).bytesOfParts(call) : 0;
  int64_t peak = std::max(copy + read, (read > 0 ? read : copy) + averages + std::max(joined, parts));
  use.tensors(held + std::max(peak, several ? joined + result : 0));
}

} // namespace tessera::analytic
