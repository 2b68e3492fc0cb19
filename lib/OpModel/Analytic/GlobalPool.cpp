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

int64_t perCore(const OpCall &call, bool l1, PageLayout page) {
  if (!l1)
    return 0;
  const TensorDesc &desc = *call.in[0].desc;
  TensorLayout layout = l1Interleaved(desc, call.device().workerGrid, page);
  return allocatedBytes(call, makeTensorRef(desc, &layout));
}

} // namespace

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

/// Tiles on their way. Rows are tilized as they are reduced, up to eight tiles of a column at once.
int64_t reductionTiles(const Window &w, bool tiles) {
  constexpr int64_t together = 8, ofTiles = 5, ofRows = 7;
  return tiles ? ofTiles : ofRows + std::min(ceilDiv(w.inHeight * w.inWidth, 32), together);
}

void globalPoolMemory(const OpCall &call, const Window &w, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool l1 = toL1(call), moves = in.sharded() || in.l1() != l1;
  bool cut = in.tiled() && w.inHeight * w.inWidth % 32 != 0, whole = in.tiled() && !cut;
  int64_t tile = 1024 * in.scalar, columns = ceilDiv(w.inChannels, 32);
  if (cut)
    unpadProgram(call, use, in, tile);
  use.program("reduction");
  use.buffer("tiles", reductionTiles(w, whole), tile);
  if (out.tiled() && w.batch > 1) {
    use.program("tilize");
    use.buffer("rows", columns, tile);
    use.buffer("tiles", columns, tile);
  }
  // Averages of whole tiles are tiles, and untilized if rows are asked for.
  int64_t averages = whole && !out.tiled() && l1 ? ceilDiv(w.batch * columns, call.cores()) * tile : 0;
  int64_t moved = moves ? perCore(call, l1, in.tiled() ? PageLayout::Tile : PageLayout::RowMajor) : 0;
  int64_t rows = cut ? perCore(call, l1, PageLayout::RowMajor) : 0;
  use.tensors(std::max(moved + rows, (rows > 0 ? rows : moved) + averages + allocatedBytes(call, out)));
}

} // namespace tessera::analytic
