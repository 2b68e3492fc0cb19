//===- Wheel077Test.cpp - What ttnn 0.77 says of matmuls and reductions ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Figures of the wheel ttnn 0.77.0 on its mock chips, one call per rule.
//
//===----------------------------------------------------------------------===//
#include "WheelTest.h"
#include "tessera/OpModel/OpTable.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

class Wheel077Test : public WheelTest {};

TEST_F(Wheel077Test, AnActivationThatTheProgramConfigDoesNotFuseFollows) {
  const std::string call = "ttnn.matmul 96x256@l1, 256x512@dram -> 96x512@l1 ; activation=silu";
  EXPECT_EQ(tensors(call + " ; mcast1d_in0 grid=8x2 k=4 m=3 n=1 sub=1x1"), 2 * 2048);
  EXPECT_EQ(tensors(call), 2 * 2048);
}

TEST_F(Wheel077Test, MatmulsInDramGoTo2DUnlessNarrow) {
  EXPECT_EQ(buffers("ttnn.matmul 1x512x896@dram, 896x1152@dram -> 1x512x1152@?"), 24 * 2048);
  EXPECT_EQ(buffers("ttnn.matmul 1x128x768@dram, 768x768@dram -> 1x128x768@?"), 27 * 2048);
}

TEST_F(Wheel077Test, AbsentWeightAndBiasOfABatchNormAreBf16) {
  EXPECT_EQ(buffers("ttnn.batch_norm_inference 1x64x7x7xf32@dram, 1x64x1x1xf32@dram, 1x64x1x1xf32@dram -> "
                    "1x64x7x7xf32@dram"),
            14 * 4096 + 4 * 2048);
  EXPECT_EQ(buffers("ttnn.batch_norm_inference 1x64x7x7xf32@dram, 1x64x1x1xf32@dram, 1x64x1x1xf32@dram, "
                    "1x64x1x1xf32@dram, 1x64x1x1xf32@dram -> 1x64x7x7xf32@dram"),
            18 * 4096);
}

TEST_F(Wheel077Test, ArgmaxOfTilesKeepsATileAndARowOfIndices) {
  EXPECT_EQ(buffers("ttnn.argmax 32x32000@dram -> 32x1xu32@dram/rm ; dim=1 keep_dim=true"), 2048 + 4);
  EXPECT_EQ(buffers("ttnn.argmax 8x197x768xf32@l1 -> 8x197xu32@dram/rm ; dim=2 keep_dim=false"),
            4096 + 197 * 4);
  EXPECT_EQ(buffers("ttnn.argmax 1x128x1000@dram -> 1x1x1000xu32@l1/rm ; dim=1 keep_dim=true"), 2048 + 4000);
}

TEST_F(Wheel077Test, ArgmaxOfRowsHasBuffersOfTwoSizesOnDifferentCores) {
  DeviceSpec device = *findDevice("n150");
  TextQuery q =
      parseQuery("ttnn.argmax 1x32000@dram/rm -> 1x1xu32@dram/rm ; dim=1 keep_dim=true", layouts, device);
  Explanation told = explain({device, layouts, device.usableL1(), BackendVersion::Newest}, q.query());
  EXPECT_EQ(told.result.constraints.cbL1PeakSize.value(), 5152); // 32 pieces of 16 elements
  EXPECT_EQ(told.addedBuffers.value(), 6144);                    // and 31
}

TEST_F(Wheel077Test, ArgmaxMakesRowsOfIndicesWithoutSign) {
  ValidationResult answer = ask("ttnn.argmax 32x1000@dram -> 32x1xsi32@dram ; dim=1 keep_dim=true");
  EXPECT_EQ(answer.status, ValidationStatus::UnmatchedReferenceConfig);
  EXPECT_EQ(layouts[answer.constraints.outputLayouts.front()].dtype, DataType::UInt32);
}

TEST_F(Wheel077Test, BlocksOfKShrinkBeforeBlocksOfTheResult) {
  EXPECT_EQ(buffers("ttnn.matmul 1x1024x3072@dram, 5120x3072@dram -> 1x1024x5120@dram ; transpose_b=true"),
            368 * 2048);
}

TEST_F(Wheel077Test, BlockFloatResultsAreAccumulatedInBf16) {
  EXPECT_EQ(buffers("ttnn.linear 1x2048x2048xbfp_bf8@dram, 2048x3072@dram -> 1x2048x3072xbfp_bf8@l1"),
            64 * 1088 + 64 * 2048 + 256 * 1088 + 256 * 2048);
}

TEST_F(Wheel077Test, EachBankComputesItsColumns) {
  EXPECT_EQ(
      buffers("ttnn.matmul 1x1x32x18176@ws1, 18176x4544@wsdram12 -> 1x1x32x4544@ws1 ; ; dram_sharded k=2 "
              "m=1 n=142"),
      4 * 2048 + 72 * 2048 + 12 * 2048);
}

