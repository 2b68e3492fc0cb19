// A mask that is computed of positions alone, and leaves each of them a window, is one that the kernel makes itself.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+sliding-window %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_1x2x96x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 96 + d2, d3), <1x1>, memref<6x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#si32_96 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x3x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#si32_96x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#si32_1x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x3x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#si32_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#bf16_96x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x96x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 96 + d1 * 96 + d2, d3), <1x1>, memref<3x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#si32_1x97 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x4x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#bf16_1x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x96 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x3x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#si32_1x1x96 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x3x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#si32_1x1x96_rows = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 1 + d1, d2), <1x1>, memref<1x96xsi32, #dram>, <interleaved>>
#si32_1x96_rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x96xsi32, #dram>, <interleaved>>

// A window ends with its position, which counts.
// CHECK-LABEL: func.func @past(
// CHECK: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.250000e-01 : f32, sliding_window_size = 32 : ui32}>
// CHECK-NEXT: return
func.func @past(%q: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %k: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %v: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 96 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<96xsi32, #si32_96>
  %1 = "ttnn.reshape"(%0) <{shape = [96 : i32, 1 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<96x1xsi32, #si32_96x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 96 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<1x96xsi32, #si32_1x96>
  %3 = "ttnn.full"(%d) <{fill_value = 31 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %4 = "ttnn.subtract"(%1, %3) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %5 = "ttnn.full"(%d) <{fill_value = 0 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %6 = "ttnn.add"(%1, %5) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %7 = "ttnn.ge"(%2, %4) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %8 = "ttnn.le"(%2, %6) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %9 = "ttnn.logical_and"(%7, %8) : (tensor<96x96xbf16, #bf16_96x96>, tensor<96x96xbf16, #bf16_96x96>) -> tensor<96x96xbf16, #bf16_96x96>
  %10 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %11 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %12 = "ttnn.where"(%9, %10, %11) : (tensor<96x96xbf16, #bf16_96x96>, tensor<1x1xbf16, #bf16_1x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %13 = "ttnn.reshape"(%12) <{shape = [1 : i32, 1 : i32, 96 : i32, 96 : i32]}> : (tensor<96x96xbf16, #bf16_96x96>) -> tensor<1x1x96x96xbf16, #bf16_1x1x96x96>
  %14 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %13) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x1x96x96xbf16, #bf16_1x1x96x96>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
  return %14 : tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
}

// Or has it in the middle, which does not count.
// CHECK-LABEL: func.func @around(
// CHECK: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.250000e-01 : f32, sliding_window_size = 32 : ui32}>
// CHECK-NEXT: return
func.func @around(%q: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %k: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %v: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 96 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<96xsi32, #si32_96>
  %1 = "ttnn.reshape"(%0) <{shape = [96 : i32, 1 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<96x1xsi32, #si32_96x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 96 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<1x96xsi32, #si32_1x96>
  %3 = "ttnn.full"(%d) <{fill_value = 16 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %4 = "ttnn.subtract"(%1, %3) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %5 = "ttnn.full"(%d) <{fill_value = 16 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %6 = "ttnn.add"(%1, %5) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %7 = "ttnn.ge"(%2, %4) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %8 = "ttnn.le"(%2, %6) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %9 = "ttnn.logical_and"(%7, %8) : (tensor<96x96xbf16, #bf16_96x96>, tensor<96x96xbf16, #bf16_96x96>) -> tensor<96x96xbf16, #bf16_96x96>
  %10 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %11 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %12 = "ttnn.where"(%9, %10, %11) : (tensor<96x96xbf16, #bf16_96x96>, tensor<1x1xbf16, #bf16_1x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %13 = "ttnn.reshape"(%12) <{shape = [1 : i32, 1 : i32, 96 : i32, 96 : i32]}> : (tensor<96x96xbf16, #bf16_96x96>) -> tensor<1x1x96x96xbf16, #bf16_1x1x96x96>
  %14 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %13) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x1x96x96xbf16, #bf16_1x1x96x96>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
  return %14 : tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
}

// As transformers write it: sentences that share a row are numbered by where positions begin anew, which they do nowhere here; the numbers are
// looked up for each pair of positions.
// CHECK-LABEL: func.func @sentences(
// CHECK: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2) <{is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.250000e-01 : f32, sliding_window_size = 32 : ui32}>
// CHECK-NEXT: return
func.func @sentences(%q: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %k: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %v: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 96 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<96xsi32, #si32_96>
  %1 = "ttnn.reshape"(%0) <{shape = [96 : i32, 1 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<96x1xsi32, #si32_96x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 96 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<1x96xsi32, #si32_1x96>
  %3 = "ttnn.slice_static"(%2) <{begins = [0 : i32, 0 : i32], ends = [1 : i32, 1 : i32], step = [1 : i32, 1 : i32]}> : (tensor<1x96xsi32, #si32_1x96>) -> tensor<1x1xsi32, #si32_1x1>
  %4 = "ttnn.full"(%d) <{fill_value = 1 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %5 = "ttnn.full"(%d) <{fill_value = 0 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %6 = "ttnn.subtract"(%3, %4) : (tensor<1x1xsi32, #si32_1x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<1x1xsi32, #si32_1x1>
  %7 = "ttnn.concat"(%6, %2) <{dim = 1 : si32}> : (tensor<1x1xsi32, #si32_1x1>, tensor<1x96xsi32, #si32_1x96>) -> tensor<1x97xsi32, #si32_1x97>
  %8 = "ttnn.slice_static"(%7) <{begins = [0 : i32, 0 : i32], ends = [1 : i32, 96 : i32], step = [1 : i32, 1 : i32]}> : (tensor<1x97xsi32, #si32_1x97>) -> tensor<1x96xsi32, #si32_1x96>
  %9 = "ttnn.subtract"(%2, %8) : (tensor<1x96xsi32, #si32_1x96>, tensor<1x96xsi32, #si32_1x96>) -> tensor<1x96xsi32, #si32_1x96>
  %10 = "ttnn.ne"(%9, %4) : (tensor<1x96xsi32, #si32_1x96>, tensor<1x1xsi32, #si32_1x1>) -> tensor<1x96xbf16, #bf16_1x96>
  %11 = "ttnn.where"(%10, %4, %5) : (tensor<1x96xbf16, #bf16_1x96>, tensor<1x1xsi32, #si32_1x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<1x96xsi32, #si32_1x96>
  %12 = "ttnn.typecast"(%11) : (tensor<1x96xsi32, #si32_1x96>) -> tensor<1x96xf32, #f32_1x96>
  %13 = "ttnn.cumsum"(%12) <{dim = 1 : si32}> : (tensor<1x96xf32, #f32_1x96>) -> tensor<1x96xf32, #f32_1x96>
  %14 = "ttnn.typecast"(%13) : (tensor<1x96xf32, #f32_1x96>) -> tensor<1x96xsi32, #si32_1x96>
  %15 = "ttnn.reshape"(%14) <{shape = [1 : i32, 1 : i32, 96 : i32]}> : (tensor<1x96xsi32, #si32_1x96>) -> tensor<1x1x96xsi32, #si32_1x1x96>
  %16 = "ttnn.to_layout"(%15) : (tensor<1x1x96xsi32, #si32_1x1x96>) -> tensor<1x1x96xsi32, #si32_1x1x96_rows>
  %17 = "ttnn.reshape"(%0) <{shape = [1 : i32, 1 : i32, 96 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<1x1x96xsi32, #si32_1x1x96>
  %18 = "ttnn.to_layout"(%17) : (tensor<1x1x96xsi32, #si32_1x1x96>) -> tensor<1x1x96xsi32, #si32_1x1x96_rows>
  %19 = "ttnn.rows_gather"(%16, %18) <{column = true, fill_out_of_bounds = false, sizes = array<i64: 96>, windows = array<i64: 1>}> : (tensor<1x1x96xsi32, #si32_1x1x96_rows>, tensor<1x1x96xsi32, #si32_1x1x96_rows>) -> tensor<1x96xsi32, #si32_1x96_rows>
  %20 = "ttnn.to_layout"(%19) : (tensor<1x96xsi32, #si32_1x96_rows>) -> tensor<1x96xsi32, #si32_1x96>
  %21 = "ttnn.reshape"(%20) <{shape = [96 : i32, 1 : i32]}> : (tensor<1x96xsi32, #si32_1x96>) -> tensor<96x1xsi32, #si32_96x1>
  %22 = "ttnn.eq"(%21, %20) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x96xsi32, #si32_1x96>) -> tensor<96x96xbf16, #bf16_96x96>
  %23 = "ttnn.arange"(%d) <{end = 96 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<96xsi32, #si32_96>
  %24 = "ttnn.reshape"(%23) <{shape = [96 : i32, 1 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<96x1xsi32, #si32_96x1>
  %25 = "ttnn.reshape"(%23) <{shape = [1 : i32, 96 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<1x96xsi32, #si32_1x96>
  %26 = "ttnn.full"(%d) <{fill_value = 31 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %27 = "ttnn.subtract"(%24, %26) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %28 = "ttnn.full"(%d) <{fill_value = 0 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %29 = "ttnn.add"(%24, %28) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %30 = "ttnn.ge"(%25, %27) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %31 = "ttnn.le"(%25, %29) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %32 = "ttnn.logical_and"(%30, %31) : (tensor<96x96xbf16, #bf16_96x96>, tensor<96x96xbf16, #bf16_96x96>) -> tensor<96x96xbf16, #bf16_96x96>
  %33 = "ttnn.logical_and"(%22, %32) : (tensor<96x96xbf16, #bf16_96x96>, tensor<96x96xbf16, #bf16_96x96>) -> tensor<96x96xbf16, #bf16_96x96>
  %34 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %35 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %36 = "ttnn.where"(%33, %34, %35) : (tensor<96x96xbf16, #bf16_96x96>, tensor<1x1xbf16, #bf16_1x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %37 = "ttnn.reshape"(%36) <{shape = [1 : i32, 1 : i32, 96 : i32, 96 : i32]}> : (tensor<96x96xbf16, #bf16_96x96>) -> tensor<1x1x96x96xbf16, #bf16_1x1x96x96>
  %38 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %37) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x1x96x96xbf16, #bf16_1x1x96x96>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
  return %38 : tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
}

// More before a position than behind it.
// CHECK-LABEL: func.func @uneven(
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}array<i32: 1, 1, 1, 1, 0>
// CHECK: return
func.func @uneven(%q: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %k: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %v: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 96 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<96xsi32, #si32_96>
  %1 = "ttnn.reshape"(%0) <{shape = [96 : i32, 1 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<96x1xsi32, #si32_96x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 96 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<1x96xsi32, #si32_1x96>
  %3 = "ttnn.full"(%d) <{fill_value = 16 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %4 = "ttnn.subtract"(%1, %3) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %5 = "ttnn.full"(%d) <{fill_value = 8 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %6 = "ttnn.add"(%1, %5) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %7 = "ttnn.ge"(%2, %4) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %8 = "ttnn.le"(%2, %6) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %9 = "ttnn.logical_and"(%7, %8) : (tensor<96x96xbf16, #bf16_96x96>, tensor<96x96xbf16, #bf16_96x96>) -> tensor<96x96xbf16, #bf16_96x96>
  %10 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %11 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %12 = "ttnn.where"(%9, %10, %11) : (tensor<96x96xbf16, #bf16_96x96>, tensor<1x1xbf16, #bf16_1x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %13 = "ttnn.reshape"(%12) <{shape = [1 : i32, 1 : i32, 96 : i32, 96 : i32]}> : (tensor<96x96xbf16, #bf16_96x96>) -> tensor<1x1x96x96xbf16, #bf16_1x1x96x96>
  %14 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %13) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x1x96x96xbf16, #bf16_1x1x96x96>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
  return %14 : tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
}

// All that was: `causal` takes that.
// CHECK-LABEL: func.func @past_all(
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}array<i32: 1, 1, 1, 1, 0>
// CHECK: return
func.func @past_all(%q: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %k: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %v: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 96 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<96xsi32, #si32_96>
  %1 = "ttnn.reshape"(%0) <{shape = [96 : i32, 1 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<96x1xsi32, #si32_96x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 96 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<1x96xsi32, #si32_1x96>
  %3 = "ttnn.full"(%d) <{fill_value = 95 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %4 = "ttnn.subtract"(%1, %3) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %5 = "ttnn.full"(%d) <{fill_value = 0 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %6 = "ttnn.add"(%1, %5) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %7 = "ttnn.ge"(%2, %4) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %8 = "ttnn.le"(%2, %6) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %9 = "ttnn.logical_and"(%7, %8) : (tensor<96x96xbf16, #bf16_96x96>, tensor<96x96xbf16, #bf16_96x96>) -> tensor<96x96xbf16, #bf16_96x96>
  %10 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %11 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %12 = "ttnn.where"(%9, %10, %11) : (tensor<96x96xbf16, #bf16_96x96>, tensor<1x1xbf16, #bf16_1x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %13 = "ttnn.reshape"(%12) <{shape = [1 : i32, 1 : i32, 96 : i32, 96 : i32]}> : (tensor<96x96xbf16, #bf16_96x96>) -> tensor<1x1x96x96xbf16, #bf16_1x1x96x96>
  %14 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %13) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x1x96x96xbf16, #bf16_1x1x96x96>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
  return %14 : tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
}

// Nothing is forbidden.
// CHECK-LABEL: func.func @all(
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}array<i32: 1, 1, 1, 1, 0>
// CHECK: return
func.func @all(%q: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %k: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, %v: tensor<1x2x96x64xbf16, #bf16_1x2x96x64>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64> {
  %d = "ttnn.get_device"() : () -> !ttnn.device
  %0 = "ttnn.arange"(%d) <{end = 96 : si64, start = 0 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<96xsi32, #si32_96>
  %1 = "ttnn.reshape"(%0) <{shape = [96 : i32, 1 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<96x1xsi32, #si32_96x1>
  %2 = "ttnn.reshape"(%0) <{shape = [1 : i32, 96 : i32]}> : (tensor<96xsi32, #si32_96>) -> tensor<1x96xsi32, #si32_1x96>
  %3 = "ttnn.full"(%d) <{fill_value = 96 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %4 = "ttnn.subtract"(%1, %3) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %5 = "ttnn.full"(%d) <{fill_value = 96 : i32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xsi32, #si32_1x1>
  %6 = "ttnn.add"(%1, %5) : (tensor<96x1xsi32, #si32_96x1>, tensor<1x1xsi32, #si32_1x1>) -> tensor<96x1xsi32, #si32_96x1>
  %7 = "ttnn.ge"(%2, %4) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %8 = "ttnn.le"(%2, %6) : (tensor<1x96xsi32, #si32_1x96>, tensor<96x1xsi32, #si32_96x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %9 = "ttnn.logical_and"(%7, %8) : (tensor<96x96xbf16, #bf16_96x96>, tensor<96x96xbf16, #bf16_96x96>) -> tensor<96x96xbf16, #bf16_96x96>
  %10 = "ttnn.full"(%d) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %11 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %12 = "ttnn.where"(%9, %10, %11) : (tensor<96x96xbf16, #bf16_96x96>, tensor<1x1xbf16, #bf16_1x1>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<96x96xbf16, #bf16_96x96>
  %13 = "ttnn.reshape"(%12) <{shape = [1 : i32, 1 : i32, 96 : i32, 96 : i32]}> : (tensor<96x96xbf16, #bf16_96x96>) -> tensor<1x1x96x96xbf16, #bf16_1x1x96x96>
  %14 = "ttnn.scaled_dot_product_attention"(%q, %k, %v, %13) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x2x96x64xbf16, #bf16_1x2x96x64>, tensor<1x1x96x96xbf16, #bf16_1x1x96x96>) -> tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
  return %14 : tensor<1x2x96x64xbf16, #bf16_1x2x96x64>
}
