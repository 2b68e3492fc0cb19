// RUN: tessera-opt %s --split-input-file --verify-diagnostics

#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#device = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#device_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>
func.func @dump_tensor_0(%a0: tensor<64x32xbf16, #device>) {
  // expected-error@+1 {{attribute 'file_path' must end in .tensorbin, but is "a/b.bin"}}
  "ttnn.dump_tensor"(%a0) <{file_path = "a/b.bin"}> : (tensor<64x32xbf16, #device>) -> ()
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#device = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#device_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>
func.func @load_tensor_1(%a0: !ttnn.device) {
  // expected-error@+1 {{attribute 'file_path' must end in .tensorbin, but is "a/b"}}
  %0 = "ttnn.load_tensor"(%a0) <{file_path = "a/b"}> : (!ttnn.device) -> tensor<64x32xbf16, #device>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#device = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#device_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>
func.func @load_tensor_2(%a0: !ttnn.device) {
  // expected-error@+1 {{with a device needs a result on the device, but has}}
  %0 = "ttnn.load_tensor"(%a0) <{file_path = "a/b.tensorbin"}> : (!ttnn.device) -> tensor<64x32xbf16, #host>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#device = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#device_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>
func.func @load_tensor_3() {
  // expected-error@+1 {{without a device needs a result in system memory, but has}}
  %0 = "ttnn.load_tensor"() <{file_path = "a/b.tensorbin"}> : () -> tensor<64x32xbf16, #device>
  return
}
