//===- Wheel081Test.cpp - What ttnn 0.81 says otherwise than 0.77 --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Figures of the wheel ttnn 0.81.1 on its mock chip, one call per rule of facts/vendor-library 6.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/Temporaries.h"

#include "llvm/Support/FormatVariadic.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

class Wheel081Test : public testing::Test {
protected:
  DeviceSpec device = asOpenedBy(BackendVersion::October2026, *findDevice("n150"));
  LayoutPool layouts;

  ValidationResult ask(llvm::StringRef text, Bytes budget = Bytes(int64_t(1) << 40)) {
    TextQuery q = parseQuery(text, layouts, device);
    return createAnalyticOpModel({device, layouts, budget, BackendVersion::October2026})->query(q.query());
  }
  int64_t buffers(llvm::StringRef text) { return ask(text).constraints.cbL1PeakSize.value(); }
  int64_t tensors(llvm::StringRef text) { return ask(text).constraints.tensorL1PeakSize.value(); }
  /// What takes L1 and is neither circular buffer nor tensor.
  int64_t scratchpads(llvm::StringRef text) {
    OpConstraints c = ask(text).constraints;
    return (c.peakL1MemorySize - c.cbL1PeakSize - c.tensorL1PeakSize).value();
  }
};

TEST_F(Wheel081Test, RowsThatAreAddedToShardsHaveABuffer) {
  const std::string rows =
      "ttnn.pad 128x128@hs32/rm/shard=4x128 -> 160x128@hs32/rm/shard=5x128 ; padding=[0,32,0,0]";
  EXPECT_EQ(buffers(rows), 256);
  EXPECT_EQ(scratchpads(rows), 0);
  const std::string columns =
      "ttnn.pad 128x128@hs32/rm/shard=4x128 -> 128x160@hs32/rm/shard=4x160 ; padding=[0,0,0,32]";
  EXPECT_EQ(buffers(columns), 0);
  EXPECT_EQ(scratchpads(columns), 320);
}

TEST_F(Wheel081Test, L1BeginsHigherFromVersionToVersion) {
  auto base = [](const char *board, BackendVersion version) {
    return asOpenedBy(version, *findDevice(board)).l1UnreservedBase.value();
  };
  EXPECT_EQ(base("n150", BackendVersion::Pinned), 103712);
  EXPECT_EQ(base("n150", BackendVersion::Newest), 105664);
  EXPECT_EQ(base("n150", BackendVersion::October2026), 105824);
  EXPECT_EQ(base("p150", BackendVersion::Pinned), 111104);
  EXPECT_EQ(base("p150", BackendVersion::Newest), 111488);
  EXPECT_EQ(base("p150", BackendVersion::October2026), 111744);
  // A module may describe a board that leaves less.
  DeviceSpec told = *findDevice("p150");
  told.l1UnreservedBase = Bytes(177280);
  EXPECT_EQ(asOpenedBy(BackendVersion::October2026, told), told);
}

TEST_F(Wheel081Test, HeightShardsOfGatheredRowsAreFilledUp) {
  // Two matrices of one row on a core: rows, rows that fill tiles, tiles.
  EXPECT_EQ(tensors("ttnn.embedding 8x1xu32@dram/rm, 3000x384@dram/rm -> 8x1x384@hs4/shard=64x384"),
            3 * 49152);
  // Blocks are tilized by whole rows of tiles.
  EXPECT_EQ(buffers("ttnn.embedding 8x60xu32@l1, 512x1536@dram/rm -> 8x60x1536@bs8x8/shard=64x192"),
            2 * 48 * 2048);
}

TEST_F(Wheel081Test, ASortKeepsItsPaddedOperandBesideItsShards) {
  // A tile of the operand, whose rows are padded to two of them; a shard of values and one of indices.
  EXPECT_EQ(tensors("ttnn.sort 64x32@l1 -> 64x32@hs1, 64x32xu16@hs1 ; descending=false dim=-1 stable=false"),
            2048 + 2 * 4096);
}

