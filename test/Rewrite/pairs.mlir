// Every second element, turned and stacked, is a product with a matrix.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x64x4x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x24 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x24x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x24x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x192 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x6x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x32x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x32x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x40 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x1x20 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x20 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x20x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x4x20x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x64x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x64x4x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x64x4x32x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x64x4x32x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x64x4x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// Neighbours change places by a product with a matrix: each element of the result is one of x.
// CHECK-LABEL: func.func @turned
// CHECK: %[[P:.*]] = ttcore.load_cached(@turned_const_eval, [])
// CHECK-NEXT: %[[Y:.*]] = "ttnn.matmul"(%arg0, %[[P]])
// CHECK-NEXT: return %[[Y]]
func.func @turned(%x: tensor<1x64x4x48xbf16, #bf16_1x64x4x48>) -> tensor<1x64x4x48xbf16, #bf16_1x64x4x48> {
  %a = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x48xbf16, #bf16_1x64x4x48>) -> tensor<1x64x4x24xbf16, #bf16_1x64x4x24>
  %b = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x48xbf16, #bf16_1x64x4x48>) -> tensor<1x64x4x24xbf16, #bf16_1x64x4x24>
  %n = "ttnn.neg"(%b) : (tensor<1x64x4x24xbf16, #bf16_1x64x4x24>) -> tensor<1x64x4x24xbf16, #bf16_1x64x4x24>
  %ra = "ttnn.reshape"(%n) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32]}> : (tensor<1x64x4x24xbf16, #bf16_1x64x4x24>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %rb = "ttnn.reshape"(%a) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32]}> : (tensor<1x64x4x24xbf16, #bf16_1x64x4x24>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %st = "ttnn.concat"(%ra, %rb) <{dim = 4 : si32}> : (tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>, tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>) -> tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>
  %y = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 48 : i32]}> : (tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>) -> tensor<1x64x4x48xbf16, #bf16_1x64x4x48>
  return %y : tensor<1x64x4x48xbf16, #bf16_1x64x4x48>
}

// The same of rows of pairs, one of which is as the slice left it.
// CHECK-LABEL: func.func @turned_rows
// CHECK: %[[Y:.*]] = "ttnn.matmul"(%arg0,
// CHECK-NEXT: return %[[Y]]
func.func @turned_rows(%x: tensor<1x64x4x48xbf16, #bf16_1x64x4x48>) -> tensor<1x64x4x48xbf16, #bf16_1x64x4x48> {
  %p = "ttnn.reshape"(%x) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 2 : i32]}> : (tensor<1x64x4x48xbf16, #bf16_1x64x4x48>) -> tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>
  %a = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %b = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 2 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %h = "ttnn.reshape"(%b) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32]}> : (tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>) -> tensor<1x64x4x24xbf16, #bf16_1x64x4x24>
  %n = "ttnn.neg"(%h) : (tensor<1x64x4x24xbf16, #bf16_1x64x4x24>) -> tensor<1x64x4x24xbf16, #bf16_1x64x4x24>
  %u = "ttnn.reshape"(%n) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32]}> : (tensor<1x64x4x24xbf16, #bf16_1x64x4x24>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %st = "ttnn.concat"(%u, %a) <{dim = 4 : si32}> : (tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>, tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>) -> tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>
  %y = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 48 : i32]}> : (tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>) -> tensor<1x64x4x48xbf16, #bf16_1x64x4x48>
  return %y : tensor<1x64x4x48xbf16, #bf16_1x64x4x48>
}

