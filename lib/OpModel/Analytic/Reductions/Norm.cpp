//===- Norm.cpp - softmax, layer norm, rms norm ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The interleaved norm kernels give each core whole rows of tiles, so that few
// rows keep few cores busy; the sharded ones work on the cores of the shards.
// Circular buffers: facts/formulas 6 (softmax) and 9 (norms).
//
//===----------------------------------------------------------------------===//
#include "Norm.h"
#include "../Eltwise/EltwiseTypes.h"

#include "../Family.h"
#include "../Kernels.h"
#include "../Runtime.h"
#include "tessera/Device/L1Budget.h"

namespace tessera::analytic {
namespace {

bool fp32Accumulate(const OpCall &call) {
  return call.op().boolean("compute_config.fp32_dest_acc_en", false);
}

/// Tiles handled at a time: the largest divisor of the row up to what the destination registers hold.
int64_t blockSize(const OpCall &call, int64_t rowTiles) {
  // The registers hold 8 tiles in half-sync mode, half of that in fp32 (facts/hardware 1.6).
  for (int64_t size = fp32Accumulate(call) ? 4 : 8; size > 1; --size)
    if (rowTiles % size == 0)
      return size;
  return 1;
}

// Three kernels: over rows of tiles (the last dimension), over columns, and tile by tile over outer dimensions.
// Which one decides what lies in L1, and so does whether a row is held whole or streamed in pieces.
// ---- softmax --------------------------------------------------------------------------------------------
/// The attribute has two names; the last dimension without either.
size_t softmaxDim(const OpCall &call) {
  return normalizedDim(call.op().integer("dimension", call.op().integer("dim", -1)), call.in[0].rank());
}
bool overWidth(const OpCall &call) { return softmaxDim(call) + 1 >= call.in[0].rank(); }

/// The kernel of rows takes four dimensions, and fewer as if they were four; more go to that of columns since 2026.
bool softmaxByRows(const OpCall &call) {
  return overWidth(call) && (call.in[0].rank() <= 4 || call.context.version < BackendVersion::Newest);
}

/// That of columns, and of outer dimensions, keeps what f32 operands become in f32, and refuses to keep it in less.
bool f32KeptInF32(const OpCall &call) {
  return call.context.version < BackendVersion::Newest || softmaxByRows(call) ||
         call.in[0].dtype() != DataType::Float32 ||
         call.op().boolean("compute_config.fp32_dest_acc_en", true);
}

bool dimInRange(const OpCall &call) { return softmaxDim(call) < std::max<size_t>(1, call.in[0].rank()); }

bool wholeRowsInShard(const TensorRef &tensor) {
  return !tensor.sharded() || tensor.shardTiles().columns >= tensor.tileCols;
}
/// Newer kernels read every shard as if it were interleaved.
bool wholeRowsInShards(const OpCall &call) {
  return !overWidth(call) || call.context.version >= BackendVersion::Newest ||
         (wholeRowsInShard(call.in[0]) && wholeRowsInShard(call.out[0]));
}

/// The columns that pad a row are filled in a result that is cut between rows only.
bool paddedRowsWhole(const OpCall &call) {
  const TensorRef &placed = call.out[0].decided() ? call.out[0] : call.in[0];
  return call.context.version < BackendVersion::Newest || !placed.sharded() || placed.width % 32 == 0 ||
         placed.shardTiles().columns == placed.tileCols;
}

bool softmaxType(const OpCall &call) {
  DataType type = call.in[0].dtype();
  return call.context.version < BackendVersion::Newest || (type != DataType::BFP_BFloat4 && !isWhole(type));
}

constexpr Rule kSoftmaxRules[] = {
    {{"softmax.tiled", "softmax needs a tiled operand", "facts/hardware 4.3"}, allOperandsTiled},
    {{"softmax.type", "softmax takes no bfp_bf4 and no integers (since 2026)",
      "tt-metal 0.77 (softmax_device_operation.cpp)"},
     softmaxType},
    {{"softmax.dim_in_range", "the normalised dimension must exist", "facts/hardware 4.3"}, dimInRange},
    {{"softmax.whole_rows",
      "a shard must hold whole rows: interleaved, height-sharded, or one column of blocks",
      "facts/hardware 4.3"},
     wholeRowsInShards},
    {{"softmax.padded_rows", "a shard of a result whose rows end within a tile must hold whole rows",
      "tt-metal 0.77 (softmax_device_operation.cpp)"},
     paddedRowsWhole},
    {{"softmax.f32",
      "f32 is accumulated in f32 over another dimension than the last, and over any of more than four",
      "ttnn 0.77.0 (softmax_program_factory_general_h_small.cpp)"},
     f32KeptInF32},
};

/// Whether exponentials and the maximum are kept in fp32: those of fp32 operands are, unless the program says otherwise.
bool softmaxFp32(const OpCall &call) {
  bool byDefault = call.in[0].dtype() == DataType::Float32 && call.context.version >= BackendVersion::Newest;
  return call.op().boolean("compute_config.fp32_dest_acc_en", byDefault);
}
int64_t softmaxIntermediate(const OpCall &call) { return softmaxFp32(call) ? 4096 : 2048; }
/// Since October 2026 sums are fp32 whatever the operand is, unless the program says otherwise (facts/vendor-library 6).
bool sumsInFp32(const OpCall &call) {
  return call.op().boolean("compute_config.fp32_dest_acc_en",
                           softmaxFp32(call) || answersAsOctober2026(call));
}
int64_t softmaxSum(const OpCall &call) { return sumsInFp32(call) ? 4096 : 2048; }

bool stableSoftmax(const OpCall &call) { return call.op().boolean("numericStable", false); }

/// Tiles handled at a time. Newer kernels rather fill up the row than take more steps than full blocks would, and know no
/// blocks of 5 or 7 tiles (tt-metal 0.77: softmax_program_factory_attention_optimized.cpp).
int64_t softmaxBlock(const OpCall &call, int64_t row) {
  if (call.context.version < BackendVersion::Newest)
    return blockSize(call, row);
  int64_t most = sumsInFp32(call) ? 4 : 8, size = most;
  while (size > 1 && (row % size != 0 || size == 5 || size == 7))
    --size;
  // 13 tiles have no divisor up to 8 but 1, which would be 13 steps: two blocks of 8 fill the row up to 16.
  return row / size <= ceilDiv(row, most) ? size : most;
}

/// What the kernel holds of a row. `pieces`: the row is streamed in pieces of `row` tiles.
void softmaxBuffers(const OpCall &call, MemoryUse &use, int64_t row, int64_t size, bool pieces) {
  bool stable = stableSoftmax(call), newest = call.context.version >= BackendVersion::Newest;
  // What pads the last tile must not count in the sum, so that it is masked out beside the operand.
  bool masked = newest && call.in[0].width % 32 != 0;
  int64_t intermediate = softmaxIntermediate(call);
  use.buffer("operand", pieces || (stable && !masked) ? row : 2 * size, call.in[0].tile);
  use.buffer("result", 2 * size, call.out[0].tile);
  use.buffer("sum", newest ? (pieces ? 4 : 2) : 1, softmaxSum(call));
  use.buffer("sum of a piece", newest && pieces ? 1 : 0, intermediate);
  use.buffer("scaler", newest ? 1 : 2, kScalerTile);
  // Of the operand's format, whatever sums are kept in.
  use.buffer("mask of the padding", newest ? 1 : 0,
             call.in[0].dtype() == DataType::Float32 ? 4096 : kScalerTile);
  use.buffer("exponentials", row, intermediate);
  use.buffer("maximum", stable ? (newest ? 1 : 4) : 0, intermediate);
  if (newest ? pieces || (stable && masked) : stable)
    use.buffer("operand less its maximum", row, intermediate);
}

/// Bytes of L1 that the backend takes for itself by the reckoning of the column kernel.
int64_t columnKernelBase(const OpCall &call) {
  if (call.context.version < BackendVersion::Newest)
    return 101376;
  return asOpenedBy(call.context.version, call.device()).l1UnreservedBase.value();
}

/// Over another dimension, or over rows of more than four: a kernel that keeps a whole column (row) of tiles, or one that streams it.
void softmaxColumnBuffers(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  constexpr int64_t smallLimit = 512 * 1024;
  bool newest = call.context.version >= BackendVersion::Newest, f32 = in.dtype() == DataType::Float32;
  int64_t column = overWidth(call) ? in.tileCols : ceilDiv(in.height, 32);
  int64_t intermediate = softmaxIntermediate(call), given = f32 ? 4096 : kScalerTile;
  int64_t single = newest ? 0 : 2, narrow = newest ? 2 : 0, wide = newest ? softmaxSum(call) : intermediate;
  int64_t kept = (2 * column + single) * in.tile + (2 * column + 3) * wide + narrow * intermediate;
  // The backend's own limit for the kernel that holds the column (facts/formulas 6).
  if (columnKernelBase(call) + kept <= smallLimit) {
    use.buffer("operand column and result", 2 * column + single, in.tile);
    use.buffer("intermediates", 2 * column + 3, wide);
    use.buffer("scalers and mask", newest ? 3 : 0, given);
    return;
  }
  use.buffer("operand, mask and result", newest ? 4 : 6, in.tile);
  use.buffer("intermediates", 6, wide);
  use.buffer("scalers and mask", newest ? 3 : 0, given);
}

/// Over a dimension that is neither rows nor columns of tiles: tile by tile. tt-metal 0.77, as traced.
void softmaxOuterBuffers(const OpCall &call, MemoryUse &use) {
  int64_t tile = call.in[0].tile;
  use.buffer("operand and result", 2 * 2, tile);
  use.buffer("ones", 1, tile);
  use.buffer("exponentials and sums", 5, sumsInFp32(call) ? 4096 : tile);
}

/// Newer kernels leave 10 % of the L1 free by a rough sum of their own.
bool softmaxRowFits(const OpCall &call, const MemoryUse &whole) {
  int64_t bytes = whole.circularBuffers();
  if (call.context.version < BackendVersion::Newest)
    return bytes <= call.usableL1();
  int64_t intermediate = softmaxIntermediate(call);
  bytes += (stableSoftmax(call) ? 1 : 2) * intermediate - kScalerTile;
  return double(bytes) <= double(call.device().l1Size.value()) * 0.9;
}

/// Rows that do not fit are streamed in pieces of as many tiles.
constexpr int64_t kStreamed = 80;

void softmaxMemory(const OpCall &call, MemoryUse &use) {
  bool newest = call.context.version >= BackendVersion::Newest;
  wholeShards(call, use);
  // Until 2026 the kernel of columns took outer dimensions as well.
  if (newest && softmaxDim(call) + 2 < call.in[0].rank())
    return softmaxOuterBuffers(call, use);
  if (!softmaxByRows(call))
    return softmaxColumnBuffers(call, use);
  RowPlan plan = softmaxRowPlan(call);
  int64_t row = call.in[0].tileCols;
  if (!plan.pieces)
    return softmaxBuffers(call, use, newest ? alignUp(row, plan.block) : row, plan.block, false);
  use.program("softmax, row in pieces");
  softmaxBuffers(call, use, kStreamed, newest ? plan.block : 8, true);
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
  // Newer kernels share out lines whatever the shards are, and fetch them: one row of tiles is one core's, in however many shards it lies.
  if (in.sharded() && call.context.version < BackendVersion::Newest) {
    work.compute = double(in.shardTiles().volume()) * call[P::SoftmaxSharded];
    return timeOf(call, work);
  }
  GridShape line{in.tileRows, in.tileCols}; // lines that are reduced, and tiles in each
  // Columns of tiles are reduced then, or tiles at the same place of all matrices, and shared out over the cores.
  if (!overWidth(call))
    line.columns = softmaxOverHeight(call) ? ceilDiv(in.height, 32) : in.dim(int64_t(softmaxDim(call)));
  line.rows = in.tiles() / line.columns;
  // Exponentials of a tile take as long as its bytes do to unpack and pack.
  double bytes = 0.1 + 0.9 * double(in.tile) / 2048;
  work.compute = double(ceilDiv(line.rows, call.cores())) *
                 (call[P::SoftmaxRow] + double(line.columns) * call[P::SoftmaxTile] * bytes);
  // Each core writes the mask of what is padding once, element by element.
  bool masked = overWidth(call) ? in.width % 32 != 0 : softmaxOverHeight(call) && in.height % 32 != 0;
  work.start = call[P::SoftmaxStart] + (masked ? call[P::SoftmaxMask] / clockOf(call.device()) : 0);
  return timeOf(call, work);
}

// ---- layer_norm, rms_norm -------------------------------------------------------------------------------

/// A height shard has whole rows, and the sharded kernel is made for rows that several cores share.
bool noHeightSharding(const OpCall &call) { return !call.in[0].shardedAs(MemoryLayout::HeightSharded); }

/// An interleaved operand may have any result; a sharded one has a result that is sharded in the same direction.
bool resultPlaced(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !in.sharded() || !out.decided() ||
         (in.layout->memory == out.layout->memory && in.layout->buffer == out.layout->buffer);
}

/// The kernel writes whole blocks of the operand's size.
bool resultHoldsBlock(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !in.sharded() || !out.sharded() || out.shardTiles().volume() >= in.shardTiles().volume();
}

/// It writes them where the operand's cores have theirs. The library accepts larger ones and others' cores, and what stands there then is
/// no norm: 14 of 14 such calls were off by more than their own size.
bool resultLiesAlike(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !in.sharded() || !out.sharded() ||
         (out.shardTiles() == in.shardTiles() && out.layout->cores == in.layout->cores);
}

/// The cores of a sharded operand fill their bounding box; newer kernels do not mind.
bool fullRectangle(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!in.sharded() || !in.layout->cores || call.context.version >= BackendVersion::Newest)
    return true;
  return in.layout->cores->boundingBox().volume() == in.layout->cores->size().value();
}

/// Newer libraries want a shard on every core of a sharded operand.
bool everyCoreHasAShard(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!in.sharded() || call.context.version < BackendVersion::Newest)
    return true;
  GridShape shard = in.shardTiles();
  return ceilDiv(in.tileRows, shard.rows) * ceilDiv(in.tileCols, shard.columns) == in.shardCores();
}

