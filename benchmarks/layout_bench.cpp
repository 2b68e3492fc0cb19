//===- layout_bench.cpp - Cost of layouts ----------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

// Aims of issue 3: below 50 ns for one index, below 2 us to build one layout.

#include "tessera/Layout/LayoutPool.h"
#include "tessera/Layout/MetalGeometry.h"

#include <benchmark/benchmark.h>

using namespace tessera;

namespace {

const Shape kShape{2, 3, 64, 128};
const Shape kGrid{2, 4};

MetalLayoutOptions tiled() {
  MetalLayoutOptions options;
  options.tile = TileShape{32, 32};
  return options;
}

MetalGeometry geometry() {
  MetalLayout layout = llvm::cantFail(buildMetalLayout(kShape, DataType::BFP_BFloat8, kGrid, tiled()));
  return llvm::cantFail(MetalGeometry::create(layout, kShape));
}

void locateElement(benchmark::State &state) {
  MetalGeometry tiles = geometry();
  MetalLocation location;
  Index index{1, 1, 6, 0};
  for (auto _ : state) {
    index[3] = (index[3] + 37) & 127;
    tiles.locate(index, location);
    benchmark::DoNotOptimize(location.offset);
  }
}
BENCHMARK(locateElement);

void locateElementRank7(benchmark::State &state) {
  const Shape shape{5, 3, 2, 2, 7, 32, 32};
  MetalLayoutOptions options;
  options.collapse = {{0, 3}, {-3, -1}};
  MetalLayout layout = llvm::cantFail(buildMetalLayout(shape, DataType::Float32, {3, 2, 2, 2}, options));
  MetalGeometry seven = llvm::cantFail(MetalGeometry::create(layout, shape));
  MetalLocation location;
  Index index{4, 2, 1, 0, 6, 31, 0};
  for (auto _ : state) {
    index[6] = (index[6] + 5) & 31;
    seven.locate(index, location);
    benchmark::DoNotOptimize(location.offset);
  }
}
BENCHMARK(locateElementRank7);

void findIndex(benchmark::State &state) {
  MetalGeometry tiles = geometry();
  Index core{1, 3}, inShard{70, 0}, index;
  for (auto _ : state) {
    inShard[1] = (inShard[1] + 7) & 31;
    benchmark::DoNotOptimize(tiles.logicalIndex(core, inShard, index));
  }
}
BENCHMARK(findIndex);

void buildMetal(benchmark::State &state) {
  const MetalLayoutOptions options = tiled();
  for (auto _ : state)
    benchmark::DoNotOptimize(llvm::cantFail(buildMetalLayout(kShape, DataType::BFP_BFloat8, kGrid, options)));
}
BENCHMARK(buildMetal);

void buildGeometry(benchmark::State &state) {
  const MetalLayout layout = geometry().layout();
  for (auto _ : state)
    benchmark::DoNotOptimize(llvm::cantFail(MetalGeometry::create(layout, kShape)));
}
BENCHMARK(buildGeometry);

void buildSharded(benchmark::State &state) {
  const TensorDesc tensor{kShape, DataType::BFloat16};
  for (auto _ : state)
    benchmark::DoNotOptimize(l1Sharded(tensor, MemoryLayout::BlockSharded, {2, 4}, {8, 8}));
}
BENCHMARK(buildSharded);

void internKnownLayout(benchmark::State &state) {
  LayoutPool pool;
  const TensorLayout layout =
      l1Sharded({kShape, DataType::BFloat16}, MemoryLayout::BlockSharded, {2, 4}, {8, 8});
  for (auto _ : state)
    benchmark::DoNotOptimize(pool.intern(layout));
}
BENCHMARK(internKnownLayout);

void visitPadding(benchmark::State &state) {
  const Shape shape{53, 63};
  MetalLayout layout = llvm::cantFail(buildMetalLayout(shape, DataType::BFP_BFloat8, {3, 2}, tiled()));
  MetalGeometry uneven = llvm::cantFail(MetalGeometry::create(layout, shape));
  for (auto _ : state) {
    int64_t volume = 0;
    for (int64_t number = 0; number != uneven.cores(); ++number)
      uneven.forEachPaddingRegion(uneven.coreAt(number), [&](const ElementBox &box) {
        volume += box.volume();
        return true;
      });
    benchmark::DoNotOptimize(volume);
  }
}
BENCHMARK(visitPadding);

} // namespace
