//===- WheelReductionsTest.cpp - Averages of images, products, scans -----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Figures of the wheels ttnn 0.77.0 and 0.81.1 on their mock chips.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

class WheelReductionsTest : public testing::Test {
protected:
  LayoutPool layouts;
  BackendVersion version = BackendVersion::Newest;

  OpConstraints ask(const std::string &text) {
    DeviceSpec device = asOpenedBy(version, *findDevice("n150"));
    TextQuery q = parseQuery(text, layouts, device);
    return createAnalyticOpModel({device, layouts, Bytes(int64_t(1) << 40), version})
        ->query(q.query())
        .constraints;
  }
  /// Of `images` of height x width pixels each.
  OpConstraints average(int64_t images, int64_t height, int64_t width, int64_t channels, const char *from,
                        const char *to) {
    return ask(llvm::formatv("ttnn.avg_pool2d 1x1x{0}x{1}@{2} -> 1x1x{3}x{1}@{4} ; batch_size={3} "
                             "input_height={5} input_width={6} channels={1} kernel_size=[{5},{6}] "
                             "stride=[1,1] padding=[0,0] ceil_mode=false",
                             images * height * width, channels, from, images, to, height, width));
  }
  static int64_t buffers(const OpConstraints &found) { return found.cbL1PeakSize.value(); }
  static int64_t tensors(const OpConstraints &found) { return found.tensorL1PeakSize.value(); }
};

TEST_F(WheelReductionsTest, SumsAndMeansOfRowsMakeRows) {
  // Eight tiles of rows at once, padding, scaler, accumulator and two results.
  OpConstraints width = ask("ttnn.mean 4x640x1600@dram/rm -> 4x640x1@? ; dim_arg=[2] keep_dim=true");
  EXPECT_EQ(buffers(width), (2 * 8 + 2 + 8 + 3) * 2048);
  EXPECT_FALSE(layouts[width.outputLayouts[0]].isTiled());
  // 16 columns of 20 tiles are shared by four cores each, which make rows of f32.
  EXPECT_EQ(buffers(ask("ttnn.mean 4x640x100@dram/rm -> 4x1x100@? ; dim_arg=[1] keep_dim=true")),
            (2 + 2 + 8) * 2048 + 3 * 4096);
  // Outer dimensions are swapped with the height, and back: 416 bytes of rows, 320, 80 and 80 while they live.
  OpConstraints both = ask("ttnn.mean 4x5x64x100@l1/rm -> 5x64x1@? ; dim_arg=[0,3] keep_dim=true");
  EXPECT_EQ(buffers(both), (2 * 4 + 2 + 4 + 3) * 2048);
  EXPECT_EQ(tensors(both), 320 + 320);
  // Rows that lose their width are cut anew.
  EXPECT_EQ(tensors(ask("ttnn.mean 4x64x100@l1/rm -> 4x64@? ; dim_arg=[2] keep_dim=false")), 64 + 128);
}

TEST_F(WheelReductionsTest, OtherReductionsTilizeRows) {
  OpConstraints most = ask("ttnn.max 4x5x64x100@l1/rm -> 1x5x64x100@? ; dim_arg=[0] keep_dim=true");
  EXPECT_TRUE(layouts[most.outputLayouts[0]].isTiled());
  // Swapped rows and their tiles stay until the tiles are reduced.
  EXPECT_EQ(tensors(most), 4160 + 2 * 40960);
  // Tiles stay beside what both reductions make of them.
  EXPECT_EQ(tensors(ask("ttnn.mean 4x5x64x100@l1/rm -> 4x5x1x1@? ; dim_arg=[2,3] keep_dim=true")),
            6144 + 2 * 2048);
  EXPECT_EQ(tensors(ask("ttnn.sum 4x5x64x100@l1/rm -> 1x5x1x100@? ; dim_arg=[0,2] keep_dim=true")),
            6144 + 2 * 4096);
}

TEST_F(WheelReductionsTest, AveragesOfWholeTilesAreUntilizedForRows) {
  // 32 tiles in and out on one core; 64 tiles go in blocks.
  OpConstraints narrow = average(1, 8, 8, 1024, "dram", "l1/rm");
  EXPECT_EQ(buffers(narrow), 2 * 32 * 2048);
  EXPECT_EQ(tensors(narrow), 2048 + 2048 + 2048);
  EXPECT_EQ(buffers(average(1, 8, 8, 2048, "l1", "l1/rm")), 4096 + 2048 + 4096);
  EXPECT_EQ(buffers(average(1, 8, 8, 1024, "dram", "l1")), 4096 + 2048 + 4096);
}

TEST_F(WheelReductionsTest, AveragesOfRowsAreUntilizedAllImagesAtOnce) {
  // 1,600 rows, of which no tile is padded: 50 cores take two rows of tiles each.
  EXPECT_EQ(buffers(average(4, 20, 20, 2048, "dram", "dram/rm")), 2 * 2 * 64 * 2048);
  // Averages of several images are rows before they are tiles.
  EXPECT_EQ(tensors(average(4, 7, 7, 256, "l1/rm", "l1")), 512 + 2048);
}

