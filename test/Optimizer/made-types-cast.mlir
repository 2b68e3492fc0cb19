// Places are made as u32 and cast to what was asked for; a property that repeats the result's type says nothing.
// RUN: tessera optimize %s -o %t.mlir --policy greedy
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#l64_256_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l64_32_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l64_32_ui16 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#l64_256_ui16 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#l64_256_si32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @places(
// CHECK: "ttnn.topk"({{.*}}tensor<64x32xui32
// CHECK: "ttnn.typecast"({{.*}}tensor<64x32xui16
func.func @places(%a0: tensor<64x256xf32, #l64_256_f32>) -> (tensor<64x32xf32, #l64_32_f32>, tensor<64x32xui16, #l64_32_ui16>) {
  %r:2 = "ttnn.topk"(%a0) <{dim = -1 : si32, k = 32 : i32, largest = true, sorted = true}> : (tensor<64x256xf32, #l64_256_f32>) -> (tensor<64x32xf32, #l64_32_f32>, tensor<64x32xui16, #l64_32_ui16>)
  return %r#0, %r#1 : tensor<64x32xf32, #l64_32_f32>, tensor<64x32xui16, #l64_32_ui16>
}

// CHECK-LABEL: func.func @order(
// CHECK: "ttnn.sort"({{.*}}tensor<64x256xui32
// CHECK: "ttnn.typecast"({{.*}}tensor<64x256xui16
func.func @order(%a0: tensor<64x256xf32, #l64_256_f32>) -> (tensor<64x256xf32, #l64_256_f32>, tensor<64x256xui16, #l64_256_ui16>) {
  %r:2 = "ttnn.sort"(%a0) <{descending = false, dim = -1 : si8, stable = false}> : (tensor<64x256xf32, #l64_256_f32>) -> (tensor<64x256xf32, #l64_256_f32>, tensor<64x256xui16, #l64_256_ui16>)
  return %r#0, %r#1 : tensor<64x256xf32, #l64_256_f32>, tensor<64x256xui16, #l64_256_ui16>
}

// CHECK-LABEL: func.func @repeats(
// CHECK: "ttnn.add"
func.func @repeats(%a0: tensor<64x256xsi32, #l64_256_si32>, %a1: tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x256xsi32, #l64_256_si32>) {
  %r:1 = "ttnn.add"(%a0, %a1) <{dtype = #ttcore.supportedDataTypes<si32>}> : (tensor<64x256xsi32, #l64_256_si32>, tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x256xsi32, #l64_256_si32>)
  return %r#0 : tensor<64x256xsi32, #l64_256_si32>
}
