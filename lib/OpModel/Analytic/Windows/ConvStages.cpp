//===- ConvStages.cpp - A convolution as tt-metal has cut it since 2026 --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
//   1. Windows that do not overlap are folded into channels; a 1x1 window is a
//      matmul, of an interleaved operand if no kind is configured.
//   2. An operand in DRAM is cut into as few slices as fit; everything else
//      happens in L1.
//   3. Shards stay where they are unless the kernel cannot read them; others
//      are made of the configured kind, else of the one that takes least L1.
//
// tt-metal 0.77: conv2d.cpp, conv2d_utils.cpp, op_slicing.cpp.
//
//===----------------------------------------------------------------------===//
#include "ConvReaders.h"
#include "WindowBuffers.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

bool wantsReshard(const OpCall &call) {
  if (const Conv2dConfig *c = convConfig(call); c && c->reshardIfNotOptimal)
    return *c->reshardIfNotOptimal;
  return call.op().boolean("conv2d_config.reshard_if_not_optimal", false);
}

/// Runs in L1 as a whole: not from DRAM, or told so.
bool staysInL1(const OpCall &call) {
  using Slice = Conv2dConfig::Slice;
  if (const Conv2dConfig *c = convConfig(call); c && c->slice != Slice::Backend)
    return c->slice == Slice::L1Full;
  return !call.in[0].dram();
}

/// Kernels as large as their stride are folded if the config says so, or, if it says nothing, of shards by height and of what lies in DRAM.
bool folds(const OpCall &call, const Window &w) {
  // Windows that lie side by side and leave nothing over: only then is folding them a mere rearrangement of the image.
  bool apart = w.kernelH == w.strideH && w.kernelW == w.strideW && w.kernelH * w.kernelW > 1;
  bool whole = w.paddedHeight() % w.strideH == 0 && w.paddedWidth() % w.strideW == 0;
  if (!apart || !whole || w.dilationH != 1 || w.dilationW != 1)
    return false;
  if (std::optional<bool> told = toldToFold(call))
    return *told;
  const TensorRef &in = call.in[0];
  bool padded = w.padTop + w.padBottom + w.padLeft + w.padRight > 0;
  return (in.dram() && (in.rowMajor() || !padded)) || in.shardedAs(MemoryLayout::HeightSharded);
}

Window foldedWindow(const Window &w) {
  Window folded = w;
  // Each window becomes one pixel with all its elements as channels, so what is left is a matmul.
  folded.inHeight = w.outHeight;
  folded.inWidth = w.outWidth;
  folded.inChannels = w.inChannels * w.kernelH * w.kernelW;
  folded.kernelH = folded.kernelW = folded.strideH = folded.strideW = 1;
  folded.padTop = folded.padBottom = folded.padLeft = folded.padRight = 0;
  return folded;
}

/// Channels of a core are padded to whole tiles, of row-major shards to what one access moves.
int64_t channelAlignment(const ConvPlan &plan, MemoryLayout kind, std::optional<int64_t> shardWidth) {
  constexpr int64_t tile = 32, access = 8;
  if (plan.matmul || plan.tiledShards || kind == MemoryLayout::WidthSharded)
    return tile;
  if (!shardWidth)
    return access;
  // The largest unit of which the shard's width is a multiple, so that nothing has to be filled up.
  for (int64_t width : {tile, tile / 2, access})
    if (*shardWidth % width == 0)
      return width;
  return tile;
}

/// A core's share of the channels of a sharded operand, in elements.
int64_t shardWidth(const TensorRef &in) {
  return in.tiled() ? in.layout->shard.columns * 32 : in.shardUnits().columns;
}
int64_t shardHeight(const TensorRef &in) {
  return in.tiled() ? in.layout->shard.rows * 32 : in.shardUnits().rows;
}

/// L1 is addressed in 16 bytes (facts/hardware 1.3), so each pixel takes whole multiples of them.
constexpr int64_t kAccess = 16;

/// Per core, of a tiled operand: it is made an image to be folded, whose rows have tiles of their own.
int64_t imageCopy(const OpCall &call, const Window &w, int64_t cores) {
  const TensorRef &in = call.in[0];
  int64_t tiles = w.batch * w.inHeight * ceilDiv(w.inWidth, 32) * ceilDiv(w.inChannels, 32);
  return in.tiled() && w.inWidth % 32 != 0 ? ceilDiv(tiles, cores) * in.tile : 0;
}

