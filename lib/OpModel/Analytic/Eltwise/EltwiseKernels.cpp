//===- EltwiseKernels.cpp - Counts of element-wise kernels ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// All fetch a tile of each operand, wait for them together, work on them, and send
// the result's. Operands of another shape are fetched again for every tile of the
// result, however few their tiles are; what is less than a tile is spread over one by
// the reader, in types that the engine does not spread. Shards that are all full and
// lie alike are worked on where they are; others are shared out as if they were not
// sharded, and fetched from the cores that hold them.
//
//===----------------------------------------------------------------------===//
#include "../Counting.h"
#include "../Kernels.h"
#include "Eltwise.h"
#include "EltwiseTypes.h"

#include <algorithm>

namespace tessera::analytic {
namespace {

// Fitted to evidence/kernel_counts.csv, as all steps and loads in this file.
constexpr PageLoop kUnary = {.readerSteps = 57, .writerSteps = 61};

bool tilesOnDevice(const TensorRef &tensor) {
  return tensor.decided() && tensor.tiled() && tensor.onDevice();
}
bool anySharded(const OpCall &call) {
  return call.out[0].sharded() || llvm::any_of(call.in, [](const TensorRef &in) { return in.sharded(); });
}

bool fullShards(const TensorRef &tensor) {
  GridShape shard = tensor.shardTiles();
  return tensor.sharded() && tensor.l1() && tensor.tileRows % shard.rows == 0 &&
         tensor.tileCols % shard.columns == 0;
}

/// Nothing moves but a number that height shards are combined with.
bool worksInPlace(const OpCall &call) {
  const TensorRef &out = call.out[0];
  return fullShards(out) && llvm::all_of(call.in, [&](const TensorRef &in) {
           bool number = in.elements() == 1 && out.elements() > 1 && !in.sharded();
           if (number)
             return out.shardedAs(MemoryLayout::HeightSharded);
           return samePlacement(in, out) && in.layout->shard == out.layout->shard;
         });
}

/// Instructions of the math thread for a tile, as counted: evidence/kernel_counts.csv, median over types.
struct MathOf {
  llvm::StringLiteral op;
  double narrow, wide; ///< elements of up to 16 bits; of 32, where sums go through the vector unit
};
constexpr MathOf kMath[] = {
    {"ttnn.abs", 180, 180},         {"ttnn.add", 30, 240},          {"ttnn.addcmul", 310, 310},
    {"ttnn.atan", 1590, 1590},      {"ttnn.divide", 1420, 1580},    {"ttnn.eq", 290, 540},
    {"ttnn.erf", 1750, 1750},       {"ttnn.exp", 710, 1360},        {"ttnn.ge", 590, 420},
    {"ttnn.gelu", 2670, 3080},      {"ttnn.gt", 400, 300},          {"ttnn.le", 590, 340},
    {"ttnn.logical_and", 250, 650}, {"ttnn.logical_not", 270, 270}, {"ttnn.logical_or", 240, 240},
    {"ttnn.lt", 530, 360},          {"ttnn.maximum", 220, 190},     {"ttnn.minimum", 190, 155},
    {"ttnn.multiply", 670, 250},    {"ttnn.neg", 190, 190},         {"ttnn.reciprocal", 460, 690},
    {"ttnn.relu", 205, 205},        {"ttnn.rsqrt", 1170, 1030},     {"ttnn.sigmoid", 1440, 1630},
    {"ttnn.sign", 360, 360},        {"ttnn.silu", 1320, 2070},      {"ttnn.sqrt", 1105, 1105},
    {"ttnn.subtract", 30, 230},     {"ttnn.tanh", 545, 545},        {"ttnn.typecast", 50, 290},
    {"ttnn.where", 275, 285},
};

/// How an operand lies over the result.
struct Spread {
  bool number; ///< of each matrix
  bool row, column;

