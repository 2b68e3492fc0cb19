// Less movement for the same bits.
// RUN: tessera-opt --ttnn-rewrite=rewrites=exact %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#ls_whole = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ls_heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ls_turned = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ls_key = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ls_scores = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ls_number = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#um_f = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#um_g = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#um_a = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#um_b = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#um_c = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#um_d = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#um_e = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 4096 + d1 * 64 + d2 * 32 + d3, d4), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#um_slw = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#um_sl = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#um_aw = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#um_dw = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_4x32x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_128x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x64x4 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_4x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_4x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_4x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x4x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_4x1x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_4x1x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x8x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x8x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_4x8x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ls_all = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ls_all_turned = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ls_all_scores = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @two_reshapes
// CHECK-NEXT: "ttnn.reshape"(%arg0) <{shape = [64 : i32, 128 : i32]}>
// CHECK-NEXT: return
func.func @two_reshapes(%a0: tensor<4x32x64xbf16, #bf16_4x32x64>) -> tensor<64x128xbf16, #bf16_64x128> {
  %0 = "ttnn.reshape"(%a0) <{shape = [128 : i32, 64 : i32]}> : (tensor<4x32x64xbf16, #bf16_4x32x64>) -> tensor<128x64xbf16, #bf16_128x64>
  %1 = "ttnn.reshape"(%0) <{shape = [64 : i32, 128 : i32]}> : (tensor<128x64xbf16, #bf16_128x64>) -> tensor<64x128xbf16, #bf16_64x128>
  return %1 : tensor<64x128xbf16, #bf16_64x128>
}

// CHECK-LABEL: func.func @there_and_back
// CHECK-NEXT: return %arg0
func.func @there_and_back(%a0: tensor<4x32x64xbf16, #bf16_4x32x64>) -> tensor<4x32x64xbf16, #bf16_4x32x64> {
  %0 = "ttnn.reshape"(%a0) <{shape = [128 : i32, 64 : i32]}> : (tensor<4x32x64xbf16, #bf16_4x32x64>) -> tensor<128x64xbf16, #bf16_128x64>
  %1 = "ttnn.reshape"(%0) <{shape = [4 : i32, 32 : i32, 64 : i32]}> : (tensor<128x64xbf16, #bf16_128x64>) -> tensor<4x32x64xbf16, #bf16_4x32x64>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 1, 2, 0>}> : (tensor<4x32x64xbf16, #bf16_4x32x64>) -> tensor<32x64x4xbf16, #bf16_32x64x4>
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 2, 0, 1>}> : (tensor<32x64x4xbf16, #bf16_32x64x4>) -> tensor<4x32x64xbf16, #bf16_4x32x64>
  return %3 : tensor<4x32x64xbf16, #bf16_4x32x64>
}

// Eight heads share a tile while they are cast and chosen; each has one of its own afterwards.
// CHECK-LABEL: func.func @late
// CHECK: %[[C:.*]] = "ttnn.reshape"(%arg1) <{shape = [1 : i32, 4 : i32, 1 : i32, 1 : i32]}>
// CHECK: %[[W:.*]] = "ttnn.where"(%[[C]], %{{.*}}, %{{.*}}) : ({{.*}}) -> tensor<1x4x8x64xf32
// CHECK: "ttnn.reshape"(%[[W]]) <{shape = [4 : i32, 8 : i32, 1 : i32, 64 : i32]}>
// CHECK-NEXT: return
func.func @late(%a0: tensor<1x4x8x64xbf16, #bf16_1x4x8x64>, %a1: tensor<4x1x1x1xf32, #f32_4x1x1x1>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%d0) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %1 = "ttnn.reshape"(%a0) <{shape = [4 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<1x4x8x64xbf16, #bf16_1x4x8x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %2 = "ttnn.typecast"(%1) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %3 = "ttnn.where"(%a1, %0, %2) : (tensor<4x1x1x1xf32, #f32_4x1x1x1>, tensor<1x1x1x1xf32, #f32_1x1x1x1>, tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  return %3 : tensor<4x8x1x64xf32, #f32_4x8x1x64>
}

// The other way round it would be early.
// CHECK-LABEL: func.func @early_is_left
// CHECK-NEXT: "ttnn.reshape"
// CHECK-NEXT: "ttnn.typecast"
// CHECK-NEXT: return
func.func @early_is_left(%a0: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<1x4x8x64xf32, #f32_1x4x8x64> {
  %0 = "ttnn.reshape"(%a0) <{shape = [1 : i32, 4 : i32, 8 : i32, 64 : i32]}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<1x4x8x64xbf16, #bf16_1x4x8x64>
  %1 = "ttnn.typecast"(%0) : (tensor<1x4x8x64xbf16, #bf16_1x4x8x64>) -> tensor<1x4x8x64xf32, #f32_1x4x8x64>
  return %1 : tensor<1x4x8x64xf32, #f32_1x4x8x64>
}

// CHECK-LABEL: func.func @narrow
// CHECK-NEXT: %[[X:.*]] = "ttnn.repeat"(%arg0) <{repeat_dims = #ttnn.shape<1x8x1x1>}> : ({{.*}}) -> tensor<4x8x32x64xbf16
// CHECK-NEXT: "ttnn.transpose"(%[[X]]) {{.*}} -> tensor<4x8x64x32xbf16
// CHECK-NEXT: return
func.func @narrow(%a0: tensor<4x1x32x64xbf16, #bf16_4x1x32x64>) -> tensor<4x8x64x32xbf16, #bf16_4x8x64x32> {
  %0 = "ttnn.typecast"(%a0) : (tensor<4x1x32x64xbf16, #bf16_4x1x32x64>) -> tensor<4x1x32x64xf32, #f32_4x1x32x64>
  %1 = "ttnn.repeat"(%0) <{repeat_dims = #ttnn.shape<1x8x1x1>}> : (tensor<4x1x32x64xf32, #f32_4x1x32x64>) -> tensor<4x8x32x64xf32, #f32_4x8x32x64>
  %2 = "ttnn.transpose"(%1) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x32x64xf32, #f32_4x8x32x64>) -> tensor<4x8x64x32xf32, #f32_4x8x64x32>
  %3 = "ttnn.typecast"(%2) : (tensor<4x8x64x32xf32, #f32_4x8x64x32>) -> tensor<4x8x64x32xbf16, #bf16_4x8x64x32>
  return %3 : tensor<4x8x64x32xbf16, #bf16_4x8x64x32>
}

// What is computed between the casts needs them.
// CHECK-LABEL: func.func @computed_is_left
// CHECK-NEXT: "ttnn.typecast"
// CHECK-NEXT: "ttnn.exp"
// CHECK-NEXT: "ttnn.typecast"
// CHECK-NEXT: return
func.func @computed_is_left(%a0: tensor<4x8x32x64xbf16, #bf16_4x8x32x64>) -> tensor<4x8x32x64xbf16, #bf16_4x8x32x64> {
  %0 = "ttnn.typecast"(%a0) : (tensor<4x8x32x64xbf16, #bf16_4x8x32x64>) -> tensor<4x8x32x64xf32, #f32_4x8x32x64>
  %1 = "ttnn.exp"(%0) : (tensor<4x8x32x64xf32, #f32_4x8x32x64>) -> tensor<4x8x32x64xf32, #f32_4x8x32x64>
  %2 = "ttnn.typecast"(%1) : (tensor<4x8x32x64xf32, #f32_4x8x32x64>) -> tensor<4x8x32x64xbf16, #bf16_4x8x32x64>
  return %2 : tensor<4x8x32x64xbf16, #bf16_4x8x32x64>
}

// A number stands right before the product, so that attention can take it.
// CHECK-LABEL: func.func @late_scale(
// CHECK: %[[HEADS:.*]] = "ttnn.reshape"(%arg0)
// CHECK-NEXT: %[[TURNED:.*]] = "ttnn.permute"(%[[HEADS]])
// CHECK-NEXT: %[[SCALED:.*]] = "ttnn.divide"(%[[TURNED]],
// CHECK-NEXT: "ttnn.matmul"(%[[SCALED]], %arg1)
func.func @late_scale(%x: tensor<1x32x128xbf16, #ls_whole>, %k: tensor<1x2x64x32xbf16, #ls_key>) -> tensor<1x2x32x32xbf16, #ls_scores> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c = "ttnn.full"(%d0) <{fill_value = 8.000000e+00 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xbf16, #ls_number>
  %0 = "ttnn.divide"(%x, %c) : (tensor<1x32x128xbf16, #ls_whole>, tensor<1x1x1xbf16, #ls_number>) -> tensor<1x32x128xbf16, #ls_whole>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<1x32x128xbf16, #ls_whole>) -> tensor<1x32x2x64xbf16, #ls_heads>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x2x64xbf16, #ls_heads>) -> tensor<1x2x32x64xbf16, #ls_turned>
  %3 = "ttnn.matmul"(%2, %k) <{transpose_a = false, transpose_b = false}> : (tensor<1x2x32x64xbf16, #ls_turned>, tensor<1x2x64x32xbf16, #ls_key>) -> tensor<1x2x32x32xbf16, #ls_scores>
  return %3 : tensor<1x2x32x32xbf16, #ls_scores>
}

// Where another reads it, it stays.
// CHECK-LABEL: func.func @scale_of_another(
// CHECK: %[[SCALED:.*]] = "ttnn.divide"(%arg0,
// CHECK-NEXT: "ttnn.reshape"(%[[SCALED]])
func.func @scale_of_another(%x: tensor<1x32x128xbf16, #ls_whole>, %k: tensor<1x2x64x32xbf16, #ls_key>) -> (tensor<1x2x32x32xbf16, #ls_scores>, tensor<1x2x32x64xbf16, #ls_turned>) {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c = "ttnn.full"(%d0) <{fill_value = 8.000000e+00 : f32, shape = #ttnn.shape<1x1x1>}> : (!ttnn.device) -> tensor<1x1x1xbf16, #ls_number>
  %0 = "ttnn.divide"(%x, %c) : (tensor<1x32x128xbf16, #ls_whole>, tensor<1x1x1xbf16, #ls_number>) -> tensor<1x32x128xbf16, #ls_whole>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<1x32x128xbf16, #ls_whole>) -> tensor<1x32x2x64xbf16, #ls_heads>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x32x2x64xbf16, #ls_heads>) -> tensor<1x2x32x64xbf16, #ls_turned>
  %3 = "ttnn.matmul"(%2, %k) <{transpose_a = false, transpose_b = false}> : (tensor<1x2x32x64xbf16, #ls_turned>, tensor<1x2x64x32xbf16, #ls_key>) -> tensor<1x2x32x32xbf16, #ls_scores>
  return %3, %2 : tensor<1x2x32x32xbf16, #ls_scores>, tensor<1x2x32x64xbf16, #ls_turned>
}

// Around a permute unit dimensions come and go.
// CHECK-LABEL: func.func @around_units(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 2, 3, 1>}>
// CHECK-NEXT: return %[[Y]]
func.func @around_units(%x: tensor<1x64x2x32xbf16, #um_a>) -> tensor<1x2x32x64xbf16, #um_d> {
  %0 = "ttnn.reshape"(%x) <{shape = [64 : i32, 2 : i32, 32 : i32]}> : (tensor<1x64x2x32xbf16, #um_a>) -> tensor<64x2x32xbf16, #um_b>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 1, 2, 0>}> : (tensor<64x2x32xbf16, #um_b>) -> tensor<2x32x64xbf16, #um_c>
  %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 2 : i32, 32 : i32, 64 : i32]}> : (tensor<2x32x64xbf16, #um_c>) -> tensor<1x2x32x64xbf16, #um_d>
  return %2 : tensor<1x2x32x64xbf16, #um_d>
}

// Before it more may be reshaped.
// CHECK-LABEL: func.func @units_behind(
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [1 : i32, 64 : i32, 2 : i32, 32 : i32]}>
// CHECK-NEXT: %[[Y:.*]] = "ttnn.permute"(%[[X]]) <{permutation = array<i64: 0, 2, 3, 1>}>
// CHECK-NEXT: return %[[Y]]
func.func @units_behind(%x: tensor<128x32xbf16, #um_f>) -> tensor<1x2x32x64xbf16, #um_d> {
  %0 = "ttnn.reshape"(%x) <{shape = [64 : i32, 2 : i32, 32 : i32]}> : (tensor<128x32xbf16, #um_f>) -> tensor<64x2x32xbf16, #um_b>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 1, 2, 0>}> : (tensor<64x2x32xbf16, #um_b>) -> tensor<2x32x64xbf16, #um_c>
  %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 2 : i32, 32 : i32, 64 : i32]}> : (tensor<2x32x64xbf16, #um_c>) -> tensor<1x2x32x64xbf16, #um_d>
  return %2 : tensor<1x2x32x64xbf16, #um_d>
}

// Behind it more than units come: two moves.
// CHECK-LABEL: func.func @more_than_units(
// CHECK: "ttnn.permute"({{.*}}) <{permutation = array<i64: 1, 2, 0>}>
// CHECK-NEXT: "ttnn.reshape"
func.func @more_than_units(%x: tensor<1x64x2x32xbf16, #um_a>) -> tensor<64x64xbf16, #um_g> {
  %0 = "ttnn.reshape"(%x) <{shape = [64 : i32, 2 : i32, 32 : i32]}> : (tensor<1x64x2x32xbf16, #um_a>) -> tensor<64x2x32xbf16, #um_b>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 1, 2, 0>}> : (tensor<64x2x32xbf16, #um_b>) -> tensor<2x32x64xbf16, #um_c>
  %2 = "ttnn.reshape"(%1) <{shape = [64 : i32, 64 : i32]}> : (tensor<2x32x64xbf16, #um_c>) -> tensor<64x64xbf16, #um_g>
  return %2 : tensor<64x64xbf16, #um_g>
}

// Narrow elements are moved, and cast then.
// CHECK-LABEL: func.func @narrow_permute(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.permute"(%arg0) {{.*}} -> tensor<1x2x32x64xbf16
// CHECK-NEXT: %[[WIDE:.*]] = "ttnn.typecast"(%[[Y]])
// CHECK-NEXT: return %[[WIDE]]
func.func @narrow_permute(%x: tensor<1x64x2x32xbf16, #um_a>) -> tensor<1x2x32x64xf32, #um_dw> {
  %0 = "ttnn.typecast"(%x) : (tensor<1x64x2x32xbf16, #um_a>) -> tensor<1x64x2x32xf32, #um_aw>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x2x32xf32, #um_aw>) -> tensor<1x2x32x64xf32, #um_dw>
  return %1 : tensor<1x2x32x64xf32, #um_dw>
}

// Before a permute of true f32 the cast to fewer bits; a slice has its elements cast afterwards.
// CHECK-LABEL: func.func @narrow_before(
// CHECK-NEXT: %[[N:.*]] = "ttnn.typecast"(%arg0) {{.*}} -> tensor<1x64x2x32xbf16
// CHECK-NEXT: %[[Y:.*]] = "ttnn.permute"(%[[N]])
// CHECK-NEXT: %[[S:.*]] = "ttnn.slice_static"(%arg0)
// CHECK-NEXT: %[[Z:.*]] = "ttnn.typecast"(%[[S]])
// CHECK-NEXT: return %[[Y]], %[[Z]]
func.func @narrow_before(%x: tensor<1x64x2x32xf32, #um_aw>) -> (tensor<1x2x32x64xbf16, #um_d>, tensor<1x64x1x32xbf16, #um_sl>) {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<1x64x2x32xf32, #um_aw>) -> tensor<1x2x32x64xf32, #um_dw>
  %1 = "ttnn.typecast"(%0) : (tensor<1x2x32x64xf32, #um_dw>) -> tensor<1x2x32x64xbf16, #um_d>
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x2x32xf32, #um_aw>) -> tensor<1x64x1x32xf32, #um_slw>
  %3 = "ttnn.typecast"(%2) : (tensor<1x64x1x32xf32, #um_slw>) -> tensor<1x64x1x32xbf16, #um_sl>
  return %1, %3 : tensor<1x2x32x64xbf16, #um_d>, tensor<1x64x1x32xbf16, #um_sl>
}

// A number that stands there for each element stands there once behind the permute.
// CHECK-LABEL: func.func @late_scale_of_all(
// CHECK-DAG: %[[N:.*]] = ttcore.load_cached({{.*}} -> tensor<1x1x1x1xbf16
// CHECK-DAG: %[[P:.*]] = "ttnn.permute"(%arg1)
// CHECK: "ttnn.multiply"(%[[P]], %[[N]])
// CHECK: return
func.func @late_scale_of_all(%q: tensor<1x4x64x32xbf16, #ls_all>, %k: tensor<1x4x64x32xbf16, #ls_all>) -> tensor<1x4x64x64xbf16, #ls_all_scores> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 2.500000e-01 : f32, shape = #ttnn.shape<1x4x64x32>}> : (!ttnn.device) -> tensor<1x4x64x32xbf16, #ls_all>
  %0 = "ttnn.multiply"(%k, %n) : (tensor<1x4x64x32xbf16, #ls_all>, tensor<1x4x64x32xbf16, #ls_all>) -> tensor<1x4x64x32xbf16, #ls_all>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<1x4x64x32xbf16, #ls_all>) -> tensor<1x4x32x64xbf16, #ls_all_turned>
  %2 = "ttnn.matmul"(%q, %1) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x64x32xbf16, #ls_all>, tensor<1x4x32x64xbf16, #ls_all_turned>) -> tensor<1x4x64x64xbf16, #ls_all_scores>
  return %2 : tensor<1x4x64x64xbf16, #ls_all_scores>
}
