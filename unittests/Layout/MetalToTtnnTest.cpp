//===- MetalToTtnnTest.cpp - Both ways, and why not ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/MetalToTtnn.h"

#include "tessera/Layout/MetalGeometry.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

constexpr TileShape k32x32{32, 32};
constexpr GridShape k8x8{8, 8};
const DeviceSpec &n150() { return *findDevice("n150"); }

MetalLayout metal(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> grid,
                  MetalLayoutOptions options = {}) {
  return llvm::cantFail(buildMetalLayout(shape, DataType::BFloat16, grid, options));
}

std::string whyNot(llvm::ArrayRef<int64_t> shape, llvm::ArrayRef<int64_t> grid,
                   MetalLayoutOptions options = {}) {
  llvm::Expected<TensorLayout> layout = toTensorLayout(metal(shape, grid, options), shape, n150());
  return layout ? "expressible as " + describe(*layout) : llvm::toString(layout.takeError());
}

std::string whyNot(const TensorLayout &layout, llvm::ArrayRef<int64_t> shape) {
  llvm::Expected<MetalLayout> back = toMetalLayout(layout, shape, n150());
  return back ? "expressible as " + describe(*back) : llvm::toString(back.takeError());
}

// ---- Terms ------------------------------------------------------------------------------------------------

TEST(TtnnTerms, OfTheWalkthrough) {
  TtnnTerms terms = llvm::cantFail(ttnnTerms(metal({2, 3, 64, 128}, {2, 4}), {2, 3, 64, 128}));
  EXPECT_EQ(terms.shape, (Shape{2, 3, 64, 128}));
  EXPECT_EQ(terms.stride, (Shape{24576, 8192, 128, 1}));
  EXPECT_EQ(terms.shardShape, (GridShape{192, 32}));
  EXPECT_EQ(terms.physicalShardShape, (GridShape{192, 32}));
  EXPECT_EQ(terms.tileShape, (TileShape{1, 1}));
  // By the letter of the document: divup(24576 / 128, 192) = 1 row and divup(128, 192) = 1 column of shards.
  EXPECT_EQ(terms.gridShape, (GridShape{2, 4}));
}

TEST(TtnnTerms, ShardsNeedNotBeWholeTiles) {
  TtnnTerms terms = llvm::cantFail(ttnnTerms(metal({53, 63}, {3, 2}, {.tile = k32x32}), {53, 63}));
  EXPECT_EQ(terms.stride, (Shape{63, 1}));
  EXPECT_EQ(terms.shardShape, (GridShape{18, 32}));
  EXPECT_EQ(terms.physicalShardShape, (GridShape{32, 32}));
  EXPECT_EQ(terms.tileShape, k32x32);
  EXPECT_EQ(terms.gridShape, (GridShape{3, 2}));
}

TEST(TtnnTerms, GridCountsShardsWithData) {
  // 5 rows over 4 cores: the last has none.
  EXPECT_EQ(llvm::cantFail(ttnnTerms(metal({5, 8}, {4, 1}), {5, 8})).gridShape, (GridShape{3, 1}));
}

TEST(TtnnTerms, PaddedStridesShow) {
  MetalLayout layout = metal({2, 8, 32}, {1, 2}, {.alignments = {1, 32, 1}, .tile = k32x32});
  EXPECT_EQ(llvm::cantFail(ttnnTerms(layout, {2, 8, 32})).stride, (Shape{1024, 32, 1}));
}

TEST(TtnnTerms, OneDimension) {
  TtnnTerms terms = llvm::cantFail(ttnnTerms(metal({100}, {4}), {100}));
  EXPECT_EQ(terms.stride, (Shape{1}));
  EXPECT_EQ(terms.shardShape, (GridShape{1, 25}));
  EXPECT_EQ(terms.gridShape, (GridShape{1, 4}));
}

// ---- To TTNN ----------------------------------------------------------------------------------------------

TEST(MetalToTtnn, ShardedInL1) {
  TensorDesc tensor{{2, 64, 128}, DataType::BFloat16};
  auto convert = [&](llvm::ArrayRef<int64_t> grid, MetalLayoutOptions options) {
    return llvm::cantFail(toTensorLayout(metal(tensor.shape, grid, options), tensor.shape, n150()));
  };
  EXPECT_EQ(convert({2, 4}, {.tile = k32x32}), l1Sharded(tensor, MemoryLayout::BlockSharded, {2, 4}, k8x8));
  EXPECT_EQ(convert({4, 1}, {.tile = k32x32}), l1Sharded(tensor, MemoryLayout::HeightSharded, {4, 1}, k8x8));
  EXPECT_EQ(convert({1, 4}, {.tile = k32x32}), l1Sharded(tensor, MemoryLayout::WidthSharded, {1, 4}, k8x8));
  EXPECT_EQ(convert({3, 1}, {}),
            l1Sharded(tensor, MemoryLayout::HeightSharded, {3, 1}, k8x8, PageLayout::RowMajor));
}

