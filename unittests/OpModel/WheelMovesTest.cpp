//===- WheelMovesTest.cpp - Moved, repeated, reduced and sorted tensors ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Figures of both wheels, ttnn 0.77.0 and 0.81.1, on their mock chips, asked with seeds that no formula was made with.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

constexpr BackendVersion k77 = BackendVersion::Newest, k81 = BackendVersion::October2026;

class WheelMovesTest : public testing::Test {
protected:
  LayoutPool layouts;

  ValidationResult ask(BackendVersion version, llvm::StringRef text, const char *board = "n150") {
    DeviceSpec device = asOpenedBy(version, *findDevice(board));
    TextQuery q = parseQuery(text, layouts, device);
    return createAnalyticOpModel({device, layouts, Bytes(int64_t(1) << 40), version})->query(q.query());
  }
  int64_t buffers(BackendVersion version, llvm::StringRef text, const char *board = "n150") {
    return ask(version, text, board).constraints.cbL1PeakSize.value();
  }
  int64_t tensors(BackendVersion version, llvm::StringRef text) {
    return ask(version, text).constraints.tensorL1PeakSize.value();
  }
  /// Buffers and tensors.
  std::pair<int64_t, int64_t> both(BackendVersion version, llvm::StringRef text) {
    return {buffers(version, text), tensors(version, text)};
  }
  /// Where an open result comes to lie.
  std::string result(BackendVersion version, llvm::StringRef text) {
    return describe(layouts[ask(version, text).constraints.outputLayouts[0]]);
  }
};

using Figures = std::pair<int64_t, int64_t>;

std::string reshape(const char *shape, const char *in, const char *out) {
  return llvm::formatv("ttnn.reshape {0}@{1} -> {0}@{2} ; shape=[{3}]", shape, in, out,
                       llvm::join(llvm::split(llvm::StringRef(shape).split("xbf").first, 'x'), ","));
}

TEST_F(WheelMovesTest, APadWithinTilesStaysWhereItsOperandLies) {
  constexpr const char *kPad = " ; padding=[0,8,0,0] value=0.0 use_multicore=true";
  for (BackendVersion version : {k77, k81}) {
    EXPECT_EQ(both(version, std::string("ttnn.pad 40x1536@dram -> 48x1536@l1") + kPad), Figures(10240, 0));
    EXPECT_EQ(result(version, std::string("ttnn.pad 40x1536@dram -> 48x1536@l1") + kPad), "dram/interleaved");
    EXPECT_EQ(result(version, std::string("ttnn.pad 40x1536@l1 -> 48x1536@dram") + kPad), "l1/interleaved");
  }
  EXPECT_EQ(
      result(k81, std::string("ttnn.pad 40x1536@dram -> 96x1536@l1") + " ; padding=[0,56,0,0] value=0.0"),
      "l1/interleaved");
}

TEST_F(WheelMovesTest, PadsOfBlockFloatsAreMadeInTheShardsThatAreAskedFor) {
  constexpr const char *kPad =
      "ttnn.pad 256x64xbfp_bf8@dram -> 320x96xbfp_bf8@hs2/shard=160x96 ; padding=[0,64,0,32] value=0.0";
  for (BackendVersion version : {k77, k81})
    EXPECT_EQ(both(version, kPad).second, 15 * (2048 + 1088));
}

TEST_F(WheelMovesTest, RowsOfAScatterFillPages) {
  constexpr const char *kWords = " ; dim=1 scatter_reduce_type=#ttcore.reduce_type<invalid>";
  std::string text =
      std::string("ttnn.scatter 127x64@l1/rm, 127x50xu32@l1/rm, 127x50@l1/rm -> 127x64@l1/rm") + kWords;
  EXPECT_EQ(buffers(k77, text), 128 + 224 + 128 + 128);
  EXPECT_EQ(buffers(k81,
                    "ttnn.scatter 200x257@dram/rm, 200x50xsi32@dram/rm, 200x50@dram/rm -> 200x257@l1/rm" +
                        std::string(kWords),
                    "p150"),
            544);
}

