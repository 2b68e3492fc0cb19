// A const-eval function that another takes the place of leaves its name to nobody: the guard would take the next one of that name for it.
// RUN: tessera optimize -q %s -o - | FileCheck %s

// CHECK-NOT: @main_const_eval(
// CHECK:     func.func private @main_const_eval_{{[0-9]+}}(
// CHECK:     func.func @main(

// A load that an override names stays, so that it can be asked of it.
// RUN: not tessera optimize -q %s -o - --override-output-layout load_cached_0=l1 2>&1 | FileCheck %s --check-prefix=NAMED
// NAMED: error: override-output-layout: 'load_cached_0' cannot produce this layout; legal: dram/interleaved

#dram = #ttnn.buffer_type<dram>
#indices = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xui32, #dram>, <interleaved>>
#table = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1000x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32000x1024xbf16, #dram>, <interleaved>>
#result = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

module {
  func.func private @main_const_eval(%table: tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table> attributes {tt.function_type = "const_eval"} {
    %0 = "ttnn.to_layout"(%table) : (tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table>
    return %0 : tensor<32000x1024xbf16, #table>
  }
  func.func @main(%i: tensor<32xui32, #indices> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %w: tensor<32000x1024xbf16, #table> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                  %v: tensor<32000x1024xbf16, #rows> {ttcore.argument_type = #ttcore.argument_type<parameter>})
      -> (tensor<32x1024xbf16, #result>, tensor<32x1024xbf16, #result>) {
    %0 = ttcore.load_cached(@main_const_eval, [%v]) : (tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table>
    %1 = "ttnn.embedding"(%i, %0) : (tensor<32xui32, #indices>, tensor<32000x1024xbf16, #table>) -> tensor<32x1024xbf16, #result>
    %2 = "ttnn.embedding"(%i, %w) : (tensor<32xui32, #indices>, tensor<32000x1024xbf16, #table>) -> tensor<32x1024xbf16, #result>
    return %1, %2 : tensor<32x1024xbf16, #result>, tensor<32x1024xbf16, #result>
  }
}
