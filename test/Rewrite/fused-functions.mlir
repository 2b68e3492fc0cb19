// What a program config fuses is part of the product: who drops the config, or takes the product for no more than that, would drop the function.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x49x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_196x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<7x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @turned(
// CHECK: fused_activation = #ttnn.unary_with_param<op_type = relu>
func.func @turned(%x: tensor<64x64xbf16, #bf16_64x64>, %w: tensor<64x64xbf16, #bf16_64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x64xbf16, #bf16_64x64> {
  %a = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = true, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<2, 1>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 2, out_block_w = 1, per_core_m = 2, per_core_n = 1, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = relu>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>}> : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %a : tensor<64x64xbf16, #bf16_64x64>
}

// CHECK-LABEL: func.func @biased(
// CHECK: fused_activation = #ttnn.unary_with_param<op_type = relu>
// CHECK: "ttnn.add"
func.func @biased(%x: tensor<64x64xbf16, #bf16_64x64>, %w: tensor<64x64xbf16, #bf16_64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<64xbf16, #bf16_64>) -> tensor<64x64xbf16, #bf16_64x64> {
  %a = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<2, 1>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 2, out_block_w = 1, per_core_m = 2, per_core_n = 1, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = relu>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>}> : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %c = "ttnn.add"(%a, %b) : (tensor<64x64xbf16, #bf16_64x64>, tensor<64xbf16, #bf16_64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %c : tensor<64x64xbf16, #bf16_64x64>
}

// CHECK-LABEL: func.func @batches(
// CHECK: fused_activation = #ttnn.unary_with_param<op_type = relu>
func.func @batches(%x: tensor<4x49x64xbf16, #bf16_4x49x64>, %w: tensor<64x64xbf16, #bf16_64x64>) -> tensor<4x49x64xbf16, #bf16_4x49x64> {
  %r = "ttnn.reshape"(%x) <{shape = [196 : i32, 64 : i32]}> : (tensor<4x49x64xbf16, #bf16_4x49x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %a = "ttnn.matmul"(%r, %w) <{transpose_a = false, transpose_b = false, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<2, 1>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 7, out_block_w = 1, per_core_m = 7, per_core_n = 1, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = relu>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>}> : (tensor<196x64xbf16, #bf16_196x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<196x64xbf16, #bf16_196x64>
  %c = "ttnn.reshape"(%a) <{shape = [4 : i32, 49 : i32, 64 : i32]}> : (tensor<196x64xbf16, #bf16_196x64>) -> tensor<4x49x64xbf16, #bf16_4x49x64>
  return %c : tensor<4x49x64xbf16, #bf16_4x49x64>
}

// Scores that are not below 0 are no product any more.
// CHECK-LABEL: func.func @scores(
// CHECK-NOT: scaled_dot_product_attention
// CHECK: return
func.func @scores(%q: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %k: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %v: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64> {
  %s = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = true, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<2, 1>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 2, out_block_w = 1, per_core_m = 2, per_core_n = 1, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = relu>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>}> : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %p = "ttnn.softmax"(%s) <{dimension = 3 : si32, numericStable = true}> : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %y = "ttnn.matmul"(%p, %v) <{transpose_a = false, transpose_b = false}> : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  return %y : tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
}

