// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// Attributes of ttnn that stand alone; facts/ir 1.2 and 1.3 have the syntax.

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>

// CHECK: "test.enums"()
"test.enums"() {
  // CHECK-SAME: a = #ttnn.layout<tile>, b = #ttnn.layout<row_major>, c = #ttnn.layout<invalid>
  a = #ttnn.layout<tile>, b = #ttnn.layout<row_major>, c = #ttnn.layout<invalid>,
  // CHECK-SAME: d = #ttnn.tensor_memory_layout<nd_sharded>
  d = #ttnn.tensor_memory_layout<nd_sharded>,
  // CHECK-SAME: e = #ttnn.shard_orientation<col_major>
  e = #ttnn.shard_orientation<col_major>,
  // CHECK-SAME: f = #l1_small, g = #trace
  f = #ttnn.buffer_type<l1_small>, g = #ttnn.buffer_type<trace>,
  // CHECK-SAME: h = #ttnn.math_fidelity<lofi>
  h = #ttnn.math_fidelity<lofi>
} : () -> ()

// CHECK: "test.shapes"()
"test.shapes"() {
  // CHECK-SAME: a = #ttnn.shape<1x12x64x64>, b = #ttnn.shape<>, c = #ttnn.shape<0x7>
  a = #ttnn.shape<1x12x64x64>, b = #ttnn.shape<>, c = #ttnn.shape<0x7>,
  // CHECK-SAME: d = #ttnn<mesh_offset 0x0>, e = #ttnn<mesh_shape 1x2>
  d = #ttnn<mesh_offset 0x0>, e = #ttnn<mesh_shape 1x2>,
  // CHECK-SAME: f = #ttnn.core_coord<8, 2>, g = #ttnn.core_range<(1,1), (3,4)>
  f = #ttnn.core_coord<8, 2>, g = #ttnn.core_range<( 1, 1 ), ( 3, 4 )>,
  // CHECK-SAME: h = #ttnn.core_range_set<>, i = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,1)>, #ttnn.core_range<(0,2), (2,2)>]>
  h = #ttnn.core_range_set<>, i = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (7,1)>, <(0,2), (2,2)>]>
} : () -> ()

// CHECK: "test.memory"()
"test.memory"() {
  // CHECK-SAME: a = #ttnn.memory_config<#dram, <interleaved>>
  a = #ttnn.memory_config<#dram, <interleaved>>,
  // CHECK-SAME: b = #ttnn.memory_config<#l1, <block_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (0,0)>]>, <32x32>, <row_major>>>
  b = #ttnn.memory_config<#l1, <block_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (0,0)>]>, <32x32>, <row_major>>>,
  // CHECK-SAME: c = #ttnn.memory_config<#system_memory>
  c = #ttnn.memory_config<#ttnn.buffer_type<system_memory>>,
  // CHECK-SAME: d = #ttnn.memory_config<#l1, <nd_sharded>, ndShardSpec = #ttnn.nd_shard_spec<<1x32x32>>>
  d = #ttnn.memory_config<#l1, <nd_sharded>, ndShardSpec = #ttnn.nd_shard_spec<<1x32x32>>>
} : () -> ()

// CHECK: "test.conv"()
"test.conv"() {
  // Every key, given in another order than the one that is written.
  // CHECK-SAME: a = #ttnn.conv2d_config<weights_dtype = bf16, activation = <op_type = relu>, deallocate_activation = true, reallocate_halo_output = true, act_block_h_override = 64, act_block_w_div = 1, reshard_if_not_optimal = false, override_sharding_config = false, shard_layout = height_sharded, core_grid = #ttnn.core_range_set<>, transpose_shards = true, output_layout = row_major, enable_act_double_buffer = false, enable_weights_double_buffer = false, enable_kernel_stride_folding = false, config_tensors_in_dram = true>
  a = #ttnn.conv2d_config<config_tensors_in_dram = true, weights_dtype = bf16, activation = #ttnn.unary_with_param<op_type = relu>, reallocate_halo_output = true, deallocate_activation = true, act_block_h_override = 64, act_block_w_div = 1, reshard_if_not_optimal = false, override_sharding_config = false, shard_layout = height_sharded, core_grid = #ttnn.core_range_set<>, transpose_shards = true, output_layout = row_major, enable_act_double_buffer = false, enable_weights_double_buffer = false, enable_kernel_stride_folding = false>,
  // CHECK-SAME: b = #ttnn.conv2d_config<>
  b = #ttnn.conv2d_config<>,
  // CHECK-SAME: c = #ttnn.conv2d_slice_config<l1_full, 0>, d = #ttnn.conv2d_slice_config<dram_width, 4>, e = #ttnn.conv2d_slice_config<dram_height, 2>
  c = #ttnn.conv2d_slice_config<l1_full, 0>, d = #ttnn.conv2d_slice_config<dram_width, 4>, e = #ttnn.conv2d_slice_config<dram_height, 2>,
  // CHECK-SAME: f = #ttnn.conv3d_config<weights_dtype = bf16, t_out_block = 1, w_out_block = 4, h_out_block = 8, c_out_block = 128, c_in_block = 64, compute_with_storage_grid_size = #ttcore.grid<8x8>>
  f = #ttnn.conv3d_config<weights_dtype = bf16, t_out_block = 1, w_out_block = 4, h_out_block = 8, c_out_block = 128, c_in_block = 64, compute_with_storage_grid_size = #ttcore.grid<8x8>>
} : () -> ()

