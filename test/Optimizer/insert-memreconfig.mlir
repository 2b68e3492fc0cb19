// A conversion that the user demands: it changes the layout, stands in the plan and in the output, whoever decides.

// RUN: tessera-opt --ttnn-optimizer="insert-memreconfig=b=0" --mlir-print-debuginfo %s | FileCheck %s
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=greedy insert-memreconfig=b=0" --mlir-print-debuginfo %s | FileCheck %s
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=DFSharding insert-memreconfig=b=0" --mlir-print-debuginfo %s | FileCheck %s
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=BFInterleaved insert-memreconfig=b=0" --mlir-print-debuginfo %s | FileCheck %s
// CHECK: %[[A:.*]] = "ttnn.relu"({{.*}} -> tensor<2048x2048xbf16, #[[FROM:ttnn_layout[0-9]*]]>
// CHECK-NOT: -> tensor<2048x2048xbf16, #[[FROM]]>
// CHECK: %[[C:.*]] = "ttnn.to_memory_config"(%[[A]]) : (tensor<2048x2048xbf16, #[[FROM]]>) -> tensor<{{.*}}> loc(#[[LOC:.*]])
// CHECK: "ttnn.gelu"(%[[C]])
// CHECK: #[[LOC]] = loc("b_mem_reconfig"

// Where it leads is an output layout like any other.
// RUN: tessera-opt --ttnn-optimizer="backend-version=pinned insert-memreconfig=b=0 override-output-layout=b_mem_reconfig=4x4:block_sharded" %s | FileCheck %s --check-prefix=WHERE
// WHERE-DAG: #[[BS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}, <4x4>, memref<16x16x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>
// WHERE: %[[C:.*]] = "ttnn.to_memory_config"({{.*}} -> tensor<2048x2048xbf16, #[[BS]]>
// WHERE: "ttnn.gelu"(%[[C]]) : (tensor<2048x2048xbf16, #[[BS]]>) -> tensor<2048x2048xbf16, #[[BS]]>
// RUN: not tessera-opt --ttnn-optimizer="insert-memreconfig=b=0 override-output-layout=b_mem_reconfig=row_major" %s 2>&1 | FileCheck %s --check-prefix=PAGE
// PAGE: error: {{.*}}insert-memreconfig: 'b' cannot read operand 0 from such a conversion; legal: l1/interleaved;

// Each operand has its own.
// RUN: tessera-opt --ttnn-optimizer="insert-memreconfig=c=0:1" %s | FileCheck %s --check-prefix=BOTH
// BOTH: %[[P:.*]] = "ttnn.to_memory_config"
// BOTH: %[[Q:.*]] = "ttnn.to_memory_config"
// BOTH: "ttnn.add"(%[[P]], %[[Q]])

// RUN: not tessera-opt --ttnn-optimizer="insert-memreconfig=b=1" %s 2>&1 | FileCheck %s --check-prefix=OPERAND
// OPERAND: error: {{.*}}insert-memreconfig: 'b' has 1 tensor operands; there is no operand 1

#dram = #ttnn.buffer_type<dram>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%a: tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout> {
  %0 = "ttnn.relu"(%a) : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout> loc("a")
  %1 = "ttnn.gelu"(%0) : (tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout> loc("b")
  %2 = "ttnn.add"(%1, %a) : (tensor<2048x2048xbf16, #ttnn_layout>, tensor<2048x2048xbf16, #ttnn_layout>) -> tensor<2048x2048xbf16, #ttnn_layout> loc("c")
  return %2 : tensor<2048x2048xbf16, #ttnn_layout>
}
