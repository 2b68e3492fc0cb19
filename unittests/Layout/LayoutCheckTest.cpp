//===- LayoutCheckTest.cpp - One test per rule -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//

#include "tessera/Layout/TensorLayout.h"

#include <gtest/gtest.h>

using namespace tessera;

namespace {

constexpr GridShape k8x8{8, 8};
const TensorDesc kTensor{{256, 512}};

TensorLayout block() { return l1Sharded(kTensor, MemoryLayout::BlockSharded, {4, 8}, k8x8); }
TensorLayout height() { return l1Sharded(kTensor, MemoryLayout::HeightSharded, {8, 1}, k8x8); }

std::string check(TensorLayout layout, void (*change)(TensorLayout &)) {
  change(layout);
  return checkLayout(layout);
}

std::string checkOn(const char *device, TensorLayout layout, void (*change)(TensorLayout &) = nullptr) {
  if (change)
    change(layout);
  return checkLayoutFor(layout, kTensor.shape, *findDevice(device));
}

TEST(LayoutCheck, MapHasRowsAndColumns) {
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.linear.results.pop_back(); }),
            "the linear map has 1 results; a layout has rows and columns");
}

TEST(LayoutCheck, MapIsRectangular) {
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.linear.results[0].coefficients.push_back(1); }),
            "the linear map has 2 dimensions but 3 coefficients in a result");
}

TEST(LayoutCheck, Extents) {
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.grid = {0, 8}; }), "grid 0x8 is empty");
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.shard.rows = -1; }), "shard -1x2 has a negative extent");
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.tile.width = 0; }), "tile 32x0 is empty");
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.shard.rows = kMaxLayoutExtent + 1; }),
            "shard 2147483649x2 has an extent beyond 2147483648");
}

TEST(LayoutCheck, BlockFloatsNeedTiles) {
  EXPECT_EQ(check(dramInterleaved(kTensor, PageLayout::RowMajor),
                  [](TensorLayout &l) { l.dtype = DataType::BFP_BFloat8; }),
            "bfp_bf8 exists in tiles only, but the layout is row_major");
}

TEST(LayoutCheck, MemoryLayoutIsAbsentExactlyOnHost) {
  EXPECT_EQ(check(dramInterleaved(kTensor), [](TensorLayout &l) { l.memory = std::nullopt; }),
            "a layout in dram needs a memory layout");
  EXPECT_EQ(check(systemMemory(kTensor), [](TensorLayout &l) { l.memory = MemoryLayout::Interleaved; }),
            "system_memory has no memory layout, but interleaved is given");
}

TEST(LayoutCheck, HostAndDramInterleavedHaveGridOne) {
  EXPECT_EQ(check(systemMemory(kTensor), [](TensorLayout &l) { l.grid = {2, 1}; }),
            "system_memory has grid 1x1, not 2x1");
  EXPECT_EQ(check(dramInterleaved(kTensor), [](TensorLayout &l) { l.grid = k8x8; }),
            "dram interleaved has grid 1x1, not 8x8");
}

TEST(LayoutCheck, DramIsNeverBlockSharded) {
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.buffer = BufferType::DRAM; }),
            "dram cannot be block_sharded: its banks form one row");
}

TEST(LayoutCheck, DramShardsLieInOneRow) {
  EXPECT_EQ(
      check(block(),
            [](TensorLayout &l) { l.buffer = BufferType::DRAM, l.memory = MemoryLayout::WidthSharded; }),
      "dram sharded has one row of banks, but grid 4x8");
}

TEST(LayoutCheck, HeightAndWidthCutOneDimension) {
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.memory = MemoryLayout::HeightSharded; }),
            "height_sharded cuts rows only, but grid 4x8 has 8 columns");
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.memory = MemoryLayout::WidthSharded; }),
            "width_sharded cuts columns only, but grid 4x8 has 4 rows");
}

TEST(LayoutCheck, CoresGoWithSharding) {
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.cores = std::nullopt; }),
            "block_sharded needs core ranges");
  EXPECT_EQ(check(block(), [](TensorLayout &l) { l.cores = std::nullopt, l.ignorePhysicalLayout = true; }),
            "");
  EXPECT_EQ(check(dramInterleaved(kTensor), [](TensorLayout &l) { l.cores = rectangleOfCores({1, 1}); }),
            "core ranges are for sharded layouts; this one is interleaved");
}

TEST(LayoutCheck, CoreRangesAreDisjointRectangles) {
  EXPECT_EQ(check(height(), [](TensorLayout &l) { l.cores->ranges[0] = {{7, 0}, {0, 0}}; }),
            "core range (7,0)-(0,0) is not a rectangle from upper left to lower right");
  EXPECT_EQ(check(height(), [](TensorLayout &l) { l.cores->ranges[0] = {{-1, 0}, {6, 0}}; }),
            "core range (-1,0)-(6,0) is not a rectangle from upper left to lower right");
  EXPECT_EQ(check(height(), [](TensorLayout &l) { l.cores->ranges[0] = {{0, 0}, {256, 0}}; }),
            "core range (0,0)-(256,0) reaches beyond 256 rows or columns, which no chip has");
  EXPECT_EQ(check(height(), [](TensorLayout &l) { l.cores->ranges.push_back({{7, 0}, {7, 3}}); }),
            "core ranges (0,0)-(7,0) and (7,0)-(7,3) overlap");
}

