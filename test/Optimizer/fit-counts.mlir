// No library counts in 8 bits, in which frameworks count what is few: it is counted in 32, and cast.

// RUN: tessera optimize %s -q --rewrites none -o %t
// RUN: FileCheck %s < %t
// RUN: tessera verify --structure %s %t
// RUN: tessera verify %s %t
// RUN: tessera optimize %s -q -o - | FileCheck %s
// CHECK: "ttnn.arange"({{.*}}) -> tensor<64xsi32
// CHECK: "ttnn.typecast"({{.*}}) -> tensor<64xui8
// CHECK: "ttnn.arange"({{.*}}) -> tensor<64xui16

#dram = #ttnn.buffer_type<dram>
#count8 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x64xui8, #dram>, <interleaved>>
#count16 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x64xui16, #dram>, <interleaved>>

func.func @counted() -> (tensor<64xui8, #count8>, tensor<64xui16, #count16>) {
  %device = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.arange"(%device) <{start = 0 : si64, end = 64 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<64xui8, #count8>
  %1 = "ttnn.arange"(%device) <{start = 0 : si64, end = 64 : si64, step = 1 : si64}> : (!ttnn.device) -> tensor<64xui16, #count16>
  return %0, %1 : tensor<64xui8, #count8>, tensor<64xui16, #count16>
}
