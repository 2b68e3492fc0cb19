// A mask that is computed of positions alone, and leaves each of them its past, is the one that the kernel makes itself.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+causal %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#si32_64x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#si32_1x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#si32_64 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#f32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x2x40x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x40x40 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_40x40 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_40x40 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#si32_40x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#si32_1x40 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#si32_40 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#u32_64x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#u32_1x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#u32_64 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#u32_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#u32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>

// Each position sees itself and what was before.
// CHECK-LABEL: func.func @past(
// CHECK-NEXT: %[[A:.*]] = "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.250000e-01 : f32}>
// CHECK-NEXT: return %[[A]]
func.func @past(%q: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %k: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %v: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 64 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<64xsi32, #si32_64>
  %1 = "ttnn.reshape"(%0) <{shape = [64 : i32, 1 : i32]}> : (tensor<64xsi32, #si32_64>) -> tensor<64x1xsi32, #si32_64x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32]}> : (tensor<64xsi32, #si32_64>) -> tensor<1x64xsi32, #si32_1x64>
  %3 = "ttnn.ge"(%1, %2) : (tensor<64x1xsi32, #si32_64x1>, tensor<1x64xsi32, #si32_1x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %4 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %5 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %6 = "ttnn.where"(%3, %4, %5) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xf32, #f32_1x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<64x64xf32, #f32_64x64>
  %7 = "ttnn.typecast"(%6) : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %8 = "ttnn.reshape"(%7) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %9 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %8) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  return %9 : tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
}

// The first one would see nothing.
// CHECK-LABEL: func.func @not_itself(
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}is_causal = false
// CHECK: return
func.func @not_itself(%q: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %k: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %v: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 64 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<64xsi32, #si32_64>
  %1 = "ttnn.reshape"(%0) <{shape = [64 : i32, 1 : i32]}> : (tensor<64xsi32, #si32_64>) -> tensor<64x1xsi32, #si32_64x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32]}> : (tensor<64xsi32, #si32_64>) -> tensor<1x64xsi32, #si32_1x64>
  %3 = "ttnn.gt"(%1, %2) : (tensor<64x1xsi32, #si32_64x1>, tensor<1x64xsi32, #si32_1x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %4 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %5 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %6 = "ttnn.where"(%3, %4, %5) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xf32, #f32_1x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<64x64xf32, #f32_64x64>
  %7 = "ttnn.typecast"(%6) : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %8 = "ttnn.reshape"(%7) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %9 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %8) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  return %9 : tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
}

// What comes, and not what was.
// CHECK-LABEL: func.func @future(
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}is_causal = false
// CHECK: return
func.func @future(%q: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %k: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %v: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 64 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<64xsi32, #si32_64>
  %1 = "ttnn.reshape"(%0) <{shape = [64 : i32, 1 : i32]}> : (tensor<64xsi32, #si32_64>) -> tensor<64x1xsi32, #si32_64x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32]}> : (tensor<64xsi32, #si32_64>) -> tensor<1x64xsi32, #si32_1x64>
  %3 = "ttnn.le"(%1, %2) : (tensor<64x1xsi32, #si32_64x1>, tensor<1x64xsi32, #si32_1x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %4 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %5 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %6 = "ttnn.where"(%3, %4, %5) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xf32, #f32_1x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<64x64xf32, #f32_64x64>
  %7 = "ttnn.typecast"(%6) : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %8 = "ttnn.reshape"(%7) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %9 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %8) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  return %9 : tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
}

// The last tile of positions is not full.
// CHECK-LABEL: func.func @rows_in_part_of_a_tile(
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}is_causal = false
// CHECK: return
func.func @rows_in_part_of_a_tile(%q: tensor<1x2x40x64xbf16, #bf16_1x2x40x64>, %k: tensor<1x2x40x64xbf16, #bf16_1x2x40x64>, %v: tensor<1x2x40x64xbf16, #bf16_1x2x40x64>) -> tensor<1x2x40x64xbf16, #bf16_1x2x40x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 40 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<40xsi32, #si32_40>
  %1 = "ttnn.reshape"(%0) <{shape = [40 : i32, 1 : i32]}> : (tensor<40xsi32, #si32_40>) -> tensor<40x1xsi32, #si32_40x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 40 : i32]}> : (tensor<40xsi32, #si32_40>) -> tensor<1x40xsi32, #si32_1x40>
  %3 = "ttnn.ge"(%1, %2) : (tensor<40x1xsi32, #si32_40x1>, tensor<1x40xsi32, #si32_1x40>) -> tensor<40x40xbf16, #bf16_40x40>
  %4 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %5 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %6 = "ttnn.where"(%3, %4, %5) : (tensor<40x40xbf16, #bf16_40x40>, tensor<1x1xf32, #f32_1x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<40x40xf32, #f32_40x40>
  %7 = "ttnn.typecast"(%6) : (tensor<40x40xf32, #f32_40x40>) -> tensor<40x40xbf16, #bf16_40x40>
  %8 = "ttnn.reshape"(%7) <{shape = [1 : i32, 1 : i32, 40 : i32, 40 : i32]}> : (tensor<40x40xbf16, #bf16_40x40>) -> tensor<1x1x40x40xbf16, #bf16_1x1x40x40>
  %9 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %8) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x40x64xbf16, #bf16_1x2x40x64>, tensor<1x2x40x64xbf16, #bf16_1x2x40x64>, tensor<1x2x40x64xbf16, #bf16_1x2x40x64>, tensor<1x1x40x40xbf16, #bf16_1x1x40x40>) -> tensor<1x2x40x64xbf16, #bf16_1x2x40x64>
  return %9 : tensor<1x2x40x64xbf16, #bf16_1x2x40x64>
}

// The same elements by 262,144 ways: nobody follows them all.
// CHECK-LABEL: func.func @doubled(
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}is_causal = false
// CHECK: return
func.func @doubled(%q: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %k: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %v: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 64 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<64xsi32, #si32_64>
  %1 = "ttnn.reshape"(%0) <{shape = [64 : i32, 1 : i32]}> : (tensor<64xsi32, #si32_64>) -> tensor<64x1xsi32, #si32_64x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32]}> : (tensor<64xsi32, #si32_64>) -> tensor<1x64xsi32, #si32_1x64>
  %3 = "ttnn.ge"(%1, %2) : (tensor<64x1xsi32, #si32_64x1>, tensor<1x64xsi32, #si32_1x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %4 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %5 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %6 = "ttnn.where"(%3, %4, %5) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xf32, #f32_1x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<64x64xf32, #f32_64x64>
  %m0 = "ttnn.add"(%6, %6) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m1 = "ttnn.add"(%m0, %m0) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m2 = "ttnn.add"(%m1, %m1) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m3 = "ttnn.add"(%m2, %m2) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m4 = "ttnn.add"(%m3, %m3) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m5 = "ttnn.add"(%m4, %m4) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m6 = "ttnn.add"(%m5, %m5) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m7 = "ttnn.add"(%m6, %m6) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m8 = "ttnn.add"(%m7, %m7) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m9 = "ttnn.add"(%m8, %m8) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m10 = "ttnn.add"(%m9, %m9) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m11 = "ttnn.add"(%m10, %m10) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m12 = "ttnn.add"(%m11, %m11) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m13 = "ttnn.add"(%m12, %m12) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m14 = "ttnn.add"(%m13, %m13) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m15 = "ttnn.add"(%m14, %m14) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m16 = "ttnn.add"(%m15, %m15) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %m17 = "ttnn.add"(%m16, %m16) : (tensor<64x64xf32, #f32_64x64>, tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xf32, #f32_64x64>
  %7 = "ttnn.typecast"(%m17) : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %8 = "ttnn.reshape"(%7) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %9 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %8) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  return %9 : tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
}

// Without a sign no difference is below zero, so that no key is forbidden.
// CHECK-LABEL: func.func @no_sign(
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}is_causal = false
func.func @no_sign(%q: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %k: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, %v: tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 64 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<64xui32, #u32_64>
  %1 = "ttnn.reshape"(%0) <{shape = [64 : i32, 1 : i32]}> : (tensor<64xui32, #u32_64>) -> tensor<64x1xui32, #u32_64x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32]}> : (tensor<64xui32, #u32_64>) -> tensor<1x64xui32, #u32_1x64>
  %less = "ttnn.subtract"(%1, %2) : (tensor<64x1xui32, #u32_64x1>, tensor<1x64xui32, #u32_1x64>) -> tensor<64x64xui32, #u32_64x64>
  %zero = "ttnn.full"(%d) <{fill_value = 0 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xui32, #u32_1x1>
  %3 = "ttnn.ge"(%less, %zero) : (tensor<64x64xui32, #u32_64x64>, tensor<1x1xui32, #u32_1x1>) -> tensor<64x64xbf16, #bf16_64x64>
  %4 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %5 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xf32, #f32_1x1>
  %6 = "ttnn.where"(%3, %4, %5) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xf32, #f32_1x1>, tensor<1x1xf32, #f32_1x1>) -> tensor<64x64xf32, #f32_64x64>
  %7 = "ttnn.typecast"(%6) : (tensor<64x64xf32, #f32_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %8 = "ttnn.reshape"(%7) <{shape = [1 : i32, 1 : i32, 64 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %9 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %8) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  return %9 : tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
}
