// A function of what nothing is read for: the op that makes it applies none. Nor do ops of integers, whose kernels apply functions of numbers.
// RUN: tessera optimize %s -o - -q | FileCheck %s
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#i = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #ttnn.buffer_type<dram>>, <interleaved>>
// CHECK: "ttnn.full"
func.func @main() -> tensor<32x32xbf16, #t> {
  %0 = "ttnn.full"() <{fill_value = 2.0 : f32, shape = #ttnn.shape<32x32>}> : () -> tensor<32x32xbf16, #t>
  %1 = "ttnn.relu"(%0) : (tensor<32x32xbf16, #t>) -> tensor<32x32xbf16, #t>
  return %1 : tensor<32x32xbf16, #t>
}
// CHECK-LABEL: func.func @integers
// CHECK:       "ttnn.subtract"
// CHECK:       "ttnn.relu"
// CHECK:       "ttnn.add"
// CHECK:       "ttnn.relu"
func.func @integers(%a: tensor<32x32xsi32, #i>, %b: tensor<32x32xsi32, #i>) -> tensor<32x32xsi32, #i> {
  %0 = "ttnn.subtract"(%a, %b) : (tensor<32x32xsi32, #i>, tensor<32x32xsi32, #i>) -> tensor<32x32xsi32, #i>
  %1 = "ttnn.relu"(%0) : (tensor<32x32xsi32, #i>) -> tensor<32x32xsi32, #i>
  %2 = "ttnn.add"(%1, %b) : (tensor<32x32xsi32, #i>, tensor<32x32xsi32, #i>) -> tensor<32x32xsi32, #i>
  %3 = "ttnn.relu"(%2) : (tensor<32x32xsi32, #i>) -> tensor<32x32xsi32, #i>
  return %3 : tensor<32x32xsi32, #i>
}
