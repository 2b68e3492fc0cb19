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
#include "../Kernels.h"
#include "../Runtime.h"
#include "../Shards.h"
#include "../Windows/WindowBuffers.h"
#include "ConversionRuntime.h"
#include "Tilize.h"

namespace tessera::analytic {
namespace {

// Rules that name a version do so because an older library has a kernel that takes the case, or one that gives
// wrong results where the newer one refuses; docs/facts/vendor-library has what was asked of which.
// ---- to_memory_config -----------------------------------------------------------------------------------
bool sameType(const OpCall &call) { return call.in[0].dtype() == call.out[0].dtype(); }
bool sameShape(const OpCall &call) { return call.in[0].desc->shape == call.out[0].desc->shape; }

/// interleaved_to_sharded writes into circular buffers that alias the shards, and those exist in L1 alone.
bool shardsToL1(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return in.sharded() || !out.sharded() || out.l1();
}

/// Bytes of a page: of a tile, of a row of the shard, or of the tensor.
int64_t page(const TensorRef &tensor) {
  if (tensor.tiled())
    return tensor.tile;
  return tensor.sharded() ? tensor.shardUnits().columns * tensor.scalar : tensor.rowBytes();
}

bool shardRowsAligned(const TensorRef &tensor) {
  return tensor.tiled() || !tensor.sharded() || page(tensor) % 16 == 0;
}

bool newestOrAligned(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  // Newer kernels shift rows into their places by way of a buffer.
  return in.sharded() || shardRowsAligned(out) || answersAsNewest(call);
}

/// Row-major shards on different widths and in different memory layouts change by way of DRAM.
bool reshardsThroughDram(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return in.rowMajor() && in.sharded() && out.sharded() && in.layout->memory != out.layout->memory &&
         page(in) != page(out);
}

/// Between shards and interleaved memory, a shard is read or written as a circular buffer.
bool shardsCountable(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  // Between shards pieces are read to where they go, without a circular buffer to count pages of.
  bool direct = in.sharded() && out.sharded() && !reshardsThroughDram(call);
  return direct || (shardPagesCountable(in) && shardPagesCountable(out));
}

/// Whether rows end within the last of the row-major shards that share them.
bool endsInsideShard(const TensorRef &tensor) {
  return tensor.rowMajor() && tensor.sharded() && !tensor.shardedAs(MemoryLayout::HeightSharded) &&
         tensor.width % tensor.shardUnits().columns != 0;
}
/// Such rows are as long as all shards together, and stay so once they are whole: a tensor that no layout describes.
bool shardsDivideRows(const OpCall &call) {
  return !answersAsNewest(call) || call.out[0].sharded() || !endsInsideShard(call.in[0]);
}
/// Such rows are tilized where they lie, or else read as if they filled their shards.
bool tilizedRowsFillShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool stays = out.sharded() && out.layout->memory == in.layout->memory;
  return !answersAsNewest(call) || !out.tiled() || stays || !endsInsideShard(in);
}

bool keepsRows(const OpCall &call) {
  return !answersAsNewest(call) || reshardKeepsRows(call.in[0], call.out[0]);
}

bool keepsPadding(const OpCall &call) {
  return !answersAsNewest(call) || reshardKeepsPadding(call.in[0], call.out[0]);
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
    {{"to_memory_config.shard_row_alignment",
      "until 2026 a row of a row-major shard must be a multiple of 16 bytes", "facts/hardware 4.4"},
     newestOrAligned},
    {{"to_memory_config.shard_pages",
      "a shard that is read from or into interleaved memory has at most 65535 tiles, or rows if row-major",
      "tt-metal 0.77: circular_buffer.cpp"},
     shardsCountable},
    {{"to_memory_config.shards_divide_rows",
      "row-major shards that become interleaved must divide the width: the library keeps their padding",
      "facts/vendor-library 4"},
     shardsDivideRows},
    {{"to_memory_config.keeps_rows",
      "rows that end within a row-major shard that goes to another width must do so on the last column of "
      "cores",
      "ttnn 0.77.0 and 0.81.1: reshard_program_factory_generic.cpp"},
     keepsRows},
    {{"to_memory_config.keeps_padding", "row-major height shards that go to others must keep their width",
      "ttnn 0.81.1, executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     keepsPadding},
};

bool sameLayout(const OpCall &call) { return call.in[0].id == call.out[0].id; }

OpRuntime moveRuntime(const OpCall &call) { return sameLayout(call) ? noTime() : conversionTime(call); }

/// A copy is one even if it ends up where it came from.
OpRuntime assignRuntime(const OpCall &call) { return conversionTime(call); }

// ---- assign ---------------------------------------------------------------------------------------------
/// Newer kernels find pages of shards by their addresses.
bool placedAlike(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return answersAsNewest(call) || !out.decided() || in.sharded() == out.sharded();
}

bool rowsKeepType(const OpCall &call) {
  return !answersAsNewest(call) || !call.in[0].rowMajor() || call.in[0].dtype() == call.out[0].dtype();
}

constexpr Rule kAssignRules[] = {
    {kSameShape, sameShape},
    {{"assign.same_memory_layout", "the copy must be sharded exactly if the operand is, before 2026",
      "facts/hardware 4.4, ttnn 0.77.0"},
     placedAlike},
    {{"assign.rows_keep_type", "the type changes in tiles only",
      "ttnn 0.77.0 and 0.81.1 (copy_device_operation.cpp)"},
     rowsKeepType},
};

/// Rows are copied by way of two of the result's, aligned as its memory is; before October 2026 those of another length or
/// place by way of one of the operand's, too.
void assignRows(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  const DeviceSpec &device = call.device();
  int64_t alignment = (out.dram() ? device.dramAlignment : device.l1Alignment).value();
  use.buffer("row of the operand", !answersAsOctober2026(call) && in.id != out.id ? 1 : 0, page(in));
  use.buffer("rows of the result", 2, alignUp(page(out), alignment));
}

/// A copy goes page by page through two pages; where the type changes too, the packer needs a second pair to write
/// to.
void assignMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (answersAsNewest(call) && in.rowMajor())
    return assignRows(call, use);
  use.buffer("pages", 2, page(in));
  if (in.dtype() != out.dtype())
    use.buffer("converted pages", 2, page(out));
}

// ---- to_layout ------------------------------------------------------------------------------------------
// to_layout to the pages that are there moves the tensor, as to_memory_config does, or does nothing.
bool isMove(const OpCall &call) { return keepsPages(call); }
bool onHost(const OpCall &call) { return !call.in[0].onDevice() && !call.out[0].onDevice(); }

bool staysOnItsSide(const OpCall &call) {
  return !call.out[0].decided() || call.in[0].onDevice() == call.out[0].onDevice();
}

bool onlyMoves(const OpCall &call) { return isMove(call) || onHost(call); }

bool wholeTileShards(const OpCall &call) {
  auto whole = [](const TensorRef &tensor) {
    return !tensor.rowMajor() || !tensor.sharded() ||
           (tensor.layout->shard.rows % 32 == 0 && tensor.layout->shard.columns % 32 == 0);
  };
  return onlyMoves(call) || (whole(call.in[0]) && whole(call.out[0]));
}

/// Until 2026 two kernels: plain tilize worked on height shards, tilize with padding on width shards (facts/hardware 4.4).
bool tilizeShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool newest = answersAsNewest(call);
  if (newest || onlyMoves(call) || in.tiled() || (!in.sharded() && !out.sharded()))
    return true;
  MemoryLayout allowed = endsInsideTile(in) ? MemoryLayout::WidthSharded : MemoryLayout::HeightSharded;
  return in.shardedAs(allowed) && samePlacement(in, out);
}

/// Width and block shards of a batch hold rows of all its matrices in a column of tiles, each with its own padding:
/// the kernel that drops padding knows one end of rows only.
bool unpadsOneMatrix(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool untilizes = in.tiled() && !onlyMoves(call);
  if (!untilizes || !endsInsideTile(in) || !in.sharded() || in.shardedAs(MemoryLayout::HeightSharded))
    return true;
  return in.batch == 1 || (out.sharded() && in.shardedAs(MemoryLayout::WidthSharded));
}

bool unpadsAlike(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool untilizes = in.tiled() && !onlyMoves(call);
  if (!untilizes || !endsInsideTile(in) || !in.sharded() || !out.sharded())
    return true;
  bool heights = in.shardedAs(MemoryLayout::HeightSharded) == out.shardedAs(MemoryLayout::HeightSharded);
  return heights &&
         (in.layout->memory == out.layout->memory || in.shardTiles().columns == out.shardTiles().columns);
}

/// Height shards of several padded matrices become shards of as many unpadded ones, whatever height was asked for.
bool unpadsWholeMatrices(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool untilizes = answersAsNewest(call) && in.tiled() && !onlyMoves(call) && endsInsideTile(in);
  if (!untilizes || !in.shardedAs(MemoryLayout::HeightSharded) || !out.shardedAs(MemoryLayout::HeightSharded))
    return true;
  int64_t matrices = in.shardTiles().rows / ceilDiv(in.height, 32);
  return matrices <= 1 || out.layout->shard.rows == matrices * in.height;
}

/// What comes out is cut into shards of as many rows as went in, whatever was asked for; matrices that end inside a tile have more rows then.
bool padsWithinShards(const OpCall &call) {
  const TensorRef &in = call.in[0];
  bool pads = answersAsNewest(call) && in.rowMajor() && !onlyMoves(call) && in.height % 32 != 0;
  if (!pads || !in.shardedAs(MemoryLayout::HeightSharded))
    return true;
  int64_t shards = ceilDiv(in.batch * alignUp(in.height, 32), in.shardUnits().rows);
  const TensorRef &out = call.out[0];
  bool alike = !out.decided() || !out.shardedAs(MemoryLayout::HeightSharded) ||
               (out.layout->shard.rows * 32 == in.layout->shard.rows && sameCores(in, out));
  return answersAsOctober2026(call) && shards <= in.shardCores() && alike;
}

/// A tensor of one dimension gets or loses its padding as a view, which shards of a part of it do not have: its shards have one row, and those
/// that are untilized whole tiles. Until October 2026 width shards do not become interleaved rows, either.
bool padsFlat(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!answersAsNewest(call) || onlyMoves(call) || in.rank() != 1)
    return true;
  if (in.tiled())
    return !out.sharded() && (answersAsOctober2026(call) || !in.shardedAs(MemoryLayout::WidthSharded));
  return !out.sharded() || in.width % 32 == 0 || out.shardTiles().columns == out.tileCols;
}

