//===- RulesWindow.cpp - Legality rules, by example ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RuleCases.h"

using namespace tessera;

namespace {

constexpr RuleCase kCases[] = {
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
    {"conv2d.reshard_layout",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV "
     "conv2d_config.reshard_if_not_optimal=false",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV "
     "conv2d_config.reshard_if_not_optimal=true",
     kNewest},
    {"conv2d.tilized_shards",
     "ttnn.conv2d 1x1x3136x64@hs49/rm, 64x64x1x1@host/rm -> 1x1x3136x64@dram ; POINT ; conv "
     "shard=block_sharded",
     "ttnn.conv2d 1x1x3136x64@hs56/rm, 64x64x1x1@host/rm -> 1x1x3136x64@dram ; POINT ; conv "
     "shard=block_sharded",
     kNewest},
    {"conv1d.whole_columns",
     "ttnn.conv1d 1x512x192@bs8x6/rm, 192x192x3@host/rm -> 1x1x512x192@dram ; batch_size=1 dilation=1 "
     "groups=1 "
     "in_channels=192 input_length=512 kernel_size=3 out_channels=192 padding=[1,1] stride=1",
     "ttnn.conv1d 1x512x188@bs8x6/rm, 192x188x3@host/rm -> 1x1x512x192@dram ; batch_size=1 dilation=1 "
     "groups=1 "
     "in_channels=188 input_length=512 kernel_size=3 out_channels=192 padding=[1,1] stride=1",
     kNewest},
    {"conv2d.matmul_shards",
     "ttnn.conv2d 1x1x3136x64@hs49, 64x64x1x1@host/rm -> 1x1x3136x64@dram ; POINT ; conv "
     "shard=height_sharded",
     "ttnn.conv2d 1x1x3136x64@ws2, 64x64x1x1@host/rm -> 1x1x3136x64@dram ; POINT ; conv shard=height_sharded",
     kNewest},
    {"conv1d.keeps_cores",
     "ttnn.conv1d 4x33x128@hs2/shard=128x128, 64x128x1@host/rm -> 1x1x132x64@dram ; batch_size=4 dilation=1 "
     "groups=1 in_channels=128 input_length=33 kernel_size=1 out_channels=64 padding=[0,0] stride=1",
     "ttnn.conv1d 4x33x128@hs1/shard=256x128, 64x128x1@host/rm -> 1x1x132x64@dram ; batch_size=4 dilation=1 "
     "groups=1 in_channels=128 input_length=33 kernel_size=1 out_channels=64 padding=[0,0] stride=1",
     kNewest},
    {"conv1d.keeps_cores",
     "ttnn.conv1d 8x40x128@bs5x4/shard=128x32, 64x128x5@host/rm -> 1x1x288x64@dram ; batch_size=8 dilation=1 "
     "groups=1 "
     "in_channels=128 input_length=40 kernel_size=5 out_channels=64 padding=[0,0] stride=1",
     "ttnn.conv1d 8x40x128@bs8x4, 64x128x5@host/rm -> 1x1x288x64@dram ; batch_size=8 dilation=1 groups=1 "
     "in_channels=128 input_length=40 kernel_size=5 out_channels=64 padding=[0,0] stride=1",
     kNewest},
    {"conv1d.keeps_cores",
     "ttnn.conv1d 8x40x128@hs8, 64x128x5@host/rm -> 1x1x288x64@dram ; batch_size=8 dilation=1 groups=1 "
     "in_channels=128 input_length=40 kernel_size=5 out_channels=64 padding=[0,0] stride=1",
     "ttnn.conv1d 8x40x128@hs9/shard=64x128, 64x128x5@host/rm -> 1x1x288x64@dram ; batch_size=8 dilation=1 "
     "groups=1 "
     "in_channels=128 input_length=40 kernel_size=5 out_channels=64 padding=[0,0] stride=1",
     kNewest},
    {"conv2d.prepared_tiles",
     "ttnn.conv2d 1x1x64x64@ws2, 1x1x576x64@dram -> 1x1x64x64@dram ; batch_size=1 dilation=[1,1] groups=1 "
     "in_channels=64 input_height=8 input_width=8 kernel_size=[3,3] out_channels=64 padding=[1,1] "
     "stride=[1,1]",
     "ttnn.conv2d 1x1x64x96@ws2, 1x1x864x64@dram -> 1x1x64x64@dram ; batch_size=1 dilation=[1,1] groups=1 "
     "in_channels=96 input_height=8 input_width=8 kernel_size=[3,3] out_channels=64 padding=[1,1] "
     "stride=[1,1]",
     kNewest},
    {"conv1d.depthwise_shards",
     "ttnn.conv1d 1x32x64@dram, 64x1x4@host/rm -> 1x1x32x64@dram ; batch_size=1 dilation=1 groups=64 "
     "in_channels=64 input_length=32 kernel_size=4 out_channels=64 padding=[3,0] stride=1",
     "ttnn.conv1d 1x32x64@ws2, 64x1x4@host/rm -> 1x1x32x64@dram ; batch_size=1 dilation=1 groups=64 "
     "in_channels=64 input_length=32 kernel_size=4 out_channels=64 padding=[3,0] stride=1",
     kNewest},
    {"conv1d.depthwise_shards",
     "ttnn.conv1d 1x64x32@hs2, 32x1x3@host/rm -> 1x1x64x32@hs2 ; batch_size=1 dilation=1 groups=32 "
     "in_channels=32 input_length=64 kernel_size=3 out_channels=32 padding=[1,1] stride=1",
     "ttnn.conv1d 1x64x32@hs2, 32x1x1@host/rm -> 1x1x64x32@hs2 ; batch_size=1 dilation=1 groups=32 "
     "in_channels=32 input_length=64 kernel_size=1 out_channels=32 padding=[0,0] stride=1",
     kNewest},
    {"conv2d.prepared_channels",
     "ttnn.conv2d 1x1x64x64@bs2x2, 1x1x64x64@dram -> 1x1x64x64@dram ; "
     "batch_size=1 dilation=[1,1] groups=1 in_channels=64 input_height=8 input_width=8 kernel_size=[1,1] "
     "out_channels=64 padding=[0,0] stride=[1,1] conv2d_config.shard_layout=block_sharded",
     "ttnn.conv2d 1x1x64x96@bs2x2, 1x1x96x64@dram -> 1x1x64x64@dram ; "
     "batch_size=1 dilation=[1,1] groups=1 in_channels=96 input_height=8 input_width=8 kernel_size=[1,1] "
     "out_channels=64 padding=[0,0] stride=[1,1] conv2d_config.shard_layout=block_sharded",
     kNewest},
    {"conv2d.prepared_channels",
     "ttnn.conv2d 1x1x64x32@hs2/rm, 1x1x32x64@dram -> 1x1x64x64@dram ; "
     "batch_size=1 dilation=[1,1] groups=1 in_channels=32 input_height=8 input_width=8 kernel_size=[1,1] "
     "out_channels=64 padding=[0,0] stride=[1,1] conv2d_config.shard_layout=height_sharded",
     "ttnn.conv2d 1x1x64x24@ws3/rm/shard=64x8, 1x1x24x64@dram -> 1x1x64x64@dram ; "
     "batch_size=1 dilation=[1,1] groups=1 in_channels=24 input_height=8 input_width=8 kernel_size=[1,1] "
     "out_channels=64 padding=[0,0] stride=[1,1] conv2d_config.shard_layout=height_sharded",
     BackendVersion::October2026},
    {"conv2d.prepared_channels",
     "ttnn.conv2d 1x1x64x24@ws3/rm/shard=64x8, 64x24x3x3@host/rm -> 1x1x64x64@dram ; "
     "batch_size=1 dilation=[1,1] groups=1 in_channels=24 input_height=8 input_width=8 kernel_size=[3,3] "
     "out_channels=64 padding=[1,1] stride=[1,1] conv2d_config.shard_layout=height_sharded",
     "ttnn.conv2d 1x1x64x24@ws3/rm/shard=64x8, 1x1x216x64@dram -> 1x1x64x64@dram ; "
     "batch_size=1 dilation=[1,1] groups=1 in_channels=24 input_height=8 input_width=8 kernel_size=[3,3] "
     "out_channels=64 padding=[1,1] stride=[1,1] conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.short_rows",
     "ttnn.conv2d 1x1x192x64@l1/rm, 64x64x1x3@host/rm -> 1x1x128x64@dram ; batch_size=1 input_height=32 "
     "input_width=6 in_channels=64 out_channels=64 kernel_size=[1,3] padding=[0,0] stride=[1,1] "
     "dilation=[1,1] "
     "groups=1",
     "ttnn.conv2d 1x1x160x64@l1/rm, 64x64x1x3@host/rm -> 1x1x64x64@dram ; batch_size=1 input_height=32 "
     "input_width=5 in_channels=64 out_channels=64 kernel_size=[1,3] padding=[0,0] stride=[1,2] "
     "dilation=[1,1] "
     "groups=1",
     kNewest},
    {"conv2d.block_divides",
     "ttnn.conv2d 1x1x784x64@l1, 64x64x3x3@host/rm -> 1x1x784x64@dram ; SMALL ; conv shard=width_sharded",
     "ttnn.conv2d 1x1x784x64@l1, 64x64x3x3@host/rm -> 1x1x784x64@dram ; SMALL ; conv shard=width_sharded "
     "act_block_h=64",
     kNewest},
    {"conv2d.folded_weights",
     "ttnn.conv2d 1x1x3136x64@dram, 64x64x2x2@host/rm -> 1x1x784x64@dram ; FOLD ; conv "
     "shard=height_sharded",
     "ttnn.conv2d 1x1x3136x64@dram, 64x64x2x2@host/rm -> 1x1x784x64@dram ; FOLD "
     "conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.folded_weights", "ttnn.conv2d 1x1x3136x64@dram, 64x64x2x2@host/rm -> 1x1x784x64@dram ; FOLD",
     "ttnn.conv2d 1x1x3136x64@dram, 64x64x2x2@host/rm -> 1x1x784x64@dram ; FOLD "
     "conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.whole_result_shards",
     "ttnn.conv2d 1x1x784x64@l1, 64x64x3x3@host/rm -> 1x1x784x64@bs5x2/rm/shard=160x32 ; SMALL "
     "conv2d_config.shard_layout=block_sharded conv2d_config.output_layout=row_major",
     "ttnn.conv2d 1x1x784x64@l1, 64x64x3x3@host/rm -> 1x1x784x64@bs5x1/rm/shard=160x64 ; SMALL "
     "conv2d_config.shard_layout=block_sharded conv2d_config.output_layout=row_major",
     kNewest},
    {"conv2d.whole_result_shards",
     "ttnn.conv2d 1x1x3136x64@l1, 64x64x1x1@host/rm -> 1x1x3136x64@dram/rm ; POINT "
     "conv2d_config.output_layout=row_major",
     "ttnn.conv2d 1x1x3136x64@l1, 64x64x1x1@host/rm -> 1x1x3136x64@hs56/rm ; POINT "
     "conv2d_config.output_layout=row_major",
     kNewest},
    {"conv2d.filled_result_rows",
     "ttnn.conv2d 1x1x784x64@hs25/rm/shard=32x64, 32x64x3x3@host/rm -> 1x1x784x32@hs25/rm/shard=32x32 ; "
     "batch_size=1 input_height=28 input_width=28 in_channels=64 out_channels=32 kernel_size=[3,3] "
     "padding=[1,1] "
     "conv2d_config.shard_layout=height_sharded conv2d_config.output_layout=row_major",
     "ttnn.conv2d 1x1x784x64@hs25/rm/shard=32x64, 24x64x3x3@host/rm -> 1x1x784x24@hs25/rm/shard=32x24 ; "
     "batch_size=1 input_height=28 input_width=28 in_channels=64 out_channels=24 kernel_size=[3,3] "
     "padding=[1,1] "
     "conv2d_config.shard_layout=height_sharded conv2d_config.output_layout=row_major",
     kNewest},
    {"conv2d.filled_rows",
     "ttnn.conv2d 1x1x784x32@hs25/rm/shard=32x32, 64x32x1x1@host/rm -> 1x1x784x64@dram ; "
     "batch_size=1 input_height=28 input_width=28 in_channels=32 out_channels=64 kernel_size=[1,1] "
     "padding=[0,0] "
     "conv2d_config.shard_layout=height_sharded",
     "ttnn.conv2d 1x1x784x24@hs25/rm/shard=32x24, 64x24x1x1@host/rm -> 1x1x784x64@dram ; "
     "batch_size=1 input_height=28 input_width=28 in_channels=24 out_channels=64 kernel_size=[1,1] "
     "padding=[0,0] "
     "conv2d_config.shard_layout=height_sharded",
     BackendVersion::October2026},
    {"conv2d.folded_window",
     "ttnn.conv2d 1x1x3136x64@dram, 64x64x2x2@host/rm -> 1x1x784x64@dram ; "
     "kernel_size=[2,2] padding=[0,0] stride=[2,2] input_height=56 input_width=56 TOLD",
     "ttnn.conv2d 1x1x900x64@dram, 64x64x4x4@host/rm -> 1x1x49x64@dram ; "
     "kernel_size=[4,4] padding=[0,0] stride=[4,4] input_height=30 input_width=30 TOLD",
     kNewest},
    {"conv2d.folded_tiles",
     "ttnn.conv2d 1x1x1024x64@dram/rm, 64x64x2x2@host/rm -> 1x1x289x64@dram ; "
     "kernel_size=[2,2] padding=[1,1] stride=[2,2] input_height=32 input_width=32 TOLD",
     "ttnn.conv2d 1x1x1024x64@dram, 64x64x2x2@host/rm -> 1x1x289x64@dram ; "
     "kernel_size=[2,2] padding=[1,1] stride=[2,2] input_height=32 input_width=32 TOLD",
     kNewest},
    {"conv2d.folded_otherwise",
     "ttnn.conv2d 1x1x1024x64@hs8, 64x64x2x2@host/rm -> 1x1x256x64@dram ; "
     "kernel_size=[2,2] padding=[0,0] stride=[2,2] input_height=32 input_width=32 TOLD",
     "ttnn.conv2d 1x1x1024x64@bs8x1, 64x64x2x2@host/rm -> 1x1x256x64@dram ; "
     "kernel_size=[2,2] padding=[0,0] stride=[2,2] input_height=32 input_width=32 TOLD",
     kNewest},
    {"conv2d.folded_copies",
     "ttnn.conv2d 1x1x768x64@hs4, 64x64x2x2@host/rm -> 1x1x192x64@dram ; "
     "kernel_size=[2,2] padding=[0,0] stride=[2,2] input_height=32 input_width=24 TOLD "
     "conv2d_config.shard_layout=height_sharded",
     "ttnn.conv2d 1x1x768x64@hs3, 64x64x2x2@host/rm -> 1x1x192x64@dram ; "
     "kernel_size=[2,2] padding=[0,0] stride=[2,2] input_height=32 input_width=24 TOLD "
     "conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.folded_pixels",
     "ttnn.conv2d 1x1x1024x32@hs32, 32x32x4x4@host/rm -> 1x1x64x32@hs2 ; batch_size=1 dilation=[1,1] "
     "groups=1 "
     "in_channels=32 input_height=32 input_width=32 kernel_size=[4,4] out_channels=32 padding=[0,0] "
     "stride=[4,4] conv2d_config.shard_layout=height_sharded",
     "ttnn.conv2d 1x1x256x32@hs8, 32x32x4x4@host/rm -> 1x1x16x32@hs1 ; batch_size=1 dilation=[1,1] groups=1 "
     "in_channels=32 input_height=16 input_width=16 kernel_size=[4,4] out_channels=32 padding=[0,0] "
     "stride=[4,4] conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.block_divides",
     "ttnn.conv2d 1x1x32x64@l1, 64x64x3x3@host/rm -> 1x1x32x64@? ; batch_size=1 dilation=[1,1] groups=1 "
     "in_channels=64 input_height=4 input_width=8 kernel_size=[3,3] out_channels=64 padding=[1,1] "
     "stride=[1,1] "
     "conv2d_config.act_block_h_override=64",
     "ttnn.conv2d 1x1x28x64@l1, 64x64x3x3@host/rm -> 1x1x28x64@? ; batch_size=1 dilation=[1,1] groups=1 "
     "in_channels=64 input_height=4 input_width=7 kernel_size=[3,3] out_channels=64 padding=[1,1] "
     "stride=[1,1] "
     "conv2d_config.act_block_h_override=64",
     kNewest},
    {"conv2d.rows_of_block_floats",
     "ttnn.conv2d 1x1x784x64@l1, 64x64x3x3@host/rm -> 1x1x784x64xbfp_bf8@? ; batch_size=1 dilation=[1,1] "
     "groups=1 in_channels=64 input_height=28 input_width=28 kernel_size=[3,3] out_channels=64 padding=[1,1] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded",
     "ttnn.conv2d 1x1x784x64@l1, 64x64x3x3@host/rm -> 1x1x784x64xbfp_bf8@? ; batch_size=1 dilation=[1,1] "
     "groups=1 in_channels=64 input_height=28 input_width=28 kernel_size=[3,3] out_channels=64 padding=[1,1] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded conv2d_config.output_layout=row_major",
     kNewest},
    {"conv2d.matmul_rows",
     "ttnn.conv2d 1x1x1024x64@hs64/rm, 80x64x1x1@host/rm -> 1x1x1024x80@hs32 ; batch_size=4 dilation=[1,1] "
     "groups=1 "
     "in_channels=64 input_height=16 input_width=16 kernel_size=[1,1] out_channels=80 padding=[0,0,0,0] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded",
     "ttnn.conv2d 1x1x784x240@hs49/rm, 80x240x1x1@host/rm -> 1x1x784x80@hs25 ; batch_size=1 dilation=[1,1] "
     "groups=1 "
     "in_channels=240 input_height=28 input_width=28 kernel_size=[1,1] out_channels=80 padding=[0,0,0,0] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.matmul_rows",
     "ttnn.conv2d 1x1x3136x96@hs49/rm, 1x1x96x32@dram -> 1x1x3136x32@hs49 ; batch_size=1 dilation=[1,1] "
     "groups=1 "
     "in_channels=96 input_height=56 input_width=56 kernel_size=[1,1] out_channels=32 padding=[0,0,0,0] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded",
     "ttnn.conv2d 1x1x3136x72@hs49/rm, 1x1x96x32@dram -> 1x1x3136x32@hs49 ; batch_size=1 dilation=[1,1] "
     "groups=1 "
     "in_channels=72 input_height=56 input_width=56 kernel_size=[1,1] out_channels=32 padding=[0,0,0,0] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.row_pixels",
     "ttnn.conv2d 1x1x784x64@hs56/rm, 80x64x1x1@host/rm -> 1x1x784x80@dram/rm ; batch_size=4 dilation=[1,1] "
     "groups=1 "
     "in_channels=64 input_height=14 input_width=14 kernel_size=[1,1] out_channels=80 padding=[0,0,0,0] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded conv2d_config.output_layout=row_major",
     "ttnn.conv2d 1x1x784x64@hs56/rm, 80x64x1x1@host/rm -> 1x1x784x80@hs25 ; batch_size=4 dilation=[1,1] "
     "groups=1 "
     "in_channels=64 input_height=14 input_width=14 kernel_size=[1,1] out_channels=80 padding=[0,0,0,0] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded",
     kNewest},
    {"conv2d.row_pixels",
     "ttnn.conv2d 1x1x1024x240@bs8x8/rm, 64x240x1x1@host/rm -> 1x1x1024x64@hs32 ; batch_size=1 "
     "dilation=[1,1] groups=1 "
     "in_channels=240 input_height=32 input_width=32 kernel_size=[1,1] out_channels=64 padding=[0,0,0,0] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded",
     "ttnn.conv2d 1x1x784x192@bs8x8/rm, 64x192x1x1@host/rm -> 1x1x784x64@hs25 ; batch_size=1 dilation=[1,1] "
     "groups=1 "
     "in_channels=192 input_height=28 input_width=28 kernel_size=[1,1] out_channels=64 padding=[0,0,0,0] "
     "stride=[1,1] conv2d_config.shard_layout=height_sharded",
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
    // One core has all channels, but rows of 96 take more than those of 80 do.
    {"conv2d.whole_result_rows",
     "ttnn.conv2d 1x1x1024x640@hs32/rm, 96x640x3x3@host/rm -> 1x1x1024x96@l1/rm ; batch_size=1 "
     "input_height=32 input_width=32 "
     "in_channels=640 out_channels=96 kernel_size=[3,3] stride=[1,1] padding=[1,1] dilation=[1,1] groups=1 ; "
     "conv",
     "ttnn.conv2d 1x1x1024x640@hs32/rm, 80x640x3x3@host/rm -> 1x1x1024x80@l1/rm ; batch_size=1 "
     "input_height=32 input_width=32 "
     "in_channels=640 out_channels=80 kernel_size=[3,3] stride=[1,1] padding=[1,1] dilation=[1,1] groups=1 ; "
     "conv",
     kNewest},
    // ttnn 0.77.0 makes a buffer of rows of 96 in DRAM, too, of which there is no view with rows of 80.
    {"conv2d.whole_result_rows",
     "ttnn.conv2d 1x1x1024x64@hs32, 96x64x3x3@host/rm -> 1x1x1024x96@dram/rm ; batch_size=1 "
     "input_height=32 input_width=32 "
     "in_channels=64 out_channels=96 kernel_size=[3,3] stride=[1,1] padding=[1,1] dilation=[1,1] groups=1 ; "
     "conv",
     "ttnn.conv2d 1x1x1024x64@hs32, 80x64x3x3@host/rm -> 1x1x1024x80@dram/rm ; batch_size=1 "
     "input_height=32 input_width=32 "
     "in_channels=64 out_channels=80 kernel_size=[3,3] stride=[1,1] padding=[1,1] dilation=[1,1] groups=1 ; "
     "conv",
     kNewest},
    {"conv2d.first_cores",
     "ttnn.conv2d 1x1x3136x64@hs49/cores=0:0-6:6, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV",
     "ttnn.conv2d 1x1x3136x64@hs49/cores=1:0-7:6, 64x64x3x3@host/rm -> 1x1x3136x64@dram ; CONV", kNewest},
    {"conv2d.moved_tiles",
     "ttnn.conv2d 1x1x256x64@l1/rm, 4x64x1x1@host/rm -> 1x1x256x4@bs8x1 ; batch_size=1 input_height=16 "
     "input_width=16 in_channels=64 out_channels=4 kernel_size=[1,1] stride=[1,1] padding=[0,0] "
     "dilation=[1,1] groups=1 ; conv shard=block_sharded deallocate=true",
     "ttnn.conv2d 1x1x256x4@l1/rm, 4x4x1x1@host/rm -> 1x1x256x4@bs8x1 ; batch_size=1 input_height=16 "
     "input_width=16 in_channels=4 out_channels=4 kernel_size=[1,1] stride=[1,1] padding=[0,0] "
     "dilation=[1,1] groups=1 ; conv shard=block_sharded deallocate=true",
     kNewest},
    {"conv2d.freed",
     "ttnn.conv2d 1x1x64x256@ws8/rm, 64x256x1x1@host/rm -> 1x1x64x64@ws2 ; batch_size=1 input_height=8 "
     "input_width=8 in_channels=256 out_channels=64 kernel_size=[1,1] stride=[1,1] padding=[0,0] "
     "dilation=[1,1] groups=1 ; conv shard=width_sharded",
     "ttnn.conv2d 1x1x64x256@ws8/rm, 64x256x1x1@host/rm -> 1x1x64x64@ws2 ; batch_size=1 input_height=8 "
     "input_width=8 in_channels=256 out_channels=64 kernel_size=[1,1] stride=[1,1] padding=[0,0] "
     "dilation=[1,1] groups=1 ; conv shard=width_sharded deallocate=true",
     kNewest},
    // Shards of four channels go to others of 32, as the weights' rows do not.
    {"conv2d.prepared_tiles",
     "ttnn.conv2d 1x1x64x256@ws8/rm, 1x1x256x64@dram -> 1x1x64x64@ws2 ; batch_size=1 input_height=8 "
     "input_width=8 in_channels=256 out_channels=64 kernel_size=[1,1] stride=[1,1] padding=[0,0] "
     "dilation=[1,1] groups=1 ; conv shard=width_sharded",
     "ttnn.conv2d 1x1x64x256@ws64/rm, 1x1x256x64@dram -> 1x1x64x64@ws2 ; batch_size=1 input_height=8 "
     "input_width=8 in_channels=256 out_channels=64 kernel_size=[1,1] stride=[1,1] padding=[0,0] "
     "dilation=[1,1] groups=1 ; conv shard=width_sharded",
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
    {"pool.data_type", "ttnn.max_pool2d 1x1x16384x32@dram -> 1x1x4096x32@dram ; POOL",
     "ttnn.max_pool2d 1x1x16384x32xf32@dram -> 1x1x4096x32xf32@dram ; POOL", kNewest},
    {"pool.first_cores", "ttnn.max_pool2d 1x1x16384x32@hs4/rm/cores=0:0-3:0 -> 1x1x4096x32@dram/rm ; POOL",
     "ttnn.max_pool2d 1x1x16384x32@hs4/rm/cores=0:1-3:1 -> 1x1x4096x32@dram/rm ; POOL", kNewest},
    {"pool.kinds_match", "ttnn.max_pool2d 1x1x16384x32@hs64/rm -> 1x1x4096x32@hs64/rm ; POOL",
     "ttnn.max_pool2d 1x1x16384x32@hs64/rm -> 1x1x4096x32@bs8x1/rm ; POOL"},
    // Shards of six channels: seven cores have one too many.
    {"pool.channels_shared",
     "ttnn.max_pool2d 1x1x196x42@ws7/rm -> 1x1x49x42@? ; batch_size=1 input_height=14 input_width=14 "
     "channels=42 kernel_size=[3,3] stride=[2,2] padding=[1,1] dilation=[1,1]",
     "ttnn.max_pool2d 1x1x196x36@ws7/rm -> 1x1x49x36@? ; batch_size=1 input_height=14 input_width=14 "
     "channels=36 kernel_size=[3,3] stride=[2,2] padding=[1,1] dilation=[1,1]",
     kNewest},
    {"pool.page_count", "ttnn.max_pool2d 1x1x16384x32@hs1/rm -> 1x1x4096x32@dram ; POOL",
     "ttnn.max_pool2d 1x1x131072x8@hs1/rm -> 1x1x32768x8@dram ; batch_size=1 input_height=256 "
     "input_width=512 "
     "channels=8 kernel_size=[2,2] stride=[2,2]"},
    // Shards of 128 channels, of 104 each: the seventh of eight columns holds the end of each row.
    {"pool.keeps_rows",
     "ttnn.max_pool2d 1x1x49x768@bs7x8/rm -> 1x1x49x768@bs7x8/rm ; batch_size=1 input_height=7 input_width=7 "
     "channels=768 kernel_size=[3,3] stride=[1,1] padding=[1,1] dilation=[1,1]",
     "ttnn.max_pool2d 1x1x49x832@bs7x8/rm -> 1x1x49x832@bs7x8/rm ; batch_size=1 input_height=7 input_width=7 "
     "channels=832 kernel_size=[3,3] stride=[1,1] padding=[1,1] dilation=[1,1]",
     kNewest},
    {"pool.keeps_padding",
     "ttnn.max_pool2d 1x1x1024x32@dram/rm -> 1x1x256x32@hs8/rm ; "
     "batch_size=1 input_height=32 input_width=32 channels=32 kernel_size=[2,2] stride=[2,2] padding=[0,0] "
     "dilation=[1,1]",
     "ttnn.max_pool2d 1x1x1024x24@dram/rm -> 1x1x256x24@hs8/rm ; "
     "batch_size=1 input_height=32 input_width=32 channels=24 kernel_size=[2,2] stride=[2,2] padding=[0,0] "
     "dilation=[1,1]",
     kNewest},
    {"pool.result_rows",
     "ttnn.max_pool2d 1x1x1024x48@dram/rm -> 1x1x256x48@dram/rm ; batch_size=1 input_height=32 "
     "input_width=32 "
     "channels=48 kernel_size=[3,3] stride=[2,2] padding=[1,1] dilation=[1,1]",
     "ttnn.max_pool2d 1x1x1024x56@dram/rm -> 1x1x256x56@dram/rm ; batch_size=1 input_height=32 "
     "input_width=32 "
     "channels=56 kernel_size=[3,3] stride=[2,2] padding=[1,1] dilation=[1,1]",
     BackendVersion::Newest},
    {"pool.result_rows",
     "ttnn.max_pool2d 1x1x1024x16@l1/rm -> 1x1x256x16@l1/rm ; batch_size=1 input_height=32 input_width=32 "
     "channels=16 kernel_size=[3,3] stride=[2,2] padding=[1,1] dilation=[1,1]",
     "ttnn.max_pool2d 1x1x1024x8@l1/rm -> 1x1x256x8@l1/rm ; batch_size=1 input_height=32 input_width=32 "
     "channels=8 kernel_size=[3,3] stride=[2,2] padding=[1,1] dilation=[1,1]",
     kNewest},
    {"upsample.whole_tiles",
     "ttnn.upsample 1x8x32x32@dram -> 1x16x64x32@dram/rm ; scale_factor=2 mode=nearest",
     "ttnn.upsample 1x8x8x32@dram -> 1x16x16x32@dram/rm ; scale_factor=2"},
    {"upsample.bilinear", "ttnn.upsample 1x8x8x32@dram/rm -> 1x16x16x32@dram/rm ; mode=bilinear",
     "ttnn.upsample 1x8x8x3@dram/rm -> 1x16x16x3@dram/rm ; mode=bilinear"},
    {"upsample.shards",
     "ttnn.upsample 1x8x8x8@ws1/rm/shard=64x8 -> 1x16x16x8@l1/rm ; scale_factor=2 mode=nearest",
     "ttnn.upsample 1x8x8x3@ws1/rm/shard=64x8 -> 1x16x16x3@l1/rm ; scale_factor=2 mode=nearest"},
    {"upsample.shards", "ttnn.upsample 1x8x8x32@hs8/rm -> 1x16x16x32@hs8/rm ; mode=bilinear",
     "ttnn.upsample 1x8x8x32@hs8/rm -> 1x16x16x32@dram/rm ; mode=bilinear"},
    {"conv3d.operand",
     "ttnn.conv3d 1x5x10x10x32@dram/rm, 864x64@dram -> 1x3x8x8x64@dram/rm ; kernel_size=[3,3,3]",
     "ttnn.conv3d 1x5x10x10x32@dram, 864x64@dram -> 1x3x8x8x64@dram/rm ; kernel_size=[3,3,3]"},
    {"conv3d.weight", "ttnn.conv3d 1x5x10x10x32@dram/rm, 864x64@dram -> 1x3x8x8x64@l1 ; kernel_size=[3,3,3]",
     "ttnn.conv3d 1x5x10x10x32@dram/rm, 864x64@dram/rm -> 1x3x8x8x64@l1 ; kernel_size=[3,3,3]"},
    {"conv3d.weight_rows",
     "ttnn.conv3d 1x5x10x10x64@dram/rm, 1728x64@dram -> 1x3x8x8x64@dram/rm ; kernel_size=[3,3,3] groups=2 "
     "conv3d_config.c_in_block=64",
     "ttnn.conv3d 1x5x10x10x64@dram/rm, 864x64@dram -> 1x3x8x8x64@dram/rm ; kernel_size=[3,3,3] groups=2 "
     "conv3d_config.c_in_block=64"},
    {"conv3d.interleaved",
     "ttnn.conv3d 1x5x10x10x32@l1/rm, 864x64@dram -> 1x3x8x8x64@l1 ; kernel_size=[3,3,3]",
     "ttnn.conv3d 1x5x10x10x32@l1/rm, 864x64@ws2 -> 1x3x8x8x64@l1 ; kernel_size=[3,3,3]"},
    {"conv3d.type", "ttnn.conv3d 1x5x10x10x32xf32@dram/rm, 32x64xf32@dram -> 1x5x10x10x64xf32@dram/rm",
     "ttnn.conv3d 1x5x10x10x32@dram/rm, 32x64xf32@dram -> 1x5x10x10x64@dram/rm"},
    {"conv3d.input_blocks",
     "ttnn.conv3d 1x5x10x10x16@dram/rm, 128x64@dram -> 1x4x9x9x64@dram/rm ; kernel_size=[2,2,2]",
     "ttnn.conv3d 1x5x10x10x16@dram/rm, 48x64@dram -> 1x3x10x10x64@dram/rm ; kernel_size=[3,1,1]"},
    {"conv3d.input_cores",
     "ttnn.conv3d 1x5x10x10x64@dram/rm, 64x64@dram -> 1x5x10x10x64@dram/rm ; "
     "conv3d_config.compute_with_storage_grid_size=#ttcore.grid<1x2>",
     "ttnn.conv3d 1x5x10x10x64@dram/rm, 64x64@dram -> 1x5x10x10x64@dram/rm"},
    {"conv3d.grid",
     "ttnn.conv3d 1x5x10x10x32@dram/rm, 32x64@dram -> 1x5x10x10x64@dram/rm ; "
     "conv3d_config.compute_with_storage_grid_size=#ttcore.grid<8x8>",
     "ttnn.conv3d 1x5x10x10x32@dram/rm, 32x64@dram -> 1x5x10x10x64@dram/rm ; "
     "conv3d_config.compute_with_storage_grid_size=#ttcore.grid<10x12>"},
    {"conv3d.output_blocks",
     "ttnn.conv3d 1x5x10x10x32@dram/rm, 32x320@dram -> 1x5x10x10x320@dram/rm ; conv3d_config.c_out_block=64",
     "ttnn.conv3d 1x5x10x10x32@dram/rm, 32x320@dram -> 1x5x10x10x320@dram/rm"},
    {"conv3d.result_rows", "ttnn.conv3d 1x5x10x10x32@dram/rm, 32x16@dram -> 1x5x10x10x16@dram/rm",
     "ttnn.conv3d 1x5x10x10x32@dram/rm, 32x16@dram -> 1x5x10x10x16@l1/rm"},
};

} // namespace

llvm::ArrayRef<RuleCase> tessera::ruleCasesOfWindow() { return kCases; }
