// What every TTNN op demands of the layouts of its tensors.
// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @foreign_encoding(%x: tensor<32x32xbf16, "somewhere">) {
  // expected-error@+1 {{operand #0: tensor encoding must be a #ttnn.ttnn_layout}}
  %0 = "ttnn.exp"(%x) : (tensor<32x32xbf16, "somewhere">) -> tensor<32x32xbf16>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @rank(%x: tensor<32x32xbf16>) {
  // expected-error@+1 {{result #0: layout is for tensors of rank 3, but the tensor has rank 2}}
  %0 = "ttnn.exp"(%x) : (tensor<32x32xbf16>) -> tensor<32x32xbf16, #l>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @too_small(%x: tensor<65x32xbf16, #l>) {
  // 65 rows are 3 tiles.
  // expected-error@+1 {{operand #0: layout is too small: shards of 2x1 over a grid of 1x1 do not hold the tensor's 3x1 tiles}}
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<65x32xbf16, #l>) -> ()
  return
}
// -----
#system_memory = #ttnn.buffer_type<system_memory>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x31xbf16, #system_memory>>
func.func @too_small_row_major(%x: tensor<32x32xbf16, #l>) {
  // expected-error@+1 {{operand #0: layout is too small: shards of 32x31 over a grid of 1x1 do not hold the tensor's 32x32 elements}}
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<32x32xbf16, #l>) -> ()
  return
}
// -----
#l1 = #ttnn.buffer_type<l1>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x7>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (6,0)>]>>
func.func @too_small_sharded(%x: tensor<32x256xbf16, #l>) {
  // expected-error@+1 {{operand #0: layout is too small: shards of 1x1 over a grid of 1x7 do not hold the tensor's 1x8 tiles}}
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<32x256xbf16, #l>) -> ()
  return
}
// -----
#l1 = #ttnn.buffer_type<l1>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#m = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
func.func @l1_interleaved(%x: tensor<32x2048xbf16, #l>, %y: tensor<32x2048xbf16, #m>, %z: tensor<32x2049xbf16, #l>) {
  // 64 pages over 64 banks, in either spelling; 65 are too many.
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<32x2048xbf16, #l>) -> ()
  "ttnn.deallocate"(%y) <{force = false}> : (tensor<32x2048xbf16, #m>) -> ()
  // expected-error@+1 {{operand #0: layout is too small: shards of 1x1 over a grid of 8x8 do not hold the tensor's 1x65 tiles}}
  "ttnn.deallocate"(%z) <{force = false}> : (tensor<32x2049xbf16, #l>) -> ()
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 4096 + d1, d2), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @overflow(%x: tensor<9223372036854775807x32x32xbf16, #l>) {
  // expected-error@+1 {{operand #0: layout has a map that is not linear or leaves 64 bits}}
  "ttnn.deallocate"(%x) <{force = false}> : (tensor<9223372036854775807x32x32xbf16, #l>) -> ()
  return
}
