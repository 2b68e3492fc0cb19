// What every TTNN op demands of results whose elements are tiles.
// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @no_layout(%x: tensor<32x32xbf16>) {
  // expected-error@+1 {{result #0 has elements '!ttcore.tile<32x32, bfp_bf8>', so it needs a layout}}
  %0 = "ttnn.exp"(%x) : (tensor<32x32xbf16>) -> tensor<32x32x!ttcore.tile<32x32, bfp_bf8>>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @other_elements(%x: tensor<32x32xbf16>) {
  // expected-error@+1 {{result #0 has elements '!ttcore.tile<32x32, bfp_bf8>', but those of its layout are 'bf16'}}
  %0 = "ttnn.exp"(%x) : (tensor<32x32xbf16>) -> tensor<32x32x!ttcore.tile<32x32, bfp_bf8>, #l>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @scalars_in_tiles(%x: tensor<32x32xbf16>) {
  // expected-error@+1 {{result #0 has elements '!ttcore.tile<32x32, bf16>', but those of its layout are 'bf16'}}
  %0 = "ttnn.exp"(%x) : (tensor<32x32xbf16>) -> tensor<32x32x!ttcore.tile<32x32, bf16>, #l>
  return
}
