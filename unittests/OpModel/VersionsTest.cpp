//===- VersionsTest.cpp - What the backend did when ----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One test per change of facts/formulas, "VERSION": both sides.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

class VersionsTest : public testing::Test {
protected:
  DeviceSpec device = *findDevice("n150");
  LayoutPool layouts;

  ValidationResult ask(llvm::StringRef text, BackendVersion version) {
    TextQuery q = parseQuery(text, layouts, device);
    return createAnalyticOpModel({device, layouts, device.usableL1(), version})->query(q.query());
  }
  bool legal(llvm::StringRef text, BackendVersion version) {
    return ask(text, version).status != ValidationStatus::MetalBackendError;
  }
  int64_t buffers(llvm::StringRef text, BackendVersion version) {
    return ask(text, version).constraints.cbL1PeakSize.value();
  }
  int64_t tensors(llvm::StringRef text, BackendVersion version) {
    return ask(text, version).constraints.tensorL1PeakSize.value();
  }
};

TEST_F(VersionsTest, RemainderOfHeightShards) {
  llvm::StringLiteral text = "ttnn.remainder 64x64@hs2, 64x64@dram -> 64x64@dram";
  EXPECT_FALSE(legal(text, BackendVersion::Autumn2025));
  EXPECT_TRUE(legal(text, BackendVersion::Pinned));
  llvm::StringLiteral plain = "ttnn.remainder 64x1024@l1, 64x1024@l1 -> 64x1024@l1";
  EXPECT_EQ(tensors(plain, BackendVersion::Autumn2025), 7 * 4096);
  EXPECT_EQ(tensors(plain, BackendVersion::Pinned), 6 * 4096);
}

TEST_F(VersionsTest, UnaryOpsConvertPlacementSince2026) {
  EXPECT_FALSE(legal("ttnn.relu 64x64@l1 -> 64x64@hs2", BackendVersion::Pinned));
  EXPECT_TRUE(legal("ttnn.relu 64x64@l1 -> 64x64@hs2", BackendVersion::Newest));
}

TEST_F(VersionsTest, SortShardsItsResultsSince2026) {
  llvm::StringLiteral text = "ttnn.sort 64x64@l1 -> 64x64@ws2, 64x64xu16@ws2 ; dim=-1";
  EXPECT_FALSE(legal(text, BackendVersion::Pinned));
  EXPECT_TRUE(legal(text, BackendVersion::Newest));
}

TEST_F(VersionsTest, Atan2OfHeightShardsSince2026) {
  llvm::StringLiteral text = "ttnn.atan2 64x64@hs2, 64x64@dram -> 64x64@dram";
  EXPECT_FALSE(legal(text, BackendVersion::Pinned));
  EXPECT_TRUE(legal(text, BackendVersion::Newest));
}

TEST_F(VersionsTest, RepeatsLieWhereAskedForSince2026) {
  llvm::StringLiteral once = "ttnn.repeat_interleave 64x1024@l1 -> 128x1024@l1 ; repeats=2 dim=0";
  EXPECT_EQ(ask(once, BackendVersion::Pinned).constraints.outputL1BufferSize, Bytes(0)); // ends in DRAM
  EXPECT_EQ(ask(once, BackendVersion::Newest).constraints.outputL1BufferSize, Bytes(2 * 2048));
  llvm::StringLiteral twice = "ttnn.repeat 64x1024@dram -> 128x1024@l1 ; repeats=[2,1]";
  EXPECT_EQ(ask(twice, BackendVersion::Pinned).constraints.outputL1BufferSize, Bytes(0)); // as the operand
  EXPECT_EQ(ask(twice, BackendVersion::Newest).constraints.outputL1BufferSize, Bytes(2 * 2048));
}

TEST_F(VersionsTest, TheUpdateIndexIsCheckedSinceMidNovember) {
  llvm::StringLiteral text = "ttnn.update_cache 1x32x64x512@dram, 1x32x3x512@dram, 1@dram -> ()";
  EXPECT_TRUE(legal(text, BackendVersion::EarlyNovember2025));
  EXPECT_FALSE(legal(text, BackendVersion::Pinned));
}

