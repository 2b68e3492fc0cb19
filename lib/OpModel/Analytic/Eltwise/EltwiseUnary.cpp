//===- EltwiseUnary.cpp - One operand, one result, element by element ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Circular buffers (facts/formulas 4.1): two tiles of input and two
// of output; none if sharded, as both then alias the tensors' own buffers. Rows are
// worked on in pieces of a tile (tt-metal: unary_program_factory.cpp,
// typecast_device_op.cpp).
//
//===----------------------------------------------------------------------===//
#include "../Kernels.h"
#include "../Runtime.h"
#include "Eltwise.h"
#include "EltwiseTypes.h"
#include "tessera/OpModel/Activations.h"

namespace tessera::analytic {
namespace {

enum Variant : unsigned {
  Plain,
  WithTemporary, ///< kept an intermediate until 2026: two more input tiles, or a whole shard
  CubeRoot,      ///< the same; composed of several ops until September 2025
  Tanh,          ///< had temporaries until November 2025
  Typecast,
};

bool sameMemoryLayout(const OpCall &call) {
  return !call.out[0].decided() || call.in[0].layout->memory == call.out[0].layout->memory;
}

/// Newer kernels convert between interleaved and sharded on the way (tt-metal aa301f48dc).
bool convertsPlacement(const OpCall &call) { return call.context.version >= BackendVersion::Newest; }
bool unaryMemoryLayout(const OpCall &call) { return convertsPlacement(call) || sameMemoryLayout(call); }
bool samePageLayout(const OpCall &call) {
  return !call.out[0].decided() || call.in[0].rowMajor() == call.out[0].rowMajor();
}

bool tiledOrRows(const OpCall &call) { return convertsPlacement(call) || allOperandsTiled(call); }

bool sameShardGrid(const OpCall &call) {
  return !call.out[0].sharded() || samePlacement(call.in[0], call.out[0]);
}

bool unaryShardGrid(const OpCall &call) { return convertsPlacement(call) || sameShardGrid(call); }

bool sameShape(const OpCall &call) { return call.in[0].desc->shape == call.out[0].desc->shape; }
constexpr RuleInfo kSameShape = {"unary.same_shape", "the result needs the operand's shape",
                                 "facts/formulas 4.1"};

/// The kernel writes rows of shards by their last two dimensions; an interleaved result is asked for as such.
bool shardedMatrix(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  bool interleaved = out.decided() && !out.sharded();
  return !answersAsNewest(call) || !in.rowMajor() || !in.sharded() || in.rank() >= 2 || interleaved;
}

/// Elements of a page of rows: those of a whole row, or of the part that a width or block shard has.
int64_t pageElements(const TensorRef &rows) {
  bool parts = rows.sharded() && !rows.shardedAs(MemoryLayout::HeightSharded);
  return parts ? rows.shardUnits().columns : rows.width;
}
/// The kernel takes page after page, and writes as many, whatever is in them.
bool samePages(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !answersAsNewest(call) || !in.rowMajor() || !out.decided() || pageElements(in) == pageElements(out);
}

/// Integers that functions take since October 2026; all others take floats alone (asked of ttnn 0.81.1 for each).
struct WholeTypes {
  llvm::StringLiteral op;
  bool wide, unsignedWide, narrow, bytes; ///< si32, u32, u16, u8
};
constexpr WholeTypes kWhole[] = {
    {"ttnn.abs", true, true, true, true},           {"ttnn.bitcast_convert", true, true, true, true},
    {"ttnn.bitwise_not", true, true, false, false}, {"ttnn.clamp_scalar", true, false, false, false},
    {"ttnn.elu", false, false, false, true},        {"ttnn.leaky_relu", false, true, true, true},
    {"ttnn.logical_not", true, true, true, false},  {"ttnn.neg", true, false, false, false},
    {"ttnn.pow_scalar", true, true, true, false},   {"ttnn.relu", true, true, true, true},
    {"ttnn.relu6", true, true, true, true},         {"ttnn.softplus", false, false, false, true},
};

bool unaryType(const OpCall &call) {
  DataType type = call.in[0].dtype();
  if (!answersAsOctober2026(call) || !isWhole(type))
    return !answersAsNewest(call) || call.row.name != "ttnn.logical_not" || type != DataType::UInt8;
  const auto *row = llvm::find_if(kWhole, [&](const WholeTypes &row) { return row.op == call.row.name; });
  if (row == std::end(kWhole))
    return false;
  if (type == DataType::Int32)
    return row->wide;
  if (type == DataType::UInt8)
    return row->bytes;
  return type == DataType::UInt32 ? row->unsignedWide : row->narrow;
}

constexpr Rule kRules[] = {
    {kSameShape, sameShape},
    {{"unary.integers",
      "most functions take floats alone (since October 2026), logical_not no u8 (since 2026)",
      "asked of ttnn 0.77.0 and 0.81.1 (unary_device_operation.cpp)"},
     unaryType},
    {{"unary.tiled", "element-wise ops need a tiled operand", "facts/formulas 4.1"}, tiledOrRows},
    {{"unary.same_page_layout", "the result needs the operand's page layout; to_layout changes it",
      "facts/ir 1.4"},
     samePageLayout},
    {{"unary.same_memory_layout", "the result needs the operand's memory layout",
      "facts/formulas 4.1, facts/hardware 4.2"},
     unaryMemoryLayout},
    {{"unary.same_shard_grid", "a sharded result needs the operand's grid of cores",
      "facts/formulas 4.1, facts/hardware 4.2"},
     unaryShardGrid},
    {{"unary.shard_rank",
      "an operand in row-major shards must have two dimensions or more, unless the result is interleaved",
      "tt-metal 0.77 (unary_utils.cpp)"},
     shardedMatrix},
    {{"unary.row_pages",
      "rows must be cut into pieces of one width, if any, in the operand and in the result",
      "ttnn 0.81.1, executed (docs/programs.md)", "wrong values on ttsim 1.10.0"},
     samePages},
};

constexpr int64_t kAlignment = 16; ///< bytes of L1 rows

/// Of row-major shards, whose extents are elements; those of tiled shards are tiles.
int64_t shardBytes(const TensorRef &tensor) { return tensor.layout->shard.volume() * tensor.scalar; }
int64_t shardRowBytes(const TensorRef &tensor) { return tensor.layout->shard.columns * tensor.scalar; }

/// Shards are whole tiles' worth of rows.
bool shardOfPieces(const TensorRef &tensor) {
  return !tensor.rowMajor() || shardBytes(tensor) % tensor.tile == 0;
}

bool alignedRows(const OpCall &call) {
  const TensorRef &in = call.in[0];
  return !in.rowMajor() || !in.sharded() || shardRowBytes(in) % kAlignment == 0;
}

/// A typecast between types of equal size takes shards as they lie, tile by tile.
bool castsInPlace(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return in.l1() && in.sharded() && out.l1() && in.tile == out.tile && shardOfPieces(in);
}

/// Where the shard of the operand is the circular buffer, the core that has it is the one that works on it: the
/// result must have as many.
bool castCores(const OpCall &call) {
  if (call.context.version < BackendVersion::Newest)
    return sameShardGrid(call);
  return !castsInPlace(call) || call.out[0].shardCores() == call.in[0].shardCores();
}

/// Rows in shards are pages of a shard's width, which the program that does not cast in place pairs one by one.
bool pairsCastPages(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !answersAsOctober2026(call) || !in.rowMajor() || !in.sharded() || !out.sharded() ||
         castsInPlace(call) || in.layout->shard.columns == out.layout->shard.columns;
}

/// Block floats exist in tiles only.
bool keepsCastPages(const OpCall &call) {
  return samePageLayout(call) && !(call.in[0].rowMajor() && isBlockFloat(call.out[0].dtype()));
}

constexpr Rule kTypecastRules[] = {
    {kSameShape, sameShape},
    {{"typecast.same_page_layout",
      "the result of a typecast needs the operand's page layout; to_layout changes it", "facts/ir 1.4"},
     keepsCastPages},
    {{"typecast.same_memory_layout", "the result of a typecast needs the operand's memory layout",
      "facts/ir 4.6"},
     sameMemoryLayout},
    {{"typecast.aligned_rows", "rows of row-major shards must be multiples of 16 bytes", "ttnn 0.77.0"},
     alignedRows},
    {{"typecast.same_shard_grid",
      "a sharded result needs the operand's grid of cores, or as many where types of equal size "
      "are cast in place",
      "facts/hardware 4.2, ttnn 0.77.0"},
     castCores},
    {{"typecast.same_pages",
      "since October 2026 rows of row-major shards must be as wide as the operand's, unless types of equal "
      "size are cast in place",
      "asked of ttnn 0.77.0 and 0.81.1 (typecast_program_factory.cpp)"},
     pairsCastPages},
};

/// Intermediates that the kernel keeps, each as large as an operand's buffer.
int64_t temporaries(const OpCall &call) {
  BackendVersion version = call.context.version;
  bool kept = call.row.variant == WithTemporary || call.row.variant == CubeRoot;
  if (kept && version < BackendVersion::Newest)
    return 1;
  // The accurate tanh came in September 2025 and went in November.
  bool accurate = version >= BackendVersion::September2025 && version <= BackendVersion::EarlyNovember2025;
  return call.row.variant == Tanh && accurate ? 5 : 0;
}

/// Shards of another kind are fetched since October 2026, even if they lie on the same cores (asked of ttnn 0.81.1).
bool sameKind(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return !answersAsOctober2026(call) || in.layout->memory == out.layout->memory;
}

/// Since October 2026 rows that are no multiple of 16 bytes are fetched, too (asked of ttnn 0.81.1).
bool readableRows(const OpCall &call) { return !answersAsOctober2026(call) || alignedRows(call); }

/// The kernel uses shards where they lie.
bool nativeShards(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (call.context.version < BackendVersion::Newest)
    return in.sharded();
  if (call.row.variant == Typecast)
    return castsInPlace(call);
  return in.l1() && out.l1() && sameCores(in, out) && sameKind(call) && readableRows(call) &&
         wholeShards(in) && wholeShards(out) && shardOfPieces(in) && shardOfPieces(out);
}

/// Bytes that pass at once: a tile, also of rows; until 2026 a row. Rows of shards that a typecast fetches: one, until October 2026 (asked
/// of ttnn 0.77.0 and 0.81.1).
int64_t pageOf(const OpCall &call, const TensorRef &tensor) {
  if (tensor.tiled())
    return tensor.tile;
  if (call.context.version < BackendVersion::Newest)
    return tensor.rowBytes();
  bool byRows = call.row.variant == Typecast && tensor.sharded() && !answersAsOctober2026(call);
  return byRows ? shardRowBytes(tensor) : tensor.tile;
}

void memory(const OpCall &call, MemoryUse &use) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  // A typecast on the host takes nothing of any core.
  if (!in.onDevice())
    return;
  // The power of the absolute value, the sign and their product lived at once.
  if (call.row.variant == CubeRoot && call.context.version <= BackendVersion::September2025)
    use.tensors(3 * call.perCore(out));
  // Circular buffers alias both shards, so only what the kernel keeps beside them takes L1 (facts/formulas
  // 4.1).
  if (nativeShards(call)) {
    if (int64_t count = temporaries(call))
      use.buffer("intermediates", count * call.tilesPerCore(in), in.tile);
    return;
  }
  use.buffer("operand", 2, pageOf(call, in));
  if (int64_t count = temporaries(call))
    use.buffer("intermediates", 2 * count, pageOf(call, in));
  use.buffer("result", 2, pageOf(call, out));
}

constexpr StreamCost kFromDram = {P::UnaryStartDram, P::UnaryDram, P::UnaryL1};
constexpr StreamCost kFromL1 = {P::UnaryStartL1, P::UnaryDram, P::UnaryL1};

/// Four-byte elements take the vector unit longer.
double wide(const OpCall &call, int64_t tile) { return tile > 2048 ? call[P::UnaryWide] : 1; }

OpRuntime runtime(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!in.onDevice())
    return noTime();
  // A shard needs no fetching, so only arithmetic counts; start and latency were fitted apart for DRAM and L1.
  bool inPlace = slowestPath(call) == Path::Sharded && nativeShards(call);
  // Rows pass through the kernel in pieces of a tile, whichever row they belong to: those are what its loop
  // counts.
  int64_t tiles = in.rowMajor() ? rowPieces(call, in, inPlace) : tilesOfCore(call, inPlace);
  double compute = call.row.cycles.of(call);
  if (call.row.variant != Typecast)
    compute *= wide(call, in.tile);
  // Conversions to 32-bit integers go through the vector unit tile by tile; all others are a by-product of
  // packing.
  if (call.row.variant == Typecast && (out.dtype() == DataType::UInt32 || out.dtype() == DataType::Int32))
    compute = call[P::TypecastToInteger]; // the vector unit is at work
  if (inPlace) {
    Work work;
    work.compute = double(tiles) * compute;
    work.start = call[P::UnaryShardedStart];
    return timeOf(call, work);
  }
  if (call.row.variant == Typecast)
    return streamTime(call, tiles, kTypecastTiles, compute);
  return streamTime(call, tiles, in.dram() ? kFromDram : kFromL1, compute);
}

