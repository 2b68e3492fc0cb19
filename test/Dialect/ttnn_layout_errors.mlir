// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// One case per rule of facts/dialect 2 and 3.

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{height_sharded needs core ranges}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>

// -----

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{core ranges are for height, width and block sharded layouts; this one is interleaved}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>

// -----

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{core ranges are for height, width and block sharded layouts; this one is nd_sharded}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <nd_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{dram interleaved has grid 1x1, not 2x1}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{dram interleaved has grid 1x1, not 1x1x1}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

// expected-error @below {{trace has grid 1x1, not 1x2}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<trace>>, <interleaved>>

// -----

#system_memory = #ttnn.buffer_type<system_memory>
// expected-error @below {{system_memory has grid 1x1, not 1x2}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x2>, memref<32x32xf32, #system_memory>>

// -----

#system_memory = #ttnn.buffer_type<system_memory>
// expected-error @below {{system_memory has no memory layout, but interleaved is given}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #system_memory>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{a layout in dram needs a memory layout}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, #dram>>

// -----

// expected-error @below {{a layout in that memory space needs a memory layout}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xf32, 1>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{dram cannot be block_sharded: its banks form one row}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,1)>]>>

// -----

// expected-error @below {{the memref of a layout needs a #ttnn.buffer_type as memory space}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>>, <interleaved>>

// -----

#l1 = #ttnn.buffer_type<l1>
// The old grid's map has to give chip, row and column.
// expected-error @below {{the map of the grid does not lead to cores}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1, (d0, d1) -> (d0, d1)>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>

// -----

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{the map of the grid does not lead to cores}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <4611686018427387904x4, (d0, d1) -> (0, d0, d1)>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>

// -----

// The parts behind the memref stand in one order, and none without the one before it.
#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{expected '<'}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>, <height_sharded>>

// -----

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{expected 'core_ranges'}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, ignorePhysicalLayout = true>

// -----

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{expected 'ignorePhysicalLayout'}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <block_sharded>, core_ranges = <>, <interleaved>>

// -----

// expected-error @below {{core range (3,0)-(1,1) is not a rectangle from upper left to lower right}}
#a = #ttnn.core_range<(3,0), (1,1)>

// -----

// expected-error @below {{core ranges #ttnn.core_range<(0,0), (3,3)> and #ttnn.core_range<(3,3), (4,4)> overlap}}
#a = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (3,3)>, #ttnn.core_range<(3,3), (4,4)>]>

// -----

// expected-error @below {{expected two dimensions, as in 1x2}}
#a = #ttnn<mesh_shape 1x2x3>

// -----

#system_memory = #ttnn.buffer_type<system_memory>
// expected-error @below {{system_memory has no memory layout, but interleaved is given}}
#a = #ttnn.memory_config<#system_memory, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{a memory config in dram needs a memory layout}}
#a = #ttnn.memory_config<#dram>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{dram cannot be block_sharded: its banks form one row}}
#a = #ttnn.memory_config<#dram, <block_sharded>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{a shard_spec is for height, width and block sharded tensors in l1 or dram}}
#a = #ttnn.memory_config<#dram, <interleaved>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (0,0)>]>, <32x32>, <row_major>>>

// -----

// expected-error @below {{a shard_spec is for height, width and block sharded tensors in l1 or dram}}
#a = #ttnn.memory_config<#ttnn.buffer_type<l1_small>, <height_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (0,0)>]>, <32x32>, <row_major>>>

// -----

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{a memory config has a shard_spec or an ndShardSpec, not both}}
#a = #ttnn.memory_config<#l1, <height_sharded>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (0,0)>]>, <32x32>, <row_major>>, ndShardSpec = #ttnn.nd_shard_spec<x>>

// -----

// expected-error @below {{expected one of [lofi, hifi2, hifi3, hifi4]}}
#a = #ttnn.device_compute_kernel_config<math_fidelity = hifi5>

// -----

// expected-error @below {{key 'per_core_m' is not known here, or stands twice}}
#a = #ttnn.matmul_multi_core_reuse_multi_cast_dram_sharded_program_config<in0_block_w = 1, per_core_m = 1, per_core_m = 5>

// -----

// Behind an alias, whose name is another one where the module is printed, a key that is not known cannot be kept.
#cores = #ttnn.core_range_set<[#ttnn.core_range<(0,0), (0,0)>]>
// expected-error @below {{key 'new_key' is not known here, or stands twice}}
#a = #ttnn.conv2d_config<core_grid = #cores, new_key = 1>

// -----

// expected-error @below {{in0_block_w}}
#a = #ttnn.matmul_multi_core_reuse_multi_cast_dram_sharded_program_config<per_core_m = 1, per_core_n = 5>
