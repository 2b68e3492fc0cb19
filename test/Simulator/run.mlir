// `tessera run` and `tessera verify`: values, files, and what is said of what does not run.
//
// RUN: split-file %s %t
// RUN: tessera run %t/before.mlir --inputs %S/Inputs/x.npy,%S/Inputs/y.npy --outputs %t/results --stats | FileCheck %s
// CHECK:      main.result0 {{ *}}2x3 bf16 {{ *}}11.0000 {{ *}}66.0000 {{ *}}38.5000 {{ *}}0
// CHECK:      ttnn.add {{ *}}1
// CHECK:      peak L1 {{ *}}0 B per core
// RUN: %python %S/Inputs/show.py %t/results/main.result0.npy | FileCheck %s --check-prefix=FILE
// FILE: <f4 (2, 3) [11.0, 22.0, 33.0, 44.0, 55.0, 66.0]
//
// Same seed, same bytes.
// RUN: tessera run %t/before.mlir --inputs random:7 > %t/first
// RUN: tessera run %t/before.mlir --inputs random:7 | cmp - %t/first
// RUN: not cmp %t/first %t/results/main.result0.npy
//
// The same in L1, with a conversion between: equal.
// RUN: tessera verify %t/before.mlir %t/l1.mlir | FileCheck %s --check-prefix=EQUAL
// EQUAL:      main.result0  2x3 bf16  exact
// EQUAL-NEXT: {{^}}equal{{$}}
//
// As the device's kernels compute: errors, and no verdict on bits.
// RUN: tessera verify %t/before.mlir %t/l1.mlir --arithmetic kernels --max-error-growth 10 | FileCheck %s --check-prefix=KERNELS
// KERNELS:      main.result0  2x3 bf16  input 0.{{[0-9]+}} pcc {{.*}}, plan 0.{{[0-9]+}} pcc {{.*}}, plan against input 0.000000 pcc 1.000000
// KERNELS-NEXT: {{^}}as exact as the input{{$}}
// RUN: not tessera verify %t/difference.mlir %t/swapped.mlir --arithmetic kernels --max-error-growth 10 | FileCheck %s --check-prefix=WORSE
// WORSE: {{^}}worse: the plan's error exceeds its input's by {{.*}}
// RUN: tessera verify %t/difference.mlir %t/swapped.mlir --arithmetic kernels | FileCheck %s --check-prefix=WORSE
// RUN: not tessera verify %t/before.mlir %t/l1.mlir --arithmetic kernels --bisect 2>&1 | FileCheck %s --check-prefix=BISECT
// BISECT: {{^}}tessera: error: --bisect compares bits; with --arithmetic kernels and with --against exact errors are compared
// RUN: not tessera run %t/before.mlir --arithmetic coarse 2>&1 | FileCheck %s --check-prefix=ARITHMETIC
// ARITHMETIC: {{^}}tessera: error: unknown arithmetic 'coarse'; known: exact, kernels
//
// Several at once; one that does not run does not keep the others from it.
// RUN: not tessera verify %t/before.mlir %t/early.mlir %t/l1.mlir 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL:      {{^}}{{.*}}early.mlir:{{$}}
// SEVERAL-NEXT: {{.*}}early.mlir:6:8: error: operand 0 is a tensor that is freed
// SEVERAL-NEXT: {{^}}{{.*}}l1.mlir:{{$}}
// SEVERAL-NEXT: main.result0  2x3 bf16  exact
// SEVERAL-NEXT: {{^}}equal{{$}}
//
// Operands swapped: the op is named.
// RUN: not tessera verify %t/difference.mlir %t/swapped.mlir --bisect | FileCheck %s --check-prefix=SWAPPED
// SWAPPED:      main.result0  2x3 bf16  pcc {{.*}} 6 of 6 elements differ, the first is 0
// SWAPPED-NEXT: first difference  ttnn.subtract at {{.*}}difference.mlir:5:8: no op of the second module computes this value
// SWAPPED-NEXT: its counterpart   ttnn.subtract at {{.*}}swapped.mlir:5:8, by number among its kind
// SWAPPED-NEXT: {{^}}different{{$}}
//
// RUN: not tessera run %t/freed.mlir 2>&1 | FileCheck %s --check-prefix=FREED
// FREED: {{^}}{{.*}}freed.mlir:6:8: error: operand 0 is a tensor that is freed{{$}}
// RUN: not tessera run %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{^}}{{.*}}unknown.mlir:5:8: error: the simulator does not support 'ttnn.dropout'{{$}}
// RUN: sed 's/<dram>/<trace>/' %t/before.mlir > %t/trace.mlir
// RUN: not tessera run %t/trace.mlir 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE: error: an argument of @main: the simulator does not support tensors in the trace region
// RUN: not tessera run %t/before.mlir --max-mem 1K 2>&1 | FileCheck %s --check-prefix=MEMORY
// MEMORY: {{^}}tessera: error: @main needs about {{.*}} of memory, {{[0-9]+}} bytes; --max-mem allows 1.00 KiB{{$}}
// RUN: not tessera run %t/before.mlir --inputs %S/Inputs/x.npy 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}tessera: error: @main takes 2 inputs; 1 are given{{$}}
// RUN: not tessera run %t/before.mlir --inputs %s,%s 2>&1 | FileCheck %s --check-prefix=NPY
// NPY: {{^}}tessera: error: '{{.*}}run.mlir' is no .npy file{{$}}
// What is wrong with a file, or with where results go, is told before anything runs.
// RUN: not tessera run %t/before.mlir --inputs %S/Inputs/x.npy,%t/results/main.result0.npy,%s 2>&1 | FileCheck %s --check-prefix=THREE
// THREE: {{^}}tessera: error: @main takes 2 inputs; 3 are given{{$}}
// RUN: not tessera run %t/before.mlir --outputs %s 2>&1 | FileCheck %s --check-prefix=FOLDER
// FOLDER-NOT: main.result0
// FOLDER:     {{^}}tessera: error: cannot make the folder '{{.*}}run.mlir': {{.*}}{{$}}
// RUN: sed 's|@main|@"../escaped"|' %t/before.mlir > %t/escaped.mlir
// RUN: not tessera run %t/escaped.mlir --outputs %t/kept 2>&1 | FileCheck %s --check-prefix=ESCAPED
// ESCAPED: {{^}}tessera: error: --outputs writes files that are called like functions, and '../escaped' has a '/' in its name{{$}}
// RUN: not ls %t/escaped.result0.npy
// RUN: tessera run %t/escaped.mlir
// RUN: not tessera run %t/before.mlir --inputs random:x 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: {{^}}tessera: error: --inputs random: needs a number behind it; got 'x'{{$}}

