//===- EltwiseBinary.cpp - Two or three operands with broadcast ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The kernel (binary_ng) has a native sharded path and an accessor path that is
// 7 - 10 times slower per tile; facts/hardware 4.2.
//
// Circular buffers (facts/formulas 4.2): two tiles per operand and
// result that is not read in place, two more for a row that is broadcast, and what
// an activation makes of an operand before the op sees it. Logical ops are sums
// and products of "is not zero", which is such an activation. Activations of the
// result happen where it is made.
//
//===----------------------------------------------------------------------===//
#include "Family.h"
#include "Runtime.h"
#include "tessera/OpModel/Activations.h"

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
  const TensorRef &out = call.out[0];
  size_t rank = out.rank();
  for (const TensorRef &operand : call.in)
    rank = std::max(rank, operand.rank());
  for (size_t d = 1; d <= rank; ++d) {
    int64_t widest = 1;
    for (const TensorRef &operand : call.in)
      widest = std::max(widest, operand.dim(-int64_t(d)));
    if (out.dim(-int64_t(d)) != widest)
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

/// Remainder is composed of several kernels; until October 2025 of ones that could not write height shards.
bool remainderShards(const OpCall &call) {
  return call.context.version > BackendVersion::Autumn2025 || noHeightSharding(call);
}

/// So is atan2, until newer backends made it one.
bool atan2Shards(const OpCall &call) {
  return call.context.version >= BackendVersion::Newest || noHeightSharding(call);
}

/// Of atan2, which is several kernels, the library takes none.
bool noActivations(const OpCall &call) {
  return llvm::none_of(kActivationLists,
                       [&](llvm::StringRef list) { return !call.op().string(list).empty(); });
}

constexpr RuleInfo kTiled = {"binary.tiled", "element-wise ops need tiled operands", "facts/hardware 4.2"};
constexpr RuleInfo kBroadcast = {
    "binary.broadcast",
    "each dimension of the operands must be equal or 1, and that of the result the larger one",
    "facts/formulas 4.2"};
constexpr RuleInfo kCores = {"binary.keeps_cores",
                             "a sharded result needs at least as many cores as each sharded operand",
                             "facts/ir 4.6 (hangs, tt-metal#34765)"};

constexpr Rule kRules[] = {{kTiled, allOperandsTiled}, {kBroadcast, shapesBroadcast}, {kCores, keepsCores}};
constexpr Rule kAtan2Rules[] = {
    {kTiled, allOperandsTiled},
    {kBroadcast, shapesBroadcast},
    {{"binary.atan2.no_height_sharding", "atan2 takes no height-sharded operand or result",
      "facts/formulas 4.2"},
     atan2Shards},
    {{"binary.atan2.no_activations", "atan2 takes no activations", "ttnn 0.77.0"}, noActivations},
};
constexpr Rule kRemainderRules[] = {
    {kTiled, allOperandsTiled},
    {kBroadcast, shapesBroadcast},
    {kCores, keepsCores},
    {{"binary.remainder.no_height_sharding",
      "the remainder of backends before November 2025 takes no height-sharded operand or result",
      "facts/formulas 4.2"},
     remainderShards},
};
constexpr Rule kWhereRules[] = {
    {kTiled, allOperandsTiled},
    {kBroadcast, shapesBroadcast},
    {{"where.one_memory_layout",
      "condition, both choices and the result need the same memory layout and grid",
      "facts/ir 4.6, facts/hardware 4.2"},
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
bool nativeSharded(const TensorRef &a, const TensorRef &b, const TensorRef &c) {
  return a.l1() && b.l1() && c.l1() && c.sharded() && a.desc->shape == b.desc->shape && samePlacement(a, b) &&
         (!a.sharded() || samePlacement(a, c)) && evenlySharded(a) && evenlySharded(b) && evenlySharded(c);
}
bool nativeSharded(const OpCall &call) {
  return call.in.size() >= 2 && nativeSharded(call.in[0], call.in[1], call.out[0]);
}

/// `x` is one row that is repeated; single elements are filled into a tile instead.
bool repeatsRow(const TensorRef &x, const TensorRef &other) {
  return x.height == 1 && x.width > 1 && other.height > 1;
}

bool allOf(const OpCall &call, bool (*holds)(DataType)) {
  return llvm::all_of(call.in, [&](const TensorRef &operand) { return holds(operand.dtype()); });
}
bool isWhole(DataType type) {
  return type == DataType::UInt32 || type == DataType::UInt16 || type == DataType::UInt8 ||
         type == DataType::Int32;
}
bool neverMatrix(const OpCall &) { return false; }
bool matrixUnlessBf16(const OpCall &call) {
  return !allOf(call, [](DataType type) { return type == DataType::BFloat16; });
}
bool matrixOfBlockFloats(const OpCall &call) {
  return llvm::any_of(call.in, [](const TensorRef &operand) { return isBlockFloat(operand.dtype()); });
}

/// Ops that leave the matrix engine for the vector unit earlier than others do (asked of ttnn 0.77.0).
struct MatrixRow {
  llvm::StringLiteral op;
  bool (*onMatrixEngine)(const OpCall &);
};
constexpr MatrixRow kMatrixRows[] = {
    {"ttnn.divide", neverMatrix},     {"ttnn.eq", matrixUnlessBf16},          {"ttnn.ge", matrixUnlessBf16},
    {"ttnn.gt", matrixUnlessBf16},    {"ttnn.le", matrixUnlessBf16},          {"ttnn.lt", matrixUnlessBf16},
    {"ttnn.maximum", neverMatrix},    {"ttnn.minimum", neverMatrix},          {"ttnn.ne", matrixUnlessBf16},
    {"ttnn.pow_tensor", neverMatrix}, {"ttnn.multiply", matrixOfBlockFloats},
};

/// The matrix engine computes what is not all f32 and not all integers.
bool onMatrixEngine(const OpCall &call) {
  if (allOf(call, [](DataType type) { return type == DataType::Float32; }) || allOf(call, isWhole))
    return false;
  const auto *row = llvm::find_if(kMatrixRows, [&](const MatrixRow &row) { return row.op == call.row.name; });
  return row == std::end(kMatrixRows) || row->onMatrixEngine(call);
}

/// Tiles of an activated operand that are kept: one if it is fetched tile by tile; of shards in place what one pass over
/// the destination registers takes.
int64_t activatedTiles(const OpCall &call) {
  if (!nativeSharded(call) || call.context.version < BackendVersion::Newest)
    return 1;
  return onMatrixEngine(call) ? 8 : 2;
}

/// What the kernel makes of operand i before it computes; "" if nothing.
llvm::StringRef activated(const OpCall &call, size_t i) {
  if (call.row.variant == Logical)
    return "operand is not zero";
  if (i < 2 && !call.op().string(kActivationLists[i]).empty())
    return "activated operand";
  bool reciprocal = call.row.variant == Divide && call.context.version <= BackendVersion::Autumn2025;
  return reciprocal && i + 1 == call.in.size() ? "reciprocal" : "";
}

void binaryMemory(const OpCall &call, MemoryUse &use) {
  binaryBuffers(call, use, call.in.front(), call.in.back(), call.out[0]);
  for (size_t i = 0; i < call.in.size(); ++i)
    if (llvm::StringRef holds = activated(call, i); !holds.empty())
      use.buffer(holds, activatedTiles(call), call.in[i].tile);
}

void atan2Memory(const OpCall &call, MemoryUse &use) {
  use.buffer("lhs, rhs, result and intermediate of the widest step", 8, call.in[0].tile);
  use.tensors(16 * call.perCore(call.out[0]));
}

void remainderMemory(const OpCall &call, MemoryUse &use) {
  constexpr int64_t f32Tile = 4096;
  use.buffer("f32 lhs, rhs, result and intermediate of the widest step", 8, f32Tile);
  // Both operands and each step's result in f32; the oldest sequence had a step more.
  int64_t copies = call.context.version <= BackendVersion::Autumn2025 ? 7 : 6;
  use.tensors(copies * call.perCore(call.out[0]) * f32Tile / call.out[0].tile);
}

void ternaryMemory(const OpCall &call, MemoryUse &use) {
  static constexpr llvm::StringLiteral kHolds[] = {"condition", "if true", "if false"};
  for (size_t i = 0; i < call.in.size() && i < 3; ++i)
    use.buffer(kHolds[i], 2, call.in[i].tile);
  use.buffer("result", 2, call.out[0].tile);
}

// ---- Time -----------------------------------------------------------------------------------------------

/// The kernel uses it where it lies, instead of fetching it tile by tile.
bool usedInPlace(const TensorRef &tensor) { return tensor.l1() && tensor.sharded() && evenlySharded(tensor); }

/// Cycles for one tile of a result that is not made in place. Operands are fetched side by side; a row that
/// is broadcast is fetched and copied into 32 rows before the next.
double accessorCycles(const OpCall &call) {
  auto latency = [&](const TensorRef &tensor) { return call[tensor.dram() ? P::BinaryDram : P::BinaryL1]; };
  const TensorRef &out = call.out[0];
  bool row = false, column = false;
  double slowest = latency(out), sum = 0, reads = 0;
  for (const TensorRef &operand : call.in) {
    if (operand.elements() == 1)
      continue; // once per core
    row |= operand.height == 1 && out.height > 1;
    column |= operand.width == 1 && out.width > 1;
    if (usedInPlace(operand))
      continue;
    slowest = std::max(slowest, latency(operand));
    sum += latency(operand);
    ++reads;
  }
  if (row)
    return sum + call[P::BinaryFill];
  if (column)
    return call[P::BinaryColumn];
  return slowest * byteFactor(*call.parameters, out.tile) + std::max(0.0, reads - 1) * call[P::BinarySecond];
}

/// Cycles that activations take on the core that has `tiles` tiles of the result. A single element is activated once.
double activationTime(const OpCall &call, double tiles) {
  double cycles = tiles * activationCycles(call, call.op().string(kActivationLists[2]), call.out[0].tile);
  for (size_t i = 0; i < call.in.size(); ++i)
    cycles += (call.in[i].elements() == 1 ? 1 : tiles) *
              activationCycles(call, call.op().string(kActivationLists[i]), call.in[i].tile);
  return cycles;
}

OpRuntime runtime(const OpCall &call) {
  if (call.in.size() > 2)
    return streamTime(call, busiestTiles(call), kTileCopy, call.row.cycles.of(call));
  const TensorRef &lhs = call.in[0], &out = call.out[0];
  bool native = nativeSharded(call) && call.row.variant == Plain, inPlace = usedInPlace(out);
  double tiles = double(inPlace ? out.shardTiles().volume() : ceilDiv(out.tiles(), call.cores()));
  Work work;
  double bytes = call[P::BinaryBytes] * (double(lhs.tile) / 2048 - 1);
  work.compute = tiles * call.row.cycles.of(call) * (1 + bytes) + activationTime(call, tiles);
  work.dramWriteRate = P::DramCopyWrite;
  work.start = call[P::BinaryShardedStart];
  if (!native) {
    bool scalar = call.in.size() < 2 || call.in[1].elements() == 1;
    bool dram = slowestPath(call) == Path::Dram;
    double once = scalar ? call[P::BinaryFill] / clockOf(call.device()) : 0;
    work.start = call[P::BinaryStart] + (dram ? call[P::BinaryStartDram] : 0) + once;
    work.noc = tiles * accessorCycles(call) * call[P::BinaryWormhole];
    addDramTraffic(call, work);
  }
  OpRuntime time = timeOf(call, work);
  if (call.row.variant == Composite || call.row.variant == Remainder) // five programs more
    time.total += call.device().launch * 5, time.dispatch += call.device().launch * 5;
  return time;
}

/// Shards that are used in place, and other than height shards, are in no golden.
bool confirmed(const OpCall &call) {
  auto plain = [](const TensorRef &t) { return !t.sharded() || t.shardedAs(MemoryLayout::HeightSharded); };
  return !nativeSharded(call) && llvm::all_of(call.in, plain) && plain(call.out[0]);
}

constexpr llvm::StringRef kOperands[] = {"lhs", "rhs"};
constexpr llvm::StringRef kWhereOperands[] = {"condition", "if_true", "if_false"};
constexpr llvm::StringRef kClampOperands[] = {"operand", "min", "max"};
const Family kBinary = {"eltwise_binary", kOperands, kRules,   outputsLikeOperand0,
                        binaryMemory,     runtime,   confirmed};
const Family kAtan2 = {"atan2",     kOperands, kAtan2Rules,     outputsLikeOperand0,
                       atan2Memory, runtime,   tiledInterleaved};
const Family kRemainder = {"remainder",     kOperands, kRemainderRules, outputsLikeOperand0,
                           remainderMemory, runtime,   tiledInterleaved};
const Family kWhere = {"where",       kWhereOperands, kWhereRules,     outputsLikeOperand0,
                       ternaryMemory, runtime,        tiledInterleaved};
const Family kClamp = {"clamp_tensor", kClampOperands, kWhereRules,   outputsLikeOperand0,
                       ternaryMemory,  runtime,        neverConfirmed};

const OpRow kRows[] = {
    {"ttnn.add", &kBinary, 2, 2, 1, P::BinaryAdd},
    {"ttnn.atan2", &kAtan2, 2, 2, 1, P::BinaryAtan2, Composite},
    {"ttnn.bitwise_and", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.bitwise_or", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.bitwise_xor", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.clamp_tensor", &kClamp, 3, 3, 1, P::BinaryClamp, ClampTensor},
    {"ttnn.divide", &kBinary, 2, 2, 1, P::BinaryAdd, Divide},
    {"ttnn.eq", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.ge", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.gelu_bw", &kBinary, 2, 2, 1, P::BinaryGeluBackward},
    {"ttnn.gt", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.le", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.logical_and", &kBinary, 2, 2, 1, P::BinaryLogical, Logical},
    {"ttnn.logical_left_shift", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.logical_or", &kBinary, 2, 2, 1, P::BinaryLogical, Logical},
    {"ttnn.logical_right_shift", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.logical_xor", &kBinary, 2, 2, 1, P::BinaryLogical, Logical},
    {"ttnn.lt", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.maximum", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.minimum", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.multiply", &kBinary, 2, 2, 1, P::BinaryMultiply},
    {"ttnn.ne", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.pow_tensor", &kBinary, 2, 2, 1, P::BinaryPower},
    {"ttnn.remainder", &kRemainder, 2, 2, 1, P::BinaryRemainder, Remainder},
    {"ttnn.subtract", &kBinary, 2, 2, 1, P::BinaryAdd},
    {"ttnn.where", &kWhere, 3, 3, 1, P::BinaryCompare, Where},
};

} // namespace

void binaryBuffers(const OpCall &call, MemoryUse &use, const TensorRef &lhs, const TensorRef &rhs,
                   const TensorRef &result) {
  BackendVersion version = call.context.version;
  bool native = nativeSharded(lhs, rhs, result);
  // Until October 2025 each shard in L1 was bound by itself.
  auto inPlace = [&](const TensorRef &tensor) {
    return tensor.sharded() && (version <= BackendVersion::Autumn2025 ? tensor.l1() : native);
  };
  // The kernel of early 2025 doubled its buffers eight times over as soon as anything was sharded.
  bool anySharded = lhs.sharded() || rhs.sharded() || result.sharded();
  int64_t depth = version == BackendVersion::January2025 && anySharded ? 16 : 2;
  auto side = [&](llvm::StringRef holds, const TensorRef &x, const TensorRef &other) {
    use.buffer(holds, inPlace(x) ? 0 : depth, x.tile);
    use.buffer("broadcast row", repeatsRow(x, other) ? 2 : 0, x.tile);
  };
  side("lhs", lhs, rhs);
  side("rhs", rhs, lhs);
  use.buffer("result", inPlace(result) ? 0 : depth, result.tile);
}

Rows eltwiseBinaryRows() { return kRows; }

} // namespace tessera::analytic
