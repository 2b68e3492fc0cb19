// Activations of a binary op are of what it computes: planned with it, run, and told apart.
//
// RUN: split-file %s %t
// RUN: tessera optimize %t/silu.mlir -o %t/planned.mlir
// RUN: FileCheck %s --check-prefix=KEPT < %t/planned.mlir
// KEPT: "ttnn.multiply"({{.*}}) <{activations = [], input_tensor_a_activations = [#ttnn.unary_with_param<op_type = silu>], input_tensor_b_activations = []}>
// RUN: tessera verify %t/silu.mlir %t/planned.mlir | FileCheck %s --check-prefix=EQUAL
// EQUAL: {{^}}equal{{$}}
// RUN: not tessera verify %t/silu.mlir %t/none.mlir | FileCheck %s --check-prefix=LOST
// LOST: {{^}}different{{$}}
// RUN: not tessera verify %t/silu.mlir %t/swapped.mlir | FileCheck %s --check-prefix=SWAPPED
// SWAPPED: {{^}}different{{$}}
//
// RUN: not tessera run %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{^}}{{.*}}unknown.mlir:5:8: error: the simulator does not know the activation 'warp'{{$}}

//--- silu.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<64x128xbf16, #t>, %y: tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #t> {
  %0 = "ttnn.multiply"(%x, %y) <{activations = [], input_tensor_a_activations = [#ttnn.unary_with_param<op_type = silu>], input_tensor_b_activations = []}> : (tensor<64x128xbf16, #t>, tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #t>
  return %0 : tensor<64x128xbf16, #t>
  }
}
//--- none.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<64x128xbf16, #t>, %y: tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #t> {
  %0 = "ttnn.multiply"(%x, %y) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (tensor<64x128xbf16, #t>, tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #t>
  return %0 : tensor<64x128xbf16, #t>
  }
}
//--- swapped.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<64x128xbf16, #t>, %y: tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #t> {
  %0 = "ttnn.multiply"(%y, %x) <{input_tensor_a_activations = [#ttnn.unary_with_param<op_type = silu>]}> : (tensor<64x128xbf16, #t>, tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #t>
  return %0 : tensor<64x128xbf16, #t>
  }
}
//--- unknown.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<64x128xbf16, #t>, %y: tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #t> {
  %0 = "ttnn.add"(%x, %y) <{activations = [#ttnn.unary_with_param<op_type = warp>]}> : (tensor<64x128xbf16, #t>, tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #t>
  return %0 : tensor<64x128xbf16, #t>
  }
}
