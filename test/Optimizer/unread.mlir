// RUN: tessera-opt %s --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy" 2> %t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: not tessera-opt %s --ttnn-optimizer="strict=true" 2>&1 | FileCheck %s --check-prefix=STRICT

// An op with a property that nobody knows keeps it, its layouts and its configuration, and its neighbours adapt: the relu in
// front of it would give its result in L1, and does, but the divide reads and writes DRAM.

#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK: #[[DRAM:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// REMARK: unread.mlir:[[#@LINE+6]]:8: remark: 'ttnn.divide' keeps its layouts and configuration: it has properties that Tessera does not know (new_key)
// REMARK-NOT: remark: 'ttnn.divide'
// STRICT: unread.mlir:[[#@LINE+4]]:8: error: not understood, which strict forbids: property 'new_key' of 'ttnn.divide' (the first of 2)
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<2048x1024xbf16, #layout>) -> tensor<2048x1024xbf16, #layout> {
  %0 = "ttnn.relu"(%x) : (tensor<2048x1024xbf16, #layout>) -> tensor<2048x1024xbf16, #layout>
  %1 = "ttnn.divide"(%0, %0) <{new_key = 3 : i32}> : (tensor<2048x1024xbf16, #layout>, tensor<2048x1024xbf16, #layout>) -> tensor<2048x1024xbf16, #layout>
  // CHECK: "ttnn.divide"({{.*}}) <{new_key = 3 : i32}> : (tensor<2048x1024xbf16, #[[DRAM]]>, tensor<2048x1024xbf16, #[[DRAM]]>) -> tensor<2048x1024xbf16, #[[DRAM]]>
  // CHECK: "ttnn.divide"({{.*}}) <{new_key = 4 : i32}> : (tensor<2048x1024xbf16, #[[DRAM]]>, tensor<2048x1024xbf16, #[[DRAM]]>) -> tensor<2048x1024xbf16, #[[DRAM]]>
  %2 = "ttnn.divide"(%1, %0) <{new_key = 4 : i32}> : (tensor<2048x1024xbf16, #layout>, tensor<2048x1024xbf16, #layout>) -> tensor<2048x1024xbf16, #layout>
  // A deallocate that says more than that comes back with what it says.
  // CHECK: "ttnn.deallocate"({{.*}}) <{force = true}> {why = "done"}
  "ttnn.deallocate"(%1) <{force = true}> {why = "done"} : (tensor<2048x1024xbf16, #layout>) -> ()
  // What says what the type says is dropped: today's tt-mlir refuses it.
  // CHECK: "ttnn.exp"({{%[0-9]+}}) : (
  %3 = "ttnn.exp"(%2) <{dtype = #ttcore.supportedDataTypes<bf16>}> : (tensor<2048x1024xbf16, #layout>) -> tensor<2048x1024xbf16, #layout>
  return %3 : tensor<2048x1024xbf16, #layout>
}
