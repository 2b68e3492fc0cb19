// What the user decides: layouts, data types, conversions, pins. Names are locations, or <op>_<n>.

// Full: one layout. The neighbours stay free, and nothing goes through DRAM between ops of the same layout.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-output-layout=the_relu=4x4:l1:block_sharded:tile" %s | FileCheck %s --check-prefix=FULL
// FULL-DAG: #[[BS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4x4>, memref<16x16x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>
// FULL: "ttnn.relu"{{.*}} -> tensor<2048x2048xbf16, #[[BS]]>
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=DFSharding override-output-layout=the_relu=8x8:l1:block_sharded:tile,gelu_0=8x8:l1:block_sharded:tile" %s | FileCheck %s --check-prefix=PAIR
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-output-layout=the_relu=8x8:l1:block_sharded:tile,gelu_0=8x8:l1:block_sharded:tile" %s | FileCheck %s --check-prefix=PAIR
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=BFInterleaved override-output-layout=the_relu=8x8:l1:block_sharded:tile,gelu_0=8x8:l1:block_sharded:tile" %s | FileCheck %s --check-prefix=PAIR
// RUN: tessera-opt --ttnn-optimizer="override-output-layout=the_relu=8x8:l1:block_sharded:tile,gelu_0=8x8:l1:block_sharded:tile" %s | FileCheck %s --check-prefix=PAIR
// PAIR: %[[R:.*]] = "ttnn.relu"{{.*}} -> tensor<2048x2048xbf16, #[[BS:ttnn_layout[0-9]*]]>
// PAIR-NEXT: "ttnn.deallocate"
// PAIR-NEXT: "ttnn.gelu"(%[[R]]) : (tensor<2048x2048xbf16, #[[BS]]>) -> tensor<2048x2048xbf16, #[[BS]]>
// One of them alone is part of a chain: what comes before it makes the shards that it reads.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=DFSharding backend-version=pinned override-output-layout=gelu_0=8x8:l1:block_sharded:tile" %s | FileCheck %s --check-prefix=PAIR

// Partial: the rest is chosen among what is legal; the page layout that the program has is not given up for a faster one.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-output-layout=the_relu=height_sharded,gelu_0=dram" %s | FileCheck %s --check-prefix=PARTIAL
// PARTIAL-DAG: #[[HS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}#l1>, <height_sharded>
// PARTIAL: "ttnn.relu"{{.*}} -> tensor<2048x2048xbf16, #[[HS]]>
// PARTIAL: "ttnn.gelu"{{.*}} -> tensor<2048x2048xbf16, #ttnn_layout>
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy override-output-layout=permute_0=dram" %s | FileCheck %s --check-prefix=PAGE
// PAGE-NOT: ttnn_layout<{{.*}}memref<{{[0-9]+}}x{{[0-9]+}}xbf16
// PAGE: "ttnn.permute"{{.*}} -> tensor<2048x2048xbf16, #ttnn_layout>

// Even with the analysis off, an override holds, and nothing else changes.
// RUN: tessera-opt --ttnn-optimizer="override-output-layout=the_relu=l1:interleaved" %s | FileCheck %s --check-prefix=OFF
// OFF: "ttnn.relu"{{.*}} -> tensor<2048x2048xbf16, #[[L1:ttnn_layout[0-9]+]]>
// OFF: "ttnn.gelu"{{.*}} -> tensor<2048x2048xbf16, #ttnn_layout>
// OFF: "ttnn.permute"{{.*}} -> tensor<2048x2048xbf16, #ttnn_layout>

// No op that an override names is anything but an op: nothing of it stays in the output.
// RUN: tessera-opt --ttnn-optimizer="override-output-layout=the_relu=l1:interleaved" %s | grep -c tessera.pin | FileCheck %s --check-prefix=NOPIN
// NOPIN: {{^}}1{{$}}

