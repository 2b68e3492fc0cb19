// A function that has no device yet gets that of its module.
// RUN: tessera-opt --ttnn-split-conversions %s | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #system_memory>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @without(
// CHECK-NEXT: %[[DEVICE:.*]] = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x8>}>
// CHECK-NEXT: "ttnn.to_device"(%arg0, %[[DEVICE]])
func.func @without(%x: tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #tiles> {
  %0 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #tiles>
  return %0 : tensor<64x64xbf16, #tiles>
}

func.func @with(%x: tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #tiles> {
  %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x8>}> : () -> !ttnn.device
  %1 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #tiles>
  return %1 : tensor<64x64xbf16, #tiles>
}
