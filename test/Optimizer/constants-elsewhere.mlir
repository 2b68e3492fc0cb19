// A const-eval function whose body is not here, or has several blocks, is no function to copy: another one converts what it makes.
// RUN: tessera optimize -q %s -o - | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#indices = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xui32, #dram>, <interleaved>>
#table = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1000x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32000x1024xbf16, #dram>, <interleaved>>
#result = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

module {
  func.func private @elsewhere(tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table> attributes {tt.function_type = "const_eval"}
  func.func private @blocks(%table: tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table> attributes {tt.function_type = "const_eval"} {
    %0 = "ttnn.to_layout"(%table) : (tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table>
    "x.br"()[^bb1] : () -> ()
  ^bb1:
    return %0 : tensor<32000x1024xbf16, #table>
  }

  // CHECK: func.func @main(
  // CHECK-DAG: %[[A:.*]] = ttcore.load_cached(@elsewhere, [%arg1])
  // CHECK-DAG: %[[ROWS_OF_A:.*]] = ttcore.load_cached(@main_const_eval{{.*}}, [%[[A]]])
  // CHECK-DAG: "ttnn.embedding"(%arg0, %[[ROWS_OF_A]])
  // CHECK-DAG: %[[B:.*]] = ttcore.load_cached(@blocks, [%arg1])
  // CHECK-DAG: %[[ROWS_OF_B:.*]] = ttcore.load_cached(@main_const_eval{{.*}}, [%[[B]]])
  // CHECK-DAG: "ttnn.embedding"(%arg0, %[[ROWS_OF_B]])
  func.func @main(%i: tensor<32xui32, #indices> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %v: tensor<32000x1024xbf16, #rows> {ttcore.argument_type = #ttcore.argument_type<parameter>})
      -> (tensor<32x1024xbf16, #result>, tensor<32x1024xbf16, #result>) {
    %0 = ttcore.load_cached(@elsewhere, [%v]) : (tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table>
    %1 = "ttnn.embedding"(%i, %0) : (tensor<32xui32, #indices>, tensor<32000x1024xbf16, #table>) -> tensor<32x1024xbf16, #result>
    %2 = ttcore.load_cached(@blocks, [%v]) : (tensor<32000x1024xbf16, #rows>) -> tensor<32000x1024xbf16, #table>
    %3 = "ttnn.embedding"(%i, %2) : (tensor<32xui32, #indices>, tensor<32000x1024xbf16, #table>) -> tensor<32x1024xbf16, #result>
    return %1, %3 : tensor<32x1024xbf16, #result>, tensor<32x1024xbf16, #result>
  }
}
