// A sharded query is read where the kernel's grid has its user, and a board may have more columns than the module describes: the plan states the
// grid that it reckons with, with the chunks that the kernel takes by itself, so that neither the time nor the numbers change. Without it,
// a decode layer of Llama 3.2 1B was 43 % off on kernels of a chip with 13 columns, planned for 12.
//
// RUN: tessera optimize %s -q -o - | FileCheck %s
// RUN: tessera optimize %s -q -o - | tessera optimize - --policy declared -q -o - | FileCheck %s
// CHECK: "ttnn.scaled_dot_product_attention_decode"
// CHECK-SAME: program_config = #ttnn.sdpa_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, q_chunk_size = 32, k_chunk_size = 128, max_cores_per_head_batch = 64>
//
// On Blackhole with the exponentials that compile there.
// RUN: tessera optimize %s --device p150 -q -o - | FileCheck %s --check-prefix=P150
// P150: program_config = #ttnn.sdpa_program_config<compute_with_storage_grid_size = #ttnn.core_coord<13, 10>, q_chunk_size = 32, k_chunk_size = 128, exp_approx_mode = false, max_cores_per_head_batch = 130>
//
// Of a query in DRAM nothing is stated.
// RUN: tessera optimize %s --policy declared -q -o - | FileCheck %s --check-prefix=PLAIN
// PLAIN-LABEL: func.func @in_dram(
// PLAIN-NOT: program_config
#dram = #ttnn.buffer_type<dram>
#qkv = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x96x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#cache = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 3072 + d1 * 384 + d2, d3), <1x1>, memref<3072x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#positions = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xsi32, #dram>, <interleaved>>
func.func @main(%x: tensor<1x1x32x3072xbf16, #qkv>, %k: tensor<32x8x384x64xbf16, #cache>, %v: tensor<32x8x384x64xbf16, #cache>, %p: tensor<32xsi32, #positions>) -> tensor<1x32x32x64xbf16, #heads> {
  %query, %key, %value = "ttnn.nlp_create_qkv_heads_decode"(%x) <{num_heads = 32 : ui32, num_kv_heads = 8 : ui32}> : (tensor<1x1x32x3072xbf16, #qkv>) -> (tensor<1x32x32x64xbf16, #heads>, tensor<1x32x8x64xbf16, #heads>, tensor<1x32x8x64xbf16, #heads>)
  "ttnn.paged_update_cache"(%k, %key, %p) <{share_cache = false}> : (tensor<32x8x384x64xbf16, #cache>, tensor<1x32x8x64xbf16, #heads>, tensor<32xsi32, #positions>) -> ()
  "ttnn.paged_update_cache"(%v, %value, %p) <{share_cache = false}> : (tensor<32x8x384x64xbf16, #cache>, tensor<1x32x8x64xbf16, #heads>, tensor<32xsi32, #positions>) -> ()
  %0 = "ttnn.scaled_dot_product_attention_decode"(%query, %k, %v, %p) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x32x32x64xbf16, #heads>, tensor<32x8x384x64xbf16, #cache>, tensor<32x8x384x64xbf16, #cache>, tensor<32xsi32, #positions>) -> tensor<1x32x32x64xbf16, #heads>
  return %0 : tensor<1x32x32x64xbf16, #heads>
}
func.func @in_dram(%query: tensor<1x32x32x64xbf16, #heads>, %k: tensor<32x8x384x64xbf16, #cache>, %p: tensor<32xsi32, #positions>) -> tensor<1x32x32x64xbf16, #heads> {
  %0 = "ttnn.scaled_dot_product_attention_decode"(%query, %k, %k, %p) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x32x32x64xbf16, #heads>, tensor<32x8x384x64xbf16, #cache>, tensor<32x8x384x64xbf16, #cache>, tensor<32xsi32, #positions>) -> tensor<1x32x32x64xbf16, #heads>
  return %0 : tensor<1x32x32x64xbf16, #heads>
}
