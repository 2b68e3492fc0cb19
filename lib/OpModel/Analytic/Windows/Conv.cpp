//===- Conv.cpp - conv2d and conv_transpose2d ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A convolution shards its input (if it is not), exchanges halos, gathers
// activation blocks and multiplies them with the weights. Its result is sharded
// as its input is; it is moved if something else was asked for.
// facts/formulas 11; facts/hardware 4.6.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/ConversionRuntime.h"
#include "../Matmul/Matmul.h"
#include "../Runtime.h"
#include "../Shards.h"
#include "WindowBuffers.h"
#include "tessera/OpModel/WindowPrograms.h"

#include <algorithm>
#include <cmath>

namespace tessera::analytic {
namespace {

enum Variant : unsigned { Plain, Transposed };

bool validWindow(const OpCall &call) { return convPlan(call).valid; }

bool operandShape(const OpCall &call) {
  Window w = windowOf(call, false);
  return call.in[0].elements() == w.batch * w.inHeight * w.inWidth * w.inChannels &&
         call.in[0].width == w.inChannels;
}

/// Raw weights on the host, or prepared ones (one matrix of kernel x channels rows) in DRAM.
bool weightForm(const OpCall &call) {
  const TensorRef &weight = call.in[1];
  // Raw weights are prepared when the model is loaded, which is not this op's time or memory.
  if (!weight.onDevice())
    return true;
  return weight.tiled() && !weight.sharded() && weight.batch == 1;
}

bool shardLayoutGiven(const OpCall &call) {
  if (const Conv2dConfig *c = convConfig(call); c && c->shardLayout)
    return *c->shardLayout != MemoryLayout::Interleaved && *c->shardLayout != MemoryLayout::NDSharded;
  return call.op().string("conv2d_config.shard_layout") != "interleaved";
}

bool inputInL1IfSharded(const OpCall &call) {
  return !call.in[0].sharded() || (call.in[0].l1() && !call.in[0].shardedAs(MemoryLayout::NDSharded));
}

/// The operand gets a height before the convolution, by a reshape that takes the padding of shards for channels.
bool wholeColumns(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return call.row.name != "ttnn.conv1d" || !in.sharded() || !in.rowMajor() ||
         in.width % in.shardUnits().columns == 0;
}

/// That reshape leaves padding of matrices out, and what it makes must lie on the operand's cores, which the next step is told of: rows of
/// blocks are cut anew where they do not share the tiles evenly, and shards on no rectangle, or by height on one core, go to interleaved memory.
bool keepsCores(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool padded = in.tiled() && in.sharded() && in.batch > 1 && in.height % 32 != 0;
  if (call.row.name != "ttnn.conv1d" || !answersAsNewest(call) || !padded)
    return true;
  const TensorLayout &layout = *in.layout;
  if (layout.memory == MemoryLayout::BlockSharded)
    return ceilDiv(in.batch * in.height, 32) % layout.grid.rows == 0;
  if (layout.memory == MemoryLayout::HeightSharded && in.shardCores() == 1)
    return false;
  return !layout.cores || layout.cores->ranges.size() == 1;
}

/// Shards that are read where they lie. Kernels of windows count cores from the first one, and so does the matmul of a 1x1 window.
bool firstCores(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  bool stays = plan.staged && !plan.moved && call.in[0].sharded();
  return !stays || (!plan.matmul && plan.halo == 0) || beginsAtFirstCore(call.in[0]);
}

bool configMatchesInput(const OpCall &call) {
  // Since 2026 shards of another kind are resharded, and not refused.
  if (convPlan(call).staged)
    return true;
  const Conv2dConfig *c = convConfig(call);
  return !c || !c->shardLayout || !call.in[0].sharded() || call.in[0].layout->memory == *c->shardLayout;
}

bool blockHeight(const OpCall &call) {
  const Conv2dConfig *c = convConfig(call);
  // What the search decided outranks what the op had.
  int64_t rows = c ? c->actBlockHOverride : call.op().integer("conv2d_config.act_block_h_override", 0);
  return rows >= 0 && rows % 32 == 0 && rows <= (1 << 20);
}

bool slicedOperands(const OpCall &call) {
  const Conv2dConfig *c = convConfig(call);
  if (!c || c->slice == Conv2dConfig::Slice::L1Full || c->slice == Conv2dConfig::Slice::Backend)
    return true;
  const TensorRef &out = call.out[0];
  return c->numSlices >= 0 && call.in[0].dram() && !call.in[0].sharded() &&
         (!out.decided() || (out.dram() && !out.sharded()));
}

/// The backend re-shards another kind at run time (876 against 224 us, facts/ir 4.6).
bool resultKind(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return convPlan(call).staged || !out.sharded() || out.shardedAs(convPlan(call).kind);
}

// ---- Of staged plans ------------------------------------------------------------------------------------

bool reshardLayout(const OpCall &call) { return convPlan(call).kindGiven; }

/// Shards of a row-major operand are tilized before they go to another kind than height sharding.
bool tilizedShards(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  const TensorRef &in = call.in[0];
  bool rows = in.sharded() && (in.rowMajor() || plan.folded);
  if (!rows || !plan.matmul || !plan.moved || plan.kind == MemoryLayout::HeightSharded)
    return true;
  if (plan.folded)
    return plan.fold.rows % 32 == 0 && plan.window.inChannels % 32 == 0;
  return in.layout->shard.rows % 32 == 0 && in.layout->shard.columns % 32 == 0;
}

bool matmulShards(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  return !plan.staged || !plan.matmul || plan.interleaved || plan.kind != MemoryLayout::WidthSharded;
}

/// For how many channels weights have rows that were prepared for an operand's shards: each column of cores has its own, in whole tiles.
int64_t preparedRows(const TensorRef &in) {
  const TensorLayout &layout = *in.layout;
  int64_t cores = layout.memory == MemoryLayout::BlockSharded ? layout.grid.columns : in.shardCores();
  return cores * alignUp(layout.shard.columns, 32);
}

/// Shards that are not of the kind that is worked on, or not the channels alone, go to others, but weights were prepared for what they came in:
/// with rows for more channels than a matmul's operand has, and in another order than another kernel reads them.
bool preparedChannels(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  const TensorRef &in = call.in[0];
  if (!plan.staged || !plan.moved || !call.in[1].onDevice() || !in.sharded() ||
      in.shardedAs(MemoryLayout::HeightSharded))
    return true;
  if (plan.matmul && in.shardedAs(MemoryLayout::BlockSharded))
    return false;
  return in.shardedAs(plan.kind) || preparedRows(in) == alignUp(plan.window.inChannels, 32);
}

/// Weights that were prepared are as many tiles as their type says: what cores are left over at the end of uneven shares has none.
bool preparedTiles(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  const TensorRef &weights = call.in[1];
  if (!plan.staged || plan.matmul || plan.interleaved || !weights.onDevice())
    return true;
  const Window &w = plan.window;
  // Of shards that go to others they were prepared for what the operand came in.
  if (plan.moved && plan.kind == MemoryLayout::WidthSharded && call.in[0].shardedAs(plan.kind))
    return false;
  bool rows = plan.kind != MemoryLayout::WidthSharded ||
              plan.channelCores * plan.channels * w.kernelH * w.kernelW == weights.height;
  return rows && ceilDiv(weights.width, 32) % plan.perCoreN == 0;
}

/// Weights of sums of one channel each are laid out for shards that have all of the image's channels, and not for a product.
bool depthwiseShards(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  if (!plan.staged || !isDepthwise1d(call))
    return true;
  return plan.kind != MemoryLayout::WidthSharded && (!plan.matmul || plan.interleaved);
}

/// The kernel's table has four bytes for each piece of a row that a core reads, and room for two of each of its results.
bool readsFewPieces(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  if (!plan.staged || plan.matmul || plan.interleaved)
    return true;
  constexpr int64_t bytesOfResult = 2;
  return readerTable(call, plan) <= plan.perCoreM * 32 * bytesOfResult;
}

/// Where no kind is configured the library asks what width shards would take, and ends there if it may not: of pixels that are no tile.
bool blockDivides(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  if (!plan.staged)
    return true;
  bool asksForAll = !configuredKind(call) && !call.in[0].sharded();
  if (asksForAll && blockOverride(call) > 1 && plan.window.outSticks() < 32)
    return false;
  return plan.matmul || plan.perCoreM % plan.blockH == 0;
}

bool tilesOfBlockFloats(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  return !plan.staged || plan.interleaved || !writesRows(call) || !isBlockFloat(call.out[0].dtype());
}

/// Whether the shards that a matmul reads of folded windows lie on one rectangle of cores.
bool foldedToRectangle(const OpCall &call, const ConvPlan &plan) {
  if (!plan.moved && plan.fold.moved == 0)
    return call.in[0].layout->cores->ranges.size() == 1;
  int64_t cores = plan.moved ? plan.pixelCores : plan.fold.cores, columns = call.device().workerGrid.columns;
  return cores <= columns || cores % columns == 0;
}

/// What shards on one rectangle of cores are folded to keeps the rows that its tiles have: then the result is of more pixels than the windows are.
bool foldedPixels(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  if (!plan.staged || plan.fold.cores == 0 || call.context.version >= BackendVersion::October2026)
    return true;
  const Window &w = plan.window;
  return w.batch * w.outHeight * w.outWidth % 32 == 0 || !foldedToRectangle(call, plan);
}

/// Row-major shards that the matmul of a 1x1 window reads as height shards once they are tiles, until October 2026. Those of another kind are moved
/// first: as they are if they are tiles, else once all of them are.
bool multipliesRows(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  const TensorRef &in = call.in[0];
  bool rows = in.rowMajor() && in.sharded() && plan.kind == MemoryLayout::HeightSharded;
  if (!plan.staged || !plan.matmul || plan.folded || !rows || answersAsOctober2026(call))
    return false;
  return in.shardedAs(MemoryLayout::HeightSharded) || in.layout->shard.rows % 32 != 0 ||
         in.layout->shard.columns % 32 != 0;
}

/// Of shards that end within tiles of pixels, what pads them to tiles is taken for channels of the operand.
bool matmulRows(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  if (!plan.staged || !plan.matmul || plan.folded)
    return true;
  const TensorRef &weights = call.in[1];
  int64_t channels = plan.window.inChannels;
  bool filled = multipliesRows(call) && call.in[0].shardedAs(MemoryLayout::HeightSharded) &&
                plan.window.outSticks() % 32 != 0;
  return (weights.onDevice() ? weights.height : channels) == (filled ? alignUp(channels, 32) : channels);
}

/// It is taken for pixels, too, and stays in a result of tiles; rows are cut to those that there are.
bool wholeTilesOfPixels(const OpCall &call) {
  const Window &w = convPlan(call).window;
  return !multipliesRows(call) || writesRows(call) || w.batch * w.outHeight * w.outWidth % 32 == 0;
}

/// An operand in DRAM is folded before its weights are prepared, which are then laid out for the whole kernel, unless the convolution is told
/// to do without slices.
bool foldedWeights(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  if (const Conv2dConfig *c = convConfig(call); c && c->slice == Conv2dConfig::Slice::L1Full)
    return true;
  if (!plan.staged || !plan.folded || plan.interleaved || !call.in[0].dram() || call.in[1].onDevice())
    return true;
  Window w = windowOf(call, false);
  int64_t inner = ceilDiv(plan.window.inChannels, 32), positions = w.kernelH * w.kernelW;
  if (plan.kind == MemoryLayout::HeightSharded)
    return w.kernelH == 1;
  return alignUp(w.inChannels, plan.channelCores * 32) * positions == inner * 32;
}

/// A convolution that is told to fold does so whatever its window is.
bool foldedWindow(const OpCall &call) {
  Window w = windowOf(call, false);
  if (!convPlan(call).staged || !toldToFold(call).value_or(false) || (w.strideH == 1 && w.strideW == 1))
    return true;
  return w.strideH <= w.kernelH && w.strideW <= w.kernelW && w.paddedHeight() % w.strideH == 0 &&
         w.paddedWidth() % w.strideW == 0;
}

/// Tiles are padded behind alone.
bool foldedTiles(const OpCall &call) {
  Window w = windowOf(call, false);
  const TensorRef &in = call.in[0];
  bool before = w.padTop + w.padLeft > 0;
  return !convPlan(call).folded || !in.tiled() || !before || in.shardedAs(MemoryLayout::HeightSharded);
}

/// Of other windows than those that lie side by side, and of other shards, nobody says what is made on the way.
bool foldedOtherwise(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  Window w = windowOf(call, false);
  const TensorRef &in = call.in[0];
  bool told = plan.staged && toldToFold(call).value_or(false) && (w.strideH > 1 || w.strideW > 1);
  return !told || (plan.folded && (!in.sharded() || in.shardedAs(MemoryLayout::HeightSharded)));
}

/// Tiled shards whose image gets rows of whole tiles stay on their cores if those are a rectangle and share the tiles evenly.
bool foldedCopies(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  const TensorRef &in = call.in[0];
  if (plan.fold.copy == 0 || !in.sharded())
    return true;
  Window w = windowOf(call, false);
  int64_t rows = w.batch * w.inHeight * ceilDiv(w.inWidth, 32);
  bool rectangle = !in.layout->cores || in.layout->cores->ranges.size() == 1;
  return rectangle && rows % in.shardCores() == 0;
}

bool slicesFit(const OpCall &call) { return convPlan(call).fits; }

/// The counters of circular buffers have 16 bits.
bool pageCount(const OpCall &call) {
  constexpr int64_t most = 65535;
  const ConvPlan &plan = convPlan(call);
  if (!plan.staged || plan.interleaved)
    return true;
  int64_t stick = haloStick(call, plan);
  bool rows = !plan.tiledShards && (plan.moved || !plan.matmul);
  const TensorRef &in = call.in[0];
  bool resharded = plan.moved && in.sharded() && in.rowMajor();
  return (!rows || plan.inShard <= most * stick) && plan.halo <= most * stick &&
         (!resharded || in.layout->shard.rows <= most);
}

/// Interleaved rows that shards are gathered to keep the padding of the last shard, and so are no rows of the result's width: in L1
/// they take more than its layout says, and where shards hold part of the channels a view of them fails, until October 2026 wherever they
/// are padded.
bool wholeResultRows(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  const TensorRef &out = call.out[0];
  bool needsWhole = plan.channelCores > 1 || out.l1() || !answersAsOctober2026(call);
  bool gathers = needsWhole && !plan.sliced && !plan.matmul;
  if (!answersAsNewest(call) || !gathers || !out.decided() || out.sharded() || !out.rowMajor())
    return true;
  return plan.window.outChannels % (plan.perCoreN * 32) == 0;
}

/// The kernel makes shards of whole tiles, and shards of rows that are made of them by a copy must have as many rows where all cores have
/// the same ones.
bool wholeResultShards(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  const TensorRef &out = call.out[0];
  if (!plan.staged || plan.sliced || !out.decided() || !out.sharded() || !out.rowMajor())
    return true;
  const TensorLayout &layout = *out.layout;
  if (plan.matmul)
    return layout.shard.rows % 32 == 0 && layout.shard.columns % 32 == 0;
  bool alike = plan.kind == MemoryLayout::WidthSharded && out.shardedAs(plan.kind);
  bool blocks = plan.kind == MemoryLayout::BlockSharded && out.shardedAs(plan.kind) &&
                layout.shard.columns != plan.perCoreN * 32;
  return plan.window.outSticks() % 32 == 0 || !(alike || blocks);
}

/// The kernel makes rows of whole tiles. Where one core has all channels, a copy to shards of another width takes the rows as they lie.
bool filledResultRows(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  const TensorRef &out = call.out[0];
  bool rows = plan.staged && !plan.sliced && !plan.matmul && plan.outCores == 1 && out.decided() &&
              out.sharded() && out.rowMajor();
  return !rows || !answersAsNewest(call) || plan.window.outChannels % 32 == 0 ||
         out.layout->shard.columns % 32 == 0;
}

/// The matmul of a 1x1 window tilizes row-major shards, where they lie or where it has moved them to, and reads rows that fill no tiles as if they did.
bool tilizedRowsFilled(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  const TensorRef &in = call.in[0];
  bool rows = plan.staged && plan.matmul && !plan.folded && in.shardedAs(MemoryLayout::HeightSharded) &&
              in.rowMajor();
  return !rows || !answersAsNewest(call) || in.layout->shard.columns % 32 == 0;
}

/// Few tiles are moved by one column of cores, and the library looks for others beside it, until October 2026.
bool movesTiles(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  int64_t tiles = plan.staged && !answersAsOctober2026(call) ? movedTiles(call, plan) : 0;
  return tiles == 0 || tiles >= 2 * call.device().workerGrid.rows;
}

bool freed(const OpCall &call) { return freesIfTold(call, convPlan(call)); }

// The window first: no plan means anything without one. From conv2d.folded_window on rules are about plans as the
// library has made them since 2026 (`staged`), and most hold of any other.
constexpr Rule kRules[] = {
    {{"conv2d.window",
      "batch, image, kernel, stride, padding and dilation must be positive and the kernel must fit the "
      "padded image",
      "facts/ir 1.4"},
     validWindow},
    {{"conv2d.operand_shape", "the operand must hold batch x height x width sticks of in_channels elements",
      "facts/formulas 12"},
     operandShape},
    {{"conv2d.weight_form", "weights must lie on the host, or prepared in DRAM", "facts/formulas 11"},
     weightForm},
    {{"conv2d.shard_layout", "the configured shard layout must be height, block or width sharding",
      "facts/formulas 11"},
     shardLayoutGiven},
    {{"conv2d.input_in_l1", "a sharded operand must lie in L1", "facts/hardware 4.6"}, inputInL1IfSharded},
    {{"conv2d.config_matches_input", "the configured shard layout must be the sharded operand's",
      "facts/ir 4.6"},
     configMatchesInput},
    {{"conv2d.act_block_h", "act_block_h_override must be a multiple of 32", "facts/hardware 4.6"},
     blockHeight},
    {{"conv2d.sliced_operands", "DRAM slicing works from DRAM interleaved to DRAM interleaved",
      "facts/formulas 11"},
     slicedOperands},
    {{"conv2d.result_kind", "a sharded result must be sharded in the way the convolution works",
      "facts/ir 4.6, facts/hardware 4.6"},
     resultKind},
    {{"conv2d.folded_window",
      "a convolution that is told to fold must have strides that are no longer than its kernel and divide "
      "the padded image",
      "asked of ttnn 0.81.1 (conv2d_utils.cpp)"},
     foldedWindow},
    {{"conv2d.folded_tiles", "tiles whose windows are folded must not be padded above or to the left",
      "asked of ttnn 0.81.1 (pad.cpp)"},
     foldedTiles},
    {{"conv2d.folded_otherwise",
      "a convolution that is told to fold must have windows that lie side by side, and no block or width "
      "shards",
      "asked of ttnn 0.81.1 (untilize_with_unpadding_device_operation.cpp)",
      "tensors on the way that nothing counts; most are refused"},
     foldedOtherwise},
    {{"conv2d.folded_copies",
      "tiled shards whose windows are folded must hold whole tiles in each row of the image, or lie on a "
      "rectangle of cores that shares the tiles of all rows evenly",
      "asked of ttnn 0.81.1 (tensor_spec.cpp)", "shards that the library makes interleaved on the way"},
     foldedCopies},
    {{"conv2d.reshard_layout",
      "shards that the kernel cannot read, or that are to be moved where others are better "
      "(reshard_if_not_optimal), need a configured shard layout to go to",
      "tt-metal 0.77: conv2d_utils.cpp; asked of ttnn 0.77.0 and 0.81.1"},
     reshardLayout},
    {{"conv2d.tilized_shards", "row-major shards of a 1x1 window that go to another kind must be whole tiles",
      "tt-metal 0.77: conv2d_utils.cpp"},
     tilizedShards},
    {{"conv2d.matmul_shards", "the matmul of a 1x1 window reads no width shards",
      "tt-metal 0.77: matmul_device_operation.cpp"},
     matmulShards},
    {{"conv2d.prepared_channels",
      "where weights were prepared for them, block shards of a 1x1 window must be of its channels alone, and "
      "shards that go to those of another kind must share the channels in whole tiles",
      "tt-metal 0.81: prepare_conv2d_weights.cpp, matmul_device_operation.cpp"},
     preparedChannels},
    {{"conv1d.whole_columns", "row-major shards of a conv1d's operand must share its channels without rest",
      "ttnn 0.81.1: tensor_ops.cpp, the reshape of shards"},
     wholeColumns},
    {{"conv1d.keeps_cores",
      "shards of a conv1d's operand whose matrices are padded must lie on a rectangle of cores, by height on "
      "several, and rows of blocks share the tiles of all lines evenly",
      "asked of ttnn 0.81.1 (tensor_spec.cpp)"},
     keepsCores},
    {{"conv2d.prepared_tiles",
      "cores must share the tiles of prepared weights without rest: all columns, and the rows of width "
      "shards' channels",
      "tt-metal 0.81: conv2d_op_sharded_program_factory.cpp, conv2d_op_width_sharded_program_factory.cpp"},
     preparedTiles},
    {{"conv1d.depthwise_shards",
      "a conv1d of one channel per group reads no width shards, and no shards where its windows are one "
      "element",
      "tt-metal 0.81: conv2d_op_width_sharded_program_factory.cpp, asked of ttnn 0.77.0 and 0.81.1"},
     depthwiseShards},
    {{"conv2d.short_rows",
      "rows of the result that are not read on end must be longer than two elements, on average of a core",
      "asked of ttnn 0.77.0 and 0.81.1 (conv2d_op_program_factory_common.cpp)"},
     readsFewPieces},
    {{"conv2d.block_divides",
      "the activation block must divide the rows of tiles of the result, and for width shards, or where no "
      "kind of shards is configured, fit into its pixels",
      "tt-metal 0.77: conv2d_op_width_sharded_program_factory.cpp, conv2d_op_program_factory_common.cpp"},
     blockDivides},
    {{"conv2d.rows_of_block_floats", "a result of block floats is tiled, also by the config's output_layout",
      "tt-metal 0.77: conv2d.cpp, tensor_spec.cpp"},
     tilesOfBlockFloats},
    {{"conv2d.folded_weights",
      "weights of a folded kernel must have as many rows as the operand has channels",
      "tt-metal 0.77: conv2d.cpp"},
     foldedWeights},
    {{"conv2d.folded_pixels",
      "shards whose windows are folded must make whole tiles of pixels, or lie on no rectangle of cores",
      "ttnn 0.77.0: the shape of the result"},
     foldedPixels},
    {{"conv2d.matmul_rows",
      "weights of a 1x1 window must have as many rows as its matmul reads channels: those of the operand, "
      "until October 2026 whole tiles of them from row-major height shards that end within a tile of pixels",
      "ttnn 0.77.0 and 0.81.1: matmul_device_operation.cpp"},
     matmulRows},
    {{"conv2d.row_pixels",
      "row-major shards of a 1x1 window must make whole tiles of pixels, if the result is tiled",
      "asked of ttnn 0.77.0", "a result of more pixels than the call has"},
     wholeTilesOfPixels},
    {{"conv2d.slices_fit",
      "an operand in DRAM must fit in L1 in as many slices as it has rows or tiles of columns",
      "tt-metal 0.77: op_slicing.cpp"},
     slicesFit},
    {{"conv2d.first_cores", "shards that are not moved must begin on the first core of the grid",
      "ttnn 0.81.1: sliding_window.cpp, matmul_device_operation.cpp", "tt-metal#60513"},
     firstCores},
    {{"conv2d.moved_tiles",
      "an interleaved operand in rows that is freed must make tiles for two columns of cores where the "
      "matmul of a 1x1 window tilizes it",
      "asked of ttnn 0.77.0 (core_coord.cpp)"},
     movesTiles},
    {{"conv2d.freed",
      "row-major width shards that need no halo are read where they lie, and nobody frees them",
      "asked of ttnn 0.77.0 and 0.81.1"},
     freed},
    {{"conv2d.page_count", "a shard must have at most 65535 rows", "tt-metal 0.77: circular_buffer.cpp"},
     pageCount},
    {{"conv2d.whole_result_rows",
      "the channels of an interleaved row-major result must be whole shards, since October 2026 only if "
      "several cores share them, or in L1",
      "tt-metal 0.77: conv2d_device_operation.cpp", "rows in L1 that take more than their layout says"},
     wholeResultRows},
    {{"conv2d.whole_result_shards",
      "row-major shards of the result must be whole tiles of a 1x1 window's matmul, else hold whole tiles of "
      "pixels where width shards are made of width shards, or block shards of others of another width",
      "asked of ttnn 0.81.1 (sharded_common.cpp)"},
     wholeResultShards},
    {{"conv2d.filled_result_rows",
      "row-major shards of the result must be whole tiles wide where one core makes all channels",
      "ttnn 0.81.1, executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     filledResultRows},
    {{"conv2d.filled_rows",
      "row-major height shards that the matmul of a 1x1 window reads must be whole tiles wide",
      "ttnn 0.81.1, executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     tilizedRowsFilled},
};

/// The matmul of a 1x1 window writes tiles, whatever `output_layout` says.
void tileMatmulResult(OpCall &call) {
  const TensorRef &out = call.out[0];
  if (out.decided() && out.rowMajor())
    call.setOutput(0, repaged(call, out, PageLayout::Tile));
}

void outputs(OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  TensorRef &out = call.out[0];
  if (plan.staged && plan.matmul)
    tileMatmulResult(call);
  if (plan.sliced) {
    // DRAM slicing ends in DRAM even if L1 was asked for (facts/formulas 11); the only slice of an image stays in tiles.
    bool asked = out.decided() ? out.rowMajor() : plan.staged && writesRows(call);
    bool rows = asked && !(answersAsNewest(call) && plan.slices == 1);
    if (!out.decided() || !out.dram() || out.sharded() || rows != out.rowMajor())
      call.setOutput(0, dramInterleaved(*out.desc, rows ? PageLayout::RowMajor : PageLayout::Tile));
    return;
  }
  // The matmul of an interleaved operand is a linear, and that makes DRAM interleaved unless told otherwise
  // (facts/formulas 2).
  if (!out.decided() && plan.interleaved)
    call.dramIfUndecided(0);
  if (out.decided())
    return;
  call.setOutput(0, l1Sharded(*out.desc, plan.kind, plan.outGrid(), call.device().workerGrid));
  // The convolution proper untilizes in its shards.
  if (plan.staged && !plan.matmul && writesRows(call))
    call.setOutput(0, repaged(call, out, PageLayout::RowMajor));
}

void memory(const OpCall &call, MemoryUse &use) {
  const ConvPlan &plan = convPlan(call);
  if (plan.staged) {
    stagedMemory(call, plan, use);
  } else {
    convBuffers(call, plan, use);
    use.tensors(convTensors(call, plan));
  }
  // Of slices and linears no order of blocks is known; the replay takes their peak as one block
  // (docs/memory.md).
  if (!plan.sliced && !plan.interleaved)
    tensorsInOrder(call, plan, use);
}

/// The goldens have height sharding and windows larger than a pixel only.
bool confirmed(const OpCall &call) {
  const ConvPlan &plan = convPlan(call);
  return call.row.name == "ttnn.conv2d" && plan.kind == MemoryLayout::HeightSharded && !plan.matmul;
}

constexpr llvm::StringRef kOperands[] = {"input", "weight", "bias"};
const Family kConv = {"conv2d", kOperands, kRules, outputs, memory, convRuntime, confirmed};

// Weights may lie on the host until they are prepared, so that `hostOperands` is set.
const OpRow kRows[] = {
    {"ttnn.conv1d", &kConv, 2, 3, 1, 0, Plain, true},
    {"ttnn.conv2d", &kConv, 2, 3, 1, 0, Plain, true},
    {"ttnn.conv_transpose2d", &kConv, 2, 3, 1, 0, Transposed, true},
};

} // namespace

Rows convRows() { return kRows; }

} // namespace tessera::analytic
