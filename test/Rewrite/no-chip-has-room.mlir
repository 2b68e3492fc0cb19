// Tensors that fit onto no chip are left alone: what a rewrite would make of them has extents that no layout can say.
// RUN: tessera-opt --ttnn-rewrite %s | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<67108864x256x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#values = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<67108864x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#indices = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<67108864x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>

// CHECK: "ttnn.topk"(%arg0)
// CHECK-NOT: "ttnn.topk"
func.func @main(%x: tensor<2147483648x8192xbf16, #rows>) -> tensor<2147483648x20xbf16, #values> {
  %0:2 = "ttnn.topk"(%x) <{dim = 1 : si32, k = 20 : i32, largest = true, sorted = true}> : (tensor<2147483648x8192xbf16, #rows>) -> (tensor<2147483648x20xbf16, #values>, tensor<2147483648x20xsi32, #indices>)
  return %0#0 : tensor<2147483648x20xbf16, #values>
}
