// Conversions and creation: facts/dialect 4 to 6.
// RUN: tessera-opt %s --split-input-file --verify-diagnostics

#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @to_layout_from(%x: tensor<32x32xbf16>) {
  // expected-error@+1 {{input needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.to_layout"(%x) : (tensor<32x32xbf16>) -> tensor<32x32xbf16, #tile>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @to_layout_to(%x: tensor<32x32xbf16, #tile>) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.to_layout"(%x) : (tensor<32x32xbf16, #tile>) -> tensor<32x32xbf16>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @to_memory_config_from(%x: tensor<32x32xbf16>) {
  // expected-error@+1 {{input needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.to_memory_config"(%x) : (tensor<32x32xbf16>) -> tensor<32x32xbf16, #tile>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @to_memory_config_to(%x: tensor<32x32xbf16, #tile>) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.to_memory_config"(%x) : (tensor<32x32xbf16, #tile>) -> tensor<32x32xbf16>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#ndl = #ttnn.ttnn_nd_layout<<1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <nd_sharded>>
func.func @to_layout_nd(%x: tensor<32x32xbf16, #tile>) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.to_layout"(%x) : (tensor<32x32xbf16, #tile>) -> tensor<32x32xbf16, #ndl>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @to_tensor_spec_to(%x: tensor<32x32xbf16, #tile>) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.to_tensor_spec"(%x) : (tensor<32x32xbf16, #tile>) -> tensor<32x32xbf16>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#nd = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <nd_sharded>>
func.func @memory_config_nd(%x: tensor<32x32xbf16, #tile>) {
  // expected-error@+1 {{result must be interleaved, height, width or block sharded, not nd_sharded}}
  %0 = "ttnn.to_memory_config"(%x) : (tensor<32x32xbf16, #tile>) -> tensor<32x32xbf16, #nd>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
#rank3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>
func.func @memory_config_rank(%x: tensor<32x32xbf16, #tile>) {
  // expected-error@+1 {{a sharded result needs shards of two dimensions, not 3}}
  %0 = "ttnn.to_memory_config"(%x) : (tensor<32x32xbf16, #tile>) -> tensor<32x32xbf16, #rank3>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @zeros_shape(%d: !ttnn.device) {
  // expected-error@+1 {{result has shape 32x32, but attribute 'shape' gives 3x2}}
  %0 = "ttnn.zeros"(%d) <{shape = #ttnn.shape<3x2>}> : (!ttnn.device) -> tensor<32x32xbf16, #tile>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @ones_shape(%d: !ttnn.device) {
  // expected-error@+1 {{result has shape 32x32, but attribute 'shape' gives 3x2}}
  %0 = "ttnn.ones"(%d) <{shape = #ttnn.shape<3x2>}> : (!ttnn.device) -> tensor<32x32xbf16, #tile>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @empty_shape(%d: !ttnn.device) {
  // expected-error@+1 {{result has shape 32x32, but attribute 'shape' gives 3x2}}
  %0 = "ttnn.empty"(%d) <{shape = #ttnn.shape<3x2>}> : (!ttnn.device) -> tensor<32x32xbf16, #tile>
  return
}
// -----
func.func @zeros_layout(%d: !ttnn.device) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.zeros"(%d) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> tensor<32x32xbf16>
  return
}
// -----
func.func @ones_layout(%d: !ttnn.device) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.ones"(%d) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> tensor<32x32xbf16>
  return
}
// -----
func.func @full_layout(%d: !ttnn.device) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.full"(%d) <{shape = #ttnn.shape<32x32>, fill_value = 1.0 : f32}> : (!ttnn.device) -> tensor<32x32xbf16>
  return
}
// -----
func.func @empty_layout(%d: !ttnn.device) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.empty"(%d) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> tensor<32x32xbf16>
  return
}
// -----
func.func @constant_layout(%d: !ttnn.device) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.constant"(%d) <{value = dense<0.0> : tensor<32x32xbf16>}> : (!ttnn.device) -> tensor<32x32xbf16>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @full_without_value(%d: !ttnn.device) {
  // expected-error@+1 {{requires attribute 'fill_value'}}
  %0 = "ttnn.full"(%d) <{shape = #ttnn.shape<32x32>}> : (!ttnn.device) -> tensor<32x32xbf16, #tile>
  return
}
// -----
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xbf16, #ttnn.buffer_type<system_memory>>>
func.func @empty_on_host() {
  // expected-error@+1 {{requires a single operand}}
  %0 = "ttnn.empty"() <{shape = #ttnn.shape<32x32>}> : () -> tensor<32x32xbf16, #host>
  return
}
// -----
func.func @arange_layout(%d: !ttnn.device) {
  // expected-error@+1 {{result needs a #ttnn.ttnn_layout as encoding}}
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 4 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<4xsi32>
  return
}
// -----
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @arange_rounds_down(%d: !ttnn.device) {
  // expected-error@+1 {{result has shape 4, but the range gives 3}}
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 7 : i64, step = 2 : i64}> : (!ttnn.device) -> tensor<4xsi32, #vector>
  return
}
// -----
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @arange_vector(%d: !ttnn.device) {
  // expected-error@+1 {{result has shape 1x4, but the range gives 4}}
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 4 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<1x4xsi32, #vector>
  return
}
// -----
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @arange_rank0(%d: !ttnn.device) {
  // expected-error@+1 {{result has shape scalar, but the range gives 1}}
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 1 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<si32, #vector>
  return
}
// -----
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @arange_no_values(%d: !ttnn.device) {
  // expected-error@+1 {{a range from 0 to 1 by 2 has no values}}
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 1 : i64, step = 2 : i64}> : (!ttnn.device) -> tensor<0xsi32, #vector>
  return
}
// -----
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @arange_empty(%d: !ttnn.device) {
  // expected-error@+1 {{a range from 3 to 3 by 1 has no values}}
  %0 = "ttnn.arange"(%d) <{start = 3 : i64, end = 3 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<0xsi32, #vector>
  return
}
// -----
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @arange_backwards(%d: !ttnn.device) {
  // expected-error@+1 {{attribute 'step' must lead from 'start' to 'end'}}
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 3 : i64, step = -1 : i64}> : (!ttnn.device) -> tensor<3xsi32, #vector>
  return
}
// -----
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @arange_no_step(%d: !ttnn.device) {
  // expected-error@+1 {{attribute 'step' must lead from 'start' to 'end'}}
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 3 : i64, step = 0 : i64}> : (!ttnn.device) -> tensor<3xsi32, #vector>
  return
}
// -----
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @arange_huge(%d: !ttnn.device) {
  // expected-error@+1 {{attribute 'step' must lead from 'start' to 'end'}}
  %0 = "ttnn.arange"(%d) <{start = -9223372036854775807 : i64, end = 9223372036854775807 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<3xsi32, #vector>
  return
}
// -----
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @arange_lowest(%d: !ttnn.device) {
  // expected-error@+1 {{attribute 'step' must lead from 'start' to 'end'}}
  %0 = "ttnn.arange"(%d) <{start = 0 : i64, end = -9223372036854775808 : i64, step = -1 : i64}> : (!ttnn.device) -> tensor<3xsi32, #vector>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @constant_shape(%d: !ttnn.device) {
  // expected-error@+1 {{result has shape 32x32, but attribute 'value' gives 32x31}}
  %0 = "ttnn.constant"(%d) <{value = dense<0.0> : tensor<32x31xbf16>}> : (!ttnn.device) -> tensor<32x32xbf16, #tile>
  return
}
// -----
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @constant_without_device() {
  // expected-error@+1 {{needs a device, because its result lies on one}}
  %0 = "ttnn.constant"() <{value = dense<0.0> : tensor<32x32xbf16>}> : () -> tensor<32x32xbf16, #tile>
  return
}
// -----
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xbf16, #ttnn.buffer_type<system_memory>>>
func.func @constant_with_device(%d: !ttnn.device) {
  // expected-error@+1 {{must not have a device, because its result lies in system memory}}
  %0 = "ttnn.constant"(%d) <{value = dense<0.0> : tensor<32x32xbf16>}> : (!ttnn.device) -> tensor<32x32xbf16, #host>
  return
}
// -----
func.func @deallocate(%d: !ttnn.device) {
  // expected-error@+1 {{operand #0 must be ranked tensor}}
  "ttnn.deallocate"(%d) <{force = false}> : (!ttnn.device) -> ()
  return
}
