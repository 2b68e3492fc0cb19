#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  16x32,  32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, 4)], dram_bank_to_logical_worker_noc1 = [(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, 4)]}], [0], [1 : i32], [ 0x0x0x0]>
#system_memory = #ttnn.buffer_type<system_memory>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout2 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x768xbf16, #system_memory>>
#ttnn_layout3 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x72x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout4 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x768xbf16, #dram>, <interleaved>>
#ttnn_layout5 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout6 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x512xsi32, #system_memory>>
#ttnn_layout7 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x768xbf16, #system_memory>>
#ttnn_layout8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<96x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout9 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x512xsi32, #dram>, <interleaved>>
#ttnn_layout10 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x16x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#ttnn_layout11 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x16x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#ttnn_layout12 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x12x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#ttnn_layout13 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x12x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#ttnn_layout14 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x384xui32, #dram>, <interleaved>>
#ttnn_layout15 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x768xbf16, #dram>, <interleaved>>
#ttnn_layout16 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<12x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout17 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<768x768xbf16, #system_memory>>
#ttnn_layout18 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<24x24x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#ttnn_layout19 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<768x768xbf16, #dram>, <interleaved>>
#ttnn_layout20 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<24x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout21 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x24x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#ttnn_layout22 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<24x72x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout23 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3072x768xbf16, #system_memory>>
#ttnn_layout24 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<24x96x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout25 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3072x768xbf16, #dram>, <interleaved>>
#ttnn_layout26 = #ttnn.ttnn_layout<() -> (0, 0), <1x1>, memref<1x1xbf16, #system_memory>>
#ttnn_layout27 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout28 = #ttnn.ttnn_layout<() -> (0, 0), <1x1>, memref<1x1xbf16, #dram>, <interleaved>>
#ttnn_layout29 = #ttnn.ttnn_layout<() -> (0, 0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout30 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<768x3072xbf16, #system_memory>>
#ttnn_layout31 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<768x3072xbf16, #dram>, <interleaved>>
#ttnn_layout32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32000x768xbf16, #system_memory>>
#ttnn_layout33 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32000x768xbf16, #dram>, <interleaved>>
#ttnn_layout34 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x768xbf16, #system_memory>>
#ttnn_layout35 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x768xbf16, #dram>, <interleaved>>
#ttnn_layout36 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x384xsi32, #dram>, <interleaved>>
#ttnn_layout37 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x96x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout38 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 384 + d1, d2), <1x1>, memref<96x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout39 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout40 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x384xui32, #l1>, <interleaved>>
#ttnn_layout41 = #ttnn.ttnn_layout<(d0) -> (0, d0), <8x8>, memref<1x3072xui32, #l1>, <interleaved>>
#ttnn_layout42 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x36864xbf16, #l1>, <interleaved>>
#ttnn_layout43 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x768xbf16, #l1>, <interleaved>>
#ttnn_layout44 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <48x1>, memref<64x768xbf16, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,5)>]>>
#ttnn_layout45 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <48x1>, memref<2x24x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,5)>]>>
#ttnn_layout46 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<12x3x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout47 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 384 + d1, d2), <8x8>, memref<12x3x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout48 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x108x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout49 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 384 + d1, d2), <8x8>, memref<1x108x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout50 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4608 + d1 * 384 + d2, d3), <8x8>, memref<1x36x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout51 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x384xbf16, #l1>, <interleaved>>
#ttnn_layout52 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout53 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <8x8>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout54 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 384 + d1 * 384 + d2, d3), <8x8>, memref<1x18x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout55 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout56 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 384 + d1 * 384 + d2, d3), <48x1>, memref<2x12x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,5)>]>>
#ttnn_layout57 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 384 + d1 * 384 + d2, d3), <48x1>, memref<2x12x!ttcore.tile<32x32, f32>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,5)>]>>
#ttnn_layout58 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4608 + d1 * 384 + d2, d3), <8x8>, memref<1x36x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout59 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 384 + d1 * 384 + d2, d3), <48x1>, memref<2x1x!ttcore.tile<32x32, f32>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,5)>]>>
#ttnn_layout60 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 384 + d1 * 384 + d2, d3), <8x8>, memref<1x2x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout61 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <8x8>, memref<1x1x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout62 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 384 + d1, d2), <8x8>, memref<1x36x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout63 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x36x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<12x12x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout65 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <8x8>, memref<1x3x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout66 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <8x8>, memref<1x3x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout67 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout68 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x24>, memref<1x1x!ttcore.tile<32x32, f32>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,2)>]>>
#ttnn_layout69 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x24>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,2)>]>>
module @SyncTensorsGraph.593 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false, ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>} {
  ttcore.device_module {
    builtin.module @SyncTensorsGraph.593 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false, ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>, ttcore.system_desc = #system_desc, ttnn.l1_const_eval_usage = 1024 : ui64} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, (((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) mod 12, ((((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) floordiv 12) * s4 + ((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) mod s4 + s5), meshShape = 1x1, chipIds = [0]>
      func.func private @main_const_eval_0() -> tensor<1x1x1x1xf32, #ttnn_layout> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.zeros"(%0) <{shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #ttnn_layout>
        return %1 : tensor<1x1x1x1xf32, #ttnn_layout>
      }
      func.func private @main_const_eval_1() -> tensor<1x1x1x1xbf16, #ttnn_layout1> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.full"(%0) <{fill_value = -3.38953139E+38 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #ttnn_layout1>
        return %1 : tensor<1x1x1x1xbf16, #ttnn_layout1>
      }
      func.func private @main_const_eval_2(%arg0: tensor<768xbf16, #ttnn_layout2>, %arg1: tensor<768xbf16, #ttnn_layout2>, %arg2: tensor<768xbf16, #ttnn_layout2>) -> tensor<2304xbf16, #ttnn_layout3> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg2, %0) : (tensor<768xbf16, #ttnn_layout2>, !ttnn.device) -> tensor<768xbf16, #ttnn_layout4>
        %2 = "ttnn.to_layout"(%1) : (tensor<768xbf16, #ttnn_layout4>) -> tensor<768xbf16, #ttnn_layout5>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<768xbf16, #ttnn_layout4>) -> ()
        %3 = "ttnn.to_device"(%arg1, %0) : (tensor<768xbf16, #ttnn_layout2>, !ttnn.device) -> tensor<768xbf16, #ttnn_layout4>
        %4 = "ttnn.to_layout"(%3) : (tensor<768xbf16, #ttnn_layout4>) -> tensor<768xbf16, #ttnn_layout5>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<768xbf16, #ttnn_layout4>) -> ()
        %5 = "ttnn.to_device"(%arg0, %0) : (tensor<768xbf16, #ttnn_layout2>, !ttnn.device) -> tensor<768xbf16, #ttnn_layout4>
        %6 = "ttnn.to_layout"(%5) : (tensor<768xbf16, #ttnn_layout4>) -> tensor<768xbf16, #ttnn_layout5>
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<768xbf16, #ttnn_layout4>) -> ()
        %7 = "ttnn.concat"(%2, %4, %6) <{dim = 0 : si32}> : (tensor<768xbf16, #ttnn_layout5>, tensor<768xbf16, #ttnn_layout5>, tensor<768xbf16, #ttnn_layout5>) -> tensor<2304xbf16, #ttnn_layout3>
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        return %7 : tensor<2304xbf16, #ttnn_layout3>
      }
      func.func private @main_const_eval_3(%arg0: tensor<1x512xsi32, #ttnn_layout6>, %arg1: tensor<512x768xbf16, #ttnn_layout7>) -> tensor<3072x768xbf16, #ttnn_layout8> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<1x512xsi32, #ttnn_layout6>, !ttnn.device) -> tensor<1x512xsi32, #ttnn_layout9>
        %2 = "ttnn.to_layout"(%1) : (tensor<1x512xsi32, #ttnn_layout9>) -> tensor<1x512xsi32, #ttnn_layout10>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<1x512xsi32, #ttnn_layout9>) -> ()
        %3 = "ttnn.reshape"(%2) <{shape = [512 : i32]}> : (tensor<1x512xsi32, #ttnn_layout10>) -> tensor<512xsi32, #ttnn_layout11>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<1x512xsi32, #ttnn_layout10>) -> ()
        %4 = "ttnn.slice_static"(%3) <{begins = [0 : i32], ends = [384 : i32], step = [1 : i32]}> : (tensor<512xsi32, #ttnn_layout11>) -> tensor<384xsi32, #ttnn_layout12>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<512xsi32, #ttnn_layout11>) -> ()
        %5 = "ttnn.typecast"(%4) : (tensor<384xsi32, #ttnn_layout12>) -> tensor<384xui32, #ttnn_layout13>
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<384xsi32, #ttnn_layout12>) -> ()
        %6 = "ttnn.to_layout"(%5) : (tensor<384xui32, #ttnn_layout13>) -> tensor<384xui32, #ttnn_layout14>
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<384xui32, #ttnn_layout13>) -> ()
        %7 = "ttnn.to_device"(%arg1, %0) : (tensor<512x768xbf16, #ttnn_layout7>, !ttnn.device) -> tensor<512x768xbf16, #ttnn_layout15>
        %8 = "ttnn.embedding"(%6, %7) : (tensor<384xui32, #ttnn_layout14>, tensor<512x768xbf16, #ttnn_layout15>) -> tensor<384x768xbf16, #ttnn_layout16>
        "ttnn.deallocate"(%7) <{force = false}> : (tensor<512x768xbf16, #ttnn_layout15>) -> ()
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<384xui32, #ttnn_layout14>) -> ()
        %9 = "ttnn.repeat"(%8) <{repeat_dims = #ttnn.shape<8x1>}> : (tensor<384x768xbf16, #ttnn_layout16>) -> tensor<3072x768xbf16, #ttnn_layout8>
        "ttnn.deallocate"(%8) <{force = false}> : (tensor<384x768xbf16, #ttnn_layout16>) -> ()
        return %9 : tensor<3072x768xbf16, #ttnn_layout8>
      }
      func.func private @main_const_eval_4(%arg0: tensor<768x768xbf16, #ttnn_layout17>) -> tensor<768x768xf32, #ttnn_layout18> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<768x768xbf16, #ttnn_layout17>, !ttnn.device) -> tensor<768x768xbf16, #ttnn_layout19>
        %2 = "ttnn.to_layout"(%1) : (tensor<768x768xbf16, #ttnn_layout19>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout19>) -> ()
        %3 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<768x768xbf16, #ttnn_layout20>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        %4 = "ttnn.typecast"(%3) : (tensor<768x768xbf16, #ttnn_layout20>) -> tensor<768x768xf32, #ttnn_layout18>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        return %4 : tensor<768x768xf32, #ttnn_layout18>
      }
      func.func private @main_const_eval_5(%arg0: tensor<768xbf16, #ttnn_layout2>) -> tensor<768xf32, #ttnn_layout21> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<768xbf16, #ttnn_layout2>, !ttnn.device) -> tensor<768xbf16, #ttnn_layout4>
        %2 = "ttnn.to_layout"(%1) : (tensor<768xbf16, #ttnn_layout4>) -> tensor<768xbf16, #ttnn_layout5>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<768xbf16, #ttnn_layout4>) -> ()
        %3 = "ttnn.typecast"(%2) : (tensor<768xbf16, #ttnn_layout5>) -> tensor<768xf32, #ttnn_layout21>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        return %3 : tensor<768xf32, #ttnn_layout21>
      }
      func.func private @main_const_eval_6(%arg0: tensor<768x768xbf16, #ttnn_layout17>) -> tensor<768x768xbf16, #ttnn_layout20> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<768x768xbf16, #ttnn_layout17>, !ttnn.device) -> tensor<768x768xbf16, #ttnn_layout19>
        %2 = "ttnn.to_layout"(%1) : (tensor<768x768xbf16, #ttnn_layout19>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout19>) -> ()
        %3 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<768x768xbf16, #ttnn_layout20>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        return %3 : tensor<768x768xbf16, #ttnn_layout20>
      }
      func.func private @main_const_eval_7(%arg0: tensor<768x768xbf16, #ttnn_layout17>, %arg1: tensor<768x768xbf16, #ttnn_layout17>, %arg2: tensor<768x768xbf16, #ttnn_layout17>) -> tensor<768x2304xbf16, #ttnn_layout22> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg2, %0) : (tensor<768x768xbf16, #ttnn_layout17>, !ttnn.device) -> tensor<768x768xbf16, #ttnn_layout19>
        %2 = "ttnn.to_layout"(%1) : (tensor<768x768xbf16, #ttnn_layout19>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout19>) -> ()
        %3 = "ttnn.to_device"(%arg1, %0) : (tensor<768x768xbf16, #ttnn_layout17>, !ttnn.device) -> tensor<768x768xbf16, #ttnn_layout19>
        %4 = "ttnn.to_layout"(%3) : (tensor<768x768xbf16, #ttnn_layout19>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout19>) -> ()
        %5 = "ttnn.to_device"(%arg0, %0) : (tensor<768x768xbf16, #ttnn_layout17>, !ttnn.device) -> tensor<768x768xbf16, #ttnn_layout19>
        %6 = "ttnn.to_layout"(%5) : (tensor<768x768xbf16, #ttnn_layout19>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout19>) -> ()
        %7 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<768x768xbf16, #ttnn_layout20>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        %8 = "ttnn.permute"(%4) <{permutation = array<i64: 1, 0>}> : (tensor<768x768xbf16, #ttnn_layout20>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        %9 = "ttnn.permute"(%6) <{permutation = array<i64: 1, 0>}> : (tensor<768x768xbf16, #ttnn_layout20>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        %10 = "ttnn.concat"(%7, %8, %9) <{dim = 1 : si32}> : (tensor<768x768xbf16, #ttnn_layout20>, tensor<768x768xbf16, #ttnn_layout20>, tensor<768x768xbf16, #ttnn_layout20>) -> tensor<768x2304xbf16, #ttnn_layout22>
        "ttnn.deallocate"(%9) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        "ttnn.deallocate"(%8) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        "ttnn.deallocate"(%7) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        return %10 : tensor<768x2304xbf16, #ttnn_layout22>
      }
      func.func private @main_const_eval_8() -> tensor<1x1x1x1xf32, #ttnn_layout> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.full"(%0) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #ttnn_layout>
        return %1 : tensor<1x1x1x1xf32, #ttnn_layout>
      }
      func.func private @main_const_eval_9() -> tensor<1x1x1x1xbf16, #ttnn_layout1> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.full"(%0) <{fill_value = 0.000000e+00 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #ttnn_layout1>
        return %1 : tensor<1x1x1x1xbf16, #ttnn_layout1>
      }
      func.func private @main_const_eval_10(%arg0: tensor<3072x768xbf16, #ttnn_layout23>) -> tensor<768x3072xbf16, #ttnn_layout24> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<3072x768xbf16, #ttnn_layout23>, !ttnn.device) -> tensor<3072x768xbf16, #ttnn_layout25>
        %2 = "ttnn.to_layout"(%1) : (tensor<3072x768xbf16, #ttnn_layout25>) -> tensor<3072x768xbf16, #ttnn_layout8>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout25>) -> ()
        %3 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<3072x768xbf16, #ttnn_layout8>) -> tensor<768x3072xbf16, #ttnn_layout24>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout8>) -> ()
        return %3 : tensor<768x3072xbf16, #ttnn_layout24>
      }
      func.func private @main_const_eval_11(%arg0: tensor<bf16, #ttnn_layout26>) -> tensor<1x1xbf16, #ttnn_layout27> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<bf16, #ttnn_layout26>, !ttnn.device) -> tensor<bf16, #ttnn_layout28>
        %2 = "ttnn.to_layout"(%1) : (tensor<bf16, #ttnn_layout28>) -> tensor<bf16, #ttnn_layout29>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<bf16, #ttnn_layout28>) -> ()
        %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 1 : i32]}> : (tensor<bf16, #ttnn_layout29>) -> tensor<1x1xbf16, #ttnn_layout27>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<bf16, #ttnn_layout29>) -> ()
        return %3 : tensor<1x1xbf16, #ttnn_layout27>
      }
      func.func private @main_const_eval_12(%arg0: tensor<768x3072xbf16, #ttnn_layout30>) -> tensor<3072x768xbf16, #ttnn_layout8> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<768x3072xbf16, #ttnn_layout30>, !ttnn.device) -> tensor<768x3072xbf16, #ttnn_layout31>
        %2 = "ttnn.to_layout"(%1) : (tensor<768x3072xbf16, #ttnn_layout31>) -> tensor<768x3072xbf16, #ttnn_layout24>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<768x3072xbf16, #ttnn_layout31>) -> ()
        %3 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<768x3072xbf16, #ttnn_layout24>) -> tensor<3072x768xbf16, #ttnn_layout8>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<768x3072xbf16, #ttnn_layout24>) -> ()
        return %3 : tensor<3072x768xbf16, #ttnn_layout8>
      }
      func.func private @main_const_eval_13(%arg0: tensor<32000x768xbf16, #ttnn_layout32>) -> tensor<32000x768xbf16, #ttnn_layout33> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<32000x768xbf16, #ttnn_layout32>, !ttnn.device) -> tensor<32000x768xbf16, #ttnn_layout33>
        return %1 : tensor<32000x768xbf16, #ttnn_layout33>
      }
      func.func private @main_const_eval_14(%arg0: tensor<2x768xbf16, #ttnn_layout34>) -> tensor<2x768xbf16, #ttnn_layout35> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<2x768xbf16, #ttnn_layout34>, !ttnn.device) -> tensor<2x768xbf16, #ttnn_layout35>
        return %1 : tensor<2x768xbf16, #ttnn_layout35>
      }
      func.func @main(%arg0: tensor<768xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.output.LayerNorm.bias"}, %arg1: tensor<768xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.output.LayerNorm.weight"}, %arg2: tensor<768xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.output.LayerNorm.bias"}, %arg3: tensor<768xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.output.LayerNorm.weight"}, %arg4: tensor<768xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "embeddings.LayerNorm.bias"}, %arg5: tensor<768xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "embeddings.LayerNorm.weight"}, %arg6: tensor<1x512xsi32, #ttnn_layout6> {ttcore.argument_type = #ttcore.argument_type<constant>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<1x512xi64>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "embeddings.position_ids"}, %arg7: tensor<512x768xbf16, #ttnn_layout7> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<512x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "embeddings.position_embeddings.weight"}, %arg8: tensor<8x384xsi32, #ttnn_layout36> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<8x384xi64>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "args_1"}, %arg9: tensor<2x768xbf16, #ttnn_layout34> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<2x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "embeddings.token_type_embeddings.weight"}, %arg10: tensor<8x384xsi32, #ttnn_layout36> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<8x384xi64>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "args_0"}, %arg11: tensor<32000x768xbf16, #ttnn_layout32> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32000x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "embeddings.word_embeddings.weight"}, %arg12: tensor<768xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.output.dense.bias"}, %arg13: tensor<768x768xbf16, #ttnn_layout17> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.output.dense.weight"}, %arg14: tensor<768xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.self.value.bias"}, %arg15: tensor<768x768xbf16, #ttnn_layout17> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.self.value.weight"}, %arg16: tensor<8x384xsi32, #ttnn_layout36> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<8x384xi64>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "args_2"}, %arg17: tensor<bf16, #ttnn_layout26> {ttcore.argument_type = #ttcore.argument_type<constant>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<bf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "lifted_tensor_0"}, %arg18: tensor<768xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.self.key.bias"}, %arg19: tensor<768x768xbf16, #ttnn_layout17> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.self.key.weight"}, %arg20: tensor<768xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.self.query.bias"}, %arg21: tensor<768x768xbf16, #ttnn_layout17> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.attention.self.query.weight"}, %arg22: tensor<768xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.output.dense.bias"}, %arg23: tensor<768x3072xbf16, #ttnn_layout30> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768x3072xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.output.dense.weight"}, %arg24: tensor<3072xbf16, #ttnn_layout37> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<3072xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.intermediate.dense.bias"}, %arg25: tensor<3072x768xbf16, #ttnn_layout23> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<3072x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "encoder.layer.0.intermediate.dense.weight"}, %arg26: tensor<768xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "pooler.dense.bias"}, %arg27: tensor<768x768xbf16, #ttnn_layout17> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<768x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "pooler.dense.weight"}) -> (tensor<8x384x768xbf16, #ttnn_layout38> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<8x384x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<presharded>}, tensor<8x768xbf16, #ttnn_layout39> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<8x768xbf16>>, ttcore.shard_status = #ttcore.shard_status<presharded>}) attributes {tt.function_type = "forward_device"} {
        %0 = ttcore.load_cached(@main_const_eval_0, []) : () -> tensor<1x1x1x1xf32, #ttnn_layout>
        %1 = ttcore.load_cached(@main_const_eval_6, [%arg13]) : (tensor<768x768xbf16, #ttnn_layout17>) -> tensor<768x768xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%arg13) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout17>) -> ()
        %2 = ttcore.load_cached(@main_const_eval_8, []) : () -> tensor<1x1x1x1xf32, #ttnn_layout>
        %3 = ttcore.load_cached(@main_const_eval_11, [%arg17]) : (tensor<bf16, #ttnn_layout26>) -> tensor<1x1xbf16, #ttnn_layout27>
        "ttnn.deallocate"(%arg17) <{force = false}> : (tensor<bf16, #ttnn_layout26>) -> ()
        %4 = ttcore.load_cached(@main_const_eval_13, [%arg11]) : (tensor<32000x768xbf16, #ttnn_layout32>) -> tensor<32000x768xbf16, #ttnn_layout33>
        "ttnn.deallocate"(%arg11) <{force = false}> : (tensor<32000x768xbf16, #ttnn_layout32>) -> ()
        %5 = ttcore.load_cached(@main_const_eval_14, [%arg9]) : (tensor<2x768xbf16, #ttnn_layout34>) -> tensor<2x768xbf16, #ttnn_layout35>
        "ttnn.deallocate"(%arg9) <{force = false}> : (tensor<2x768xbf16, #ttnn_layout34>) -> ()
        %6 = ttcore.load_cached(@main_const_eval_1, []) : () -> tensor<1x1x1x1xbf16, #ttnn_layout1>
        %7 = ttcore.load_cached(@main_const_eval_12, [%arg23]) : (tensor<768x3072xbf16, #ttnn_layout30>) -> tensor<3072x768xbf16, #ttnn_layout8>
        "ttnn.deallocate"(%arg23) <{force = false}> : (tensor<768x3072xbf16, #ttnn_layout30>) -> ()
        %8 = ttcore.load_cached(@main_const_eval_2, [%arg14, %arg18, %arg20]) : (tensor<768xbf16, #ttnn_layout2>, tensor<768xbf16, #ttnn_layout2>, tensor<768xbf16, #ttnn_layout2>) -> tensor<2304xbf16, #ttnn_layout3>
        "ttnn.deallocate"(%arg20) <{force = false}> : (tensor<768xbf16, #ttnn_layout2>) -> ()
        "ttnn.deallocate"(%arg18) <{force = false}> : (tensor<768xbf16, #ttnn_layout2>) -> ()
        "ttnn.deallocate"(%arg14) <{force = false}> : (tensor<768xbf16, #ttnn_layout2>) -> ()
        %9 = ttcore.load_cached(@main_const_eval_4, [%arg27]) : (tensor<768x768xbf16, #ttnn_layout17>) -> tensor<768x768xf32, #ttnn_layout18>
        "ttnn.deallocate"(%arg27) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout17>) -> ()
        %10 = ttcore.load_cached(@main_const_eval_3, [%arg6, %arg7]) : (tensor<1x512xsi32, #ttnn_layout6>, tensor<512x768xbf16, #ttnn_layout7>) -> tensor<3072x768xbf16, #ttnn_layout8>
        "ttnn.deallocate"(%arg7) <{force = false}> : (tensor<512x768xbf16, #ttnn_layout7>) -> ()
        "ttnn.deallocate"(%arg6) <{force = false}> : (tensor<1x512xsi32, #ttnn_layout6>) -> ()
        %11 = ttcore.load_cached(@main_const_eval_7, [%arg15, %arg19, %arg21]) : (tensor<768x768xbf16, #ttnn_layout17>, tensor<768x768xbf16, #ttnn_layout17>, tensor<768x768xbf16, #ttnn_layout17>) -> tensor<768x2304xbf16, #ttnn_layout22>
        "ttnn.deallocate"(%arg21) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout17>) -> ()
        "ttnn.deallocate"(%arg19) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout17>) -> ()
        "ttnn.deallocate"(%arg15) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout17>) -> ()
        %12 = ttcore.load_cached(@main_const_eval_10, [%arg25]) : (tensor<3072x768xbf16, #ttnn_layout23>) -> tensor<768x3072xbf16, #ttnn_layout24>
        "ttnn.deallocate"(%arg25) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout23>) -> ()
        %13 = ttcore.load_cached(@main_const_eval_5, [%arg26]) : (tensor<768xbf16, #ttnn_layout2>) -> tensor<768xf32, #ttnn_layout21>
        "ttnn.deallocate"(%arg26) <{force = false}> : (tensor<768xbf16, #ttnn_layout2>) -> ()
        %14 = ttcore.load_cached(@main_const_eval_9, []) : () -> tensor<1x1x1x1xbf16, #ttnn_layout1>
        %15 = "ttnn.typecast"(%arg10) : (tensor<8x384xsi32, #ttnn_layout36>) -> tensor<8x384xui32, #ttnn_layout40>
        "ttnn.deallocate"(%arg10) <{force = false}> : (tensor<8x384xsi32, #ttnn_layout36>) -> ()
        %16 = "ttnn.reshape"(%15) <{shape = [3072 : i32]}> : (tensor<8x384xui32, #ttnn_layout40>) -> tensor<3072xui32, #ttnn_layout41>
        "ttnn.deallocate"(%15) <{force = false}> : (tensor<8x384xui32, #ttnn_layout40>) -> ()
        %17 = "ttnn.embedding"(%16, %4) : (tensor<3072xui32, #ttnn_layout41>, tensor<32000x768xbf16, #ttnn_layout33>) -> tensor<3072x768xbf16, #ttnn_layout42>
        "ttnn.deallocate"(%16) <{force = false}> : (tensor<3072xui32, #ttnn_layout41>) -> ()
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<32000x768xbf16, #ttnn_layout33>) -> ()
        %18 = "ttnn.typecast"(%arg8) : (tensor<8x384xsi32, #ttnn_layout36>) -> tensor<8x384xui32, #ttnn_layout40>
        "ttnn.deallocate"(%arg8) <{force = false}> : (tensor<8x384xsi32, #ttnn_layout36>) -> ()
        %19 = "ttnn.reshape"(%18) <{shape = [3072 : i32]}> : (tensor<8x384xui32, #ttnn_layout40>) -> tensor<3072xui32, #ttnn_layout41>
        "ttnn.deallocate"(%18) <{force = false}> : (tensor<8x384xui32, #ttnn_layout40>) -> ()
        %20 = "ttnn.to_memory_config"(%5) : (tensor<2x768xbf16, #ttnn_layout35>) -> tensor<2x768xbf16, #ttnn_layout43>
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<2x768xbf16, #ttnn_layout35>) -> ()
        %21 = "ttnn.embedding"(%19, %20) : (tensor<3072xui32, #ttnn_layout41>, tensor<2x768xbf16, #ttnn_layout43>) -> tensor<3072x768xbf16, #ttnn_layout42>
        "ttnn.deallocate"(%20) <{force = false}> : (tensor<2x768xbf16, #ttnn_layout43>) -> ()
        "ttnn.deallocate"(%19) <{force = false}> : (tensor<3072xui32, #ttnn_layout41>) -> ()
        %22 = "ttnn.to_memory_config"(%17) : (tensor<3072x768xbf16, #ttnn_layout42>) -> tensor<3072x768xbf16, #ttnn_layout44>
        "ttnn.deallocate"(%17) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout42>) -> ()
        %23 = "ttnn.to_layout"(%22) : (tensor<3072x768xbf16, #ttnn_layout44>) -> tensor<3072x768xbf16, #ttnn_layout45>
        "ttnn.deallocate"(%22) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout44>) -> ()
        %24 = "ttnn.to_memory_config"(%21) : (tensor<3072x768xbf16, #ttnn_layout42>) -> tensor<3072x768xbf16, #ttnn_layout44>
        "ttnn.deallocate"(%21) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout42>) -> ()
        %25 = "ttnn.to_layout"(%24) : (tensor<3072x768xbf16, #ttnn_layout44>) -> tensor<3072x768xbf16, #ttnn_layout45>
        "ttnn.deallocate"(%24) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout44>) -> ()
        %26 = "ttnn.add"(%23, %25) : (tensor<3072x768xbf16, #ttnn_layout45>, tensor<3072x768xbf16, #ttnn_layout45>) -> tensor<3072x768xbf16, #ttnn_layout45>
        "ttnn.deallocate"(%25) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout45>) -> ()
        "ttnn.deallocate"(%23) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout45>) -> ()
        %27 = "ttnn.add"(%26, %10) : (tensor<3072x768xbf16, #ttnn_layout45>, tensor<3072x768xbf16, #ttnn_layout8>) -> tensor<3072x768xbf16, #ttnn_layout46>
        "ttnn.deallocate"(%26) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout45>) -> ()
        "ttnn.deallocate"(%10) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout8>) -> ()
        %28 = "ttnn.reshape"(%27) <{shape = [8 : i32, 384 : i32, 768 : i32]}> : (tensor<3072x768xbf16, #ttnn_layout46>) -> tensor<8x384x768xbf16, #ttnn_layout47>
        "ttnn.deallocate"(%27) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout46>) -> ()
        %29 = "ttnn.layer_norm"(%28, %arg5, %arg4) <{epsilon = 9.99999996E-13 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x384x768xbf16, #ttnn_layout47>, tensor<768xbf16, #ttnn_layout5>, tensor<768xbf16, #ttnn_layout5>) -> tensor<8x384x768xbf16, #ttnn_layout47>
        "ttnn.deallocate"(%28) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout47>) -> ()
        "ttnn.deallocate"(%arg5) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        "ttnn.deallocate"(%arg4) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        %30 = "ttnn.reshape"(%29) <{shape = [3072 : i32, 768 : i32]}> : (tensor<8x384x768xbf16, #ttnn_layout47>) -> tensor<3072x768xbf16, #ttnn_layout46>
        %31 = "ttnn.linear"(%30, %11, %8) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 3, out_subblock_h = 1, out_subblock_w = 3, out_block_h = 6, out_block_w = 9, per_core_m = 12, per_core_n = 9, transpose_mcast = false, fuse_batch = true>, transpose_a = false, transpose_b = false}> : (tensor<3072x768xbf16, #ttnn_layout46>, tensor<768x2304xbf16, #ttnn_layout22>, tensor<2304xbf16, #ttnn_layout3>) -> tensor<3072x2304xbf16, #ttnn_layout48>
        "ttnn.deallocate"(%30) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout46>) -> ()
        "ttnn.deallocate"(%11) <{force = false}> : (tensor<768x2304xbf16, #ttnn_layout22>) -> ()
        "ttnn.deallocate"(%8) <{force = false}> : (tensor<2304xbf16, #ttnn_layout3>) -> ()
        %32 = "ttnn.reshape"(%31) <{shape = [8 : i32, 384 : i32, 2304 : i32]}> : (tensor<3072x2304xbf16, #ttnn_layout48>) -> tensor<8x384x2304xbf16, #ttnn_layout49>
        "ttnn.deallocate"(%31) <{force = false}> : (tensor<3072x2304xbf16, #ttnn_layout48>) -> ()
        %query, %key, %value = "ttnn.split_query_key_value_and_split_heads"(%32) <{num_heads = 12 : ui32, transpose_key = false}> : (tensor<8x384x2304xbf16, #ttnn_layout49>) -> (tensor<8x12x384x64xbf16, #ttnn_layout50>, tensor<8x12x384x64xbf16, #ttnn_layout50>, tensor<8x12x384x64xbf16, #ttnn_layout50>)
        "ttnn.deallocate"(%32) <{force = false}> : (tensor<8x384x2304xbf16, #ttnn_layout49>) -> ()
        %33 = "ttnn.typecast"(%arg16) : (tensor<8x384xsi32, #ttnn_layout36>) -> tensor<8x384xbf16, #ttnn_layout51>
        "ttnn.deallocate"(%arg16) <{force = false}> : (tensor<8x384xsi32, #ttnn_layout36>) -> ()
        %34 = "ttnn.to_layout"(%33) : (tensor<8x384xbf16, #ttnn_layout51>) -> tensor<8x384xbf16, #ttnn_layout52>
        "ttnn.deallocate"(%33) <{force = false}> : (tensor<8x384xbf16, #ttnn_layout51>) -> ()
        %35 = "ttnn.subtract"(%3, %34) : (tensor<1x1xbf16, #ttnn_layout27>, tensor<8x384xbf16, #ttnn_layout52>) -> tensor<8x384xbf16, #ttnn_layout52>
        "ttnn.deallocate"(%34) <{force = false}> : (tensor<8x384xbf16, #ttnn_layout52>) -> ()
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<1x1xbf16, #ttnn_layout27>) -> ()
        %36 = "ttnn.reshape"(%35) <{shape = [8 : i32, 1 : i32, 1 : i32, 384 : i32]}> : (tensor<8x384xbf16, #ttnn_layout52>) -> tensor<8x1x1x384xbf16, #ttnn_layout53>
        "ttnn.deallocate"(%35) <{force = false}> : (tensor<8x384xbf16, #ttnn_layout52>) -> ()
        %37 = "ttnn.ne"(%36, %14) : (tensor<8x1x1x384xbf16, #ttnn_layout53>, tensor<1x1x1x1xbf16, #ttnn_layout1>) -> tensor<8x1x1x384xbf16, #ttnn_layout53>
        "ttnn.deallocate"(%14) <{force = false}> : (tensor<1x1x1x1xbf16, #ttnn_layout1>) -> ()
        %38 = "ttnn.repeat"(%37) <{repeat_dims = #ttnn.shape<1x1x384x1>}> : (tensor<8x1x1x384xbf16, #ttnn_layout53>) -> tensor<8x1x384x384xbf16, #ttnn_layout54>
        "ttnn.deallocate"(%37) <{force = false}> : (tensor<8x1x1x384xbf16, #ttnn_layout53>) -> ()
        %39 = "ttnn.to_memory_config"(%6) : (tensor<1x1x1x1xbf16, #ttnn_layout1>) -> tensor<1x1x1x1xbf16, #ttnn_layout55>
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<1x1x1x1xbf16, #ttnn_layout1>) -> ()
        %40 = "ttnn.where"(%38, %39, %36) : (tensor<8x1x384x384xbf16, #ttnn_layout54>, tensor<1x1x1x1xbf16, #ttnn_layout55>, tensor<8x1x1x384xbf16, #ttnn_layout53>) -> tensor<8x1x384x384xbf16, #ttnn_layout54>
        "ttnn.deallocate"(%39) <{force = false}> : (tensor<1x1x1x1xbf16, #ttnn_layout55>) -> ()
        "ttnn.deallocate"(%38) <{force = false}> : (tensor<8x1x384x384xbf16, #ttnn_layout54>) -> ()
        "ttnn.deallocate"(%36) <{force = false}> : (tensor<8x1x1x384xbf16, #ttnn_layout53>) -> ()
        %41 = "ttnn.to_memory_config"(%40) : (tensor<8x1x384x384xbf16, #ttnn_layout54>) -> tensor<8x1x384x384xbf16, #ttnn_layout56>
        %42 = "ttnn.typecast"(%41) : (tensor<8x1x384x384xbf16, #ttnn_layout56>) -> tensor<8x1x384x384xf32, #ttnn_layout57>
        "ttnn.deallocate"(%41) <{force = false}> : (tensor<8x1x384x384xbf16, #ttnn_layout56>) -> ()
        %43 = "ttnn.scaled_dot_product_attention"(%query, %key, %value, %40) <{is_causal = false, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, scale = 0.124999993 : f32}> : (tensor<8x12x384x64xbf16, #ttnn_layout50>, tensor<8x12x384x64xbf16, #ttnn_layout50>, tensor<8x12x384x64xbf16, #ttnn_layout50>, tensor<8x1x384x384xbf16, #ttnn_layout54>) -> tensor<8x12x384x64xbf16, #ttnn_layout50>
        "ttnn.deallocate"(%40) <{force = false}> : (tensor<8x1x384x384xbf16, #ttnn_layout54>) -> ()
        "ttnn.deallocate"(%value) <{force = false}> : (tensor<8x12x384x64xbf16, #ttnn_layout50>) -> ()
        "ttnn.deallocate"(%key) <{force = false}> : (tensor<8x12x384x64xbf16, #ttnn_layout50>) -> ()
        "ttnn.deallocate"(%query) <{force = false}> : (tensor<8x12x384x64xbf16, #ttnn_layout50>) -> ()
        %44 = "ttnn.typecast"(%43) : (tensor<8x12x384x64xbf16, #ttnn_layout50>) -> tensor<8x12x384x64xf32, #ttnn_layout58>
        "ttnn.deallocate"(%43) <{force = false}> : (tensor<8x12x384x64xbf16, #ttnn_layout50>) -> ()
        %45 = "ttnn.max"(%42) <{dim_arg = [3 : i32], keep_dim = true}> : (tensor<8x1x384x384xf32, #ttnn_layout57>) -> tensor<8x1x384x1xf32, #ttnn_layout59>
        "ttnn.deallocate"(%42) <{force = false}> : (tensor<8x1x384x384xf32, #ttnn_layout57>) -> ()
        %46 = "ttnn.eq"(%45, %2) : (tensor<8x1x384x1xf32, #ttnn_layout59>, tensor<1x1x1x1xf32, #ttnn_layout>) -> tensor<8x1x384x1xf32, #ttnn_layout60>
        "ttnn.deallocate"(%45) <{force = false}> : (tensor<8x1x384x1xf32, #ttnn_layout59>) -> ()
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<1x1x1x1xf32, #ttnn_layout>) -> ()
        %47 = "ttnn.to_memory_config"(%0) : (tensor<1x1x1x1xf32, #ttnn_layout>) -> tensor<1x1x1x1xf32, #ttnn_layout61>
        "ttnn.deallocate"(%0) <{force = false}> : (tensor<1x1x1x1xf32, #ttnn_layout>) -> ()
        %48 = "ttnn.where"(%46, %47, %44) : (tensor<8x1x384x1xf32, #ttnn_layout60>, tensor<1x1x1x1xf32, #ttnn_layout61>, tensor<8x12x384x64xf32, #ttnn_layout58>) -> tensor<8x12x384x64xf32, #ttnn_layout58>
        "ttnn.deallocate"(%47) <{force = false}> : (tensor<1x1x1x1xf32, #ttnn_layout61>) -> ()
        "ttnn.deallocate"(%46) <{force = false}> : (tensor<8x1x384x1xf32, #ttnn_layout60>) -> ()
        "ttnn.deallocate"(%44) <{force = false}> : (tensor<8x12x384x64xf32, #ttnn_layout58>) -> ()
        %49 = "ttnn.typecast"(%48) : (tensor<8x12x384x64xf32, #ttnn_layout58>) -> tensor<8x12x384x64xbf16, #ttnn_layout50>
        "ttnn.deallocate"(%48) <{force = false}> : (tensor<8x12x384x64xf32, #ttnn_layout58>) -> ()
        %50 = "ttnn.concatenate_heads"(%49) : (tensor<8x12x384x64xbf16, #ttnn_layout50>) -> tensor<8x384x768xbf16, #ttnn_layout62>
        "ttnn.deallocate"(%49) <{force = false}> : (tensor<8x12x384x64xbf16, #ttnn_layout50>) -> ()
        %51 = "ttnn.reshape"(%50) <{shape = [3072 : i32, 768 : i32]}> : (tensor<8x384x768xbf16, #ttnn_layout62>) -> tensor<3072x768xbf16, #ttnn_layout63>
        "ttnn.deallocate"(%50) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout62>) -> ()
        %52 = "ttnn.linear"(%51, %1, %arg12) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 3, out_subblock_h = 1, out_subblock_w = 3, out_block_h = 12, out_block_w = 3, per_core_m = 12, per_core_n = 3, transpose_mcast = false, fuse_batch = true>, transpose_a = false, transpose_b = false}> : (tensor<3072x768xbf16, #ttnn_layout63>, tensor<768x768xbf16, #ttnn_layout20>, tensor<768xbf16, #ttnn_layout5>) -> tensor<3072x768xbf16, #ttnn_layout46>
        "ttnn.deallocate"(%51) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout63>) -> ()
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<768x768xbf16, #ttnn_layout20>) -> ()
        "ttnn.deallocate"(%arg12) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        %53 = "ttnn.reshape"(%52) <{shape = [8 : i32, 384 : i32, 768 : i32]}> : (tensor<3072x768xbf16, #ttnn_layout46>) -> tensor<8x384x768xbf16, #ttnn_layout47>
        "ttnn.deallocate"(%52) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout46>) -> ()
        %54 = "ttnn.add"(%53, %29) : (tensor<8x384x768xbf16, #ttnn_layout47>, tensor<8x384x768xbf16, #ttnn_layout47>) -> tensor<8x384x768xbf16, #ttnn_layout47>
        "ttnn.deallocate"(%53) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout47>) -> ()
        "ttnn.deallocate"(%29) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout47>) -> ()
        %55 = "ttnn.layer_norm"(%54, %arg3, %arg2) <{epsilon = 9.99999996E-13 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x384x768xbf16, #ttnn_layout47>, tensor<768xbf16, #ttnn_layout5>, tensor<768xbf16, #ttnn_layout5>) -> tensor<8x384x768xbf16, #ttnn_layout47>
        "ttnn.deallocate"(%54) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout47>) -> ()
        "ttnn.deallocate"(%arg3) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        "ttnn.deallocate"(%arg2) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        %56 = "ttnn.to_memory_config"(%55) : (tensor<8x384x768xbf16, #ttnn_layout47>) -> tensor<8x384x768xbf16, #ttnn_layout62>
        "ttnn.deallocate"(%55) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout47>) -> ()
        %57 = "ttnn.reshape"(%56) <{shape = [3072 : i32, 768 : i32]}> : (tensor<8x384x768xbf16, #ttnn_layout62>) -> tensor<3072x768xbf16, #ttnn_layout63>
        %58 = "ttnn.linear"(%57, %12, %arg24) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, math_approx_mode = false, fp32_dest_acc_en = false, packer_l1_acc = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 2, out_subblock_h = 1, out_subblock_w = 6, out_block_h = 12, out_block_w = 12, per_core_m = 12, per_core_n = 12, transpose_mcast = false, fused_activation = #ttnn.unary_with_param<op_type = gelu>, fuse_batch = true>, transpose_a = false, transpose_b = false}> : (tensor<3072x768xbf16, #ttnn_layout63>, tensor<768x3072xbf16, #ttnn_layout24>, tensor<3072xbf16, #ttnn_layout37>) -> tensor<3072x3072xbf16, #ttnn_layout64>
        "ttnn.deallocate"(%57) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout63>) -> ()
        "ttnn.deallocate"(%12) <{force = false}> : (tensor<768x3072xbf16, #ttnn_layout24>) -> ()
        "ttnn.deallocate"(%arg24) <{force = false}> : (tensor<3072xbf16, #ttnn_layout37>) -> ()
        %59 = "ttnn.linear"(%58, %7, %arg22) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 4, out_subblock_h = 4, out_subblock_w = 1, out_block_h = 12, out_block_w = 3, per_core_m = 12, per_core_n = 3, transpose_mcast = false, fuse_batch = true>, transpose_a = false, transpose_b = false}> : (tensor<3072x3072xbf16, #ttnn_layout64>, tensor<3072x768xbf16, #ttnn_layout8>, tensor<768xbf16, #ttnn_layout5>) -> tensor<3072x768xbf16, #ttnn_layout63>
        "ttnn.deallocate"(%58) <{force = false}> : (tensor<3072x3072xbf16, #ttnn_layout64>) -> ()
        "ttnn.deallocate"(%7) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout8>) -> ()
        "ttnn.deallocate"(%arg22) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        %60 = "ttnn.reshape"(%59) <{shape = [8 : i32, 384 : i32, 768 : i32]}> : (tensor<3072x768xbf16, #ttnn_layout63>) -> tensor<8x384x768xbf16, #ttnn_layout62>
        "ttnn.deallocate"(%59) <{force = false}> : (tensor<3072x768xbf16, #ttnn_layout63>) -> ()
        %61 = "ttnn.add"(%60, %56) : (tensor<8x384x768xbf16, #ttnn_layout62>, tensor<8x384x768xbf16, #ttnn_layout62>) -> tensor<8x384x768xbf16, #ttnn_layout47>
        "ttnn.deallocate"(%60) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout62>) -> ()
        "ttnn.deallocate"(%56) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout62>) -> ()
        %62 = "ttnn.to_memory_config"(%61) : (tensor<8x384x768xbf16, #ttnn_layout47>) -> tensor<8x384x768xbf16, #ttnn_layout62>
        "ttnn.deallocate"(%61) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout47>) -> ()
        %63 = "ttnn.layer_norm"(%62, %arg1, %arg0) <{epsilon = 9.99999996E-13 : f32, operandSegmentSizes = array<i32: 1, 1, 1>}> : (tensor<8x384x768xbf16, #ttnn_layout62>, tensor<768xbf16, #ttnn_layout5>, tensor<768xbf16, #ttnn_layout5>) -> tensor<8x384x768xbf16, #ttnn_layout38>
        "ttnn.deallocate"(%62) <{force = false}> : (tensor<8x384x768xbf16, #ttnn_layout62>) -> ()
        "ttnn.deallocate"(%arg1) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        "ttnn.deallocate"(%arg0) <{force = false}> : (tensor<768xbf16, #ttnn_layout5>) -> ()
        %64 = "ttnn.slice_static"(%63) <{begins = [0 : i32, 0 : i32, 0 : i32], ends = [8 : i32, 1 : i32, 768 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<8x384x768xbf16, #ttnn_layout38>) -> tensor<8x1x768xbf16, #ttnn_layout65>
        %65 = "ttnn.typecast"(%64) : (tensor<8x1x768xbf16, #ttnn_layout65>) -> tensor<8x1x768xf32, #ttnn_layout66>
        "ttnn.deallocate"(%64) <{force = false}> : (tensor<8x1x768xbf16, #ttnn_layout65>) -> ()
        %66 = "ttnn.reshape"(%65) <{shape = [8 : i32, 768 : i32]}> : (tensor<8x1x768xf32, #ttnn_layout66>) -> tensor<8x768xf32, #ttnn_layout67>
        "ttnn.deallocate"(%65) <{force = false}> : (tensor<8x1x768xf32, #ttnn_layout66>) -> ()
        %67 = "ttnn.linear"(%66, %9, %13) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi3, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 3>, in0_block_w = 12, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 1, per_core_m = 1, per_core_n = 1, fuse_batch = true, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> : (tensor<8x768xf32, #ttnn_layout67>, tensor<768x768xf32, #ttnn_layout18>, tensor<768xf32, #ttnn_layout21>) -> tensor<8x768xf32, #ttnn_layout68>
        "ttnn.deallocate"(%66) <{force = false}> : (tensor<8x768xf32, #ttnn_layout67>) -> ()
        "ttnn.deallocate"(%13) <{force = false}> : (tensor<768xf32, #ttnn_layout21>) -> ()
        "ttnn.deallocate"(%9) <{force = false}> : (tensor<768x768xf32, #ttnn_layout18>) -> ()
        %68 = "ttnn.typecast"(%67) : (tensor<8x768xf32, #ttnn_layout68>) -> tensor<8x768xbf16, #ttnn_layout69>
        "ttnn.deallocate"(%67) <{force = false}> : (tensor<8x768xf32, #ttnn_layout68>) -> ()
        %69 = "ttnn.tanh"(%68) : (tensor<8x768xbf16, #ttnn_layout69>) -> tensor<8x768xbf16, #ttnn_layout39>
        "ttnn.deallocate"(%68) <{force = false}> : (tensor<8x768xbf16, #ttnn_layout69>) -> ()
        return %63, %69 : tensor<8x384x768xbf16, #ttnn_layout38>, tensor<8x768xbf16, #ttnn_layout39>
      }
    }
  }
}

