// The number that forbids a score lies on the host, in fewer dimensions than it has: it can be part of nothing.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+attention,+attention-decode %s | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#q = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#k = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#m = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #system_memory>>

// CHECK: ttnn.where
// CHECK: ttnn.softmax
// CHECK-NOT: scaled_dot_product_attention
func.func @one_position(%q: tensor<4x2x1x64xbf16, #q>, %k: tensor<4x2x64x64xbf16, #k>, %v: tensor<4x2x64x64xbf16, #k>, %c: tensor<4x1x1x64xbf16, #m>) -> tensor<4x2x1x64xbf16, #q> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %low = "ttnn.full"(%d) <{fill_value = -3.38953139E+38 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #host>
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = true}> : (tensor<4x2x1x64xbf16, #q>, tensor<4x2x64x64xbf16, #k>) -> tensor<4x2x1x64xbf16, #q>
  %1 = "ttnn.where"(%c, %0, %low) : (tensor<4x1x1x64xbf16, #m>, tensor<4x2x1x64xbf16, #q>, tensor<1x1x1x1xbf16, #host>) -> tensor<4x2x1x64xbf16, #q>
  %2 = "ttnn.softmax"(%1) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x2x1x64xbf16, #q>) -> tensor<4x2x1x64xbf16, #q>
  %3 = "ttnn.matmul"(%2, %v) <{transpose_a = false, transpose_b = false}> : (tensor<4x2x1x64xbf16, #q>, tensor<4x2x64x64xbf16, #k>) -> tensor<4x2x1x64xbf16, #q>
  return %3 : tensor<4x2x1x64xbf16, #q>
}
