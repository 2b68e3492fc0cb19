//===- ConvBuffers.cpp - L1 of a convolution's programs ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Of plans that stagedPlan() made: fold, shards, halo, kernel or matmul, and the
// move of the result. tt-metal 0.77: conv2d_op_program_factory_common.cpp.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "ConvReaders.h"
#include "WindowBuffers.h"

#include <algorithm>
#include <utility>

namespace tessera::analytic {
namespace {

bool flag(const OpCall &call, llvm::StringRef name) { return call.op().boolean(name, false); }

int64_t inputTile(const OpCall &call) { return 1024 * call.in[0].scalar; }

/// Partial sums have a buffer of their own unless they have the result's type.
int64_t partialTile(const OpCall &call, int64_t kBlocks) {
  // The packer accumulates in L1 only with more than two blocks of K, or with a bias and more than one
  // (facts/hardware 4.6).
  bool l1 = flag(call, "compute_config.packer_l1_acc"), bias = call.hasOperand(2);
  if (!l1 || kBlocks <= (bias ? 1 : 2))
    return call.out[0].tile;
  return flag(call, "compute_config.fp32_dest_acc_en") ? 4096 : 2048;
}

void weightBuffer(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  // Weights that are multiplied element by element have the rows of a block, and on block shards a column of tiles of these.
  if (plan.kind != MemoryLayout::WidthSharded && isDepthwise1d(call)) {
    bool wide = plan.kind == MemoryLayout::HeightSharded;
    return use.buffer("weights", plan.blockH * (wide ? plan.blockW : plan.perCoreN), convWeightTile(call));
  }
  // Height shards read weights once and keep all K blocks for the next row of blocks.
  bool keeps = plan.kind == MemoryLayout::HeightSharded && plan.perCoreM > plan.blockH;
  int64_t depth = keeps                                                      ? plan.window.kernelH
                  : flag(call, "conv2d_config.enable_weights_double_buffer") ? 2
                                                                             : 1;
  use.buffer("weights", plan.perCoreN * plan.blockW * depth, convWeightTile(call));
}

/// Height shards: blocks as they are read, half of them by each reader if two share the work. Others: blocks for the
/// multicast (where one core has all channels there is none), and where they are gathered unless that is the same buffer.
void activationBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use, bool alone) {
  int64_t depth = flag(call, "conv2d_config.enable_act_double_buffer") ? 2 : 1, in = inputTile(call),
          out = call.out[0].tile;
  int64_t second = sharesReading(call, plan) ? plan.blockH / 2 * plan.blockW * depth : 0;
  int64_t first = plan.blockH * plan.blockW * depth - second;
  if (plan.kind == MemoryLayout::HeightSharded) {
    use.buffer("activation block", first, in);
    use.buffer("activation block of the second reader", second, in);
    return;
  }
  use.buffer("activation block", alone ? 0 : first + second, out);
  if (plan.kind == MemoryLayout::WidthSharded) {
    use.buffer("rows of the activation", 2 * plan.blockW, in);
  } else if (alone || in != out) {
    use.buffer("rows of the activation", first, in);
    use.buffer("rows of the second reader", second, in);
  }
}

/// Blocks of the inner dimension, counted on prepared weights as they are.
int64_t innerBlocks(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &weights = call.in[1];
  if (!weights.onDevice())
    return plan.kBlocks;
  // Prepared weights may have rows for channels that only fill up shards: the kernel goes by these.
  int64_t blocks = weights.tileRows / plan.blockW;
  return plan.kind == MemoryLayout::BlockSharded ? blocks * (weights.tileCols / plan.perCoreN) : blocks;
}

/// `rows`: the kernel untilizes its result.
void kernelBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use, bool alone, bool rows) {
  int64_t out = call.out[0].tile;
  use.program("convolution");
  weightBuffer(call, plan, use);
  activationBuffers(call, plan, use, alone);
  use.buffer("tilized activation", plan.blockH * plan.blockW, out);
  if (call.hasOperand(2))
    use.buffer("bias", plan.perCoreN, convWeightTile(call));
  int64_t partial = partialTile(call, innerBlocks(call, plan));
  // A block is done before the next one begins, so its sums are all there are at a time.
  if (rows || partial != out)
    use.buffer("partial sums", plan.blockH * plan.perCoreN, partial);
  if (flag(call, "conv2d_config.config_tensors_in_dram"))
    use.buffer("positions", 1, readerTable(call, plan));
  use.buffer("semaphores", 1, 64);
}

