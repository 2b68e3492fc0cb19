// The pass follows mlir-opt's conventions; names and defaults of its options are tt-mlir's (facts/optimizer-design Appendix B).

// Off by default: every layout stays.
// RUN: tessera-opt --ttnn-optimizer %s | FileCheck %s --check-prefix=OFF
// OFF-NOT: #l1
// OFF: ttnn.relu

// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy" %s | FileCheck %s --check-prefix=ON
// ON: #l1 = #ttnn.buffer_type<l1>
// ON: func.func @forward
// ON: ttnn.relu

// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy max-legal-layouts=0" %s | FileCheck %s --check-prefix=NOSHARDS
// NOSHARDS-NOT: sharded>

// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy tensor-l1-usage-cap=0.01" %s | FileCheck %s --check-prefix=TINY
// TINY-NOT: #l1

// RUN: not tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy tensor-l1-usage-cap=2" %s 2>&1 | FileCheck %s --check-prefix=CAP
// CAP: error: tensor-l1-usage-cap must lie between 0 and 1; got 2

// What is not a number is not a share, and there are no fewer layouts than none.
// RUN: not tessera-opt --ttnn-optimizer="tensor-l1-usage-cap=nan" %s 2>&1 | FileCheck %s --check-prefix=NAN
// NAN: error: tensor-l1-usage-cap must lie between 0 and 1; got nan
// RUN: not tessera-opt --ttnn-optimizer="max-legal-layouts=-1" %s 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: error: max-legal-layouts must not be negative; got -1

// Policy beam.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=beam beam-width=2 beam-objective=cores beam-without=polish" %s | FileCheck %s --check-prefix=ON
// RUN: not tessera-opt --ttnn-optimizer="beam-width=0" %s 2>&1 | FileCheck %s --check-prefix=WIDTH
// WIDTH: error: beam-width must be at least 1; got 0
// RUN: not tessera-opt --ttnn-optimizer="beam-objective=core" %s 2>&1 | FileCheck %s --check-prefix=OBJECTIVE
// OBJECTIVE: error: unknown beam-objective 'core'; did you mean 'cores'?; known: time, cores

// The pass and the command line have the same default cap.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy tensor-l1-usage-cap=0.95" %s -o %t.095
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy" %s -o %t.plain
// RUN: cmp %t.095 %t.plain
// RUN: tessera-opt --help | FileCheck %s --check-prefix=HELP
// HELP: --tensor-l1-usage-cap={{.*}}default 0.95

// tt-mlir's policy names; DFSharding is its default.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none" %s -o %t.default
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=DFSharding" %s -o %t.spec
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=df-sharding" %s -o %t.ours
// RUN: cmp %t.default %t.spec
// RUN: cmp %t.spec %t.ours
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=BFInterleaved" %s | FileCheck %s --check-prefix=BF
// BF: #l1>, <interleaved>

// RUN: not tessera-opt --ttnn-optimizer="device=n151" %s 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: pass-options.mlir:1:1: error: unknown device 'n151'; did you mean 'n150'

#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%a: tensor<2048x2048xbf16, #layout>, %b: tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout> {
  %0 = "ttnn.add"(%a, %b) : (tensor<2048x2048xbf16, #layout>, tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout>
  %1 = "ttnn.relu"(%0) : (tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout>
  %2 = "ttnn.gelu"(%1) : (tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout>
  %3 = "ttnn.multiply"(%2, %1) : (tensor<2048x2048xbf16, #layout>, tensor<2048x2048xbf16, #layout>) -> tensor<2048x2048xbf16, #layout>
  return %3 : tensor<2048x2048xbf16, #layout>
}
