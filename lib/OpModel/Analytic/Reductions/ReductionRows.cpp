//===- ReductionRows.cpp - Sums and means of row-major tensors ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Since 2026 sums and means of bf16 and f32 over one dimension take rows and make
// rows: a kernel gathers them into tiles by itself. Several dimensions are reduced
// one after the other, the last first; another dimension than width and height is
// swapped with the height before and after. Height and width by themselves, and
// outer dimensions of a sum of bf16, are left to the kernels for tiles
// (ReductionSteps.cpp).
//
// Source: tt-metal 0.77, generic_reductions.cpp, and what the library records.
//
//===----------------------------------------------------------------------===//
#include "../Movement/Reshape.h"
#include "ReductionSteps.h"

#include <algorithm>
#include <utility>

namespace tessera::analytic {
namespace {

constexpr int64_t kWideTile = 4096, kMostTiles = 8, ///< gathered at once
    kTallRows = 16; ///< of tiles, that several cores share (asked of ttnn 0.77.0 and 0.81.1)

class RowWalk {
public:
  RowWalk(const OpCall &call, llvm::ArrayRef<int64_t> dims, MemoryUse &use)
      : call(call), in(call.in[0]), use(use), tensors(use), seen(in, dims), tile(in.tile),
        fromDram(in.dram()), toL1(call.asked(0) ? call.out[0].l1() : in.l1()) {}

  ReductionSteps walk() {
    size_t rank = seen.shape.size();
    left = llvm::count(seen.reduced, true);
    keepsF32 = in.dtype() == DataType::BFloat16 &&
               keepsF32Between(call, left, seen.reduced[rank - 1] && seen.reduced[rank - 2]);
    for (size_t d = rank; d-- > 0;)
      if (seen.reduced[d])
        reduce(d);
    // Rows that lose their width are cut anew; else a reshape is a view.
    const TensorRef &out = call.out[0];
    if (out.width != seen.shape.back()) {
      recutRowsProgram(call, use, in.scalar, out.rowBytes(), !toL1);
      tensors.step(toL1 ? l1BytesPerCore(placed(*out.desc), call.device()).value() : 0);
    }
    steps.counted = false;
    steps.result = placed(*call.out[0].desc);
    return steps;
  }

private:
  void reduce(size_t d) {
    size_t rank = seen.shape.size();
    --left;
    int64_t made = left > 0 && keepsF32 ? kWideTile : in.tile;
    if (d + 1 == rank)
      return reduceWidth(made);
    if (d + 2 < rank)
      swapWithHeight(d);
    reduceHeight(made);
    if (d + 2 < rank)
      swapWithHeight(d);
  }

  /// Buffers of the kernel, which gathers `gathered` tiles of rows and works on `together` of them.
  void kernel(int64_t gathered, int64_t together, int64_t madeTile) {
    use.buffer("rows", 2 * gathered, tile);
    use.buffer("padding and scaler", 2, tile);
    use.buffer("tiles of rows", std::max<int64_t>(2, together), tile);
    use.buffer("accumulator and result", 3, madeTile);
  }

  void reduceWidth(int64_t made) {
    int64_t columns = ceilDiv(seen.shape.back(), 32);
    use.program("reduce width of rows");
    kernel(std::min(kMostTiles, columns), std::min(kMostTiles, columns), made);
    work(ceilDiv(volumeBefore(1), 32), columns);
    seen.shape.back() = 1;
    moveOn(made);
  }

  /// Columns of tiles, each the work of one core, or of several that make a row of f32 each, which are reduced once more.
  void reduceHeight(int64_t made) {
    int64_t &height = seen.shape[seen.shape.size() - 2], rows = ceilDiv(height, 32);
    int64_t columns = volumeBefore(2) * ceilDiv(seen.shape.back(), 32);
    bool shared = isTallFor(rows, kTallRows, columns, call.cores());
    int64_t parts = shared ? std::min(call.cores() / columns, rows) : 1;
    use.program(shared ? "reduce parts of height of rows" : "reduce height of rows");
    kernel(1, std::min(kMostTiles, rows), shared ? kWideTile : made);
    work(columns * parts, ceilDiv(rows, parts));
    if (shared) {
      height = parts;
      moveOn(kWideTile);
      use.program("reduce parts");
      kernel(1, std::min(kMostTiles, ceilDiv(parts, 32)), made);
      work(columns, ceilDiv(parts, 32));
    }
    height = 1;
    moveOn(made);
  }

