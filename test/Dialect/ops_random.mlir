// Random numbers.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#device = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#device_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>

func.func @rand_0(%a0: !ttnn.device) {
  // CHECK: "ttnn.rand"(%arg0) <{high = 1.000000e+00 : f32, low = 0.000000e+00 : f32, seed = 0 : ui32, size = #ttnn.shape<64x32>}> : (
  %0 = "ttnn.rand"(%a0) <{size = #ttnn.shape<64x32>}> : (!ttnn.device) -> tensor<64x32xbf16, #device>
  return
}

func.func @dropout_1(%a0: tensor<64x32xbf16>) {
  // CHECK: "ttnn.dropout"(%arg0) <{prob = 2.000000e-01 : f32, scale = 1.250000e+00 : f32, seed = 21 : ui32, use_per_device_seed = true}> : (
  %0 = "ttnn.dropout"(%a0) <{prob = 2.000000e-01 : f32, scale = 1.250000e+00 : f32, seed = 21 : ui32}> : (tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return
}

func.func @sampling_2(%a0: tensor<8x64xbf16>, %a1: tensor<8x64xsi32>, %a2: tensor<8xui32>, %a3: tensor<8xbf16>, %a4: tensor<8xbf16>) {
  // CHECK: "ttnn.sampling"(%arg0, %arg1, %arg2, %arg3, %arg4) <{seed = 5 : ui32}> : (
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) <{seed = 5 : ui32}> : (tensor<8x64xbf16>, tensor<8x64xsi32>, tensor<8xui32>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xsi32>
  return
}

func.func @sampling_3(%a0: tensor<1x1x32x64xbf16>, %a1: tensor<1x1x32x64xsi32>, %a2: tensor<32xui32>, %a3: tensor<32xbf16>, %a4: tensor<32xbf16>) {
  // CHECK: "ttnn.sampling"(%arg0, %arg1, %arg2, %arg3, %arg4) : (
  %0 = "ttnn.sampling"(%a0, %a1, %a2, %a3, %a4) : (tensor<1x1x32x64xbf16>, tensor<1x1x32x64xsi32>, tensor<32xui32>, tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xsi32>
  return
}