/// Pages of folded pixels are dealt to all cores. Until October 2026 tiles were made rows of pixels before.
FoldedShards foldPages(const OpCall &call, const Window &w) {
  const TensorRef &in = call.in[0];
  auto pages = [&](int64_t pixels, int64_t elements) {
    return ceilDiv(pixels, call.cores()) * alignUp(elements * in.scalar, kAccess);
  };
  FoldedShards fold;
  fold.copy = imageCopy(call, w, call.cores());
  fold.given = in.tiled() && !answersAsOctober2026(call) ? pages(w.inSticks(), w.inChannels) : 0;
  fold.bytes = pages(w.outSticks(), w.inChannels * w.strideH * w.strideW);
  fold.peakBytes = fold.copy + fold.given + fold.bytes;
  return fold;
}

/// Shards that do not hold whole rows of windows go to as many cores as share those rows evenly.
FoldedShards foldShards(const OpCall &call, const Window &w) {
  const TensorRef &in = call.in[0];
  FoldedShards fold{in.shardCores(), shardHeight(in)};
  // A row of windows takes so many sticks, and a shard must begin and end with one.
  int64_t stick = alignUp(w.inChannels * in.scalar, kAccess), unit = w.strideH * w.paddedWidth();
  bool padded = w.padTop + w.padBottom + w.padLeft + w.padRight > 0;
  // Padding is put around the image as for a halo, which takes tiles as they are.
  if (padded)
    fold.rows = ceilDiv(w.batch * w.paddedHeight() * w.paddedWidth(), fold.cores);
  fold.copy = padded ? 0 : imageCopy(call, w, fold.cores);
  fold.given = padded || in.tiled() ? fold.rows * stick : 0;
  if (fold.rows % unit != 0) {
    int64_t units = w.batch * w.paddedHeight() / w.strideH;
    fold.cores = commonDivisor(units, units, call.cores());
    fold.rows = units / fold.cores * unit;
    fold.moved = fold.rows * stick;
  }
  int64_t positions = w.strideH * w.strideW;
  // Each window becomes one pixel of as many more channels.
  fold.rows /= positions;
  fold.bytes = fold.rows * alignUp(w.inChannels * positions * in.scalar, kAccess);
  // Two steps, each with what it reads and what it makes: the reshard, then the fold.
  int64_t read = fold.moved > 0 ? fold.moved : fold.given;
  fold.peakBytes = fold.copy + std::max(fold.given + fold.moved, read + fold.bytes);
  return fold;
}

int64_t operandWidth(const OpCall &call, const ConvPlan &plan) {
  return plan.folded ? plan.window.inChannels : shardWidth(call.in[0]);
}

/// A matmul on block shards needs all of the channels, and nothing else.
bool otherBlocks(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &in = call.in[0];
  return plan.matmul && in.shardedAs(MemoryLayout::BlockSharded) &&
         plan.window.inChannels != in.layout->grid.columns * shardWidth(in);
}

/// The kernel cannot read the operand's shards as they are.
bool unreadable(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &in = call.in[0];
  int64_t width = operandWidth(call, plan), rows = plan.folded ? plan.fold.rows : shardHeight(in);
  if (width % channelAlignment(plan, *in.layout->memory, width) != 0)
    return true;
  return plan.matmul && (otherBlocks(call, plan) || rows % 32 != 0);
}

/// Cores of shards that the convolution chooses.
void chooseCores(const OpCall &call, ConvPlan &plan, int64_t alignment) {
  const Window &w = plan.window;
  GridShape worker = call.device().workerGrid;
  // Slices are shared before anyone looks at the override.
  int64_t rows = plan.coreRows > 0 ? plan.coreRows : w.outTileRows(), outTiles = ceilDiv(w.outChannels, 32),
          multiple = plan.coreRows > 0 ? 1 : std::max<int64_t>(1, blockOverride(call));
  plan.pixelCores = plan.channelCores = 1;
  if (plan.kind == MemoryLayout::HeightSharded) {
    plan.pixelCores = busyCores(rows, call.cores(), multiple);
  } else if (plan.kind == MemoryLayout::WidthSharded) {
    int64_t tiles = ceilDiv(w.inChannels, 32);
    plan.channelCores =
        // A product needs whole blocks of K on every core; the kernel's last core may have less.
        plan.matmul ? commonDivisor(tiles, tiles, call.cores()) : busyCores(tiles, call.cores());
  } else {
    int64_t blocks = ceilDiv(w.inChannels, alignment);
    plan.pixelCores = busyCores(rows, worker.rows, multiple);
    plan.channelCores =
        plan.matmul ? commonDivisor(outTiles, blocks, worker.columns) : busyCores(blocks, worker.columns);
  }
}

