// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @chunked_scaled_dot_product_attention_0(%a0: tensor<8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{query must have 4 dimensions, not 3}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16x4x32x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_1(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{key must have 4 dimensions, not 3}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32xbf16>, tensor<16x4x32x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_2(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{value must have 4 dimensions, not 3}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16x4x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_3(%a0: tensor<2x8x64x32xsi32>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{query must have float elements, not 'si32'}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xsi32>, tensor<16x4x32x32xbf16>, tensor<16x4x32x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_4(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xf32>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{value has elements of 'bf16', but must have those of key, 'f32'}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xf32>, tensor<16x4x32x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_5(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<8x4x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{value has shape 8x4x32x32, but the key's shape gives 16x4x32x32}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<8x4x32x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_6(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x64xbf16>, %a2: tensor<16x4x32x64xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{key has extent 64 in dimension 3, but the query's head size gives 32}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x64xbf16>, tensor<16x4x32x64xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_7(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x3x32x32xbf16>, %a2: tensor<16x3x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{query's 8 heads must be a multiple of the key's 3}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x3x32x32xbf16>, tensor<16x3x32x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_8(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x0x32x32xbf16>, %a2: tensor<16x0x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{query's 8 heads must be a multiple of the key's 0}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x0x32x32xbf16>, tensor<16x0x32x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_9(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x48x32xbf16>, %a2: tensor<16x4x48x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{key's block size (dimension 2) must be a positive multiple of 32, not 48}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x48x32xbf16>, tensor<16x4x48x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_10(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<16xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{page_table must have 2 dimensions, not 1}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_11(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<2x8xf32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{page_table must have integer elements, not 'f32'}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16x4x32x32xbf16>, tensor<2x8xf32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_12(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<4x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{page_table has extent 4 in dimension 0, but the query's number of users gives 2}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16x4x32x32xbf16>, tensor<4x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_13(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1x1xsi32>) {
  // expected-error@+1 {{chunk_start_idx has shape 1x1, but one start for all users gives 1}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16x4x32x32xbf16>, tensor<2x8xsi32>, tensor<1x1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_14(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xf32>) {
  // expected-error@+1 {{chunk_start_idx must have integer elements, not 'f32'}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16x4x32x32xbf16>, tensor<2x8xsi32>, tensor<1xf32>) -> tensor<2x8x64x32xbf16>
  return
}
// -----
func.func @chunked_scaled_dot_product_attention_15(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // expected-error@+1 {{result has shape 2x8x64x64, but the query's shape gives 2x8x64x32}}
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16x4x32x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x64xbf16>
  return
}
// -----
func.func @flash_mla_prefill_16(%a0: tensor<8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>) {
  // expected-error@+1 {{query must have 4 dimensions, not 3}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1) <{head_dim_v = 64 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<8x64x96xbf16>, tensor<1x1x64x96xbf16>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @flash_mla_prefill_17(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x64x96xbf16>) {
  // expected-error@+1 {{key must have 4 dimensions, not 3}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1) <{head_dim_v = 64 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x8x64x96xbf16>, tensor<1x64x96xbf16>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @flash_mla_prefill_18(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>, %a2: tensor<1x64x64xbf16>, %a3: tensor<1x1x64x64xbf16>) {
  // expected-error@+1 {{value must have 4 dimensions, not 3}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1>, scale = 1.250000e-01 : f32}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xbf16>, tensor<1x64x64xbf16>, tensor<1x1x64x64xbf16>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @flash_mla_prefill_19(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>, %a2: tensor<1x1x64x64xbf16>, %a3: tensor<64x64xbf16>) {
  // expected-error@+1 {{attention_mask must have 4 dimensions, not 2}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1>, scale = 1.250000e-01 : f32}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xbf16>, tensor<1x1x64x64xbf16>, tensor<64x64xbf16>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @flash_mla_prefill_20(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xf32>) {
  // expected-error@+1 {{key has elements of 'f32', but must have those of query, 'bf16'}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1) <{head_dim_v = 64 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xf32>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @flash_mla_prefill_21(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>, %a2: tensor<1x1x64x64xf32>, %a3: tensor<1x1x64x64xbf16>) {
  // expected-error@+1 {{value has elements of 'f32', but must have those of query, 'bf16'}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1>, scale = 1.250000e-01 : f32}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xbf16>, tensor<1x1x64x64xf32>, tensor<1x1x64x64xbf16>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @flash_mla_prefill_22(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>) {
  // expected-error@+1 {{result has elements of 'f32', but must have those of query, 'bf16'}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1) <{head_dim_v = 64 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xbf16>) -> tensor<1x8x64x64xf32>
  return
}
// -----
func.func @flash_mla_prefill_23(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>) {
  // expected-error@+1 {{attribute 'head_dim_v' must be positive, not 0}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1) <{head_dim_v = 0 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xbf16>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @flash_mla_prefill_24(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>, %a2: tensor<1x1x64x64xbf16>, %a3: tensor<1x1x64x64xbf16>) {
  // expected-error@+1 {{takes attention_mask only if 'is_causal' is false}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 1>, scale = 1.250000e-01 : f32}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xbf16>, tensor<1x1x64x64xbf16>, tensor<1x1x64x64xbf16>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @flash_mla_prefill_25(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>) {
  // expected-error@+1 {{result has shape 1x8x64x96, but the query's shape with 'head_dim_v' gives 1x8x64x64}}
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1) <{head_dim_v = 64 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xbf16>) -> tensor<1x8x64x96xbf16>
  return
}
// -----
func.func @paged_flash_multi_latent_attention_decode_26(%a0: tensor<1x8x16x96xbf16>, %a1: tensor<1x32x96xbf16>, %a2: tensor<8x4xsi32>, %a3: tensor<8xsi32>) {
  // expected-error@+1 {{key must have 4 dimensions, not 3}}
  %0 = "ttnn.paged_flash_multi_latent_attention_decode"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0>}> : (tensor<1x8x16x96xbf16>, tensor<1x32x96xbf16>, tensor<8x4xsi32>, tensor<8xsi32>) -> tensor<1x8x16x64xbf16>
  return
}
// -----
func.func @paged_flash_multi_latent_attention_decode_27(%a0: tensor<1x8x16x96xbf16>, %a1: tensor<32x2x32x96xbf16>, %a2: tensor<8x4xsi32>, %a3: tensor<8xsi32>) {
  // expected-error@+1 {{key has extent 2 in dimension 1, but one latent head gives 1}}
  %0 = "ttnn.paged_flash_multi_latent_attention_decode"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0>}> : (tensor<1x8x16x96xbf16>, tensor<32x2x32x96xbf16>, tensor<8x4xsi32>, tensor<8xsi32>) -> tensor<1x8x16x64xbf16>
  return
}
// -----
func.func @paged_flash_multi_latent_attention_decode_28(%a0: tensor<1x8x16x96xbf16>, %a1: tensor<32x1x32x96xbf16>, %a2: tensor<32x2x32x64xbf16>, %a3: tensor<8x4xsi32>, %a4: tensor<8xsi32>) {
  // expected-error@+1 {{value has extent 2 in dimension 1, but one latent head gives 1}}
  %0 = "ttnn.paged_flash_multi_latent_attention_decode"(%a0, %a1, %a2, %a3, %a4) <{head_dim_v = 64 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0>}> : (tensor<1x8x16x96xbf16>, tensor<32x1x32x96xbf16>, tensor<32x2x32x64xbf16>, tensor<8x4xsi32>, tensor<8xsi32>) -> tensor<1x8x16x64xbf16>
  return
}
// -----
func.func @paged_flash_multi_latent_attention_decode_29(%a0: tensor<1x8x16x96xbf16>, %a1: tensor<32x1x32x96xbf16>, %a2: tensor<32xsi32>, %a3: tensor<8xsi32>) {
  // expected-error@+1 {{page_table must have 2 dimensions, not 1}}
  %0 = "ttnn.paged_flash_multi_latent_attention_decode"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0>}> : (tensor<1x8x16x96xbf16>, tensor<32x1x32x96xbf16>, tensor<32xsi32>, tensor<8xsi32>) -> tensor<1x8x16x64xbf16>
  return
}
// -----
func.func @paged_flash_multi_latent_attention_decode_30(%a0: tensor<1x8x16x96xbf16>, %a1: tensor<32x1x32x96xbf16>, %a2: tensor<8x4xbf16>, %a3: tensor<8xsi32>) {
  // expected-error@+1 {{page_table must have integer elements, not 'bf16'}}
  %0 = "ttnn.paged_flash_multi_latent_attention_decode"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0>}> : (tensor<1x8x16x96xbf16>, tensor<32x1x32x96xbf16>, tensor<8x4xbf16>, tensor<8xsi32>) -> tensor<1x8x16x64xbf16>
  return
}
// -----
func.func @indexer_score_dsa_31(%a0: tensor<16x32x64xbf16>, %a1: tensor<1x1x128x64xbf16>, %a2: tensor<1x16x32x1xbf16>) {
  // expected-error@+1 {{query must have 4 dimensions, not 3}}
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<16x32x64xbf16>, tensor<1x1x128x64xbf16>, tensor<1x16x32x1xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @indexer_score_dsa_32(%a0: tensor<1x16x32x64xbf16>, %a1: tensor<1x128x64xbf16>, %a2: tensor<1x16x32x1xbf16>) {
  // expected-error@+1 {{key must have 4 dimensions, not 3}}
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<1x16x32x64xbf16>, tensor<1x128x64xbf16>, tensor<1x16x32x1xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @indexer_score_dsa_33(%a0: tensor<2x16x32x64xbf16>, %a1: tensor<1x1x128x64xbf16>, %a2: tensor<1x16x32x1xbf16>) {
  // expected-error@+1 {{query has extent 2 in dimension 0, but a batch of one gives 1}}
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<2x16x32x64xbf16>, tensor<1x1x128x64xbf16>, tensor<1x16x32x1xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @indexer_score_dsa_34(%a0: tensor<1x16x32x64xbf16>, %a1: tensor<1x2x128x64xbf16>, %a2: tensor<1x16x32x1xbf16>) {
  // expected-error@+1 {{key has shape 1x2x128x64, but one head of the query's size gives 1x1x128x64}}
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<1x16x32x64xbf16>, tensor<1x2x128x64xbf16>, tensor<1x16x32x1xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @indexer_score_dsa_35(%a0: tensor<1x16x32x64xbf16>, %a1: tensor<1x1x128x32xbf16>, %a2: tensor<1x16x32x1xbf16>) {
  // expected-error@+1 {{key has shape 1x1x128x32, but one head of the query's size gives 1x1x128x64}}
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<1x16x32x64xbf16>, tensor<1x1x128x32xbf16>, tensor<1x16x32x1xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @indexer_score_dsa_36(%a0: tensor<1x16x32x64xbf16>, %a1: tensor<2x1x128x64xbf16>, %a2: tensor<1x16x32x1xbf16>) {
  // expected-error@+1 {{key has shape 2x1x128x64, but one head of the query's size gives 1x1x128x64}}
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<1x16x32x64xbf16>, tensor<2x1x128x64xbf16>, tensor<1x16x32x1xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @indexer_score_dsa_37(%a0: tensor<1x16x32x64xbf16>, %a1: tensor<1x1x128x64xbf16>, %a2: tensor<1x16x32x2xbf16>) {
  // expected-error@+1 {{weights has shape 1x16x32x2, but one weight for each query gives 1x16x32x1}}
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<1x16x32x64xbf16>, tensor<1x1x128x64xbf16>, tensor<1x16x32x2xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @indexer_score_dsa_38(%a0: tensor<1x16x32x64xbf16>, %a1: tensor<1x1x128x64xbf16>, %a2: tensor<1x16x32x1xbf16>) {
  // expected-error@+1 {{result has shape 1x16x32x128, but one score for each query and key gives 1x1x32x128}}
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<1x16x32x64xbf16>, tensor<1x1x128x64xbf16>, tensor<1x16x32x1xbf16>) -> tensor<1x16x32x128xbf16>
  return
}
// -----
func.func @indexer_score_dsa_39(%a0: tensor<1x16x32x64xbf16>, %a1: tensor<1x1x128x64xf32>, %a2: tensor<1x16x32x1xbf16>) {
  // expected-error@+1 {{key has elements of 'f32', but must have those of query, 'bf16'}}
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<1x16x32x64xbf16>, tensor<1x1x128x64xf32>, tensor<1x16x32x1xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
// -----
func.func @sdpa_fw_mask(%q: tensor<1x8x64x64xbf16>) {
  // expected-error@+1 {{needs an attention mask with mask_type #ttcore.attention_mask_type<arbitrary>}}
  %1 = "ttnn.sdpa_fw"(%q, %q, %q) <{mask_type = #ttcore.attention_mask_type<arbitrary>}> : (tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @sdpa_fw_intermediates(%q: tensor<1x8x64x64xbf16>) {
  // expected-error@+1 {{has intermediates exactly if return_intermediates is true}}
  %1 = "ttnn.sdpa_fw"(%q, %q, %q) <{mask_type = #ttcore.attention_mask_type<causal>, return_intermediates = true}> : (tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>) -> tensor<1x8x64x64xbf16>
  return
}
// -----
func.func @sdpa_bw_mask(%q: tensor<1x8x64x64xbf16>, %m: tensor<1x1x64x64xbf16>) {
  // expected-error@+1 {{cannot have an attention mask with mask_type #ttcore.attention_mask_type<causal>}}
  %2:3 = "ttnn.sdpa_bw"(%q, %q, %q, %q, %q, %q, %m) <{mask_type = #ttcore.attention_mask_type<causal>}> : (tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x1x64x64xbf16>) -> (tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>)
  return
}
