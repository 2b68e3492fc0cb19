// Every layout of facts/tensor-layout, written as it stands there, blanks and line breaks included: it parses,
// verifies and prints to a fixpoint.
//
// RUN: tessera-opt %s | FileCheck %s --match-full-lines
// RUN: tessera-opt %s -o %t.1.mlir
// RUN: tessera-opt %t.1.mlir -o %t.2.mlir
// RUN: cmp %t.1.mlir %t.2.mlir
// RUN: tessera-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tessera-opt --allow-bytecode %t.mlirbc -o %t.3.mlir
// RUN: cmp %t.1.mlir %t.3.mlir

// The maps that stand by themselves: dimension collapsing, and the padded stride.
// CHECK: #map = affine_map<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)>
// CHECK: #map1 = affine_map<(d0, d1, d2) -> (d0 * 32 + d1, d2)>
// CHECK: func.func private @maps() attributes {collapsed = #map, padded = #map1}
func.func private @maps() attributes {
  collapsed = affine_map<
(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3)
  >,
  padded = affine_map<
(d0, d1, d2) -> (d0 * 32 + d1, d2)
  >
}

// ---- An Example / Walkthrough ----

// CHECK: func.func private @no_encoding(tensor<2x3x64x128xf32>)
func.func private @no_encoding(
tensor<2x3x64x128xf32>
)

// CHECK: func.func private @one_core(tensor<2x3x64x128xf32, #ttcore.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), undef, <1x1>, memref<384x128xf32, #ttcore.memory_space<l1>>>>)
func.func private @one_core(
tensor<2x3x64x128xf32,
  #ttcore.metal_layout<
    (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3),
    undef,
    <1x1>,
    memref<384x128xf32, #ttcore.memory_space<l1>>
  >
>
)

// ---- Multi-Core ----

// CHECK: func.func private @grid_2x4(tensor<2x3x64x128xf32, #ttcore.metal_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), undef, <2x4>, memref<192x32xf32, #ttcore.memory_space<l1>>>>)
func.func private @grid_2x4(
tensor<2x3x64x128xf32,
  #ttcore.metal_layout<
    (d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3),
    undef,
    <2x4>,
    memref<192x32xf32, #ttcore.memory_space<l1>>
  >
>
)

// CHECK: func.func private @columns(tensor<8x300xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x2>, memref<8x150xf32, #ttcore.memory_space<l1>>>>)
func.func private @columns(
tensor<8x300xf32,
  #ttcore.metal_layout<(d0, d1) -> (d0, d1),
    undef,
    <1x2>,
    memref<8x150xf32, #ttcore.memory_space<l1>>
  >
>
)

// CHECK: func.func private @rows(tensor<8x96x32xf32, #ttcore.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), undef, <2x1>, memref<384x32xf32, #ttcore.memory_space<l1>>>>)
func.func private @rows(
tensor<8x96x32xf32,
  #ttcore.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2),
    undef,
    <2x1>,
    memref<384x32xf32, #ttcore.memory_space<l1>>
  >
>
)

// CHECK: func.func private @dimension_twice(tensor<8x96x32xf32, #ttcore.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d1, d2), undef, <2x1x2>, memref<384x96x16xf32, #ttcore.memory_space<l1>>>>)
func.func private @dimension_twice(
tensor<8x96x32xf32,
  #ttcore.metal_layout<(d0, d1, d2) -> (d0 * 96 + d1, d1, d2),
    undef,
    <2x1x2>,
    memref<384x96x16xf32, #ttcore.memory_space<l1>>
  >
>
)

// CHECK: func.func private @rank_7_on_4(tensor<5x3x2x2x7x32x32xf32, #ttcore.metal_layout<(d0, d1, d2, d3, d4, d5, d6) -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 * 32 + d5, d4, d5, d6), undef, <3x2x2x2>, memref<4480x4x16x16xf32, #ttcore.memory_space<l1>>>>)
func.func private @rank_7_on_4(
tensor<5x3x2x2x7x32x32xf32,
  #ttcore.metal_layout<
    (d0, d1, d2, d3, d4, d5, d6)
      -> (d0 * 2688 + d1 * 896 + d2 * 448 + d3 * 224 + d4 * 32 + d5, d4, d5, d6),
    undef,
    <3x2x2x2>,
    memref<4480x4x16x16xf32, #ttcore.memory_space<l1>>
  >
>
)

