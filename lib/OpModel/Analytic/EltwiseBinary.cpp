//===- EltwiseBinary.cpp - Two or three operands with broadcast ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The kernel (binary_ng) has a native sharded path and an accessor path that is
// 7 - 10 times slower per tile; facts/hardware-and-performance.md 4.2.
//
// Circular buffers (facts/opmodel-formulas.md 4.2): two tiles per operand and
// result that is not read in place, one more per operand for logical ops (their
// "is not zero" pre-activation), two more for a row that is broadcast.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned {
  Plain,
  Logical,   ///< both operands pass a "not equal zero" step
  Divide,    ///< took the reciprocal of the divisor first, until October 2025
  Composite, ///< atan2: several kernels, sixteen temporaries
  Remainder, ///< computed in f32 by several kernels
  Where,
  ClampTensor,
};

// ---- Legality -------------------------------------------------------------------------------------------

bool shapesBroadcast(const OpCall &call) {
  for (size_t i = 0; i < call.in.size(); ++i)
    for (size_t j = i + 1; j < call.in.size(); ++j)
      for (size_t d = 1; d <= std::min(call.in[i].rank(), call.in[j].rank()); ++d) {
        int64_t x = call.in[i].dim(-int64_t(d)), y = call.in[j].dim(-int64_t(d));
        if (x != y && x != 1 && y != 1)
          return false;
      }
  return true;
}

bool keepsCores(const OpCall &call) {
  if (!call.out[0].sharded() || call.out[0].layout->ignorePhysicalLayout)
    return true;
  for (const TensorRef &operand : call.in)
    if (operand.sharded() && call.out[0].shardCores() < operand.shardCores())
      return false;
  return true;
}

bool noHeightSharding(const OpCall &call) {
  for (const TensorRef &operand : call.in)
    if (operand.shardedAs(MemoryLayout::HeightSharded))
      return false;
  return !call.out[0].shardedAs(MemoryLayout::HeightSharded);
}

bool oneMemoryLayout(const OpCall &call) {
  const TensorRef &first = call.in[0];
  auto same = [&](const TensorRef &tensor) {
    return !tensor.decided() || (tensor.layout->memory == first.layout->memory &&
                                 (!tensor.sharded() || samePlacement(tensor, first)));
  };
  return llvm::all_of(call.in, same) && same(call.out[0]);
}

constexpr RuleInfo kTiled = {"binary.tiled", "element-wise ops need tiled operands", "hw 4.2"};
constexpr RuleInfo kBroadcast = {"binary.broadcast", "each dimension of the operands must be equal or 1",
                                 "formulas 4.2"};
constexpr RuleInfo kCores = {"binary.keeps_cores",
                             "a sharded result needs at least as many cores as each sharded operand",
                             "ir 4.6 (hangs, tt-metal#34765)"};

constexpr Rule kRules[] = {{kTiled, allOperandsTiled}, {kBroadcast, shapesBroadcast}, {kCores, keepsCores}};
constexpr Rule kAtan2Rules[] = {
    {kTiled, allOperandsTiled},
    {kBroadcast, shapesBroadcast},
    {{"binary.atan2.no_height_sharding", "atan2 takes no height-sharded operand or result", "formulas 4.2"},
     noHeightSharding},
};
constexpr Rule kWhereRules[] = {
    {kTiled, allOperandsTiled},
    {kBroadcast, shapesBroadcast},
    {{"where.one_memory_layout",
      "condition, both choices and the result need the same memory layout and grid", "ir 4.6, hw 4.2"},
     oneMemoryLayout},
};

// ---- Memory ---------------------------------------------------------------------------------------------

/// The shards of the tensor are all full.
bool evenlySharded(const TensorRef &tensor) {
  if (!tensor.sharded())
    return true;
  GridShape shard = tensor.shardTiles();
  return shard.volume() * tensor.shardCores() == tensor.tiles();
}