void givenCores(const OpCall &call, ConvPlan &plan) {
  const TensorLayout &layout = *call.in[0].layout;
  plan.kind = *layout.memory;
  bool block = plan.kind == MemoryLayout::BlockSharded, width = plan.kind == MemoryLayout::WidthSharded;
  int64_t cores = plan.folded ? plan.fold.cores : call.in[0].shardCores();
  plan.pixelCores = block ? layout.grid.rows : width ? 1 : cores;
  plan.channelCores = block ? layout.grid.columns : width ? cores : 1;
}

int64_t outputCores(const OpCall &call, const ConvPlan &plan) {
  int64_t tiles = ceilDiv(plan.window.outChannels, 32);
  // The kernel of width and block shards shares the result's channels out anew, over cores of its own number.
  if (plan.matmul || plan.kind == MemoryLayout::HeightSharded)
    return plan.channelCores;
  return busyCores(tiles,
                   plan.kind == MemoryLayout::WidthSharded ? call.cores() : call.device().workerGrid.columns);
}

void cutStagedBlocks(const OpCall &call, ConvPlan &plan) {
  const Window &w = plan.window;
  plan.outCores = outputCores(call, plan);
  plan.perCoreM = ceilDiv(w.outTileRows(), plan.pixelCores);
  plan.perCoreN = ceilDiv(ceilDiv(w.outChannels, 32), plan.outCores);
  int64_t wanted = blockOverride(call), rows = blockRows(plan);
  // The library takes the next smaller height that divides the rows, if there are whole ones; older ones ignored a height that does not
  // (ConvPlan.cpp).
  plan.blockH = wanted == 0 ? plan.perCoreM
                : rows > 0  ? commonDivisor(rows, rows, std::min(wanted, rows))
                            : wanted;
  bool wide = plan.kind == MemoryLayout::WidthSharded;
  // Sums of one channel are made of all its window at once, unless there are gaps in it.
  bool lines = plan.kind == MemoryLayout::HeightSharded && isDepthwise1d(call);
  bool gaps = lines && (w.dilationH > 1 || w.dilationW > 1), whole = wide || (lines && !gaps);
  int64_t wideKernel = gaps ? 1 : w.kernelW;
  plan.blockW = ceilDiv(plan.channels * wideKernel * (whole ? w.kernelH : 1), 32);
  plan.kBlocks = plan.channelCores * (whole ? 1 : w.kernelH) * (w.kernelW / wideKernel);
}

int64_t shardBytes(const OpCall &call, const ConvPlan &plan) {
  const TensorRef &in = call.in[0];
  const Window &w = plan.window;
  int64_t sticks = w.inSticks();
  if (plan.tiledShards)
    return ceilDiv(ceilDiv(sticks, 32), plan.pixelCores) * ceilDiv(plan.channels, 32) * in.tile;
  bool wide = plan.kind == MemoryLayout::WidthSharded;
  int64_t rows = wide ? sticks : alignUp(sticks, plan.pixelCores * 32) / plan.pixelCores;
  return rows * plan.channels * in.scalar;
}

/// Shards by width that are no tiles and need no padding are read where they lie, but for those of transposed convolutions, whose halo puts
/// zeros between elements, whether there are any or not.
bool exchangesHalos(const OpCall &call, const ConvPlan &plan) {
  const Window &w = plan.window;
  bool padded = w.padTop + w.padBottom + w.padLeft + w.padRight > 0;
  bool asTheyLie = plan.kind == MemoryLayout::WidthSharded && !plan.tiledShards && !padded;
  return !plan.matmul && (!asTheyLie || isTransposed(call));
}

void sizeStagedTensors(const OpCall &call, ConvPlan &plan) {
  plan.inShard = shardBytes(call, plan);
  plan.outShard = plan.perCoreM * plan.perCoreN * call.out[0].tile;
  plan.halo =
      exchangesHalos(call, plan) ? plan.window.haloSticks(plan.perCoreM * 32) * haloStick(call, plan) : 0;
}

ConvPlan basePlan(const OpCall &call, const Window &window, bool matmul, bool folded, bool rowMajor) {
  ConvPlan plan;
  plan.valid = plan.staged = true;
  plan.window = window;
  plan.matmul = matmul;
  plan.folded = folded;
  plan.tiledShards = call.in[0].tiled() && !rowMajor && !folded;
  return plan;
}