TEST_F(Wheel081Test, PaddedRowsAreUntilizedWholeForARepeat) {
  EXPECT_EQ(buffers("ttnn.repeat 1x1x1x1024@l1 -> 1x1x8x1024@l1 ; repeats=[1,1,8,1]"), 2 * 131072);
  EXPECT_EQ(buffers("ttnn.repeat 8x1x1x4096@l1 -> 8x1x8x4096@l1 ; repeats=[1,1,8,1]"), 2 * 524288);
  // Rows for which that would take 800,000 bytes are cut: here the repeat takes more.
  EXPECT_EQ(buffers("ttnn.repeat 1x1x1x8192@l1 -> 1x1x8x8192@l1 ; repeats=[1,1,8,1]"), 131072);
  // Of 32 bits by the kernel of before.
  EXPECT_EQ(buffers("ttnn.repeat 1x1x1x1024xf32@l1 -> 1x1x8x1024xf32@l1 ; repeats=[1,1,8,1]"), 2 * 131072);
}

TEST_F(Wheel081Test, SoftmaxKeepsSumsInFp32AndAllElseOnlyIfAsked) {
  EXPECT_EQ(buffers("ttnn.softmax 1x1x32x128@dram -> 1x1x32x128@dram ; dimension=-1 numericStable=true"),
            47104);
  EXPECT_EQ(buffers("ttnn.softmax 1x1x32x128@dram -> 1x1x32x128@dram ; dimension=-1 numericStable=true "
                    "compute_config.fp32_dest_acc_en=true"),
            57344);
  EXPECT_EQ(buffers("ttnn.softmax 1x1x64x100@dram -> 1x1x64x100@dram ; dimension=-1 numericStable=true "
                    "compute_config.fp32_dest_acc_en=true"),
            81920);
  EXPECT_EQ(
      buffers("ttnn.softmax 1x1x32768x288@dram -> 1x1x32768x288@dram ; dimension=-1 numericStable=false "
              "compute_config.fp32_dest_acc_en=true"),
      73728);
}

TEST_F(Wheel081Test, ScatterTurnsRowsAndSharesThoseOfTheResultAlone) {
  auto scatter = [](const char *where, const char *shape, const char *part, int dim) {
    return llvm::formatv("ttnn.scatter {0}@{2}, {1}xu32@{2}, {1}@{2} -> {0}@{2} ; dim={3} "
                         "scatter_reduce_type=invalid",
                         shape, part, where, dim)
        .str();
  };
  std::string last = scatter("dram/rm", "256x1024x64", "256x1024x32", 2);
  EXPECT_EQ(buffers(last), 128);
  EXPECT_EQ(scratchpads(last), 128 + 128 + 64);
  EXPECT_EQ(buffers(scatter("dram/rm", "256x1024x64", "256x1x64", 1)), 24576); // blocks of u32
  EXPECT_EQ(buffers(scatter("dram", "256x1024x64", "256x1x64", 1)), 24576);
  // Rows of one number take 16 bytes; the operand and the result are turned.
  EXPECT_EQ(tensors(scatter("l1/interleaved/row_major", "4x100x48", "4x1x48", 1)), 2016);
  EXPECT_EQ(tensors(scatter("l1/interleaved/row_major", "256x1024x64", "1x1024x64", 0)), 1605632);
  EXPECT_EQ(tensors(scatter("l1/interleaved/row_major", "256x1024x64", "256x1024x32", 2)), 524288);
}

TEST_F(Wheel081Test, RowsOfAScatterAreTurnedAsTheCallsThatStandForIt) {
  EXPECT_EQ(buffers("ttnn.rows_scatter 256x1024x64@dram/rm, 1x1x1xsi32@dram/rm, 256x1x64@dram/rm -> "
                    "256x1024x64@dram/rm"),
            24576);
}

