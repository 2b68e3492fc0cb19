//===- FiguresTest.cpp - L1 figures quoted in the facts ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Bytes per core that facts/formulas 4 - 11 quotes, on n150 (8x8),
// each with the sum it comes from.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/OpTable.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

class FiguresTest : public testing::Test {
protected:
  DeviceSpec device = *findDevice("n150");
  LayoutPool layouts;

  OpConstraints ask(llvm::StringRef text) {
    auto model = createAnalyticOpModel({device, layouts, device.usableL1()});
    TextQuery q = parseQuery(text, layouts, device);
    ValidationResult result = model->query(q.query());
    EXPECT_TRUE(result.ok()) << text.str() << ": " << result.message;
    return result.constraints;
  }
  int64_t buffers(llvm::StringRef text) { return ask(text).cbL1PeakSize.value(); }
  /// As the backend of August 2026 has it.
  OpConstraints askNewest(const std::string &text) {
    OpModelContext context{device, layouts, device.usableL1()};
    context.version = BackendVersion::Newest;
    TextQuery q = parseQuery(text, layouts, device);
    return createAnalyticOpModel(context)->query(q.query()).constraints;
  }
  int64_t newest(const std::string &text) { return askNewest(text).cbL1PeakSize.value(); }
  int64_t tensors(llvm::StringRef text) { return ask(text).tensorL1PeakSize.value(); }
  int64_t output(llvm::StringRef text) { return ask(text).outputL1BufferSize.value(); }
};

TEST_F(FiguresTest, Eltwise) {
  EXPECT_EQ(buffers("ttnn.relu 64x1024@dram -> 64x1024@dram"), 4 * 2048);
  EXPECT_EQ(buffers("ttnn.relu 28672x32@hs64 -> 28672x32@hs64"), 0); // both alias the tensors
  EXPECT_EQ(tensors("ttnn.relu 28672x32@hs64 -> 28672x32@hs64"), 14 * 2048);
  EXPECT_EQ(buffers("ttnn.add 64x1024@l1, 64x1024@dram -> 64x1024@l1"), 6 * 2048);
  EXPECT_EQ(buffers("ttnn.add 64x1024@hs2, 64x1024@hs2 -> 64x1024@hs2"), 0);         // native
  EXPECT_EQ(buffers("ttnn.add 64x1024@hs2, 64x1024@dram -> 64x1024@hs2"), 6 * 2048); // accessors
  EXPECT_EQ(buffers("ttnn.logical_and 64x1024@l1, 64x1024@l1 -> 64x1024@l1"), 8 * 2048);
  EXPECT_EQ(buffers("ttnn.add 64x1024@l1, 1x1024@l1 -> 64x1024@l1"), 8 * 2048); // broadcast row
  EXPECT_EQ(buffers("ttnn.where 64x1024@l1, 64x1024@l1, 64x1024@l1 -> 64x1024@l1"), 8 * 2048);
  EXPECT_EQ(buffers("ttnn.typecast 64x1024@l1 -> 64x1024xf32@l1"), 2 * 2048 + 2 * 4096);
  EXPECT_EQ(buffers("ttnn.bitwise_not 64x1024xsi32@l1 -> 64x1024xsi32@l1"), 4 * 4096);
}

/// Sums of one block at a time, however many blocks a core has (ttnn 0.77.0 and 0.81.1).
TEST_F(FiguresTest, PartialSumsOfAConvolutionAreThoseOfABlock) {
  auto strided = [&](llvm::StringRef height) {
    return newest(
        "ttnn.conv2d 1x1x25088x256@hs64/rm, 512x256x1x1@host/rm, 1x1x1x512@host/rm -> "
        "1x1x6272x512@hs64/rm ; batch_size=8 dilation=[1,1] groups=1 in_channels=256 input_height=56 "
        "input_width=56 kernel_size=[1,1] out_channels=512 padding=[0,0] stride=[2,2] "
        "conv2d_config.config_tensors_in_dram=true conv2d_config.enable_kernel_stride_folding=false ; "
        "conv shard=height_sharded act_block_h=" +
        height.str());
  };
  EXPECT_EQ(strided("32"), 360560);
  EXPECT_EQ(strided("64"), 426084);
  EXPECT_EQ(strided("128"), 557148);
}

