// A compiler may give all ops that come from one line the same name. What a rewrite gained is told by the op that it replaced, not by the average of these.
// RUN: tessera explain %s | FileCheck %s

// CHECK: 2.46 ms before, {{[0-9]+}} us after
// CHECK: The rewrites that gained most
// CHECK-NEXT: argmax-of-parts{{.*}} (rounding) for composite: 2.45 ms -> {{[0-9]+}} us

#dram = #ttnn.buffer_type<dram>
#logits = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x128256xbf16, #dram>, <interleaved>>
#found = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xui32, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#token = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
func.func @sample(%logits: tensor<32x128256xbf16, #logits>) -> tensor<32xsi32, #token> {
  %0 = "ttnn.argmax"(%logits) <{dim = 1 : si32, keep_dim = false}> : (tensor<32x128256xbf16, #logits>) -> tensor<32xui32, #found> loc("composite")
  %1 = "ttnn.to_layout"(%0) : (tensor<32xui32, #found>) -> tensor<32xui32, #tiles> loc("composite")
  %2 = "ttnn.typecast"(%1) : (tensor<32xui32, #tiles>) -> tensor<32xsi32, #token> loc("composite")
  return %2 : tensor<32xsi32, #token>
}
