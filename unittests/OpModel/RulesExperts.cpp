//===- RulesExperts.cpp - Examples of rules: mixtures of experts ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "RuleCases.h"

using namespace tessera;

namespace {

constexpr RuleCase kCases[] = {
    {"sparse_matmul.pages",
     "ttnn.sparse_matmul 2x1x32x64@dram, 1x4x64x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram",
     "ttnn.sparse_matmul 2x1x32x64@dram, 1x4x64x128@dram, 2x1x1x4@dram -> 2x1x1x4x32x128@dram"},
    {"sparse_matmul.types",
     "ttnn.sparse_matmul 2x1x32x64@dram, 1x4x64x128xbfp_bf8@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram",
     "ttnn.sparse_matmul 2x1x32x64xu32@dram, 1x4x64x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram"},
    {"sparse_matmul.inner",
     "ttnn.sparse_matmul 2x1x32x96@dram, 1x4x96x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram",
     "ttnn.sparse_matmul 2x1x32x64@dram, 1x4x96x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram"},
    {"sparse_matmul.sparsity",
     "ttnn.sparse_matmul 1x4x32x64@dram, 1x4x64x128@dram, 1x1x1x4@dram/rm -> 1x4x32x128@dram ; "
     "is_input_a_sparse=true",
     "ttnn.sparse_matmul 2x1x32x64@dram, 1x4x64x128@dram, 1x1x1x4@dram/rm -> 2x1x1x4x32x128@dram"},
    {"sparse_matmul.interleaved",
     "ttnn.sparse_matmul 2x1x32x64@l1, 1x4x64x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram",
     "ttnn.sparse_matmul 2x1x32x64@hs2, 1x4x64x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram"},
    {"sparse_matmul.config",
     "ttnn.sparse_matmul 2x1x32x64@dram, 1x4x64x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram ; ; "
     "mcast1d_in0 k=2 m=1 n=1 sub=1x1",
     "ttnn.sparse_matmul 2x1x32x64@dram, 1x4x64x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram ; ; mcast2d "
     "k=2 m=1 n=1 sub=1x1"},
    {"sparse_matmul.blocks",
     "ttnn.sparse_matmul 2x1x32x64@dram, 1x4x64x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram ; ; "
     "mcast1d_in0 k=1 m=1 n=2 sub=1x1 block=1x1",
     "ttnn.sparse_matmul 2x1x32x96@dram, 1x4x96x128@dram, 2x1x1x4@dram/rm -> 2x1x1x4x32x128@dram ; ; "
     "mcast1d_in0 k=2 m=1 n=1 sub=1x1"},
    {"experts.row_major",
     "ttnn.all_to_all_dispatch 4x1x1x64@dram/rm, 4x1x1x2xu16@dram/rm, 1x1x8x2xu16@dram/rm -> "
     "1x8x1x64@dram/rm, 1x8x1x2xu16@dram/rm ; num_devices=2",
     "ttnn.all_to_all_combine 4x8x1x64@dram, 1x8x1x2xu16@dram/rm, 1x1x8x2xu16@dram/rm -> 2x4x1x64@dram/rm ; "
     "num_devices=2"},
    {"experts.interleaved",
     "ttnn.moe_expert_token_remap 1x8x1x8@dram/rm, 1x1x8x2xu16@dram/rm, 1x8x1x2xu16@dram/rm -> "
     "1x8x1x4@dram/rm, 1x1x1x4xu16@dram/rm",
     "ttnn.all_to_all_dispatch 4x1x1x64@hs4/rm, 4x1x1x2xu16@dram/rm, 1x1x8x2xu16@dram/rm -> "
     "1x8x1x64@dram/rm, 1x8x1x2xu16@dram/rm ; num_devices=2"},
    {"deepseek_grouped_gate.tiled",
     "ttnn.deepseek_grouped_gate 32x256@dram, 1x256@dram -> 32x8@dram, 32x8xu16@dram",
     "ttnn.deepseek_grouped_gate 32x256@dram/rm, 1x256@dram -> 32x8@dram, 32x8xu16@dram"},
};

} // namespace

llvm::ArrayRef<RuleCase> tessera::ruleCasesOfExperts() { return kCases; }