TEST_F(WheelMovesTest, ScatteredSumsOfBf16AreMadeInF32) {
  auto scatter = [](llvm::StringRef type, llvm::StringRef reduce) {
    return llvm::formatv("ttnn.scatter 32x1000x{0}@dram/rm, 32x64xu32@dram/rm, 32x64x{0}@dram/rm -> "
                         "32x1000x{0}@dram/rm ; dim=1 scatter_reduce_type={1}",
                         type, reduce)
        .str();
  };
  int64_t bf16 = 2016 + 256 + 128 + 2016; // rows of operand, indices, source and result
  EXPECT_EQ(buffers(k77, scatter("bf16", "invalid")), bf16);
  EXPECT_EQ(buffers(k77, scatter("bf16", "sum")), bf16 + 4000);
  EXPECT_EQ(buffers(k77, scatter("bf16", "prod")), bf16 + 4000);
  EXPECT_EQ(buffers(k81, scatter("bf16", "sum")), 2016);
  EXPECT_EQ(buffers(k77, scatter("f32", "sum")), 2 * 4000 + 256 + 256);
}

TEST_F(WheelMovesTest, RowsOfShardsThatAreCastPassByTiles) {
  constexpr const char *kCast = "ttnn.typecast 49x31@bs7x4/rm/shard=7x8 -> 49x31xu32@bs7x4/rm/shard=7x8 ; "
                                "dtype=#ttcore.supportedDataTypes<u32>";
  EXPECT_EQ(buffers(k81, kCast), 2 * (2048 + 4096));
  EXPECT_EQ(buffers(k77, kCast), 2 * (16 + 32));
}

TEST_F(WheelMovesTest, ShardsOfAnotherKindOnTheSameCore) {
  EXPECT_EQ(buffers(k81, "ttnn.sign 8x4xf32@bs1x1 -> 8x4xf32@hs1", "p150"), 16384);
  EXPECT_EQ(buffers(k77, "ttnn.sign 8x4xf32@bs1x1 -> 8x4xf32@hs1"), 0);
  EXPECT_EQ(buffers(k81, "ttnn.add 8x4xf32@hs1, 1x1xf32@dram -> 8x4xf32@bs1x1", "p150"), 16384);
  EXPECT_EQ(buffers(k81, "ttnn.add 256x4xf32@hs8, 1x1xf32@dram -> 256x4xf32@bs8x1", "p150"), 32768);
}

TEST_F(WheelMovesTest, APaddedShapeThatStaysIsReshapedIntoOtherMemory) {
  EXPECT_EQ(both(k81, reshape("1x1x16x8960", "dram", "l1")), Figures(2560, 10240));
  EXPECT_EQ(both(k81, reshape("1x1x16x8960", "dram", "ws24")), Figures(2560, 24576));
  EXPECT_EQ(both(k77, reshape("1x1x16x8960", "dram", "ws24")), Figures(4608, 24576));
  EXPECT_EQ(both(k77, reshape("1x1x32x8970", "dram", "l1")), Figures(5344, 10240));
  EXPECT_EQ(both(k77, reshape("1x16x2048xbfp_bf8", "dram", "l1")), Figures(10240, 3136));
  // It is a view where memory and kind of layout stay.
  for (BackendVersion version : {k77, k81})
    EXPECT_EQ(both(version, reshape("1x16x2048", "ws32", "ws16")), Figures(0, 0));
}

TEST_F(WheelMovesTest, AShapeThatStaysIsMovedSinceOctober) {
  EXPECT_EQ(both(k81, reshape("1x1x32x8960", "dram", "ws24")), Figures(0, 24576));
  EXPECT_EQ(both(k81, reshape("1x32x2048", "ws32", "ws11")), Figures(0, 12288));
  EXPECT_EQ(both(k81, reshape("1x32x2048", "ws32", "l1")), Figures(0, 2048));
  EXPECT_EQ(both(k81, reshape("1x16x2048", "dram/rm", "l1/rm")), Figures(8192, 4096));
  EXPECT_EQ(both(k81, reshape("1x32x2048", "l1", "l1")), Figures(0, 0));
  // Before, it was a view wherever it was wanted.
  EXPECT_EQ(ask(k77, reshape("1x32x2048", "dram", "l1")).status, ValidationStatus::UnmatchedReferenceConfig);
}

