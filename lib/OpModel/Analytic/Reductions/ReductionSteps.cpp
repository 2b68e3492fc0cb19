//===- ReductionSteps.cpp - A reduction as the programs it runs since 2026 ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Source: tt-metal 0.77, generic_reductions.cpp, and what the library records.
//
//   1. padding of the operand is filled where it lies (bfp8: in a copy of bf16); rows are tilized instead before the first reduction, unless
//      all of it is done in rows (ReductionRows.cpp)
//   2. sum of bf16 or bfp8: outer dimensions one after the other, without moving anything
//   3. width, then height; a sum of bf16 over both keeps f32 in between, and since October 2026 most sums and means over several dimensions
//   4. other outer dimensions, the last first: swapped with the height, reduced as height, swapped back
//   5. dimensions that are not kept are reshaped away
//
// Reduced tensors are cut anew for the cores they lie on. Those of steps 2 and 4 keep the shards that were asked for, and must
// fit them. Swaps need less circular buffers than the reductions between them, and are left out.
//
//===----------------------------------------------------------------------===//
#include "ReductionSteps.h"

#include "../Conversions/Tilize.h"
#include "../Movement/Reshape.h"
#include "../Shards.h"

#include <numeric>
#include <utility>

namespace tessera::analytic {
namespace {

constexpr int64_t kBf16Tile = 2048, kF32Tile = 4096;

/// Where a tensor lies.
struct Place {
  bool l1 = false;
  std::optional<MemoryLayout> shards; ///< nullopt: interleaved
  GridShape grid;                     ///< of cores; n x 1 and 1 x n if height- and width-sharded
  GridShape shard;                    ///< tiles

  bool widthShards() const { return l1 && shards == MemoryLayout::WidthSharded; }
};

Place placeOf(const TensorRef &tensor) {
  Place place{tensor.l1(), std::nullopt, {}, {}};
  if (tensor.sharded()) {
    place.shards = tensor.layout->memory;
    place.grid = tensor.layout->grid;
    place.shard = tensor.shardTiles();
  }
  return place;
}

/// Where the query says that the result lies; nullptr if it leaves that open. The call's own result is none to go by: it lies
/// where the backend will put it, once that is decided.
const TensorLayout *wishOf(const OpCall &call) {
  llvm::ArrayRef<LayoutId> outputs = call.query.config.outputs;
  bool asked = !outputs.empty() && outputs.front().valid();
  return asked ? &call.context.layouts[outputs.front()] : nullptr;
}

Place placeAsked(const OpCall &call) {
  const TensorLayout *wish = wishOf(call);
  return placeOf(wish ? makeTensorRef(*call.out[0].desc, wish) : call.in[0]);
}

int64_t largestDivisor(int64_t number, int64_t most) {
  int64_t divisor = std::min(number, most);
  while (number % divisor != 0)
    --divisor;
  return divisor;
}

/// Rows and columns of tiles of a tensor.
GridShape tilesOf(llvm::ArrayRef<int64_t> shape) {
  int64_t rows = ceilDiv(shape[shape.size() - 2], 32);
  for (int64_t dim : shape.drop_back(2))
    rows *= dim;
  return {rows, ceilDiv(shape.back(), 32)};
}

/// The place cut anew for `tiles`. A single row of shards counts as width shards.
Place cutFor(Place place, GridShape tiles) {
  if (!place.shards)
    return place;
  bool byRows = place.shards != MemoryLayout::WidthSharded,
       byColumns = place.shards != MemoryLayout::HeightSharded;
  place.shard = {byRows ? ceilDiv(tiles.rows, place.grid.rows) : tiles.rows,
                 byColumns ? ceilDiv(tiles.columns, place.grid.columns) : tiles.columns};
  if (place.shards == MemoryLayout::HeightSharded && place.shard.rows >= tiles.rows) {
    place.shards = MemoryLayout::WidthSharded;
    std::swap(place.grid.rows, place.grid.columns);
  }
  return place;
}

/// Circular buffers and intermediate tensors of the steps, in order.
class Walk {
public:
  Walk(const OpCall &call, llvm::ArrayRef<int64_t> dims, bool negates, MemoryUse &use)
      : call(call), in(call.in[0]), negates(negates), use(use), tensors(use), tile(in.tile),
        given(placeAsked(call)), place(placeOf(in)), rows(in.rowMajor()) {
    ReducedShape seen(in, dims);
    shape = std::move(seen.shape);
    reduced = std::move(seen.reduced);
  }