/// Blocks of the image, tilized, and of weights of as many rows: a window of 3 or 5 over 2 or 8 tiles of channels.
TEST_F(Wheel081Test, Depthwise1dHoldsThreeBlocks) {
  auto conv = [](const char *in, int64_t channels, int64_t window) {
    std::string c = std::to_string(channels), k = std::to_string(window);
    return "ttnn.conv1d 1x512x" + c + "@" + in + ", " + c + "x1x" + k + "@host/rm -> 1x1x512x" + c +
           "@dram ; batch_size=1 dilation=1 groups=" + c + " in_channels=" + c +
           " input_length=512 kernel_size=" + k + " out_channels=" + c + " padding=[" +
           std::to_string(window / 2) + "," + std::to_string(window / 2) + "] stride=1";
  };
  EXPECT_EQ(buffers(conv("l1", 64, 3)), 36928); // on 16 cores, whatever takes less
  EXPECT_EQ(buffers(conv("hs8", 64, 3)), 73792);
  EXPECT_EQ(buffers(conv("l1", 256, 3)), 147520);
  EXPECT_EQ(buffers(conv("hs4", 256, 5)), 983104);
}

TEST_F(Wheel081Test, RowsAreReducedInTheirShards) {
  auto sum = [](const char *out, const char *in) {
    return std::string("ttnn.sum ") + in + " -> " + out + " ; dim_arg=[-1] keep_dim=true";
  };
  EXPECT_EQ(buffers(sum("1x1x1024x1@hs8", "1x1x1024x256@hs8")), 6144);
  EXPECT_EQ(buffers(sum("1x1x1024x1@hs16", "1x1x1024x256@hs8")), 22528);
  EXPECT_EQ(buffers(sum("1x1x1056x1@hs8", "1x1x1056x256@hs8")), 22528); // the last shard is padded
  EXPECT_EQ(buffers(sum("1x1x1024x1@l1", "1x1x1024x256@hs8")), 22528);
}

TEST_F(Wheel081Test, PiecesOfTilesAreJoinedInOneProgram) {
  EXPECT_EQ(buffers("ttnn.concat 1x1x64x1@dram, 1x1x64x100@dram -> 1x1x64x101@dram ; dim=3"), 27 * 2048);
  EXPECT_EQ(buffers("ttnn.concat 1x1x64x1@dram, 1x1x64x100@dram, 1x1x64x50@dram -> 1x1x64x151@dram ; dim=3"),
            36 * 2048);
  EXPECT_EQ(buffers("ttnn.concat 1x1x50x64xf32@dram, 1x1x50x50xf32@dram -> 1x1x50x114xf32@dram ; dim=3"),
            24 * 4096);
  // Integers, and rows that do not fit, as before.
  EXPECT_EQ(buffers("ttnn.concat 1x1x64x100xu32@dram, 1x1x64x100xu32@dram -> 1x1x64x200xu32@dram ; dim=3"),
            14 * 4096);
  EXPECT_EQ(buffers("ttnn.concat 1x1x64x5000@dram, 1x1x64x5000@dram -> 1x1x64x10000@dram ; dim=3"),
            20 * 1024);
}

TEST_F(Wheel081Test, ShardsAreJoinedAsIfOfFourDimensions) {
  EXPECT_EQ(buffers("ttnn.concat 64x32xf32@hs2, 64x32xf32@hs2 -> 64x64xf32@hs2 ; dim=1"), 6 * 4096);
  EXPECT_EQ(buffers("ttnn.concat 4x64x32@hs2, 4x64x32@hs2 -> 4x64x64@hs2 ; dim=2"), 6 * 2048);
  EXPECT_EQ(buffers("ttnn.concat 64x32@ws1, 64x32@ws1 -> 128x32@ws1 ; dim=0"), 0);
}

