//===- WheelWindowTest.cpp - What ttnn 0.77 says of sliding windows -------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Figures of the wheel ttnn 0.77.0 on its mock chips, one call per rule.
//
//===----------------------------------------------------------------------===//
#include "WheelTest.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

class WheelWindowTest : public WheelTest {};

TEST_F(WheelWindowTest, FoldedShardsStayUntilTheEnd) {
  constexpr const char *k8 =
      " ; in_channels=32 out_channels=32 batch_size=1 input_height=128 input_width=128 "
      "kernel_size=[8,8] stride=[8,8] padding=[0,0] conv2d_config.weights_dtype=bfp_bf8";
  // Folded, tilized: 131072 bytes each; the result.
  EXPECT_EQ(tensors(std::string("ttnn.conv2d 1x1x16384x32@hs8/rm/shard=2048x32, 32x32x8x8@host/rm -> "
                                "1x1x256x32@?") +
                    k8),
            2 * 131072 + 2048);
  // Half a row of windows a core: 16 cores take whole ones, then 8 cores whole tiles.
  EXPECT_EQ(tensors(std::string("ttnn.conv2d 1x1x16384x32@hs37/shard=448x32, 32x32x8x8@host/rm -> "
                                "1x1x256x32xbfp_bf8@dram") +
                    k8 + " conv2d_config.shard_layout=height_sharded"),
            65536 + 2 * 131072);
  // What is folded is a matmul, and its four sticks a core are no tile.
  EXPECT_FALSE(legal(
      std::string("ttnn.conv2d 1x1x16384x32@hs64/shard=256x32, 32x32x8x8@host/rm -> 1x1x256x32@?") + k8));
  EXPECT_EQ(buffers("ttnn.conv2d 1x1x131072x32@hs64/rm/shard=2048x32, 32x32x8x8@host/rm -> 1x1x2048x32@dram "
                    "; in_channels=32 out_channels=32 batch_size=8 input_height=128 input_width=128 "
                    "kernel_size=[8,8] stride=[8,8] padding=[0,0] conv2d_config.weights_dtype=bfp_bf8 "
                    "conv2d_config.shard_layout=width_sharded"),
            69632);
}

TEST_F(WheelWindowTest, WhoIsToldToFoldDoesSoInInterleavedL1) {
  // An image with rows of whole tiles, its rows of pixels, and these folded. What nobody says is not folded.
  const std::string call = "ttnn.conv2d 1x1x512x64@l1, 64x64x4x4@host/rm -> 1x1x32x64@? ; in_channels=64 "
                           "out_channels=64 batch_size=2 input_height=16 input_width=16 kernel_size=[4,4] "
                           "stride=[4,4] padding=[0,0]";
  EXPECT_EQ(tensors(call + " conv2d_config.enable_kernel_stride_folding=true"), 2048 + 1024 + 2048);
  EXPECT_EQ(tensors(call), tensors(call + " conv2d_config.enable_kernel_stride_folding=false"));
}

TEST_F(WheelWindowTest, PaddedMatricesOfAConv1dAreJoinedBefore) {
  // Five rows of tiles of 132 pixels, three of them on a core, and what the convolution takes without them.
  const std::string call =
      "ttnn.conv1d 4x33x128@hs2/shard=128x128, 64x128x1@host/rm -> 1x1x132x64@? ; in_channels=128 "
      "out_channels=64 batch_size=4 input_length=33 kernel_size=1 stride=1 padding=[0,0] "
      "dilation=1 groups=1";
  EXPECT_EQ(tensors(call), 3 * 4 * 2048 + 3 * 2 * 2048);
}

