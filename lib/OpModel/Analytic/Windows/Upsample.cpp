//===- Upsample.cpp - upsample -------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Nearest neighbours are copied row by row. Bilinear interpolation works on
// height shards (an interleaved operand goes to some, the result from there)
// that hold a row of the image more on either side. The result is row-major.
// tt-metal 0.77: upsample.cpp, upsample_device_operation.cpp.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Kernels.h"
#include "../Runtime.h"
#include "WindowBuffers.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

bool bilinear(const OpCall &call) { return call.op().string("mode", "nearest") == "bilinear"; }

/// Both axes of the image have the same factor; the result's shape says it.
int64_t factor(const OpCall &call) {
  return std::max<int64_t>(1, call.out[0].dim(1) / std::max<int64_t>(1, call.in[0].dim(1)));
}

/// Sharded by columns the rows are copied one by one, like those of an interleaved operand.
bool byWidth(const TensorRef &tensor) { return tensor.shardedAs(MemoryLayout::WidthSharded); }

// ---- Rules ----------------------------------------------------------------------------------------------

bool wholeTiles(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (in.rowMajor() || bilinear(call))
    return true;
  return !in.sharded() && in.height % 32 == 0 && in.width % 32 == 0;
}

/// A core's share of the sticks of a bilinear operand, and the cores that have one; its share of the result.
int64_t sticksPerCore(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (in.sharded())
    return std::max<int64_t>(1, in.layout->shard.rows * (in.tiled() ? 32 : 1));
  return ceilDiv(in.rows(), std::min(call.cores(), in.rows()));
}
int64_t shardsOf(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return in.sharded() ? in.shardCores() : std::min(call.cores(), in.rows());
}
int64_t resultSticks(const OpCall &call) {
  int64_t f = factor(call);
  return ceilDiv(call.in[0].rows() * f * f, shardsOf(call));
}

bool bilinearOperand(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!bilinear(call))
    return true;
  bool shards = !in.sharded() || in.shardedAs(MemoryLayout::HeightSharded);
  bool type = call.context.version < BackendVersion::Newest || in.dtype() == DataType::BFloat16;
  return type && shards && in.width % 32 == 0 && (in.rowMajor() || sticksPerCore(call) % 32 == 0);
}

bool resultShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!out.decided())
    return true;
  if (bilinear(call))
    return !in.sharded() || out.shardedAs(*in.layout->memory);
  if (byWidth(in))
    return out.sharded() || (in.shardCores() == 1 && in.layout->shard.columns == in.width);
  return in.sharded() ? out.shardedAs(*in.layout->memory) && out.shardCores() == in.shardCores()
                      : !out.sharded();
}

constexpr Rule kRules[] = {
    {{"upsample.whole_tiles", "a tiled operand must be interleaved and, for nearest, consist of whole tiles",
      "tt-metal 0.77: upsample_device_operation.cpp"},
     wholeTiles},
    {{"upsample.bilinear",
      "bilinear needs bf16 (since 2026), whole tiles of channels, and an operand interleaved or in height "
      "shards, tiled in shards of whole tiles",
      "tt-metal 0.77: upsample.cpp"},
     bilinearOperand},
    {{"upsample.shards", "the result of shards must be sharded as the operand is, that of others interleaved",
      "facts/hardware 4.6"},
     resultShards},
};

// ---- Results --------------------------------------------------------------------------------------------

TensorLayout sharded(const OpCall &call, MemoryLayout kind, GridShape grid, GridShape shard) {
  TensorLayout layout =
      l1Sharded(*call.out[0].desc, kind, grid, call.device().workerGrid, PageLayout::RowMajor);
  layout.shard = shard;
  return layout;
}

/// Every core keeps what its own sticks become; bilinear results are shared evenly.
TensorLayout resultOfShards(const OpCall &call) {
  const TensorLayout &in = *call.in[0].layout;
  int64_t f = factor(call),
          rows = bilinear(call) ? resultSticks(call) : std::max<int64_t>(1, in.shard.rows) * f * f;
  TensorLayout layout = sharded(call, *in.memory, in.grid, {rows, in.shard.columns});
  layout.cores = in.cores;
  return layout;
}

void outputs(OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  // Bilinear results in rows are moved to where they were asked for; all others come out as the kernel lays them.
  bool placed = bilinear(call) && out.decided() && out.rowMajor();
  if (in.sharded() && !placed && (!out.decided() || out.sharded()))
    return call.setOutput(0, resultOfShards(call));
  if (!out.decided() && bilinear(call))
    return call.setOutput(
        0, sharded(call, MemoryLayout::HeightSharded, {shardsOf(call), 1}, {resultSticks(call), in.width}));
  if (out.decided() && out.rowMajor())
    return;
  bool l1 = out.decided() ? out.l1() : in.l1();
  if (out.decided() && out.sharded())
    return call.setOutput(0, l1Sharded(*out.desc, *out.layout->memory, out.layout->grid,
                                       call.device().workerGrid, PageLayout::RowMajor));
  call.setOutput(0, l1 ? l1Interleaved(*out.desc, call.device().workerGrid, PageLayout::RowMajor)
                       : dramInterleaved(*out.desc, PageLayout::RowMajor));
}

// ---- Memory ---------------------------------------------------------------------------------------------

