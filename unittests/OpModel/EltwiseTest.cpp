//===- EltwiseTest.cpp - What ttnn 0.77.0 says of element-wise ops --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Figures of the wheel for n150, asked by the tools of the project.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/OpModel.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

class EltwiseTest : public testing::Test {
protected:
  const DeviceSpec &device = *findDevice("n150");
  LayoutPool layouts;

  ValidationResult ask(llvm::StringRef text) {
    TextQuery q = parseQuery(text, layouts, device);
    return createAnalyticOpModel({device, layouts, device.usableL1(), BackendVersion::Newest})
        ->query(q.query());
  }
  bool legal(llvm::StringRef text) { return ask(text).status != ValidationStatus::MetalBackendError; }
  int64_t buffers(llvm::StringRef text) { return ask(text).constraints.cbL1PeakSize.value(); }
  int64_t tensors(llvm::StringRef text) { return ask(text).constraints.tensorL1PeakSize.value(); }
  std::string result(llvm::StringRef text) {
    return describe(layouts[ask(text).constraints.outputLayouts.front()]);
  }
};

constexpr int64_t kTile = 2048, kF32Tile = 4096;

TEST_F(EltwiseTest, UnaryOfRowsTakesTileSizedPieces) {
  EXPECT_EQ(buffers("ttnn.relu 784x512@dram/rm -> 784x512@dram/rm"), 4 * kTile);
  EXPECT_EQ(buffers("ttnn.gelu 256x4544@bs2x4/rm -> 256x4544@bs2x4/rm"), 0);
  EXPECT_EQ(buffers("ttnn.relu 8x896@hs4/rm -> 8x896@hs4/rm"), 4 * kTile)
      << "shards of three quarters of a tile";
}

TEST_F(EltwiseTest, UnaryUsesShardsThatAreAllFull) {
  EXPECT_EQ(buffers("ttnn.relu 128x64@hs4 -> 128x64@hs4"), 0);
  EXPECT_EQ(buffers("ttnn.relu 160x64@hs3 -> 160x64@hs3"), 4 * kTile);
  EXPECT_EQ(buffers("ttnn.relu 128x64@hs4 -> 128x64@dram"), 4 * kTile);
}

TEST_F(EltwiseTest, TypecastInPlaceNeedsTypesOfEqualSize) {
  EXPECT_EQ(buffers("ttnn.typecast 128x64@hs4 -> 128x64xu16@hs4"), 0);
  EXPECT_EQ(buffers("ttnn.typecast 128x64@hs4 -> 128x64xf32@hs4"), 2 * kTile + 2 * kF32Tile);
  EXPECT_EQ(buffers("ttnn.typecast 512x64xu16@ws4/rm -> 512x64xsi32@ws4/rm"), 2 * 32 + 2 * 64)
      << "rows of shards";
}

TEST_F(EltwiseTest, BroadcastsKeepTwoTilesMore) {
  EXPECT_EQ(buffers("ttnn.add 64x1024@l1, 64x1@dram -> 64x1024@l1"), 8 * kTile);
  EXPECT_EQ(buffers("ttnn.add 64x1024@l1, 1x1@dram -> 64x1024@l1"), 8 * kTile);
  EXPECT_EQ(buffers("ttnn.add 128x2048@hs1, 128x1@dram -> 128x2048@hs1"), 4 * kTile)
      << "height shards in place";
  EXPECT_EQ(buffers("ttnn.add 128x2048@ws8, 128x1@dram -> 128x2048@ws8"), 8 * kTile);
}

TEST_F(EltwiseTest, BinaryUsesShardsOfOneLayout) {
  EXPECT_EQ(buffers("ttnn.add 256x2048@hs3, 256x2048@hs3 -> 256x2048@hs3"), 0)
      << "also if the last is not full";
  EXPECT_EQ(buffers("ttnn.add 256x2048@l1, 256x2048@l1 -> 256x2048@hs8"), 4 * kTile) << "the result alone";
  EXPECT_EQ(buffers("ttnn.add 256x2048@hs8, 256x2048@hs8 -> 256x2048@ws8"), 0) << "the cores are the same";
  EXPECT_EQ(buffers("ttnn.add 256x2048@hs8, 256x2048@hs8 -> 256x2048@dram"), 6 * kTile);
}

