// Attention is found up to the last cast to the elements that its kernel takes.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#f32_1x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x4x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// What was cast to bf16 is what the kernel takes, whatever it was before.
// CHECK-LABEL: func.func @cast_to_fewer_bits
// CHECK-DAG: %[[Q:.*]] = "ttnn.typecast"(%arg0)
// CHECK-DAG: %[[K:.*]] = "ttnn.typecast"(%arg1)
// CHECK: %[[Y:.*]] = "ttnn.scaled_dot_product_attention"(%[[Q]], %[[K]], %arg2)
// CHECK-NEXT: return %[[Y]]
func.func @cast_to_fewer_bits(%a: tensor<1x4x64x32xf32, #f32_1x4x64x32>, %b: tensor<1x4x64x32xf32, #f32_1x4x64x32>, %v: tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32> {
  %q = "ttnn.typecast"(%a) : (tensor<1x4x64x32xf32, #f32_1x4x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  %k = "ttnn.typecast"(%b) : (tensor<1x4x64x32xf32, #f32_1x4x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  %kt = "ttnn.permute"(%k) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x32x64xbf16, #bf16_1x4x32x64>
  %s = "ttnn.matmul"(%q, %kt) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>, tensor<1x4x32x64xbf16, #bf16_1x4x32x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %p = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  return %y : tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
}

// Queries and keys of f32 stay.
// CHECK-LABEL: func.func @true_f32
// CHECK-NOT: "ttnn.scaled_dot_product_attention"
// CHECK: return
func.func @true_f32(%a: tensor<1x4x64x32xf32, #f32_1x4x64x32>, %b: tensor<1x4x64x32xf32, #f32_1x4x64x32>, %v: tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32> {
  %kt = "ttnn.permute"(%b) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x32xf32, #f32_1x4x64x32>) -> tensor<1x4x32x64xf32, #f32_1x4x32x64>
  %s = "ttnn.matmul"(%a, %kt) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x32xf32, #f32_1x4x64x32>, tensor<1x4x32x64xf32, #f32_1x4x32x64>) -> tensor<1x4x64x64xf32, #f32_1x4x64x64>
  %pw = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x4x64x64xf32, #f32_1x4x64x64>) -> tensor<1x4x64x64xf32, #f32_1x4x64x64>
  %p = "ttnn.typecast"(%pw) : (tensor<1x4x64x64xf32, #f32_1x4x64x64>) -> tensor<1x4x64x64xbf16, #bf16_1x4x64x64>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x64xbf16, #bf16_1x4x64x64>, tensor<1x4x64x32xbf16, #bf16_1x4x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  return %y : tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
}
