//===- NormParts.cpp - Norms whose rows span chips -------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A row that spans chips is normalised in three steps: each chip sums up its part
// (pre_all_gather, one tile of statistics per row of tiles, two for a layer norm),
// the statistics are gathered, and each chip scales its part (post_all_gather).
// The goldens confirm what is legal; the buffers are from tt-metal's source,
// unconfirmed.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Family.h"
#include "../Kernels.h"
#include "../Runtime.h"
#include "Norm.h"

namespace tessera::analytic {
namespace {

/// Bytes: sums in 32 bits are written to L1 as such between the passes over a row.
int64_t intermediateTile(const OpCall &call) {
  return call.op().boolean("compute_config.fp32_dest_acc_en", false) ? 4096 : 2048;
}

/// Operand and result lie on the same side: both interleaved, or sharded in the same way but by height.
bool operandPlaced(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !in.shardedAs(MemoryLayout::HeightSharded) && (!out.decided() || in.sharded() == out.sharded());
}
/// Statistics of interleaved rows lie where these do, whatever is asked for, until October 2026.
bool statisticsPlaced(const OpCall &call) {
  bool asRows = answersAsNewest(call) && !answersAsOctober2026(call) && !call.in[0].sharded();
  return asRows || operandPlaced(call);
}
/// Newer kernels scale interleaved rows into any shards.
bool scaledPlaced(const OpCall &call) {
  return operandPlaced(call) || (answersAsNewest(call) && !call.in[0].sharded());
}
/// Shards are cut up among cores by a program config, which newer libraries do not make themselves.
bool shardsByConfig(const OpCall &call) {
  auto config = [](const auto &attribute) {
    return llvm::StringRef(attribute.first).starts_with("program_config");
  };
  return !answersAsNewest(call) || !call.in[0].sharded() || llvm::any_of(call.op().attributes, config);
}

/// Floats of 32 bits would lose half of theirs on the way.
bool partsSumWide(const OpCall &call) {
  auto wide = [](const TensorRef &tensor) { return tensor.dtype() == DataType::Float32; };
  // Of the operands after these nothing is summed: a residual is added in the operand's type.
  size_t seen = call.row.family->name == "norm_pre_all_gather" ? 1 : 2;
  return !answersAsNewest(call) || call.in[0].sharded() ||
         call.op().boolean("compute_config.fp32_dest_acc_en", false) ||
         llvm::none_of(llvm::ArrayRef(call.in).take_front(seen), wide);
}

bool partsResidual(const OpCall &call) {
  return !answersAsNewest(call) || call.in.size() < 2 || call.in[1].sharded() == call.in[0].sharded();
}

bool partWeightsAlike(const OpCall &call) {
  return !answersAsNewest(call) || !call.in[0].sharded() || call.in.size() < 4 ||
         call.in[2].tiled() == call.in[3].tiled();
}

constexpr RuleInfo kTiled = {"norm_parts.tiled", "operand and result must be tiled", "facts/hardware 4.3"};
constexpr RuleInfo kPlaced = {"norm_parts.placed",
                              "operand and result must both be interleaved, or sharded by width or block",
                              "facts/hardware 4.3"};
constexpr RuleInfo kWideSums = {
    "norm_parts.wide_sums", "interleaved f32 needs sums of 32 bits: fp32_dest_acc_en in the compute config",
    "ttnn 0.77.0 and 0.81.1 (layernorm_post_all_gather_program_factory.cpp)"};
constexpr Rule kPartRules[] = {{kTiled, operandTiled}, {kPlaced, operandPlaced}};
constexpr RuleInfo kShards = {"norm_parts.shards_by_config",
                              "a sharded operand needs a program config (since 2026)",
                              "ttnn 0.77.0 and 0.81.1 (std::get: wrong index for variant)"};
constexpr Rule kPreRules[] = {
    {kTiled, operandTiled},
    {kPlaced, statisticsPlaced},
    {kShards, shardsByConfig},
    {kWideSums, partsSumWide},
    {{"norm_parts.residual_placed", "the residual must be sharded exactly if the operand is",
      "ttnn 0.77.0 and 0.81.1 (layernorm_pre_all_gather_device_operation.cpp)"},
     partsResidual},
};
constexpr Rule kPostRules[] = {
    {kTiled, operandTiled},
    {kPlaced, scaledPlaced},
    {kShards, shardsByConfig},
    {kWideSums, partsSumWide},
    {{"norm_parts.weights_alike", "weight and bias of a sharded norm must both be tiled or both row-major",
      "ttnn 0.77.0 and 0.81.1 (layernorm_device_operation.cpp)"},
     partWeightsAlike},
};

/// Cores that share a row of tiles, where a second dimension of cores is asked for: as many as divide it.
int64_t coresOfRow(const OpCall &call) {
  int64_t columns = call.in[0].tileCols, cores = std::min(columns, call.device().workerGrid.rows);
  while (columns % cores != 0)
    --cores;
  return cores;
}

/// The operand and the residual are one row each, twice to prefetch the next.
void preMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t row = in.sharded() ? in.shardTiles().columns : in.tileCols, sums = intermediateTile(call);
  if (!in.sharded())
    for (const TensorRef &operand : call.in)
      use.buffer("operand row", 2 * row, operand.tile);
  if (call.in.size() > 1)
    use.buffer("operand plus residual", row, sums);
  use.buffer("scaler", 1, sums);
  use.buffer("squares", 2 * row, sums);
  use.buffer("statistics", call.row.variant == Layer ? 2 : 1, call.out[0].tile);
  if (!in.sharded() && call.op().boolean("use_2d_core_grid", false))
    use.buffer("sums of the cores of a row, own sum and zeros", coresOfRow(call) + 2, sums);
  // What fills up the last rows of tiles is made zero, of block floats in a copy.
  for (const TensorRef &operand : call.in)
    if (answersAsNewest(call) && operand.l1() && isBlockFloat(operand.dtype()) && endsInsideTile(operand))
      use.make(call.perCore(operand));
}

void preOutputs(OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool asRows = answersAsNewest(call) && !answersAsOctober2026(call) && !in.sharded();
  if (asRows && (out.sharded() || in.l1() != out.l1()))
    call.setOutput(0,
                   in.l1() ? l1Interleaved(*out.desc, call.device().workerGrid) : dramInterleaved(*out.desc));
  outputsLikeOperand0(call);
}

/// The statistics of all chips lie side by side, a tile each (two for a layer norm): their mean is taken first, so
/// that the row itself is read once.
void postMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &stats = call.in[1];
  int64_t row = in.sharded() ? in.shardTiles().columns : in.tileCols, sums = intermediateTile(call);
  bool layer = call.row.variant == Layer;
  use.buffer("operand row", in.sharded() ? 0 : row, in.tile);
  use.buffer("statistics", stats.tileCols, stats.tile);
  for (size_t i = 2; i < call.in.size(); ++i)
    use.buffer(i == 2 ? "weight" : "bias", row, call.in[i].tile);
  use.buffer("epsilon", 1, kScalerTile);
  use.buffer("scaler", 1, in.dtype() == DataType::Float32 ? sums : kScalerTile);
  use.buffer("mean, mean of squares, variance and 1 / sqrt", layer ? 5 : 2, sums);
  // Less the mean; by 1 / sqrt, by the weight: what is not the result itself.
  use.buffer("between", int64_t(call.in.size() - 2 + layer) * row, sums);
  use.buffer("result row", in.sharded() ? 0 : row, call.out[0].tile);
}

