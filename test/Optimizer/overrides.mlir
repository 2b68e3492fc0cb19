// What the user decides: layouts, conv2d configs, conversions, pins. Names are locations, or <op>_<n>.

// Full: one layout. The neighbours stay free.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-output-layout=the_relu=4x4:l1:block_sharded:tile" %s | FileCheck %s --check-prefix=FULL
// FULL-DAG: #[[BS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x4>, memref<16x16x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>
// FULL: "ttnn.relu"{{.*}} {tessera.pin}{{.*}} -> tensor<2048x2048xbf16, #[[BS]]>

// Partial: the rest is chosen among what is legal.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-output-layout=the_relu=height_sharded,gelu_0=dram" %s | FileCheck %s --check-prefix=PARTIAL
// PARTIAL-DAG: #[[HS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}#l1>, <height_sharded>
// PARTIAL: "ttnn.relu"{{.*}} -> tensor<2048x2048xbf16, #[[HS]]>
// PARTIAL: "ttnn.gelu"{{.*}} {tessera.pin}

// Even with the analysis off, an override holds, and nothing else changes.
// RUN: tessera-opt --ttnn-optimizer="override-output-layout=the_relu=l1:interleaved" %s | FileCheck %s --check-prefix=OFF
// OFF: "ttnn.relu"{{.*}} {tessera.pin}
// OFF: "ttnn.to_memory_config"
// OFF: "ttnn.gelu"{{.*}}(tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>

// An unknown name is a warning with the nearest names.
// RUN: tessera-opt --ttnn-optimizer="override-output-layout=the_rule=dram" %s 2>&1 >/dev/null | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: warning: override-output-layout: no op is named 'the_rule'; did you mean 'the_relu'

// An impossible one is an error that says what would be legal.
// RUN: not tessera-opt --ttnn-optimizer="override-output-layout=the_relu=9x9:l1:block_sharded" %s 2>&1 | FileCheck %s --check-prefix=IMPOSSIBLE
// IMPOSSIBLE: error: {{.*}}override-output-layout: 'the_relu' cannot produce this layout; legal: dram/interleaved; l1/interleaved; l1/block_sharded
// RUN: not tessera-opt --ttnn-optimizer="override-output-layout=the_relu=dram:l1" %s 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: override-output-layout: op 'the_relu' is given a second value of one kind: 'l1'
// RUN: not tessera-opt --ttnn-optimizer="override-conv2d-config=the_relu=act_block_h_override#32" %s 2>&1 | FileCheck %s --check-prefix=NOCONV
// NOCONV: error: {{.*}}override-conv2d-config: 'the_relu' is a ttnn.relu, not a conv2d
// RUN: not tessera-opt --ttnn-optimizer="override-conv2d-config=c=act_block_w#32" %s 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: override-conv2d-config: unknown key 'act_block_w' of op 'c'; did you mean 'act_block_w_div'

// A conversion in front of an operand.
// RUN: tessera-opt --ttnn-optimizer="insert-memreconfig=gelu_0=0" --mlir-print-debuginfo %s | FileCheck %s --check-prefix=RESHARD
// RESHARD: %[[R:.*]] = "ttnn.relu"
// RESHARD: %[[C:.*]] = "ttnn.to_memory_config"(%[[R]])
// RESHARD: "ttnn.gelu"(%[[C]])
// RUN: not tessera-opt --ttnn-optimizer="insert-memreconfig=gelu_0=1" %s 2>&1 | FileCheck %s --check-prefix=OPERAND
// OPERAND: error: insert-memreconfig: 'gelu_0' has 1 tensor operands; there is no operand 1

// A pin in the file keeps an op's layouts whatever the policy.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy" %s | FileCheck %s --check-prefix=PIN
// PIN: "ttnn.sin"(%{{.*}}) {tessera.pin} : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>

#dram = #ttnn.buffer_type<dram>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%a: tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout> {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout> loc("the_relu")
  %1 = "ttnn.gelu"(%0) : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>
  %2 = "ttnn.sin"(%1) {tessera.pin} : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>
  %3 = "ttnn.cos"(%2) : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>
  return %3 : tensor<2048x2048xbf16, #ttnn_layout>
}