// Without a sign, and in other rows afterwards.
// CHECK-LABEL: func.func @in_other_rows
// CHECK: %[[Y:.*]] = "ttnn.matmul"(%arg0,
// CHECK-NEXT: %[[Z:.*]] = "ttnn.reshape"(%[[Y]])
// CHECK-NEXT: return %[[Z]]
func.func @in_other_rows(%x: tensor<1x64x4x48xbf16, #bf16_1x64x4x48>) -> tensor<64x192xbf16, #bf16_64x192> {
  %a = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x48xbf16, #bf16_1x64x4x48>) -> tensor<1x64x4x24xbf16, #bf16_1x64x4x24>
  %b = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x48xbf16, #bf16_1x64x4x48>) -> tensor<1x64x4x24xbf16, #bf16_1x64x4x24>
  %ra = "ttnn.reshape"(%b) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32]}> : (tensor<1x64x4x24xbf16, #bf16_1x64x4x24>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %rb = "ttnn.reshape"(%a) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32]}> : (tensor<1x64x4x24xbf16, #bf16_1x64x4x24>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %st = "ttnn.concat"(%ra, %rb) <{dim = 4 : si32}> : (tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>, tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>) -> tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>
  %s = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 48 : i32]}> : (tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>) -> tensor<1x64x4x48xbf16, #bf16_1x64x4x48>
  %y = "ttnn.reshape"(%s) <{shape = [64 : i32, 192 : i32]}> : (tensor<1x64x4x48xbf16, #bf16_1x64x4x48>) -> tensor<64x192xbf16, #bf16_64x192>
  return %y : tensor<64x192xbf16, #bf16_64x192>
}

// As complex numbers are multiplied: the op that turns neighbours, of heads before positions.
// CHECK-LABEL: func.func @turned_by_position
// CHECK: %[[X:.*]] = "ttnn.permute"(%arg0)
// CHECK: %[[Y:.*]] = "ttnn.rotary_embedding_llama"(%[[X]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NEXT: %[[Z:.*]] = "ttnn.permute"(%[[Y]])
// CHECK-NEXT: return %[[Z]]
func.func @turned_by_position(%x: tensor<1x64x4x64xbf16, #bf16_1x64x4x64>, %c: tensor<1x64x1x32xbf16, #bf16_1x64x1x32>, %s: tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x64xbf16, #bf16_1x64x4x64> {
  %a = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %b = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %ac = "ttnn.multiply"(%a, %c) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %bs = "ttnn.multiply"(%b, %s) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %e = "ttnn.subtract"(%ac, %bs) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %as = "ttnn.multiply"(%a, %s) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %bc = "ttnn.multiply"(%b, %c) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %o = "ttnn.add"(%as, %bc) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %ra = "ttnn.reshape"(%e) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>
  %rb = "ttnn.reshape"(%o) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>
  %st = "ttnn.concat"(%ra, %rb) <{dim = 4 : si32}> : (tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>, tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>) -> tensor<1x64x4x32x2xbf16, #bf16_1x64x4x32x2>
  %y = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 64 : i32]}> : (tensor<1x64x4x32x2xbf16, #bf16_1x64x4x32x2>) -> tensor<1x64x4x64xbf16, #bf16_1x64x4x64>
  return %y : tensor<1x64x4x64xbf16, #bf16_1x64x4x64>
}

