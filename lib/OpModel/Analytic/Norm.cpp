//===- Norm.cpp - softmax, layer norm, rms norm, batch norm --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The interleaved norm kernels give each core whole rows of tiles, so that few
// rows keep few cores busy; the sharded ones work on the cores of the shards.
// Circular buffers: facts/formulas 6 (softmax) and 9 (norms).
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

bool fp32Accumulate(const OpCall &call) {
  return call.op().boolean("compute_config.fp32_dest_acc_en", false);
}

/// Tiles handled at a time: the largest divisor of the row up to what the destination registers hold.
int64_t blockSize(const OpCall &call, int64_t rowTiles) {
  for (int64_t size = fp32Accumulate(call) ? 4 : 8; size > 1; --size)
    if (rowTiles % size == 0)
      return size;
  return 1;
}

/// Bytes of a tile of intermediate values.
int64_t intermediateTile(const OpCall &call) { return fp32Accumulate(call) ? 4096 : 2048; }

constexpr int64_t kScalerTile = 2048;

// ---- softmax --------------------------------------------------------------------------------------------
size_t softmaxDim(const OpCall &call) {
  return normalizedDim(call.op().integer("dimension", call.op().integer("dim", -1)), call.in[0].rank());
}
bool overWidth(const OpCall &call) { return softmaxDim(call) + 1 >= call.in[0].rank(); }

bool dimInRange(const OpCall &call) { return softmaxDim(call) < std::max<size_t>(1, call.in[0].rank()); }

bool wholeRowsInShard(const TensorRef &tensor) {
  return !tensor.sharded() || tensor.shardTiles().columns >= tensor.tileCols;
}
bool wholeRowsInShards(const OpCall &call) {
  return !overWidth(call) || (wholeRowsInShard(call.in[0]) && wholeRowsInShard(call.out[0]));
}

constexpr Rule kSoftmaxRules[] = {
    {{"softmax.tiled", "softmax needs a tiled operand", "facts/hardware 4.3"}, allOperandsTiled},
    {{"softmax.dim_in_range", "the normalised dimension must exist", "facts/hardware 4.3"}, dimInRange},
    {{"softmax.whole_rows",
      "a shard must hold whole rows: interleaved, height-sharded, or one column of blocks",
      "facts/hardware 4.3"},
     wholeRowsInShards},
};

void softmaxBuffers(const OpCall &call, MemoryUse &use, int64_t row, int64_t size) {
  bool stable = call.op().boolean("numericStable", false);
  int64_t intermediate = intermediateTile(call);
  use.buffer("operand", stable ? row : 2 * size, call.in[0].tile);
  use.buffer("result", 2 * size, call.out[0].tile);
  use.buffer("sum", 1, intermediate);
  use.buffer("scaler", 2, kScalerTile);
  use.buffer("exponentials", row, intermediate);
  if (!stable)
    return;
  use.buffer("maximum", 4, intermediate);
  use.buffer("operand less its maximum", row, intermediate);
}

/// Over another dimension: a kernel that keeps a whole column of tiles, or one that streams it.
void softmaxColumnBuffers(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  constexpr int64_t base = 101376, smallLimit = 512 * 1024;
  int64_t column = ceilDiv(in.height, 32), intermediate = intermediateTile(call);
  int64_t kept = (2 * column + 2) * in.tile + (2 * column + 3) * intermediate;
  if (base + kept <= smallLimit) {
    use.buffer("operand column and result", 2 * column + 2, in.tile);
    use.buffer("intermediates", 2 * column + 3, intermediate);
    return;
  }
  use.buffer("operand, mask and result", 6, in.tile);
  use.buffer("intermediates", 6, intermediate);
}

void softmaxMemory(const OpCall &call, MemoryUse &use) {
  if (!overWidth(call))
    return softmaxColumnBuffers(call, use);
  int64_t row = call.in[0].tileCols;
  MemoryUse small;
  softmaxBuffers(call, small, row, blockSize(call, row));
  // Rows that do not fit are streamed in pieces of 80 tiles.
  constexpr int64_t streamed = 80;
  bool fits = small.circularBuffers() <= call.usableL1() || row <= streamed;
  if (!fits)
    use.program("softmax, row in pieces");
  softmaxBuffers(call, use, fits ? row : streamed, fits ? blockSize(call, row) : 8);
}

/// Tiles of the core that has most whole rows of them.
int64_t rowParallelTiles(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (in.sharded())
    return in.shardTiles().volume();
  return ceilDiv(in.tileRows, call.cores()) * in.tileCols;
}

