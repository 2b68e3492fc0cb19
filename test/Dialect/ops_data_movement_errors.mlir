// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @reshape_count(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{input 2x3 and result 2x4 differ in their number of elements}}
  %0 = "ttnn.reshape"(%a0) <{shape = [2 : i32, 4 : i32]}> : (tensor<2x3xbf16>) -> tensor<2x4xbf16>
  return
}
// -----
func.func @reshape_shape(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'shape' is not the result's shape 3x2}}
  %0 = "ttnn.reshape"(%a0) <{shape = [2 : i32, 3 : i32]}> : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  return
}
// -----
func.func @reshape_rank(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'shape' is not the result's shape 3x2}}
  %0 = "ttnn.reshape"(%a0) <{shape = [3 : i32, 2 : i32, 1 : i32]}> : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  return
}
// -----
func.func @reshape_open(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'shape' is not the result's shape 3x2}}
  %0 = "ttnn.reshape"(%a0) <{shape = [-1 : i32, -1 : i32]}> : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  return
}
// -----
func.func @reshape_huge(%a0: tensor<9223372036854775807x9223372036854775807xbf16>) {
  // expected-error@+1 {{input 9223372036854775807x9223372036854775807 and result 2 differ in their number of elements}}
  %0 = "ttnn.reshape"(%a0) <{shape = [2 : i32]}> : (tensor<9223372036854775807x9223372036854775807xbf16>) -> tensor<2xbf16>
  return
}
// -----
func.func @permute_short(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'permutation' must name each of the input's 2 dimensions once}}
  %0 = "ttnn.permute"(%a0) <{permutation = array<i64: 0>}> : (tensor<2x3xbf16>) -> tensor<2xbf16>
  return
}
// -----
func.func @permute_twice(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'permutation' must name each of the input's 2 dimensions once}}
  %0 = "ttnn.permute"(%a0) <{permutation = array<i64: 0, 0>}> : (tensor<2x3xbf16>) -> tensor<2x2xbf16>
  return
}
// -----
func.func @permute_range(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'permutation' must name each of the input's 2 dimensions once}}
  %0 = "ttnn.permute"(%a0) <{permutation = array<i64: -1, 0>}> : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  return
}
// -----
func.func @permute_long(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'permutation' must name each of the input's 2 dimensions once}}
  %0 = "ttnn.permute"(%a0) <{permutation = array<i64: 1, 0, 2>}> : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  return
}
// -----
func.func @permute_shape(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 2x3, but the permutation gives 3x2}}
  %0 = "ttnn.permute"(%a0) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @transpose_range(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'dim1' is 2 : si32, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.transpose"(%a0) <{dim0 = 0 : si32, dim1 = 2 : si32}> : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  return
}
// -----
func.func @transpose_shape(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 2x3, but the transposition gives 3x2}}
  %0 = "ttnn.transpose"(%a0) <{dim0 = 0 : si32, dim1 = 1 : si32}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @slice_entries(%a0: tensor<8x9xbf16>) {
  // expected-error@+1 {{attributes 'begins', 'ends' and 'step' must have an entry for each of the input's 2 dimensions}}
  %0 = "ttnn.slice_static"(%a0) <{begins = [0 : i32], ends = [8 : i32, 9 : i32], step = [1 : i32, 1 : i32]}> : (tensor<8x9xbf16>) -> tensor<8x9xbf16>
  return
}
// -----
func.func @slice_range(%a0: tensor<8x9xbf16>) {
  // expected-error@+1 {{slice from 0 to 10 by 1 is not within dimension 1 of extent 9}}
  %0 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 0 : i32], ends = [8 : i32, 10 : i32], step = [1 : i32, 1 : i32]}> : (tensor<8x9xbf16>) -> tensor<8x9xbf16>
  return
}
// -----
func.func @slice_negative(%a0: tensor<8x9xbf16>) {
  // expected-error@+1 {{slice from -9 to 8 by 1 is not within dimension 0 of extent 8}}
  %0 = "ttnn.slice_static"(%a0) <{begins = [-9 : i32, 0 : i32], ends = [8 : i32, 9 : i32], step = [1 : i32, 1 : i32]}> : (tensor<8x9xbf16>) -> tensor<8x9xbf16>
  return
}
// -----
func.func @slice_backwards(%a0: tensor<8x9xbf16>) {
  // expected-error@+1 {{slice from 5 to 4 by 1 is not within dimension 0 of extent 8}}
  %0 = "ttnn.slice_static"(%a0) <{begins = [5 : i32, 0 : i32], ends = [4 : i32, 9 : i32], step = [1 : i32, 1 : i32]}> : (tensor<8x9xbf16>) -> tensor<8x9xbf16>
  return
}
// -----
func.func @slice_from_behind(%a0: tensor<8x9xbf16>) {
  // expected-error@+1 {{slice from 8 to 0 by -1 is not within dimension 0 of extent 8}}
  %0 = "ttnn.slice_static"(%a0) <{begins = [8 : i32, 0 : i32], ends = [0 : i32, 9 : i32], step = [-1 : i32, 1 : i32]}> : (tensor<8x9xbf16>) -> tensor<8x9xbf16>
  return
}
// -----
func.func @slice_no_step(%a0: tensor<8x9xbf16>) {
  // expected-error@+1 {{slice from 0 to 8 by 0 is not within dimension 0 of extent 8}}
  %0 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 0 : i32], ends = [8 : i32, 9 : i32], step = [0 : i32, 1 : i32]}> : (tensor<8x9xbf16>) -> tensor<8x9xbf16>
  return
}
// -----
func.func @slice_shape(%a0: tensor<8x9xbf16>) {
  // expected-error@+1 {{result has shape 4x9, but the slice gives 3x9}}
  %0 = "ttnn.slice_static"(%a0) <{begins = [0 : i32, 0 : i32], ends = [8 : i32, 9 : i32], step = [3 : i32, 1 : i32]}> : (tensor<8x9xbf16>) -> tensor<4x9xbf16>
  return
}
// -----
func.func @slice_dynamic(%a0: tensor<8x9xbf16>, %a1: tensor<2xsi32>, %a2: tensor<3xsi32>) {
  // expected-error@+1 {{ends must be a vector with an element for each of the input's 2 dimensions, not 3}}
  %0 = "ttnn.slice_dynamic"(%a0, %a1, %a2) : (tensor<8x9xbf16>, tensor<2xsi32>, tensor<3xsi32>) -> tensor<4x9xbf16>
  return
}
// -----
func.func @slice_dynamic_rank(%a0: tensor<8x9xbf16>, %a1: tensor<2xsi32>, %a2: tensor<2xsi32>) {
  // expected-error@+1 {{result must have 2 dimensions, not 1}}
  %0 = "ttnn.slice_dynamic"(%a0, %a1, %a2) : (tensor<8x9xbf16>, tensor<2xsi32>, tensor<2xsi32>) -> tensor<4xbf16>
  return
}
// -----
func.func @pad_entries(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'padding' must have two entries for each of the input's 2 dimensions, not 2}}
  %0 = "ttnn.pad"(%a0) <{padding = array<i32: 0, 1>, use_multicore = true, value = 0.0 : f32}> : (tensor<2x3xbf16>) -> tensor<2x4xbf16>
  return
}
// -----
func.func @pad_cores(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{requires attribute 'use_multicore'}}
  %0 = "ttnn.pad"(%a0) <{padding = array<i32: 0, 1>, value = 0.0 : f32}> : (tensor<2x3xbf16>) -> tensor<2x4xbf16>
  return
}
// -----
func.func @pad_negative(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'padding' must not be negative}}
  %0 = "ttnn.pad"(%a0) <{padding = array<i32: 0, 0, 0, -1>, use_multicore = true, value = 0.0 : f32}> : (tensor<2x3xbf16>) -> tensor<2x2xbf16>
  return
}
// -----
func.func @pad_shape(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 2x3, but attribute 'padding' gives 2x6}}
  %0 = "ttnn.pad"(%a0) <{padding = array<i32: 0, 0, 1, 2>, use_multicore = true, value = 0.0 : f32}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @repeat_entries(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'repeat_dims' must have an entry for each of the input's 2 dimensions, not 1}}
  %0 = "ttnn.repeat"(%a0) <{repeat_dims = #ttnn.shape<2>}> : (tensor<2x3xbf16>) -> tensor<2x6xbf16>
  return
}
// -----
func.func @repeat_more(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'repeat_dims' must have an entry for each of the input's 2 dimensions, not 3}}
  %0 = "ttnn.repeat"(%a0) <{repeat_dims = #ttnn.shape<2x1x1>}> : (tensor<2x3xbf16>) -> tensor<2x6xbf16>
  return
}
// -----
func.func @repeat_zero(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'repeat_dims' must be positive and keep extents within 64 bits}}
  %0 = "ttnn.repeat"(%a0) <{repeat_dims = #ttnn.shape<1x0>}> : (tensor<2x3xbf16>) -> tensor<2x0xbf16>
  return
}
// -----
func.func @repeat_huge(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'repeat_dims' must be positive and keep extents within 64 bits}}
  %0 = "ttnn.repeat"(%a0) <{repeat_dims = #ttnn.shape<1x9223372036854775807>}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @repeat_shape(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 2x3, but attribute 'repeat_dims' gives 2x6}}
  %0 = "ttnn.repeat"(%a0) <{repeat_dims = #ttnn.shape<1x2>}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @repeat_interleave(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{result has shape 2x3, but attribute 'repeats' gives 2x12}}
  %0 = "ttnn.repeat_interleave"(%a0) <{dim = 1 : si32, repeats = 4 : ui32}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @repeat_interleave_zero(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'repeats' must be positive and keep the extent within 64 bits}}
  %0 = "ttnn.repeat_interleave"(%a0) <{dim = 1 : si32, repeats = 0 : ui32}> : (tensor<2x3xbf16>) -> tensor<2x0xbf16>
  return
}
// -----
func.func @repeat_interleave_dim(%a0: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'dim' is 2 : si32, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.repeat_interleave"(%a0) <{dim = 2 : si32, repeats = 1 : ui32}> : (tensor<2x3xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @assign(%a0: tensor<2xbf16>) {
  // expected-error@+1 {{result has shape 3, but the input's shape gives 2}}
  %0 = "ttnn.assign"(%a0) : (tensor<2xbf16>) -> tensor<3xbf16>
  return
}
// -----
func.func @concat_none() {
  // expected-error@+1 {{needs at least one input}}
  %0 = "ttnn.concat"() <{dim = 0 : si32}> : () -> tensor<2x3xbf16>
  return
}
// -----
func.func @concat_dim(%a0: tensor<2x3xbf16>, %a1: tensor<2x3xbf16>) {
  // expected-error@+1 {{attribute 'dim' is 2 : si32, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.concat"(%a0, %a1) <{dim = 2 : si32}> : (tensor<2x3xbf16>, tensor<2x3xbf16>) -> tensor<2x6xbf16>
  return
}
// -----
func.func @concat_agree(%a0: tensor<2x3xbf16>, %a1: tensor<2x4xbf16>, %a2: tensor<4x5xbf16>) {
  // expected-error@+1 {{input #2 (4x5) must agree with input #0 (2x3) in all dimensions but 1}}
  %0 = "ttnn.concat"(%a0, %a1, %a2) <{dim = 1 : si32}> : (tensor<2x3xbf16>, tensor<2x4xbf16>, tensor<4x5xbf16>) -> tensor<2x12xbf16>
  return
}
// -----
func.func @concat_rank(%a0: tensor<2x3xbf16>, %a1: tensor<3xbf16>) {
  // expected-error@+1 {{input #1 (3) must agree with input #0 (2x3) in all dimensions but 0}}
  %0 = "ttnn.concat"(%a0, %a1) <{dim = 0 : si32}> : (tensor<2x3xbf16>, tensor<3xbf16>) -> tensor<3x3xbf16>
  return
}
// -----
func.func @concat_huge(%a0: tensor<2x3xbf16>, %a1: tensor<2x9223372036854775807xbf16>) {
  // expected-error@+1 {{input #1 (2x9223372036854775807) must agree with input #0 (2x3) in all dimensions but 1}}
  %0 = "ttnn.concat"(%a0, %a1) <{dim = 1 : si32}> : (tensor<2x3xbf16>, tensor<2x9223372036854775807xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @concat_shape(%a0: tensor<2x3xbf16>, %a1: tensor<2x4xbf16>) {
  // expected-error@+1 {{result has shape 2x6, but the concatenation gives 2x7}}
  %0 = "ttnn.concat"(%a0, %a1) <{dim = 1 : si32}> : (tensor<2x3xbf16>, tensor<2x4xbf16>) -> tensor<2x6xbf16>
  return
}
// -----
func.func @gather_rank(%a0: tensor<2x3xbf16>, %a1: tensor<2xui32>) {
  // expected-error@+1 {{index must have 2 dimensions, not 1}}
  %0 = "ttnn.gather"(%a0, %a1) <{dim = 1 : i32}> : (tensor<2x3xbf16>, tensor<2xui32>) -> tensor<2xbf16>
  return
}
// -----
func.func @gather_extent(%a0: tensor<2x3xbf16>, %a1: tensor<3x1xui32>) {
  // expected-error@+1 {{index 3x1 leaves input 2x3 in dimension 0}}
  %0 = "ttnn.gather"(%a0, %a1) <{dim = 1 : i32}> : (tensor<2x3xbf16>, tensor<3x1xui32>) -> tensor<3x1xbf16>
  return
}
// -----
func.func @gather_shape(%a0: tensor<2x3xbf16>, %a1: tensor<2x1xui32>) {
  // expected-error@+1 {{result has shape 2x3, but the index gives 2x1}}
  %0 = "ttnn.gather"(%a0, %a1) <{dim = 1 : i32}> : (tensor<2x3xbf16>, tensor<2x1xui32>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @scatter_source(%a0: tensor<2x3xbf16>, %a1: tensor<2x2xui32>, %a2: tensor<2x1xbf16>) {
  // expected-error@+1 {{source 2x1 has less elements than index 2x2 in dimension 1}}
  %0 = "ttnn.scatter"(%a0, %a1, %a2) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<invalid>}> : (tensor<2x3xbf16>, tensor<2x2xui32>, tensor<2x1xbf16>) -> tensor<2x3xbf16>
  return
}
// -----
func.func @scatter_shape(%a0: tensor<2x3xbf16>, %a1: tensor<2x2xui32>, %a2: tensor<2x2xbf16>) {
  // expected-error@+1 {{result has shape 2x2, but the input's shape gives 2x3}}
  %0 = "ttnn.scatter"(%a0, %a1, %a2) <{dim = 1 : i32, scatter_reduce_type = #ttcore.reduce_type<invalid>}> : (tensor<2x3xbf16>, tensor<2x2xui32>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return
}
// -----
func.func @scatter_without_type(%a0: tensor<2x3xbf16>, %a1: tensor<2x2xui32>, %a2: tensor<2x2xbf16>) {
  // expected-error@+1 {{requires attribute 'scatter_reduce_type'}}
  %0 = "ttnn.scatter"(%a0, %a1, %a2) <{dim = 1 : i32}> : (tensor<2x3xbf16>, tensor<2x2xui32>, tensor<2x2xbf16>) -> tensor<2x2xbf16>
  return
}
// -----
func.func @embedding_weight(%a0: tensor<7xui32>, %a1: tensor<2x4x5xbf16>) {
  // expected-error@+1 {{weight must be a matrix, not 2x4x5}}
  %0 = "ttnn.embedding"(%a0, %a1) : (tensor<7xui32>, tensor<2x4x5xbf16>) -> tensor<7x5xbf16>
  return
}
// -----
func.func @embedding_shape(%a0: tensor<7xui32>, %a1: tensor<4x5xbf16>) {
  // expected-error@+1 {{result has shape 7x4, but one row of weight per index gives 7x5}}
  %0 = "ttnn.embedding"(%a0, %a1) : (tensor<7xui32>, tensor<4x5xbf16>) -> tensor<7x4xbf16>
  return
}
// -----
func.func @assign_type(%a0: tensor<2xbf16>) {
  // expected-error@+1 {{must keep the data type, but turns 'bf16' into 'f32'}}
  %0 = "ttnn.assign"(%a0) : (tensor<2xbf16>) -> tensor<2xf32>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
func.func @assign_stored(%a0: tensor<2xbf16>) {
  // expected-error@+1 {{must keep the data type, but turns 'bf16' into 'f32'}}
  %0 = "ttnn.assign"(%a0) : (tensor<2xbf16>) -> tensor<2xbf16, #l>
  return
}
// -----
func.func @rows_gather_type(%x: tensor<1x16x8xbf16>, %i: tensor<1x1x5xsi32>) {
  // expected-error@+1 {{result}}
  %0 = "ttnn.rows_gather"(%x, %i) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 16>, windows = array<i64: 1>}> : (tensor<1x16x8xbf16>, tensor<1x1x5xsi32>) -> tensor<1x5x8xf32>
  return
}
// -----
func.func @rows_gather_windows(%x: tensor<1x16x8xbf16>, %i: tensor<1x1x5xsi32>) {
  // expected-error@+1 {{there are 1 sizes, but 2 windows}}
  %0 = "ttnn.rows_gather"(%x, %i) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 16>, windows = array<i64: 1, 8>}> : (tensor<1x16x8xbf16>, tensor<1x1x5xsi32>) -> tensor<1x5x8xbf16>
  return
}
// -----
func.func @rows_gather_index(%x: tensor<1x16x8xbf16>, %i: tensor<5xsi32>) {
  // expected-error@+1 {{index must be batches x 1 x windows, not 5}}
  %0 = "ttnn.rows_gather"(%x, %i) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 16>, windows = array<i64: 1>}> : (tensor<1x16x8xbf16>, tensor<5xsi32>) -> tensor<1x5x8xbf16>
  return
}
// -----
func.func @rows_gather_sizes(%x: tensor<1x16x8xbf16>, %i: tensor<1x1x5xsi32>) {
  // expected-error@+1 {{sizes 12 do not divide each entry of 1x16x8}}
  %0 = "ttnn.rows_gather"(%x, %i) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 12>, windows = array<i64: 1>}> : (tensor<1x16x8xbf16>, tensor<1x1x5xsi32>) -> tensor<1x5x8xbf16>
  return
}
// -----
func.func @rows_gather_result(%x: tensor<1x16x8xbf16>, %i: tensor<1x1x5xsi32>) {
  // expected-error@+1 {{the result has 32 elements, not the 40 of 5 windows}}
  %0 = "ttnn.rows_gather"(%x, %i) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 16>, windows = array<i64: 1>}> : (tensor<1x16x8xbf16>, tensor<1x1x5xsi32>) -> tensor<1x4x8xbf16>
  return
}
// -----
func.func @rows_gather_overflow(%x: tensor<1x16x8xbf16>, %i: tensor<1x2x5xsi32>) {
  // expected-error@+1 {{sizes 4294967296x4294967296 do not divide each entry of 1x16x8}}
  %0 = "ttnn.rows_gather"(%x, %i) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 4294967296, 4294967296>, windows = array<i64: 1, 1>}> : (tensor<1x16x8xbf16>, tensor<1x2x5xsi32>) -> tensor<1x5x8xbf16>
  return
}
// -----
func.func @rows_gather_windows_overflow(%x: tensor<1x16x8xbf16>, %i: tensor<1x1x5xsi32>) {
  // expected-error@+1 {{windows 9223372036854775807 do not fit into sizes 16}}
  %0 = "ttnn.rows_gather"(%x, %i) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 16>, windows = array<i64: 9223372036854775807>}> : (tensor<1x16x8xbf16>, tensor<1x1x5xsi32>) -> tensor<1x5x8xbf16>
  return
}
// -----
func.func @rows_scatter_type(%x: tensor<4x16x8xbf16>, %i: tensor<1x1x1xsi32>, %y: tensor<4x1x8xf32>) {
  // expected-error@+1 {{source}}
  %0 = "ttnn.rows_scatter"(%x, %i, %y) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 16>, windows = array<i64: 1>}> : (tensor<4x16x8xbf16>, tensor<1x1x1xsi32>, tensor<4x1x8xf32>) -> tensor<4x16x8xbf16>
  return
}
// -----
func.func @rows_scatter_index(%x: tensor<4x16x8xbf16>, %i: tensor<1x1x1xbf16>, %y: tensor<4x1x8xbf16>) {
  // expected-error@+1 {{index must have integer elements}}
  %0 = "ttnn.rows_scatter"(%x, %i, %y) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 16>, windows = array<i64: 1>}> : (tensor<4x16x8xbf16>, tensor<1x1x1xbf16>, tensor<4x1x8xbf16>) -> tensor<4x16x8xbf16>
  return
}
// -----
func.func @rows_scatter_windows(%x: tensor<4x16x8xbf16>, %i: tensor<1x1x1xsi32>, %y: tensor<4x1x8xbf16>) {
  // expected-error@+1 {{there are 2 sizes, but 1 windows}}
  %0 = "ttnn.rows_scatter"(%x, %i, %y) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 16, 8>, windows = array<i64: 1>}> : (tensor<4x16x8xbf16>, tensor<1x1x1xsi32>, tensor<4x1x8xbf16>) -> tensor<4x16x8xbf16>
  return
}
// -----
func.func @rows_scatter_result(%x: tensor<4x16x8xbf16>, %i: tensor<1x1x1xsi32>, %y: tensor<4x1x8xbf16>) {
  // expected-error@+1 {{result has shape 4x1x8, but the input's shape gives 4x16x8}}
  %0 = "ttnn.rows_scatter"(%x, %i, %y) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 16>, windows = array<i64: 1>}> : (tensor<4x16x8xbf16>, tensor<1x1x1xsi32>, tensor<4x1x8xbf16>) -> tensor<4x1x8xbf16>
  return
}
// -----
func.func @rows_gather_long_window(%x: tensor<1x16x8xbf16>, %i: tensor<1x2x1xsi32>) {
  // expected-error@+1 {{windows 4x4 do not fit into sizes 2x8}}
  %0 = "ttnn.rows_gather"(%x, %i) <{column = false, fill_out_of_bounds = false, sizes = array<i64: 2, 8>, windows = array<i64: 4, 4>}> : (tensor<1x16x8xbf16>, tensor<1x2x1xsi32>) -> tensor<1x16x8xbf16>
  return
}
// -----
func.func @rows_scatter_long_window(%x: tensor<4x16x8xbf16>, %i: tensor<1x1x1xsi32>, %y: tensor<4x17x8xbf16>) {
  // expected-error@+1 {{windows 17 do not fit into sizes 16}}
  %0 = "ttnn.rows_scatter"(%x, %i, %y) <{column = false, reduce = #ttcore.reduce_type<invalid>, sizes = array<i64: 16>, windows = array<i64: 17>}> : (tensor<4x16x8xbf16>, tensor<1x1x1xsi32>, tensor<4x17x8xbf16>) -> tensor<4x16x8xbf16>
  return
}
