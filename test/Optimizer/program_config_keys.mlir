// What an input's program config says that no plan chooses is not lost: such a matmul keeps its configuration; a fused
// activation keeps its parameters in whichever config takes the place of the first.
// RUN: tessera optimize -q %s -o - | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK: func.func @keys
// CHECK: "ttnn.matmul"{{.*}}<{matmul_program_config = {{.*}}core_coord<8, 1>, in0_block_w = 1, {{.*}}num_global_cb_receivers = 2, untilize_out = false>
func.func @keys(%x: tensor<32x1024xbf16, #x>, %w: tensor<1024x2048xbf16, #w>) -> tensor<32x2048xbf16, #y> {
  %0 = "ttnn.matmul"(%x, %w) <{matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 8, per_core_m = 1, per_core_n = 8, fuse_batch = true, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 2, untilize_out = false>, transpose_a = false, transpose_b = false}> : (tensor<32x1024xbf16, #x>, tensor<1024x2048xbf16, #w>) -> tensor<32x2048xbf16, #y>
  return %0 : tensor<32x2048xbf16, #y>
}

// CHECK: func.func @parameters
// CHECK: "ttnn.matmul"
// CHECK-NOT: per_core_n = 8
// CHECK-SAME: fused_activation = #ttnn.unary_with_param<op_type = gelu, params = [1.000000e+00 : f32]>
func.func @parameters(%x: tensor<32x1024xbf16, #x>, %w: tensor<1024x2048xbf16, #w>) -> tensor<32x2048xbf16, #y> {
  %0 = "ttnn.matmul"(%x, %w) <{matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 8, per_core_m = 1, per_core_n = 8, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = gelu, params = [1.000000e+00 : f32]>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> : (tensor<32x1024xbf16, #x>, tensor<1024x2048xbf16, #w>) -> tensor<32x2048xbf16, #y>
  return %0 : tensor<32x2048xbf16, #y>
}

// Two activations, the fused one first: no config says both, and to take one for both changed results.
// CHECK: func.func @twice
// CHECK: "ttnn.matmul"{{.*}}activation = "relu"{{.*}}per_core_n = 8{{.*}}op_type = silu
func.func @twice(%x: tensor<32x1024xbf16, #x>, %w: tensor<1024x2048xbf16, #w>) -> tensor<32x2048xbf16, #y> {
  %0 = "ttnn.matmul"(%x, %w) <{activation = "relu", matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 8, per_core_m = 1, per_core_n = 8, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = silu>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> : (tensor<32x1024xbf16, #x>, tensor<1024x2048xbf16, #w>) -> tensor<32x2048xbf16, #y>
  return %0 : tensor<32x2048xbf16, #y>
}