TEST_F(WheelMovesTest, BlockFloatsOfShardsAreReshapedInThem) {
  for (BackendVersion version : {k77, k81}) {
    EXPECT_EQ(tensors(version,
                      "ttnn.reshape 1x3x160x3xbfp_bf8@hs8 -> 1x1x3x160x3xbfp_bf8@dram ; shape=[1,1,3,160,3]"),
              4096);
    EXPECT_EQ(tensors(version, "ttnn.reshape 100x196xbfp_bf8@ws6 -> 1x19600xbfp_bf8@l1 ; shape=[1,19600]"),
              47744);
  }
}

TEST_F(WheelMovesTest, ReducedShardsOnNoRectangleAreReadInterleaved) {
  auto max = [](const char *in, const char *out) {
    return llvm::formatv("ttnn.max {0} -> {1} ; dim_arg=[2] keep_dim=false", in, out).str();
  };
  for (BackendVersion version : {k77, k81}) {
    EXPECT_EQ(tensors(version, max("1x2048x8960@dram", "1x2048@ws11")), 135168);
    EXPECT_EQ(tensors(version, max("1x384x2048@ws12", "1x384@ws12")), 28672);
    EXPECT_EQ(tensors(version, max("12x100x1536@l1", "12x100@ws13")), 102400);
    EXPECT_EQ(tensors(version, max("8x2048x512xbfp_bf8@l1", "8x2048xbfp_bf8@ws11")), 582144);
    // Six cores are one.
    EXPECT_EQ(tensors(version, max("1x384x2048@dram", "1x384@ws6")), 24576 + 4096);
  }
}

TEST_F(WheelMovesTest, BlockFloatsThatAreReducedPassThroughBf16Interleaved) {
  auto sum = [](const char *in, const char *out) {
    return llvm::formatv("ttnn.sum {0} -> {1} ; dim_arg=[3] keep_dim=false", in, out).str();
  };
  for (BackendVersion version : {k77, k81}) {
    EXPECT_EQ(tensors(version, sum("1x1x8x3584xbfp_bf8@dram", "1x1x8xbfp_bf8@bs1x1")), 6272);
    EXPECT_EQ(tensors(version, sum("1x4x256x512xbfp_bf8@dram", "1x4x256xbfp_bf8@ws8")), 40000);
    EXPECT_EQ(tensors(version, sum("1x32x128x64xbfp_bf8@bs1x4", "1x32x128xbfp_bf8@?")), 146496);
    EXPECT_EQ(tensors(version, sum("1x4x256x512xbfp_bf8@dram", "1x4x256xbfp_bf8@l1")), 6272);
  }
}

TEST_F(WheelMovesTest, AHeightShardOfAllRowsCountsAsAWidthShard) {
  for (BackendVersion version : {k77, k81}) {
    EXPECT_EQ(result(version, "ttnn.max 1x32x128x64@hs8 -> 1x32x128@? ; dim_arg=[3] keep_dim=false"),
              "l1/width_sharded/1x8 1x4 tiles bf16");
    EXPECT_EQ(result(version, "ttnn.reshape 1024x128@hs32 -> 1x1x1x131072@? ; shape=[1,1,1,131072]"),
              "l1/width_sharded/1x32 1x4096 tiles bf16");
    EXPECT_EQ(result(version, "ttnn.max 2x32x128x64@hs2 -> 64x32x128@? ; dim_arg=[3] keep_dim=false"),
              "l1/height_sharded/2x1 32x4 tiles bf16");
  }
}

TEST_F(WheelMovesTest, MinimaOfRowsAreWrittenIntoTheirShards) {
  llvm::StringLiteral alike =
      "ttnn.min 1x2048x2048xbfp_bf8@hs16 -> 1x2048x1xbfp_bf8@? ; dim_arg=[2] keep_dim=true";
  EXPECT_EQ(buffers(k81, alike), 6400);
  EXPECT_EQ(buffers(k77, alike), 8576);
  EXPECT_EQ(
      buffers(k81, "ttnn.min 1x2048x256xbfp_bf8@hs16 -> 1x2048x1xbfp_bf8@hs32 ; dim_arg=[2] keep_dim=true"),
      8576);
}

