//===- EltwiseTernary.cpp - where, clamp_tensor ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One kernel of three operands, which uses shards in place as that of two does:
// two tiles per operand and result that it fetches, and where a row is broadcast two
// more per operand (tt-metal: ternary_program_factory.cpp). clamp_tensor is composed
// of comparisons and such kernels.
//
//===----------------------------------------------------------------------===//
#include "../Kernels.h"
#include "../Runtime.h"
#include "Eltwise.h"
#include "EltwiseTypes.h"

namespace tessera::analytic {
namespace {

bool sameAsFirst(const OpCall &call) {
  return llvm::all_of(call.in, [&](const TensorRef &operand) { return sameLayout(operand, call.in[0]); });
}

/// All three operands in one layout, and nothing cut unevenly.
bool native(const OpCall &call) {
  const TensorRef &first = call.in[0], &out = call.out[0];
  return sameAsFirst(call) && worksInPlace(first, out) && wholeShards(first) && wholeShards(out);
}

/// Elements that lie in one order in all shards: those of a core make up whole tiles, and a result that is left open keeps the shards,
/// which the library cuts anew in tiles.
bool rowsInPlace(const OpCall &call) {
  const TensorRef &first = call.in[0];
  if (!answersAsNewest(call) || !first.sharded() || !first.l1() || !first.rowMajor() || !sameAsFirst(call))
    return false;
  GridShape shard = first.layout->shard;
  bool even = wholeShards(first) && first.width % shard.columns == 0 && shard.volume() % 1024 == 0;
  bool tiles = shard.rows % 32 == 0 && shard.columns % 32 == 0;
  return even && (call.asked(0) ? sameLayout(first, call.out[0]) : tiles);
}

bool tilesOrRowsInPlace(const OpCall &call) { return allOperandsTiled(call) || rowsInPlace(call); }

constexpr Rule kBroadcast = {kBroadcastRule, shapesBroadcast};
constexpr Rule kRules[] = {
    {{"where.tiled",
      "operands must be tiled, or since 2026 row-major in L1 shards that all lie alike, as the result does, "
      "and "
      "are whole tiles' worth of elements",
      "facts/hardware 4.2; asked of ttnn 0.77.0 and 0.81.1 (ternary_program_factory.cpp)",
      "ternary_reader_nobcast_ttt.cpp reads pages of rows as tiles"},
     tilesOrRowsInPlace},
    kBroadcast,
};

bool oneWidth(const OpCall &call) {
  return llvm::all_of(call.in, [&](const TensorRef &operand) { return operand.width == call.out[0].width; });
}

/// Rows are repeated, and nothing else is within tiles.
bool repeatsRows(const OpCall &call) {
  auto row = [&](const TensorRef &operand) { return operand.height < call.out[0].height; };
  return oneWidth(call) && llvm::any_of(call.in, row);
}

/// Bytes of a tile of the condition as the kernel gets it: one of integers is cast to the type of the choices, if these are
/// floats.
int64_t castCondition(const OpCall &call, MemoryUse &use) {
  const TensorRef &condition = call.in[0];
  bool wholeChoice = isWhole(call.in[1].dtype()) || isWhole(call.in[2].dtype());
  if (call.context.version < BackendVersion::Newest || !isWhole(condition.dtype()) || wholeChoice)
    return condition.tile;
  use.program("typecast");
  use.buffer("condition", 2, condition.tile);
  use.buffer("result", 2, call.in[1].tile);
  use.tensors(call.perCore(condition) * call.in[1].tile / condition.tile + call.perCore(call.out[0]));
  use.program("where");
  return call.in[1].tile;
}

void whereMemory(const OpCall &call, MemoryUse &use) {
  static constexpr llvm::StringLiteral kHolds[] = {"condition", "if true", "if false"};
  bool inPlace = native(call), rows = repeatsRows(call);
  // Two, so that the next tile is fetched while one is worked on; none of a shard in place, which is its own
  // buffer.
  auto tiles = [&](const TensorRef &tensor) { return inPlace && tensor.sharded() ? 0 : 2; };
  int64_t condition = castCondition(call, use);
  for (size_t i = 0; i < call.in.size() && i < 3; ++i) {
    int64_t tile = i == 0 ? condition : call.in[i].tile;
    use.buffer(kHolds[i], tiles(call.in[i]), tile);
    use.buffer("broadcast row", rows ? 2 : 0, tile);
  }
  use.buffer("result", tiles(call.out[0]), call.out[0].tile);
}

/// Until October 2026: the kernel of three operands, unless its own lie where the result does: then the comparison before it, or what that
/// keeps of its operands. Every step's result lives to the end.
void clampSteps(const OpCall &call, MemoryUse &use) {
  constexpr int64_t steps = 5;
  const TensorRef &in = call.in[0], &out = call.out[0];
  use.tensors(steps * call.perCore(out));
  if (native(call) && in.sharded() && sameLayout(in, out))
    return use.buffer("difference", 1, in.tile);
  bool inPlace = out.sharded() && sameLayout(call.in[2], out) && wholeShards(out);
  use.buffer("operands and result of the widest step", inPlace ? 6 : 8, in.tile);
  use.buffer("broadcast rows", repeatsRows(call) ? 6 : 0, in.tile);
}

/// Since October 2026: maximum, then minimum, whose results both lie where that of the op does, beside a copy.
void clampMemory(const OpCall &call, MemoryUse &use) {
  if (call.context.version < BackendVersion::Newest)
    return whereMemory(call, use);
  if (!answersAsOctober2026(call))
    return clampSteps(call, use);
  constexpr int64_t results = 3;
  const TensorRef &out = call.out[0];
  use.tensors(results * call.perCore(out));
  use.program("maximum");
  binaryBuffers(call, use, call.in[0], call.in[1], out);
  use.program("minimum");
  binaryBuffers(call, use, out, call.in[2], out);
}

OpRuntime runtime(const OpCall &call) {
  return streamTime(call, tilesOfCore(call, native(call)), kTileCopy, call.row.cycles.of(call));
}

/// Bytes of the DRAM bank that is read and written most. A tile that is broadcast is read once for every tile of the result, and all of that
/// from the few banks where the operand lies.
/// Example: an operand of one tile, repeated over a result of 1000 tiles, is read 1000 times from one bank of
/// twelve.
double busiestBank(const OpCall &call) {
  const TensorRef &out = call.out[0];
  auto banks = double(std::max<int64_t>(1, call.device().dramBanks));
  double bytes = out.dram() ? double(out.bytes()) / banks : 0;
  for (const TensorRef &operand : call.in)
    if (operand.dram())
      bytes += double(std::max(operand.tiles(), out.tiles()) * operand.tile) /
               std::min(banks, double(operand.tiles()));
  return bytes;
}

/// As all others, but never faster than its busiest bank.
OpRuntime addcmulRuntime(const OpCall &call) {
  OpRuntime time = runtime(call);
  Nanoseconds bank = Nanoseconds(busiestBank(call) / call[P::DramBank]);
  time.dram = std::max(time.dram, bank);
  time.total = std::max(time.total, time.dispatch + bank);
  return time;
}

void outputs(OpCall &call) {
  if (call.context.version < BackendVersion::Newest)
    return outputsLikeOperand0(call);
  outputsLikeMostCores(call);
}

/// The backend compares with a minimum and a maximum of the operand's type only.
bool clampTypes(const OpCall &call) {
  return call.context.version < BackendVersion::Newest ||
         llvm::all_of(call.in, [&](const TensorRef &in) { return in.dtype() == call.in[0].dtype(); });
}

constexpr Rule kClampRules[] = {
    {{"clamp_tensor.tiled", "a clamp needs tiled operands", "facts/hardware 4.2"}, allOperandsTiled},
    kBroadcast,
    {{"clamp_tensor.types", "operand, minimum and maximum must have one type (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (binary.cpp)"},
     clampTypes},
};

constexpr llvm::StringRef kWhereOperands[] = {"condition", "if_true", "if_false"};
constexpr llvm::StringRef kAddcmulOperands[] = {"operand", "factor", "other factor"};
constexpr llvm::StringRef kClampOperands[] = {"operand", "min", "max"};
const Family kWhere = {"where",     kWhereOperands, kRules,           outputs,
                       whereMemory, runtime,        tiledInterleaved, countOperands};
const Family kClamp = {"clamp_tensor", kClampOperands, kClampRules,   outputsLikeOperand0,
                       clampMemory,    runtime,        neverConfirmed};

const Family kAddcmul = {"addcmul",   kAddcmulOperands, kRules,         outputs,
                         whereMemory, addcmulRuntime,   neverConfirmed, countOperands};

const OpRow kRows[] = {
    {"ttnn.addcmul", &kAddcmul, 3, 3, 1, P::BinaryCompare},
    {"ttnn.clamp_tensor", &kClamp, 3, 3, 1, P::BinaryClamp},
    {"ttnn.where", &kWhere, 3, 3, 1, P::BinaryCompare},
};

} // namespace

Rows eltwiseTernaryRows() { return kRows; }

} // namespace tessera::analytic
