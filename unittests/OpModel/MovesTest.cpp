//===- MovesTest.cpp - Ops that move data, as ttnn 0.77.0 has them -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Bytes per core on n150 (8x8), asked of the wheel of ttnn 0.77.0, each with the
// sum it comes from.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/OpTable.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

class MovesTest : public testing::Test {
protected:
  const DeviceSpec &device = *findDevice("n150");
  LayoutPool layouts;

  Explanation explained(llvm::StringRef text) {
    OpModelContext context{device, layouts, device.usableL1()};
    context.version = BackendVersion::Newest;
    Explanation told = explain(context, parseQuery(text, layouts, device).query());
    EXPECT_NE(told.result.status, ValidationStatus::MetalBackendError)
        << text.str() << ": " << told.result.message;
    return told;
  }
  ValidationResult ask(llvm::StringRef text) { return explained(text).result; }
  /// As the wheel reports them: with those of one program that lie on different cores added up.
  int64_t buffers(llvm::StringRef text) { return explained(text).addedBuffers.value(); }
  int64_t buffersOfCore(llvm::StringRef text) { return ask(text).constraints.cbL1PeakSize.value(); }
  int64_t tensors(llvm::StringRef text) { return ask(text).constraints.tensorL1PeakSize.value(); }
  std::string placed(llvm::StringRef text) {
    return describe(layouts[ask(text).constraints.outputLayouts.front()]);
  }
};

TEST_F(MovesTest, TilizeAndUntilize) {
  // Blocks of 5 x 5 tiles leave a column of 1 and a row of 1: 5 + 1 + 1 tiles in, out and staged, for three kinds of cores.
  EXPECT_EQ(buffers("ttnn.to_layout 1x1x32x8192@l1/rm -> 1x1x32x8192@l1"), 7 * (2048 + 2048 + 64) + 3 * 64);
  EXPECT_EQ(buffersOfCore("ttnn.to_layout 1x1x32x8192@l1/rm -> 1x1x32x8192@l1"), 5 * (2048 + 2048 + 64) + 64);
  EXPECT_EQ(buffers("ttnn.to_layout 1x1x392x512@dram/rm -> 1x1x392x512@dram"), 16 * (2048 + 2048));
  EXPECT_EQ(buffers("ttnn.to_layout 8x512x4096@hs32/rm -> 8x512x4096@hs32"), 0) << "the shards themselves";
  EXPECT_EQ(buffers("ttnn.to_layout 1x128x768@l1 -> 1x128x768@l1/rm"), 4 * (2048 + 2048))
      << "12 parts of a row";
  EXPECT_EQ(buffers("ttnn.to_layout 1x1x196x1024xu32@dram -> 1x1x196x1024xu32@dram/rm"), 32 * (4096 + 4096));
}

TEST_F(MovesTest, MovesBetweenMemories) {
  EXPECT_EQ(buffers("ttnn.to_memory_config 16x224x1024xf32@dram -> 16x224x1024xf32@bs1x8"), 4 * (4096 + 32));
  EXPECT_EQ(buffers("ttnn.to_memory_config 1x128x4096@l1/rm -> 1x128x4096@dram/rm"), 3 * 8192);
  // Rows of 33 elements: a row of the operand, two of the result at 80 bytes.
  EXPECT_EQ(buffers("ttnn.to_memory_config 1x116x195@dram/rm -> 1x116x195@ws6/rm"), 390 + 2 * 80);
  EXPECT_EQ(tensors("ttnn.to_memory_config 1x1x3136x64@l1 -> 1x1x3136x64@hs4"), 50 * 2048) << "a whole shard";
}

TEST_F(MovesTest, Pad) {
  std::string rows = " ; padding=[0,0,0,1,0,0,0,32] use_multicore=true";
  EXPECT_EQ(buffers("ttnn.pad 1x2x128x64@l1/rm -> 1x3x128x96@dram/rm" + rows), 16 * 11 * 192 + 192);
  EXPECT_EQ(
      buffers(
          "ttnn.pad 1x1x1x3072@dram/rm -> 1x1x1x3073@dram/rm ; padding=[0,0,0,0,0,0,0,1] use_multicore=true"),
      16 * 6160 + 2 * 6176);
  // A tensor that ends inside a tile is filled first: four tiles and a mask.
  EXPECT_EQ(buffers("ttnn.pad 1x1x392x2048xf32@l1 -> 7x1x392x2049xf32@l1 ; padding=[0,6,0,0,0,0,0,1]"),
            5 * 4096);
  EXPECT_EQ(tensors("ttnn.pad 1x1x3136x128@dram/rm -> 1x1x3137x128@l1/rm ; padding=[0,0,0,0,0,1,0,0]"),
            50 * 256 + 64);
  EXPECT_EQ(tensors("ttnn.pad 8x128x768@l1/rm -> 8x128x768@l1/rm ; padding=[0,0,0,0,0,0]"), 0);
}