/// The kernel reads and writes the shards in place.
bool nativeSharded(const OpCall &call) {
  if (call.in.size() < 2)
    return false;
  const TensorRef &a = call.in[0], &b = call.in[1], &c = call.out[0];
  return a.l1() && b.l1() && c.l1() && c.sharded() && a.desc->shape == b.desc->shape && samePlacement(a, b) &&
         (!a.sharded() || samePlacement(a, c)) && evenlySharded(a) && evenlySharded(b) && evenlySharded(c);
}

void binaryMemory(const OpCall &call, MemoryUse &use) {
  const TensorRef &a = call.in[0], &out = call.out[0];
  BackendVersion version = call.context.version;
  bool native = nativeSharded(call);
  // Until October 2025 each shard in L1 was bound by itself.
  auto inPlace = [&](const TensorRef &tensor) {
    return tensor.sharded() && (version <= BackendVersion::Autumn2025 ? tensor.l1() : native);
  };
  // The kernel of early 2025 doubled its buffers eight times over as soon as anything was sharded.
  bool anySharded = out.sharded() || llvm::any_of(call.in, [](const TensorRef &t) { return t.sharded(); });
  int64_t depth = version == BackendVersion::January2025 && anySharded ? 16 : 2;
  auto side = [&](llvm::StringRef holds, const TensorRef &x, const TensorRef &other) {
    use.buffer(holds, inPlace(x) ? 0 : depth, x.tile);
    if (call.row.variant == Logical)
      use.buffer("operand is not zero", 1, x.tile);
    if (x.height == 1 && other.height > 1)
      use.buffer("broadcast row", 2, x.tile);
  };
  if (call.in.size() >= 2) {
    side("lhs", a, call.in[1]);
    side("rhs", call.in[1], a);
  } else {
    side("lhs", a, a);
    use.buffer("scalar", 1, a.tile);
  }
  use.buffer("result", inPlace(out) ? 0 : depth, out.tile);
  if (call.row.variant == Divide && version <= BackendVersion::Autumn2025)
    use.buffer("reciprocal", 1, call.in.back().tile);
}

void atan2Memory(const OpCall &call, MemoryUse &use) {
  use.buffer("lhs, rhs, result and intermediate of the widest step", 8, call.in[0].tile);
  use.tensors(16 * call.perCore(call.out[0]));
}

void remainderMemory(const OpCall &call, MemoryUse &use) {
  constexpr int64_t f32Tile = 4096;
  use.buffer("f32 lhs, rhs, result and intermediate of the widest step", 8, f32Tile);
  use.tensors(6 * call.perCore(call.out[0]) * f32Tile / call.out[0].tile);
}

void ternaryMemory(const OpCall &call, MemoryUse &use) {
  static constexpr llvm::StringLiteral kHolds[] = {"condition", "if true", "if false"};
  for (size_t i = 0; i < call.in.size() && i < 3; ++i)
    use.buffer(kHolds[i], 2, call.in[i].tile);
  use.buffer("result", 2, call.out[0].tile);
}

// ---- Time -----------------------------------------------------------------------------------------------

/// Fitted to 39 rows of perf/op_traces.csv, nearly all Blackhole; the factor for Wormhole stands on three.
constexpr double kShardedStart = 389;
constexpr StreamCost kStream = {1105, 746.9, 550, 1.598};
constexpr StreamCost kBroadcastRow = {1105, 2064, 2064, 1.598}, kBroadcastColumn = {1105, 1360, 1360, 1.598};
constexpr StreamCost kScalar = {1105, 946.9, 750, 1.598};

const StreamCost &streamCost(const OpCall &call) {
  auto spreads = [&](int64_t TensorRef::*extent) {
    return llvm::any_of(
        call.in, [&](const TensorRef &operand) { return operand.*extent == 1 && call.out[0].*extent > 1; });
  };
  if (call.in.size() > 2)
    return kTileCopy;
  bool scalar = call.in.size() < 2 || call.in[1].elements() == 1;
  return scalar                        ? kScalar
         : spreads(&TensorRef::height) ? kBroadcastRow
         : spreads(&TensorRef::width)  ? kBroadcastColumn
                                       : kStream;
}

