// Conversions that tt-mlir refuses: each once, beside the nearest one that it accepts.
// RUN: tessera-opt --split-input-file --verify-diagnostics --ttnn-verify-conversions %s

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#system_memory = #ttnn.buffer_type<system_memory>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #system_memory>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#wide = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#height = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,1)>]>>
func.func @accepted(%h: tensor<64x64xbf16, #host>, %r: tensor<64x64xbf16, #rows>) {
  %0 = "ttnn.to_layout"(%r) : (tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #tiles>
  %1 = "ttnn.to_layout"(%r) : (tensor<64x64xbf16, #rows>) -> tensor<64x64xf32, #wide>
  %2 = "ttnn.to_memory_config"(%0) : (tensor<64x64xbf16, #tiles>) -> tensor<64x64xbf16, #height>
  %3 = "ttnn.typecast"(%0) : (tensor<64x64xbf16, #tiles>) -> tensor<64x64xf32, #wide>
  %4 = "ttnn.to_memory_config"(%h) : (tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #rows>
  return
}

// -----

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #dram>, <interleaved>>
#l1_tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
func.func @buffer(%r: tensor<64x64xbf16, #rows>) {
  // expected-error@+1 {{'ttnn.to_layout' op changes page layout and data type only, but operand and result differ in buffer type; to_memory_config, to_device or from_device change that}}
  %0 = "ttnn.to_layout"(%r) : (tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #l1_tiles>
  return
}

// -----

#l1 = #ttnn.buffer_type<l1>
#l1_rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<32x64xbf16, #l1>, <interleaved>>
#height = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,1)>]>>
#one = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
func.func @memory_layout_and_grid(%r: tensor<64x64xbf16, #l1_rows>, %s: tensor<64x64xbf16, #height>) {
  // expected-error@+1 {{differ in memory layout}}
  %0 = "ttnn.to_layout"(%r) : (tensor<64x64xbf16, #l1_rows>) -> tensor<64x64xbf16, #height>
  // expected-error@+1 {{differ in grid}}
  %1 = "ttnn.to_layout"(%s) : (tensor<64x64xbf16, #height>) -> tensor<64x64xbf16, #one>
  return
}

// -----

#dram = #ttnn.buffer_type<dram>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @aggregate(%r: tensor<64x64xbf16, #rows>) {
  // expected-error@+1 {{'ttnn.to_tensor_spec' op is not an op of its own}}
  %0 = "ttnn.to_tensor_spec"(%r) : (tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #tiles>
  return
}
