// Softmax between two products becomes one op where it means the same and the device takes it.
// RUN: tessera-opt --ttnn-rewrite %s 2>&1 | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#bf16_4x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x1x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x8x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_4x1x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_4x512 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x64x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x48x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x64x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x1x48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x64x8x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<256x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x8x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Keys and values of a group of heads are read once, the casts around the products are gone, and the mask goes in without the scale
// that this kernel gives it.
// CHECK-LABEL: func.func @grouped_in_f32
// CHECK-NEXT: %[[Q:.*]] = "ttnn.reshape"(%arg0) <{shape = [1 : i32, 4 : i32, 8 : i32, 64 : i32]}>
// CHECK-NEXT: %[[O:.*]] = "ttnn.scaled_dot_product_attention_decode"(%[[Q]], %arg1, %arg2, %arg3) <{compute_config = {{.*}}is_causal = false, {{.*}}scale = 1.250000e-01 : f32}>
// CHECK-NEXT: %[[R:.*]] = "ttnn.reshape"(%[[O]]) <{shape = [4 : i32, 512 : i32]}>
// CHECK-NEXT: return %[[R]]
func.func @grouped_in_f32(%a0: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, %a1: tensor<4x2x64x64xbf16, #bf16_4x2x64x64>, %a2: tensor<4x2x64x64xbf16, #bf16_4x2x64x64>, %a3: tensor<4x1x8x64xbf16, #bf16_4x1x8x64>) -> tensor<4x512xbf16, #bf16_4x512> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%d0) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #f32_1x1x1x1>
  %1 = "ttnn.typecast"(%a0) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %2 = "ttnn.typecast"(%a1) : (tensor<4x2x64x64xbf16, #bf16_4x2x64x64>) -> tensor<4x2x64x64xf32, #f32_4x2x64x64>
  %3 = "ttnn.repeat_interleave"(%2) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<4x2x64x64xf32, #f32_4x2x64x64>) -> tensor<4x8x64x64xf32, #f32_4x8x64x64>
  %4 = "ttnn.transpose"(%3) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xf32, #f32_4x8x64x64>) -> tensor<4x8x64x64xf32, #f32_4x8x64x64>
  %5 = "ttnn.typecast"(%a2) : (tensor<4x2x64x64xbf16, #bf16_4x2x64x64>) -> tensor<4x2x64x64xf32, #f32_4x2x64x64>
  %6 = "ttnn.repeat_interleave"(%5) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<4x2x64x64xf32, #f32_4x2x64x64>) -> tensor<4x8x64x64xf32, #f32_4x8x64x64>
  %7 = "ttnn.typecast"(%a3) : (tensor<4x1x8x64xbf16, #bf16_4x1x8x64>) -> tensor<4x1x8x64xf32, #f32_4x1x8x64>
  %8 = "ttnn.multiply"(%7, %0) : (tensor<4x1x8x64xf32, #f32_4x1x8x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<4x1x8x64xf32, #f32_4x1x8x64>
  %9 = "ttnn.reshape"(%8) <{shape = [4 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<4x1x8x64xf32, #f32_4x1x8x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %10 = "ttnn.matmul"(%1, %4) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xf32, #f32_4x8x1x64>, tensor<4x8x64x64xf32, #f32_4x8x64x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %11 = "ttnn.multiply"(%10, %0) : (tensor<4x8x1x64xf32, #f32_4x8x1x64>, tensor<1x1x1x1xf32, #f32_1x1x1x1>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %12 = "ttnn.add"(%11, %9) : (tensor<4x8x1x64xf32, #f32_4x8x1x64>, tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %13 = "ttnn.softmax"(%12) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %14 = "ttnn.matmul"(%13, %6) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xf32, #f32_4x8x1x64>, tensor<4x8x64x64xf32, #f32_4x8x64x64>) -> tensor<4x8x1x64xf32, #f32_4x8x1x64>
  %15 = "ttnn.typecast"(%14) : (tensor<4x8x1x64xf32, #f32_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %16 = "ttnn.reshape"(%15) <{shape = [4 : i32, 512 : i32]}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x512xbf16, #bf16_4x512>
  return %16 : tensor<4x512xbf16, #bf16_4x512>
}

// Zeros and minus infinity mean the same at any scale.
// CHECK-LABEL: func.func @hard_mask
// CHECK: "ttnn.scaled_dot_product_attention_decode"
// CHECK: return
func.func @hard_mask(%a0: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, %a1: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a3: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%d0) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %d1 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %1 = "ttnn.full"(%d1) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %d2 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %2 = "ttnn.full"(%d2) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %3 = "ttnn.where"(%a3, %1, %2) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %4 = "ttnn.transpose"(%a1) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %5 = "ttnn.matmul"(%a0, %4) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %6 = "ttnn.multiply"(%5, %0) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %7 = "ttnn.add"(%6, %3) : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %8 = "ttnn.softmax"(%7) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %9 = "ttnn.matmul"(%8, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  return %9 : tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
}

// Many positions: any mask, of which the kernel takes one for all heads. It divides it by the scale, which the lowest number there is
// must survive.
// CHECK-LABEL: func.func @prefill
// CHECK-NEXT: %[[M:.*]] = "ttnn.clamp_scalar"(%arg3) <{max = 3.3{{.*}}E+38 : f32, min = -4.2{{.*}}E+37 : f32}>
// CHECK-NEXT: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %[[M]]) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = false>, is_causal = false, {{.*}}scale = 1.250000e-01 : f32}>
// CHECK-NEXT: return
func.func @prefill(%a0: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a1: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a3: tensor<4x1x64x64xbf16, #bf16_4x1x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%d0) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %1 = "ttnn.repeat"(%a3) <{repeat_dims = #ttnn.shape<1x8x1x1>}> : (tensor<4x1x64x64xbf16, #bf16_4x1x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %2 = "ttnn.transpose"(%a1) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %3 = "ttnn.matmul"(%a0, %2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %4 = "ttnn.multiply"(%3, %0) : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %5 = "ttnn.add"(%4, %1) : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %6 = "ttnn.softmax"(%5) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %7 = "ttnn.matmul"(%6, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  return %7 : tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
}

// Half of the scale on the queries and half on the keys, no mask, and the transpose by a permute of three dimensions.
// CHECK-LABEL: func.func @scaled_before
// CHECK-NEXT: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2) <{compute_config = {{.*}}is_causal = false, {{.*}}scale = 1.250000e-01 : f32}>
// CHECK-NEXT: return
func.func @scaled_before(%a0: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a1: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%d0) <{fill_value = 5.000000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %d1 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %1 = "ttnn.full"(%d1) <{fill_value = 2.500000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %2 = "ttnn.multiply"(%a1, %1) : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %3 = "ttnn.reshape"(%2) <{shape = [32 : i32, 64 : i32, 64 : i32]}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<32x64x64xbf16, #bf16_32x64x64>
  %4 = "ttnn.permute"(%3) <{permutation = array<i64: 0, 2, 1>}> : (tensor<32x64x64xbf16, #bf16_32x64x64>) -> tensor<32x64x64xbf16, #bf16_32x64x64>
  %5 = "ttnn.reshape"(%4) <{shape = [4 : i32, 8 : i32, 64 : i32, 64 : i32]}> : (tensor<32x64x64xbf16, #bf16_32x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %6 = "ttnn.multiply"(%a0, %0) : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %7 = "ttnn.matmul"(%6, %5) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %8 = "ttnn.softmax"(%7) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %9 = "ttnn.matmul"(%8, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  return %9 : tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
}

// True f32 would lose two thirds of its bits.
// CHECK-LABEL: func.func @f32_is_left
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @f32_is_left(%a0: tensor<4x8x64x64xf32, #f32_4x8x64x64>, %a1: tensor<4x8x64x64xf32, #f32_4x8x64x64>, %a2: tensor<4x8x64x64xf32, #f32_4x8x64x64>) -> tensor<4x8x64x64xf32, #f32_4x8x64x64> {
  %0 = "ttnn.transpose"(%a1) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xf32, #f32_4x8x64x64>) -> tensor<4x8x64x64xf32, #f32_4x8x64x64>
  %1 = "ttnn.matmul"(%a0, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xf32, #f32_4x8x64x64>, tensor<4x8x64x64xf32, #f32_4x8x64x64>) -> tensor<4x8x64x64xf32, #f32_4x8x64x64>
  %2 = "ttnn.softmax"(%1) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x64x64xf32, #f32_4x8x64x64>) -> tensor<4x8x64x64xf32, #f32_4x8x64x64>
  %3 = "ttnn.matmul"(%2, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xf32, #f32_4x8x64x64>, tensor<4x8x64x64xf32, #f32_4x8x64x64>) -> tensor<4x8x64x64xf32, #f32_4x8x64x64>
  return %3 : tensor<4x8x64x64xf32, #f32_4x8x64x64>
}

// Along the queries, not the keys.
// CHECK-LABEL: func.func @other_softmax_is_left
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @other_softmax_is_left(%a0: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a1: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64> {
  %0 = "ttnn.transpose"(%a1) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %1 = "ttnn.matmul"(%a0, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %2 = "ttnn.softmax"(%1) <{dimension = -2 : si32, numericStable = true}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %3 = "ttnn.matmul"(%2, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  return %3 : tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
}

// 48 keys are no chunks of whole tiles: the op model does not consent.
// CHECK-LABEL: func.func @odd_keys_are_left
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @odd_keys_are_left(%a0: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, %a1: tensor<4x8x48x64xbf16, #bf16_4x8x48x64>, %a2: tensor<4x8x48x64xbf16, #bf16_4x8x48x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64> {
  %0 = "ttnn.transpose"(%a1) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x48x64xbf16, #bf16_4x8x48x64>) -> tensor<4x8x64x48xbf16, #bf16_4x8x64x48>
  %1 = "ttnn.matmul"(%a0, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x48xbf16, #bf16_4x8x64x48>) -> tensor<4x8x1x48xbf16, #bf16_4x8x1x48>
  %2 = "ttnn.softmax"(%1) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x1x48xbf16, #bf16_4x8x1x48>) -> tensor<4x8x1x48xbf16, #bf16_4x8x1x48>
  %3 = "ttnn.matmul"(%2, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x48xbf16, #bf16_4x8x1x48>, tensor<4x8x48x64xbf16, #bf16_4x8x48x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  return %3 : tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
}

// The keys are read before the cache gets its new entry, and the new op would read them after that.
// CHECK-LABEL: func.func @written_in_between
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @written_in_between(%a0: tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, %a1: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a3: tensor<1x8x1x64xbf16, #bf16_1x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64> {
  %0 = "ttnn.transpose"(%a1) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %1 = "ttnn.matmul"(%a0, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  %2 = "ttnn.softmax"(%1) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  "ttnn.fill_cache"(%a1, %a3) <{batch_offset = 0 : i32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<1x8x1x64xbf16, #bf16_1x8x1x64>) -> ()
  %3 = "ttnn.matmul"(%2, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x1x64xbf16, #bf16_4x8x1x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
  return %3 : tensor<4x8x1x64xbf16, #bf16_4x8x1x64>
}

// Scores that a function is applied to on their way are others.
// CHECK-LABEL: func.func @scale_that_applies_a_function_is_left
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @scale_that_applies_a_function_is_left(%a0: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a1: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a3: tensor<4x1x64x64xbf16, #bf16_4x1x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%d0) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %1 = "ttnn.repeat"(%a3) <{repeat_dims = #ttnn.shape<1x8x1x1>}> : (tensor<4x1x64x64xbf16, #bf16_4x1x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %2 = "ttnn.transpose"(%a1) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %3 = "ttnn.matmul"(%a0, %2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %4 = "ttnn.multiply"(%3, %0) <{activations = [#ttnn.unary_with_param<op_type = relu>], input_tensor_a_activations = [], input_tensor_b_activations = []}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %5 = "ttnn.add"(%4, %1) : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %6 = "ttnn.softmax"(%5) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %7 = "ttnn.matmul"(%6, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  return %7 : tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
}

// CHECK-LABEL: func.func @mask_that_applies_a_function_is_left
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @mask_that_applies_a_function_is_left(%a0: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a1: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a3: tensor<4x1x64x64xbf16, #bf16_4x1x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.full"(%d0) <{fill_value = 1.250000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %1 = "ttnn.repeat"(%a3) <{repeat_dims = #ttnn.shape<1x8x1x1>}> : (tensor<4x1x64x64xbf16, #bf16_4x1x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %2 = "ttnn.transpose"(%a1) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %3 = "ttnn.matmul"(%a0, %2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %4 = "ttnn.multiply"(%3, %0) : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %5 = "ttnn.add"(%4, %1) <{activations = [], input_tensor_a_activations = [#ttnn.unary_with_param<op_type = relu>], input_tensor_b_activations = []}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %6 = "ttnn.softmax"(%5) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %7 = "ttnn.matmul"(%6, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  return %7 : tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
}

// Keys that are made heads and transposed by one permute.
// CHECK-LABEL: func.func @keys_by_position
// CHECK-NEXT: %[[K:.*]] = "ttnn.permute"(%arg1) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK-NEXT: "ttnn.scaled_dot_product_attention"(%arg0, %[[K]], %arg2)
// CHECK-NEXT: return
func.func @keys_by_position(%a0: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a1: tensor<4x64x8x64xbf16, #bf16_4x64x8x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64> {
  %0 = "ttnn.permute"(%a1) <{permutation = array<i64: 0, 2, 3, 1>}> : (tensor<4x64x8x64xbf16, #bf16_4x64x8x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %1 = "ttnn.matmul"(%a0, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %2 = "ttnn.softmax"(%1) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %3 = "ttnn.matmul"(%2, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  return %3 : tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
}

// Scores that are replaced by a number far below all others: nothing or that number is added instead.
// CHECK-LABEL: func.func @chosen
// CHECK: %[[M:.*]] = "ttnn.where"(%arg3, %{{.*}}, %{{.*}}) : {{.*}} -> tensor<4x1x64x64xbf16
// CHECK: "ttnn.scaled_dot_product_attention"(%arg0, %arg1, %arg2, %{{.*}})
// CHECK-NEXT: return
func.func @chosen(%a0: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a1: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %c: tensor<4x1x64x64xbf16, #bf16_4x1x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %low = "ttnn.full"(%d0) <{fill_value = -1.0e+09 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.permute"(%a1) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %1 = "ttnn.matmul"(%a0, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %2 = "ttnn.where"(%c, %1, %low) : (tensor<4x1x64x64xbf16, #bf16_4x1x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %3 = "ttnn.softmax"(%2) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %4 = "ttnn.matmul"(%3, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  return %4 : tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
}

// A score could be as low as that.
// CHECK-LABEL: func.func @chosen_by_a_small_number
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @chosen_by_a_small_number(%a0: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a1: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %a2: tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, %c: tensor<4x1x64x64xbf16, #bf16_4x1x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64> {
  %d0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %low = "ttnn.full"(%d0) <{fill_value = -1.0e+02 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #bf16_1x1x1x1>
  %0 = "ttnn.permute"(%a1) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %1 = "ttnn.matmul"(%a0, %0) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %2 = "ttnn.where"(%c, %1, %low) : (tensor<4x1x64x64xbf16, #bf16_4x1x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<1x1x1x1xbf16, #bf16_1x1x1x1>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %3 = "ttnn.softmax"(%2) <{dimension = 3 : si32, numericStable = true}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  %4 = "ttnn.matmul"(%3, %a2) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  return %4 : tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
}