/// Rows of shards that are no whole tiles are made of those that are (ttnn 0.77.0 and 0.81.1).
TEST_F(FiguresTest, RowsOfAConvolutionThatFillNoTilesAreMadeTwice) {
  auto convolution = [&](int size, int channels) {
    std::string rows = std::to_string(8 * size * size), edge = std::to_string(size),
                out = std::to_string(channels);
    OpConstraints made =
        askNewest("ttnn.conv2d 1x1x" + rows + "x64@hs64/rm, " + out + "x64x3x3@host/rm, 1x1x1x" + out +
                  "@host/rm -> 1x1x" + rows + "x" + out +
                  "@hs64/rm ; batch_size=8 dilation=[1,1] groups=1 in_channels=64 input_height=" + edge +
                  " input_width=" + edge + " kernel_size=[3,3] out_channels=" + out +
                  " padding=[1,1] stride=[1,1] conv2d_config.config_tensors_in_dram=true ; conv "
                  "shard=height_sharded");
    return (made.tensorL1PeakSize - made.outputL1BufferSize).value();
  };
  EXPECT_EQ(convolution(64, 128), 84480) << "whole tiles";
  EXPECT_EQ(
      convolution(56, 128),
      191744); // rows of pixels; of channels that fill none it makes wrong values (conv2d.filled_result_rows)
}

// Asked of ttnn 0.77.0: programs that 0.66.0, which stands for the default version, sizes in another way.
TEST_F(FiguresTest, NormsAndAttentionSinceAugust2026) {
  EXPECT_EQ(newest("ttnn.layer_norm 1x1x32x2048@dram, 2048@l1, 2048@l1 -> 1x1x32x2048@dram"), 1024000);
  EXPECT_EQ(newest("ttnn.layer_norm 1x128x3072@dram, 3072@l1, 3072@dram -> 1x128x3072@dram"), 397312)
      << "in pieces";
  EXPECT_EQ(newest("ttnn.rms_norm 1x1x1x2048@dram, 2048@dram -> 1x1x1x2048@l1"), 487424);
  EXPECT_EQ(newest("ttnn.rms_norm 1x1x32x14336@ws64, 14336@l1 -> 1x1x32x14336@ws64"), 88064)
      << "sums in two stages";
  EXPECT_EQ(newest("ttnn.softmax 1x16x32x128@l1 -> 1x16x32x128@dram ; dimension=-1 numericStable=false"),
            49152);
  EXPECT_EQ(newest("ttnn.softmax 1x28x197x197@dram -> 1x28x197x197@dram ; dimension=-1 numericStable=true"),
            108544);
  EXPECT_EQ(
      newest("ttnn.scaled_dot_product_attention 1x32x1024x128@l1, 1x8x1024x128@dram, 1x8x1024x128@dram -> "
             "1x32x1024x128@dram ; is_causal=false"),
      100352);
  EXPECT_EQ(
      newest(
          "ttnn.rotary_embedding 1x32x128x128@hs32, 1x1x128x128@dram, 1x1x128x128@l1 -> 1x32x128x128@hs32"),
      57344)
      << "shards stay where they are";
  EXPECT_EQ(
      newest("ttnn.rotary_embedding 1x32x8x256@hs32, 1x1x1x256@dram, 1x1x1x256@dram -> 1x32x32x256@hs32 ; "
             "token_index=0"),
      139264)
      << "the token's cos and sin are untilized and tilized again";
  EXPECT_EQ(
      newest("ttnn.paged_scaled_dot_product_attention_decode 1x32x32x64@dram, 1024x8x32x64@dram, "
             "1024x8x32x64@dram, 32x32xsi32@dram/rm, 32xsi32@dram/rm -> 1x32x32x64@dram ; is_causal=true "
             "operandSegmentSizes=[1,1,1,1,0,1,0] program_config.k_chunk_size=64"),
      98688)
      << "two tiles of keys at a time";
}

