#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @"main\FF"(%x: tensor<64x64xbf16, #t> {ttir.name = "x\FF"}) -> tensor<64x64xbf16, #t> {
  %0 = "ttnn.relu"(%x) : (tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t> loc("layer\FF/relu")
  return %0 : tensor<64x64xbf16, #t>
}
