// New rows of a cache are written into the tiles that are made of it in any case, where a scatter copied all of it first.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#r_bf16_4x2x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<512x32xbf16, #dram>, <interleaved>>
#t_bf16_1x4x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#t_si32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#t_bf16_4x2x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#r_bf16_8x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<512x32xbf16, #dram>, <interleaved>>
#r_si32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1xsi32, #dram>, <interleaved>>
#r_si32_1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, memref<1x1xsi32, #dram>, <interleaved>>
#r_bf16_1x4x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 8 + d1 * 2 + d2, d3), <1x1>, memref<8x32xbf16, #dram>, <interleaved>>
#r_bf16_8x1x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, memref<8x32xbf16, #dram>, <interleaved>>
#t_bf16_8x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#r_si32_1x1x4 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, memref<1x4xsi32, #dram>, <interleaved>>
#r_bf16_4x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<1024x32xbf16, #dram>, <interleaved>>
#r_bf16_4x4x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), <1x1>, memref<16x32xbf16, #dram>, <interleaved>>
#r_si32_4 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #dram>, <interleaved>>
#t_bf16_4x4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#r_bf16_1x1024x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 1024 + d1, d2), <1x1>, memref<1024x32xbf16, #dram>, <interleaved>>
#r_si32_1x3x4 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 3 + d1, d2), <1x1>, memref<3x4xsi32, #dram>, <interleaved>>
#r_bf16_1x16x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 16 + d1, d2), <1x1>, memref<16x32xbf16, #dram>, <interleaved>>
#t_bf16_1x1024x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 1024 + d1, d2), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#r_bf16_4x2x1x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2 + d1 + d2, d3), <1x1>, memref<8x32xbf16, #dram>, <interleaved>>
#r_si32_4x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x1xsi32, #dram>, <interleaved>>
#t_si32_4x3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#t_si32_1x3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#r_si32_4x3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x3xsi32, #dram>, <interleaved>>
#r_si32_4x3x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 3 + d1, d2), <1x1>, memref<12x1xsi32, #dram>, <interleaved>>
#r_bf16_4x128x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 128 + d1, d2), <1x1>, memref<512x32xbf16, #dram>, <interleaved>>
#r_bf16_4x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x64xbf16, #dram>, <interleaved>>
#t_bf16_4x128x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 128 + d1, d2), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#t_bf16_4x2x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#r_bf16_4x2x2x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4 + d1 * 2 + d2, d3), <1x1>, memref<16x32xbf16, #dram>, <interleaved>>
#r_bf16_8x2x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 2 + d1, d2), <1x1>, memref<16x32xbf16, #dram>, <interleaved>>