/// Shards of that kind, made by the convolution.
ConvPlan movedPlan(const OpCall &call, ConvPlan plan, MemoryLayout kind) {
  const TensorRef &in = call.in[0];
  plan.kind = kind;
  plan.moved = true;
  int64_t alignment = channelAlignment(plan, kind, std::nullopt);
  // The cores of shards that were others follow what those are aligned to.
  chooseCores(call, plan,
              in.sharded() ? channelAlignment(plan, *in.layout->memory, operandWidth(call, plan))
                           : alignment);
  plan.channels = alignUp(plan.window.inChannels, plan.channelCores * alignment) / plan.channelCores;
  cutStagedBlocks(call, plan);
  sizeStagedTensors(call, plan);
  return plan;
}

ConvPlan givenPlan(const OpCall &call, ConvPlan plan) {
  givenCores(call, plan);
  int64_t alignment = channelAlignment(plan, plan.kind, operandWidth(call, plan));
  plan.channels = alignUp(plan.window.inChannels, plan.channelCores * alignment) / plan.channelCores;
  cutStagedBlocks(call, plan);
  sizeStagedTensors(call, plan);
  return plan;
}

/// The kind that takes least L1; block shards only if more than a row of cores takes part.
ConvPlan leastPlan(const OpCall &call, const ConvPlan &base) {
  ConvPlan best = movedPlan(call, base, MemoryLayout::HeightSharded);
  if (isDepthwise1d(call))
    return best; // its kernel knows no other
  int64_t least = kernelDemand(call, best);
  for (MemoryLayout kind : {MemoryLayout::BlockSharded, MemoryLayout::WidthSharded}) {
    ConvPlan plan = movedPlan(call, base, kind);
    int64_t cores = std::max(plan.cores(), plan.pixelCores * plan.outCores);
    if (kind == MemoryLayout::BlockSharded && cores < call.device().workerGrid.columns)
      continue;
    // Strictly less, so that height sharding, which is tried first, stays among equals.
    if (int64_t bytes = kernelDemand(call, plan); bytes < least) {
      least = bytes;
      best = plan;
    }
  }
  return best;
}

ConvPlan planInL1(const OpCall &call, const ConvPlan &base) {
  const TensorRef &in = call.in[0];
  std::optional<MemoryLayout> kind = configuredKind(call);
  if (!in.sharded()) {
    if (kind)
      return movedPlan(call, base, *kind);
    // The matmul of an interleaved operand makes no shards at all; the kind only says how its result is cut
    // where that is asked for.
    ConvPlan plan = base.matmul ? movedPlan(call, base, MemoryLayout::HeightSharded) : leastPlan(call, base);
    plan.interleaved = base.matmul;
    return plan;
  }
  bool reshards = wantsReshard(call);
  if (!unreadable(call, base) && !(reshards && kind)) {
    ConvPlan plan = givenPlan(call, base);
    plan.kindGiven = !reshards; // whatever would be better is compared with the configured kind
    return plan;
  }
  // To block shards whatever kind is configured (facts/vendor-library 4).
  if (otherBlocks(call, base))
    kind = MemoryLayout::BlockSharded;
  ConvPlan plan = movedPlan(call, base, kind.value_or(MemoryLayout::HeightSharded));
  plan.kindGiven = kind.has_value();
  return plan;
}

// ---- Slices ---------------------------------------------------------------------------------------------

/// Tall images, and those of less than 200 columns, are cut into rows; of a row-major result only very tall ones.
bool slicesColumns(const OpCall &call, const Window &w) {
  using Slice = Conv2dConfig::Slice;
  if (const Conv2dConfig *c = convConfig(call); c && c->slice != Slice::Backend)
    return c->slice == Slice::DramWidth;
  // Thresholds are the library's.
  if (writesRows(call))
    return w.inHeight <= 3 * w.inWidth;
  return w.inWidth >= 200 && w.inHeight <= w.inWidth;
}

/// A run of the result's rows or columns.
struct Cut {
  int64_t begin, end;
};

/// As even as they can be, the first ones larger; columns in whole tiles unless the result is row-major.
llvm::SmallVector<Cut, 8> cutsOf(int64_t extent, int64_t slices, int64_t unit) {
  llvm::SmallVector<Cut, 8> cuts;
  int64_t units = ceilDiv(extent, unit);
  for (int64_t i = 0, begin = 0; i < slices && begin < extent; ++i) {
    int64_t end = std::min(extent, begin + unit * (units / slices + (i < units % slices ? 1 : 0)));
    if (end > begin)
      cuts.push_back({begin, end});
    begin = end;
  }
  return cuts;
}

