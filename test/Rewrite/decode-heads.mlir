// Heads of one position: cut beside other columns, normed in full tiles, and joined where they lie; the bits stay.
// RUN: tessera-opt --ttnn-rewrite=rewrites=exact %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_32x1280 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x40x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<256x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x2x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x832 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x26x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<128x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x16x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_16x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_16x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Columns of an MLP stand behind those of the heads.
// CHECK-LABEL: func.func @cut_beside_others
// CHECK: %[[C:.*]] = "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 768 : i32]
// CHECK: %[[X:.*]] = "ttnn.reshape"(%[[C]]) <{shape = [1 : i32, 1 : i32, 32 : i32, 768 : i32]}>
// CHECK: "ttnn.nlp_create_qkv_heads_decode"(%[[X]]) <{num_heads = 8 : ui32, num_kv_heads = 2 : ui32}>
// CHECK: "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 768 : i32]
func.func @cut_beside_others(%a0: tensor<32x1280xbf16, #bf16_32x1280>) -> (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x2x1x64xbf16, #bf16_32x2x1x64>, tensor<1x32x2x64xbf16, #bf16_1x32x2x64>, tensor<32x512xbf16, #bf16_32x512>) {
  %0 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 512 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x1280xbf16, #bf16_32x1280>) -> tensor<32x512xbf16, #bf16_32x512>
  %1 = "ttnn.reshape"(%0) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16, #bf16_32x512>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %2 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 512 : i32], ends = [32 : i32, 640 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x1280xbf16, #bf16_32x1280>) -> tensor<32x128xbf16, #bf16_32x128>
  %3 = "ttnn.reshape"(%2) <{shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<32x128xbf16, #bf16_32x128>) -> tensor<32x2x1x64xbf16, #bf16_32x2x1x64>
  %4 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 640 : i32], ends = [32 : i32, 768 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x1280xbf16, #bf16_32x1280>) -> tensor<32x128xbf16, #bf16_32x128>
  %5 = "ttnn.reshape"(%4) <{shape = [1 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<32x128xbf16, #bf16_32x128>) -> tensor<1x32x2x64xbf16, #bf16_1x32x2x64>
  %6 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 768 : i32], ends = [32 : i32, 1280 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x1280xbf16, #bf16_32x1280>) -> tensor<32x512xbf16, #bf16_32x512>
  return %1, %3, %5, %6 : tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x2x1x64xbf16, #bf16_32x2x1x64>, tensor<1x32x2x64xbf16, #bf16_1x32x2x64>, tensor<32x512xbf16, #bf16_32x512>
}

// The columns of one head are read by nobody, so the three do not stand side by side.
// CHECK-LABEL: func.func @with_a_gap
// CHECK-NOT: nlp_create_qkv_heads_decode
// CHECK: return
func.func @with_a_gap(%a0: tensor<32x832xbf16, #bf16_32x832>) -> (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x2x1x64xbf16, #bf16_32x2x1x64>, tensor<1x32x2x64xbf16, #bf16_1x32x2x64>) {
  %0 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 512 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x832xbf16, #bf16_32x832>) -> tensor<32x512xbf16, #bf16_32x512>
  %1 = "ttnn.reshape"(%0) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16, #bf16_32x512>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %2 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 576 : i32], ends = [32 : i32, 704 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x832xbf16, #bf16_32x832>) -> tensor<32x128xbf16, #bf16_32x128>
  %3 = "ttnn.reshape"(%2) <{shape = [32 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<32x128xbf16, #bf16_32x128>) -> tensor<32x2x1x64xbf16, #bf16_32x2x1x64>
  %4 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 704 : i32], ends = [32 : i32, 832 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x832xbf16, #bf16_32x832>) -> tensor<32x128xbf16, #bf16_32x128>
  %5 = "ttnn.reshape"(%4) <{shape = [1 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<32x128xbf16, #bf16_32x128>) -> tensor<1x32x2x64xbf16, #bf16_1x32x2x64>
  return %1, %3, %5 : tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<32x2x1x64xbf16, #bf16_32x2x1x64>, tensor<1x32x2x64xbf16, #bf16_1x32x2x64>
}

// CHECK-LABEL: func.func @normed
// CHECK-NEXT: %[[N:.*]] = "ttnn.rms_norm"(%arg0, %arg1) {{.*}} -> tensor<1x32x8x64xbf16
// CHECK-NEXT: return %[[N]]
func.func @normed(%a0: tensor<1x32x8x64xbf16, #bf16_1x32x8x64>, %w: tensor<64xbf16, #bf16_64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64> {
  %0 = "ttnn.reshape"(%a0) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<1x32x8x64xbf16, #bf16_1x32x8x64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %1 = "ttnn.rms_norm"(%0, %w) <{epsilon = 1.000000e-06 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<64xbf16, #bf16_64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
  return %2 : tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
}

// Rows of another length are other means.
// CHECK-LABEL: func.func @normed_otherwise
// CHECK: "ttnn.reshape"
// CHECK-NEXT: "ttnn.rms_norm"
func.func @normed_otherwise(%a0: tensor<32x512xbf16, #bf16_32x512>, %w: tensor<64xbf16, #bf16_64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64> {
  %0 = "ttnn.reshape"(%a0) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16, #bf16_32x512>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  %1 = "ttnn.rms_norm"(%0, %w) <{epsilon = 1.000000e-06 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x8x1x64xbf16, #bf16_32x8x1x64>, tensor<64xbf16, #bf16_64>) -> tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
  return %1 : tensor<32x8x1x64xbf16, #bf16_32x8x1x64>
}

// CHECK-LABEL: func.func @joined
// CHECK: %[[A:.*]] = "ttnn.scaled_dot_product_attention_decode"
// CHECK: %[[J:.*]] = "ttnn.nlp_concat_heads_decode"(%[[A]]) <{num_heads = 8 : ui32}> : {{.*}} -> tensor<1x1x32x512xbf16
// CHECK: "ttnn.reshape"(%[[J]]) <{shape = [32 : i32, 512 : i32]}>
func.func @joined(%q: tensor<1x32x8x64xbf16, #bf16_1x32x8x64>, %k: tensor<32x2x64x64xbf16, #bf16_32x2x64x64>, %v: tensor<32x2x64x64xbf16, #bf16_32x2x64x64>) -> tensor<32x512xbf16, #bf16_32x512> {
  %0 = "ttnn.scaled_dot_product_attention_decode"(%q, %k, %v) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x32x8x64xbf16, #bf16_1x32x8x64>, tensor<32x2x64x64xbf16, #bf16_32x2x64x64>, tensor<32x2x64x64xbf16, #bf16_32x2x64x64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
  %1 = "ttnn.reshape"(%0) <{shape = [32 : i32, 512 : i32]}> : (tensor<1x32x8x64xbf16, #bf16_1x32x8x64>) -> tensor<32x512xbf16, #bf16_32x512>
  return %1 : tensor<32x512xbf16, #bf16_32x512>
}

// Sixteen users do not fill a tile, and what is no attention lies anywhere.
// CHECK-LABEL: func.func @joined_otherwise
// CHECK-NOT: nlp_concat_heads_decode
// CHECK: return
func.func @joined_otherwise(%q: tensor<1x16x8x64xbf16, #bf16_1x16x8x64>, %k: tensor<16x2x64x64xbf16, #bf16_16x2x64x64>, %v: tensor<16x2x64x64xbf16, #bf16_16x2x64x64>, %x: tensor<1x32x8x64xbf16, #bf16_1x32x8x64>) -> (tensor<16x512xbf16, #bf16_16x512>, tensor<32x512xbf16, #bf16_32x512>) {
  %0 = "ttnn.scaled_dot_product_attention_decode"(%q, %k, %v) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x16x8x64xbf16, #bf16_1x16x8x64>, tensor<16x2x64x64xbf16, #bf16_16x2x64x64>, tensor<16x2x64x64xbf16, #bf16_16x2x64x64>) -> tensor<1x16x8x64xbf16, #bf16_1x16x8x64>
  %1 = "ttnn.reshape"(%0) <{shape = [16 : i32, 512 : i32]}> : (tensor<1x16x8x64xbf16, #bf16_1x16x8x64>) -> tensor<16x512xbf16, #bf16_16x512>
  %2 = "ttnn.relu"(%x) : (tensor<1x32x8x64xbf16, #bf16_1x32x8x64>) -> tensor<1x32x8x64xbf16, #bf16_1x32x8x64>
  %3 = "ttnn.reshape"(%2) <{shape = [32 : i32, 512 : i32]}> : (tensor<1x32x8x64xbf16, #bf16_1x32x8x64>) -> tensor<32x512xbf16, #bf16_32x512>
  return %1, %3 : tensor<16x512xbf16, #bf16_16x512>, tensor<32x512xbf16, #bf16_32x512>
}
