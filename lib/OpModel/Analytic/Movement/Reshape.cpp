//===- Reshape.cpp - reshape ---------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A reshape that moves no page is a view: it takes no time and no L1, its
// result is the operand's buffer (facts/formulas 13). Anything else is a copy,
// and an expensive one (facts/hardware 6.5).
//
//===----------------------------------------------------------------------===//
#include "Reshape.h"

#include "../Conversions/ConversionRuntime.h"
#include "../Conversions/Tilize.h"
#include "../Kernels.h"
#include "../Machine.h"
#include "../Runtime.h"
#include "../Shards.h"

#include <numeric>

namespace tessera::analytic {
namespace {

// ---- Legality -------------------------------------------------------------------------------------------
bool noWidthSharding(const OpCall &call) {
  return answersAsNewest(call) || !call.in[0].shardedAs(MemoryLayout::WidthSharded);
}

bool sameElements(const OpCall &call) {
  auto elements = [](const TensorDesc &desc) {
    int64_t product = 1;
    for (int64_t dim : desc.shape)
      product *= dim;
    return product;
  };
  return elements(*call.in[0].desc) == elements(*call.out[0].desc);
}

bool resultInterleavedOrView(const OpCall &call) {
  return answersAsNewest(call) || !call.out[0].sharded() || reshapeIsView(call);
}

bool liesOnRectangle(const TensorLayout &layout) {
  if (!layout.cores)
    return true;
  CoreRange box = layout.cores->boundingBox();
  return (box.end.x - box.start.x + 1) * (box.end.y - box.start.y + 1) == layout.grid.volume();
}

/// The most parts, up to `most`, into which an extent can be cut evenly in whole units; 0: none.
int64_t evenParts(int64_t extent, int64_t most, int64_t unit) {
  for (int64_t parts = most; parts > 0; --parts)
    if (extent % parts == 0 && extent / parts % unit == 0)
      return parts;
  return 0;
}

} // namespace

TensorLayout resharded(const OpCall &call, const TensorLayout &wish, bool keepsBlocks) {
  if (!wish.isSharded())
    return wish;
  const TensorDesc &desc = *call.out[0].desc;
  GridShape worker = call.device().workerGrid;
  TensorLayout interleaved =
      wish.isL1() ? l1Interleaved(desc, worker, wish.page) : dramInterleaved(desc, wish.page);
  if (!liesOnRectangle(wish))
    return interleaved;
  if (isOneHeightShard(wish))
    return asWidthShard(wish, desc, worker);
  TensorLayout result = withTensor(wish, desc, worker);
  // A height shard that has all rows counts as a width shard, on whatever cores were named.
  bool allRows = result.shard.rows >= physicalShapeInUnits(result, desc.shape).rows;
  if (wish.memory == MemoryLayout::HeightSharded && allRows) {
    result.memory = MemoryLayout::WidthSharded;
    std::swap(result.grid.rows, result.grid.columns);
  }
  if (wish.memory != MemoryLayout::BlockSharded)
    return result;
  if (keepsBlocks && wish.isTiled())
    return wish;
  // Rows are cut at 64 bytes.
  GridShape extent = physicalShape(result, desc.shape);
  int64_t unit = wish.isTiled() ? 32 : std::max<int64_t>(1, 64 / call.out[0].scalar);
  GridShape grid{evenParts(extent.rows, wish.grid.rows, wish.isTiled() ? 32 : 1),
                 evenParts(extent.columns, wish.grid.columns, unit)};
  return grid.volume() ? l1Sharded(desc, MemoryLayout::BlockSharded, grid, worker, wish.page) : interleaved;
}

bool holdsFlatResult(const OpCall &call, const TensorLayout &made) {
  const TensorRef &out = call.out[0];
  bool padded = out.rank() == 1 && made.isTiled() && out.width % 32 != 0;
  return !padded || !made.isSharded() || made.shard.columns >= out.tileCols;
}

namespace {

/// Where a copy that was wished there, or not wished anywhere, comes to lie since 2026.
TensorLayout copyLayout(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return resharded(call, out.decided() ? *out.layout : *in.layout, out.decided());
}

bool shardsHoldFlatResult(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !answersAsNewest(call) || holdsFlatResult(call, reshapeIsView(call) ? *in.layout : copyLayout(call));
}

/// Rows go from and to shards by way of interleaved memory, by kernels that take whole 16 bytes.
bool shardRowsAligned(const OpCall &call) {
  auto aligned = [](const TensorLayout &layout, int64_t scalar) {
    return layout.isTiled() || !layout.isSharded() || layout.shard.columns * scalar % 16 == 0;
  };
  const TensorRef &in = call.in[0];
  if (!answersAsNewest(call) || in.tiled() || reshapeIsView(call))
    return true;
  return aligned(*in.layout, in.scalar) && aligned(copyLayout(call), in.scalar);
}

/// Rows count as wide as all of their shards, and nothing that is padded so is viewed, not even in its own shape (asked of ttnn 0.77.0 and
/// 0.81.1).
bool viewHasWholeShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!answersAsNewest(call) || in.tiled() || !in.sharded() || !reshapeIsView(call))
    return true;
  return in.width % in.shardUnits().columns == 0;
}

