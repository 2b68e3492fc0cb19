// What changes pages changes no place: a conversion in front of it that leads elsewhere would leave it two things to change, and no policy a
// program that runs. Behind one that is to move the tensor anyhow a conversion may lead anywhere.

// RUN: not tessera optimize %s -q -o - --insert-memreconfig to_layout_0=0 2>&1 | FileCheck %s
// RUN: not tessera optimize %s -q -o - --insert-memreconfig to_layout_0=0 --policy declared 2>&1 | FileCheck %s
// CHECK: error: insert-memreconfig: 'to_layout_0' cannot read operand 0 from such a conversion; legal: only what it has
// RUN: tessera optimize %s -q -o - --insert-memreconfig to_memory_config_0=0 --policy declared | FileCheck %s --check-prefix=MOVED
// MOVED: %[[TILES:.*]] = "ttnn.to_layout"
// MOVED: %[[THERE:.*]] = "ttnn.to_memory_config"(%[[TILES]])
// MOVED: "ttnn.to_memory_config"(%[[THERE]])

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#shards = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,1)>]>>
func.func @f(%r: tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #shards> {
  %0 = "ttnn.to_layout"(%r) : (tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #tiles>
  %1 = "ttnn.to_memory_config"(%0) : (tensor<64x64xbf16, #tiles>) -> tensor<64x64xbf16, #shards>
  return %1 : tensor<64x64xbf16, #shards>
}