TEST_F(EltwiseTest, RowMajorBinary) {
  EXPECT_EQ(buffers("ttnn.add 64x128@dram/rm, 64x128@dram/rm -> 64x128@dram/rm"), 6 * kTile);
  EXPECT_EQ(buffers("ttnn.add 64x128@hs2/rm, 64x128@hs2/rm -> 64x128@hs2/rm"), 0);
  EXPECT_EQ(tensors("ttnn.add 64x128@hs2/rm, 64x128@hs2/rm -> 64x128@hs2/rm"), 4 * 8192)
      << "both operands and the result in tiles beside it";
  EXPECT_EQ(tensors("ttnn.add 64x128@hs2, 64x128@hs2/rm -> 64x128@hs2"), 2 * 8192);
}

TEST_F(EltwiseTest, IntegersBesideFloatsAreCast) {
  EXPECT_TRUE(legal("ttnn.multiply 64x64xsi32@dram, 64x64@dram -> 64x64@dram"));
  EXPECT_EQ(buffers("ttnn.multiply 64x64xsi32@dram, 64x64@dram -> 64x64@dram"), 6 * kTile);
  EXPECT_FALSE(legal("ttnn.add 64x64xsi32@dram, 64x64@dram -> 64x64@dram"));
  EXPECT_FALSE(legal("ttnn.pow_tensor 64x64xsi32@dram, 64x64xsi32@dram -> 64x64xsi32@dram"));
}

TEST_F(EltwiseTest, Atan2AndRemainderAreOneKernel) {
  EXPECT_EQ(buffers("ttnn.atan2 64x128@l1, 64x128@l1 -> 64x128@l1"), 6 * kTile);
  EXPECT_EQ(tensors("ttnn.remainder 64x128@l1, 64x128@l1 -> 64x128@l1"), kTile);
}

TEST_F(EltwiseTest, ResultsLieWhereMostCoresAre) {
  EXPECT_EQ(result("ttnn.add 128x3072@dram, 128x3072@hs4 -> 128x3072@?"),
            "l1/height_sharded/4x1 1x96 tiles bf16");
  EXPECT_EQ(result("ttnn.add 128x3072@hs2, 128x3072@ws8 -> 128x3072@?"),
            "l1/width_sharded/1x8 4x12 tiles bf16");
  EXPECT_EQ(result("ttnn.add 128x3072@l1, 128x3072@hs4 -> 128x3072@?"), "l1/interleaved");
}

TEST_F(EltwiseTest, WhereMixesLayouts) {
  EXPECT_EQ(buffers("ttnn.where 64x1024@hs2, 64x1024@dram, 64x1@l1 -> 64x1024@ws4"), 8 * kTile);
  EXPECT_EQ(buffers("ttnn.where 64x1024@hs2, 64x1024@hs2, 64x1024@hs2 -> 64x1024@hs2"), 0);
  EXPECT_EQ(buffers("ttnn.where 64x1024@dram, 1x1024@dram, 64x1024@dram -> 64x1024@dram"), 14 * kTile)
      << "a row: two tiles more per operand";
  EXPECT_EQ(tensors("ttnn.clamp_tensor 64x128@l1, 64x128@l1, 64x128@l1 -> 64x128@l1"), 5 * kTile);
}

TEST_F(EltwiseTest, AColumnBesideARowKeepsOnlyTheRow) {
  // ttnn 0.77.0: 24576 and 20480
  EXPECT_EQ(buffers("ttnn.add 1x128xf32@dram, 17x1@dram -> 17x128@dram"),
            2 * kF32Tile + 4 * kTile + 2 * kF32Tile);
  EXPECT_EQ(buffers("ttnn.add 17x1xf32@dram, 1x128@dram -> 17x128@dram"),
            2 * kF32Tile + 4 * kTile + 2 * kTile);
}