/// A copy that comes to lie in shards is padded to whole ones, and then viewed in the shape that was asked for, which is refused (asked of
/// ttnn 0.77.0 and 0.81.1).
bool copyHasWholeShards(const OpCall &call) {
  if (!answersAsNewest(call) || call.in[0].tiled() || reshapeIsView(call))
    return true;
  TensorLayout made = copyLayout(call);
  return !made.isSharded() || call.out[0].width % made.shard.columns == 0;
}

/// Rows and block floats are made interleaved and sharded by kernels that have a shard as their circular buffer.
bool shardsCountable(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool direct = in.tiled() && !isBlockFloat(in.dtype());
  return !answersAsNewest(call) || direct || reshapeIsView(call) ||
         (shardPagesCountable(in) && shardPagesCountable(call.out[0]));
}

/// The kernel that copies knows elements of 16 bits as bf16 alone, and none of eight.
bool copiesType(const OpCall &call) {
  DataType type = call.in[0].dtype();
  bool copies = !reshapeIsView(call) && !reshapeIsMove(call);
  return !answersAsNewest(call) || !copies || (type != DataType::UInt16 && type != DataType::UInt8);
}

constexpr Rule kReshapeRules[] = {
    {{"reshape.same_elements", "operand and result must have the same number of elements", "facts/ir 1.4"},
     sameElements},
    {{"reshape.same_page_layout", "the result keeps the operand's page layout", "facts/hardware 4.4"},
     keepsPages},
    {{"reshape.no_width_sharding", "until 2026 the operand must not be width-sharded", "facts/ir 4.6"},
     noWidthSharding},
    {{"reshape.result_interleaved", "until 2026 the result must be interleaved unless it is a view",
      "facts/ir 4.6"},
     resultInterleavedOrView},
    {{"reshape.shard_row_alignment",
      "unless it is a view, rows of row-major shards must be multiples of 16 bytes",
      "tt-metal 0.77: sharded_to_interleaved_device_operation.cpp"},
     shardRowsAligned},
    {{"reshape.shard_pages",
      "unless it is a view, shards of rows have at most 65535 rows, those of block floats as many tiles",
      "tt-metal 0.77: circular_buffer.cpp"},
     shardsCountable},
    {{"reshape.view_shards", "rows of an operand that is viewed must be made of whole shards",
      "asked of ttnn 0.81.1 (tensor_ops.cpp)"},
     viewHasWholeShards},
    {{"reshape.whole_shards", "unless it is a view, rows in row-major shards must be made of whole shards",
      "asked of ttnn 0.77.0 and 0.81.1 (tensor_ops.cpp)"},
     copyHasWholeShards},
    {{"reshape.flat_result",
      "shards of a result of one dimension must be as wide as it is with padding, if it has any",
      "asked of ttnn 0.81.1 (tensor_ops.cpp)"},
     shardsHoldFlatResult},
    {{"reshape.type", "unless it is a view, a reshape takes no u16 or u8 (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (reshape_device_operation.cpp)"},
     copiesType},
};
// ---- Result layout --------------------------------------------------------------------------------------
/// The operand as it lies, under another shape.
void viewOutput(OpCall &call) {
  const TensorRef &in = call.in[0];
  // The same shape is the same layout, id and all; another one keeps shards and cores, and counts rows anew.
  if (in.desc->shape == call.out[0].desc->shape)
    return call.setOutput(0, in.id);
  TensorLayout layout = withTensor(*in.layout, *call.out[0].desc, call.device().workerGrid);
  layout.shard = in.layout->shard;
  call.setOutput(0, layout);
}

/// Views follow the operand; copies of a sharded operand are interleaved in L1, since 2026 sharded as it is or as was wished.
void outputs(OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!answersAsNewest(call)) {
    if (out.decided() || !in.sharded() || reshapeIsView(call))
      return outputsLikeOperand0(call);
    return call.setOutput(0, l1Interleaved(*out.desc, call.device().workerGrid, in.layout->page));
  }
  if (reshapeIsView(call))
    return in.sharded() || in.desc->shape == out.desc->shape ? viewOutput(call) : outputsLikeOperand0(call);
  if (reshapeIsMove(call) || !(out.decided() ? out : in).sharded())
    return outputsLikeOperand0(call);
  call.setOutput(0, copyLayout(call));
}

// ---- Time -----------------------------------------------------------------------------------------------

/// What one tile of a reshape's result takes, on average.
struct TileWork {
  double reads;  ///< pages of the operand, each fetched when the walk through the result's rows enters it
  double pieces; ///< runs of at most 16 elements, none of which crosses the face of a tile
};

