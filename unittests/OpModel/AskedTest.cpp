//===- AskedTest.cpp - Calls that the vendor's library was asked about ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Figures of the wheels ttnn 0.77.0 (Newest) and 0.81.1 (October2026) on their mock chips: circular buffers of the hungriest program, and
// tensors in L1 at their peak, in bytes per core. Formulas were made with other calls, of which a few are near these.
//
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "gtest/gtest.h"

using namespace tessera;

namespace {

constexpr BackendVersion Newest = BackendVersion::Newest, October2026 = BackendVersion::October2026;

struct Asked {
  const char *board;
  BackendVersion version;
  const char *call;
  int64_t buffers, tensors;
};

constexpr Asked kAsked[] = {
    {"n150", Newest,
     "ttnn.conv1d 1x320x96@bs5x3/shard=64x32, 96x1x9@host/rm -> 1x1x320x96@bs5x3 ; batch_size=1 dilation=1 "
     "groups=96 in_channels=96 input_length=320 kernel_size=9 out_channels=96 padding=[4,4] stride=1",
     77888, 8720},
    {"n150", Newest, "ttnn.group_norm 1x1x576x320@dram -> 1x1x576x320@dram ; num_groups=32", 55296, 0},
    {"n150", Newest, "ttnn.group_norm 2x1x4096x128@l1 -> 2x1x4096x128@l1 ; num_groups=1", 264192, 32768},
    {"n150", Newest, "ttnn.group_norm 3x1x200x96xf32@l1 -> 3x1x200x96xf32@l1 ; num_groups=3", 243712, 4096},
    {"n150", Newest, "ttnn.group_norm 70x1x256x64@l1 -> 70x1x256x64@l1 ; num_groups=2", 137216, 36864},
    {"n150", Newest, "ttnn.group_norm 1x1x65536x256@dram -> 1x1x65536x256@dram ; num_groups=1", 970752, 0},
    {"n150", Newest, "ttnn.group_norm 2x1x512x128@hs8 -> 2x1x512x128@hs8 ; num_groups=8", 61440, 32768},
    {"n150", Newest, "ttnn.group_norm 1x1x512x256@bs4x2/rm -> 1x1x512x256@bs4x2/rm ; num_groups=8", 94208,
     32768},
    {"n150", Newest, "ttnn.group_norm 1x1x192x160@bs3x4/rm -> 1x1x192x160@bs3x4/rm ; num_groups=4", 57344,
     5120},
    {"n150", Newest, "ttnn.global_avg_pool2d 2x14x14x64@l1 -> 2x1x1x64@l1", 28672, 4096},
    {"n150", Newest, "ttnn.global_avg_pool2d 1x7x7x1280@dram -> 1x1x1x1280@dram", 18432, 0},
    {"n150", Newest, "ttnn.global_avg_pool2d 4x8x8x320@hs8 -> 4x1x1x320@l1", 10240, 18432},
    {"n150", Newest, "ttnn.global_avg_pool2d 3x5x5x40@l1/rm -> 3x1x1x40@l1", 18432, 4096},
    {"n150", Newest, "ttnn.global_avg_pool2d 5x4x32x96xf32@dram -> 5x1x1x96xf32@l1", 20480, 12288},
    {"n150", October2026, "ttnn.argmax 7x3000@l1/rm -> 7xu32@l1/rm ; dim=1 keep_dim=false", 2464, 32},
    {"n150", October2026, "ttnn.argmax 7x3000xf32@dram/rm -> 7xu32@dram/rm ; dim=1 keep_dim=false", 4512, 0},
    {"n150", October2026, "ttnn.argmax 7x3000@l1/rm -> 7x1xu32@l1/rm ; dim=1 keep_dim=true", 4224, 16},
    {"n150", October2026, "ttnn.argmax 3x20@l1/rm -> 3xu32@l1/rm ; dim=1 keep_dim=false", 288, 16},
    {"n150", October2026,
     "ttnn.sort 40x512@dram -> 40x512@dram, 40x512xu16@dram ; descending=true dim=1 stable=true", 91136,
     2048},
    {"n150", October2026,
     "ttnn.sort 40x512@dram -> 40x512@dram, 40x512xu16@dram ; descending=true dim=1 stable=false", 91136, 0},
    {"n150", October2026,
     "ttnn.conv1d 1x320x96@bs5x3/shard=64x32, 96x1x9@host/rm -> 1x1x320x96@bs5x3 ; batch_size=1 dilation=1 "
     "groups=96 in_channels=96 input_length=320 kernel_size=9 out_channels=96 padding=[4,4] stride=1",
     77888, 8720},
    {"n150", October2026, "ttnn.group_norm 1x1x576x320@dram -> 1x1x576x320@dram ; num_groups=32", 55296, 0},
    {"n150", October2026, "ttnn.group_norm 2x1x4096x128@l1 -> 2x1x4096x128@l1 ; num_groups=1", 149504, 32768},
    {"n150", October2026, "ttnn.group_norm 3x1x200x96xf32@l1 -> 3x1x200x96xf32@l1 ; num_groups=3", 243712,
     4096},
    {"n150", October2026, "ttnn.group_norm 70x1x256x64@l1 -> 70x1x256x64@l1 ; num_groups=2", 137216, 36864},
    {"n150", October2026, "ttnn.group_norm 1x1x65536x256@dram -> 1x1x65536x256@dram ; num_groups=1", 970752,
     0},
    {"n150", October2026, "ttnn.group_norm 2x1x512x128@hs8 -> 2x1x512x128@hs8 ; num_groups=8", 61440, 32768},
    {"n150", October2026, "ttnn.group_norm 1x1x512x256@bs4x2/rm -> 1x1x512x256@bs4x2/rm ; num_groups=8",
     94208, 32768},
    {"n150", October2026, "ttnn.group_norm 1x1x192x160@bs3x4/rm -> 1x1x192x160@bs3x4/rm ; num_groups=4",
     57344, 5120},
    {"n150", October2026, "ttnn.global_avg_pool2d 2x14x14x64@l1 -> 2x1x1x64@l1", 28672, 4096},
    {"n150", October2026, "ttnn.global_avg_pool2d 1x7x7x1280@dram -> 1x1x1x1280@dram", 18432, 0},
    {"n150", October2026, "ttnn.global_avg_pool2d 4x8x8x320@hs8 -> 4x1x1x320@l1", 10240, 18432},
    {"n150", October2026, "ttnn.global_avg_pool2d 3x5x5x40@l1/rm -> 3x1x1x40@l1", 18432, 4096},
    {"n150", October2026, "ttnn.global_avg_pool2d 5x4x32x96xf32@dram -> 5x1x1x96xf32@l1", 20480, 12288},
    {"p150", October2026, "ttnn.argmax 7x3000@l1/rm -> 7xu32@l1/rm ; dim=1 keep_dim=false", 2464, 32},
    {"p150", October2026, "ttnn.argmax 7x3000xf32@dram/rm -> 7xu32@dram/rm ; dim=1 keep_dim=false", 4640, 0},
    {"p150", October2026, "ttnn.argmax 7x3000@l1/rm -> 7x1xu32@l1/rm ; dim=1 keep_dim=true", 8416, 16},
    {"p150", October2026, "ttnn.argmax 3x20@l1/rm -> 3xu32@l1/rm ; dim=1 keep_dim=false", 288, 16},
    {"p150", October2026,
     "ttnn.sort 40x512@dram -> 40x512@dram, 40x512xu16@dram ; descending=true dim=1 stable=true", 91136,
     2048},
    {"p150", October2026,
     "ttnn.sort 40x512@dram -> 40x512@dram, 40x512xu16@dram ; descending=true dim=1 stable=false", 91136, 0},
    {"p150", October2026,
     "ttnn.conv1d 1x320x96@bs5x3/shard=64x32, 96x1x9@host/rm -> 1x1x320x96@bs5x3 ; batch_size=1 dilation=1 "
     "groups=96 in_channels=96 input_length=320 kernel_size=9 out_channels=96 padding=[4,4] stride=1",
     77888, 8720},
    {"p150", October2026, "ttnn.group_norm 1x1x576x320@dram -> 1x1x576x320@dram ; num_groups=32", 55296, 0},
    {"p150", October2026, "ttnn.group_norm 2x1x4096x128@l1 -> 2x1x4096x128@l1 ; num_groups=1", 149504, 16384},
    {"p150", October2026, "ttnn.group_norm 3x1x200x96xf32@l1 -> 3x1x200x96xf32@l1 ; num_groups=3", 71680,
     4096},
    {"p150", October2026, "ttnn.group_norm 70x1x256x64@l1 -> 70x1x256x64@l1 ; num_groups=2", 137216, 18432},
    {"p150", October2026, "ttnn.group_norm 1x1x65536x256@dram -> 1x1x65536x256@dram ; num_groups=1", 970752,
     0},
    {"p150", October2026, "ttnn.group_norm 2x1x512x128@hs8 -> 2x1x512x128@hs8 ; num_groups=8", 61440, 32768},
    {"p150", October2026, "ttnn.group_norm 1x1x512x256@bs4x2/rm -> 1x1x512x256@bs4x2/rm ; num_groups=8",
     94208, 32768},
    {"p150", October2026, "ttnn.group_norm 1x1x192x160@bs3x4/rm -> 1x1x192x160@bs3x4/rm ; num_groups=4",
     57344, 5120},
    {"p150", October2026, "ttnn.global_avg_pool2d 2x14x14x64@l1 -> 2x1x1x64@l1", 28672, 4096},
    {"p150", October2026, "ttnn.global_avg_pool2d 1x7x7x1280@dram -> 1x1x1x1280@dram", 18432, 0},
    {"p150", October2026, "ttnn.global_avg_pool2d 4x8x8x320@hs8 -> 4x1x1x320@l1", 10240, 12288},
    {"p150", October2026, "ttnn.global_avg_pool2d 3x5x5x40@l1/rm -> 3x1x1x40@l1", 18432, 4096},
    {"p150", October2026, "ttnn.global_avg_pool2d 5x4x32x96xf32@dram -> 5x1x1x96xf32@l1", 20480, 12288},
    {"n150", Newest,
     "ttnn.conv1d 2x120x64@l1/rm, 64x1x7@host/rm -> 1x1x204x64@l1 ; batch_size=2 dilation=3 groups=64 "
     "in_channels=64 input_length=120 kernel_size=7 out_channels=64 padding=[0,0] stride=1",
     12352, 16976},
    {"n150", Newest,
     "ttnn.conv2d 1x1x640x160@l1/rm, 160x1x1x9@host/rm -> 1x1x632x160@l1 ; batch_size=1 dilation=[1,1] "
     "groups=160 in_channels=160 input_height=1 input_width=640 kernel_size=[1,9] out_channels=160 "
     "padding=[0,0] stride=[1,1]",
     276544, 27136},
    {"n150", Newest,
     "ttnn.conv_transpose2d 1x1x100x64@l1, 64x32x1x1@host/rm -> 1x1x361x32@l1 ; batch_size=1 dilation=[1,1] "
     "groups=1 in_channels=64 input_height=10 input_width=10 kernel_size=[1,1] out_channels=32 padding=[0,0] "
     "stride=[2,2] output_padding=[0,0]",
     16640, 10256},
    {"n150", Newest,
     "ttnn.split_query_key_value_and_split_heads 1x96x1920@dram -> 1x6x96x192@l1, 1x2x96x192@l1, "
     "1x2x96x192@l1 ; num_heads=6 num_kv_heads=2 transpose_key=false",
     8192, 8192},
    {"n150", Newest, "ttnn.topk 5x2047@dram -> 5x8@l1, 5x8xu16@l1 ; dim=1 k=8 largest=false sorted=true",
     36864, 6144},
    {"n150", Newest,
     "ttnn.topk 3x4095xf32@dram -> 3x50xf32@l1, 3x50xu16@l1 ; dim=1 k=50 largest=true sorted=true", 98304,
     12288},
    {"p150", October2026,
     "ttnn.conv1d 2x120x64@l1/rm, 64x1x7@host/rm -> 1x1x204x64@l1 ; batch_size=2 dilation=3 groups=64 "
     "in_channels=64 input_length=120 kernel_size=7 out_channels=64 padding=[0,0] stride=1",
     12352, 16976},
    {"p150", October2026,
     "ttnn.conv2d 1x1x640x160@l1/rm, 160x1x1x9@host/rm -> 1x1x632x160@l1 ; batch_size=1 dilation=[1,1] "
     "groups=160 in_channels=160 input_height=1 input_width=640 kernel_size=[1,9] out_channels=160 "
     "padding=[0,0] stride=[1,1]",
     276544, 25088},
    {"p150", October2026,
     "ttnn.conv_transpose2d 1x1x100x64@l1, 64x32x1x1@host/rm -> 1x1x361x32@l1 ; batch_size=1 dilation=[1,1] "
     "groups=1 in_channels=64 input_height=10 input_width=10 kernel_size=[1,1] out_channels=32 padding=[0,0] "
     "stride=[2,2] output_padding=[0,0]",
     16640, 10256},
    {"p150", October2026,
     "ttnn.split_query_key_value_and_split_heads 1x96x1920@dram -> 1x6x96x192@l1, 1x2x96x192@l1, "
     "1x2x96x192@l1 ; num_heads=6 num_kv_heads=2 transpose_key=false",
     8192, 6144},
    {"p150", October2026, "ttnn.topk 5x2047@dram -> 5x8@l1, 5x8xu16@l1 ; dim=1 k=8 largest=false sorted=true",
     159744, 6144},
    {"p150", October2026,
     "ttnn.topk 3x4095xf32@dram -> 3x50xf32@l1, 3x50xu16@l1 ; dim=1 k=50 largest=true sorted=true", 573440,
     12288},
    {"n150", Newest,
     "ttnn.conv_transpose2d 1x1x60x64@l1, 64x32x6x1@host/rm -> 1x1x180x32@l1 ; batch_size=1 dilation=[1,1] "
     "groups=1 in_channels=64 input_height=60 input_width=1 kernel_size=[6,1] out_channels=32 "
     "output_padding=[0,0] padding=[2,0] stride=[3,1] conv2d_config.config_tensors_in_dram=true",
     8640, 6464},
    {"n150", Newest,
     "ttnn.conv_transpose2d 1x1x147x64@hs5, 64x96x3x3@host/rm -> 1x1x507x96@l1 ; batch_size=3 dilation=[1,1] "
     "groups=1 in_channels=64 input_height=7 input_width=7 kernel_size=[3,3] out_channels=96 "
     "output_padding=[0,0] padding=[1,1] stride=[2,2]",
     135232, 51504},
    {"p150", October2026,
     "ttnn.conv_transpose2d 1x1x60x64@l1, 64x32x6x1@host/rm -> 1x1x180x32@l1 ; batch_size=1 dilation=[1,1] "
     "groups=1 in_channels=64 input_height=60 input_width=1 kernel_size=[6,1] out_channels=32 "
     "output_padding=[0,0] padding=[2,0] stride=[3,1] conv2d_config.config_tensors_in_dram=true",
     16960, 10880},
    {"p150", October2026,
     "ttnn.conv_transpose2d 1x1x147x64@hs5, 64x96x3x3@host/rm -> 1x1x507x96@l1 ; batch_size=3 dilation=[1,1] "
     "groups=1 in_channels=64 input_height=7 input_width=7 kernel_size=[3,3] out_channels=96 "
     "output_padding=[0,0] padding=[1,1] stride=[2,2]",
     135232, 51520},
    {"n150", Newest,
     "ttnn.linear 8x32x64xbf16@dram, 768x64xbf16@dram, 768xbf16@dram -> 8x32x768xbf16@l1 ; transpose_a=false "
     "transpose_b=true",
     16384, 12288},
    {"n150", Newest,
     "ttnn.matmul 3x2048x64xbf16@l1, 64x256xbf16@l1 -> 3x2048x256xbf16@l1 ; transpose_a=false "
     "transpose_b=false",
     57344, 49152},
    {"n150", Newest, "ttnn.min 8x64x96xsi32@l1 -> 8x64x1xsi32@l1 ; dim_arg=[2] keep_dim=true", 18432, 4096},
    {"n150", Newest, "ttnn.sum 8x60x96xu32@l1 -> 1x60x96xu32@l1 ; dim_arg=[0] keep_dim=true", 20480, 24576},
    {"n150", Newest, "ttnn.sum 31x1xf32@l1 -> 1x1xf32@l1 ; dim_arg=[0,1] keep_dim=true", 24576, 4096},
    {"n150", Newest, "ttnn.max 31x1xf32@l1 -> 1x1xf32@l1 ; dim_arg=[0,1] keep_dim=true", 24576, 8192},
    {"n150", October2026,
     "ttnn.matmul 4096x96xbf16@dram, 96x4864xbf16@dram -> 4096x4864xbf16@dram ; transpose_a=false "
     "transpose_b=false",
     421888, 0},
    {"n150", October2026, "ttnn.min 8x640x96xu32@l1 -> 8x1x96xu32@l1 ; dim_arg=[1] keep_dim=true", 198656,
     4096},
    {"n150", October2026, "ttnn.max 17x288xsi32@l1 -> 1x1xsi32@l1 ; dim_arg=[0,1] keep_dim=true", 43008,
     8192},
    {"p150", October2026,
     "ttnn.matmul 1000x128xbfp_bf8@l1, 128x512xbf16@l1 -> 1000x512xbfp_bf8@dram ; transpose_a=false "
     "transpose_b=false",
     185600, 0},
    {"p150", October2026,
     "ttnn.matmul 2048x768xbf16@l1, 2048x512xbf16@dram -> 768x512xbf16@dram ; transpose_a=true "
     "transpose_b=false",
     327680, 0},
    {"p150", October2026, "ttnn.sum 1x31x1xbf16@dram -> 1x1x1xbf16@l1 ; dim_arg=[0,1,2] keep_dim=true", 12288,
     4096},
    {"n150", Newest, "ttnn.sum 8x3x80x32xbf16@l1 -> 8x1x1x32xbf16@l1 ; dim_arg=[1,2] keep_dim=true", 26624,
     8192},
    {"n150", Newest, "ttnn.prod 320xbf16@dram -> 1xbf16@dram ; dim_arg=0 keep_dim=true", 10240, 0},
    {"n150", Newest, "ttnn.concat 128xf32@l1, 129xf32@l1 -> 257xf32@l1 ; dim=0", 73728, 5296},
    {"n150", Newest, "ttnn.concat 80x288xbfp_bf8@dram, 33x288xbfp_bf8@l1 -> 113x288xbfp_bf8@dram ; dim=0",
     36864, 576},
    {"n150", Newest,
     "ttnn.slice_static 48x224xbfp_bf8@dram -> 16x32xbfp_bf8@dram ; begins=[16,32] ends=[32,64] step=[1,1]",
     21952, 0},
    {"p150", October2026, "ttnn.concat 128xf32@l1, 129xf32@l1 -> 257xf32@l1 ; dim=0", 73728, 5200},
    {"n150", Newest,
     "ttnn.group_norm 2x1x64x256xbf16@l1/rm -> 2x1x64x256xbf16@dram/rm ; num_groups=8 epsilon=1e-05", 40960,
     2048},
    {"n150", Newest,
     "ttnn.conv2d 1x1x140x256xbfp_bf8@dram, 10x256x3x1xbf16@host/rm -> 1x1x36x10xbfp_bf8@dram ; "
     "in_channels=256 out_channels=10 batch_size=1 input_height=20 input_width=7 kernel_size=[3,1] "
     "stride=[2,2] padding=[0,0] dilation=[1,1] groups=1",
     10240, 10960},
    {"n150", Newest,
     "ttnn.conv2d 1x1x224x16xbfp_bf8@dram, 48x16x3x1xbf16@host/rm -> 1x1x196x48xbfp_bf8@dram ; "
     "in_channels=16 out_channels=48 batch_size=2 input_height=16 input_width=7 kernel_size=[3,1] "
     "stride=[1,1] padding=[0,0] dilation=[1,1] groups=1",
     12288, 5008},
    {"n150", Newest, "ttnn.scatter 17x96xbf16@l1, 17x96xu32@l1, 17x96xbf16@l1 -> 17x96xbf16@dram ; dim=0",
     24576, 640},
    {"n150", Newest, "ttnn.scatter 90x44xbf16@l1, 17x44xu32@l1, 17x44xbf16@l1 -> 90x44xbf16@l1 ; dim=0",
     24576, 2560},
    {"n150", Newest,
     "ttnn.rows_gather 1x500x77xf32@dram/rm, 1x1x120xsi32@dram/rm -> 1x120x77xf32@dram/rm ; column=false "
     "fill_out_of_bounds=false sizes=[500] windows=[1]",
     73728, 0},
    {"n150", Newest,
     "ttnn.rows_gather 1x50000x32xsi32@dram/rm, 1x1x32xsi32@dram/rm -> 1x32x32xsi32@dram/rm ; column=false "
     "fill_out_of_bounds=false sizes=[50000] windows=[1]",
     20480, 0},
    {"n150", October2026,
     "ttnn.pad 5x15009xf32@l1/rm -> 5x15136xf32@l1/rm ; padding=[0,0,0,127] value=0.0 use_multicore=true",
     605440, 60544},
    {"n150", Newest,
     "ttnn.pad 8x192x80xbfp_bf8@l1 -> 8x195x112xbfp_bf8@dram ; padding=[0,0,0,3,0,32] value=0.0 "
     "use_multicore=true",
     10240, 9408},
    {"n150", Newest,
     "ttnn.pad 40x72xbfp_bf8@l1 -> 40x73xbfp_bf8@l1 ; padding=[0,0,0,1] value=0.0 use_multicore=true", 12288,
     3136},
    // Rows that are scattered: what stands for it adds up in f32.
    {"n150", Newest,
     "ttnn.rows_scatter 1x14000x16@dram/rm, 1x1x9xsi32@dram/rm, 1x9x16@dram/rm -> 1x14000x16@dram/rm ; "
     "column=false reduce=sum sizes=[14000] windows=[1]",
     112096, 0},
    {"n150", Newest,
     "ttnn.rows_scatter 1x14000x16@dram/rm, 1x1x9000xsi32@dram/rm, 1x9000x16@dram/rm -> 1x14000x16@dram/rm ; "
     "column=false reduce=invalid sizes=[14000] windows=[1]",
     110016, 0},
    {"n150", Newest,
     "ttnn.rows_scatter 3x140x16x4@dram/rm, 1x1x9xsi32@dram/rm, 3x9x16x4@dram/rm -> 3x140x16x4@dram/rm ; "
     "column=false reduce=sum sizes=[140] windows=[1]",
     24576, 0},
    // Weight and bias without a mask.
    {"n150", Newest,
     "ttnn.group_norm 1x1x32x192@l1, 1x1x6x32@dram/rm, 1x1x6x32@dram/rm -> 1x1x32x192@l1 ; num_groups=2 "
     "epsilon=1e-05 operandSegmentSizes=[1,0,1,1]",
     86016, 2048},
    {"n150", October2026,
     "ttnn.group_norm 1x1x32x256@dram, 1x1x8x32@dram/rm, 1x1x8x32@dram/rm -> 1x1x32x256@dram ; "
     "num_groups=32 epsilon=1e-05 operandSegmentSizes=[1,0,1,1]",
     40960, 0},
    // An exchange of H and C converts shards of block floats, what has five dimensions is not converted at all.
    {"p150", October2026,
     "ttnn.permute 1x3x49x33xbfp_bf8@hs3/shard=64x64 -> 1x33x3x49xbfp_bf8@bs1x2/shard=1056x32 ; "
     "permutation=[0,3,1,2]",
     6272, 116032},
    {"p150", October2026,
     "ttnn.permute 1x16x32x33xbfp_bf8@ws2/shard=512x32 -> 1x32x33x16xbfp_bf8@l1 ; permutation=[0,2,3,1]",
     6272, 133120},
    {"p150", October2026,
     "ttnn.permute 4x7x5x5x32xbfp_bf8@dram -> 5x32x5x7x4xbfp_bf8@bs4x1/shard=6400x32 ; "
     "permutation=[3,4,2,1,0]",
     6832, 217600},
    {"n150", Newest, "ttnn.transpose 1x3x1x31x49xbfp_bf8@dram -> 1x31x1x3x49xbfp_bf8@dram ; dim0=1 dim1=3",
     2192, 0},
    // Groups of f32 are read in one block whatever they hold.
    {"n150", October2026, "ttnn.group_norm 1x1x4096x256xf32@dram -> 1x1x4096x256xf32@dram ; num_groups=2",
     509952, 0},
    // Rows of shards that are not aligned are fetched; what repeats nothing moves.
    {"p150", October2026, "ttnn.abs 16x16x64x9@hs16/rm/shard=1024x9 -> 16x16x64x9@hs16/rm/shard=1024x9", 8192,
     32768},
    {"p150", October2026, "ttnn.repeat 64x64@dram -> 64x64@l1 ; repeat_dims=[1,1]", 4096, 2048},
    {"p150", October2026, "ttnn.repeat 64x64@hs2 -> 64x64@ws2 ; repeat_dims=[1,1]", 0, 4096},
    // Blocks of a matmul that is asked for block shards are no larger than its result, since October 2026.
    {"n150", Newest, "ttnn.matmul 96x128@dram, 128x96@l1 -> 96x96@bs3x3", 262144, 524288},
    {"p150", October2026, "ttnn.matmul 96x128@dram, 128x96@l1 -> 96x96@bs3x3", 49152, 18432},
    {"p150", October2026, "ttnn.matmul 512x64@l1, 64x256@l1 -> 512x256@bs6x4/shard=96x64", 98304, 262144},
    // Height shards whose last tile is not full are padded, then tilized.
    {"p150", October2026, "ttnn.to_layout 784x96@hs13/rm/shard=64x96 -> 784x96@hs13/shard=64x96", 192, 24576},
    {"n150", October2026, "ttnn.to_layout 784x96@hs5/rm/shard=160x96 -> 784x96@dram", 12288, 30720},
    {"p150", October2026, "ttnn.to_layout 4x49x96@hs4/rm/shard=64x96 -> 4x49x96@l1", 6144, 14336},
    // What is sorted already.
    {"n150", Newest, "ttnn.sort 64x1@l1 -> 64x1@l1, 64x1xu16@l1 ; dim=-1 descending=false stable=false", 0,
     2048},
    {"p150", October2026, "ttnn.sort 64x1@l1 -> 64x1@l1, 64x1xu16@l1 ; dim=-1 descending=false stable=false",
     4096, 4096},
    {"p150", October2026, "ttnn.repeat 2x128@dram/rm -> 2x384@ws32/rm/shard=2x12 ; repeat_dims=[1,3]", 6144,
     832},
    // Clamps: five results until October 2026, three since.
    {"n150", Newest,
     "ttnn.clamp_tensor 3x384x384xf32@ws12, 3x384x384xf32@ws12, 3x384x384xf32@ws12 -> 3x384x384xf32@hs12",
     32768, 737280},
    {"p150", October2026,
     "ttnn.clamp_tensor 3x384x384xf32@hs36, 3x384x384xf32@hs36, 3x384x384xf32@hs36 -> 3x384x384xf32@hs36", 0,
     147456},
    {"p150", October2026,
     "ttnn.clamp_tensor 3x384x384@hs12, 1x384x384@dram, 1x384x384@dram -> 3x384x384@hs12", 12288, 221184},
    {"p150", October2026, "ttnn.clamp_tensor 3x384x384@dram, 1x1x384@dram, 1x1x384@dram -> 3x384x384@dram",
     16384, 0},
    // Rows that are no multiple of 16 bytes between height shards.
    {"n150", Newest, "ttnn.to_memory_config 1600x5@hs10/rm/shard=160x5 -> 1600x5@hs20/rm/shard=80x5", 2560,
     1280},
    {"p150", October2026,
     "ttnn.to_memory_config 160x49xf32@hs10/rm/shard=16x49 -> 160x49xf32@hs27/rm/shard=6x49", 6656, 1248},
    // Block floats of four bits are turned as they are, those of eight by way of bf16, for other ops, too.
    {"n150", Newest, "ttnn.transpose 2x8x64x128xbfp_bf4@l1 -> 128x8x64x2xbfp_bf4@l1 ; dim0=0 dim1=3", 3456,
     18432},
    {"n150", October2026,
     "ttnn.permute 2x8x64x128xbfp_bf4@hs16/shard=64x128 -> 2x64x128x8xbfp_bf4@l1 ; permutation=[0,2,3,1]",
     2304, 23040},
    {"n150", Newest, "ttnn.gather 33x48x32xbfp_bf8@dram, 1x47x32xu16@l1 -> 1x47x32xbfp_bf8@dram ; dim=0",
     12320, 5184},
    // Row-major shards that cut rows are made interleaved before each exchange.
    {"n150", Newest,
     "ttnn.permute 3x128x128xsi32@ws32/rm/shard=384x4 -> 128x128x3xsi32@? ; permutation=[1,2,0]", 24576,
     13312},
    {"n150", Newest,
     "ttnn.transpose 1x96x256xsi32@hs4/rm/shard=24x256 -> 256x96x1xsi32@dram/rm ; dim0=2 dim1=0", 163840,
     50688},
    {"p150", October2026, "ttnn.transpose 196x192xf32@hs16/rm/shard=13x192 -> 192x196xf32@? ; dim0=0 dim1=1",
     278528, 28672},
    // Columns of shards are turned, repeated and turned back.
    {"n150", Newest,
     "ttnn.repeat_interleave 12x4x128x512@hs30/rm/shard=205x512 -> 12x4x128x2048@dram/rm ; repeats=4 dim=3",
     933888, 1889280},
    {"p150", October2026,
     "ttnn.repeat_interleave 2x7x128x64@hs46/rm/shard=39x64 -> 16x7x128x64@dram/rm ; repeats=8 dim=0", 0,
     40032},
    {"n150", Newest, "ttnn.repeat_interleave 64x128@l1 -> 64x128@dram ; repeats=1 dim=0", 4096, 0},
    // Shards of whole rows are repeated into such; others go by way of interleaved memory.
    {"n150", October2026,
     "ttnn.repeat 7x64x1024xu32@ws32/rm/shard=448x32 -> 14x64x1024xu32@ws43/rm/shard=896x24 ; "
     "repeat_dims=[2,1,1]",
     32768, 143360},
    {"p150", October2026, "ttnn.repeat 48x48xf32@hs18/rm/shard=3x48 -> 48x240xf32@hs1/rm ; repeat_dims=[1,5]",
     0, 47040},
    {"n150", Newest,
     "ttnn.repeat 3x512x1024xf32@ws18/rm/shard=1536x60 -> 3x512x4096xf32@l1/rm ; repeat_dims=[1,1,4]", 8448,
     496896},
    // Choices of many, and over other dimensions.
    {"p150", October2026,
     "ttnn.topk 64x1600@l1 -> 64x100@dram, 64x100xu16@dram ; k=100 dim=1 largest=true sorted=true", 65536,
     7744},
    {"p150", October2026,
     "ttnn.topk 64x128@l1 -> 64x80@dram, 64x80xu16@dram ; k=80 dim=1 largest=true sorted=true", 32768, 4672},
    {"n150", October2026,
     "ttnn.topk 64x2048@l1 -> 64x65@dram, 64x65xu16@dram ; k=65 dim=1 largest=true sorted=true", 61440, 0},
    {"n150", Newest,
     "ttnn.topk 1x20x200x64@l1 -> 1x4x200x64@l1, 1x4x200x64xu16@l1 ; k=4 dim=1 largest=true sorted=true",
     36864, 86016},
    {"n150", Newest,
     "ttnn.topk 17x17x128xbfp_bf8@l1 -> 8x17x128xbfp_bf8@l1, 8x17x128xu16@l1 ; k=8 dim=0 largest=true "
     "sorted=true",
     33984, 20992},
    // Numbers of matrices, and of rows.
    {"n150", Newest, "ttnn.argmax 3x4x40x70@l1 -> 3x40x70xu32@l1/rm ; dim=1 keep_dim=false", 24576, 4672},
    {"p150", October2026, "ttnn.argmax 3x4x40x70xf32@l1/rm -> 1x4x40x70xu32@l1/rm ; dim=0 keep_dim=true",
     24576, 8768},
    {"n150", Newest, "ttnn.argmax 2x100x70@l1/rm -> 2x70xu32@l1/rm ; dim=1 keep_dim=false", 12288, 2336},
    // Nothing is kept beside operand and result.
    {"n150", Newest, "ttnn.hardshrink 64x128xf32@dram -> 64x128xf32@dram", 16384, 0},
    {"p150", October2026, "ttnn.hardshrink 64x128@hs2 -> 64x128@hs2", 0, 8192},
    // Rows of pixels are moved to whole tiles, filled up by rows of zeros. Of channels that end within tiles kernels multiply what lies behind them
    // (conv2d.filled_rows: with 72 and 200 channels these were 131 and 136 % off on ttsim 1.10.0).
    {"n150", October2026,
     "ttnn.conv2d 1x1x3136x96@hs64/rm/shard=49x96, 144x96x1x1@host/rm -> 1x1x3136x144@hs49/shard=64x160 ; "
     "in_channels=96 out_channels=144 batch_size=1 input_height=56 input_width=56 kernel_size=[1,1] "
     "stride=[1,1] "
     "padding=[0,0,0,0] dilation=[1,1] groups=1 conv2d_config.shard_layout=height_sharded",
     30720, 32768},
    {"p150", October2026,
     "ttnn.conv2d 1x1x196x224@hs7/rm/shard=28x224, 32x224x1x1@host/rm -> 1x1x196x32@? ; in_channels=224 "
     "out_channels=32 batch_size=1 input_height=14 input_width=14 kernel_size=[1,1] stride=[1,1] "
     "padding=[0,0,0,0] dilation=[1,1] groups=1 conv2d_config.shard_layout=height_sharded",
     14336, 43008},
};

class AskedTest : public testing::TestWithParam<Asked> {};

TEST_P(AskedTest, NeedsWhatTheLibraryNeeds) {
  const Asked &asked = GetParam();
  LayoutPool layouts;
  DeviceSpec device = asOpenedBy(asked.version, *findDevice(asked.board));
  TextQuery query = parseQuery(asked.call, layouts, device);
  ValidationResult result =
      createAnalyticOpModel({device, layouts, Bytes(int64_t(1) << 40), asked.version})->query(query.query());
  EXPECT_EQ(result.constraints.cbL1PeakSize.value(), asked.buffers) << asked.board << " " << asked.call;
  EXPECT_EQ(result.constraints.tensorL1PeakSize.value(), asked.tensors) << asked.board << " " << asked.call;
}

INSTANTIATE_TEST_SUITE_P(Calls, AskedTest, testing::ValuesIn(kAsked));

} // namespace
