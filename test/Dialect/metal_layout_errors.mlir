// One case per rule: checkMetalLayout's (MetalLayoutCheck.cpp), then those of the attribute's parts.
//
// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// The attribute by itself.

// expected-error @below {{the linear map has 2 results, but grid <2x2x1> has rank 3 [metal_layout.grid_rank]}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2x1>, memref<16x16xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{the linear map has 2 results, but memref 16 has rank 1 [metal_layout.shard_rank]}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <2x2>, memref<16xf32, #ttcore.memory_space<l1>>>

// -----

// Both at once are one error.
// expected-error @below {{but grid <4> has rank 1 [metal_layout.grid_rank]; the linear map has 2 results, but memref 16 has rank 1 [metal_layout.shard_rank]}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <4>, memref<16xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{grid extent 0 is not within [1, 2^31)}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <0x2>, memref<16x16xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{the linear map has a stride of -1: indices would be negative [metal_layout.strides]}}
#a = #ttcore.metal_layout<(d0, d1) -> (-d0, d1), undef, <2x2>, memref<16x16xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{the linear map has a constant of -8: indices would be negative [metal_layout.strides]}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0 - 8, d1), undef, <2x2>, memref<16x16xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{tile 20x32 does not consist of faces of up to 16x16 [metal_layout.tile_shape]}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!ttcore.tile<20x32, f32>, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{tiles cut two dimensions, but the linear map has 1 results [metal_layout.tile_rank]}}
#a = #ttcore.metal_layout<(d0) -> (d0), undef, <1>, memref<1x!ttcore.tile<32x32, f32>, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{bfp_bf8 shares an exponent among 16 elements of a row, but tile 32x8 has rows of 8 [metal_layout.block_float]}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1x!ttcore.tile<32x8, bfp_bf8>, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{the map of a layout must be linear: multiples of its dimensions plus a constant}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0 mod 2, d1), undef, <1x1>, memref<1x1xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{the map of a layout must be linear: multiples of its dimensions plus a constant}}
#a = #ttcore.metal_layout<(d0)[s0] -> (d0 + s0), undef, <1>, memref<1xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{a coefficient in the map of a layout is out of range}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0 * 4294967296, d1), undef, <1x1>, memref<1x1xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{the grid of a metal_layout is virtual; the maps to cores belong to the device}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1, virt_to_physical_map = (d0, d1) -> (0, d0, d1)>, memref<1x1xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{the memref of a metal_layout needs a #ttcore.memory_space}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1xf32>>

// -----

// TTNN's memories are other ones.
// expected-error @below {{the memref of a metal_layout needs a #ttcore.memory_space}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1xf32, #ttnn.buffer_type<l1>>>

// -----

// expected-error @below {{the memref of a metal_layout must be static and without a map of its own}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<?x1xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{the memref of a metal_layout must be static and without a map of its own}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4xf32, strided<[8, 1]>, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{the memref of a metal_layout has an element type that no device can hold}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<1x1xf64, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{expected one of [undef, zero, one, inf, neginf] for value that fills padding, got: two}}
#a = #ttcore.metal_layout<(d0, d1) -> (d0, d1), two, <1x1>, memref<1x1xf32, #ttcore.memory_space<l1>>>

// -----

// expected-error @below {{expected one of [system, mmio, dram, l1] for memory that a shard lies in, got: l2}}
#a = #ttcore.memory_space<l2>

// -----

// The attribute of a tensor: what it gets wrong is one error at the type, whether or not an op uses it.

// expected-error @below {{the linear map has 2 dimensions, but the tensor has rank 3 [metal_layout.map_dims]}}
func.func private @rank(tensor<2x8x8xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<8x8xf32, #ttcore.memory_space<l1>>>>)

// -----

// expected-error @below {{layouts need static shapes [metal_layout.tensor_shape]}}
func.func private @dynamic(tensor<?x8xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<8x8xf32, #ttcore.memory_space<l1>>>>)

// -----

// The grid divides, and what is left over makes every shard one larger: 53 rows over 3 cores are 18.
// expected-error @below {{memref 17x32 is not the shard of tensor 53x63 on grid <3x2>: that is 18x32 [metal_layout.shard_shape]}}
func.func private @shard(tensor<53x63xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<17x32xf32, #ttcore.memory_space<l1>>>>)

// -----

// Tiles come after the grid.
// expected-error @below {{memref 18x32 is not the shard of tensor 53x63 on grid <3x2>: that is 1x1 tiles [metal_layout.shard_shape]}}
func.func private @tiles(tensor<53x63xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<18x32x!ttcore.tile<32 x 32, f32>, #ttcore.memory_space<l1>>>>)

// -----

// expected-error @below {{result 0 of the linear map mixes d0, d1: their strides do not step over one another, so two elements may share a place [metal_layout.injective]}}
func.func private @overlap(tensor<2x8x32xf32, #ttcore.metal_layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), undef, <1x1>, memref<12x32xf32, #ttcore.memory_space<l1>>>>)

// -----

// expected-error @below {{no result of the linear map reads d0: its 2 elements would share a place [metal_layout.injective]}}
func.func private @lost(tensor<2x8x32xf32, #ttcore.metal_layout<(d0, d1, d2) -> (d1, d2), undef, <1x1>, memref<8x32xf32, #ttcore.memory_space<l1>>>>)

// -----

// expected-error @below {{the tensor's physical size exceeds what 64 bits can count [metal_layout.size]}}
func.func private @size(tensor<4611686018427387904x8xf32, #ttcore.metal_layout<(d0, d1) -> (d0 * 8, d1), undef, <1x1>, memref<8x8xf32, #ttcore.memory_space<l1>>>>)

// -----

func.func private @wide(tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32, #ttcore.metal_layout<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17, d18, d19, d20, d21, d22, d23, d24, d25, d26, d27, d28, d29, d30, d31, d32, d33, d34, d35, d36, d37, d38, d39, d40, d41, d42, d43, d44, d45, d46, d47, d48, d49, d50, d51, d52, d53, d54, d55, d56, d57, d58, d59, d60, d61, d62, d63, d64) -> (d0, d1), undef, <1x1>, memref<1x1xf32, #ttcore.memory_space<l1>>>>) // expected-error {{the map of a layout has at most 64 dimensions and results}}