// Asked of ttnn 0.77.0 (newest) and 0.81.1 (october-2026): chunks of attention, of either kernel.
TEST_F(FiguresTest, ChunksOfAttention) {
  DeviceSpec board = device;
  auto buffers = [&](BackendVersion version, const std::string &heads, const std::string &rest) {
    OpModelContext context{board, layouts, board.usableL1()};
    context.version = version;
    TextQuery q = parseQuery("ttnn.scaled_dot_product_attention " + heads +
                                 " ; operandSegmentSizes=[1,1,1,0,0] " + rest,
                             layouts, board);
    return createAnalyticOpModel(context)->query(q.query()).constraints.cbL1PeakSize.value();
  };
  const std::string heads = "1x12x197x64@dram, 1x12x197x64@dram, 1x12x197x64@dram -> 1x12x197x64@dram";
  const std::string wide = "compute_config.fp32_dest_acc_en=true is_causal=false ; attention q=128 k=64";
  EXPECT_EQ(buffers(BackendVersion::Newest, heads, "is_causal=false ; attention q=128 k=64"), 165888)
      << "two rows of results at a time, twice";
  EXPECT_EQ(buffers(BackendVersion::Newest, heads, wide), 201728)
      << "scores and sums of 32 bits, masks of all that is behind the last position";
  board = *findDevice("p150");
  const std::string causal = "1x8x1024x128@dram, 1x8x1024x128@dram, 1x8x1024x128@dram -> 1x8x1024x128@dram";
  int64_t before = buffers(BackendVersion::Newest, causal, "is_causal=true ; attention q=128 k=128");
  EXPECT_EQ(buffers(BackendVersion::October2026, causal, "is_causal=true ; attention q=128 k=128"),
            before + 65664)
      << "keys go from core to core";
  const std::string sums = "compute_config.fp32_dest_acc_en=true is_causal=true ; attention q=32 k=32";
  const std::string bytes =
      "1x8x1024x128xbfp_bf8@dram, 1x8x1024x128xbfp_bf8@dram, 1x8x1024x128xbfp_bf8@dram -> "
      "1x8x1024x128xbfp_bf8@dram";
  EXPECT_EQ(buffers(BackendVersion::October2026, causal, sums),
            buffers(BackendVersion::Newest, causal, sums) + 96);
  EXPECT_EQ(buffers(BackendVersion::October2026, bytes, sums), buffers(BackendVersion::Newest, bytes, sums))
      << "half as much to fetch, and the sums take as long";
  EXPECT_EQ(buffers(BackendVersion::October2026, causal, "is_causal=true ; attention q=256 k=128"),
            buffers(BackendVersion::Newest, causal, "is_causal=true ; attention q=256 k=128"))
      << "larger chunks do not";
  // Windows: wide sums mask each step, in tiles of half a byte an element; no keys go from core to core.
  EXPECT_EQ(buffers(BackendVersion::October2026,
                    "1x8x1024x64@dram, 1x8x1024x64@dram, 1x8x1024x64@dram -> 1x8x1024x64@dram",
                    "compute_config.fp32_dest_acc_en=true is_causal=true sliding_window_size=128"),
            60544);
  EXPECT_EQ(buffers(BackendVersion::October2026,
                    "1x8x1000x128@dram, 1x8x1000x128@dram, 1x8x1000x128@dram -> 1x8x1000x128@dram",
                    "is_causal=false sliding_window_size=128 ; attention grid=8x8 q=128 k=256"),
            518144)
      << "five tiles at the edges, and one of the last keys";
}

// A window of 128 keys needs few chunks of 1,024, where sums are narrow; wide ones are computed up to the last position.
TEST_F(FiguresTest, StepsOfWindows) {
  const DeviceSpec board = *findDevice("p150");
  auto nanoseconds = [&](const std::string &rest) {
    OpModelContext context{board, layouts, board.usableL1()};
    context.version = BackendVersion::October2026;
    TextQuery q = parseQuery("ttnn.scaled_dot_product_attention 1x32x4096x64@dram, 1x32x4096x64@dram, "
                             "1x32x4096x64@dram -> 1x32x4096x64@dram ; operandSegmentSizes=[1,1,1,0,0] " +
                                 rest,
                             layouts, board);
    return createAnalyticOpModel(context)->runtime(q.query()).total.value();
  };
  const std::string window = " sliding_window_size=128", wide = " compute_config.fp32_dest_acc_en=true";
  EXPECT_LT(5 * nanoseconds("is_causal=true" + window), nanoseconds("is_causal=true"));
  EXPECT_LT(5 * nanoseconds("is_causal=false" + window), nanoseconds("is_causal=false"));
  EXPECT_GE(nanoseconds("is_causal=true" + window + wide), nanoseconds("is_causal=true" + wide));
  EXPECT_LT(nanoseconds("is_causal=true" + window + wide), nanoseconds("is_causal=false" + wide));
}

