// Attention over chunks and latents.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

func.func @chunked_scaled_dot_product_attention_0(%a0: tensor<2x8x64x32xbf16>, %a1: tensor<16x4x32x32xbf16>, %a2: tensor<16x4x32x32xbf16>, %a3: tensor<2x8xsi32>, %a4: tensor<1xsi32>) {
  // CHECK: "ttnn.chunked_scaled_dot_product_attention"(%arg0, %arg1, %arg2, %arg3, %arg4) <{scale = 2.500000e-01 : f32}> : (
  %0 = "ttnn.chunked_scaled_dot_product_attention"(%a0, %a1, %a2, %a3, %a4) <{scale = 2.500000e-01 : f32}> : (tensor<2x8x64x32xbf16>, tensor<16x4x32x32xbf16>, tensor<16x4x32x32xbf16>, tensor<2x8xsi32>, tensor<1xsi32>) -> tensor<2x8x64x32xbf16>
  return
}

func.func @flash_mla_prefill_1(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>) {
  // CHECK: "ttnn.flash_mla_prefill"(%arg0, %arg1) <{head_dim_v = 64 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1) <{head_dim_v = 64 : ui32, operandSegmentSizes = array<i32: 1, 1, 0, 0>}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xbf16>) -> tensor<1x8x64x64xbf16>
  return
}

func.func @flash_mla_prefill_2(%a0: tensor<1x8x64x96xbf16>, %a1: tensor<1x1x64x96xbf16>, %a2: tensor<1x1x64x64xbf16>, %a3: tensor<1x1x64x64xbf16>) {
  // CHECK: "ttnn.flash_mla_prefill"(%arg0, %arg1, %arg2, %arg3) <{head_dim_v = 64 : ui32, is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1>, scale = 1.250000e-01 : f32}> : (
  %0 = "ttnn.flash_mla_prefill"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1>, scale = 1.250000e-01 : f32}> : (tensor<1x8x64x96xbf16>, tensor<1x1x64x96xbf16>, tensor<1x1x64x64xbf16>, tensor<1x1x64x64xbf16>) -> tensor<1x8x64x64xbf16>
  return
}

func.func @paged_flash_multi_latent_attention_decode_3(%a0: tensor<1x8x16x96xbf16>, %a1: tensor<32x1x32x96xbf16>, %a2: tensor<8x4xsi32>, %a3: tensor<8xsi32>) {
  // CHECK: "ttnn.paged_flash_multi_latent_attention_decode"(%arg0, %arg1, %arg2, %arg3) <{head_dim_v = 64 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0>}> : (
  %0 = "ttnn.paged_flash_multi_latent_attention_decode"(%a0, %a1, %a2, %a3) <{head_dim_v = 64 : ui32, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0>}> : (tensor<1x8x16x96xbf16>, tensor<32x1x32x96xbf16>, tensor<8x4xsi32>, tensor<8xsi32>) -> tensor<1x8x16x64xbf16>
  return
}

func.func @indexer_score_dsa_4(%a0: tensor<1x16x32x64xbf16>, %a1: tensor<1x1x128x64xbf16>, %a2: tensor<1x16x32x1xbf16>) {
  // CHECK: "ttnn.indexer_score_dsa"(%arg0, %arg1, %arg2) <{chunk_start_idx = 0 : ui32}> : (
  %0 = "ttnn.indexer_score_dsa"(%a0, %a1, %a2) : (tensor<1x16x32x64xbf16>, tensor<1x1x128x64xbf16>, tensor<1x16x32x1xbf16>) -> tensor<1x1x32x128xbf16>
  return
}
