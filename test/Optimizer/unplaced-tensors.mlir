// Tensors whose layout does not say where they lie keep it, and so do the ops on them; the rest is optimized. One
// remark per function says so.
// RUN: tessera-opt %s --ttnn-optimizer="device=n150 memory-layout-analysis-enabled=true memory-layout-analysis-policy=df-sharding" 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s --input-file %t.remarks
// RUN: grep -c "keep their layouts" %t.remarks | FileCheck --check-prefix=ONCE %s
// ONCE: {{^}}1{{$}}

#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l1 = #ttnn.buffer_type<l1>
#small = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
#rank1 = #ttnn.ttnn_layout<(d0, d1) -> (d0 * 1024 + d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-DAG: #[[SMALL:ttnn_layout[0-9]*]] = {{.*}}memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>
// CHECK-DAG: #[[RANK1:ttnn_layout[0-9]*]] = {{.*}}(d0 * 1024 + d1)
// CHECK-LABEL: func.func @mixed
// REMARK: unplaced-tensors.mlir:[[#@LINE+3]]:{{.*}}: remark: ops on tensors such as this keep their layouts, because its layout does not place it: layout is too small: shards of 1x1 over a grid of 1x1 do not hold the tensor's 32x32 tiles
func.func @mixed(%x: tensor<1024x1024xbf16, #l>) -> tensor<1024x1024xbf16, #l> {
  // CHECK: %[[ONE:.*]] = "ttnn.relu"(%arg0) : {{.*}} -> tensor<1024x1024xbf16, #[[SMALL]]>
  %1 = "ttnn.relu"(%x) : (tensor<1024x1024xbf16, #l>) -> tensor<1024x1024xbf16, #small>
  // CHECK: %[[TWO:.*]] = "ttnn.exp"(%[[ONE]]) : {{.*}} -> tensor<1024x1024xbf16, #[[RANK1]]>
  %2 = "ttnn.exp"(%1) : (tensor<1024x1024xbf16, #small>) -> tensor<1024x1024xbf16, #rank1>
  // CHECK: %[[THREE:.*]] = "ttnn.abs"(%[[TWO]])
  %3 = "ttnn.abs"(%2) : (tensor<1024x1024xbf16, #rank1>) -> tensor<1024x1024xbf16, #l>
  // Nothing keeps the optimizer from these two.
  // CHECK: "ttnn.sigmoid"{{.*}} -> tensor<1024x1024xbf16, #[[L1:ttnn_layout[0-9]*]]>
  %4 = "ttnn.sigmoid"(%3) : (tensor<1024x1024xbf16, #l>) -> tensor<1024x1024xbf16, #l>
  %5 = "ttnn.tanh"(%4) : (tensor<1024x1024xbf16, #l>) -> tensor<1024x1024xbf16, #l>
  return %5 : tensor<1024x1024xbf16, #l>
}