OpRuntime softmaxRuntime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  Work work;
  addDramTraffic(call, work);
  if (in.sharded()) {
    work.compute = double(in.shardTiles().volume()) * call[P::SoftmaxSharded];
    return timeOf(call, work);
  }
  GridShape line{in.tileRows, in.tileCols}; // lines that are reduced, and tiles in each
  if (!overWidth(call))
    line = {in.tiles() / std::max<int64_t>(1, ceilDiv(in.height, 32)), ceilDiv(in.height, 32)};
  work.compute = double(ceilDiv(line.rows, call.cores())) *
                 (call[P::SoftmaxRow] + double(line.columns) * call[P::SoftmaxTile]);
  work.start = call[P::SoftmaxStart];
  work.factor = call[P::SoftmaxWormhole];
  return timeOf(call, work);
}

// ---- layer_norm, rms_norm -------------------------------------------------------------------------------
enum NormVariant : unsigned { Rms, Layer };

bool noHeightSharding(const OpCall &call) {
  return !call.in[0].shardedAs(MemoryLayout::HeightSharded) &&
         !call.out[0].shardedAs(MemoryLayout::HeightSharded);
}

bool shardedTogether(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!out.decided())
    return true;
  return in.sharded() == out.sharded() && (!in.sharded() || samePlacement(in, out));
}

/// The cores of a sharded operand fill their bounding box.
bool fullRectangle(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!in.sharded() || !in.layout->cores)
    return true;
  return in.layout->cores->boundingBox().volume() == in.layout->cores->size().value();
}

bool weightShape(const OpCall &call) {
  return llvm::all_of(llvm::ArrayRef(call.in).drop_front(), [&](const TensorRef &weight) {
    return !weight.sharded() && weight.width == (weight.tiled() ? call.in[0].width : 32);
  });
}

bool operandTiled(const OpCall &call) { return call.in[0].tiled() && call.out[0].tiled(); }

constexpr Rule kNormRules[] = {
    {{"norm.tiled", "norms need a tiled operand and result", "facts/hardware 4.3"}, operandTiled},
    {{"norm.no_height_sharding",
      "norms take no height-sharded tensor: rows must be interleaved, width- or block-sharded",
      "facts/hardware 4.3"},
     noHeightSharding},
    {{"norm.sharded_together", "operand and result must both be interleaved, or sharded alike",
      "facts/hardware 4.3"},
     shardedTogether},
    {{"norm.full_rectangle", "the cores of a sharded operand must fill a rectangle", "facts/ir 4.6"},
     fullRectangle},
    {{"norm.weight_shape",
      "weight and bias must be interleaved, as wide as the operand (or 32 wide if row-major)",
      "facts/hardware 4.3"},
     weightShape},
};

void interleavedNormBuffers(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t row = in.tileCols, size = blockSize(call, row), padded = alignUp(row, size),
          intermediate = intermediateTile(call);
  use.program("norm");
  use.buffer("operand row", padded, in.tile);
  use.buffer("result", 2 * size, out.tile);
  use.buffer("scaler", 2, kScalerTile);
  use.buffer("epsilon", 2, kScalerTile);
  use.buffer("mean of squares", 2, intermediate);
  use.buffer("1 / sqrt", 8, intermediate);
  use.buffer("squares", padded, intermediate);
  if (call.row.variant == Layer) {
    use.buffer("mean", 2, intermediate);
    use.buffer("operand less its mean", padded, intermediate);
  }
  if (call.in.size() > 1)
    use.buffer("normalised", 2 * size, intermediate);
  static constexpr llvm::StringLiteral kWeights[] = {"weight", "bias"};
  for (size_t i = 1; i < call.in.size() && i <= 2; ++i)
    use.buffer(kWeights[i - 1], padded, call.in[i].tile);
}

/// Shards are normalised in place; cores of one row exchange partial sums. From source, unconfirmed.
void shardedNormBuffers(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  GridShape block = in.shardTiles();
  int64_t intermediate = intermediateTile(call), tiles = block.volume(),
          inRow = ceilDiv(in.tileCols, block.columns);
  use.program("sharded norm");
  use.buffer("squares", tiles, intermediate);
  use.buffer("operand less its mean", tiles, intermediate);
  static constexpr llvm::StringLiteral kWeights[] = {"weight", "bias"};
  for (size_t i = 1; i < call.in.size() && i <= 2; ++i)
    use.buffer(kWeights[i - 1], block.columns, call.in[i].tile);
  use.buffer("scalers", 3, kScalerTile);
  int64_t sums = call.row.variant == Layer ? 2 : 1;
  use.buffer("partial sums", sums * block.rows, intermediate);
  use.buffer("sums", sums * block.rows, intermediate);
  use.buffer("sums of other cores", sums * inRow, intermediate);
  use.buffer("1 / sqrt", block.rows, intermediate);
  use.buffer("sums of all cores", block.rows, intermediate);
}