  ReductionSteps walk() {
    size_t rank = shape.size();
    bool width = reduced[rank - 1], height = reduced[rank - 2];
    bool sums = call.row.name == "ttnn.sum", bf16 = in.dtype() == DataType::BFloat16;
    // Counted down by nextTile(), as what is kept in between depends on how many reductions follow.
    left = llvm::count(reduced, true);
    keepsF32 = bf16 && keepsF32Between(call, left, width && height);
    fillPadding();
    // The kernel of outer dimensions adds up in bf16 and block floats; f32 and integers go by way of a swap (step 4).
    if (sums && (bf16 || blockFloat()))
      sumOuterDims();
    heightAndWidth = width && height && left == 2;
    if (heightAndWidth && tileAtOnce()) {
      left = 1;
      shape[rank - 2] = 1;
      height = false;
    }
    // Two reductions in bf16 would round twice, so the library keeps f32 in between (step 3).
    if (width)
      reduceWidth(sums && bf16 && height ? (--left, kF32Tile) : nextTile());
    // One call reduces both, and frees tiles that it made of rows behind them.
    if (heightAndWidth && height)
      stayHeld();
    if (height)
      reduceHeight(nextTile());
    for (size_t d = rank - 2; d-- > 0;)
      if (reduced[d])
        reduceSwapped(d);
    if (!call.op().boolean("keep_dim", true))
      dropDims(width);
    // Cut anew at each step, the result may lie in other shards than the operand does, and than an undecided
    // result would follow.
    steps.result = layoutOfResult();
    return steps;
  }

private:
  bool addsUp() const { return call.row.name == "ttnn.sum" || call.row.name == "ttnn.mean"; }

  /// Of what the next reduction makes.
  /// Counts down: to be asked once for each reduction, before it is made.
  int64_t nextTile() { return --left > 0 && keepsF32 ? kF32Tile : in.tile; }

  // ---- Bookkeeping ----------------------------------------------------------------------------------------

  void program(llvm::StringRef name) { use.program(name); }
  void buffer(llvm::StringRef holds, int64_t pages, int64_t bytes) { use.buffer(holds, pages, bytes); }

  int64_t bytesAt(const Place &where, int64_t tileBytes) const {
    if (!where.l1)
      return 0;
    if (where.shards)
      return where.shard.volume() * tileBytes;
    return ceilDiv(tilesOf(shape).volume(), call.cores()) * tileBytes;
  }

  /// The next tensor lies at `where`; the one before it is freed then.
  void moveTo(const Place &where, int64_t tileBytes) {
    place = where;
    tile = tileBytes;
    tensors.step(bytesAt(where, tileBytes));
  }

  /// Each of `lines` lines of so many tiles is one core's work.
  void work(int64_t lines, int64_t tiles) { steps.tilesOfCore += ceilDiv(lines, call.cores()) * tiles; }

  /// The kernels of the program just named, for ReductionKernels.cpp.
  void count(ReductionProgram::Kind kind, int64_t lines, int64_t tiles, int64_t depth, int64_t from,
             int64_t to, const Place &next, int64_t results) {
    ReductionProgram program{kind, lines, tiles, from, to};
    program.together = std::max<int64_t>(1, depth / 2);
    program.fromL1 = place.l1;
    program.toL1 = next.l1;
    program.results = results;
    steps.programs.push_back(program);
  }

  /// The same with the shards that were asked for.
  void moveToGiven() {
    steps.fitsShards &= shardsHold(given.shards, given.grid, given.shard, tilesOf(shape));
    moveTo(given, tile);
  }

  bool blockFloat() const { return isBlockFloat(in.dtype()); }

  // ---- Steps ----------------------------------------------------------------------------------------------

  /// A single tile is reduced over width and height by one program, but for what 32 bits would round or the kernel cannot do (asked
  /// of ttnn 0.77.0 and 0.81.1).
  bool tileAtOnce() const {
    if (tilesOf(shape).volume() != 1)
      return false;
    bool october = answersAsOctober2026(call), least = call.row.name == "ttnn.min";
    switch (in.dtype()) {
    case DataType::BFloat16:
      return !(october && least);
    case DataType::Float32:
      return !october && (least || call.row.name == "ttnn.sum");
    default:
      return in.dtype() != DataType::Int32;
    }
  }

