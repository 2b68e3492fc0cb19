// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: sed -e 's/ignorePhysicalLayout = true/ignorePhysicalLayout = false/' %s | tessera-opt | FileCheck --check-prefix=UNSAID %s
// UNSAID-NOT: ignorePhysicalLayout

// #ttnn.ttnn_layout in every spelling that is read, and the one that is written. Aliases have tt-mlir's names;
// numbers follow the order of use.

// CHECK-DAG: #dram = #ttnn.buffer_type<dram>
// CHECK-DAG: #l1 = #ttnn.buffer_type<l1>
// CHECK-DAG: #system_memory = #ttnn.buffer_type<system_memory>
#l1 = #ttnn.buffer_type<l1>

// CHECK: #ttnn_layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x16x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func private @dram(tensor<4096x512xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>,
  memref<128x16x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>)

// CHECK: #ttnn_layout1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 4096 + d1, d2), <8x8>, memref<1x32x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
// The memory layout may carry its prefix, and so may the grid.
func.func private @l1_interleaved(tensor<1x4096x512xbf16, #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 4096 + d1, d2), #ttcore.grid<8 x 8>,
  memref<1x32x!ttcore.tile<32x32, bf16>, #l1>, #ttnn.tensor_memory_layout<interleaved>>>)

// CHECK: #ttnn_layout2 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x8>, memref<32x5x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,0)>]>>
// Core ranges with the prefix that older files have, and blanks.
func.func private @width_sharded(tensor<1024x1280xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x8>,
  memref<32x5x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = #ttnn.core_range_set<[#ttnn.core_range<(0, 0), (7, 0)>]>>>)

// CHECK: #ttnn_layout3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #system_memory>>
func.func private @host(tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #ttnn.buffer_type<system_memory>>>>)

// CHECK: #ttnn_layout4 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
func.func private @rank1(tensor<8xf32, #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>)

// CHECK: #ttnn_layout5 = #ttnn.ttnn_layout<() -> (0, 0), <1x1>, memref<1x1xbf16, #dram>, <interleaved>>
func.func private @rank0(tensor<bf16, #ttnn.ttnn_layout<() -> (0, 0), <1x1>, memref<1x1xbf16, #ttnn.buffer_type<dram>>, <interleaved>>>)

// CHECK: #ttnn_layout6 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, mesh = <"mesh">, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>
func.func private @mesh(tensor<256x256xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, mesh = <"mesh">,
  memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,7)>]>>>)

// CHECK: #ttnn_layout7 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>, ignorePhysicalLayout = true>
func.func private @hint(tensor<256x256xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>,
  memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>, ignorePhysicalLayout = true>>)

// CHECK: #ttnn_layout8 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4>, memref<32x4x!ttcore.tile<32x32, bf16>, #dram>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,0)>]>>
func.func private @dram_sharded(tensor<1024x512xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4>,
  memref<32x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,0)>]>>>)

// The grid of before May 2026: its map becomes core ranges. 19 shards in rows of 8: two full rows and three cores.
// CHECK: #ttnn_layout9 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <19x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (7,1)>, #ttnn.core_range<(0,2), (2,2)>]>>
func.func private @old_height(tensor<608x128xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <19x1, (d0, d1) -> (0, d0 floordiv 8, d0 mod 8)>,
  memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>>)

// A 2x4 block.
// CHECK: #ttnn_layout10 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,1)>]>>
func.func private @old_block(tensor<64x128xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x4, (d0, d1) -> (0, d0, d1)>,
  memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>>>)

// Interleaved: the map says nothing.
// CHECK: #ttnn_layout11 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func private @old_interleaved(tensor<64x128xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1, (d0, d1) -> (0, d0, d1)>,
  memref<2x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>)

// CHECK: @dram(tensor<4096x512xbf16, #ttnn_layout>)
// CHECK: @old_height(tensor<608x128xbf16, #ttnn_layout9>)
