// Reshape, permute, slice and the like.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @one_input
func.func @one_input(%x: tensor<2x3x4xbf16>) {
  // CHECK: "ttnn.reshape"(%arg0) <{shape = [6 : i32, 4 : i32]}> : (tensor<2x3x4xbf16>) -> tensor<6x4xbf16>
  %0 = "ttnn.reshape"(%x) <{shape = [6 : i32, 4 : i32]}> : (tensor<2x3x4xbf16>) -> tensor<6x4xbf16>
  // One extent may be left open.
  // CHECK-NEXT: "ttnn.reshape"(%arg0) <{shape = [-1 : i32, 4 : i32]}>
  %1 = "ttnn.reshape"(%x) <{shape = [-1 : i32, 4 : i32]}> : (tensor<2x3x4xbf16>) -> tensor<6x4xbf16>
  // CHECK-NEXT: "ttnn.permute"(%arg0) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xbf16>) -> tensor<4x2x3xbf16>
  %2 = "ttnn.permute"(%x) <{permutation = array<i64: 2, 0, 1>}> : (tensor<2x3x4xbf16>) -> tensor<4x2x3xbf16>
  // CHECK-NEXT: "ttnn.permute"(%arg0) <{pad_value = 0.000000e+00 : f32, permutation = array<i64: 0, 2, 1>}>
  %3 = "ttnn.permute"(%x) <{pad_value = 0.0 : f32, permutation = array<i64: 0, 2, 1>}> : (tensor<2x3x4xbf16>) -> tensor<2x4x3xbf16>
  // CHECK-NEXT: "ttnn.transpose"(%arg0) <{dim0 = -2 : si32, dim1 = -1 : si32}>
  %4 = "ttnn.transpose"(%x) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<2x3x4xbf16>) -> tensor<2x4x3xbf16>
  // CHECK-NEXT: "ttnn.pad"(%arg0) <{padding = array<i32: 0, 0, 1, 2, 0, 28>, use_multicore = true, value = 0.000000e+00 : f32}> {{.*}} -> tensor<2x6x32xbf16>
  %5 = "ttnn.pad"(%x) <{padding = array<i32: 0, 0, 1, 2, 0, 28>, use_multicore = true, value = 0.0 : f32}> : (tensor<2x3x4xbf16>) -> tensor<2x6x32xbf16>
  // CHECK-NEXT: "ttnn.repeat"(%arg0) <{repeat_dims = #ttnn.shape<1x2x1>}>
  %6 = "ttnn.repeat"(%x) <{repeat_dims = #ttnn.shape<1x2x1>}> : (tensor<2x3x4xbf16>) -> tensor<2x6x4xbf16>
  // The element type may change.
  // CHECK-NEXT: "ttnn.reshape"(%arg0) {{.*}} -> tensor<24xf32>
  %7 = "ttnn.reshape"(%x) <{shape = [24 : i32]}> : (tensor<2x3x4xbf16>) -> tensor<24xf32>
  // CHECK-NEXT: "ttnn.repeat_interleave"(%arg0) <{dim = 1 : si32, repeats = 4 : ui32}>
  %8 = "ttnn.repeat_interleave"(%x) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<2x3x4xbf16>) -> tensor<2x12x4xbf16>
  // CHECK-NEXT: "ttnn.assign"(%arg0)
  %9 = "ttnn.assign"(%x) : (tensor<2x3x4xbf16>) -> tensor<2x3x4xbf16>
  return
}