TEST(LayoutCheck, EveryShardHasACore) {
  EXPECT_EQ(check(height(), [](TensorLayout &l) { l.cores->ranges[0].end.x = 5; }),
            "grid 8x1 has 8 shards, but the core ranges have 6 cores");
}

TEST(LayoutCheckFor, RankAndExtents) {
  TensorLayout layout = dramInterleaved(kTensor);
  EXPECT_EQ(checkLayoutFor(layout, {1, 256, 512}, *findDevice("n150")),
            "the linear map has 2 dimensions, the tensor [1x256x512] has 3");
  EXPECT_EQ(checkLayoutFor(layout, {-1, 512}, *findDevice("n150")),
            "the tensor [-1x512] has a negative extent");
}

TEST(LayoutCheckFor, GridFitsTheDevice) {
  EXPECT_EQ(checkOn("n150", block()), "");
  EXPECT_EQ(
      checkOn("n150", block(), [](TensorLayout &l) { l.grid = {9, 8}, l.cores = rectangleOfCores(l.grid); }),
      "grid 9x8 does not fit the 8x8 worker cores of n150");
  TensorLayout wide = l1Sharded(kTensor, MemoryLayout::WidthSharded, {1, 65}, {10, 13});
  EXPECT_EQ(checkOn("n150", wide), "grid 1x65 does not fit the 8x8 worker cores of n150");
  EXPECT_EQ(checkOn("p150", wide), "");
  EXPECT_EQ(checkOn("n150", l1Interleaved(kTensor, {10, 13})),
            "grid 10x13 does not fit the 8x8 worker cores of n150");
}

TEST(LayoutCheckFor, CoresLieOnTheDevice) {
  EXPECT_EQ(checkOn("n150", height(), [](TensorLayout &l) { l.cores->ranges[0] = {{1, 0}, {8, 0}}; }),
            "cores (1,0)-(8,0) reach beyond the 8x8 worker cores of n150");
  EXPECT_EQ(checkOn("n150", height(), [](TensorLayout &l) { l.cores->ranges[0] = {{0, 1}, {0, 8}}; }),
            "cores (0,1)-(0,8) reach beyond the 8x8 worker cores of n150");
}

TEST(LayoutCheckFor, DramShardsLieOnTheFirstBanks) {
  auto inDram = [](int64_t banks) {
    TensorLayout layout = l1Sharded(kTensor, MemoryLayout::WidthSharded, {1, banks}, {1, banks});
    layout.buffer = BufferType::DRAM;
    return layout;
  };
  EXPECT_EQ(checkOn("n150", inDram(12)), "");
  EXPECT_EQ(checkOn("n150", inDram(13)), "grid 1x13 has more shards than the 12 DRAM banks of n150");
  EXPECT_EQ(checkOn("p150", inDram(12)), "grid 1x12 has more shards than the 8 DRAM banks of p150");
  EXPECT_EQ(checkOn("n150", inDram(4), [](TensorLayout &l) { l.cores->ranges[0] = {{1, 0}, {4, 0}}; }),
            "dram shards lie on banks (0,0)-(3,0), not on (1,0)-(4,0)");
}

TEST(LayoutCheckFor, ShardsCoverTheTensor) {
  EXPECT_EQ(checkOn("n150", height(), [](TensorLayout &l) { l.shard.columns = 15; }),
            "8x1 shards of 1x15 do not cover the 8x16 tiles of tensor [256x512]");
  EXPECT_EQ(checkOn("n150", height(), [](TensorLayout &l) { l.shard = {2, 16}; }), ""); // padding is legal
  EXPECT_EQ(checkOn("n150", l1Interleaved(kTensor, k8x8), [](TensorLayout &l) { l.shard = {1, 1}; }),
            "8x8 shards of 1x1 do not cover the 8x16 tiles of tensor [256x512]");
  EXPECT_EQ(checkOn("n150", dramInterleaved(kTensor), [](TensorLayout &l) { l.shard = {16, 8}; }),
            "1x1 shards of 16x8 do not cover the 8x16 tiles of tensor [256x512]");
  EXPECT_EQ(
      checkOn("n150", height(), [](TensorLayout &l) { l.shard = {1, 1}, l.ignorePhysicalLayout = true; }),
      "");
}

TEST(LayoutCheckFor, HeightShardedDramInEitherSpelling) {
  TensorLayout layout = height();
  layout.buffer = BufferType::DRAM;
  EXPECT_EQ(checkOn("n150", layout), "");
  layout.grid = {1, 8};
  EXPECT_EQ(checkOn("n150", layout), "");
}

} // namespace