TEST_F(WheelMovesTest, PaddedMatricesAreRepeatedAsRows) {
  auto wide = [](const char *in, const char *out) {
    return llvm::formatv("ttnn.repeat {0} -> {1} ; repeats=[1,1,4]", in, out).str();
  };
  EXPECT_EQ(buffers(k81, wide("1x16x3072@l1", "1x16x12288@l1")), 786432);
  EXPECT_EQ(buffers(k81, wide("2x1x160@dram", "2x1x640@dram")), 81920);
  EXPECT_EQ(buffers(k81, "ttnn.repeat 3x2x128x197@ws3 -> 3x2x384x197@dram ; repeats=[1,1,3,1]"), 57344);
  // Before, padding counted along the repeated dimension alone, and it never does between whole matrices.
  EXPECT_EQ(buffers(k77, wide("1x16x3072@l1", "1x16x12288@l1")), 16384);
  EXPECT_EQ(buffers(k81, "ttnn.repeat 3x16x100@dram -> 12x16x100@dram ; repeats=[4,1,1]"), 16384);
  // Rows that do not fit go in parts.
  EXPECT_EQ(buffers(k81, "ttnn.repeat 1x1x1x14336@dram -> 1x1x1x43008@l1 ; repeats=[1,1,1,3]", "p150"),
            688128);
}

TEST_F(WheelMovesTest, RepeatsReachShardsThatAreNotFullThroughInterleavedL1) {
  EXPECT_EQ(both(k81, "ttnn.repeat 8x32x2048@bs3x7 -> 16x32x2048@bs3x7 ; repeats=[2,1,1]"),
            Figures(2048, 155648));
  EXPECT_EQ(both(k81, "ttnn.repeat 1x1x8x8192@dram -> 2x1x8x8192@ws15 ; repeats=[2,1,1,1]"),
            Figures(2048, 90112));
  EXPECT_EQ(both(k81, "ttnn.repeat 8x32x2048@bs4x8 -> 16x32x2048@bs4x8 ; repeats=[2,1,1]"),
            Figures(16384, 65536));
  // What is made on the way lies in DRAM then, too.
  EXPECT_EQ(tensors(k81, "ttnn.repeat 640x1024xu32@bs3x7 -> 1280x4096xu32@dram ; repeats=[2,4]"), 0);
  EXPECT_EQ(tensors(k81, "ttnn.repeat 640x1024xu32@bs4x8 -> 1280x4096xu32@dram ; repeats=[2,4]"), 81920);
}

TEST_F(WheelMovesTest, RepeatsLeaveCoresWithoutAShardOut) {
  llvm::StringLiteral rows = "ttnn.repeat 1x1x16x2304@ws18 -> 1x1x48x2304@? ; repeats=[1,1,3,1]";
  EXPECT_EQ(result(k81, rows), "l1/width_sharded/1x36 2x2 tiles bf16");
  EXPECT_EQ(result(k77, rows), "l1/width_sharded/1x64 2x2 tiles bf16");
  EXPECT_EQ(result(k81, "ttnn.repeat 1x1x256x64@bs2x2 -> 3x1x256x64@? ; repeats=[3,1,1,1]"),
            "l1/block_sharded/8x2 3x1 tiles bf16");
}

TEST_F(WheelMovesTest, LongRowsAreSortedByCoresThatHoldTwoTilesEach) {
  auto sort = [this](int64_t width, const char *board) {
    std::string type = width < 65536 ? "u16" : "u32";
    return buffers(
        k81,
        llvm::formatv("ttnn.sort 32x{0}@dram -> 32x{0}@dram, 32x{0}x{1}@dram ; dim=-1", width, type).str(),
        board);
  };
  EXPECT_EQ(sort(2048, "p150"), 70 * 4096 + 1024);
  EXPECT_EQ(sort(4096, "p150"), 47104);
  EXPECT_EQ(sort(8192, "p150"), 47104);
  EXPECT_EQ(sort(16384, "p150"), 32768);
  EXPECT_EQ(sort(4096, "n150"), 47104);
}

