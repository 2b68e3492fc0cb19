// What a compiler makes of a mean over windows whose padding does not count is that mean again.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+counted-pool %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#rows = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 16 + d1 * 16 + d2, d3), <1x1>, memref<16x32xbf16, #dram>, <interleaved>>
#rows_12 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 12 + d1 * 12 + d2, d3), <1x1>, memref<12x32xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#wide = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#counts = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#one = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The sum of each window by what of it lies in the image.
// CHECK-LABEL: func.func @border(
// CHECK: "ttnn.avg_pool2d"({{.*}}count_include_pad = false
// CHECK-NOT: ttnn.{{multiply|divide|typecast}}
// CHECK: return
func.func @border(%x: tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 9.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #one>
  %c = "ttnn.constant"(%d) <{value = dense<[[[[4.0], [6.0], [6.0], [4.0], [6.0], [9.0], [9.0], [6.0], [6.0], [9.0], [9.0], [6.0], [4.0], [6.0], [6.0], [4.0]]]]> : tensor<1x1x16x1xf32>}> : (!ttnn.device) -> tensor<1x1x16x1xf32, #counts>
  %0 = "ttnn.avg_pool2d"(%x) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, count_include_pad = true, dilation = array<i32: 1, 1>, divisor_override = 0 : i32, input_height = 4 : si32, input_width = 4 : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles>
  %1 = "ttnn.multiply"(%0, %n) : (tensor<1x1x16x32xbf16, #tiles>, tensor<1x1x1x1xbf16, #one>) -> tensor<1x1x16x32xbf16, #tiles>
  %2 = "ttnn.typecast"(%1) : (tensor<1x1x16x32xbf16, #tiles>) -> tensor<1x1x16x32xf32, #wide>
  %3 = "ttnn.divide"(%2, %c) : (tensor<1x1x16x32xf32, #wide>, tensor<1x1x16x1xf32, #counts>) -> tensor<1x1x16x32xbf16, #tiles>
  return %3 : tensor<1x1x16x32xbf16, #tiles>
}

// Multiplied by another number than the mean divides by.
// CHECK-LABEL: func.func @other(
// CHECK: count_include_pad = true
// CHECK: ttnn.divide
// CHECK: return
func.func @other(%x: tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 8.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #one>
  %c = "ttnn.constant"(%d) <{value = dense<[[[[4.0], [6.0], [6.0], [4.0], [6.0], [9.0], [9.0], [6.0], [6.0], [9.0], [9.0], [6.0], [4.0], [6.0], [6.0], [4.0]]]]> : tensor<1x1x16x1xf32>}> : (!ttnn.device) -> tensor<1x1x16x1xf32, #counts>
  %0 = "ttnn.avg_pool2d"(%x) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, count_include_pad = true, dilation = array<i32: 1, 1>, divisor_override = 0 : i32, input_height = 4 : si32, input_width = 4 : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles>
  %1 = "ttnn.multiply"(%0, %n) : (tensor<1x1x16x32xbf16, #tiles>, tensor<1x1x1x1xbf16, #one>) -> tensor<1x1x16x32xbf16, #tiles>
  %2 = "ttnn.typecast"(%1) : (tensor<1x1x16x32xbf16, #tiles>) -> tensor<1x1x16x32xf32, #wide>
  %3 = "ttnn.divide"(%2, %c) : (tensor<1x1x16x32xf32, #wide>, tensor<1x1x16x1xf32, #counts>) -> tensor<1x1x16x32xbf16, #tiles>
  return %3 : tensor<1x1x16x32xbf16, #tiles>
}

// Counts of other windows.
// CHECK-LABEL: func.func @counted(
// CHECK: count_include_pad = true
// CHECK: ttnn.divide
// CHECK: return
func.func @counted(%x: tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 9.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #one>
  %c = "ttnn.constant"(%d) <{value = dense<[[[[5.0], [7.0], [7.0], [5.0], [6.0], [9.0], [9.0], [6.0], [6.0], [9.0], [9.0], [6.0], [4.0], [6.0], [6.0], [4.0]]]]> : tensor<1x1x16x1xf32>}> : (!ttnn.device) -> tensor<1x1x16x1xf32, #counts>
  %0 = "ttnn.avg_pool2d"(%x) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, count_include_pad = true, dilation = array<i32: 1, 1>, divisor_override = 0 : i32, input_height = 4 : si32, input_width = 4 : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles>
  %1 = "ttnn.multiply"(%0, %n) : (tensor<1x1x16x32xbf16, #tiles>, tensor<1x1x1x1xbf16, #one>) -> tensor<1x1x16x32xbf16, #tiles>
  %2 = "ttnn.typecast"(%1) : (tensor<1x1x16x32xbf16, #tiles>) -> tensor<1x1x16x32xf32, #wide>
  %3 = "ttnn.divide"(%2, %c) : (tensor<1x1x16x32xf32, #wide>, tensor<1x1x16x1xf32, #counts>) -> tensor<1x1x16x32xbf16, #tiles>
  return %3 : tensor<1x1x16x32xbf16, #tiles>
}

// A mean that does not count the padding already.
// CHECK-LABEL: func.func @uncounted(
// CHECK: count_include_pad = false
// CHECK: ttnn.divide
// CHECK: return
func.func @uncounted(%x: tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 9.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #one>
  %c = "ttnn.constant"(%d) <{value = dense<[[[[4.0], [6.0], [6.0], [4.0], [6.0], [9.0], [9.0], [6.0], [6.0], [9.0], [9.0], [6.0], [4.0], [6.0], [6.0], [4.0]]]]> : tensor<1x1x16x1xf32>}> : (!ttnn.device) -> tensor<1x1x16x1xf32, #counts>
  %0 = "ttnn.avg_pool2d"(%x) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, count_include_pad = false, dilation = array<i32: 1, 1>, divisor_override = 0 : i32, input_height = 4 : si32, input_width = 4 : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles>
  %1 = "ttnn.multiply"(%0, %n) : (tensor<1x1x16x32xbf16, #tiles>, tensor<1x1x1x1xbf16, #one>) -> tensor<1x1x16x32xbf16, #tiles>
  %2 = "ttnn.typecast"(%1) : (tensor<1x1x16x32xbf16, #tiles>) -> tensor<1x1x16x32xf32, #wide>
  %3 = "ttnn.divide"(%2, %c) : (tensor<1x1x16x32xf32, #wide>, tensor<1x1x16x1xf32, #counts>) -> tensor<1x1x16x32xbf16, #tiles>
  return %3 : tensor<1x1x16x32xbf16, #tiles>
}

// Windows of two by two that lie partly below and to the right of the image: a pool's padding is top, left, bottom, right.
// CHECK-LABEL: func.func @below(
// CHECK: "ttnn.avg_pool2d"({{.*}}count_include_pad = false
// CHECK-NOT: ttnn.{{multiply|divide|typecast}}
// CHECK: return
func.func @below(%x: tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 4.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #one>
  %c = "ttnn.constant"(%d) <{value = dense<[[[[4.0], [4.0], [4.0], [2.0], [4.0], [4.0], [4.0], [2.0], [4.0], [4.0], [4.0], [2.0], [2.0], [2.0], [2.0], [1.0]]]]> : tensor<1x1x16x1xf32>}> : (!ttnn.device) -> tensor<1x1x16x1xf32, #counts>
  %0 = "ttnn.avg_pool2d"(%x) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, count_include_pad = true, dilation = array<i32: 1, 1>, divisor_override = 0 : i32, input_height = 4 : si32, input_width = 4 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 0, 0, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x16x32xbf16, #rows>) -> tensor<1x1x16x32xbf16, #tiles>
  %1 = "ttnn.multiply"(%0, %n) : (tensor<1x1x16x32xbf16, #tiles>, tensor<1x1x1x1xbf16, #one>) -> tensor<1x1x16x32xbf16, #tiles>
  %2 = "ttnn.typecast"(%1) : (tensor<1x1x16x32xbf16, #tiles>) -> tensor<1x1x16x32xf32, #wide>
  %3 = "ttnn.divide"(%2, %c) : (tensor<1x1x16x32xf32, #wide>, tensor<1x1x16x1xf32, #counts>) -> tensor<1x1x16x32xbf16, #tiles>
  return %3 : tensor<1x1x16x32xbf16, #tiles>
}

// Counts as if the padding above and to the left were above and below.
// CHECK-LABEL: func.func @above(
// CHECK: count_include_pad = true
// CHECK: ttnn.divide
// CHECK: return
func.func @above(%x: tensor<1x1x12x32xbf16, #rows_12>) -> tensor<1x1x12x32xbf16, #tiles> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 4.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #one>
  %c = "ttnn.constant"(%d) <{value = dense<[[[[2.0], [2.0], [2.0], [4.0], [4.0], [4.0], [4.0], [4.0], [4.0], [2.0], [2.0], [2.0]]]]> : tensor<1x1x12x1xf32>}> : (!ttnn.device) -> tensor<1x1x12x1xf32, #counts>
  %0 = "ttnn.avg_pool2d"(%x) <{batch_size = 1 : si32, ceil_mode = false, channels = 32 : si32, count_include_pad = true, dilation = array<i32: 1, 1>, divisor_override = 0 : i32, input_height = 3 : si32, input_width = 4 : si32, kernel_size = array<i32: 2, 2>, padding = array<i32: 1, 1, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x12x32xbf16, #rows_12>) -> tensor<1x1x12x32xbf16, #tiles>
  %1 = "ttnn.multiply"(%0, %n) : (tensor<1x1x12x32xbf16, #tiles>, tensor<1x1x1x1xbf16, #one>) -> tensor<1x1x12x32xbf16, #tiles>
  %2 = "ttnn.typecast"(%1) : (tensor<1x1x12x32xbf16, #tiles>) -> tensor<1x1x12x32xf32, #wide>
  %3 = "ttnn.divide"(%2, %c) : (tensor<1x1x12x32xf32, #wide>, tensor<1x1x12x1xf32, #counts>) -> tensor<1x1x12x32xbf16, #tiles>
  return %3 : tensor<1x1x12x32xbf16, #tiles>
}