// The op takes whole tiles: others are turned in parts.
// CHECK-LABEL: func.func @half_a_tile
// CHECK-NOT: rotary_embedding
// CHECK: %[[T:.*]] = "ttnn.matmul"(%arg0,
// CHECK-DAG: %[[A:.*]] = "ttnn.multiply"(%arg0,
// CHECK-DAG: %[[B:.*]] = "ttnn.multiply"(%[[T]],
// CHECK: "ttnn.add"(%[[A]], %[[B]])
func.func @half_a_tile(%x: tensor<1x64x4x40xbf16, #bf16_1x64x4x40>, %c: tensor<1x64x1x20xbf16, #bf16_1x64x1x20>, %s: tensor<1x64x1x20xbf16, #bf16_1x64x1x20>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40> {
  %a = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 40 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<1x64x4x20xbf16, #bf16_1x64x4x20>
  %b = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 40 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x40xbf16, #bf16_1x64x4x40>) -> tensor<1x64x4x20xbf16, #bf16_1x64x4x20>
  %ac = "ttnn.multiply"(%a, %c) : (tensor<1x64x4x20xbf16, #bf16_1x64x4x20>, tensor<1x64x1x20xbf16, #bf16_1x64x1x20>) -> tensor<1x64x4x20xbf16, #bf16_1x64x4x20>
  %bs = "ttnn.multiply"(%b, %s) : (tensor<1x64x4x20xbf16, #bf16_1x64x4x20>, tensor<1x64x1x20xbf16, #bf16_1x64x1x20>) -> tensor<1x64x4x20xbf16, #bf16_1x64x4x20>
  %e = "ttnn.subtract"(%ac, %bs) : (tensor<1x64x4x20xbf16, #bf16_1x64x4x20>, tensor<1x64x4x20xbf16, #bf16_1x64x4x20>) -> tensor<1x64x4x20xbf16, #bf16_1x64x4x20>
  %as = "ttnn.multiply"(%a, %s) : (tensor<1x64x4x20xbf16, #bf16_1x64x4x20>, tensor<1x64x1x20xbf16, #bf16_1x64x1x20>) -> tensor<1x64x4x20xbf16, #bf16_1x64x4x20>
  %bc = "ttnn.multiply"(%b, %c) : (tensor<1x64x4x20xbf16, #bf16_1x64x4x20>, tensor<1x64x1x20xbf16, #bf16_1x64x1x20>) -> tensor<1x64x4x20xbf16, #bf16_1x64x4x20>
  %o = "ttnn.add"(%as, %bc) : (tensor<1x64x4x20xbf16, #bf16_1x64x4x20>, tensor<1x64x4x20xbf16, #bf16_1x64x4x20>) -> tensor<1x64x4x20xbf16, #bf16_1x64x4x20>
  %ra = "ttnn.reshape"(%e) <{shape = [1 : i32, 64 : i32, 4 : i32, 20 : i32, 1 : i32]}> : (tensor<1x64x4x20xbf16, #bf16_1x64x4x20>) -> tensor<1x64x4x20x1xbf16, #bf16_1x64x4x20x1>
  %rb = "ttnn.reshape"(%o) <{shape = [1 : i32, 64 : i32, 4 : i32, 20 : i32, 1 : i32]}> : (tensor<1x64x4x20xbf16, #bf16_1x64x4x20>) -> tensor<1x64x4x20x1xbf16, #bf16_1x64x4x20x1>
  %st = "ttnn.concat"(%ra, %rb) <{dim = 4 : si32}> : (tensor<1x64x4x20x1xbf16, #bf16_1x64x4x20x1>, tensor<1x64x4x20x1xbf16, #bf16_1x64x4x20x1>) -> tensor<1x64x4x20x2xbf16, #bf16_1x64x4x20x2>
  %y = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 40 : i32]}> : (tensor<1x64x4x20x2xbf16, #bf16_1x64x4x20x2>) -> tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
  return %y : tensor<1x64x4x40xbf16, #bf16_1x64x4x40>
}

// Tables of f32 keep their bits: the heads change places with positions, and what is turned is cast.
// CHECK-LABEL: func.func @wide_tables
// CHECK-NOT: rotary_embedding
// CHECK: %[[X:.*]] = "ttnn.permute"(%arg0)
// CHECK: %[[T:.*]] = "ttnn.matmul"(%[[X]],
// CHECK-DAG: "ttnn.typecast"(%[[T]])
// CHECK-DAG: "ttnn.typecast"(%[[X]])
// CHECK: "ttnn.add"
// CHECK-NEXT: "ttnn.typecast"
// CHECK-NEXT: "ttnn.permute"
func.func @wide_tables(%x: tensor<1x64x4x64xbf16, #bf16_1x64x4x64>, %c: tensor<1x64x1x32xf32, #f32_1x64x1x32>, %s: tensor<1x64x1x32xf32, #f32_1x64x1x32>) -> tensor<1x64x4x64xbf16, #bf16_1x64x4x64> {
  %a0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %b0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %a = "ttnn.typecast"(%a0) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %b = "ttnn.typecast"(%b0) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %ac = "ttnn.multiply"(%a, %c) : (tensor<1x64x4x32xf32, #f32_1x64x4x32>, tensor<1x64x1x32xf32, #f32_1x64x1x32>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %bs = "ttnn.multiply"(%b, %s) : (tensor<1x64x4x32xf32, #f32_1x64x4x32>, tensor<1x64x1x32xf32, #f32_1x64x1x32>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %e = "ttnn.subtract"(%ac, %bs) : (tensor<1x64x4x32xf32, #f32_1x64x4x32>, tensor<1x64x4x32xf32, #f32_1x64x4x32>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %as = "ttnn.multiply"(%a, %s) : (tensor<1x64x4x32xf32, #f32_1x64x4x32>, tensor<1x64x1x32xf32, #f32_1x64x1x32>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %bc = "ttnn.multiply"(%b, %c) : (tensor<1x64x4x32xf32, #f32_1x64x4x32>, tensor<1x64x1x32xf32, #f32_1x64x1x32>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %o = "ttnn.add"(%as, %bc) : (tensor<1x64x4x32xf32, #f32_1x64x4x32>, tensor<1x64x4x32xf32, #f32_1x64x4x32>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %ra = "ttnn.reshape"(%e) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xf32, #f32_1x64x4x32>) -> tensor<1x64x4x32x1xf32, #f32_1x64x4x32x1>
  %rb = "ttnn.reshape"(%o) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xf32, #f32_1x64x4x32>) -> tensor<1x64x4x32x1xf32, #f32_1x64x4x32x1>
  %st = "ttnn.concat"(%ra, %rb) <{dim = 4 : si32}> : (tensor<1x64x4x32x1xf32, #f32_1x64x4x32x1>, tensor<1x64x4x32x1xf32, #f32_1x64x4x32x1>) -> tensor<1x64x4x32x2xf32, #f32_1x64x4x32x2>
  %w = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 64 : i32]}> : (tensor<1x64x4x32x2xf32, #f32_1x64x4x32x2>) -> tensor<1x64x4x64xf32, #f32_1x64x4x64>
  %y = "ttnn.typecast"(%w) : (tensor<1x64x4x64xf32, #f32_1x64x4x64>) -> tensor<1x64x4x64xbf16, #bf16_1x64x4x64>
  return %y : tensor<1x64x4x64xbf16, #bf16_1x64x4x64>
}

// No rotation: the second elements are multiplied by something else.
// CHECK-LABEL: func.func @other_table
// CHECK-NOT: "ttnn.matmul"
// CHECK: "ttnn.concat"
func.func @other_table(%x: tensor<1x64x4x64xbf16, #bf16_1x64x4x64>, %c: tensor<1x64x1x32xbf16, #bf16_1x64x1x32>, %s: tensor<1x64x1x32xbf16, #bf16_1x64x1x32>, %d: tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x64xbf16, #bf16_1x64x4x64> {
  %a = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %b = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %ac = "ttnn.multiply"(%a, %c) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %bs = "ttnn.multiply"(%b, %s) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %e = "ttnn.subtract"(%ac, %bs) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %as = "ttnn.multiply"(%a, %s) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %bc = "ttnn.multiply"(%b, %d) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x1x32xbf16, #bf16_1x64x1x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %o = "ttnn.add"(%as, %bc) : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>, tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %ra = "ttnn.reshape"(%e) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>
  %rb = "ttnn.reshape"(%o) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>
  %st = "ttnn.concat"(%ra, %rb) <{dim = 4 : si32}> : (tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>, tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>) -> tensor<1x64x4x32x2xbf16, #bf16_1x64x4x32x2>
  %y = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 64 : i32]}> : (tensor<1x64x4x32x2xbf16, #bf16_1x64x4x32x2>) -> tensor<1x64x4x64xbf16, #bf16_1x64x4x64>
  return %y : tensor<1x64x4x64xbf16, #bf16_1x64x4x64>
}

// Parts of two tensors.
// CHECK-LABEL: func.func @two_tensors
// CHECK-NOT: "ttnn.matmul"
// CHECK: "ttnn.concat"
func.func @two_tensors(%x: tensor<1x64x4x64xbf16, #bf16_1x64x4x64>, %z: tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x64xbf16, #bf16_1x64x4x64> {
  %a = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %u = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %v = "ttnn.slice_static"(%z) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %b = "ttnn.slice_static"(%z) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<1x64x4x32xbf16, #bf16_1x64x4x32>
  %ra = "ttnn.reshape"(%b) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>
  %rb = "ttnn.reshape"(%a) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xbf16, #bf16_1x64x4x32>) -> tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>
  %st = "ttnn.concat"(%ra, %rb) <{dim = 4 : si32}> : (tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>, tensor<1x64x4x32x1xbf16, #bf16_1x64x4x32x1>) -> tensor<1x64x4x32x2xbf16, #bf16_1x64x4x32x2>
  %y = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 64 : i32]}> : (tensor<1x64x4x32x2xbf16, #bf16_1x64x4x32x2>) -> tensor<1x64x4x64xbf16, #bf16_1x64x4x64>
  return %y : tensor<1x64x4x64xbf16, #bf16_1x64x4x64>
}

// A product would round elements of f32.
// CHECK-LABEL: func.func @wide
// CHECK-NOT: "ttnn.matmul"
// CHECK: "ttnn.concat"
func.func @wide(%x: tensor<1x64x4x64xf32, #f32_1x64x4x64>) -> tensor<1x64x4x64xf32, #f32_1x64x4x64> {
  %a = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xf32, #f32_1x64x4x64>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %b = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x64xf32, #f32_1x64x4x64>) -> tensor<1x64x4x32xf32, #f32_1x64x4x32>
  %ra = "ttnn.reshape"(%b) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xf32, #f32_1x64x4x32>) -> tensor<1x64x4x32x1xf32, #f32_1x64x4x32x1>
  %rb = "ttnn.reshape"(%a) <{shape = [1 : i32, 64 : i32, 4 : i32, 32 : i32, 1 : i32]}> : (tensor<1x64x4x32xf32, #f32_1x64x4x32>) -> tensor<1x64x4x32x1xf32, #f32_1x64x4x32x1>
  %st = "ttnn.concat"(%ra, %rb) <{dim = 4 : si32}> : (tensor<1x64x4x32x1xf32, #f32_1x64x4x32x1>, tensor<1x64x4x32x1xf32, #f32_1x64x4x32x1>) -> tensor<1x64x4x32x2xf32, #f32_1x64x4x32x2>
  %y = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 64 : i32]}> : (tensor<1x64x4x32x2xf32, #f32_1x64x4x32x2>) -> tensor<1x64x4x64xf32, #f32_1x64x4x64>
  return %y : tensor<1x64x4x64xf32, #f32_1x64x4x64>
}

// Pairs of other rows.
// CHECK-LABEL: func.func @other_rows
// CHECK: %[[X:.*]] = "ttnn.reshape"(%arg0)
// CHECK: %[[Y:.*]] = "ttnn.matmul"(%[[X]],
// CHECK-NEXT: return %[[Y]]
func.func @other_rows(%x: tensor<64x192xbf16, #bf16_64x192>) -> tensor<1x64x4x48xbf16, #bf16_1x64x4x48> {
  %p = "ttnn.reshape"(%x) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 2 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>
  %a = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %b = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 2 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %h = "ttnn.reshape"(%b) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32]}> : (tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>) -> tensor<1x64x4x24xbf16, #bf16_1x64x4x24>
  %n = "ttnn.neg"(%h) : (tensor<1x64x4x24xbf16, #bf16_1x64x4x24>) -> tensor<1x64x4x24xbf16, #bf16_1x64x4x24>
  %u = "ttnn.reshape"(%n) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32]}> : (tensor<1x64x4x24xbf16, #bf16_1x64x4x24>) -> tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>
  %st = "ttnn.concat"(%u, %a) <{dim = 4 : si32}> : (tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>, tensor<1x64x4x24x1xbf16, #bf16_1x64x4x24x1>) -> tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>
  %y = "ttnn.reshape"(%st) <{shape = [1 : i32, 64 : i32, 4 : i32, 48 : i32]}> : (tensor<1x64x4x24x2xbf16, #bf16_1x64x4x24x2>) -> tensor<1x64x4x48xbf16, #bf16_1x64x4x48>
  return %y : tensor<1x64x4x48xbf16, #bf16_1x64x4x48>
}

#bf16_1x64x192 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x6x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x64x192 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x6x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

#f32_1x64x4x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x64x4x24 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x64x1x24 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x64x4x24x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x64x4x24x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 8192 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<256x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_2x32x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x32x2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x32x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x32x2 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x32x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Heads in f32 that was cast before they were cut.
// CHECK-LABEL: func.func @cast_and_cut
// CHECK-NOT: "ttnn.concat"
// CHECK: "ttnn.matmul"({{.*}}bf16
// CHECK-NOT: "ttnn.concat"
// CHECK: return
func.func @cast_and_cut(%x: tensor<1x64x192xbf16, #bf16_1x64x192>, %c: tensor<1x64x1x24xf32, #f32_1x64x1x24>, %s: tensor<1x64x1x24xf32, #f32_1x64x1x24>) -> tensor<1x64x4x48xf32, #f32_1x64x4x48> {
  %w = "ttnn.typecast"(%x) : (tensor<1x64x192xbf16, #bf16_1x64x192>) -> tensor<1x64x192xf32, #f32_1x64x192>
  %h = "ttnn.reshape"(%w) <{shape = [1 : i32, 64 : i32, 4 : i32, 48 : i32]}> : (tensor<1x64x192xf32, #f32_1x64x192>) -> tensor<1x64x4x48xf32, #f32_1x64x4x48>
  %a = "ttnn.slice_static"(%h) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x48xf32, #f32_1x64x4x48>) -> tensor<1x64x4x24xf32, #f32_1x64x4x24>
  %b = "ttnn.slice_static"(%h) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [1 : i32, 64 : i32, 4 : i32, 48 : i32], step = [1 : i32, 1 : i32, 1 : i32, 2 : i32]}> : (tensor<1x64x4x48xf32, #f32_1x64x4x48>) -> tensor<1x64x4x24xf32, #f32_1x64x4x24>
  %0 = "ttnn.multiply"(%a, %c) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (tensor<1x64x4x24xf32, #f32_1x64x4x24>, tensor<1x64x1x24xf32, #f32_1x64x1x24>) -> tensor<1x64x4x24xf32, #f32_1x64x4x24>
  %1 = "ttnn.multiply"(%b, %s) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (tensor<1x64x4x24xf32, #f32_1x64x4x24>, tensor<1x64x1x24xf32, #f32_1x64x1x24>) -> tensor<1x64x4x24xf32, #f32_1x64x4x24>
  %2 = "ttnn.subtract"(%0, %1) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (tensor<1x64x4x24xf32, #f32_1x64x4x24>, tensor<1x64x4x24xf32, #f32_1x64x4x24>) -> tensor<1x64x4x24xf32, #f32_1x64x4x24>
  %3 = "ttnn.multiply"(%a, %s) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (tensor<1x64x4x24xf32, #f32_1x64x4x24>, tensor<1x64x1x24xf32, #f32_1x64x1x24>) -> tensor<1x64x4x24xf32, #f32_1x64x4x24>
  %4 = "ttnn.multiply"(%b, %c) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (tensor<1x64x4x24xf32, #f32_1x64x4x24>, tensor<1x64x1x24xf32, #f32_1x64x1x24>) -> tensor<1x64x4x24xf32, #f32_1x64x4x24>
  %5 = "ttnn.add"(%3, %4) <{activations = [], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (tensor<1x64x4x24xf32, #f32_1x64x4x24>, tensor<1x64x4x24xf32, #f32_1x64x4x24>) -> tensor<1x64x4x24xf32, #f32_1x64x4x24>
  %6 = "ttnn.reshape"(%2) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32]}> : (tensor<1x64x4x24xf32, #f32_1x64x4x24>) -> tensor<1x64x4x24x1xf32, #f32_1x64x4x24x1>
  %7 = "ttnn.reshape"(%5) <{shape = [1 : i32, 64 : i32, 4 : i32, 24 : i32, 1 : i32]}> : (tensor<1x64x4x24xf32, #f32_1x64x4x24>) -> tensor<1x64x4x24x1xf32, #f32_1x64x4x24x1>
  %8 = "ttnn.concat"(%6, %7) <{dim = 4 : si32}> : (tensor<1x64x4x24x1xf32, #f32_1x64x4x24x1>, tensor<1x64x4x24x1xf32, #f32_1x64x4x24x1>) -> tensor<1x64x4x24x2xf32, #f32_1x64x4x24x2>
  %9 = "ttnn.reshape"(%8) <{shape = [1 : i32, 64 : i32, 4 : i32, 48 : i32]}> : (tensor<1x64x4x24x2xf32, #f32_1x64x4x24x2>) -> tensor<1x64x4x48xf32, #f32_1x64x4x48>
  return %9 : tensor<1x64x4x48xf32, #f32_1x64x4x48>
}

// The pairs of a table that has a unit dimension behind them, as the products have, are its last dimension but one.
// CHECK-LABEL: func.func @table_with_unit(
// CHECK: %[[C:.*]] = "ttnn.reshape"({{.*}} -> tensor<64xbf16
// CHECK: "ttnn.multiply"(%arg0, %[[C]])
func.func @table_with_unit(%x: tensor<2x32x64xbf16, #bf16_2x32x64>, %c: tensor<32x1xbf16, #bf16_32x1>, %s: tensor<32x1xbf16, #bf16_32x1>) -> tensor<2x32x64xbf16, #bf16_2x32x64> {
  %p = "ttnn.reshape"(%x) <{shape = [2 : i32, 32 : i32, 32 : i32, 2 : i32]}> : (tensor<2x32x64xbf16, #bf16_2x32x64>) -> tensor<2x32x32x2xbf16, #bf16_2x32x32x2>
  %a = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 32 : i32, 32 : i32, 1 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x32x32x2xbf16, #bf16_2x32x32x2>) -> tensor<2x32x32x1xbf16, #bf16_2x32x32x1>
  %b = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 0 : i32, 1 : i32], ends = [2 : i32, 32 : i32, 32 : i32, 2 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x32x32x2xbf16, #bf16_2x32x32x2>) -> tensor<2x32x32x1xbf16, #bf16_2x32x32x1>
  %ac = "ttnn.multiply"(%a, %c) : (tensor<2x32x32x1xbf16, #bf16_2x32x32x1>, tensor<32x1xbf16, #bf16_32x1>) -> tensor<2x32x32x1xbf16, #bf16_2x32x32x1>
  %bs = "ttnn.multiply"(%b, %s) : (tensor<2x32x32x1xbf16, #bf16_2x32x32x1>, tensor<32x1xbf16, #bf16_32x1>) -> tensor<2x32x32x1xbf16, #bf16_2x32x32x1>
  %as = "ttnn.multiply"(%a, %s) : (tensor<2x32x32x1xbf16, #bf16_2x32x32x1>, tensor<32x1xbf16, #bf16_32x1>) -> tensor<2x32x32x1xbf16, #bf16_2x32x32x1>
  %bc = "ttnn.multiply"(%b, %c) : (tensor<2x32x32x1xbf16, #bf16_2x32x32x1>, tensor<32x1xbf16, #bf16_32x1>) -> tensor<2x32x32x1xbf16, #bf16_2x32x32x1>
  %e = "ttnn.subtract"(%ac, %bs) : (tensor<2x32x32x1xbf16, #bf16_2x32x32x1>, tensor<2x32x32x1xbf16, #bf16_2x32x32x1>) -> tensor<2x32x32x1xbf16, #bf16_2x32x32x1>
  %o = "ttnn.add"(%as, %bc) : (tensor<2x32x32x1xbf16, #bf16_2x32x32x1>, tensor<2x32x32x1xbf16, #bf16_2x32x32x1>) -> tensor<2x32x32x1xbf16, #bf16_2x32x32x1>
  %k = "ttnn.concat"(%e, %o) <{dim = -1 : si32}> : (tensor<2x32x32x1xbf16, #bf16_2x32x32x1>, tensor<2x32x32x1xbf16, #bf16_2x32x32x1>) -> tensor<2x32x32x2xbf16, #bf16_2x32x32x2>
  %r = "ttnn.reshape"(%k) <{shape = [2 : i32, 32 : i32, 64 : i32]}> : (tensor<2x32x32x2xbf16, #bf16_2x32x32x2>) -> tensor<2x32x64xbf16, #bf16_2x32x64>
  return %r : tensor<2x32x64xbf16, #bf16_2x32x64>
}

// CHECK-LABEL: func.func @table_of_more_dimensions(
// CHECK: %[[C:.*]] = "ttnn.reshape"({{.*}} -> tensor<1x64xbf16
// CHECK: "ttnn.multiply"(%arg0, %[[C]])
func.func @table_of_more_dimensions(%x: tensor<32x64xbf16, #bf16_32x64>, %c: tensor<1x32x1xbf16, #bf16_1x32x1>, %s: tensor<1x32x1xbf16, #bf16_1x32x1>) -> tensor<32x64xbf16, #bf16_32x64> {
  %p = "ttnn.reshape"(%x) <{shape = [32 : i32, 32 : i32, 2 : i32]}> : (tensor<32x64xbf16, #bf16_32x64>) -> tensor<32x32x2xbf16, #bf16_32x32x2>
  %a = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 32 : i32, 1 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x32x2xbf16, #bf16_32x32x2>) -> tensor<32x32x1xbf16, #bf16_32x32x1>
  %b = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 1 : i32], ends = [32 : i32, 32 : i32, 2 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x32x2xbf16, #bf16_32x32x2>) -> tensor<32x32x1xbf16, #bf16_32x32x1>
  %ac = "ttnn.multiply"(%a, %c) : (tensor<32x32x1xbf16, #bf16_32x32x1>, tensor<1x32x1xbf16, #bf16_1x32x1>) -> tensor<32x32x1xbf16, #bf16_32x32x1>
  %bs = "ttnn.multiply"(%b, %s) : (tensor<32x32x1xbf16, #bf16_32x32x1>, tensor<1x32x1xbf16, #bf16_1x32x1>) -> tensor<32x32x1xbf16, #bf16_32x32x1>
  %as = "ttnn.multiply"(%a, %s) : (tensor<32x32x1xbf16, #bf16_32x32x1>, tensor<1x32x1xbf16, #bf16_1x32x1>) -> tensor<32x32x1xbf16, #bf16_32x32x1>
  %bc = "ttnn.multiply"(%b, %c) : (tensor<32x32x1xbf16, #bf16_32x32x1>, tensor<1x32x1xbf16, #bf16_1x32x1>) -> tensor<32x32x1xbf16, #bf16_32x32x1>
  %e = "ttnn.subtract"(%ac, %bs) : (tensor<32x32x1xbf16, #bf16_32x32x1>, tensor<32x32x1xbf16, #bf16_32x32x1>) -> tensor<32x32x1xbf16, #bf16_32x32x1>
  %o = "ttnn.add"(%as, %bc) : (tensor<32x32x1xbf16, #bf16_32x32x1>, tensor<32x32x1xbf16, #bf16_32x32x1>) -> tensor<32x32x1xbf16, #bf16_32x32x1>
  %k = "ttnn.concat"(%e, %o) <{dim = -1 : si32}> : (tensor<32x32x1xbf16, #bf16_32x32x1>, tensor<32x32x1xbf16, #bf16_32x32x1>) -> tensor<32x32x2xbf16, #bf16_32x32x2>
  %r = "ttnn.reshape"(%k) <{shape = [32 : i32, 64 : i32]}> : (tensor<32x32x2xbf16, #bf16_32x32x2>) -> tensor<32x64xbf16, #bf16_32x64>
  return %r : tensor<32x64xbf16, #bf16_32x64>
}