TEST(MetalToTtnn, WideGridsAreWidthSharding) {
  TensorLayout layout =
      llvm::cantFail(toTensorLayout(metal({32, 2048}, {1, 64}, {.tile = k32x32}), {32, 2048}, n150()));
  EXPECT_EQ(describe(layout), "l1/width_sharded/1x64 1x1 tiles bf16");
  EXPECT_EQ(layout.cores, rectangleOfCores(k8x8));
}

TEST(MetalToTtnn, DramAndHost) {
  TensorDesc tensor{{2, 40, 100}, DataType::BFloat16};
  MetalLayout dram = metal(tensor.shape, {1, 1},
                           {.alignments = {1, 32, 1}, .tile = k32x32, .space = MemorySpace::DeviceDRAM});
  EXPECT_EQ(llvm::cantFail(toTensorLayout(dram, tensor.shape, n150())), dramInterleaved(tensor));
  MetalLayout host = metal(tensor.shape, {1, 1}, {.space = MemorySpace::System});
  EXPECT_EQ(llvm::cantFail(toTensorLayout(host, tensor.shape, n150())), systemMemory(tensor));
  TensorLayout banks = llvm::cantFail(toTensorLayout(
      metal({64, 384}, {1, 12}, {.tile = k32x32, .space = MemorySpace::DeviceDRAM}), {64, 384}, n150()));
  EXPECT_EQ(describe(banks), "dram/width_sharded/1x12 2x1 tiles bf16");
  EXPECT_EQ(banks.cores, (CoreRangeSet{{{{0, 0}, {11, 0}}}}));
}

TEST(MetalToTtnn, OneDimensionIsOneRow) {
  TensorLayout layout = llvm::cantFail(toTensorLayout(metal({100}, {4}), {100}, n150()));
  EXPECT_EQ(layout, l1Sharded({{100}}, MemoryLayout::WidthSharded, {1, 4}, k8x8, PageLayout::RowMajor));
}

TEST(MetalToTtnn, PartialCollapseSuggestsTheMesh) {
  EXPECT_EQ(whyNot({2, 3, 64, 128}, {2, 2, 4}, {.collapse = {{1, -1}}, .tile = k32x32}),
            "TTNN folds all dimensions but the last into rows, but this layout has 3 physical dimensions: it "
            "keeps d0 "
            "apart (a partial collapse); lower it to a TTNN mesh tensor sliced over d0, with all dimensions "
            "but the "
            "last folded on each device");
  EXPECT_EQ(whyNot({2, 3, 64, 128}, {1, 1, 1}, {.collapse = {{0, 2}}}),
            "TTNN folds all dimensions but the last into rows, but this layout has 3 physical dimensions");
}

TEST(MetalToTtnn, ColumnsAreTheLastDimension) {
  EXPECT_EQ(whyNot({2, 3, 64}, {1, 1}, {.collapse = {{1, 3}}}),
            "TTNN's columns are the last dimension and nothing else; this layout folds or moves it");
}

TEST(MetalToTtnn, StridesFollowTTNNsPadding) {
  EXPECT_EQ(whyNot({2, 8, 32}, {1, 1}, {.tile = k32x32}),
            "TTNN pads each matrix to whole tiles of 32x32 first, so d0 strides by 32 rows, not 8");
  EXPECT_EQ(whyNot({2, 8, 32}, {1, 1}, {.alignments = {1, 32, 1}}),
            "TTNN leaves no gaps between the rows of a row-major tensor, so d0 strides by 8 rows, not 32");
  EXPECT_EQ(whyNot({1, 8, 32}, {1, 1}, {.tile = k32x32}),
            "expressible as l1/height_sharded/1x1 1x1 tiles bf16");
}

TEST(MetalToTtnn, TilesAreDealtOutWhole) {
  EXPECT_EQ(whyNot({53, 63}, {3, 2}, {.tile = k32x32}),
            "53 rows over 3 cores are 18 each in a metal_layout; TTNN deals out whole tiles of 32 rows");
  EXPECT_EQ(
      whyNot({32, 100}, {1, 2}, {.tile = k32x32}),
      "100 columns over 2 cores are 50 each in a metal_layout; TTNN deals out whole tiles of 32 columns");
}