// One position for all users, which a clamp keeps within the cache.
// CHECK-LABEL: func.func @one_position(
// CHECK-DAG: %[[C:.*]] = "ttnn.to_layout"(%arg0) {{.*}} -> tensor<4x2x64x32xbf16
// CHECK-DAG: %[[P:.*]] = "ttnn.repeat"({{.*}} -> tensor<4xsi32
// CHECK: "ttnn.paged_update_cache"(%[[C]], %arg1, %[[P]])
// CHECK-NEXT: return %[[C]]
func.func @one_position(%c: tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>, %new: tensor<1x4x2x32xbf16, #t_bf16_1x4x2x32>, %p: tensor<1x1xsi32, #t_si32_1x1>) -> (tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>) {
  %0 = "ttnn.reshape"(%c) <{shape = [8 : i32, 64 : i32, 32 : i32]}> : (tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>) -> tensor<8x64x32xbf16, #r_bf16_8x64x32>
  %1 = "ttnn.clamp_scalar"(%p) <{max = 63 : i32, min = 0 : i32}> : (tensor<1x1xsi32, #t_si32_1x1>) -> tensor<1x1xsi32, #t_si32_1x1>
  %2 = "ttnn.to_layout"(%1) : (tensor<1x1xsi32, #t_si32_1x1>) -> tensor<1x1xsi32, #r_si32_1x1>
  %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x1xsi32, #r_si32_1x1>) -> tensor<1x1x1xsi32, #r_si32_1x1x1>
  %4 = "ttnn.to_layout"(%new) : (tensor<1x4x2x32xbf16, #t_bf16_1x4x2x32>) -> tensor<1x4x2x32xbf16, #r_bf16_1x4x2x32>
  %5 = "ttnn.reshape"(%4) <{shape = [8 : i32, 1 : i32, 32 : i32]}> : (tensor<1x4x2x32xbf16, #r_bf16_1x4x2x32>) -> tensor<8x1x32xbf16, #r_bf16_8x1x32>
  %6 = "ttnn.rows_scatter"(%0, %3, %5) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 64>, windows = array<i64: 1>}> : (tensor<8x64x32xbf16, #r_bf16_8x64x32>, tensor<1x1x1xsi32, #r_si32_1x1x1>, tensor<8x1x32xbf16, #r_bf16_8x1x32>) -> tensor<8x64x32xbf16, #r_bf16_8x64x32>
  %7 = "ttnn.to_layout"(%6) : (tensor<8x64x32xbf16, #r_bf16_8x64x32>) -> tensor<8x64x32xbf16, #t_bf16_8x64x32>
  %8 = "ttnn.reshape"(%7) <{shape = [4 : i32, 2 : i32, 64 : i32, 32 : i32]}> : (tensor<8x64x32xbf16, #t_bf16_8x64x32>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
  return %8 : tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
}

// One for each user, which nothing keeps there: the scatter leaves out who is outside, and so does the update with those at -1.
// CHECK: fill_value = 64 : i32
// CHECK: fill_value = -1 : i32
// CHECK-LABEL: func.func @own_positions(
// CHECK: %[[C:.*]] = "ttnn.to_layout"(%arg0)
// CHECK: %[[P:.*]] = "ttnn.clamp_scalar"(%{{.*}}) <{max = 64 : i32, min = -1 : i32}> {{.*}} -> tensor<4xsi32
// CHECK: %[[END:.*]] = ttcore.load_cached(@own_positions_const_eval, [])
// CHECK: %[[WITHIN:.*]] = "ttnn.lt"(%[[P]], %[[END]])
// CHECK: %[[NONE:.*]] = ttcore.load_cached(@own_positions_const_eval_0, [])
// CHECK: %[[USERS:.*]] = "ttnn.where"(%[[WITHIN]], %[[P]], %[[NONE]])
// CHECK: %[[ROWS:.*]] = "ttnn.to_layout"(%[[USERS]])
// CHECK: "ttnn.paged_update_cache"(%[[C]], %{{.*}}, %[[ROWS]])
// CHECK-NEXT: return %[[C]]
func.func @own_positions(%c: tensor<4x4x64x32xbf16, #r_bf16_4x4x64x32>, %new: tensor<4x4x32xbf16, #r_bf16_4x4x32>, %p: tensor<4xsi32, #r_si32_4>) -> tensor<4x4x64x32xbf16, #t_bf16_4x4x64x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.zeros"(%d) <{shape = #ttnn.shape<1x1x4>}> : (!ttnn.device) -> tensor<1x1x4xsi32, #r_si32_1x1x4>
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 4 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<4xsi32, #r_si32_4>
  %users = "ttnn.reshape"(%0) <{shape = [1 : i32, 1 : i32, 4 : i32]}> : (tensor<4xsi32, #r_si32_4>) -> tensor<1x1x4xsi32, #r_si32_1x1x4>
  %2 = "ttnn.reshape"(%c) <{shape = [1 : i32, 1024 : i32, 32 : i32]}> : (tensor<4x4x64x32xbf16, #r_bf16_4x4x64x32>) -> tensor<1x1024x32xbf16, #r_bf16_1x1024x32>
  %3 = "ttnn.reshape"(%p) <{shape = [1 : i32, 1 : i32, 4 : i32]}> : (tensor<4xsi32, #r_si32_4>) -> tensor<1x1x4xsi32, #r_si32_1x1x4>
  %4 = "ttnn.concat"(%users, %zero, %3) <{dim = 1 : si32}> : (tensor<1x1x4xsi32, #r_si32_1x1x4>, tensor<1x1x4xsi32, #r_si32_1x1x4>, tensor<1x1x4xsi32, #r_si32_1x1x4>) -> tensor<1x3x4xsi32, #r_si32_1x3x4>
  %5 = "ttnn.reshape"(%new) <{shape = [1 : i32, 16 : i32, 32 : i32]}> : (tensor<4x4x32xbf16, #r_bf16_4x4x32>) -> tensor<1x16x32xbf16, #r_bf16_1x16x32>
  %6 = "ttnn.rows_scatter"(%2, %4, %5) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 4, 4, 64>, windows = array<i64: 1, 4, 1>}> : (tensor<1x1024x32xbf16, #r_bf16_1x1024x32>, tensor<1x3x4xsi32, #r_si32_1x3x4>, tensor<1x16x32xbf16, #r_bf16_1x16x32>) -> tensor<1x1024x32xbf16, #r_bf16_1x1024x32>
  %7 = "ttnn.to_layout"(%6) : (tensor<1x1024x32xbf16, #r_bf16_1x1024x32>) -> tensor<1x1024x32xbf16, #t_bf16_1x1024x32>
  %8 = "ttnn.reshape"(%7) <{shape = [4 : i32, 4 : i32, 64 : i32, 32 : i32]}> : (tensor<1x1024x32xbf16, #t_bf16_1x1024x32>) -> tensor<4x4x64x32xbf16, #t_bf16_4x4x64x32>
  return %8 : tensor<4x4x64x32xbf16, #t_bf16_4x4x64x32>
}

// The same as an entry of a batch each, in elements; bounds of the index move who is outside.
// CHECK-LABEL: func.func @entries(
// CHECK: %[[C:.*]] = "ttnn.to_layout"(%arg0)
// CHECK: "ttnn.clamp_scalar"(%{{.*}}) <{max = 63 : i32, min = 0 : i32}>
// CHECK: "ttnn.paged_update_cache"(%[[C]],
// CHECK-NEXT: return %[[C]]
func.func @entries(%c: tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>, %new: tensor<4x2x1x32xbf16, #r_bf16_4x2x1x32>, %p: tensor<4x1xsi32, #r_si32_4x1>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.zeros"(%d) <{shape = #ttnn.shape<4x1>}> : (!ttnn.device) -> tensor<4x1xsi32, #r_si32_4x1>
  %low = "ttnn.zeros"(%d) <{shape = #ttnn.shape<4x3>}> : (!ttnn.device) -> tensor<4x3xsi32, #t_si32_4x3>
  %once = "ttnn.constant"(%d) <{value = dense<[[0, 63, 0]]> : tensor<1x3xsi32>}> : (!ttnn.device) -> tensor<1x3xsi32, #t_si32_1x3>
  %high = "ttnn.repeat"(%once) <{repeat_dims = #ttnn.shape<4x1>}> : (tensor<1x3xsi32, #t_si32_1x3>) -> tensor<4x3xsi32, #t_si32_4x3>
  %0 = "ttnn.concat"(%zero, %p, %zero) <{dim = 1 : si32}> : (tensor<4x1xsi32, #r_si32_4x1>, tensor<4x1xsi32, #r_si32_4x1>, tensor<4x1xsi32, #r_si32_4x1>) -> tensor<4x3xsi32, #r_si32_4x3>
  %1 = "ttnn.to_layout"(%0) : (tensor<4x3xsi32, #r_si32_4x3>) -> tensor<4x3xsi32, #t_si32_4x3>
  %2 = "ttnn.clamp_tensor"(%1, %low, %high) : (tensor<4x3xsi32, #t_si32_4x3>, tensor<4x3xsi32, #t_si32_4x3>, tensor<4x3xsi32, #t_si32_4x3>) -> tensor<4x3xsi32, #t_si32_4x3>
  %3 = "ttnn.to_layout"(%2) : (tensor<4x3xsi32, #t_si32_4x3>) -> tensor<4x3xsi32, #r_si32_4x3>
  %4 = "ttnn.reshape"(%3) <{shape = [4 : i32, 3 : i32, 1 : i32]}> : (tensor<4x3xsi32, #r_si32_4x3>) -> tensor<4x3x1xsi32, #r_si32_4x3x1>
  %5 = "ttnn.reshape"(%c) <{shape = [4 : i32, 128 : i32, 32 : i32]}> : (tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>) -> tensor<4x128x32xbf16, #r_bf16_4x128x32>
  %6 = "ttnn.reshape"(%new) <{shape = [4 : i32, 64 : i32]}> : (tensor<4x2x1x32xbf16, #r_bf16_4x2x1x32>) -> tensor<4x64xbf16, #r_bf16_4x64>
  %7 = "ttnn.rows_scatter"(%5, %4, %6) <{column = true, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 2, 64, 32>, windows = array<i64: 2, 1, 32>}> : (tensor<4x128x32xbf16, #r_bf16_4x128x32>, tensor<4x3x1xsi32, #r_si32_4x3x1>, tensor<4x64xbf16, #r_bf16_4x64>) -> tensor<4x128x32xbf16, #r_bf16_4x128x32>
  %8 = "ttnn.to_layout"(%7) : (tensor<4x128x32xbf16, #r_bf16_4x128x32>) -> tensor<4x128x32xbf16, #t_bf16_4x128x32>
  %9 = "ttnn.reshape"(%8) <{shape = [4 : i32, 2 : i32, 64 : i32, 32 : i32]}> : (tensor<4x128x32xbf16, #t_bf16_4x128x32>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
  return %9 : tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
}

// Two rows, a sum, a cache that is read after it, the heads' own positions, and bounds that mean something: not these.
// CHECK-LABEL: func.func @two_rows(
// CHECK-NOT: paged_update_cache
// CHECK: "ttnn.rows_scatter"
func.func @two_rows(%c: tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>, %new: tensor<4x2x2x32xbf16, #t_bf16_4x2x2x32>, %p: tensor<1x1xsi32, #t_si32_1x1>) -> (tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>) {
  %0 = "ttnn.reshape"(%c) <{shape = [8 : i32, 64 : i32, 32 : i32]}> : (tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>) -> tensor<8x64x32xbf16, #r_bf16_8x64x32>
  %1 = "ttnn.clamp_scalar"(%p) <{max = 62 : i32, min = 0 : i32}> : (tensor<1x1xsi32, #t_si32_1x1>) -> tensor<1x1xsi32, #t_si32_1x1>
  %2 = "ttnn.to_layout"(%1) : (tensor<1x1xsi32, #t_si32_1x1>) -> tensor<1x1xsi32, #r_si32_1x1>
  %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x1xsi32, #r_si32_1x1>) -> tensor<1x1x1xsi32, #r_si32_1x1x1>
  %4 = "ttnn.to_layout"(%new) : (tensor<4x2x2x32xbf16, #t_bf16_4x2x2x32>) -> tensor<4x2x2x32xbf16, #r_bf16_4x2x2x32>
  %5 = "ttnn.reshape"(%4) <{shape = [8 : i32, 2 : i32, 32 : i32]}> : (tensor<4x2x2x32xbf16, #r_bf16_4x2x2x32>) -> tensor<8x2x32xbf16, #r_bf16_8x2x32>
  %6 = "ttnn.rows_scatter"(%0, %3, %5) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 64>, windows = array<i64: 2>}> : (tensor<8x64x32xbf16, #r_bf16_8x64x32>, tensor<1x1x1xsi32, #r_si32_1x1x1>, tensor<8x2x32xbf16, #r_bf16_8x2x32>) -> tensor<8x64x32xbf16, #r_bf16_8x64x32>
  %7 = "ttnn.to_layout"(%6) : (tensor<8x64x32xbf16, #r_bf16_8x64x32>) -> tensor<8x64x32xbf16, #t_bf16_8x64x32>
  %8 = "ttnn.reshape"(%7) <{shape = [4 : i32, 2 : i32, 64 : i32, 32 : i32]}> : (tensor<8x64x32xbf16, #t_bf16_8x64x32>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
  return %8 : tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
}

// CHECK-LABEL: func.func @read_after(
// CHECK-NOT: paged_update_cache
// CHECK: "ttnn.rows_scatter"
func.func @read_after(%c: tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>, %new: tensor<1x4x2x32xbf16, #t_bf16_1x4x2x32>, %p: tensor<1x1xsi32, #t_si32_1x1>) -> (tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>, tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>) {
  %0 = "ttnn.reshape"(%c) <{shape = [8 : i32, 64 : i32, 32 : i32]}> : (tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>) -> tensor<8x64x32xbf16, #r_bf16_8x64x32>
  %1 = "ttnn.clamp_scalar"(%p) <{max = 63 : i32, min = 0 : i32}> : (tensor<1x1xsi32, #t_si32_1x1>) -> tensor<1x1xsi32, #t_si32_1x1>
  %2 = "ttnn.to_layout"(%1) : (tensor<1x1xsi32, #t_si32_1x1>) -> tensor<1x1xsi32, #r_si32_1x1>
  %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x1xsi32, #r_si32_1x1>) -> tensor<1x1x1xsi32, #r_si32_1x1x1>
  %4 = "ttnn.to_layout"(%new) : (tensor<1x4x2x32xbf16, #t_bf16_1x4x2x32>) -> tensor<1x4x2x32xbf16, #r_bf16_1x4x2x32>
  %5 = "ttnn.reshape"(%4) <{shape = [8 : i32, 1 : i32, 32 : i32]}> : (tensor<1x4x2x32xbf16, #r_bf16_1x4x2x32>) -> tensor<8x1x32xbf16, #r_bf16_8x1x32>
  %6 = "ttnn.rows_scatter"(%0, %3, %5) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 64>, windows = array<i64: 1>}> : (tensor<8x64x32xbf16, #r_bf16_8x64x32>, tensor<1x1x1xsi32, #r_si32_1x1x1>, tensor<8x1x32xbf16, #r_bf16_8x1x32>) -> tensor<8x64x32xbf16, #r_bf16_8x64x32>
  %7 = "ttnn.to_layout"(%6) : (tensor<8x64x32xbf16, #r_bf16_8x64x32>) -> tensor<8x64x32xbf16, #t_bf16_8x64x32>
  %8 = "ttnn.reshape"(%7) <{shape = [4 : i32, 2 : i32, 64 : i32, 32 : i32]}> : (tensor<8x64x32xbf16, #t_bf16_8x64x32>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
  return %8, %c : tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>, tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>
}

// CHECK-LABEL: func.func @heads_positions(
// CHECK-NOT: paged_update_cache
// CHECK: "ttnn.rows_scatter"
func.func @heads_positions(%c: tensor<4x4x64x32xbf16, #r_bf16_4x4x64x32>, %new: tensor<4x4x32xbf16, #r_bf16_4x4x32>, %p: tensor<4xsi32, #r_si32_4>) -> tensor<4x4x64x32xbf16, #t_bf16_4x4x64x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.zeros"(%d) <{shape = #ttnn.shape<1x1x4>}> : (!ttnn.device) -> tensor<1x1x4xsi32, #r_si32_1x1x4>
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 4 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<4xsi32, #r_si32_4>
  %users = "ttnn.reshape"(%0) <{shape = [1 : i32, 1 : i32, 4 : i32]}> : (tensor<4xsi32, #r_si32_4>) -> tensor<1x1x4xsi32, #r_si32_1x1x4>
  %2 = "ttnn.reshape"(%c) <{shape = [1 : i32, 1024 : i32, 32 : i32]}> : (tensor<4x4x64x32xbf16, #r_bf16_4x4x64x32>) -> tensor<1x1024x32xbf16, #r_bf16_1x1024x32>
  %3 = "ttnn.reshape"(%p) <{shape = [1 : i32, 1 : i32, 4 : i32]}> : (tensor<4xsi32, #r_si32_4>) -> tensor<1x1x4xsi32, #r_si32_1x1x4>
  %4 = "ttnn.concat"(%zero, %users, %3) <{dim = 1 : si32}> : (tensor<1x1x4xsi32, #r_si32_1x1x4>, tensor<1x1x4xsi32, #r_si32_1x1x4>, tensor<1x1x4xsi32, #r_si32_1x1x4>) -> tensor<1x3x4xsi32, #r_si32_1x3x4>
  %5 = "ttnn.reshape"(%new) <{shape = [1 : i32, 16 : i32, 32 : i32]}> : (tensor<4x4x32xbf16, #r_bf16_4x4x32>) -> tensor<1x16x32xbf16, #r_bf16_1x16x32>
  %6 = "ttnn.rows_scatter"(%2, %4, %5) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 4, 4, 64>, windows = array<i64: 4, 1, 1>}> : (tensor<1x1024x32xbf16, #r_bf16_1x1024x32>, tensor<1x3x4xsi32, #r_si32_1x3x4>, tensor<1x16x32xbf16, #r_bf16_1x16x32>) -> tensor<1x1024x32xbf16, #r_bf16_1x1024x32>
  %7 = "ttnn.to_layout"(%6) : (tensor<1x1024x32xbf16, #r_bf16_1x1024x32>) -> tensor<1x1024x32xbf16, #t_bf16_1x1024x32>
  %8 = "ttnn.reshape"(%7) <{shape = [4 : i32, 4 : i32, 64 : i32, 32 : i32]}> : (tensor<1x1024x32xbf16, #t_bf16_1x1024x32>) -> tensor<4x4x64x32xbf16, #t_bf16_4x4x64x32>
  return %8 : tensor<4x4x64x32xbf16, #t_bf16_4x4x64x32>
}

// CHECK-LABEL: func.func @bounded(
// CHECK-NOT: paged_update_cache
// CHECK: "ttnn.rows_scatter"
func.func @bounded(%c: tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>, %new: tensor<4x2x1x32xbf16, #r_bf16_4x2x1x32>, %p: tensor<4x1xsi32, #r_si32_4x1>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.zeros"(%d) <{shape = #ttnn.shape<4x1>}> : (!ttnn.device) -> tensor<4x1xsi32, #r_si32_4x1>
  %low = "ttnn.zeros"(%d) <{shape = #ttnn.shape<4x3>}> : (!ttnn.device) -> tensor<4x3xsi32, #t_si32_4x3>
  %once = "ttnn.constant"(%d) <{value = dense<[[0, 31, 0]]> : tensor<1x3xsi32>}> : (!ttnn.device) -> tensor<1x3xsi32, #t_si32_1x3>
  %high = "ttnn.repeat"(%once) <{repeat_dims = #ttnn.shape<4x1>}> : (tensor<1x3xsi32, #t_si32_1x3>) -> tensor<4x3xsi32, #t_si32_4x3>
  %0 = "ttnn.concat"(%zero, %p, %zero) <{dim = 1 : si32}> : (tensor<4x1xsi32, #r_si32_4x1>, tensor<4x1xsi32, #r_si32_4x1>, tensor<4x1xsi32, #r_si32_4x1>) -> tensor<4x3xsi32, #r_si32_4x3>
  %1 = "ttnn.to_layout"(%0) : (tensor<4x3xsi32, #r_si32_4x3>) -> tensor<4x3xsi32, #t_si32_4x3>
  %2 = "ttnn.clamp_tensor"(%1, %low, %high) : (tensor<4x3xsi32, #t_si32_4x3>, tensor<4x3xsi32, #t_si32_4x3>, tensor<4x3xsi32, #t_si32_4x3>) -> tensor<4x3xsi32, #t_si32_4x3>
  %3 = "ttnn.to_layout"(%2) : (tensor<4x3xsi32, #t_si32_4x3>) -> tensor<4x3xsi32, #r_si32_4x3>
  %4 = "ttnn.reshape"(%3) <{shape = [4 : i32, 3 : i32, 1 : i32]}> : (tensor<4x3xsi32, #r_si32_4x3>) -> tensor<4x3x1xsi32, #r_si32_4x3x1>
  %5 = "ttnn.reshape"(%c) <{shape = [4 : i32, 128 : i32, 32 : i32]}> : (tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>) -> tensor<4x128x32xbf16, #r_bf16_4x128x32>
  %6 = "ttnn.reshape"(%new) <{shape = [4 : i32, 64 : i32]}> : (tensor<4x2x1x32xbf16, #r_bf16_4x2x1x32>) -> tensor<4x64xbf16, #r_bf16_4x64>
  %7 = "ttnn.rows_scatter"(%5, %4, %6) <{column = true, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 2, 64, 32>, windows = array<i64: 2, 1, 32>}> : (tensor<4x128x32xbf16, #r_bf16_4x128x32>, tensor<4x3x1xsi32, #r_si32_4x3x1>, tensor<4x64xbf16, #r_bf16_4x64>) -> tensor<4x128x32xbf16, #r_bf16_4x128x32>
  %8 = "ttnn.to_layout"(%7) : (tensor<4x128x32xbf16, #r_bf16_4x128x32>) -> tensor<4x128x32xbf16, #t_bf16_4x128x32>
  %9 = "ttnn.reshape"(%8) <{shape = [4 : i32, 2 : i32, 64 : i32, 32 : i32]}> : (tensor<4x128x32xbf16, #t_bf16_4x128x32>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
  return %9 : tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
}

// One bound for all numbers of the index, which keeps every position at 0.
// CHECK-LABEL: func.func @bounded_at_once(
// CHECK-NOT: paged_update_cache
// CHECK: "ttnn.rows_scatter"
func.func @bounded_at_once(%c: tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>, %new: tensor<4x2x1x32xbf16, #r_bf16_4x2x1x32>, %p: tensor<4x1xsi32, #r_si32_4x1>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %zero = "ttnn.zeros"(%d) <{shape = #ttnn.shape<4x1>}> : (!ttnn.device) -> tensor<4x1xsi32, #r_si32_4x1>
  %low = "ttnn.zeros"(%d) <{shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #t_si32_1x1>
  %high = "ttnn.zeros"(%d) <{shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #t_si32_1x1>
  %0 = "ttnn.concat"(%zero, %p, %zero) <{dim = 1 : si32}> : (tensor<4x1xsi32, #r_si32_4x1>, tensor<4x1xsi32, #r_si32_4x1>, tensor<4x1xsi32, #r_si32_4x1>) -> tensor<4x3xsi32, #r_si32_4x3>
  %1 = "ttnn.to_layout"(%0) : (tensor<4x3xsi32, #r_si32_4x3>) -> tensor<4x3xsi32, #t_si32_4x3>
  %2 = "ttnn.clamp_tensor"(%1, %low, %high) : (tensor<4x3xsi32, #t_si32_4x3>, tensor<1x1xsi32, #t_si32_1x1>, tensor<1x1xsi32, #t_si32_1x1>) -> tensor<4x3xsi32, #t_si32_4x3>
  %3 = "ttnn.to_layout"(%2) : (tensor<4x3xsi32, #t_si32_4x3>) -> tensor<4x3xsi32, #r_si32_4x3>
  %4 = "ttnn.reshape"(%3) <{shape = [4 : i32, 3 : i32, 1 : i32]}> : (tensor<4x3xsi32, #r_si32_4x3>) -> tensor<4x3x1xsi32, #r_si32_4x3x1>
  %5 = "ttnn.reshape"(%c) <{shape = [4 : i32, 128 : i32, 32 : i32]}> : (tensor<4x2x64x32xbf16, #r_bf16_4x2x64x32>) -> tensor<4x128x32xbf16, #r_bf16_4x128x32>
  %6 = "ttnn.reshape"(%new) <{shape = [4 : i32, 64 : i32]}> : (tensor<4x2x1x32xbf16, #r_bf16_4x2x1x32>) -> tensor<4x64xbf16, #r_bf16_4x64>
  %7 = "ttnn.rows_scatter"(%5, %4, %6) <{column = true, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 2, 64, 32>, windows = array<i64: 2, 1, 32>}> : (tensor<4x128x32xbf16, #r_bf16_4x128x32>, tensor<4x3x1xsi32, #r_si32_4x3x1>, tensor<4x64xbf16, #r_bf16_4x64>) -> tensor<4x128x32xbf16, #r_bf16_4x128x32>
  %8 = "ttnn.to_layout"(%7) : (tensor<4x128x32xbf16, #r_bf16_4x128x32>) -> tensor<4x128x32xbf16, #t_bf16_4x128x32>
  %9 = "ttnn.reshape"(%8) <{shape = [4 : i32, 2 : i32, 64 : i32, 32 : i32]}> : (tensor<4x128x32xbf16, #t_bf16_4x128x32>) -> tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
  return %9 : tensor<4x2x64x32xbf16, #t_bf16_4x2x64x32>
}