/// Weights in rows are folded: 32 elements to a row, as many rows as tiles of the operand.
bool weightShape(const OpCall &call) {
  return llvm::all_of(llvm::ArrayRef(call.in).drop_front(), [&](const TensorRef &weight) {
    return !weight.sharded() && weight.width == (weight.tiled() ? call.in[0].width : 32);
  });
}

bool weightsAlike(const OpCall &call) {
  return call.context.version < BackendVersion::Newest || call.in.size() < 3 ||
         call.in[1].tiled() == call.in[2].tiled();
}

/// On one column of cores the library looks beyond it: for the cores of width shards from the first column on, for those of block shards in the
/// next.
bool columnHasPlace(const OpCall &call) {
  const TensorRef &in = call.in[0];
  if (!answersAsNewest(call) || !in.sharded() || !in.layout->cores)
    return true;
  CoreRange box = in.layout->cores->boundingBox();
  if (box.start.x != box.end.x || box.start.y == box.end.y)
    return true;
  bool width = in.shardedAs(MemoryLayout::WidthSharded);
  return width ? box.start.x == 0 : box.end.x + 1 < call.device().workerGrid.columns;
}

bool normalizedType(const OpCall &call) {
  DataType type = call.in[0].dtype();
  return !answersAsNewest(call) || (type != DataType::BFP_BFloat4 && !isWhole(type));
}

