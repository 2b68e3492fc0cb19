//===- LayoutSpace.cpp - All layouts worth considering for a tensor -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Many grids cut a tensor into the same shards: 10 tile rows over 5, 6, 7, 8
// or 9 cores are 2 rows each. Only the smallest of them is kept, and it need
// not be searched for: along one dimension of `units` tiles the shard extents
// that occur are ceil(units / n), and the smallest n for a shard extent s is
// ceil(units / s). So the distinct splits of a dimension are at most
// 2 * sqrt(units) many, and the block sharded layouts are their products.
//
//===----------------------------------------------------------------------===//
#include "tessera/Optimizer/Problem/LegalTensorLayouts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace tessera;

namespace {

/// The distinct ways to cut `units` over at most `cores` cores: the smallest core count of each shard extent,
/// ascending. No core stays empty, as the public pool has it (facts/ir 3.1 "tiles per dim >= grid").
llvm::SmallVector<int64_t, 16> distinctSplits(int64_t units, int64_t cores) {
  // Of grids with equal shards only the smaller stays (facts/ir 3.1): the larger one has cores that hold
  // padding and nothing else.
  llvm::SmallVector<int64_t, 16> splits;
  for (int64_t n = 1; n <= std::min(units, cores);) {
    int64_t extent = ceilDiv(units, n);
    splits.push_back(ceilDiv(units, extent)); // == n: n is the smallest that gives this extent
    if (extent == 1)
      break;
    n = ceilDiv(units, extent - 1); // the smallest that gives a smaller one
  }
  return splits;
}

struct Candidate {
  MemoryLayout kind;
  GridShape grid;
};

/// Largest grid first; ties: block, height, width, then fewer rows first.
bool comesBefore(const Candidate &a, const Candidate &b) {
  auto rank = [](MemoryLayout kind) {
    return kind == MemoryLayout::BlockSharded ? 0 : kind == MemoryLayout::HeightSharded ? 1 : 2;
  };
  auto key = [&](const Candidate &c) { return std::tuple(-c.grid.volume(), rank(c.kind), c.grid.rows); };
  return key(a) < key(b);
}

} // namespace

LayoutSpace tessera::enumerateLayouts(const TensorDesc &tensor, PageLayout page, const DeviceSpec &device,
                                      LayoutPool &pool) {
  LayoutSpace space;
  if (page == PageLayout::RowMajor && isBlockFloat(tensor.dtype))
    return space; // block floats exist in tiles only

  GridShape workers = device.workerGrid;
  // Interleaved ones first, DRAM before L1: who looks for a place in L1 counts on the second (Oracle::l1Interleaved).
  TensorLayout dram = dramInterleaved(tensor, page);
  space.interleaved.push_back(pool.intern(dram));
  // The published pool offers L1 interleaved for tiles only (facts/ir 3.1). Row-major
  // tensors on their way into a convolution would then have to go through DRAM.
  TensorLayout l1 = l1Interleaved(tensor, workers, page);
  if (l1.shard.columns <= kMaxLayoutExtent)
    space.interleaved.push_back(pool.intern(l1));

  GridShape units = physicalShapeInUnits(dram, tensor.shape);
  if (units.rows <= 0 || units.columns <= 0)
    return space; // an empty tensor has nothing to cut

  std::vector<Candidate> candidates;
  for (int64_t rows : distinctSplits(units.rows, workers.rows))
    for (int64_t columns : distinctSplits(units.columns, workers.columns))
      candidates.push_back({MemoryLayout::BlockSharded, {rows, columns}});
  for (int64_t n : distinctSplits(units.rows, workers.volume()))
    candidates.push_back({MemoryLayout::HeightSharded, {n, 1}});
  for (int64_t n : distinctSplits(units.columns, workers.volume()))
    candidates.push_back({MemoryLayout::WidthSharded, {1, n}});
  llvm::sort(candidates, comesBefore); // a total order: no two candidates compare equal

  space.sharded.reserve(candidates.size());
  for (const Candidate &candidate : candidates)
    space.sharded.push_back(pool.intern(l1Sharded(tensor, candidate.kind, candidate.grid, workers, page)));
  return space;
}

llvm::SmallVector<LayoutId, 8> tessera::largestOfEachKind(const LayoutSpace &space, const LayoutPool &pool,
                                                          unsigned count) {
  llvm::SmallVector<LayoutId, 8> largest;
  unsigned ofKind[size_t(MemoryLayout::NDSharded) + 1] = {};
  for (LayoutId layout : space.sharded)
    if (ofKind[size_t(*pool[layout].memory)]++ < count)
      largest.push_back(layout);
  return largest;
}

LegalTensorLayouts::LegalTensorLayouts(const Problem &problem)
    : problem(problem), scalarTypes(scalarDataTypes(problem)) {}

const LayoutSpace &LegalTensorLayouts::of(const TensorDesc &tensor, PageLayout page) {
  static const LayoutSpace kNone;
  if (!llvm::is_contained(scalarTypes, tensor.dtype))
    return kNone;
  auto [entry, isNew] =
      problem.spaces->try_emplace({tensor.shape, tensor.dtype, page, problem.device.workerGrid});
  if (isNew)
    entry->second = enumerateLayouts(tensor, page, problem.device, *problem.layouts);
  return entry->second;
}
