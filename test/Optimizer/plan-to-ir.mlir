// What the optimizer writes: conversions named after their op, returned values back in DRAM, deallocates after
// each last use, ops it does not know untouched.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy" --mlir-print-debuginfo --mlir-print-local-scope %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err

// REMARK: remark: 'ttnn.mystery' keeps its layouts: the op model does not know it
// REMARK-NOT: remark:

#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The relu stays in L1 for its readers; the function returns a copy in DRAM.
// CHECK-LABEL: func.func @returned_and_read
// CHECK: "ttnn.relu"{{.*}} -> tensor<2048x2048xbf16, {{[^>]*>[^>]*>.*}}#ttnn.buffer_type<l1>{{.*}}loc("the_relu")
// CHECK: "ttnn.to_memory_config"{{.*}} -> tensor<2048x2048xbf16, {{.*}}#ttnn.buffer_type<dram>>, <interleaved>>> loc("the_relu_spill"
// CHECK: "ttnn.deallocate"
// CHECK: return
func.func @returned_and_read(%a: tensor<2048x2048xbf16, #layout>) -> (tensor<2048x2048xbf16, #layout>, tensor<2048x2048xbf16, #layout>) {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout> loc("the_relu")
  %1 = "ttnn.gelu"(%0) : (tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout> loc("the_gelu")
  %2 = "ttnn.add"(%0, %1) : (tensor<2048x2048xbf16, #layout>, tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout> loc("the_add")
  %3 = "ttnn.multiply"(%0, %2) : (tensor<2048x2048xbf16, #layout>, tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout> loc("the_multiply")
  return %0, %3 : tensor<2048x2048xbf16, #layout>, tensor<2048x2048xbf16, #layout>
}

// An unknown op reads and writes what it did before; its neighbours stay in L1 up to its doorstep.
// CHECK-LABEL: func.func @unknown
// CHECK: "ttnn.mystery"(%{{.*}}) {secret = 42 : i64} : (tensor<2048x2048xbf16, {{.*}}#ttnn.buffer_type<dram>>, <interleaved>>>) -> tensor<2048x2048xbf16, {{.*}}#ttnn.buffer_type<dram>>, <interleaved>>>
// CHECK: "ttnn.mystery"
func.func @unknown(%a: tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout> {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout>
  %1 = "ttnn.mystery"(%0) {secret = 42 : i64} : (tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout>
  %2 = "ttnn.mystery"(%1) {secret = 42 : i64} : (tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout>
  %3 = "ttnn.relu"(%2) : (tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout>
  return %3 : tensor<2048x2048xbf16, #layout>
}

// Functions that do not run on the device stay as they are.
// CHECK-LABEL: func.func @const_eval
// CHECK-NOT: to_memory_config
// CHECK: return
func.func @const_eval(%a: tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout> attributes {tt.function_type = "const_eval"} {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout>
  return %0 : tensor<2048x2048xbf16, #layout>
}
