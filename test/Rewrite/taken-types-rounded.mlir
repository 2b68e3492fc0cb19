// Where the device has no kernel for f32 at all, it is one for bf16 that runs.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+taken-types %s | FileCheck %s
// RUN: tessera optimize %s -o %t.mlir --policy greedy 2>&1 | FileCheck %s --check-prefix=SAYS

// SAYS: remark: rewrite 'taken-types'
// SAYS-NOT: {{^}}unknown {{ +}}of

#dram = #ttnn.buffer_type<dram>
#l1_32_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l64_256_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l1_32_256_f32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l1_8_64_64_f32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// Indices and table in two other types.
// CHECK-LABEL: func.func @wide_table(
// CHECK: "ttnn.embedding"({{.*}} : (tensor<1x32xui32,{{.*}}, tensor<64x256xbf16,{{.*}}) -> tensor<1x32x256xbf16
// CHECK: "ttnn.typecast"({{.*}} -> tensor<1x32x256xf32
func.func @wide_table(%a0: tensor<1x32xf32, #l1_32_f32>, %a1: tensor<64x256xf32, #l64_256_f32>) -> (tensor<1x32x256xf32, #l1_32_256_f32>) {
  %r:1 = "ttnn.embedding"(%a0, %a1) <{}> : (tensor<1x32xf32, #l1_32_f32>, tensor<64x256xf32, #l64_256_f32>) -> (tensor<1x32x256xf32, #l1_32_256_f32>)
  return %r#0 : tensor<1x32x256xf32, #l1_32_256_f32>
}

// Attention of f32.
// CHECK-LABEL: func.func @attention(
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}} -> tensor<1x8x64x64xbf16
// CHECK: "ttnn.typecast"({{.*}} -> tensor<1x8x64x64xf32
func.func @attention(%a0: tensor<1x8x64x64xf32, #l1_8_64_64_f32>, %a1: tensor<1x8x64x64xf32, #l1_8_64_64_f32>, %a2: tensor<1x8x64x64xf32, #l1_8_64_64_f32>) -> (tensor<1x8x64x64xf32, #l1_8_64_64_f32>) {
  %r:1 = "ttnn.scaled_dot_product_attention"(%a0, %a1, %a2) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<1x8x64x64xf32, #l1_8_64_64_f32>, tensor<1x8x64x64xf32, #l1_8_64_64_f32>, tensor<1x8x64x64xf32, #l1_8_64_64_f32>) -> (tensor<1x8x64x64xf32, #l1_8_64_64_f32>)
  return %r#0 : tensor<1x8x64x64xf32, #l1_8_64_64_f32>
}
