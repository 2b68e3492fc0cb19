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
