//===- EltwiseBinary.cpp - Two operands with broadcast --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The kernel (binary_ng) has a native sharded path and an accessor path that is
// 7 - 10 times slower per tile; facts/hardware 4.2.
//
// Beside the circular buffers of EltwiseShards.cpp there is what an activation
// makes of an operand before the op sees it. Logical ops are sums and products of
// "is not zero", which is such an activation. Activations of the result happen where
// it is made. Interleaved rows are worked on in pieces of a tile; row-major shards,
// and rows beside tiles, are tilized first.
//
//===----------------------------------------------------------------------===//
#include "../Conversions/Tilize.h"
#include "../Kernels.h"
#include "../Movement/RowPrograms.h"
#include "../Runtime.h"
#include "Eltwise.h"
#include "EltwiseTypes.h"
#include "tessera/OpModel/Activations.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned {
  Plain,
  Logical,   ///< both operands pass a "not equal zero" step
  Divide,    ///< took the reciprocal of the divisor first, until October 2025
  Composite, ///< atan2: was several kernels, with sixteen temporaries
  Remainder, ///< was computed in f32 by several kernels
};

// ---- Legality -------------------------------------------------------------------------------------------

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

/// Remainder is composed of several kernels; until October 2025 of ones that could not write height shards.
bool remainderShards(const OpCall &call) {
  return call.context.version > BackendVersion::Autumn2025 || noHeightSharding(call);
}

/// So is atan2, until newer backends made it one.
bool atan2Shards(const OpCall &call) {
  return call.context.version >= BackendVersion::Newest || noHeightSharding(call);
}

bool rowsOrTiles(const OpCall &call) {
  return call.context.version >= BackendVersion::Newest || allOperandsTiled(call);
}

bool anyRows(const OpCall &call) {
  return llvm::any_of(call.in, [](const TensorRef &operand) { return operand.rowMajor(); });
}
bool allRows(const OpCall &call) {
  return llvm::all_of(call.in, [](const TensorRef &operand) { return operand.rowMajor(); });
}

/// Tiles win over rows.
bool resultPages(const OpCall &call) {
  return !call.out[0].decided() || call.out[0].rowMajor() == allRows(call);
}

/// Row-major operands are tilized before the kernel: where tiles are beside rows, and where rows are sharded.
bool tilizesFirst(const OpCall &call) {
  auto shardedRows = [](const TensorRef &operand) { return operand.rowMajor() && operand.sharded(); };
  return anyRows(call) && (!allRows(call) || llvm::any_of(call.in, shardedRows));
}

bool shardOfTiles(const TensorRef &tensor) {
  return !tensor.rowMajor() || !tensor.sharded() ||
         (tensor.layout->shard.rows % 32 == 0 && tensor.layout->shard.columns % 32 == 0);
}

bool tilizable(const OpCall &call) {
  return !tilizesFirst(call) || (llvm::all_of(call.in, shardOfTiles) && shardOfTiles(call.out[0]));
}

bool interleavedSince2026(const OpCall &call) {
  return call.context.version < BackendVersion::Newest || everythingInterleaved(call);
}

/// Of atan2, which is several kernels, the library takes none.
bool noActivations(const OpCall &call) {
  return llvm::none_of(kActivationLists,
                       [&](llvm::StringRef list) { return !call.op().string(list).empty(); });
}

// Strict on purpose: the library accepts such calls, and the device hangs.
constexpr RuleInfo kCores = {"binary.keeps_cores",
                             "a sharded result needs at least as many cores as each sharded operand",
                             "facts/ir 4.6 (hangs)", "tt-metal#34765"};

constexpr Rule kTiled = {{"binary.tiled", "element-wise ops need tiled operands", "facts/hardware 4.2"},
                         rowsOrTiles};
constexpr Rule kPages = {
    {"binary.result_pages", "the result is row-major if all operands are, else tiled", "ttnn 0.77.0"},
    resultPages};
constexpr Rule kTileShards = {{"binary.shards_of_tiles",
                               "row-major shards, which are tilized first, must be whole tiles: operands' "
                               "and result's heights and widths multiples of 32",
                               "ttnn 0.77.0"},
                              tilizable};
