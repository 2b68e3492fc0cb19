#dram = #ttnn.buffer_type<dram>
!t = tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
func.func @main(%a: !t) -> !t {
  %0 = "ttnn.relu"(%a) : (!t) -> !t loc("max")
  %1 = "ttnn.exp"(%0) : (!t) -> !t loc("exp")
  %2 = "ttnn.relu"(%1) : (!t) -> !t loc("max")
  %3 = "ttnn.neg"(%2) : (!t) -> !t loc("max")
  return %3 : !t
}
func.func @other(%a: !t) -> !t {
  %0 = "ttnn.relu"(%a) : (!t) -> !t loc("max")
  %5 = "ttnn.relu"(%0) : (!t) -> !t loc("max")
  return %5 : !t
}