  void swapWithHeight(size_t d) {
    auto alignment = fromDram || !toL1 ? call.device().dramAlignment : call.device().l1Alignment;
    use.program("swap rows");
    use.buffer("rows", 2, alignUp(seen.shape.back() * tile / 1024, alignment.value()));
    work(ceilDiv(volumeBefore(1), 32), ceilDiv(seen.shape.back(), 32));
    std::swap(seen.shape[d], seen.shape[seen.shape.size() - 2]);
    moveOn(tile);
  }

  /// The product of all dimensions but the last `count`.
  int64_t volumeBefore(size_t count) const {
    int64_t volume = 1;
    for (int64_t dim : llvm::ArrayRef<int64_t>(seen.shape).drop_back(count))
      volume *= dim;
    return volume;
  }

  /// Each of `lines` lines of so many tiles is one core's work.
  void work(int64_t lines, int64_t tiles) { steps.tilesOfCore += ceilDiv(lines, call.cores()) * tiles; }

  TensorLayout placed(const TensorDesc &desc) const {
    return toL1 ? l1Interleaved(desc, call.device().workerGrid, PageLayout::RowMajor)
                : dramInterleaved(desc, PageLayout::RowMajor);
  }

  /// A tensor of elements that make up tiles of `made` bytes takes the place of the one before it.
  void moveOn(int64_t made) {
    tile = made;
    fromDram = !toL1;
    bool isWide = made == kWideTile;
    TensorDesc desc{Shape(llvm::ArrayRef<int64_t>(seen.shape)), isWide ? DataType::Float32 : in.dtype()};
    tensors.step(toL1 ? l1BytesPerCore(placed(desc), call.device()).value() : 0);
  }

  const OpCall &call;
  const TensorRef &in;
  MemoryUse &use;
  Chain tensors;
  ReductionSteps steps;
  ReducedShape seen;
  int64_t tile;          ///< bytes that the current tensor's elements take in a tile
  int64_t left = 0;      ///< reductions to come
  bool keepsF32 = false; ///< between them
  bool fromDram, toL1;   ///< the current tensor's place, and that of all that follow
};

} // namespace

// ---- What steps in tiles share ----------------------------------------------------------------------------

ReducedShape::ReducedShape(const TensorRef &in, llvm::ArrayRef<int64_t> dims) {
  size_t rank = in.rank(), lead = rank < 4 ? 4 - rank : 0;
  shape.assign(lead, 1);
  // Empty dimensions count as one, as in TensorRef.
  for (int64_t dim : in.desc->shape)
    shape.push_back(std::max<int64_t>(1, dim));
  reduced.assign(shape.size(), false);
  for (int64_t dim : dims)
    reduced[normalizedDim(dim, rank) + lead] = true;
}

bool keepsF32Between(const OpCall &call, int64_t left, bool overBoth) {
  bool mean = call.row.name == "ttnn.mean", adds = mean || call.row.name == "ttnn.sum";
  return adds && (answersAsOctober2026(call) || !mean) && left > 1 && left < int64_t(call.in[0].rank()) &&
         !(mean && overBoth && left == 2);
}

bool isTallFor(int64_t rows, int64_t least, int64_t columns, int64_t cores) {
  constexpr int64_t leastCores = 2;
  return rows >= least && leastCores * columns <= cores;
}

// ---- Rows -------------------------------------------------------------------------------------------------

bool reducesRows(const OpCall &call, llvm::ArrayRef<int64_t> dims) {
  const TensorRef &in = call.in[0];
  bool sum = call.row.name == "ttnn.sum", bf16 = in.dtype() == DataType::BFloat16;
  if (!in.rowMajor() || !(sum || call.row.name == "ttnn.mean") || !(bf16 || in.dtype() == DataType::Float32))
    return false;
  ReducedShape seen(in, dims);
  size_t rank = seen.shape.size();
  int64_t inner = int64_t(seen.reduced[rank - 1]) + int64_t(seen.reduced[rank - 2]),
          outer = llvm::count(seen.reduced, true) - inner;
  return outer == 0 ? inner < 2 : !(sum && bf16);
}

ReductionSteps rowReductionSteps(const OpCall &call, llvm::ArrayRef<int64_t> dims, MemoryUse &use) {
  return RowWalk(call, dims, use).walk();
}

} // namespace tessera::analytic
