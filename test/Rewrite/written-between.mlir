// What is written in place between two ops is read before that by the first: no op that comes to stand where the second one stands may read it instead.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#positions = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#table = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#cache_256 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#cache_576 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x18x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x256 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x576 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x18x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x192 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x6x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_256x192 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x6x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x6x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x6x32x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 32 + d2, d3), <1x1>, memref<12x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x1x32x256 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x32x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x1x256 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x8x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x8x4x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Heads of the cache as it was.
// CHECK-LABEL: func.func @joined_heads(
// CHECK: "ttnn.permute"
// CHECK: "ttnn.fill_cache"
// CHECK: return
func.func @joined_heads(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<32x256xbf16, #rows> {
  %0 = "ttnn.permute"(%c) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  "ttnn.fill_cache"(%c, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %1 = "ttnn.reshape"(%0) <{shape = [32 : i32, 256 : i32]}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<32x256xbf16, #rows>
  return %1 : tensor<32x256xbf16, #rows>
}

// One position, turned before it is written.
// CHECK-LABEL: func.func @turned(
// CHECK-NOT: token_index
// CHECK: return
func.func @turned(%x: tensor<1x4x1x64xbf16, #heads>, %n: tensor<1x4x1x64xbf16, #heads>, %cos: tensor<1x1x1x64xbf16, #table>, %sin: tensor<1x1x1x64xbf16, #table>) -> tensor<1x4x1x64xbf16, #heads> {
  %0 = "ttnn.rotary_embedding"(%x, %cos, %sin) : (tensor<1x4x1x64xbf16, #heads>, tensor<1x1x1x64xbf16, #table>, tensor<1x1x1x64xbf16, #table>) -> tensor<1x4x32x64xbf16, #heads>
  "ttnn.fill_cache"(%x, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x1x64xbf16, #heads>, tensor<1x4x1x64xbf16, #heads>) -> ()
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x1x64xbf16, #heads>
  return %1 : tensor<1x4x1x64xbf16, #heads>
}

// The weight of a norm, written behind the product with the deviations.
// CHECK-LABEL: func.func @weight(
// CHECK-NOT: "ttnn.rms_norm"
// CHECK: return
func.func @weight(%x: tensor<1x1x32x256xf32, #f32_1x1x32x256>, %w: tensor<1x1x1x256xf32, #f32_1x1x1x256>, %n: tensor<1x1x1x256xf32, #f32_1x1x1x256>) -> tensor<1x1x32x256xf32, #f32_1x1x32x256> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %epsilon = "ttnn.full"(%d) <{fill_value = 1.000000e-05 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %0 = "ttnn.multiply"(%x, %x) : (tensor<1x1x32x256xf32, #f32_1x1x32x256>, tensor<1x1x32x256xf32, #f32_1x1x32x256>) -> tensor<1x1x32x256xf32, #f32_1x1x32x256>
  %1 = "ttnn.mean"(%0) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<1x1x32x256xf32, #f32_1x1x32x256>) -> tensor<1x1x32x1xf32, #f32_1x1x32x1>
  %2 = "ttnn.add"(%1, %epsilon) : (tensor<1x1x32x1xf32, #f32_1x1x32x1>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x32x1xf32, #f32_1x1x32x1>
  %3 = "ttnn.rsqrt"(%2) : (tensor<1x1x32x1xf32, #f32_1x1x32x1>) -> tensor<1x1x32x1xf32, #f32_1x1x32x1>
  %4 = "ttnn.multiply"(%3, %w) : (tensor<1x1x32x1xf32, #f32_1x1x32x1>, tensor<1x1x1x256xf32, #f32_1x1x1x256>) -> tensor<1x1x32x256xf32, #f32_1x1x32x256>
  "ttnn.fill_cache"(%w, %n) <{batch_offset = 0 : i32}> : (tensor<1x1x1x256xf32, #f32_1x1x1x256>, tensor<1x1x1x256xf32, #f32_1x1x1x256>) -> ()
  %5 = "ttnn.multiply"(%x, %4) : (tensor<1x1x32x256xf32, #f32_1x1x32x256>, tensor<1x1x32x256xf32, #f32_1x1x32x256>) -> tensor<1x1x32x256xf32, #f32_1x1x32x256>
  return %5 : tensor<1x1x32x256xf32, #f32_1x1x32x256>
}

// Rows that may lie where the cache lies, written between the second slice and the third.
// CHECK-LABEL: func.func @slices(
// CHECK-NOT: split_query_key_value
// CHECK: return
func.func @slices(%c: tensor<1x1x64x576xbf16, #cache_576>, %n: tensor<1x1x64x576xbf16, #cache_576>) -> (tensor<2x6x32x32xbf16, #bf16_2x6x32x32>, tensor<2x6x32x32xbf16, #bf16_2x6x32x32>, tensor<2x6x32x32xbf16, #bf16_2x6x32x32>) {
  %x = "ttnn.reshape"(%c) <{shape = [64 : i32, 576 : i32]}> : (tensor<1x1x64x576xbf16, #cache_576>) -> tensor<64x576xbf16, #bf16_64x576>
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32], ends = [64 : i32, 192 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x576xbf16, #bf16_64x576>) -> tensor<64x192xbf16, #bf16_64x192>
  %r0 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 6 : i32, 32 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<2x32x6x32xbf16, #bf16_2x32x6x32>
  %p0 = "ttnn.permute"(%r0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x6x32xbf16, #bf16_2x32x6x32>) -> tensor<2x6x32x32xbf16, #bf16_2x6x32x32>
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 192 : i32], ends = [64 : i32, 384 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x576xbf16, #bf16_64x576>) -> tensor<64x192xbf16, #bf16_64x192>
  %r1 = "ttnn.reshape"(%1) <{shape = [2 : i32, 32 : i32, 6 : i32, 32 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<2x32x6x32xbf16, #bf16_2x32x6x32>
  %p1 = "ttnn.permute"(%r1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x6x32xbf16, #bf16_2x32x6x32>) -> tensor<2x6x32x32xbf16, #bf16_2x6x32x32>
  "ttnn.fill_cache"(%c, %n) <{batch_offset = 0 : i32}> : (tensor<1x1x64x576xbf16, #cache_576>, tensor<1x1x64x576xbf16, #cache_576>) -> ()
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 384 : i32], ends = [64 : i32, 576 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x576xbf16, #bf16_64x576>) -> tensor<64x192xbf16, #bf16_64x192>
  %r2 = "ttnn.reshape"(%2) <{shape = [2 : i32, 32 : i32, 6 : i32, 32 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<2x32x6x32xbf16, #bf16_2x32x6x32>
  %p2 = "ttnn.permute"(%r2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x6x32xbf16, #bf16_2x32x6x32>) -> tensor<2x6x32x32xbf16, #bf16_2x6x32x32>
  return %p0, %p1, %p2 : tensor<2x6x32x32xbf16, #bf16_2x6x32x32>, tensor<2x6x32x32xbf16, #bf16_2x6x32x32>, tensor<2x6x32x32xbf16, #bf16_2x6x32x32>
}

// The same between products of the rows.
// CHECK-LABEL: func.func @products(
// CHECK-NOT: split_query_key_value
// CHECK: return
func.func @products(%c: tensor<1x1x64x256xbf16, #cache_256>, %n: tensor<1x1x64x256xbf16, #cache_256>, %w0: tensor<256x192xbf16, #bf16_256x192> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w1: tensor<256x192xbf16, #bf16_256x192> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %w2: tensor<256x192xbf16, #bf16_256x192> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<2x6x32x32xbf16, #bf16_2x6x32x32>, tensor<2x6x32x32xbf16, #bf16_2x6x32x32>, tensor<2x6x32x32xbf16, #bf16_2x6x32x32>) {
  %x = "ttnn.reshape"(%c) <{shape = [64 : i32, 256 : i32]}> : (tensor<1x1x64x256xbf16, #cache_256>) -> tensor<64x256xbf16, #bf16_64x256>
  %0 = "ttnn.matmul"(%x, %w0) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x192xbf16, #bf16_256x192>) -> tensor<64x192xbf16, #bf16_64x192>
  %r0 = "ttnn.reshape"(%0) <{shape = [2 : i32, 32 : i32, 6 : i32, 32 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<2x32x6x32xbf16, #bf16_2x32x6x32>
  %p0 = "ttnn.permute"(%r0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x6x32xbf16, #bf16_2x32x6x32>) -> tensor<2x6x32x32xbf16, #bf16_2x6x32x32>
  %1 = "ttnn.matmul"(%x, %w1) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x192xbf16, #bf16_256x192>) -> tensor<64x192xbf16, #bf16_64x192>
  %r1 = "ttnn.reshape"(%1) <{shape = [2 : i32, 32 : i32, 6 : i32, 32 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<2x32x6x32xbf16, #bf16_2x32x6x32>
  %p1 = "ttnn.permute"(%r1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x6x32xbf16, #bf16_2x32x6x32>) -> tensor<2x6x32x32xbf16, #bf16_2x6x32x32>
  "ttnn.fill_cache"(%c, %n) <{batch_offset = 0 : i32}> : (tensor<1x1x64x256xbf16, #cache_256>, tensor<1x1x64x256xbf16, #cache_256>) -> ()
  %2 = "ttnn.matmul"(%x, %w2) <{transpose_a = false, transpose_b = false}> : (tensor<64x256xbf16, #bf16_64x256>, tensor<256x192xbf16, #bf16_256x192>) -> tensor<64x192xbf16, #bf16_64x192>
  %r2 = "ttnn.reshape"(%2) <{shape = [2 : i32, 32 : i32, 6 : i32, 32 : i32]}> : (tensor<64x192xbf16, #bf16_64x192>) -> tensor<2x32x6x32xbf16, #bf16_2x32x6x32>
  %p2 = "ttnn.permute"(%r2) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x6x32xbf16, #bf16_2x32x6x32>) -> tensor<2x6x32x32xbf16, #bf16_2x6x32x32>
  return %p0, %p1, %p2 : tensor<2x6x32x32xbf16, #bf16_2x6x32x32>, tensor<2x6x32x32xbf16, #bf16_2x6x32x32>, tensor<2x6x32x32xbf16, #bf16_2x6x32x32>
}

// What a permute makes is filled before it is permuted back.
// CHECK-LABEL: func.func @permuted(
// CHECK: %[[P:.*]] = "ttnn.permute"(%arg0)
// CHECK: "ttnn.fill_cache"(%[[P]], %arg1)
// CHECK: return %{{[0-9]+}} :
func.func @permuted(%c: tensor<1x32x4x64xbf16, #positions>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions> {
  %0 = "ttnn.permute"(%c) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<1x4x32x64xbf16, #heads>
  "ttnn.fill_cache"(%0, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  return %1 : tensor<1x32x4x64xbf16, #positions>
}

// A tensor of ones that is filled holds other numbers, which the second one does not take off again.
// CHECK-LABEL: func.func @filled(
// CHECK: "ttnn.fill_cache"
// CHECK: "ttnn.add"(%arg0,
// CHECK: return
func.func @filled(%x: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %one = "ttnn.full"(%d) <{fill_value = 1.000000e+00 : f32, shape = #ttnn.shape<1x4x32x64>}> : (!ttnn.device) -> tensor<1x4x32x64xbf16, #heads>
  %minus = "ttnn.full"(%d) <{fill_value = -1.000000e+00 : f32, shape = #ttnn.shape<1x4x32x64>}> : (!ttnn.device) -> tensor<1x4x32x64xbf16, #heads>
  "ttnn.fill_cache"(%one, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %0 = "ttnn.add"(%x, %one) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  %1 = "ttnn.add"(%0, %minus) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %1 : tensor<1x4x32x64xbf16, #heads>
}

// What is permuted there and back is a copy, which keeps its elements when the other is filled,
// CHECK-LABEL: func.func @kept(
// CHECK-NOT: return %arg0
// CHECK: return %{{[0-9]+}} :
func.func @kept(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %0 = "ttnn.permute"(%c) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<1x4x32x64xbf16, #heads>
  "ttnn.fill_cache"(%c, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  return %1 : tensor<1x4x32x64xbf16, #heads>
}

// and may be filled while the other keeps its own.
// CHECK-LABEL: func.func @copied(
// CHECK-NOT: "ttnn.fill_cache"(%arg0
// CHECK: return
func.func @copied(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %0 = "ttnn.permute"(%c) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<1x4x32x64xbf16, #heads>
  "ttnn.fill_cache"(%1, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %2 = "ttnn.add"(%c, %1) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %2 : tensor<1x4x32x64xbf16, #heads>
}

// A slice that was cut before the cache was written is none of the cache as it is now.
// CHECK-LABEL: func.func @cut_before(
// CHECK: "ttnn.slice_static"(%arg0)
// CHECK: "ttnn.fill_cache"(%arg0
// CHECK: "ttnn.slice_static"(%arg0)
func.func @cut_before(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x8x64xbf16, #heads> {
  %s = "ttnn.slice_static"(%c) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 8 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x8x64xbf16, #heads>
  "ttnn.fill_cache"(%c, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %p = "ttnn.permute"(%c) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  %t = "ttnn.slice_static"(%p) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 8 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<1x8x4x64xbf16, #bf16_1x8x4x64>
  %q = "ttnn.permute"(%t) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x8x4x64xbf16, #bf16_1x8x4x64>) -> tensor<1x4x8x64xbf16, #heads>
  %d = "ttnn.subtract"(%s, %q) : (tensor<1x4x8x64xbf16, #heads>, tensor<1x4x8x64xbf16, #heads>) -> tensor<1x4x8x64xbf16, #heads>
  return %d : tensor<1x4x8x64xbf16, #heads>
}

// Who is called may write what it is given.
func.func private @callee(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  "ttnn.fill_cache"(%c, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  return %c : tensor<1x4x32x64xbf16, #heads>
}
// CHECK-LABEL: func.func @called(
// CHECK: "ttnn.permute"(%arg0)
// CHECK: call @callee(%arg0
func.func @called(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) {
  %p = "ttnn.permute"(%c) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  %u = call @callee(%c, %n) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  %q = "ttnn.permute"(%p) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<1x4x32x64xbf16, #heads>
  %a = "ttnn.subtract"(%q, %n) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  %b = "ttnn.relu"(%u) : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %a, %b : tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>
}

// What it gives back is its caller's to write, and no other tensor of the caller's.
// CHECK-LABEL: func.func private @giver(
// CHECK: "ttnn.permute"(%arg0)
// CHECK: %[[Q:.*]] = "ttnn.permute"
// CHECK: return %[[Q]]
func.func private @giver(%c: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %p = "ttnn.permute"(%c) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  %q = "ttnn.permute"(%p) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<1x4x32x64xbf16, #heads>
  return %q : tensor<1x4x32x64xbf16, #heads>
}
func.func @writes_what_is_given(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %u = call @giver(%c) : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  "ttnn.fill_cache"(%u, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %a = "ttnn.subtract"(%c, %u) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %a : tensor<1x4x32x64xbf16, #heads>
}

// CHECK-LABEL: func.func private @giver_of_two(
// CHECK: %[[A:.*]] = "ttnn.relu"
// CHECK-NEXT: %[[P:.*]] = "ttnn.permute"(%[[A]])
// CHECK-NEXT: %[[Q:.*]] = "ttnn.permute"(%[[P]])
// CHECK: return %[[A]], %[[Q]]
func.func private @giver_of_two(%c: tensor<1x4x32x64xbf16, #heads>) -> (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) {
  %a = "ttnn.relu"(%c) : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  %p = "ttnn.permute"(%a) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  %q = "ttnn.permute"(%p) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<1x4x32x64xbf16, #heads>
  return %a, %q : tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>
}
func.func @writes_one_of_two(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %u:2 = call @giver_of_two(%c) : (tensor<1x4x32x64xbf16, #heads>) -> (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>)
  "ttnn.fill_cache"(%u#0, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %a = "ttnn.subtract"(%u#0, %u#1) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %a : tensor<1x4x32x64xbf16, #heads>
}

// What a call gives may be what it was given, and is written as such.
func.func private @passes_on(%c: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  return %c : tensor<1x4x32x64xbf16, #heads>
}
// CHECK-LABEL: func.func @writes_what_was_passed(
// CHECK: "ttnn.permute"(%arg0)
// CHECK: "ttnn.fill_cache"
// CHECK: "ttnn.permute"
func.func @writes_what_was_passed(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %u = call @passes_on(%c) : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  %p = "ttnn.permute"(%c) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  "ttnn.fill_cache"(%u, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %q = "ttnn.permute"(%p) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<1x4x32x64xbf16, #heads>
  %a = "ttnn.subtract"(%q, %n) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %a : tensor<1x4x32x64xbf16, #heads>
}

// So it is with what a loop runs: its next run writes what the first one gave, and not what the loop was given.
// CHECK-LABEL: func.func private @step(
// CHECK: "ttnn.permute"
// CHECK: %[[Q:.*]] = "ttnn.permute"
// CHECK: return %[[Q]]
func.func private @step(%x: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) {
  "ttnn.fill_cache"(%x, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %p = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  %q = "ttnn.permute"(%p) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x4x64xbf16, #positions>) -> tensor<1x4x32x64xbf16, #heads>
  %m = "ttnn.add"(%n, %n) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %q, %m : tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>
}
func.func @writes_in_a_loop(%c: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %u = "ttcore.while_loop"(%c, %n) <{body_program = @step, initial = #ttcore.loop_bound<0>, limit = #ttcore.loop_bound<3>, output_indices = array<i32: 0>, state_count = 2 : i32, step = #ttcore.loop_bound<1>}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  %a = "ttnn.subtract"(%c, %u) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %a : tensor<1x4x32x64xbf16, #heads>
}

// A permute to the order that is there hands on the cache itself, so the sum is of the cache before the new rows.
// CHECK-LABEL: func.func @handed_on(
// CHECK: "ttnn.add"(%arg0, %arg1)
// CHECK: "ttnn.fill_cache"
// CHECK: "ttnn.relu"
// CHECK: return
func.func @handed_on(%c: tensor<1x4x32x64xbf16, #heads>, %x: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %0 = "ttnn.add"(%c, %x) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  %1 = "ttnn.permute"(%c) <{permutation = array<i64: 0, 1, 2, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  "ttnn.fill_cache"(%1, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %2 = "ttnn.relu"(%0) : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %2 : tensor<1x4x32x64xbf16, #heads>
}

// So does a cast to the type that is there.
// CHECK-LABEL: func.func @cast_to_the_same(
// CHECK: "ttnn.add"(%arg0, %arg1)
// CHECK: "ttnn.fill_cache"
// CHECK: "ttnn.relu"
// CHECK: return
func.func @cast_to_the_same(%c: tensor<1x4x32x64xbf16, #heads>, %x: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads> {
  %0 = "ttnn.add"(%c, %x) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  %1 = "ttnn.typecast"(%c) : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  "ttnn.fill_cache"(%1, %n) <{batch_offset = 0 : i32}> : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> ()
  %2 = "ttnn.relu"(%0) : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %2 : tensor<1x4x32x64xbf16, #heads>
}

// One that moves heads makes a tensor of its own, and what is written into that is nobody else's.
// CHECK-LABEL: func.func @moved(
// CHECK: "ttnn.fill_cache"
// CHECK-NOT: "ttnn.relu"
// CHECK: return
func.func @moved(%c: tensor<1x4x32x64xbf16, #heads>, %x: tensor<1x4x32x64xbf16, #heads>, %n: tensor<1x32x4x64xbf16, #positions>) -> tensor<1x4x32x64xbf16, #heads> {
  %0 = "ttnn.add"(%c, %x) : (tensor<1x4x32x64xbf16, #heads>, tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  %1 = "ttnn.permute"(%c) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x32x4x64xbf16, #positions>
  "ttnn.fill_cache"(%1, %n) <{batch_offset = 0 : i32}> : (tensor<1x32x4x64xbf16, #positions>, tensor<1x32x4x64xbf16, #positions>) -> ()
  %2 = "ttnn.relu"(%0) : (tensor<1x4x32x64xbf16, #heads>) -> tensor<1x4x32x64xbf16, #heads>
  return %2 : tensor<1x4x32x64xbf16, #heads>
}
