// Heads are cut, joined and turned by the ops that are there for it; the bits stay.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_32x768 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<256x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x2x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128x768 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x32x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<128x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x32x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<128x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x2x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_128x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x32x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<128x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x2x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x8x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<256x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @decode
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [1 : i32, 1 : i32, 32 : i32, 768 : i32]}>
// CHECK-NEXT: %[[Q:.*]], %[[K:.*]], %[[V:.*]] = "ttnn.nlp_create_qkv_heads_decode"(%[[X]]) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32}>
// CHECK-DAG: "ttnn.reshape"(%[[Q]]) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}>
// CHECK-DAG: "ttnn.reshape"(%[[K]]) <{shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}>
// CHECK: return %{{.*}}, %{{.*}}, %[[V]]
func.func @decode(%a0: tensor<32x768xbf16, #bf16_32x768>) -> (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x2x1x64xbf16, #bf16_32x2x1x64>, tensor<1x32x2x64xbf16, #bf16_1x32x2x64>) {
  %0 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 512 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x768xbf16, #bf16_32x768>) -> tensor<32x512xbf16, #bf16_32x512>
  %1 = "ttnn.reshape"(%0) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16, #bf16_32x512>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %2 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 512 : i32], ends = [32 : i32, 640 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x768xbf16, #bf16_32x768>) -> tensor<32x128xbf16, #bf16_32x128>
  %3 = "ttnn.reshape"(%2) <{shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<32x128xbf16, #bf16_32x128>) -> tensor<32x2x1x64xbf16, #bf16_32x2x1x64>
  %4 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 640 : i32], ends = [32 : i32, 768 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x768xbf16, #bf16_32x768>) -> tensor<32x128xbf16, #bf16_32x128>
  %5 = "ttnn.reshape"(%4) <{shape = [1 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<32x128xbf16, #bf16_32x128>) -> tensor<1x32x2x64xbf16, #bf16_1x32x2x64>
  return %1, %3, %5 : tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x2x1x64xbf16, #bf16_32x2x1x64>, tensor<1x32x2x64xbf16, #bf16_1x32x2x64>
}

// Values first: the op has them last.
// CHECK-LABEL: func.func @other_order_is_left
// CHECK-NOT: nlp_create_qkv_heads_decode
// CHECK: return
func.func @other_order_is_left(%a0: tensor<32x768xbf16, #bf16_32x768>) -> (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x2x1x64xbf16, #bf16_32x2x1x64>, tensor<1x32x2x64xbf16, #bf16_1x32x2x64>) {
  %0 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 128 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x768xbf16, #bf16_32x768>) -> tensor<32x128xbf16, #bf16_32x128>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<32x128xbf16, #bf16_32x128>) -> tensor<1x32x2x64xbf16, #bf16_1x32x2x64>
  %2 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 128 : i32], ends = [32 : i32, 256 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x768xbf16, #bf16_32x768>) -> tensor<32x128xbf16, #bf16_32x128>
  %3 = "ttnn.reshape"(%2) <{shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<32x128xbf16, #bf16_32x128>) -> tensor<32x2x1x64xbf16, #bf16_32x2x1x64>
  %4 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 256 : i32], ends = [32 : i32, 768 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x768xbf16, #bf16_32x768>) -> tensor<32x512xbf16, #bf16_32x512>
  %5 = "ttnn.reshape"(%4) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16, #bf16_32x512>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  return %5, %3, %1 : tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x2x1x64xbf16, #bf16_32x2x1x64>, tensor<1x32x2x64xbf16, #bf16_1x32x2x64>
}

// A cast between slice and reshape is done afterwards.
// CHECK-LABEL: func.func @split
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [4 : i32, 32 : i32, 768 : i32]}>
// CHECK-NEXT: %[[Q:.*]], %[[K:.*]], %[[V:.*]] = "ttnn.split_query_key_value_and_split_heads"(%[[X]]) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32, transpose_key = false}>
// CHECK-NEXT: %[[W:.*]] = "ttnn.typecast"(%[[V]])
// CHECK-NEXT: return %[[Q]], %[[K]], %[[W]]
func.func @split(%a0: tensor<128x768xbf16, #bf16_128x768>) -> (tensor<4x8x32x64xbf16, #bf16_4x8x32x64>, tensor<4x2x32x64xbf16, #bf16_4x2x32x64>, tensor<4x2x32x64xf32, #f32_4x2x32x64>) {
  %0 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 0 : i32], ends = [128 : i32, 512 : i32], step = [1 : i32, 1 : i32]}> : (tensor<128x768xbf16, #bf16_128x768>) -> tensor<128x512xbf16, #bf16_128x512>
  %1 = "ttnn.reshape"(%0) <{shape = [4 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<128x512xbf16, #bf16_128x512>) -> tensor<4x32x8x64xbf16, #bf16_4x32x8x64>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<4x32x8x64xbf16, #bf16_4x32x8x64>) -> tensor<4x8x32x64xbf16, #bf16_4x8x32x64>
  %3 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 512 : i32], ends = [128 : i32, 640 : i32], step = [1 : i32, 1 : i32]}> : (tensor<128x768xbf16, #bf16_128x768>) -> tensor<128x128xbf16, #bf16_128x128>
  %4 = "ttnn.reshape"(%3) <{shape = [4 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<128x128xbf16, #bf16_128x128>) -> tensor<4x32x2x64xbf16, #bf16_4x32x2x64>
  %5 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<4x32x2x64xbf16, #bf16_4x32x2x64>) -> tensor<4x2x32x64xbf16, #bf16_4x2x32x64>
  %6 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 640 : i32], ends = [128 : i32, 768 : i32], step = [1 : i32, 1 : i32]}> : (tensor<128x768xbf16, #bf16_128x768>) -> tensor<128x128xbf16, #bf16_128x128>
  %7 = "ttnn.typecast"(%6) : (tensor<128x128xbf16, #bf16_128x128>) -> tensor<128x128xf32, #f32_128x128>
  %8 = "ttnn.reshape"(%7) <{shape = [4 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<128x128xf32, #f32_128x128>) -> tensor<4x32x2x64xf32, #f32_4x32x2x64>
  %9 = "ttnn.permute"(%8) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<4x32x2x64xf32, #f32_4x32x2x64>) -> tensor<4x2x32x64xf32, #f32_4x2x32x64>
  return %2, %5, %9 : tensor<4x8x32x64xbf16, #bf16_4x8x32x64>, tensor<4x2x32x64xbf16, #bf16_4x2x32x64>, tensor<4x2x32x64xf32, #f32_4x2x32x64>
}

// CHECK-LABEL: func.func @joined
// CHECK-NEXT: %[[X:.*]] = "ttnn.concatenate_heads"(%arg0)
// CHECK-NEXT: "ttnn.reshape"(%[[X]]) <{shape = [128 : i32, 512 : i32]}>
// CHECK-NEXT: return
func.func @joined(%a0: tensor<4x8x32x64xbf16, #bf16_4x8x32x64>) -> tensor<128x512xbf16, #bf16_128x512> {
  %0 = "ttnn.permute"(%a0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<4x8x32x64xbf16, #bf16_4x8x32x64>) -> tensor<4x32x8x64xbf16, #bf16_4x32x8x64>
  %1 = "ttnn.reshape"(%0) <{shape = [128 : i32, 512 : i32]}> : (tensor<4x32x8x64xbf16, #bf16_4x32x8x64>) -> tensor<128x512xbf16, #bf16_128x512>
  return %1 : tensor<128x512xbf16, #bf16_128x512>
}

// Eight heads of a user in one tile, not in eight.
// CHECK-LABEL: func.func @turned
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [1 : i32, 32 : i32, 8 : i32, 64 : i32]}>
// CHECK-NEXT: %[[Y:.*]] = "ttnn.rotary_embedding"(%[[X]], %arg1, %arg2) <{token_index = 0 : ui32}> : {{.*}} -> tensor<1x32x32x64xbf16
// CHECK-NEXT: %[[Z:.*]] = "ttnn.slice_static"(%[[Y]])
// CHECK-NEXT: "ttnn.reshape"(%[[Z]]) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}>
// CHECK-NEXT: return
func.func @turned(%a0: tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, %a1: tensor<1x1x1x64xbf16, #bf16_1x1x1x64>, %a2: tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64> {
  %0 = "ttnn.rotary_embedding"(%a0, %a1, %a2) : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>, tensor<1x1x1x64xbf16, #bf16_1x1x1x64>) -> tensor<32x8x32x64xbf16, #bf16_32x8x32x64>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x32x64xbf16, #bf16_32x8x32x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  return %1 : tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
}
