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
  // expected-error@+1 {{update_index must have a position for each of the input's 32 users, not shape 16}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<1x32x8x64xbf16>, tensor<16xsi32>) -> ()
  return
}
// -----
func.func @paged_heads(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x32x4x64xbf16>, %a2: tensor<32xsi32>) {
  // expected-error@+1 {{input's 4 heads are less than the cache's 8}}
  "ttnn.paged_update_cache"(%a0, %a1, %a2) <{share_cache = false}> : (tensor<32x8x128x64xbf16>, tensor<1x32x4x64xbf16>, tensor<32xsi32>) -> ()
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
func.func @paged_fill(%a0: tensor<32x8x128x64xbf16>, %a1: tensor<1x8x32x64xbf16>, %a2: tensor<32xsi32>) {
  // expected-error@+1 {{page_table must have 2 dimensions, not 1}}
  "ttnn.paged_fill_cache"(%a0, %a1, %a2) : (tensor<32x8x128x64xbf16>, tensor<1x8x32x64xbf16>, tensor<32xsi32>) -> ()
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
func.func @rotary_size(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<1x1x32x32xbf16>, %a2: tensor<1x1x32x32xbf16>) {
  // expected-error@+1 {{cos and sin 1x1x32x32 must have the input's head size, but it is 1x8x32x64}}
  %0 = "ttnn.rotary_embedding"(%a0, %a1, %a2) : (tensor<1x8x32x64xbf16>, tensor<1x1x32x32xbf16>, tensor<1x1x32x32xbf16>) -> tensor<1x8x32x64xbf16>
  return
}
// -----
func.func @rotary_result(%a0: tensor<1x8x32x64xbf16>, %a1: tensor<1x1x32x64xbf16>, %a2: tensor<1x1x32x64xbf16>, %a3: tensor<1x1x32x32xbf16>) {
  // expected-error@+1 {{result must have 4 dimensions, not 3}}
  %0 = "ttnn.rotary_embedding_llama"(%a0, %a1, %a2, %a3) <{is_decode_mode = false}> : (tensor<1x8x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x1x32x64xbf16>, tensor<1x1x32x32xbf16>) -> tensor<8x32x64xbf16>
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
func.func @nlp_concat_heads(%a0: tensor<1x8x32x64xbf16>) {
  // expected-error@+1 {{attribute 'num_heads' (33) exceeds the input's 32 heads}}
  %0 = "ttnn.nlp_concat_heads_decode"(%a0) <{num_heads = 33 : ui32}> : (tensor<1x8x32x64xbf16>) -> tensor<1x1x8x2112xbf16>
  return
}
// -----
func.func @split(%a0: tensor<1x32x768xbf16>) {
  // expected-error@+1 {{key has shape 1x8x32x64, but splitting the heads gives 1x2x32x64}}
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
  // expected-error@+1 {{input's last extent (770) is no multiple of its 12 heads}}
  %0, %1, %2 = "ttnn.split_query_key_value_and_split_heads"(%a0) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32}> : (tensor<1x32x770xbf16>) -> (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>)
  return
}
// -----
func.func @split_zero(%a0: tensor<1x32x768xbf16>) {
  // expected-error@+1 {{attribute 'num_heads' must be positive and fit 32 bits}}
  %0, %1, %2 = "ttnn.split_query_key_value_and_split_heads"(%a0) <{num_heads = 0 : ui32}> : (tensor<1x32x768xbf16>) -> (tensor<1x8x32x64xbf16>, tensor<1x2x32x64xbf16>, tensor<1x2x32x64xbf16>)
  return
}
// -----
func.func @create_decode(%a0: tensor<1x1x32x768xbf16>) {
  // expected-error@+1 {{query has shape 1x32x32x64, but splitting the heads gives 1x32x8x64}}
  %0, %1, %2 = "ttnn.nlp_create_qkv_heads_decode"(%a0) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32}> : (tensor<1x1x32x768xbf16>) -> (tensor<1x32x32x64xbf16>, tensor<1x32x2x64xbf16>, tensor<1x32x2x64xbf16>)
  return
}