constexpr Rule kNormRules[] = {
    {{"norm.tiled", "norms need a tiled operand and result", "facts/hardware 4.3"}, operandTiled},
    {{"norm.type", "norms take no bfp_bf4 and no integers (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (layernorm_device_operation.cpp)"},
     normalizedType},
    {{"norm.no_height_sharding",
      "norms take no height-sharded operand: rows must be interleaved, width- or block-sharded",
      "facts/hardware 4.3"},
     noHeightSharding},
    {{"norm.sharded_together",
      "the result of a sharded operand must be sharded in the same way, by width or by block",
      "facts/hardware 4.3"},
     resultPlaced},
    {{"norm.result_block", "a shard of the result must not be smaller than one of the operand",
      "tt-metal 0.77 (layernorm_op_multi_core_sharded.cpp)"},
     resultHoldsBlock},
    {{"norm.result_shards", "the result of a sharded operand must lie in the same shards on the same cores",
      "ttnn 0.81.1, executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     resultLiesAlike},
    {{"norm.full_rectangle", "the cores of a sharded operand must fill a rectangle", "facts/ir 4.6"},
     fullRectangle},
    {{"norm.every_core", "every core of a sharded operand must have a shard",
      "ttnn 0.77.0 (shard_spec_validation.cpp)"},
     everyCoreHasAShard},
    {{"norm.column",
      "width shards on one column of cores must lie on the first, block shards not on the last (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (work_split.cpp)"},
     columnHasPlace},
    {{"norm.weight_shape",
      "weight and bias must be interleaved, as wide as the operand (or 32 wide if row-major)",
      "facts/hardware 4.3"},
     weightShape},
    {{"norm.weights_alike", "weight and bias must both be tiled, or both row-major (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (layernorm_device_operation.cpp)"},
     weightsAlike},
};

/// Layer norms add up in fp32 unless told otherwise, RMS norms do not (tt-metal 0.77: layernorm.cpp).
bool normFp32(const OpCall &call) {
  bool byDefault = call.row.variant == Layer && call.context.version >= BackendVersion::Newest;
  return call.op().boolean("compute_config.fp32_dest_acc_en", byDefault);
}
int64_t normIntermediate(const OpCall &call) { return normFp32(call) ? 4096 : 2048; }

/// Weight and bias, as many tiles of each as `tiles`.
void weightBuffers(const OpCall &call, MemoryUse &use, int64_t tiles) {
  static constexpr llvm::StringLiteral kWeights[] = {"weight", "bias"};
  for (size_t i = 1; i < call.in.size() && i <= 2; ++i)
    use.buffer(kWeights[i - 1], tiles, call.in[i].tile);
}

/// `row` tiles at a time; `pieces`: these are not the whole row, so that squares are added up as they come.
void interleavedNormBuffers(const OpCall &call, MemoryUse &use, int64_t row, int64_t size, bool pieces) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  int64_t intermediate = normIntermediate(call);
  bool layer = call.row.variant == Layer;
  use.program(pieces ? "norm, row in pieces" : "norm");
  use.buffer("operand row", row, in.tile);
  use.buffer("result", 2 * size, out.tile);
  use.buffer("scaler", 2, kScalerTile);
  use.buffer("epsilon", 2, kScalerTile);
  use.buffer("mean of squares", 2, intermediate);
  use.buffer("1 / sqrt", 8, intermediate);
  use.buffer("squares", pieces ? 1 : row, intermediate);
  use.buffer("mean", layer ? 2 : 0, intermediate);
  use.buffer("operand less its mean", layer || pieces ? row : 0, intermediate);
  use.buffer("what is added up", pieces && answersAsOctober2026(call) ? row : 0, intermediate);
  if (call.in.size() > 1)
    use.buffer("normalised", 2 * size, intermediate);
  weightBuffers(call, use, row);
}

/// Does a row of `row` tiles fit a core at once? The kernel reckons with a weight, a bias and a residual whether they are
/// there or not, and leaves 5 % free (tt-metal 0.77: layernorm_op_multi_core.cpp). Since October 2026 with what there is, of what
/// L1_SMALL leaves (facts/vendor-library 6).
bool normRowFits(const OpCall &call, int64_t row, int64_t size) {
  if (answersAsOctober2026(call)) {
    MemoryUse whole;
    interleavedNormBuffers(call, whole, row, size, false);
    return double(whole.circularBuffers()) < double(call.usableL1() - kL1SmallSize.value()) * 0.95;
  }
  int64_t intermediate = normIntermediate(call);
  auto weight = [&](size_t i) { return call.hasOperand(i) ? call.in[i].tile : kScalerTile; };
  int64_t bytes = row * (call.in[0].tile + 2 * intermediate + weight(1) + weight(2)) +
                  2 * size * call.out[0].tile + (4 * size + 12) * intermediate + 4 * kScalerTile;
  return double(bytes) < double(call.device().l1Size.value()) * 0.95;
}

void interleavedNormMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  if (call.context.version < BackendVersion::Newest)
    return interleavedNormBuffers(call, use, in.tileCols, blockSize(call, in.tileCols), false);
  RowPlan plan = normRowPlan(call);
  int64_t size = plan.block;
  if (!plan.pieces)
    return interleavedNormBuffers(call, use, alignUp(in.tileCols, size), size, false);
  // Without a weight there is room for pieces twice as long.
  bool wide = call.in.size() == 1 && in.dtype() != DataType::Float32;
  interleavedNormBuffers(call, use, (wide ? 14 : 7) * size, size, true);
}

