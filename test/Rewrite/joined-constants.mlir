// Constants that are added or multiplied one after the other become one.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_4x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x2x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 128 + d1 * 64 + d2 * 64 + d3, d4), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x2x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 256 + d1 * 128 + d2 * 64 + d3, d4), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// The mask goes before the reshape, and to the bias.
// CHECK-LABEL: func.func @of_window_attention(
// CHECK: %[[C:.*]] = ttcore.load_cached(@of_window_attention_const_eval, [%arg2, %arg1])
// CHECK-NEXT: %[[Y:.*]] = "ttnn.add"(%arg0, %[[C]])
// CHECK-NEXT: return %[[Y]]
func.func @of_window_attention(%x: tensor<4x2x64x64xbf16, #bf16_4x2x64x64>, %b: tensor<1x2x64x64xbf16, #bf16_1x2x64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %m: tensor<2x2x1x64x64xbf16, #bf16_2x2x1x64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4x2x64x64xbf16, #bf16_4x2x64x64> {
  %s = "ttnn.add"(%x, %b) : (tensor<4x2x64x64xbf16, #bf16_4x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<4x2x64x64xbf16, #bf16_4x2x64x64>
  %r = "ttnn.reshape"(%s) <{shape = [2 : i32, 2 : i32, 2 : i32, 64 : i32, 64 : i32]}> : (tensor<4x2x64x64xbf16, #bf16_4x2x64x64>) -> tensor<2x2x2x64x64xbf16, #bf16_2x2x2x64x64>
  %q = "ttnn.add"(%r, %m) : (tensor<2x2x2x64x64xbf16, #bf16_2x2x2x64x64>, tensor<2x2x1x64x64xbf16, #bf16_2x2x1x64x64>) -> tensor<2x2x2x64x64xbf16, #bf16_2x2x2x64x64>
  %y = "ttnn.reshape"(%q) <{shape = [4 : i32, 2 : i32, 64 : i32, 64 : i32]}> : (tensor<2x2x2x64x64xbf16, #bf16_2x2x2x64x64>) -> tensor<4x2x64x64xbf16, #bf16_4x2x64x64>
  return %y : tensor<4x2x64x64xbf16, #bf16_4x2x64x64>
}

// CHECK-LABEL: func.func @numbers(
// CHECK: %[[C:.*]] = ttcore.load_cached
// CHECK-NEXT: %[[Y:.*]] = "ttnn.multiply"(%arg0, %[[C]])
// CHECK-NEXT: return %[[Y]]
func.func @numbers(%x: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %a = "ttnn.full"(%d) <{fill_value = 8.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %b = "ttnn.full"(%d) <{fill_value = 2.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %p = "ttnn.multiply"(%x, %a) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %y = "ttnn.divide"(%p, %b) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  return %y : tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
}

// What is multiplied and divided by the same number stays as it is; JAX casts it in between.
// CHECK-LABEL: func.func @cancelled(
// CHECK-NOT: "ttnn.multiply"
// CHECK-NOT: "ttnn.divide"
// CHECK: return %arg0
func.func @cancelled(%x: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %a = "ttnn.full"(%d) <{fill_value = 9.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %b = "ttnn.full"(%d) <{fill_value = 9.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %p = "ttnn.multiply"(%x, %a) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %w = "ttnn.typecast"(%p) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64>
  %y = "ttnn.divide"(%w, %b) : (tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  return %y : tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
}

// CHECK-LABEL: func.func @sum_and_product(
// CHECK-NEXT: "ttnn.add"
// CHECK-NEXT: "ttnn.multiply"
func.func @sum_and_product(%x: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %a: tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {
  %s = "ttnn.add"(%x, %a) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %y = "ttnn.multiply"(%s, %b) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  return %y : tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
}

// The second comes with the call.
// CHECK-LABEL: func.func @of_the_call(
// CHECK-NEXT: "ttnn.add"
// CHECK-NEXT: "ttnn.add"
func.func @of_the_call(%x: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %a: tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {
  %s = "ttnn.add"(%x, %a) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %y = "ttnn.add"(%s, %b) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  return %y : tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
}

// What rounds x to whole numbers is no sum with 0.
// CHECK-LABEL: func.func @rounded(
// CHECK: "ttnn.add"
// CHECK: "ttnn.add"
// CHECK: return
func.func @rounded(%x: tensor<1x1x64x64xf32, #f32_1x1x64x64>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %a = "ttnn.full"(%d) <{fill_value = 0x4B400000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %b = "ttnn.full"(%d) <{fill_value = 0xCB400000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %p = "ttnn.add"(%x, %a) : (tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64>
  %y = "ttnn.add"(%p, %b) : (tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64>
  return %y : tensor<1x1x64x64xf32, #f32_1x1x64x64>
}

// Both numbers have a place in fp32, their product has none.
// CHECK-LABEL: func.func @smaller_than_fp32(
// CHECK: "ttnn.multiply"
// CHECK: "ttnn.multiply"
// CHECK: return
func.func @smaller_than_fp32(%x: tensor<1x1x64x64xf32, #f32_1x1x64x64>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %a = "ttnn.full"(%d) <{fill_value = 1.0e-30 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %b = "ttnn.full"(%d) <{fill_value = 1.0e-30 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %p = "ttnn.multiply"(%x, %a) : (tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64>
  %y = "ttnn.multiply"(%p, %b) : (tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64>
  return %y : tensor<1x1x64x64xf32, #f32_1x1x64x64>
}

// CHECK-LABEL: func.func @larger_than_fp32(
// CHECK: "ttnn.divide"
// CHECK: "ttnn.divide"
// CHECK: return
func.func @larger_than_fp32(%x: tensor<1x1x64x64xf32, #f32_1x1x64x64>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %a = "ttnn.full"(%d) <{fill_value = 1.0e-30 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %b = "ttnn.full"(%d) <{fill_value = 1.0e-30 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %p = "ttnn.divide"(%x, %a) : (tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64>
  %y = "ttnn.divide"(%p, %b) : (tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64>
  return %y : tensor<1x1x64x64xf32, #f32_1x1x64x64>
}

// CHECK-LABEL: func.func @far_from_one(
// CHECK: "ttnn.multiply"(%arg0
// CHECK-NEXT: return
func.func @far_from_one(%x: tensor<1x1x64x64xf32, #f32_1x1x64x64>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %a = "ttnn.full"(%d) <{fill_value = 1.0e+30 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %b = "ttnn.full"(%d) <{fill_value = 1.0e-25 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %p = "ttnn.multiply"(%x, %a) : (tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64>
  %y = "ttnn.multiply"(%p, %b) : (tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<1x1x64x64xf32, #f32_1x1x64x64>
  return %y : tensor<1x1x64x64xf32, #f32_1x1x64x64>
}

// bf16 has no 1/36, but 36.
// CHECK-LABEL: func.func @a_thirty_sixth(
// CHECK: "ttnn.divide"(%arg0
// CHECK-NEXT: return
func.func @a_thirty_sixth(%x: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %n0 = "ttnn.full"(%d) <{fill_value = 4.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %n1 = "ttnn.full"(%d) <{fill_value = -1.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %n2 = "ttnn.full"(%d) <{fill_value = 9.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %y0 = "ttnn.divide"(%x, %n0) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %y1 = "ttnn.multiply"(%y0, %n1) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %y2 = "ttnn.divide"(%y1, %n2) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  return %y2 : tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
}

// Nor 9/49, by which all elements would be off as much as it is rounded.
// CHECK-LABEL: func.func @nine_forty_ninths(
// CHECK: "ttnn.multiply"(%arg0
// CHECK: "ttnn.divide"
// CHECK: return
func.func @nine_forty_ninths(%x: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %n0 = "ttnn.full"(%d) <{fill_value = 9.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %n1 = "ttnn.full"(%d) <{fill_value = 49.0 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %y0 = "ttnn.multiply"(%x, %n0) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %y1 = "ttnn.divide"(%y0, %n1) : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  return %y1 : tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
}