TEST_F(EltwiseTest, ASingleElementIsAppliedToAColumnOfHeightShards) {
  EXPECT_EQ(buffers("ttnn.add 128x1@hs4, 1x1@dram -> 128x1@hs4"), 4 * kTile);
  EXPECT_EQ(buffers("ttnn.add 128x1@hs4, 1x1@dram -> 128x1@dram"), 8 * kTile);
}

TEST_F(EltwiseTest, RepeatGathersShortRows) {
  EXPECT_EQ(buffers("ttnn.repeat 1xsi32@dram/rm -> 32xsi32@dram/rm ; repeat_dims=[32]"), 288);
  EXPECT_EQ(buffers("ttnn.repeat 3@dram/rm -> 24@dram/rm ; repeat_dims=[8]"), 352)
      << "eight rows of six bytes";
  EXPECT_EQ(buffers("ttnn.repeat 1x1x1x5@dram/rm -> 4x1x1x5@l1/rm ; repeat_dims=[4,1,1,1]"), 276);
}

TEST_F(EltwiseTest, ArgmaxOfRowsWorksOnAllCores) {
  // ttnn 0.77.0
  EXPECT_EQ(buffers("ttnn.argmax 32x128256@dram/rm -> 32x1xu32@dram/rm ; dim=1 keep_dim=true"), 8160);
  EXPECT_EQ(buffers("ttnn.argmax 32x64xf32@dram/rm -> 32xu32@dram/rm ; dim=1 keep_dim=false"), 1216);
}

// tt-metal's gather: a row of up to 60 tiles is held, a longer one streams through two.
TEST_F(EltwiseTest, GatherHoldsShortRowsOnly) {
  EXPECT_EQ(buffers("ttnn.gather 32x1920@dram, 32x32xu32@dram -> 32x32@dram ; dim=1"),
            60 * kTile + 2 * kTile + kTile);
  EXPECT_EQ(buffers("ttnn.gather 32x1952@dram, 32x32xu32@dram -> 32x32@dram ; dim=1"),
            2 * kTile + 2 * kTile + kTile);
}

TEST_F(EltwiseTest, RepeatTakesTilesAsTheyAre) {
  EXPECT_EQ(buffers("ttnn.repeat 1x1x8x8192@dram -> 4x1x8x32768@dram ; repeats=[4,1,1,4]"), 8 * kTile);
  EXPECT_EQ(buffers("ttnn.repeat 1x1024x1024@dram -> 4x1024x4096@l1 ; repeats=[4,1,4]"), kTile + 128);
  EXPECT_EQ(buffers("ttnn.repeat 1x1x32x896@bs1x2 -> 1x1x32x3584@bs1x2 ; repeats=[1,1,1,4]"), kTile + 128);
  EXPECT_EQ(buffers("ttnn.repeat 256x2048@dram/rm -> 512x2048@dram/rm ; repeats=[2,1]"), 8 * 4096);
  EXPECT_EQ(tensors("ttnn.repeat 1x8x1024x128@l1/rm -> 4x8x1024x256@l1/rm ; repeats=[4,1,1,2]"),
            262144 + 65536)
      << "the last dimension first";
}

TEST_F(EltwiseTest, InterleavedRepeatsConcatenateRows) {
  EXPECT_EQ(buffers("ttnn.repeat_interleave 1x1x8x8192@dram/rm -> 1x1x8x32768@dram/rm ; dim=3 repeats=4"),
            6 * kTile)
      << "transposes before and after";
  EXPECT_EQ(
      buffers("ttnn.repeat_interleave 1x197x4096xf32@dram/rm -> 8x197x4096xf32@dram/rm ; dim=0 repeats=8"),
      2 * 4 * 4096);
  EXPECT_EQ(tensors("ttnn.repeat_interleave 1x1x32x2048@l1 -> 1x1x32x16384@l1 ; dim=3 repeats=8"), 34816);
}

} // namespace