// Asked of ttnn 0.77.0: one tile of an operand that is fetched; of shards in place 2 tiles on the vector unit, 8 on the
// matrix engine. (0.66.0, which stands for the default version, keeps one.)
TEST_F(FiguresTest, Activations) {
  auto newest = [&](const std::string &text) {
    OpModelContext context{device, layouts, device.usableL1()};
    context.version = BackendVersion::Newest;
    TextQuery q = parseQuery(text, layouts, device);
    return createAnalyticOpModel(context)->query(q.query()).constraints.cbL1PeakSize.value();
  };
  std::string interleaved = " 64x1024@l1, 64x1024@dram -> 64x1024@l1",
              sharded = " 64x1024@hs2, =0 -> 64x1024@hs2";
  EXPECT_EQ(newest("ttnn.multiply" + interleaved + " ; input_tensor_a_activations=silu"), 7 * 2048);
  EXPECT_EQ(newest("ttnn.multiply" + interleaved +
                   " ; input_tensor_a_activations=silu input_tensor_b_activations=rsqrt activations=relu"),
            8 * 2048);
  EXPECT_EQ(newest("ttnn.multiply" + interleaved + " ; activations=relu"), 6 * 2048) << "where it is made";
  EXPECT_EQ(newest("ttnn.multiply" + sharded + " ; input_tensor_a_activations=silu"), 2 * 2048);
  EXPECT_EQ(newest("ttnn.add" + sharded + " ; input_tensor_a_activations=silu"), 8 * 2048);
  EXPECT_EQ(newest("ttnn.ge" + sharded + " ; input_tensor_b_activations='relu, exp'"), 2 * 2048);
  EXPECT_EQ(newest("ttnn.logical_and" + sharded), 16 * 2048) << "both operands are compared with zero";
  EXPECT_EQ(newest("ttnn.logical_and" + sharded + " ; input_tensor_a_activations=silu"), 16 * 2048);
  EXPECT_EQ(newest("ttnn.multiply 64x1024xbfp_bf8@hs2, 64x1024xbfp_bf8@hs2 -> 64x1024xbfp_bf8@hs2 ; "
                   "input_tensor_a_activations=silu"),
            8 * 1088);
  EXPECT_EQ(buffers("ttnn.add" + sharded + " ; input_tensor_a_activations=silu"), 2048);
}

TEST_F(FiguresTest, Quantization) {
  // One scale: dequantize (24576 + 6144 at its peak), then quantize what came out (facts/formulas
  // 1).
  OpConstraints one = ask("ttnn.requantize 32x64xsi32@l1, 1@l1, 1xsi32@l1, 1@l1, 1xsi32@l1 -> 32x64xsi32@l1");
  EXPECT_EQ(one.cbL1PeakSize.value(), 24576);
  EXPECT_EQ(one.tensorL1PeakSize.value(), 12288);
  EXPECT_EQ(one.peakL1MemorySize.value(), 30720);
  // Per channel: ten f32 tensors.
  EXPECT_EQ(tensors("ttnn.requantize 32x64xsi32@l1, 64@l1, 64xsi32@l1, 64@l1, 64xsi32@l1 -> 32x64xsi32@l1"),
            10 * 4096);
}

TEST_F(FiguresTest, Broadcasts) {
  EXPECT_EQ(buffers("ttnn.add 64x1024@l1, 1x1@l1 -> 64x1024@l1"), 6 * 2048); // filled into one tile
  EXPECT_EQ(buffers("ttnn.add 64x1024@l1, 64x1@l1 -> 64x1024@l1"), 6 * 2048);
  EXPECT_EQ(buffers("ttnn.add 64x1@l1, 1x1024@l1 -> 64x1024@l1"), 8 * 2048); // a column and a row
}

TEST_F(FiguresTest, ScatterWorksOnRows) {
  // Goldens of scatter (facts/formulas 15): at least 262144 and 36864. The si32 index is untilized, 32 tiles
  // wide.
  llvm::StringLiteral text = "ttnn.scatter 256x1024@l1, 128x1024xsi32@l1, 128x1024@l1 -> 256x1024@l1 ; dim=0";
  EXPECT_EQ(buffers(text), 32 * (4096 + 4096));
  EXPECT_EQ(tensors(text), 8192 + 8192 + 4096 + 2 * 8192); // rows of the three, and of the result twice
}

