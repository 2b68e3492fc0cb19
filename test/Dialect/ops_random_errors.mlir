// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @rand_0(%a0: !ttnn.device) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.rand"(%a0) <{size = #ttnn.shape<64x32>}> : (!ttnn.device) -> tensor<64x32xbf16>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#device = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#device_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>
func.func @rand_1(%a0: !ttnn.device) {
  // expected-error@+1 {{attribute 'low' (1.000000e+00) must be below 'high' (1.000000e+00)}}
  %0 = "ttnn.rand"(%a0) <{size = #ttnn.shape<64x32>, low = 1.0 : f32, high = 1.0 : f32}> : (!ttnn.device) -> tensor<64x32xbf16, #device>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#device = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#device_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>
func.func @rand_2(%a0: !ttnn.device) {
  // expected-error@+1 {{result has shape 64x32, but attribute 'size' gives 32x64}}
  %0 = "ttnn.rand"(%a0) <{size = #ttnn.shape<32x64>}> : (!ttnn.device) -> tensor<64x32xbf16, #device>
  return
}
// -----
func.func @sampling_3(%a0: tensor<64xbf16>, %a1: tensor<8x64xsi32>, %a2: tensor<8xui32>, %a3: tensor<8xbf16>, %a4: tensor<8xbf16>) {
  // expected-error@+1 {{input_values must be B x C or 1 x 1 x B x C, not 64}}
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) <{seed = 5 : ui32}> : (tensor<64xbf16>, tensor<8x64xsi32>, tensor<8xui32>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xsi32>
  return
}
// -----
func.func @sampling_4(%a0: tensor<2x1x8x64xbf16>, %a1: tensor<8x64xsi32>, %a2: tensor<8xui32>, %a3: tensor<8xbf16>, %a4: tensor<8xbf16>) {
  // expected-error@+1 {{input_values must be B x C or 1 x 1 x B x C, not 2x1x8x64}}
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) <{seed = 5 : ui32}> : (tensor<2x1x8x64xbf16>, tensor<8x64xsi32>, tensor<8xui32>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xsi32>
  return
}
// -----
func.func @sampling_5(%a0: tensor<33x64xbf16>, %a1: tensor<8x64xsi32>, %a2: tensor<8xui32>, %a3: tensor<8xbf16>, %a4: tensor<8xbf16>) {
  // expected-error@+1 {{batch (33) must be in [1, 32]}}
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) <{seed = 5 : ui32}> : (tensor<33x64xbf16>, tensor<8x64xsi32>, tensor<8xui32>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xsi32>
  return
}
// -----
func.func @sampling_6(%a0: tensor<0x64xbf16>, %a1: tensor<8x64xsi32>, %a2: tensor<8xui32>, %a3: tensor<8xbf16>, %a4: tensor<8xbf16>) {
  // expected-error@+1 {{batch (0) must be in [1, 32]}}
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) <{seed = 5 : ui32}> : (tensor<0x64xbf16>, tensor<8x64xsi32>, tensor<8xui32>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xsi32>
  return
}
// -----
func.func @sampling_7(%a0: tensor<8x64xbf16>, %a1: tensor<8x32xsi32>, %a2: tensor<8xui32>, %a3: tensor<8xbf16>, %a4: tensor<8xbf16>) {
  // expected-error@+1 {{input_indices has shape 8x32, but the shape of input_values gives 8x64}}
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) <{seed = 5 : ui32}> : (tensor<8x64xbf16>, tensor<8x32xsi32>, tensor<8xui32>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xsi32>
  return
}
// -----
func.func @sampling_8(%a0: tensor<8x64xbf16>, %a1: tensor<8x64xsi32>, %a2: tensor<4xui32>, %a3: tensor<8xbf16>, %a4: tensor<8xbf16>) {
  // expected-error@+1 {{k has shape 4, but one value per row gives 8}}
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) <{seed = 5 : ui32}> : (tensor<8x64xbf16>, tensor<8x64xsi32>, tensor<4xui32>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xsi32>
  return
}
// -----
func.func @sampling_9(%a0: tensor<8x64xbf16>, %a1: tensor<8x64xsi32>, %a2: tensor<8xui32>, %a3: tensor<1x8xbf16>, %a4: tensor<8xbf16>) {
  // expected-error@+1 {{p has shape 1x8, but one value per row gives 8}}
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) <{seed = 5 : ui32}> : (tensor<8x64xbf16>, tensor<8x64xsi32>, tensor<8xui32>, tensor<1x8xbf16>, tensor<8xbf16>) -> tensor<8xsi32>
  return
}
// -----
func.func @sampling_10(%a0: tensor<8x64xbf16>, %a1: tensor<8x64xsi32>, %a2: tensor<8xui32>, %a3: tensor<8xbf16>, %a4: tensor<1xbf16>) {
  // expected-error@+1 {{temp has shape 1, but one value per row gives 8}}
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) <{seed = 5 : ui32}> : (tensor<8x64xbf16>, tensor<8x64xsi32>, tensor<8xui32>, tensor<8xbf16>, tensor<1xbf16>) -> tensor<8xsi32>
  return
}