/// Both halves in one op, on the cores of the shards.
void distributedMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  // Per core: of the shard, or of a whole row of tiles where one core does it all.
  int64_t tiles = in.sharded() ? in.shardTiles().volume() : in.tileCols;
  use.buffer("squares and normalised", 2 * tiles, intermediateTile(call));
  for (const TensorRef &operand : llvm::ArrayRef(call.in).drop_front())
    use.buffer("residual, weight and statistics", std::min(tiles, operand.tiles()), operand.tile);
  use.buffer("scalers and statistics", 8, intermediateTile(call));
}

constexpr PathCost kTiles = {P::NormPartsTile, P::NormPartsL1, P::NormPartsDram};

/// Rows of tiles are shared out among the cores.
OpRuntime runtime(const OpCall &call) {
  const TensorRef &in = call.in[0];
  int64_t tiles = in.sharded() ? in.shardTiles().volume() : ceilDiv(in.tileRows, call.cores()) * in.tileCols;
  return timeOf(call, streamWork(call, tiles, kTiles));
}

// ---- rms_norm_residual ----------------------------------------------------------------------------------
/// The one row of tiles is cut up among that many cores at most: each has a column of the tile by which sums are exchanged.
constexpr int64_t kMostRowCores = 32;

/// The one form in which the compiler emits the op; nothing is known of others, and a plan that put an operand into
/// L1 would be a guess.
bool onlyRowsInDram(const OpCall &call) {
  auto fits = [](const TensorRef &tensor) {
    return !tensor.decided() || (tensor.tiled() && tensor.dram() && !tensor.sharded());
  };
  return llvm::all_of(call.in, fits) && llvm::all_of(call.out, fits);
}
bool oneRowOfTiles(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return in.rank() == 2 && in.height <= 32 && in.width % 32 == 0;
}