/// The kernel finds shards by their addresses since 2026, so that those of the result may lie on other cores.
bool dropoutShardGrid(const OpCall &call) { return answersAsNewest(call) || sameShardGrid(call); }

void dropoutMemory(const OpCall &call, MemoryUse &use) {
  if (!answersAsOctober2026(call))
    return memory(call, use);
  use.buffer("operand", 2, call.in[0].tile);
  use.buffer("result", 2, call.out[0].tile);
}

/// The kernel's result is of bf16, and the operand must be of the same type.
bool dropoutType(const OpCall &call) {
  return !answersAsNewest(call) || call.in[0].dtype() == DataType::BFloat16;
}

constexpr Rule kDropoutRules[] = {
    {{"dropout.tiled", "dropout needs a tiled operand", "tt-metal source"}, allOperandsTiled},
    {{"dropout.same_memory_layout", "the result needs the operand's memory layout", "tt-metal source"},
     sameMemoryLayout},
    {{"dropout.same_shard_grid", "a sharded result needs the operand's grid of cores", "tt-metal source"},
     dropoutShardGrid},
    {{"dropout.type", "dropout takes bf16 only", "ttnn 0.77.0 and 0.81.1 (dropout_device_operation.cpp)"},
     dropoutType},
};

/// Height shards only: the goldens have no other kind.
bool confirmed(const OpCall &call) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  return in.tiled() && (!in.sharded() || in.shardedAs(MemoryLayout::HeightSharded)) &&
         in.sharded() == out.sharded();
}