TEST(MetalToTtnn, Places) {
  EXPECT_EQ(whyNot({64, 64}, {1, 1}, {.space = MemorySpace::SystemMMIO}),
            "TTNN has no buffer in host memory that the device sees (mmio)");
  EXPECT_EQ(whyNot({64, 64}, {2, 1}, {.space = MemorySpace::System}),
            "TTNN does not cut host tensors, but the grid is 2x1");
  EXPECT_EQ(whyNot({64, 64}, {13, 1}, {.space = MemorySpace::DeviceDRAM}),
            "grid 13x1 has more shards than the 12 DRAM banks of n150");
  EXPECT_EQ(whyNot({64, 64}, {2, 2}, {.space = MemorySpace::DeviceDRAM}),
            "dram cannot be block_sharded: its banks form one row");
  EXPECT_EQ(whyNot({640, 64}, {65, 1}), "grid 65x1 has more shards than the 64 worker cores of n150");
  EXPECT_EQ(whyNot({640, 64}, {10, 2}), "grid 10x2 does not fit the 8x8 worker cores of n150");
}

// ---- From TTNN --------------------------------------------------------------------------------------------

TEST(TtnnToMetal, RoundTrips) {
  TensorDesc tensor{{2, 64, 256}, DataType::BFP_BFloat8};
  for (const TensorLayout &layout : {dramInterleaved(tensor), systemMemory(tensor, PageLayout::Tile),
                                     l1Sharded(tensor, MemoryLayout::BlockSharded, {2, 4}, k8x8),
                                     l1Sharded(tensor, MemoryLayout::HeightSharded, {4, 1}, k8x8),
                                     l1Sharded(tensor, MemoryLayout::WidthSharded, {1, 8}, k8x8)}) {
    llvm::Expected<MetalLayout> there = toMetalLayout(layout, tensor.shape, n150());
    ASSERT_TRUE(bool(there)) << llvm::toString(there.takeError());
    EXPECT_EQ(llvm::cantFail(toTensorLayout(*there, tensor.shape, n150())), layout) << describe(layout);
    EXPECT_EQ(llvm::cantFail(MetalGeometry::create(*there, tensor.shape)).totalBytes(),
              totalBytes(layout, tensor.shape));
  }
}

TEST(TtnnToMetal, Reasons) {
  TensorDesc tensor{{64, 64}, DataType::BFloat16};
  EXPECT_EQ(whyNot(l1Interleaved(tensor, k8x8), tensor.shape),
            "L1 interleaved pages go round-robin over the cores; metal_layout gives each core one shard");
  TensorLayout sharded = l1Sharded(tensor, MemoryLayout::HeightSharded, {2, 1}, k8x8);
  TensorLayout moved = sharded;
  moved.cores = CoreRangeSet{{{{6, 6}, {7, 6}}}};
  EXPECT_EQ(whyNot(moved, tensor.shape),
            "the shards lie on other cores than the canonical ones of a 2x1 grid; "
            "metal_layout's grid is virtual and does not name cores");
  TensorLayout hint = sharded;
  hint.ignorePhysicalLayout = true;
  EXPECT_EQ(whyNot(hint, tensor.shape),
            "the layout leaves shard shape and cores to the backend; metal_layout states them");
  TensorLayout mesh = sharded;
  mesh.mesh = "#ttcore.tensor_mesh<\"mesh\">";
  EXPECT_EQ(whyNot(mesh, tensor.shape),
            "the tensor is spread over a mesh; metal_layout describes it per device");
  TensorLayout small = sharded;
  small.buffer = BufferType::L1Small;
  EXPECT_EQ(whyNot(small, tensor.shape), "metal_layout has no memory space for l1_small");
  TensorLayout nd = sharded;
  nd.memory = MemoryLayout::NDSharded;
  EXPECT_EQ(whyNot(nd, tensor.shape), "nd_sharded is not a cut of rows and columns");
}

TEST(TtnnToMetal, UnevenTilesAreNotTheSame) {
  // TTNN: 2 tiles, 2 tiles, none. metal_layout: 35, 35 and 34 rows.
  TensorLayout layout = l1Sharded({{2, 40, 100}}, MemoryLayout::HeightSharded, {3, 1}, k8x8);
  EXPECT_EQ(whyNot(layout, {2, 40, 100}),
            "104 rows over 3 cores are 35 each in a metal_layout; TTNN deals out whole tiles of 32 rows");
}

TEST(TtnnToMetal, HeightShardedDramInEitherSpelling) {
  TensorLayout layout = l1Sharded({{256, 64}}, MemoryLayout::HeightSharded, {8, 1}, {1, 12});
  layout.buffer = BufferType::DRAM;
  layout.grid = {1, 8};
  MetalLayout metal = llvm::cantFail(toMetalLayout(layout, {256, 64}, n150()));
  EXPECT_EQ(metal.grid, (Shape{8, 1}));
  EXPECT_EQ(metal.shard, (Shape{1, 2}));
}

TEST(TtnnToMetal, IllegalLayoutsAreNotTranslated) {
  TensorLayout layout = dramInterleaved({{64, 64}});
  EXPECT_EQ(whyNot(layout, {1, 64, 64}), "the linear map has 2 dimensions, the tensor [1x64x64] has 3");
}

} // namespace