TEST_F(VersionsTest, AccurateTanhCameAndWent) {
  llvm::StringLiteral text = "ttnn.tanh 64x1024@l1 -> 64x1024@l1";
  EXPECT_EQ(buffers(text, BackendVersion::August2025), 4 * 2048);
  EXPECT_EQ(buffers(text, BackendVersion::September2025), 14 * 2048);
  EXPECT_EQ(buffers(text, BackendVersion::EarlyNovember2025), 14 * 2048);
  EXPECT_EQ(buffers(text, BackendVersion::Pinned), 4 * 2048);
}

TEST_F(VersionsTest, CubeRootWasComposed) {
  llvm::StringLiteral text = "ttnn.cbrt 64x1024@l1 -> 64x1024@l1";
  EXPECT_EQ(tensors(text, BackendVersion::September2025), 3 * 2048);
  EXPECT_EQ(tensors(text, BackendVersion::Autumn2025), 2048);
}

TEST_F(VersionsTest, ArgmaxAlignedItsIndices) {
  llvm::StringLiteral text = "ttnn.argmax 64x64@dram/rm -> 64x1xu32@dram/rm ; dim=1 keep_dim=true";
  EXPECT_EQ(buffers(text, BackendVersion::September2025), 64 * 2 + 32);
  EXPECT_EQ(buffers(text, BackendVersion::Autumn2025), 64 * 2 + 4);
}

TEST_F(VersionsTest, DivisionsTookTheReciprocalFirst) {
  llvm::StringLiteral text = "ttnn.quantize 32x64@l1, 1@l1, 1xsi32@l1 -> 32x64xsi32@l1";
  EXPECT_EQ(buffers(text, BackendVersion::Autumn2025), 7 * 2048);
  EXPECT_EQ(buffers(text, BackendVersion::Pinned), 6 * 2048);
  // The division is over when the result exists.
  EXPECT_EQ(ask(text, BackendVersion::Autumn2025).constraints.peakL1MemorySize.value(), 6 * 2048 + 10240);
}

TEST_F(VersionsTest, EachShardWasBoundByItself) {
  llvm::StringLiteral add = "ttnn.add 64x1024@hs2, 64x1024@dram -> 64x1024@hs2";
  EXPECT_EQ(buffers(add, BackendVersion::Autumn2025), 2 * 2048);
  EXPECT_EQ(buffers(add, BackendVersion::Pinned), 6 * 2048);
  // So the addition of a bias to shards took less than the product: 8256, facts/formulas 7.2.
  llvm::StringLiteral linear = "ttnn.linear 32x1792@ws56, 1792x1792@dram, 32x1792@dram -> 32x1792@ws56";
  EXPECT_EQ(buffers(linear, BackendVersion::Autumn2025), 8256);
  EXPECT_EQ(buffers(linear, BackendVersion::Pinned), 6 * 2048);
}

constexpr llvm::StringLiteral kConv =
    "ttnn.conv2d 1x1x50176x3@dram/rm, 64x3x7x7@host/rm -> 1x1x12544x64@l1 ; batch_size=1 input_height=224 "
    "input_width=224 in_channels=3 out_channels=64 kernel_size=[7,7] stride=[2,2] padding=[3,3] "
    "dilation=[1,1] "
    "groups=1";

TEST_F(VersionsTest, ConvolutionsFromDramAreSlicedSinceMidNovember) {
  ValidationResult before = ask(kConv, BackendVersion::EarlyNovember2025);
  // halo (2069 sticks of 16 bytes), the result in shards and interleaved: facts/formulas 11
  EXPECT_EQ(before.constraints.tensorL1PeakSize.value(), 33104 + 28672 + 26624);
  EXPECT_EQ(before.constraints.outputL1BufferSize.value(), 26624);
  ValidationResult since = ask(kConv, BackendVersion::Pinned);
  EXPECT_EQ(since.constraints.tensorL1PeakSize.value(), 33104 + 28672 + 60);
  EXPECT_EQ(since.constraints.outputL1BufferSize.value(), 0);
}

