//===- Conversion.cpp - to_memory_config, to_layout, to and from device --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// to_memory_config moves pages as they are; which kernel does it depends on
// where they come from and go to (facts/hardware 4.4):
//
//   from \ to      interleaved              sharded
//   interleaved    copy                     interleaved_to_sharded
//   sharded        sharded_to_interleaved   reshard
//
// to_layout changes the page layout: tilize or untilize.
//
//===----------------------------------------------------------------------===//
#include "ConversionRuntime.h"
#include "Runtime.h"
#include "Tilize.h"

namespace tessera::analytic {
namespace {

// ---- to_memory_config -----------------------------------------------------------------------------------
bool sameType(const OpCall &call) { return call.in[0].dtype() == call.out[0].dtype(); }
bool sameShape(const OpCall &call) { return call.in[0].desc->shape == call.out[0].desc->shape; }

bool shardsToL1(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return in.sharded() || !out.sharded() || out.l1();
}

bool shardRowsAligned(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (in.sharded() || !out.sharded() || out.tiled())
    return true;
  return out.layout->shard.columns * out.scalar % 16 == 0;
}

constexpr RuleInfo kSameShape = {"conversion.same_shape", "a conversion keeps the shape", "facts/ir 1.4"};
constexpr Rule kMoveRules[] = {
    {kSameShape, sameShape},
    {{"to_memory_config.same_page_layout", "to_memory_config keeps the page layout; to_layout changes it",
      "facts/ir 1.4"},
     keepsPages},
    {{"to_memory_config.same_data_type", "to_memory_config keeps the data type; typecast changes it",
      "facts/ir 1.4"},
     sameType},
    {{"to_memory_config.shards_in_l1", "interleaved tensors can be sharded into L1 only",
      "facts/hardware 4.4"},
     shardsToL1},
    {{"to_memory_config.shard_row_alignment", "a row of a row-major shard must be a multiple of 16 bytes",
      "facts/hardware 4.4"},
     shardRowsAligned},
};

int64_t page(const TensorRef &tensor) { return tensor.rowMajor() ? tensor.rowBytes() : tensor.tile; }

bool sameLayout(const OpCall &call) { return call.in[0].id == call.out[0].id; }

void moveMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (sameLayout(call))
    return use.tensors(0);
  if (!in.sharded() && out.sharded()) {
    use.program("interleaved to sharded");
    use.buffer("pages on the way", 4, alignUp(page(out.tiled() ? in : out), 64));
  } else if (!in.sharded() && !out.sharded()) {
    use.program("copy");
    use.buffer("pages", 2, page(in));
  }
  // sharded_to_interleaved and reshard read and write the tensors' own buffers.
}

OpRuntime moveRuntime(const OpCall &call) { return sameLayout(call) ? noTime() : conversionTime(call); }

/// A copy is one even if it ends up where it came from.
OpRuntime assignRuntime(const OpCall &call) { return conversionTime(call); }

// ---- assign ---------------------------------------------------------------------------------------------
bool placedAlike(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !out.decided() || in.sharded() == out.sharded();
}

constexpr Rule kAssignRules[] = {
    {kSameShape, sameShape},
    {{"assign.same_memory_layout", "the copy must be sharded exactly if the operand is",
      "facts/hardware 4.4"},
     placedAlike},
};

void assignMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  use.buffer("pages", 2, page(in));
  if (in.dtype() != out.dtype())
    use.buffer("converted pages", 2, page(out));
}

// ---- to_layout ------------------------------------------------------------------------------------------
bool isMove(const OpCall &call) { return keepsPages(call); }
bool onHost(const OpCall &call) { return !call.in[0].onDevice() && !call.out[0].onDevice(); }

bool staysOnItsSide(const OpCall &call) {
  return !call.out[0].decided() || call.in[0].onDevice() == call.out[0].onDevice();
}

/// A tilize of whole tiles of rows; otherwise padding is added on the way.
bool wholeTiles(const TensorRef &tensor) { return tensor.height % 32 == 0 && tensor.width % 32 == 0; }

bool tilizeShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (isMove(call) || in.tiled() || onHost(call) || (!in.sharded() && !out.sharded()))
    return true;
  // Two kernels: plain tilize works on height shards, tilize with padding on width shards (facts/hardware 4.4).
  MemoryLayout allowed = wholeTiles(in) ? MemoryLayout::HeightSharded : MemoryLayout::WidthSharded;
  return in.shardedAs(allowed) && samePlacement(in, out);
}

bool untilizeShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (isMove(call) || !in.tiled() || onHost(call) || !out.sharded())
    return true;
  return samePlacement(in, out) && !in.shardedAs(MemoryLayout::BlockSharded);
}

bool untilizedShardRows(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return isMove(call) || !call.in[0].tiled() || !out.shardedAs(MemoryLayout::HeightSharded) ||
         out.layout->shard.rows % 32 == 0;
}