/// A matmul accumulates in fp32 whatever the result is, if told so; in bf16 if it accumulates in L1.
int64_t matmulPartialTile(const OpCall &call, const ConvPlan &plan) {
  if (flag(call, "compute_config.fp32_dest_acc_en"))
    return 4096;
  return partialTile(call, plan.channelCores);
}

/// A matmul on shards: height shards are read in place, block shards are multicast.
void matmulBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  bool block = plan.kind == MemoryLayout::BlockSharded;
  // With one core along the channels K is one block, so there is no next one to prefetch (facts/formulas 7.2).
  int64_t depth = plan.channelCores > 1 ? 2 : 1, k = ceilDiv(plan.channels, 32);
  use.program("matmul");
  int64_t inTile = plan.tiledShards ? call.in[0].tile : inputTile(call);
  use.buffer("activation block", block ? plan.perCoreM * k * depth : 0, inTile);
  use.buffer("weights", plan.perCoreN * k * depth, convWeightTile(call));
  if (call.hasOperand(2))
    use.buffer("bias", plan.perCoreN, convWeightTile(call));
  int64_t partial = matmulPartialTile(call, plan);
  if (partial != call.out[0].tile)
    use.buffer("partial sums", plan.perCoreM * plan.perCoreN, partial);
  use.buffer("semaphores", block && !answersAsOctober2026(call) ? 1 : 0, 64);
}

TensorDesc flatOperand(const OpCall &call, const ConvPlan &plan) {
  const Window &w = plan.window;
  DataType dtype =
      plan.tiledShards || !isBlockFloat(call.in[0].dtype()) ? call.in[0].dtype() : DataType::BFloat16;
  return {{1, 1, w.inSticks(), w.inChannels}, dtype};
}

TensorLayout interleavedLike(const OpCall &call, const TensorDesc &desc, PageLayout page) {
  return call.in[0].l1() ? l1Interleaved(desc, call.device().workerGrid, page) : dramInterleaved(desc, page);
}

/// The matmul of an interleaved operand is a linear of its own choice, into DRAM.
void linearBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  auto &layouts = call.context.layouts;
  const Window &w = plan.window;
  DataType weight =
      parseDataType(call.op().string("conv2d_config.weights_dtype")).value_or(call.in[1].dtype());
  TensorDesc in = flatOperand(call, plan), weights{{1, 1, alignUp(w.inChannels, 32), w.outChannels}, weight};
  OpSignature op;
  op.name = "ttnn.linear";
  op.operands = {{in, 0}, {weights, 1}};
  op.results = {{{1, 1, w.outSticks(), w.outChannels}, call.out[0].dtype()}};
  llvm::SmallVector<LayoutId, 3> ids = {layouts.intern(interleavedLike(call, in, PageLayout::Tile)),
                                        layouts.intern(dramInterleaved(weights))};
  if (call.hasOperand(2)) {
    op.operands.push_back({{{1, 1, 1, w.outChannels}, weight}, 2});
    ids.push_back(layouts.intern(dramInterleaved(op.operands.back().tensor)));
  }
  for (auto &[name, value] : call.op().attributes)
    if (llvm::StringRef(name).starts_with("compute_config."))
      op.addAttribute(name, value);
  if (!op.attribute("compute_config.math_fidelity"))
    // The convolution states its own default for the linear that it calls (facts/hardware 4.8).
    op.addAttribute("compute_config.math_fidelity", std::string("hifi4"));
  OpConfig config;
  config.outputs = {layouts.intern(dramInterleaved(op.results[0]))};
  // The linear's own family lists its buffers: what it chooses is worked out in one place.
  const OpRow &row = *findRow(op.name);
  row.family->memory(OpCall(call.context, row, OpQuery{op, ids, config, Bytes(0)}), use);
}