// ---- Tilized ----

// CHECK: func.func private @scalars(tensor<3x64x128xf32, #ttcore.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <3x2>, memref<64x64xf32, #ttcore.memory_space<l1>>>>)
func.func private @scalars(
tensor<3x64x128xf32,
  #ttcore.metal_layout<
    (d0, d1, d2) -> (d0 * 64 + d1, d2),
    undef,
    <3x2>,
    memref<64x64xf32, #ttcore.memory_space<l1>>
  >
>
)

// CHECK: func.func private @tiles(tensor<3x64x128xf32, #ttcore.metal_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), undef, <3x2>, memref<2x2x!ttcore.tile<32x32, bfp_bf8>, #ttcore.memory_space<l1>>>>)
func.func private @tiles(
tensor<3x64x128xf32,
  #ttcore.metal_layout<
    (d0, d1, d2) -> (d0 * 64 + d1, d2),
    undef,
    <3x2>,
    memref<2x2x!ttcore.tile<32 x 32, bfp_bf8>, #ttcore.memory_space<l1>>
  >
>
)

// ---- Padding ----

// CHECK: func.func private @padded_scalars(tensor<53x63xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<18x32xf32, #ttcore.memory_space<l1>>>>)
func.func private @padded_scalars(
tensor<53x63xf32,
  #ttcore.metal_layout<
    (d0, d1) -> (d0, d1),
    undef,
    <3x2>,
    memref<18x32xf32, #ttcore.memory_space<l1>>
  >
>
)

// CHECK: func.func private @padded_tiles(tensor<53x63xf32, #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <3x2>, memref<1x1x!ttcore.tile<32x32, bfp_bf8>, #ttcore.memory_space<l1>>>>)
func.func private @padded_tiles(
tensor<53x63xf32,
  #ttcore.metal_layout<
    (d0, d1) -> (d0, d1),
    undef,
    <3x2>,
    memref<1x1x!ttcore.tile<32 x 32, bfp_bf8>, #ttcore.memory_space<l1>>
  >
>
)

// CHECK: func.func private @batches_in_one_tile(tensor<2x8x32xf32, #ttcore.metal_layout<(d0, d1, d2) -> (d0 * 8 + d1, d2), undef, <1x2>, memref<16x16xf32, #ttcore.memory_space<l1>>>>)
func.func private @batches_in_one_tile(
tensor<2x8x32xf32,
  #ttcore.metal_layout<
    (d0, d1, d2) -> (d0 * 8 + d1, d2),
    undef,
    <1x2>,
    memref<16x16xf32, #ttcore.memory_space<l1>>
  >
>
)

// The padded stride, in a layout: rows 0..7 and 32..39, so each batch has a tile of its own.
// CHECK: func.func private @a_tile_per_batch(tensor<2x8x32xf32, #ttcore.metal_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), undef, <1x2>, memref<2x1x!ttcore.tile<32x32, f32>, #ttcore.memory_space<l1>>>>)
func.func private @a_tile_per_batch(
tensor<2x8x32xf32,
  #ttcore.metal_layout<
    (d0, d1, d2) -> (d0 * 32 + d1, d2),
    undef,
    <1x2>,
    memref<2x1x!ttcore.tile<32 x 32, f32>, #ttcore.memory_space<l1>>
  >
>
)

// ---- Multi-device ----

// CHECK: func.func private @two_devices(tensor<2x3x64x128xf32, #ttcore.metal_layout<(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3), undef, <2x2x4>, memref<1x3x1x!ttcore.tile<32x32, bfp_bf8>, #ttcore.memory_space<l1>>>>)
func.func private @two_devices(
tensor<2x3x64x128xf32,
  #ttcore.metal_layout<(d0, d1, d2, d3) -> (d0, d1 * 64 + d2, d3),
    undef,
    <2x2x4>,
    memref<1x3x1x!ttcore.tile<32 x 32, bfp_bf8>, #ttcore.memory_space<l1>>
  >
>
)