TEST_F(WheelWindowTest, OperandsOfMatmulsAreTilized) {
  // Interleaved: four tiles on the fullest core, not a 64th of the bytes.
  EXPECT_EQ(tensors("ttnn.conv2d 1x1x6272x32@l1/rm, 256x32x1x1@host/rm -> 1x1x6272x256@dram ; in_channels=32 "
                    "out_channels=256 batch_size=8 input_height=28 input_width=28 kernel_size=[1,1] "
                    "stride=[1,1] padding=[0,0]"),
            8192);
  // Block shards as they are.
  EXPECT_EQ(tensors("ttnn.conv2d 1x1x25088x96@bs8x1/rm/shard=3136x96, 16x96x1x1@host/rm -> 1x1x25088x16@? ; "
                    "in_channels=96 out_channels=16 batch_size=8 input_height=56 input_width=56 "
                    "kernel_size=[1,1] stride=[1,1] padding=[0,0] conv2d_config.shard_layout=block_sharded"),
            602112 + 200704);
  // Shards that were others, tilized.
  EXPECT_EQ(
      tensors("ttnn.conv2d 1x1x1024x512@ws32/rm/shard=1024x16, 256x512x1x1@host/rm -> 1x1x1024x256@l1 ; "
              "in_channels=512 out_channels=256 batch_size=1 input_height=32 input_width=32 "
              "kernel_size=[1,1] stride=[1,1] padding=[0,0] "
              "conv2d_config.act_block_h_override=32 conv2d_config.shard_layout=height_sharded"),
      2 * 32768);
}

TEST_F(WheelWindowTest, TheOnlySliceOfATransposedConvolutionStaysInTiles) {
  auto convolved = [this](int64_t extent) {
    return ask(
        llvm::formatv(
            "ttnn.conv_transpose2d 1x1x{0}x64@dram, 64x64x4x4@host/rm -> 1x1x{1}x64@dram/rm ; batch_size=1 "
            "dilation=[1,1] groups=1 in_channels=64 input_height={2} input_width={2} kernel_size=[4,4] "
            "out_channels=64 output_padding=[0,0] padding=[1,1] stride=[2,2] "
            "conv2d_config.output_layout=row_major",
            extent * extent, extent * extent * 4, extent)
            .str());
  };
  EXPECT_NE(convolved(64).message.find("the backend makes dram/interleaved"), std::string::npos);
  EXPECT_TRUE(convolved(512).ok());
}

TEST_F(WheelWindowTest, BlocksOfOtherChannelsStayBlocks) {
  // 3 x 32 channels for 80, whatever the configuration says.
  EXPECT_EQ(
      buffers(
          "ttnn.conv2d 1x1x400x80@bs7x3/shard=64x32, 64x80x1x1@host/rm, 1x1x1x64@host/rm -> 1x1x400x64@hs13 "
          "; in_channels=80 out_channels=64 batch_size=1 input_height=20 input_width=20 "
          "kernel_size=[1,1] stride=[1,1] padding=[0,0] "
          "conv2d_config.shard_layout=height_sharded conv2d_config.enable_kernel_stride_folding=false "
          "conv2d_config.config_tensors_in_dram=true compute_config.math_fidelity=hifi4 "
          "compute_config.fp32_dest_acc_en=true"),
      45120);
  // Cores of new shards follow the alignment of the old ones: 5 of 32 channels, not 7 of 24.
  EXPECT_EQ(tensors("ttnn.conv2d 1x1x196x160@ws2/rm/shard=196x80, 32x160x3x3@host/rm -> 1x1x196x32@dram ; "
                    "in_channels=160 out_channels=32 batch_size=1 input_height=14 input_width=14 "
                    "kernel_size=[3,3] stride=[1,1] padding=[1,1] conv2d_config.shard_layout=block_sharded"),
            6784);
}

TEST_F(WheelWindowTest, SlicesInTheMiddleNeedMoreThanTheFirst) {
  EXPECT_EQ(tensors("ttnn.conv2d 1x1x262144x3@dram/rm, 32x3x7x7@host/rm -> 1x1x16384x32@dram ; in_channels=3 "
                    "out_channels=32 batch_size=1 input_height=512 input_width=512 kernel_size=[7,7] "
                    "stride=[4,4] padding=[3,3] conv2d_config.shard_layout=block_sharded "
                    "conv2d_config.enable_act_double_buffer=true "
                    "conv2d_config.enable_weights_double_buffer=true"),
            546768);
}