  int64_t paddedDims() const { return (in.height % 32 != 0) + (in.width % 32 != 0); }

  void fillPadding() {
    if (rows || paddedDims() == 0)
      return;
    steps.padsShards = !in.sharded() || !in.l1() || in.batch == 1;
    int64_t filled = blockFloat() ? kBf16Tile : tile;
    if (blockFloat()) {
      castBuffers();
      // Widened, filled, and made block floats again: which then lie beside the operand to the end.
      tensors.step(bytesAt(place, kBf16Tile));
      tensors.step(bytesAt(place, tile));
      tensors.keep();
      countCast(tile, kBf16Tile);
    }
    // The first step: all is still as the operand lies.
    steps.programs.push_back(fillingOf(in, filled));
    if (blockFloat())
      countCast(kBf16Tile, tile);
    program("fill padding");
    buffer("operand and result", 4, filled);
    buffer("masks", paddedDims(), filled);
  }

  void countCast(int64_t from, int64_t to) {
    int64_t tiles = tilesOf(shape).volume();
    steps.counted &= !place.shards;
    count(ReductionProgram::Cast, tiles, 1, 2, from, to, place, tiles);
  }

  void castBuffers() {
    program("typecast");
    buffer("operand and result", 2, tile + kBf16Tile);
  }

  /// Rows are tilized before the first kernel, with the padding that it needs: what that makes, where the current tensor lies.
  int64_t tilizedRows() {
    rows = false;
    // Where operand and result are negated, that is done where the result is.
    place = negates ? given : place;
    TensorDesc desc = current();
    TensorLayout layout = placed(desc, PageLayout::Tile);
    tilizeProgram(call, use, makeTensorRef(desc, &layout), tile);
    steps.counted = false;
    return bytesAt(place, tile);
  }

  TensorDesc current() const { return {Shape(llvm::ArrayRef<int64_t>(shape)), in.dtype()}; }

  /// Tiles that were made of rows are there during the next step, too.
  void stayHeld() {
    if (held > 0)
      tensors.beside(held);
  }

  TensorLayout placed(const TensorDesc &desc, PageLayout page) const {
    return place.l1 ? l1Interleaved(desc, call.device().workerGrid, page) : dramInterleaved(desc, page);
  }

  void sumOuterDims() {
    bool any = false;
    for (size_t d = shape.size() - 2; d-- > 0;) {
      if (!reduced[d])
        continue;
      reduced[d] = false;
      if (rows) {
        // They are wanted where the result is, and stay until all is summed up.
        place = given;
        tensors.step(held = tilizedRows());
      } else {
        stayHeld();
      }
      any = true;
      sumOuterDim(d);
    }
    if (!any)
      return;
    if (paddedDims() > 0) {
      steps.counted = false;
      program("slice");
      buffer("tiles", 2, tile);
      stayHeld();
      moveToGiven();
    }
    held = 0;
    // The sum takes the operand's place.
    tensors.keep();
  }

  void sumOuterDim(size_t d) {
    program("sum outer dimension");
    // So many tiles are added up at once as go into the dimension evenly, and as many more are under way.
    int64_t depth = 2 * largestDivisor(shape[d], 8), from = tile;
    buffer("operand", depth, tile);
    buffer("zeros", 1, kBf16Tile);
    buffer("intermediate", answersAsOctober2026(call) ? 0 : 1, kF32Tile);
    tile = nextTile();
    buffer("result", 2, tile);
    int64_t added = std::exchange(shape[d], 1), results = tilesOf(shape).volume();
    work(results, added);
    count(ReductionProgram::SumOuter, results, added, depth, from, tile, given, results);
    moveToGiven();
  }

  /// Integers are scaled by bf16, too (asked of ttnn 0.77.0 and 0.81.1).
  int64_t scaler() const {
    return tile == kF32Tile && in.dtype() != DataType::Int32 && in.dtype() != DataType::UInt32 ? kF32Tile
                                                                                               : kBf16Tile;
  }
  /// Tiles of the operand on their way: since October 2026 eight, if every core has four pieces of work at least. `lines` of so
  /// many pieces are shared out.
  int64_t operandDepth(int64_t lines, int64_t pieces) const {
    int64_t least = std::max<int64_t>(1, lines / call.cores()) * pieces;
    return answersAsOctober2026(call) && !negates && least >= 4 ? 8 : 2;
  }

