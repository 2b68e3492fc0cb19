// What attends to a cache behind the last write to it reads a copy, which may lie in L1. Where it is written again the copy would be out of
// date, and what nobody writes may be placed as it is.
// RUN: tessera-opt --ttnn-rewrite %s | FileCheck %s
// RUN: tessera-opt --ttnn-rewrite=rewrites=all,-copied-cache %s | FileCheck %s --check-prefix=OFF
// OFF-NOT: to_memory_config

#dram = #ttnn.buffer_type<dram>
#cache = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 128 + d2, d3), <1x1>, memref<256x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#new = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#query = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<64x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @filled(
// CHECK: fill_cache
// CHECK: fill_cache
// CHECK: %[[K:.*]] = "ttnn.to_memory_config"(%arg1)
// CHECK: %[[V:.*]] = "ttnn.to_memory_config"(%arg2)
// CHECK: scaled_dot_product_attention"(%arg0, %[[K]], %[[V]])
func.func @filled(%q: tensor<8x8x32x128xbf16, #query>, %k: tensor<8x8x128x128xbf16, #cache>, %v: tensor<8x8x128x128xbf16, #cache>, %new: tensor<1x8x32x128xbf16, #new>) -> tensor<8x8x32x128xbf16, #query> {
  "ttnn.fill_cache"(%k, %new) <{batch_offset = 0 : i32}> : (tensor<8x8x128x128xbf16, #cache>, tensor<1x8x32x128xbf16, #new>) -> ()
  "ttnn.fill_cache"(%v, %new) <{batch_offset = 1 : i32}> : (tensor<8x8x128x128xbf16, #cache>, tensor<1x8x32x128xbf16, #new>) -> ()
  %0 = "ttnn.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = false, scale = 0.125 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<8x8x32x128xbf16, #query>, tensor<8x8x128x128xbf16, #cache>, tensor<8x8x128x128xbf16, #cache>) -> tensor<8x8x32x128xbf16, #query>
  return %0 : tensor<8x8x32x128xbf16, #query>
}

// CHECK-LABEL: func.func @written_again(
// CHECK-NOT: to_memory_config
// CHECK: return
func.func @written_again(%q: tensor<8x8x32x128xbf16, #query>, %k: tensor<8x8x128x128xbf16, #cache>, %v: tensor<8x8x128x128xbf16, #cache>, %new: tensor<1x8x32x128xbf16, #new>) -> tensor<8x8x32x128xbf16, #query> {
  "ttnn.fill_cache"(%k, %new) <{batch_offset = 0 : i32}> : (tensor<8x8x128x128xbf16, #cache>, tensor<1x8x32x128xbf16, #new>) -> ()
  %0 = "ttnn.scaled_dot_product_attention"(%q, %k, %v) <{is_causal = false, scale = 0.125 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<8x8x32x128xbf16, #query>, tensor<8x8x128x128xbf16, #cache>, tensor<8x8x128x128xbf16, #cache>) -> tensor<8x8x32x128xbf16, #query>
  "ttnn.fill_cache"(%k, %new) <{batch_offset = 1 : i32}> : (tensor<8x8x128x128xbf16, #cache>, tensor<1x8x32x128xbf16, #new>) -> ()
  return %0 : tensor<8x8x32x128xbf16, #query>
}
