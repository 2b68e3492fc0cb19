// A rotation that no device runs is made of parts, which round between them.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact --max-error-growth 60

#dram = #ttnn.buffer_type<dram>
#bf16_1x4x64x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The compiler makes the op of a quarter of each head, too, which no device runs: halves begin within a tile.
// CHECK-LABEL: func.func @part_of_heads(
// CHECK: %[[TURNED:.*]] = "ttnn.matmul"(%arg0, %{{.*}})
// CHECK-DAG: %[[COS:.*]] = "ttnn.multiply"(%arg0, %arg1)
// CHECK-DAG: %[[SIN:.*]] = "ttnn.multiply"(%[[TURNED]], %arg2)
// CHECK: "ttnn.add"(%[[COS]], %[[SIN]])
// CHECK-NOT: ttnn.rotary_embedding
func.func @part_of_heads(%x: tensor<1x4x64x16xbf16, #bf16_1x4x64x16>, %cos: tensor<1x1x64x16xbf16, #bf16_1x1x64x16>, %sin: tensor<1x1x64x16xbf16, #bf16_1x1x64x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16> {
  %0 = "ttnn.rotary_embedding"(%x, %cos, %sin) : (tensor<1x4x64x16xbf16, #bf16_1x4x64x16>, tensor<1x1x64x16xbf16, #bf16_1x1x64x16>, tensor<1x1x64x16xbf16, #bf16_1x1x64x16>) -> tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
  return %0 : tensor<1x4x64x16xbf16, #bf16_1x4x64x16>
}

// Halves of a single tile the device turns.
// CHECK-LABEL: func.func @of_one_tile(
// CHECK-NEXT: "ttnn.rotary_embedding"
// CHECK-NEXT: return
func.func @of_one_tile(%x: tensor<1x4x64x32xbf16, #bf16_1x4x64x32>, %cos: tensor<1x1x64x32xbf16, #bf16_1x1x64x32>, %sin: tensor<1x1x64x32xbf16, #bf16_1x1x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32> {
  %0 = "ttnn.rotary_embedding"(%x, %cos, %sin) : (tensor<1x4x64x32xbf16, #bf16_1x4x64x32>, tensor<1x1x64x32xbf16, #bf16_1x1x64x32>, tensor<1x1x64x32xbf16, #bf16_1x1x64x32>) -> tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
  return %0 : tensor<1x4x64x32xbf16, #bf16_1x4x64x32>
}