  void reduceWidth(int64_t resultTile) {
    if (rows)
      tensors.step(held = tilizedRows());
    GridShape before = tilesOf(shape);
    work(before.rows, before.columns);
    shape.back() = 1;
    Place next = cutFor(given, tilesOf(shape));
    bool inPlace = keepsHeightShards(next, before.rows);
    program("reduce width");
    int64_t depth = inPlace ? 2 : operandDepth(before.rows, before.columns);
    buffer("operand", depth, tile);
    buffer("scaler", 1, scaler());
    buffer("result", inPlace ? 0 : 2, resultTile);
    buffer("accumulator and its negative", negates ? 2 : 0, resultTile);
    // The kernel that writes into shards in place is another one, of which nothing was counted.
    steps.counted &= !inPlace;
    count(ReductionProgram::Width, before.rows, before.columns, depth, tile, resultTile, next, before.rows);
    moveTo(next, resultTile);
  }

  /// Since October 2026 each core writes into its shard of the result if that has the rows of its shard of the operand, and no shard
  /// is padded (asked of ttnn 0.81.1).
  bool keepsHeightShards(const Place &next, int64_t rows) const {
    auto inHeight = [](const Place &of) { return of.l1 && of.shards == MemoryLayout::HeightSharded; };
    return answersAsOctober2026(call) && inHeight(place) && inHeight(next) &&
           place.grid.rows == next.grid.rows && place.shard.rows == next.shard.rows &&
           place.grid.rows * place.shard.rows == rows;
  }

  void reduceHeight(int64_t resultTile) {
    if (rows)
      tensors.step(tilizedRows());
    GridShape before = tilesOf(shape);
    int64_t rows = ceilDiv(shape[shape.size() - 2], 32);
    Place operand = place;
    shape[shape.size() - 2] = 1;
    Place next = cutFor(given, tilesOf(shape));
    if (sharesHeight(rows, before.volume() / rows, next))
      return reduceHeightShared(rows, before.volume() / rows, next, resultTile);
    work(before.volume() / rows, rows);
    // Shards that hold whole columns are reduced by the core that has them, into its own shard of the result.
    bool inPlace = place.widthShards() && next.widthShards();
    // The negative kernel works on as many tiles at a time as the registers hold in 32 bits.
    int64_t depth = negates ? 4 : 2;
    int64_t operands = inPlace ? 2 : negates ? depth : operandDepth(before.volume() / rows, 1);
    int64_t negatives = !negates  ? 0
                        : inPlace ? 2 * rows * place.shard.columns
                                  : 2 * rows * columnsTogether(before.volume() / rows);
    // The library's condition is about an empty core, as usableL1() is.
    if (2 * depth * tile + scaler() + negatives * resultTile > call.usableL1()) {
      negateApart(operand, before, next, resultTile);
      operands = depth = 2;
      negatives = 0;
    }
    steps.counted &= !inPlace;
    count(ReductionProgram::Height, before.volume() / rows, rows, operands, tile, resultTile, next,
          before.volume() / rows);
    program("reduce height");
    buffer("operand", operands, tile);
    buffer("scaler", 1, scaler());
    buffer("result", inPlace ? 0 : depth, resultTile);
    buffer("accumulators and their negatives", negatives, resultTile);
    moveTo(next, resultTile);
  }

  /// Since October 2026 several cores share a tall column of tiles if there are two at least for each, and everything is interleaved. Height
  /// and width by themselves are one kernel's work, which does not (asked of ttnn 0.81.1, as all of reduceHeightShared).
  bool sharesHeight(int64_t rows, int64_t columns, const Place &next) const {
    constexpr int64_t leastRows = 20;
    bool hasType =
        in.dtype() == DataType::BFloat16 || in.dtype() == DataType::Float32 || (blockFloat() && addsUp());
    return answersAsOctober2026(call) && hasType && !negates && !heightAndWidth && !place.shards &&
           !next.shards && isTallFor(rows, leastRows, columns, call.cores());
  }