/// Interleaved pixels that do not begin where DRAM can be read go by way of two windows' pixels and a folded one (asked of ttnn 0.77.0 and
/// 0.81.1: fold_multi_core_dram_program_factory.cpp).
void foldBuffers(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  Window w = windowOf(call, /*transposed=*/false);
  int64_t pixel = w.inChannels * inputTile(call) / 1024, positions = w.strideH * w.strideW,
          read = alignUp(pixel, call.device().dramAlignment.value());
  if (in.sharded() || read == pixel)
    return;
  use.program("fold");
  use.buffer("pixels of windows", 2 * positions, read);
  use.buffer("folded window", 1, positions * pixel);
}

/// Untilizes what is to be folded, folds it, and tilizes what a matmul takes interleaved or in blocks.
void pageBuffers(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  const TensorRef &in = call.in[0];
  if (plan.folded && in.tiled())
    untilizeProgram(call, use, in, inputTile(call));
  if (plan.folded)
    foldBuffers(call, use);
  if (!plan.matmul || plan.tiledShards || (!plan.interleaved && plan.kind == MemoryLayout::HeightSharded) ||
      in.sharded())
    return;
  TensorDesc desc = flatOperand(call, plan);
  TensorLayout layout = interleavedLike(call, desc, PageLayout::Tile);
  TensorRef flat = makeTensorRef(desc, &layout);
  tilizeProgram(call, use, flat, inputTile(call));
}

/// A matmul's operand is tilized before it goes to other than height shards.
bool tilizedBefore(const ConvPlan &plan) {
  return plan.matmul && plan.moved && !plan.tiledShards && plan.kind != MemoryLayout::HeightSharded;
}

/// Matrices of a conv1d that end within tiles are put behind one another without that padding, on the cores that they lie on.
bool joinsMatrices(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return call.row.name == "ttnn.conv1d" && in.tiled() && in.l1() && in.batch > 1 && in.height % 32 != 0;
}

/// L1 per core of the tilized operand before it goes to its shards.
int64_t tilizedOperand(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &in = call.in[0];
  const Window &w = plan.window;
  int64_t columns = ceilDiv(w.inChannels, 32);
  if (plan.fold.cores > 0)
    return ceilDiv(plan.fold.rows, 32) * columns * inputTile(call);
  if (in.dram() || (plan.tiledShards && !joinsMatrices(call)))
    return 0;
  int64_t tiles = in.sharded() ? ceilDiv(in.layout->shard.rows, 32) * ceilDiv(in.layout->shard.columns, 32)
                               : ceilDiv(ceilDiv(w.outSticks(), 32) * columns, call.cores());
  return tiles * inputTile(call);
}

/// L1 per core of what a matmul's shards are filled up to whole tiles and tilized to, if they are not tiled by then.
int64_t tilizedShards(const OpCall &call, const ConvPlan &plan) {
  if (plan.tiledShards || tilizedBefore(plan))
    return 0;
  return ceilDiv(ceilDiv(plan.window.outSticks(), 32), plan.pixelCores) * ceilDiv(plan.channels, 32) *
         inputTile(call);
}
/// Channels that end within tiles are cut into whole ones, where they are not filled up for the rows' sake.
int64_t filledShards(const OpCall &call, const ConvPlan &plan) {
  bool cut = plan.window.outSticks() % 32 != 0;
  return plan.moved && call.in[0].sharded() && cut ? plan.inShard : 0;
}

bool deallocates(const OpCall &call) {
  const auto *config = std::get_if<Conv2dConfig>(&call.query.config.specific);
  return config ? config->deallocateActivation
                : call.op().boolean("conv2d_config.deallocate_activation", false);
}

/// The library frees what it made shards of, if it is told to free the operand, and makes anew, further up, what it made of it.
bool freesOperand(const OpCall &call) { return deallocates(call) && !call.in[0].dram(); }

/// Shards per core that are made of the operand before all else.
int64_t ownShards(const OpCall &call, const ConvPlan &plan) {
  bool joined = call.in[0].sharded() && joinsMatrices(call);
  return plan.moved || joined ? plan.inShard : 0;
}

/// A transposed convolution keeps the shards that it cut its operand into, unless it is told to free the operand.
bool keepsShards(const OpCall &call, const ConvPlan &plan) {
  return isTransposed(call) && plan.moved && !plan.sliced && !deallocates(call);
}

