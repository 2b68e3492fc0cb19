// `tessera optimize --verify` runs the module before and after; what does not run is not written.
//
// RUN: split-file %s %t
// RUN: tessera optimize %t/model.mlir --rewrites exact -o %t/optimized.mlir --verify | FileCheck %s
// CHECK:      main.result0  64x96 bf16  exact
// CHECK-NEXT: {{^}}equal{{$}}
// CHECK:      output {{ *}}{{.*}}optimized.mlir
// The same as `tessera verify` finds.
// RUN: tessera verify %t/model.mlir %t/optimized.mlir | FileCheck %s --check-prefix=AGAIN
// AGAIN:      main.result0  64x96 bf16  exact
//
// Tables go elsewhere if the module goes to standard output.
// RUN: tessera optimize %t/model.mlir --rewrites exact -o - -q --verify --inputs random:7 2> %t/people | tessera verify %t/model.mlir -
// RUN: FileCheck %s --check-prefix=PEOPLE < %t/people
// PEOPLE: {{^}}equal{{$}}
//
// RUN: not tessera optimize %t/unknown.mlir -o %t/none.mlir --verify 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{^}}{{.*}}unknown.mlir:5:8: error: the simulator does not support 'ttnn.dropout'{{$}}
// RUN: not ls %t/none.mlir
// RUN: not tessera optimize %t/model.mlir --rewrites exact -o %t/none.mlir --verify --max-mem 1K 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: {{^}}tessera: error: @main needs about {{.*}} of memory, {{[0-9]+}} bytes; --max-mem allows 1.00 KiB{{$}}
// RUN: not ls %t/none.mlir
// RUN: not tessera optimize %t/model.mlir --rewrites exact --inputs random:7 2>&1 | FileCheck %s --check-prefix=NEEDS
// NEEDS: --inputs requires --verify

//--- model.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<64x96xbf16, #t>, %y: tensor<64x96xbf16, #t>) -> tensor<64x96xbf16, #t> {
  %0 = "ttnn.subtract"(%x, %y) : (tensor<64x96xbf16, #t>, tensor<64x96xbf16, #t>) -> tensor<64x96xbf16, #t>
  %1 = "ttnn.relu"(%0) : (tensor<64x96xbf16, #t>) -> tensor<64x96xbf16, #t>
  %2 = "ttnn.multiply"(%1, %0) : (tensor<64x96xbf16, #t>, tensor<64x96xbf16, #t>) -> tensor<64x96xbf16, #t>
  return %2 : tensor<64x96xbf16, #t>
  }
}

//--- unknown.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  %0 = "ttnn.dropout"(%x) <{prob = 2.000000e-01 : f32, scale = 1.250000e+00 : f32, seed = 21 : ui32}> : (tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
  }
}