TEST_F(FiguresTest, Reductions) {
  EXPECT_EQ(buffers("ttnn.sum 64x1024@dram -> 64x1@dram ; dim_arg=[1] keep_dim=true"), 12288);
  EXPECT_EQ(buffers("ttnn.sum 64x1024@dram -> 1x1024@dram ; dim_arg=[0] keep_dim=true"), 10240);
  EXPECT_EQ(buffers("ttnn.mean 64x1024@dram -> scalar@dram ; dim_arg=[1,0]"), 12288);
  EXPECT_EQ(buffers("ttnn.argmax 64x64@dram/rm -> 64xu32@dram/rm ; dim=1 keep_dim=false"), 64 * 2 + 64 * 4);
  EXPECT_EQ(buffers("ttnn.argmax 64x64@dram/rm -> 64x1xu32@dram/rm ; dim=1 keep_dim=true"), 64 * 2 + 4);
  EXPECT_EQ(tensors("ttnn.moreh_cumsum 64x1024@dram -> 64x1024@l1 ; dim=0"), 67584);
}

TEST_F(FiguresTest, Softmax) {
  // 2bs + 2bs + sum + 2 scalers + row, bs = 8, row = 32 tiles
  EXPECT_EQ(buffers("ttnn.softmax 64x1024@l1 -> 64x1024@l1 ; dimension=-1 numericStable=false"), 137216);
  EXPECT_EQ(buffers("ttnn.softmax 32768x32@hs64 -> 32768x32@hs64 ; dimension=-2"), 12 * 2048);
}

TEST_F(FiguresTest, Matmul) {
  EXPECT_EQ(buffers("ttnn.matmul 2048x2048@dram, 2048x2048@dram -> 2048x2048@dram"), 655360);
  EXPECT_EQ(buffers("ttnn.matmul 2048x2048@dram, 2048x2048@dram -> 2048x2048@l1"), 786432);
  EXPECT_EQ(buffers("ttnn.matmul 2048x2048@l1, 2048x2048@dram -> 2048x2048@dram"), 786432);
  EXPECT_EQ(buffers("ttnn.matmul 2048x1024@l1, 1024x2048@l1 -> 2048x2048@?"), 786432);
  EXPECT_EQ(buffers("ttnn.linear 2048x2048@dram, 2048x2048@dram, 2048@dram -> 2048x2048@dram"), 655360);
  device.workerGrid = {7, 8};
  EXPECT_EQ(buffers("ttnn.matmul 2048x2048@dram, 2048x2048@dram -> 2048x2048@dram"), 753664);
}

TEST_F(FiguresTest, ShardedMatmul) {
  // Width: one tile of each operand, doubled, and the semaphores.
  EXPECT_EQ(buffers("ttnn.matmul 32x1792@ws56, 1792x1792@dram -> 32x1792@ws56"), 8256);
  // Height: in0's shard in place, in1 whole.
  EXPECT_EQ(buffers("ttnn.matmul 1792x32@hs56, 32x1792@dram -> 1792x1792@hs56"), 114688);
}

TEST_F(FiguresTest, PartialOutputLayoutsAreDecidedByTheKernel) {
  LayoutPool pool;
  auto model = createAnalyticOpModel({device, pool, device.usableL1()});
  TextQuery q = parseQuery("ttnn.matmul 1792x1792@l1, 1792x1792@l1 -> 1792x1792@bs8x8", pool, device);
  ValidationResult result = model->query(q.query());
  EXPECT_EQ(result.status, ValidationStatus::UnmatchedReferenceConfig);
  EXPECT_EQ(result.constraints.cbL1PeakSize.value(), 262144);
  EXPECT_EQ(result.constraints.outputL1BufferSize.value(), 401408); // 56 x 56 tiles on 16 cores
  const TensorLayout &made = pool[result.constraints.outputLayouts[0]];
  EXPECT_EQ(made.grid, (GridShape{4, 4}));
  EXPECT_EQ(made.shard, (GridShape{16, 16}));
}

