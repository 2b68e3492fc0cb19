// Attention shares keys and values among the heads of a group by itself.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#q = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#kv = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#one = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 128 + d1 * 64 + d2 * 64 + d3, d4), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#many = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 512 + d1 * 256 + d2 * 64 + d3, d4), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @decode
// CHECK-NOT: repeat
// CHECK: "ttnn.scaled_dot_product_attention_decode"(%arg0, %arg1, %arg2)
// CHECK-NEXT: return
func.func @decode(%q: tensor<1x2x8x64xbf16, #q>, %k: tensor<2x2x64x64xbf16, #kv>, %v: tensor<2x2x64x64xbf16, #kv>) -> tensor<1x2x8x64xbf16, #q> {
  %0 = "ttnn.reshape"(%k) <{shape = [2 : i32, 2 : i32, 1 : i32, 64 : i32, 64 : i32]}> : (tensor<2x2x64x64xbf16, #kv>) -> tensor<2x2x1x64x64xbf16, #one>
  %1 = "ttnn.repeat"(%0) <{repeat_dims = #ttnn.shape<1x1x4x1x1>}> : (tensor<2x2x1x64x64xbf16, #one>) -> tensor<2x2x4x64x64xbf16, #many>
  %2 = "ttnn.reshape"(%1) <{shape = [2 : i32, 8 : i32, 64 : i32, 64 : i32]}> : (tensor<2x2x4x64x64xbf16, #many>) -> tensor<2x8x64x64xbf16, #heads>
  %3 = "ttnn.repeat_interleave"(%v) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<2x2x64x64xbf16, #kv>) -> tensor<2x8x64x64xbf16, #heads>
  %4 = "ttnn.scaled_dot_product_attention_decode"(%q, %2, %3) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x8x64xbf16, #q>, tensor<2x8x64x64xbf16, #heads>, tensor<2x8x64x64xbf16, #heads>) -> tensor<1x2x8x64xbf16, #q>
  return %4 : tensor<1x2x8x64xbf16, #q>
}

// Groups one behind the other: a head attends to other keys than its group's.
// CHECK-LABEL: func.func @another_order
// CHECK: "ttnn.repeat"(%arg1)
// CHECK: "ttnn.scaled_dot_product_attention_decode"
func.func @another_order(%q: tensor<1x2x8x64xbf16, #q>, %k: tensor<2x2x64x64xbf16, #kv>, %v: tensor<2x2x64x64xbf16, #kv>) -> tensor<1x2x8x64xbf16, #q> {
  %0 = "ttnn.repeat"(%k) <{repeat_dims = #ttnn.shape<1x4x1x1>}> : (tensor<2x2x64x64xbf16, #kv>) -> tensor<2x8x64x64xbf16, #heads>
  %1 = "ttnn.repeat_interleave"(%v) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<2x2x64x64xbf16, #kv>) -> tensor<2x8x64x64xbf16, #heads>
  %2 = "ttnn.scaled_dot_product_attention_decode"(%q, %0, %1) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x8x64xbf16, #q>, tensor<2x8x64x64xbf16, #heads>, tensor<2x8x64x64xbf16, #heads>) -> tensor<1x2x8x64xbf16, #q>
  return %2 : tensor<1x2x8x64xbf16, #q>
}