TEST_F(WheelReductionsTest, AveragesOfTallImagesAreSharedByCores) {
  OpConstraints one = average(1, 40, 40, 1024, "l1/rm", "l1");
  EXPECT_EQ(buffers(one), 4096 + 2048 + 4096 + 8 * 2048 + 2048 + 2 * 4096);
  EXPECT_EQ(tensors(one), 4096 + 2048);
  // 480 rows of pixels are not enough, nor are two cores for each column of tiles.
  EXPECT_EQ(buffers(average(1, 16, 30, 64, "l1/rm", "l1/rm")), 4096 + 2048 + 2048 + 8 * 2048 + 2048 + 4096);
  EXPECT_EQ(buffers(average(4, 24, 24, 1024, "l1/rm", "l1/rm")), 4096 + 2048 + 2048 + 8 * 2048 + 2048 + 4096);
  // Of tiles since October 2026.
  EXPECT_EQ(buffers(average(1, 24, 32, 64, "l1", "l1")), 4096 + 2048 + 4096);
  version = BackendVersion::October2026;
  EXPECT_EQ(buffers(average(1, 24, 32, 64, "l1", "l1")), 2 * 4096 + 4096 + 2048 + 2 * 4096 + 4096 + 4096);
  EXPECT_EQ(tensors(average(1, 24, 32, 64, "l1", "l1")), 2048 + 256);
}

TEST_F(WheelReductionsTest, AveragesOfImagesThatDoNotShareThePaddingArePools) {
  // 588 rows are 608 in tiles, which 12 images do not share evenly.
  EXPECT_EQ(tensors(average(12, 7, 7, 64, "l1", "l1")), 80640);
  EXPECT_EQ(tensors(average(16, 7, 7, 64, "l1", "l1")), 3840);
}

TEST_F(WheelReductionsTest, BlockFloatsAreTurnedAsBf16) {
  // 576 tiles become 18,432 of 32 rows each with the height in front: both as bf16, and what is multiplied.
  OpConstraints tall = ask("ttnn.prod 1x768x768xbfp_bf8@l1 -> 1x768xbfp_bf8@l1 ; dim_arg=1 keep_dim=false");
  EXPECT_EQ(buffers(tall), 2 * 1088 + 2 * 2048);
  EXPECT_EQ(tensors(tall), 9 * 2048 + 288 * (2048 + 1088));
  OpConstraints wide = ask("ttnn.prod 8x320x64xbfp_bf8@l1 -> 8x320x1xbfp_bf8@l1 ; dim_arg=2 keep_dim=true");
  EXPECT_EQ(buffers(wide), 4 * 2048 + 32);
  EXPECT_EQ(tensors(wide), 3 * 2048 + 10 * (2048 + 1088));
  // There, and back with the result beside.
  EXPECT_EQ(tensors(ask("ttnn.cumsum 64x768xbfp_bf8@dram -> 64x768xbfp_bf8@l1 ; dim=1")),
            24 * 1088 + 24 * 2048 + 2048 + 1088);
  EXPECT_EQ(tensors(ask("ttnn.cumsum 100xbfp_bf8@l1 -> 100xbfp_bf8@dram ; dim=0")), 2048 + 2 * (2048 + 1088));
  // Outer dimensions change places tile by tile.
  EXPECT_EQ(tensors(ask("ttnn.cumprod 2x320x100xbfp_bf8@l1 -> 2x320x100xbfp_bf8@dram ; dim=0")), 2 * 1088);
}

TEST_F(WheelReductionsTest, PaddingOfBlockFloatsIsFilledAsBf16) {
  // The filled copy lies beside the operand to the end.
  OpConstraints outer = ask("ttnn.prod 3x71x128xbfp_bf8@l1 -> 1x71x128xbfp_bf8@l1 ; dim_arg=0 keep_dim=true");
  EXPECT_EQ(tensors(outer), 2048 + 1088);
  // All elements: a row of tiles and a tensor of one element in f32.
  EXPECT_EQ(tensors(ask("ttnn.prod 160xbfp_bf8@dram -> 1xbfp_bf8@l1 ; dim_arg=0 keep_dim=true")), 2 * 4096);
  EXPECT_EQ(tensors(ask("ttnn.prod 5xbfp_bf8@l1 -> 1xbfp_bf8@l1 ; dim_arg=0 keep_dim=true")),
            1088 + 2 * 4096);
}

TEST_F(WheelReductionsTest, ProductsWithoutTheirDimensionAreReshaped) {
  EXPECT_EQ(buffers(ask("ttnn.prod 1x28x40x288@dram -> 1x28x40@l1 ; dim_arg=3 keep_dim=false")),
            28 * 32 * 16 + 2 * 2048);
  EXPECT_EQ(buffers(ask("ttnn.prod 1x4x5x192xbfp_bf8@dram -> 1x4x5xbfp_bf8@dram ; dim_arg=3 keep_dim=false")),
            (4 + 2) * 2048);
}

} // namespace
