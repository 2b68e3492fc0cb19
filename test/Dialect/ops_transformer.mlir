// Caches, attention, rotary embedding, heads.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

#l = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>

// CHECK-LABEL: func.func @caches
func.func @caches(%cache: tensor<32x8x128x64xbf16>, %fill: tensor<1x8x32x64xbf16>, %one: tensor<1x32x8x64xbf16>, %pos: tensor<32xsi32>, %table: tensor<32x4xsi32>, %few: tensor<1x32x4x64xbf16>, %batch: tensor<4x8x32x64xbf16>, %index: tensor<4xsi32>) {
  // CHECK: "ttnn.fill_cache"(%arg0, %arg1) <{batch_offset = 31 : i32}> : {{.*}} -> ()
  "ttnn.fill_cache"(%cache, %fill) <{batch_offset = 31 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>) -> ()
  // CHECK-NEXT: "ttnn.update_cache"(%arg0, %arg1, %arg3) <{batch_offset = 0 : i32}>
  "ttnn.update_cache"(%cache, %fill, %pos) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>, tensor<32xsi32>) -> ()
  // CHECK-NEXT: "ttnn.paged_update_cache"(%arg0, %arg2, %arg3) <{share_cache = false}>
  "ttnn.paged_update_cache"(%cache, %one, %pos) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<1x32x8x64xbf16>, tensor<32xsi32>) -> ()
  // CHECK-NEXT: "ttnn.paged_update_cache"(%arg0, %arg2, %arg3, %arg4) <{share_cache = false}>
  "ttnn.paged_update_cache"(%cache, %one, %pos, %table) : (tensor<32x8x128x64xbf16>, tensor<1x32x8x64xbf16>, tensor<32xsi32>, tensor<32x4xsi32>) -> ()
  // The number of heads does not matter.
  // CHECK-NEXT: "ttnn.paged_update_cache"(%arg0, %arg5, %arg3)
  "ttnn.paged_update_cache"(%cache, %few, %pos) : (tensor<32x8x128x64xbf16>, tensor<1x32x4x64xbf16>, tensor<32xsi32>) -> ()
  // CHECK-NEXT: "ttnn.paged_fill_cache"(%arg0, %arg6, %arg4, %arg7)
  "ttnn.paged_fill_cache"(%cache, %batch, %table, %index) : (tensor<32x8x128x64xbf16>, tensor<4x8x32x64xbf16>, tensor<32x4xsi32>, tensor<4xsi32>) -> ()
  // CHECK-NEXT: "ttnn.paged_fill_cache"(%arg0, %arg1, %arg4) : {{.*}} -> ()
  "ttnn.paged_fill_cache"(%cache, %fill, %table) : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>, tensor<32x4xsi32>) -> ()
  return
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<1x8x32x64xbf16>, %k: tensor<1x2x32x64xbf16>, %mask: tensor<1x1x32x32xbf16>, %pos: tensor<8xsi32>, %table: tensor<8x4xsi32>) {
  // Causal unless said otherwise.
  // CHECK-NEXT: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg1) <{is_causal = true, operandSegmentSizes
  %3 = "ttnn.scaled_dot_product_attention"(%q, %k, %k) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>) -> tensor<1x8x32x64xbf16>
  // CHECK: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg1, %arg2) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}>
  %0 = "ttnn.scaled_dot_product_attention"(%q, %k, %k, %mask) <{is_causal = false, scale = 0.125 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>}> : (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x1x32x32xbf16>) -> tensor<1x8x32x64xbf16>
  // CHECK-NEXT: "ttnn.scaled_dot_product_attention_decode"(%arg0, %arg1, %arg1, %arg3) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>, program_config = #ttnn.sdpa_program_config<
  %1 = "ttnn.scaled_dot_product_attention_decode"(%q, %k, %k, %pos) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>, program_config = #ttnn.sdpa_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, q_chunk_size = 32, k_chunk_size = 32>}> : (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<8xsi32>) -> tensor<1x8x32x64xbf16>
  // CHECK-NEXT: "ttnn.paged_scaled_dot_product_attention_decode"(%arg0, %arg1, %arg1, %arg4, %arg3)
  %2 = "ttnn.paged_scaled_dot_product_attention_decode"(%q, %k, %k, %table, %pos) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0>}> : (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<8x4xsi32>, tensor<8xsi32>) -> tensor<1x8x32x64xbf16>
  return
}