TEST_F(Wheel081Test, IndicesOfTilesAreNoBuffer) {
  EXPECT_EQ(buffers("ttnn.argmax 32x128256@l1 -> 32x1xu32@l1/rm ; dim=1 keep_dim=true"), 2048);
}

TEST_F(Wheel081Test, PrivateMemoryOfAKernelIsNoBuffer) {
  llvm::StringLiteral tiles = "ttnn.reshape 1x1x3584@l1 -> 1x1x28x128@? ; shape=[1,1,28,128]";
  EXPECT_EQ(buffers(tiles), 3072);
  EXPECT_EQ(scratchpads(tiles), 2048);
  llvm::StringLiteral rows = "ttnn.reshape 1x24x1x128@dram/rm -> 24x1x128@l1/rm ; shape=[24,1,128]";
  EXPECT_EQ(buffers(rows), 0);
  EXPECT_EQ(scratchpads(rows), 1824);
  EXPECT_EQ(buffers("ttnn.to_memory_config 1x1x16x4096@l1/rm -> 1x1x16x4096@dram/rm"), 16384);
  EXPECT_EQ(buffers("ttnn.pad 1x32x8192@l1 -> 33x32x8192@l1 ; padding=[0,32,0,0,0,0] use_multicore=true"),
            4096);
  EXPECT_EQ(buffers("ttnn.embedding 1x32xu32@dram/rm, 128256x64@dram/rm -> 1x32x64@hs1"), 8192);
}

TEST_F(Wheel081Test, TilesGoIntoShardsWithoutBeingShifted) {
  llvm::StringLiteral text = "ttnn.to_memory_config 1x1x1x2048@l1 -> 1x1x1x2048@ws32";
  EXPECT_EQ(buffers(text), 0);
  EXPECT_EQ(scratchpads(text), 0);
}

TEST_F(Wheel081Test, MatmulsOnShards) {
  // No semaphores, and no core beside those that compute.
  EXPECT_EQ(buffers("ttnn.matmul 1x64x8192@ws8, 8192x2048@dram -> 1x64x2048@ws8 ; ; mcast1d_in0 grid=8x8 k=1 "
                    "m=2 n=1 sub=1x1"),
            12288);
  // The result's block is accumulated apart, even if shards are one row of blocks.
  EXPECT_EQ(
      buffers("ttnn.matmul 1x1x8x2048@l1, 2048x2048@dram -> 1x1x8x2048@ws32 ; ; mcast1d_in0 grid=8x4 k=16 "
              "m=1 n=2 sub=1x1 block=1x1"),
      133120);
}

TEST_F(Wheel081Test, BuffersBeyondL1AreRefusedWhateverTheBudgetIs) {
  EXPECT_EQ(ask("ttnn.matmul 1x1x64x18944@ws1, 18944x3584xbfp_bf4@dram -> 1x1x64x3584@dram").status,
            ValidationStatus::OutOfMemory);
}

TEST_F(Wheel081Test, SoftmaxAddsUpInF32) {
  EXPECT_EQ(buffers("ttnn.softmax 1x12x512x512@l1 -> 1x12x512x512@l1 ; dimension=-1"), 38 * 2048);
  EXPECT_EQ(buffers("ttnn.softmax 8x4x512x512@dram -> 8x4x512x512@dram ; dimension=-1 numericStable=true"),
            47 * 2048);
  EXPECT_EQ(buffers("ttnn.softmax 1x12x512x128@l1 -> 1x12x512x128@l1 ; dimension=-2 numericStable=true"),
            105 * 2048);
}

TEST_F(Wheel081Test, NormsReckonWithWhatThereIs) {
  EXPECT_EQ(buffers("ttnn.rms_norm 1x1x8x4096@dram, 4096@dram -> 1x1x8x4096@dram"), 880640);
  EXPECT_EQ(buffers("ttnn.layer_norm 1x512x4096@dram -> 1x512x4096@dram"), 651264);
}

