// The kernel of one position scales what is added, so a mask that is not scaled with the scores is divided first.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_4x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// A power of two leaves the bits of the mask. The lowest number that there is stays one.
// CHECK-LABEL: func.func @power(
// CHECK: %[[C:.*]] = "ttnn.clamp_scalar"
// CHECK: %[[M:.*]] = "ttnn.multiply"(%[[C]]
// CHECK: "ttnn.scaled_dot_product_attention_decode"({{.*}}scale = 1.250000e-01 : f32}>
// CHECK-NOT: ttnn.softmax
func.func @power(%q: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, %k: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %v: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %m: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.transpose"(%k) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %2 = "ttnn.multiply"(%1, %n) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %3 = "ttnn.add"(%2, %m) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %5 = "ttnn.softmax"(%3) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %6 = "ttnn.matmul"(%5, %v) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  return %6 : tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
}

// Of another scale queries take what is left of it.
// CHECK-LABEL: func.func @other_scale(
// CHECK: %[[R:.*]] = "ttnn.reshape"(%arg0)
// CHECK: %[[Q:.*]] = "ttnn.multiply"(%[[R]]
// CHECK: "ttnn.scaled_dot_product_attention_decode"(%[[Q]]{{.*}}scale = 1.250000e-01 : f32}>
// CHECK-NOT: ttnn.softmax
func.func @other_scale(%q: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, %k: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %v: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %m: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 8.838835e-02 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.transpose"(%k) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %2 = "ttnn.multiply"(%1, %n) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %3 = "ttnn.add"(%2, %m) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %5 = "ttnn.softmax"(%3) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %6 = "ttnn.matmul"(%5, %v) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  return %6 : tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
}

// The kernel would round a mask of f32.
// CHECK-LABEL: func.func @wide_mask_is_left(
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @wide_mask_is_left(%q: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, %k: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %v: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %m: tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.transpose"(%k) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %1 = "ttnn.matmul"(%q, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %2 = "ttnn.multiply"(%1, %n) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %c = "ttnn.typecast"(%2) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %3 = "ttnn.add"(%c, %m) : (tensor<4x8x1x64xf32, #f32_4x8x1x64>, tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %4 = "ttnn.softmax"(%3) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %5 = "ttnn.typecast"(%4) : (tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %6 = "ttnn.matmul"(%5, %v) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  return %6 : tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
}
