// A function of what nothing is read for: the op that makes it applies none.
// RUN: tessera optimize %s -o - -q | FileCheck %s
// CHECK: "ttnn.full"
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @main() -> tensor<32x32xbf16, #t> {
  %0 = "ttnn.full"() <{fill_value = 2.0 : f32, shape = #ttnn.shape<32x32>}> : () -> tensor<32x32xbf16, #t>
  %1 = "ttnn.relu"(%0) : (tensor<32x32xbf16, #t>) -> tensor<32x32xbf16, #t>
  return %1 : tensor<32x32xbf16, #t>
}