TEST_F(WheelMovesTest, SoftmaxOfFiveDimensionsKeepsRowsAsTheKernelOfColumnsDoes) {
  auto softmax = [](const char *shape, const char *more = "") {
    return llvm::formatv("ttnn.softmax {0}@dram -> {0}@dram ; dimension=-1 numericStable=true{1}", shape,
                         more)
        .str();
  };
  const char *exact = " compute_config.math_fidelity=hifi4 compute_config.fp32_dest_acc_en=true";
  const char *rough = " compute_config.math_fidelity=hifi4 compute_config.fp32_dest_acc_en=false";
  EXPECT_EQ(buffers(k81, softmax("1x3x2x17x7")), 30720);
  EXPECT_EQ(buffers(k81, softmax("2x1x5x128x48")), 43008);
  EXPECT_EQ(buffers(k81, softmax("8x8x8x64x16", rough)), 20480);
  // Scalers and the mask are of the operand's kind.
  EXPECT_EQ(buffers(k81, softmax("2x1x5x128x48", exact)), 43008);
  // Four dimensions are the kernel of rows'.
  EXPECT_NE(buffers(k81, softmax("1x5x128x48")), 43008);
  for (BackendVersion version : {k77, k81}) {
    EXPECT_EQ(ask(version, softmax("1x2x3x32x64xf32", rough)).rule, "softmax.f32");
    EXPECT_TRUE(ask(version, softmax("1x2x3x32x64xf32", exact)).ok());
    EXPECT_TRUE(ask(version, softmax("1x6x32x64xf32", rough)).ok());
  }
}

TEST_F(WheelMovesTest, NormsWantAShardOnEveryCore) {
  auto norm = [](const char *op, const char *layout) {
    return llvm::formatv(
               "ttnn.{0} 96x128@{1}, 128@dram -> 96x128@{1} ; epsilon=1e-5 operandSegmentSizes=[1,1,0]", op,
               layout)
        .str();
  };
  for (BackendVersion version : {k77, k81}) {
    EXPECT_EQ(ask(version, norm("layer_norm", "bs4x4")).rule, "norm.every_core");
    EXPECT_EQ(ask(version, norm("rms_norm", "bs3x3")).rule, "norm.every_core");
    EXPECT_EQ(ask(version, norm("rms_norm", "ws3")).rule, "norm.every_core");
    EXPECT_TRUE(ask(version, norm("rms_norm", "ws4")).ok());
    EXPECT_TRUE(ask(version, norm("layer_norm", "bs2x4")).ok()); // the last row of shards is half full
  }
}

TEST_F(WheelMovesTest, ShardsAreNotJoinedWithWhatIsInterleavedSinceOctober) {
  llvm::StringLiteral mixed = "ttnn.concat 1x6x128x64@hs12, 1x6x128x64@dram -> 1x12x128x64@? ; dim=1";
  EXPECT_EQ(ask(k81, mixed).rule, "concat.alike");
  EXPECT_TRUE(ask(k77, mixed).ok());
  EXPECT_TRUE(ask(k81, "ttnn.concat 1x6x128x64@hs12, 1x6x128x64@hs24 -> 1x12x128x64@? ; dim=1").ok());
}

TEST_F(WheelMovesTest, HeadsOfBlockFloatsAreRotatedInTheTablesType) {
  // Operand and rotated operand, tables, a scalar, a rotated tile and two products, the result.
  EXPECT_EQ(buffers(BackendVersion::Newest,
                    "ttnn.rotary_embedding 1x1x64x64xbfp_bf8@l1, 1x1x64x64@dram, 1x1x64x64@dram -> "
                    "1x1x64x64xbfp_bf8@l1"),
            3 * 4 * 1088 + 4 * 2 * 2048 + 2048 + 1088 + 2 * 2048);
  // A block shard stays, whatever is asked for.
  EXPECT_EQ(
      tensors(BackendVersion::Newest,
              "ttnn.rotary_embedding 2x1x128x128@bs1x1/shard=256x128, 1x1x128x128@dram, 1x1x128x128@dram -> "
              "2x1x128x128@bs4x1/shard=64x128"),
      65536);
  // So does one of which height shards are asked for: they are those blocks.
  EXPECT_EQ(tensors(BackendVersion::Newest,
                    "ttnn.rotary_embedding 1x2x64x64@bs2x1/shard=64x64, 1x1x64x64@dram, 1x1x64x64@dram -> "
                    "1x2x64x64@hs4/shard=32x64"),
            8192);
}

