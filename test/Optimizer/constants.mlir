// An op reads its constants in the page layout that it is fastest with: they are converted once, in const-eval functions.
// RUN: tessera optimize -q %s -o - | FileCheck %s
// RUN: tessera optimize -q %s -o - | tessera-opt --ttnn-verify-conversions -o /dev/null
// RUN: tessera optimize -q %s -o - --keep-constants | FileCheck %s --check-prefix=KEEP
// RUN: tessera optimize -q %s -o - --policy declared | FileCheck %s --check-prefix=KEEP
// RUN: tessera-opt %s --ttnn-optimizer="memory-layout-analysis-enabled=true" | FileCheck %s
// RUN: tessera-opt %s --ttnn-optimizer="memory-layout-analysis-enabled=true keep-constants=true" | FileCheck %s --check-prefix=KEEP

// A function that is not there to be cached stays, though nothing loads it any more.
// RUN: sed -e 's/"const_eval"/"trace"/' %s > %t.trace.mlir
// RUN: tessera optimize -q %t.trace.mlir -o - | FileCheck %s --check-prefix=TRACE
// TRACE: attributes {tt.function_type = "trace"}

// The time before is that of the input, in which each run untilizes both tables.
// RUN: tessera optimize %s | FileCheck %s --check-prefix=TIME
// TIME: estimated time {{.*}} ms before, {{.*}} us after

#dram = #ttnn.buffer_type<dram>
#indices = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xui32, #dram>, <interleaved>>
#table = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1000x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32000x1024xbf16, #dram>, <interleaved>>
#result = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

module {
  // KEEP: func.func private @main_const_eval_0(
  func.func private @main_const_eval_0(%table: tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table> attributes {tt.function_type = "const_eval"} {
    %0 = "ttnn.to_layout"(%table) : (tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table>
    return %0 : tensor<32000x1024xbf16, #table>
  }

  // CHECK: func.func private @[[FN:main_const_eval]](%[[T:.*]]: tensor<32000x1024xbf16, #[[TABLE:.*]]>) -> tensor<32000x1024xbf16, #[[ROWS:.*]]> attributes {tt.function_type = "const_eval"}
  // CHECK-NEXT: %[[C:.*]] = "ttnn.to_layout"(%[[T]])
  // CHECK-NEXT: return %[[C]]
  // What a const-eval function makes is converted by a copy of it; nobody loads the original any more.
  // CHECK: func.func private @main_const_eval_0_0(%[[IN:.*]]: tensor<32000x1024xbf16, #[[ROWS]]>) -> tensor<32000x1024xbf16, #[[ROWS]]> attributes {tt.function_type = "const_eval"}
  // CHECK-NEXT: %[[TILED:.*]] = "ttnn.to_layout"(%[[IN]])
  // CHECK-NEXT: %[[BACK:.*]] = "ttnn.to_layout"(%[[TILED]])
  // CHECK-NEXT: "ttnn.deallocate"(%[[TILED]])
  // CHECK-NEXT: return %[[BACK]]
  // CHECK-NOT: @main_const_eval_0(
  // KEEP-NOT: func private @main_const_eval(
  // CHECK: func.func @main(
  func.func @main(%i: tensor<32xui32, #indices> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %w: tensor<32000x1024xbf16, #table> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                  %v: tensor<32000x1024xbf16, #rows> {ttcore.argument_type = #ttcore.argument_type<parameter>})
      -> (tensor<32x1024xbf16, #result>, tensor<32x1024xbf16, #result>, tensor<32x1024xbf16, #result>) {
    // CHECK-DAG: %[[W:.*]] = ttcore.load_cached(@[[FN]], [%arg1])
    // CHECK-DAG: %[[V:.*]] = ttcore.load_cached(@main_const_eval_0_0, [%arg2])
    // KEEP: ttcore.load_cached(@main_const_eval_0, [%arg2])
    %0 = ttcore.load_cached(@main_const_eval_0, [%v]) : (tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table>
    // CHECK: "ttnn.embedding"(%arg0, %[[W]])
    %1 = "ttnn.embedding"(%i, %w) : (tensor<32xui32, #indices>, tensor<32000x1024xbf16, #table>) -> tensor<32x1024xbf16, #result>
    // CHECK: "ttnn.embedding"(%arg0, %[[V]])
    %2 = "ttnn.embedding"(%i, %0) : (tensor<32xui32, #indices>, tensor<32000x1024xbf16, #table>) -> tensor<32x1024xbf16, #result>
    // Two readers share one copy.
    // CHECK: "ttnn.embedding"(%arg0, %[[W]])
    %3 = "ttnn.embedding"(%i, %w) : (tensor<32xui32, #indices>, tensor<32000x1024xbf16, #table>) -> tensor<32x1024xbf16, #result>
    return %1, %2, %3 : tensor<32x1024xbf16, #result>, tensor<32x1024xbf16, #result>, tensor<32x1024xbf16, #result>
  }
}