TEST_F(WheelWindowTest, SlicesAreTilesUntilTheyAreWritten) {
  // One slice stays so, whatever was asked for: no sums of its own for the kernel to untilize.
  const std::string k3 = " ; in_channels=640 out_channels=640 batch_size=1 input_height=32 input_width=32 "
                         "kernel_size=[3,3] stride=[1,1] padding=[1,1,1,1] dilation=[1,1] groups=640 "
                         "compute_config.math_fidelity=hifi4 compute_config.fp32_dest_acc_en=true "
                         "conv2d_config.config_tensors_in_dram=true conv2d_config.output_layout=row_major";
  const std::string operands = "ttnn.conv2d 1x1x1024x640@dram/rm, 640x1x3x3@host/rm, 1x1x1x640@host/rm -> ";
  EXPECT_EQ(buffers(operands + "1x1x1024x640@dram" + k3), 186456);
  EXPECT_EQ(ask(operands + "1x1x1024x640@dram/rm" + k3).status, ValidationStatus::UnmatchedReferenceConfig);
  // Of several, each is untilized, in place.
  EXPECT_EQ(
      buffers("ttnn.conv2d 1x1x102400x64@dram/rm, 64x64x3x3@host/rm, 1x1x1x64@host/rm -> "
              "1x1x102400x64@dram/rm ; in_channels=64 out_channels=64 batch_size=1 input_height=320 "
              "input_width=320 kernel_size=[3,3] stride=[1,1] padding=[1,1,1,1] dilation=[1,1] groups=1 "
              "compute_config.math_fidelity=hifi4 compute_config.fp32_dest_acc_en=true "
              "conv2d_config.config_tensors_in_dram=true conv2d_config.output_layout=row_major"),
      24576 + 159744 + 147456 + 307200 + 4096 + 32 + 64);
}

TEST_F(WheelWindowTest, TablesInDramAreBroughtIntoTheHalo) {
  EXPECT_EQ(buffers("ttnn.max_pool2d 1x1x100352x64@hs117/shard=864x64 -> 1x1x25088x64@? ; batch_size=8 "
                    "input_height=112 input_width=112 channels=64 kernel_size=[3,3] stride=[2,2] "
                    "padding=[1,1] dilation=[1,1] config_tensors_in_dram=true",
                    "p150"),
            2 * 128 + 2 * 8192 + 24 + 24 + 220 + 200);
}

TEST_F(WheelWindowTest, PooledChannelsFillFacesOrTiles) {
  constexpr const char *k3 = " ; batch_size=1 input_height=14 input_width=14 channels=256 kernel_size=[3,3] "
                             "stride=[2,2] padding=[1,1] dilation=[1,1] ceil_mode=false";
  // Halo rows of 18 channels in 24, a result of 32, tables; then the 18 that the result was asked for in.
  EXPECT_EQ(tensors(std::string("ttnn.max_pool2d 1x1x196x256@ws15/rm -> 1x1x49x256@?") + k3), 14640);
  EXPECT_EQ(tensors(std::string("ttnn.max_pool2d 1x1x196x256@ws15/rm -> 1x1x49x256@ws15/rm") + k3), 16960);
  EXPECT_EQ(tensors(std::string("ttnn.max_pool2d 1x1x196x256@ws32/rm -> 1x1x49x256@?") + k3), 5424);
  EXPECT_EQ(tensors(std::string("ttnn.max_pool2d 1x1x196x256@ws32/rm -> 1x1x49x256@ws32/rm") + k3), 6176);
  // 74 channels a core take three tiles, 48 three faces.
  constexpr const char *k8 = " ; batch_size=8 input_height=7 input_width=7 channels=512 kernel_size=[3,3] "
                             "stride=[1,1] padding=[1,1] dilation=[1,1] ceil_mode=false";
  EXPECT_EQ(tensors(std::string("ttnn.max_pool2d 1x1x392x512@bs3x7/rm -> 1x1x392x512@?") + k8), 64128);
  constexpr const char *k48 = " ; batch_size=1 input_height=28 input_width=28 channels=288 kernel_size=[3,3] "
                              "stride=[2,2] padding=[1,1] dilation=[1,1] ceil_mode=false";
  EXPECT_EQ(tensors(std::string("ttnn.max_pool2d 1x1x784x288@bs8x6/rm -> 1x1x196x288@bs8x6/rm") + k48),
            19216);
}