// A data type: readers read it, unless they cannot; the function returns what it returned.
// RUN: tessera-opt --ttnn-optimizer="override-output-layout=the_relu=bfp_bf8,cos_0=dram:f32" --mlir-print-debuginfo %s | FileCheck %s --check-prefix=DTYPE
// DTYPE-DAG: #[[BFP:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}!ttcore.tile<32x32, bfp_bf8>, #dram>
// DTYPE-DAG: #[[F32:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}!ttcore.tile<32x32, f32>, #dram>
// DTYPE: %[[R:.*]] = "ttnn.relu"{{.*}} -> tensor<2048x2048x!ttcore.tile<32x32, bfp_bf8>, #[[BFP]]>
// DTYPE: "ttnn.gelu"(%[[R]]){{.*}} -> tensor<2048x2048xbf16, #ttnn_layout>
// DTYPE: %[[C:.*]] = "ttnn.cos"{{.*}} -> tensor<2048x2048xf32, #[[F32]]>
// DTYPE: %[[T:.*]] = "ttnn.typecast"(%[[C]]){{.*}} -> tensor<2048x2048xbf16, #ttnn_layout> loc(#[[LOC:.*]])
// DTYPE: return %[[T]]
// DTYPE: #[[LOC]] = loc("cos_0_typecast"
// RUN: not tessera-opt --ttnn-optimizer="override-output-layout=the_relu=si32" %s 2>&1 | FileCheck %s --check-prefix=NODTYPE
// NODTYPE: error: {{.*}}override-output-layout: 'the_relu' cannot produce data type si32; legal: f32, f16, bf16

// An unknown name is a warning with the nearest names.
// RUN: tessera-opt --ttnn-optimizer="override-output-layout=the_rule=dram" %s 2>&1 >/dev/null | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: warning: override-output-layout: no op is named 'the_rule'; did you mean 'the_relu'

// An impossible one is an error that says what would be legal.
// RUN: not tessera-opt --ttnn-optimizer="override-output-layout=the_relu=9x9:l1:block_sharded" %s 2>&1 | FileCheck %s --check-prefix=IMPOSSIBLE
// IMPOSSIBLE: error: {{.*}}override-output-layout: 'the_relu' cannot produce this layout; legal: dram/interleaved; l1/interleaved; l1/block_sharded
// RUN: not tessera-opt --ttnn-optimizer="override-output-layout=the_relu=dram:l1" %s 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: override-output-layout: op 'the_relu': 'l1' gives the layout a second buffer
// RUN: not tessera-opt --ttnn-optimizer="override-output-layout=sin_0=l1" %s 2>&1 | FileCheck %s --check-prefix=PINNED
// PINNED: error: {{.*}}override-output-layout: 'sin_0' cannot produce this layout; legal: dram/interleaved
// RUN: not tessera-opt --ttnn-optimizer="override-conv2d-config=the_relu=act_block_h_override#32" %s 2>&1 | FileCheck %s --check-prefix=NOCONV
// NOCONV: error: {{.*}}override-conv2d-config: 'the_relu' is a ttnn.relu, not a conv2d
// RUN: not tessera-opt --ttnn-optimizer="override-conv2d-config=c=act_block_w#32" %s 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: error: override-conv2d-config: unknown key 'act_block_w' of op 'c'; did you mean 'act_block_w_div'

// A pin in the file keeps an op's layouts whatever the policy.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy" %s | FileCheck %s --check-prefix=PIN
// PIN: "ttnn.sin"(%{{.*}}) {tessera.pin} : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>

#dram = #ttnn.buffer_type<dram>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%a: tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout> {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout> loc("the_relu")
  %1 = "ttnn.gelu"(%0) : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 1, 0>}> : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>
  %3 = "ttnn.sin"(%2) {tessera.pin} : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>
  %4 = "ttnn.cos"(%3) : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout>
  return %4 : tensor<2048x2048xbf16, #ttnn_layout>
}