// CHECK: "test.compute"()
"test.compute"() {
  // CHECK-SAME: a = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true, dst_full_sync_en = false>
  a = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true, dst_full_sync_en = false>,
  // CHECK-SAME: b = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, c = #ttnn.device_compute_kernel_config<>
  b = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, c = #ttnn.device_compute_kernel_config<>,
  // CHECK-SAME: d = #ttnn.unary_with_param<op_type = silu, params = [1.000000e+00 : f32]>
  d = #ttnn.unary_with_param<op_type = silu, params = [1.0 : f32]>
} : () -> ()

// CHECK: "test.matmul"()
"test.matmul"() {
  // CHECK-SAME: a = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 2, out_subblock_h = 1, out_subblock_w = 4, per_core_m = 2, per_core_n = 4>
  a = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = <8, 8>, in0_block_w = 2, out_subblock_h = 1, out_subblock_w = 4, per_core_m = 2, per_core_n = 4>,
  // CHECK-SAME: b = #ttnn.matmul_multi_core_reuse_multi_cast_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 16, out_subblock_h = 2, out_subblock_w = 4, out_block_h = 2, out_block_w = 4, per_core_m = 2, per_core_n = 4, transpose_mcast = true, fused_activation = #ttnn.unary_with_param<op_type = relu>, fuse_batch = true>
  b = #ttnn.matmul_multi_core_reuse_multi_cast_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 16, out_subblock_h = 2, out_subblock_w = 4, out_block_h = 2, out_block_w = 4, per_core_m = 2, per_core_n = 4, transpose_mcast = true, fused_activation = #ttnn.unary_with_param<op_type = relu>, fuse_batch = true>,
  // CHECK-SAME: c = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 6, out_block_h = 1, out_block_w = 6, per_core_m = 1, per_core_n = 6, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = silu, params = [1.000000e+00 : f32]>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>
  c = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 6, out_block_h = 1, out_block_w = 6, per_core_m = 1, per_core_n = 6, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = silu, params = [1.0 : f32]>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>,
  // CHECK-SAME: d = #ttnn.matmul_multi_core_reuse_multi_cast_dram_sharded_program_config<in0_block_w = 1, per_core_m = 1, per_core_n = 5>
  d = #ttnn.matmul_multi_core_reuse_multi_cast_dram_sharded_program_config<in0_block_w = 1, per_core_m = 1, per_core_n = 5>
} : () -> ()

// CHECK: "test.programs"()
"test.programs"() {
  // CHECK-SAME: a = #ttnn.sdpa_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, sub_core_grids = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (3,3)>]>, q_chunk_size = 32, k_chunk_size = 64, exp_approx_mode = false, max_cores_per_head_batch = 16>
  a = #ttnn.sdpa_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, sub_core_grids = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (3,3)>]>, q_chunk_size = 32, k_chunk_size = 64, exp_approx_mode = false, max_cores_per_head_batch = 16>,
  // CHECK-SAME: b = #ttnn.sdpa_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 4>, q_chunk_size = 0, k_chunk_size = 0>
  b = #ttnn.sdpa_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 4>, q_chunk_size = 0, k_chunk_size = 0>,
  // CHECK-SAME: c = #ttnn.layernorm_sharded_multicore_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, subblock_w = 2, block_h = 1, block_w = 4, inplace = false>
  c = #ttnn.layernorm_sharded_multicore_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, subblock_w = 2, block_h = 1, block_w = 4, inplace = false>
} : () -> ()

// CHECK: "test.device"() : () -> !ttnn.device
%0 = "test.device"() : () -> !ttnn.device
