// What the optimizer writes between layouts are ops that change one thing each, under every policy; each of them is a step
// of the plan with a time and L1 of its own. The input's to_layout moves and tilizes at once, as tt-mlir wrote it before
// 2026-07-31.
// RUN: tessera optimize %s --rewrites none --policy greedy --explain -o %t.greedy.mlir | FileCheck %s
// RUN: tessera-opt --ttnn-verify-conversions %t.greedy.mlir | FileCheck %s --check-prefix=IR
// RUN: tessera optimize %s --rewrites none --policy df-sharding -o %t.df.mlir && tessera-opt --ttnn-verify-conversions %t.df.mlir -o /dev/null
// RUN: tessera optimize %s --rewrites none --policy declared -o %t.as.mlir && tessera-opt --ttnn-verify-conversions %t.as.mlir -o /dev/null
// RUN: tessera optimize %s --rewrites none --row-major-enabled -o %t.rows.mlir && tessera-opt --ttnn-verify-conversions %t.rows.mlir -o /dev/null
// A conversion of the program that stands no more where another one was written for it is told of all the same.
// RUN: tessera optimize %s --rewrites none --policy declared --tensor-l1-usage-cap 0.05 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: narrow-conversions.mlir:{{[0-9]+}}:{{[0-9]+}}: warning: step {{[0-9]+}} ({{.*}}) needs {{[0-9]+}} bytes of L1 per core by itself, more than the {{[0-9]+}} of tensor-l1-usage-cap

// CHECK: reshard for {{.*}} l1/height_sharded/64x1/row_major 32x2048 elements bf16 {{.*}} us
// CHECK: tilize {{.*}}l1/height_sharded/64x1 1x64 tiles bf16 {{.*}} us

// IR-DAG: #[[ROWS:.*]] = #ttnn.ttnn_layout<{{.*}}memref<2048x2048xbf16, #dram>
// IR-DAG: #[[SHARDED_ROWS:.*]] = #ttnn.ttnn_layout<{{.*}}<64x1>, memref<32x2048xbf16, #l1>, <height_sharded>
// IR-DAG: #[[SHARDED:.*]] = #ttnn.ttnn_layout<{{.*}}<64x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>
// IR: %[[T:.*]] = "ttnn.to_memory_config"(%arg0) : (tensor<2048x2048xbf16, #[[ROWS]]>) -> tensor<2048x2048xbf16, #[[SHARDED_ROWS]]>
// IR: "ttnn.to_layout"(%[[T]]) : (tensor<2048x2048xbf16, #[[SHARDED_ROWS]]>) -> tensor<2048x2048xbf16, #[[SHARDED]]>

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2048x2048xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l1_tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x64x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
func.func @main(%x: tensor<2048x2048xbf16, #rows>) -> tensor<2048x2048xbf16, #tiles> {
  %0 = "ttnn.to_layout"(%x) : (tensor<2048x2048xbf16, #rows>) -> tensor<2048x2048xbf16, #l1_tiles> loc("tilize")
  %1 = "ttnn.relu"(%0) : (tensor<2048x2048xbf16, #l1_tiles>) -> tensor<2048x2048xbf16, #tiles> loc("relu")
  %2 = "ttnn.gelu"(%1) : (tensor<2048x2048xbf16, #tiles>) -> tensor<2048x2048xbf16, #tiles> loc("gelu")
  %3 = "ttnn.add"(%1, %2) : (tensor<2048x2048xbf16, #tiles>, tensor<2048x2048xbf16, #tiles>) -> tensor<2048x2048xbf16, #tiles> loc("add")
  return %3 : tensor<2048x2048xbf16, #tiles>
}
