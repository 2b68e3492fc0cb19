//===- Permute.cpp - permute, transpose ----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A permute that moves no page is a view (facts/formulas 13); anything else is a
// copy, and an expensive one (facts/hardware 6.5).
//
//===----------------------------------------------------------------------===//
#include "Permute.h"

#include "../Kernels.h"
#include "../Shards.h"
#include "Reshape.h"
#include "RowPrograms.h"

namespace tessera::analytic {
namespace {

// ---- Legality -------------------------------------------------------------------------------------------
/// Until 2026 kernels took few placements; since then they read and write shards page by page wherever these lie.
bool noWidthSharding(const OpCall &call) {
  return answersAsNewest(call) || !call.in[0].shardedAs(MemoryLayout::WidthSharded);
}
bool resultInterleavedOrView(const OpCall &call) {
  return answersAsNewest(call) || !call.out[0].sharded() || permuteIsView(call);
}
bool mayGiveShards(const OpCall &call) {
  return answersAsNewest(call) || noShardedOutputFromInterleaved(call);
}

bool validPermutation(const OpCall &call) {
  llvm::ArrayRef<int64_t> order = call.op().integers("permutation");
  size_t rank = call.in[0].rank();
  if (order.size() != rank || call.out[0].rank() != rank)
    return false;
  // Names of dimensions come from the IR: a doubled one would leave another out, and later steps count on an order.
  llvm::SmallVector<bool, 8> seen(rank, false);
  for (int64_t d : order) {
    if (d < 0 || d >= int64_t(rank) || seen[size_t(d)])
      return false;
    seen[size_t(d)] = true;
  }
  return true;
}

bool fullWidthShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return answersAsNewest(call) || !in.sharded() ||
         (in.shardedAs(MemoryLayout::HeightSharded) && in.shardTiles().columns >= in.tileCols);
}
bool fullWidthShardsOrView(const OpCall &call) { return fullWidthShards(call) || permuteIsView(call); }

bool transposeDimsInRange(const OpCall &call) {
  size_t rank = call.in[0].rank();
  return normalizedDim(call.op().integer("dim0", -2), rank) < rank &&
         normalizedDim(call.op().integer("dim1", -1), rank) < rank;
}

bool liesAlike(const TensorLayout &a, const TensorLayout &b) {
  return a.memory == b.memory && a.grid == b.grid && a.shard == b.shard && a.cores == b.cores;
}

/// A dimension and itself, or two of one element: the library copies the tensor as it lies. Tiles that would be turned are, and rows leave
/// their shards for it.
bool copiedAsItLies(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  size_t rank = in.rank(), a = normalizedDim(call.op().integer("dim0", -2), rank),
         b = normalizedDim(call.op().integer("dim1", -1), rank);
  // Exchanging the last two dimensions turns tiles, even where both have one element: those go another way and are
  // no copy.
  bool turns = a != b && std::max(a, b) + 2 >= rank,
       ones = in.dim(int64_t(a)) == 1 && in.dim(int64_t(b)) == 1;
  if (!answersAsNewest(call) || !(a == b || ones) || (turns && in.tiled()) || !out.decided())
    return true;
  if (turns || !in.sharded() || !out.sharded())
    return !in.sharded() && !out.sharded();
  return liesAlike(*in.layout, *out.layout);
}

/// Rows are written into shards where L1 can be read.
bool resultRowsAligned(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return !answersAsNewest(call) || !out.rowMajor() || !out.sharded() ||
         out.layout->shard.columns * out.scalar % 16 == 0;
}

/// Two neighbours of four dimensions have a kernel of their own; all others are permuted.
bool transposedRowsAligned(const OpCall &call) {
  const TensorRef &in = call.in[0];
  size_t rank = in.rank(), a = normalizedDim(call.op().integer("dim0", -2), rank),
         b = normalizedDim(call.op().integer("dim1", -1), rank);
  bool ones = in.dim(int64_t(a)) == 1 && in.dim(int64_t(b)) == 1;
  bool neighbours = rank <= 4 && std::max(a, b) - std::min(a, b) <= 1;
  return ones || a == b || neighbours || resultRowsAligned(call);
}

bool turnsOnFirstCores(const OpCall &call) {
  return !answersAsNewest(call) || onFirstCores(call.in[0]) || !tellsCores(call);
}

constexpr Rule kPermuteRules[] = {
    {{"permute.permutation", "the permutation must name each dimension once", "facts/ir 1.4"},
     validPermutation},
    {{"permute.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"permute.no_width_sharding", "until 2026 the operand must not be width-sharded", "facts/ir 4.6"},
     noWidthSharding},
    {{"permute.full_width_shards", "until 2026 a sharded operand must be height-sharded with whole rows",
      "facts/hardware 4.4"},
     fullWidthShardsOrView},
    {{"permute.result_interleaved", "until 2026 the result must be interleaved unless it is a view",
      "facts/ir 4.6"},
     resultInterleavedOrView},
    {{"permute.shard_row_alignment", "rows of a row-major sharded result must be multiples of 16 bytes",
      "tt-metal 0.77: permute.cpp"},
     resultRowsAligned},
    {{"permute.first_cores",
      "what is turned or collected in its shards must lie on the grid's first cores, row by row",
      "tt-metal (transpose_wh_sharded_program_factory.cpp), ttnn 0.81.1 executed (docs/programs.md)",
      "wrong values on ttsim 1.10.0"},
     turnsOnFirstCores},
};
constexpr Rule kTransposeRules[] = {
    {{"transpose.dims", "both dimensions must exist", "facts/ir 1.4"}, transposeDimsInRange},
    {{"transpose.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"transpose.full_width_shards", "until 2026 a sharded operand must be height-sharded with whole rows",
      "facts/hardware 4.4"},
     fullWidthShards},
    {{"transpose.sharded_result", "until 2026 an interleaved operand cannot give a sharded result",
      "facts/hardware 4.4, facts/formulas 14"},
     mayGiveShards},
    {{"transpose.shard_row_alignment",
      "rows of a row-major sharded result must be multiples of 16 bytes, but for neighbours of at most four "
      "dimensions",
      "asked of ttnn 0.77.0 and 0.81.1 (permute.cpp)"},
     transposedRowsAligned},
    {{"transpose.copies",
      "what exchanges nothing is copied from interleaved memory to such, or from shards to the same ones",
      "asked of ttnn 0.77.0 and 0.81.1 (clone_device_operation.cpp)"},
     copiedAsItLies},
    {{"transpose.first_cores",
      "what is turned or collected in its shards must lie on the grid's first cores, row by row",
      "tt-metal (transpose_wh_sharded_program_factory.cpp), ttnn 0.81.1 executed (docs/programs.md)",
      "wrong values on ttsim 1.10.0"},
     turnsOnFirstCores},
};

// ---- Result layout --------------------------------------------------------------------------------------
/// Views follow the operand; copies of a sharded operand are interleaved in L1, since 2026 sharded as it is.
void permuteOutputs(OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (out.decided() || !in.sharded() || permuteIsView(call))
    return outputsLikeOperand0(call);
  if (answersAsNewest(call))
    return call.setOutput(0, permutedLayout(call));
  call.setOutput(0, l1Interleaved(*out.desc, call.device().workerGrid, in.layout->page));
}

void transposeOutputs(OpCall &call) {
  if (answersAsNewest(call) && !call.out[0].decided() && call.in[0].sharded())
    return call.setOutput(0, permutedLayout(call));
  outputsLikeOperand0(call);
}

// ---- Time -----------------------------------------------------------------------------------------------

/// Rows of every result tile are gathered from as many tiles, half a row at a time.
/// For a transpose of the height and the dimension before it: 4 x 32 x 64 to 32 x 4 x 64 makes each result tile of
/// four rows, from as many operand tiles.
OpRuntime gatherRowsTime(const OpCall &call) {
  Work work;
  addDramTraffic(call, work);
  // A row of a tile lies in two faces, side by side.
  double halves = 2 * double(std::min<int64_t>(32, call.out[0].height));
  work.noc = double(call.tilesPerCore(call.out[0])) * halves *
             call[call.in[0].dram() ? P::GatherHalfRow : P::GatherHalfRowL1];
  // Each is 32 bytes of bf16, far less than a page, so that the number of accesses decides and not their bytes.
  work.dramAccesses = call.in[0].dram() ? double(call.out[0].tiles()) * halves : 0;
  work.start = call[P::GatherStart];
  return timeOf(call, work);
}

/// Operand tiles are read once; their rows leave as lines of 16 elements, and so does the padding of the
/// result's tiles.
OpRuntime permuteTilesTime(const OpCall &call, bool lastStays) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  // A tile has 32 rows, and each lies in two faces: 64 lines of 16 elements.
  double cores = double(call.cores()), outTiles = double(ceilDiv(out.tiles(), call.cores()));
  double lines = 64 * outTiles, other = outTiles * call[P::PermuteLast];
  if (lastStays) {
    // Lines that hold elements leave from the operand's tiles; what is left of the result's is padding, which is
    // written as well.
    double valid = double(std::min(in.rows(), out.rows()) * in.tileCols) / cores;
    lines = 2 * (valid + std::max(0.0, outTiles * 32 - valid));
    other = double(ceilDiv(in.tiles(), call.cores())) * call[P::PermuteRead];
  }
  Work work;
  addDramTraffic(call, work);
  work.noc = lines * call[P::PermuteLine] + other;
  work.dramAccesses = out.dram() ? lines * cores : 0;
  work.start = call[P::PermuteStart];
  return timeOf(call, work);
}

/// Row-major: rows move whole if the last dimension stays; else blocks of 32 x 32 elements are turned.
OpRuntime permuteRowsTime(const OpCall &call, bool lastStays) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (lastStays)
    return copyRows(call, planeOf(out), 1, in.dram() ? planeOf(in).bytesOfRows() : 0);
  Work work;
  addDramTraffic(call, work);
  // Matrices of the two dimensions that change places, each padded to whole blocks of 32 x 32: 1000 matrices of 1 x
  // 1 cost a block each.
  work.noc = double(in.elements()) / double(in.width) / double(out.width) * double(alignUp(in.width, 32)) *
             double(alignUp(out.width, 32)) / double(call.cores()) * call[P::PermuteElement];
  work.start = call[P::PermuteStart];
  return timeOf(call, work);
}