/// Sticks of the padded image that the results of the core need which needs most: two by two for each.
/// Core by core, since neither the first core nor the last one is always the one that needs most.
int64_t bilinearSticks(const OpCall &call) {
  const TensorRef &in = call.in[0];
  int64_t height = in.dim(1), width = in.dim(2), f = factor(call), padded = width + 2;
  int64_t all = in.rows() * f * f, perCore = resultSticks(call), most = 0;
  // The centre of pixel y lies at (y + 1/2) / f - 1/2 of the operand, and the row of padding in front adds 1;
  // that rounded down is (2y + 1 + f) / 2f.
  auto first = [&](int64_t stick) {
    int64_t x = stick % (width * f), y = stick / (width * f) % (height * f),
            image = stick / (width * height * f * f);
    return (image * (height + 2) + (2 * y + 1 + f) / (2 * f)) * padded + (2 * x + 1 + f) / (2 * f);
  };
  // Rows of the result that are of one row of the operand begin anew in it; otherwise sticks ascend. So the least is the core's first stick, or
  // that which begins its second row, and the last its last one, or that which ends the row before.
  const int64_t row = width * f;
  for (int64_t begin = 0; begin < all; begin += perCore) {
    int64_t end = std::min(begin + perCore, all), next = (begin / row + 1) * row,
            before = (end - 1) / row * row - 1;
    int64_t least = next < end ? std::min(first(begin), first(next)) : first(begin);
    int64_t last = before >= begin ? std::max(first(end - 1), first(before)) : first(end - 1);
    most = std::max(most, last - least + padded + 2);
  }
  return most;
}

void bilinearMemory(const OpCall &call, MemoryUse &use) {
  constexpr int64_t tile = 2048, pixels = 4, columns = 8;
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t stick = in.rowBytes(), own = in.sharded() ? 0 : sticksPerCore(call) * stick;
  if (!in.sharded())
    shardingProgram(call, use, in.tiled() ? in.tile : stick, in.layout->page);
  haloBuffers(use, stick, in.tiled() ? in.tileCols : 0, tile);
  use.program("bilinear");
  use.buffer("pixels of the first reader", 2 * pixels, std::min(stick, columns * 64));
  use.buffer("pixels of the second reader", 2 * pixels, stick);
  use.buffer("weights", 2 * 2, tile);
  // Of shards the result is made where it was asked for.
  int64_t result = in.sharded() ? allocatedBytes(call, out) : resultSticks(call) * stick;
  bool moves =
      !in.sharded() && !(out.shardedAs(MemoryLayout::HeightSharded) && out.shardCores() == shardsOf(call));
  use.tensors(own + bilinearSticks(call) * stick + result + (moves ? allocatedBytes(call, out) : 0));
}

/// Rows of tiles one by one, two at a time if a core has more of them.
void untilizeRows(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t depth = in.rows() / 32 > call.cores() ? 2 : 1;
  use.buffer("tiles", depth * in.tileCols, in.tile);
  use.buffer("rows", depth * in.tileCols, in.tile);
}

void memory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (bilinear(call))
    return bilinearMemory(call, use);
  if (in.tiled())
    return untilizeRows(call, use);
  int64_t access = in.dram() || out.dram() ? call.device().dramAlignment.value() : 16;
  use.tensors(allocatedBytes(call, out));
  if (byWidth(in))
    return use.buffer("rows", 4, alignUp(in.layout->shard.columns * in.scalar, access));
  if (in.sharded()) {
    // Rows are counted one by one, of a result that no L1 has room for in vain.
    int64_t result = allocatedBytes(call, out);
    return use.tensors(result > call.usableL1() ? result
                                                : result + upsampleTableBytes(in, in.dim(2), factor(call)));
  }
  use.buffer("rows", in.rows() > call.cores() ? 2 : 1,
             alignUp(in.rowBytes(), call.device().dramAlignment.value()));
}

/// One row at a time.
OpRuntime upsampleRuntime(const OpCall &call) {
  Work work;
  addDramTraffic(call, work);
  work.noc = double(ceilDiv(call.out[0].rows(), call.cores())) * call[P::UpsampleStick];
  work.start = call[P::UpsampleStart];
  return timeOf(call, work);
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kUpsample = {"upsample", kOperands,       kRules,         outputs,
                          memory,     upsampleRuntime, neverConfirmed, countUpsample};
const OpRow kRows[] = {{"ttnn.upsample", &kUpsample, 1, 1}};

} // namespace

/// Two readers share the sticks that a core copies, every row of the image as often as it is repeated. A reader's list has 8
/// bytes for each run of sticks that lie side by side in a shard; both lists are as long as the longest of any core.
int64_t upsampleTableBytes(const TensorRef &in, int64_t width, int64_t f) {
  constexpr int64_t entry = 8, readers = 2, buffer = 16;
  int64_t perCore = in.shardUnits().rows, rows = in.rows() / std::max<int64_t>(1, width);
  int64_t share = ceilDiv(perCore * f, readers), taken = 0, runs = 0, most = 0;
  bool jumps = true;
  for (int64_t row = 0; row < rows * f; ++row) {
    for (int64_t column = 0; column < width;) {
      int64_t inShard = (row / f * width + column) % perCore;
      if (taken == share) {
        most = std::max(most, std::exchange(runs, 0));
        share = std::max<int64_t>(1, perCore * f - share);
        taken = 0;
        jumps = true;
      }
      runs += jumps || inShard == 0;
      jumps = false;
      int64_t step = std::min({width - column, perCore - inShard, share - taken});
      column += step;
      taken += step;
    }
    jumps = row % f != f - 1;
  }
  return alignUp(readers * entry * std::max(most, runs), buffer);
}

Rows upsampleRows() { return kRows; }

} // namespace tessera::analytic