TEST_F(FiguresTest, Fp32AccumulationKeepsAnAccumulatorOfItsOwn) {
  llvm::StringLiteral plain =
      "ttnn.matmul 256x256@dram, 256x256@dram -> 256x256@dram ; ; mcast2d grid=4x4 k=2 m=2 n=2";
  llvm::StringLiteral fp32 =
      "ttnn.matmul 256x256@dram, 256x256@dram -> 256x256@dram ; compute_config.fp32_dest_acc_en=true ; "
      "mcast2d grid=4x4 k=2 m=2 n=2";
  EXPECT_EQ(buffers(plain), (2 * 2 * 2 + 2 * 2 * 2 + 4) * 2048);
  EXPECT_EQ(buffers(fp32), buffers(plain) + 4 * 4096);
}

TEST_F(FiguresTest, DataMovement) {
  EXPECT_EQ(buffers("ttnn.reshape 64x1024@dram -> 256x256@dram"), 2 * 2048 + 64 * 16);
  EXPECT_EQ(buffers("ttnn.transpose 64x1024@l1 -> 1024x64@l1 ; dim0=0 dim1=1"), 4 * 2048);
  EXPECT_EQ(buffers("ttnn.concat 1x2x32x32@l1, 1x2x64x32@l1 -> 1x2x96x32@l1 ; dim=2"), 2 * 2048);
  EXPECT_EQ(buffers("ttnn.pad 64x1024@dram -> 66x1026@dram ; padding=[0,2,0,2] use_multicore=false"),
            3 * 2048);
  EXPECT_EQ(buffers("ttnn.pad 64x1024@dram -> 66x1026@dram ; padding=[0,2,0,2] use_multicore=true"),
            5 * 2048);
  EXPECT_EQ(buffers("ttnn.to_layout 64x1024@dram -> 64x1024@dram/rm"), 32 * 4096);
  EXPECT_EQ(buffers("ttnn.to_memory_config 1x8x64x128@l1 -> 1x8x64x128@hs8"), 4 * 2048);
  EXPECT_EQ(buffers("ttnn.to_memory_config 1x8x64x128@hs8 -> 1x8x64x128@dram"), 0);
  EXPECT_EQ(buffers("ttnn.concatenate_heads 1x8x512x64@l1 -> 1x512x512@l1"), 65536);
  EXPECT_EQ(buffers("ttnn.embedding 1x1024@dram, 256x128@dram -> 1x1024x128@l1"), 16384);
}

TEST_F(FiguresTest, Norms) {
  EXPECT_EQ(buffers("ttnn.rms_norm 1x32x32x32@l1, 32@l1, 32@l1 -> 1x32x32x32@l1"), 45056);
  EXPECT_EQ(buffers("ttnn.rms_norm 1x32x128x128@l1, 128@l1, 128@l1 -> 1x32x128x128@l1"), 94208);
  EXPECT_EQ(buffers("ttnn.batch_norm_inference 1x32x32x32@l1, 1x32x1x1@l1, 1x32x1x1@l1, 1x32x1x1@l1, "
                    "1x32x1x1@l1 -> 1x32x32x32@l1"),
            18 * 2048);
}

TEST_F(FiguresTest, AttentionAndCaches) {
  EXPECT_EQ(
      buffers("ttnn.rotary_embedding 1x32x1024x64@l1, 1x1x1024x64@l1, 1x1x1024x64@l1 -> 1x32x1024x64@l1"),
      49152);
  EXPECT_EQ(buffers("ttnn.fill_cache 1x32x64x512@dram, 1x32x3x512@dram -> ()"), 4096);
  EXPECT_EQ(buffers("ttnn.update_cache 1x32x64x512@dram, 1x32x3x512@dram, 1xu32@dram -> ()"), 1310720);
  EXPECT_EQ(buffers("ttnn.paged_update_cache 128x4x32x256@dram, 1x8x12x256@hs64, 8xsi32@dram/rm, "
                    "8x16xsi32@dram/rm -> ()"),
            233536);
  EXPECT_EQ(buffers("ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm, "
                    "1xsi32@dram/rm -> ()"),
            32836);
  EXPECT_EQ(buffers("ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, "
                    "1x12x128x32@dram, 1@dram -> 1x1x12x32@dram ; "
                    "is_causal=true operandSegmentSizes=[1,1,1,0,1,0]"),
            78848);
}

