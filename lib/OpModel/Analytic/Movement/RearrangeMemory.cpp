//===- RearrangeMemory.cpp - Circular buffers of concat, slice, pad ------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Whole tiles are copied as they are; where a border falls inside a tile the
// tensor is untilized, copied by rows, and tilized again. facts/formulas 8;
// tt-metal 0.77: data_movement/{concat,slice,pad}.
//
//===----------------------------------------------------------------------===//
#include "Rearrange.h"

#include "../Conversions/Tilize.h"

namespace tessera::analytic {
namespace {

/// To whose multiples the pages of a tensor in DRAM, or in L1, lie.
int64_t alignmentOf(const OpCall &call, bool dram) {
  const DeviceSpec &device = call.device();
  return std::max<int64_t>(1, (dram ? device.dramAlignment : device.l1Alignment).value());
}

/// L1 per core of so many rows, interleaved.
int64_t bytesOfRows(const OpCall &call, int64_t rows, int64_t rowBytes) {
  return ceilDiv(rows, call.cores()) * alignUp(rowBytes, alignmentOf(call, false));
}

} // namespace

// ---- concat ---------------------------------------------------------------------------------------------
size_t concatDim(const OpCall &call) {
  return normalizedDim(call.op().integer("dim", 0), call.out[0].rank());
}

bool turnsIntoItself(const TensorRef &tensor) { return tensor.height == 1 && tensor.width == 1; }

size_t concatAxis(const OpCall &call) { return call.out[0].rank() - concatDim(call); }

bool joinsShardByShard(const OpCall &call) {
  const TensorRef &first = call.in[0];
  size_t axis = concatAxis(call);
  return axis <= 2 && (first.shardedAs(MemoryLayout::BlockSharded) ||
                       first.shardedAs(axis == 1 ? MemoryLayout::HeightSharded : MemoryLayout::WidthSharded));
}

bool concatUnshards(const OpCall &call) {
  const TensorRef &first = call.in[0], &out = call.out[0];
  return answersAsNewest(call) && first.sharded() && first.rank() > 1 && out.interleaved() &&
         !joinsShardByShard(call);
}

bool concatByRows(const OpCall &call) {
  size_t axis = concatAxis(call);
  // Along outer dimensions whole matrices of tiles follow each other: no border falls inside a tile.
  if (axis > 2 || !call.in[0].tiled())
    return false;
  // Tiles have two dimensions, and one is too few (asked of ttnn 0.77.0 and 0.81.1).
  if (call.in[0].rank() == 1 && answersAsNewest(call))
    return true;
  return llvm::any_of(
      call.in, [&](const TensorRef &tensor) { return (axis == 1 ? tensor.width : tensor.height) % 32 != 0; });
}

namespace {

/// What programs take that leave half of L1 to others.
int64_t halfOfL1(const DeviceSpec &device) {
  return device.l1Size.value() / 2 - device.l1UnreservedBase.value();
}

/// Two pages, or one if two would take half of L1. Rows are as long as the result's along the width.
void joinPages(const OpCall &call, MemoryUse &use, int64_t page) {
  use.program("join");
  use.buffer("pages", 2 * page > halfOfL1(call.device()) ? 1 : 2, page);
}

/// Rows of which some begin where no read may begin: they are turned, joined along the height, and turned back.
bool turnsRows(const OpCall &call) {
  return concatAxis(call) == 1 && llvm::any_of(call.in, [&](const TensorRef &tensor) {
           return tensor.rowBytes() % alignmentOf(call, tensor.dram()) != 0;
         });
}

void joinRows(const OpCall &call, MemoryUse &use) {
  const TensorRef &first = call.in[0], &out = call.out[0];
  int64_t row = concatAxis(call) == 1 ? out.rowBytes() : first.rowBytes();
  if (turnsRows(call)) {
    use.program("turn");
    use.buffer("blocks in, in tiles and out", 6, 32 * 32 * out.scalar);
    row = out.height * out.scalar;
  }
  joinPages(call, use,
            alignUp(row, std::max(alignmentOf(call, first.dram()), alignmentOf(call, out.dram()))));
}

/// L1 per core of the tensor in rows; 0 if it does not lie in L1.
int64_t untiledRows(const OpCall &call, const TensorRef &tensor) {
  return tensor.l1() ? bytesOfRows(call, tensor.rows(), tensor.rowBytes()) : 0;
}

/// The same with its last two dimensions swapped.
int64_t turnedRows(const OpCall &call, const TensorRef &tensor) {
  return tensor.l1() ? bytesOfRows(call, tensor.batch * tensor.width, tensor.height * tensor.scalar) : 0;
}

/// Rows that were turned stay until the result is complete; those that they were turned from do not.
void joinedTensors(const OpCall &call, MemoryUse &use) {
  const TensorRef &out = call.out[0];
  // In the order in which the backend makes and frees them, on which the peak depends.
  bool turns = turnsRows(call);
  llvm::SmallVector<MemoryUse::Made, 4> rows;
  if (out.tiled())
    for (const TensorRef &tensor : call.in)
      rows.push_back(use.make(untiledRows(call, tensor)));
  if (turns) {
    for (const TensorRef &tensor : call.in)
      if (!turnsIntoItself(tensor))
        use.make(turnedRows(call, tensor));
    for (MemoryUse::Made each : rows)
      use.free(each);
    use.make(turnedRows(call, out));
  }
  if (out.tiled())
    use.make(untiledRows(call, out));
}

/// Since October 2026 one program untilizes, joins and tilizes rows of tiles of floats, if a row of all of them fits into L1 beside the
/// result (asked of ttnn 0.81.1). False if it does not.
bool joinTileRows(const OpCall &call, MemoryUse &use) {
  DataType type = call.out[0].dtype();
  if (!answersAsOctober2026(call) || concatAxis(call) != 1 || call.out[0].rank() < 2 ||
      (type != DataType::BFloat16 && type != DataType::Float32))
    return false;
  const TensorRef &out = call.out[0];
  int64_t pieces = 0, joined = out.tileCols, tile = out.tile, room = call.freeL1();
  for (const TensorRef &tensor : call.in)
    pieces += tensor.tileCols;
  room -= out.l1() ? call.perCore(out) : 0;
  if (3 * (pieces + joined) * tile > room)
    return false;
  use.program("untilize, join, tilize");
  use.buffer("operands", 2 * pieces, tile);
  use.buffer("their rows", pieces, tile);
  use.buffer("joined rows", joined, tile);
  use.buffer("result", 2 * joined, tile);
  return true;
}

/// Tiles of block floats are looked at as rows of bytes: those in DRAM that do not begin where reads may begin are turned, too. Only Blackhole's
/// DRAM asks for more than a tile's row (asked of ttnn 0.77.0 and 0.81.1).
bool turnsTiles(const OpCall &call) {
  return answersAsNewest(call) && isBlockFloat(call.in[0].dtype()) && concatAxis(call) == 1 &&
         llvm::any_of(call.in, [&](const TensorRef &tensor) {
           return tensor.width % alignmentOf(call, tensor.dram()) != 0;
         });
}

void joinTiles(const OpCall &call, MemoryUse &use) {
  const TensorRef &first = call.in[0], &out = call.out[0];
  if (!turnsTiles(call))
    return joinPages(call, use, first.tile);
  use.program("turn");
  use.buffer("tiles in and out", 4, first.tile);
  joinPages(call, use, first.tile);
  for (const TensorRef &tensor : call.in)
    use.make(tensor.l1() ? call.perCoreInterleaved(tensor) : 0);
  use.make(out.l1() ? call.perCoreInterleaved(out) : 0);
}

void concatInterleaved(const OpCall &call, MemoryUse &use) {
  if (call.in[0].rowMajor()) {
    joinRows(call, use);
    return joinedTensors(call, use);
  }
  if (!concatByRows(call))
    return joinTiles(call, use);
  if (joinTileRows(call, use))
    return;
  for (const TensorRef &tensor : call.in)
    // By the kernel that cuts padding off, whether an operand has any or not.
    unpadProgram(call, use, tensor, rowTileOf(tensor));
  joinRows(call, use);
  TensorRef made = call.out[0];
  made.tile = rowTileOf(made);
  tilizeProgram(call, use, made, made.tile);
  joinedTensors(call, use);
}

/// The dimension as the kernels of shards count it: since October 2026 as one of four, whatever the rank (asked of ttnn 0.81.1).
int64_t kernelDim(const OpCall &call) {
  return answersAsOctober2026(call) ? 4 - int64_t(concatAxis(call)) : int64_t(concatDim(call));
}

/// Shards are the buffers. Two tiled height shards of four dimensions are joined through their transposes; along other
/// dimensions than the third and the fourth the interleaved kernel reads them.
void joinShards(const OpCall &call, MemoryUse &use) {
  const TensorRef &first = call.in[0];
  if (first.shardedAs(MemoryLayout::BlockSharded))
    return;
  if (kernelDim(call) < 2)
    return joinPages(call, use, first.tiled() ? first.tile : first.rowBytes());
  if (first.rowMajor() || call.in.size() != 2 || kernelDim(call) != 3)
    return;
  int64_t columns = first.shardTiles().columns + call.in[1].shardTiles().columns;
  int64_t transposed = isBlockFloat(first.dtype()) ? 2048 : first.tile;
  use.buffer("transposed operands and result", 2 * columns, transposed);
  use.buffer("result", columns, first.tile);
}

/// L1 per core of an interleaved copy, unless the tensor is one.
int64_t laidOutInL1(const OpCall &call, const TensorRef &tensor) {
  if (tensor.l1() && !tensor.sharded())
    return 0;
  if (tensor.tiled())
    return call.perCoreInterleaved(tensor);
  return tensor.sharded() ? unshardedBytes(call, tensor)
                          : bytesOfRows(call, tensor.rows(), tensor.width * tensor.scalar);
}

/// Where the result is interleaved the backend joins shards and moves them, or lays the operands out where it is to lie, and joins those.
void concatSharded(const OpCall &call, MemoryUse &use) {
  const TensorRef &out = call.out[0];
  if (joinsShardByShard(call)) {
    joinShards(call, use);
    int64_t joined = 0;
    for (const TensorRef &tensor : call.in)
      joined += call.perCore(tensor);
    use.make(out.sharded() ? 0 : joined);
    return;
  }
  for (const TensorRef &tensor : call.in)
    use.make(out.l1() ? laidOutInL1(call, tensor) : 0);
  concatInterleaved(call, use);
}

} // namespace

void concatMemory(const OpCall &call, MemoryUse &use) {
  if (call.in[0].sharded())
    return concatSharded(call, use);
  concatInterleaved(call, use);
}

// ---- slice ----------------------------------------------------------------------------------------------
namespace {

bool hasStep(const OpCall &call) {
  return llvm::any_of(call.op().integers("step"), [](int64_t s) { return s != 1; });
}

/// Nothing is cut off.
bool slicesAll(const OpCall &call) {
  return call.row.name == "ttnn.slice_static" && !hasStep(call) &&
         call.in[0].desc->shape == call.out[0].desc->shape;
}

} // namespace

bool sliceByRows(const OpCall &call) {
  if (!call.in[0].tiled())
    return false;
  llvm::ArrayRef<int64_t> begins = call.op().integers("begins");
  size_t rank = call.in[0].rank();
  // The library looks at the last two dimensions to see whether tiles will do, and one is too few (asked of ttnn 0.77.0 and 0.81.1).
  if (rank == 1 && answersAsNewest(call))
    return true;
  for (size_t i = 0; i < begins.size(); ++i)
    // Ends need no look: what lies behind the end of the last tile is padding.
    if (i + 2 >= rank && begins[i] % 32 != 0)
      return true;
  return hasStep(call);
}

namespace {

/// As many rows at a time as make up to 4 KB and divide a core's rows, in steps of 32 (slice_program_factory_rm.cpp).
int64_t rowsAtATime(const OpCall &call, int64_t rows, int64_t stride) {
  constexpr int64_t mostBytes = 4096;
  int64_t perCore = alignUp(ceilDiv(rows, call.cores()), 32),
          count = std::max<int64_t>(1, mostBytes / stride);
  while (perCore % count != 0)
    --count;
  return count;
}

/// Double-buffered rows of the result; with steps, rows of the operand. Rows too long for L1 go in parts of 8 KB. `inDram`: the
/// rows that are read lie there.
void sliceRowsProgram(const OpCall &call, MemoryUse &use, bool inDram) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t source = alignmentOf(call, inDram), both = std::max(source, alignmentOf(call, out.dram()));
  use.program("copy rows");
  if (hasStep(call))
    return use.buffer("rows", 2, alignUp(in.rowBytes(), both));
  llvm::ArrayRef<int64_t> begins = call.op().integers("begins");
  bool shifted = !begins.empty() && begins.back() * in.scalar % source != 0;
  int64_t page = alignUp(out.rowBytes(), shifted ? 2 * both : both);
  constexpr int64_t part = 8192;
  if (!shifted && 2 * page > call.usableL1())
    return use.buffer("parts of rows", 4, part);
  use.buffer("rows", 2 * rowsAtATime(call, out.rows(), alignUp(out.rowBytes(), both)), page);
}

} // namespace

void sliceMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (slicesAll(call))
    return moveMemory(call, use);
  if (in.rowMajor())
    return sliceRowsProgram(call, use, in.dram());
  if (!sliceByRows(call))
    return use.buffer("pages", 2, in.tile);
  untilizeProgram(call, use, in, rowTileOf(in));
  // The rows lie where the result will.
  sliceRowsProgram(call, use, out.dram());
  TensorRef made = out;
  made.tile = rowTileOf(made);
  tilizeProgram(call, use, made, made.tile);
  if (!out.l1())
    return;
  use.make(bytesOfRows(call, in.rows(), in.rowBytes()));
  use.make(bytesOfRows(call, out.rows(), out.rowBytes()));
}

// ---- pad ------------------------------------------------------------------------------------------------
bool padsNothing(const OpCall &call) {
  return llvm::all_of(call.op().integers("padding"), [](int64_t p) { return p == 0; });
}

/// With a mask for each side that has some.
void fillProgram(MemoryUse &use, const TensorRef &in, int64_t tile) {
  use.program("fill");
  use.buffer("tiles in and out", 4, tile);
  use.buffer("masks", (in.width % 32 != 0) + (in.height % 32 != 0), tile);
}

bool padIsView(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return in.tiled() && in.tileRows == out.tileRows && in.tileCols == out.tileCols && in.batch == out.batch &&
         (!out.decided() || samePlacement(in, out));
}

