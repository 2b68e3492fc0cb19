// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// Attributes of ttcore that stand alone.

"test.attrs"() {
  // CHECK: argument = #ttcore.argument_type<constant>
  argument = #ttcore.argument_type<constant>,
  // CHECK-SAME: coord = #ttcore.grid<8x8>
  coord = #ttcore.grid<8x8>,
  // CHECK-SAME: direction = #ttcore.shard_direction<full_to_shard>
  direction = #ttcore.shard_direction<full_to_shard>,
  // CHECK-SAME: dtype = #ttcore.supportedDataTypes<bfp_bf8>
  dtype = #ttcore.supportedDataTypes<bfp_bf8>,
  // CHECK-SAME: kind = #ttcore.shard_type<devices>
  kind = #ttcore.shard_type<devices>,
  // CHECK-SAME: local = #ttcore<local_shape local_shape = tensor<768xbf16>>
  local = #ttcore<local_shape local_shape = tensor<768xbf16>>,
  // CHECK-SAME: mesh = #ttcore.tensor_mesh<"mesh">
  mesh = #ttcore.tensor_mesh<"mesh">,
  // CHECK-SAME: meshes = #ttcore.meshes<[<"mesh" = 1x2>, <"other" = 2x4>]>
  meshes = #ttcore.meshes<[<"mesh" = 1x2>, <"other" = 2x4>]>,
  // CHECK-SAME: reduce = #ttcore.reduce_type<sum>
  reduce = #ttcore.reduce_type<sum>,
  // CHECK-SAME: status = #ttcore.shard_status<presharded>
  status = #ttcore.shard_status<presharded>
} : () -> ()

"test.grids"() {
  // CHECK: a = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1) -> (0, d0, d1), physical_to_virt_map = (d0, d1, d2) -> (d1, d2)>
  a = #ttcore.grid<8x8, physical_to_virt_map = (d0, d1, d2) -> (d1, d2), virt_to_physical_map = (d0, d1) -> (0, d0, d1)>,
  // The bare map of old files gets its name.
  // CHECK-SAME: b = #ttcore.grid<5x1, virt_to_physical_map = (d0, d1) -> (0, d0, d1)>
  b = #ttcore.grid<5x1, (d0, d1) -> (0, d0, d1)>
} : () -> ()

// Every data type, in tiles; blanks in the shape do not matter.
// CHECK: "test.tiles"() : () -> (!ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f16>, !ttcore.tile<32x32, bf16>,
// CHECK-SAME: !ttcore.tile<32x32, bfp_f8>, !ttcore.tile<32x32, bfp_bf8>, !ttcore.tile<32x32, bfp_f4>, !ttcore.tile<32x32, bfp_bf4>,
// CHECK-SAME: !ttcore.tile<32x32, bfp_f2>, !ttcore.tile<32x32, bfp_bf2>, !ttcore.tile<32x32, u32>, !ttcore.tile<32x32, u16>,
// CHECK-SAME: !ttcore.tile<32x32, u8>, !ttcore.tile<32x32, si32>, !ttcore.tile<64x3, i1>)
%t:14 = "test.tiles"() : () -> (
  !ttcore.tile<32x32, f32>, !ttcore.tile<32x32, f16>, !ttcore.tile<32x32, bf16>, !ttcore.tile<32x32, bfp_f8>,
  !ttcore.tile<32x32, bfp_bf8>, !ttcore.tile<32x32, bfp_f4>, !ttcore.tile<32x32, bfp_bf4>, !ttcore.tile<32x32, bfp_f2>,
  !ttcore.tile<32x32, bfp_bf2>, !ttcore.tile<32x32, u32>, !ttcore.tile<32x32, u16>, !ttcore.tile<32x32, u8>,
  !ttcore.tile<32 x 32, si32>, !ttcore.tile<64x3, i1>)

// Tiles as elements.
// CHECK: memref<2x4x!ttcore.tile<32x32, bf16>>, tensor<64x128x!ttcore.tile<32x32, bfp_bf8>>
%m:2 = "test.elements"() : () -> (memref<2x4x!ttcore.tile<32x32, bf16>>, tensor<64x128x!ttcore.tile<32x32, bfp_bf8>>)
