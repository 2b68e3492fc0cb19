// What reads a tensor behind a write sees the write through a view, and not in a copy. Which of the two an op makes follows from where its
// tensors lie, so these ops keep the layouts of the program.
// RUN: tessera optimize %s --policy greedy -o %t.greedy.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.greedy.mlir
// RUN: tessera verify %s %t.greedy.mlir
// RUN: tessera optimize %s --policy beam -o %t.beam.mlir
// RUN: FileCheck %s --input-file=%t.beam.mlir
// RUN: tessera optimize %s --policy bf-interleaved -o %t.bf.mlir
// RUN: FileCheck %s --input-file=%t.bf.mlir

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 2048 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 2048 + d2, d3), <8x8>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#v = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// A copy is older than the write, and what lies where the copy came from is not.
// REMARK-DAG: 'ttnn.to_memory_config' keeps its layouts: what it reads or makes is written in place afterwards
// CHECK-LABEL: func.func @copied(
// CHECK: %[[COPY:.*]] = "ttnn.to_memory_config"(%arg0)
// CHECK-DAG: "ttnn.fill_cache"(%arg0, %arg1)
// CHECK-DAG: "ttnn.exp"(%[[COPY]])
func.func @copied(%cache: tensor<1x1x2048x64xbf16, #x>, %new: tensor<1x1x2048x64xbf16, #x>) -> tensor<1x1x2048x64xbf16, #x> {
  %0 = "ttnn.to_memory_config"(%cache) : (tensor<1x1x2048x64xbf16, #x>) -> tensor<1x1x2048x64xbf16, #y>
  "ttnn.fill_cache"(%cache, %new) <{batch_offset = 0 : i32}> : (tensor<1x1x2048x64xbf16, #x>, tensor<1x1x2048x64xbf16, #x>) -> ()
  %1 = "ttnn.exp"(%0) : (tensor<1x1x2048x64xbf16, #y>) -> tensor<1x1x2048x64xbf16, #x>
  return %1 : tensor<1x1x2048x64xbf16, #x>
}

// In DRAM the reshape moves nothing, and its reader sees what was written. In L1 it would be a copy.
// REMARK-DAG: 'ttnn.reshape' keeps its layouts: what it reads or makes is written in place afterwards
// CHECK-LABEL: func.func @viewed(
// CHECK-SAME: -> tensor<2048x64xbf16, #[[DRAM:.*]]>
// CHECK: %[[VIEW:.*]] = "ttnn.reshape"(%arg0){{.*}} -> tensor<2048x64xbf16, #[[DRAM]]>
// CHECK: "ttnn.fill_cache"(%arg0, %arg1)
// CHECK: "ttnn.exp"(%[[VIEW]])
func.func @viewed(%cache: tensor<1x1x2048x64xbf16, #x>, %new: tensor<1x1x2048x64xbf16, #x>) -> tensor<2048x64xbf16, #v> {
  %0 = "ttnn.reshape"(%cache) <{shape = [2048 : i32, 64 : i32]}> : (tensor<1x1x2048x64xbf16, #x>) -> tensor<2048x64xbf16, #v>
  "ttnn.fill_cache"(%cache, %new) <{batch_offset = 0 : i32}> : (tensor<1x1x2048x64xbf16, #x>, tensor<1x1x2048x64xbf16, #x>) -> ()
  %1 = "ttnn.exp"(%0) : (tensor<2048x64xbf16, #v>) -> tensor<2048x64xbf16, #v>
  %2 = "ttnn.exp"(%1) : (tensor<2048x64xbf16, #v>) -> tensor<2048x64xbf16, #v>
  %3 = "ttnn.add"(%0, %2) : (tensor<2048x64xbf16, #v>, tensor<2048x64xbf16, #v>) -> tensor<2048x64xbf16, #v>
  return %3 : tensor<2048x64xbf16, #v>
}

// Nothing shows: the result is read before the write alone, and lies where it is read fastest.
// CHECK-LABEL: func.func @read_before(
// CHECK: "ttnn.exp"
// CHECK: "ttnn.fill_cache"
func.func @read_before(%cache: tensor<1x1x2048x64xbf16, #x>, %new: tensor<1x1x2048x64xbf16, #x>) -> tensor<2048x64xbf16, #v> {
  %0 = "ttnn.reshape"(%cache) <{shape = [2048 : i32, 64 : i32]}> : (tensor<1x1x2048x64xbf16, #x>) -> tensor<2048x64xbf16, #v>
  %1 = "ttnn.exp"(%0) : (tensor<2048x64xbf16, #v>) -> tensor<2048x64xbf16, #v>
  "ttnn.fill_cache"(%cache, %new) <{batch_offset = 0 : i32}> : (tensor<1x1x2048x64xbf16, #x>, tensor<1x1x2048x64xbf16, #x>) -> ()
  return %1 : tensor<2048x64xbf16, #v>
}
