//===- GlobalPool.cpp - The average of whole images ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. The operand goes to where the result is to lie, interleaved.
//   2. Tiles in which images end are untilized.
//   3. Rows are reduced; the results of several images are tilized afterwards.
//
//===----------------------------------------------------------------------===//
#include "PoolShards.h"
#include "Tilize.h"

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
  return answersAsNewest(call) && call.row.variant == AveragePool && whole && !padded &&
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

/// Tiles on their way. Rows are tilized as they are reduced, two to eight tiles of a column at once.
int64_t reductionTiles(int64_t pixels, bool tiles) {
  constexpr int64_t fewest = 2, most = 8, ofTiles = 5, ofRows = 7;
  return tiles ? ofTiles : ofRows + std::clamp(ceilDiv(pixels, 32), fewest, most);
}

void globalPoolMemory(const OpCall &call, const Window &w, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool l1 = toL1(call), moves = in.sharded() || in.l1() != l1;
  bool cut = in.tiled() && w.inHeight * w.inWidth % 32 != 0, whole = in.tiled() && !cut;
  int64_t tile = 1024 * in.scalar, columns = ceilDiv(w.inChannels, 32);
  if (cut)
    unpadProgram(call, use, in, tile);
  use.program("reduction");
  use.buffer("tiles", reductionTiles(w.inHeight * w.inWidth, whole), tile);
  if (out.tiled() && w.batch > 1) {
    use.program("tilize");
    use.buffer("rows", columns, tile);
    use.buffer("tiles", columns, tile);
  }
  // Averages of whole tiles are tiles, and untilized if rows are asked for.
  int64_t averages = whole && !out.tiled() && l1 ? ceilDiv(w.batch * columns, call.cores()) * tile : 0;
  int64_t moved = moves ? perCore(call, l1, in.tiled() ? PageLayout::Tile : PageLayout::RowMajor) : 0;
  int64_t rows = cut ? perCore(call, l1, PageLayout::RowMajor) : 0;
  // The larger of two moments: the moved operand beside its rows, and what is reduced beside what comes of it.
  use.tensors(std::max(moved + rows, (rows > 0 ? rows : moved) + averages + allocatedBytes(call, out)));
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
  use.program("reduction");
  use.buffer("tiles", reductionTiles(images.pixels, tiles), tile);
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
  int64_t peak = std::max(copy + read, (read > 0 ? read : copy) + averages + joined);
  use.tensors(held + std::max(peak, several ? joined + result : 0));
}

} // namespace tessera::analytic
