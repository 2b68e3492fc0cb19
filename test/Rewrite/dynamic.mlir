// Functions with extents that only a run knows keep their graph.
// RUN: tessera-opt --ttnn-rewrite %s | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<18x128x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#h = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<1024x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#p = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 576 + d1 * 32 + d2, d3), <1x1>, memref<576x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-LABEL: func.func @met
func.func @met(%x: tensor<32x32x18x128xbf16, #h>) -> tensor<32x32x18x128xbf16, #h> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<32x32x18x128xbf16, #h>) -> tensor<32x18x32x128xbf16, #p>
  // CHECK: "ttnn.reshape"({{.*}}tensor<576x?xbf16
  %1 = "ttnn.reshape"(%0) <{shape = [576 : i32, 4096 : i32]}> : (tensor<32x18x32x128xbf16, #p>) -> tensor<576x?xbf16, #l>
  %2 = "ttnn.reshape"(%1) <{shape = [32 : i32, 18 : i32, 32 : i32, 128 : i32]}> : (tensor<576x?xbf16, #l>) -> tensor<32x18x32x128xbf16, #p>
  // CHECK: "ttnn.permute"
  // CHECK-NEXT: return
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<32x18x32x128xbf16, #p>) -> tensor<32x32x18x128xbf16, #h>
  return %3 : tensor<32x32x18x128xbf16, #h>
}
