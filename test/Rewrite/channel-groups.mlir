// Channels that a reshape cuts into groups stay one row of tiles, where groups of a few channels were tiles of their own.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#f32_2x8x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_2x64x8x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_2x1x8x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_2x1x1x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_2x8x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x8x8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x1x8x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_2x8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// A mean of all channels of a group and all pixels, and what is scaled by a number per group.
// CHECK-LABEL: func.func @normed(
// CHECK-DAG: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [2 : i32, 64 : i32, 64 : i32]}>
// CHECK-DAG: %[[C:.*]] = "ttnn.mean"(%[[X]]) <{dim_arg = [1 : i32], keep_dim = true}> {{.*}} -> tensor<2x1x64xf32
// CHECK-DAG: %[[G:.*]] = "ttnn.reshape"(%[[C]]) <{shape = [2 : i32, 1 : i32, 8 : i32, 8 : i32]}>
// CHECK-DAG: %[[M:.*]] = "ttnn.mean"(%[[G]]) <{dim_arg = [3 : i32], keep_dim = true}> {{.*}} -> tensor<2x1x8x1xf32
// CHECK-DAG: "ttnn.repeat"(%arg1) <{repeat_dims = #ttnn.shape<1x1x1x8>}>
// CHECK: "ttnn.multiply"({{.*}} -> tensor<2x64x64xf32
// CHECK-NOT: 2x64x8x8
// CHECK: return %{{.*}}, %[[M]]
func.func @normed(%x: tensor<2x8x8x64xf32, #f32_2x8x8x64>, %s: tensor<2x1x8x1xf32, #f32_2x1x8x1>) -> (tensor<2x8x8x64xf32, #f32_2x8x8x64>, tensor<2x1x8x1xf32, #f32_2x1x8x1>) {
  %0 = "ttnn.reshape"(%x) <{shape = [2 : i32, 64 : i32, 8 : i32, 8 : i32]}> : (tensor<2x8x8x64xf32, #f32_2x8x8x64>) -> tensor<2x64x8x8xf32, #f32_2x64x8x8>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32, 3 : i32], keep_dim = true}> : (tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> tensor<2x1x8x1xf32, #f32_2x1x8x1>
  %2 = "ttnn.multiply"(%0, %s) : (tensor<2x64x8x8xf32, #f32_2x64x8x8>, tensor<2x1x8x1xf32, #f32_2x1x8x1>) -> tensor<2x64x8x8xf32, #f32_2x64x8x8>
  %3 = "ttnn.reshape"(%2) <{shape = [2 : i32, 8 : i32, 8 : i32, 64 : i32]}> : (tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> tensor<2x8x8x64xf32, #f32_2x8x8x64>
  return %3, %1 : tensor<2x8x8x64xf32, #f32_2x8x8x64>, tensor<2x1x8x1xf32, #f32_2x1x8x1>
}

// A mean over groups, one of bf16, which would round twice, and one that drops its dimensions: those stay. So does a product with another
// tensor in groups.
// CHECK-LABEL: func.func @over_groups(
// CHECK: "ttnn.mean"(%{{.*}}) <{dim_arg = [1 : i32, 2 : i32]
func.func @over_groups(%x: tensor<2x8x8x64xf32, #f32_2x8x8x64>, %s: tensor<2x1x8x1xf32, #f32_2x1x8x1>) -> (tensor<2x8x8x64xf32, #f32_2x8x8x64>, tensor<2x1x1x8xf32, #f32_2x1x1x8>) {
  %0 = "ttnn.reshape"(%x) <{shape = [2 : i32, 64 : i32, 8 : i32, 8 : i32]}> : (tensor<2x8x8x64xf32, #f32_2x8x8x64>) -> tensor<2x64x8x8xf32, #f32_2x64x8x8>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32, 2 : i32], keep_dim = true}> : (tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> tensor<2x1x1x8xf32, #f32_2x1x1x8>
  %2 = "ttnn.multiply"(%0, %s) : (tensor<2x64x8x8xf32, #f32_2x64x8x8>, tensor<2x1x8x1xf32, #f32_2x1x8x1>) -> tensor<2x64x8x8xf32, #f32_2x64x8x8>
  %3 = "ttnn.reshape"(%2) <{shape = [2 : i32, 8 : i32, 8 : i32, 64 : i32]}> : (tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> tensor<2x8x8x64xf32, #f32_2x8x8x64>
  return %3, %1 : tensor<2x8x8x64xf32, #f32_2x8x8x64>, tensor<2x1x1x8xf32, #f32_2x1x1x8>
}

// CHECK-LABEL: func.func @rounded(
// CHECK: "ttnn.mean"(%{{.*}}) <{dim_arg = [1 : i32, 3 : i32]
func.func @rounded(%x: tensor<2x8x8x64xbf16, #bf16_2x8x8x64>, %s: tensor<2x1x8x1xbf16, #bf16_2x1x8x1>) -> (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>, tensor<2x1x8x1xbf16, #bf16_2x1x8x1>) {
  %0 = "ttnn.reshape"(%x) <{shape = [2 : i32, 64 : i32, 8 : i32, 8 : i32]}> : (tensor<2x8x8x64xbf16, #bf16_2x8x8x64>) -> tensor<2x64x8x8xbf16, #bf16_2x64x8x8>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32, 3 : i32], keep_dim = true}> : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>) -> tensor<2x1x8x1xbf16, #bf16_2x1x8x1>
  %2 = "ttnn.multiply"(%0, %s) : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>, tensor<2x1x8x1xbf16, #bf16_2x1x8x1>) -> tensor<2x64x8x8xbf16, #bf16_2x64x8x8>
  %3 = "ttnn.reshape"(%2) <{shape = [2 : i32, 8 : i32, 8 : i32, 64 : i32]}> : (tensor<2x64x8x8xbf16, #bf16_2x64x8x8>) -> tensor<2x8x8x64xbf16, #bf16_2x8x8x64>
  return %3, %1 : tensor<2x8x8x64xbf16, #bf16_2x8x8x64>, tensor<2x1x8x1xbf16, #bf16_2x1x8x1>
}

// Dimensions that the mean drops go afterwards.
// CHECK-LABEL: func.func @dropped(
// CHECK: "ttnn.mean"(%{{.*}}) <{dim_arg = [1 : i32], keep_dim = true}>
// CHECK: %[[GROUPS:.*]] = "ttnn.mean"(%{{.*}}) <{dim_arg = [3 : i32], keep_dim = true}>
// CHECK-NEXT: "ttnn.reshape"(%[[GROUPS]]) <{shape = [2 : i32, 8 : i32]}>
func.func @dropped(%x: tensor<2x8x8x64xf32, #f32_2x8x8x64>, %s: tensor<2x1x8x1xf32, #f32_2x1x8x1>) -> (tensor<2x8x8x64xf32, #f32_2x8x8x64>, tensor<2x8xf32, #f32_2x8>) {
  %0 = "ttnn.reshape"(%x) <{shape = [2 : i32, 64 : i32, 8 : i32, 8 : i32]}> : (tensor<2x8x8x64xf32, #f32_2x8x8x64>) -> tensor<2x64x8x8xf32, #f32_2x64x8x8>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32, 3 : i32], keep_dim = false}> : (tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> tensor<2x8xf32, #f32_2x8>
  %2 = "ttnn.multiply"(%0, %s) : (tensor<2x64x8x8xf32, #f32_2x64x8x8>, tensor<2x1x8x1xf32, #f32_2x1x8x1>) -> tensor<2x64x8x8xf32, #f32_2x64x8x8>
  %3 = "ttnn.reshape"(%2) <{shape = [2 : i32, 8 : i32, 8 : i32, 64 : i32]}> : (tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> tensor<2x8x8x64xf32, #f32_2x8x8x64>
  return %3, %1 : tensor<2x8x8x64xf32, #f32_2x8x8x64>, tensor<2x8xf32, #f32_2x8>
}

// CHECK-LABEL: func.func @with_another(
// CHECK: "ttnn.multiply"({{.*}} -> tensor<2x64x8x8xf32
func.func @with_another(%x: tensor<2x8x8x64xf32, #f32_2x8x8x64>, %s: tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> (tensor<2x8x8x64xf32, #f32_2x8x8x64>, tensor<2x1x8x1xf32, #f32_2x1x8x1>) {
  %0 = "ttnn.reshape"(%x) <{shape = [2 : i32, 64 : i32, 8 : i32, 8 : i32]}> : (tensor<2x8x8x64xf32, #f32_2x8x8x64>) -> tensor<2x64x8x8xf32, #f32_2x64x8x8>
  %1 = "ttnn.mean"(%0) <{dim_arg = [1 : i32, 3 : i32], keep_dim = true}> : (tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> tensor<2x1x8x1xf32, #f32_2x1x8x1>
  %2 = "ttnn.multiply"(%0, %s) : (tensor<2x64x8x8xf32, #f32_2x64x8x8>, tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> tensor<2x64x8x8xf32, #f32_2x64x8x8>
  %3 = "ttnn.reshape"(%2) <{shape = [2 : i32, 8 : i32, 8 : i32, 64 : i32]}> : (tensor<2x64x8x8xf32, #f32_2x64x8x8>) -> tensor<2x8x8x64xf32, #f32_2x8x8x64>
  return %3, %1 : tensor<2x8x8x64xf32, #f32_2x8x8x64>, tensor<2x1x8x1xf32, #f32_2x1x8x1>
}