TEST_F(Wheel081Test, ReductionsReadEightTilesAhead) {
  EXPECT_EQ(buffers("ttnn.sum 1x128x11008@l1 -> 1x128x1@? ; dim_arg=[2] keep_dim=true"), 11 * 2048);
  EXPECT_EQ(buffers("ttnn.min 1x512x8192@l1 -> 1x1x8192@dram ; dim_arg=[1] keep_dim=true"), 11 * 2048);
  // Unless cores have little to do.
  EXPECT_EQ(buffers("ttnn.mean 1x12x512x64@dram -> 1x12x1x64@l1 ; dim_arg=[2] keep_dim=true"), 5 * 2048);
}

TEST_F(Wheel081Test, ProductsTurnRowsAndColumnsToTheFront) {
  auto product = [](const char *in, const char *out, int dim, const char *kept = "true") {
    return llvm::formatv("ttnn.prod {0} -> {1} ; dim_arg={2} keep_dim={3}", in, out, dim, kept).str();
  };
  EXPECT_EQ(tensors(product("8x512x512@l1", "8x512x1@l1", 2)), 133 * 2048);
  EXPECT_EQ(tensors(product("8x512x512@dram", "8x512@l1", 2, "false")), 133 * 2048);
  EXPECT_EQ(tensors(product("8x512x512@l1", "8x1x512@l1", 1)), 131 * 2048);
  // A row is a row without the dimension, too.
  EXPECT_EQ(tensors(product("4x128xf32@l1", "128xf32@l1", 0, "false")), 3 * 4096);
  // Outer dimensions stay.
  EXPECT_EQ(tensors(product("8x512x512@l1", "1x512x512@l1", 0)), 4 * 2048);
  EXPECT_EQ(buffers(product("512x512@l1", "1x512@l1", 0)), 8192);
  EXPECT_EQ(buffers(product("512x512@l1", "512x1@l1", 1)), 8224);
  EXPECT_EQ(buffers(product("500x500@l1", "500x1@l1", 1)), 12288);
}

TEST_F(Wheel081Test, ProductsOfAllElementsAreRowsOfTiles) {
  EXPECT_EQ(tensors("ttnn.prod 64x128@l1 -> 1x1@l1 ; keep_dim=true"), 2 * 2048);
  EXPECT_EQ(tensors("ttnn.prod 2x100x70xf32@dram -> 1x1x1xf32@l1 ; keep_dim=true"), 2 * 4096);
  EXPECT_EQ(tensors("ttnn.prod 64x128@l1 -> 1x1@dram ; keep_dim=true"), 0);
  EXPECT_EQ(buffers("ttnn.prod 100x70@l1 -> 1x1@l1 ; keep_dim=true"), 12288);
}

TEST_F(Wheel081Test, CoresShareTallColumns) {
  auto sum = [](const char *in, const char *out, const char *name = "sum") {
    return std::string("ttnn.") + name + " " + in + " -> " + out + " ; dim_arg=[2] keep_dim=true";
  };
  // What the parts are reduced to is rows of f32, but of a maximum.
  EXPECT_EQ(buffers(sum("1x1x1024x32@dram", "1x1x1x32@dram")), 30720);
  EXPECT_EQ(buffers(sum("1x1x1024x32xf32@dram", "1x1x1x32xf32@dram", "mean")), 36864);
  EXPECT_EQ(buffers(sum("1x1x1024x32@dram", "1x1x1x32@dram", "max")), 22528);
  // Not if there are fewer than twenty rows of tiles, or no two cores for each column, and not in shards.
  EXPECT_EQ(buffers(sum("1x1x608x32@dram", "1x1x1x32@dram")), 10240);
  EXPECT_EQ(buffers(sum("1x1x640x2048@dram", "1x1x1x2048@dram")), 10240);
  EXPECT_EQ(buffers(sum("1x1x640x64@ws2", "1x1x1x64@dram")), 10240);
}