TEST_F(MovesTest, Slice) {
  EXPECT_EQ(buffers("ttnn.slice_static 1x128x11008@dram/rm -> 1x128x4320@dram/rm ; "
                    "begins=[0,0,6336] ends=[1,128,10656] step=[1,1,1]"),
            2 * 8640);
  EXPECT_EQ(buffers("ttnn.slice_static 8x224x1024@dram/rm -> 5x224x1024@dram/rm ; "
                    "begins=[0,0,0] ends=[5,224,1024] step=[1,1,1]"),
            4 * 2048);
  // The rows of operand and result lie where the result does, and stay until it is tilized.
  EXPECT_EQ(tensors("ttnn.slice_static 1x256x2048@dram -> 1x42x2048@l1 ; "
                    "begins=[0,143,0] ends=[1,185,2048] step=[1,1,1]"),
            4 * 4096 + 4096 + 2 * 2048);
  EXPECT_EQ(tensors("ttnn.slice_static 1x12x512x64@l1 -> 1x12x512x64@l1 ; "
                    "begins=[0,0,0,0] ends=[1,12,512,64] step=[1,1,1,1]"),
            0);
}

TEST_F(MovesTest, Concat) {
  EXPECT_EQ(buffers("ttnn.concat 1x1x3136x256@dram/rm, =0 -> 1x1x3136x512@dram/rm ; dim=3"), 2 * 1024);
  // Rows of 475 and 48 floats are turned, joined and turned back: 475 rows of 440 bytes, joined, back, tiles.
  EXPECT_EQ(tensors("ttnn.concat 110x475xf32@l1, 110x48xf32@dram -> 110x523xf32@l1 ; dim=1"),
            8 * 448 + 9 * 448 + 2 * 2096 + 2 * 4096);
  EXPECT_EQ(buffers("ttnn.concat 1x1x32x8192@bs1x8, =0 -> 1x1x32x16384@bs1x8 ; dim=3"), 0);
  EXPECT_EQ(placed("ttnn.concat 1x1x32x64@l1, =0 -> 1x1x32x128@? ; dim=3"), "dram/interleaved");
}

TEST_F(MovesTest, Reshape) {
  // Rows of 28 of 32: two source tiles of up to 48 pieces each.
  EXPECT_EQ(buffers("ttnn.reshape 1x1x784x256@l1 -> 1x28x28x256@l1"), 2 * 2048 + 96 * 16);
  EXPECT_EQ(buffers("ttnn.reshape 1x1x32x2048@dram/rm -> 65536@dram/rm"), 2 * (2 * 4160 + 131088));
  // Block floats: as bfloat16, filled at the bottom, and back.
  EXPECT_EQ(buffers("ttnn.reshape 1x28x28x128xbfp_bf8@l1 -> 1x1x784x128xbfp_bf8@l1"), 5 * 2048);
  EXPECT_EQ(tensors("ttnn.reshape 1x28x28x128xbfp_bf8@l1 -> 1x1x784x128xbfp_bf8@l1"), 4 * 2048 + 2 * 1088);
  EXPECT_EQ(buffers("ttnn.reshape 1x32x896@bs1x2 -> 1x32x14x64@bs1x2"), 4736)
      << "shards are read as they are";
  EXPECT_EQ(tensors("ttnn.reshape 1x1x784x256@bs1x8 -> 1x28x28x256@l1"), 4 * 2048);
}

TEST_F(MovesTest, PermuteAndTranspose) {
  EXPECT_EQ(buffers("ttnn.transpose 1x8x512x128@dram -> 1x512x8x128@dram ; dim0=1 dim1=2"), 2 * 2048 + 512);
  EXPECT_EQ(buffers("ttnn.transpose 1x32x512x64xf32@l1 -> 1x512x32x64xf32@l1 ; dim0=1 dim1=2"), 2 * 4096);
  EXPECT_EQ(buffers("ttnn.transpose 1x16x32x64xf32@hs8 -> 1x16x64x32xf32@hs8 ; dim0=3 dim1=2"), 0);
  EXPECT_EQ(buffers("ttnn.permute 1x16x32x64@l1 -> 1x64x16x32@l1 ; permutation=[0,3,1,2]"), 4 * 2048 + 32);
  EXPECT_EQ(buffers("ttnn.permute 1x28x128x128@dram -> 1x128x128x28@dram ; permutation=[0,2,3,1]"), 6 * 2048);
  // Block floats go through bfloat16, but for rows and columns.
  EXPECT_EQ(buffers("ttnn.transpose 1x32x197x64xbfp_bf8@dram -> 1x197x32x64xbfp_bf8@dram ; dim0=1 dim1=2"),
            2 * (1088 + 2048));
  EXPECT_EQ(tensors("ttnn.transpose 1x1x32x2048xbfp_bf8@l1 -> 1x32x1x2048xbfp_bf8@l1 ; dim0=1 dim1=2"),
            2048 + 32 * 2048 + 32 * 1088);
}

} // namespace
