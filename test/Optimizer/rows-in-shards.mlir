// Rows that come in shards may be read in other shards: what makes rows of its own reads them where they are, and no interleaved copy stands before it.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=beam" --mlir-print-local-scope %s | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<50x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<24x72x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<50x72x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#z = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 224 + d1, d2), <1x1>, memref<56x72x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// 197 rows an image are no whole tiles, so the reshape goes in rows.
// CHECK: "ttnn.reshape"
// CHECK-SAME: (tensor<1576x2304xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <64x1>, memref<25x2304xbf16, #ttnn.buffer_type<l1>>, <height_sharded>
module {
  func.func @images(%x: tensor<1576x768xbf16, #x>, %w: tensor<768x2304xbf16, #w>) -> tensor<8x197x2304xbf16, #z> {
    %0 = "ttnn.matmul"(%x, %w) : (tensor<1576x768xbf16, #x>, tensor<768x2304xbf16, #w>) -> tensor<1576x2304xbf16, #y>
    %1 = "ttnn.reshape"(%0) <{shape = [8 : i32, 197 : i32, 2304 : i32]}> : (tensor<1576x2304xbf16, #y>) -> tensor<8x197x2304xbf16, #z>
    %2 = "ttnn.relu"(%1) : (tensor<8x197x2304xbf16, #z>) -> tensor<8x197x2304xbf16, #z>
    return %2 : tensor<8x197x2304xbf16, #z>
  }
}
