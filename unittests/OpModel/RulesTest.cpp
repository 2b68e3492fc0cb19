//===- RulesTest.cpp - Each legality rule accepts and refuses ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// One entry per rule: a query that is legal, and one that only this rule refuses
// first. A rule without an entry fails the test.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "tessera/OpModel/OpTable.h"
#include "gtest/gtest.h"

#include <set>

using namespace tessera;

namespace {

struct RuleCase {
  llvm::StringLiteral rule, accepted, refused;
  BackendVersion version = BackendVersion::Pinned; ///< that has the rule
};
constexpr BackendVersion kNewest = BackendVersion::Newest;

constexpr llvm::StringLiteral kConvAttributes =
    "batch_size=1 input_height=56 input_width=56 in_channels=64 out_channels=64 kernel_size=[3,3] "
    "stride=[1,1] padding=[1,1] "
    "dilation=[1,1] groups=1";
constexpr llvm::StringLiteral kPoolAttributes = "batch_size=1 input_height=128 input_width=128 channels=32 "
                                                "kernel_size=[2,2] stride=[2,2] padding=[0,0] dilation=[1,1]";

constexpr llvm::StringLiteral kPointAttributes =
    "batch_size=1 input_height=56 input_width=56 in_channels=64 out_channels=64 kernel_size=[1,1]";
constexpr llvm::StringLiteral kSmallAttributes = "batch_size=1 input_height=28 input_width=28 in_channels=64 "
                                                 "out_channels=64 kernel_size=[3,3] padding=[1,1]";
constexpr llvm::StringLiteral kFoldAttributes = "batch_size=1 input_height=56 input_width=56 in_channels=64 "
                                                "out_channels=64 kernel_size=[2,2] stride=[2,2]";
constexpr llvm::StringLiteral kDeepAttributes = "batch_size=1 input_height=7 input_width=7 in_channels=512 "
                                                "out_channels=512 kernel_size=[3,3] padding=[1,1]";
constexpr llvm::StringLiteral kLargeAttributes =
    "batch_size=1 input_height=512 input_width=512 in_channels=64 out_channels=64 kernel_size=[3,3] "
    "padding=[1,1]";

constexpr llvm::StringLiteral kDepthwiseAttributes =
    "batch_size=1 input_height=32 input_width=32 in_channels=640 out_channels=640 groups=640 "
    "kernel_size=[3,3] "
    "padding=[1,1]";

// CONV, POINT, SMALL, FOLD, DEEP, LARGE, DEPTHWISE and POOL stand for the attributes above.
constexpr RuleCase kCases[] = {
    {"op.operand_count", "ttnn.add 64x64@dram, 64x64@dram -> 64x64@dram",
     "ttnn.add 64x64@dram -> 64x64@dram"},
    {"op.tensor_size", "ttnn.relu 1x0@dram -> 1x0@dram", "ttnn.relu 2147483648x1024@dram -> 64x64@dram"},
    {"op.grid", "ttnn.relu 2048x64@hs64 -> 2048x64@hs64", ""},
    {"op.layout_size", "ttnn.relu 64x64@dram -> 64x64@dram", ""},
    {"op.on_device", "ttnn.typecast 64x64@host/rm -> 64x64xf32@host/rm",
     "ttnn.relu 64x64@host -> 64x64@dram"},
    {"op.block_float_tiled", "ttnn.relu 64x64xbfp_bf8@dram -> 64x64xbfp_bf8@dram",
     "ttnn.relu 64x64xbfp_bf8@dram/rm -> 64x64xbfp_bf8@dram/rm"},

    {"unary.same_shape", "ttnn.relu 64x64@l1 -> 64x64@l1", "ttnn.relu 64x64@l1 -> 64x128@l1"},
    {"unary.tiled", "ttnn.relu 64x64@l1 -> 64x64@l1", "ttnn.relu 64x64@l1/rm -> 64x64@l1/rm"},
    {"unary.same_memory_layout", "ttnn.relu 64x64@dram -> 64x64@l1", "ttnn.relu 64x64@l1 -> 64x64@hs2"},
    {"unary.same_shard_grid", "ttnn.relu 128x64@hs4 -> 128x64@hs4", "ttnn.relu 128x64@hs4 -> 128x64@hs2"},
    {"unary.same_page_layout", "ttnn.relu 64x64@l1/rm -> 64x64@l1/rm", "ttnn.relu 64x64@l1/rm -> 64x64@l1",
     BackendVersion::Newest},
    {"typecast.aligned_rows", "ttnn.typecast 64x64@ws2/rm -> 64x64xf32@ws2/rm",
     "ttnn.typecast 64x12@ws3/rm -> 64x12xf32@ws3/rm", BackendVersion::Newest},
    {"typecast.same_page_layout", "ttnn.typecast 64x64@l1/rm -> 64x64xf32@l1/rm",
     "ttnn.typecast 64x64@l1/rm -> 64x64xf32@l1"},
    {"typecast.same_memory_layout", "ttnn.typecast 64x64@hs2 -> 64x64xf32@hs2",
     "ttnn.typecast 64x64@dram -> 64x64xf32@hs2"},
    {"typecast.same_shard_grid", "ttnn.typecast 64x64@hs2 -> 64x64xf32@hs2",
     "ttnn.typecast 64x64@hs2 -> 64x64xf32@hs1"},
    {"binary.tiled", "ttnn.add 64x64@l1, 64x64@dram -> 64x64@l1",
     "ttnn.add 64x64@l1/rm, 64x64@dram -> 64x64@l1"},
    {"binary.result_pages", "ttnn.add 64x64@l1/rm, 64x64@dram/rm -> 64x64@l1/rm",
     "ttnn.add 64x64@l1/rm, 64x64@dram -> 64x64@l1/rm", BackendVersion::Newest},
    {"binary.shards_of_tiles", "ttnn.add 64x64@hs2/rm, 64x64@dram/rm -> 64x64@hs2/rm",
     "ttnn.add 64x64@hs4/rm, 64x64@dram/rm -> 64x64@dram/rm", BackendVersion::Newest},
    {"binary.types", "ttnn.add 64x64@l1, 64x64xf32@dram -> 64x64@l1",
     "ttnn.maximum 64x64@l1, 64x64xf32@dram -> 64x64@l1", BackendVersion::Newest},
    {"binary.broadcast", "ttnn.add 64x1024@l1, 1x1024@l1 -> 64x1024@l1",
     "ttnn.add 64x1024@dram, 2048x2048@dram -> 2048x2048@dram"},
    {"binary.keeps_cores", "ttnn.add 128x64@hs4, 128x64@dram -> 128x64@hs4",
     "ttnn.add 128x64@hs4, 128x64@dram -> 128x64@hs2"},
    {"binary.atan2.no_height_sharding", "ttnn.atan2 64x64@l1, 64x64@l1 -> 64x64@l1",
     "ttnn.atan2 64x64@hs2, 64x64@l1 -> 64x64@l1"},
    {"binary.atan2.no_activations", "ttnn.atan2 64x64@l1, 64x64@l1 -> 64x64@l1",
     "ttnn.atan2 64x64@l1, 64x64@l1 -> 64x64@l1 ; activations=relu"},
    {"gelu_bw.tiled", "ttnn.gelu_bw 64x64@l1, 64x64@dram -> 64x64@l1",
     "ttnn.gelu_bw 64x64@l1/rm, 64x64@dram -> 64x64@l1"},
    {"gelu_bw.interleaved", "ttnn.gelu_bw 64x64@l1, 64x64@dram -> 64x64@l1",
     "ttnn.gelu_bw 64x64@l1, 64x64@dram -> 64x64@hs2", BackendVersion::Newest},
    {"where.tiled", "ttnn.where 64x64@hs2, 64x64@dram, 64x64@l1 -> 64x64@ws2",
     "ttnn.where 64x64@l1/rm, 64x64@l1, 64x64@l1 -> 64x64@l1"},
    {"quantization.tiled", "ttnn.quantize 64x64@l1, 1@l1, 1xsi32@l1 -> 64x64xsi32@l1",
     "ttnn.quantize 64x64@l1/rm, 1@l1, 1xsi32@l1 -> 64x64xsi32@l1"},
    {"quantization.interleaved", "ttnn.quantize 64x64@dram, 1@l1, 1xsi32@l1 -> 64x64xsi32@l1",
     "ttnn.quantize 64x64@hs2, 1@l1, 1xsi32@l1 -> 64x64xsi32@l1"},
    {"quantization.same_memory_layout", "ttnn.quantize 64x64@hs2, 1@l1, 1xsi32@l1 -> 64x64xsi32@hs2",
     "ttnn.quantize 64x64@hs2, 1@l1, 1xsi32@l1 -> 64x64xsi32@l1", BackendVersion::Newest},
    {"quantization.integer_operand",
     "ttnn.requantize 64x64xsi32@l1, 1@l1, 1xsi32@l1, 1@l1, 1xsi32@l1 -> 64x64xsi32@l1",
     "ttnn.requantize 64x64@l1, 1@l1, 1xsi32@l1, 1@l1, 1xsi32@l1 -> 64x64xsi32@l1"},

    {"matmul.tiled", "ttnn.matmul 64x64@dram, 64x64@dram -> 64x64@dram",
     "ttnn.matmul 64x64@dram/rm, 64x64@dram -> 64x64@dram"},
    {"matmul.inner_dims", "ttnn.matmul 64x96@dram, 96x64@dram -> 64x64@dram",
     "ttnn.matmul 64x64@dram, 96x64@dram -> 64x64@dram"},
    {"matmul.batch_dims", "ttnn.matmul 4x64x64@dram, 4x64x64@dram -> 4x64x64@dram",
     "ttnn.matmul 4x64x64@dram, 3x64x64@dram -> 4x64x64@dram"},
    {"matmul.bias_shape", "ttnn.linear 64x64@dram, 64x64@dram, 64@dram -> 64x64@dram",
     "ttnn.linear 64x64@dram, 64x64@dram, 32@dram -> 64x64@dram"},
    {"matmul.transposed_interleaved", "ttnn.matmul 64x64@dram, 64x64@dram -> 64x64@dram ; transpose_b=true",
     "ttnn.matmul 64x64@dram, 64x64@hs2 -> 64x64@dram ; transpose_b=true"},
    {"matmul.config.sizes",
     "ttnn.matmul 64x64@dram, 64x64@dram -> 64x64@dram ; ; mcast2d grid=2x2 k=1 m=1 n=1",
     "ttnn.matmul 64x64@dram, 64x64@dram -> 64x64@dram ; ; mcast2d grid=2x2 k=0 m=1 n=1"},
    {"matmul.config.grid",
     "ttnn.matmul 64x64@dram, 64x64@dram -> 64x64@dram ; ; mcast2d grid=8x8 k=1 m=1 n=1",
     "ttnn.matmul 64x64@dram, 64x64@dram -> 64x64@dram ; ; mcast2d grid=9x8 k=1 m=1 n=1"},
    {"matmul.config.k_blocks",
     "ttnn.matmul 64x128@dram, 128x64@dram -> 64x64@dram ; ; mcast2d grid=2x2 k=2 m=1 n=1",
     "ttnn.matmul 64x128@dram, 128x64@dram -> 64x64@dram ; ; mcast2d grid=2x2 k=3 m=1 n=1"},
    {"matmul.config.out_blocks",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@dram ; ; mcast2d grid=2x2 k=1 m=4 n=4 block=2x2",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@dram ; ; mcast2d grid=2x2 k=1 m=4 n=4 block=3x2"},
    {"matmul.config.subblock",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@dram ; ; mcast2d grid=2x2 k=1 m=4 n=4 sub=2x4",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@dram ; compute_config.fp32_dest_acc_en=true ; mcast2d "
     "grid=2x2 k=1 m=4 n=4 sub=2x4"},
    {"matmul.default.in1_interleaved", "ttnn.matmul 2048x2048@bs8x8, 2048x2048@l1 -> 2048x2048@dram",
     "ttnn.matmul 2048x2048@bs8x8, 2048x2048@bs8x8 -> 2048x2048@dram"},
    {"matmul.default.in1_unbatched", "ttnn.matmul 4x64x64@dram, 4x64x64@dram -> 4x64x64@dram",
     "ttnn.matmul 4x64x64@hs4, 4x64x64@dram -> 4x64x64@dram"},
    {"matmul.enough_cores",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@dram ; ; mcast2d grid=2x2 k=1 m=4 n=4",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@dram ; ; mcast2d grid=2x2 k=1 m=2 n=4"},
    {"matmul.float", "ttnn.matmul 64x64xf32@dram, 64x64@dram -> 64x64xf32@dram",
     "ttnn.matmul 64x64xu32@dram, 64x64@dram -> 64x64@dram"},
    {"matmul.activation", "ttnn.matmul 64x64@dram, 64x64@dram -> 64x64@hs2 ; activation=relu",
     "ttnn.matmul 64x64@hs2, 64x64@dram -> 64x64@dram ; activation=relu"},
    {"matmul.default.program", "ttnn.matmul 2048x2048@bs8x8, 2048x2048@l1 -> 2048x2048@bs8x8",
     "ttnn.matmul 2048x2048@bs8x8, 2048x2048@l1 -> 2048x2048@hs64", BackendVersion::Newest},
    {"matmul.config.fused_batch",
     "ttnn.matmul 4x64x64@dram, 64x64@dram -> 4x64x64@dram ; ; mcast2d grid=2x8 k=1 m=1 n=1",
     "ttnn.matmul 4x64x64@dram, 4x64x64@dram -> 4x64x64@dram ; ; mcast2d grid=2x8 k=1 m=1 n=1"},
    {"matmul.sharded_result.subblock",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@bs2x2 ; ; mcast2d grid=2x2 k=1 m=4 n=4 sub=2x4",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@bs2x2 ; ; mcast2d grid=2x2 k=1 m=4 n=4 sub=2x2"},
    {"matmul.sharded_result.block",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@bs2x2 ; ; mcast2d grid=2x2 k=1 m=4 n=4 block=1x2",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@bs2x2 ; ; mcast2d grid=2x2 k=1 m=4 n=4 block=4x2"},
    {"matmul.config.shards",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@bs2x2 ; ; mcast2d grid=2x2 k=1 m=4 n=4",
     "ttnn.matmul 256x64@dram, 64x256@dram -> 256x256@bs4x4 ; ; mcast2d grid=2x2 k=1 m=4 n=4",
     BackendVersion::Newest},
    {"matmul.buffer_pages",
     "ttnn.matmul 32x32768@dram, 32768x4096@dram -> 32x4096@dram ; ; mcast1d_in1 grid=1x1 k=1 m=1 n=128",
     "ttnn.matmul 32x32768@dram, 32768x4096@dram -> 32x4096@dram ; ; mcast1d_in1 grid=1x1 k=1024 m=1 n=128"},
    {"matmul.sharded_result.shards",
     "ttnn.matmul 4x64x64@dram, 64x64@dram -> 4x64x64@hs8 ; ; mcast1d_in1 grid=8x8 k=1 m=1 n=2",
     "ttnn.matmul 4x64x64@dram, 64x64@dram -> 4x64x64@hs2 ; ; mcast1d_in1 grid=8x8 k=1 m=1 n=2 unfused",
     BackendVersion::Newest},
    {"matmul.sharded_result.orientation",
     "ttnn.matmul 4x64x64@hs4, 4x64x64@dram -> 4x64x64@hs4 ; ; reuse grid=8x8 k=2 m=2 n=2",
     "ttnn.matmul 4x64x64@dram, 4x64x64@dram -> 4x64x64@hs4 ; ; reuse grid=8x8 k=2 m=2 n=2",
     BackendVersion::Newest},
    {"matmul.2d_mcast.in0",
     "ttnn.matmul 256x256@bs4x4, 256x256@dram -> 256x256@bs4x4 ; ; mcast2d grid=4x4 k=2 m=2 n=2",
     "ttnn.matmul 256x256@ws8, 256x256@dram -> 256x256@dram ; ; mcast2d grid=4x4 k=2 m=2 n=2"},
    {"matmul.2d_mcast.in1",
     "ttnn.matmul 256x256@dram, 256x256@ws4 -> 256x256@dram ; ; mcast2d grid=4x4 k=2 m=2 n=2",
     "ttnn.matmul 256x256@dram, 256x256@hs4 -> 256x256@dram ; ; mcast2d grid=4x4 k=2 m=2 n=2"},
    {"matmul.2d_mcast.out",
     "ttnn.matmul 256x256@dram, 256x256@dram -> 256x256@bs4x4 ; ; mcast2d grid=4x4 k=2 m=2 n=2",
     "ttnn.matmul 256x256@dram, 256x256@dram -> 256x256@hs4 ; ; mcast2d grid=4x4 k=2 m=2 n=2"},
    {"matmul.1d_mcast_in0.in0",
     "ttnn.matmul 32x256@ws8, 256x256@dram -> 32x256@ws8 ; ; mcast1d_in0 k=1 m=1 n=1",
     "ttnn.matmul 64x256@hs2, 256x256@dram -> 64x256@dram ; ; mcast1d_in0 k=1 m=2 n=1"},
    {"matmul.1d_mcast_in0.in1",
     "ttnn.matmul 32x256@ws8, 256x256@ws8 -> 32x256@ws8 ; ; mcast1d_in0 k=1 m=1 n=1",
     "ttnn.matmul 32x256@ws8, 256x256@hs8 -> 32x256@ws8 ; ; mcast1d_in0 k=1 m=1 n=1"},
    {"matmul.1d_mcast_in0.out",
     "ttnn.matmul 32x256@dram, 256x256@dram -> 32x256@ws8 ; ; mcast1d_in0 k=2 m=1 n=1",
     "ttnn.matmul 64x256@dram, 256x256@dram -> 64x256@hs2 ; ; mcast1d_in0 k=2 m=2 n=1"},
    {"matmul.1d_mcast_in0.whole_m",
     "ttnn.matmul 64x256@dram, 256x256@dram -> 64x256@dram ; ; mcast1d_in0 k=2 m=2 n=1",
     "ttnn.matmul 64x256@dram, 256x256@dram -> 64x256@dram ; ; mcast1d_in0 k=2 m=1 n=1"},
    {"matmul.1d_mcast_in1.in0",
     "ttnn.matmul 256x64@hs8, 64x64@dram -> 256x64@hs8 ; ; mcast1d_in1 k=2 m=1 n=2",
     "ttnn.matmul 256x64@ws2, 64x64@dram -> 256x64@dram ; ; mcast1d_in1 k=1 m=1 n=2"},
    {"matmul.1d_mcast_in1.in1_interleaved",
     "ttnn.matmul 256x64@hs8, 64x64@l1 -> 256x64@hs8 ; ; mcast1d_in1 k=2 m=1 n=2",
     "ttnn.matmul 256x64@hs8, 64x64@ws2 -> 256x64@hs8 ; ; mcast1d_in1 k=2 m=1 n=2"},
    {"matmul.1d_mcast_in1.out",
     "ttnn.matmul 256x64@dram, 64x64@dram -> 256x64@hs8 ; ; mcast1d_in1 k=2 m=1 n=2",
     "ttnn.matmul 256x64@dram, 64x64@dram -> 256x64@ws2 ; ; mcast1d_in1 k=2 m=1 n=2"},
    {"matmul.1d_mcast_in1.whole_n",
     "ttnn.matmul 256x64@dram, 64x64@dram -> 256x64@dram ; ; mcast1d_in1 k=2 m=1 n=2",
     "ttnn.matmul 256x64@dram, 64x64@dram -> 256x64@hs8 ; ; mcast1d_in1 k=2 m=1 n=1"},
    {"matmul.dram_sharded.operands",
     "ttnn.matmul 32x256@ws8, 256x384@wsdram12 -> 32x384@ws12 ; ; dram_sharded k=1 m=1 n=1",
     "ttnn.matmul 32x256@ws8, 256x384@dram -> 32x384@ws12 ; ; dram_sharded k=1 m=1 n=1"},
    {"matmul.dram_sharded.shape",
     "ttnn.matmul 32x256@ws4, 256x384@wsdram12 -> 32x384@ws12 ; ; dram_sharded k=2 m=1 n=1",
     "ttnn.matmul 32x256@ws8, 256x384@wsdram12 -> 32x384@ws12 ; ; dram_sharded k=2 m=1 n=1"},
    {"matmul.reuse.operands", "ttnn.matmul 4x64x64@hs4, 4x64x64@dram -> 4x64x64@hs4 ; ; reuse k=2 m=2 n=2",
     "ttnn.matmul 4x64x64@ws2, 4x64x64@dram -> 4x64x64@dram ; ; reuse k=2 m=2 n=2"},
    {"matmul.reuse.shape", "ttnn.matmul 4x64x64@dram, 4x64x64@dram -> 4x64x64@dram ; ; reuse k=2 m=2 n=2",
     "ttnn.matmul 4x64x64@dram, 4x64x64@dram -> 4x64x64@dram ; ; reuse k=2 m=2 n=1"},
    {"matmul.reuse.blocks", "ttnn.matmul 4x96x64@dram, 4x64x64@dram -> 4x96x64@dram ; ; reuse k=2 m=6 n=2",
     "ttnn.matmul 4x96x64@dram, 4x64x64@dram -> 4x96x64@dram ; ; reuse k=2 m=2 n=2"},
    {"matmul.multi_core.interleaved", "ttnn.matmul 6400x64@l1, 64x6400@dram -> 6400x6400@dram",
     "ttnn.matmul 6400x64@l1, 64x6400@dram -> 6400x6400@wsdram12"},

    {"conv2d.window", "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; CONV ; conv",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; batch_size=1 input_height=56 "
     "input_width=56 in_channels=64 out_channels=64 kernel_size=[99,99]"},
    {"conv2d.operand_shape", "ttnn.conv2d 1x1x3136x64@dram/rm, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV",
     "ttnn.conv2d 1x1x3000x64@dram/rm, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV"},
    {"conv2d.weight_form", "ttnn.conv2d 1x1x3136x64@dram, 576x64@dram -> 1x1x3136x64@dram ; CONV",
     "ttnn.conv2d 1x1x3136x64@dram, 64x64x3x3@dram/rm -> 1x1x3136x64@dram ; CONV"},
    {"conv2d.shard_layout",
     "ttnn.conv2d 1x1x3136x64@dram, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; CONV ; conv shard=height_sharded",
     "ttnn.conv2d 1x1x3136x64@dram, 64x64x3x3@host/rm -> 1x1x3136x64@l1 ; CONV ; conv shard=interleaved"},
    {"conv2d.input_in_l1",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; CONV ; conv",
     "ttnn.conv2d 1x1x3136x64@wsdram2, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV ; conv"},
    {"conv2d.config_matches_input",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; CONV ; conv shard=height_sharded",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; CONV ; conv shard=block_sharded"},
    {"conv2d.act_block_h",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; CONV ; conv act_block_h=64",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; CONV ; conv act_block_h=33"},
    {"conv2d.sliced_operands",
     "ttnn.conv2d 1x1x3136x64@dram, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV ; conv slice=height "
     "slices=2",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV ; conv slice=height "
     "slices=2"},
    {"conv2d.result_kind",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@hs49 ; CONV ; conv",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@bs7x2 ; CONV ; conv"},
    // Of the newest backend.
    {"conv2d.reshard_layout", "ttnn.conv2d 1x1x3136x64@hs49/rm, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV",
     "ttnn.conv2d 1x1x3136x64@ws4/rm, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV", kNewest},
    {"conv2d.tilized_shards",
     "ttnn.conv2d 1x1x3136x64@hs49/rm, 64x64x1x1@host/rm -> 1x1x3136x64@dram ; POINT ; conv "
     "shard=block_sharded",
     "ttnn.conv2d 1x1x3136x64@hs56/rm, 64x64x1x1@host/rm -> 1x1x3136x64@dram ; POINT ; conv "
     "shard=block_sharded",
     kNewest},
    {"conv2d.matmul_shards",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x1x1@host/rm -> 1x1x3136x64@dram ; POINT ; conv "
     "shard=height_sharded",
     "ttnn.conv2d 1x1x3136x64@ws2, 64x64x1x1@host/rm -> 1x1x3136x64@dram ; POINT ; conv shard=height_sharded",
     kNewest},
    {"conv2d.block_divides",
     "ttnn.conv2d 1x1x784x64@l1, 64x64x3x3@host/rm -> 1x1x784x64@dram ; SMALL ; conv shard=width_sharded",
     "ttnn.conv2d 1x1x784x64@l1, 64x64x3x3@host/rm -> 1x1x784x64@dram ; SMALL ; conv shard=width_sharded "
     "act_block_h=64",
     kNewest},
    {"conv2d.folded_weights", "ttnn.conv2d 1x1x3136x64@dram, 64x64x2x2@host/rm -> 1x1x784x64@dram ; FOLD",
     "ttnn.conv2d 1x1x3136x64@dram, 64x64x2x2@host/rm -> 1x1x784x64@dram ; FOLD "
     "conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.slices_fit", "ttnn.conv2d 1x1x3136x64@dram, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV",
     "ttnn.conv2d 1x1x49x512@dram, 512x512x3x3@host/rm -> 1x1x49x512@dram ; DEEP "
     "conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.page_count",
     "ttnn.conv2d 1x1x3136x64@l1/rm, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV ; conv shard=width_sharded",
     "ttnn.conv2d 1x1x262144x64@l1/rm, 64x64x3x3@host/rm -> 1x1x262144x64@dram ; LARGE ; conv "
     "shard=width_sharded",
     kNewest},
    // Eight cores share 20 tiles of channels, three each.
    {"conv2d.whole_result_rows",
     "ttnn.conv2d 1x1x1024x640@bs8x8/rm, 640x1x3x3@host/rm -> 1x1x1024x640@l1 ; DEPTHWISE ; conv",
     "ttnn.conv2d 1x1x1024x640@bs8x8/rm, 640x1x3x3@host/rm -> 1x1x1024x640@l1/rm ; DEPTHWISE ; conv",
     kNewest},
    {"pool.window", "ttnn.max_pool2d 1x1x16384x32@dram -> 1x1x4096x32@dram ; POOL",
     "ttnn.max_pool2d 1x1x16384x32@dram -> 1x1x4096x32@dram"},
    {"pool.operand_shape", "ttnn.avg_pool2d 1x1x16384x32@dram -> 1x1x4096x32@dram ; POOL",
     "ttnn.avg_pool2d 1x1x357x22@dram -> 1x1x4096x32@dram ; POOL"},
    {"pool.padding", "ttnn.max_pool2d 1x1x16384x32@dram -> 1x1x4096x32@dram ; POOL",
     "ttnn.max_pool2d 1x1x16384x32@dram -> 1x1x4096x32@dram ; batch_size=1 input_height=128 input_width=128 "
     "channels=32 kernel_size=[2,2] stride=[2,2] padding=[2,2] dilation=[1,1]"},
    {"pool.data_type", "ttnn.max_pool2d 1x1x16384x32@dram -> 1x1x4096x32@dram ; POOL",
     "ttnn.max_pool2d 1x1x16384x32xu32@dram -> 1x1x4096x32xu32@dram ; POOL"},
    {"pool.kinds_match", "ttnn.max_pool2d 1x1x16384x32@hs64/rm -> 1x1x4096x32@hs64/rm ; POOL",
     "ttnn.max_pool2d 1x1x16384x32@hs64/rm -> 1x1x4096x32@bs8x1/rm ; POOL"},
    {"pool.page_count", "ttnn.max_pool2d 1x1x16384x32@hs1/rm -> 1x1x4096x32@dram ; POOL",
     "ttnn.max_pool2d 1x1x131072x8@hs1/rm -> 1x1x32768x8@dram ; batch_size=1 input_height=256 "
     "input_width=512 "
     "channels=8 kernel_size=[2,2] stride=[2,2]"},

    {"reduction.tiled", "ttnn.sum 64x64@dram -> 64x1@dram ; dim_arg=[1] keep_dim=true",
     "ttnn.sum 64x64@dram/rm -> 64x1@dram ; dim_arg=[1]"},
    {"reduction.data_type", "ttnn.max 64x64xf32@dram -> 64x1xf32@dram ; dim_arg=[-1]",
     "ttnn.max 64x64xsi32@dram -> 64x1xsi32@dram ; dim_arg=[1]"},
    {"reduction.dim_in_range", "ttnn.mean 64x64@dram -> 1x1@dram ; dim_arg=[1,0]",
     "ttnn.mean 64x64@dram -> 1x1@dram ; dim_arg=[1,2]"},
    {"reduction.pads_shards", "ttnn.sum 2x64x64@hs2 -> 2x64x1@dram ; dim_arg=[2]",
     "ttnn.sum 2x60x64@hs2 -> 2x60x1@dram ; dim_arg=[2]", BackendVersion::Newest},
    {"reduction.fits_shards", "ttnn.max 8x32x64@l1 -> 1x32x64@l1 ; dim_arg=[0]",
     "ttnn.max 8x32x64@l1 -> 1x32x64@hs1 ; dim_arg=[0]", BackendVersion::Newest},
    {"reduction.sharded_result", "ttnn.prod 64x64@l1 -> 64@l1 ; dim_arg=0",
     "ttnn.prod 64x64@l1 -> 64x64@ws2 ; dim_arg=0"},
    {"argmax.row_major", "ttnn.argmax 64x64@dram/rm -> 64xu32@dram/rm ; dim=1",
     "ttnn.argmax 64x64@dram -> 64xu32@dram/rm ; dim=1"},
    {"argmax.interleaved", "ttnn.argmax 64x64@l1/rm -> 64xu32@dram/rm ; dim=-1",
     "ttnn.argmax 64x64@hs2/rm -> 64xu32@dram/rm ; dim=1"},
    {"argmax.over_width", "ttnn.argmax 64x64@dram/rm -> 1xu32@dram/rm",
     "ttnn.argmax 64x64@dram/rm -> 64xu32@dram/rm ; dim=0"},
    {"cumulative.tiled", "ttnn.cumsum 64x64@l1 -> 64x64@l1 ; dim=0",
     "ttnn.cumsum 64x64@l1/rm -> 64x64@l1 ; dim=0"},
    {"cumulative.sharded_result", "ttnn.cumsum 64x64@l1 -> 64x64@l1 ; dim=0",
     "ttnn.cumsum 64x64@l1 -> 64x64@ws2 ; dim=0"},
    {"cumulative.interleaved", "ttnn.cumsum 64x64@l1 -> 64x64@dram ; dim=0",
     "ttnn.cumsum 64x64@hs2 -> 64x64@dram ; dim=0", BackendVersion::Newest},
    {"cumulative.fits_shards", "ttnn.cumsum 1x1x64x64@l1 -> 1x1x64x64@hs2 ; dim=0",
     "ttnn.cumsum 1x1x64x64@l1 -> 1x1x64x64@hs2 ; dim=2", BackendVersion::Newest},
    {"sort.type", "ttnn.sort 64x64xf32@dram -> 64x64xf32@dram, 64x64xu32@dram",
     "ttnn.sort 64x64xbfp_bf8@dram -> 64x64xbfp_bf8@dram, 64x64xu16@dram", BackendVersion::Newest},
    {"topk.k", "ttnn.topk 64x64@l1 -> 64x64@l1, 64x64xu16@l1 ; k=64",
     "ttnn.topk 64x64@l1 -> 64x65@l1, 64x65xu16@l1 ; k=65", BackendVersion::Newest},
    {"topk.padded", "ttnn.topk 64x64@hs2 -> 64x8@l1, 64x8xu16@l1 ; k=8",
     "ttnn.topk 64x32@ws1 -> 64x8@l1, 64x8xu16@l1 ; k=8", BackendVersion::Newest},
    {"sort.tiled", "ttnn.sort 64x64@l1 -> 64x64@l1, 64x64xu16@l1",
     "ttnn.sort 64x64@l1/rm -> 64x64@l1, 64x64xu16@l1"},
    {"sort.interleaved", "ttnn.topk 64x64@l1 -> 64x32@l1, 64x32xu16@l1",
     "ttnn.topk 64x64@hs2 -> 64x32@l1, 64x32xu16@l1"},
    {"sort.sharded_result", "ttnn.sort 64x64@l1 -> 64x64@dram, 64x64xu16@dram ; dim=0",
     "ttnn.sort 64x64@l1 -> 64x64@ws2, 64x64xu16@ws2"},

    {"softmax.tiled", "ttnn.softmax 64x64@l1 -> 64x64@l1 ; dimension=-1",
     "ttnn.softmax 64x64@l1/rm -> 64x64@l1 ; dimension=-1"},
    {"softmax.dim_in_range", "ttnn.softmax 64x64@l1 -> 64x64@l1 ; dimension=0",
     "ttnn.softmax 64x64@l1 -> 64x64@l1 ; dimension=2"},
    {"softmax.whole_rows", "ttnn.softmax 64x64@hs2 -> 64x64@hs2 ; dimension=1",
     "ttnn.softmax 64x64@ws2 -> 64x64@ws2 ; dimension=1"},
    {"norm.tiled", "ttnn.rms_norm 64x64@l1, 64@dram -> 64x64@l1",
     "ttnn.rms_norm 64x64@l1/rm, 64@dram -> 64x64@l1"},
    {"norm.no_height_sharding", "ttnn.layer_norm 64x512@ws8, 512@dram -> 64x512@ws8",
     "ttnn.layer_norm 64x512@hs2, 512@dram -> 64x512@hs2"},
    {"norm.sharded_together", "ttnn.rms_norm 64x512@bs2x8 -> 64x512@bs2x8",
     "ttnn.rms_norm 64x512@bs2x8 -> 64x512@l1"},
    {"norm.full_rectangle", "ttnn.rms_norm 64x512@ws16 -> 64x512@ws16",
     "ttnn.rms_norm 64x512@ws13 -> 64x512@ws13"},
    {"norm.weight_shape", "ttnn.rms_norm 64x512@dram, 16x32@dram/rm -> 64x512@dram",
     "ttnn.rms_norm 64x512@dram, 64@dram -> 64x512@dram"},
    {"batch_norm.tiled", "ttnn.batch_norm_inference 1x32x8x8@l1, 1x32x1x1@l1, 1x32x1x1@l1 -> 1x32x8x8@l1",
     "ttnn.batch_norm_inference 1x32x8x8@l1/rm, 1x32x1x1@l1, 1x32x1x1@l1 -> 1x32x8x8@l1"},
    {"batch_norm.interleaved",
     "ttnn.batch_norm_inference 1x32x8x8@dram, 1x32x1x1@l1, 1x32x1x1@l1 -> 1x32x8x8@l1",
     "ttnn.batch_norm_inference 1x32x8x8@hs32, 1x32x1x1@l1, 1x32x1x1@l1 -> 1x32x8x8@hs32"},
    {"batch_norm.statistics",
     "ttnn.batch_norm_inference 1x32x8x8@dram, 1x32x1x1@l1, 1x32x1x1@l1 -> 1x32x8x8@l1",
     "ttnn.batch_norm_inference 1x32x8x8@l1, 32@l1, 32@l1 -> 1x32x8x8@l1"},
    {"batch_norm.running_statistics",
     "ttnn.batch_norm_inference 1x32x8x8@l1, 1x32x1x1@l1, 1x32x1x1@l1 -> 1x32x8x8@l1 ; "
     "operandSegmentSizes=[1,1,1,0,0]",
     "ttnn.batch_norm_inference 1x32x8x8@l1, 1x32x1x1@l1, 1x32x1x1@l1 -> 1x32x8x8@l1 ; "
     "operandSegmentSizes=[1,0,0,1,1]"},

    {"reshape.same_elements", "ttnn.reshape 64x1024@dram -> 256x256@l1",
     "ttnn.reshape 64x1024@dram -> 256x255@dram"},
    {"reshape.same_page_layout", "ttnn.reshape 64x1024@dram/rm -> 256x256@dram/rm",
     "ttnn.reshape 64x1024@dram -> 256x256@dram/rm"},
    {"reshape.no_width_sharding", "ttnn.reshape 64x64@hs2 -> 1x64x64@hs2",
     "ttnn.reshape 64x64@ws2 -> 1x64x64@ws2"},
    {"reshape.result_interleaved", "ttnn.reshape 64x64@hs2 -> 128x32@l1",
     "ttnn.reshape 64x64@l1 -> 128x32@hs4"},
    {"reshape.shard_row_alignment", "ttnn.reshape 64x64@hs2/rm -> 128x32@hs2/rm",
     "ttnn.reshape 64x64@hs2/rm -> 1024x4@hs2/rm"},
    {"reshape.shard_pages", "ttnn.reshape 64x64@l1/rm -> 128x32@hs2/rm",
     "ttnn.reshape 65536x64@l1/rm -> 131072x32@hs1/rm"},
    {"permute.permutation", "ttnn.permute 64x32@dram -> 32x64@dram ; permutation=[1,0]",
     "ttnn.permute 64x32@dram -> 32x64@dram ; permutation=[1,1]"},
    {"permute.same_page_layout", "ttnn.permute 64x32@dram/rm -> 32x64@dram/rm ; permutation=[1,0]",
     "ttnn.permute 64x32@dram/rm -> 32x64@dram ; permutation=[1,0]"},
    {"permute.no_width_sharding", "ttnn.permute 64x64@hs2 -> 64x64@l1 ; permutation=[1,0]",
     "ttnn.permute 64x64@ws2 -> 64x64@l1 ; permutation=[1,0]"},
    {"permute.full_width_shards", "ttnn.permute 64x64@hs2 -> 64x64@dram ; permutation=[1,0]",
     "ttnn.permute 64x64@bs2x2 -> 64x64@dram ; permutation=[1,0]"},
    {"permute.result_interleaved", "ttnn.permute 1x64x64@hs2 -> 1x64x64@hs2 ; permutation=[0,1,2]",
     "ttnn.permute 64x64@dram -> 64x64@hs2 ; permutation=[1,0]"},
    {"permute.shard_row_alignment", "ttnn.permute 64x32@l1/rm -> 32x64@hs1/rm ; permutation=[1,0]",
     "ttnn.permute 4x32@l1/rm -> 32x4@hs1/rm ; permutation=[1,0]"},
    {"transpose.dims", "ttnn.transpose 64x32@l1 -> 32x64@l1 ; dim0=-2 dim1=-1",
     "ttnn.transpose 64x32@l1 -> 32x64@l1 ; dim0=0 dim1=2"},
    {"transpose.same_page_layout", "ttnn.transpose 64x32@l1 -> 32x64@l1 ; dim0=0 dim1=1",
     "ttnn.transpose 64x32@l1 -> 32x64@l1/rm ; dim0=0 dim1=1"},
    {"transpose.full_width_shards", "ttnn.transpose 64x32@hs2 -> 32x64@hs1 ; dim0=0 dim1=1",
     "ttnn.transpose 64x64@bs2x2 -> 64x64@bs2x2 ; dim0=0 dim1=1"},
    {"transpose.sharded_result", "ttnn.transpose 64x32@dram -> 32x64@l1 ; dim0=0 dim1=1",
     "ttnn.transpose 64x32@l1 -> 32x64@ws2 ; dim0=0 dim1=1"},
    {"concat.dim", "ttnn.concat 64x32@dram, 64x32@dram -> 64x64@dram ; dim=-1",
     "ttnn.concat 64x32@dram, 64x32@dram -> 64x64@dram ; dim=5"},
    {"concat.alike", "ttnn.concat 64x32@hs2, 64x32@hs2 -> 64x64@hs2 ; dim=1",
     "ttnn.concat 64x32@hs2, 64x32@dram -> 64x64@hs2 ; dim=1"},
    {"concat.same_page_layout", "ttnn.concat 64x32@dram/rm, 64x32@dram/rm -> 64x64@l1/rm ; dim=1",
     "ttnn.concat 64x32@dram, 64x32@dram -> 64x64@dram/rm ; dim=1"},
    {"concat.no_block_sharding", "ttnn.concat 64x32@hs2, 64x32@hs2 -> 64x64@hs2 ; dim=1",
     "ttnn.concat 64x64@bs2x2, 64x64@bs2x2 -> 64x128@bs2x2 ; dim=1"},
    {"concat.axis", "ttnn.concat 64x64@ws2, 64x64@ws2, 64x64@ws2 -> 192x64@ws2 ; dim=0",
     "ttnn.concat 64x64@ws2, 64x64@ws2 -> 128x64@ws2 ; dim=0"},
    {"concat.result", "ttnn.concat 64x32@l1, 64x32@dram -> 64x64@l1 ; dim=1",
     "ttnn.concat 64x32@l1, 64x32@dram -> 64x64@hs2 ; dim=1"},
    {"concat.aligned_shards", "ttnn.concat 64x32@hs2, 64x32@hs2 -> 64x64@hs2 ; dim=1",
     "ttnn.concat 64x17@hs2, 64x17@hs2 -> 64x34@hs2 ; dim=1"},
    {"concat.shard_pages", "ttnn.concat 512x64@bs2x2/rm, =0 -> 512x128@bs2x2/rm ; dim=1",
     "ttnn.concat 4096x64@bs2x2/rm, =0 -> 4096x128@bs2x2/rm ; dim=1"},
    {"concat.block_row_alignment", "ttnn.concat 64x96@bs2x2/rm, =0 -> 64x192@bs2x2/rm ; dim=1",
     "ttnn.concat 64x96@bs2x8/rm, =0 -> 64x192@bs2x8/rm ; dim=1"},
    {"slice.bounds", "ttnn.slice_static 64x64@dram -> 32x64@dram ; begins=[32,0] ends=[64,64] step=[1,1]",
     "ttnn.slice_static 64x64@dram -> 32x64@dram ; begins=[32] ends=[64]"},
    {"slice.same_page_layout",
     "ttnn.slice_static 64x64@dram/rm -> 32x64@l1/rm ; begins=[0,0] ends=[32,64] step=[1,1]",
     "ttnn.slice_static 64x64@dram -> 32x64@dram/rm ; begins=[0,0] ends=[32,64] step=[1,1]"},
    {"slice.interleaved", "ttnn.slice_static 64x64@l1 -> 32x64@l1 ; begins=[32,0] ends=[64,64]",
     "ttnn.slice_static 64x64@hs2 -> 32x64@l1 ; begins=[32,0] ends=[64,64]"},
    {"slice.result_interleaved", "ttnn.slice_static 64x64@l1 -> 32x64@dram ; begins=[32,0] ends=[64,64]",
     "ttnn.slice_static 64x64@l1 -> 32x64@ws2 ; begins=[32,0] ends=[64,64]"},
    {"pad.pairs", "ttnn.pad 64x64@dram -> 66x66@dram ; padding=[0,2,0,2]",
     "ttnn.pad 64x64@dram -> 66x66@dram ; padding=[0,2]"},
    {"pad.same_page_layout", "ttnn.pad 32x32@dram/rm -> 64x64@dram/rm ; padding=[0,32,0,32] value=0.0",
     "ttnn.pad 32x32@dram -> 64x64@dram/rm ; padding=[0,32,0,32] value=0.0"},
    {"pad.back_only", "ttnn.pad 64x64@dram/rm -> 66x66@dram/rm ; padding=[1,1,1,1]",
     "ttnn.pad 64x64@dram -> 66x66@dram ; padding=[1,1,0,2]"},
    {"pad.operand", "ttnn.pad 64x64@hs2/rm -> 64x80@hs2/rm ; padding=[0,0,0,16]",
     "ttnn.pad 64x64@hs2 -> 64x80@hs2 ; padding=[0,0,0,16]"},
    {"pad.result", "ttnn.pad 64x64@l1 -> 64x80@l1 ; padding=[0,0,0,16]",
     "ttnn.pad 64x64@l1 -> 64x80@ws2 ; padding=[0,0,0,16]"},
    {"pad.row_alignment", "ttnn.pad 64x64@dram/rm -> 64x80@hs2/rm ; padding=[0,0,0,16]",
     "ttnn.pad 64x64@dram/rm -> 64x65@hs2/rm ; padding=[0,0,0,1]"},
    {"pad.shard_rows", "ttnn.pad 64x64@hs2/rm -> 64x80@? ; padding=[0,0,0,16]",
     "ttnn.pad 64x64@hs2/rm -> 80x64@? ; padding=[0,16,0,0]"},
    {"repeat.same_page_layout", "ttnn.repeat 64x32@dram/rm -> 64x64@dram/rm ; repeat_dims=[1,2]",
     "ttnn.repeat 64x32@dram -> 64x64@dram/rm ; repeat_dims=[1,2]"},
    {"repeat.sharded_alike", "ttnn.repeat 64x64@hs2 -> 64x128@hs2 ; repeat_dims=[1,2]",
     "ttnn.repeat 64x64@hs2 -> 64x128@dram ; repeat_dims=[1,2]"},
    {"repeat.aligned_shards", "ttnn.repeat 64x8@dram/rm -> 64x16@ws2/rm ; repeats=[1,2]",
     "ttnn.repeat 64x4@dram/rm -> 64x8@ws2/rm ; repeats=[1,2]", BackendVersion::Newest},
    {"repeat_interleave.width_interleaved",
     "ttnn.repeat_interleave 64x64@hs2 -> 64x128@hs2 ; dim=1 repeats=2",
     "ttnn.repeat_interleave 64x64@l1 -> 64x128@hs2 ; dim=1 repeats=2", BackendVersion::Newest},
    {"repeat_interleave.same_page_layout",
     "ttnn.repeat_interleave 64x32@dram/rm -> 128x32@dram/rm ; dim=0 repeats=2",
     "ttnn.repeat_interleave 64x32@dram -> 128x32@dram/rm ; dim=0 repeats=2"},
    {"repeat_interleave.interleaved", "ttnn.repeat_interleave 64x64@l1 -> 128x64@dram ; dim=0 repeats=2",
     "ttnn.repeat_interleave 64x64@hs2 -> 128x64@dram ; dim=0 repeats=2"},
    {"upsample.whole_tiles",
     "ttnn.upsample 1x8x32x32@dram -> 1x16x64x32@dram/rm ; scale_factor=2 mode=nearest",
     "ttnn.upsample 1x8x8x32@dram -> 1x16x16x32@dram/rm ; scale_factor=2"},
    {"upsample.bilinear", "ttnn.upsample 1x8x8x32@dram/rm -> 1x16x16x32@dram/rm ; mode=bilinear",
     "ttnn.upsample 1x8x8x3@dram/rm -> 1x16x16x3@dram/rm ; mode=bilinear"},
    {"upsample.shards", "ttnn.upsample 1x8x8x32@hs8/rm -> 1x16x16x32@hs8/rm ; mode=bilinear",
     "ttnn.upsample 1x8x8x32@hs8/rm -> 1x16x16x32@dram/rm ; mode=bilinear"},
    {"embedding.interleaved", "ttnn.embedding 32xu32@dram/rm, 512x128@dram/rm -> 32x128@l1",
     "ttnn.embedding 32xu32@dram/rm, 512x128@hs16 -> 32x128@l1"},
    {"embedding.result_shards", "ttnn.embedding 32xu32@dram/rm, 512x128@dram -> 32x128@ws4",
     "ttnn.embedding 32xu32@dram/rm, 512x96@dram -> 32x96@ws2"},
    {"embedding_bw.interleaved",
     "ttnn.embedding_bw 1x32xu32@dram/rm, 512x128@dram/rm, 1x1x32x128@dram -> 512x128@dram",
     "ttnn.embedding_bw 1x32xu32@dram/rm, 512x128@dram/rm, 1x1x32x128@hs1 -> 512x128@dram"},

    {"conversion.same_shape", "ttnn.to_layout 64x64@dram/rm -> 64x64@dram",
     "ttnn.to_layout 64x64@dram/rm -> 64x32@dram"},
    {"to_memory_config.same_page_layout", "ttnn.to_memory_config 64x64@dram -> 64x64@hs2",
     "ttnn.to_memory_config 64x64@dram -> 64x64@hs2/rm"},
    {"to_memory_config.same_data_type", "ttnn.to_memory_config 64x64@dram -> 64x64@l1",
     "ttnn.to_memory_config 64x64@dram -> 64x64xf32@l1"},
    {"to_memory_config.shards_in_l1", "ttnn.to_memory_config 64x64@dram -> 64x64@ws2",
     "ttnn.to_memory_config 64x64@dram -> 64x64@wsdram2"},
    {"to_memory_config.shard_row_alignment", "ttnn.to_memory_config 64x64@dram/rm -> 64x64@ws2/rm",
     "ttnn.to_memory_config 64x4@dram/rm -> 64x4@ws2/rm"},
    {"to_memory_config.shard_pages", "ttnn.to_memory_config 65535x32@dram/rm -> 65535x32@hs1/rm",
     "ttnn.to_memory_config 65536x32@dram/rm -> 65536x32@hs1/rm"},
    {"assign.same_memory_layout", "ttnn.assign 64x64@l1 -> 64x64@dram", "ttnn.assign 64x64@l1 -> 64x64@hs2"},
    {"to_layout.same_side", "ttnn.to_layout 64x64@host/rm -> 64x64@host",
     "ttnn.to_layout 64x64@host/rm -> 64x64@dram"},
    {"to_layout.whole_tile_shards", "ttnn.to_layout 64x64@dram/rm -> 64x64@hs2",
     "ttnn.to_layout 48x64@hs2 -> 48x64@hs2/rm"},
    {"to_layout.tilize_shards", "ttnn.to_layout 64x64@hs2/rm -> 64x64@hs2",
     "ttnn.to_layout 64x64@dram/rm -> 64x64@hs2"},
    {"to_layout.unpads_one_matrix", "ttnn.to_layout 2x40x64@hs4 -> 2x40x64@l1/rm",
     "ttnn.to_layout 2x40x64@bs2x2 -> 2x40x64@l1/rm"},
    {"to_layout.unpads_alike", "ttnn.to_layout 120x64@hs4 -> 120x64@hs2/rm/shard=64x64",
     "ttnn.to_layout 120x64@hs4 -> 120x64@ws1/rm/shard=128x64"},
    {"to_layout.unpads_whole_matrices", "ttnn.to_layout 8x16x64@hs4 -> 8x16x64@hs4/rm/shard=32x64",
     "ttnn.to_layout 8x16x64@hs4 -> 8x16x64@hs2/rm/shard=64x64", kNewest},
    {"to_device.sides", "ttnn.to_device 64x64@host -> 64x64@dram", "ttnn.to_device 64x64@dram -> 64x64@dram"},
    {"to_device.same_page_layout", "ttnn.to_device 64x64@host/rm -> 64x64@dram/rm",
     "ttnn.to_device 64x64@host/rm -> 64x64@dram"},
    {"from_device.sides", "ttnn.from_device 64x64@dram -> 64x64@host",
     "ttnn.from_device 64x64@host -> 64x64@host"},
    {"from_device.same_page_layout", "ttnn.from_device 64x64@l1/rm -> 64x64@host/rm",
     "ttnn.from_device 64x64@dram -> 64x64@host/rm"},

    {"cache.tiled_interleaved", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@l1 -> () ; batch_offset=0",
     "ttnn.fill_cache 1x8x64x128@hs16, 1x8x32x128@l1 -> ()"},
    {"cache.input_not_width_sharded", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@hs8 -> ()",
     "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@ws4 -> ()"},
    {"update_cache.index_type", "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@l1, 1xu32@dram -> ()",
     "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@l1, 1@dram -> ()"},
    {"paged_update_cache.input_height_sharded",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@dram, 32xsi32@dram/rm -> ()"},
    {"paged_update_cache.index_type",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xu32@dram/rm -> ()"},
    {"paged_fill_cache.input_interleaved",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x64x256@hs24, 8x16xsi32@dram/rm -> ()"},
    {"paged_fill_cache.table_type",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xu32@dram/rm -> ()"},

    {"rotary_embedding_llama.decode",
     "ttnn.rotary_embedding_llama 1x1x32x32@hs1, 1x1x32x32@hs1, 1x1x32x32@hs1, 1x1x32x32@hs1 -> "
     "1x1x32x32@hs1 ; "
     "is_decode_mode=true",
     "ttnn.rotary_embedding_llama 1x1x32x32@hs1, 1x1x32x32@dram, 1x1x32x32@hs1, 1x1x32x32@hs1 -> "
     "1x1x32x32@hs1 ; "
     "is_decode_mode=true"},
    {"rotary_embedding_llama.tables",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram/rm, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1"},
    {"rotary_embedding.tiled",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@l1",
     "ttnn.rotary_embedding 1x8x32x64@l1/rm, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@l1"},
    {"rotary_embedding.operand",
     "ttnn.rotary_embedding 1x8x32x64@hs8, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@hs8",
     "ttnn.rotary_embedding 1x8x32x64@ws2, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@ws2"},
    {"rotary_embedding.result",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@dram",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@bs4x2"},
    {"concatenate_heads.interleaved", "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@l1",
     "ttnn.concatenate_heads 1x8x32x64@hs8 -> 1x32x512@l1"},
    {"concatenate_heads.result_interleaved", "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@dram",
     "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@ws8"},
    {"nlp_concat_heads_decode.heads",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@? ; num_heads=8",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@? ; num_heads=65"},
    {"nlp_concat_heads_decode.operand",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@ws8 ; num_heads=8",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@l1 -> 1x1x32x1024@? ; num_heads=8"},
    {"nlp_concat_heads_decode.result",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@ws8 ; num_heads=8",
     "ttnn.nlp_concat_heads_decode 1x2x32x128@hs2 -> 1x1x32x1024@l1 ; num_heads=8"},
    {"nlp_create_qkv_heads_decode.operand",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@ws8 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@? ; num_heads=8",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@bs1x8 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?"},
    {"nlp_create_qkv_heads_decode.result",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@hs32, 1x32x2x64@hs32, 1x32x2x64@hs32",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@l1, 1x32x2x64@?, 1x32x2x64@?"},
    {"nlp_create_qkv_heads_decode.users",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?",
     "ttnn.nlp_create_qkv_heads_decode 1x1x96x768@l1 -> 1x96x8x64@?, 1x96x2x64@?, 1x96x2x64@?"},
    {"split_heads.interleaved",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@l1 -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@bs2x4 -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1"},
    {"split_heads.result_interleaved",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@dram -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@l1 -> 2x4x64x64@hs8, 2x4x64x64@l1, 2x4x64x64@l1"},
    {"attention.operands",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64@hs4, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram"},
    {"attention.result_interleaved",
     "ttnn.scaled_dot_product_attention 1x1x128x64@l1, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@l1",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@hs4"},
    {"attention_decode.keys_in_dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@l1, 1x12x128x32@dram -> "
     "1x1x12x32@dram"},
    {"attention_decode.query",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@hs1, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@l1, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram"},
    {"attention_decode.result",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x1x128x32@dram, 1x1x128x32@dram -> "
     "1x1x12x32@hs1",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@hs1"},

    {"collective.sharded_in_l1", "ttnn.all_reduce 1x1x32x3072@dram -> 1x1x32x3072@dram ; cluster_axis=1",
     "ttnn.all_reduce 1x1x32x3072@wsdram12 -> 1x1x32x3072@dram ; cluster_axis=1"},
    {"collective.same_page_layout",
     "ttnn.all_gather 1x1x32x64@dram/rm -> 1x1x32x128@dram/rm ; cluster_axis=1 all_gather_dim=3",
     "ttnn.all_gather 1x1x32x64@dram/rm -> 1x1x32x128@dram ; cluster_axis=1 all_gather_dim=3"},
    {"mesh_partition.whole_tiles",
     "ttnn.mesh_partition 64x128@dram/rm -> 8x128@dram/rm ; dim=0 cluster_axis=1",
     "ttnn.mesh_partition 64x128@dram -> 8x128@dram ; dim=0 cluster_axis=1"},
    {"mesh_partition.interleaved", "ttnn.mesh_partition 64x128@l1 -> 32x128@dram ; dim=0",
     "ttnn.mesh_partition 64x128@hs2 -> 32x128@dram ; dim=0"},

    {"dropout.tiled", "ttnn.dropout 64x64@dram -> 64x64@l1", "ttnn.dropout 64x64@l1/rm -> 64x64@l1/rm"},
    {"dropout.same_memory_layout", "ttnn.dropout 64x64@dram -> 64x64@l1",
     "ttnn.dropout 64x64@l1 -> 64x64@hs2"},
    {"dropout.same_shard_grid", "ttnn.dropout 128x64@hs4 -> 128x64@hs4",
     "ttnn.dropout 128x64@hs4 -> 128x64@hs2"},
    {"binary.remainder.no_height_sharding", "ttnn.remainder 64x64@hs2, 64x64@l1 -> 64x64@hs2", ""},
    {"chunked_attention.operands",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x64x64@dram",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@hs24, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x64x64@dram"},
    {"chunked_attention.page_table",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram/rm, 1xsi32@dram/rm -> 1x12x64x64@l1",
     "ttnn.chunked_scaled_dot_product_attention 1x12x64x64@dram, 128x12x32x64@dram, 128x12x32x64@dram, "
     "1x8xsi32@dram, 1xsi32@dram/rm -> 1x12x64x64@dram"},
    {"latent_attention_decode.result",
     "ttnn.paged_flash_multi_latent_attention_decode 1x4x8x192@dram, 64x1x64x192@dram, 4x16xsi32@dram/rm, "
     "4xsi32@dram/rm -> 1x4x8x128@l1",
     "ttnn.paged_flash_multi_latent_attention_decode 1x4x8x192@dram, 64x1x64x192@dram, 4x16xsi32@dram/rm, "
     "4xsi32@dram/rm -> 1x4x8x128@ws4"},
    {"gather.dim", "ttnn.gather 64x128@dram, 32x128xu32@dram -> 32x128@dram ; dim=0",
     "ttnn.gather 64x128@dram, 32x128xu32@dram -> 32x128@dram ; dim=2"},
    {"rows_scatter.rows_in_dram",
     "ttnn.rows_scatter 4x16x8@dram/rm, 1x1x1xsi32@dram/rm, 4x1x8@dram/rm -> 4x16x8@dram/rm",
     "ttnn.rows_scatter 4x16x8@dram, 1x1x1xsi32@dram/rm, 4x1x8@dram/rm -> 4x16x8@dram/rm"},
    {"gather.index_type", "ttnn.scatter 64x128@dram, 32x128xsi32@dram, 32x128@dram -> 64x128@l1 ; dim=0",
     "ttnn.scatter 64x128@dram, 32x128xf32@dram, 32x128@dram -> 64x128@l1 ; dim=0"},
    {"gather.interleaved", "ttnn.gather 64x128@l1, 32x128xu32@dram -> 32x128@l1 ; dim=0",
     "ttnn.gather 64x128@hs2, 32x128xu32@dram -> 32x128@l1 ; dim=0"},
    {"gather.tiled", "ttnn.gather 64x128@l1, 64x32xu32@dram -> 64x32@l1 ; dim=1",
     "ttnn.gather 64x128@l1/rm, 64x32xu32@dram -> 64x32@l1 ; dim=1"},
    {"norm_parts.tiled", "ttnn.rms_norm_pre_all_gather 32x128@dram -> 32x32@l1",
     "ttnn.rms_norm_pre_all_gather 32x128@dram/rm -> 32x32@l1"},
    {"norm_parts.placed", "ttnn.layer_norm_post_all_gather 32x128@ws4, 32x64@dram -> 32x128@ws4",
     "ttnn.layer_norm_post_all_gather 64x128@hs2, 64x64@dram -> 64x128@hs2"},
    {"group_norm.operand", "ttnn.group_norm 1x1x64x480@dram -> 1x1x64x480@dram ; num_groups=8",
     "ttnn.group_norm 1x1x64x480xf32@dram -> 1x1x64x480xf32@dram ; num_groups=8"},
    {"group_norm.result", "ttnn.group_norm 1x1x64x480@hs2 -> 1x1x64x480@hs2 ; num_groups=8",
     "ttnn.group_norm 1x1x64x480@l1 -> 1x1x64x480@hs2 ; num_groups=8"},
    {"group_norm.groups", "ttnn.group_norm 1x1x64x480@l1 -> 1x1x64x480@l1 ; num_groups=8",
     "ttnn.group_norm 1x1x64x480@l1 -> 1x1x64x480@l1 ; num_groups=7"},
    {"adamw.tiled_in_dram",
     "ttnn.adamw 64x64xf32@dram, 64x64@dram, 64x64xf32@dram, 64x64xf32@dram -> 64x64xf32@dram",
     "ttnn.adamw 64x64xf32@l1, 64x64@dram, 64x64xf32@dram, 64x64xf32@dram -> 64x64xf32@dram"},
    {"adamw.one_shape",
     "ttnn.adamw 64x64xf32@dram, 64x64@dram, 64x64xf32@dram, 64x64xf32@dram -> 64x64xf32@?",
     "ttnn.adamw 64x64xf32@dram, 32x64@dram, 64x64xf32@dram, 64x64xf32@dram -> 64x64xf32@dram"},
    {"training_attention.tiled",
     "ttnn.sdpa_fw 1x2x64x64@dram, 1x2x64x64@dram, 1x2x64x64@dram -> 1x2x64x64@dram, 1x2x64x32@dram",
     "ttnn.sdpa_fw 1x2x64x64@dram/rm, 1x2x64x64@dram, 1x2x64x64@dram -> 1x2x64x64@dram, 1x2x64x32@dram"},
    {"training_attention.interleaved",
     "ttnn.sdpa_fw 1x2x64x64@l1, 1x2x64x64@dram, 1x2x64x64@dram -> 1x2x64x64@dram, 1x2x64x32@dram",
     "ttnn.sdpa_fw 1x2x64x64@hs4, 1x2x64x64@dram, 1x2x64x64@dram -> 1x2x64x64@dram, 1x2x64x32@dram"},
    {"sampling.values_tiled",
     "ttnn.sampling 32x128@dram, 32x128xsi32@dram/rm, 32xu32@dram/rm, 32@dram/rm, 32@dram/rm -> "
     "32xu32@dram/rm",
     "ttnn.sampling 32x128@dram/rm, 32x128xsi32@dram/rm, 32xu32@dram/rm, 32@dram/rm, 32@dram/rm -> "
     "32xu32@dram/rm"},
    {"sampling.interleaved",
     "ttnn.sampling 32x128@l1, 32x128xsi32@dram/rm, 32xu32@dram/rm, 32@dram/rm, 32@dram/rm -> 32xu32@l1/rm",
     "ttnn.sampling 32x128@ws4, 32x128xsi32@dram/rm, 32xu32@dram/rm, 32@dram/rm, 32@dram/rm -> 32xu32@l1/rm"},
    {"sampling.users",
     "ttnn.sampling 16x128@dram, 16x128xsi32@dram/rm, 16xu32@dram/rm, 16@dram/rm, 16@dram/rm -> "
     "16xu32@dram/rm",
     "ttnn.sampling 64x128@dram, 64x128xsi32@dram/rm, 64xu32@dram/rm, 64@dram/rm, 64@dram/rm -> "
     "64xu32@dram/rm"},
    {"topk_router_gpt.tiled",
     "ttnn.topk_router_gpt 32x128@dram, 128x128@dram, 32x128@dram -> 32x4xu16@dram, 32x4@dram",
     "ttnn.topk_router_gpt 32x128@dram/rm, 128x128@dram, 32x128@dram -> 32x4xu16@dram, 32x4@dram"},
    {"indexer_score_dsa.tiled",
     "ttnn.indexer_score_dsa 1x8x32x128@dram, 1x1x32x128@dram, 1x8x32x1@dram -> 1x1x32x32@l1",
     "ttnn.indexer_score_dsa 1x8x32x128@dram/rm, 1x1x32x128@dram, 1x8x32x1@dram -> 1x1x32x32@l1"},
    {"conv3d.operand", "ttnn.conv3d 1x5x10x10x32@dram/rm, 864x64@dram -> 1x3x8x8x64@dram/rm",
     "ttnn.conv3d 1x5x10x10x32@dram, 864x64@dram -> 1x3x8x8x64@dram/rm"},
    {"conv3d.weight", "ttnn.conv3d 1x5x10x10x32@dram/rm, 864x64@dram -> 1x3x8x8x64@l1",
     "ttnn.conv3d 1x5x10x10x32@dram/rm, 864x64@dram/rm -> 1x3x8x8x64@l1"},
    {"conv3d.interleaved", "ttnn.conv3d 1x5x10x10x32@l1/rm, 864x64@dram -> 1x3x8x8x64@l1",
     "ttnn.conv3d 1x5x10x10x32@l1/rm, 864x64@ws2 -> 1x3x8x8x64@l1"},
    // Norms, attention, heads and caches as ttnn 0.77.0 answers.
    {"norm.result_block", "ttnn.rms_norm 64x512@ws4 -> 64x512@ws4", "ttnn.rms_norm 64x512@ws4 -> 64x512@ws8"},
    {"softmax.padded_rows", "ttnn.softmax 64x80@hs2 -> 64x80@hs2 ; dimension=1",
     "ttnn.softmax 64x80@ws3 -> 64x80@ws3 ; dimension=1", kNewest},
    {"attention.types",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram -> 1x1x128x64@dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64xf32@dram, 1x1x128x64@dram, 1x1x128x64@dram -> "
     "1x1x128x64@dram",
     kNewest},
    {"attention.mask_in_dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x128@dram "
     "-> 1x1x128x64@dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x128@l1 -> "
     "1x1x128x64@dram",
     kNewest},
    {"attention.mask_type",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, "
     "1x1x128x128xbfp_bf8@dram -> 1x1x128x64@dram",
     "ttnn.scaled_dot_product_attention 1x1x128x64@dram, 1x1x128x64@dram, 1x1x128x64@dram, "
     "1x1x128x128xf32@dram -> 1x1x128x64@dram",
     kNewest},
    {"attention_decode.keys_tiled",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram/rm, 1x12x128x32@dram -> "
     "1x1x12x32@dram"},
    {"attention_decode.grouped_query_type",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32xbfp_bf8@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     kNewest},
    {"attention_decode.mask_type",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram, "
     "1x1x12x128@dram -> 1x1x12x32@dram ; is_causal=false",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram, "
     "1x1x12x128xf32@dram -> 1x1x12x32@dram ; is_causal=false",
     kNewest},
    {"attention_decode.mask_shape",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram/rm, 1x12x128x32@dram, 1x12x128x32@dram, "
     "1x1x12x128@dram/rm -> 1x1x12x32@dram/rm ; is_causal=false",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram, "
     "1x1x12x128@dram/rm -> 1x1x12x32@dram ; is_causal=false",
     kNewest},
    {"attention_decode.page_table",
     "ttnn.paged_scaled_dot_product_attention_decode 1x8x32x64@dram, 32x8x64x64@dram, 32x8x64x64@dram, "
     "8x4xsi32@dram/rm, 8xsi32@dram/rm -> 1x8x32x64@dram ; operandSegmentSizes=[1,1,1,1,0,1,0]",
     "ttnn.paged_scaled_dot_product_attention_decode 1x8x32x64@dram, 32x8x64x64@dram, 32x8x64x64@dram, "
     "8x4xu32@dram/rm, 8xsi32@dram/rm -> 1x8x32x64@dram ; operandSegmentSizes=[1,1,1,1,0,1,0]",
     kNewest},
    {"attention_decode.scores_block",
     "ttnn.paged_scaled_dot_product_attention_decode 1x8x32x64@dram, 32x8x64x64@dram, 32x8x64x64@dram, "
     "8x4xsi32@l1/rm, 8xsi32@dram/rm -> 1x8x32x64@dram ; operandSegmentSizes=[1,1,1,1,0,1,0]",
     "ttnn.paged_scaled_dot_product_attention_decode 1x8x71x64@dram, 32x1x64x64@dram, 32x1x64x64@dram, "
     "8x4xsi32@dram/rm, 8xsi32@dram/rm -> 1x8x71x64@dram ; operandSegmentSizes=[1,1,1,1,0,1,0]",
     kNewest},
    {"attention_decode.cores_per_head",
     "ttnn.scaled_dot_product_attention_decode 1x1x12x32@dram, 1x12x128x32@dram, 1x12x128x32@dram -> "
     "1x1x12x32@dram",
     "", kNewest},
    {"cache.input_tiled", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@l1 -> ()",
     "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@l1/rm -> ()"},
    {"cache.types", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@l1 -> ()",
     "ttnn.fill_cache 1x8x64x128xsi32@dram, 1x8x32x128xsi32@l1 -> ()"},
    {"cache.whole_rows", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@hs8 -> ()",
     "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@bs8x2 -> ()"},
    {"fill_cache.same_type", "ttnn.fill_cache 1x8x64x128xbfp_bf8@dram, 1x8x32x128xbfp_bf8@l1 -> ()",
     "ttnn.fill_cache 1x8x64x128xbfp_bf8@dram, 1x8x32x128@l1 -> ()"},
    {"fill_cache.heads_in_shards", "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@hs8 -> ()",
     "ttnn.fill_cache 1x8x64x128@dram, 1x8x32x128@hs4 -> ()"},
    {"update_cache.even_shards", "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@hs4, 1xu32@dram/rm -> ()",
     "ttnn.update_cache 1x8x64x128@dram, 1x8x1x128@hs3, 1xu32@dram/rm -> ()"},
    {"paged_update_cache.index_in_dram",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@l1/rm -> ()", kNewest},
    {"paged_update_cache.page_table",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm, 32x4xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm, 32x4xu32@dram/rm -> ()",
     kNewest},
    {"paged_update_cache.input_type",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128xf32@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128xbfp_bf8@hs32, 32xsi32@dram/rm -> ()", kNewest},
    {"paged_fill_cache.table_room",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x544x256@dram, 8x16xsi32@dram/rm -> ()"},
    {"paged_fill_cache.table_pages",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@l1/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x4xsi32@l1/rm -> ()", kNewest},
    {"paged_fill_cache.index_in_dram",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm, 1xu32@dram/rm -> ()",
     "ttnn.paged_fill_cache 128x4x32x256@dram, 1x12x65x256@dram, 8x16xsi32@dram/rm, 1xu32@l1/rm -> ()",
     kNewest},
    {"rotary_embedding.table_types",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x32x64@l1",
     "ttnn.rotary_embedding 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64xf32@dram -> 1x8x32x64@l1"},
    {"rotary_embedding.table_shapes",
     "ttnn.rotary_embedding 4x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 4x8x32x64@l1",
     "ttnn.rotary_embedding 4x8x32x64@l1, 4x1x32x64@dram, 4x1x32x64@dram -> 4x8x32x64@l1"},
    {"rotary_embedding.table_rows",
     "ttnn.rotary_embedding 1x8x64x64@l1, 1x1x33x64@dram, 1x1x33x64@dram -> 1x8x64x64@l1",
     "ttnn.rotary_embedding 1x8x64x64@l1, 1x1x32x64@dram, 1x1x32x64@dram -> 1x8x64x64@l1"},
    {"rotary_embedding.token",
     "ttnn.rotary_embedding 1x32x8x64@l1, 1x1x1x64@dram, 1x1x1x64@dram -> 1x32x32x64@l1 ; token_index=0",
     "ttnn.rotary_embedding 4x32x8x64@l1, 1x1x1x64@dram, 1x1x1x64@dram -> 4x32x32x64@l1 ; token_index=0"},
    {"rotary_embedding_llama.prefill",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1",
     "ttnn.rotary_embedding_llama 1x8x32x64@hs8, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@hs8"},
    {"rotary_embedding_llama.table_shapes",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x64x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1"},
    {"rotary_embedding_llama.types",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32@dram -> "
     "1x8x32x64@l1",
     "ttnn.rotary_embedding_llama 1x8x32x64@l1, 1x1x32x64@dram, 1x1x32x64@dram, 1x1x32x32xf32@dram -> "
     "1x8x32x64@l1"},
    {"concatenate_heads.head_size", "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@l1",
     "ttnn.concatenate_heads 1x8x32x100@l1 -> 1x32x800@l1"},
    {"concatenate_heads.tiled", "ttnn.concatenate_heads 1x8x32x64@l1 -> 1x32x512@l1",
     "ttnn.concatenate_heads 1x8x32x64@l1/rm -> 1x32x512@l1"},
    {"nlp_concat_heads_decode.user_in_shard",
     "ttnn.nlp_concat_heads_decode 1x8x32x128@hs8 -> 1x1x8x4096@? ; num_heads=32",
     "ttnn.nlp_concat_heads_decode 1x8x32x128@hs4 -> 1x1x8x4096@? ; num_heads=32", kNewest},
    {"nlp_concat_heads_decode.rectangle",
     "ttnn.nlp_concat_heads_decode 1x8x32x128@hs8 -> 1x1x8x4096@? ; num_heads=32",
     "ttnn.nlp_concat_heads_decode 1x12x32x128@hs12 -> 1x1x12x4096@? ; num_heads=32", kNewest},
    {"nlp_concat_heads_decode.type",
     "ttnn.nlp_concat_heads_decode 1x8x32x128xf32@hs8 -> 1x1x8x4096xf32@? ; num_heads=32",
     "ttnn.nlp_concat_heads_decode 1x8x32x128xbfp_bf8@hs8 -> 1x1x8x4096xbfp_bf8@? ; num_heads=32", kNewest},
    {"nlp_create_qkv_heads_decode.result_cores",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@hs32, 1x32x2x64@hs32, 1x32x2x64@hs32",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@hs16, 1x32x2x64@hs16, 1x32x2x64@hs16",
     kNewest},
    {"nlp_create_qkv_heads_decode.tiled",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@l1, 1x32x2x64@l1, 1x32x2x64@l1",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1/rm -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?", kNewest},
    {"nlp_create_qkv_heads_decode.type",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768@l1 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?",
     "ttnn.nlp_create_qkv_heads_decode 1x1x32x768xbfp_bf8@l1 -> 1x32x8x64@?, 1x32x2x64@?, 1x32x2x64@?",
     kNewest},
    {"split_heads.tiled",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@l1 -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1",
     "ttnn.split_query_key_value_and_split_heads 2x64x768@l1/rm -> 2x4x64x64@l1, 2x4x64x64@l1, 2x4x64x64@l1"},
    {"paged_update_cache.shard_per_user",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs32, 32xsi32@dram/rm -> ()",
     "ttnn.paged_update_cache 32x8x128x128@dram, 1x32x8x128@hs16, 32xsi32@dram/rm -> ()", kNewest},
    {"rotary_embedding_llama.table_shards",
     "ttnn.rotary_embedding_llama 1x8x32x64@hs8, 1x8x32x64@hs8, 1x8x32x64@hs8, 1x1x256x32@hs8 -> "
     "1x8x32x64@hs8 ; is_decode_mode=true",
     "ttnn.rotary_embedding_llama 1x8x32x64@hs4, 1x8x32x64@hs8, 1x8x32x64@hs8, 1x1x256x32@hs8 -> "
     "1x8x32x64@hs4 ; is_decode_mode=true",
     kNewest},
    {"attention_decode.result_shard",
     "ttnn.scaled_dot_product_attention_decode 1x8x32x64@hs8, 8x1x128x64@dram, 8x1x128x64@dram -> "
     "1x8x32x64@hs8",
     "ttnn.scaled_dot_product_attention_decode 1x8x71x64@hs8, 8x1x512x64@dram, 8x1x512x64@dram -> "
     "1x8x71x64@hs24",
     kNewest},
};

std::string expand(llvm::StringRef text) {
  std::string result = text.str();
  for (auto [word, attributes] :
       {std::pair("CONV", kConvAttributes), std::pair("POINT", kPointAttributes),
        std::pair("SMALL", kSmallAttributes), std::pair("FOLD", kFoldAttributes),
        std::pair("DEEP", kDeepAttributes), std::pair("LARGE", kLargeAttributes),
        std::pair("DEPTHWISE", kDepthwiseAttributes), std::pair("POOL", kPoolAttributes)})
    if (size_t at = result.find(word); at != std::string::npos)
      result.replace(at, llvm::StringRef(word).size(), attributes.str());
  return result;
}

class RulesTest : public testing::Test {
protected:
  const DeviceSpec &device = *findDevice("n150");
  LayoutPool layouts;
  std::unique_ptr<OpModel> model = createAnalyticOpModel({device, layouts, device.usableL1()});
  std::unique_ptr<OpModel> newest = createAnalyticOpModel({device, layouts, device.usableL1(), kNewest});

  ValidationResult ask(llvm::StringRef text, BackendVersion version = BackendVersion::Pinned) {
    return (version == kNewest ? newest : model)->query(parseQuery(expand(text), layouts, device).query());
  }
  /// Of two answers the first that `holds`: rules end or begin with a version.
  template <typename Holds>
  ValidationResult either(llvm::StringRef text, BackendVersion version, Holds holds) {
    ValidationResult result = ask(text, version);
    return holds(result) ? result : ask(text, kNewest);
  }
};

TEST_F(RulesTest, EachRuleAccepts) {
  for (const RuleCase &c : kCases) {
    ValidationResult result = either(c.accepted, c.version, [](const ValidationResult &r) {
      return r.status != ValidationStatus::MetalBackendError;
    });
    EXPECT_NE(result.status, ValidationStatus::MetalBackendError)
        << c.rule.str() << ": " << result.rule << ": " << result.message;
    EXPECT_NE(result.status, ValidationStatus::NotImplemented) << c.rule.str() << ": " << result.message;
  }
}

TEST_F(RulesTest, EachRuleRefuses) {
  for (const RuleCase &c : kCases) {
    if (c.refused.empty())
      continue; // needs layouts that the builders do not make: see below
    ValidationResult result =
        either(c.refused, c.version, [&](const ValidationResult &r) { return r.rule == c.rule.str(); });
    EXPECT_EQ(result.status, ValidationStatus::MetalBackendError)
        << c.rule.str() << ": " << name(result.status).str();
    EXPECT_EQ(result.rule, c.rule.str()) << result.message;
    const RuleInfo *rule = findRule(c.rule);
    ASSERT_NE(rule, nullptr) << c.rule.str();
    EXPECT_NE(result.message.find(rule->requirement.str()), std::string::npos) << result.message;
  }
}

TEST_F(RulesTest, NoRuleIsUntested) {
  std::set<std::string> tested;
  for (const RuleCase &c : kCases)
    tested.insert(c.rule.str());
  for (const RuleInfo &rule : legalityRules())
    EXPECT_TRUE(tested.count(rule.id.str())) << rule.id.str();
  for (const std::string &rule : tested)
    EXPECT_NE(findRule(rule), nullptr) << rule << " is no longer a rule";
}

TEST_F(RulesTest, GridBeyondTheDeviceIsRefused) {
  TextQuery q = parseQuery("ttnn.relu 2048x64@hs64 -> 2048x64@hs64", layouts, device);
  TensorLayout wide = layouts[q.inputs[0]];
  wide.grid = {65, 1};
  q.inputs[0] = layouts.intern(wide);
  EXPECT_EQ(model->query(q.query()).rule, "op.grid");
}

TEST_F(RulesTest, EmptyGridIsRefused) {
  TextQuery q = parseQuery("ttnn.relu 64x64@hs2 -> 64x64@hs2", layouts, device);
  TensorLayout empty = layouts[q.inputs[0]];
  empty.grid = {0, 1};
  q.inputs[0] = layouts.intern(empty);
  EXPECT_EQ(model->query(q.query()).rule, "op.layout_size");
}

TEST_F(RulesTest, MessageSaysWhatWasGivenAndWhatWouldBeLegal) {
  ValidationResult result =
      ask("ttnn.matmul 256x64@hs8, 64x64@ws2 -> 256x64@hs8 ; ; mcast1d_in1 k=2 m=1 n=2");
  EXPECT_NE(result.message.find("1D mcast_in1 needs an interleaved in1"), std::string::npos)
      << result.message;
  EXPECT_NE(result.message.find("in1 64x64xbf16 l1/width_sharded/1x2"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("mcast_1d in1"), std::string::npos) << result.message;
}

TEST_F(RulesTest, UnknownOpsAreNotImplemented) {
  ValidationResult result = ask("ttnn.frobnicate 64x64@dram -> 64x64@dram");
  EXPECT_EQ(result.status, ValidationStatus::NotImplemented);
  EXPECT_NE(result.message.find("ttnn.frobnicate"), std::string::npos);
}

} // namespace
