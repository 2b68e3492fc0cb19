// Ops that the device refuses for the types of their operands run in types that it takes.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+taken-types,+heads-in-parts %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir
// RUN: tessera optimize %s -o %t.optimized.mlir --policy greedy
// RUN: tessera verify %s %t.optimized.mlir

#dram = #ttnn.buffer_type<dram>
#l1_32_si32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#l64_256_bf16 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l1_32_256_bf16 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l64_256_si32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#l64_1_si32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#l64_256_ui32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#l64_256_ui8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, u8>, #dram>, <interleaved>>
#l1_8_64_16_bf16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l1_64_128_bf16 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l64_1_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l1_32_bf16 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l1_8_64_64_bf16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l1_64_512_bf16 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Rows are looked up by u32.
// CHECK-LABEL: func.func @tokens(
// CHECK: "ttnn.typecast"({{.*}}) : (tensor<1x32xsi32,{{.*}} -> tensor<1x32xui32
// CHECK: "ttnn.embedding"({{.*}} : (tensor<1x32xui32,
func.func @tokens(%a0: tensor<1x32xsi32, #l1_32_si32>, %a1: tensor<64x256xbf16, #l64_256_bf16>) -> (tensor<1x32x256xbf16, #l1_32_256_bf16>) {
  %r:1 = "ttnn.embedding"(%a0, %a1) <{}> : (tensor<1x32xsi32, #l1_32_si32>, tensor<64x256xbf16, #l64_256_bf16>) -> (tensor<1x32x256xbf16, #l1_32_256_bf16>)
  return %r#0 : tensor<1x32x256xbf16, #l1_32_256_bf16>
}

// A mean of whole numbers is one of floats, cut to whole numbers.
// CHECK-LABEL: func.func @mean(
// CHECK: "ttnn.mean"({{.*}}) -> tensor<64x1xf32
// CHECK: "ttnn.typecast"({{.*}} -> tensor<64x1xsi32
func.func @mean(%a0: tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x1xsi32, #l64_1_si32>) {
  %r:1 = "ttnn.mean"(%a0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x1xsi32, #l64_1_si32>)
  return %r#0 : tensor<64x1xsi32, #l64_1_si32>
}

// What sorts makes places beside what it sorts, which stay as they are.
// CHECK-LABEL: func.func @sorted(
// CHECK: "ttnn.sort"({{.*}} -> (tensor<64x256xf32,{{.*}}, tensor<64x256xui32
// CHECK-NEXT: "ttnn.typecast"({{.*}} -> tensor<64x256xsi32
// CHECK-NEXT: return
func.func @sorted(%a0: tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x256xsi32, #l64_256_si32>, tensor<64x256xui32, #l64_256_ui32>) {
  %r:2 = "ttnn.sort"(%a0) <{descending = false, dim = -1 : si8, stable = false}> : (tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x256xsi32, #l64_256_si32>, tensor<64x256xui32, #l64_256_ui32>)
  return %r#0, %r#1 : tensor<64x256xsi32, #l64_256_si32>, tensor<64x256xui32, #l64_256_ui32>
}

// Narrow integers are added as wide ones.
// CHECK-LABEL: func.func @bytes(
// CHECK: "ttnn.add"({{.*}} -> tensor<64x256xsi32
// CHECK: "ttnn.typecast"({{.*}} -> tensor<64x256xui8
func.func @bytes(%a0: tensor<64x256xui8, #l64_256_ui8>, %a1: tensor<64x256xui8, #l64_256_ui8>) -> (tensor<64x256xui8, #l64_256_ui8>) {
  %r:1 = "ttnn.add"(%a0, %a1) <{}> : (tensor<64x256xui8, #l64_256_ui8>, tensor<64x256xui8, #l64_256_ui8>) -> (tensor<64x256xui8, #l64_256_ui8>)
  return %r#0 : tensor<64x256xui8, #l64_256_ui8>
}

// Heads of 16 elements are no whole tiles.
// CHECK-LABEL: func.func @heads(
// CHECK: "ttnn.permute"({{.*}} -> tensor<1x64x8x16xbf16
// CHECK: "ttnn.reshape"({{.*}} -> tensor<1x64x128xbf16
// CHECK-NOT: ttnn.concatenate_heads
func.func @heads(%a0: tensor<1x8x64x16xbf16, #l1_8_64_16_bf16>) -> (tensor<1x64x128xbf16, #l1_64_128_bf16>) {
  %r:1 = "ttnn.concatenate_heads"(%a0) <{}> : (tensor<1x8x64x16xbf16, #l1_8_64_16_bf16>) -> (tensor<1x64x128xbf16, #l1_64_128_bf16>)
  return %r#0 : tensor<1x64x128xbf16, #l1_64_128_bf16>
}

// Places are made as u32.
// CHECK-LABEL: func.func @place(
// CHECK: "ttnn.argmax"({{.*}} -> tensor<64x1xui32
// CHECK: "ttnn.typecast"({{.*}} -> tensor<64x1xf32
func.func @place(%a0: tensor<64x256xbf16, #l64_256_bf16>) -> (tensor<64x1xf32, #l64_1_f32>) {
  %r:1 = "ttnn.argmax"(%a0) <{dim = -1 : si32, keep_dim = true, use_multicore = false}> : (tensor<64x256xbf16, #l64_256_bf16>) -> (tensor<64x1xf32, #l64_1_f32>)
  return %r#0 : tensor<64x1xf32, #l64_1_f32>
}

// Sums of si32 have a kernel.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: ttnn.typecast
// CHECK: return
func.func @sum(%a0: tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x1xsi32, #l64_1_si32>) {
  %r:1 = "ttnn.sum"(%a0) <{dim_arg = [1 : i32], keep_dim = true}> : (tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x1xsi32, #l64_1_si32>)
  return %r#0 : tensor<64x1xsi32, #l64_1_si32>
}

// So have differences.
// CHECK-LABEL: func.func @difference(
// CHECK-NOT: ttnn.typecast
// CHECK: return
func.func @difference(%a0: tensor<64x256xsi32, #l64_256_si32>, %a1: tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x256xsi32, #l64_256_si32>) {
  %r:1 = "ttnn.subtract"(%a0, %a1) <{}> : (tensor<64x256xsi32, #l64_256_si32>, tensor<64x256xsi32, #l64_256_si32>) -> (tensor<64x256xsi32, #l64_256_si32>)
  return %r#0 : tensor<64x256xsi32, #l64_256_si32>
}

// Indices of bf16 are taken as they are.
// CHECK-LABEL: func.func @indices(
// CHECK-NOT: ttnn.typecast
// CHECK: return
func.func @indices(%a0: tensor<1x32xbf16, #l1_32_bf16>, %a1: tensor<64x256xbf16, #l64_256_bf16>) -> (tensor<1x32x256xbf16, #l1_32_256_bf16>) {
  %r:1 = "ttnn.embedding"(%a0, %a1) <{}> : (tensor<1x32xbf16, #l1_32_bf16>, tensor<64x256xbf16, #l64_256_bf16>) -> (tensor<1x32x256xbf16, #l1_32_256_bf16>)
  return %r#0 : tensor<1x32x256xbf16, #l1_32_256_bf16>
}

// Whole tiles are joined by one op.
// CHECK-LABEL: func.func @whole(
// CHECK: ttnn.concatenate_heads
// CHECK-NOT: ttnn.permute
// CHECK: return
func.func @whole(%a0: tensor<1x8x64x64xbf16, #l1_8_64_64_bf16>) -> (tensor<1x64x512xbf16, #l1_64_512_bf16>) {
  %r:1 = "ttnn.concatenate_heads"(%a0) <{}> : (tensor<1x8x64x64xbf16, #l1_8_64_64_bf16>) -> (tensor<1x64x512xbf16, #l1_64_512_bf16>)
  return %r#0 : tensor<1x64x512xbf16, #l1_64_512_bf16>
}
