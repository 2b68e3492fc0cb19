//===- Rules.cpp - Rules and choices that several families use -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The rules that hold of every op come first and in an order: each makes sure of what the next ones, and the families'
// own, take for granted. So a family's rule may divide by a shard's extents, and multiply sizes without a thought of
// overflow.
//
//===----------------------------------------------------------------------===//
#include "Family.h"

namespace tessera::analytic {
namespace {

bool countsMatch(const OpCall &call) {
  return call.in.size() >= call.row.minOperands && call.in.size() <= call.row.maxOperands &&
         call.out.size() == call.row.results;
}

bool sizesInRange(const OpCall &call) {
  // Dynamic or absurd sizes would overflow the products that formulas build.
  return llvm::all_of(call.op().operands, [](const OperandDesc &o) { return sizeInRange(o.tensor); }) &&
         llvm::all_of(call.op().results, sizeInRange);
}

/// Grids and shards are positive and within bounds, so that families may divide by them.
bool layoutInRange(const TensorRef &tensor) {
  if (!tensor.layout)
    return true;
  const TensorLayout &layout = *tensor.layout;
  auto inRange = [](GridShape g, int64_t limit) {
    return g.rows >= 1 && g.columns >= 1 && g.rows <= limit && g.columns <= limit;
  };
  // An empty tensor has an empty shard.
  GridShape shard{std::max<int64_t>(1, layout.shard.rows), std::max<int64_t>(1, layout.shard.columns)};
  // A grid's bound is far above any device's; with that of a shard's pages it keeps what cores hold within 64 bits.
  return inRange(layout.grid, 1 << 16) && inRange(shard, kMaxElements) &&
         shard.rows <= kMaxElements / shard.columns && layout.memory.has_value() == layout.onDevice();
}

bool layoutsInRange(const OpCall &call) {
  return llvm::all_of(call.in, layoutInRange) && llvm::all_of(call.out, layoutInRange);
}

bool gridOnDevice(const TensorRef &tensor, const OpCall &call) {
  if (!tensor.sharded() || !tensor.l1())
    return true;
  GridShape grid = tensor.layout->grid, worker = call.device().workerGrid;
  // A block-sharded grid lies on the cores as it is; other grids are lists of cores, folded into rows (facts/ir 1.1
  // "canonical core placement").
  if (tensor.shardedAs(MemoryLayout::BlockSharded))
    return grid.rows <= worker.rows && grid.columns <= worker.columns;
  return grid.volume() <= call.cores();
}

bool gridsOnDevice(const OpCall &call) {
  auto fits = [&](const TensorRef &tensor) { return gridOnDevice(tensor, call); };
  return llvm::all_of(call.in, fits) && llvm::all_of(call.out, fits);
}

bool onDevice(const OpCall &call) {
  // Ops that move between host and device, or prepare weights, say themselves where each side lies.
  if (call.row.hostOperands)
    return true;
  auto device = [](const TensorRef &tensor) { return tensor.onDevice(); };
  return llvm::all_of(call.in, device) && llvm::all_of(call.out, device);
}

bool blockFloatTiled(const OpCall &call) {
  auto fits = [](const TensorRef &tensor) { return tensor.tiled() || !isBlockFloat(tensor.dtype()); };
  return llvm::all_of(call.in, fits) && llvm::all_of(call.out, fits);
}

std::string countsOf(const OpCall &call) {
  const OpRow &row = call.row;
  std::string operands = std::to_string(row.minOperands);
  if (row.maxOperands != row.minOperands)
    operands += " to " + std::to_string(row.maxOperands);
  return "operands: " + operands + ", results: " + std::to_string(row.results);
}

// In this order: operands must be there before they are looked at, sizes must be sane before anything multiplies them,
// and layouts before a grid is compared.
constexpr Rule kCommonRules[] = {
    {{"op.operand_count", "the op needs as many tensor operands and results as its definition says",
      "facts/ir 1.4"},
     countsMatch,
     countsOf},
    {{"op.tensor_size", "dimensions must be static and tensors at most 2^40 elements", "bound of this model"},
     sizesInRange},
    {{"op.layout_size",
      "grids and shards must not be empty, shards have at most 2^40 tiles or elements, and only host tensors "
      "have no memory layout",
      "facts/ir 1.1"},
     layoutsInRange},
    {{"op.grid", "a shard grid must lie within the device's worker grid", "facts/ir 5.1"}, gridsOnDevice},
    {{"op.on_device", "operands and results must lie on the device", "facts/hardware 4"}, onDevice},
    {{"op.block_float_tiled", "block-float tensors exist in tiles only", "facts/hardware 1.3"},
     blockFloatTiled},
};

} // namespace

llvm::ArrayRef<Rule> commonRules() { return kCommonRules; }

bool answersAsNewest(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }
bool answersAsOctober2026(const OpCall &call) { return call.context.version >= BackendVersion::October2026; }

bool allOperandsTiled(const OpCall &call) {
  return llvm::all_of(call.in, [](const TensorRef &tensor) { return tensor.tiled(); }) &&
         llvm::all_of(call.out, [](const TensorRef &tensor) { return tensor.tiled(); });
}

bool keepsPages(const OpCall &call) {
  return !call.out[0].decided() || call.in[0].tiled() == call.out[0].tiled();
}

bool allOperandsInterleaved(const OpCall &call) {
  return llvm::none_of(call.in, [](const TensorRef &tensor) { return tensor.sharded(); });
}

bool outputsInterleaved(const OpCall &call) {
  return llvm::none_of(call.out, [](const TensorRef &tensor) { return tensor.sharded(); });
}

bool hasSegment(const OpCall &call, size_t segment) {
  llvm::ArrayRef<int64_t> sizes = call.op().integers("operandSegmentSizes");
  return sizes.empty() ? segment < call.in.size() : segment < sizes.size() && sizes[segment] > 0;
}

const TensorRef *segmentOperand(const OpCall &call, size_t segment) {
  if (!hasSegment(call, segment))
    return nullptr;
  llvm::ArrayRef<int64_t> sizes = call.op().integers("operandSegmentSizes");
  size_t index = segment;
  if (!sizes.empty()) {
    index = 0;
    for (size_t i = 0; i < segment; ++i)
      // Absent operands have no place in the list, only a size of 0.
      index += sizes[i] > 0 ? 1 : 0;
  }
  return index < call.in.size() ? &call.in[index] : nullptr;
}

bool everythingInterleaved(const OpCall &call) {
  return allOperandsInterleaved(call) && outputsInterleaved(call);
}

bool tiledInterleaved(const OpCall &call) {
  auto plain = [](const TensorRef &tensor) { return tensor.tiled() && !tensor.sharded(); };
  return llvm::all_of(call.in, plain) && llvm::all_of(call.out, plain);
}

bool neverConfirmed(const OpCall &) { return false; }

namespace {

/// What no golden has, whatever the op: other chips, block floats, accumulation in fp32.
bool outsideGoldens(const OpCall &call) {
  auto blockFloat = [](const TensorRef &tensor) { return isBlockFloat(tensor.dtype()); };
  return call.device().arch != Arch::WormholeB0 || llvm::any_of(call.in, blockFloat) ||
         llvm::any_of(call.out, blockFloat) || call.op().boolean("compute_config.fp32_dest_acc_en", false);
}

} // namespace

/// Bytes per core that an op must leave free, since no golden confirms the figures of such a call.
int64_t safetyMargin(const OpCall &call, const OpConstraints &figures) {
  const Family &family = *call.row.family;
  // What the library has planned since 2026 its sweeps confirm, on every chip and of every type (docs/how-we-know.md).
  if (call.conv && call.conv->staged)
    return 0;
  if (!outsideGoldens(call) && (!family.confirmed || family.confirmed(call)))
    return 0;
  // The versions of a kernel that goldens do show differ by a stream or two of two tiles each (binary_ng,
  // divide, quantize, argmax: facts/formulas 4, VERSION). Beside that, a share of what the kernel
  // keeps: chosen, not measured. With tiles of 2 KB the least margin is the 8 KB that
  // facts/hardware 1.2 advises.
  constexpr int64_t streams = 4, percent = 5;
  int64_t tile = 0;
  bool device = false, l1 = false;
  // The largest tile of any operand or result: which of the streams is doubled is not known.
  auto look = [&](const TensorRef &tensor) {
    device |= tensor.onDevice();
    l1 |= tensor.l1();
    tile = std::max(tile, tensor.tile);
  };
  llvm::for_each(call.in, look);
  llvm::for_each(call.out, look);
  if (!device)
    return 0;
  int64_t margin = std::max(streams * tile, ceilDiv(figures.cbL1PeakSize.value() * percent, 100));
  // From DRAM to DRAM no other layout leaves more room, and kernels that choose their blocks themselves take
  // what they get: of an op that fits only other tensors can be kept away.
  int64_t rest = std::max<int64_t>(0, (call.context.l1Budget - figures.peakL1MemorySize).value());
  return l1 ? margin : std::min(margin, rest);
}

bool noShardedOutputFromInterleaved(const OpCall &call) {
  return call.in[0].sharded() || outputsInterleaved(call);
}

void outputsLikeOperand0(OpCall &call) {
  for (size_t i = 0; i < call.out.size(); ++i)
    call.followIfUndecided(i, call.in[0]);
}

void pagesOfOperand0(OpCall &call) {
  for (size_t i = 0; i < call.out.size(); ++i) {
    if (!call.out[i].decided())
      continue;
    TensorLayout made = *call.out[i].layout;
    // The kernels copy pages as they are: what was asked for is answered with what comes out, and not refused.
    made.page = call.in[0].layout->page;
    made.dtype = call.in[0].dtype();
    if (!(made == *call.out[i].layout))
      call.setOutput(i, made);
  }
}

void outputsInPagesOfOperand0(OpCall &call) {
  outputsLikeOperand0(call);
  pagesOfOperand0(call);
}

void outputsInDramInPagesOfOperand0(OpCall &call) {
  outputsInDram(call);
  pagesOfOperand0(call);
}

void outputsInDram(OpCall &call) {
  for (size_t i = 0; i < call.out.size(); ++i)
    call.dramIfUndecided(i);
}

void outputsInDramRowMajor(OpCall &call) {
  for (size_t i = 0; i < call.out.size(); ++i)
    call.dramIfUndecided(i, PageLayout::RowMajor);
}

void noOutputs(OpCall &) {}

} // namespace tessera::analytic