/// One side of a window: what a cut of its result needs of the operand, and the padding that is left.
struct Side {
  int64_t in, padBefore, padAfter, out;

  void cut(Cut of, int64_t stride, int64_t reach) {
    int64_t begin = of.begin * stride - padBefore, end = (of.end - 1) * stride - padBefore + reach;
    // The last one takes what no window reaches as well.
    bool last = of.end == out;
    out = of.end - of.begin;
    padBefore = std::max<int64_t>(0, -begin);
    padAfter = last ? padAfter : std::max<int64_t>(0, end - in);
    in = (last ? in : std::min(end, in)) - std::max<int64_t>(0, begin);
  }
};

int64_t columnUnit(const OpCall &call) { return writesRows(call) ? 1 : 32; }

/// A slice of the image; its results have whole tiles of columns.
Window slicedWindow(const OpCall &call, const Window &window, Cut cut, bool columns) {
  Window part = window;
  int64_t unit = columnUnit(call);
  if (columns) {
    Side side{window.inWidth, window.padLeft, window.padRight, window.outWidth};
    side.cut(cut, window.strideW, (window.kernelW - 1) * window.dilationW + 1);
    std::tie(part.inWidth, part.padLeft, part.padRight, part.outWidth) =
        std::tie(side.in, side.padBefore, side.padAfter, side.out);
  } else {
    Side side{window.inHeight, window.padTop, window.padBottom, window.outHeight};
    side.cut(cut, window.strideH, (window.kernelH - 1) * window.dilationH + 1);
    std::tie(part.inHeight, part.padTop, part.padBottom, part.outHeight) =
        std::tie(side.in, side.padBefore, side.padAfter, side.out);
  }
  // What fills up the tiles is computed from padding.
  int64_t more = alignUp(part.outWidth, unit) - part.outWidth;
  part.outWidth += more;
  part.padRight += more * window.strideW;
  return part;
}

/// The plan of one slice. `kind`: of the slice before.
ConvPlan slicePlan(const OpCall &call, const Window &part, int64_t outWidth,
                   std::optional<MemoryLayout> kind) {
  ConvPlan base = basePlan(call, part, false, false, true);
  // Cores are chosen by what was cut, not by what it is filled up to.
  base.coreRows = ceilDiv(part.batch * part.outHeight * outWidth, 32);
  base.sliced = true;
  return kind ? movedPlan(call, base, *kind) : leastPlan(call, base);
}

/// The plans of all slices, without those that repeat the one before.
ConvPlan slicesPlan(const OpCall &call, const Window &window, int64_t slices, bool columns) {
  std::optional<MemoryLayout> kind = configuredKind(call);
  ConvPlan plan;
  if (slices == 1) {
    ConvPlan base = basePlan(call, window, false, false, false);
    plan = kind ? movedPlan(call, base, *kind) : leastPlan(call, base);
  } else {
    std::optional<Window> before;
    for (Cut cut :
         cutsOf(columns ? window.outWidth : window.outHeight, slices, columns ? columnUnit(call) : 1)) {
      Window part = slicedWindow(call, window, cut, columns);
      // Slices in the middle are alike: their plans would only take time, and the peak is a maximum over all of
      // them.
      if (before && *before == part)
        continue;
      ConvPlan next = slicePlan(call, part, columns ? cut.end - cut.begin : window.outWidth, kind);
      if (before)
        plan.others.push_back(std::move(next));
      else
        plan = std::move(next);
      // Chosen for the first slice; the others are cut alike, so that one kernel serves all.
      kind = plan.kind;
      before = part;
    }
  }
  plan.sliced = true;
  plan.slices = slices;
  return plan;
}

bool fitsAlone(const OpCall &call, const ConvPlan &plan) {
  return std::max(plan.inShard + plan.halo, kernelDemand(call, plan)) <= call.usableL1();
}

/// The library shares a whole image without regard to the override when it looks whether it fits.
bool fitsWhole(const OpCall &call, const ConvPlan &plan) {
  ConvPlan base = basePlan(call, plan.window, false, false, false);
  base.coreRows = plan.window.outTileRows();
  return fitsAlone(call, movedPlan(call, base, plan.kind));
}

