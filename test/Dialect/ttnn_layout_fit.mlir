// A #ttnn.ttnn_layout fits the tensor that it encodes: a rule of the type, wherever that stands.
// RUN: tessera-opt %s --split-input-file --verify-diagnostics

#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// No op uses it.
// expected-error@+1 {{layout is for tensors of rank 3, but the tensor has rank 2}}
func.func private @rank(tensor<32x32xbf16, #l>)
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @rank_of_result(%x: tensor<32x32xbf16>) {
  // expected-error@+1 {{layout is for tensors of rank 3, but the tensor has rank 2}}
  %0 = "ttnn.exp"(%x) : (tensor<32x32xbf16>) -> tensor<32x32xbf16, #l>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// In an attribute of an op that nobody knows.
// expected-error@+1 {{layout is for tensors of rank 3, but the tensor has rank 2}}
"test.op"() {type = tensor<32x32xbf16, #l>} : () -> ()
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// 64 rows are 2 tiles, 65 are 3. An unknown number of them may be any; none at all always fit.
func.func private @fits(tensor<64x32xbf16, #l>, tensor<?x32xbf16, #l>, tensor<0x320xbf16, #l>)
// expected-error@+1 {{layout is too small: shards of 2x1 over a grid of 1x1 do not hold the tensor's 3x1 tiles}}
func.func private @too_small(tensor<65x32xbf16, #l>)
// -----
#system_memory = #ttnn.buffer_type<system_memory>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x31xbf16, #system_memory>>
// expected-error@+1 {{layout is too small: shards of 32x31 over a grid of 1x1 do not hold the tensor's 32x32 elements}}
func.func private @too_small_row_major(tensor<32x32xbf16, #l>)
// -----
#l1 = #ttnn.buffer_type<l1>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x7>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (6,0)>]>>
// expected-error@+1 {{layout is too small: shards of 1x1 over a grid of 1x7 do not hold the tensor's 1x8 tiles}}
func.func private @too_small_sharded(tensor<32x256xbf16, #l>)
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,0)>]>>
// Height sharded over 4 banks, which are written as a row.
func.func private @dram_height_sharded(tensor<128x32xbf16, #l>)
// expected-error@+1 {{layout is too small: shards of 1x1 over a grid of 1x4 do not hold the tensor's 5x1 tiles}}
func.func private @dram_height_sharded_too_small(tensor<129x32xbf16, #l>)
// -----
#l1 = #ttnn.buffer_type<l1>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#m = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
// 64 pages over 64 banks, in either spelling; 65 are too many.
func.func private @l1_interleaved(tensor<32x2048xbf16, #l>, tensor<32x2048xbf16, #m>)
// expected-error@+1 {{layout is too small: shards of 1x1 over a grid of 8x8 do not hold the tensor's 1x65 tiles}}
func.func private @l1_interleaved_too_small(tensor<32x2049xbf16, #l>)
// -----
#l1 = #ttnn.buffer_type<l1>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, ignorePhysicalLayout = true>
// A hint leaves the shard to the backend, but it has a rank.
func.func private @hint(tensor<320x320xbf16, #l>)
// expected-error@+1 {{layout is for tensors of rank 2, but the tensor has rank 3}}
func.func private @rank_of_hint(tensor<2x320x320xbf16, #l>)
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 4096 + d1, d2), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// expected-error@+1 {{layout maps the tensor's last element below 0 or beyond 64 bits}}
func.func private @overflow(tensor<9223372036854775807x32x32xbf16, #l>)
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (-d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// expected-error@+1 {{layout maps the tensor's last element below 0 or beyond 64 bits}}
func.func private @negative(tensor<32x32xbf16, #l>)