// CHECK-LABEL: func.func @rotary
func.func @rotary(%x: tensor<1x8x32x64xbf16>, %cos: tensor<1x1x128x64xbf16>) {
  // CHECK: "ttnn.rotary_embedding"(%arg0, %arg1, %arg1) : (
  %0 = "ttnn.rotary_embedding"(%x, %cos, %cos) : (tensor<1x8x32x64xbf16>, tensor<1x1x128x64xbf16>, tensor<1x1x128x64xbf16>) -> tensor<1x8x32x64xbf16>
  // CHECK-NEXT: "ttnn.rotary_embedding"(%arg0, %arg1, %arg1) <{token_index = 0 : ui32}>
  %1 = "ttnn.rotary_embedding"(%x, %cos, %cos) <{token_index = 0 : ui32}> : (tensor<1x8x32x64xbf16>, tensor<1x1x128x64xbf16>, tensor<1x1x128x64xbf16>) -> tensor<1x8x32x64xbf16>
  return
}

// CHECK-LABEL: func.func @rotary_llama
func.func @rotary_llama(%x: tensor<1x1x32x64xbf16, #l>, %m: tensor<1x1x32x32xbf16, #l>, %s: tensor<1x1x32x64xbf16, #s>, %n: tensor<1x1x32x32xbf16, #s>) {
  // CHECK-NEXT: "ttnn.rotary_embedding_llama"(%arg0, %arg0, %arg0, %arg1) <{is_decode_mode = false}>
  %0 = "ttnn.rotary_embedding_llama"(%x, %x, %x, %m) : (tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x32xbf16, #l>) -> tensor<1x1x32x64xbf16>
  // CHECK-NEXT: "ttnn.rotary_embedding_llama"(%arg2, %arg2, %arg2, %arg3) <{is_decode_mode = true}>
  %1 = "ttnn.rotary_embedding_llama"(%s, %s, %s, %n) <{is_decode_mode = true}> : (tensor<1x1x32x64xbf16, #s>, tensor<1x1x32x64xbf16, #s>, tensor<1x1x32x64xbf16, #s>, tensor<1x1x32x32xbf16, #s>) -> tensor<1x1x32x64xbf16>
  return
}

// CHECK-LABEL: func.func @heads
func.func @heads(%x: tensor<1x8x32x64xbf16>, %qkv: tensor<1x32x768xbf16>, %users: tensor<1x1x32x768xbf16>) {
  // CHECK: "ttnn.concatenate_heads"(%arg0) : {{.*}} -> tensor<1x32x512xbf16>
  %0 = "ttnn.concatenate_heads"(%x) : (tensor<1x8x32x64xbf16>) -> tensor<1x32x512xbf16>
  // CHECK-NEXT: "ttnn.nlp_concat_heads"(%arg0) : {{.*}} -> tensor<1x1x32x512xbf16>
  %1 = "ttnn.nlp_concat_heads"(%x) : (tensor<1x8x32x64xbf16>) -> tensor<1x1x32x512xbf16>
  // 28 of the 32 heads are real, the rest is padding.
  // CHECK-NEXT: "ttnn.nlp_concat_heads_decode"(%arg0) <{num_heads = 28 : ui32}> : {{.*}} -> tensor<1x1x8x1792xbf16>
  %2 = "ttnn.nlp_concat_heads_decode"(%x) <{num_heads = 28 : ui32}> : (tensor<1x8x32x64xbf16>) -> tensor<1x1x8x1792xbf16>
  // The users may be padded.
  // CHECK-NEXT: "ttnn.nlp_concat_heads_decode"(%arg0) <{num_heads = 32 : ui32}> : {{.*}} -> tensor<1x1x32x2048xbf16>
  %12 = "ttnn.nlp_concat_heads_decode"(%x) <{num_heads = 32 : ui32}> : (tensor<1x8x32x64xbf16>) -> tensor<1x1x32x2048xbf16>
  // CHECK-NEXT: "ttnn.split_query_key_value_and_split_heads"(%arg1) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = true}>
  %3, %4, %5 = "ttnn.split_query_key_value_and_split_heads"(%qkv) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = true}> : (tensor<1x32x768xbf16>) -> (tensor<1x8x32x64xbf16>, tensor<1x2x64x32xbf16>, tensor<1x2x32x64xbf16>)
  // Four heads of everything if the key/value heads aren't counted.
  // CHECK-NEXT: "ttnn.split_query_key_value_and_split_heads"(%arg1) <{num_heads = 4 : ui32, transpose_key = false}>
  %6, %7, %8 = "ttnn.split_query_key_value_and_split_heads"(%qkv) <{num_heads = 4 : ui32, transpose_key = false}> : (tensor<1x32x768xbf16>) -> (tensor<1x4x32x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1x4x32x64xbf16>)
  // CHECK-NEXT: "ttnn.nlp_create_qkv_heads_decode"(%arg2) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32}>
  %9, %10, %11 = "ttnn.nlp_create_qkv_heads_decode"(%users) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32}> : (tensor<1x1x32x768xbf16>) -> (tensor<1x32x8x64xbf16>, tensor<1x32x2x64xbf16>, tensor<1x32x2x64xbf16>)
  return
}
