// Errors against what the program computes without rounding between its ops: a program may round less often, but not more.
//
// RUN: split-file %s %t
// RUN: not tessera verify %t/narrow.mlir %t/wide.mlir 2>&1 | FileCheck %s --check-prefix=NOTED
// NOTED:      {{^}}different{{$}}
// NOTED-NEXT: tessera: note: bits were compared, {{.*}}; '--against exact' tells how exact both are
// RUN: tessera verify %t/narrow.mlir %t/wide.mlir --against exact 2>&1 | FileCheck %s --check-prefix=BETTER --implicit-check-not=note:
// BETTER:      main.result0  64x64 f32  input 0.00[[A:[0-9]+]] pcc 0.9999{{[0-9]+}} max {{.*}} mean {{.*}}, plan 0.00{{[0-9]+}} pcc {{.*}}, plan against input 0.00{{.*}}
// BETTER-NEXT: {{^}}as exact as the input{{$}}
// RUN: not tessera verify %t/wide.mlir %t/narrow.mlir --against exact | FileCheck %s --check-prefix=WORSE
// WORSE: {{^}}worse: the plan's error exceeds its input's by {{[0-9]+}}%; 25% are allowed{{$}}
// RUN: tessera verify %t/wide.mlir %t/narrow.mlir --against exact --max-error-growth 1000 | FileCheck %s --check-prefix=ALLOWED
// ALLOWED: {{^}}no worse than allowed: the plan's error exceeds its input's by {{[0-9]+}}%; 1000% are allowed{{$}}
//
// The same program has the same error.
// RUN: tessera verify %t/narrow.mlir %t/narrow.mlir --against exact --max-error-growth 0 --inputs random:3
//
// RUN: not tessera verify %t/narrow.mlir %t/wide.mlir --against truth 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: {{^}}tessera: error: unknown reference 'truth'; known: input, exact{{$}}
// RUN: not tessera verify %t/narrow.mlir %t/wide.mlir --against exact --bisect 2>&1 | FileCheck %s --check-prefix=BISECT
// BISECT: {{^}}tessera: error: --bisect compares bits; with --arithmetic kernels and with --against exact errors are compared{{$}}
// RUN: not tessera verify %t/narrow.mlir %t/wide.mlir --max-error-growth 5 2>&1 | FileCheck %s --check-prefix=BITS
// BITS: {{^}}tessera: error: --max-error-growth is for errors, which --arithmetic kernels and --against exact compare{{$}}

//--- narrow.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<64x64xbf16, #t>, %y: tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t> {
  %0 = "ttnn.multiply"(%x, %y) : (tensor<64x64xbf16, #t>, tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
  %1 = "ttnn.multiply"(%0, %x) : (tensor<64x64xbf16, #t>, tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
  %2 = "ttnn.multiply"(%1, %y) : (tensor<64x64xbf16, #t>, tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
  return %2 : tensor<64x64xbf16, #t>
  }
}

//--- wide.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<64x64xbf16, #t>, %y: tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t> {
  %0 = "ttnn.multiply"(%x, %y) : (tensor<64x64xbf16, #t>, tensor<64x64xbf16, #t>) -> tensor<64x64xf32, #w>
  %1 = "ttnn.multiply"(%0, %x) : (tensor<64x64xf32, #w>, tensor<64x64xbf16, #t>) -> tensor<64x64xf32, #w>
  %2 = "ttnn.multiply"(%1, %y) : (tensor<64x64xf32, #w>, tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
  return %2 : tensor<64x64xbf16, #t>
  }
}