constexpr llvm::StringLiteral kResidualSource =
    "jax-tt-plugin 0.1.3 (rms_norm_residual.cpp in its assets; facts/dialect 10)";
constexpr Rule kResidualRules[] = {
    {{"rms_norm_residual.in_dram", "operands and results must be tiled and DRAM interleaved",
      kResidualSource},
     onlyRowsInDram},
    {{"rms_norm_residual.one_row",
      "the operand must have two dimensions, at most 32 rows, and a width of whole tiles", kResidualSource},
     oneRowOfTiles},
};

/// The normalised row, and the sum of operand and residual that the next layer adds to. Both lie like the operand
/// whatever is asked for.
void residualOutputs(OpCall &call) {
  for (unsigned result : {0U, 1U})
    call.setOutput(result, call.in[0].id);
}

/// Tiles of the busiest core. 64 columns of tiles on 64 cores are two each on 32 cores: more cannot exchange sums
/// through one tile.
int64_t columnsOfCore(const OpCall &call) {
  int64_t columns = call.in[0].tileCols;
  return ceilDiv(columns, std::min({columns, kMostRowCores, call.cores()}));
}

void residualMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  int64_t columns = columnsOfCore(call), wide = tileBytes(DataType::Float32).value();
  use.buffer("operand, residual, sum twice and result", 5 * columns, in.tile);
  use.buffer("weight", columns, call.in[2].tile);
  use.buffer("sum by weight", columns, wide);
  use.buffer("scaler, own sums, sums of all cores, 1 / sqrt", 4, wide);
}

/// Each core normalises its columns as a norm's core does a whole row.
OpRuntime residualRuntime(const OpCall &call) {
  Work work;
  addDramTraffic(call, work);
  work.compute = (call[P::NormRow] + double(columnsOfCore(call)) * call[P::NormTile]) * call[P::NormRms];
  work.start = call[P::NormStart];
  return timeOf(call, work);
}

constexpr llvm::StringRef kPreOperands[] = {"operand", "residual"};
constexpr llvm::StringRef kPostOperands[] = {"operand", "statistics", "weight", "bias"};
constexpr llvm::StringRef kResidualOperands[] = {"operand", "residual", "weight"};
constexpr llvm::StringRef kDistributedOperands[] = {"operand", "weight", "residual", "statistics"};
const Family kPre = {"norm_pre_all_gather", kPreOperands,       kPreRules, preOutputs, preMemory, runtime,
                     neverConfirmed,        countNormStatistics};
const Family kPost = {"norm_post_all_gather", kPostOperands, kPostRules,
                      outputsLikeOperand0,    postMemory,    runtime,
                      neverConfirmed};
const Family kDistributed = {"distributed_norm",  kDistributedOperands, kPartRules,
                             outputsLikeOperand0, distributedMemory,    runtime,
                             neverConfirmed};
const Family kResidual = {"rms_norm_residual", kResidualOperands, kResidualRules, residualOutputs,
                          residualMemory,      residualRuntime,   neverConfirmed};

const OpRow kPartRows[] = {
    {"ttnn.distributed_rms_norm", &kDistributed, 1, 4, 1, 0.0, Rms},
    {"ttnn.layer_norm_post_all_gather", &kPost, 2, 4, 1, 0.0, Layer},
    {"ttnn.layer_norm_pre_all_gather", &kPre, 1, 2, 1, 0.0, Layer},
    {"ttnn.rms_norm_post_all_gather", &kPost, 2, 4, 1, 0.0, Rms},
    {"ttnn.rms_norm_pre_all_gather", &kPre, 1, 2, 1, 0.0, Rms},
    {"ttnn.rms_norm_residual", &kResidual, 3, 3, 2},
};

} // namespace

Rows normPartsRows() { return kPartRows; }

} // namespace tessera::analytic
