// In which order ops are written: as the input has them, or as the schedule says, dependences and effects kept.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy" --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s --check-prefix=IR
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy schedule=dfs" --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s --check-prefix=DFS
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true rewrites=none memory-layout-analysis-policy=greedy schedule=memory" --mlir-print-debuginfo --mlir-print-local-scope %s | FileCheck %s --check-prefix=MEMORY
// RUN: not tessera-opt --ttnn-optimizer="schedule=bfs" %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown schedule 'bfs'; did you mean 'dfs'?; known: ir, dfs, memory, auto

#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
!t = tensor<64x64xbf16, #layout>

// The short branch ends at once, so dfs makes it first; memory makes it where it is read.
// IR-LABEL: func.func @branches
// IR: loc("m1")
// IR: loc("d")
// IR: loc("m2")
// IR: loc("s")
// DFS-LABEL: func.func @branches
// DFS: loc("d")
// DFS: loc("m1")
// DFS: loc("m2")
// DFS: loc("s")
// MEMORY-LABEL: func.func @branches
// MEMORY: loc("m1")
// MEMORY: loc("m2")
// MEMORY: loc("d")
// MEMORY: loc("s")
func.func @branches(%x: !t) -> !t {
  %m1 = "ttnn.relu"(%x) : (!t) -> !t loc("m1")
  %d = "ttnn.gelu"(%x) : (!t) -> !t loc("d")
  %m2 = "ttnn.relu"(%m1) : (!t) -> !t loc("m2")
  %s = "ttnn.add"(%m2, %d) : (!t, !t) -> !t loc("s")
  return %s : !t
}

// What reads the cache stays on its side of the write. The value that is written is freed behind it.
// DFS-LABEL: func.func @cache
// DFS: loc("old")
// DFS: [[UPDATE:%[0-9]+]] = "ttnn.gelu"{{.*}}loc("update")
// DFS: "ttnn.fill_cache"(%{{.*}}, [[UPDATE]])
// DFS-NEXT: "ttnn.deallocate"([[UPDATE]])
// DFS: loc("new")
// DFS: loc("both")
// MEMORY-LABEL: func.func @cache
// MEMORY: loc("old")
// MEMORY: "ttnn.fill_cache"
// MEMORY: loc("new")
// MEMORY: loc("both")
#cache = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
!c = tensor<1x1x64x64xbf16, #cache>
func.func @cache(%cache: !c, %x: !c) -> !c {
  %old = "ttnn.relu"(%cache) : (!c) -> !c loc("old")
  %update = "ttnn.gelu"(%x) : (!c) -> !c loc("update")
  "ttnn.fill_cache"(%cache, %update) <{batch_offset = 0 : i32}> : (!c, !c) -> ()
  %new = "ttnn.relu"(%cache) : (!c) -> !c loc("new")
  %both = "ttnn.add"(%new, %old) : (!c, !c) -> !c loc("both")
  return %both : !c
}
