//===- ConstantLayouts.h - In which layout ops read constants best --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// A constant is there before the program runs, so converting it costs nothing
// per run: it is done once, in a const-eval function. What counts is how fast
// the reader is afterwards. An embedding that finds its table in tiles
// untilizes all of it to gather a few rows: 12 ms against 0.03 ms, for a table
// of 128256 x 4096.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_CONSTANTLAYOUTS_H
#define TESSERA_OPTIMIZER_PROBLEM_CONSTANTLAYOUTS_H

#include "tessera/Optimizer/Problem/Problem.h"

namespace tessera {

/// A constant in another layout than it is declared in, for some of its readers.
struct ConstantInLayout {
  ValueId constant;
  LayoutId layout; ///< DRAM interleaved: constants take no L1 for good
  std::vector<OpId> readers;
};

/// For each op, its constants in DRAM one by one in the page layout that it reads fastest, all else as declared. Only what is
/// legal and worth it is listed, by constant, then layout, in the order of the first reader.
std::vector<ConstantInLayout> chooseConstantLayouts(const Problem &problem, const OpCostTable &model);

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_CONSTANTLAYOUTS_H
