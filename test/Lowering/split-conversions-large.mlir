// Rows of a tensor that is spread over L1 stand in one shard per core. Here that would be 2^32 elements, which no layout can
// hold: the op stays as it is.
// RUN: tessera-opt --ttnn-split-conversions %s 2>&1 | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#spread = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x4194304x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<65536x131072xbf16, #dram>, <interleaved>>

// CHECK-NOT: error:
// CHECK-LABEL: func.func @f
// CHECK-NEXT: "ttnn.to_layout"(%arg0) : (tensor<65536x131072xbf16, #{{.*}}>) -> tensor<65536x131072xbf16, #{{.*}}>
// CHECK-NEXT: return
func.func @f(%x: tensor<65536x131072xbf16, #spread>) -> tensor<65536x131072xbf16, #rows> {
  %0 = "ttnn.to_layout"(%x) : (tensor<65536x131072xbf16, #spread>) -> tensor<65536x131072xbf16, #rows>
  return %0 : tensor<65536x131072xbf16, #rows>
}
