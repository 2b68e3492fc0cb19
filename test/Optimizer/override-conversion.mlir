// A conversion of the program that an override sends where no single op leads: it becomes ops that the op model takes, each
// with its time. No step of the plan is free because nothing is known of it.

// RUN: tessera optimize %s --override-output-layout tilize=width_sharded:tile --explain -o %t.mlir > %t.plan 2> %t.errors
// RUN: count 0 < %t.errors
// RUN: FileCheck %s --check-prefix=PLAN < %t.plan
// PLAN-NOT: {{ 0 ns}}
// PLAN: tilize l1/width_sharded/{{.*}} us
// PLAN-NOT: {{ 0 ns}}
// RUN: tessera-opt --ttnn-verify-conversions %t.mlir | FileCheck %s
// CHECK-DAG: #[[SHARDS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>
// CHECK: "ttnn.to_{{memory_config|layout}}"(%{{.*}} -> tensor<1024x2048xbf16, #[[SHARDS]]>

// Where no path leads, at whatever price, is an error.
// RUN: not tessera optimize %s --override-output-layout tilize=width_sharded --op-model plugin:%plugins/interleaved_only.so,fallthrough -o %t.none 2>&1 | FileCheck %s --check-prefix=REFUSED
// REFUSED: override-conversion.mlir:[[#@LINE+8]]:8: error: override-output-layout: 'tilize' cannot produce this layout; legal: dram/interleaved; l1/interleaved; dram/interleaved/row_major; l1/interleaved/row_major{{$}}
// REFUSED-NOT: error:
// RUN: not ls %t.none

#dram = #ttnn.buffer_type<dram>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1024x2048xbf16, #dram>, <interleaved>>
func.func @forward(%a: tensor<1024x2048xbf16, #rows>) -> tensor<1024x2048xbf16, #tiles> {
  %0 = "ttnn.to_layout"(%a) : (tensor<1024x2048xbf16, #rows>) -> tensor<1024x2048xbf16, #tiles> loc("tilize")
  %1 = "ttnn.relu"(%0) : (tensor<1024x2048xbf16, #tiles>) -> tensor<1024x2048xbf16, #tiles> loc("r")
  return %1 : tensor<1024x2048xbf16, #tiles>
}
