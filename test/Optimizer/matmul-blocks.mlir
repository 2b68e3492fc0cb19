// A wide matmul (the last of gemma_2_2b_prefill_layer). What a core makes is 17x125 tiles, too many for one piece: the search
// offers parts of it, large ones where L1 allows, smaller ones where it does not. The backend's own blocks depend on
// how much is free, and take 61.9 ms with all of L1. Sums have 32 bits, which the plan states: twice the room of bf16.

// RUN: tessera optimize %s --policy configurations -q -o - | FileCheck %s
// CHECK: matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 8, {{.*}}out_block_h = 17, out_block_w = 5, per_core_m = 17, per_core_n = 125,

// With less L1 the blocks are smaller, and the matmul takes longer, but not much.
// RUN: tessera candidates %s --op matmul_0 | FileCheck %s --check-prefix=ALL
// ALL: {{^}}8.{{[0-9]+}} ms {{.*}} mcast_1d in0 grid 8x8 block 8 per-core 17x125 in 17x5
// RUN: tessera candidates %s --op matmul_0 --tensor-l1-usage-cap 0.3 | FileCheck %s --check-prefix=THIRD
// THIRD: {{^}}8.{{[0-9]+}} ms {{.*}} mcast_1d in0 grid 8x8 block 2 per-core 17x125 in 17x5
// RUN: tessera candidates %s --op matmul_0 --tensor-l1-usage-cap 0.1 | FileCheck %s --check-prefix=TENTH
// TENTH: {{^}}13.{{[0-9]+}} ms {{.*}} mcast_2d grid 8x6 block 2 per-core 3x1000 in 3x10

#dram = #ttnn.buffer_type<dram>
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<17x72x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<72x8000x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#c = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<17x8000x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%a: tensor<544x2304xbf16, #a>, %b: tensor<2304x256000x!ttcore.tile<32x32, bfp_bf8>, #b>) -> tensor<544x256000xbf16, #c> {
  %0 = "ttnn.matmul"(%a, %b) <{transpose_a = false, transpose_b = false}> : (tensor<544x2304xbf16, #a>, tensor<2304x256000x!ttcore.tile<32x32, bfp_bf8>, #b>) -> tensor<544x256000xbf16, #c>
  return %0 : tensor<544x256000xbf16, #c>
}
