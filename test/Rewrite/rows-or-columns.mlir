// A number for each row that broadcasts as one for each column, as it may where there are as many of both, is another thing: no norm, no softmax
// and no guard of rows.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#f32_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_64 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_64x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x1x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @rms(
// CHECK-NOT: rms_norm
// CHECK: return
func.func @rms(%x: tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%dev) <{fill_value = 1.000000e-05 : f32, shape = #ttnn.shape<1>}> : (!ttnn.device) -> tensor<1xf32, #f32_1>
  %s = "ttnn.multiply"(%x, %x) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m = "ttnn.mean"(%s) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64xf32, #f32_64>
  %a = "ttnn.add"(%m, %eps) : (tensor<64xf32, #f32_64>, tensor<1xf32, #f32_1>) -> tensor<64xf32, #f32_64>
  %r = "ttnn.rsqrt"(%a) : (tensor<64xf32, #f32_64>) -> tensor<64xf32, #f32_64>
  %y = "ttnn.multiply"(%x, %r) : (tensor<64x64xf32, #f32_64x64>, tensor<64xf32, #f32_64>) -> tensor<64x64xf32, #f32_64x64>
  return %y : tensor<64x64xf32, #f32_64x64>
}

// CHECK-LABEL: func.func @divided(
// CHECK-NOT: rms_norm
// CHECK: return
func.func @divided(%x: tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %eps = "ttnn.full"(%dev) <{fill_value = 1.000000e-05 : f32, shape = #ttnn.shape<1>}> : (!ttnn.device) -> tensor<1xf32, #f32_1>
  %s = "ttnn.multiply"(%x, %x) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m = "ttnn.mean"(%s) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x1xf32, #f32_64x1>
  %t = "ttnn.reshape"(%m) <{shape = [1 : i32, 64 : i32]}> : (tensor<64x1xf32, #f32_64x1>) -> tensor<1x64xf32, #f32_1x64>
  %a = "ttnn.add"(%t, %eps) : (tensor<1x64xf32, #f32_1x64>, tensor<1xf32, #f32_1>) -> tensor<1x64xf32, #f32_1x64>
  %r = "ttnn.sqrt"(%a) : (tensor<1x64xf32, #f32_1x64>) -> tensor<1x64xf32, #f32_1x64>
  %y = "ttnn.divide"(%x, %r) : (tensor<64x64xf32, #f32_64x64>, tensor<1x64xf32, #f32_1x64>) -> tensor<64x64xf32, #f32_64x64>
  return %y : tensor<64x64xf32, #f32_64x64>
}

// CHECK-LABEL: func.func @centred(
// CHECK-NOT: layer_norm
// CHECK: return
func.func @centred(%x: tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64> {
  %m = "ttnn.mean"(%x) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64xf32, #f32_64>
  %d = "ttnn.subtract"(%x, %m) : (tensor<64x64xf32, #f32_64x64>, tensor<64xf32, #f32_64>) -> tensor<64x64xf32, #f32_64x64>
  %y = "ttnn.rms_norm"(%d) <{epsilon = 1.0e-5 : f32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  return %y : tensor<64x64xf32, #f32_64x64>
}

// CHECK-LABEL: func.func @softmax(
// CHECK-NOT: "ttnn.softmax"
// CHECK: return
func.func @softmax(%x: tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64> {
  %m = "ttnn.max"(%x) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x1xf32, #f32_64x1>
  %d = "ttnn.subtract"(%x, %m) : (tensor<64x64xf32, #f32_64x64>, tensor<64x1xf32, #f32_64x1>) -> tensor<64x64xf32, #f32_64x64>
  %e = "ttnn.exp"(%d) : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %s = "ttnn.sum"(%e) <{dim_arg = [1 : i32], keep_dim = false}> : (tensor<64x64xf32, #f32_64x64>) -> tensor<64xf32, #f32_64>
  %y = "ttnn.divide"(%e, %s) : (tensor<64x64xf32, #f32_64x64>, tensor<64xf32, #f32_64>) -> tensor<64x64xf32, #f32_64x64>
  return %y : tensor<64x64xf32, #f32_64x64>
}

// Keys, and not queries, without any score.
// CHECK-LABEL: func.func @guard(
// CHECK: %[[G:.*]] = "ttnn.where"
// CHECK: "ttnn.matmul"(%[[G]]
func.func @guard(%q: tensor<1x1x64x32xbf16, #bf16_1x1x64x32>, %k: tensor<1x1x32x64xbf16, #bf16_1x1x32x64>, %v: tensor<1x1x64x32xbf16, #bf16_1x1x64x32>, %m: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x32xbf16, #bf16_1x1x64x32> {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %low = "ttnn.full"(%dev) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %zero = "ttnn.full"(%dev) <{fill_value = 0.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %p = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<1x1x64x32xbf16, #bf16_1x1x64x32>, tensor<1x1x32x64xbf16, #bf16_1x1x32x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %s = "ttnn.add"(%p, %m) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %e = "ttnn.eq"(%s, %low) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %n = "ttnn.logical_not"(%e) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %a = "ttnn.max"(%n) <{dim_arg = [3 : i32], keep_dim = false}> : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64xbf16, #bf16_1x1x64>
  %w = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %g = "ttnn.where"(%a, %w, %zero) : (tensor<1x1x64xbf16, #bf16_1x1x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %y = "ttnn.matmul"(%g, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x32xbf16, #bf16_1x1x64x32>) -> tensor<1x1x64x32xbf16, #bf16_1x1x64x32>
  return %y : tensor<1x1x64x32xbf16, #bf16_1x1x64x32>
}

