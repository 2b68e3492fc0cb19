#dram = #ttnn.buffer_type<dram>
#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}], [{arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, supported_data_types = [<f32>, <f16>, <bf16>, <bfp_f8>, <bfp_bf8>, <bfp_f4>, <bfp_bf4>, <bfp_f2>, <bfp_bf2>, <u32>, <u16>, <u8>, <si32>], supported_tile_sizes = [ 4x16,  16x16,  32x16,  4x32,  16x32,  32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, 4)], dram_bank_to_logical_worker_noc1 = [(7, 3), (0, 0), (3, 0), (4, 0), (0, 4), (7, 7), (1, 4), (6, 4), (5, 4), (2, 6), (3, 4), (4, 4)]}], [0], [1 : i32], [ 0x0x0x0]>
#ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 128 + d2, d3), <1x1>, memref<1024x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout2 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xui32, #dram>, <interleaved>>
#ttnn_layout3 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<32x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout4 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout5 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout6 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x96x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout7 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x256x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout9 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<256x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout10 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x96x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout11 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<1024x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout12 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout13 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<256x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout14 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<1024x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout15 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<256x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout16 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout17 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 4096 + d1 * 128 + d2, d3), <1x1>, memref<4096x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout18 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 64 + d2, d3), <1x1>, memref<2048x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout19 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<1024x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#ttnn_layout20 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x256x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  ttcore.device_module {
    builtin.module attributes {ttcore.system_desc = #system_desc} {
      func.func @main(%arg0: tensor<32x2048xbf16, #ttnn_layout> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "hidden_states"}, %arg1: tensor<32x8x128x64xbf16, #ttnn_layout1> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.kv_cache, ttir.name = "k_cache"}, %arg2: tensor<32x8x128x64xbf16, #ttnn_layout1> {ttcore.argument_type = #ttcore.argument_type<input>, ttcore.kv_cache, ttir.name = "v_cache"}, %arg3: tensor<32xui32, #ttnn_layout2> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "position"}, %arg4: tensor<32x1x1x128xbf16, #ttnn_layout3> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "mask"}, %arg5: tensor<1x1x1x64xbf16, #ttnn_layout4> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "cos"}, %arg6: tensor<1x1x1x64xbf16, #ttnn_layout4> {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = "sin"}, %arg7: tensor<2048xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "input_layernorm"}, %arg8: tensor<2048xbf16, #ttnn_layout5> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "post_attention_layernorm"}, %arg9: tensor<2048x3072xbf16, #ttnn_layout6> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "qkv_proj"}, %arg10: tensor<2048x2048xbf16, #ttnn_layout7> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "o_proj"}, %arg11: tensor<2048x8192xbf16, #ttnn_layout8> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "gate_proj"}, %arg12: tensor<2048x8192xbf16, #ttnn_layout8> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "up_proj"}, %arg13: tensor<8192x2048xbf16, #ttnn_layout9> {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = "down_proj"}) -> (tensor<32x8x128x64xbf16, #ttnn_layout1>, tensor<32x8x128x64xbf16, #ttnn_layout1>, tensor<32x2048xbf16, #ttnn_layout>) attributes {tt.function_type = "forward_device"} {
        %0 = "ttnn.rms_norm"(%arg0, %arg7) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x2048xbf16, #ttnn_layout>, tensor<2048xbf16, #ttnn_layout5>) -> tensor<32x2048xbf16, #ttnn_layout>
        "ttnn.deallocate"(%arg7) <{force = false}> : (tensor<2048xbf16, #ttnn_layout5>) -> ()
        %1 = "ttnn.matmul"(%0, %arg9) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16, #ttnn_layout>, tensor<2048x3072xbf16, #ttnn_layout6>) -> tensor<32x3072xbf16, #ttnn_layout10>
        "ttnn.deallocate"(%0) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout>) -> ()
        "ttnn.deallocate"(%arg9) <{force = false}> : (tensor<2048x3072xbf16, #ttnn_layout6>) -> ()
        %2 = "ttnn.slice_static"(%1) <{begins = [0 : i32, 0 : i32], ends = [32 : i32, 2048 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x3072xbf16, #ttnn_layout10>) -> tensor<32x2048xbf16, #ttnn_layout>
        %3 = "ttnn.reshape"(%2) <{shape = [32 : i32, 32 : i32, 1 : i32, 64 : i32]}> : (tensor<32x2048xbf16, #ttnn_layout>) -> tensor<32x32x1x64xbf16, #ttnn_layout11>
        "ttnn.deallocate"(%2) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout>) -> ()
        %4 = "ttnn.slice_static"(%1) <{begins = [0 : i32, 2048 : i32], ends = [32 : i32, 2560 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x3072xbf16, #ttnn_layout10>) -> tensor<32x512xbf16, #ttnn_layout12>
        %5 = "ttnn.reshape"(%4) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16, #ttnn_layout12>) -> tensor<32x8x1x64xbf16, #ttnn_layout13>
        "ttnn.deallocate"(%4) <{force = false}> : (tensor<32x512xbf16, #ttnn_layout12>) -> ()
        %6 = "ttnn.slice_static"(%1) <{begins = [0 : i32, 2560 : i32], ends = [32 : i32, 3072 : i32], step = [1 : i32, 1 : i32]}> : (tensor<32x3072xbf16, #ttnn_layout10>) -> tensor<32x512xbf16, #ttnn_layout12>
        "ttnn.deallocate"(%1) <{force = false}> : (tensor<32x3072xbf16, #ttnn_layout10>) -> ()
        %7 = "ttnn.reshape"(%6) <{shape = [32 : i32, 8 : i32, 1 : i32, 64 : i32]}> : (tensor<32x512xbf16, #ttnn_layout12>) -> tensor<32x8x1x64xbf16, #ttnn_layout13>
        "ttnn.deallocate"(%6) <{force = false}> : (tensor<32x512xbf16, #ttnn_layout12>) -> ()
        %8 = "ttnn.slice_static"(%3) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 32 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>) -> tensor<32x32x1x32xbf16, #ttnn_layout14>
        %9 = "ttnn.slice_static"(%3) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [32 : i32, 32 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>) -> tensor<32x32x1x32xbf16, #ttnn_layout14>
        %10 = "ttnn.neg"(%9) : (tensor<32x32x1x32xbf16, #ttnn_layout14>) -> tensor<32x32x1x32xbf16, #ttnn_layout14>
        "ttnn.deallocate"(%9) <{force = false}> : (tensor<32x32x1x32xbf16, #ttnn_layout14>) -> ()
        %11 = "ttnn.concat"(%10, %8) <{dim = 3 : si32}> : (tensor<32x32x1x32xbf16, #ttnn_layout14>, tensor<32x32x1x32xbf16, #ttnn_layout14>) -> tensor<32x32x1x64xbf16, #ttnn_layout11>
        "ttnn.deallocate"(%10) <{force = false}> : (tensor<32x32x1x32xbf16, #ttnn_layout14>) -> ()
        "ttnn.deallocate"(%8) <{force = false}> : (tensor<32x32x1x32xbf16, #ttnn_layout14>) -> ()
        %12 = "ttnn.multiply"(%3, %arg5) : (tensor<32x32x1x64xbf16, #ttnn_layout11>, tensor<1x1x1x64xbf16, #ttnn_layout4>) -> tensor<32x32x1x64xbf16, #ttnn_layout11>
        "ttnn.deallocate"(%3) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>) -> ()
        %13 = "ttnn.multiply"(%11, %arg6) : (tensor<32x32x1x64xbf16, #ttnn_layout11>, tensor<1x1x1x64xbf16, #ttnn_layout4>) -> tensor<32x32x1x64xbf16, #ttnn_layout11>
        "ttnn.deallocate"(%11) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>) -> ()
        %14 = "ttnn.add"(%12, %13) : (tensor<32x32x1x64xbf16, #ttnn_layout11>, tensor<32x32x1x64xbf16, #ttnn_layout11>) -> tensor<32x32x1x64xbf16, #ttnn_layout11>
        "ttnn.deallocate"(%13) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>) -> ()
        "ttnn.deallocate"(%12) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>) -> ()
        %15 = "ttnn.slice_static"(%5) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 32 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> tensor<32x8x1x32xbf16, #ttnn_layout15>
        %16 = "ttnn.slice_static"(%5) <{begins = [0 : i32, 0 : i32, 0 : i32, 32 : i32], ends = [32 : i32, 8 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> tensor<32x8x1x32xbf16, #ttnn_layout15>
        %17 = "ttnn.neg"(%16) : (tensor<32x8x1x32xbf16, #ttnn_layout15>) -> tensor<32x8x1x32xbf16, #ttnn_layout15>
        "ttnn.deallocate"(%16) <{force = false}> : (tensor<32x8x1x32xbf16, #ttnn_layout15>) -> ()
        %18 = "ttnn.concat"(%17, %15) <{dim = 3 : si32}> : (tensor<32x8x1x32xbf16, #ttnn_layout15>, tensor<32x8x1x32xbf16, #ttnn_layout15>) -> tensor<32x8x1x64xbf16, #ttnn_layout13>
        "ttnn.deallocate"(%17) <{force = false}> : (tensor<32x8x1x32xbf16, #ttnn_layout15>) -> ()
        "ttnn.deallocate"(%15) <{force = false}> : (tensor<32x8x1x32xbf16, #ttnn_layout15>) -> ()
        %19 = "ttnn.multiply"(%5, %arg5) : (tensor<32x8x1x64xbf16, #ttnn_layout13>, tensor<1x1x1x64xbf16, #ttnn_layout4>) -> tensor<32x8x1x64xbf16, #ttnn_layout13>
        "ttnn.deallocate"(%5) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> ()
        "ttnn.deallocate"(%arg5) <{force = false}> : (tensor<1x1x1x64xbf16, #ttnn_layout4>) -> ()
        %20 = "ttnn.multiply"(%18, %arg6) : (tensor<32x8x1x64xbf16, #ttnn_layout13>, tensor<1x1x1x64xbf16, #ttnn_layout4>) -> tensor<32x8x1x64xbf16, #ttnn_layout13>
        "ttnn.deallocate"(%18) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> ()
        "ttnn.deallocate"(%arg6) <{force = false}> : (tensor<1x1x1x64xbf16, #ttnn_layout4>) -> ()
        %21 = "ttnn.add"(%19, %20) : (tensor<32x8x1x64xbf16, #ttnn_layout13>, tensor<32x8x1x64xbf16, #ttnn_layout13>) -> tensor<32x8x1x64xbf16, #ttnn_layout13>
        "ttnn.deallocate"(%20) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> ()
        "ttnn.deallocate"(%19) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> ()
        %22 = "ttnn.reshape"(%21) <{shape = [1 : i32, 8 : i32, 32 : i32, 64 : i32]}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> tensor<1x8x32x64xbf16, #ttnn_layout16>
        "ttnn.deallocate"(%21) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> ()
        "ttnn.update_cache"(%arg1, %22, %arg3) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16, #ttnn_layout1>, tensor<1x8x32x64xbf16, #ttnn_layout16>, tensor<32xui32, #ttnn_layout2>) -> ()
        "ttnn.deallocate"(%22) <{force = false}> : (tensor<1x8x32x64xbf16, #ttnn_layout16>) -> ()
        %23 = "ttnn.reshape"(%7) <{shape = [1 : i32, 8 : i32, 32 : i32, 64 : i32]}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> tensor<1x8x32x64xbf16, #ttnn_layout16>
        "ttnn.deallocate"(%7) <{force = false}> : (tensor<32x8x1x64xbf16, #ttnn_layout13>) -> ()
        "ttnn.update_cache"(%arg2, %23, %arg3) <{batch_offset = 0 : i32}> : (tensor<32x8x128x64xbf16, #ttnn_layout1>, tensor<1x8x32x64xbf16, #ttnn_layout16>, tensor<32xui32, #ttnn_layout2>) -> ()
        "ttnn.deallocate"(%23) <{force = false}> : (tensor<1x8x32x64xbf16, #ttnn_layout16>) -> ()
        "ttnn.deallocate"(%arg3) <{force = false}> : (tensor<32xui32, #ttnn_layout2>) -> ()
        %24 = "ttnn.repeat_interleave"(%arg1) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<32x8x128x64xbf16, #ttnn_layout1>) -> tensor<32x32x128x64xbf16, #ttnn_layout17>
        %25 = "ttnn.repeat_interleave"(%arg2) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<32x8x128x64xbf16, #ttnn_layout1>) -> tensor<32x32x128x64xbf16, #ttnn_layout17>
        %26 = "ttnn.permute"(%24) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<32x32x128x64xbf16, #ttnn_layout17>) -> tensor<32x32x64x128xbf16, #ttnn_layout18>
        "ttnn.deallocate"(%24) <{force = false}> : (tensor<32x32x128x64xbf16, #ttnn_layout17>) -> ()
        %27 = "ttnn.matmul"(%14, %26) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>, tensor<32x32x64x128xbf16, #ttnn_layout18>) -> tensor<32x32x1x128xbf16, #ttnn_layout19>
        "ttnn.deallocate"(%26) <{force = false}> : (tensor<32x32x64x128xbf16, #ttnn_layout18>) -> ()
        "ttnn.deallocate"(%14) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>) -> ()
        %28 = "ttnn.add"(%27, %arg4) : (tensor<32x32x1x128xbf16, #ttnn_layout19>, tensor<32x1x1x128xbf16, #ttnn_layout3>) -> tensor<32x32x1x128xbf16, #ttnn_layout19>
        "ttnn.deallocate"(%27) <{force = false}> : (tensor<32x32x1x128xbf16, #ttnn_layout19>) -> ()
        "ttnn.deallocate"(%arg4) <{force = false}> : (tensor<32x1x1x128xbf16, #ttnn_layout3>) -> ()
        %29 = "ttnn.softmax"(%28) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, dimension = -1 : si32, numericStable = true}> : (tensor<32x32x1x128xbf16, #ttnn_layout19>) -> tensor<32x32x1x128xbf16, #ttnn_layout19>
        "ttnn.deallocate"(%28) <{force = false}> : (tensor<32x32x1x128xbf16, #ttnn_layout19>) -> ()
        %30 = "ttnn.matmul"(%29, %25) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}> : (tensor<32x32x1x128xbf16, #ttnn_layout19>, tensor<32x32x128x64xbf16, #ttnn_layout17>) -> tensor<32x32x1x64xbf16, #ttnn_layout11>
        "ttnn.deallocate"(%29) <{force = false}> : (tensor<32x32x1x128xbf16, #ttnn_layout19>) -> ()
        "ttnn.deallocate"(%25) <{force = false}> : (tensor<32x32x128x64xbf16, #ttnn_layout17>) -> ()
        %31 = "ttnn.reshape"(%30) <{shape = [32 : i32, 2048 : i32]}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>) -> tensor<32x2048xbf16, #ttnn_layout>
        "ttnn.deallocate"(%30) <{force = false}> : (tensor<32x32x1x64xbf16, #ttnn_layout11>) -> ()
        %32 = "ttnn.matmul"(%31, %arg10) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16, #ttnn_layout>, tensor<2048x2048xbf16, #ttnn_layout7>) -> tensor<32x2048xbf16, #ttnn_layout>
        "ttnn.deallocate"(%31) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout>) -> ()
        "ttnn.deallocate"(%arg10) <{force = false}> : (tensor<2048x2048xbf16, #ttnn_layout7>) -> ()
        %33 = "ttnn.add"(%32, %arg0) : (tensor<32x2048xbf16, #ttnn_layout>, tensor<32x2048xbf16, #ttnn_layout>) -> tensor<32x2048xbf16, #ttnn_layout>
        "ttnn.deallocate"(%32) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout>) -> ()
        "ttnn.deallocate"(%arg0) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout>) -> ()
        %34 = "ttnn.rms_norm"(%33, %arg8) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x2048xbf16, #ttnn_layout>, tensor<2048xbf16, #ttnn_layout5>) -> tensor<32x2048xbf16, #ttnn_layout>
        "ttnn.deallocate"(%arg8) <{force = false}> : (tensor<2048xbf16, #ttnn_layout5>) -> ()
        %35 = "ttnn.matmul"(%34, %arg11) <{activation = "silu", compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16, #ttnn_layout>, tensor<2048x8192xbf16, #ttnn_layout8>) -> tensor<32x8192xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%arg11) <{force = false}> : (tensor<2048x8192xbf16, #ttnn_layout8>) -> ()
        %36 = "ttnn.matmul"(%34, %arg12) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}> : (tensor<32x2048xbf16, #ttnn_layout>, tensor<2048x8192xbf16, #ttnn_layout8>) -> tensor<32x8192xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%34) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout>) -> ()
        "ttnn.deallocate"(%arg12) <{force = false}> : (tensor<2048x8192xbf16, #ttnn_layout8>) -> ()
        %37 = "ttnn.multiply"(%35, %36) : (tensor<32x8192xbf16, #ttnn_layout20>, tensor<32x8192xbf16, #ttnn_layout20>) -> tensor<32x8192xbf16, #ttnn_layout20>
        "ttnn.deallocate"(%36) <{force = false}> : (tensor<32x8192xbf16, #ttnn_layout20>) -> ()
        "ttnn.deallocate"(%35) <{force = false}> : (tensor<32x8192xbf16, #ttnn_layout20>) -> ()
        %38 = "ttnn.matmul"(%37, %arg13) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}> : (tensor<32x8192xbf16, #ttnn_layout20>, tensor<8192x2048xbf16, #ttnn_layout9>) -> tensor<32x2048xbf16, #ttnn_layout>
        "ttnn.deallocate"(%37) <{force = false}> : (tensor<32x8192xbf16, #ttnn_layout20>) -> ()
        "ttnn.deallocate"(%arg13) <{force = false}> : (tensor<8192x2048xbf16, #ttnn_layout9>) -> ()
        %39 = "ttnn.add"(%38, %33) : (tensor<32x2048xbf16, #ttnn_layout>, tensor<32x2048xbf16, #ttnn_layout>) -> tensor<32x2048xbf16, #ttnn_layout>
        "ttnn.deallocate"(%38) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout>) -> ()
        "ttnn.deallocate"(%33) <{force = false}> : (tensor<32x2048xbf16, #ttnn_layout>) -> ()
        return %arg1, %arg2, %39 : tensor<32x8x128x64xbf16, #ttnn_layout1>, tensor<32x8x128x64xbf16, #ttnn_layout1>, tensor<32x2048xbf16, #ttnn_layout>
      }
    }
  }
}