//--- before.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<2x3xbf16, #t>, %y: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  %0 = "ttnn.add"(%x, %y) : (tensor<2x3xbf16, #t>, tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
  }
}

//--- l1.mlir
#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
module {
  func.func @main(%x: tensor<2x3xbf16, #t>, %y: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  %a = "ttnn.to_memory_config"(%x) : (tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #s>
  %0 = "ttnn.add"(%a, %y) : (tensor<2x3xbf16, #s>, tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #s>
  "ttnn.deallocate"(%a) <{force = false}> : (tensor<2x3xbf16, #s>) -> ()
  %1 = "ttnn.to_memory_config"(%0) : (tensor<2x3xbf16, #s>) -> tensor<2x3xbf16, #t>
  return %1 : tensor<2x3xbf16, #t>
  }
}

//--- difference.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<2x3xbf16, #t>, %y: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  %0 = "ttnn.subtract"(%x, %y) : (tensor<2x3xbf16, #t>, tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
  }
}

//--- swapped.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<2x3xbf16, #t>, %y: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  %0 = "ttnn.subtract"(%y, %x) : (tensor<2x3xbf16, #t>, tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
  }
}

//--- early.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<2x3xbf16, #t>, %y: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<2x3xbf16, #t>) -> ()
  %0 = "ttnn.add"(%x, %y) : (tensor<2x3xbf16, #t>, tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
  }
}
//--- freed.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<2x3xbf16, #t>) -> ()
  %0 = "ttnn.relu"(%x) : (tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
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
