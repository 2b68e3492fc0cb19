//===- RulesReduction.cpp - Legality rules, by example ---------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RuleCases.h"

using namespace tessera;

namespace {

constexpr RuleCase kCases[] = {
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
    // Norms, attention, heads and caches as ttnn 0.77.0 answers.
    {"norm.result_block", "ttnn.rms_norm 64x512@ws4 -> 64x512@ws4", "ttnn.rms_norm 64x512@ws4 -> 64x512@ws8"},
    {"softmax.padded_rows", "ttnn.softmax 64x80@hs2 -> 64x80@hs2 ; dimension=1",
     "ttnn.softmax 64x80@ws3 -> 64x80@ws3 ; dimension=1", kNewest},
};

} // namespace

llvm::ArrayRef<RuleCase> tessera::ruleCasesOfReduction() { return kCases; }
