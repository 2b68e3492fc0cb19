// RUN: tessera optimize %s -q -o %t && FileCheck %s --input-file=%t
// An op that takes no notice of where its result is declared is planned with what it makes, and its readers are served from there.

#l1 = #ttnn.buffer_type<l1>
#dram = #ttnn.buffer_type<dram>
#heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <8x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,0)>]>>
#joined = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x128x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK: #[[MADE:.*]] = #ttnn.ttnn_layout<{{.*}}<1x32>, memref<1x4x!ttcore.tile<32x32, bf16>, {{.*}}l1{{.*}}<width_sharded>
// CHECK: "ttnn.nlp_concat_heads_decode"{{.*}} -> tensor<1x1x32x4096xbf16, #[[MADE]]>
func.func @main(%heads: tensor<1x8x32x128xbf16, #heads>) -> tensor<1x1x32x4096xbf16, #joined> {
  %joined = "ttnn.nlp_concat_heads_decode"(%heads) <{num_heads = 32 : ui32}> : (tensor<1x8x32x128xbf16, #heads>) -> tensor<1x1x32x4096xbf16, #joined>
  return %joined : tensor<1x1x32x4096xbf16, #joined>
}