/// Interleaved rows are worked on row by row, and written as if the result had whole rows, too.
constexpr Rule kRowPages = {
    {"binary.row_pages",
     "of interleaved rows alone the result must have whole rows: no width or block shards",
     "ttnn 0.81.1, executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
    [](const OpCall &call) {
      const TensorRef &out = call.out[0];
      return call.context.version < BackendVersion::Newest || !allRows(call) || tilizesFirst(call) ||
             !out.sharded() || out.shardedAs(MemoryLayout::HeightSharded);
    }};
constexpr Rule kBroadcast = {kBroadcastRule, shapesBroadcast};
constexpr Rule kTypes = {
    {"binary.types", "the op needs a kernel for the operands' types: most take two of the same or two floats",
     "ttnn 0.77.0"},
    typesSupported,
    legalTypes};

/// Integers are divided as floats.
bool quotientType(const OpCall &call) {
  bool divides = call.row.name == "ttnn.divide" && answersAsNewest(call);
  bool whole = llvm::all_of(call.in, [](const TensorRef &in) { return isWhole(in.dtype()); });
  return !divides || !whole || call.out[0].dtype() == DataType::Float32;
}
constexpr Rule kQuotient = {{"binary.whole_quotient", "a quotient of integers is f32 (since 2026)",
                             "asked of ttnn 0.77.0 and 0.81.1 (binary_composite_op.cpp)"},
                            quotientType};

/// The kernel writes rows of shards by their last two dimensions.
bool shardsOfMatrices(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return !answersAsNewest(call) || !allRows(call) || !out.decided() || !out.sharded() || out.rank() >= 2;
}
constexpr Rule kShardRank = {{"binary.shard_rank",
                              "a result in row-major shards must have two dimensions or more (since 2026)",
                              "asked of ttnn 0.77.0 and 0.81.1 (binary_ng_utils.cpp)"},
                             shardsOfMatrices};

constexpr Rule kRules[] = {kTiled, kPages,    kTileShards,          kRowPages, kBroadcast,
                           kTypes, kQuotient, {kCores, keepsCores}, kShardRank};
constexpr Rule kAtan2Rules[] = {
    kTiled,
    kPages,
    kTileShards,
    kRowPages,
    kBroadcast,
    kTypes,
    {{"binary.atan2.no_height_sharding", "atan2 takes no height-sharded operand or result",
      "facts/formulas 4.2"},
     atan2Shards},
    {{"binary.atan2.no_activations", "atan2 takes no activations", "ttnn 0.77.0"}, noActivations},
};
constexpr Rule kGeluBackwardRules[] = {
    {{"gelu_bw.tiled", "gelu_bw needs tiled operands", "facts/hardware 4.2"}, allOperandsTiled},
    {{"gelu_bw.interleaved", "gelu_bw needs interleaved operands and an interleaved result", "ttnn 0.77.0"},
     interleavedSince2026},
    kBroadcast,
    {kCores, keepsCores},
};
constexpr Rule kRemainderRules[] = {
    kTiled,
    kPages,
    kTileShards,
    kRowPages,
    kBroadcast,
    kTypes,
    {kCores, keepsCores},
    {{"binary.remainder.no_height_sharding",
      "the remainder of backends before November 2025 takes no height-sharded operand or result",
      "facts/formulas 4.2"},
     remainderShards},
    kShardRank,
};

// ---- Memory ---------------------------------------------------------------------------------------------

bool allOf(const OpCall &call, bool (*holds)(DataType)) {
  return llvm::all_of(call.in, [&](const TensorRef &operand) { return holds(operand.dtype()); });
}
bool neverMatrix(const OpCall &) { return false; }
/// Comparisons of two bf16 go to the vector unit, those of bf16 and a block float do not.
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
// Ops without a row compute what is mixed, and bf16, on the matrix engine.
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
  bool fetched = llvm::any_of(call.in, [](const TensorRef &operand) { return !operand.sharded(); });
  if (fetched || !nativeSharded(call) || call.context.version < BackendVersion::Newest)
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

/// The operand as the kernel gets it: of another type if it is cast first.
TensorRef kernelOperand(const OpCall &call, size_t i) {
  TensorRef operand = call.in[i];
  if (std::optional<DataType> type = convertedType(call, i))
    operand.tile = tileBytes(*type).value();
  return operand;
}

/// L1 per core of a copy in tiles where the tensor lies.
int64_t tiledCopy(const OpCall &call, const TensorRef &tensor) {
  if (!tensor.l1())
    return 0;
  return tensor.sharded() ? call.perCore(tensor) : ceilDiv(tensor.tiles(), call.cores()) * tensor.tile;
}

/// Casts operand i, if it is cast.
void castOperand(const OpCall &call, MemoryUse &use, size_t i) {
  if (!convertedType(call, i))
    return;
  int64_t from = call.in[i].tile, to = kernelOperand(call, i).tile;
  use.program("typecast");
  use.buffer("operand", 2, from);
  use.buffer("result", 2, to);
  // The cast operand lies as the operand does, in tiles of another size.
  use.make(call.perCore(call.in[i]) * to / from);
}

/// Typecasts, and tilizing of row-major operands. Their results live to the end.
void prepareOperands(const OpCall &call, MemoryUse &use) {
  for (size_t i = 0; i < call.in.size(); ++i) {
    castOperand(call, use, i);
    TensorRef operand = kernelOperand(call, i);
    if (!operand.rowMajor() || !tilizesFirst(call))
      continue;
    use.make(tiledCopy(call, operand));
    // Programs of one name would be one to who adds up their buffers.
    constexpr llvm::StringLiteral kNames[] = {"tilize lhs", "tilize rhs"};
    tilizeProgram(call, use, operand, operand.tile, &operand, kNames[i]);
  }
  use.program("main");
}

/// The result that was made in tiles becomes rows.
void untilizeResult(const OpCall &call, MemoryUse &use) {
  const TensorRef &out = call.out[0];
  use.make(tiledCopy(call, out));
  untilizeProgram(call, use, out, out.tile, &out);
}

/// The result as the kernel makes it.
TensorRef kernelResult(const OpCall &call) {
  TensorRef result = call.out[0];
  if (keepsOperandType(call))
    result.tile = kernelOperand(call, 0).tile;
  return result;
}

/// In the order in which it runs: casts and tilizing, the kernel with a buffer for each operand that it activates,
/// and back to rows.
void binaryMemory(const OpCall &call, MemoryUse &use) {
  prepareOperands(call, use);
  TensorRef result = kernelResult(call);
  binaryBuffers(call, use, kernelOperand(call, 0), kernelOperand(call, call.in.size() - 1), result);
  for (size_t i = 0; i < call.in.size(); ++i)
    if (llvm::StringRef holds = activated(call, i); !holds.empty())
      use.buffer(holds, activatedTiles(call), kernelOperand(call, i).tile);
  if (tilizesFirst(call) && allRows(call))
    untilizeResult(call, use);
}

void atan2Memory(const OpCall &call, MemoryUse &use) {
  if (call.context.version >= BackendVersion::Newest)
    return binaryMemory(call, use);
  use.buffer("lhs, rhs, result and intermediate of the widest step", 8, call.in[0].tile);
  use.tensors(16 * call.perCore(call.out[0]));
}

void remainderMemory(const OpCall &call, MemoryUse &use) {
  if (call.context.version >= BackendVersion::Newest)
    return binaryMemory(call, use);
  constexpr int64_t f32Tile = 4096;
  use.buffer("f32 lhs, rhs, result and intermediate of the widest step", 8, f32Tile);
  // Both operands and each step's result in f32; the oldest sequence had a step more.
  int64_t copies = call.context.version <= BackendVersion::Autumn2025 ? 7 : 6;
  use.tensors(copies * call.perCore(call.out[0]) * f32Tile / call.out[0].tile);
}

/// Like the operand of most cores, but that an interleaved first operand in L1 decides alone.
void outputs(OpCall &call) {
  bool first = call.in[0].l1() && call.in[0].interleaved();
  if (first || call.context.version < BackendVersion::Newest)
    return outputsLikeOperand0(call);
  outputsLikeMostCores(call);
}

// ---- Time -----------------------------------------------------------------------------------------------

/// The kernel uses it where it lies, instead of fetching it tile by tile.
bool usedInPlace(const TensorRef &tensor) { return tensor.l1() && tensor.sharded() && fillsCores(tensor); }

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
    if (usedInPlace(operand) && call.context.version < BackendVersion::Newest)
      continue;
    slowest = std::max(slowest, latency(operand));
    sum += latency(operand);
    ++reads;
  }
  // One after the other, so that latencies add up and nothing hides the copying.
  if (row)
    return sum + call[P::BinaryFill];
  if (column)
    return call[P::BinaryColumn];
  return slowest * byteFactor(*call.parameters, out.tile) + std::max(0.0, reads - 1) * call[P::BinarySecond];
}