TEST_F(FiguresTest, LatentAttentionOfManyHeads) {
  // 4 users of 128 heads over latents of 512 + 64, as the published model decodes them: each core has 32 heads of a user, so
  // that the buffers are those of 16 users with 32 heads (facts/deepseek 2.2). Results are of 512.
  auto decode = [&](int64_t users, int64_t heads) {
    return buffers(llvm::formatv("ttnn.paged_flash_multi_latent_attention_decode 1x{0}x{1}x576@hs16, "
                                 "129x1x32x576xbfp_bf8@dram, {0}x32xsi32@dram/rm, {0}xsi32@dram/rm -> "
                                 "1x{0}x{1}x512@dram ; is_causal=true operandSegmentSizes=[1,1,0,1,0,1,0]",
                                 users, heads)
                       .str());
  };
  int64_t positions = 32, ofMoreUsers = 64 - 32;
  EXPECT_EQ(decode(4, 128), 2 * 18 * 2048 + 2 * 8 * (18 + 16) * 1088 + 2 * 8 * 2048 + 2 * 2048 + 2048 +
                                2 * 2048 + (3 * 16 + 9 + 16 + (16 + 2) * 3 + 16) * 2048 + positions);
  EXPECT_EQ(decode(16, 32), decode(4, 128) + ofMoreUsers);
}

TEST_F(FiguresTest, Conv2d) {
  constexpr llvm::StringLiteral attributes =
      "batch_size=1 input_height=224 input_width=224 in_channels=3 out_channels=64 kernel_size=[7,7] "
      "stride=[2,2] padding=[3,3] dilation=[1,1] groups=1 conv2d_config.enable_act_double_buffer=true "
      "conv2d_config.enable_weights_double_buffer=true";
  std::string sliced =
      "ttnn.conv2d 1x1x50176x3@dram/rm, 64x3x7x7@host/rm -> 1x1x12544x64@dram ; " + attributes.str();
  EXPECT_EQ(buffers(sliced), 69696);              // the backend shards: blocks of one tile
  EXPECT_EQ(tensors(sliced), 33104 + 28672 + 60); // halo, output shard, reader table
  std::string given = "ttnn.conv2d 1x1x50176x3@dram/rm, 64x3x7x7@host/rm -> 1x1x12544x64@hs56 ; " +
                      attributes.str() + " ; conv shard=height_sharded";
  EXPECT_EQ(buffers(given), 102464); // blocks of the whole height
}

TEST_F(FiguresTest, ViewsTakeNothing) {
  for (llvm::StringRef text :
       {"ttnn.reshape 1x1x1024x1024@l1 -> 1x4x256x1024@l1", "ttnn.reshape 64x64@hs2 -> 1x64x64@hs2",
        "ttnn.permute 1x64x32x32@l1 -> 64x1x32x32@l1 ; permutation=[1,0,2,3]",
        "ttnn.pad 1x8x18x64@l1 -> 1x8x32x64@l1 ; padding=[0,0,0,0,0,14,0,0]",
        "ttnn.repeat 64x64@l1 -> 64x64@l1 ; repeat_dims=[1,1]"}) {
    OpConstraints c = ask(text);
    EXPECT_EQ(c.cbL1PeakSize.value(), 0) << text.str();
    EXPECT_EQ(c.tensorL1PeakSize.value(), 0) << text.str();
    auto model = createAnalyticOpModel({device, layouts, device.usableL1()});
    EXPECT_EQ(model->runtime(parseQuery(text, layouts, device).query()).total.value(), 0) << text.str();
  }
  EXPECT_GT(tensors("ttnn.pad 1x8x32x64@l1 -> 1x8x64x64@l1 ; padding=[0,0,0,0,0,32,0,0]"),
            0); // a whole row of tiles
}

TEST_F(FiguresTest, ExplanationListsWhatTheSumIsMadeOf) {
  TextQuery q =
      parseQuery("ttnn.linear 2048x2048@dram, 2048x2048@dram, 2048@dram -> 2048x2048@dram", layouts, device);
  Explanation e = explain({device, layouts, device.usableL1()}, q.query());
  ASSERT_TRUE(e.result.ok()) << e.result.message;
  EXPECT_EQ(e.family, "matmul");
  int64_t matmul = 0, bias = 0;
  for (const CircularBuffer &buffer : e.buffers) {
    EXPECT_GT(buffer.pages, 0);
    (buffer.program == "matmul" ? matmul : bias) += buffer.bytes.value();
  }
  EXPECT_EQ(matmul, e.result.constraints.cbL1PeakSize.value());
  EXPECT_EQ(bias, 8 * 2048); // product, bias and result; the bias is a row that is repeated
}

} // namespace
