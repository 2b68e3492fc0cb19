// Random lists of pages name each page once: of two writes to one place a device does not say which is the last, so that results could not be
// compared with those of real kernels.
//
// RUN: rm -rf %t && tessera run %s --inputs random:3 --outputs %t > /dev/null
// RUN: %python %S/Inputs/distinct.py 24 %t/main.result0.npy | FileCheck %s
// RUN: tessera run %s --inputs random:4 --outputs %t > /dev/null
// RUN: %python %S/Inputs/distinct.py 24 %t/main.result0.npy | FileCheck %s
// CHECK: 24 of 24 distinct, all below 24
#dram = #ttnn.buffer_type<dram>
#cache = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<24x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#positions = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x8xsi32, #dram>, <interleaved>>
#table = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x3xsi32, #dram>, <interleaved>>
func.func @main(%c: tensor<24x1x32x64xbf16, #cache>, %n: tensor<1x8x1x64xbf16, #rows>, %p: tensor<8xsi32, #positions>, %t: tensor<8x3xsi32, #table>) -> tensor<8x3xsi32, #table> {
  "ttnn.paged_update_cache"(%c, %n, %p, %t) <{share_cache = false}> : (tensor<24x1x32x64xbf16, #cache>, tensor<1x8x1x64xbf16, #rows>, tensor<8xsi32, #positions>, tensor<8x3xsi32, #table>) -> ()
  return %t : tensor<8x3xsi32, #table>
}
