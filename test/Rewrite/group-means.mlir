// Means of groups of channels in a row, spread over the channels again: two reshapes, a mean and a repeat of tiles that are nearly empty.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+channel-groups,+const-eval %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#f32_1x1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x16x4 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x16x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x1x1024 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x32x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x32x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x32x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// A mean for each group, spread over its channels, is a product with a matrix that const-eval makes.
// CHECK-LABEL: func.func @spread(
// CHECK: %[[M:.*]] = ttcore.load_cached({{.*}} -> tensor<64x64xf32
// CHECK: %[[P:.*]] = "ttnn.matmul"(%arg0, %[[M]]) {{.*}} -> tensor<1x1x1x64xf32
// CHECK-NEXT: %[[A:.*]] = "ttnn.abs"(%[[P]]) {{.*}} -> tensor<1x1x1x64xf32
// CHECK-NEXT: return %[[A]]
func.func @spread(%x: tensor<1x1x1x64xf32, #f32_1x1x1x64>) -> tensor<1x1x1x64xf32, #f32_1x1x1x64> {
  %0 = "ttnn.reshape"(%x) <{shape = [1 : i32, 16 : i32, 4 : i32]}> : (tensor<1x1x1x64xf32, #f32_1x1x1x64>) -> tensor<1x16x4xf32, #f32_1x16x4>
  %1 = "ttnn.mean"(%0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<1x16x4xf32, #f32_1x16x4>) -> tensor<1x16x1xf32, #f32_1x16x1>
  %2 = "ttnn.abs"(%1) : (tensor<1x16x1xf32, #f32_1x16x1>) -> tensor<1x16x1xf32, #f32_1x16x1>
  %3 = "ttnn.repeat"(%2) <{repeat_dims = #ttnn.shape<1x1x4>}> : (tensor<1x16x1xf32, #f32_1x16x1>) -> tensor<1x16x4xf32, #f32_1x16x4>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 1 : i32, 1 : i32, 64 : i32]}> : (tensor<1x16x4xf32, #f32_1x16x4>) -> tensor<1x1x1x64xf32, #f32_1x1x1x64>
  return %4 : tensor<1x1x1x64xf32, #f32_1x1x1x64>
}

// Of many channels two read less.
// CHECK-LABEL: func.func @spread_far(
// CHECK: %[[G:.*]] = "ttnn.matmul"(%arg0, %{{.*}}) <{{.*}}transpose_b = true}> {{.*}} -> tensor<1x1x1x32xf32
// CHECK: %[[A:.*]] = "ttnn.abs"(%[[G]]) {{.*}} -> tensor<1x1x1x32xf32
// CHECK: %[[P:.*]] = "ttnn.matmul"(%[[A]], %{{.*}}) {{.*}} -> tensor<1x1x1x1024xf32
// CHECK-NEXT: return %[[P]]
func.func @spread_far(%x: tensor<1x1x1x1024xf32, #f32_1x1x1x1024>) -> tensor<1x1x1x1024xf32, #f32_1x1x1x1024> {
  %0 = "ttnn.reshape"(%x) <{shape = [1 : i32, 32 : i32, 32 : i32]}> : (tensor<1x1x1x1024xf32, #f32_1x1x1x1024>) -> tensor<1x32x32xf32, #f32_1x32x32>
  %1 = "ttnn.mean"(%0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<1x32x32xf32, #f32_1x32x32>) -> tensor<1x32x1xf32, #f32_1x32x1>
  %2 = "ttnn.abs"(%1) : (tensor<1x32x1xf32, #f32_1x32x1>) -> tensor<1x32x1xf32, #f32_1x32x1>
  %3 = "ttnn.repeat"(%2) <{repeat_dims = #ttnn.shape<1x1x32>}> : (tensor<1x32x1xf32, #f32_1x32x1>) -> tensor<1x32x32xf32, #f32_1x32x32>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 1 : i32, 1 : i32, 1024 : i32]}> : (tensor<1x32x32xf32, #f32_1x32x32>) -> tensor<1x1x1x1024xf32, #f32_1x1x1x1024>
  return %4 : tensor<1x1x1x1024xf32, #f32_1x1x1x1024>
}

// The means themselves are wanted.
// CHECK-LABEL: func.func @read_twice_is_left(
// CHECK: "ttnn.mean"
// CHECK-NOT: "ttnn.matmul"
// CHECK: return
func.func @read_twice_is_left(%x: tensor<1x1x1x64xf32, #f32_1x1x1x64>) -> (tensor<1x1x1x64xf32, #f32_1x1x1x64>, tensor<1x16x1xf32, #f32_1x16x1>) {
  %0 = "ttnn.reshape"(%x) <{shape = [1 : i32, 16 : i32, 4 : i32]}> : (tensor<1x1x1x64xf32, #f32_1x1x1x64>) -> tensor<1x16x4xf32, #f32_1x16x4>
  %1 = "ttnn.mean"(%0) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<1x16x4xf32, #f32_1x16x4>) -> tensor<1x16x1xf32, #f32_1x16x1>
  %2 = "ttnn.abs"(%1) : (tensor<1x16x1xf32, #f32_1x16x1>) -> tensor<1x16x1xf32, #f32_1x16x1>
  %3 = "ttnn.repeat"(%2) <{repeat_dims = #ttnn.shape<1x1x4>}> : (tensor<1x16x1xf32, #f32_1x16x1>) -> tensor<1x16x4xf32, #f32_1x16x4>
  %4 = "ttnn.reshape"(%3) <{shape = [1 : i32, 1 : i32, 1 : i32, 64 : i32]}> : (tensor<1x16x4xf32, #f32_1x16x4>) -> tensor<1x1x1x64xf32, #f32_1x1x1x64>
  return %4, %1 : tensor<1x1x1x64xf32, #f32_1x1x1x64>, tensor<1x16x1xf32, #f32_1x16x1>
}
