// An op with properties that nobody here knows may compute something else by them: it is no part of what a rewrite takes together.
// RUN: tessera-opt --ttnn-rewrite %s | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#f32_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_64x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @norm(
// CHECK-NOT: rms_norm
// CHECK: "ttnn.mean"{{.*}}correction = true
func.func @norm(%x: tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%dev) <{fill_value = 1.000000e-05 : f32, shape = #ttnn.shape<1>}> : (!ttnn.device) -> tensor<1xf32, #f32_1>
  %s = "ttnn.multiply"(%x, %x) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m = "ttnn.mean"(%s) <{dim_arg = [1 : i32], keep_dim = true, correction = true}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x1xf32, #f32_64x1>
  %a = "ttnn.add"(%m, %eps) : (tensor<64x1xf32, #f32_64x1>, tensor<1xf32, #f32_1>) -> tensor<64x1xf32, #f32_64x1>
  %r = "ttnn.rsqrt"(%a) : (tensor<64x1xf32, #f32_64x1>) -> tensor<64x1xf32, #f32_64x1>
  %y = "ttnn.multiply"(%x, %r) : (tensor<64x64xf32, #f32_64x64>, tensor<64x1xf32, #f32_64x1>) -> tensor<64x64xf32, #f32_64x64>
  return %y : tensor<64x64xf32, #f32_64x64>
}

// CHECK-LABEL: func.func @permutes(
// CHECK: "ttnn.permute"{{.*}}flips = true
// CHECK: "ttnn.permute"
func.func @permutes(%x: tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64> {
  %a = "ttnn.permute"(%x) <{permutation = array<i64: 1, 0>, flips = true}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %b = "ttnn.permute"(%a) <{permutation = array<i64: 1, 0>}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  return %b : tensor<64x64xf32, #f32_64x64>
}

// CHECK-LABEL: func.func @attention(
// CHECK: "ttnn.softmax"{{.*}}temperature = 2.000000e+00
// CHECK: "ttnn.matmul"
func.func @attention(%q: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %k: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %v: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64> {
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = true}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %p = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true, temperature = 2.0 : f32}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  return %y : tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
}

