// Functions that are called by others run with them; what is not supported is said before anything runs.
//
// RUN: split-file %s %t
// RUN: tessera run %t/call.mlir --inputs %S/Inputs/x.npy | FileCheck %s --implicit-check-not=helper
// CHECK: main.result0 {{ *}}2x3 bf16 {{ *}}2.0000 {{ *}}12.0000
// RUN: not tessera verify %t/second.mlir %t/second.mlir 2>&1 | FileCheck %s --check-prefix=SECOND
// SECOND-NOT: first
// SECOND: {{^}}{{.*}}second.mlir:7:8: error: the simulator does not support 'ttnn.dropout'{{$}}
//
// Calls may nest, but not without end.
// RUN: %python %S/Inputs/deep_calls.py 400 > %t/deep.mlir
// RUN: tessera run %t/deep.mlir | FileCheck %s --check-prefix=DEEP
// DEEP: f0.result0
// RUN: %python %S/Inputs/deep_calls.py 20000 > %t/deeper.mlir
// RUN: not tessera run %t/deeper.mlir 2>&1 | FileCheck %s --check-prefix=DEEPER
// DEEPER: {{^}}{{.*}}deeper.mlir:{{[0-9]+}}:{{[0-9]+}}: error: calls nest more than 500 deep from here on, and the simulator runs no deeper ones{{$}}
// DEEPER-NOT: error

//--- call.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func private @helper(%x: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  %0 = "ttnn.add"(%x, %x) : (tensor<2x3xbf16, #t>, tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
  }
  func.func @main(%x: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  %0 = call @helper(%x) : (tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
  }
}

//--- second.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @first(%x: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  return %x : tensor<2x3xbf16, #t> }
  func.func @second(%x: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  %0 = "ttnn.dropout"(%x) <{prob = 2.000000e-01 : f32, scale = 1.250000e+00 : f32, seed = 21 : ui32}> : (tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
  }
}
