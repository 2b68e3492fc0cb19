//===- WheelAveragesTest.cpp - Averages of whole images ------------------===//
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

class WheelAveragesTest : public testing::Test {
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

TEST_F(WheelAveragesTest, OfWholeTilesAreUntilizedForRows) {
  // 32 tiles in and out on one core; 64 tiles go in blocks.
  OpConstraints narrow = average(1, 8, 8, 1024, "dram", "l1/rm");
  EXPECT_EQ(buffers(narrow), 2 * 32 * 2048);
  EXPECT_EQ(tensors(narrow), 2048 + 2048 + 2048);
  EXPECT_EQ(buffers(average(1, 8, 8, 2048, "l1", "l1/rm")), 4096 + 2048 + 4096);
  EXPECT_EQ(buffers(average(1, 8, 8, 1024, "dram", "l1")), 4096 + 2048 + 4096);
}

TEST_F(WheelAveragesTest, OfRowsAreUntilizedAllImagesAtOnce) {
  // 1,600 rows, of which no tile is padded: 50 cores take two rows of tiles each.
  EXPECT_EQ(buffers(average(4, 20, 20, 2048, "dram", "dram/rm")), 2 * 2 * 64 * 2048);
  // Averages of several images are rows before they are tiles.
  EXPECT_EQ(tensors(average(4, 7, 7, 256, "l1/rm", "l1")), 512 + 2048);
}

TEST_F(WheelAveragesTest, OfTallImagesAreSharedByCores) {
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

TEST_F(WheelAveragesTest, OfImagesThatDoNotShareThePaddingArePools) {
  // 588 rows are 608 in tiles, which 12 images do not share evenly.
  EXPECT_EQ(tensors(average(12, 7, 7, 64, "l1", "l1")), 80640);
  EXPECT_EQ(tensors(average(16, 7, 7, 64, "l1", "l1")), 3840);
}

} // namespace