TEST_F(Wheel081Test, SumsOverSeveralDimensionsStayInF32) {
  EXPECT_EQ(buffers("ttnn.mean 2x3x64x96@dram -> 2x1x1x96@dram ; dim_arg=[1,2] keep_dim=true"), 16384);
  EXPECT_EQ(buffers("ttnn.mean 2x3x64x96@dram -> 2x3x1x1@dram ; dim_arg=[2,3] keep_dim=true"), 10240);
  EXPECT_EQ(buffers("ttnn.sum 2x3x64x96@dram -> 2x1x64x1@dram ; dim_arg=[1,3] keep_dim=true"), 22528);
}

TEST_F(Wheel081Test, ReductionsAreLaidAsTheReshapeBehindThem) {
  EXPECT_TRUE(ask("ttnn.max 256x64x64@l1 -> 256x64@hs8 ; dim_arg=[2] keep_dim=false").ok());
  // Nine cores are no rectangle of a device with eight columns.
  EXPECT_NE(ask("ttnn.max 288x64x64@l1 -> 288x64@hs9 ; dim_arg=[2] keep_dim=false")
                .message.find("the backend makes l1/interleaved"),
            std::string::npos);
}

TEST_F(Wheel081Test, TopKOfF32GoesByTiles) {
  device = asOpenedBy(BackendVersion::October2026, *findDevice("p150"));
  EXPECT_EQ(buffers("ttnn.topk 1x8400@l1 -> 1x32@l1, 1x32xu16@l1 ; dim=1 k=32"), 65536);
  EXPECT_EQ(buffers("ttnn.topk 1x8400xf32@l1 -> 1x32xf32@l1, 1x32xu32@l1 ; dim=1 k=32"), 73728);
  EXPECT_EQ(tensors("ttnn.topk 1x8400xf32@l1 -> 1x32xf32@l1, 1x32xu32@l1 ; dim=1 k=32"), 8192);
}

TEST_F(Wheel081Test, RowsOfOneElementAreRepeatedWithThoseBehind) {
  device = asOpenedBy(BackendVersion::October2026, *findDevice("p150"));
  EXPECT_EQ(tensors("ttnn.repeat 1x1x4x64@l1/rm -> 1x33x132x64@l1/rm ; repeat_dims=[1,33,33,1]"), 4352);
  EXPECT_EQ(tensors("ttnn.repeat 1x2x4x64@l1/rm -> 1x66x132x64@l1/rm ; repeat_dims=[1,33,33,1]"), 8704 + 384);
}

TEST_F(Wheel081Test, TopKSharesShorterRows) {
  EXPECT_EQ(buffers("ttnn.topk 96x1024@dram -> 96x8@dram, 96x8xu16@dram ; dim=1 k=8"), 36864);
  EXPECT_EQ(buffers("ttnn.topk 64x1024@dram -> 64x8@dram, 64x8xu16@dram ; dim=1 k=8"), 90112);
}

TEST_F(Wheel081Test, RepeatsReadAndWriteAnyMemory) {
  EXPECT_EQ(buffers("ttnn.repeat 1x512x2048@l1 -> 1x2048x4096@dram ; repeats=[1,4,2]"), 8 * 2048);
  // Whole matrices go to all their places in L1 at once.
  EXPECT_EQ(buffers("ttnn.repeat 1x1x1x128@dram -> 32x1x1x128@l1 ; repeats=[32,1,1,1]"), 2048);
  EXPECT_EQ(buffers("ttnn.repeat_interleave 16x256x256@dram -> 32x256x256@dram ; repeats=2 dim=0"), 8 * 2048);
}

TEST_F(Wheel081Test, APairOfLongRowsIsInFlightAtLeast) {
  llvm::StringLiteral rows = "ttnn.repeat_interleave 4x400000@dram/rm -> 8x400000@dram/rm ; repeats=2 dim=0";
  EXPECT_EQ(buffers(rows), 2 * 800000);
  EXPECT_EQ(ask(rows, device.usableL1()).status, ValidationStatus::OutOfMemory);
}

