//===- Kernels.h - What the kernels of each op execute --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Each function counts the programs of one op as tt-metal's program factories
// share them out (ttnn 0.81.1), and returns the time of what it leaves to the
// family's formulas. Nothing: it counts no such call, so the formulas stand.
// evidence/kernel_counts.csv has what a functional simulator counted.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPMODEL_ANALYTIC_KERNELS_H
#define TESSERA_LIB_OPMODEL_ANALYTIC_KERNELS_H

#include "OpCall.h"
#include "tessera/OpModel/KernelCounts.h"

#include <optional>

namespace tessera::analytic {

using Counted = std::optional<OpRuntime>;

/// Element-wise ops of one operand, of two or three.
Counted countUnary(const OpCall &call, ProgramCounts &programs);
Counted countOperands(const OpCall &call, ProgramCounts &programs);
/// The same of rows.
Counted countUnaryRows(const OpCall &call, ProgramCounts &programs);
Counted countOperandRows(const OpCall &call, ProgramCounts &programs);

/// Between interleaved memory and shards, and from shards to shards.
Counted countMove(const OpCall &call, ProgramCounts &programs);
/// The same, and between rows and tiles.
Counted countLayout(const OpCall &call, ProgramCounts &programs);

/// Of tiles, by a list of pieces for each result tile.
Counted countReshape(const OpCall &call, ProgramCounts &programs);
/// What such a program takes, of a tensor on the way.
OpRuntime reshapeTilesTime(const OpCall &call, const TensorRef &in, const TensorRef &out);
/// Whole tiles, page by page.
Counted countSlice(const OpCall &call, ProgramCounts &programs);
Counted countConcat(const OpCall &call, ProgramCounts &programs);
Counted countRepeat(const OpCall &call, ProgramCounts &programs);
Counted countPad(const OpCall &call, ProgramCounts &programs);
Counted countPadRows(const OpCall &call, ProgramCounts &programs);
/// Of tiles: whole ones, turned ones, lines of 16 elements or blocks of 32 x 32.
Counted countPermute(const OpCall &call, ProgramCounts &programs);
Counted countTranspose(const OpCall &call, ProgramCounts &programs);
/// What the program takes that sends lines, of tensors on the way.
OpRuntime permuteLinesTime(const OpCall &call, const TensorRef &in, const TensorRef &out);
/// Along one of the last two dimensions.
Counted countSoftmax(const OpCall &call, ProgramCounts &programs);
Counted countNorm(const OpCall &call, ProgramCounts &programs);
/// Of the own part of rows that are spread over chips: RMS only.
Counted countNormStatistics(const OpCall &call, ProgramCounts &programs);
/// One program: nothing before or after it.
Counted countMatmul(const OpCall &call, ProgramCounts &programs);
/// A head's part of a row of tiles at a time.
Counted countConcatHeads(const OpCall &call, ProgramCounts &programs);
Counted countSplitHeads(const OpCall &call, ProgramCounts &programs);
Counted countCreateHeadsDecode(const OpCall &call, ProgramCounts &programs);
Counted countRotary(const OpCall &call, ProgramCounts &programs);
/// What the padding of a tensor takes that other ops fill before they read it: block floats in a copy of bf16, which is
/// converted back. Nothing where there is none.
OpRuntime fillTime(const OpCall &call, const TensorRef &tensor);
/// The same of block floats that are bf16 before and afterwards.
OpRuntime fillTilesTime(const OpCall &call, const TensorRef &tensor);
/// All programs of it, or nothing.
Counted countReduction(const OpCall &call, ProgramCounts &programs);
Counted countDecode(const OpCall &call, ProgramCounts &programs);
/// Page after page, each waited for.
Counted countCumulative(const OpCall &call, ProgramCounts &programs);
Counted countUpsample(const OpCall &call, ProgramCounts &programs);
Counted countCopy(const OpCall &call, ProgramCounts &programs);
/// Of interleaved row-major tensors; the first where the last dimension stays.
Counted countPermuteRows(const OpCall &call, ProgramCounts &programs);
Counted countConcatRows(const OpCall &call, ProgramCounts &programs);
Counted countSliceRows(const OpCall &call, ProgramCounts &programs);
Counted countFillCache(const OpCall &call, ProgramCounts &programs);
/// A user's new row on the core that has it, into a cache without a page table.
Counted countPagedUpdate(const OpCall &call, ProgramCounts &programs);
/// Rows by their indices.
Counted countEmbedding(const OpCall &call, ProgramCounts &programs);
Counted countGather(const OpCall &call, ProgramCounts &programs);
Counted countScatter(const OpCall &call, ProgramCounts &programs);

} // namespace tessera::analytic

#endif // TESSERA_LIB_OPMODEL_ANALYTIC_KERNELS_H
