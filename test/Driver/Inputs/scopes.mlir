#dram = #ttnn.buffer_type<dram>
!t = tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
func.func @main(%a: !t) -> !t {
  %0 = "ttnn.relu"(%a) : (!t) -> !t loc("model/layers.0/mlp/relu")
  %1 = "ttnn.exp"(%0) : (!t) -> !t loc("model/layers.0/mlp/exp")
  %2 = "ttnn.relu"(%1) : (!t) -> !t loc("model/layers.1/mlp/relu")
  %3 = "ttnn.exp"(%2) : (!t) -> !t loc("model/layers.1/mlp/exp")
  %4 = "ttnn.neg"(%3) : (!t) -> !t loc("model/norm/neg")
  return %4 : !t
}