/// Only block floats are unpacked on the way.
bool keepsTypeOfRows(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool untilizes = out.decided() && in.onDevice() && out.onDevice() && in.tiled() && out.rowMajor();
  bool unpacks = in.dtype() == DataType::BFP_BFloat8 && out.dtype() == DataType::BFloat16;
  return call.context.version < BackendVersion::Newest || !untilizes || in.dtype() == out.dtype() || unpacks;
}

/// No kernel fills tiles of bytes up.
bool fillsBytes(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool tilizes = out.decided() && in.onDevice() && out.onDevice() && in.rowMajor() && out.tiled();
  bool isWhole = in.height % 32 == 0 && in.width % 32 == 0;
  return !answersAsNewest(call) || !tilizes || isWhole || in.dtype() != DataType::UInt8;
}

constexpr Rule kLayoutRules[] = {
    {kSameShape, sameShape},
    {{"to_layout.type_of_rows",
      "tiles that become rows keep their type, but for bfp_bf8 that becomes bf16 (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (to_layout_op.cpp)"},
     keepsTypeOfRows},
    {{"to_layout.whole_bytes", "rows of u8 that fill no whole tiles are not tilized (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (tilize_with_val_padding_device_operation.cpp)"},
     fillsBytes},
    {{"to_layout.same_side", "to_layout stays on the host or on the device; to_device and from_device move",
      "facts/ir 1.4"},
     staysOnItsSide},
    {{"to_layout.whole_tile_shards",
      "row-major shards need whole tiles: multiples of 32 rows and of 32 columns",
      "tt-metal 0.77: tensor_layout.cpp"},
     wholeTileShards},
    {{"to_layout.tilize_shards",
      "until 2026 tilize works interleaved to interleaved, or in place on height-sharded whole tiles "
      "(width-sharded if padded)",
      "facts/hardware 4.4"},
     tilizeShards},
    {{"to_layout.pads_within_shards",
      "height shards of matrices that end inside a tile are tilized since October 2026, only if their "
      "cores have room for the padded rows in shards as high, and into no other height shards",
      "ttnn 0.77.0 and 0.81.1: tensor_spec.cpp"},
     padsWithinShards},
    {{"to_layout.rows_fill_shards",
      "row-major shards that do not divide the width are tilized into shards of the same kind only",
      "ttnn 0.81.1, executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     tilizedRowsFillShards},
    {{"to_layout.unpads_one_matrix",
      "of a batch with padding, width and block shards cannot be untilized into interleaved memory, nor "
      "block shards into shards",
      "tt-metal 0.77: untilize_with_unpadding_device_operation.cpp"},
     unpadsOneMatrix},
    {{"to_layout.unpads_alike",
      "shards with padding are untilized into shards of the same memory layout, or between width and block "
      "shards of one width",
      "tt-metal 0.77: untilize_with_unpadding_device_operation.cpp"},
     unpadsAlike},
    {{"to_layout.unpads_whole_matrices",
      "height shards that hold several matrices with padding are untilized into shards of as many without",
      "tt-metal 0.77: untilize_with_unpadding_device_operation.cpp"},
     unpadsWholeMatrices},
    {{"to_layout.flat",
      "rows of one dimension that end inside a tile become shards of all of it alone, its tiles shards of "
      "one row, and until October 2026 those in width shards no interleaved rows",
      "asked of ttnn 0.77.0 and 0.81.1 (tensor_ops.cpp, untilize_with_unpadding_device_operation.cpp)"},
     padsFlat},
};

/// Shards that are tilized where they lie stay what they are, whatever shards of their kind are asked for (asked of ttnn 0.77.0 and 0.81.1).
bool keepsShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return answersAsNewest(call) && in.rowMajor() && out.tiled() && in.sharded() && out.sharded() && in.l1() &&
         out.l1() && in.layout->memory == out.layout->memory && !endsInsideTile(in);
}

/// An undecided result lies where the operand lies, in the page layout that makes a difference: tiles for
/// row-major operands and rows for tiled ones.
void layoutOutputs(OpCall &call) {
  if (call.out[0].decided() && keepsShards(call)) {
    TensorLayout kept = repaged(call, call.in[0], PageLayout::Tile);
    kept.dtype = call.out[0].dtype();
    return call.setOutput(0, kept);
  }
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
    untilizeProgram(call, use, in, out.tile, &out);
  else
    tilizeProgram(call, use, out, in.tile, &in);
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
    {{"to_device.shards_divide_rows", "row-major shards that share rows must divide the width",
      "ttnn 0.81.1, executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     [](const OpCall &call) { return !answersAsNewest(call) || !endsInsideShard(call.out[0]); }},
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

/// Over PCIe, at estimated figures (HostRate, HostStart): no table of measured ops has transfers. `dram` stands for
/// the bus, since an OpRuntime has no part for it.
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
const Family kMove = {"to_memory_config", kOperands,   kMoveRules,    outputsLikeOperand0,
                      moveMemory,         moveRuntime, moveConfirmed, countMove};
const Family kAssign = {"assign",     kOperands,     kAssignRules,          outputsLikeOperand0,
                        assignMemory, assignRuntime, everythingInterleaved, countCopy};
const Family kLayout = {"to_layout",  kOperands,     kLayoutRules,    layoutOutputs,
                        layoutMemory, layoutRuntime, layoutConfirmed, countLayout};
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

namespace {

/// Row-major height shards of one width, whose rows are no multiple of 16 bytes, pass a buffer of the rows of a shard that is read, one for
/// each of the two kernels since October 2026 (tt-metal: reshard_program_factory_same_width.cpp).
bool reshardsUnaligned(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool heights = in.shardedAs(MemoryLayout::HeightSharded) && out.shardedAs(MemoryLayout::HeightSharded);
  if (!heights || !in.l1() || !out.l1() || in.layout->shard.columns != out.layout->shard.columns)
    return false;
  int64_t row = alignUp(in.layout->shard.columns * in.scalar, call.device().l1Alignment.value());
  use.program("reshard");
  use.buffer("rows of a shard", in.layout->shard.rows * (answersAsOctober2026(call) ? 2 : 1), row);
  return true;
}

} // namespace

void moveMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (sameLayout(call))
    // A conversion to where the tensor lies gives the tensor itself (facts/formulas 13).
    return use.tensors(0);
  bool newest = answersAsNewest(call), interleaved = !in.sharded() && !out.sharded();
  // So are rows that are no multiple of 16 bytes.
  bool unaligned = !shardRowsAligned(in) || !shardRowsAligned(out);
  if (newest && in.rowMajor() && unaligned && reshardsUnaligned(call, use))
    return;
  if (newest && in.rowMajor() && (interleaved || unaligned))
    return copyRowsProgram(call, use, page(in), page(out), out.l1());
  if (out.sharded() && (!in.sharded() || reshardsThroughDram(call))) {
    shardingProgram(call, use, page(out), out.layout->page);
  } else if (interleaved) {
    use.program("copy");
    use.buffer("pages", 2, page(in));
  }
  // sharded_to_interleaved and reshard read and write the tensors' own buffers.
}

Rows conversionRows() { return kRows; }

} // namespace tessera::analytic
