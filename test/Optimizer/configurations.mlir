// With the memory layout analysis off every layout stays, and each op still gets its fastest configuration.

// RUN: tessera-opt --ttnn-optimizer=backend-version=pinned %s | FileCheck %s
// RUN: tessera optimize %s --policy configurations --backend-version pinned -q -o - | FileCheck %s
// CHECK: "ttnn.conv2d"({{.*}}act_block_h_override = {{(64|32)}}{{.*}} : (tensor<1x1x6272x64xbf16, #[[DRAM:ttnn_layout[0-9]*]]>, {{.*}} -> tensor<1x1x6272x64xbf16, #[[DRAM]]>
// CHECK: "ttnn.matmul"({{.*}}matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config{{.*}} -> tensor<32x2048xbf16, #[[SHARDS:ttnn_layout[0-9]*]]>
// CHECK: return %{{.*}}, %{{.*}} : tensor<1x1x6272x64xbf16, #[[DRAM]]>, tensor<32x2048xbf16, #[[SHARDS]]>

// Policy declared changes nothing at all.
// RUN: tessera optimize %s --policy declared -q -o - | FileCheck %s --check-prefix=DECLARED
// DECLARED-NOT: act_block_h_override
// DECLARED-NOT: matmul_program_config

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#system_memory = #ttnn.buffer_type<system_memory>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 6272 + d1 * 6272 + d2, d3), <1x1>, memref<196x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 3 + d2, d3), <1x1>, memref<12288x3xbf16, #system_memory>>
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#b = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#c = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x64>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
func.func @forward(%x: tensor<1x1x6272x64xbf16, #x>, %w: tensor<64x64x3x3xbf16, #w>, %a: tensor<32x2048xbf16, #a>, %b: tensor<2048x2048xbf16, #b>) -> (tensor<1x1x6272x64xbf16, #x>, tensor<32x2048xbf16, #c>) {
  %device = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w, %device) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 56 : i32, input_width = 56 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x6272x64xbf16, #x>, tensor<64x64x3x3xbf16, #w>, !ttnn.device) -> tensor<1x1x6272x64xbf16, #x>
  %1 = "ttnn.matmul"(%a, %b) <{transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16, #a>, tensor<2048x2048xbf16, #b>) -> tensor<32x2048xbf16, #c>
  return %0, %1 : tensor<1x1x6272x64xbf16, #x>, tensor<32x2048xbf16, #c>
}
