// Whatever the order of the ops, constants are loaded first: a load that finds nothing cached runs a const-eval function,
// whose circular buffers must not meet what this function holds in L1.
// RUN: tessera optimize -q %s -o - --schedule ir | FileCheck %s
// RUN: tessera optimize -q %s -o - --schedule dfs | FileCheck %s
// RUN: tessera optimize -q %s -o - --schedule memory | FileCheck %s
// RUN: tessera optimize -q %s -o - --policy beam | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x128x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#v = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#tall = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4096x1024xbf16, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1024x1024xbf16, #dram>, <interleaved>>

module {
  func.func private @main_const_eval_0(%table: tensor<4096x1024xbf16, #tall>) -> tensor<4096x1024xbf16, #v> attributes {tt.function_type = "const_eval"} {
    %0 = "ttnn.to_layout"(%table) : (tensor<4096x1024xbf16, #tall>) -> tensor<4096x1024xbf16, #v>
    return %0 : tensor<4096x1024xbf16, #v>
  }
  func.func private @main_const_eval_1(%table: tensor<1024x1024xbf16, #rows>) -> tensor<1024x1024xbf16, #w> attributes {tt.function_type = "const_eval"} {
    %0 = "ttnn.to_layout"(%table) : (tensor<1024x1024xbf16, #rows>) -> tensor<1024x1024xbf16, #w>
    return %0 : tensor<1024x1024xbf16, #w>
  }

  // CHECK: func.func @main(
  // CHECK-NOT: "ttnn.{{relu|matmul}}
  // CHECK: ttcore.load_cached(@main_const_eval_0
  // CHECK-NOT: "ttnn.{{relu|matmul}}
  // CHECK: ttcore.load_cached(@main_const_eval_1
  // CHECK-NOT: load_cached
  func.func @main(%x: tensor<256x4096xbf16, #x> {ttcore.argument_type = #ttcore.argument_type<input>},
                  %a: tensor<4096x1024xbf16, #tall> {ttcore.argument_type = #ttcore.argument_type<parameter>},
                  %b: tensor<1024x1024xbf16, #rows> {ttcore.argument_type = #ttcore.argument_type<parameter>})
      -> tensor<256x1024xbf16, #y> {
    %0 = ttcore.load_cached(@main_const_eval_0, [%a]) : (tensor<4096x1024xbf16, #tall>) -> tensor<4096x1024xbf16, #v>
    %1 = ttcore.load_cached(@main_const_eval_1, [%b]) : (tensor<1024x1024xbf16, #rows>) -> tensor<1024x1024xbf16, #w>
    %2 = "ttnn.relu"(%x) : (tensor<256x4096xbf16, #x>) -> tensor<256x4096xbf16, #x>
    %3 = "ttnn.matmul"(%2, %0) <{transpose_a = false, transpose_b = false}> : (tensor<256x4096xbf16, #x>, tensor<4096x1024xbf16, #v>) -> tensor<256x1024xbf16, #y>
    %4 = "ttnn.relu"(%3) : (tensor<256x1024xbf16, #y>) -> tensor<256x1024xbf16, #y>
    %5 = "ttnn.matmul"(%4, %1) <{transpose_a = false, transpose_b = false}> : (tensor<256x1024xbf16, #y>, tensor<1024x1024xbf16, #w>) -> tensor<256x1024xbf16, #y>
    return %5 : tensor<256x1024xbf16, #y>
  }
}