OpRuntime runtime(const OpCall &call) {
  int64_t tiles = busiestTiles(call);
  if (nativeSharded(call) && call.row.variant == Plain) {
    Work work;
    work.compute = double(tiles) * call.row.cycles;
    work.start = kShardedStart;
    return timeOf(call, work);
  }
  OpRuntime time = streamTime(call, tiles, streamCost(call), call.row.cycles);
  if (call.row.variant == Composite || call.row.variant == Remainder) // five programs more
    time.total += call.device().launch * 5, time.dispatch += call.device().launch * 5;
  return time;
}

constexpr llvm::StringRef kOperands[] = {"lhs", "rhs"};
constexpr llvm::StringRef kWhereOperands[] = {"condition", "if_true", "if_false"};
constexpr llvm::StringRef kClampOperands[] = {"operand", "min", "max"};
const Family kBinary = {"eltwise_binary", kOperands, kRules, outputsLikeOperand0, binaryMemory, runtime};
const Family kAtan2 = {"atan2", kOperands, kAtan2Rules, outputsLikeOperand0, atan2Memory, runtime};
const Family kRemainder = {"remainder", kOperands, kRules, outputsLikeOperand0, remainderMemory, runtime};
const Family kWhere = {"where", kWhereOperands, kWhereRules, outputsLikeOperand0, ternaryMemory, runtime};
const Family kClamp = {"clamp_tensor",      kClampOperands, kWhereRules,
                       outputsLikeOperand0, ternaryMemory,  runtime};

const OpRow kRows[] = {
    {"ttnn.add", &kBinary, 2, 2, 1, 68.5},
    {"ttnn.atan2", &kAtan2, 2, 2, 1, 5000, Composite},
    {"ttnn.bitwise_and", &kBinary, 2, 2, 1, 200},
    {"ttnn.bitwise_or", &kBinary, 2, 2, 1, 200},
    {"ttnn.bitwise_xor", &kBinary, 2, 2, 1, 200},
    {"ttnn.clamp_tensor", &kClamp, 3, 3, 1, 400, ClampTensor},
    {"ttnn.divide", &kBinary, 2, 2, 1, 1110, Divide},
    {"ttnn.eq", &kBinary, 2, 2, 1, 200},
    {"ttnn.ge", &kBinary, 2, 2, 1, 200},
    {"ttnn.gelu_bw", &kBinary, 2, 2, 1, 2500},
    {"ttnn.gt", &kBinary, 2, 2, 1, 200},
    {"ttnn.le", &kBinary, 2, 2, 1, 200},
    {"ttnn.logical_and", &kBinary, 2, 2, 1, 300, Logical},
    {"ttnn.logical_left_shift", &kBinary, 2, 2, 1, 200},
    {"ttnn.logical_or", &kBinary, 2, 2, 1, 300, Logical},
    {"ttnn.logical_right_shift", &kBinary, 2, 2, 1, 200},
    {"ttnn.logical_xor", &kBinary, 2, 2, 1, 300, Logical},
    {"ttnn.lt", &kBinary, 2, 2, 1, 200},
    {"ttnn.maximum", &kBinary, 2, 2, 1, 200},
    {"ttnn.minimum", &kBinary, 2, 2, 1, 200},
    {"ttnn.multiply", &kBinary, 2, 2, 1, 94.7},
    {"ttnn.ne", &kBinary, 2, 2, 1, 200},
    {"ttnn.pow_tensor", &kBinary, 2, 2, 1, 3000},
    {"ttnn.remainder", &kRemainder, 2, 2, 1, 1500, Remainder},
    {"ttnn.subtract", &kBinary, 2, 2, 1, 68.5},
    {"ttnn.where", &kWhere, 3, 3, 1, 200, Where},
};

} // namespace

Rows eltwiseBinaryRows() { return kRows; }

} // namespace tessera::analytic
