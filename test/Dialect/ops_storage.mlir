// Tensors at addresses and in files.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#device = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#device_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>

func.func @alloc_0() {
  // CHECK: "ttnn.alloc"() <{address = 4096 : i64, buffer_type = #dram, size = 4096 : i64}> : (
  %0 = "ttnn.alloc"() <{address = 4096 : i64, buffer_type = #ttnn.buffer_type<dram>, size = 4096 : i64}> : () -> tensor<64x32xbf16, #device>
  return
}

func.func @dump_tensor_1(%a0: tensor<64x32xbf16, #device>) {
  // CHECK: "ttnn.dump_tensor"(%arg0) <{file_path = "a/b.tensorbin"}> : (
  "ttnn.dump_tensor"(%a0) <{file_path = "a/b.tensorbin"}> : (tensor<64x32xbf16, #device>) -> ()
  return
}

func.func @load_tensor_2(%a0: !ttnn.device) {
  // CHECK: "ttnn.load_tensor"(%arg0) <{file_path = "a/b.tensorbin"}> : (
  %0 = "ttnn.load_tensor"(%a0) <{file_path = "a/b.tensorbin"}> : (!ttnn.device) -> tensor<64x32xbf16, #device>
  return
}

func.func @load_tensor_3() {
  // CHECK: "ttnn.load_tensor"() <{file_path = "a/b.tensorbin"}> : (
  %0 = "ttnn.load_tensor"() <{file_path = "a/b.tensorbin"}> : () -> tensor<64x32xbf16, #host>
  return
}