TEST_F(VersionsTest, AutomaticShardsKeptBlocksOfOneTileUntilMidNovember) {
  // One reader table entry per tile, or two readers of four and three tiles: facts/formulas 11
  EXPECT_EQ(tensors(kConv, BackendVersion::LateNovember2025), 33104 + 28672 + 20);
  std::string doubled = kConv.str() + " conv2d_config.enable_act_double_buffer=true "
                                      "conv2d_config.enable_weights_double_buffer=true";
  EXPECT_EQ(buffers(doubled, BackendVersion::Pinned), 69696);
  EXPECT_EQ(buffers(doubled, BackendVersion::LateNovember2025), 102464);
}

TEST_F(VersionsTest, TheMatmulOfAPixelAccumulatesInFp32) {
  // ttnn 0.77: weights and bias of 2 x 8 and 8 tiles, partial sums of 13 x 8 in f32
  std::string conv =
      "ttnn.conv2d 1x1x25088x64@hs61, 256x64x1x1@host/rm, 1x1x1x256@host/rm -> 1x1x25088x256@hs61 ; "
      "batch_size=8 input_height=56 input_width=56 in_channels=64 out_channels=256 "
      "kernel_size=[1,1] stride=[1,1] padding=[0,0,0,0] dilation=[1,1] groups=1 "
      "compute_config.math_fidelity=hifi3 compute_config.fp32_dest_acc_en=true "
      "compute_config.packer_l1_acc=true";
  EXPECT_EQ(buffers(conv, BackendVersion::Newest), 475136);
}

TEST_F(VersionsTest, HaloTablesAreCounted) {
  // Tiles in L1 are sent 32 sticks at a time: in shard, halo (2069 sticks of 64 bytes) and 812 bytes of
  // tables.
  std::string text = kConv.str();
  text.replace(text.find("@dram/rm"), 8, "@l1");
  EXPECT_EQ(tensors(text, BackendVersion::Pinned), 57344 + 2069 * 64 + 812);
}

// Figures of the ttnn 0.77.0 wheel.
TEST_F(VersionsTest, ConvolutionsOf2026AreCutAsTheLibraryDoes) {
  const llvm::StringRef strided =
      "ttnn.conv2d 1x1x25088x32@dram/rm, 256x32x3x3@host/rm, 1x1x1x256@host/rm -> 1x1x6272x256@dram ; "
      "batch_size=8 "
      "input_height=56 input_width=56 in_channels=32 out_channels=256 kernel_size=[3,3] stride=[2,2] "
      "padding=[1,1] "
      "conv2d_config.weights_dtype=bfp_bf8 conv2d_config.act_block_h_override=64 "
      "conv2d_config.shard_layout=height_sharded conv2d_config.enable_act_double_buffer=true";
  EXPECT_EQ(buffers(strided, BackendVersion::Newest), 123968);
  EXPECT_EQ(tensors(strided, BackendVersion::Newest), 116080);
  // A 1x1 window on height shards is a matmul that reads them in place: only the weights have a buffer.
  const llvm::StringRef point =
      "ttnn.conv2d 1x1x3136x64@dram/rm, 256x64x1x1@host/rm -> 1x1x3136x256@l1 ; batch_size=1 input_height=56 "
      "input_width=56 in_channels=64 out_channels=256 kernel_size=[1,1] conv2d_config.weights_dtype=bfp_bf8 "
      "conv2d_config.shard_layout=height_sharded";
  EXPECT_EQ(buffers(point, BackendVersion::Newest), 17408);
  EXPECT_EQ(tensors(point, BackendVersion::Newest), 67584);
}

TEST_F(VersionsTest, BilinearUpsampleShardsWhatIsInterleaved) {
  const llvm::StringRef text =
      "ttnn.upsample 1x32x32x64@dram/rm -> 1x64x64x64@dram/rm ; mode=bilinear scale_factor=2";
  EXPECT_EQ(buffers(text, BackendVersion::Newest), 10240);
  EXPECT_EQ(tensors(text, BackendVersion::Newest), 18944);
}

} // namespace