TEST_F(WheelWindowTest, AveragesOfWholeImagesAreReductions) {
  constexpr const char *k7 =
      " ; input_height=7 input_width=7 channels=512 kernel_size=[7,7] stride=[1,1] padding=[0,0] batch_size=";
  EXPECT_EQ(buffers(std::string("ttnn.avg_pool2d 1x1x49x512@dram/rm -> 1x1x1x512@dram/rm") + k7 + "1"),
            9 * 2048);
  EXPECT_EQ(buffers(std::string("ttnn.avg_pool2d 1x1x49x512@dram -> 1x1x1x512@dram") + k7 + "1"), 65536);
  EXPECT_EQ(tensors(std::string("ttnn.avg_pool2d 1x1x392x512@hs1/shard=416x512 -> 1x1x8x512@?") + k7 + "8"),
            8192 + 7168);
  // Tiles that images fill are reduced as they are; rows are tilized, up to eight tiles of a column at once.
  auto image = [](int64_t height, int64_t width, const char *layout) {
    return llvm::formatv("ttnn.avg_pool2d 1x1x{0}x64@{1} -> 1x1x1x64@l1/rm ; input_height={2} "
                         "input_width={3} channels=64 "
                         "kernel_size=[{2},{3}] stride=[1,1] padding=[0,0] batch_size=1",
                         height * width, layout, height, width)
        .str();
  };
  EXPECT_EQ(buffers(image(16, 16, "l1")), 5 * 2048);
  EXPECT_EQ(tensors(image(16, 16, "l1")), 2048 + 128);
  EXPECT_EQ(buffers(image(12, 14, "l1")), 13 * 2048);
  EXPECT_EQ(buffers(image(14, 14, "l1")), 14 * 2048);
  EXPECT_EQ(buffers(image(32, 14, "dram/rm")), 15 * 2048);
}

TEST_F(WheelWindowTest, UpsampledRowsAndTheirTables) {
  // A row of tiles a core: one buffer each.
  EXPECT_EQ(buffers("ttnn.upsample 1x32x32x32@dram -> 1x128x128x32@dram/rm ; scale_factor=4 mode=nearest"),
            2 * 2048);
  EXPECT_EQ(tensors("ttnn.upsample 1x40x40x64@hs50/rm/shard=32x64 -> 1x80x80x64@hs50/rm/shard=128x64 ; "
                    "scale_factor=2 mode=nearest"),
            16384 + 48);
  // The result of 56 cores is shared evenly: 458 sticks, not 16 x 29.
  EXPECT_EQ(tensors("ttnn.upsample 1x40x40x256@hs56/rm/shard=29x256 -> 1x160x160x256@? ; scale_factor=4 "
                    "mode=bilinear"),
            299008);
}

TEST_F(WheelWindowTest, UpsampledImagesOfManyPixelsAreAnsweredAtOnce) {
  // A billion pixels of the result, none of which is looked at by itself.
  EXPECT_FALSE(ask("ttnn.upsample 1x16000x16000x32@dram/rm -> 1x32000x32000x32@dram/rm ; scale_factor=2 "
                   "mode=bilinear")
                   .ok());
}

TEST_F(WheelWindowTest, TransposedConvolutionsAreThoseOfTheSpreadOperand) {
  // Shards of 32 pixels, the zeros between them only in the halo; shards of whole L1 operands stay, and the halo goes before the result moves.
  auto image = [](llvm::StringRef in, llvm::StringRef out, llvm::StringRef more) {
    return ("ttnn.conv_transpose2d 1x1x64x32@" + in + ", 32x64x4x4@host/rm -> 1x1x256x64@" + out +
            " ; in_channels=32 out_channels=64 kernel_size=[4,4] padding=[1,1] output_padding=[0,0] "
            "input_height=8 "
            "input_width=8 batch_size=1 stride=[2,2] dilation=[1,1] groups=1 "
            "conv2d_config.weights_dtype=bf16 "
            "conv2d_config.config_tensors_in_dram=true" +
            more)
        .str();
  };
  std::string inDram = image("dram", "dram", ""), inL1 = image("l1", "dram", "");
  EXPECT_EQ(buffers(inDram), 24652);
  EXPECT_EQ(tensors(inDram), 8128);
  EXPECT_EQ(tensors(inL1), 8128 + 2048);
  std::string shards = image("bs2x1", "bs8x2", " conv2d_config.shard_layout=block_sharded");
  EXPECT_EQ(buffers(shards), 73832);
  EXPECT_EQ(tensors(shards), 21568);
}