constexpr llvm::StringRef kOperands[] = {"operand"};
const Family kDropout = {"dropout",     kOperands, kDropoutRules, outputsLikeOperand0,
                         dropoutMemory, runtime,   neverConfirmed};
const Family kUnary = {"eltwise_unary", kOperands, kRules,    outputsLikeOperand0,
                       memory,          runtime,   confirmed, countUnary};
const Family kTypecast = {"typecast", kOperands, kTypecastRules,   outputsLikeOperand0,
                          memory,     runtime,   tiledInterleaved, countUnary};

// Cycles per tile: exp fitted on Wormhole (hundreds of shapes), relu, neg, reciprocal and atan on Blackhole
// (1 - 19 rows), erf on one Wormhole row; the others by the length of their SFPU sequence relative to exp,
// unconfirmed.
const OpRow kRows[] = {
    {"ttnn.abs", &kUnary, 1, 1, 1, 300},
    {"ttnn.acos", &kUnary, 1, 1, 1, 2500},
    {"ttnn.acosh", &kUnary, 1, 1, 1, 2500},
    {"ttnn.asin", &kUnary, 1, 1, 1, 2500},
    {"ttnn.asinh", &kUnary, 1, 1, 1, 2500},
    {"ttnn.atan", &kUnary, 1, 1, 1, P::UnarySequence},
    {"ttnn.atanh", &kUnary, 1, 1, 1, 2500},
    {"ttnn.bitcast_convert", &kUnary, 1, 1, 1, 300},
    {"ttnn.bitwise_not", &kUnary, 1, 1, 1, 300},
    {"ttnn.cbrt", &kUnary, 1, 1, 1, 2500, CubeRoot},
    {"ttnn.ceil", &kUnary, 1, 1, 1, 400},
    {"ttnn.clamp_scalar", &kUnary, 1, 1, 1, 400},
    {"ttnn.cos", &kUnary, 1, 1, 1, 1500},
    {"ttnn.cosh", &kUnary, 1, 1, 1, 2500},
    {"ttnn.dropout", &kDropout, 1, 1, 1, 600},
    {"ttnn.elu", &kUnary, 1, 1, 1, 2090},
    {"ttnn.erf", &kUnary, 1, 1, 1, P::UnaryErf},
    {"ttnn.erfc", &kUnary, 1, 1, 1, P::UnaryErf},
    {"ttnn.exp", &kUnary, 1, 1, 1, P::UnaryExp},
    {"ttnn.expm1", &kUnary, 1, 1, 1, 2200},
    {"ttnn.floor", &kUnary, 1, 1, 1, 400},
    {"ttnn.gelu", &kUnary, 1, 1, 1, P::UnarySequence},
    {"ttnn.hardshrink", &kUnary, 1, 1, 1, 600, WithTemporary},
    {"ttnn.hardsigmoid", &kUnary, 1, 1, 1, 500},
    {"ttnn.hardswish", &kUnary, 1, 1, 1, 600},
    {"ttnn.isfinite", &kUnary, 1, 1, 1, 400},
    {"ttnn.leaky_relu", &kUnary, 1, 1, 1, 350},
    {"ttnn.log", &kUnary, 1, 1, 1, 1500},
    {"ttnn.log1p", &kUnary, 1, 1, 1, 1600},
    {"ttnn.log2", &kUnary, 1, 1, 1, 1500},
    {"ttnn.logical_not", &kUnary, 1, 1, 1, 300},
    {"ttnn.mish", &kUnary, 1, 1, 1, 3000},
    {"ttnn.neg", &kUnary, 1, 1, 1, P::UnarySimple},
    {"ttnn.pow_scalar", &kUnary, 1, 1, 1, 1500},
    {"ttnn.reciprocal", &kUnary, 1, 1, 1, P::UnarySimple},
    {"ttnn.relu", &kUnary, 1, 1, 1, P::UnarySimple},
    {"ttnn.relu6", &kUnary, 1, 1, 1, 350},
    {"ttnn.round", &kUnary, 1, 1, 1, 400},
    {"ttnn.rsqrt", &kUnary, 1, 1, 1, 1000},
    {"ttnn.sigmoid", &kUnary, 1, 1, 1, 1800},
    {"ttnn.sign", &kUnary, 1, 1, 1, 300},
    {"ttnn.silu", &kUnary, 1, 1, 1, 2000},
    {"ttnn.sin", &kUnary, 1, 1, 1, 1500},
    {"ttnn.sinh", &kUnary, 1, 1, 1, 2500},
    {"ttnn.softsign", &kUnary, 1, 1, 1, 900},
    {"ttnn.sqrt", &kUnary, 1, 1, 1, 900},
    {"ttnn.tan", &kUnary, 1, 1, 1, 1800},
    {"ttnn.tanh", &kUnary, 1, 1, 1, 1500, Tanh},
    {"ttnn.trunc", &kUnary, 1, 1, 1, 400},
    {"ttnn.typecast", &kTypecast, 1, 1, 1, 300, Typecast, true},
};

} // namespace

double activationCycles(const OpCall &call, llvm::StringRef activations, int64_t tile) {
  double cycles = 0;
  // A list that cannot be parsed takes no time: whether it is legal is asked elsewhere.
  for (const Activation &activation :
       parseActivations(activations).value_or(llvm::SmallVector<Activation>())) {
    const OpRow *row = findRow(("ttnn." + unaryOpOf(activation.name)).str());
    Cycles each = row && row->family == &kUnary ? row->cycles : Cycles(P::UnarySequence);
    cycles += each.of(call) * wide(call, tile);
  }
  return cycles;
}

Rows eltwiseUnaryRows() { return kRows; }

} // namespace tessera::analytic