  /// Each core reduces its part of the column to a row of elements, and one core reduces those: sums in f32.
  void reduceHeightShared(int64_t rows, int64_t columns, const Place &next, int64_t resultTile) {
    bool f32 = tile == kF32Tile;
    int64_t partTile = f32 || addsUp() ? kF32Tile : kBf16Tile, parts = std::min(call.cores() / columns, rows);
    work(columns * parts, ceilDiv(rows, parts));
    work(columns, ceilDiv(parts, 32));
    count(ReductionProgram::PartsOfHeight, columns * parts, ceilDiv(rows, parts), f32 ? 2 : 8, tile, partTile,
          next, columns * parts);
    count(ReductionProgram::Parts, columns, parts, 2, partTile, resultTile, next, columns);
    program("reduce parts of height");
    buffer("operand", f32 ? 2 : 8, tile);
    buffer("scaler", 1, scaler());
    buffer("parts", 2, partTile);
    program("reduce parts");
    buffer("rows", 2, partTile);
    buffer("scaler", 1, partTile);
    buffer("accumulator", 1, resultTile);
    buffer("tiles of rows", std::max<int64_t>(2, ceilDiv(parts, 32)), partTile);
    buffer("intermediate", 1, partTile);
    buffer("result", 2, resultTile);
    tensors.beside(next.l1 ? bytesOfParts(parts, partTile == kF32Tile ? DataType::Float32 : in.dtype()) : 0);
    moveTo(next, resultTile);
  }

  /// The rows of elements that the parts were reduced to, of one core.
  int64_t bytesOfParts(int64_t parts, DataType dtype) const {
    TensorDesc rows{Shape(llvm::ArrayRef<int64_t>(shape)), dtype};
    rows.shape[shape.size() - 2] = parts;
    return l1BytesPerCore(l1Interleaved(rows, call.device().workerGrid, PageLayout::RowMajor), call.device())
        .value();
  }

  /// Columns of tiles that the accumulators hold: cores that have one less than the others go round in the same buffer.
  int64_t columnsTogether(int64_t columns) const {
    int64_t most = ceilDiv(columns, call.cores());
    return columns % call.cores() == 0 || columns < call.cores() ? most : std::lcm(most, most - 1);
  }

  /// Where the negative kernel has no room operand and result are negated by ops of their own.
  void negateApart(const Place &operand, GridShape tiles, const Place &next, int64_t resultTile) {
    program("negate");
    buffer("operand and result", operand.shards ? 0 : 4, tile);
    program("negate result");
    buffer("operand and result", next.shards ? 0 : 4, resultTile);
    int64_t held = operand.shards ? operand.shard.volume() : ceilDiv(tiles.volume(), call.cores());
    tensors.beside(operand.l1 ? held * tile : 0);
    tensors.beside(bytesAt(next, resultTile));
    steps.counted = false;
  }

  void reduceSwapped(size_t d) {
    if (rows) {
      // Both stay until the tiles are reduced.
      int64_t swapped = swappedRows(d);
      tensors.step(swapped + tilizedRows());
    } else {
      swapWithHeight(d);
    }
    reduceHeight(nextTile());
    swapWithHeight(d);
  }

  /// The kernel for rows holds two of them, which the reductions' buffers exceed.
  int64_t swappedRows(size_t d) {
    work(tilesOf(shape).volume(), 1);
    std::swap(shape[d], shape[shape.size() - 2]);
    place = given;
    return place.l1 ? l1BytesPerCore(placed(current(), PageLayout::RowMajor), call.device()).value() : 0;
  }

  void swapWithHeight(size_t d) {
    steps.counted = false;
    // Block floats pass through bf16.
    if (blockFloat())
      tensors.beside(bytesAt(place, kBf16Tile));
    Shape before{llvm::ArrayRef<int64_t>(shape)};
    std::swap(shape[d], shape[shape.size() - 2]);
    steps.swaps.push_back({before, Shape(llvm::ArrayRef<int64_t>(shape))});
    if (blockFloat())
      tensors.beside(bytesAt(given, kBf16Tile));
    moveToGiven();
  }