/// Which kernel it is: rows, tiles that are turned or stay whole, or tiles that are taken apart into lines. `order`: of all
/// dimensions.
OpRuntime reorderTime(const OpCall &call, llvm::ArrayRef<int64_t> order) {
  size_t rank = order.size();
  bool lastStays = rank == 0 || order[rank - 1] == int64_t(rank) - 1;
  if (call.in[0].rowMajor())
    return permuteRowsTime(call, lastStays);
  int64_t height = int64_t(rank) - 2;
  bool swapsTileAxes = rank >= 2 && order[rank - 1] == height && order[rank - 2] == height + 1;
  // Tiles that stay whole are copied by the kernel that also turns them.
  bool wholeTiles = rank >= 2 && lastStays && order[rank - 2] == height;
  int64_t tiles = answersAsNewest(call) && !turnsInShards(call) ? ceilDiv(call.out[0].tiles(), call.cores())
                                                                : busiestTiles(call);
  return swapsTileAxes || wholeTiles ? streamTime(call, tiles, kTransposeTiles)
                                     : permuteTilesTime(call, lastStays);
}

OpRuntime permuteRuntime(const OpCall &call) {
  if (permuteIsView(call))
    return noTime();
  return turnsAsBf16(call) ? timeByWayOfBf16(call) : reorderTime(call, call.op().integers("permutation"));
}

