// What a called function, or a loop's, writes in place is no constant that is converted once, before it is written.
// RUN: tessera optimize %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#table = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#index = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32xui32, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

func.func private @fills(%c: tensor<1x1x64x64xbf16, #table>, %n: tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table> {
  "ttnn.fill_cache"(%c, %n) <{batch_offset = 0 : i32}> : (tensor<1x1x64x64xbf16, #table>, tensor<1x1x64x64xbf16, #table>) -> ()
  return %n : tensor<1x1x64x64xbf16, #table>
}

// CHECK-LABEL: func.func @called(
// CHECK-NOT: load_cached
// CHECK: call @fills(%arg0
// CHECK: "ttnn.embedding"(%arg2, %arg0)
func.func @called(%c: tensor<1x1x64x64xbf16, #table> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %n: tensor<1x1x64x64xbf16, #table>, %i: tensor<1x32xui32, #index>) -> tensor<1x32x64xbf16, #rows> {
  %r = call @fills(%c, %n) : (tensor<1x1x64x64xbf16, #table>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  %0 = "ttnn.embedding"(%i, %c) : (tensor<1x32xui32, #index>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x32x64xbf16, #rows>
  return %0 : tensor<1x32x64xbf16, #rows>
}

func.func private @step(%n: tensor<1x1x64x64xbf16, #table>, %c: tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table> {
  %v = "ttnn.reshape"(%c) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}> : (tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  %r = call @fills(%v, %n) : (tensor<1x1x64x64xbf16, #table>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  %m = "ttnn.add"(%r, %n) : (tensor<1x1x64x64xbf16, #table>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  return %m : tensor<1x1x64x64xbf16, #table>
}

// CHECK-LABEL: func.func @looped(
// CHECK-NOT: load_cached
// CHECK: "ttcore.while_loop"(%arg1, %arg0)
// CHECK: "ttnn.embedding"(%arg2, %arg0)
func.func @looped(%c: tensor<1x1x64x64xbf16, #table> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %n: tensor<1x1x64x64xbf16, #table>, %i: tensor<1x32xui32, #index>) -> tensor<1x32x64xbf16, #rows> {
  %r = "ttcore.while_loop"(%n, %c) <{body_program = @step, initial = #ttcore.loop_bound<0>, limit = #ttcore.loop_bound<3>, output_indices = array<i32: 0>, state_count = 1 : i32, step = #ttcore.loop_bound<1>}> : (tensor<1x1x64x64xbf16, #table>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  %0 = "ttnn.embedding"(%i, %c) : (tensor<1x32xui32, #index>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x32x64xbf16, #rows>
  return %0 : tensor<1x32x64xbf16, #rows>
}

func.func private @pads(%n: tensor<1x1x64x64xbf16, #table>, %c: tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table> {
  %v = "ttnn.pad"(%c) <{padding = array<i32: 0, 0, 0, 0, 0, 0, 0, 0>, use_multicore = true, value = 0.000000e+00 : f32}> : (tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  %r = call @fills(%v, %n) : (tensor<1x1x64x64xbf16, #table>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  return %r : tensor<1x1x64x64xbf16, #table>
}

// What pads or slices nothing hands on what it reads.
// CHECK-LABEL: func.func @pad_called(
// CHECK-NOT: load_cached
// CHECK: call @pads(%arg1, %arg0)
// CHECK: "ttnn.embedding"(%arg2, %arg0)
func.func @pad_called(%c: tensor<1x1x64x64xbf16, #table> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %n: tensor<1x1x64x64xbf16, #table>, %i: tensor<1x32xui32, #index>) -> tensor<1x32x64xbf16, #rows> {
  %r = call @pads(%n, %c) : (tensor<1x1x64x64xbf16, #table>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  %0 = "ttnn.embedding"(%i, %c) : (tensor<1x32xui32, #index>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x32x64xbf16, #rows>
  return %0 : tensor<1x32x64xbf16, #rows>
}

func.func private @slices(%n: tensor<1x1x64x64xbf16, #table>, %c: tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table> {
  %v = "ttnn.slice_static"(%c) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 1 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  %r = call @fills(%v, %n) : (tensor<1x1x64x64xbf16, #table>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  return %r : tensor<1x1x64x64xbf16, #table>
}

// The same of a slice.
// CHECK-LABEL: func.func @slice_called(
// CHECK-NOT: load_cached
// CHECK: call @slices(%arg1, %arg0)
// CHECK: "ttnn.embedding"(%arg2, %arg0)
func.func @slice_called(%c: tensor<1x1x64x64xbf16, #table> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %n: tensor<1x1x64x64xbf16, #table>, %i: tensor<1x32xui32, #index>) -> tensor<1x32x64xbf16, #rows> {
  %r = call @slices(%n, %c) : (tensor<1x1x64x64xbf16, #table>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x1x64x64xbf16, #table>
  %0 = "ttnn.embedding"(%i, %c) : (tensor<1x32xui32, #index>, tensor<1x1x64x64xbf16, #table>) -> tensor<1x32x64xbf16, #rows>
  return %0 : tensor<1x32x64xbf16, #rows>
}
