// An activation with parameters stands in a program config alone: the op itself has a name for it and no more. So where no config that fuses it fits,
// there is no plan; one without a config had the activation without its slope.
// RUN: not tessera optimize -q %s -o - 2>&1 | FileCheck %s
// CHECK: error: 'main' does not fit into L1
// CHECK-NOT: activation = "leaky_relu"

#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 1024 + d1, d2), <1x1>, memref<96x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @main(%x: tensor<3x1024x1024xbf16, #x>, %w: tensor<3x1024x1024xbf16, #x>) -> tensor<3x1024x1024xbf16, #x> {
  %0 = "ttnn.matmul"(%x, %w) <{matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<2, 1>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 32, out_block_w = 32, per_core_m = 32, per_core_n = 32, fuse_batch = false, fused_activation = #ttnn.unary_with_param<op_type = leaky_relu, params = [0.5 : f32]>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> : (tensor<3x1024x1024xbf16, #x>, tensor<3x1024x1024xbf16, #x>) -> tensor<3x1024x1024xbf16, #x>
  return %0 : tensor<3x1024x1024xbf16, #x>
}