TEST_F(Wheel077Test, TheBackendsOwnChoiceMayBeIllegal) {
  // Subblocks that do not fit a sharded result.
  EXPECT_FALSE(legal("ttnn.matmul 1x2048x2048@bs2x4, 2048x2560xbfp_bf8@l1 -> 1x2048x2560@bs2x4"));
  // Batched, with shards where they are multiplied.
  EXPECT_TRUE(legal("ttnn.matmul 1x16x128x128@hs16, 1x16x128x64@l1 -> 1x16x128x64@hs16"));
}

TEST_F(Wheel077Test, RowsAndColumnsOfCoresMultiplyIn2D) {
  EXPECT_TRUE(
      legal("ttnn.matmul 1x1x32x2048@bs1x4, 2048x2048@dram -> 1x1x32x2048@dram ; ; mcast2d grid=4x1 k=8 m=1 "
            "n=16 sub=1x8"));
}

TEST_F(Wheel077Test, PairsOfMatricesHaveOneRank) {
  EXPECT_FALSE(legal("ttnn.matmul 1x64x64@dram, 64x64@dram -> 1x64x64@dram ; ; reuse grid=8x8 k=2 m=2 n=2"));
  EXPECT_TRUE(legal("ttnn.matmul 64x64@dram, 64x64@dram -> 64x64@dram ; ; reuse grid=8x8 k=2 m=2 n=2"));
}

TEST_F(Wheel077Test, SlicesOfOneDimensionGoByRows) {
  EXPECT_EQ(buffers("ttnn.slice_static 64@l1 -> 32@l1 ; begins=[32] ends=[64] step=[1]"), 8192);
  EXPECT_EQ(tensors("ttnn.slice_static 64@l1 -> 32@l1 ; begins=[32] ends=[64] step=[1]"), 2240);
  EXPECT_EQ(buffers("ttnn.slice_static 1000@l1 -> 333@l1 ; begins=[0] ends=[333] step=[1]"), 131072);
  EXPECT_EQ(tensors("ttnn.slice_static 1x64@l1 -> 1x32@l1 ; begins=[0,32] ends=[1,64] step=[1,1]"), 2048);
}

TEST_F(Wheel077Test, ShardsOfABiasAreAddedInPlaceWhereIn0GoesToAll) {
  EXPECT_EQ(buffers("ttnn.linear 1x192x768@l1, 768x768@l1, 768@ws12 -> 1x192x768@bs6x4 ; ; mcast2d grid=4x6 "
                    "k=4 m=1 n=6 sub=1x2"),
            126976);
  EXPECT_EQ(buffers("ttnn.linear 1x2048x64@l1, 64x128@dram, 128@ws4 -> 1x2048x128@hs64 ; ; mcast1d_in1 "
                    "grid=8x8 k=2 m=1 n=4 sub=1x4"),
            28672);
}

TEST_F(Wheel077Test, TheBiasIsFusedInDram) {
  EXPECT_EQ(buffers("ttnn.linear 3x160x2610@dram, 2610x1336@dram, 1x1336@l1 -> 3x160x1336@dram"), 26 * 2048);
}

TEST_F(Wheel077Test, SumsOverBothDimensionsKeepF32Between) {
  EXPECT_EQ(buffers("ttnn.sum 1x384x768@ws8 -> 1x1x1@l1 ; dim_arg=[1,2] keep_dim=true"), 8192 + 4096 + 4096);
  EXPECT_EQ(buffers("ttnn.mean 1x384x768@ws8 -> 1x1x1@l1 ; dim_arg=[1,2] keep_dim=true"), 4096 + 2048 + 4096);
}

TEST_F(Wheel077Test, SumsOfOuterDimensionsReadUpToEightTilesAhead) {
  EXPECT_EQ(buffers("ttnn.sum 16x224x768@bs8x3 -> 1x224x768@l1 ; dim_arg=[0] keep_dim=true"),
            32768 + 2048 + 8192);
}

TEST_F(Wheel077Test, MinimaKeepAColumnsNegatives) {
  EXPECT_EQ(buffers("ttnn.min 1x1024x160@dram -> 1x160@l1 ; dim_arg=[1] keep_dim=false"), 18432 + 2 * 65536);
  // Cores of 8 and of 7 columns would need room for 56: negated apart.
  EXPECT_EQ(buffers("ttnn.min 12x478x1245@dram -> 12x1x1245@? ; dim_arg=[1] keep_dim=true"), 12288);
}

TEST_F(Wheel077Test, PaddingIsFilledFirst) {
  EXPECT_EQ(buffers("ttnn.sum 302x1156xbfp_bf8@ws8 -> 302x1xbfp_bf8@? ; dim_arg=[1] keep_dim=true"),
            6 * 2048);
  EXPECT_EQ(tensors("ttnn.sum 302x1156xbfp_bf8@ws8 -> 302x1xbfp_bf8@? ; dim_arg=[1] keep_dim=true"),
            102400 + 54400);
}

