// A program config that fuses an activation may be all that says so. Whichever config takes its place fuses it, too.
// RUN: tessera optimize -q %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tessera optimize -q %s -o - --policy beam | FileCheck %s
// RUN: tessera verify %s %t.mlir
#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<32x1024xbf16, #x>, %w: tensor<1024x2048xbf16, #w>) -> tensor<32x2048xbf16, #y> {
    // Eight cores, one tile of K at a time: there are faster ways.
    // CHECK: "ttnn.matmul"
    // CHECK-NOT: per_core_n = 8
    // CHECK-SAME: op_type = silu
    %0 = "ttnn.matmul"(%x, %w) <{matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 1>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 8, per_core_m = 1, per_core_n = 8, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = silu>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> : (tensor<32x1024xbf16, #x>, tensor<1024x2048xbf16, #w>) -> tensor<32x2048xbf16, #y>
    return %0 : tensor<32x2048xbf16, #y>
  }
}