/// Who exchanges sums with whom: the cores of a row of blocks, or all of them where each holds all rows.
struct NormExchange {
  int64_t partners; ///< whose sums a core collects
  int64_t sharers;  ///< among whom the rows are shared out for that
};

/// Cores that each hold all rows and fill a rectangle add up along its rows first, then along a column
/// (tt-metal 0.77: sharded_layernorm_factory_helpers.cpp).
NormExchange normExchange(const OpCall &call) {
  const TensorRef &in = call.in[0];
  int64_t cores = in.shardCores(), columns = in.layout->grid.columns, rows = in.layout->grid.rows;
  if (in.layout->cores) {
    CoreRange box = in.layout->cores->boundingBox();
    columns = box.end.x - box.start.x + 1;
    rows = box.end.y - box.start.y + 1;
  }
  // Block shards: the cores of a row of the grid share its rows of tiles.
  if (in.shardTiles().rows != in.tileRows)
    return {columns, columns};
  // 8 x 4 cores: each collects from the 7 others of its row and from 3 of its column instead of from 31.
  bool twoStages = columns > 1 && rows > 1 && columns * rows == cores;
  return twoStages ? NormExchange{columns + rows - 1, columns} : NormExchange{cores, cores};
}

/// Cores of one row exchange partial sums, of a layer norm twice: for the mean and for the variance.
void shardedNormBuffers(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  GridShape block = in.shardTiles();
  int64_t intermediate = normIntermediate(call), tiles = block.volume(),
          sums = call.row.variant == Layer ? 2 : 1;
  NormExchange exchange = normExchange(call);
  use.program("sharded norm");
  use.buffer("squares", tiles, intermediate);
  use.buffer("operand less its mean", tiles, intermediate);
  if (in.width % 32 != 0) {
    use.buffer("mask of the last columns", block.columns, kScalerTile);
    use.buffer("masked operand", call.row.variant == Layer ? tiles : 0, intermediate);
  }
  weightBuffers(call, use, block.columns);
  use.buffer("scalers", 2, kScalerTile);
  use.buffer("epsilon", 1, intermediate);
  use.buffer("partial sums", sums * block.rows, intermediate);
  use.buffer("sums", sums * block.rows, intermediate);
  // A tile from each partner for one row of tiles at a time.
  use.buffer("sums of other cores", sums * exchange.partners, intermediate);
  use.buffer("1 / sqrt", block.rows, intermediate);
  use.buffer("sums of all cores", ceilDiv(block.rows, exchange.sharers), intermediate);
}

