//===- WantedLayouts.cpp - The layouts that an override speaks of ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What an override says is a filter: words that it does not give let everything
// through. The layouts that are filtered are those of a search, and besides
// them the very grid that the user names, which a search may leave out.
//
//===----------------------------------------------------------------------===//
#include "OverrideSteps.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tessera;

/// Layouts that an error lists; a tensor can have hundreds.
static constexpr size_t kListedLayouts = 12;

bool tessera::isWanted(const LayoutWords &wanted, const TensorLayout &layout) {
  return (!wanted.shard || *wanted.shard == shardInElements(layout)) &&
         (!wanted.cores || wanted.cores == layout.cores) && (!wanted.grid || *wanted.grid == layout.grid) &&
         (!wanted.buffer || *wanted.buffer == layout.buffer) &&
         (!wanted.memory || wanted.memory == layout.memory) &&
         (!wanted.page || *wanted.page == layout.page) && (!wanted.dtype || *wanted.dtype == layout.dtype);
}

bool tessera::areWanted(const Problem &problem, const std::map<unsigned, LayoutWords> &wanted,
                        llvm::ArrayRef<LayoutId> layouts) {
  return llvm::all_of(wanted, [&](const auto &entry) {
    auto &[result, words] = entry;
    return layouts[result].valid() && isWanted(words, problem.layout(layouts[result]));
  });
}

static bool fits(MemoryLayout kind, GridShape grid, GridShape workers) {
  switch (kind) {
  case MemoryLayout::HeightSharded:
    return grid.columns == 1 && grid.rows <= workers.volume();
  case MemoryLayout::WidthSharded:
    return grid.rows == 1 && grid.columns <= workers.volume();
  default:
    return grid.rows <= workers.rows && grid.columns <= workers.columns;
  }
}

std::vector<LayoutId> tessera::candidateLayouts(const Problem &problem, const Value &value,
                                                const LayoutWords &wanted, llvm::ArrayRef<PageLayout> pages) {
  llvm::SetVector<LayoutId, std::vector<LayoutId>, std::set<LayoutId>> all;
  GridShape workers = problem.device.workerGrid;
  for (PageLayout page : pages) {
    // Blocks of floats share exponents within tiles: there are none in rows.
    if (page == PageLayout::RowMajor && isBlockFloat(value.tensor.dtype))
      continue;
    for (MemoryLayout kind :
         {MemoryLayout::BlockSharded, MemoryLayout::HeightSharded, MemoryLayout::WidthSharded})
      // A search has of grids that cut a tensor alike the smallest only; the user may mean another.
      if (wanted.grid && fits(kind, *wanted.grid, workers))
        all.insert(problem.layouts->intern(l1Sharded(value.tensor, kind, *wanted.grid, workers, page)));
    LayoutSpace space = enumerateLayouts(value.tensor, page, problem.device, *problem.layouts);
    all.insert(space.interleaved.begin(), space.interleaved.end());
    all.insert(space.sharded.begin(), space.sharded.end());
  }
  return all.takeVector();
}

std::string tessera::listLayouts(const Problem &problem, llvm::ArrayRef<LayoutId> layouts) {
  llvm::SmallVector<std::string> texts;
  for (LayoutId layout : layouts.take_front(kListedLayouts))
    texts.push_back(describe(problem.layout(layout)));
  if (layouts.size() > texts.size())
    texts.push_back("and " + std::to_string(layouts.size() - texts.size()) + " more");
  return texts.empty() ? "only what it has" : llvm::join(texts, "; ");
}
