// What #ttcore.metal_layout may say beyond the examples of facts/tensor-layout.
//
// RUN: tessera-opt %s | FileCheck %s
// RUN: tessera-opt %s --verify-roundtrip -o /dev/null

// Padding values, and the memory that shards lie in.
// CHECK-LABEL: @values_and_memories
func.func private @values_and_memories(
  // CHECK-SAME: undef, <1x1>, memref<4x4xf32, #ttcore.memory_space<system>>
  tensor<4x4xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<4x4xf32, #ttcore.memory_space<system>>>>,
  // CHECK-SAME: zero, <1x1>, memref<4x4xf32, #ttcore.memory_space<mmio>>
  tensor<4x4xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), zero, <1x1>, memref<4x4xf32, #ttcore.memory_space<mmio>>>>,
  // CHECK-SAME: one, <1x1>, memref<4x4xf32, #ttcore.memory_space<dram>>
  tensor<4x4xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), one, <1x1>, memref<4x4xf32, #ttcore.memory_space<dram>>>>,
  // CHECK-SAME: inf, <1x1>, memref<4x4xf32, #ttcore.memory_space<l1>>
  tensor<4x4xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), inf, <1x1>, memref<4x4xf32, #ttcore.memory_space<l1>>>>,
  // CHECK-SAME: neginf, <1x1>, memref<4x4xf32, #ttcore.memory_space<l1>>
  tensor<4x4xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), neginf, <1x1>, memref<4x4xf32, #ttcore.memory_space<l1>>>>)

// Any rank: one row of cores for a vector, a constant for a tensor without dimensions, a transposed matrix, more
// cores than the device has rows.
// CHECK-LABEL: @ranks
func.func private @ranks(
  // CHECK-SAME: tensor<100xf32, #ttcore.metal_layout<(d0) -> (d0), undef, <3>, memref<34xf32, #ttcore.memory_space<l1>>>>
  tensor<100xf32, #ttcore.metal_layout<(d0) -> (d0), undef, <3>, memref<34xf32, #ttcore.memory_space<l1>>>>,
  // CHECK-SAME: tensor<100xf32, #ttcore.metal_layout<(d0) -> (0, d0), undef, <1x2>, memref<1x2x!ttcore.tile<32x32, f32>, #ttcore.memory_space<l1>>>>
  tensor<100xf32, #ttcore.metal_layout<(d0) -> (0, d0), undef, <1x2>, memref<1x2x!ttcore.tile<32x32, f32>, #ttcore.memory_space<l1>>>>,
  // CHECK-SAME: tensor<f32, #ttcore.metal_layout<() -> (0, 0), undef, <1x1>, memref<1x1xf32, #ttcore.memory_space<l1>>>>
  tensor<f32, #ttcore.metal_layout<() -> (0, 0), undef, <1x1>, memref<1x1xf32, #ttcore.memory_space<l1>>>>,
  // CHECK-SAME: tensor<8x20xbf16, #ttcore.metal_layout<(d0, d1) -> (d1, d0), undef, <2x1>, memref<10x8xbf16, #ttcore.memory_space<l1>>>>
  tensor<8x20xbf16, #ttcore.metal_layout<(d0, d1) -> (d1, d0), undef, <2x1>, memref<10x8xbf16, #ttcore.memory_space<l1>>>>,
  // CHECK-SAME: tensor<32x2048xbf16, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x64>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttcore.memory_space<l1>>>>
  tensor<32x2048xbf16, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x64>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttcore.memory_space<l1>>>>,
  // CHECK-SAME: tensor<0x32xbf16, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<0x32xbf16, #ttcore.memory_space<l1>>>>
  tensor<0x32xbf16, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<0x32xbf16, #ttcore.memory_space<l1>>>>)

// Through aliases, with the grid's full name, and outside of a tensor.
#l1 = #ttcore.memory_space<l1>
#layout = #ttcore.metal_layout<(d0, d1) -> (d0, d1), zero, #ttcore.grid<2x2>, memref<16x16xsi32, #l1>>
// CHECK-LABEL: @aliases
// CHECK-SAME: tensor<32x32xi32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), zero, <2x2>, memref<16x16xsi32, #ttcore.memory_space<l1>>>>
// CHECK-SAME: layout = #ttcore.metal_layout<(d0, d1) -> (d0, d1), zero, <2x2>, memref<16x16xsi32, #ttcore.memory_space<l1>>>
func.func private @aliases(tensor<32x32xi32, #layout>) attributes {layout = #layout}
