// What is computed of numbers and positions alone may be a number: such is the mask that forbids nothing.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_32x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#si32_32x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#u32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#f32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_64 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x64x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// All positions are 0 or more, so nothing is added.
// CHECK-LABEL: func.func @all_allowed(
// CHECK-NEXT: return %arg0
func.func @all_allowed(%x: tensor<4x64x64xbf16, #bf16_4x64x64>) -> tensor<4x64x64xbf16, #bf16_4x64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %p = "ttnn.arange"(%d) <{end = 64 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<64xf32, #f32_64>
  %first = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xf32, #f32_1x1x1>
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xf32, #f32_1x1x1>
  %low = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xf32, #f32_1x1x1>
  %0 = "ttnn.reshape"(%p) <{shape = [1 : i32, 1 : i32, 64 : i32]}> : (tensor<64xf32, #f32_64>) -> tensor<1x1x64xf32, #f32_1x1x64>
  %1 = "ttnn.ge"(%0, %first) : (tensor<1x1x64xf32, #f32_1x1x64>, tensor<1x1x1xf32, #f32_1x1x1>) -> tensor<1x1x64xf32, #f32_1x1x64>
  %2 = "ttnn.where"(%1, %zero, %low) : (tensor<1x1x64xf32, #f32_1x1x64>, tensor<1x1x1xf32, #f32_1x1x1>, tensor<1x1x1xf32, #f32_1x1x1>) -> tensor<1x1x64xf32, #f32_1x1x64>
  %3 = "ttnn.typecast"(%2) : (tensor<1x1x64xf32, #f32_1x1x64>) -> tensor<1x1x64xbf16, #bf16_1x1x64>
  %4 = "ttnn.add"(%x, %3) : (tensor<4x64x64xbf16, #bf16_4x64x64>, tensor<1x1x64xbf16, #bf16_1x1x64>) -> tensor<4x64x64xbf16, #bf16_4x64x64>
  return %4 : tensor<4x64x64xbf16, #bf16_4x64x64>
}

// But not all are 1 or more.
// CHECK-LABEL: func.func @first_is_forbidden(
// CHECK: "ttnn.add"
// CHECK-NEXT: return
func.func @first_is_forbidden(%x: tensor<4x64x64xbf16, #bf16_4x64x64>) -> tensor<4x64x64xbf16, #bf16_4x64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %p = "ttnn.arange"(%d) <{end = 64 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<64xf32, #f32_64>
  %first = "ttnn.full"(%d) <{fill_value = 1.000000e+00 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xf32, #f32_1x1x1>
  %zero = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xf32, #f32_1x1x1>
  %low = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xf32, #f32_1x1x1>
  %0 = "ttnn.reshape"(%p) <{shape = [1 : i32, 1 : i32, 64 : i32]}> : (tensor<64xf32, #f32_64>) -> tensor<1x1x64xf32, #f32_1x1x64>
  %1 = "ttnn.ge"(%0, %first) : (tensor<1x1x64xf32, #f32_1x1x64>, tensor<1x1x1xf32, #f32_1x1x1>) -> tensor<1x1x64xf32, #f32_1x1x64>
  %2 = "ttnn.where"(%1, %zero, %low) : (tensor<1x1x64xf32, #f32_1x1x64>, tensor<1x1x1xf32, #f32_1x1x1>, tensor<1x1x1xf32, #f32_1x1x1>) -> tensor<1x1x64xf32, #f32_1x1x64>
  %3 = "ttnn.typecast"(%2) : (tensor<1x1x64xf32, #f32_1x1x64>) -> tensor<1x1x64xbf16, #bf16_1x1x64>
  %4 = "ttnn.add"(%x, %3) : (tensor<4x64x64xbf16, #bf16_4x64x64>, tensor<1x1x64xbf16, #bf16_1x1x64>) -> tensor<4x64x64xbf16, #bf16_4x64x64>
  return %4 : tensor<4x64x64xbf16, #bf16_4x64x64>
}

// A cast to whole numbers makes another number of a half, which is not taken off again.
// CHECK-LABEL: func.func @half(
// CHECK: "ttnn.add"(%arg0,
// CHECK: return
func.func @half(%x: tensor<32x32xf32, #f32_32x32>) -> tensor<32x32xf32, #f32_32x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %half = "ttnn.full"(%d) <{fill_value = 5.000000e-01 : f32, shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> tensor<32x32xf32, #f32_32x32>
  %whole = "ttnn.typecast"(%half) : (tensor<32x32xf32, #f32_32x32>) -> tensor<32x32xsi32, #si32_32x32>
  %none = "ttnn.typecast"(%whole) : (tensor<32x32xsi32, #si32_32x32>) -> tensor<32x32xf32, #f32_32x32>
  %0 = "ttnn.add"(%x, %none) : (tensor<32x32xf32, #f32_32x32>, tensor<32x32xf32, #f32_32x32>) -> tensor<32x32xf32, #f32_32x32>
  %1 = "ttnn.subtract"(%0, %half) : (tensor<32x32xf32, #f32_32x32>, tensor<32x32xf32, #f32_32x32>) -> tensor<32x32xf32, #f32_32x32>
  return %1 : tensor<32x32xf32, #f32_32x32>
}

// The largest number without a sign is not -1, to which 1 is added.
// CHECK-LABEL: func.func @without_sign(
// CHECK: "ttnn.add"(%arg0,
// CHECK: return
func.func @without_sign(%x: tensor<32x32xf32, #f32_32x32>) -> tensor<32x32xf32, #f32_32x32> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %largest = "ttnn.constant"(%d) <{value = dense<4294967295> : tensor<1x1xui32>}> : (!ttnn.device) -> tensor<1x1xui32, #u32_1x1>
  %as_float = "ttnn.typecast"(%largest) : (tensor<1x1xui32, #u32_1x1>) -> tensor<1x1xf32, #f32_1x1>
  %one = "ttnn.full"(%d) <{fill_value = 1.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %0 = "ttnn.add"(%x, %as_float) : (tensor<32x32xf32, #f32_32x32>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x32xf32, #f32_32x32>
  %1 = "ttnn.add"(%0, %one) : (tensor<32x32xf32, #f32_32x32>, tensor<1x1xf32, #f32_1x1>) -> tensor<32x32xf32, #f32_32x32>
  return %1 : tensor<32x32xf32, #f32_32x32>
}

// What bf16 has no room for is infinite, whatever the attribute says.
// CHECK-LABEL: func.func private @infinite_const_eval(
// CHECK: fill_value = 3.400000e+38
// CHECK-LABEL: func.func @infinite(
// CHECK: %[[P:.*]] = "ttnn.multiply"(%arg0,
// CHECK-NEXT: return %[[P]]
func.func @infinite(%x: tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %a = "ttnn.full"(%d) <{fill_value = 3.4e+38 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %b = "ttnn.full"(%d) <{fill_value = 1.0e-30 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %p = "ttnn.multiply"(%x, %a) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<64x64xbf16, #bf16_64x64>
  %y = "ttnn.multiply"(%p, %b) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<64x64xbf16, #bf16_64x64>
  return %y : tensor<64x64xbf16, #bf16_64x64>
}