/// Sixteen times two kilobytes of rows, at least sixteen rows, since October 2026 in half of L1 at most (asked of ttnn 0.81.1); a row of
/// padding; and one to shift rows in, unless they begin and end where DRAM can be read.
void padRowsProgram(const OpCall &call, MemoryUse &use, int64_t rowBytes, bool shifts) {
  constexpr int64_t batch = 16, readBytes = 2048;
  int64_t row = alignUp(rowBytes, alignmentOf(call, false)), inDram = alignUp(row, alignmentOf(call, true));
  int64_t rows = batch * std::max<int64_t>(1, ceilDiv(readBytes, row));
  if (answersAsOctober2026(call))
    rows = std::max<int64_t>(1, std::min(rows, halfOfL1(call.device()) / row));
  use.buffer("rows", rows, row);
  use.scratchpad(call, "padding", shifts || row != inDram ? 2 : 1, inDram);
}

namespace {

void padRowsProgram(const OpCall &call, MemoryUse &use) {
  llvm::ArrayRef<int64_t> padding = call.op().integers("padding");
  padRowsProgram(call, use, call.out[0].rowBytes(), padding[padding.size() - 2] != 0);
}

/// On one core: sixteen rows, and 32 elements of padding as a tensor of their own.
void padRowsOnOneCore(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  constexpr int64_t batch = 16, elements = 32;
  use.buffer("rows", batch, alignUp(out.rowBytes(), std::max<int64_t>(32, alignmentOf(call, in.dram()))));
  use.makeResult(0, call.perCore(out));
  // Of bfloat16 whatever the operand's type is.
  use.make(elements * 2);
}

/// Height shards that grow in one direction only: the shards are the buffers, beside a row of padding.
bool padsShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return in.shardedAs(MemoryLayout::HeightSharded) && out.shardedAs(MemoryLayout::HeightSharded) &&
         out.layout->shard.rows >= in.layout->shard.rows &&
         (in.width == out.width || in.rows() == out.rows());
}