bool fits(const OpCall &call, const ConvPlan &plan) {
  if (plan.slices == 1)
    return blockOverride(call) > 0 ? fitsWhole(call, plan) : fitsAlone(call, plan);
  return fitsAlone(call, plan) &&
         llvm::all_of(plan.others, [&](const ConvPlan &other) { return fitsAlone(call, other); });
}

int64_t mostSlices(const OpCall &call, const Window &window, bool columns) {
  return columns ? ceilDiv(window.outWidth, columnUnit(call)) : window.outHeight;
}

/// As few slices as fit.
std::optional<ConvPlan> fewestSlices(const OpCall &call, const Window &window, bool columns) {
  int64_t most = mostSlices(call, window, columns);
  // One by one and not by doubling: the library's number is the least that fits, and its slices' sizes follow
  // from it.
  for (int64_t slices = 1; slices <= most; ++slices)
    if (ConvPlan plan = slicesPlan(call, window, slices, columns); fits(call, plan))
      return plan;
  return std::nullopt;
}

ConvPlan planSlices(const OpCall &call, const Window &window) {
  bool columns = slicesColumns(call, window);
  const Conv2dConfig *c = convConfig(call);
  if (c && c->numSlices > 0)
    // Of more slices than rows some would be empty.
    return slicesPlan(call, window, std::min(c->numSlices, mostSlices(call, window, columns)), columns);
  // If no number of slices along one side fits, the library tries the other.
  for (bool along : {columns, !columns})
    if (std::optional<ConvPlan> plan = fewestSlices(call, window, along))
      return *plan;
  // A plan all the same, as rules that are tried before conv2d.slices_fit look at it.
  ConvPlan plan = slicesPlan(call, window, 1, columns);
  plan.fits = false;
  return plan;
}

} // namespace

std::optional<bool> toldToFold(const OpCall &call) {
  constexpr llvm::StringLiteral name = "conv2d_config.enable_kernel_stride_folding";
  return call.op().attribute(name) ? std::optional(call.op().boolean(name, false)) : std::nullopt;
}

int64_t blockRows(const ConvPlan &plan) {
  return plan.kind == MemoryLayout::WidthSharded ? plan.window.outSticks() / 32 : plan.perCoreM;
}

int64_t readerTable(const OpCall &call, const ConvPlan &plan) {
  int64_t readers = sharesReading(call, plan) ? 2 : 1;
  return plan.window.readerTableBytes(plan.perCoreM * 32, plan.blockH * 32, readers);
}

HaloTables haloExchange(const OpCall &call, const ConvPlan &plan) {
  if (plan.halo == 0)
    return {};
  const Window &w = plan.window;
  int64_t columns = plan.kind == MemoryLayout::HeightSharded ? call.device().workerGrid.columns : 1;
  const TensorRef &in = call.in[0];
  int64_t rows = plan.inShard / std::max<int64_t>(1, plan.channels * in.scalar);
  // Row-major shards that stay may have any number of pixels.
  if (in.sharded() && in.rowMajor() && !plan.moved && !plan.folded)
    rows = in.layout->shard.rows;
  if (plan.tiledShards)
    rows = ceilDiv(ceilDiv(w.inSticks(), 32), plan.pixelCores) * 32;
  Window::Split split{plan.perCoreM * 32, rows, plan.pixelCores, columns, plan.tiledShards};
  return haloTables(call, w.haloLists(split), "conv2d_config.");
}

int64_t haloStick(const OpCall &call, const ConvPlan &plan) { return plan.channels * call.in[0].scalar; }

ConvPlan stagedPlan(const OpCall &call, const Window &window) {
  bool folded = folds(call, window);
  Window w = folded ? foldedWindow(window) : window;
  // Zeros between the elements of a transposed convolution are put there by a halo.
  bool dense = w.dilationH == 1 && w.dilationW == 1 && w.everyH == 1 && w.everyW == 1;
  bool pointwise = w.pointwise() && dense;
  bool matmul = folded || (pointwise && configuredKind(call) != MemoryLayout::WidthSharded);
  // A matmul is not sliced: an operand in DRAM is read where it lies, interleaved or folded.
  if (!staysInL1(call) && !matmul)
    return planSlices(call, w);
  ConvPlan base = basePlan(call, w, matmul, folded, false);
  if (folded && !call.in[0].dram())
    base.fold = call.in[0].sharded() ? foldShards(call, window) : foldPages(call, window);
  return planInL1(call, base);
}

} // namespace tessera::analytic
