//===- RuntimeTest.cpp - Times are sane and rank layouts rightly ---------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Measured figures and orders of facts/hardware 2 and 6.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"

using namespace tessera;

namespace {

TEST_F(RuntimeTest, TinyOpsCostALaunch) {
  for (llvm::StringRef text :
       {"ttnn.relu 1x1@dram -> 1x1@dram", "ttnn.add 32x32@l1, 32x32@l1 -> 32x32@l1",
        "ttnn.to_memory_config 32x32@l1 -> 32x32@hs1", "ttnn.matmul 32x32@dram, 32x32@dram -> 32x32@dram"}) {
    EXPECT_GE(us(text), 2.5) << text.str();
    EXPECT_LE(us(text), 12) << text.str();
  }
}

TEST_F(RuntimeTest, GrowsWithTheTensor) {
  double last = 0;
  for (llvm::StringRef rows : {"32", "64", "1024", "4096", "16384"}) {
    std::string shape = rows.str() + "x1024";
    double now = us("ttnn.relu " + shape + "@dram -> " + shape + "@dram");
    EXPECT_GE(now, last) << shape;
    last = now;
  }
}

TEST_F(RuntimeTest, PathsRankAsMeasured) {
  double dram = us("ttnn.add 2048x2048@dram, 2048x2048@dram -> 2048x2048@dram");
  double l1 = us("ttnn.add 2048x2048@l1, 2048x2048@l1 -> 2048x2048@l1");
  double accessor = us("ttnn.add 2048x2048@bs8x8, 2048x2048@l1 -> 2048x2048@bs8x8");
  double native = us("ttnn.add 2048x2048@bs8x8, 2048x2048@bs8x8 -> 2048x2048@bs8x8");
  EXPECT_LT(native * 4, accessor);
  EXPECT_LT(accessor, dram);
  EXPECT_LT(l1, dram);
}

// SegFormer before anyone tuned it (evidence/timings/perop_other.csv): 29.55 ms, 7.87 ms and 0.83 ms on one core.
TEST_F(RuntimeTest, ShardsThatAreFetchedTakeAsLongAsOtherTensors) {
  version = BackendVersion::Newest;
  // 1024 rows of three elements per core, each a turn of its own wherever it lies; a shard is used in place only if the result is one like
  // it (kernel counts of ttnn 0.81.1).
  for (llvm::StringRef op : {"ttnn.sin", "ttnn.relu"}) {
    double interleaved = us((op + " 65536x3@l1/rm -> 65536x3@l1/rm").str());
    double sharded = us((op + " 65536x3@hs64/rm -> 65536x3@l1/rm").str());
    EXPECT_NEAR(sharded / interleaved, 1, 0.3) << op.str();
  }
  EXPECT_GT(us("ttnn.multiply 65536x3@l1/rm, 1x1@l1/rm -> 65536x3@l1/rm"), 100) << "a turn for each row";
  EXPECT_GT(us("ttnn.relu 3808x256@hs60 -> 3808x256@hs60"),
            1.2 * us("ttnn.relu 3840x256@hs60 -> 3840x256@hs60"))
      << "the last shard is not full, so tiles are fetched";
}

TEST_F(RuntimeTest, RowsInShardsBecomeTilesFirst) {
  version = BackendVersion::Newest;
  // Four programs: both operands are tilized, and the result is untilized.
  double tiles = us("ttnn.multiply 1024x64@hs32, 1024x64@hs32 -> 1024x64@hs32");
  EXPECT_GT(us("ttnn.multiply 1024x64@hs32/rm, 1024x64@hs32/rm -> 1024x64@hs32/rm"),
            tiles + 3 * device.launch.value() / 1000);
}

TEST_F(RuntimeTest, AReshapeMovesRowsNoFasterThanAMove) {
  version = BackendVersion::Newest;
  llvm::StringRef in = "1576x2304@hs64/rm/shard=25x2304";
  EXPECT_GE(us(("ttnn.reshape " + in + " -> 8x197x2304@l1/rm").str()),
            us(("ttnn.to_memory_config " + in + " -> 1576x2304@l1/rm").str()));
}

TEST_F(RuntimeTest, OneCoreStoresPaddingWordByWord) {
  double pad = us("ttnn.pad 1x3x512x512@l1 -> 1x32x512x512@l1 ; padding=[0,0,0,29,0,0,0,0]");
  EXPECT_NEAR(pad, 830, 0.1 * 830);
  device.workerGrid = {1, 1};
  double tall = us("ttnn.to_layout 1x4096x2x32@dram/rm -> 1x4096x2x32@dram");
  EXPECT_NEAR(tall, 29550, 0.1 * 29550);
  // Rows of the tensor are waited for, those of padding stored: five and 27 of them take longer than two and 30.
  double low = us("ttnn.to_layout 1x1024x5x32@dram/rm -> 1x1024x5x32@dram");
  EXPECT_NEAR(low, 7871, 0.1 * 7871);
  EXPECT_GT(4 * low, tall);
}

TEST_F(RuntimeTest, DramWritesAreTheSlowestPartOnWormhole) {
  // 8.4 MB at 75 - 95 GB/s (facts/hardware 6.6)
  double write = us("ttnn.to_memory_config 2048x2048@bs8x8 -> 2048x2048@dram");
  EXPECT_GT(write, 88);
  EXPECT_LT(write, 116);
  double reshard = us("ttnn.to_memory_config 2048x2048@bs8x8 -> 2048x2048@hs64");
  EXPECT_LT(reshard * 4, write);
}

// evidence/timings/data_movement.csv: 39.8 ms. Rows of more than 60 tiles come one after the other, each over all cores.
TEST_F(RuntimeTest, GatherOfLongRowsTakesTheRowsInTurn) {
  auto gather = [&](llvm::StringRef rows, llvm::StringRef length, llvm::StringRef indices) {
    std::string index = (rows + "x" + indices).str();
    return us(
        ("ttnn.gather " + rows + "x" + length + "@dram, " + index + "xu32@dram -> " + index + "@dram ; dim=1")
            .str());
  };
  double one = gather("32", "15360", "7680");
  EXPECT_NEAR(one, 39813, 0.1 * 39813);
  EXPECT_NEAR(gather("1024", "15360", "7680"), 32 * one, 0.01 * 32 * one);
  // Sixty-four rows of tiles that fit cost as much as one: each has a core.
  EXPECT_LT(gather("2048", "1920", "640"), 1.5 * gather("32", "1920", "640"));
  // All cores share a row's indices: up to 64 tiles of them take as long as one.
  EXPECT_NEAR(gather("32", "15360", "32"), gather("32", "15360", "2048"), 0.05 * gather("32", "15360", "32"));
}

// evidence/timings/deepseek_v32_perop.csv: 128 pairs of 32 x 7168 by 7168 x 4096, by cores and in0_block_w.
TEST_F(RuntimeTest, SparseMatmulsFollowBlocksCoresAndPairs) {
  useDevice("p150");
  auto ms = [&](llvm::StringRef attributes, llvm::StringRef config) {
    return us(("ttnn.sparse_matmul 16x1x32x7168@dram, 1x8x7168x4096xbfp_bf8@dram, 16x1x1x8@dram/rm -> "
               "16x1x1x8x32x4096@dram ; " +
               attributes + " ; mcast1d_in0 m=1 sub=1x1 block=1x1 " + config)
                  .str()) /
           1000;
  };
  EXPECT_NEAR(ms("", "grid=11x10 k=1 n=6"), 108.0, 0.15 * 108.0);
  EXPECT_NEAR(ms("", "grid=8x8 k=1 n=2"), 48.8, 0.15 * 48.8);
  EXPECT_NEAR(ms("", "grid=8x8 k=2 n=2"), 25.4, 0.15 * 25.4);
  EXPECT_NEAR(ms("", "grid=8x8 k=4 n=2"), 18.2, 0.15 * 18.2);
  EXPECT_NEAR(ms("", "grid=8x8 k=8 n=2"), 18.2, 0.15 * 18.2);
  EXPECT_NEAR(ms("nnz=32", "grid=8x8 k=8 n=2") * 4, ms("", "grid=8x8 k=8 n=2"), 0.8);
}

TEST_F(RuntimeTest, GatherAlongAnOuterDimensionTurnsItToTheEnd) {
  double outer = us("ttnn.gather 4096x32x64@dram, 2048x32x64xu32@dram -> 2048x32x64@dram ; dim=0");
  double last = us("ttnn.gather 64x32x4096@dram, 64x32x2048xu32@dram -> 64x32x2048@dram ; dim=2");
  EXPECT_GT(outer, last);
  EXPECT_LT(outer, 1.2 * last);
}

TEST_F(RuntimeTest, DimensionsAreReducedOneAfterTheOther) {
  auto model = createAnalyticOpModel({device, layouts, device.usableL1(), BackendVersion::Newest});
  auto us = [&](llvm::StringRef text) {
    TextQuery q = parseQuery(text, layouts, device);
    return model->runtime(q.query()).total.value() / 1000;
  };
  // Group norms: all cores share the first dimension, and what is left is little.
  double width = us("ttnn.mean 1x4096x32x4xf32@dram -> 1x4096x32x1xf32@dram ; dim_arg=[3] keep_dim=true");
  double both = us("ttnn.mean 1x4096x32x4xf32@dram -> 1x1x32x1xf32@dram ; dim_arg=[1,3] keep_dim=true");
  EXPECT_GT(both, width);
  EXPECT_LT(both, 6 * width);
}

TEST_F(RuntimeTest, ExpTakesTwoMicrosecondsPerTile) {
  double one = us("ttnn.exp 2048x32@l1 -> 2048x32@l1"), eleven = us("ttnn.exp 2048x352@l1 -> 2048x352@l1");
  EXPECT_NEAR((eleven - one) / 10, 2.09, 0.03);
}

TEST_F(RuntimeTest, NormsOfFewRowsKeepFewCoresBusy) {
  double interleaved = us("ttnn.rms_norm 32x2560@l1, 2560@dram -> 32x2560@l1"); // one row of tiles: one core
  double sharded = us("ttnn.rms_norm 32x2560@ws40, 2560@dram -> 32x2560@ws40");
  EXPECT_GT(interleaved, 3 * sharded);
}

struct Gemm {
  const char *text;
  double deviceUs;
};

/// Device times of hand-tuned configs on n150; facts/hardware 2.
TEST_F(RuntimeTest, MatmulDeviceTimes) {
  const Gemm gemms[] = {
      {"ttnn.matmul 2048x2048@bs8x8, 2048x2048@dram -> 2048x2048@bs8x8 ; compute_config.math_fidelity=hifi2 "
       "; mcast2d k=8 m=8 n=8 sub=1x8",
       201.9},
      {"ttnn.matmul 1024x1024@bs8x8, 1024x1024@dram -> 1024x1024@bs8x8 ; compute_config.math_fidelity=hifi2 "
       "; mcast2d k=4 m=4 n=4 sub=1x4",
       34.2},
  };
  for (const Gemm &gemm : gemms)
    EXPECT_NEAR(us(gemm.text) / gemm.deviceUs, 1.1, 0.25) << gemm.text; // wall over device is 1.03 - 1.16
}

TEST_F(RuntimeTest, DecodeMatmulsReadTheirWeightsAtDramSpeed) {
  // facts/hardware 6.4: 5.6 us + bytes / 222 GB/s for M = 32
  double bytes = 4096.0 * 14336 * 1088 / 1024;
  double expected = 5.6 + bytes / 222e3;
  double actual = us("ttnn.matmul 32x4096@dram, 4096x14336xbfp_bf8@dram -> 32x14336@dram ; "
                     "compute_config.math_fidelity=lofi ; "
                     "mcast1d_in0 k=8 m=1 n=7");
  EXPECT_NEAR(actual / expected, 1, 0.2);
}

/// in0 that no shard holds is read for every K block before it is sent on, so that many short products pay for it as one long one does.
/// The kernel reads and sends a bias after the weights, while it multiplies: SegFormer's 256x64 on eight cores took 2.9 us without its launch.
TEST_F(RuntimeTest, ABiasIsFetchedWhileTheFirstBlockIsMultiplied) {
  auto withBias = [&](llvm::StringRef in0, llvm::StringRef weight, llvm::StringRef out,
                      llvm::StringRef config) {
    std::string rest =
        (" -> " + out + " ; compute_config.math_fidelity=lofi ; mcast1d_in1 grid=8x8 " + config).str();
    std::string product = (in0 + ", " + weight).str();
    return us("ttnn.linear " + product + ", 64xbfp_bf8@dram" + rest) - us("ttnn.matmul " + product + rest);
  };
  EXPECT_GT(withBias("256x64xbfp_bf8@hs8", "64x64xbfp_bf8@dram", "256x64xbfp_bf8@hs8", "k=2 m=1 n=2 sub=1x2"),
            0.6);
  EXPECT_LT(
      withBias("4096x512xbfp_bf8@hs8", "512x64xbfp_bf8@dram", "4096x64xbfp_bf8@hs8", "k=16 m=16 n=2 sub=1x2"),
      0.2)
      << "products take longer than the bias";
}

TEST_F(RuntimeTest, InterleavedRowsAreReadForEveryBlockOfK) {
  useDevice("p150@2026-08");
  auto rows = [this](int64_t batches, int64_t k, const char *in0) {
    return us(
        llvm::formatv("ttnn.matmul {0}x32x{1}@{2}, {0}x{1}x128@dram -> {0}x32x128@dram", batches, k, in0)
            .str());
  };
  // Measured 97 and 192 us without the launch (deepseek_v32_perop).
  EXPECT_NEAR(rows(32, 512, "dram") - 2, 192, 10);
  EXPECT_NEAR(rows(16, 512, "dram") / rows(32, 512, "dram"), 0.5, 0.02);
  // One tile in each direction: nothing is waited for but the start.
  EXPECT_LT(rows(1, 64, "dram"), 6);
}

/// What is behind K in the last tile of in0 is zeroed, element by element.
TEST_F(RuntimeTest, APartOfATileOfKIsZeroed) {
  useDevice("p150@2026-08");
  version = BackendVersion::Newest;
  auto product = [this](int64_t k) {
    return us(
        llvm::formatv("ttnn.matmul 32x32x{0}xf32@dram, 32x{0}x256xf32@dram -> 32x32x256xf32@dram", k).str());
  };
  EXPECT_GT(product(8), product(32) + 15);
  EXPECT_GT(product(8), product(16) + 5);
  EXPECT_LT(product(31), product(32) + 2);
  // It is no work of a kernel that finds in0 in its shards.
  auto sharded = [this](int64_t k) {
    return us(llvm::formatv("ttnn.matmul 32x{0}@ws1, {0}x256@dram -> 32x256@ws1", k).str());
  };
  EXPECT_EQ(sharded(8), sharded(32));
}

TEST_F(RuntimeTest, APartOfAMeshIsASlice) {
  device.mesh = {4, 8};
  EXPECT_EQ(
      us("ttnn.mesh_partition 8x1x32x7168@dram/rm -> 8x1x32x896@dram/rm ; cluster_axis=1 dim=3"),
      us("ttnn.slice_static 8x1x32x7168@dram/rm -> 8x1x32x896@dram/rm ; begins=[0,0,0,0] ends=[8,1,32,896] "
         "step=[1,1,1,1]"));
  // As many columns of tiles as banks: every slice finds its pages in one of them.
  EXPECT_EQ(
      us("ttnn.mesh_partition 1x1x256x3072@dram -> 1x1x256x384@dram ; cluster_axis=1 dim=3"),
      us("ttnn.slice_static 1x1x256x3072@dram -> 1x1x256x384@dram ; begins=[0,0,0,0] ends=[1,1,256,384] "
         "step=[1,1,1,1]"));
}

TEST_F(RuntimeTest, BlackholeIsFaster) {
  double wormhole = us("ttnn.relu 4096x4096@dram -> 4096x4096@dram");
  useDevice("p150");
  EXPECT_LT(us("ttnn.relu 4096x4096@dram -> 4096x4096@dram"), wormhole / 1.5); // by its DRAM
}

TEST_F(RuntimeTest, CollectivesGrowWithTheMesh) {
  double alone = us("ttnn.all_reduce 1x1x32x3072@dram -> 1x1x32x3072@dram ; cluster_axis=1");
  device.mesh = {1, 2};
  double pair = us("ttnn.all_reduce 1x1x32x3072@dram -> 1x1x32x3072@dram ; cluster_axis=1");
  device.mesh = {1, 8};
  double eight = us("ttnn.all_reduce 1x1x32x3072@dram -> 1x1x32x3072@dram ; cluster_axis=1");
  EXPECT_LT(alone, pair);
  EXPECT_LT(pair, eight);
}

TEST_F(RuntimeTest, PartsAreNotMoreThanTheWhole) {
  for (llvm::StringRef text : {"ttnn.relu 2048x2048@dram -> 2048x2048@l1",
                               "ttnn.softmax 1024x1024@l1 -> 1024x1024@l1 ; dimension=-1",
                               "ttnn.matmul 2048x2048@dram, 2048x2048@dram -> 2048x2048@dram",
                               "ttnn.to_layout 1024x1024@dram -> 1024x1024@dram/rm"}) {
    OpRuntime t = time(text);
    for (Nanoseconds part : {t.compute, t.l1, t.noc, t.dram, t.dispatch})
      EXPECT_LE(part.value(), t.total.value() * 1.01) << text.str();
  }
}

/// One row of tiles is not work for one core: a core's buffers would not even hold it.
TEST_F(RuntimeTest, WideRowsAreUntilizedByAllCores) {
  double wide = us("ttnn.to_layout 32x256000@dram -> 32x256000@dram/rm");
  double square = us("ttnn.to_layout 2048x4000@dram -> 2048x4000@dram/rm");
  EXPECT_LT(wide, 2 * square);
}

/// A shard writes its own piece of each row, not the row.
TEST_F(RuntimeTest, ShardsOfTheWidthUntilizeTheirPieces) {
  double whole = us("ttnn.to_layout 2048x2048@hs64 -> 2048x2048@l1/rm");
  double pieces = us("ttnn.to_layout 2048x2048@ws64 -> 2048x2048@l1/rm");
  EXPECT_LT(pieces, 5 * whole);
}

/// A row of tiles is one core's, however many shards it lies in: the kernel fetches them.
TEST_F(RuntimeTest, SoftmaxSharesOutRowsNotShards) {
  version = BackendVersion::Newest;
  double interleaved = us("ttnn.softmax 32x16384@l1 -> 32x16384@l1 ; dimension=-1");
  EXPECT_GT(us("ttnn.softmax 32x16384@ws64 -> 32x16384@l1 ; dimension=-1"), 0.9 * interleaved);
}

/// Over an outer dimension all tiles at one place are one core's: few places keep few cores busy.
TEST_F(RuntimeTest, SoftmaxOverAnOuterDimensionSharesOutPlaces) {
  version = BackendVersion::Newest;
  double onePlace = us("ttnn.softmax 1024x32x32@l1 -> 1024x32x32@l1 ; dimension=0");
  EXPECT_GT(onePlace, 20 * us("ttnn.softmax 16x256x256@l1 -> 16x256x256@l1 ; dimension=0")) << "64 places";
  EXPECT_GT(onePlace, 20 * us("ttnn.softmax 1024x32x32@l1 -> 1024x32x32@l1 ; dimension=1"));
}

/// So are they of a scan and of a product, and all elements are multiplied by one core.
TEST_F(RuntimeTest, ScansAndProductsShareOutPlaces) {
  version = BackendVersion::Newest;
  for (std::string op : {"cumsum", "cumprod"})
    EXPECT_GT(us("ttnn." + op + " 1024x32x32@l1 -> 1024x32x32@l1 ; dim=0"),
              10 * us("ttnn." + op + " 16x256x256@l1 -> 16x256x256@l1 ; dim=0"));
  double onePlace = us("ttnn.prod 1024x32x32@l1 -> 1x32x32@l1 ; dim_arg=[0] keep_dim=true");
  EXPECT_GT(onePlace, 10 * us("ttnn.prod 16x256x256@l1 -> 1x256x256@l1 ; dim_arg=[0] keep_dim=true"));
  EXPECT_GT(us("ttnn.prod 1024x32x32@l1 -> 1x1x1@l1 ; keep_dim=true"), 0.9 * onePlace);
  EXPECT_GT(us("ttnn.prod 16x256x256@l1 -> 1x1x1@l1 ; keep_dim=true"), 0.9 * onePlace);
}

/// Rows that do not fill a tile of 1024 elements are as many as there are.
TEST_F(RuntimeTest, FewShortRowsAreFewCommands) {
  version = BackendVersion::Newest;
  EXPECT_LT(us("ttnn.relu 64x2@l1/rm -> 64x2@l1/rm"), us("ttnn.relu 512x2@l1/rm -> 512x2@l1/rm") / 2);
  EXPECT_LT(us("ttnn.add 64x2@l1/rm, 64x2@l1/rm -> 64x2@l1/rm"),
            us("ttnn.add 512x2@l1/rm, 512x2@l1/rm -> 512x2@l1/rm") / 4);
}

/// Rows of a row-major tensor are not padded to tiles.
TEST_F(RuntimeTest, RowsAreCastWithoutPadding) {
  double tiles = us("ttnn.typecast 32x32x1x128@l1 -> 32x32x1x128xf32@l1");
  EXPECT_LT(us("ttnn.typecast 32x32x1x128@l1/rm -> 32x32x1x128xf32@l1/rm"), tiles / 2);
  EXPECT_LT(us("ttnn.typecast 2304@hs1/rm -> 2304xf32@hs1/rm"), 6);
}

/// Wherever a transfer happens, its bytes bound the time: 263 tiles of one core at 64 bytes a cycle, 33 MB at 512 GB/s.
TEST_F(RuntimeTest, NothingMovesFasterThanItCan) {
  EXPECT_GT(us("ttnn.divide 1x2x8400@hs1, 1x1x1@dram -> 1x2x8400@l1"), 263 * 2048 / 64e3);
  EXPECT_GT(us("ttnn.upsample 1x32x32x8192@l1/rm -> 1x64x64x8192@l1/rm ; scale_factor=2 mode=nearest"),
            64 * 64 * 8192 * 2 / 64 / 64e3)
      << "64 cores at 64 bytes a cycle";
  useDevice("p150");
  EXPECT_GT(us("ttnn.matmul 32x2048@l1, 2048x8192@dram -> 32x8192@l1"), 2048 * 8192 * 2 / 512e3);
  EXPECT_GT(us("ttnn.concat 8x224x768@l1/rm, 40x224x768@dram/rm -> 48x224x768@l1/rm ; dim=0"),
            40 * 224 * 768 * 2 / 512e3)
      << "rows that are read, wherever they go";
}

/// Rows become tiles, and tiles rows, where they lie only if the result lies alike: as from interleaved L1, they are fetched or sent otherwise.
TEST_F(RuntimeTest, ShardsOfAnotherKindAreNoPlace) {
  version = BackendVersion::Newest;
  auto tilize = [&](std::string from, std::string to) {
    return us("ttnn.to_layout 2048x3584@" + from + "/rm -> 2048x3584@" + to);
  };
  auto untilize = [&](std::string from, std::string to) {
    return us("ttnn.to_layout 2048x3584@" + from + " -> 2048x3584@" + to + "/rm");
  };
  double rows = tilize("l1", "l1"), tiles = untilize("bs8x8", "l1");
  EXPECT_LT(tilize("hs64", "hs64"), rows / 2);
  EXPECT_LT(tilize("hs64", "l1"), rows / 2) << "whole rows are used where they lie";
  EXPECT_GT(tilize("ws56", "hs64"), 0.9 * rows);
  EXPECT_GT(tilize("bs8x8", "ws56"), 0.9 * rows);
  EXPECT_LT(untilize("bs8x8", "bs8x8"), tiles / 2);
  EXPECT_GT(untilize("bs8x8", "hs64"), 0.9 * tiles);
  EXPECT_GT(untilize("ws56", "hs64"), 0.9 * untilize("ws56", "l1"));
}

/// A transpose is the permutation that it names, whatever its dimensions.
TEST_F(RuntimeTest, ATransposeTakesAsLongAsItsPermutation) {
  version = BackendVersion::Newest;
  const std::tuple<std::string, std::string, std::string> calls[] = {
      {"64x8x128x2", "dim0=0 dim1=3", "permutation=[3,1,2,0]"},
      {"2x64x128x8", "dim0=1 dim1=3", "permutation=[0,3,2,1]"},
      {"2x128x8x64", "dim0=1 dim1=2", "permutation=[0,2,1,3]"},
      {"2x8x64x128", "dim0=2 dim1=3", "permutation=[0,1,3,2]"},
      {"8x2x128x64", "dim0=0 dim1=1", "permutation=[1,0,2,3]"}};
  for (const auto &[result, dims, permutation] : calls)
    for (std::string type : {"bf16", "f32", "bfp_bf8"}) {
      std::string call = " 2x8x128x64x" + type + "@l1 -> " + result + "x" + type + "@l1 ; ";
      EXPECT_NEAR(us("ttnn.transpose" + call + dims), us("ttnn.permute" + call + permutation), 0.01)
          << dims << " " << type;
    }
  EXPECT_EQ(us("ttnn.transpose 1x1x64x64@l1 -> 1x1x64x64@l1 ; dim0=0 dim1=1"), 0) << "nothing to do";
}

/// A group of many columns is as many tiles in each row, in DRAM as well.
TEST_F(RuntimeTest, GroupNormsFromDramGrowWithTheirGroups) {
  useDevice("p150");
  auto norm = [&](std::string tensor) {
    return us("ttnn.group_norm " + tensor + " -> " + tensor + " ; num_groups=2");
  };
  EXPECT_GT(norm("1x1x1024x8192@dram"), norm("1x1x1024x8192@l1"));
}

/// What a tensor in DRAM takes longer than one in L1, however short the kernel.
TEST_F(RuntimeTest, EveryTransferCosts) {
  EXPECT_GT(us("ttnn.to_layout 1x1x32x640@ws20 -> 1x1x32x640@dram/rm"),
            us("ttnn.to_layout 1x1x32x640@ws20 -> 1x1x32x640@ws20/rm") + 0.05);
  EXPECT_GT(us("ttnn.relu 32x32@dram -> 32x32@l1"), us("ttnn.relu 32x32@l1 -> 32x32@l1") + 0.05);
}

} // namespace
