#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  16x32,  32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, 4)], dram_bank_to_logical_worker_noc1 = [(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, 4)]}], [0], [1 : i32], [ 0x0x0x0]>
#system_memory = #ttnn.buffer_type<system_memory>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout2 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x2048xbf16, #system_memory>>
#ttnn_layout3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2048x2048xbf16, #system_memory>>
#ttnn_layout4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x96x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#ttnn_layout5 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2048x2048xbf16, #dram>, <interleaved>>
#ttnn_layout6 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout7 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<512x2048xbf16, #dram>, <interleaved>>
#ttnn_layout8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout9 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout10 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x96x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout11 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x4x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#ttnn_layout12 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2048x8192xbf16, #system_memory>>
#ttnn_layout13 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<256x64x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#ttnn_layout14 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2048x8192xbf16, #dram>, <interleaved>>
#ttnn_layout15 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x256x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout16 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<256x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout17 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128256x2048xbf16, #system_memory>>
#ttnn_layout18 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x4008x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#ttnn_layout19 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128256x2048xbf16, #dram>, <interleaved>>
#ttnn_layout20 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4008x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout21 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x4008x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout22 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#ttnn_layout23 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#ttnn_layout24 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8192x2048xbf16, #system_memory>>
#ttnn_layout25 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x256x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#ttnn_layout26 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8192x2048xbf16, #dram>, <interleaved>>
#ttnn_layout27 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xbf16, #system_memory>>
#ttnn_layout28 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xbf16, #dram>, <interleaved>>
#ttnn_layout29 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout30 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1xsi32, #dram>, <interleaved>>
#ttnn_layout31 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x1xsi32, #dram>, <interleaved>>
#ttnn_layout33 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 128 + d2, d3), <1x1>, memref<1024x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout34 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<32x4008x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout35 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#ttnn_layout36 = #ttnn.ttnn_layout<(d0) -> (0, d0), <8x8>, memref<1x1x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout37 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <8x8>, memref<1x1x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout38 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x2>, memref<1x1x!ttcore.tile<32x32, f32>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>>
#ttnn_layout39 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>>
#ttnn_layout40 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x4xui32, #l1>, <interleaved>>
#ttnn_layout41 = #ttnn.ttnn_layout<(d0) -> (0, d0), <8x8>, memref<1x32xui32, #l1>, <interleaved>>
#ttnn_layout42 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout43 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x16>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,1)>]>>
#ttnn_layout44 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout45 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout46 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <8x8>, memref<1x32x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout47 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <8x8>, memref<1x16x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout48 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <64x1>, memref<16x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout49 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <8x8>, memref<1x8x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout50 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <8x8>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout51 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <64x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout52 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout53 = #ttnn.ttnn_layout<(d0) -> (0, d0), <8x8>, memref<1x32xsi32, #l1>, <interleaved>>
#ttnn_layout54 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <32x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,3)>]>>
#ttnn_layout55 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 128 + d2, d3), <8x8>, memref<1x32x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout56 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 128 + d2, d3), <1x1>, memref<1024x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#ttnn_layout57 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4096 + d1 * 128 + d2, d3), <64x1>, memref<64x2x!ttcore.tile<32x32, f32>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout58 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 64 + d2, d3), <64x1>, memref<32x4x!ttcore.tile<32x32, f32>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout59 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <64x1>, memref<16x2x!ttcore.tile<32x32, f32>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout60 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <64x1>, memref<16x4x!ttcore.tile<32x32, f32>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout61 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#ttnn_layout62 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout63 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <8x4>, memref<4x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,7)>]>>
#ttnn_layout64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <8x4>, memref<4x1x!ttcore.tile<32x32, f32>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,7)>]>>
#ttnn_layout65 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<32x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#ttnn_layout66 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <8x8>, memref<1x2x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout67 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <8x8>, memref<1x64x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout68 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<1024x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#ttnn_layout69 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 128 + d2, d3), <8x8>, memref<1x32768xf32, #l1>, <interleaved>>
#ttnn_layout70 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4096 + d1 * 128 + d2, d3), <8x8>, memref<1x131072xf32, #l1>, <interleaved>>
#ttnn_layout71 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4096 + d1 * 128 + d2, d3), <8x8>, memref<1x128x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout72 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4096 + d1 * 128 + d2, d3), <1x1>, memref<4096x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#ttnn_layout73 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <16x1>, memref<64x2x!ttcore.tile<32x32, f32>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,1)>]>>
#ttnn_layout74 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <32x1>, memref<1x1x!ttcore.tile<32x32, f32>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,3)>]>>
#ttnn_layout75 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <8x8>, memref<1x32x!ttcore.tile<32x32, f32>, #l1>, <interleaved>>
#ttnn_layout76 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 + d2, d3), <8x8>, memref<1x1024xf32, #l1>, <interleaved>>
#ttnn_layout77 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 + d2, d3), <8x8>, memref<1x1024xbf16, #l1>, <interleaved>>
#ttnn_layout78 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x2048xbf16, #l1>, <interleaved>>
#ttnn_layout79 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x32>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,3)>]>>
#ttnn_layout80 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x64>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout81 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#ttnn_layout82 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x64>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
#ttnn_layout83 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x59>, memref<1x68x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,6)>, #ttnn.core_range<(0,7), (2,7)>]>>
#ttnn_layout84 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x59>, memref<32x2174xbf16, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,6)>, #ttnn.core_range<(0,7), (2,7)>]>>
#ttnn_layout85 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x128256xbf16, #l1>, <interleaved>>
#ttnn_layout86 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, u32>, #l1>, <interleaved>>
#ttnn_layout87 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x63x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
module @SyncTensorsGraph.535 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false, ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>} {
  ttcore.device_module {
    builtin.module @SyncTensorsGraph.535 attributes {mhlo.cross_program_prefetches = [], mhlo.input_output_alias = [], mhlo.is_dynamic = false, mhlo.use_auto_spmd_partitioning = false, ttcore.meshes = #ttcore.meshes<[<"mesh" = 1x1>]>, ttcore.system_desc = #system_desc, ttnn.l1_const_eval_usage = 1024 : ui64} {
      ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>, dramGrid = #ttcore.grid<1x12>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0, d1, d2)[s0, s1, s2, s3, s4, s5, s6] -> (0, 0, (((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) mod 12, ((((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) floordiv s4) floordiv 12) * s4 + ((d0 * s1) * (s2 * (s3 * s6)) + d1 * (s2 * (s3 * s6)) + d2) mod s4 + s5), meshShape = 1x1, chipIds = [0]>
      func.func private @main_const_eval_0() -> tensor<1x1x1x1xf32, #ttnn_layout> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.zeros"(%0) <{shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #ttnn_layout>
        return %1 : tensor<1x1x1x1xf32, #ttnn_layout>
      }
      func.func private @main_const_eval_1() -> tensor<1x1x1x1xbf16, #ttnn_layout1> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.full"(%0) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xbf16, #ttnn_layout1>
        return %1 : tensor<1x1x1x1xbf16, #ttnn_layout1>
      }
      func.func private @main_const_eval_2(%arg0: tensor<512x2048xbf16, #ttnn_layout2>, %arg1: tensor<512x2048xbf16, #ttnn_layout2>, %arg2: tensor<2048x2048xbf16, #ttnn_layout3>) -> tensor<2048x3072x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout4> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg2, %0) : (tensor<2048x2048xbf16, #ttnn_layout3>, !ttnn.device) -> tensor<2048x2048xbf16, #ttnn_layout5>
        %2 = "ttnn.to_layout"(%1) : (tensor<2048x2048xbf16, #ttnn_layout5>) -> tensor<2048x2048xbf16, #ttnn_layout6>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<2048x2048xbf16, #ttnn_layout5>) -> ()
        %3 = "ttnn.to_device"(%arg1, %0) : (tensor<512x2048xbf16, #ttnn_layout2>, !ttnn.device) -> tensor<512x2048xbf16, #ttnn_layout7>
        %4 = "ttnn.to_layout"(%3) : (tensor<512x2048xbf16, #ttnn_layout7>) -> tensor<512x2048xbf16, #ttnn_layout8>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<512x2048xbf16, #ttnn_layout7>) -> ()
        %5 = "ttnn.to_device"(%arg0, %0) : (tensor<512x2048xbf16, #ttnn_layout2>, !ttnn.device) -> tensor<512x2048xbf16, #ttnn_layout7>
        %6 = "ttnn.to_layout"(%5) : (tensor<512x2048xbf16, #ttnn_layout7>) -> tensor<512x2048xbf16, #ttnn_layout8>
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<512x2048xbf16, #ttnn_layout7>) -> ()
        %7 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<2048x2048xbf16, #ttnn_layout6>) -> tensor<2048x2048xbf16, #ttnn_layout6>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<2048x2048xbf16, #ttnn_layout6>) -> ()
        %8 = "ttnn.permute"(%4) <{permutation = array<i64: 1, 0>}> : (tensor<512x2048xbf16, #ttnn_layout8>) -> tensor<2048x512xbf16, #ttnn_layout9>
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<512x2048xbf16, #ttnn_layout8>) -> ()
        %9 = "ttnn.permute"(%6) <{permutation = array<i64: 1, 0>}> : (tensor<512x2048xbf16, #ttnn_layout8>) -> tensor<2048x512xbf16, #ttnn_layout9>
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<512x2048xbf16, #ttnn_layout8>) -> ()
        %10 = "ttnn.concat"(%7, %8, %9) <{dim = 1 : si32}> : (tensor<2048x2048xbf16, #ttnn_layout6>, tensor<2048x512xbf16, #ttnn_layout9>, tensor<2048x512xbf16, #ttnn_layout9>) -> tensor<2048x3072xbf16, #ttnn_layout10>
        "ttnn.deallocate"(%9) <{force = false}> : (tensor<2048x512xbf16, #ttnn_layout9>) -> ()
        "ttnn.deallocate"(%8) <{force = false}> : (tensor<2048x512xbf16, #ttnn_layout9>) -> ()
        "ttnn.deallocate"(%7) <{force = false}> : (tensor<2048x2048xbf16, #ttnn_layout6>) -> ()
        %11 = "ttnn.typecast"(%10) : (tensor<2048x3072xbf16, #ttnn_layout10>) -> tensor<2048x3072x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout4>
        "ttnn.deallocate"(%10) <{force = false}> : (tensor<2048x3072xbf16, #ttnn_layout10>) -> ()
        return %11 : tensor<2048x3072x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout4>
      }
      func.func private @main_const_eval_3() -> tensor<1x1x1x128xsi32, #ttnn_layout11> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.constant"(%0) <{value = dense<"0x000000000100000002000000030000000400000005000000060000000700000008000000090000000A0000000B0000000C0000000D0000000E0000000F000000100000001100000012000000130000001400000015000000160000001700000018000000190000001A0000001B0000001C0000001D0000001E0000001F000000200000002100000022000000230000002400000025000000260000002700000028000000290000002A0000002B0000002C0000002D0000002E0000002F000000300000003100000032000000330000003400000035000000360000003700000038000000390000003A0000003B0000003C0000003D0000003E0000003F000000400000004100000042000000430000004400000045000000460000004700000048000000490000004A0000004B0000004C0000004D0000004E0000004F000000500000005100000052000000530000005400000055000000560000005700000058000000590000005A0000005B0000005C0000005D0000005E0000005F000000600000006100000062000000630000006400000065000000660000006700000068000000690000006A0000006B0000006C0000006D0000006E0000006F000000700000007100000072000000730000007400000075000000760000007700000078000000790000007A0000007B0000007C0000007D0000007E0000007F000000"> : tensor<1x1x1x128xsi32>}> : (!ttnn.device) -> tensor<1x1x1x128xsi32, #ttnn_layout11>
        return %1 : tensor<1x1x1x128xsi32, #ttnn_layout11>
      }
      func.func private @main_const_eval_4(%arg0: tensor<2048x8192xbf16, #ttnn_layout12>) -> tensor<8192x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout13> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<2048x8192xbf16, #ttnn_layout12>, !ttnn.device) -> tensor<2048x8192xbf16, #ttnn_layout14>
        %2 = "ttnn.to_layout"(%1) : (tensor<2048x8192xbf16, #ttnn_layout14>) -> tensor<2048x8192xbf16, #ttnn_layout15>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<2048x8192xbf16, #ttnn_layout14>) -> ()
        %3 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<2048x8192xbf16, #ttnn_layout15>) -> tensor<8192x2048xbf16, #ttnn_layout16>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<2048x8192xbf16, #ttnn_layout15>) -> ()
        %4 = "ttnn.typecast"(%3) : (tensor<8192x2048xbf16, #ttnn_layout16>) -> tensor<8192x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout13>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<8192x2048xbf16, #ttnn_layout16>) -> ()
        return %4 : tensor<8192x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout13>
      }
      func.func private @main_const_eval_5(%arg0: tensor<128256x2048xbf16, #ttnn_layout17>) -> tensor<2048x128256x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout18> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<128256x2048xbf16, #ttnn_layout17>, !ttnn.device) -> tensor<128256x2048xbf16, #ttnn_layout19>
        %2 = "ttnn.to_layout"(%1) : (tensor<128256x2048xbf16, #ttnn_layout19>) -> tensor<128256x2048xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<128256x2048xbf16, #ttnn_layout19>) -> ()
        %3 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<128256x2048xbf16, #ttnn_layout20>) -> tensor<2048x128256xbf16, #ttnn_layout21>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<128256x2048xbf16, #ttnn_layout20>) -> ()
        %4 = "ttnn.typecast"(%3) : (tensor<2048x128256xbf16, #ttnn_layout21>) -> tensor<2048x128256x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout18>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<2048x128256xbf16, #ttnn_layout21>) -> ()
        return %4 : tensor<2048x128256x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout18>
      }
      func.func private @main_const_eval_6(%arg0: tensor<2048x2048xbf16, #ttnn_layout3>) -> tensor<2048x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout22> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<2048x2048xbf16, #ttnn_layout3>, !ttnn.device) -> tensor<2048x2048xbf16, #ttnn_layout5>
        %2 = "ttnn.to_layout"(%1) : (tensor<2048x2048xbf16, #ttnn_layout5>) -> tensor<2048x2048xbf16, #ttnn_layout6>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<2048x2048xbf16, #ttnn_layout5>) -> ()
        %3 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<2048x2048xbf16, #ttnn_layout6>) -> tensor<2048x2048xbf16, #ttnn_layout6>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<2048x2048xbf16, #ttnn_layout6>) -> ()
        %4 = "ttnn.typecast"(%3) : (tensor<2048x2048xbf16, #ttnn_layout6>) -> tensor<2048x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout22>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<2048x2048xbf16, #ttnn_layout6>) -> ()
        return %4 : tensor<2048x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout22>
      }
      func.func private @main_const_eval_7() -> tensor<1xsi32, #ttnn_layout23> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.full"(%0) <{fill_value = 1 : i32, shape = #ttnn.shape<1>}> : (!ttnn.device) -> tensor<1xsi32, #ttnn_layout23>
        return %1 : tensor<1xsi32, #ttnn_layout23>
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
      func.func private @main_const_eval_10(%arg0: tensor<8192x2048xbf16, #ttnn_layout24>) -> tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<8192x2048xbf16, #ttnn_layout24>, !ttnn.device) -> tensor<8192x2048xbf16, #ttnn_layout26>
        %2 = "ttnn.to_layout"(%1) : (tensor<8192x2048xbf16, #ttnn_layout26>) -> tensor<8192x2048xbf16, #ttnn_layout16>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<8192x2048xbf16, #ttnn_layout26>) -> ()
        %3 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<8192x2048xbf16, #ttnn_layout16>) -> tensor<2048x8192xbf16, #ttnn_layout15>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<8192x2048xbf16, #ttnn_layout16>) -> ()
        %4 = "ttnn.typecast"(%3) : (tensor<2048x8192xbf16, #ttnn_layout15>) -> tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<2048x8192xbf16, #ttnn_layout15>) -> ()
        return %4 : tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>
      }
      func.func private @main_const_eval_11(%arg0: tensor<32xbf16, #ttnn_layout27>) -> tensor<1x1x1x32xf32, #ttnn_layout> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<32xbf16, #ttnn_layout27>, !ttnn.device) -> tensor<32xbf16, #ttnn_layout28>
        %2 = "ttnn.to_layout"(%1) : (tensor<32xbf16, #ttnn_layout28>) -> tensor<32xbf16, #ttnn_layout29>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<32xbf16, #ttnn_layout28>) -> ()
        %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 1 : i32, 1 : i32, 32 : i32]}> : (tensor<32xbf16, #ttnn_layout29>) -> tensor<1x1x1x32xbf16, #ttnn_layout1>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<32xbf16, #ttnn_layout29>) -> ()
        %4 = "ttnn.typecast"(%3) : (tensor<1x1x1x32xbf16, #ttnn_layout1>) -> tensor<1x1x1x32xf32, #ttnn_layout>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<1x1x1x32xbf16, #ttnn_layout1>) -> ()
        return %4 : tensor<1x1x1x32xf32, #ttnn_layout>
      }
      func.func private @main_const_eval_12(%arg0: tensor<8192x2048xbf16, #ttnn_layout24>) -> tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<8192x2048xbf16, #ttnn_layout24>, !ttnn.device) -> tensor<8192x2048xbf16, #ttnn_layout26>
        %2 = "ttnn.to_layout"(%1) : (tensor<8192x2048xbf16, #ttnn_layout26>) -> tensor<8192x2048xbf16, #ttnn_layout16>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<8192x2048xbf16, #ttnn_layout26>) -> ()
        %3 = "ttnn.permute"(%2) <{permutation = array<i64: 1, 0>}> : (tensor<8192x2048xbf16, #ttnn_layout16>) -> tensor<2048x8192xbf16, #ttnn_layout15>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<8192x2048xbf16, #ttnn_layout16>) -> ()
        %4 = "ttnn.typecast"(%3) : (tensor<2048x8192xbf16, #ttnn_layout15>) -> tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<2048x8192xbf16, #ttnn_layout15>) -> ()
        return %4 : tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>
      }
      func.func private @main_const_eval_13(%arg0: tensor<128256x2048xbf16, #ttnn_layout17>) -> tensor<128256x2048xbf16, #ttnn_layout19> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.to_device"(%arg0, %0) : (tensor<128256x2048xbf16, #ttnn_layout17>, !ttnn.device) -> tensor<128256x2048xbf16, #ttnn_layout19>
        return %1 : tensor<128256x2048xbf16, #ttnn_layout19>
      }
      func.func private @main_const_eval_14() -> tensor<1x1x1x1xf32, #ttnn_layout> attributes {tt.function_type = "const_eval"} {
        %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
        %1 = "ttnn.full"(%0) <{fill_value = 0.124999993 : f32, shape = #ttnn.shape<1x1x1x1>}> : (!ttnn.device) -> tensor<1x1x1x1xf32, #ttnn_layout>
        return %1 : tensor<1x1x1x1xf32, #ttnn_layout>
      }
      func.func @main(%arg0: tensor<1xsi32, #ttnn_layout30> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<1xi64>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "arg15_1"}, %arg1: tensor<1xsi32, #ttnn_layout30> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<1xi64>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "arg13_1"}, %arg2: tensor<512x2048xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<512x2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.layers.0.self_attn.v_proj.parametrizations.weight.original"}, %arg3: tensor<2048xbf16, #ttnn_layout31> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.layers.0.input_layernorm.parametrizations.weight.original"}, %arg4: tensor<32x1xsi32, #ttnn_layout32> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32x1xi64>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "arg14_1"}, %arg5: tensor<128256x2048xbf16, #ttnn_layout17> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<128256x2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.embed_tokens.parametrizations.weight.original"}, %arg6: tensor<32x8x128x64xbf16, #ttnn_layout33> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.kv_cache, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32x8x128x64xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "arg17_1"}, %arg7: tensor<32xbf16, #ttnn_layout27> {ttcore.argument_type = #ttcore.argument_type<constant>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "model.model.rotary_emb.inv_freq"}, %arg8: tensor<512x2048xbf16, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<512x2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.layers.0.self_attn.k_proj.parametrizations.weight.original"}, %arg9: tensor<32x8x128x64xbf16, #ttnn_layout33> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.kv_cache, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32x8x128x64xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttir.name = "arg16_1"}, %arg10: tensor<128256x2048xbf16, #ttnn_layout17> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<128256x2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.lm_head.parametrizations.weight.original"}, %arg11: tensor<2048xbf16, #ttnn_layout31> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.norm.parametrizations.weight.original"}, %arg12: tensor<2048x8192xbf16, #ttnn_layout12> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<2048x8192xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.layers.0.mlp.down_proj.parametrizations.weight.original"}, %arg13: tensor<8192x2048xbf16, #ttnn_layout24> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<8192x2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.layers.0.mlp.up_proj.parametrizations.weight.original"}, %arg14: tensor<2048xbf16, #ttnn_layout31> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.layers.0.post_attention_layernorm.parametrizations.weight.original"}, %arg15: tensor<2048x2048xbf16, #ttnn_layout3> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<2048x2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.layers.0.self_attn.o_proj.parametrizations.weight.original"}, %arg16: tensor<2048x2048xbf16, #ttnn_layout3> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<2048x2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.layers.0.self_attn.q_proj.parametrizations.weight.original"}, %arg17: tensor<8192x2048xbf16, #ttnn_layout24> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttcore.local_shape = #ttcore<local_shape local_shape = tensor<8192x2048xbf16>>, ttcore.shard_status = #ttcore.shard_status<unsharded>, ttcore.weight_dtype = "bfp_bf8", ttir.name = "model.model.layers.0.mlp.gate_proj.parametrizations.weight.original"}) -> (tensor<1xsi32, #ttnn_layout23> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<1xi64>>, ttcore.shard_status = #ttcore.shard_status<presharded>}, tensor<1xsi32, #ttnn_layout23> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<1xi64>>, ttcore.shard_status = #ttcore.shard_status<presharded>}, tensor<32x8x128x64xbf16, #ttnn_layout33> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32x8x128x64xbf16>>, ttcore.shard_status = #ttcore.shard_status<presharded>}, tensor<32x8x128x64xbf16, #ttnn_layout33> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32x8x128x64xbf16>>, ttcore.shard_status = #ttcore.shard_status<presharded>}, tensor<32x1x128256xbf16, #ttnn_layout34> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32x1x128256xbf16>>, ttcore.shard_status = #ttcore.shard_status<presharded>}, tensor<32x1xsi32, #ttnn_layout35> {ttcore.local_shape = #ttcore<local_shape local_shape = tensor<32x1xi64>>, ttcore.shard_status = #ttcore.shard_status<presharded>}) attributes {tt.function_type = "forward_device"} {
        %0 = ttcore.load_cached(@main_const_eval_0, []) : () -> tensor<1x1x1x1xf32, #ttnn_layout>
        %1 = ttcore.load_cached(@main_const_eval_6, [%arg15]) : (tensor<2048x2048xbf16, #ttnn_layout3>) -> tensor<2048x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout22>
        "ttnn.deallocate"(%arg15) <{force = false}> : (tensor<2048x2048xbf16, #ttnn_layout3>) -> ()
        %2 = ttcore.load_cached(@main_const_eval_8, []) : () -> tensor<1x1x1x1xf32, #ttnn_layout>
        %3 = ttcore.load_cached(@main_const_eval_11, [%arg7]) : (tensor<32xbf16, #ttnn_layout27>) -> tensor<1x1x1x32xf32, #ttnn_layout>
        "ttnn.deallocate"(%arg7) <{force = false}> : (tensor<32xbf16, #ttnn_layout27>) -> ()
        %4 = ttcore.load_cached(@main_const_eval_13, [%arg5]) : (tensor<128256x2048xbf16, #ttnn_layout17>) -> tensor<128256x2048xbf16, #ttnn_layout19>
        "ttnn.deallocate"(%arg5) <{force = false}> : (tensor<128256x2048xbf16, #ttnn_layout17>) -> ()
        %5 = ttcore.load_cached(@main_const_eval_14, []) : () -> tensor<1x1x1x1xf32, #ttnn_layout>
        %6 = ttcore.load_cached(@main_const_eval_1, []) : () -> tensor<1x1x1x1xbf16, #ttnn_layout1>
        %7 = ttcore.load_cached(@main_const_eval_12, [%arg13]) : (tensor<8192x2048xbf16, #ttnn_layout24>) -> tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>
        "ttnn.deallocate"(%arg13) <{force = false}> : (tensor<8192x2048xbf16, #ttnn_layout24>) -> ()
        %8 = ttcore.load_cached(@main_const_eval_2, [%arg2, %arg8, %arg16]) : (tensor<512x2048xbf16, #ttnn_layout2>, tensor<512x2048xbf16, #ttnn_layout2>, tensor<2048x2048xbf16, #ttnn_layout3>) -> tensor<2048x3072x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout4>
        "ttnn.deallocate"(%arg16) <{force = false}> : (tensor<2048x2048xbf16, #ttnn_layout3>) -> ()
        "ttnn.deallocate"(%arg8) <{force = false}> : (tensor<512x2048xbf16, #ttnn_layout2>) -> ()
        "ttnn.deallocate"(%arg2) <{force = false}> : (tensor<512x2048xbf16, #ttnn_layout2>) -> ()
        %9 = ttcore.load_cached(@main_const_eval_4, [%arg12]) : (tensor<2048x8192xbf16, #ttnn_layout12>) -> tensor<8192x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout13>
        "ttnn.deallocate"(%arg12) <{force = false}> : (tensor<2048x8192xbf16, #ttnn_layout12>) -> ()
        %10 = ttcore.load_cached(@main_const_eval_3, []) : () -> tensor<1x1x1x128xsi32, #ttnn_layout11>
        %11 = ttcore.load_cached(@main_const_eval_7, []) : () -> tensor<1xsi32, #ttnn_layout23>
        %12 = ttcore.load_cached(@main_const_eval_10, [%arg17]) : (tensor<8192x2048xbf16, #ttnn_layout24>) -> tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>
        "ttnn.deallocate"(%arg17) <{force = false}> : (tensor<8192x2048xbf16, #ttnn_layout24>) -> ()
        %13 = ttcore.load_cached(@main_const_eval_5, [%arg10]) : (tensor<128256x2048xbf16, #ttnn_layout17>) -> tensor<2048x128256x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout18>
        "ttnn.deallocate"(%arg10) <{force = false}> : (tensor<128256x2048xbf16, #ttnn_layout17>) -> ()
        %14 = ttcore.load_cached(@main_const_eval_9, []) : () -> tensor<1x1x1x1xbf16, #ttnn_layout1>
        %15 = "ttnn.to_layout"(%arg1) : (tensor<1xsi32, #ttnn_layout30>) -> tensor<1xsi32, #ttnn_layout23>
        "ttnn.deallocate"(%arg1) <{force = false}> : (tensor<1xsi32, #ttnn_layout30>) -> ()
        %16 = "ttnn.typecast"(%15) : (tensor<1xsi32, #ttnn_layout23>) -> tensor<1xf32, #ttnn_layout36>
        %17 = "ttnn.reshape"(%16) <{shape = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1xf32, #ttnn_layout36>) -> tensor<1x1x1x1xf32, #ttnn_layout37>
        "ttnn.deallocate"(%16) <{force = false}> : (tensor<1xf32, #ttnn_layout36>) -> ()
        %18 = "ttnn.multiply"(%3, %17) : (tensor<1x1x1x32xf32, #ttnn_layout>, tensor<1x1x1x1xf32, #ttnn_layout37>) -> tensor<1x1x1x32xf32, #ttnn_layout37>
        "ttnn.deallocate"(%17) <{force = false}> : (tensor<1x1x1x1xf32, #ttnn_layout37>) -> ()
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<1x1x1x32xf32, #ttnn_layout>) -> ()
        %19 = "ttnn.concat"(%18, %18) <{dim = 3 : si32}> : (tensor<1x1x1x32xf32, #ttnn_layout37>, tensor<1x1x1x32xf32, #ttnn_layout37>) -> tensor<1x1x1x64xf32, #ttnn_layout37>
        "ttnn.deallocate"(%18) <{force = false}> : (tensor<1x1x1x32xf32, #ttnn_layout37>) -> ()
        %20 = "ttnn.cos"(%19) : (tensor<1x1x1x64xf32, #ttnn_layout37>) -> tensor<1x1x1x64xf32, #ttnn_layout38>
        %21 = "ttnn.typecast"(%20) : (tensor<1x1x1x64xf32, #ttnn_layout38>) -> tensor<1x1x1x64xbf16, #ttnn_layout39>
        "ttnn.deallocate"(%20) <{force = false}> : (tensor<1x1x1x64xf32, #ttnn_layout38>) -> ()
        %22 = "ttnn.sin"(%19) : (tensor<1x1x1x64xf32, #ttnn_layout37>) -> tensor<1x1x1x64xf32, #ttnn_layout38>
        "ttnn.deallocate"(%19) <{force = false}> : (tensor<1x1x1x64xf32, #ttnn_layout37>) -> ()
        %23 = "ttnn.typecast"(%22) : (tensor<1x1x1x64xf32, #ttnn_layout38>) -> tensor<1x1x1x64xbf16, #ttnn_layout39>
        "ttnn.deallocate"(%22) <{force = false}> : (tensor<1x1x1x64xf32, #ttnn_layout38>) -> ()
        %24 = "ttnn.typecast"(%arg4) : (tensor<32x1xsi32, #ttnn_layout32>) -> tensor<32x1xui32, #ttnn_layout40>
        "ttnn.deallocate"(%arg4) <{force = false}> : (tensor<32x1xsi32, #ttnn_layout32>) -> ()
        %25 = "ttnn.reshape"(%24) <{shape = [32 : i32]}> : (tensor<32x1xui32, #ttnn_layout40>) -> tensor<32xui32, #ttnn_layout41>
        "ttnn.deallocate"(%24) <{force = false}> : (tensor<32x1xui32, #ttnn_layout40>) -> ()
        %26 = "ttnn.embedding"(%25, %4) : (tensor<32xui32, #ttnn_layout41>, tensor<128256x2048xbf16, #ttnn_layout19>) -> tensor<32x2048xbf16, #ttnn_layout42>
        "ttnn.deallocate"(%25) <{force = false}> : (tensor<32xui32, #ttnn_layout41>) -> ()
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<128256x2048xbf16, #ttnn_layout19>) -> ()
        %27 = "ttnn.to_memory_config"(%26) : (tensor<32x2048xbf16, #ttnn_layout42>) -> tensor<32x2048xbf16, #ttnn_layout43>
        %28 = "ttnn.rms_norm"(%27, %arg3) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x2048xbf16, #ttnn_layout43>, tensor<2048xbf16, #ttnn_layout31>) -> tensor<32x2048xbf16, #ttnn_layout43>
        "ttnn.deallocate"(%27) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout43>) -> ()
        "ttnn.deallocate"(%arg3) <{force = false}> : (tensor<2048xbf16, #ttnn_layout31>) -> ()
        %29 = "ttnn.matmul"(%28, %8) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 4, out_subblock_h = 1, out_subblock_w = 2, out_block_h = 1, out_block_w = 2, per_core_m = 1, per_core_n = 2, fuse_batch = true, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"} : (tensor<32x2048xbf16, #ttnn_layout43>, tensor<2048x3072x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout4>) -> tensor<32x3072xbf16, #ttnn_layout44>
        "ttnn.deallocate"(%28) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout43>) -> ()
        "ttnn.deallocate"(%8) <{force = false}> : (tensor<2048x3072x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout4>) -> ()
        %30 = "ttnn.slice_static"(%29) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 2048 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x3072xbf16, #ttnn_layout44>) -> tensor<32x2048xbf16, #ttnn_layout45>
        %31 = "ttnn.reshape"(%30) <{shape = [32 : i32, 32 : i32, 1 : i32, 64 : i32]}> : (tensor<32x2048xbf16, #ttnn_layout45>) -> tensor<32x32x1x64xbf16, #ttnn_layout46>
        "ttnn.deallocate"(%30) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout45>) -> ()
        %32 = "ttnn.slice_static"(%31) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [32 : i32, 32 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x32x1x64xbf16, #ttnn_layout46>) -> tensor<32x32x1x32xbf16, #ttnn_layout47>
        %33 = "ttnn.neg"(%32) : (tensor<32x32x1x32xbf16, #ttnn_layout47>) -> tensor<32x32x1x32xbf16, #ttnn_layout47>
        "ttnn.deallocate"(%32) <{force = false}> : (tensor<32x32x1x32xbf16, #ttnn_layout47>) -> ()
        %34 = "ttnn.slice_static"(%31) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 32 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x32x1x64xbf16, #ttnn_layout46>) -> tensor<32x32x1x32xbf16, #ttnn_layout47>
        %35 = "ttnn.concat"(%33, %34) <{dim = 3 : si32}> : (tensor<32x32x1x32xbf16, #ttnn_layout47>, tensor<32x32x1x32xbf16, #ttnn_layout47>) -> tensor<32x32x1x64xbf16, #ttnn_layout46>
        "ttnn.deallocate"(%34) <{force = false}> : (tensor<32x32x1x32xbf16, #ttnn_layout47>) -> ()
        "ttnn.deallocate"(%33) <{force = false}> : (tensor<32x32x1x32xbf16, #ttnn_layout47>) -> ()
        %36 = "ttnn.multiply"(%31, %21) : (tensor<32x32x1x64xbf16, #ttnn_layout46>, tensor<1x1x1x64xbf16, #ttnn_layout39>) -> tensor<32x32x1x64xbf16, #ttnn_layout48>
        "ttnn.deallocate"(%31) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout46>) -> ()
        %37 = "ttnn.multiply"(%35, %23) : (tensor<32x32x1x64xbf16, #ttnn_layout46>, tensor<1x1x1x64xbf16, #ttnn_layout39>) -> tensor<32x32x1x64xbf16, #ttnn_layout48>
        "ttnn.deallocate"(%35) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout46>) -> ()
        %38 = "ttnn.add"(%36, %37) : (tensor<32x32x1x64xbf16, #ttnn_layout48>, tensor<32x32x1x64xbf16, #ttnn_layout48>) -> tensor<32x32x1x64xbf16, #ttnn_layout48>
        "ttnn.deallocate"(%37) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout48>) -> ()
        "ttnn.deallocate"(%36) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout48>) -> ()
        %39 = "ttnn.slice_static"(%29) <{begins = [0 : i32, 2048 : i32], ends = [32 : i32, 2560 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x3072xbf16, #ttnn_layout44>) -> tensor<32x512xbf16, #ttnn_layout45>
        %40 = "ttnn.reshape"(%39) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16, #ttnn_layout45>) -> tensor<32x8x1x64xbf16, #ttnn_layout49>
        "ttnn.deallocate"(%39) <{force = false}> : (tensor<32x512xbf16, #ttnn_layout45>) -> ()
        %41 = "ttnn.slice_static"(%40) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #ttnn_layout49>) -> tensor<32x8x1x32xbf16, #ttnn_layout50>
        %42 = "ttnn.slice_static"(%40) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #ttnn_layout49>) -> tensor<32x8x1x32xbf16, #ttnn_layout50>
        %43 = "ttnn.multiply"(%40, %21) : (tensor<32x8x1x64xbf16, #ttnn_layout49>, tensor<1x1x1x64xbf16, #ttnn_layout39>) -> tensor<32x8x1x64xbf16, #ttnn_layout51>
        "ttnn.deallocate"(%40) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout49>) -> ()
        "ttnn.deallocate"(%21) <{force = false}> : (tensor<1x1x1x64xbf16, #ttnn_layout39>) -> ()
        %44 = "ttnn.neg"(%42) : (tensor<32x8x1x32xbf16, #ttnn_layout50>) -> tensor<32x8x1x32xbf16, #ttnn_layout50>
        "ttnn.deallocate"(%42) <{force = false}> : (tensor<32x8x1x32xbf16, #ttnn_layout50>) -> ()
        %45 = "ttnn.concat"(%44, %41) <{dim = 3 : si32}> : (tensor<32x8x1x32xbf16, #ttnn_layout50>, tensor<32x8x1x32xbf16, #ttnn_layout50>) -> tensor<32x8x1x64xbf16, #ttnn_layout49>
        "ttnn.deallocate"(%44) <{force = false}> : (tensor<32x8x1x32xbf16, #ttnn_layout50>) -> ()
        "ttnn.deallocate"(%41) <{force = false}> : (tensor<32x8x1x32xbf16, #ttnn_layout50>) -> ()
        %46 = "ttnn.multiply"(%45, %23) : (tensor<32x8x1x64xbf16, #ttnn_layout49>, tensor<1x1x1x64xbf16, #ttnn_layout39>) -> tensor<32x8x1x64xbf16, #ttnn_layout51>
        "ttnn.deallocate"(%45) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout49>) -> ()
        "ttnn.deallocate"(%23) <{force = false}> : (tensor<1x1x1x64xbf16, #ttnn_layout39>) -> ()
        %47 = "ttnn.add"(%43, %46) : (tensor<32x8x1x64xbf16, #ttnn_layout51>, tensor<32x8x1x64xbf16, #ttnn_layout51>) -> tensor<32x8x1x64xbf16, #ttnn_layout51>
        "ttnn.deallocate"(%46) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout51>) -> ()
        "ttnn.deallocate"(%43) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout51>) -> ()
        %48 = "ttnn.reshape"(%47) <{shape = [1 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<32x8x1x64xbf16, #ttnn_layout51>) -> tensor<1x32x8x64xbf16, #ttnn_layout52>
        "ttnn.deallocate"(%47) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout51>) -> ()
        %49 = "ttnn.to_layout"(%arg0) : (tensor<1xsi32, #ttnn_layout30>) -> tensor<1xsi32, #ttnn_layout23>
        %50 = "ttnn.repeat"(%arg0) <{repeat_dims = #ttnn.shape<32>}> : (tensor<1xsi32, #ttnn_layout30>) -> tensor<32xsi32, #ttnn_layout53>
        "ttnn.deallocate"(%arg0) <{force = false}> : (tensor<1xsi32, #ttnn_layout30>) -> ()
        %51 = "ttnn.to_memory_config"(%48) : (tensor<1x32x8x64xbf16, #ttnn_layout52>) -> tensor<1x32x8x64xbf16, #ttnn_layout54>
        "ttnn.deallocate"(%48) <{force = false}> : (tensor<1x32x8x64xbf16, #ttnn_layout52>) -> ()
        "ttnn.paged_update_cache"(%arg9, %51, %50) <{share_cache = false}> : (tensor<32x8x128x64xbf16, #ttnn_layout33>, tensor<1x32x8x64xbf16, #ttnn_layout54>, tensor<32xsi32, #ttnn_layout53>) -> ()
        "ttnn.deallocate"(%51) <{force = false}> : (tensor<1x32x8x64xbf16, #ttnn_layout54>) -> ()
        %52 = "ttnn.typecast"(%arg9) : (tensor<32x8x128x64xbf16, #ttnn_layout33>) -> tensor<32x8x128x64xf32, #ttnn_layout55>
        %53 = "ttnn.to_memory_config"(%52) : (tensor<32x8x128x64xf32, #ttnn_layout55>) -> tensor<32x8x128x64xf32, #ttnn_layout56>
        "ttnn.deallocate"(%52) <{force = false}> : (tensor<32x8x128x64xf32, #ttnn_layout55>) -> ()
        %54 = "ttnn.repeat_interleave"(%53) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<32x8x128x64xf32, #ttnn_layout56>) -> tensor<32x32x128x64xf32, #ttnn_layout57>
        "ttnn.deallocate"(%53) <{force = false}> : (tensor<32x8x128x64xf32, #ttnn_layout56>) -> ()
        %55 = "ttnn.transpose"(%54) <{dim0 = -2 : si32, dim1 = -1 : si32}> : (tensor<32x32x128x64xf32, #ttnn_layout57>) -> tensor<32x32x64x128xf32, #ttnn_layout58>
        "ttnn.deallocate"(%54) <{force = false}> : (tensor<32x32x128x64xf32, #ttnn_layout57>) -> ()
        %56 = "ttnn.typecast"(%38) : (tensor<32x32x1x64xbf16, #ttnn_layout48>) -> tensor<32x32x1x64xf32, #ttnn_layout59>
        "ttnn.deallocate"(%38) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout48>) -> ()
        %57 = "ttnn.matmul"(%56, %55) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 2, out_subblock_h = 1, out_subblock_w = 4, per_core_m = 16, per_core_n = 4>, transpose_a = false, transpose_b = false}> : (tensor<32x32x1x64xf32, #ttnn_layout59>, tensor<32x32x64x128xf32, #ttnn_layout58>) -> tensor<32x32x1x128xf32, #ttnn_layout60>
        "ttnn.deallocate"(%56) <{force = false}> : (tensor<32x32x1x64xf32, #ttnn_layout59>) -> ()
        "ttnn.deallocate"(%55) <{force = false}> : (tensor<32x32x64x128xf32, #ttnn_layout58>) -> ()
        %58 = "ttnn.reshape"(%49) <{shape = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1xsi32, #ttnn_layout23>) -> tensor<1x1x1x1xsi32, #ttnn_layout61>
        %59 = "ttnn.ge"(%58, %10) : (tensor<1x1x1x1xsi32, #ttnn_layout61>, tensor<1x1x1x128xsi32, #ttnn_layout11>) -> tensor<1x1x1x128xbf16, #ttnn_layout62>
        "ttnn.deallocate"(%58) <{force = false}> : (tensor<1x1x1x1xsi32, #ttnn_layout61>) -> ()
        "ttnn.deallocate"(%10) <{force = false}> : (tensor<1x1x1x128xsi32, #ttnn_layout11>) -> ()
        %60 = "ttnn.where"(%59, %14, %6) : (tensor<1x1x1x128xbf16, #ttnn_layout62>, tensor<1x1x1x1xbf16, #ttnn_layout1>, tensor<1x1x1x1xbf16, #ttnn_layout1>) -> tensor<1x1x1x128xbf16, #ttnn_layout62>
        "ttnn.deallocate"(%59) <{force = false}> : (tensor<1x1x1x128xbf16, #ttnn_layout62>) -> ()
        "ttnn.deallocate"(%14) <{force = false}> : (tensor<1x1x1x1xbf16, #ttnn_layout1>) -> ()
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<1x1x1x1xbf16, #ttnn_layout1>) -> ()
        %61 = "ttnn.repeat"(%60) <{repeat_dims = #ttnn.shape<32x1x1x1>}> : (tensor<1x1x1x128xbf16, #ttnn_layout62>) -> tensor<32x1x1x128xbf16, #ttnn_layout63>
        "ttnn.deallocate"(%60) <{force = false}> : (tensor<1x1x1x128xbf16, #ttnn_layout62>) -> ()
        %62 = "ttnn.typecast"(%61) : (tensor<32x1x1x128xbf16, #ttnn_layout63>) -> tensor<32x1x1x128xf32, #ttnn_layout64>
        "ttnn.deallocate"(%61) <{force = false}> : (tensor<32x1x1x128xbf16, #ttnn_layout63>) -> ()
        %63 = "ttnn.to_memory_config"(%62) : (tensor<32x1x1x128xf32, #ttnn_layout64>) -> tensor<32x1x1x128xf32, #ttnn_layout65>
        %64 = "ttnn.repeat"(%62) <{repeat_dims = #ttnn.shape<1x1x32x1>}> : (tensor<32x1x1x128xf32, #ttnn_layout64>) -> tensor<32x1x32x128xf32, #ttnn_layout64>
        "ttnn.deallocate"(%62) <{force = false}> : (tensor<32x1x1x128xf32, #ttnn_layout64>) -> ()
        %65 = "ttnn.multiply"(%64, %5) : (tensor<32x1x32x128xf32, #ttnn_layout64>, tensor<1x1x1x1xf32, #ttnn_layout>) -> tensor<32x1x32x128xf32, #ttnn_layout66>
        "ttnn.deallocate"(%64) <{force = false}> : (tensor<32x1x32x128xf32, #ttnn_layout64>) -> ()
        %66 = "ttnn.multiply"(%57, %5) : (tensor<32x32x1x128xf32, #ttnn_layout60>, tensor<1x1x1x1xf32, #ttnn_layout>) -> tensor<32x32x1x128xf32, #ttnn_layout67>
        "ttnn.deallocate"(%57) <{force = false}> : (tensor<32x32x1x128xf32, #ttnn_layout60>) -> ()
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<1x1x1x1xf32, #ttnn_layout>) -> ()
        %67 = "ttnn.reshape"(%65) <{shape = [32 : i32, 32 : i32, 1 : i32, 128 : i32]}> : (tensor<32x1x32x128xf32, #ttnn_layout66>) -> tensor<32x32x1x128xf32, #ttnn_layout67>
        "ttnn.deallocate"(%65) <{force = false}> : (tensor<32x1x32x128xf32, #ttnn_layout66>) -> ()
        %68 = "ttnn.add"(%66, %67) : (tensor<32x32x1x128xf32, #ttnn_layout67>, tensor<32x32x1x128xf32, #ttnn_layout67>) -> tensor<32x32x1x128xf32, #ttnn_layout60>
        "ttnn.deallocate"(%67) <{force = false}> : (tensor<32x32x1x128xf32, #ttnn_layout67>) -> ()
        "ttnn.deallocate"(%66) <{force = false}> : (tensor<32x32x1x128xf32, #ttnn_layout67>) -> ()
        %69 = "ttnn.slice_static"(%29) <{begins = [0 : i32, 2560 : i32], ends = [32 : i32, 3072 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x3072xbf16, #ttnn_layout44>) -> tensor<32x512xbf16, #ttnn_layout45>
        "ttnn.deallocate"(%29) <{force = false}> : (tensor<32x3072xbf16, #ttnn_layout44>) -> ()
        %70 = "ttnn.reshape"(%69) <{shape = [1 : i32, 32 : i32, 8 : i32, 64 : i32]}> : (tensor<32x512xbf16, #ttnn_layout45>) -> tensor<1x32x8x64xbf16, #ttnn_layout52>
        "ttnn.deallocate"(%69) <{force = false}> : (tensor<32x512xbf16, #ttnn_layout45>) -> ()
        %71 = "ttnn.to_memory_config"(%70) : (tensor<1x32x8x64xbf16, #ttnn_layout52>) -> tensor<1x32x8x64xbf16, #ttnn_layout54>
        "ttnn.deallocate"(%70) <{force = false}> : (tensor<1x32x8x64xbf16, #ttnn_layout52>) -> ()
        "ttnn.paged_update_cache"(%arg6, %71, %50) <{share_cache = false}> : (tensor<32x8x128x64xbf16, #ttnn_layout33>, tensor<1x32x8x64xbf16, #ttnn_layout54>, tensor<32xsi32, #ttnn_layout53>) -> ()
        "ttnn.deallocate"(%71) <{force = false}> : (tensor<1x32x8x64xbf16, #ttnn_layout54>) -> ()
        "ttnn.deallocate"(%50) <{force = false}> : (tensor<32xsi32, #ttnn_layout53>) -> ()
        %72 = "ttnn.softmax"(%68) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, dimension = -1 : si32, numericStable = true}> : (tensor<32x32x1x128xf32, #ttnn_layout60>) -> tensor<32x32x1x128xf32, #ttnn_layout67>
        "ttnn.deallocate"(%68) <{force = false}> : (tensor<32x32x1x128xf32, #ttnn_layout60>) -> ()
        %73 = "ttnn.to_memory_config"(%72) : (tensor<32x32x1x128xf32, #ttnn_layout67>) -> tensor<32x32x1x128xf32, #ttnn_layout68>
        "ttnn.deallocate"(%72) <{force = false}> : (tensor<32x32x1x128xf32, #ttnn_layout67>) -> ()
        %74 = "ttnn.typecast"(%arg6) : (tensor<32x8x128x64xbf16, #ttnn_layout33>) -> tensor<32x8x128x64xf32, #ttnn_layout55>
        %75 = "ttnn.to_layout"(%74) : (tensor<32x8x128x64xf32, #ttnn_layout55>) -> tensor<32x8x128x64xf32, #ttnn_layout69>
        "ttnn.deallocate"(%74) <{force = false}> : (tensor<32x8x128x64xf32, #ttnn_layout55>) -> ()
        %76 = "ttnn.repeat_interleave"(%75) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<32x8x128x64xf32, #ttnn_layout69>) -> tensor<32x32x128x64xf32, #ttnn_layout70>
        "ttnn.deallocate"(%75) <{force = false}> : (tensor<32x8x128x64xf32, #ttnn_layout69>) -> ()
        %77 = "ttnn.to_layout"(%76) : (tensor<32x32x128x64xf32, #ttnn_layout70>) -> tensor<32x32x128x64xf32, #ttnn_layout71>
        "ttnn.deallocate"(%76) <{force = false}> : (tensor<32x32x128x64xf32, #ttnn_layout70>) -> ()
        %78 = "ttnn.to_memory_config"(%77) : (tensor<32x32x128x64xf32, #ttnn_layout71>) -> tensor<32x32x128x64xf32, #ttnn_layout72>
        "ttnn.deallocate"(%77) <{force = false}> : (tensor<32x32x128x64xf32, #ttnn_layout71>) -> ()
        %79 = "ttnn.matmul"(%73, %78) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 2>, in0_block_w = 4, out_subblock_h = 1, out_subblock_w = 2, per_core_m = 64, per_core_n = 2>, transpose_a = false, transpose_b = false}> : (tensor<32x32x1x128xf32, #ttnn_layout68>, tensor<32x32x128x64xf32, #ttnn_layout72>) -> tensor<32x32x1x64xf32, #ttnn_layout73>
        "ttnn.deallocate"(%78) <{force = false}> : (tensor<32x32x128x64xf32, #ttnn_layout72>) -> ()
        "ttnn.deallocate"(%73) <{force = false}> : (tensor<32x32x1x128xf32, #ttnn_layout68>) -> ()
        %80 = "ttnn.max"(%63) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, dim_arg = [3 : i32], keep_dim = true}> : (tensor<32x1x1x128xf32, #ttnn_layout65>) -> tensor<32x1x1x1xf32, #ttnn_layout74>
        "ttnn.deallocate"(%63) <{force = false}> : (tensor<32x1x1x128xf32, #ttnn_layout65>) -> ()
        %81 = "ttnn.eq"(%80, %2) : (tensor<32x1x1x1xf32, #ttnn_layout74>, tensor<1x1x1x1xf32, #ttnn_layout>) -> tensor<32x1x1x1xf32, #ttnn_layout37>
        "ttnn.deallocate"(%80) <{force = false}> : (tensor<32x1x1x1xf32, #ttnn_layout74>) -> ()
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<1x1x1x1xf32, #ttnn_layout>) -> ()
        %82 = "ttnn.to_memory_config"(%0) : (tensor<1x1x1x1xf32, #ttnn_layout>) -> tensor<1x1x1x1xf32, #ttnn_layout37>
        "ttnn.deallocate"(%0) <{force = false}> : (tensor<1x1x1x1xf32, #ttnn_layout>) -> ()
        %83 = "ttnn.to_memory_config"(%79) : (tensor<32x32x1x64xf32, #ttnn_layout73>) -> tensor<32x32x1x64xf32, #ttnn_layout75>
        "ttnn.deallocate"(%79) <{force = false}> : (tensor<32x32x1x64xf32, #ttnn_layout73>) -> ()
        %84 = "ttnn.where"(%81, %82, %83) : (tensor<32x1x1x1xf32, #ttnn_layout37>, tensor<1x1x1x1xf32, #ttnn_layout37>, tensor<32x32x1x64xf32, #ttnn_layout75>) -> tensor<32x32x1x64xf32, #ttnn_layout75>
        "ttnn.deallocate"(%83) <{force = false}> : (tensor<32x32x1x64xf32, #ttnn_layout75>) -> ()
        "ttnn.deallocate"(%82) <{force = false}> : (tensor<1x1x1x1xf32, #ttnn_layout37>) -> ()
        "ttnn.deallocate"(%81) <{force = false}> : (tensor<32x1x1x1xf32, #ttnn_layout37>) -> ()
        %85 = "ttnn.to_layout"(%84) : (tensor<32x32x1x64xf32, #ttnn_layout75>) -> tensor<32x32x1x64xf32, #ttnn_layout76>
        "ttnn.deallocate"(%84) <{force = false}> : (tensor<32x32x1x64xf32, #ttnn_layout75>) -> ()
        %86 = "ttnn.typecast"(%85) : (tensor<32x32x1x64xf32, #ttnn_layout76>) -> tensor<32x32x1x64xbf16, #ttnn_layout77>
        "ttnn.deallocate"(%85) <{force = false}> : (tensor<32x32x1x64xf32, #ttnn_layout76>) -> ()
        %87 = "ttnn.reshape"(%86) <{shape = [32 : i32, 2048 : i32]}> : (tensor<32x32x1x64xbf16, #ttnn_layout77>) -> tensor<32x2048xbf16, #ttnn_layout78>
        "ttnn.deallocate"(%86) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout77>) -> ()
        %88 = "ttnn.to_layout"(%87) : (tensor<32x2048xbf16, #ttnn_layout78>) -> tensor<32x2048xbf16, #ttnn_layout45>
        "ttnn.deallocate"(%87) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout78>) -> ()
        %89 = "ttnn.matmul"(%88, %1) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 8, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 1, per_core_m = 1, per_core_n = 1, fuse_batch = true, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"} : (tensor<32x2048xbf16, #ttnn_layout45>, tensor<2048x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout22>) -> tensor<32x2048xbf16, #ttnn_layout45>
        "ttnn.deallocate"(%88) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout45>) -> ()
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<2048x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout22>) -> ()
        %90 = "ttnn.add"(%89, %26) : (tensor<32x2048xbf16, #ttnn_layout45>, tensor<32x2048xbf16, #ttnn_layout42>) -> tensor<32x2048xbf16, #ttnn_layout79>
        "ttnn.deallocate"(%89) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout45>) -> ()
        "ttnn.deallocate"(%26) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout42>) -> ()
        %91 = "ttnn.rms_norm"(%90, %arg14) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x2048xbf16, #ttnn_layout79>, tensor<2048xbf16, #ttnn_layout31>) -> tensor<32x2048xbf16, #ttnn_layout79>
        "ttnn.deallocate"(%arg14) <{force = false}> : (tensor<2048xbf16, #ttnn_layout31>) -> ()
        %92 = "ttnn.matmul"(%91, %12) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 2, out_subblock_h = 1, out_subblock_w = 4, out_block_h = 1, out_block_w = 4, per_core_m = 1, per_core_n = 4, fuse_batch = true, fused_activation = #ttnn.unary_with_param<op_type = silu>, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"} : (tensor<32x2048xbf16, #ttnn_layout79>, tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>) -> tensor<32x8192xbf16, #ttnn_layout80>
        "ttnn.deallocate"(%12) <{force = false}> : (tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>) -> ()
        %93 = "ttnn.matmul"(%91, %7) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 2, out_subblock_h = 1, out_subblock_w = 4, out_block_h = 1, out_block_w = 4, per_core_m = 1, per_core_n = 4, fuse_batch = true, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"} : (tensor<32x2048xbf16, #ttnn_layout79>, tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>) -> tensor<32x8192xbf16, #ttnn_layout80>
        "ttnn.deallocate"(%91) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout79>) -> ()
        "ttnn.deallocate"(%7) <{force = false}> : (tensor<2048x8192x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout25>) -> ()
        %94 = "ttnn.multiply"(%92, %93) : (tensor<32x8192xbf16, #ttnn_layout80>, tensor<32x8192xbf16, #ttnn_layout80>) -> tensor<32x8192xbf16, #ttnn_layout81>
        "ttnn.deallocate"(%93) <{force = false}> : (tensor<32x8192xbf16, #ttnn_layout80>) -> ()
        "ttnn.deallocate"(%92) <{force = false}> : (tensor<32x8192xbf16, #ttnn_layout80>) -> ()
        %95 = "ttnn.matmul"(%94, %9) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 8, out_subblock_h = 1, out_subblock_w = 1, out_block_h = 1, out_block_w = 1, per_core_m = 1, per_core_n = 1, fuse_batch = true, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"} : (tensor<32x8192xbf16, #ttnn_layout81>, tensor<8192x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout13>) -> tensor<32x2048xbf16, #ttnn_layout82>
        "ttnn.deallocate"(%94) <{force = false}> : (tensor<32x8192xbf16, #ttnn_layout81>) -> ()
        "ttnn.deallocate"(%9) <{force = false}> : (tensor<8192x2048x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout13>) -> ()
        %96 = "ttnn.add"(%95, %90) : (tensor<32x2048xbf16, #ttnn_layout82>, tensor<32x2048xbf16, #ttnn_layout79>) -> tensor<32x2048xbf16, #ttnn_layout82>
        "ttnn.deallocate"(%95) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout82>) -> ()
        "ttnn.deallocate"(%90) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout79>) -> ()
        %97 = "ttnn.rms_norm"(%96, %arg11) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x2048xbf16, #ttnn_layout82>, tensor<2048xbf16, #ttnn_layout31>) -> tensor<32x2048xbf16, #ttnn_layout82>
        "ttnn.deallocate"(%96) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout82>) -> ()
        "ttnn.deallocate"(%arg11) <{force = false}> : (tensor<2048xbf16, #ttnn_layout31>) -> ()
        %98 = "ttnn.matmul"(%97, %13) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, matmul_program_config = #ttnn.matmul_multi_core_reuse_multi_cast_1d_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 4, out_block_h = 1, out_block_w = 68, per_core_m = 1, per_core_n = 68, fuse_batch = true, mcast_in0 = true, gather_in0 = false, hop_cores = #ttnn.core_range_set<>, num_global_cb_receivers = 0, untilize_out = false>, transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"} : (tensor<32x2048xbf16, #ttnn_layout82>, tensor<2048x128256x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout18>) -> tensor<32x128256xbf16, #ttnn_layout83>
        "ttnn.deallocate"(%97) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout82>) -> ()
        "ttnn.deallocate"(%13) <{force = false}> : (tensor<2048x128256x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout18>) -> ()
        %99 = "ttnn.to_layout"(%98) : (tensor<32x128256xbf16, #ttnn_layout83>) -> tensor<32x128256xbf16, #ttnn_layout84>
        %100 = "ttnn.to_memory_config"(%99) : (tensor<32x128256xbf16, #ttnn_layout84>) -> tensor<32x128256xbf16, #ttnn_layout85>
        "ttnn.deallocate"(%99) <{force = false}> : (tensor<32x128256xbf16, #ttnn_layout84>) -> ()
        %101 = "ttnn.argmax"(%100) <{dim = 1 : si32, keep_dim = true}> : (tensor<32x128256xbf16, #ttnn_layout85>) -> tensor<32x1xui32, #ttnn_layout40>
        "ttnn.deallocate"(%100) <{force = false}> : (tensor<32x128256xbf16, #ttnn_layout85>) -> ()
        %102 = "ttnn.add"(%49, %11) : (tensor<1xsi32, #ttnn_layout23>, tensor<1xsi32, #ttnn_layout23>) -> tensor<1xsi32, #ttnn_layout23>
        "ttnn.deallocate"(%49) <{force = false}> : (tensor<1xsi32, #ttnn_layout23>) -> ()
        %103 = "ttnn.add"(%15, %11) : (tensor<1xsi32, #ttnn_layout23>, tensor<1xsi32, #ttnn_layout23>) -> tensor<1xsi32, #ttnn_layout23>
        "ttnn.deallocate"(%15) <{force = false}> : (tensor<1xsi32, #ttnn_layout23>) -> ()
        "ttnn.deallocate"(%11) <{force = false}> : (tensor<1xsi32, #ttnn_layout23>) -> ()
        %104 = "ttnn.to_layout"(%101) : (tensor<32x1xui32, #ttnn_layout40>) -> tensor<32x1xui32, #ttnn_layout86>
        "ttnn.deallocate"(%101) <{force = false}> : (tensor<32x1xui32, #ttnn_layout40>) -> ()
        %105 = "ttnn.typecast"(%104) : (tensor<32x1xui32, #ttnn_layout86>) -> tensor<32x1xsi32, #ttnn_layout35>
        "ttnn.deallocate"(%104) <{force = false}> : (tensor<32x1xui32, #ttnn_layout86>) -> ()
        %106 = "ttnn.to_memory_config"(%98) : (tensor<32x128256xbf16, #ttnn_layout83>) -> tensor<32x128256xbf16, #ttnn_layout87>
        "ttnn.deallocate"(%98) <{force = false}> : (tensor<32x128256xbf16, #ttnn_layout83>) -> ()
        %107 = "ttnn.reshape"(%106) <{shape = [32 : i32, 1 : i32, 128256 : i32]}> : (tensor<32x128256xbf16, #ttnn_layout87>) -> tensor<32x1x128256xbf16, #ttnn_layout34>
        "ttnn.deallocate"(%106) <{force = false}> : (tensor<32x128256xbf16, #ttnn_layout87>) -> ()
        return %102, %103, %arg6, %arg9, %107, %105 : tensor<1xsi32, #ttnn_layout23>, tensor<1xsi32, #ttnn_layout23>, tensor<32x8x128x64xbf16, #ttnn_layout33>, tensor<32x8x128x64xbf16, #ttnn_layout33>, tensor<32x1x128256xbf16, #ttnn_layout34>, tensor<32x1xsi32, #ttnn_layout35>
      }
    }
  }
}

