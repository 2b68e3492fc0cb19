// Devices of a mesh, spread over processes: what comes out is what one process gives, and is told once.
//
// REQUIRES: mpirun
// RUN: split-file %s %t
// RUN: tessera run --device n300 %t/mesh.mlir --inputs random:3 --outputs %t/alone > %t/alone.txt
// RUN: FileCheck %s < %t/alone.txt
// CHECK-COUNT-2: main.result0.device{{[01]}} {{ *}}64x64 bf16
// CHECK-NOT: device
// RUN: mpirun --allow-run-as-root --oversubscribe -n 3 tessera run --device n300 %t/mesh.mlir --inputs random:3 --outputs %t/three > %t/three.txt
// RUN: cmp %t/alone.txt %t/three.txt
// RUN: diff -r %t/alone %t/three
// RUN: mpirun --allow-run-as-root --oversubscribe -n 2 tessera verify --device n300 %t/mesh.mlir %t/swapped.mlir --bisect > %t/two.txt || true
// RUN: not tessera verify --device n300 %t/mesh.mlir %t/swapped.mlir --bisect | cmp - %t/two.txt
//
// Errors: what a file has, and what one device runs into.
// RUN: not mpirun --allow-run-as-root --oversubscribe -n 2 tessera run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// NONE:     tessera: error: cannot read '{{.*}}none.mlir': No such file or directory
// NONE-NOT: tessera: error
// RUN: not mpirun --allow-run-as-root --oversubscribe -n 2 tessera run --device n300 %t/beyond.mlir 2>&1 | FileCheck %s --check-prefix=BEYOND
// BEYOND:     beyond.mlir:8:8: error: index {{[0-9]+}} into a table of 8 rows
// BEYOND-NOT: error

//--- mesh.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#p = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<64x64xbf16, #t>, %y: tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t> {
  %0 = "ttnn.subtract"(%x, %y) : (tensor<64x64xbf16, #t>, tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
  %1 = "ttnn.mesh_partition"(%0) <{dim = 0 : si32, cluster_axis = 1 : ui32}> : (tensor<64x64xbf16, #t>) -> tensor<32x64xbf16, #p>
  %2 = "ttnn.relu"(%1) : (tensor<32x64xbf16, #p>) -> tensor<32x64xbf16, #p>
  %3 = "ttnn.all_gather"(%2) <{all_gather_dim = 0 : si32, cluster_axis = 1 : ui32, num_links = 1 : ui32}> : (tensor<32x64xbf16, #p>) -> tensor<64x64xbf16, #t>
  %4 = "ttnn.matmul"(%3, %y) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #t>, tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
  return %4 : tensor<64x64xbf16, #t>
  }
}

//--- swapped.mlir
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#p = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<64x64xbf16, #t>, %y: tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t> {
  %0 = "ttnn.subtract"(%y, %x) : (tensor<64x64xbf16, #t>, tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
  %1 = "ttnn.mesh_partition"(%0) <{dim = 0 : si32, cluster_axis = 1 : ui32}> : (tensor<64x64xbf16, #t>) -> tensor<32x64xbf16, #p>
  %2 = "ttnn.relu"(%1) : (tensor<32x64xbf16, #p>) -> tensor<32x64xbf16, #p>
  %3 = "ttnn.all_gather"(%2) <{all_gather_dim = 0 : si32, cluster_axis = 1 : ui32, num_links = 1 : ui32}> : (tensor<32x64xbf16, #p>) -> tensor<64x64xbf16, #t>
  %4 = "ttnn.matmul"(%3, %y) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #t>, tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
  return %4 : tensor<64x64xbf16, #t>
  }
}

//--- beyond.mlir
#dram = #ttnn.buffer_type<dram>
#i = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x32xui32, #dram>, <interleaved>>
#h = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32xui32, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x32xbf16, #dram>, <interleaved>>
#t = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module { func.func @main(%x: tensor<2x32xui32, #i>, %w: tensor<8x32xbf16, #w>) -> tensor<1x32x32xbf16, #t> {
  %0 = "ttnn.mesh_partition"(%x) <{dim = 0 : si32, cluster_axis = 1 : ui32}> : (tensor<2x32xui32, #i>) -> tensor<1x32xui32, #h>
  %1 = "ttnn.embedding"(%0, %w) : (tensor<1x32xui32, #h>, tensor<8x32xbf16, #w>) -> tensor<1x32x32xbf16, #t>
  return %1 : tensor<1x32x32xbf16, #t> } }
