//===- ReductionSteps.h - A reduction as the programs it runs since 2026 --===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_REDUCTIONS_REDUCTIONSTEPS_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_REDUCTIONS_REDUCTIONSTEPS_H

#include "../Family.h"

namespace tessera::analytic {

/// One program of a reduction, as far as its kernels are counted (ReductionKernels.cpp).
struct ReductionProgram {
  /// Parts: what tall columns are cut into is added up.
  enum Kind { Cast, FillPadding, SumOuter, Width, Height, PartsOfHeight, Parts } kind;
  /// Width and Height make one tile of each line, which is a row or a column of tiles.
  int64_t lines, tiles; ///< lines of tiles, each the work of one core
  int64_t from, to;     ///< bytes of a tile of the operand and of the result
  int64_t together = 1; ///< tiles that are waited for at once
  int64_t masks = 0;    ///< of padding
  int64_t shards = 0;   ///< that are worked on where they lie, a line each; 0: lines are shared out
  /// Else DRAM.
  bool fromL1 = false, toL1 = false;
  int64_t results = 0; ///< tiles of the result
};

/// What sum, mean, max and min do with one operand.
struct ReductionSteps {
  llvm::SmallVector<ReductionProgram, 4> programs;
  bool counted = true; ///< there are no others

  bool padsShards = true; ///< padding of shards, if any, is filled in a single matrix
  bool fitsShards = true; ///< every intermediate tensor fits the shards that it is asked to lie in
  /// Tiles that the busiest core reads, step after step, but for swaps.
  int64_t tilesOfCore = 0;
  /// The shapes that an outer dimension and the height are swapped in, and those that come of it.
  llvm::SmallVector<std::pair<Shape, Shape>, 2> swaps;
  /// The result where none is asked for, or where it does not come to lie as asked; nullopt: as asked, or interleaved as the operand.
  std::optional<TensorLayout> result;
};

/// What fills the padding of a tensor that has any, in tiles of `tile` bytes: those that hold some are fetched, filled and put back, in
/// shards by the cores that hold them.
ReductionProgram fillingOf(const TensorRef &tensor, int64_t tile);

/// What a call of family "reduction" runs; nothing before 2026, and where operand and result are negated.
std::optional<ReductionSteps> stepsOfReduction(const OpCall &call);
/// `dims`: the dimensions to reduce, within the operand's rank. Buffers and tensors go to `use`.
ReductionSteps reductionSteps(const OpCall &call, llvm::ArrayRef<int64_t> dims, bool negates, MemoryUse &use);

/// Four dimensions at least, as the kernels see the operand, none of them empty, and which of them are reduced.
struct ReducedShape {
  llvm::SmallVector<int64_t, 6> shape;
  llvm::SmallVector<bool, 6> reduced;

  ReducedShape(const TensorRef &in, llvm::ArrayRef<int64_t> dims);
};
/// `left` reductions keep f32 between them: a sum, since October 2026 also a mean, over some of the dimensions, but for a mean over height and
/// width alone (asked of ttnn 0.77.0 and 0.81.1).
bool keepsF32Between(const OpCall &call, int64_t left, bool overBoth);
/// A column of `rows` tiles, of `least` at least, is shared by several cores, which there must be for each of `columns`.
bool isTallFor(int64_t rows, int64_t least, int64_t columns, int64_t cores);

/// Row-major operands whose sums stay rows from the first step to the last (ReductionRows.cpp).
bool reducesRows(const OpCall &call, llvm::ArrayRef<int64_t> dims);
ReductionSteps rowReductionSteps(const OpCall &call, llvm::ArrayRef<int64_t> dims, MemoryUse &use);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_REDUCTIONS_REDUCTIONSTEPS_H