/// A tensor that is made of another one, which is freed then if the operand is. `buffers`: of the program that makes it.
MemoryUse::Made makeOf(const OpCall &call, MemoryUse::Made source, int64_t bytes,
                       std::optional<int64_t> buffers, MemoryUse &use) {
  MemoryUse::Made made = use.make(bytes, buffers);
  if (!made || !freesOperand(call))
    return made;
  // Source and copy both go, and the copy is made anew: it moves up into what the two left (facts/allocator 8).
  use.free(source);
  use.free(made);
  return use.make(bytes, 0);
}

/// What is made before windows are folded is gone once they are.
MemoryUse::Made foldInOrder(const FoldedShards &fold, MemoryUse &use) {
  MemoryUse::Made copy = use.make(fold.copy), given = use.make(fold.given), moved = use.make(fold.moved);
  if (moved)
    use.free(given);
  MemoryUse::Made folded = use.make(fold.bytes);
  use.free(moved ? moved : given);
  use.free(copy);
  return folded;
}

/// `own`: of the shards that the operand is cut into. Returns what the matmul reads, if that was made.
MemoryUse::Made matmulShardsInOrder(const OpCall &call, const ConvPlan &plan, int64_t own, MemoryUse &use) {
  MemoryUse::Made read = foldInOrder(plan.fold, use);
  if (tilizedBefore(plan))
    read = makeOf(call, read, tilizedOperand(call, plan), std::nullopt, use);
  if (own > 0) {
    MemoryUse::Made before = std::exchange(read, makeOf(call, read, own, std::nullopt, use));
    if (tilizedBefore(plan) && !freesOperand(call))
      use.free(before);
  }
  int64_t tiles = tilizedShards(call, plan);
  if (tiles == 0)
    return read;
  // Channels are filled up to tiles first, and then rows.
  int64_t filledBytes = filledShards(call, plan);
  bool twice = plan.window.inChannels % 32 != 0;
  MemoryUse::Made channels = use.make(twice ? filledBytes : 0), filled = use.make(filledBytes);
  use.free(channels);
  MemoryUse::Made tilized = use.make(tiles);
  if (own > 0 || freesOperand(call))
    use.free(read);
  use.free(filled);
  return tilized;
}

/// Since October 2026 what fills shards up that end within tiles in both dimensions has rows of zeros, by sixteens, unless they are as high as an
/// even share of the pixels (asked of ttnn 0.81.1).
void fillShards(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  constexpr int64_t zeros = 32768, rowsAtOnce = 16;
  int64_t row = alignUp(plan.channels, 32) * call.in[0].scalar;
  bool fills = plan.matmul && tilizedShards(call, plan) > 0 && filledShards(call, plan) > 0 &&
               plan.window.inChannels % 32 != 0 &&
               plan.inShard / row != ceilDiv(plan.window.outSticks(), plan.pixelCores);
  if (!fills || !answersAsOctober2026(call))
    return;
  use.program("fill shards");
  use.buffer("zeros", alignUp(ceilDiv(zeros, row), rowsAtOnce), row);
}

void operandProgram(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  fillShards(call, plan, use);
  if (!plan.moved || plan.interleaved || call.in[0].sharded())
    return;
  if (!plan.tiledShards && !tilizedBefore(plan))
    return shardingProgram(call, use, haloStick(call, plan), PageLayout::RowMajor);
  shardingProgram(call, use, plan.tiledShards ? call.in[0].tile : inputTile(call), PageLayout::Tile);
}

void haloProgram(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  if (plan.halo > 0)
    haloBuffers(use, haloStick(call, plan), plan.tiledShards ? ceilDiv(plan.channels, 32) : 0,
                inputTile(call), haloExchange(call, plan));
}

int64_t buffersOf(void (*program)(const OpCall &, const ConvPlan &, MemoryUse &), const OpCall &call,
                  const ConvPlan &plan) {
  MemoryUse use;
  program(call, plan, use);
  return use.circularBuffers();
}