  bool any() const { return number || row || column; }
};
Spread spreadOf(const TensorRef &in, const TensorRef &out) {
  bool number = in.height == 1 && in.width == 1 && (out.height > 1 || out.width > 1);
  return {number, !number && in.height == 1 && out.height > 1, !number && in.width == 1 && out.width > 1};
}

/// Rows of tiles that a core's share of the result touches: so often it fetches a tile of a column.
int64_t rowsTouched(const Share &share, const TensorRef &out) {
  int64_t most = share.most, columns = out.tileCols;
  if (most % columns == 0)
    return most / columns;
  // At worst a run begins with the last tile of one row and ends with the first of another.
  return columns % most == 0 ? 1 : (most - 2) / columns + 2;
}

/// Matrices that a core's share of the result touches, of which `in` has several numbers: so often it fills a tile with one.
int64_t matricesTouched(const Share &share, const TensorRef &in, const TensorRef &out) {
  if (in.elements() == 1)
    return 1;
  int64_t matrix = out.tileRows * out.tileCols;
  if (share.most % matrix == 0)
    return share.most / matrix;
  return matrix % share.most == 0 ? 1 : (share.most - 2) / matrix + 2;
}

/// What an operand of another shape than the result's costs the reader. The engine spreads some, and the reader the others: a row
/// of f32 by copies within the core, since October 2026 over the NoC, and on Blackhole columns and numbers of 32 bits by stores.
/// What has three operands leaves all to the reader.
void addSpread(const OpCall &call, KernelCounts &program, const TensorRef &in, const Share &share) {
  const TensorRef &out = call.out[0];
  Spread spread = spreadOf(in, out);
  bool newer = call.context.version >= BackendVersion::October2026;
  bool wide = in.scalar > 2, f32 = in.dtype() == DataType::Float32, ternary = call.in.size() > 2;
  bool stored = wide && (call.device().arch == Arch::Blackhole || !newer);
  double tiles = double(share.most);
  if (spread.number)
    program.reader.add(double(matricesTouched(share, in, out)), {.steps = stored    ? 3000.0
                                                                          : ternary ? 1900.0
                                                                                    : 0.0});
  if (spread.row) {
    // Half a thousand words, each loaded and stored (tt-metal: fill_tile_with_first_row_bfloat16), whatever the version.
    if (ternary && !wide)
      program.reader.add(tiles, {.steps = 3300, .l1Loads = 500});
    else if (!newer)
      program.reader.add(tiles, {.steps = wide ? 14000.0 : 700.0});
    else if (f32)
      program.reader.add(tiles, {.steps = 122, .reads = 9, .readWaits = 5});
    else if (ternary)
      program.reader.add(tiles, {.steps = 3300, .l1Loads = 500});
  }
  if (spread.column)
    program.reader.add(double(rowsTouched(share, out)), {.steps = stored    ? 2240.0
                                                                  : ternary ? 2700.0
                                                                            : 0.0,
                                                         .l1Loads = 32});
}

/// On shards where they lie; `program` has the cores and the tiles.
KernelCounts inPlace(const OpCall &call) {
  const TensorRef &out = call.out[0];
  GridShape shard = out.shardTiles();
  int64_t shards = out.tiles() / std::max<int64_t>(1, shard.volume());
  KernelCounts program = beginProgram(call, "element-wise in place", shards);
  bool several = call.in.size() > 1;
  program.reader.steps += several ? 20 : -20;
  program.writer.steps += several ? 0 : double(shard.volume());
  program.writer.writeWaits -= 1;
  for (const TensorRef &in : call.in)
    if (!in.sharded()) {
      program.reader.add(1, {.steps = 600, .reads = 1, .readBytes = double(in.tile), .readWaits = 1});
      Pages pages = pagesOf(in);
      pages.times = double(shards);
      addReads(call, program, pages);
    }
  addTiles(call, program, double(shard.volume()), eltwiseMath(call));
  program.tensix.unpacks += 4 * double(shard.volume() * int64_t(call.in.size() - 1));
  return program;
}

/// Pages of a tensor that all cores fetch: those of shards from the cores that hold them.
void addFetches(const OpCall &call, KernelCounts &program, const TensorRef &in, double times) {
  Pages pages = pagesOf(in);
  pages.times = times;
  addReads(call, program, pages);
  if (!in.sharded())
    return;
  double most = double(in.shardTiles().volume()) * times;
  double spread = std::ceil(pages.count / double(call.cores())) * times; // as addReads takes them to lie
  program.serves += most - spread;
  program.servedBytes += (most - spread) * double(in.tile);
}

} // namespace

double eltwiseMath(const OpCall &call) {
  bool wide = call.in[0].scalar > 2 || call.out[0].scalar > 2;
  const MathOf *found = llvm::find_if(kMath, [&](const MathOf &math) { return math.op == call.row.name; });
  if (found != std::end(kMath))
    return wide ? found->wide : found->narrow;
  return call.row.cycles.of(call) / call[P::MachineMath];
}

Counted countUnary(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &in = call.in[0], &out = call.out[0];
  if (!tilesOnDevice(in) || !tilesOnDevice(out))
    return countUnaryRows(call, programs);
  if (worksInPlace(call)) {
    programs.push_back(inPlace(call));
    return OpRuntime();
  }
  Share share = shareOut(out.tiles(), call.cores());
  bool shards = anySharded(call);
  KernelCounts program = beginProgram(call, shards ? "unary of shards" : "unary", share.cores);
  addPages(program, kUnary, double(share.most), double(in.tile), double(out.tile));
  addTiles(call, program, double(share.most), eltwiseMath(call));
  addFetches(call, program, in, 1);
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  return OpRuntime();
}

/// Two or three operands.
Counted countOperands(const OpCall &call, ProgramCounts &programs) {
  const TensorRef &out = call.out[0];
  if (!tilesOnDevice(out) || !llvm::all_of(call.in, tilesOnDevice))
    return countOperandRows(call, programs);
  if (worksInPlace(call)) {
    programs.push_back(inPlace(call));
    return OpRuntime();
  }
  Share share = shareOut(out.tiles(), call.cores());
  double most = double(share.most), operands = double(call.in.size());
  bool spreads = llvm::any_of(call.in, [&](const TensorRef &in) {
    return in.tiles() != out.tiles() || in.width != out.width || in.height != out.height;
  });
  // Shards that a column is spread over are used as they lie, which nothing was counted of.
  bool inShards = nativeSharded(call);
  KernelCounts program = beginProgram(call,
                                      spreads && !inShards ? "broadcast"
                                      : anySharded(call)   ? "element-wise of shards"
                                                           : "element-wise",
                                      share.cores);
  program.reader.add(1, {.steps = 235 + 80 * (operands - 2), .l1Loads = 18});
  program.writer.add(1, {.steps = 180, .l1Loads = 13});
  program.reader.readWaits += most;
  program.writer.writeWaits -= 1;
  program.writer.add(most, {.steps = 63, .writes = 1, .writeBytes = double(out.tile), .writeWaits = 1});
  addTiles(call, program, most, eltwiseMath(call));
  bool waitsForEach =
      operands > 2 && llvm::any_of(call.in, [&](const TensorRef &in) { return spreadOf(in, out).any(); });
  double fetched = 0;
  for (const TensorRef &in : call.in) {
    // What is spread over the output is fetched less often than once per tile, and how often decides the time.
    Spread spread = spreadOf(in, out);
    double fetches = spread.number   ? double(matricesTouched(share, in, out))
                     : spread.column ? double(rowsTouched(share, out))
                                     : most;
    program.reader.add(fetches, {.steps = 62, .reads = 1, .readBytes = double(in.tile)});
    // These are waited for by themselves, the others together.
    program.reader.readWaits += !waitsForEach && fetches != most ? fetches : 0;
    program.tensix.unpacks += 4 * fetches;
    fetched += fetches;
    addSpread(call, program, in, share);
    double all = spread.number || spread.column ? double(share.cores) * fetches : double(out.tiles());
    addFetches(call, program, in, std::max(1.0, all / pagesOf(in).count));
  }
  program.reader.readWaits += waitsForEach ? fetched - most : 0;
  addWrites(call, program, pagesOf(out));
  programs.push_back(program);
  // Casts of integers beside floats are left to their formula.
  return conversionsTime(call);
}

} // namespace tessera::analytic
