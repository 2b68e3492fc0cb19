//===- Expansion.h - Regions that go in other pages together --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Most ops that move data keep the pages of what they read. One of them alone
// in rows stands between two conversions; what pays is a region. Which one is
// a choice between two options per op, to stay or to move to interleaved pages
// of one kind in one memory, with a price per op and one per tensor between ops
// that choose differently. Its optimum is a minimum cut: the expansion move of
// Boykov, Veksler and Zabih, "Fast approximate energy minimization via graph
// cuts", 2001, with memory and page as label.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_EXPANSION_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_EXPANSION_H

#include "tessera/Optimizer/Ledger/Reads.h"

namespace tessera::beam {

/// Where interleaved results lie.
struct Place {
  BufferType memory; ///< L1, or DRAM: tensors too large for L1 pay most for a change of pages
  PageLayout page;
};

constexpr Place kPlaces[] = {{BufferType::L1, PageLayout::RowMajor},
                             {BufferType::L1, PageLayout::Tile},
                             {BufferType::DRAM, PageLayout::RowMajor},
                             {BufferType::DRAM, PageLayout::Tile}};

/// An op that moves: its results lie in one place, or at home if they are returned.
struct Move {
  OpId op;
  ConfigId config;
  llvm::SmallVector<LayoutId, 4> inputs; ///< by distinct value
  Nanoseconds time;
};

/// Ops that move together, producers first.
using Region = std::vector<Move>;

/// The ops that together take least time if they move there and all others stay as the draft has them, by connected regions.
/// What L1 they need is not asked, and conversions count as if each were alone.
std::vector<Region> expansion(Draft &draft, Place place);

/// The regions move. Others read what they read before, converted unless it is cheaper to take it as it is.
void move(Draft &draft, llvm::ArrayRef<Region> regions);

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_EXPANSION_H
