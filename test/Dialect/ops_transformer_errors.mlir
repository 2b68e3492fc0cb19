// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @fill_rank(%a0: tensor<8x128x64xbf16>, %a1: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{cache must have 4 dimensions, not 3}}
  "ttnn.fill_cache"(%a0, %a1) <{batch_offset = 0 : i32}> : (tensor<8x128x64xbf16>, tensor<1x8x32x64xbf16>) -> ()
  return
}
// -----
func.func @fill_size(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x8x32x32xbf16>) {
  // expected-error@+1 {{input has extent 32 in dimension 3, but the cache's head size gives 64}}
  "ttnn.fill_cache"(%a0, %a1) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x8x32x32xbf16>) -> ()
  return
}
// -----
func.func @fill_heads(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x4x32x64xbf16>) {
  // expected-error@+1 {{input has extent 4 in dimension 1, but the cache's number of heads gives 8}}
  "ttnn.fill_cache"(%a0, %a1) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x4x32x64xbf16>) -> ()
  return
}
// -----
func.func @fill_positions(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x8x129x64xbf16>) {
  // expected-error@+1 {{input's 129 positions exceed the cache's 128}}
  "ttnn.fill_cache"(%a0, %a1) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x8x129x64xbf16>) -> ()
  return
}
// -----
func.func @fill_offset(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{attribute 'batch_offset' (32 : i32) and 1 batch entries of the input leave the cache's 32}}
  "ttnn.fill_cache"(%a0, %a1) <{batch_offset = 32 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>) -> ()
  return
}
// -----
func.func @fill_negative(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{attribute 'batch_offset' (-1 : i32) and 1 batch entries of the input leave the cache's 32}}
  "ttnn.fill_cache"(%a0, %a1) <{batch_offset = -1 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>) -> ()
  return
}
// -----
func.func @update_heads(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x4x32x64xbf16>, %a2: tensor<1xui32>) {
  // expected-error@+1 {{input has extent 4 in dimension 1, but the cache's number of heads gives 8}}
  "ttnn.update_cache"(%a0, %a1, %a2) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16>, tensor<1x4x32x64xbf16>, tensor<1xui32>) -> ()
  return
}
// -----
func.func @paged_users(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x32x8x64xbf16>, %a2: tensor<16xsi32>) {
  // expected-error@+1 {{update_index has shape 16, but one position per user gives 32}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<1x32x8x64xbf16>, tensor<16xsi32>) -> ()
  return
}
// -----
func.func @paged_index_type(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x32x8x64xbf16>, %a2: tensor<32xbf16>) {
  // expected-error@+1 {{update_index must have integer elements, not 'bf16'}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<1x32x8x64xbf16>, tensor<32xbf16>) -> ()
  return
}
// -----
func.func @paged_index_rank(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x32x8x64xbf16>, %a2: tensor<32x1xsi32>) {
  // expected-error@+1 {{update_index has shape 32x1, but one position per user gives 32}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<1x32x8x64xbf16>, tensor<32x1xsi32>) -> ()
  return
}
// -----
func.func @paged_positions(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<2x32x8x64xbf16>, %a2: tensor<32xsi32>) {
  // expected-error@+1 {{input has extent 2 in dimension 0, but one position per user gives 1}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<2x32x8x64xbf16>, tensor<32xsi32>) -> ()
  return
}
// -----
func.func @paged_table(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x32x8x64xbf16>, %a2: tensor<32xsi32>, %a3: tensor<32xsi32>) {
  // expected-error@+1 {{page_table must have 2 dimensions, not 1}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2, %a3) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<1x32x8x64xbf16>, tensor<32xsi32>, tensor<32xsi32>) -> ()
  return
}
// -----
func.func @paged_block(%a0: tensor<32x8x120x64xbf16>, %a1: tensor<1x32x8x64xbf16>, %a2: tensor<32xsi32>, %a3: tensor<32x4xsi32>) {
  // expected-error@+1 {{block size (dimension 2 of the cache) must be a positive multiple of 32, not 120}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2, %a3) <{share_cache = false}> : (tensor<32x8x120x64xbf16>, tensor<1x32x8x64xbf16>, tensor<32xsi32>, tensor<32x4xsi32>) -> ()
  return
}
// -----
func.func @paged_table_users(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x32x8x64xbf16>, %a2: tensor<32xsi32>, %a3: tensor<16x4xsi32>) {
  // expected-error@+1 {{page_table has extent 16 in dimension 0, but one row per user gives 32}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2, %a3) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<1x32x8x64xbf16>, tensor<32xsi32>, tensor<16x4xsi32>) -> ()
  return
}
// -----
func.func @paged_table_type(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x32x8x64xbf16>, %a2: tensor<32xsi32>, %a3: tensor<32x4xbf16>) {
  // expected-error@+1 {{page_table must have integer elements, not 'bf16'}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2, %a3) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<1x32x8x64xbf16>, tensor<32xsi32>, tensor<32x4xbf16>) -> ()
  return
}
// -----
func.func @paged_fill(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x8x32x64xbf16>, %a2: tensor<32xsi32>) {
  // expected-error@+1 {{page_table must have 2 dimensions, not 1}}
  "ttnn.paged_fill_cache"(%a0, %a1, %a2) : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>, tensor<32xsi32>) -> ()
  return
}
// -----
func.func @paged_fill_float(%a0: tensor<32x8x128x64xsi32>, %a1: tensor<1x8x32x64xsi32>, %a2: tensor<1x4xsi32>) {
  // expected-error@+1 {{cache must have floating-point elements, not 'si32'}}
  "ttnn.paged_fill_cache"(%a0, %a1, %a2) : (tensor<32x8x128x64xsi32>, tensor<1x8x32x64xsi32>, tensor<1x4xsi32>) -> ()
  return
}
// -----
func.func @paged_fill_types(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x8x32x64xf32>, %a2: tensor<1x4xsi32>) {
  // expected-error@+1 {{input has elements of 'f32', but must have those of cache, 'bf16'}}
  "ttnn.paged_fill_cache"(%a0, %a1, %a2) : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xf32>, tensor<1x4xsi32>) -> ()
  return
}
// -----
func.func @paged_fill_block(%a0: tensor<32x8x16x64xbf16>, %a1: tensor<1x8x32x64xbf16>, %a2: tensor<1x4xsi32>) {
  // expected-error@+1 {{block size (dimension 2 of the cache) must be a positive multiple of 32, not 16}}
  "ttnn.paged_fill_cache"(%a0, %a1, %a2) : (tensor<32x8x16x64xbf16>, tensor<1x8x32x64xbf16>, tensor<1x4xsi32>) -> ()
  return
}
// -----
func.func @paged_fill_index(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<2x8x32x64xbf16>, %a2: tensor<1x4xsi32>, %a3: tensor<4xsi32>) {
  // expected-error@+1 {{batch_idx_tensor has shape 4, but one index per batch entry of the input gives 2}}
  "ttnn.paged_fill_cache"(%a0, %a1, %a2, %a3) : (tensor<32x8x128x64xbf16>, tensor<2x8x32x64xbf16>, tensor<1x4xsi32>, tensor<4xsi32>) -> ()
  return
}
// -----
func.func @paged_fill_unknown_batch(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<?x8x32x64xbf16>, %a2: tensor<1x4xsi32>) {
  // expected-error@+1 {{without batch_idx_tensor, extent 0 of the input must be 1, not unknown}}
  "ttnn.paged_fill_cache"(%a0, %a1, %a2) : (tensor<32x8x128x64xbf16>, tensor<?x8x32x64xbf16>, tensor<1x4xsi32>) -> ()
  return
}
// -----
func.func @paged_fill_batch(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<2x8x32x64xbf16>, %a2: tensor<1x4xsi32>) {
  // expected-error@+1 {{without batch_idx_tensor, extent 0 of the input must be 1, not 2}}
  "ttnn.paged_fill_cache"(%a0, %a1, %a2) : (tensor<32x8x128x64xbf16>, tensor<2x8x32x64xbf16>, tensor<1x4xsi32>) -> ()
  return
}
// -----
func.func @attention_rank(%a0: tensor<8x32x64xbf16>, %a1: tensor<1x8x32x64xbf16>, %a2: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{query must have 4 dimensions, not 3}}
  %0 = "ttnn.scaled_dot_product_attention"(%a0, %a1, %a2) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<8x32x64xbf16>, tensor<1x8x32x64xbf16>, tensor<1x8x32x64xbf16>) -> tensor<8x32x64xbf16>
  return
}
// -----
func.func @attention_size(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<1x8x32x32xbf16>, %a2: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{key has extent 32 in dimension 3, but the query's head size gives 64}}
  %0 = "ttnn.scaled_dot_product_attention"(%a0, %a1, %a2) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x8x32x64xbf16>, tensor<1x8x32x32xbf16>, tensor<1x8x32x64xbf16>) -> tensor<1x8x32x64xbf16>
  return
}
// -----
func.func @attention_value(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<1x8x32x64xbf16>, %a2: tensor<1x8x16x64xbf16>) {
  // expected-error@+1 {{key 1x8x32x64 and value 1x8x16x64 must agree in all dimensions but the last}}
  %0 = "ttnn.scaled_dot_product_attention"(%a0, %a1, %a2) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x8x32x64xbf16>, tensor<1x8x32x64xbf16>, tensor<1x8x16x64xbf16>) -> tensor<1x8x32x64xbf16>
  return
}
// -----
func.func @attention_result(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<8x2x128x64xbf16>, %a2: tensor<8x2x128x64xbf16>) {
  // expected-error@+1 {{result has shape 1x8x32x32, but the query's shape and the value's head size gives 1x8x32x64}}
  %0 = "ttnn.scaled_dot_product_attention_decode"(%a0, %a1, %a2) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}> : (tensor<1x8x32x64xbf16>, tensor<8x2x128x64xbf16>, tensor<8x2x128x64xbf16>) -> tensor<1x8x32x32xbf16>
  return
}
// -----
func.func @rotary(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<1x1x32x64xbf16>, %a2: tensor<1x1x16x64xbf16>) {
  // expected-error@+1 {{cos 1x1x32x64 and sin 1x1x16x64 must have the same shape}}
  %0 = "ttnn.rotary_embedding"(%a0, %a1, %a2) : (tensor<1x8x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x1x16x64xbf16>) -> tensor<1x8x32x64xbf16>
  return
}
// -----
func.func @rotary_rank(%a0: tensor<8x32x64xbf16>, %a1: tensor<1x1x32x64xbf16>, %a2: tensor<1x1x16x64xbf16>) {
  // expected-error@+1 {{input must have 4 dimensions, not 3}}
  %0 = "ttnn.rotary_embedding"(%a0, %a1, %a2) : (tensor<8x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x1x16x64xbf16>) -> tensor<8x32x64xbf16>
  return
}
// -----
func.func @rotary_types(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<1x1x32x64xbf16>, %a2: tensor<1x1x32x64xf32>) {
  // expected-error@+1 {{sin_cache has elements of 'f32', but must have those of cos_cache, 'bf16'}}
  %0 = "ttnn.rotary_embedding"(%a0, %a1, %a2) : (tensor<1x8x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x1x32x64xf32>) -> tensor<1x8x32x64xbf16>
  return
}
// -----
func.func @rotary_size(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<1x1x32x32xbf16>, %a2: tensor<1x1x32x32xbf16>) {
  // expected-error@+1 {{cos and sin 1x1x32x32 must have the input's head size, but it is 1x8x32x64}}
  %0 = "ttnn.rotary_embedding"(%a0, %a1, %a2) : (tensor<1x8x32x64xbf16>, tensor<1x1x32x32xbf16>, tensor<1x1x32x32xbf16>) -> tensor<1x8x32x64xbf16>
  return
}
// -----
#l = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @llama_result(%x: tensor<1x1x32x64xbf16, #l>, %cos: tensor<1x1x32x64xbf16, #l>, %m: tensor<1x1x32x32xbf16, #l>) {
  // expected-error@+1 {{result has shape 1x1x30x64, but the input's shape gives 1x1x32x64}}
  %0 = "ttnn.rotary_embedding_llama"(%x, %cos, %cos, %m) <{is_decode_mode = false}> : (tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x32xbf16, #l>) -> tensor<1x1x30x64xbf16>
  return
}
// -----
#l = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @llama_type(%x: tensor<1x1x32x64xf32, #l>, %cos: tensor<1x1x32x64xf32, #l>, %m: tensor<1x1x32x32xbf16, #l>) {
  // expected-error@+1 {{input must have elements of bf16, not 'f32'}}
  %0 = "ttnn.rotary_embedding_llama"(%x, %cos, %cos, %m) <{is_decode_mode = false}> : (tensor<1x1x32x64xf32, #l>, tensor<1x1x32x64xf32, #l>, tensor<1x1x32x64xf32, #l>, tensor<1x1x32x32xbf16, #l>) -> tensor<1x1x32x64xbf16>
  return
}
// -----
#l = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#r = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<32x64xbf16, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @llama_page(%x: tensor<1x1x32x64xbf16, #l>, %cos: tensor<1x1x32x64xbf16, #r>, %m: tensor<1x1x32x32xbf16, #l>) {
  // expected-error@+1 {{cos_cache must lie on the device in tiles}}
  %0 = "ttnn.rotary_embedding_llama"(%x, %cos, %cos, %m) <{is_decode_mode = false}> : (tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #r>, tensor<1x1x32x64xbf16, #r>, tensor<1x1x32x32xbf16, #l>) -> tensor<1x1x32x64xbf16>
  return
}
// -----
#l = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#h = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<system_memory>>>
func.func @llama_host(%x: tensor<1x1x32x64xbf16, #h>, %cos: tensor<1x1x32x64xbf16, #h>, %m: tensor<1x1x32x32xbf16, #l>) {
  // expected-error@+1 {{input must lie on the device in tiles}}
  %0 = "ttnn.rotary_embedding_llama"(%x, %cos, %cos, %m) <{is_decode_mode = false}> : (tensor<1x1x32x64xbf16, #h>, tensor<1x1x32x64xbf16, #h>, tensor<1x1x32x64xbf16, #h>, tensor<1x1x32x32xbf16, #l>) -> tensor<1x1x32x64xbf16>
  return
}
// -----
#l = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @llama_layout(%x: tensor<1x1x32x64xbf16, #l>, %cos: tensor<1x1x32x64xbf16, #l>, %m: tensor<1x1x32x32xbf16>) {
  // expected-error@+1 {{trans_mat must lie on the device in tiles}}
  %0 = "ttnn.rotary_embedding_llama"(%x, %cos, %cos, %m) <{is_decode_mode = false}> : (tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x32xbf16>) -> tensor<1x1x32x64xbf16>
  return
}
// -----
#l = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @llama_decode(%x: tensor<1x1x32x64xbf16, #l>, %cos: tensor<1x1x32x64xbf16, #l>, %m: tensor<1x1x32x32xbf16, #l>) {
  // expected-error@+1 {{input must be height_sharded in decode mode, not interleaved}}
  %0 = "ttnn.rotary_embedding_llama"(%x, %cos, %cos, %m) <{is_decode_mode = true}> : (tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x32xbf16, #l>) -> tensor<1x1x32x64xbf16>
  return
}
// -----
#l = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @llama_matrix(%x: tensor<1x1x32x64xbf16, #l>, %cos: tensor<1x1x32x64xbf16, #l>, %m: tensor<1x1x30x32xbf16, #l>) {
  // expected-error@+1 {{trans_mat has shape 1x1x30x32, but the op gives 1x1x32x32}}
  %0 = "ttnn.rotary_embedding_llama"(%x, %cos, %cos, %m) <{is_decode_mode = false}> : (tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x32x64xbf16, #l>, tensor<1x1x30x32xbf16, #l>) -> tensor<1x1x32x64xbf16>
  return
}
// -----
#l = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @llama_head(%x: tensor<1x1x32x288xbf16, #l>, %cos: tensor<1x1x32x288xbf16, #l>, %m: tensor<1x1x32x32xbf16, #l>) {
  // expected-error@+1 {{head size (288) must be at most 256}}
  %0 = "ttnn.rotary_embedding_llama"(%x, %cos, %cos, %m) <{is_decode_mode = false}> : (tensor<1x1x32x288xbf16, #l>, tensor<1x1x32x288xbf16, #l>, tensor<1x1x32x288xbf16, #l>, tensor<1x1x32x32xbf16, #l>) -> tensor<1x1x32x288xbf16>
  return
}
// -----
func.func @concatenate(%a0: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{result has shape 1x32x64, but joining the heads gives 1x32x512}}
  %0 = "ttnn.concatenate_heads"(%a0) : (tensor<1x8x32x64xbf16>) -> tensor<1x32x64xbf16>
  return
}
// -----
func.func @nlp_concat(%a0: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{result has shape 1x32x512, but joining the heads gives 1x1x32x512}}
  %0 = "ttnn.nlp_concat_heads"(%a0) : (tensor<1x8x32x64xbf16>) -> tensor<1x32x512xbf16>
  return
}
// -----
func.func @nlp_concat_decode(%a0: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{result has shape 1x1x8x2048, but joining the heads gives 1x1x8x512}}
  %0 = "ttnn.nlp_concat_heads_decode"(%a0) <{num_heads = 8 : ui32}> : (tensor<1x8x32x64xbf16>) -> tensor<1x1x8x2048xbf16>
  return
}
// -----
func.func @nlp_concat_decode_rank(%a0: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{result must have 4 dimensions, not 3}}
  %0 = "ttnn.nlp_concat_heads_decode"(%a0) <{num_heads = 8 : ui32}> : (tensor<1x8x32x64xbf16>) -> tensor<1x8x512xbf16>
  return
}
// -----
func.func @nlp_concat_heads(%a0: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{attribute 'num_heads' (33) exceeds the input's 32 heads}}
  %0 = "ttnn.nlp_concat_heads_decode"(%a0) <{num_heads = 33 : ui32}> : (tensor<1x8x32x64xbf16>) -> tensor<1x1x8x2112xbf16>
  return
}
// -----
func.func @split(%a0: tensor<1x32x768xbf16>) {
  // expected-error@+1 {{key has shape 1x8x32x64, but splitting the heads gives 1x2x32x64}}
  %0, %1, %2 = "ttnn.split_query_key_value_and_split_heads"(%a0) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = false}> : (tensor<1x32x768xbf16>) -> (tensor<1x8x32x64xbf16>, tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>)
  return
}
// -----
func.func @split_without_transposition(%a0: tensor<1x32x768xbf16>) {
  // expected-error@+1 {{requires attribute 'transpose_key'}}
  %0, %1, %2 = "ttnn.split_query_key_value_and_split_heads"(%a0) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32}> : (tensor<1x32x768xbf16>) -> (tensor<1x8x32x64xbf16>, tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>)
  return
}
// -----
func.func @split_transposed(%a0: tensor<1x32x768xbf16>) {
  // expected-error@+1 {{key has shape 1x2x32x64, but splitting the heads gives 1x2x64x32}}
  %0, %1, %2 = "ttnn.split_query_key_value_and_split_heads"(%a0) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = true}> : (tensor<1x32x768xbf16>) -> (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>)
  return
}
// -----
func.func @split_width(%a0: tensor<1x32x770xbf16>) {
  // expected-error@+1 {{input's last extent (770) is not a multiple of its 12 heads}}
  %0, %1, %2 = "ttnn.split_query_key_value_and_split_heads"(%a0) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = false}> : (tensor<1x32x770xbf16>) -> (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>)
  return
}
// -----
func.func @split_zero(%a0: tensor<1x32x768xbf16>) {
  // expected-error@+1 {{attribute 'num_heads' must be positive and fit 32 bits}}
  %0, %1, %2 = "ttnn.split_query_key_value_and_split_heads"(%a0) <{num_heads = 0 : ui32, transpose_key = false}> : (tensor<1x32x768xbf16>) -> (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>)
  return
}
// -----
func.func @create_decode(%a0: tensor<1x1x32x768xbf16>) {
  // expected-error@+1 {{query has shape 1x32x32x64, but splitting the heads gives 1x32x8x64}}
  %0, %1, %2 = "ttnn.nlp_create_qkv_heads_decode"(%a0) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32}> : (tensor<1x1x32x768xbf16>) -> (tensor<1x32x32x64xbf16>, tensor<1x32x2x64xbf16>, tensor<1x32x2x64xbf16>)
  return
}
