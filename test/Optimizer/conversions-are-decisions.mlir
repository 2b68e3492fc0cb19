// Conversions of the input that change neither shape nor data type are decided anew: round trips go.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy rewrites=all,-places" --mlir-print-local-scope %s | FileCheck %s
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=beam rewrites=all,-places" --mlir-print-local-scope %s | FileCheck %s
// As they are, with the layouts of the input.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=false" --mlir-print-local-scope %s | FileCheck %s --check-prefix=KEPT

#dram = #ttnn.buffer_type<dram>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1024x1024xbf16, #dram>, <interleaved>>
#half = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#halfrows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x1024xbf16, #dram>, <interleaved>>

#wide = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#widerows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x1024xbf16, #dram>, <interleaved>>
#indexrows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x1xui32, #dram>, <interleaved>>
#index = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#signed = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @round_trip
// CHECK-NOT: ttnn.to_layout
// CHECK: return
// KEPT-LABEL: func.func @round_trip
// KEPT-COUNT-2: ttnn.to_layout
func.func @round_trip(%x: tensor<1024x1024xbf16, #tiles>) -> tensor<1024x1024xbf16, #tiles> {
  %0 = "ttnn.relu"(%x) : (tensor<1024x1024xbf16, #tiles>) -> tensor<1024x1024xbf16, #tiles>
  %1 = "ttnn.to_layout"(%0) : (tensor<1024x1024xbf16, #tiles>) -> tensor<1024x1024xbf16, #rows>
  %2 = "ttnn.to_layout"(%1) : (tensor<1024x1024xbf16, #rows>) -> tensor<1024x1024xbf16, #tiles>
  %3 = "ttnn.relu"(%2) : (tensor<1024x1024xbf16, #tiles>) -> tensor<1024x1024xbf16, #tiles>
  return %3 : tensor<1024x1024xbf16, #tiles>
}

// The slice was given rows, but takes tiles as well.
// CHECK-LABEL: func.func @around_an_op
// CHECK-NOT: ttnn.to_layout
// CHECK: return
func.func @around_an_op(%x: tensor<1024x1024xbf16, #tiles>) -> tensor<512x1024xbf16, #half> {
  %0 = "ttnn.relu"(%x) : (tensor<1024x1024xbf16, #tiles>) -> tensor<1024x1024xbf16, #tiles>
  %1 = "ttnn.to_layout"(%0) : (tensor<1024x1024xbf16, #tiles>) -> tensor<1024x1024xbf16, #rows>
  %2 = "ttnn.slice_static"(%1) <{begins = [0 : i32, 0 : i32], ends = [512 : i32, 1024 : i32], step = [1 : i32, 1 : i32]}> : (tensor<1024x1024xbf16, #rows>) -> tensor<512x1024xbf16, #halfrows>
  %3 = "ttnn.to_layout"(%2) : (tensor<512x1024xbf16, #halfrows>) -> tensor<512x1024xbf16, #half>
  %4 = "ttnn.relu"(%3) : (tensor<512x1024xbf16, #half>) -> tensor<512x1024xbf16, #half>
  return %4 : tensor<512x1024xbf16, #half>
}

// argmax takes rows, and makes rows.
// CHECK-LABEL: func.func @argmax
// CHECK: "ttnn.argmax"{{.*}} -> tensor<32x1xui32, {{.*}}memref<{{[0-9x]+}}xui32,
func.func @argmax(%x: tensor<32x1024xbf16, #wide>) -> tensor<32x1xsi32, #signed> {
  %0 = "ttnn.relu"(%x) : (tensor<32x1024xbf16, #wide>) -> tensor<32x1024xbf16, #wide>
  %1 = "ttnn.to_layout"(%0) : (tensor<32x1024xbf16, #wide>) -> tensor<32x1024xbf16, #widerows>
  %2 = "ttnn.argmax"(%1) <{dim = 1 : si32, keep_dim = true}> : (tensor<32x1024xbf16, #widerows>) -> tensor<32x1xui32, #indexrows>
  %3 = "ttnn.to_layout"(%2) : (tensor<32x1xui32, #indexrows>) -> tensor<32x1xui32, #index>
  %4 = "ttnn.typecast"(%3) : (tensor<32x1xui32, #index>) -> tensor<32x1xsi32, #signed>
  return %4 : tensor<32x1xsi32, #signed>
}

// What a caller gets keeps its layout.
// CHECK-LABEL: func.func @returned
// CHECK: return {{.*}}memref<1024x1024xbf16,
func.func @returned(%x: tensor<1024x1024xbf16, #tiles>) -> tensor<1024x1024xbf16, #rows> {
  %0 = "ttnn.relu"(%x) : (tensor<1024x1024xbf16, #tiles>) -> tensor<1024x1024xbf16, #tiles>
  %1 = "ttnn.to_layout"(%0) : (tensor<1024x1024xbf16, #tiles>) -> tensor<1024x1024xbf16, #rows>
  return %1 : tensor<1024x1024xbf16, #rows>
}
