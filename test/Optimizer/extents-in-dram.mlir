// Extents of what is interleaved in DRAM only repeat its shape. Where they repeat another one, as the public compiler's do behind convolutions
// whose border has two sides alone, or leave dimensions out, as behind slices at places that are computed, the tensor lies there all the same.

// RUN: tessera optimize %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: tessera verify %s %t.mlir
// CHECK-NOT: keep their layouts
// CHECK: activations {{ *}}2  (and 1 arguments
// CHECK: activations {{ *}}2  (and 1 arguments

#dram = #ttnn.buffer_type<dram>
#rows = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 800 + d1 * 800 + d2, d3), <1x1>, memref<25x5x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#fewer = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 768 + d1 * 768 + d2, d3), <1x1>, memref<24x5x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @main(%x: tensor<1x1x784x144xbf16, #rows>) -> tensor<1x1x784x144xbf16, #rows> {
  %0 = "ttnn.exp"(%x) : (tensor<1x1x784x144xbf16, #rows>) -> tensor<1x1x784x144xbf16, #fewer>
  %1 = "ttnn.relu"(%0) : (tensor<1x1x784x144xbf16, #fewer>) -> tensor<1x1x784x144xbf16, #rows>
  return %1 : tensor<1x1x784x144xbf16, #rows>
}

#batches = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#one = #ttnn.ttnn_layout<(d0, d1, d2) -> (d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @outer(%x: tensor<4x32x32xbf16, #batches>) -> tensor<4x32x32xbf16, #batches> {
  %0 = "ttnn.exp"(%x) : (tensor<4x32x32xbf16, #batches>) -> tensor<4x32x32xbf16, #one>
  %1 = "ttnn.relu"(%0) : (tensor<4x32x32xbf16, #one>) -> tensor<4x32x32xbf16, #batches>
  return %1 : tensor<4x32x32xbf16, #batches>
}
