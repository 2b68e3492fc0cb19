//===- AttentionKernels.cpp - Counts of attention kernels -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Family.h"
#include "../Kernels.h"
#include "Attention.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

/// The work of one core of the decode kernel: its part of the keys of some key heads of one user.
struct DecodeShare {
  double heads;    ///< key heads, one after the other
  double chunks;   ///< of each
  double sharers;  ///< cores with keys of the same head
  double cores;    ///< that have any keys
  double together; ///< tiles that are under way before the reader waits
};
DecodeShare shareOfCore(const OpCall &call, const DecodeShape &shape, double queryTile) {
  const TensorRef &q = call.in[0], &k = call.in[1];
  // Users share the cores evenly. A user of more key heads than cores has several heads on one of them, one after the
  // other.
  int64_t users = std::max<int64_t>(1, q.dim(1)), ofUser = std::max<int64_t>(1, call.cores() / users);
  int64_t heads = ceilDiv(k.dim(1), ofUser), chunks = ceilDiv(ceilDiv(k.height, 32), shape.chunk);
  int64_t sharers = std::min(shape.coresPerHead, chunks), groups = ceilDiv(shape.groups, heads);
  // The barrier's threshold of the kernel: what all readers may have under way, in pages of queries.
  constexpr int64_t inFlight = 512, pageBytes = 1024 + 128;
  int64_t readers = std::max<int64_t>(1, std::min(call.cores(), groups * shape.coresPerHead));
  int64_t bytes = inFlight / readers * pageBytes;
  double together = std::floor(double(bytes) / queryTile);
  return {double(heads), double(ceilDiv(chunks, sharers)), double(sharers), double(groups * sharers),
          std::max(1.0, together)};
}

} // namespace

/// Over the whole cache: what the positions leave out is not known before the program runs.
Counted countDecode(const OpCall &call, ProgramCounts &programs) {
  if (call.row.variant != Contiguous)
    return std::nullopt;
  const TensorRef &q = call.in[0], &k = call.in[1], &v = call.in[2], &out = call.out[0];
  if (!q.tiled() || !k.tiled() || !out.tiled() || q.sharded() || out.sharded())
    return std::nullopt;
  DecodeShape shape = attentionDecodeShape(call);
  constexpr int64_t halfTileHeads = 16;
  double queryTile = q.dim(2) <= halfTileHeads && q.dtype() == DataType::BFloat16 ? 1024.0 : double(q.tile);
  DecodeShare share = shareOfCore(call, shape, queryTile);
  double queryRows = std::ceil(double(q.dim(2)) / 32), query = queryRows * double(shape.head);
  double chunkTiles = double(shape.chunk * shape.head), turns = share.heads * share.chunks;
  auto waitsFor = [&](double tiles) { return std::floor(tiles / share.together) + 1; };

  KernelCounts program = beginProgram(call, "attention decode", int64_t(share.cores));
  program.reader.add(1, {.steps = 550 + 31 * query, .reads = query, .readBytes = query * queryTile});
  program.reader.readWaits += waitsFor(query);
  // Keys, then values: chunks of the same number of tiles.
  program.reader.add(2 * turns, {.steps = 28 + 31 * chunkTiles,
                                 .reads = chunkTiles,
                                 .readBytes = chunkTiles * double(k.tile),
                                 .readWaits = waitsFor(chunkTiles)});
  program.reader.l1Loads += 90;
  // Heads of several key heads lie in one tile, which is then written line by line.
  constexpr double lineBytes = 32;
  double ofHead = double(q.dim(2)) / std::max(1.0, double(k.dim(1)));
  bool lines = k.dim(1) > 1;
  double writes = share.heads * (lines ? 2 * ofHead : queryRows) * double(out.tileCols);
  // Cores that share a head send their part of the result, with maxima and sums, to the one that writes it.
  double sent = share.sharers > 1 ? (query + 2 * queryRows) * queryTile : 0;
  program.writer.add(1, {.steps = 1300 + 35 * writes,
                         .writes = writes,
                         .writeBytes = std::max(sent, writes * (lines ? lineBytes : double(out.tile))),
                         .writeWaits = share.heads});
  program.writer.l1Loads += 140;
  double tiles = 2 * turns * chunkTiles;
  addTiles(call, program, tiles + query, 85);

  Pages queries = pagesOf(q);
  queries.bytes = queryTile;
  // Every core has its user's queries, so that those are read as often as a user has cores.
  queries.times = share.cores / std::max(1.0, double(q.dim(1)));
  addReads(call, program, queries);
  addReads(call, program, pagesOf(k));
  addReads(call, program, pagesOf(v));
  Pages written = pagesOf(out);
  if (lines) {
    written.bytes = lineBytes;
    written.times = 2 * double(q.dim(2)) / queryRows;
  }
  addWrites(call, program, written);
  programs.push_back(program);
  return OpRuntime();
}

} // namespace tessera::analytic
