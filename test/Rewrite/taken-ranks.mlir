// Ops that the device refuses for how many dimensions they have.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+taken-ranks %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir
// RUN: tessera optimize %s -o %t.optimized.mlir --policy greedy
// RUN: tessera verify %s %t.optimized.mlir

#dram = #ttnn.buffer_type<dram>
#l2_3_2_40_96_bf16 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 384 + d1 * 128 + d2 * 64 + d3, d4), <1x1>, memref<24x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l5_3_2_48_96_bf16 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 384 + d1 * 128 + d2 * 64 + d3, d4), <1x1>, memref<60x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l96_f32 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x3x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l32_ui32 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#l32_f32 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l2_3_40_96_bf16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), <1x1>, memref<12x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l3_3_40_96_bf16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), <1x1>, memref<18x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l2_3_3_40_96_bf16 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 576 + d1 * 192 + d2 * 64 + d3, d4), <1x1>, memref<36x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l8_96_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x3x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l8_32_ui32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#l8_32_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// What is put before and behind outer dimensions is joined; inner ones are padded.
// CHECK-LABEL: func.func @volumes(
// CHECK: "ttnn.full"
// CHECK: "ttnn.full"
// CHECK: "ttnn.concat"({{.*}}dim = 0
// CHECK: "ttnn.pad"({{.*}}padding = array<i32: 0, 0, 0, 0, 0, 0, 0, 8, 0, 0>
// CHECK: return
func.func @volumes(%a0: tensor<2x3x2x40x96xbf16, #l2_3_2_40_96_bf16>) -> (tensor<5x3x2x48x96xbf16, #l5_3_2_48_96_bf16>) {
  %r:1 = "ttnn.pad"(%a0) <{padding = array<i32: 1, 2, 0, 0, 0, 0, 0, 8, 0, 0>, use_multicore = true, value = 2.0 : f32}> : (tensor<2x3x2x40x96xbf16, #l2_3_2_40_96_bf16>) -> (tensor<5x3x2x48x96xbf16, #l5_3_2_48_96_bf16>)
  return %r#0 : tensor<5x3x2x48x96xbf16, #l5_3_2_48_96_bf16>
}

// A vector is a row.
// CHECK-LABEL: func.func @vector(
// CHECK: "ttnn.gather"({{.*}}dim = 1 : i32{{.*}} : (tensor<1x96xf32,{{.*}}, tensor<1x32xui32,{{.*}}) -> tensor<1x32xf32
func.func @vector(%a0: tensor<96xf32, #l96_f32>, %a1: tensor<32xui32, #l32_ui32>) -> (tensor<32xf32, #l32_f32>) {
  %r:1 = "ttnn.gather"(%a0, %a1) <{dim = 0 : i32}> : (tensor<96xf32, #l96_f32>, tensor<32xui32, #l32_ui32>) -> (tensor<32xf32, #l32_f32>)
  return %r#0 : tensor<32xf32, #l32_f32>
}

// Of four dimensions kernels pad all.
// CHECK-LABEL: func.func @images(
// CHECK-NOT: {{ttnn.concat|ttnn.reshape}}
// CHECK: return
func.func @images(%a0: tensor<2x3x40x96xbf16, #l2_3_40_96_bf16>) -> (tensor<3x3x40x96xbf16, #l3_3_40_96_bf16>) {
  %r:1 = "ttnn.pad"(%a0) <{padding = array<i32: 0, 1, 0, 0, 0, 0, 0, 0>, use_multicore = true, value = 0.0 : f32}> : (tensor<2x3x40x96xbf16, #l2_3_40_96_bf16>) -> (tensor<3x3x40x96xbf16, #l3_3_40_96_bf16>)
  return %r#0 : tensor<3x3x40x96xbf16, #l3_3_40_96_bf16>
}

// Of five the last three.
// CHECK-LABEL: func.func @inner(
// CHECK-NOT: {{ttnn.concat|ttnn.reshape}}
// CHECK: return
func.func @inner(%a0: tensor<2x3x2x40x96xbf16, #l2_3_2_40_96_bf16>) -> (tensor<2x3x3x40x96xbf16, #l2_3_3_40_96_bf16>) {
  %r:1 = "ttnn.pad"(%a0) <{padding = array<i32: 0, 0, 0, 0, 0, 1, 0, 0, 0, 0>, use_multicore = true, value = 0.0 : f32}> : (tensor<2x3x2x40x96xbf16, #l2_3_2_40_96_bf16>) -> (tensor<2x3x3x40x96xbf16, #l2_3_3_40_96_bf16>)
  return %r#0 : tensor<2x3x3x40x96xbf16, #l2_3_3_40_96_bf16>
}

// Rows are gathered from as they are.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT: {{ttnn.concat|ttnn.reshape}}
// CHECK: return
func.func @rows(%a0: tensor<8x96xf32, #l8_96_f32>, %a1: tensor<8x32xui32, #l8_32_ui32>) -> (tensor<8x32xf32, #l8_32_f32>) {
  %r:1 = "ttnn.gather"(%a0, %a1) <{dim = 1 : i32}> : (tensor<8x96xf32, #l8_96_f32>, tensor<8x32xui32, #l8_32_ui32>) -> (tensor<8x32xf32, #l8_32_f32>)
  return %r#0 : tensor<8x32xf32, #l8_32_f32>
}