TEST_F(Wheel081Test, OthersThatChanged) {
  EXPECT_EQ(buffers("ttnn.cumsum 1x2048x2048@dram -> 1x2048x2048@dram ; dim=2"), 16384);
  EXPECT_EQ(buffers("ttnn.cumsum 4x64x128@dram -> 4x64x128@dram ; dim=0"), 20480);
  EXPECT_EQ(buffers("ttnn.cumprod 4x64x128xf32@dram -> 4x64x128xf32@dram ; dim=2"), 36864);
  EXPECT_EQ(buffers("ttnn.rotary_embedding_llama 1x32x128x64@l1, 1x1x128x64@dram, 1x1x128x64@l1, "
                    "1x1x32x32@dram -> 1x32x128x64@l1 ; is_decode_mode=false"),
            47104);
  EXPECT_EQ(
      buffers("ttnn.split_query_key_value_and_split_heads 8x32x6144@l1 -> 8x32x32x128@l1, 8x8x32x128@l1, "
              "8x8x32x128@l1 ; num_heads=32 num_kv_heads=8 transpose_key=false"),
      16384);
  EXPECT_EQ(buffers("ttnn.batch_norm_inference 8x64x7x7xf32@l1, 1x64x1x1xf32@dram, 1x64x1x1xf32@dram -> "
                    "8x64x7x7xf32@l1 ; operandSegmentSizes=[1,1,1,0,0]"),
            65536);
}

TEST_F(Wheel081Test, VolumesAreReadFromBanksInTurn) {
  device = asOpenedBy(BackendVersion::October2026, *findDevice("p150"));
  // Eighteen pixels in a row are two of each bank or more: the rows that a block covers once more, to put them in order.
  const std::string call =
      "ttnn.conv3d 1x9x16x16x32@{0}, 576x32@dram -> 1x8x14x14x32@dram/rm ; kernel_size=[2,3,3] "
      "stride=[1,1,1] padding=[0,0,0] conv3d_config.c_in_block=32 "
      "conv3d_config.h_out_block=3 conv3d_config.w_out_block=16";
  EXPECT_EQ(buffers(llvm::formatv(call.c_str(), "dram/rm").str()),
            48 * 1152 + 2 * 18 * 2048 + 4 * 2048 + 23040);
  EXPECT_EQ(buffers(llvm::formatv(call.c_str(), "l1/rm").str()),
            48 * 1152 + 2 * 18 * 2048 + 4 * 2048 + 11520);
  // Sixteen channels are half of what is read from DRAM at once.
  EXPECT_EQ(
      buffers("ttnn.conv3d 1x9x16x16x16@dram/rm, 16x32@dram -> 1x9x16x16x32@dram/rm ; kernel_size=[1,1,1] "
              "stride=[1,1,1] padding=[0,0,0] conv3d_config.c_in_block=16"),
      64 + 2 * 2048 + 2 * 2048 + 192);
}

TEST_F(Wheel081Test, ScratchpadsGrowFromTheBottomOfL1) {
  // Rows of 128,000 elements in and of 512 out, each twice: 1 MB that is in no circular buffer.
  OpConstraints reshape =
      ask("ttnn.reshape 32x128000@l1/rm -> 32x250x512@dram/rm ; shape=[32,250,512]").constraints;
  EXPECT_EQ(reshape.cbL1PeakSize, Bytes(0));
  EXPECT_EQ(grownFromBelow(reshape), Bytes(2 * 2 * (256000 + 64) + 2 * (1024 + 16)));
  OpConstraints add = ask("ttnn.add 64x64@l1, 64x64@l1 -> 64x64@l1").constraints;
  EXPECT_EQ(grownFromBelow(add), add.cbL1PeakSize);
}

} // namespace
