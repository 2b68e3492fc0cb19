// Quotients of whole numbers are cut where whole numbers are asked for, and keep what is left where floats are.
// RUN: tessera run %s | FileCheck %s
// RUN: tessera run %s --arithmetic kernels | FileCheck %s
// CHECK: main.result0 {{.*}} 3.5000
// CHECK: main.result1 {{.*}} 3.0000

#dram = #ttnn.buffer_type<dram>
#f32_32x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#si32_32x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
func.func @main() -> (tensor<32x32xf32, #f32_32x32>, tensor<32x32xsi32, #si32_32x32>) {
  %dev = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %seven = "ttnn.full"(%dev) <{fill_value = 7 : i32, shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> tensor<32x32xsi32, #si32_32x32>
  %two = "ttnn.full"(%dev) <{fill_value = 2 : i32, shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> tensor<32x32xsi32, #si32_32x32>
  %a = "ttnn.divide"(%seven, %two) : (tensor<32x32xsi32, #si32_32x32>, tensor<32x32xsi32, #si32_32x32>) -> tensor<32x32xf32, #f32_32x32>
  %b = "ttnn.divide"(%seven, %two) : (tensor<32x32xsi32, #si32_32x32>, tensor<32x32xsi32, #si32_32x32>) -> tensor<32x32xsi32, #si32_32x32>
  return %a, %b : tensor<32x32xf32, #f32_32x32>, tensor<32x32xsi32, #si32_32x32>
}

