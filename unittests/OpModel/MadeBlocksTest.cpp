//===- MadeBlocksTest.cpp - What ops make in L1, in order -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Orders that ttnn 0.77.0 records on a mock n150: KB per core, `<n` freed once n are made, `R0` the first result.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/Temporaries.h"

using namespace tessera;

namespace {

class MadeBlocksTest : public testing::Test {
protected:
  LayoutPool layouts;
  DeviceSpec device = *findDevice("n150");
  OpModelContext context{device, layouts, device.usableL1(), BackendVersion::Newest};

  std::string made(llvm::StringRef text) {
    TextQuery q = parseQuery(text, layouts, device);
    ValidationResult answer = createAnalyticOpModel(context)->query(q.query());
    EXPECT_TRUE(answer.ok()) << answer.message;
    return textOf(madeBlocks(q.query(), answer.constraints, context));
  }

  static std::string textOf(const MadeBlocks &blocks) {
    std::string text;
    for (const MadeBlock &block : blocks) {
      text += text.empty() ? "" : " ";
      text += block.isResult() ? "R" + std::to_string(block.result)
                               : std::to_string(block.size.value() / 1024) + "K";
      if (block.until != MadeBlock::kToTheEnd)
        text += "<" + std::to_string(block.until);
    }
    return text;
  }
};

TEST_F(MadeBlocksTest, MostOpsMakeTheirResultsOnly) {
  EXPECT_EQ(made("ttnn.relu 64x64@l1 -> 64x64@l1"), "");
  EXPECT_EQ(made("ttnn.repeat 32x32@dram -> 64x64@dram"), "");
}

TEST_F(MadeBlocksTest, ARepeatFreesWhatItHasRepeated) {
  EXPECT_EQ(made("ttnn.repeat 2x256x256@l1 -> 4x512x512@l1"), "8K<2 16K");
  // Rows, since the repeated dimension ends inside a tile.
  EXPECT_EQ(made("ttnn.repeat 64x16x64@l1 -> 64x32x64@l1"), "2K<2 4K");
}

TEST_F(MadeBlocksTest, SinceOctoberShardsAreUntilizedByWayOfDramForARepeat) {
  const char *text = "ttnn.repeat 1x1x1x1024@bs1x4 -> 1x1x32x1024@bs1x4 ; repeats=[1,1,32,1]";
  EXPECT_EQ(made(text), "2K<2 2K<3 2K<4 2K");
  context.version = BackendVersion::October2026;
  EXPECT_EQ(made(text), "2K<2 2K"); // rows of the result, tiles of it
}

TEST_F(MadeBlocksTest, FoldedShardsAreAnImageBefore) {
  // Rows of whole tiles, pixels, folded ones; shards for the matmul, and their tiles.
  EXPECT_EQ(
      made("ttnn.conv2d 1x1x12544x64@hs8/shard=1568x64, 128x64x2x2@host/rm -> 1x1x3136x128@? ; batch_size=4 "
           "input_height=56 input_width=56 in_channels=64 out_channels=128 kernel_size=[2,2] "
           "stride=[2,2] conv2d_config.shard_layout=height_sharded"),
      "224K<3 196K<3 196K 32K<5 32K");
}

TEST_F(MadeBlocksTest, ConcatKeepsRowsUnlessTheyAreTurned) {
  EXPECT_EQ(made("ttnn.concat 2048x48@l1, 2048x48@l1 -> 2048x96@l1 ; dim=1"), "3K 3K 6K");
  EXPECT_EQ(made("ttnn.concat 2048x4@l1, 2048x4@l1 -> 2048x8@l1 ; dim=1"), "0K<4 0K<4 4K 4K 4K 0K");
}

TEST_F(MadeBlocksTest, AScanFreesWhatIsTurnedBeforeItIsTurnedBack) {
  EXPECT_EQ(made("ttnn.cumsum 2x64xf32@l1 -> 2x64xf32@l1 ; dim=1"), "4K<2 4K");
  EXPECT_EQ(made("ttnn.cumprod 64xf32@dram -> 64xf32@l1 ; dim=0"), "4K");
  EXPECT_EQ(made("ttnn.cumsum 4x1x64x64@l1 -> 4x1x64x64@l1 ; dim=0"), "");
}

TEST_F(MadeBlocksTest, PaddedRowsHaveTheirPaddingLast) {
  EXPECT_EQ(made("ttnn.pad 64x64@l1/rm -> 96x64@l1/rm ; padding=[0,32,0,0]"), "R0 0K");
}

TEST_F(MadeBlocksTest, SortedValuesAreCutBeforeIndices) {
  EXPECT_EQ(made("ttnn.sort 1x816xf32@l1 -> 1x816xf32@l1, 1x816xu32@l1 ; dim=-1"), "4K 4K<4 4K R0 R1");
}

TEST_F(MadeBlocksTest, TheBestAreCutOutOfWholeTiles) {
  EXPECT_EQ(made("ttnn.topk 32x8xf32@l1 -> 32x2xf32@l1, 32x2xu32@l1 ; dim=1 k=2"), "4K 4K<4 4K R0 R1");
  // The library's indices have no sign: those with one are a copy, made behind all else.
  EXPECT_EQ(made("ttnn.topk 32x8xf32@l1 -> 32x2xf32@l1, 32x2xsi32@l1 ; dim=1 k=2"),
            "4K<5 4K<4 4K<5 R0 4K<5 R1");
}

TEST_F(MadeBlocksTest, AConvolutionMakesItsHaloTwice) {
  const char *attributes =
      "batch_size=1 in_channels=64 out_channels=64 input_height=56 input_width=56 stride=[1,1] "
      "dilation=[1,1] groups=1 conv2d_config.config_tensors_in_dram=true ";
  EXPECT_EQ(made(std::string("ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; ") +
                 attributes +
                 "kernel_size=[3,3] padding=[1,1,1,1] ; conv shard=height_sharded deallocate=true"),
            "23K<1 23K");
  EXPECT_EQ(made(std::string("ttnn.conv2d 1x1x3136x64@hs49, 64x64x1x1@host/rm -> 1x1x3136x64@hs49 ; ") +
                 attributes +
                 "kernel_size=[1,1] padding=[0,0,0,0] ; conv shard=height_sharded deallocate=true"),
            "R0");
}

TEST_F(MadeBlocksTest, ShardsOfAnOperandThatIsFreedAreMadeTwice) {
  auto conv = [&](const char *operand, const char *window, const char *config) {
    return made(std::string("ttnn.conv2d ") + operand + ", 640x640x" + window +
                " batch_size=1 in_channels=640 out_channels=640 input_height=40 input_width=40 stride=[1,1] "
                "dilation=[1,1] groups=1 conv2d_config.config_tensors_in_dram=true " +
                config);
  };
  const char *k1 = "1x1@host/rm -> 1x1x1600x640@hs50 ; kernel_size=[1,1] padding=[0,0,0,0]",
             *k3 = "3x3@host/rm -> 1x1x1600x640@bs8x7 ; kernel_size=[3,3] padding=[1,1,1,1]";
  // Blocks of 96 channels are 7 for 640: the matmul takes blocks of 128. Its result goes to the rows that were asked for.
  EXPECT_EQ(conv("1x1x1600x640@bs8x7", k1, "; conv shard=height_sharded deallocate=true"), "56K<1 56K<3 56K");
  EXPECT_EQ(conv("1x1x1600x640@bs8x7", k1, "; conv shard=height_sharded"), "56K 56K");
  // Without shards of its own a convolution frees what it was given once it has the halo.
  EXPECT_EQ(conv("1x1x1600x640@l1", k3, "; conv shard=block_sharded deallocate=true"),
            "42K<1 42K<3 60K<3 60K");
  EXPECT_EQ(conv("1x1x1600x640@l1", k3, "; conv shard=block_sharded"), "42K<2 60K<2 60K");
  EXPECT_EQ(
      conv("1x1x1600x640@l1", k3, "conv2d_config.reallocate_halo_output=false ; conv shard=block_sharded"),
      "42K<2 60K");
}

TEST_F(MadeBlocksTest, AMatmulOfShardsHasItsResultOnTheCoresThatGetTiles) {
  auto conv = [&](const char *outChannels, const char *result, const char *window) {
    std::string channels = outChannels;
    return made("ttnn.conv2d 1x1x289x512@bs5x4, " + channels + "x512x" + window + " -> 1x1x289x" + channels +
                "@" + result +
                " ; batch_size=1 in_channels=512 input_height=17 input_width=17 stride=[1,1] " +
                "dilation=[1,1] groups=1 conv2d_config.config_tensors_in_dram=true out_channels=" + channels +
                (window[0] == '1' ? " kernel_size=[1,1] padding=[0,0]" : " kernel_size=[3,3] padding=[1,1]") +
                " ; conv shard=block_sharded");
  };
  // Five columns of tiles are two on each of three columns of cores; the fourth is left out.
  EXPECT_EQ(conv("160", "bs5x3", "1x1@host/rm"), "");
  EXPECT_EQ(conv("160", "bs5x4", "1x1@host/rm"), "8K");
  EXPECT_EQ(conv("24", "bs5x1", "1x1@host/rm"), "");
  // The kernel of larger windows has columns of its own.
  EXPECT_EQ(conv("160", "bs5x5", "3x3@host/rm"), "28K<1 28K");
}

TEST_F(MadeBlocksTest, ATransposedConvolutionKeepsTheShardsOfItsPixels) {
  auto conv = [&](const char *config) {
    return made(std::string("ttnn.conv_transpose2d 1x1x1024x64@l1, 64x32x3x3@host/rm -> "
                            "1x1x4096x32@hs64 ; batch_size=1 in_channels=64 out_channels=32 input_height=32 "
                            "input_width=32 kernel_size=[3,3] stride=[2,2] padding=[0,0,1,1] dilation=[1,1] "
                            "output_padding=[0,0] groups=1 conv2d_config.config_tensors_in_dram=true ; conv "
                            "shard=height_sharded ") +
                config);
  };
  // The operand has a quarter of the pixels that the kernel goes through; the others are zeros between them.
  EXPECT_EQ(conv("deallocate=true"), "4K<1 4K<3 24K<3 24K");
  EXPECT_EQ(conv(""), "4K 24K<2 24K");
}

TEST_F(MadeBlocksTest, APoolKeepsItsHaloAndTheShardsOfWhatIsNotInDram) {
  constexpr const char *window =
      " ; batch_size=8 channels=64 input_height=114 input_width=114 kernel_size=[3,3] stride=[2,2] "
      "padding=[0,0] dilation=[1,1] config_tensors_in_dram=true";
  auto pool = [&](const char *tensors, const char *more = "") {
    return made(std::string("ttnn.max_pool2d ") + tensors + window + more);
  };
  EXPECT_EQ(pool("1x1x103968x64@l1/rm -> 1x1x25088x64@l1/rm"), "203K 213K 49K");
  EXPECT_EQ(pool("1x1x103968x64@dram/rm -> 1x1x25088x64@l1/rm"), "203K<2 213K 49K");
  EXPECT_EQ(pool("1x1x103968x64@l1/rm -> 1x1x25088x64@l1/rm", " reallocate_halo_output=true"),
            "203K 213K<2 213K 49K");
}

TEST_F(MadeBlocksTest, OtherModelsHaveOneTemporary) {
  TextQuery q = parseQuery("ttnn.repeat 2x256x256@l1 -> 4x512x512@l1", layouts, device);
  OpConstraints answer = createAnalyticOpModel(context)->query(q.query()).constraints;
  answer.tensorL1PeakSize += Bytes(1024);
  EXPECT_EQ(textOf(madeBlocks(q.query(), answer, context)), "17K");
}

} // namespace