/// Programs beside the kernel's own: operands are cast, and those in rows become tiles, and the result rows again.
OpRuntime preparation(const OpCall &call) {
  OpRuntime time = conversionsTime(call);
  if (!tilizesFirst(call))
    return time;
  for (const TensorRef &operand : call.in)
    if (operand.rowMajor())
      addTime(time, tilizePlane(call, planeOf(operand, operand.tile), operand.dram()));
  if (allRows(call))
    addTime(time, untilizePlane(call, planeOf(call.out[0], call.out[0].tile), call.out[0].dram()));
  return time;
}

/// Cycles that activations take on the core that has `tiles` tiles of the result. A single element is activated once.
double activationTime(const OpCall &call, double tiles) {
  double cycles = tiles * activationCycles(call, call.op().string(kActivationLists[2]), call.out[0].tile);
  for (size_t i = 0; i < call.in.size(); ++i)
    cycles += (call.in[i].elements() == 1 ? 1 : tiles) *
              activationCycles(call, call.op().string(kActivationLists[i]), call.in[i].tile);
  return cycles;
}

/// In place only arithmetic counts. Else operands are fetched tile by tile, and the latency of that is what
/// decides.
OpRuntime runtime(const OpCall &call) {
  const TensorRef &lhs = call.in[0], &out = call.out[0];
  bool newest = call.context.version >= BackendVersion::Newest;
  // Ops that were composed until 2026 are one kernel like any other.
  bool native = nativeSharded(call) && (newest || call.row.variant == Plain), inPlace = usedInPlace(out);
  bool byRows = out.rowMajor() && !tilizesFirst(call);
  auto tiles = double(byRows    ? rowPieces(call, out, native && inPlace)
                      : newest  ? tilesOfCore(call, native && inPlace)
                      : inPlace ? out.shardTiles().volume()
                                : ceilDiv(out.tiles(), call.cores()));
  Work work;
  // Parameters are for tiles of 2048 bytes; what other formats take was fitted apart.
  double bytes = call[P::BinaryBytes] * (double(lhs.tile) / 2048 - 1);
  work.compute = tiles * call.row.cycles.of(call) * (1 + bytes) + activationTime(call, tiles);
  work.dramWriteRate = P::DramCopyWrite;
  work.start = call[P::BinaryShardedStart];
  if (!native) {
    bool scalar = call.in.size() < 2 || call.in[1].elements() == 1;
    bool dram = slowestPath(call) == Path::Dram;
    // A scalar is written into a whole tile before the first one.
    double once = scalar ? call[P::BinaryFill] / clockOf(call.device()) : 0;
    work.start = call[P::BinaryStart] + (dram ? call[P::BinaryStartDram] : 0) + once;
    work.noc = tiles * accessorCycles(call) * call[P::BinaryWormhole];
    addDramTraffic(call, work);
  }
  OpRuntime time = timeOf(call, work);
  addTime(time, preparation(call));
  bool composed = !newest && (call.row.variant == Composite || call.row.variant == Remainder);
  if (composed) // five programs more
    time.total += call.device().launch * 5, time.dispatch += call.device().launch * 5;
  return time;
}