TEST_F(WheelWindowTest, SoftmaxOfAnOuterDimensionGoesTileByTile) {
  EXPECT_EQ(buffers("ttnn.softmax 1x16x4x8400@dram -> 1x16x4x8400@dram ; dimension=1 "
                    "compute_config.fp32_dest_acc_en=true"),
            5 * 2048 + 5 * 4096);
}

TEST_F(WheelWindowTest, VolumesAreGatheredBlockByBlock) {
  const std::string half = " compute_config.fp32_dest_acc_en=false";
  // One window: its row, six tiles of it, six of weights, sums, the result, a bias, the pixels under it.
  EXPECT_EQ(buffers("ttnn.conv3d 1x8x14x6x32@dram/rm, 96x16@dram, 1x16@dram -> 1x8x14x6x16@dram/rm ; "
                    "kernel_size=[1,1,3] stride=[1,1,1] padding=[0,0,1]" +
                    half),
            192 + 2 * 6144 + 3 * 2048 + 192);
  // Two blocks of input channels, each on a core: sums in 32 bits that travel, and a tile that says so.
  EXPECT_EQ(
      buffers("ttnn.conv3d 1x5x16x16x32@dram/rm, 288x64@dram -> 1x4x14x14x64@dram/rm ; kernel_size=[1,3,3] "
              "stride=[1,1,1] padding=[0,0,0] conv3d_config.c_in_block=16 conv3d_config.h_out_block=4 "
              "conv3d_config.w_out_block=16 conv3d_config.compute_with_storage_grid_size=#ttcore.grid<8x8>"),
      32 * 320 + 2 * 5 * 2048 + 5 * 2 * 2048 + 4 * 4096 + 4 * 2048 + 4 * 4096 + 2048 + 6 * 18 * 32);
}

TEST_F(WheelWindowTest, WeightsOfVolumesArePreparedOnTheDevice) {
  const std::string prepare = "ttnn.prepare_conv3d_weights ";
  // Blocks of 32 x 32 elements are turned.
  EXPECT_EQ(buffers(prepare + "64x32x3x3x3@dram/rm -> 1728x64@? ; groups=2 c_in_block=0 alignment=32"),
            6 * 2048);
  // 50 channels are filled up to 64: 160 rows of 208 bytes, and two of padding.
  EXPECT_EQ(buffers(prepare + "100x50x3x3x3@dram/rm -> 1728x100@? ; groups=1 c_in_block=32 alignment=32"),
            160 * 208 + 2 * 224);
}

TEST_F(WheelWindowTest, ResultsThatAreLeftOpenAreInThePagesOfTheConfig) {
  OpConstraints rows =
      ask("ttnn.conv2d 1x1x64x256@hs4/rm/shard=16x256, 320x256x3x3@host/rm -> 1x1x64x320@? ; "
          "in_channels=256 out_channels=320 batch_size=1 input_height=8 input_width=8 "
          "kernel_size=[3,3] stride=[1,1] padding=[1,1] "
          "conv2d_config.shard_layout=height_sharded conv2d_config.output_layout=row_major")
          .constraints;
  const TensorLayout &layout = layouts[rows.outputLayouts[0]];
  EXPECT_FALSE(layout.isTiled());
  EXPECT_EQ(layout.shard, (GridShape{32, 320}));
}

TEST_F(WheelWindowTest, FoldingReadsPixelsAtAddressesOfDram) {
  // Two windows of 1,024 pixels of three channels, 64 bytes apart on Blackhole, and a folded one.
  const std::string patches =
      "ttnn.conv2d 1x1x200704x3@l1/rm, 384x3x32x32@host/rm -> 1x1x196x384@? ; in_channels=3 out_channels=384 "
      "batch_size=4 input_height=224 input_width=224 kernel_size=[32,32] stride=[32,32] padding=[0,0] "
      "conv2d_config.shard_layout=block_sharded conv2d_config.enable_kernel_stride_folding=true "
      "conv2d_config.deallocate_activation=true";
  EXPECT_EQ(buffers(patches, "p150"), 2 * 1024 * 64 + 6144);
}

