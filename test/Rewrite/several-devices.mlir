// Tensors that several devices hold are held by these, whatever their pages.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

#dram = #ttnn.buffer_type<dram>
#r_bf16_4x2x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, mesh = <"mesh">, memref<512x32xbf16, #dram>, <interleaved>>
#t_bf16_1x4x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, mesh = <"mesh">, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#t_si32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, mesh = <"mesh">, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#t_bf16_4x2x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, mesh = <"mesh">, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#r_bf16_8x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, mesh = <"mesh">, memref<512x32xbf16, #dram>, <interleaved>>
#r_si32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, mesh = <"mesh">, memref<1x1xsi32, #dram>, <interleaved>>
#r_si32_1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, mesh = <"mesh">, memref<1x1xsi32, #dram>, <interleaved>>
#r_bf16_1x4x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 8 + d1 * 2 + d2, d3), <1x1>, mesh = <"mesh">, memref<8x32xbf16, #dram>, <interleaved>>
#r_bf16_8x1x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, mesh = <"mesh">, memref<8x32xbf16, #dram>, <interleaved>>
#t_bf16_8x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, mesh = <"mesh">, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @one_position(
// CHECK: %[[C:.*]] = "ttnn.to_layout"(%arg0)
// CHECK: "ttnn.paged_update_cache"(%[[C]],
// CHECK-NEXT: return %[[C]]
func.func @one_position(%c: tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>, %new: tensor<1x4x2x32xbf16, #t_bf16_1x4x2x32>, %p: tensor<1x1xsi32, #t_si32_1x1>) -> (tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>) {
  %0 = "ttnn.reshape"(%c) <{shape = [8 : i32, 64 : i32, 32 : i32]}> : (tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>) -> tensor<8x64x32xbf16, #r_bf16_8x64x32>
  %1 = "ttnn.clamp_scalar"(%p) <{max = 63 : i32, min = 0 : i32}> : (tensor<1x1xsi32, #t_si32_1x1>) -> tensor<1x1xsi32, #t_si32_1x1>
  %2 = "ttnn.to_layout"(%1) : (tensor<1x1xsi32, #t_si32_1x1>) -> tensor<1x1xsi32, #r_si32_1x1>
  %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x1xsi32, #r_si32_1x1>) -> tensor<1x1x1xsi32, #r_si32_1x1x1>
  %4 = "ttnn.to_layout"(%new) : (tensor<1x4x2x32xbf16, #t_bf16_1x4x2x32>) -> tensor<1x4x2x32xbf16, #r_bf16_1x4x2x32>
  %5 = "ttnn.reshape"(%4) <{shape = [8 : i32, 1 : i32, 32 : i32]}> : (tensor<1x4x2x32xbf16, #r_bf16_1x4x2x32>) -> tensor<8x1x32xbf16, #r_bf16_8x1x32>
  %6 = "ttnn.rows_scatter"(%0, %3, %5) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 64>, windows = array<i64: 1>}> : (tensor<8x64x32xbf16, #r_bf16_8x64x32>, tensor<1x1x1xsi32, #r_si32_1x1x1>, tensor<8x1x32xbf16, #r_bf16_8x1x32>) -> tensor<8x64x32xbf16, #r_bf16_8x64x32>
  %7 = "ttnn.to_layout"(%6) : (tensor<8x64x32xbf16, #r_bf16_8x64x32>) -> tensor<8x64x32xbf16, #t_bf16_8x64x32>
  %8 = "ttnn.reshape"(%7) <{shape = [4 : i32, 2 : i32, 64 : i32, 32 : i32]}> : (tensor<8x64x32xbf16, #t_bf16_8x64x32>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
  return %8 : tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
}