constexpr Rule kLayoutRules[] = {
    {kSameShape, sameShape},
    {{"to_layout.same_side", "to_layout stays on the host or on the device; to_device and from_device move",
      "facts/ir 1.4"},
     staysOnItsSide},
    {{"to_layout.tilize_shards",
      "tilize works interleaved to interleaved, or in place on height-sharded whole tiles (width-sharded if "
      "padded)",
      "facts/hardware 4.4"},
     tilizeShards},
    {{"to_layout.untilize_shards", "untilize gives an interleaved result, or keeps height or width shards",
      "facts/hardware 4.4"},
     untilizeShards},
    {{"to_layout.shard_rows", "row-major height shards need a multiple of 32 rows", "facts/formulas 8"},
     untilizedShardRows},
};

/// An undecided result lies where the operand lies, in the page layout that makes a difference: tiles for
/// row-major operands and rows for tiled ones.
void layoutOutputs(OpCall &call) {
  if (call.out[0].decided())
    return;
  const TensorRef &in = call.in[0];
  PageLayout other = in.tiled() ? PageLayout::RowMajor : PageLayout::Tile;
  if (!in.onDevice())
    call.setOutput(0, systemMemory(*call.out[0].desc, other));
  else if (in.l1() && !in.sharded())
    call.setOutput(0, l1Interleaved(*call.out[0].desc, call.device().workerGrid, other));
  else
    call.dramIfUndecided(0, other);
}

void layoutMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (onHost(call))
    return;
  if (isMove(call))
    return moveMemory(call, use);
  if (in.tiled())
    untilizeProgram(call, use, in, out.tile);
  else
    tilizeProgram(call, use, out, in.tile);
}

OpRuntime layoutRuntime(const OpCall &call) {
  if (onHost(call))
    return noTime();
  if (isMove(call))
    return moveRuntime(call);
  return tilizeTime(call);
}

// ---- to_device, from_device -----------------------------------------------------------------------------
bool fromHost(const OpCall &call) { return !call.in[0].onDevice() && call.out[0].onDevice(); }
bool toHost(const OpCall &call) {
  return call.in[0].onDevice() && (!call.out[0].decided() || !call.out[0].onDevice());
}

constexpr Rule kToDeviceRules[] = {
    {kSameShape, sameShape},
    {{"to_device.sides", "to_device takes a host tensor and gives a device tensor", "facts/ir 1.4"},
     fromHost},
    {{"to_device.same_page_layout", "moving to the device keeps the page layout", "facts/ir 1.4"},
     keepsPages},
};
constexpr Rule kFromDeviceRules[] = {
    {kSameShape, sameShape},
    {{"from_device.sides", "from_device takes a device tensor and gives a host tensor", "facts/ir 1.4"},
     toHost},
    {{"from_device.same_page_layout", "moving to the host keeps the page layout", "facts/ir 1.4"},
     keepsPages},
};

void toDeviceOutputs(OpCall &call) { call.dramIfUndecided(0, call.in[0].layout->page); }
void fromDeviceOutputs(OpCall &call) {
  if (!call.out[0].decided())
    call.setOutput(0, systemMemory(*call.out[0].desc, call.in[0].layout->page));
}
void noBuffers(const OpCall &, MemoryUse &) {}

OpRuntime transferRuntime(const OpCall &call) {
  OpRuntime time;
  time.dram = Nanoseconds(double(call.in[0].bytes()) / call[P::HostRate]);
  time.dispatch = Nanoseconds(call[P::HostStart]);
  time.total = time.dram + time.dispatch;
  return time;
}

/// Reshards are in no golden.
bool moveConfirmed(const OpCall &call) {
  return sameLayout(call) || !(call.in[0].sharded() && call.out[0].sharded());
}
bool layoutConfirmed(const OpCall &call) {
  return isMove(call) ? moveConfirmed(call) : everythingInterleaved(call);
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kMove = {"to_memory_config", kOperands,   kMoveRules,   outputsLikeOperand0,
                      moveMemory,         moveRuntime, moveConfirmed};
const Family kAssign = {"assign",     kOperands,     kAssignRules,         outputsLikeOperand0,
                        assignMemory, assignRuntime, everythingInterleaved};
const Family kLayout = {"to_layout",  kOperands,     kLayoutRules,   layoutOutputs,
                        layoutMemory, layoutRuntime, layoutConfirmed};
const Family kToDevice = {"to_device",     kOperands, kToDeviceRules,
                          toDeviceOutputs, noBuffers, transferRuntime};
const Family kFromDevice = {"from_device",     kOperands, kFromDeviceRules,
                            fromDeviceOutputs, noBuffers, transferRuntime};

const OpRow kRows[] = {
    {"ttnn.assign", &kAssign, 1, 1},
    {"ttnn.from_device", &kFromDevice, 1, 1, 1, 0, 0, true},
    {"ttnn.to_device", &kToDevice, 1, 1, 1, 0, 0, true},
    {"ttnn.to_layout", &kLayout, 1, 1, 1, 0, 0, true},
    {"ttnn.to_memory_config", &kMove, 1, 1},
};

} // namespace

Rows conversionRows() { return kRows; }

} // namespace tessera::analytic