void normMemory(const OpCall &call, MemoryUse &use) {
  wholeShards(call, use);
  if (call.in[0].sharded())
    shardedNormBuffers(call, use);
  else
    interleavedNormMemory(call, use);
}

OpRuntime normRuntime(const OpCall &call) {
  // A core reduces and scales whole rows of tiles; sharded ones in place.
  const TensorRef &in = call.in[0];
  double scale = call.row.variant == Layer ? 1.0 : call[P::NormRms];
  int64_t tiles = rowParallelTiles(call), columns = in.sharded() ? in.shardTiles().columns : in.tileCols;
  // A row costs something by itself (its sums, one root), beside what its tiles cost.
  double rows = double(tiles) / double(std::max<int64_t>(1, columns));
  Work work;
  addDramTraffic(call, work);
  work.compute =
      (rows * call[P::NormRow] + double(tiles) * call[in.sharded() ? P::NormSharded : P::NormTile]) * scale;
  work.start = call[P::NormStart];
  return timeOf(call, work);
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
const Family kSoftmax = {"softmax",     kOperands,      kSoftmaxRules,    outputsLikeOperand0,
                         softmaxMemory, softmaxRuntime, softmaxConfirmed, countSoftmax};
const Family kNorm = {"norm",     kOperands,   kNormRules,    outputsLikeOperand0,
                      normMemory, normRuntime, normConfirmed, countNorm};

const OpRow kRows[] = {
    {"ttnn.layer_norm", &kNorm, 1, 3, 1, 0, Layer},
    {"ttnn.rms_norm", &kNorm, 1, 3, 1, 0, Rms},
    {"ttnn.softmax", &kSoftmax, 1, 1},
};

} // namespace