  /// A reshape that keeps the last two dimensions is a view.
  void dropDims(bool width) {
    const TensorRef &out = call.out[0];
    bool view = out.width == shape.back() && out.height == shape[shape.size() - 2];
    if (view)
      return;
    steps.counted = false;
    int64_t work = blockFloat() ? kBf16Tile : tile;
    // A row of a tile lies in two faces. Where the width was reduced, each element comes from a tile of its own.
    int64_t pieces = std::min<int64_t>(32, out.height) * (width ? std::min<int64_t>(32, out.width) : 2);
    Place between{place.l1, std::nullopt, {}, {}};
    int64_t unsharded = place.shards ? bytesAt(between, tile) : 0, widened = bytesAt(between, work);
    shape.assign({out.batch, 1, out.height, out.width});
    constexpr int64_t pieceBytes = 16;
    program("reshape");
    buffer("pieces", pieces, pieceBytes);
    buffer("operand", 1, work);
    use.scratchpad(call, "result", 1, work);
    if (blockFloat()) {
      program("fill padding");
      int64_t padded = (out.height % 32 != 0) + (out.width % 32 != 0);
      buffer("operand, result and masks", padded > 0 ? 4 + padded : 0, work);
    }
    Place next = reshapedPlace();
    if (blockFloat())
      passThroughBf16(unsharded, widened, next);
    else if (
        given.shards &&
        !next.shards) // the shards that were asked for cannot be: what they are cut from is read interleaved
      tensors.beside(unsharded);
    moveTo(next, tile);
  }

  /// Block floats are reshaped as interleaved bf16, beside which what was reduced stays to the end (ReshapeMemory.cpp): `unsharded`
  /// and `widened` take so many bytes.
  void passThroughBf16(int64_t unsharded, int64_t widened, const Place &next) {
    Place between{next.l1, std::nullopt, {}, {}};
    tensors.keep();
    if (unsharded)
      tensors.step(unsharded);
    tensors.step(widened);
    tensors.keep();
    tensors.step(bytesAt(between, kBf16Tile));
    if (next.shards)
      tensors.step(bytesAt(between, tile));
  }

  /// As a reshape lays its result.
  Place reshapedPlace() {
    if (!given.shards)
      return cutFor(given, tilesOf(shape));
    const TensorLayout *wish = wishOf(call);
    steps.result = resharded(call, wish ? *wish : *in.layout, /*keepsBlocks=*/false);
    return placeOf(makeTensorRef(*call.out[0].desc, &*steps.result));
  }

  std::optional<TensorLayout> layoutOfResult() const {
    if (steps.result)
      return steps.result;
    if (in.rowMajor()) {
      TensorLayout made =
          call.asked(0) ? *wishOf(call) : withTensor(*in.layout, *call.out[0].desc, call.device().workerGrid);
      made.page = PageLayout::Tile;
      return withTensor(made, *call.out[0].desc, call.device().workerGrid);
    }
    // Where something was asked for, or everything is interleaved, results lie as they would without a reduction.
    if (!place.shards || !in.sharded() || wishOf(call))
      return std::nullopt;
    MemoryLayout shards = *place.shards;
    TensorLayout layout = withTensor(*in.layout, *call.out[0].desc, call.device().workerGrid);
    layout.memory = shards;
    layout.grid = place.grid;
    layout.shard = place.shard;
    if (shards == MemoryLayout::BlockSharded)
      layout.cores = rectangleOfCores(place.grid);
    return layout;
  }

  const OpCall &call;
  const TensorRef &in;
  bool negates;
  MemoryUse &use;
  Chain tensors;
  ReductionSteps steps;
  llvm::SmallVector<int64_t, 6> shape;
  llvm::SmallVector<bool, 6> reduced;
  int64_t left = 0;            ///< reductions to come
  bool keepsF32 = false;       ///< between them
  bool heightAndWidth = false; ///< are all that is left to reduce, once outer dimensions are summed up
  int64_t tile;                ///< bytes of the current tensor's tiles
  Place given, place;          ///< that were asked for; of the current tensor
  bool rows;                   ///< the current tensor is row-major
  int64_t held = 0;            ///< bytes of tiles made of rows, which several steps leave where they are
};

} // namespace

ReductionSteps reductionSteps(const OpCall &call, llvm::ArrayRef<int64_t> dims, bool negates,
                              MemoryUse &use) {
  if (reducesRows(call, dims))
    return rowReductionSteps(call, dims, use);
  return Walk(call, dims, negates, use).walk();
}

} // namespace tessera::analytic
