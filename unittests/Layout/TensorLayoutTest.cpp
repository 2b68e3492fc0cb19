//===- TensorLayoutTest.cpp - Shapes and builders --------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/TensorLayout.h"

#include <gtest/gtest.h>

#include <random>

using namespace tessera;

namespace {

constexpr GridShape k8x8{8, 8};
constexpr PageLayout kTile = PageLayout::Tile, kRowMajor = PageLayout::RowMajor;

/// Row coefficients of the collapse; the column's are checked to be d(n-1).
Shape rowStrides(llvm::ArrayRef<int64_t> shape, PageLayout page) {
  LinearMap map = collapseTo2D(shape, page);
  EXPECT_EQ(map.dims, shape.size());
  EXPECT_EQ(map.results.size(), 2u);
  for (size_t d = 0; d != shape.size(); ++d)
    EXPECT_EQ(map.results[1].coefficients[d], d + 1 == shape.size());
  return Shape(map.results[0].coefficients);
}

TEST(TensorLayout, Names) {
  EXPECT_EQ(name(BufferType::SystemMemory), "system_memory");
  EXPECT_EQ(name(MemoryLayout::HeightSharded), "height_sharded");
  EXPECT_EQ(name(PageLayout::RowMajor), "row_major");
  EXPECT_EQ(parseBufferType("l1_small"), BufferType::L1Small);
  EXPECT_EQ(parseMemoryLayout("nd_sharded"), MemoryLayout::NDSharded);
  EXPECT_EQ(parsePageLayout("tile"), PageLayout::Tile);
  EXPECT_EQ(parseBufferType("L1"), std::nullopt);
  EXPECT_EQ(parseMemoryLayout("single_bank"), std::nullopt);
  EXPECT_EQ(parsePageLayout(""), std::nullopt);
}

// facts/ir 1.1, the sample layouts and "Collapse".
TEST(TensorLayout, CollapseStridesComeFromThePaddedShape) {
  EXPECT_EQ(rowStrides({1, 32, 32}, kTile), (Shape{32, 1, 0}));
  EXPECT_EQ(rowStrides({1, 1, 852800, 3}, kTile), (Shape{852800, 852800, 1, 0}));
  EXPECT_EQ(rowStrides({2, 40, 100}, kTile), (Shape{64, 1, 0}));
  EXPECT_EQ(rowStrides({2, 40, 100}, kRowMajor), (Shape{40, 1, 0}));
  EXPECT_EQ(rowStrides({1, 20, 20, 640}, kRowMajor), (Shape{400, 20, 1, 0}));
}

TEST(TensorLayout, CollapseOfRankZeroAndOne) {
  EXPECT_EQ(rowStrides({}, kTile), Shape());
  EXPECT_EQ(rowStrides({7}, kTile), (Shape{0}));
  EXPECT_EQ(physicalShape(dramInterleaved({{}}), {}), (GridShape{32, 32}));
  EXPECT_EQ(physicalShape(dramInterleaved({{}}, kRowMajor), {}), (GridShape{1, 1}));
  EXPECT_EQ(dramInterleaved({{100}}).shard, (GridShape{1, 4}));
  EXPECT_EQ(dramInterleaved({{100}}, kRowMajor).shard, (GridShape{1, 100}));
}

TEST(TensorLayout, WorkedExampleOfTheHeader) {
  TensorDesc tensor{{2, 40, 100}, DataType::BFloat16};
  TensorLayout layout = l1Sharded(tensor, MemoryLayout::HeightSharded, {3, 1}, k8x8);
  EXPECT_EQ(layout.linear.extents(tensor.shape), (Shape{104, 100}));
  EXPECT_EQ(physicalShape(layout, tensor.shape), (GridShape{128, 128}));
  EXPECT_EQ(physicalShapeInUnits(layout, tensor.shape), (GridShape{4, 4}));
  EXPECT_EQ(layout.shard, (GridShape{2, 4}));
  EXPECT_EQ(bytesPerCore(layout, *findDevice("n150")), Bytes(16384));
  EXPECT_EQ(totalBytes(layout, tensor.shape), Bytes(3 * 16384));
  EXPECT_EQ(describe(layout), "l1/height_sharded/3x1 2x4 tiles bf16");
}

// The samples #c #d #e #g #h of facts/ir 1.1.
TEST(TensorLayout, BuildersGiveUpstreamsMemrefs) {
  EXPECT_EQ(dramInterleaved({{1, 1, 852800, 3}}).shard, (GridShape{26650, 1}));
  TensorLayout d = l1Sharded({{1024, 1280}}, MemoryLayout::WidthSharded, {1, 8}, k8x8);
  EXPECT_EQ(d.shard, (GridShape{32, 5}));
  EXPECT_EQ(d.cores, (CoreRangeSet{{{{0, 0}, {7, 0}}}}));
  EXPECT_EQ(l1Interleaved({{256, 256}}, k8x8).shard, (GridShape{1, 1}));
  EXPECT_EQ(l1Interleaved({{4096, 512}}, k8x8).shard, (GridShape{1, 32}));
  EXPECT_EQ(dramInterleaved({{5}, DataType::Float32}).shard, (GridShape{1, 1}));
  EXPECT_EQ(dramInterleaved({{1, 20, 20, 640}}, kRowMajor).shard, (GridShape{400, 640}));
}

TEST(TensorLayout, RowMajorInterleavedKeepsRowsWhole) {
  // 70 rows over 64 banks: two on some, each of 200 bytes rounded up to 208.
  EXPECT_EQ(l1Interleaved({{70, 100}}, k8x8, kRowMajor).shard, (GridShape{1, 208}));
}

TEST(TensorLayout, ShardedGridsAndCores) {
  TensorDesc tensor{{544, 16384}};
  TensorLayout width = l1Sharded(tensor, MemoryLayout::WidthSharded, {1, 64}, k8x8);
  EXPECT_EQ(width.shard, (GridShape{17, 8}));
  EXPECT_EQ(width.coreCount(), CoreCount(64));
  TensorLayout uneven = l1Sharded({{13 * 32, 64}}, MemoryLayout::HeightSharded, {13, 1}, k8x8);
  EXPECT_EQ(uneven.cores, (CoreRangeSet{{{{0, 0}, {7, 0}}, {{0, 1}, {4, 1}}}}));
  TensorLayout block = l1Sharded({{256, 96}}, MemoryLayout::BlockSharded, {4, 3}, k8x8);
  EXPECT_EQ(block.shard, (GridShape{2, 1}));
  EXPECT_EQ(block.cores, (CoreRangeSet{{{{0, 0}, {2, 3}}}}));
}

TEST(TensorLayout, UnevenShards) {
  // 7 tile rows over 4 cores: 2 + 2 + 2 + 1 (+ 1 of padding).
  TensorLayout layout = l1Sharded({{224, 32}}, MemoryLayout::HeightSharded, {4, 1}, k8x8);
  EXPECT_EQ(layout.shard, (GridShape{2, 1}));
  EXPECT_EQ(totalBytes(layout, {224, 32}), Bytes(8 * 2048));
  // Row-major: 53 rows over 3 cores is 18 + 18 + 17.
  TensorLayout scalar = l1Sharded({{53, 64}}, MemoryLayout::HeightSharded, {3, 1}, k8x8, kRowMajor);
  EXPECT_EQ(scalar.shard, (GridShape{18, 64}));
}

TEST(TensorLayout, EmptyAndUnitDimensions) {
  EXPECT_EQ(dramInterleaved({{0, 5, 64}}).shard, (GridShape{0, 2}));
  EXPECT_EQ(dramInterleaved({{4, 0}}, kRowMajor).shard, (GridShape{4, 0}));
  EXPECT_EQ(totalBytes(dramInterleaved({{0, 5, 64}}), {0, 5, 64}), Bytes(0));
  EXPECT_EQ(l1Interleaved({{0}}, k8x8).shard, (GridShape{1, 0}));
  EXPECT_EQ(dramInterleaved({{1, 1, 1, 1}}).shard, (GridShape{1, 1}));
  EXPECT_EQ(l1Sharded({{1, 1}}, MemoryLayout::BlockSharded, {8, 8}, k8x8).shard, (GridShape{1, 1}));
}

TEST(TensorLayout, WithTensorKeepsThePlacement) {
  TensorDesc other{{3, 100, 64}, DataType::Float32};
  TensorDesc tensor{{64, 64}, DataType::BFloat16};
  const TensorLayout layouts[] = {dramInterleaved(tensor), dramInterleaved(tensor, kRowMajor),
                                  systemMemory(tensor), l1Interleaved(tensor, k8x8),
                                  l1Interleaved(tensor, k8x8, kRowMajor)};
  const TensorLayout expected[] = {dramInterleaved(other), dramInterleaved(other, kRowMajor),
                                   systemMemory(other), l1Interleaved(other, k8x8),
                                   l1Interleaved(other, k8x8, kRowMajor)};
  for (size_t i = 0; i != std::size(layouts); ++i)
    EXPECT_EQ(withTensor(layouts[i], other, k8x8), expected[i]) << describe(layouts[i]);

  TensorLayout sharded = l1Sharded(tensor, MemoryLayout::HeightSharded, {5, 1}, k8x8);
  EXPECT_EQ(withTensor(sharded, other, k8x8), l1Sharded(other, MemoryLayout::HeightSharded, {5, 1}, k8x8));
}

TEST(TensorLayout, WithTensorKeepsUnusualCoresAndPlacesMissingOnes) {
  TensorLayout layout = l1Sharded({{64, 64}}, MemoryLayout::HeightSharded, {2, 1}, k8x8);
  layout.cores = CoreRangeSet{{{{6, 6}, {7, 6}}}};
  EXPECT_EQ(withTensor(layout, {{128, 64}}, k8x8).cores, layout.cores);
  layout.cores = std::nullopt;
  EXPECT_EQ(withTensor(layout, {{128, 64}}, k8x8).cores, (CoreRangeSet{{{{0, 0}, {1, 0}}}}));
  layout.ignorePhysicalLayout = true;
  EXPECT_EQ(withTensor(layout, {{128, 64}}, k8x8).cores, std::nullopt);
}

TEST(TensorLayout, WithTensorKeepsTheWholeMemrefConvention) {
  TensorLayout layout = dramInterleaved({{64, 64}});
  layout.buffer = BufferType::L1;
  EXPECT_EQ(withTensor(layout, {{96, 160}}, k8x8).shard, (GridShape{3, 5}));
}

TEST(TensorLayout, Describe) {
  EXPECT_EQ(describe(dramInterleaved({{64, 64}})), "dram/interleaved");
  EXPECT_EQ(describe(dramInterleaved({{64, 64}}, kRowMajor)), "dram/interleaved/row_major");
  EXPECT_EQ(describe(systemMemory({{64, 64}})), "system_memory/row_major");
  EXPECT_EQ(
      describe(l1Sharded({{64, 64}, DataType::Float32}, MemoryLayout::WidthSharded, {1, 4}, k8x8, kRowMajor)),
      "l1/width_sharded/1x4/row_major 64x16 elements f32");
  TensorLayout hint = l1Sharded({{64, 64}}, MemoryLayout::BlockSharded, {2, 2}, k8x8);
  hint.ignorePhysicalLayout = true;
  EXPECT_EQ(describe(hint), "l1/block_sharded/2x2 any shard bf16");
}

// ---- Properties over random tensors ----------------------------------------------------------------------

struct Random {
  std::mt19937_64 engine{20240607};
  int64_t in(int64_t low, int64_t high) { return low + int64_t(engine() % uint64_t(high - low + 1)); }
  TensorDesc tensor() {
    TensorDesc desc{{}, DataType(in(0, kNumDataTypes - 1))};
    for (int64_t rank = in(0, 6); rank > 0; --rank)
      desc.shape.push_back(in(0, 9) == 0 ? 1 : in(1, rank > 2 ? 6 : 400));
    return desc;
  }
  PageLayout page(DataType dtype) { return isBlockFloat(dtype) || in(0, 1) ? kTile : kRowMajor; }
};

TEST(TensorLayoutProperties, BuildersAreLegalAndBytesSuffice) {
  Random random;
  const DeviceSpec &device = *findDevice("n150");
  for (int i = 0; i != 20000; ++i) {
    TensorDesc tensor = random.tensor();
    PageLayout page = random.page(tensor.dtype);
    GridShape grid{random.in(1, 8), random.in(1, 8)};
    int64_t cores = random.in(1, 64);
    const TensorLayout layouts[] = {
        dramInterleaved(tensor, page),
        l1Interleaved(tensor, k8x8, page),
        l1Sharded(tensor, MemoryLayout::BlockSharded, grid, k8x8, page),
        l1Sharded(tensor, MemoryLayout::HeightSharded, {cores, 1}, k8x8, page),
        l1Sharded(tensor, MemoryLayout::WidthSharded, {1, cores}, k8x8, page),
    };
    for (const TensorLayout &layout : layouts) {
      ASSERT_EQ(checkLayoutFor(layout, tensor.shape, device), "") << describe(layout);
      int64_t banks = layout.isDram() ? device.dramBanks : layout.coreCount().value();
      ASSERT_GE(bytesPerCore(layout, device) * banks, totalBytes(layout, tensor.shape)) << describe(layout);
      GridShape physical = physicalShapeInUnits(layout, tensor.shape);
      if (layout.isSharded()) { // no shard row or column could be left out
        ASSERT_LT((layout.shard.rows - 1) * layout.grid.rows, physical.rows);
        ASSERT_LT((layout.shard.columns - 1) * layout.grid.columns, physical.columns);
      }
    }
  }
}

TEST(TensorLayoutProperties, CollapseIsInjectiveAndRowMajorIsDense) {
  Random random;
  for (int i = 0; i != 2000; ++i) {
    TensorDesc tensor = random.tensor();
    LinearMap dense = collapseTo2D(tensor.shape, kRowMajor), padded = collapseTo2D(tensor.shape, kTile);
    int64_t volume = 1;
    for (int64_t extent : tensor.shape)
      volume *= extent;
    Shape extents = dense.extents(tensor.shape);
    ASSERT_EQ(extents[0] * extents[1], volume);
    // Each stride steps over all that lies below it: no two indices meet.
    for (size_t d = 0; d + 2 < tensor.shape.size(); ++d)
      ASSERT_GE(padded.results[0].coefficients[d],
                padded.results[0].coefficients[d + 1] * tensor.shape[d + 1]);
    // Batches begin on tile boundaries.
    for (size_t d = 0; d + 2 < tensor.shape.size(); ++d)
      ASSERT_EQ(padded.results[0].coefficients[d] % 32, 0);
  }
}

} // namespace