TEST_F(WheelMovesTest, GathersTurnCutAndFillTheirOperands) {
  // Both operands turned, indices filled on two sides, the operand cut to where there are indices and filled: a row of one tile.
  const std::string call = "ttnn.gather 4x8x16x5xsi32@l1, 4x8x3x2xu16@dram -> 4x8x3x2xsi32@dram ; dim=2";
  EXPECT_EQ(buffers(BackendVersion::Newest, call), 2 * 8192 + 4096);
  // The turned operand until it is cut; the cut one beside what is found goes to DRAM.
  EXPECT_EQ(tensors(BackendVersion::Newest, call), 2 * 4096);
  // It comes to lie where the indices do.
  EXPECT_EQ(tensors(BackendVersion::Newest, "ttnn.gather 64x32@dram, 32x32xu32@l1 -> 32x32@dram ; dim=0"),
            4096 + 2048);
  // Of bf16 a row of results since October 2026, four tiles at least, or if there is no room a part of the operand's row.
  constexpr BackendVersion october = BackendVersion::October2026;
  EXPECT_EQ(buffers(october, "ttnn.gather 32x4096@dram, 32x256xu16@dram -> 32x256@dram ; dim=1"),
            (128 + 1 + 8) * 2048);
  EXPECT_EQ(buffers(october, "ttnn.gather 32x32000@dram, 32x32xu16@dram -> 32x32@dram ; dim=1", "p150"),
            (500 + 1 + 1) * 2048);
}

TEST_F(WheelMovesTest, SortsAlongOtherDimensionsTurnTheirOperand) {
  // Values and indices lie where they are asked for until they are turned back to where the operand lies.
  EXPECT_EQ(tensors(BackendVersion::Newest,
                    "ttnn.sort 32x64@dram -> 32x64@l1, 32x64xu16@l1 ; dim=0 descending=true stable=false"),
            3 * 2048);
  // Numbers of 16 bits are sorted as 32.
  EXPECT_EQ(
      buffers(BackendVersion::Newest, "ttnn.sort 32x64xu16@dram -> 32x64xu16@dram, 32x64xu32@dram ; dim=-1"),
      16 * 4096 + 1024 + 2 * 2048);
}

TEST_F(WheelMovesTest, CoresShareRowsToChooseFromByTheirWork) {
  constexpr BackendVersion october = BackendVersion::October2026;
  auto topk = [&](const char *operand, const char *values, const char *indices, const char *more) {
    return "ttnn.topk " + std::string(operand) + " -> " + values + ", " + indices + " ; dim=-1 " + more;
  };
  // One core merges what thirty-two cores of eight tiles find, two each; four tiles or more each of values and indices in flight.
  EXPECT_EQ(buffers(october, topk("32x8192@dram", "32x64@dram", "32x64xu16@dram", "k=64"), "p150"),
            (6 + 6) * 2048 + 2 * 32 * 4096);
  // A row that ends within a tile is one of pairs.
  EXPECT_EQ(buffers(october, topk("32x1000@dram", "32x1@dram", "32x1xu16@dram", "k=1"), "p150"),
            12 * 2048 + 2 * 8 * 4096 + 2 * 2048);
  // The smallest are not looked for in rows, and 65,536 elements belong to one core.
  EXPECT_EQ(
      buffers(october, topk("32x32000@dram", "32x1@dram", "32x1xu16@dram", "k=1 largest=false"), "p150"),
      36864);
  EXPECT_EQ(buffers(BackendVersion::Newest, topk("32x65536@dram", "32x32@dram", "32x32xu32@dram", "k=32")),
            3 * 2048 + 3 * 4096 + 6 * 6144);
}

TEST_F(WheelMovesTest, RepeatedBlockFloatsAreConverted) {
  // Untilized, repeated as rows and tilized in bf16.
  EXPECT_EQ(buffers(BackendVersion::Newest,
                    "ttnn.repeat_interleave 3x512xbfp_bf8@l1 -> 6x512xbfp_bf8@l1 ; repeats=2 dim=0"),
            2 * 16 * 2048);
  EXPECT_EQ(tensors(BackendVersion::Newest,
                    "ttnn.repeat_interleave 3x512xbfp_bf8@l1 -> 6x512xbfp_bf8@l1 ; repeats=2 dim=0"),
            2048 + 1024);
}

TEST_F(WheelMovesTest, ElementsAreAppliedInPlaceBetweenShardsAsLarge) {
  const std::string call = "ttnn.add 64x128@hs2, 1x1@dram -> 64x128@";
  EXPECT_EQ(buffers(BackendVersion::October2026, call + "hs2"), 2 * 4096);
  EXPECT_EQ(buffers(BackendVersion::October2026, call + "bs1x2"), 4 * 4096);
  EXPECT_EQ(buffers(BackendVersion::Newest, call + "bs1x2"), 2 * 4096);
}

} // namespace
