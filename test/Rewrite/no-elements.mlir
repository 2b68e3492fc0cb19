// Tensors without elements are left as they are.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

#dram = #ttnn.buffer_type<dram>
#t_32x0 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x0x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#u32_32 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xui32, #dram>, <interleaved>>
#r_0x4x2 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), <1x1>, memref<0x2xbf16, #dram>, <interleaved>>
#r_0x2x4 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 2 + d1, d2), <1x1>, memref<0x4xbf16, #dram>, <interleaved>>
#r_2x0x4 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 0 + d1, d2), <1x1>, memref<0x4xbf16, #dram>, <interleaved>>
#r_2x4x0 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), <1x1>, memref<8x0xbf16, #dram>, <interleaved>>

// CHECK-LABEL: func.func @argmax(
// CHECK-NEXT: "ttnn.argmax"(%arg0)
// CHECK-NEXT: return
func.func @argmax(%x: tensor<32x0xbf16, #t_32x0>) -> tensor<32xui32, #u32_32> {
  %0 = "ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = false, use_multicore = true}> : (tensor<32x0xbf16, #t_32x0>) -> tensor<32xui32, #u32_32>
  return %0 : tensor<32xui32, #u32_32>
}

// CHECK-LABEL: func.func @chain(
// CHECK: return %{{.*}} : tensor<2x4x0xbf16
func.func @chain(%x: tensor<0x4x2xbf16, #r_0x4x2>) -> tensor<2x4x0xbf16, #r_2x4x0> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<0x4x2xbf16, #r_0x4x2>) -> tensor<0x2x4xbf16, #r_0x2x4>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 0 : i32, 4 : i32]}> : (tensor<0x2x4xbf16, #r_0x2x4>) -> tensor<2x0x4xbf16, #r_2x0x4>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x0x4xbf16, #r_2x0x4>) -> tensor<2x4x0xbf16, #r_2x4x0>
  return %2 : tensor<2x4x0xbf16, #r_2x4x0>
}
