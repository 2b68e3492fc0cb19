// An override of the memory leaves the page layout to the optimizer, which counts what its neighbours pay for it: rows are
// faster for the permute alone, but the relu behind it reads tiles.

// RUN: tessera optimize %s --override-output-layout p=dram -q -o - | FileCheck %s
// RUN: tessera optimize %s --override-output-layout p=dram --policy df-sharding -q -o - | FileCheck %s
// CHECK: #[[TILES:.*]] = #ttnn.ttnn_layout<{{.*}}memref<12544x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK: func.func
// CHECK-NOT: "ttnn.to_layout"
// CHECK: %[[P:.*]] = "ttnn.permute"(%arg0) {{.*}} -> tensor<8x224x224x3xbf16, #[[TILES]]>
// CHECK-NOT: "ttnn.to_layout"
// CHECK: "ttnn.relu"(%[[P]])

#dram = #ttnn.buffer_type<dram>
#image = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 672 + d1 * 224 + d2, d3), <1x1>, memref<168x7x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#thin = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 50176 + d1 * 224 + d2, d3), <1x1>, memref<12544x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%a: tensor<8x3x224x224xbf16, #image>) -> tensor<8x224x224x3xbf16, #thin> {
  %0 = "ttnn.permute"(%a) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<8x3x224x224xbf16, #image>) -> tensor<8x224x224x3xbf16, #thin> loc("p")
  %1 = "ttnn.relu"(%0) : (tensor<8x224x224x3xbf16, #thin>) -> tensor<8x224x224x3xbf16, #thin>
  return %1 : tensor<8x224x224x3xbf16, #thin>
}
