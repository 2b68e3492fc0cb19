// A value that a region uses is read there: its producer stays before the op, and the op finds it in the layout that
// the input gives it, wherever else the policy moves it.

// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy" %s | FileCheck %s
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=df-sharding" %s | FileCheck %s
// RUN: tessera optimize %s --rewrites none -q -o - 2>&1 | FileCheck %s --check-prefix=ORDER --implicit-check-not=warning:

#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK: #[[DRAM:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}#dram>, <interleaved>>
// CHECK: func.func @f
// CHECK: %[[R:.*]] = "ttnn.relu"
// CHECK: "x.if"() ({
// CHECK-NEXT: "ttnn.gelu"(%{{.*}}) : (tensor<2048x2048xbf16, #[[DRAM]]>)
// CHECK: "ttnn.add"
func.func @f(%a: tensor<2048x2048xbf16, #l>) -> tensor<2048x2048xbf16, #l> {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16, #l>) -> tensor<2048x2048xbf16, #l>
  %1 = "ttnn.silu"(%0) : (tensor<2048x2048xbf16, #l>) -> tensor<2048x2048xbf16, #l>
  "x.if"() ({
    %2 = "ttnn.gelu"(%0) : (tensor<2048x2048xbf16, #l>) -> tensor<2048x2048xbf16, #l>
    "x.yield"() : () -> ()
  }) : () -> ()
  %3 = "ttnn.add"(%1, %0) : (tensor<2048x2048xbf16, #l>, tensor<2048x2048xbf16, #l>) -> tensor<2048x2048xbf16, #l>
  return %3 : tensor<2048x2048xbf16, #l>
}

// Nothing else holds the op back: without that it would be free to run before what makes the value.
// ORDER: func.func @g
// ORDER: %[[R:.*]] = "ttnn.relu"
// ORDER: "x.if"() ({
// ORDER-NEXT: "ttnn.gelu"(%[[R]])
func.func @g(%a: tensor<2048x2048xbf16, #l>) -> tensor<2048x2048xbf16, #l> {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16, #l>) -> tensor<2048x2048xbf16, #l>
  "x.if"() ({
    %1 = "ttnn.gelu"(%0) : (tensor<2048x2048xbf16, #l>) -> tensor<2048x2048xbf16, #l>
    "x.yield"() : () -> ()
  }) : () -> ()
  return %0 : tensor<2048x2048xbf16, #l>
}