// CHECK-LABEL: func.func @slices
func.func @slices(%x: tensor<8x9xbf16>, %bound: tensor<2xsi32>) {
  // CHECK: "ttnn.slice_static"(%arg0) <{begins = [1 : i32, 0 : i32], ends = [7 : i32, 9 : i32], step = [1 : i32, 2 : i32]}> {{.*}} -> tensor<6x5xbf16>
  %0 = "ttnn.slice_static"(%x) <{begins = [1 : i32, 0 : i32], ends = [7 : i32, 9 : i32], step = [1 : i32, 2 : i32]}> : (tensor<8x9xbf16>) -> tensor<6x5xbf16>
  // Negative bounds count from the end; a negative step goes backwards.
  // CHECK-NEXT: "ttnn.slice_static"
  %1 = "ttnn.slice_static"(%x) <{begins = [-3 : i32, 8 : i32], ends = [-1 : i32, 0 : i32], step = [1 : i32, -3 : i32]}> : (tensor<8x9xbf16>) -> tensor<2x3xbf16>
  // CHECK-NEXT: "ttnn.slice_dynamic"(%arg0, %arg1, %arg1)
  %2 = "ttnn.slice_dynamic"(%x, %bound, %bound) : (tensor<8x9xbf16>, tensor<2xsi32>, tensor<2xsi32>) -> tensor<4x9xbf16>
  return
}

// CHECK-LABEL: func.func @several_inputs
func.func @several_inputs(%x: tensor<2x3xbf16>, %y: tensor<2x5xbf16>, %ids: tensor<7xui32>, %i: tensor<2x1xui32>) {
  // CHECK: "ttnn.concat"(%arg0, %arg1, %arg0) <{dim = -1 : si32}> {{.*}} -> tensor<2x11xbf16>
  %0 = "ttnn.concat"(%x, %y, %x) <{dim = -1 : si32}> : (tensor<2x3xbf16>, tensor<2x5xbf16>, tensor<2x3xbf16>) -> tensor<2x11xbf16>
  // CHECK-NEXT: "ttnn.embedding"(%arg2, %arg1) : (tensor<7xui32>, tensor<2x5xbf16>) -> tensor<7x5xbf16>
  %1 = "ttnn.embedding"(%ids, %y) : (tensor<7xui32>, tensor<2x5xbf16>) -> tensor<7x5xbf16>
  // CHECK-NEXT: "ttnn.gather"(%arg0, %arg3) <{dim = 1 : i32}>
  %2 = "ttnn.gather"(%x, %i) <{dim = 1 : i32}> : (tensor<2x3xbf16>, tensor<2x1xui32>) -> tensor<2x1xbf16>
  // CHECK-NEXT: "ttnn.scatter"(%arg0, %arg3, %arg1) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}>
  %3 = "ttnn.scatter"(%x, %i, %y) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<sum>}> : (tensor<2x3xbf16>, tensor<2x1xui32>, tensor<2x5xbf16>) -> tensor<2x3xbf16>
  return
}

// CHECK-LABEL: func.func @rows_gather
func.func @rows_gather(%x: tensor<1x16x8xbf16>, %i: tensor<1x1x5xsi32>, %j: tensor<1x2x3xsi32>) {
  // CHECK-NEXT: "ttnn.rows_gather"(%arg0, %arg1) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 16>, windows = array<i64: 1>}>
  %0 = "ttnn.rows_gather"(%x, %i) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 16>, windows = array<i64: 1>}> : (tensor<1x16x8xbf16>, tensor<1x1x5xsi32>) -> tensor<1x5x8xbf16>
  // CHECK-NEXT: "ttnn.rows_gather"(%arg0, %arg2) <{column = true, fill_out_of_bounds = true, sizes = array<i64: 16, 8>, windows = array<i64: 2, 4>}>
  %1 = "ttnn.rows_gather"(%x, %j) <{column = true, fill_out_of_bounds = true, sizes = array<i64: 16, 8>, windows = array<i64: 2, 4>}> : (tensor<1x16x8xbf16>, tensor<1x2x3xsi32>) -> tensor<1x6x4xbf16>
  return
}

// CHECK-LABEL: func.func @rows_scatter
func.func @rows_scatter(%x: tensor<4x16x8xbf16>, %i: tensor<1x1x1xsi32>, %y: tensor<4x1x8xbf16>) {
  // CHECK-NEXT: "ttnn.rows_scatter"(%arg0, %arg1, %arg2) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 16>, windows = array<i64: 1>}>
  %0 = "ttnn.rows_scatter"(%x, %i, %y) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 16>, windows = array<i64: 1>}> : (tensor<4x16x8xbf16>, tensor<1x1x1xsi32>, tensor<4x1x8xbf16>) -> tensor<4x16x8xbf16>
  return
}