TEST_F(Wheel077Test, LongRowsAreSortedTogether) {
  EXPECT_EQ(buffers("ttnn.sort 1x1x64x2048@l1 -> 1x1x64x2048@l1, 1x1x64x2048xu16@l1"), 140 * 2048 + 1024);
  EXPECT_EQ(buffers("ttnn.sort 1x1x64x8192@dram -> 1x1x64x8192@dram, 1x1x64x8192xu16@dram"),
            24 * 2048 + 6144);
  EXPECT_EQ(buffers("ttnn.sort 32x16384@dram -> 32x16384@dram, 32x16384xu16@dram", "p150"), 16 * 2048);
  // What the others find has room on each, and on the one that merges it the row's own part has none.
  EXPECT_EQ(buffers("ttnn.topk 32x8192@dram -> 32x8@l1, 32x8xu16@l1 ; k=8"), 155648);
}

TEST_F(Wheel077Test, ScansCarryInF32) {
  EXPECT_EQ(buffers("ttnn.cumsum 1x128x4096@l1 -> 1x128x4096@l1 ; dim=2"), 8 * 2048 + 4096);
  EXPECT_EQ(tensors("ttnn.cumsum 1x256x256@l1 -> 1x256x256@l1 ; dim=0"), 2048);
}

TEST_F(Wheel077Test, ShardsThatCannotBeJoinedAreLaidOutFirst) {
  // Copies of three in L1 beside the result; height shards join along the width only.
  EXPECT_EQ(tensors("ttnn.concat 64x64@hs2, 64x64@hs2 -> 128x64@l1 ; dim=0"), 2048 + 2048 + 2048);
  EXPECT_EQ(tensors("ttnn.concat 1x192x64@bs3x1, 1x192x64@hs3, 2x192x64@ws1 -> 4x192x64@l1 ; dim=0"),
            4 * 2048);
  EXPECT_EQ(tensors("ttnn.concat 64x64@hs2, 64x64@hs2 -> 128x64@dram ; dim=0"), 0);
  EXPECT_EQ(buffers("ttnn.concat 64x64@hs2, 64x64@hs2 -> 128x64@l1 ; dim=0"), 2 * 2048);
  EXPECT_FALSE(legal("ttnn.concat 64x64@hs2, 64x64@hs2 -> 128x64@hs4 ; dim=0"));
}

TEST_F(Wheel077Test, BlockFloatsThatBeginBetweenReadsAreTurned) {
  // Tiles of 32 columns are rows of 32 bytes, of which Blackhole's DRAM reads 64 at a time.
  EXPECT_EQ(
      buffers("ttnn.concat 64x32xbfp_bf8@dram, 64x96xbfp_bf8@dram -> 64x128xbfp_bf8@dram ; dim=1", "p150"),
      4 * 1088);
  EXPECT_EQ(buffers("ttnn.concat 64x32xbfp_bf8@dram, 64x96xbfp_bf8@dram -> 64x128xbfp_bf8@dram ; dim=1"),
            2 * 1088);
  EXPECT_EQ(buffers("ttnn.concat 64x64xbfp_bf8@dram, 64x32xbfp_bf8@l1 -> 64x96xbfp_bf8@dram ; dim=1", "p150"),
            2 * 1088);
}

TEST_F(Wheel077Test, GathersAlongTheWidthReadShards) {
  EXPECT_EQ(buffers("ttnn.gather 64x288@hs2, 64x256xu32@hs2 -> 64x256@ws4 ; dim=1"), 9 * 2048 + 4096 + 2048);
  EXPECT_FALSE(legal("ttnn.gather 64x288@hs2, 64x256xu32@hs2 -> 64x256@? ; dim=1"));
  EXPECT_FALSE(legal("ttnn.gather 64x288@hs2, 32x256xu32@hs1 -> 32x256@l1 ; dim=1"));
  EXPECT_FALSE(legal("ttnn.gather 288x64@hs9, 256x64xu32@hs8 -> 256x64@l1 ; dim=0"));
  // Padding of several matrices is not filled in shards.
  EXPECT_FALSE(legal("ttnn.gather 2x60x64@dram, 2x60x32xu32@hs4 -> 2x60x32@l1 ; dim=2"));
  EXPECT_TRUE(legal("ttnn.gather 2x64x64@dram, 2x64x32xu32@hs4 -> 2x64x32@l1 ; dim=2"));
  // That of block floats is filled as bf16.
  EXPECT_EQ(buffers("ttnn.gather 1x320x7xbfp_bf8@dram, 1x320x128xu16@dram -> 1x320x128xbfp_bf8@dram ; dim=2"),
            5 * 2048);
}

} // namespace