/// Shards that the operand was cut into are freed once its halo is made, which is made a second time then unless the config says
/// otherwise, in what they or the operand left. Only then the kernel runs, which needs most circular buffers. Returns what it reads.
MemoryUse::Made haloInOrder(const OpCall &call, const ConvPlan &plan, int64_t own, MemoryUse &use) {
  MemoryUse::Made shards = makeOf(call, std::nullopt, own, buffersOf(operandProgram, call, plan), use);
  MemoryUse::Made halo = use.make(plan.halo, buffersOf(haloProgram, call, plan));
  if (!halo)
    return std::nullopt;
  if (!keepsShards(call, plan))
    use.free(shards);
  if (!call.op().boolean("conv2d_config.reallocate_halo_output", true))
    return halo;
  use.free(halo);
  return use.make(plan.halo, 0);
}

/// The kernel makes shards of whole tiles: rows that are cut otherwise are made of them.
bool movesResult(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &out = call.out[0];
  if (plan.interleaved)
    return out.l1();
  if (!out.shardedAs(plan.kind) || out.layout->grid != plan.outGrid())
    return true;
  return out.rowMajor() && (out.layout->shard.rows % 32 != 0 || out.layout->shard.columns % 32 != 0);
}

/// A matmul's programs, with all of its tensors.
void matmulPrograms(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  const TensorRef &out = call.out[0];
  pageBuffers(call, plan, use);
  operandProgram(call, plan, use);
  if (!plan.interleaved)
    return matmulBuffers(call, plan, use);
  linearBuffers(call, plan, use);
  if (out.l1() && out.sharded())
    return shardingProgram(call, use, out.tile, PageLayout::Tile);
  use.program("copy");
  use.buffer("tiles", out.l1() ? 2 : 0, out.tile);
}

/// Programs one after the other, each with the tensors that are there when it runs.
class Stages {
public:
  explicit Stages(MemoryUse &use) : use(use) {}
  ~Stages() { use.combinedPeak(together); }

  void run(int64_t tensors, llvm::function_ref<void(MemoryUse &)> buffers) {
    MemoryUse alone;
    buffers(alone);
    buffers(use);
    use.tensors(tensors);
    // Measured on its own as well, since the op's hungriest program need not run beside its most tensors.
    together = std::max(together, alone.circularBuffers() + tensors);
  }

private:
  MemoryUse &use;
  int64_t together = 0;
};

/// Shards, halo, kernel, and the move of the result. The shards are gone when the kernel runs; of a transposed convolution the halo is
/// when the result moves.
void addStages(const OpCall &call, const ConvPlan &plan, Stages &stages) {
  constexpr int64_t buffer = 16; // the readers' table is a buffer of its own
  HaloTables exchange = haloExchange(call, plan);
  int64_t own = ownShards(call, plan), kept = keepsShards(call, plan) ? own : 0,
          read = plan.halo > 0 ? plan.halo + kept : own, held = read + plan.outShard;
  bool inDram = flag(call, "conv2d_config.config_tensors_in_dram"),
       alone = plan.channelCores == 1 && plan.outCores == 1;
  stages.run(own, [&](MemoryUse &use) { operandProgram(call, plan, use); });
  stages.run(own + plan.halo + exchange.tensors(), [&](MemoryUse &use) { haloProgram(call, plan, use); });
  stages.run(held + (inDram ? 0 : alignUp(readerTable(call, plan), buffer)), [&](MemoryUse &use) {
    kernelBuffers(call, plan, use, alone, !plan.sliced && writesRows(call));
  });
  int64_t before = isTransposed(call) && plan.halo > 0 ? held - plan.halo : held;
  if (!plan.sliced && movesResult(call, plan))
    stages.run(before + allocatedBytes(call, call.out[0]), [](MemoryUse &) {});
}

/// The kernel gives tiles of a slice, whatever the result's pages are: rows are made of them before they go to their place, of width
/// shards interleaved.
void addUntilizedSlice(const OpCall &call, const ConvPlan &plan, Stages &stages) {
  const Window &w = plan.window;
  if (plan.kind != MemoryLayout::WidthSharded)
    return stages.run(2 * plan.outShard, [](MemoryUse &) {});
  TensorDesc desc{{1, 1, w.outSticks(), w.outChannels}, call.out[0].dtype()};
  TensorLayout layout = l1Interleaved(desc, call.device().workerGrid, PageLayout::Tile);
  TensorRef tiles = makeTensorRef(desc, &layout);
  stages.run(plan.outShard + call.perCore(tiles), [](MemoryUse &) {});
  stages.run(2 * call.perCore(tiles), [&](MemoryUse &use) { untilizeProgram(call, use, tiles, tiles.tile); });
}