/// The tensor in tiles of another type, where it lies: bytes per core if that is in L1.
int64_t bytesInTiles(const OpCall &call, const TensorRef &tensor, int64_t tile) {
  if (tensor.l1() && tensor.sharded())
    return tensor.shardTiles().volume() * tile;
  return tensor.l1() ? ceilDiv(tensor.tiles(), call.cores()) * tile : 0;
}

/// Block floats are padded as bfloat16: what a border leaves free is filled in a copy that is converted back, and what is padded is converted
/// once more. Copies of the operand lie where it does (asked of ttnn 0.77.0 and 0.81.1).
void padBlockFloats(const OpCall &call, MemoryUse &use, bool fills, bool grows) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t tile = rowTileOf(in), wide = bytesInTiles(call, in, tile);
  use.program("convert");
  use.buffer("tiles", fills || grows ? 2 : 0, in.tile + tile);
  if (fills) {
    MemoryUse::Made copy = use.make(wide);
    if (grows)
      use.make(bytesInTiles(call, in, in.tile));
    else // what was filled is the result
      use.makeResult(0, call.perCore(out));
    use.free(copy);
  }
  if (!grows)
    return;
  use.make(wide);
  use.make(bytesInTiles(call, out, tile));
}

void padTilesMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t tile = rowTileOf(in);
  // What a border leaves free in the tiles is filled first.
  bool fills = endsInsideTile(in) && answersAsNewest(call);
  bool grows = in.tileRows != out.tileRows || in.tileCols != out.tileCols || in.batch != out.batch;
  if (isBlockFloat(in.dtype()) && answersAsNewest(call))
    padBlockFloats(call, use, fills, grows);
  if (fills)
    fillProgram(use, in, tile);
  if (!grows)
    return;
  use.program("pad");
  bool several = call.op().boolean("use_multicore", false) && !answersAsOctober2026(call);
  use.buffer("tiles", several ? 4 : 2, tile);
  use.scratchpad(call, "padding", 1, tile);
}

} // namespace

void padMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  bool newest = answersAsNewest(call);
  // A view takes no tensor, but of block floats, which are copied; since 2026 what is added within its tiles is filled all
  // the same, which takes circular buffers.
  bool copies = newest && in.tiled() && isBlockFloat(in.dtype()) && endsInsideTile(in);
  if (padsNothing(call) || (padIsView(call) && !copies))
    use.tensors(0);
  if (padsNothing(call) || (padIsView(call) && !newest))
    return;
  if (in.tiled())
    return padTilesMemory(call, use);
  if (padsShards(call)) {
    // Rows that are added are sent from a buffer, rows that grow are filled by one kernel (asked of ttnn 0.77.0 and 0.81.1).
    const TensorRef &out = call.out[0];
    return in.width == out.width ? use.buffer("padding", 1, out.rowBytes())
                                 : use.scratchpad(call, "padding", 1, out.rowBytes());
  }
  if (!in.sharded() && !call.op().boolean("use_multicore", false))
    return padRowsOnOneCore(call, use);
  padRowsProgram(call, use);
}

} // namespace tessera::analytic
