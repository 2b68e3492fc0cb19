// Weights of rows without a score are 0: the guard stands behind the product.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x1x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x4x64x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x4x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#u0 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#u1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#u2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#u3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#u4 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The guard of the mask, a row of it for all heads, behind the product.
// CHECK-LABEL: func.func @mask(
// CHECK: %[[N:.*]] = "ttnn.eq"(%arg3, %{{.*}}) {{.*}} -> tensor<2x1x64x32xbf16
// CHECK-NEXT: %[[G:.*]] = "ttnn.sum"(%[[N]]) {{.*}} -> tensor<2x1x64x1xbf16
// CHECK-NEXT: %[[Y:.*]] = "ttnn.where"(%[[G]], %{{.*}}, %{{.*}}) {{.*}} -> tensor<2x4x64x64xbf16
// CHECK-NEXT: return %[[Y]]
func.func @mask(%q: tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, %k: tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, %v: tensor<2x4x32x64xbf16, #bf16_2x4x32x64>, %m: tensor<2x1x64x32xbf16, #bf16_2x1x64x32>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %low = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %s = "ttnn.add"(%0, %m) : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<2x1x64x32xbf16, #bf16_2x1x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %1 = "ttnn.eq"(%s, %low) <{activations = [#ttnn.unary_with_param<op_type = logical_not_unary>]}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %2 = "ttnn.sum"(%1) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x1xbf16, #bf16_2x4x64x1>
  %3 = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %4 = "ttnn.where"(%2, %3, %zero) : (tensor<2x4x64x1xbf16, #bf16_2x4x64x1>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %5 = "ttnn.matmul"(%4, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<2x4x32x64xbf16, #bf16_2x4x32x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
  return %5 : tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
}

// A product is finite, so nothing has to be guarded.
// CHECK-LABEL: func.func @no_mask(
// CHECK-NOT: ttnn.where
// CHECK: return
func.func @no_mask(%q: tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, %k: tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, %v: tensor<2x4x32x64xbf16, #bf16_2x4x32x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %low = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %1 = "ttnn.eq"(%0, %low) <{activations = [#ttnn.unary_with_param<op_type = logical_not_unary>]}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %2 = "ttnn.sum"(%1) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x1xbf16, #bf16_2x4x64x1>
  %3 = "ttnn.softmax"(%0) <{dimension = 3 : si32, numericStable = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %4 = "ttnn.where"(%2, %3, %zero) : (tensor<2x4x64x1xbf16, #bf16_2x4x64x1>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %5 = "ttnn.matmul"(%4, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<2x4x32x64xbf16, #bf16_2x4x32x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
  return %5 : tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
}

// The lowest number that there is, is none that the guard looks for: the one where is the mask.
// CHECK-LABEL: func.func @finite_mask(
// CHECK-COUNT-1: "ttnn.where"
// CHECK-NOT: "ttnn.where"
// CHECK: return
func.func @finite_mask(%q: tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, %k: tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, %v: tensor<2x4x32x64xbf16, #bf16_2x4x32x64>, %m: tensor<2x1x64x32xbf16, #bf16_2x1x64x32>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %low = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %min = "ttnn.full"(%d) <{fill_value = -3.38953139E+38 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %h = "ttnn.where"(%m, %zero, %min) : (tensor<2x1x64x32xbf16, #bf16_2x1x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x1x64x32xbf16, #bf16_2x1x64x32>
  %s = "ttnn.add"(%h, %0) : (tensor<2x1x64x32xbf16, #bf16_2x1x64x32>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %1 = "ttnn.eq"(%s, %low) <{activations = [#ttnn.unary_with_param<op_type = logical_not_unary>]}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %2 = "ttnn.sum"(%1) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x1xbf16, #bf16_2x4x64x1>
  %3 = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %4 = "ttnn.where"(%2, %3, %zero) : (tensor<2x4x64x1xbf16, #bf16_2x4x64x1>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %5 = "ttnn.matmul"(%4, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<2x4x32x64xbf16, #bf16_2x4x32x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
  return %5 : tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
}

// Scores that are replaced: the condition says where.
// CHECK-LABEL: func.func @chosen(
// CHECK: %[[M:.*]] = "ttnn.where"(%arg3, %{{.*}}, %{{.*}}) {{.*}} -> tensor<2x1x64x32xbf16
// CHECK: "ttnn.eq"(%[[M]]
// CHECK: return
func.func @chosen(%q: tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, %k: tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, %v: tensor<2x4x32x64xbf16, #bf16_2x4x32x64>, %m: tensor<2x1x64x32xbf16, #bf16_2x1x64x32>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %low = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %s = "ttnn.where"(%m, %0, %low) : (tensor<2x1x64x32xbf16, #bf16_2x1x64x32>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %1 = "ttnn.eq"(%s, %low) <{activations = [#ttnn.unary_with_param<op_type = logical_not_unary>]}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %2 = "ttnn.sum"(%1) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x1xbf16, #bf16_2x4x64x1>
  %3 = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %4 = "ttnn.where"(%2, %3, %zero) : (tensor<2x4x64x1xbf16, #bf16_2x4x64x1>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %5 = "ttnn.matmul"(%4, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<2x4x32x64xbf16, #bf16_2x4x32x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
  return %5 : tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
}

// A row without a score that is 0 is another row.
// CHECK-LABEL: func.func @other_number_is_left(
// CHECK: %[[S:.*]] = "ttnn.add"
// CHECK: "ttnn.eq"(%[[S]]
// CHECK: "ttnn.where"
// CHECK-NEXT: "ttnn.matmul"
// CHECK-NEXT: return
func.func @other_number_is_left(%q: tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, %k: tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, %v: tensor<2x4x32x64xbf16, #bf16_2x4x32x64>, %m: tensor<2x1x64x32xbf16, #bf16_2x1x64x32>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %low = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x64xbf16, #bf16_2x4x64x64>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %s = "ttnn.add"(%0, %m) : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<2x1x64x32xbf16, #bf16_2x1x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %1 = "ttnn.eq"(%s, %low) <{activations = [#ttnn.unary_with_param<op_type = logical_not_unary>]}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %2 = "ttnn.sum"(%1) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x1xbf16, #bf16_2x4x64x1>
  %3 = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %4 = "ttnn.where"(%2, %3, %zero) : (tensor<2x4x64x1xbf16, #bf16_2x4x64x1>, tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<2x4x64x32xbf16, #bf16_2x4x64x32>
  %5 = "ttnn.matmul"(%4, %v) <{transpose_a = false, transpose_b = false}> : (tensor<2x4x64x32xbf16, #bf16_2x4x64x32>, tensor<2x4x32x64xbf16, #bf16_2x4x32x64>) -> tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
  return %5 : tensor<2x4x64x64xbf16, #bf16_2x4x64x64>
}

// Users stand where the product has heads: a guard of masks would meet the rows of others.
// CHECK-LABEL: func.func @units_elsewhere
// CHECK: "ttnn.softmax"
// CHECK: "ttnn.where"
// CHECK: "ttnn.matmul"
// CHECK: return
func.func @units_elsewhere(%arg0: tensor<4x4x1x64xbf16, #u0> , %arg1: tensor<4x4x64x32xbf16, #u1> , %arg2: tensor<4x4x32x64xbf16, #u0> , %arg3: tensor<1x4x1x32xbf16, #u2> ) -> (tensor<4x4x1x64xbf16, #u0>) {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%dev) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #u3>
  %1 = "ttnn.full"(%dev) <{fill_value = 0.000000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #u3>
  %2 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<4x4x1x64xbf16, #u0>, tensor<4x4x64x32xbf16, #u1>) -> tensor<4x4x1x32xbf16, #u4>
  %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 4 : i32, 4 : i32, 32 : i32]}> : (tensor<4x4x1x32xbf16, #u4>) -> tensor<1x4x4x32xbf16, #u2>
  %4 = "ttnn.add"(%3, %arg3) : (tensor<1x4x4x32xbf16, #u2>, tensor<1x4x1x32xbf16, #u2>) -> tensor<1x4x4x32xbf16, #u2>
  %5 = "ttnn.eq"(%4, %0) <{activations = [#ttnn.unary_with_param<op_type = logical_not_unary>]}> : (tensor<1x4x4x32xbf16, #u2>, tensor<1x1x1x1xbf16, #u3>) -> tensor<1x4x4x32xbf16, #u2>
  %6 = "ttnn.sum"(%5) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<1x4x4x32xbf16, #u2>) -> tensor<1x4x4x1xbf16, #u2>
  %7 = "ttnn.softmax"(%4) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x4x4x32xbf16, #u2>) -> tensor<1x4x4x32xbf16, #u2>
  %8 = "ttnn.where"(%6, %7, %1) : (tensor<1x4x4x1xbf16, #u2>, tensor<1x4x4x32xbf16, #u2>, tensor<1x1x1x1xbf16, #u3>) -> tensor<1x4x4x32xbf16, #u2>
  %9 = "ttnn.reshape"(%8) <{shape = [4 : i32, 4 : i32, 1 : i32, 32 : i32]}> : (tensor<1x4x4x32xbf16, #u2>) -> tensor<4x4x1x32xbf16, #u4>
  %10 = "ttnn.matmul"(%9, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<4x4x1x32xbf16, #u4>, tensor<4x4x32x64xbf16, #u0>) -> tensor<4x4x1x64xbf16, #u0>
  return %10 : tensor<4x4x1x64xbf16, #u0>
}
