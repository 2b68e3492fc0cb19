//===- KernelTimesTest.cpp - Each program of a call has its time ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What runs before and after a kernel, who shares its work, and what it waits for.
//
//===----------------------------------------------------------------------===//
#include "RuntimeTest.h"

using namespace tessera;

namespace {

using KernelTimesTest = RuntimeTest;

TEST_F(KernelTimesTest, PaddingIsFilledByAProgramOfItsOwn) {
  // Before a reduction since 2026: a launch, and a mask of 1024 elements that is written one by one for each side.
  for (llvm::StringRef board : {"n150", "p150"}) {
    useDevice(board);
    version = BackendVersion::Newest;
    double whole = us("ttnn.sum 32x128@dram -> 32x1@dram ; dim_arg=[1] keep_dim=true");
    double beside = us("ttnn.sum 32x100@dram -> 32x1@dram ; dim_arg=[1] keep_dim=true");
    double both = us("ttnn.sum 20x100@dram -> 20x1@dram ; dim_arg=[1] keep_dim=true");
    EXPECT_GT(beside, whole + device.launch.value() / 1000 + 4) << board.str();
    EXPECT_GT(both, beside + 3) << board.str();
    // Block floats are filled as bf16, between two conversions.
    EXPECT_GT(us("ttnn.sum 32x100xbfp_bf8@dram -> 32x1xbfp_bf8@dram ; dim_arg=[1] keep_dim=true"),
              beside + 2 * device.launch.value() / 1000)
        << board.str();
    version = BackendVersion::Pinned;
    EXPECT_NEAR(us("ttnn.sum 32x100@dram -> 32x1@dram ; dim_arg=[1] keep_dim=true"),
                us("ttnn.sum 32x128@dram -> 32x1@dram ; dim_arg=[1] keep_dim=true"), 0.1)
        << board.str();
  }
}

TEST_F(KernelTimesTest, ScattersTurnOtherDimensions) {
  // Operand, index, source and result, each by a program: the same scatter along the width takes one.
  version = BackendVersion::Newest;
  double width =
      us("ttnn.scatter 128x64@dram/rm, 128x32xu32@dram/rm, 128x32@dram/rm -> 128x64@dram/rm ; dim=1");
  EXPECT_GT(us("ttnn.scatter 64x128@dram/rm, 32x128xu32@dram/rm, 32x128@dram/rm -> 64x128@dram/rm ; dim=0"),
            width + 4 * device.launch.value() / 1000);
}

TEST_F(KernelTimesTest, IndicesThatAreFoundInTilesBecomeRows) {
  version = BackendVersion::Newest;
  EXPECT_GT(us("ttnn.argmax 4x64x64@dram -> 1x64x64xu32@dram/rm ; dim=0 keep_dim=true"),
            2 * device.launch.value() / 1000);
}

TEST_F(KernelTimesTest, OuterDimensionsAreSwappedWithTheHeight) {
  // A maximum over an outer dimension is one over the height between two permutes.
  version = BackendVersion::Newest;
  for (llvm::StringRef board : {"n150", "p150"}) {
    useDevice(board);
    double whole = us("ttnn.max 1x32x512x64@dram -> 1x1x512x64@dram ; dim_arg=[1] keep_dim=true");
    double parts = us("ttnn.permute 1x32x512x64@dram -> 1x512x32x64@dram ; permutation=[0,2,1,3]") +
                   us("ttnn.max 1x512x32x64@dram -> 1x512x1x64@dram ; dim_arg=[2] keep_dim=true") +
                   us("ttnn.permute 1x512x1x64@dram -> 1x1x512x64@dram ; permutation=[0,2,1,3]");
    EXPECT_NEAR(whole, parts, 0.2 * parts) << board.str();
  }
}

TEST_F(KernelTimesTest, GathersFillPadding) {
  // Measured on whole tiles and on 16 indices a column: n150 50.6 and 58.2 us, p150 32.4 and 38.1 us (facts/perf/data_movement.csv).
  for (auto [board, more] : {std::pair("n150", 7.6), {"p150", 5.7}}) {
    useDevice(board);
    version = BackendVersion::Newest;
    double whole = us("ttnn.gather 1x1x64x128@dram, 1x1x32x128xu32@dram -> 1x1x32x128@dram ; dim=2"),
           part = us("ttnn.gather 1x1x32x64@dram, 1x1x16x64xu32@dram -> 1x1x16x64@dram ; dim=2");
    EXPECT_NEAR(part - whole - device.launch.value() / 1000, more, 1.5) << board;
  }
}

TEST_F(KernelTimesTest, DimensionsThatAreNotKeptAreReshapedAway) {
  for (llvm::StringRef board : {"n150", "p150"}) {
    useDevice(board);
    version = BackendVersion::Newest;
    double kept = us("ttnn.sum 4x256x128@dram -> 4x256x1@dram ; dim_arg=[2] keep_dim=true");
    // Elements that lay in tiles of their own come to lie side by side.
    EXPECT_GT(us("ttnn.sum 4x256x128@dram -> 4x256@dram ; dim_arg=[2] keep_dim=false"),
              kept + device.launch.value() / 1000 + 1)
        << board.str();
    // Of an outer dimension the tiles are the same.
    EXPECT_NEAR(us("ttnn.sum 4x256x128@dram -> 256x128@dram ; dim_arg=[0] keep_dim=false"),
                us("ttnn.sum 4x256x128@dram -> 1x256x128@dram ; dim_arg=[0] keep_dim=true"), 0.1)
        << board.str();
  }
}

TEST_F(KernelTimesTest, PaddingWithinTilesIsNoView) {
  for (llvm::StringRef board : {"n150", "p150"}) {
    useDevice(board);
    version = BackendVersion::Newest;
    std::string within = " ; padding=[0,0,0,28]", beyond = " ; padding=[0,0,0,60]";
    EXPECT_EQ(us("ttnn.pad 64x64@dram -> 64x64@dram ; padding=[0,0,0,0]"), 0) << board.str();
    double fills = us("ttnn.pad 64x100@dram -> 64x128@dram" + within);
    EXPECT_GT(fills, device.launch.value() / 1000 + 4) << board.str();
    // What also grows does both.
    double grows = us("ttnn.pad 64x128@dram -> 64x160@dram ; padding=[0,0,0,32]");
    EXPECT_GT(us("ttnn.pad 64x100@dram -> 64x160@dram" + beyond), grows + fills - 1) << board.str();
    version = BackendVersion::Pinned;
    EXPECT_EQ(us("ttnn.pad 64x100@dram -> 64x128@dram" + within), 0) << board.str();
  }
}

TEST_F(KernelTimesTest, IntegersBesideFloatsAreCastFirst) {
  version = BackendVersion::Newest;
  // Of one shape, and spread over the other.
  for (llvm::StringRef shape : {"256x512", "1x512"}) {
    auto product = [&](llvm::StringRef type) {
      return us(
          ("ttnn.multiply " + shape + "x" + type + "@dram, 256x512xf32@dram -> 256x512xf32@dram").str());
    };
    EXPECT_GT(product("si32"), product("f32") + device.launch.value() / 1000 + 1) << shape.str();
  }
}

TEST_F(KernelTimesTest, BlockFloatsGoByWayOfBf16) {
  // What is taken apart is converted before and afterwards, each by a program; tiles that stay whole or are turned are not.
  for (llvm::StringRef board : {"n150", "p150"}) {
    useDevice(board);
    version = BackendVersion::Newest;
    double there = us("ttnn.typecast 1x32x512x64xbfp_bf8@dram -> 1x32x512x64xbf16@dram"),
           back = us("ttnn.typecast 1x32x512x64xbf16@dram -> 1x32x512x64xbfp_bf8@dram");
    auto ofType = [&](llvm::StringRef op, llvm::StringRef to, llvm::StringRef attributes,
                      llvm::StringRef type) {
      return us(
          (op + " 1x32x512x64x" + type + "@dram -> " + to + "x" + type + "@dram ; " + attributes).str());
    };
    auto more = [&](llvm::StringRef op, llvm::StringRef to, llvm::StringRef attributes) {
      return ofType(op, to, attributes, "bfp_bf8") - ofType(op, to, attributes, "bf16");
    };
    EXPECT_NEAR(more("ttnn.permute", "1x512x32x64", "permutation=[0,2,1,3]"), there + back, 1) << board.str();
    EXPECT_NEAR(more("ttnn.transpose", "1x512x32x64", "dim0=1 dim1=2"), there + back, 1) << board.str();
    EXPECT_NEAR(more("ttnn.reshape", "1x32x256x128", "shape=[1,32,256,128]"), there + back, 1) << board.str();
    EXPECT_LT(more("ttnn.permute", "32x1x512x64", "permutation=[1,0,2,3]"), 0) << board.str();
    EXPECT_LT(more("ttnn.permute", "1x32x64x512", "permutation=[0,1,3,2]"), 0) << board.str();
  }
}

TEST_F(KernelTimesTest, AxesOfMeshesPassNoMoreThanTheirLinks) {
  // Two chips have the links of two chips, whether there are other rows of chips or not.
  constexpr llvm::StringLiteral
      gather = "ttnn.all_gather 1x1x8192x4096@dram -> 1x1x8192x8192@dram ; all_gather_dim=3 ",
      scatter = "ttnn.reduce_scatter 1x1x8192x4096@dram -> 1x1x8192x2048@dram ; scatter_dim=3 ";
  for (llvm::StringRef op : {gather, scatter}) {
    useDevice("n300");
    double alone = us((op + "cluster_axis=1").str());
    useDevice("t3000");
    EXPECT_GT(us((op + "cluster_axis=0").str()), 0.95 * alone) << op.str();
  }
  // Sums for all are no faster than the same sums scattered.
  EXPECT_GT(us("ttnn.all_reduce 1x1x32x4096@dram -> 1x1x32x4096@dram ; cluster_axis=0"),
            us("ttnn.reduce_scatter 1x1x32x4096@dram -> 1x1x32x2048@dram ; scatter_dim=3 cluster_axis=0"));
}

TEST_F(KernelTimesTest, AllCoresShareWhatIsNotInPlace) {
  // Since 2026 an operand elsewhere has the tiles fetched and shared out as if nothing were sharded, on however few cores the shards lie.
  version = BackendVersion::Newest;
  auto on = [&](llvm::StringRef shards, llvm::StringRef op, llvm::StringRef other) {
    std::string one = "2048x512@" + shards.str();
    return us(("ttnn." + op + " " + one + ", " + other + " -> " + one).str());
  };
  for (llvm::StringRef other : {"2048x512@l1", "1x512@l1"}) {
    double all = on("l1", "add", other);
    EXPECT_NEAR(on("hs64", "add", other), all, 0.1 * all) << other.str();
    EXPECT_NEAR(on("hs8", "add", other), all, 0.3 * all) << other.str();
  }
  double unary = us("ttnn.exp 2048x512@hs8 -> 2048x512@l1"), all = us("ttnn.exp 2048x512@l1 -> 2048x512@l1");
  EXPECT_NEAR(unary, all, 0.1 * all);
  // What was composed of several kernels, or two, is one: in place where others are.
  EXPECT_LT(on("hs64", "divide", "2048x512@hs64"), on("hs64", "divide", "2048x512@l1"));
  EXPECT_LT(on("hs64", "logical_and", "2048x512@hs64"), 0.6 * on("hs64", "logical_and", "2048x512@l1"));
  EXPECT_LT(us("ttnn.remainder 32x32@dram, 32x32@dram -> 32x32@dram"), 3 * device.launch.value() / 1000);
}

TEST_F(KernelTimesTest, AllCoresShareTilesThatAreTurned) {
  // But for shards that each core turns by itself.
  version = BackendVersion::Newest;
  auto turn = [&](llvm::StringRef from, llvm::StringRef to) {
    return us(("ttnn.transpose 8x256x128@" + from + " -> 8x128x256@" + to + " ; dim0=1 dim1=2").str());
  };
  double all = turn("l1", "l1");
  EXPECT_NEAR(turn("hs8", "l1"), all, 0.3 * all);
  EXPECT_GT(turn("hs8", "hs8"), 1.3 * all);
}

TEST_F(KernelTimesTest, RowsOfAChoiceAreFilledInByTheReader) {
  // Each tile of the result has its own fill, word by word: some 5 us on a p150, of which a part is hidden, in any version.
  useDevice("p150");
  for (BackendVersion each : {BackendVersion::Newest, BackendVersion::October2026}) {
    version = each;
    double full = us("ttnn.where 32x16x128@dram, 32x16x128@dram, 32x16x128@dram -> 32x16x128@dram");
    double row = us("ttnn.where 1x1x128@dram, 32x16x128@dram, 32x16x128@dram -> 32x16x128@dram");
    EXPECT_GT(row, full + 2.5);
  }
}

TEST_F(KernelTimesTest, ShardsThatBecomeInterleavedAreSentWithoutWaiting) {
  // Since September 2025 tiles are sent one after the other, into L1 as into DRAM.
  for (llvm::StringRef shards : {"hs1", "hs8", "hs64"}) {
    std::string move = ("ttnn.to_memory_config 8192x64@" + shards + " -> 8192x64@").str();
    version = BackendVersion::January2025;
    double waited = us(move + "l1");
    version = BackendVersion::Newest;
    EXPECT_LT(us(move + "l1"), us(move + "dram")) << shards.str();
    EXPECT_LT(us(move + "l1"), waited) << shards.str();
  }
}

TEST_F(KernelTimesTest, ReshapesShareTheRowsOfTheOperand) {
  // A single row is one core's work, however many rows it becomes: each waits for its write, some 280 ns on a p150.
  useDevice("p150");
  double one = us("ttnn.reshape 16384xf32@dram/rm -> 128x128xf32@dram/rm");
  EXPECT_NEAR(one - device.launch.value() / 1000, 29, 6);
  EXPECT_LT(us("ttnn.reshape 128x128xf32@dram/rm -> 256x64xf32@dram/rm"), one / 4);
  // Two rows of 24 elements are three of 16: rows are dealt out by two.
  EXPECT_NEAR(us("ttnn.reshape 2x24@dram/rm -> 3x16@dram/rm"),
              us("ttnn.reshape 260x24@dram/rm -> 390x16@dram/rm"), 0.3);
}

TEST_F(KernelTimesTest, HeadsWaitForEachTile) {
  for (llvm::StringRef board : {"n150", "p150"}) {
    useDevice(board);
    auto joins = [&](llvm::StringRef where) {
      return us(("ttnn.concatenate_heads 1x32x128x128@" + where + " -> 1x128x4096@" + where).str());
    };
    version = BackendVersion::Newest;
    double alone = joins("dram");
    EXPECT_LT(joins("l1"), alone) << board.str();
    // 54 us were measured on a p150 (facts/perf/data_movement.csv, 32x128x128): four cores with 128 tiles each.
    EXPECT_NEAR(joins("dram") - device.launch.value() / 1000, board == "p150" ? 54 : 80, 8) << board.str();
    // The L1 of another core answers sooner on Blackhole, whose NoC is twice as wide: 5.2 us for 24 tiles of each of
    // four cores, and 13.2 us for 72 (timings/data_movement.csv, 12x128x64 and 128x2304).
    if (board == "p150") {
      auto kernel = [&](llvm::StringRef call) { return us(call) - device.launch.value() / 1000; };
      EXPECT_NEAR(kernel("ttnn.concatenate_heads 1x12x128x64@l1 -> 1x128x768@l1"), 5.2, 0.7);
      EXPECT_NEAR(kernel("ttnn.split_query_key_value_and_split_heads 1x128x2304@l1 -> 1x12x128x64@l1, "
                         "1x12x128x64@l1, 1x12x128x64@l1 ; num_heads=12 num_kv_heads=12"),
                  13.2, 2);
    }
    // Heads are shared out as well.
    version = BackendVersion::October2026;
    EXPECT_LT(2 * joins("dram"), alone) << board.str();
  }
}

TEST_F(KernelTimesTest, RowsBecomeTilesAlikeInAllOps) {
  // A slice inside tiles ends with the tilize that to_layout is, in blocks, each row of which is waited for; before that it untilizes and cuts.
  version = BackendVersion::Newest;
  for (llvm::StringRef board : {"n150", "p150"}) {
    useDevice(board);
    EXPECT_GT(us("ttnn.slice_static 1x200x4096@dram -> 1x197x4096@dram ; begins=[0,3,0] ends=[1,200,4096] "
                 "step=[1,1,1]"),
              1.5 * us("ttnn.to_layout 1x197x4096@dram/rm -> 1x197x4096@dram"))
        << board.str();
  }
}

TEST_F(KernelTimesTest, OneCoreHasAllBlocks) {
  // Rows that no core can hold are cut into blocks, also where there is one core for all of them.
  device.workerGrid = {1, 1};
  double narrow = us("ttnn.to_layout 32x4096xf32@dram -> 32x4096xf32@dram/rm"),
         wide = us("ttnn.to_layout 32x65536xf32@dram -> 32x65536xf32@dram/rm");
  EXPECT_GT(wide, 10 * narrow);
}

TEST_F(KernelTimesTest, RowsWaitForTheSlowerEnd) {
  // Rows are waited for as they come and as they go: from DRAM into L1 is no faster than the reads.
  for (llvm::StringRef board : {"n150", "p150"}) {
    useDevice(board);
    auto joined = [&](llvm::StringRef from, llvm::StringRef to) {
      std::string operand = ("8192x64@" + from + "/rm").str();
      return us("ttnn.concat " + operand + ", " + operand + " -> 16384x64@" + to.str() + "/rm ; dim=0");
    };
    EXPECT_GT(joined("dram", "l1"), 1.5 * joined("l1", "l1")) << board.str();
    EXPECT_NEAR(joined("dram", "l1"), joined("l1", "dram"), 0.5) << board.str();
    // As copies do.
    EXPECT_LT(1.5 * us("ttnn.assign 8192x64@l1/rm -> 8192x64@l1/rm"),
              us("ttnn.assign 8192x64@dram/rm -> 8192x64@l1/rm"))
        << board.str();
  }
}

} // namespace