void addSlices(const OpCall &call, const ConvPlan &plan, Stages &stages) {
  bool untilizes = plan.slices > 1 && writesRows(call);
  auto add = [&](const ConvPlan &slice) {
    addStages(call, slice, stages);
    if (untilizes)
      addUntilizedSlice(call, slice, stages);
  };
  add(plan);
  llvm::for_each(plan.others, add);
}

/// Block floats in DRAM become an image whose rows are no whole tiles as bf16, and what that leaves free in the tiles is filled; so it is on
/// their way back (asked of ttnn 0.77.0 and 0.81.1). Nothing of it lies in L1.
void spreadBlockFloats(const OpCall &call, const ConvPlan &plan, Stages &stages) {
  const TensorRef &in = call.in[0];
  if (plan.matmul || !in.dram() || !isBlockFloat(in.dtype()) || call.op().integer("input_width", 0) % 32 == 0)
    return;
  int64_t channels = in.width % 32 != 0, whole = in.height % 32 != 0;
  stages.run(0, [&](MemoryUse &use) {
    use.program("fill");
    use.buffer("tiles in and out", 4, rowTileOf(in));
    use.buffer("masks", channels + std::max<int64_t>(1, whole), rowTileOf(in));
  });
}

} // namespace

bool isTransposed(const OpCall &call) { return call.row.name == "ttnn.conv_transpose2d"; }

void tensorsInOrder(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  int64_t own = plan.staged ? ownShards(call, plan) : call.in[0].sharded() ? 0 : plan.inShard;
  MemoryUse::Made read;
  if (plan.matmul)
    read = matmulShardsInOrder(call, plan, own, use);
  else
    read = haloInOrder(call, plan, own, use);
  if (movesResult(call, plan)) {
    use.make(plan.outShard);
    if (plan.matmul ? freesOperand(call) : isTransposed(call))
      use.free(read);
  } else if (use.made.empty()) {
    // The first block there is: an operand that is to be freed goes once it is made (MadeBlock).
    use.makeResult(0, call.perCore(call.out[0]));
  }
}

int64_t movedTiles(const OpCall &call, const ConvPlan &plan) {
  bool moves = tilizedBefore(plan) && freesOperand(call) && !call.in[0].sharded();
  return moves ? ceilDiv(plan.window.outSticks(), 32) * ceilDiv(plan.window.inChannels, 32) : 0;
}

bool freesIfTold(const OpCall &call, const ConvPlan &plan) {
  bool readInPlace = plan.staged && !plan.matmul && !plan.moved && !plan.sliced && plan.halo == 0;
  return !readInPlace || !freesOperand(call);
}

bool writesRows(const OpCall &call) {
  return call.out[0].rowMajor() || call.op().string("conv2d_config.output_layout") == "row_major";
}

int64_t kernelDemand(const OpCall &call, const ConvPlan &plan) {
  MemoryUse use;
  // The library's estimate knows of no lone core, and of no slices' results in tiles.
  kernelBuffers(call, plan, use, /*alone=*/false, writesRows(call));
  return use.circularBuffers() + plan.outShard + (plan.halo > 0 ? plan.halo : plan.inShard);
}

void stagedMemory(const OpCall &call, const ConvPlan &plan, MemoryUse &use) {
  Stages stages(use);
  if (plan.matmul) {
    bool moves = movesResult(call, plan);
    int64_t moved = moves ? allocatedBytes(call, call.out[0]) : 0, tensors = 0;
    if (plan.interleaved) {
      tensors = std::max(plan.fold.peakBytes, plan.fold.bytes + tilizedOperand(call, plan) + moved);
    } else {
      MemoryUse order;
      tensorsInOrder(call, plan, order);
      tensors = order.peakOfMade(moves ? moved : plan.outShard);
    }
    return stages.run(tensors, [&](MemoryUse &use) { matmulPrograms(call, plan, use); });
  }
  spreadBlockFloats(call, plan, stages);
  plan.sliced ? addSlices(call, plan, stages) : addStages(call, plan, stages);
}

} // namespace tessera::analytic
