// An op that nobody knows may have symbols of its own, so that nobody can tell what it loads: functions stay, and the rest is rewritten.

// RUN: tessera optimize %s --rewrites all -o %t.mlir 2> %t.txt
// RUN: FileCheck %s < %t.mlir
// CHECK: func.func private @unloaded
// CHECK: func.func @main
// CHECK: "x.if"() ({

#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func private @unloaded(%arg0: tensor<64x64xbf16, #l>) -> tensor<64x64xbf16, #l> attributes {tt.function_type = "const_eval"} {
    %0 = "ttnn.relu"(%arg0) : (tensor<64x64xbf16, #l>) -> tensor<64x64xbf16, #l>
    return %0 : tensor<64x64xbf16, #l>
  }
  func.func @main(%arg0: tensor<64x64xbf16, #l>) -> tensor<64x64xbf16, #l> {
    %0 = "ttnn.relu"(%arg0) : (tensor<64x64xbf16, #l>) -> tensor<64x64xbf16, #l>
    "x.if"() ({
      "x.yield"() : () -> ()
    }) : () -> ()
    return %0 : tensor<64x64xbf16, #l>
  }
}
