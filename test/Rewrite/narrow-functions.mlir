// A function of bf16 that is computed in f32 is one of bf16: the same value, rounded once.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_64x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_64x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// As frameworks write a function of bf16.
// CHECK-LABEL: func.func @narrow(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.hardswish"(%arg0) : {{.*}} -> tensor<64x32xbf16
// CHECK-NEXT: return %[[Y]]
func.func @narrow(%x: tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xbf16, #bf16_64x32> {
  %0 = "ttnn.typecast"(%x) : (tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xf32, #f32_64x32>
  %1 = "ttnn.hardswish"(%0) : (tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xf32, #f32_64x32>
  %2 = "ttnn.typecast"(%1) : (tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  return %2 : tensor<64x32xbf16, #bf16_64x32>
}

// What is f32 itself, and what others read in f32, stays so.
// CHECK-LABEL: func.func @wide_is_left(
// CHECK-NEXT: "ttnn.hardswish"(%arg0) : {{.*}} -> tensor<64x32xf32
// CHECK-NEXT: "ttnn.typecast"
func.func @wide_is_left(%x: tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xbf16, #bf16_64x32> {
  %1 = "ttnn.hardswish"(%x) : (tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xf32, #f32_64x32>
  %2 = "ttnn.typecast"(%1) : (tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  return %2 : tensor<64x32xbf16, #bf16_64x32>
}

// CHECK-LABEL: func.func @read_twice_is_left(
// CHECK: "ttnn.hardswish"({{.*}} -> tensor<64x32xf32
func.func @read_twice_is_left(%x: tensor<64x32xbf16, #bf16_64x32>) -> (tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xf32, #f32_64x32>) {
  %0 = "ttnn.typecast"(%x) : (tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xf32, #f32_64x32>
  %1 = "ttnn.hardswish"(%0) : (tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xf32, #f32_64x32>
  %2 = "ttnn.typecast"(%1) : (tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  return %2, %1 : tensor<64x32xbf16, #bf16_64x32>, tensor<64x32xf32, #f32_64x32>
}

// A guard of attention chooses in f32 between what was bf16 and a number, which is rounded before it is chosen as it was behind that.
#f32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_64x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
// CHECK-LABEL: func.func @guard(
// CHECK: %[[LEAST:.*]] = "ttnn.eq"
// CHECK-DAG: %[[C:.*]] = "ttnn.typecast"(%[[LEAST]])
// CHECK: %[[Y:.*]] = "ttnn.where"(%[[C]], %{{.*}}, %arg0) : {{.*}} -> tensor<64x32xbf16
// CHECK-NEXT: return %[[Y]]
func.func @guard(%x: tensor<64x32xbf16, #bf16_64x32>, %least: tensor<64x1xf32, #f32_64x1>) -> tensor<64x32xbf16, #bf16_64x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.eq"(%least, %zero) : (tensor<64x1xf32, #f32_64x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<64x1xf32, #f32_64x1>
  %1 = "ttnn.typecast"(%x) : (tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xf32, #f32_64x32>
  %2 = "ttnn.where"(%0, %zero, %1) : (tensor<64x1xf32, #f32_64x1>, tensor<1x1xf32, #f32_1x1>, tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xf32, #f32_64x32>
  %3 = "ttnn.typecast"(%2) : (tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  return %3 : tensor<64x32xbf16, #bf16_64x32>
}

// Truths of users that were reshaped to stand beside heads, as decode attention has them.
#f32_8x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_8x1x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<8x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_8x8x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<8x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_8x8x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-LABEL: func.func @moved_guard(
// CHECK: "ttnn.where"({{.*}} -> tensor<8x8x32xbf16
// CHECK-NEXT: return
func.func @moved_guard(%x: tensor<8x8x32xbf16, #bf16_8x8x32>, %least: tensor<8x1xf32, #f32_8x1>) -> tensor<8x8x32xbf16, #bf16_8x8x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %none = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xf32, #f32_1x1x1>
  %0 = "ttnn.eq"(%least, %zero) : (tensor<8x1xf32, #f32_8x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<8x1xf32, #f32_8x1>
  %1 = "ttnn.reshape"(%0) <{shape = [8 : i32, 1 : i32, 1 : i32]}> : (tensor<8x1xf32, #f32_8x1>) -> tensor<8x1x1xf32, #f32_8x1x1>
  %2 = "ttnn.typecast"(%x) : (tensor<8x8x32xbf16, #bf16_8x8x32>) -> tensor<8x8x32xf32, #f32_8x8x32>
  %3 = "ttnn.where"(%1, %none, %2) : (tensor<8x1x1xf32, #f32_8x1x1>, tensor<1x1x1xf32, #f32_1x1x1>, tensor<8x8x32xf32, #f32_8x8x32>) -> tensor<8x8x32xf32, #f32_8x8x32>
  %4 = "ttnn.typecast"(%3) : (tensor<8x8x32xf32, #f32_8x8x32>) -> tensor<8x8x32xbf16, #bf16_8x8x32>
  return %4 : tensor<8x8x32xbf16, #bf16_8x8x32>
}

// A condition of any numbers may be true where bf16 has 0.
// CHECK-LABEL: func.func @any_condition_is_left(
// CHECK: "ttnn.where"({{.*}} -> tensor<64x32xf32
func.func @any_condition_is_left(%x: tensor<64x32xbf16, #bf16_64x32>, %c: tensor<64x1xf32, #f32_64x1>) -> tensor<64x32xbf16, #bf16_64x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %1 = "ttnn.typecast"(%x) : (tensor<64x32xbf16, #bf16_64x32>) -> tensor<64x32xf32, #f32_64x32>
  %2 = "ttnn.where"(%c, %zero, %1) : (tensor<64x1xf32, #f32_64x1>, tensor<1x1xf32, #f32_1x1>, tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xf32, #f32_64x32>
  %3 = "ttnn.typecast"(%2) : (tensor<64x32xf32, #f32_64x32>) -> tensor<64x32xbf16, #bf16_64x32>
  return %3 : tensor<64x32xbf16, #bf16_64x32>
}
