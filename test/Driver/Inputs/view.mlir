// A view: a reshape that moves nothing.
#dram = #ttnn.buffer_type<dram>
!t = tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
!u = tensor<1x64x64xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
func.func @main(%a: !t) -> !u {
  %0 = "ttnn.relu"(%a) : (!t) -> !t
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32, 64 : i32]}> : (!t) -> !u
  return %1 : !u
}
