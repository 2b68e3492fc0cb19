#dram = #ttnn.buffer_type<dram>
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  16x32,  32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, 4)], dram_bank_to_logical_worker_noc1 = [(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, 4)]}], [0], [1 : i32], [ 0x0x0x0]>
#system_memory = #ttnn.buffer_type<system_memory>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 25088 + d1 * 25088 + d2, d3), <1x1>, memref<784x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 + d2, d3), <1x1>, memref<16384x1xbf16, #system_memory>>
#ttnn_layout2 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 3 + d2, d3), <1x1>, memref<12288x3xbf16, #system_memory>>
#ttnn_layout3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 + d2, d3), <1x1>, memref<16384x1xbf16, #system_memory>>
#ttnn_layout4 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 25088 + d1 * 25088 + d2, d3), <1x1>, memref<784x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  ttcore.device_module {
    builtin.module attributes {ttcore.system_desc = #system_desc} {
      func.func @forward(%arg0: tensor<1x1x25088x256xbf16, #ttnn_layout> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "x"}, %arg1: tensor<64x256x1x1xbf16, #ttnn_layout1> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "conv1"}, %arg2: tensor<64x64x3x3xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "conv2"}, %arg3: tensor<256x64x1x1xbf16, #ttnn_layout3> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "conv3"}) -> tensor<1x1x25088x256xbf16, #ttnn_layout> attributes {tt.function_type = "forward_device"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.conv2d"(%arg0, %arg1, %0) <{batch_size = 8 : i32, compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 256 : i32, input_height = 56 : i32, input_width = 56 : i32, kernel_size = array<i32: 1, 1>, out_channels = 64 : i32, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x25088x256xbf16, #ttnn_layout>, tensor<64x256x1x1xbf16, #ttnn_layout1>, !ttnn.device) -> tensor<1x1x25088x64xbf16, #ttnn_layout4>
        "ttnn.deallocate"(%arg1) <{force = false}> : (tensor<64x256x1x1xbf16, #ttnn_layout1>) -> ()
        %2 = "ttnn.relu"(%1) : (tensor<1x1x25088x64xbf16, #ttnn_layout4>) -> tensor<1x1x25088x64xbf16, #ttnn_layout4>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<1x1x25088x64xbf16, #ttnn_layout4>) -> ()
        %3 = "ttnn.conv2d"(%2, %arg2, %0) <{batch_size = 8 : i32, compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 56 : i32, input_width = 56 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x25088x64xbf16, #ttnn_layout4>, tensor<64x64x3x3xbf16, #ttnn_layout2>, !ttnn.device) -> tensor<1x1x25088x64xbf16, #ttnn_layout4>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<1x1x25088x64xbf16, #ttnn_layout4>) -> ()
        "ttnn.deallocate"(%arg2) <{force = false}> : (tensor<64x64x3x3xbf16, #ttnn_layout2>) -> ()
        %4 = "ttnn.relu"(%3) : (tensor<1x1x25088x64xbf16, #ttnn_layout4>) -> tensor<1x1x25088x64xbf16, #ttnn_layout4>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<1x1x25088x64xbf16, #ttnn_layout4>) -> ()
        %5 = "ttnn.conv2d"(%4, %arg3, %0) <{batch_size = 8 : i32, compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, conv2d_config = #ttnn.conv2d_config<config_tensors_in_dram = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 56 : i32, input_width = 56 : i32, kernel_size = array<i32: 1, 1>, out_channels = 256 : i32, padding = array<i32: 0, 0, 0, 0>, stride = array<i32: 1, 1>}> : (tensor<1x1x25088x64xbf16, #ttnn_layout4>, tensor<256x64x1x1xbf16, #ttnn_layout3>, !ttnn.device) -> tensor<1x1x25088x256xbf16, #ttnn_layout>
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<1x1x25088x64xbf16, #ttnn_layout4>) -> ()
        "ttnn.deallocate"(%arg3) <{force = false}> : (tensor<256x64x1x1xbf16, #ttnn_layout3>) -> ()
        %6 = "ttnn.add"(%5, %arg0) : (tensor<1x1x25088x256xbf16, #ttnn_layout>, tensor<1x1x25088x256xbf16, #ttnn_layout>) -> tensor<1x1x25088x256xbf16, #ttnn_layout>
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<1x1x25088x256xbf16, #ttnn_layout>) -> ()
        "ttnn.deallocate"(%arg0) <{force = false}> : (tensor<1x1x25088x256xbf16, #ttnn_layout>) -> ()
        %7 = "ttnn.relu"(%6) : (tensor<1x1x25088x256xbf16, #ttnn_layout>) -> tensor<1x1x25088x256xbf16, #ttnn_layout>
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<1x1x25088x256xbf16, #ttnn_layout>) -> ()
        return %7 : tensor<1x1x25088x256xbf16, #ttnn_layout>
      }
    }
  }
}