/// The last dimension stays: rows keep their width and arrive in order, 32 of them from one page unless the
/// heights are out of step.
TileWork wholeRowWork(const TensorRef &out) {
  int64_t rows = std::min<int64_t>(32, out.height), step = std::gcd(out.height, int64_t(32));
  double reads = 1 + double(std::max<int64_t>(0, rows - step)) / 32;
  return {reads, double(rows * ceilDiv(std::min<int64_t>(32, out.width), 16))};
}

/// Walks the rows of one result tile, `index` counted from the first.
TileWork walkTile(const TensorRef &in, const TensorRef &out, int64_t index) {
  int64_t tilesDown = ceilDiv(out.height, 32), perMatrix = tilesDown * out.tileCols;
  int64_t matrix = index / perMatrix, row0 = index % perMatrix / out.tileCols * 32,
          col0 = index % out.tileCols * 32;
  TileWork work{0, 0};
  int64_t page = -1;
  for (int64_t row = row0; row < std::min(out.height, row0 + 32); ++row)
    for (int64_t col = col0; col < std::min(out.width, col0 + 32); col += 16)
      for (int64_t left = std::min<int64_t>(16, out.width - col),
                   at = (matrix * out.height + row) * out.width + col;
           left > 0;) {
        int64_t inRow = at / in.width, inCol = at % in.width;
        int64_t from =
            (inRow / in.height * ceilDiv(in.height, 32) + inRow % in.height / 32) * in.tileCols + inCol / 32;
        // A run ends where the operand's face or row ends; the result's ends it already.
        int64_t run = std::min({left, 16 - inCol % 16, in.width - inCol});
        work.reads += from != page;
        work.pieces += 1;
        page = from;
        left -= run;
        at += run;
      }
  return work;
}

TileWork tileWork(const TensorRef &in, const TensorRef &out) {
  // The walk would find the same for every tile.
  if (in.width == out.width)
    return wholeRowWork(out);
  // The pattern repeats; eight tiles spread over the result tell the average, and large reshapes cost no more than
  // small ones.
  constexpr int64_t samples = 8;
  int64_t count = std::min(samples, out.tiles());
  TileWork sum{0, 0};
  for (int64_t i = 0; i < count; ++i) {
    TileWork one = walkTile(in, out, i * out.tiles() / count);
    sum.reads += one.reads / double(count);
    sum.pieces += one.pieces / double(count);
  }
  return sum;
}

/// Rows that stay as long as they are, moved as a conversion moves them: no kernel has been seen to do that faster, and those reshapes of rows
/// that were measured have short ones. Nothing where rows change, or shards become others.
OpRuntime moveOfRows(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.width != out.width || (in.sharded() && out.sharded()))
    return noTime();
  ProgramCounts programs;
  bool isCounted = countMove(call, programs) && timedByCounts(call, programs);
  return isCounted ? machineTime(call, programs) : conversionTime(call);
}

OpRuntime longer(const OpRuntime &a, const OpRuntime &b) { return b.total > a.total ? b : a; }

/// Cores share the operand's rows, so many that each makes whole rows of the result: of a single row all is one core's work (tt-metal:
/// reshape_rm_program_factory.cpp).
int64_t reshapedRowsOfCore(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t unit = out.width / std::gcd(in.width, out.width);
  return std::min(in.rows(), alignUp(ceilDiv(in.rows(), call.cores()), unit));
}

OpRuntime reshapeRuntime(const OpCall &call) {
  if (reshapeIsView(call))
    return noTime();
  if (reshapeIsMove(call))
    return conversionTime(call);
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (answersAsNewest(call) && isBlockFloat(in.dtype())) {
    OpRuntime time = timeByWayOfBf16(call);
    addTime(time, fillTilesTime(call, out));
    return time;
  }
  Work work;
  addDramTraffic(call, work);
  work.start = call[P::ReshapeStart];
  if (in.rowMajor()) {
    // Pieces that begin and end at sixteen bytes move as they are; others byte by byte.
    bool aligned = in.rowBytes() % 16 == 0 && out.rowBytes() % 16 == 0;
    int64_t rows = reshapedRowsOfCore(call);
    double made = double(rows * in.width) / double(out.width), bytes = double(rows * in.rowBytes());
    work.noc = std::max(double(rows), made) * call[P::ReshapeRow] * clockOf(call.device()) +
               (aligned ? 0 : bytes * call[P::ReshapeByte]);
    return longer(timeOf(call, work), moveOfRows(call));
  }
  TileWork tile = tileWork(in, out);
  work.noc = double(ceilDiv(out.tiles(), call.cores())) *
             (call[P::ReshapeTile] + tile.reads * call[P::ReshapeRead] + tile.pieces * call[P::ReshapePiece]);
  return timeOf(call, work);
}

bool viewOrTiles(const OpCall &call) { return reshapeIsView(call) || tiledInterleaved(call); }
constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kReshape = {"reshape",     kOperands,      kReshapeRules, outputs,
                         reshapeMemory, reshapeRuntime, viewOrTiles,   countReshape};
const OpRow kRows[] = {
    {"ttnn.reshape", &kReshape, 1, 1},
};

} // namespace

Rows reshapeRows() { return kRows; }

} // namespace tessera::analytic