OpRuntime transposeRuntime(const OpCall &call) {
  if (transposeIsView(call))
    return noTime();
  if (turnsAsBf16(call))
    return timeByWayOfBf16(call);
  llvm::SmallVector<int64_t, 6> order = orderOfTranspose(call);
  size_t rank = order.size();
  // Until 2026 rows of tiles that change places with an outer dimension were gathered. Of an extent of one there is nothing to interleave:
  // whole tiles move.
  bool rowsMove = rank >= 3 && order[rank - 1] == int64_t(rank) - 1 && order[rank - 2] != int64_t(rank) - 2;
  bool gathers = rowsMove && call.in[0].dim(-2) > 1 && call.in[0].dim(-3) > 1;
  return gathers && !answersAsNewest(call) && call.in[0].tiled() ? gatherRowsTime(call)
                                                                 : reorderTime(call, order);
}

// Goldens of transposes exchange height and width only.
bool swapsTileAxes(const OpCall &call) {
  size_t rank = call.in[0].rank();
  return tiledInterleaved(call) && normalizedDim(call.op().integer("dim0", -2), rank) + 2 >= rank &&
         normalizedDim(call.op().integer("dim1", -1), rank) + 2 >= rank;
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kPermute = {"permute",     kOperands,      kPermuteRules, permuteOutputs,
                         permuteMemory, permuteRuntime, permuteIsView, countPermute};
const Family kTranspose = {"transpose",     kOperands,        kTransposeRules, transposeOutputs,
                           transposeMemory, transposeRuntime, swapsTileAxes,   countTranspose};

const OpRow kRows[] = {
    {"ttnn.permute", &kPermute, 1, 1},
    {"ttnn.transpose", &kTranspose, 1, 1},
};

} // namespace

Rows permuteRows() { return kRows; }

} // namespace tessera::analytic
