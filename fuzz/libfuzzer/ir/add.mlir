#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%x: tensor<2x3xbf16, #t>, %y: tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t> {
  %0 = "ttnn.add"(%x, %y) : (tensor<2x3xbf16, #t>, tensor<2x3xbf16, #t>) -> tensor<2x3xbf16, #t>
  return %0 : tensor<2x3xbf16, #t>
  }
}
