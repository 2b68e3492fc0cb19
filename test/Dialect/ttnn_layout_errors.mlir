// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// One case per rule of facts/ir-and-algorithms.md 1.1, "Verifier rules".

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{height_sharded needs core ranges}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>

// -----

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{core ranges are for sharded layouts; this one is interleaved}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>, core_ranges = <[#ttnn.core_range<(0,0), (0,0)>]>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{dram interleaved has grid 1x1, not 2x1}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

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

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{dram cannot be block_sharded: its banks form one row}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,1)>]>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{dram sharded has one row of banks, but grid 2x2}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,1)>]>>

// -----

#l1 = #ttnn.buffer_type<l1>
// expected-error @below {{grid 3x1 has 3 shards, but the core ranges have 2 cores}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <3x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{the map of a layout must be linear: multiples of its dimensions plus a constant}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0 floordiv 2, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{the map of a layout must be linear: multiples of its dimensions plus a constant}}
#a = #ttnn.ttnn_layout<(d0, d1)[s0] -> (d0 + s0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{a coefficient in the map of a layout is out of range}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0 * 4294967296, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{the linear map has 1 results; a layout has rows and columns}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{the memref of a layout has rows and columns, but 3 dimensions are given}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{the memref of a layout is out of range}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x4611686018427387904x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{the grid of a layout has rows and columns, but 1 dimensions are given}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

// expected-error @below {{the memref of a layout must be static, with a #ttnn.buffer_type as memory space}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{the memref of a layout must be static, with a #ttnn.buffer_type as memory space}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x?x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// -----

#dram = #ttnn.buffer_type<dram>
// expected-error @below {{the memref of a layout has an element type that no tensor can have}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1xf64, #dram>, <interleaved>>

// -----

#l1 = #ttnn.buffer_type<l1>
// The old grid's map has to give chip, row and column.
// expected-error @below {{the map of the grid does not lead to cores}}
#a = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1, (d0, d1) -> (d0, d1)>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>

// -----

// expected-error @below {{core range (3,0)-(1,1) is no rectangle from upper left to lower right}}
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
// expected-error @below {{a shard spec is for sharded memory layouts}}
#a = #ttnn.memory_config<#dram, <interleaved>, #ttnn.shard_spec<<[#ttnn.core_range<(0,0), (0,0)>]>, <32x32>, <row_major>>>

// -----

// expected-error @below {{expected one of [lofi, hifi2, hifi3, hifi4]}}
// expected-error @below {{math_fidelity}}
#a = #ttnn.device_compute_kernel_config<math_fidelity = hifi5>

// -----

// expected-error @below {{duplicate or unknown struct parameter name: in0_block_x}}
#a = #ttnn.matmul_multi_core_reuse_multi_cast_dram_sharded_program_config<in0_block_x = 1, per_core_m = 1, per_core_n = 5>

// -----

// expected-error @below {{in0_block_w}}
#a = #ttnn.matmul_multi_core_reuse_multi_cast_dram_sharded_program_config<per_core_m = 1, per_core_n = 5>
