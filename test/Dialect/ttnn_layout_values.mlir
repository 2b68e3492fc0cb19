// Layouts as they were written before May 2026, with a map to cores, are read of values, too: the reader adds the cores.
// RUN: tessera-opt %s | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4, (d0, d1) -> (0, d0, d1)>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>
// CHECK: #[[SHARDED:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,1)>]>>
func.func @f(%x: tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #s> {
  // CHECK: "ttnn.to_memory_config"{{.*}} -> tensor<64x128xbf16, #[[SHARDED]]>
  %0 = "ttnn.to_memory_config"(%x) : (tensor<64x128xbf16, #t>) -> tensor<64x128xbf16, #s>
  return %0 : tensor<64x128xbf16, #s>
}
