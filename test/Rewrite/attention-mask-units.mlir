// Masks of scores whose units stand elsewhere than the product's: they are those of the heads and batches that they meet there.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+attention,+attention-decode %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#l0 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l4 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 128 + d1 * 32 + d2 * 32 + d3, d4), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l5 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 128 + d1 * 32 + d2 * 32 + d3, d4), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l6 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * 32 + d2 * 32 + d3, d4), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l7 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 128 + d1 * 128 + d2 * 32 + d3, d4), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l8 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l9 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l10 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l11 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l12 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l13 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l14 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<8x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l15 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l17 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l18 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 256 + d1 * 64 + d2 * 32 + d3, d4), <1x1>, memref<8x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#l19 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 128 + d1 * 32 + d2 * 32 + d3, d4), <1x1>, memref<4x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#s0 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<32x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s4 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s5 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// One position: users stand where heads do, and the mask has a row for each of them.
// CHECK-LABEL: func.func @of_users
// CHECK: "ttnn.reshape"(%arg3) <{shape = [4 : i32, 1 : i32, 1 : i32, 64 : i32]}>
// CHECK: "ttnn.scaled_dot_product_attention_decode"
// CHECK: return
func.func @of_users(%arg0: tensor<4x4x1x32xbf16, #l0> , %arg1: tensor<4x4x64x32xbf16, #l1> , %arg2: tensor<4x4x64x32xbf16, #l1> , %arg3: tensor<1x4x1x64xbf16, #l2> ) -> (tensor<4x4x1x32xbf16, #l0>) {
  %0 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}> : (tensor<4x4x1x32xbf16, #l0>, tensor<4x4x64x32xbf16, #l1>) -> tensor<4x4x1x64xbf16, #l3>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 4 : i32, 4 : i32, 64 : i32]}> : (tensor<4x4x1x64xbf16, #l3>) -> tensor<1x4x4x64xbf16, #l2>
  %2 = "ttnn.add"(%1, %arg3) : (tensor<1x4x4x64xbf16, #l2>, tensor<1x4x1x64xbf16, #l2>) -> tensor<1x4x4x64xbf16, #l2>
  %3 = "ttnn.softmax"(%2) <{dimension = -1 : si32, numericStable = true}> : (tensor<1x4x4x64xbf16, #l2>) -> tensor<1x4x4x64xbf16, #l2>
  %4 = "ttnn.reshape"(%3) <{shape = [4 : i32, 4 : i32, 1 : i32, 64 : i32]}> : (tensor<1x4x4x64xbf16, #l2>) -> tensor<4x4x1x64xbf16, #l3>
  %5 = "ttnn.matmul"(%4, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<4x4x1x64xbf16, #l3>, tensor<4x4x64x32xbf16, #l1>) -> tensor<4x4x1x32xbf16, #l0>
  return %5 : tensor<4x4x1x32xbf16, #l0>
}

// A mask for each head, with a unit behind heads.
// CHECK-LABEL: func.func @of_heads_before_a_unit
// CHECK: "ttnn.reshape"(%arg3) <{shape = [1 : i32, 4 : i32, 32 : i32, 64 : i32]}>
// CHECK: "ttnn.scaled_dot_product_attention"
// CHECK: return
func.func @of_heads_before_a_unit(%arg0: tensor<4x4x32x32xbf16, #l0> , %arg1: tensor<4x4x64x32xbf16, #l1> , %arg2: tensor<4x4x64x32xbf16, #l1> , %arg3: tensor<1x4x1x32x64xbf16, #l4> ) -> (tensor<4x4x32x32xbf16, #l0>) {
  %0 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}> : (tensor<4x4x32x32xbf16, #l0>, tensor<4x4x64x32xbf16, #l1>) -> tensor<4x4x32x64xbf16, #l3>
  %1 = "ttnn.reshape"(%0) <{shape = [4 : i32, 4 : i32, 1 : i32, 32 : i32, 64 : i32]}> : (tensor<4x4x32x64xbf16, #l3>) -> tensor<4x4x1x32x64xbf16, #l5>
  %2 = "ttnn.add"(%1, %arg3) : (tensor<4x4x1x32x64xbf16, #l5>, tensor<1x4x1x32x64xbf16, #l4>) -> tensor<4x4x1x32x64xbf16, #l5>
  %3 = "ttnn.softmax"(%2) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x4x1x32x64xbf16, #l5>) -> tensor<4x4x1x32x64xbf16, #l5>
  %4 = "ttnn.reshape"(%3) <{shape = [4 : i32, 4 : i32, 32 : i32, 64 : i32]}> : (tensor<4x4x1x32x64xbf16, #l5>) -> tensor<4x4x32x64xbf16, #l3>
  %5 = "ttnn.matmul"(%4, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<4x4x32x64xbf16, #l3>, tensor<4x4x64x32xbf16, #l1>) -> tensor<4x4x32x32xbf16, #l0>
  return %5 : tensor<4x4x32x32xbf16, #l0>
}

// One for each batch.
// CHECK-LABEL: func.func @of_batches_before_a_unit
// CHECK: "ttnn.reshape"(%arg3) <{shape = [4 : i32, 1 : i32, 32 : i32, 64 : i32]}>
// CHECK: "ttnn.scaled_dot_product_attention"
// CHECK: return
func.func @of_batches_before_a_unit(%arg0: tensor<4x4x32x32xbf16, #l0> , %arg1: tensor<4x4x64x32xbf16, #l1> , %arg2: tensor<4x4x64x32xbf16, #l1> , %arg3: tensor<4x1x1x32x64xbf16, #l6> ) -> (tensor<4x4x32x32xbf16, #l0>) {
  %0 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}> : (tensor<4x4x32x32xbf16, #l0>, tensor<4x4x64x32xbf16, #l1>) -> tensor<4x4x32x64xbf16, #l3>
  %1 = "ttnn.reshape"(%0) <{shape = [4 : i32, 1 : i32, 4 : i32, 32 : i32, 64 : i32]}> : (tensor<4x4x32x64xbf16, #l3>) -> tensor<4x1x4x32x64xbf16, #l7>
  %2 = "ttnn.add"(%1, %arg3) : (tensor<4x1x4x32x64xbf16, #l7>, tensor<4x1x1x32x64xbf16, #l6>) -> tensor<4x1x4x32x64xbf16, #l7>
  %3 = "ttnn.softmax"(%2) <{dimension = -1 : si32, numericStable = true}> : (tensor<4x1x4x32x64xbf16, #l7>) -> tensor<4x1x4x32x64xbf16, #l7>
  %4 = "ttnn.reshape"(%3) <{shape = [4 : i32, 4 : i32, 32 : i32, 64 : i32]}> : (tensor<4x1x4x32x64xbf16, #l7>) -> tensor<4x4x32x64xbf16, #l3>
  %5 = "ttnn.matmul"(%4, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<4x4x32x64xbf16, #l3>, tensor<4x4x64x32xbf16, #l1>) -> tensor<4x4x32x32xbf16, #l0>
  return %5 : tensor<4x4x32x32xbf16, #l0>
}

// A condition of fewer dimensions than the number that it chooses.
// CHECK-LABEL: func.func @chosen_by_a_row
// CHECK: "ttnn.where"(%arg3, %{{.*}}, %{{.*}}) {{.*}} -> tensor<1x64xbf16
// CHECK: "ttnn.scaled_dot_product_attention"
// CHECK: return
func.func @chosen_by_a_row(%arg0: tensor<1x4x32x32xbf16, #l8> , %arg1: tensor<1x4x64x32xbf16, #l9> , %arg2: tensor<1x4x64x32xbf16, #l9> , %arg3: tensor<1x64xbf16, #l10> ) -> (tensor<1x4x32x32xbf16, #l8>) {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}> : (tensor<1x4x32x32xbf16, #l8>, tensor<1x4x64x32xbf16, #l9>) -> tensor<1x4x32x64xbf16, #l2>
  %1 = "ttnn.full"(%dev) <{fill_value = -1.000000000e+09 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #l11>
  %2 = "ttnn.where"(%arg3, %0, %1) : (tensor<1x64xbf16, #l10>, tensor<1x4x32x64xbf16, #l2>, tensor<1x1x1x1xbf16, #l11>) -> tensor<1x4x32x64xbf16, #l2>
  %3 = "ttnn.softmax"(%2) <{dimension = -1 : si32, numericStable = true}> : (tensor<1x4x32x64xbf16, #l2>) -> tensor<1x4x32x64xbf16, #l2>
  %4 = "ttnn.matmul"(%3, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<1x4x32x64xbf16, #l2>, tensor<1x4x64x32xbf16, #l9>) -> tensor<1x4x32x32xbf16, #l8>
  return %4 : tensor<1x4x32x32xbf16, #l8>
}

// The number that scales scores of f32 stands before what moves units: the kernel's scale has all of its bits.
// CHECK-LABEL: func.func @scaled_before_units
// CHECK-NOT: "ttnn.multiply"(%arg0
// CHECK: "ttnn.scaled_dot_product_attention"({{.*}}scale = 0.176776
// CHECK: return
func.func @scaled_before_units(%arg0: tensor<4x2x32x32xbf16, #l12> , %arg1: tensor<4x2x64x32xbf16, #l13> , %arg2: tensor<4x2x64x32xbf16, #l13> , %arg3: tensor<1x4x1x32x64xbf16, #l4> ) -> (tensor<4x2x32x32xbf16, #l12>) {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.typecast"(%arg0) : (tensor<4x2x32x32xbf16, #l12>) -> tensor<4x2x32x32xf32, #l14>
  %1 = "ttnn.typecast"(%arg1) : (tensor<4x2x64x32xbf16, #l13>) -> tensor<4x2x64x32xf32, #l15>
  %2 = "ttnn.typecast"(%arg2) : (tensor<4x2x64x32xbf16, #l13>) -> tensor<4x2x64x32xf32, #l15>
  %3 = "ttnn.matmul"(%0, %1) <{transpose_a = false, transpose_b = true}> : (tensor<4x2x32x32xf32, #l14>, tensor<4x2x64x32xf32, #l15>) -> tensor<4x2x32x64xf32, #l16>
  %4 = "ttnn.full"(%dev) <{fill_value = 1.767767000e-01 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #l17>
  %5 = "ttnn.multiply"(%3, %4) : (tensor<4x2x32x64xf32, #l16>, tensor<1x1x1x1xf32, #l17>) -> tensor<4x2x32x64xf32, #l16>
  %6 = "ttnn.reshape"(%5) <{shape = [1 : i32, 4 : i32, 2 : i32, 32 : i32, 64 : i32]}> : (tensor<4x2x32x64xf32, #l16>) -> tensor<1x4x2x32x64xf32, #l18>
  %7 = "ttnn.typecast"(%arg3) : (tensor<1x4x1x32x64xbf16, #l4>) -> tensor<1x4x1x32x64xf32, #l19>
  %8 = "ttnn.add"(%6, %7) : (tensor<1x4x2x32x64xf32, #l18>, tensor<1x4x1x32x64xf32, #l19>) -> tensor<1x4x2x32x64xf32, #l18>
  %9 = "ttnn.softmax"(%8) <{dimension = -1 : si32, numericStable = true}> : (tensor<1x4x2x32x64xf32, #l18>) -> tensor<1x4x2x32x64xf32, #l18>
  %10 = "ttnn.reshape"(%9) <{shape = [4 : i32, 2 : i32, 32 : i32, 64 : i32]}> : (tensor<1x4x2x32x64xf32, #l18>) -> tensor<4x2x32x64xf32, #l16>
  %11 = "ttnn.matmul"(%10, %2) <{transpose_a = false, transpose_b = false}> : (tensor<4x2x32x64xf32, #l16>, tensor<4x2x64x32xf32, #l15>) -> tensor<4x2x32x32xf32, #l14>
  %12 = "ttnn.typecast"(%11) : (tensor<4x2x32x32xf32, #l14>) -> tensor<4x2x32x32xbf16, #l12>
  return %12 : tensor<4x2x32x32xbf16, #l12>
}

// A sink for each user, where the kernel takes one for each head.
// CHECK-LABEL: func.func @sink_of_users
// CHECK-NOT: scaled_dot_product_attention
// CHECK: "ttnn.softmax"
// CHECK: return
func.func @sink_of_users(%arg0: tensor<4x4x1x32xbf16, #s0> , %arg1: tensor<4x4x64x32xbf16, #s1> , %arg2: tensor<4x4x64x32xbf16, #s1> , %arg3: tensor<1x4x1x1xbf16, #s2> ) -> (tensor<4x4x1x32xbf16, #s0>) {
  %0 = "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = true}> : (tensor<4x4x1x32xbf16, #s0>, tensor<4x4x64x32xbf16, #s1>) -> tensor<4x4x1x64xbf16, #s3>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 4 : i32, 4 : i32, 64 : i32]}> : (tensor<4x4x1x64xbf16, #s3>) -> tensor<1x4x4x64xbf16, #s4>
  %2 = "ttnn.repeat"(%arg3) <{repeat_dims = #ttnn.shape<1x1x4x1>}> : (tensor<1x4x1x1xbf16, #s2>) -> tensor<1x4x4x1xbf16, #s2>
  %3 = "ttnn.concat"(%1, %2) <{dim = 3 : si32}> : (tensor<1x4x4x64xbf16, #s4>, tensor<1x4x4x1xbf16, #s2>) -> tensor<1x4x4x65xbf16, #s5>
  %4 = "ttnn.softmax"(%3) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x4x4x65xbf16, #s5>) -> tensor<1x4x4x65xbf16, #s5>
  %5 = "ttnn.slice_static"(%4) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 4 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x4x4x65xbf16, #s5>) -> tensor<1x4x4x64xbf16, #s4>
  %6 = "ttnn.reshape"(%5) <{shape = [4 : i32, 4 : i32, 1 : i32, 64 : i32]}> : (tensor<1x4x4x64xbf16, #s4>) -> tensor<4x4x1x64xbf16, #s3>
  %7 = "ttnn.matmul"(%6, %arg2) <{transpose_a = false, transpose_b = false}> : (tensor<4x4x1x64xbf16, #s3>, tensor<4x4x64x32xbf16, #s1>) -> tensor<4x4x1x32xbf16, #s0>
  return %7 : tensor<4x4x1x32xbf16, #s0>
}
