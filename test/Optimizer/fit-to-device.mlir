// What a program says of cores that the device does not have is decided anew: places of results, and the grid of an attention's config.

// RUN: tessera optimize %s --device n150 -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// SAID: remark: its program config asks for more cores than n150 has: it gets 8x8 of them
// SAID-NOT: keeps its layout
// RUN: FileCheck %s < %t
// CHECK: "ttnn.paged_scaled_dot_product_attention_decode"
// CHECK-SAME: compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, q_chunk_size = 32, k_chunk_size = 64
// CHECK-NOT: core_range<(0,0), (11,0)>
// RUN: tessera verify --structure %s %t
// On a device that has the cores, and under a policy that keeps the program, they stay.
// RUN: tessera optimize %s --device p150 -q -o - | FileCheck %s --check-prefix=KEPT
// RUN: tessera optimize %s --device n150 --policy declared -q -o - | FileCheck %s --check-prefix=KEPT
// KEPT: compute_with_storage_grid_size = #ttnn.core_coord<12, 10>

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<12x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#shards = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <12x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (11,0)>]>>
#query = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#keys = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8192x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#table = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xsi32, #dram>, <interleaved>>
#positions = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xsi32, #dram>, <interleaved>>
!rows = tensor<384x64xbf16, #rows>
!shards = tensor<384x64xbf16, #shards>
!query = tensor<1x32x32x64xbf16, #query>
!keys = tensor<1024x8x32x64xbf16, #keys>
!table = tensor<32x32xsi32, #table>
!positions = tensor<32xsi32, #positions>

func.func @f(%x: !rows, %q: !query, %k: !keys, %v: !keys, %table: !table, %at: !positions) -> (!rows, !query) {
  %0 = "ttnn.relu"(%x) : (!rows) -> !shards
  %1 = "ttnn.sigmoid"(%0) : (!shards) -> !rows
  %2 = "ttnn.paged_scaled_dot_product_attention_decode"(%q, %k, %v, %table, %at) <{is_causal = true,
    operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0>, program_config = #ttnn.sdpa_program_config<
    compute_with_storage_grid_size = <12, 10>, q_chunk_size = 32, k_chunk_size = 64, exp_approx_mode = false,
    max_cores_per_head_batch = 16>, scale = 1.250000e-01 : f32}> : (!query, !keys, !keys, !table, !positions) -> !query
  return %1, %2 : !rows, !query
}
