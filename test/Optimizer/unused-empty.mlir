// A tensor that nobody uses is freed at once. The guard took it for one that was lost, as only kept places are freed unread.
// RUN: tessera optimize -q %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: tessera optimize -q %t.mlir -o /dev/null
// CHECK: %[[UNUSED:.*]] = "ttnn.empty"
// CHECK-NEXT: "ttnn.deallocate"(%[[UNUSED]])

#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @main(%x: tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t> {
  %0 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %1 = "ttnn.empty"(%0) <{shape = #ttnn.shape<64x64>}> : (!ttnn.device) -> tensor<64x64xbf16, #t>
  %2 = "ttnn.relu"(%x) : (tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
  return %2 : tensor<64x64xbf16, #t>
}
