// Rotary embedding of heads that stand behind positions, as flax has them.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_2x64x4x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x4x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x64x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_2x64x4x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x64x4x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Positions before heads change places with these.
// CHECK-LABEL: func.func @before_heads
// CHECK-DAG: %[[X:.*]] = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK-DAG: %[[C:.*]] = "ttnn.reshape"(%arg1) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}>
// CHECK-DAG: %[[S:.*]] = "ttnn.reshape"(%arg2)
// CHECK: %[[Y:.*]] = "ttnn.rotary_embedding"(%[[X]], %[[C]], %[[S]])
// CHECK-NEXT: %[[Z:.*]] = "ttnn.permute"(%[[Y]])
// CHECK-NEXT: return %[[Z]]
func.func @before_heads(%x: tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, %c: tensor<1x64x1x64xbf16, #bf16_1x64x1x64>, %s: tensor<1x64x1x64xbf16, #bf16_1x64x1x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64> {
  %p = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 64 : i32, 4 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x32xbf16, #bf16_2x64x4x32>
  %q = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [2 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x32xbf16, #bf16_2x64x4x32>
  %n = "ttnn.neg"(%q) : (tensor<2x64x4x32xbf16, #bf16_2x64x4x32>) -> tensor<2x64x4x32xbf16, #bf16_2x64x4x32>
  %h = "ttnn.concat"(%n, %p) <{dim = 3 : si32}> : (tensor<2x64x4x32xbf16, #bf16_2x64x4x32>, tensor<2x64x4x32xbf16, #bf16_2x64x4x32>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  %xc = "ttnn.multiply"(%x, %c) : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, tensor<1x64x1x64xbf16, #bf16_1x64x1x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  %hs = "ttnn.multiply"(%h, %s) : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, tensor<1x64x1x64xbf16, #bf16_1x64x1x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  %y = "ttnn.add"(%xc, %hs) : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  return %y : tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
}

// What is turned and what is not may be cast to f32 apart.
// CHECK-LABEL: func.func @cast_to_the_tables
// CHECK: %[[Y:.*]] = "ttnn.rotary_embedding"({{.*}}) : (tensor<2x4x64x64xf32
// CHECK-NEXT: %[[N:.*]] = "ttnn.typecast"(%[[Y]])
// CHECK-NEXT: "ttnn.permute"(%[[N]])
func.func @cast_to_the_tables(%x: tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, %c: tensor<1x64x1x64xf32, #f32_1x64x1x64>, %s: tensor<1x64x1x64xf32, #f32_1x64x1x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64> {
  %p = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 64 : i32, 4 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x32xbf16, #bf16_2x64x4x32>
  %q = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [2 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x32xbf16, #bf16_2x64x4x32>
  %n = "ttnn.neg"(%q) : (tensor<2x64x4x32xbf16, #bf16_2x64x4x32>) -> tensor<2x64x4x32xbf16, #bf16_2x64x4x32>
  %h = "ttnn.concat"(%n, %p) <{dim = 3 : si32}> : (tensor<2x64x4x32xbf16, #bf16_2x64x4x32>, tensor<2x64x4x32xbf16, #bf16_2x64x4x32>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  %xw = "ttnn.typecast"(%x) : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x64xf32, #f32_2x64x4x64>
  %hw = "ttnn.typecast"(%h) : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x64xf32, #f32_2x64x4x64>
  %xc = "ttnn.multiply"(%xw, %c) : (tensor<2x64x4x64xf32, #f32_2x64x4x64>, tensor<1x64x1x64xf32, #f32_1x64x1x64>) -> tensor<2x64x4x64xf32, #f32_2x64x4x64>
  %hs = "ttnn.multiply"(%hw, %s) : (tensor<2x64x4x64xf32, #f32_2x64x4x64>, tensor<1x64x1x64xf32, #f32_1x64x1x64>) -> tensor<2x64x4x64xf32, #f32_2x64x4x64>
  %y = "ttnn.add"(%xc, %hs) : (tensor<2x64x4x64xf32, #f32_2x64x4x64>, tensor<2x64x4x64xf32, #f32_2x64x4x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  return %y : tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
}

// A compiler may make the op of heads behind positions, which the kernel refuses.
// CHECK-LABEL: func.func @made_by_a_compiler
// CHECK: "ttnn.permute"(%arg0)
// CHECK: "ttnn.rotary_embedding"({{.*}}) : (tensor<2x4x64x64xbf16
// CHECK-NEXT: "ttnn.permute"
func.func @made_by_a_compiler(%x: tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, %c: tensor<1x64x1x64xbf16, #bf16_1x64x1x64>, %s: tensor<1x64x1x64xbf16, #bf16_1x64x1x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64> {
  %y = "ttnn.rotary_embedding"(%x, %c, %s) : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, tensor<1x64x1x64xbf16, #bf16_1x64x1x64>, tensor<1x64x1x64xbf16, #bf16_1x64x1x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  return %y : tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
}

// A row for each head is none that the kernel has.
// CHECK-LABEL: func.func @per_head
// CHECK-NOT: "ttnn.rotary_embedding"
// CHECK: return
func.func @per_head(%x: tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, %c: tensor<1x64x4x64xbf16, #bf16_1x64x4x64>, %s: tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64> {
  %p = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [2 : i32, 64 : i32, 4 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x32xbf16, #bf16_2x64x4x32>
  %q = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [2 : i32, 64 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x32xbf16, #bf16_2x64x4x32>
  %n = "ttnn.neg"(%q) : (tensor<2x64x4x32xbf16, #bf16_2x64x4x32>) -> tensor<2x64x4x32xbf16, #bf16_2x64x4x32>
  %h = "ttnn.concat"(%n, %p) <{dim = 3 : si32}> : (tensor<2x64x4x32xbf16, #bf16_2x64x4x32>, tensor<2x64x4x32xbf16, #bf16_2x64x4x32>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  %xc = "ttnn.multiply"(%x, %c) : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  %hs = "ttnn.multiply"(%h, %s) : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, tensor<1x64x4x64xbf16, #bf16_1x64x4x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  %y = "ttnn.add"(%xc, %hs) : (tensor<2x64x4x64xbf16, #bf16_2x64x4x64>, tensor<2x64x4x64xbf16, #bf16_2x64x4x64>) -> tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
  return %y : tensor<2x64x4x64xbf16, #bf16_2x64x4x64>
}