Rows normRows() { return kRows; }

/// Blocks of 8 tiles, 4 if sums are kept in 32 bits, since the registers hold no more; whole rows of blocks if all
/// of them fit.
RowPlan normRowPlan(const OpCall &call) {
  int64_t size = normFp32(call) ? 4 : 8;
  return {size, !normRowFits(call, alignUp(call.in[0].tileCols, size), size)};
}

bool softmaxOverWidth(const OpCall &call) { return overWidth(call); }
bool softmaxOverHeight(const OpCall &call) { return softmaxDim(call) + 2 == call.in[0].rank(); }

RowPlan softmaxRowPlan(const OpCall &call) {
  bool newest = call.context.version >= BackendVersion::Newest;
  int64_t row = call.in[0].tileCols, size = softmaxBlock(call, row);
  MemoryUse whole;
  softmaxBuffers(call, whole, newest ? alignUp(row, size) : row, size, false);
  return {size, !softmaxRowFits(call, whole) && (newest || row > kStreamed)};
}

void wholeShards(const OpCall &call, MemoryUse &use) {
  const TensorRef &out = call.out[0];
  if (call.context.version >= BackendVersion::Newest && out.sharded() && out.l1())
    use.tensors(out.shardTiles().volume() * out.tile);
}

} // namespace tessera::analytic
