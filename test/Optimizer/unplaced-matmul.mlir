// A matmul whose operands do not fit their layouts keeps all that it says, and is asked about no kernel: the program ended here.
// RUN: tessera optimize -q %s -o - | FileCheck %s
// CHECK: "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}>
// CHECK: "ttnn.exp"

#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
func.func @main(%a: tensor<64x128xbf16, #layout>, %b: tensor<128x256xbf16, #layout>) -> tensor<64x256xbf16, #layout> {
  %0 = "ttnn.matmul"(%a, %b) : (tensor<64x128xbf16, #layout>, tensor<128x256xbf16, #layout>) -> tensor<64x256xbf16, #layout>
  %1 = "ttnn.exp"(%0) : (tensor<64x256xbf16, #layout>) -> tensor<64x256xbf16, #layout>
  return %1 : tensor<64x256xbf16, #layout>
}
