// Attention whose product transposes the keys, as JAX leaves it of keys that come with the call.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x2x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @transposed_by_the_product(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2)
// CHECK-NEXT: return %[[Y]]
func.func @transposed_by_the_product(%q: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %k: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %v: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64> {
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = true}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %p = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  return %y : tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
}

// Queries that are transposed, too, are others.
// CHECK-LABEL: func.func @both_transposed(
// CHECK-NOT: "ttnn.scaled_dot_product_attention"
// CHECK: return
func.func @both_transposed(%q: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %k: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %v: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64> {
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = true, transpose_b = true}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %p = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  return %y : tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
}

// Scores of one position that are replaced have a mask for each head.
// CHECK-LABEL: func.func @one_position(
// CHECK: %[[M:.*]] = "ttnn.where"(%arg3,
// CHECK: %[[H:.*]] = "ttnn.repeat"(%[[M]]) {{.*}} -> tensor<4x1x2x64xbf16
// CHECK: "ttnn.scaled_dot_product_attention_decode"(%{{.*}}, %arg1, %arg2, %[[H]])
func.func @one_position(%q: tensor<4x2x1x64xbf16, #bf16_4x2x1x64>, %k: tensor<4x2x64x64xbf16, #bf16_4x2x64x64>, %v: tensor<4x2x64x64xbf16, #bf16_4x2x64x64>, %c: tensor<4x1x1x64xbf16, #bf16_4x1x1x64>) -> tensor<4x2x1x64xbf16, #bf16_4x2x1x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %l = "ttnn.full"(%d) <{fill_value = -3.38953139E+38 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = true}> : (tensor<4x2x1x64xbf16, #bf16_4x2x1x64>, tensor<4x2x64x64xbf16, #bf16_4x2x64x64>) -> tensor<4x2x1x64xbf16, #bf16_4x2x1x64>
  %w = "ttnn.where"(%c, %s, %l) : (tensor<4x1x1x64xbf16, #bf16_4x1x1x64>, tensor<4x2x1x64xbf16, #bf16_4x2x1x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x2x1x64xbf16, #bf16_4x2x1x64>
  %p = "ttnn.softmax"(%w) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x2x1x64xbf16, #bf16_4x2x1x64>) -> tensor<4x2x1x64xbf16, #bf16_4x2x1x64>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<4x2x1x64xbf16, #bf16_4x2x1x64>, tensor<4x2x64x64xbf16, #bf16_4x2x64x64>) -> tensor<4x2x1x64xbf16, #bf16_4x2x1x64>
  return %y : tensor<4x2x1x64xbf16, #bf16_4x2x1x64>
}
