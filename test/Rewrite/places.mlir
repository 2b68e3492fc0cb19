// The places of many rows' maxima are found by ops on all of them at once.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+places %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir
// RUN: tessera verify %s %t.mlir --arithmetic kernels

#dram = #ttnn.buffer_type<dram>
#bf16_96x1000 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rm_si32_96 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x96xsi32, #dram>, <interleaved>>
#bf16_2x40x150 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x5x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rm_si32_2x40x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 40 + d1, d2), <1x1>, memref<80x1xsi32, #dram>, <interleaved>>
#bf16_31x1000 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rm_si32_31 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x31xsi32, #dram>, <interleaved>>
#f32_96x1000 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x32x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_96x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<192x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rm_si32_96x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<96x32xsi32, #dram>, <interleaved>>

// Which 256 elements the maximum is among, and which of these it is.
// CHECK-LABEL: func.func @of_many_rows(
// CHECK-NOT: ttnn.argmax
// CHECK: "ttnn.max"(%arg0)
// CHECK-COUNT-2: "ttnn.eq"
// CHECK: "ttnn.clamp_scalar"({{.*}}) <{max = 9.990000e+02 : f32
// CHECK-NEXT: "ttnn.typecast"
func.func @of_many_rows(%x: tensor<96x1000xbf16, #bf16_96x1000>) -> tensor<96xsi32, #rm_si32_96> {
  %0 = "ttnn.argmax"(%x) <{dim = -1 : si32, keep_dim = false}> : (tensor<96x1000xbf16, #bf16_96x1000>) -> tensor<96xsi32, #rm_si32_96>
  return %0 : tensor<96xsi32, #rm_si32_96>
}

// Numbers of bf16 tell 256 elements apart.
// CHECK-LABEL: func.func @of_few_elements(
// CHECK-NOT: ttnn.argmax
// CHECK-COUNT-1: "ttnn.eq"
// CHECK-NOT: "ttnn.eq"
// CHECK: return
func.func @of_few_elements(%x: tensor<2x40x150xbf16, #bf16_2x40x150>) -> tensor<2x40x1xsi32, #rm_si32_2x40x1> {
  %0 = "ttnn.argmax"(%x) <{dim = 2 : si32, keep_dim = true}> : (tensor<2x40x150xbf16, #bf16_2x40x150>) -> tensor<2x40x1xsi32, #rm_si32_2x40x1>
  return %0 : tensor<2x40x1xsi32, #rm_si32_2x40x1>
}

// Rows that do not fill a tile are searched as fast.
// CHECK-LABEL: func.func @of_few_rows(
// CHECK: ttnn.argmax
func.func @of_few_rows(%x: tensor<31x1000xbf16, #bf16_31x1000>) -> tensor<31xsi32, #rm_si32_31> {
  %0 = "ttnn.argmax"(%x) <{dim = -1 : si32, keep_dim = false}> : (tensor<31x1000xbf16, #bf16_31x1000>) -> tensor<31xsi32, #rm_si32_31>
  return %0 : tensor<31xsi32, #rm_si32_31>
}

// Maxima of f32 are rounded.
// CHECK-LABEL: func.func @of_f32(
// CHECK: ttnn.argmax
func.func @of_f32(%x: tensor<96x1000xf32, #f32_96x1000>) -> tensor<96xsi32, #rm_si32_96> {
  %0 = "ttnn.argmax"(%x) <{dim = -1 : si32, keep_dim = false}> : (tensor<96x1000xf32, #f32_96x1000>) -> tensor<96xsi32, #rm_si32_96>
  return %0 : tensor<96xsi32, #rm_si32_96>
}

// Columns.
// CHECK-LABEL: func.func @of_columns(
// CHECK: ttnn.argmax
func.func @of_columns(%x: tensor<96x64x32xbf16, #bf16_96x64x32>) -> tensor<96x32xsi32, #rm_si32_96x32> {
  %0 = "ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = false}> : (tensor<96x64x32xbf16, #bf16_96x64x32>) -> tensor<96x32xsi32, #rm_si32_96x32>
  return %0 : tensor<96x32xsi32, #rm_si32_96x32>
}