TEST_F(WheelWindowTest, ZerosBetweenElementsOfWidthShardsAreAHalo) {
  // 1,458 sticks of 64 bytes beside the shards in tiles of the result.
  EXPECT_EQ(
      tensors("ttnn.conv_transpose2d 1x1x392x96@ws6/rm/shard=392x16, 96x16x1x1@host/rm -> 1x1x1458x16@l1 ; "
              "in_channels=96 out_channels=16 batch_size=2 input_height=14 input_width=14 "
              "kernel_size=[1,1] stride=[2,2] padding=[0,0] dilation=[2,2] output_padding=[0,0] "
              "conv2d_config.shard_layout=width_sharded conv2d_config.deallocate_activation=true"),
      1458 * 64 + 46 * 2048 + 16);
}

TEST_F(WheelWindowTest, CoresWithoutResultsAreSentTheLastWindow) {
  // 15 windows on 43 cores: each of the other 28 is sent what the last needs, in lists of 104 and 98 numbers.
  EXPECT_EQ(tensors("ttnn.avg_pool2d 1x1x112x16@hs43/rm/shard=3x16 -> 1x1x15x16@? ; batch_size=1 "
                    "input_height=8 input_width=14 channels=16 kernel_size=[2,2] stride=[3,3] padding=[0,0]"),
            16 * 32 + 2 * 16 + 2 * 208);
  // The only window begins with the image: nothing else is sent.
  EXPECT_EQ(tensors("ttnn.avg_pool2d 1x1x49x16@hs7/rm/shard=7x16 -> 1x1x1x16@? ; batch_size=1 input_height=7 "
                    "input_width=7 channels=16 kernel_size=[5,5] stride=[4,4] padding=[0,0]"),
            33 * 32 + 4 * 16);
  // Convolutions alike: 6 rows of tiles on 61 cores.
  EXPECT_EQ(tensors("ttnn.conv2d 1x1x784x64@hs61/rm/shard=13x64, 32x64x3x3@host/rm -> 1x1x168x32xbfp_bf8@? ; "
                    "in_channels=64 out_channels=32 batch_size=4 input_height=14 input_width=14 "
                    "kernel_size=[3,3] stride=[2,2] padding=[0,1] conv2d_config.shard_layout=height_sharded "
                    "conv2d_config.deallocate_activation=true conv2d_config.act_block_h_override=64"),
            28032 + 2 * 32 + 2 * 688);
}

TEST_F(WheelWindowTest, LastWindowsBeyondThePaddingAreInTheHalo) {
  // A column and a row of padding more than stated; a table of 26 divisors, and four tiles of them.
  const std::string call =
      "ttnn.avg_pool2d 1x1x392x16xbfp_bf8@ws1/shard=416x32 -> 1x1x98x16@dram/rm ; batch_size=2 "
      "input_height=14 input_width=14 channels=16 kernel_size=[3,3] stride=[2,2] padding=[0,0] "
      "ceil_mode=true count_include_pad=false";
  EXPECT_EQ(buffers(call), 4 * 2048 + 2048 + 2 * 4096);
  EXPECT_EQ(tensors(call), 28800 + 3136 + 64 + 160);
  // Windows with padding of which none counts: 66 runs of one divisor each.
  EXPECT_EQ(
      tensors("ttnn.avg_pool2d 1x1x2048x256@ws8/shard=2048x32 -> 1x1x242x256@dram/rm ; batch_size=2 "
              "input_height=32 input_width=32 channels=256 kernel_size=[7,7] stride=[3,3] padding=[3,3] "
              "ceil_mode=false count_include_pad=false"),
      182336 + 15488 + 96 + 400);
}

TEST_F(WheelWindowTest, LastWindowsThatBeginInThePaddingAreNone) {
  // Of 5 pixels and one of padding on either side a fourth window of two would begin behind the image: 64 images of 3 x 3 on 4 cores.
  auto rows = [&](const std::string &mode) {
    ValidationResult answer = ask(
        "ttnn.max_pool2d 1x1x1600x32@hs4/rm/shard=400x32 -> 1x1x576x32@? ; batch_size=64 input_height=5 "
        "input_width=5 channels=32 kernel_size=[2,2] stride=[2,2] padding=[1,1] dilation=[1,1] ceil_mode=" +
        mode);
    EXPECT_TRUE(answer.ok()) << answer.message;
    return answer.ok() ? layouts[answer.constraints.outputLayouts.front()].shard.rows : 0;
  };
  EXPECT_EQ(rows("true"), rows("false"));
}

} // namespace