void normMemory(const OpCall &call, MemoryUse &use) {
  if (call.in[0].sharded())
    shardedNormBuffers(call, use);
  else
    interleavedNormBuffers(call, use);
}

OpRuntime normRuntime(const OpCall &call) {
  // A core reduces and scales whole rows of tiles; sharded ones in place.
  const TensorRef &in = call.in[0];
  double scale = call.row.variant == Layer ? 1.0 : call[P::NormRms];
  int64_t tiles = rowParallelTiles(call), columns = in.sharded() ? in.shardTiles().columns : in.tileCols;
  double rows = double(tiles) / double(std::max<int64_t>(1, columns));
  Work work;
  addDramTraffic(call, work);
  work.compute =
      (rows * call[P::NormRow] + double(tiles) * call[in.sharded() ? P::NormSharded : P::NormTile]) * scale;
  work.start = call[P::NormStart];
  return timeOf(call, work);
}

// ---- batch_norm -----------------------------------------------------------------------------------------
enum BatchVariant : unsigned { Inference, Training };

bool statisticsPerChannel(const OpCall &call) {
  const TensorRef &in = call.in[0];
  for (size_t i = 1; i < call.in.size(); ++i)
    if (call.in[i].rank() != 4 || call.in[i].dim(1) != in.dim(1) || call.in[i].elements() != in.dim(1))
      return false;
  return true;
}

/// Inference needs the running mean and variance: the first two optional operands.
bool runningStatistics(const OpCall &call) {
  llvm::ArrayRef<int64_t> sizes = call.op().integers("operandSegmentSizes");
  return call.row.variant != Inference || sizes.size() < 3 || (sizes[1] > 0 && sizes[2] > 0);
}

constexpr Rule kBatchRules[] = {
    {{"batch_norm.tiled", "batch norm needs tiled tensors", "facts/hardware 4.3"}, allOperandsTiled},
    {{"batch_norm.interleaved", "batch norm takes interleaved tensors only", "facts/hardware 4.3"},
     everythingInterleaved},
    {{"batch_norm.statistics", "mean, variance, weight and bias must have shape [1, C, 1, 1]",
      "facts/formulas 9"},
     statisticsPerChannel},
    {{"batch_norm.running_statistics", "inference needs the running mean and variance", "facts/formulas 9"},
     runningStatistics},
};

void batchMemory(const OpCall &call, MemoryUse &use) {
  use.buffer("operand, statistics, weights, intermediates and result", call.row.variant == Training ? 24 : 18,
             call.in[0].tile);
  if (call.row.variant == Training)
    use.tensors(2 * call.perCore(call.out[0]));
}

constexpr PathCost kBatchTiles = {P::BatchNorm, P::BatchNormMove, P::BatchNormMove};

OpRuntime batchRuntime(const OpCall &call) {
  return timeOf(call, streamWork(call, busiestTiles(call), kBatchTiles));
}

/// The goldens have no maximum taken off, no shards over the width, and no rows in pieces.
bool softmaxConfirmed(const OpCall &call) {
  auto plain = [](const TensorRef &t) { return !t.sharded() || t.shardedAs(MemoryLayout::HeightSharded); };
  if (!overWidth(call))
    return plain(call.in[0]) && plain(call.out[0]);
  return everythingInterleaved(call) && !call.op().boolean("numericStable", false);
}
bool normConfirmed(const OpCall &call) { return everythingInterleaved(call) && call.row.variant == Rms; }

constexpr llvm::StringRef kOperands[] = {"operand", "weight", "bias"};
constexpr llvm::StringRef kBatchOperands[] = {"operand", "mean", "variance", "weight", "bias"};
const Family kSoftmax = {"softmax",     kOperands,      kSoftmaxRules,   outputsLikeOperand0,
                         softmaxMemory, softmaxRuntime, softmaxConfirmed};
const Family kNorm = {"norm",     kOperands,   kNormRules,   outputsLikeOperand0,
                      normMemory, normRuntime, normConfirmed};
const Family kBatch = {"batch_norm",        kBatchOperands, kBatchRules,
                       outputsLikeOperand0, batchMemory,    batchRuntime};

const OpRow kRows[] = {
    {"ttnn.batch_norm_inference", &kBatch, 3, 5, 1, 0, Inference},
    {"ttnn.batch_norm_training", &kBatch, 1, 5, 1, 0, Training},
    {"ttnn.layer_norm", &kNorm, 1, 3, 1, 0, Layer},
    {"ttnn.rms_norm", &kNorm, 1, 3, 1, 0, Rms},
    {"ttnn.softmax", &kSoftmax, 1, 1},
};

} // namespace

Rows normRows() { return kRows; }

} // namespace tessera::analytic