/// Shards that are used in place, and other than height shards, are in no golden.
bool confirmed(const OpCall &call) {
  auto plain = [](const TensorRef &t) { return !t.sharded() || t.shardedAs(MemoryLayout::HeightSharded); };
  return !nativeSharded(call) && allOperandsTiled(call) && llvm::all_of(call.in, plain) && plain(call.out[0]);
}

constexpr llvm::StringRef kOperands[] = {"lhs", "rhs"};
const Family kBinary = {"eltwise_binary", kOperands, kRules,    outputs,
                        binaryMemory,     runtime,   confirmed, countOperands};
const Family kAtan2 = {"atan2", kOperands, kAtan2Rules, outputs, atan2Memory, runtime, tiledInterleaved};
const Family kGeluBackward = {"eltwise_binary", kOperands, kGeluBackwardRules, outputs,
                              binaryMemory,     runtime,   confirmed};
const Family kRemainder = {"remainder",     kOperands, kRemainderRules, outputs,
                           remainderMemory, runtime,   tiledInterleaved};
const OpRow kRows[] = {
    {"ttnn.add", &kBinary, 2, 2, 1, P::BinaryAdd},
    {"ttnn.atan2", &kAtan2, 2, 2, 1, P::BinaryAtan2, Composite},
    {"ttnn.bitwise_and", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.bitwise_or", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.bitwise_right_shift", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.bitwise_xor", &kBinary, 2, 2, 1, P::BinaryCompare},
    // 1420 instructions of the vector unit (evidence/kernel_counts.csv), where a sum has 30 of the matrix unit: as long as gelu by the number of
    // its own. No quotient in place was timed.
    {"ttnn.divide", &kBinary, 2, 2, 1, 900, Divide},
    {"ttnn.eq", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.ge", &kBinary, 2, 2, 1, P::BinaryCompare},
    {"ttnn.gelu_bw", &kGeluBackward, 2, 2, 1, P::BinaryGeluBackward},
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
};

} // namespace

Rows eltwiseBinaryRows() { return kRows; }

} // namespace tessera::analytic
