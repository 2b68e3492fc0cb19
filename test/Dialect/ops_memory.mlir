// Conversions between layouts, memories and data types; creation; lifetime.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#system_memory = #ttnn.buffer_type<system_memory>
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#tile_f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bfp = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#row_major = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #dram>, <interleaved>>
#sharded = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x32xbf16, #system_memory>>

// CHECK-LABEL: func.func @conversions
func.func @conversions(%x: tensor<64x32xbf16, #row_major>) {
  // CHECK-NEXT: "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  // CHECK-NEXT: "ttnn.to_layout"(%arg0)
  %0 = "ttnn.to_layout"(%x) : (tensor<64x32xbf16, #row_major>) -> tensor<64x32xbf16, #tile>
  // A float type may change on the way.
  // CHECK-NEXT: "ttnn.to_layout"(%arg0)
  %1 = "ttnn.to_layout"(%x) : (tensor<64x32xbf16, #row_major>) -> tensor<64x32xf32, #tile_f32>
  // CHECK-NEXT: "ttnn.to_memory_config"(%1)
  %2 = "ttnn.to_memory_config"(%0) : (tensor<64x32xbf16, #tile>) -> tensor<64x32xbf16, #sharded>
  // CHECK-NEXT: "ttnn.typecast"(%1)
  %3 = "ttnn.typecast"(%0) : (tensor<64x32xbf16, #tile>) -> tensor<64x32xf32, #tile_f32>
  // Block-float tensors are spelled by their tile.
  // CHECK-NEXT: -> tensor<64x32x!ttcore.tile<32x32, bfp_bf8>, #ttnn_layout
  %4 = "ttnn.typecast"(%0) : (tensor<64x32xbf16, #tile>) -> tensor<64x32x!ttcore.tile<32x32, bfp_bf8>, #bfp>
  // CHECK-NEXT: "ttnn.from_device"(%arg0)
  %5 = "ttnn.from_device"(%x) : (tensor<64x32xbf16, #row_major>) -> tensor<64x32xbf16, #host>
  // CHECK-NEXT: "ttnn.to_device"(%6, %0)
  %6 = "ttnn.to_device"(%5, %d) : (tensor<64x32xbf16, #host>, !ttnn.device) -> tensor<64x32xbf16, #row_major>
  // CHECK-NEXT: "ttnn.to_tensor_spec"(%6)
  %7 = "ttnn.to_tensor_spec"(%5) : (tensor<64x32xbf16, #host>) -> tensor<64x32xf32, #tile_f32>
  // CHECK-NEXT: "ttnn.deallocate"(%8) <{force = false}> : {{.*}} -> ()
  "ttnn.deallocate"(%7) : (tensor<64x32xf32, #tile_f32>) -> ()
  return
}

// CHECK-LABEL: func.func @creation
func.func @creation(%d: !ttnn.device) {
  // CHECK-NEXT: "ttnn.zeros"(%arg0) <{shape = #ttnn.shape<64x32>}>
  %0 = "ttnn.zeros"(%d) <{shape = #ttnn.shape<64x32>}> : (!ttnn.device) -> tensor<64x32xbf16, #tile>
  // Without a device on the host.
  // CHECK-NEXT: "ttnn.ones"() <{shape = #ttnn.shape<64x32>}> : () ->
  %1 = "ttnn.ones"() <{shape = #ttnn.shape<64x32>}> : () -> tensor<64x32xbf16, #host>
  // CHECK-NEXT: "ttnn.full"(%arg0) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<64x32>}>
  %2 = "ttnn.full"(%d) <{fill_value = 0xFF800000 : f32, shape = #ttnn.shape<64x32>}> : (!ttnn.device) -> tensor<64x32xbf16, #tile>
  // CHECK-NEXT: "ttnn.empty"(%arg0) <{shape = #ttnn.shape<64x32>}>
  %3 = "ttnn.empty"(%d) <{shape = #ttnn.shape<64x32>}> : (!ttnn.device) -> tensor<64x32xbf16, #tile>
  // CHECK-NEXT: "ttnn.arange"(%arg0) <{end = 7 : i64, start = 0 : i64, step = 2 : i64}> {{.*}} -> tensor<1x4xsi32>
  %4 = "ttnn.arange"(%d) <{start = 0 : i64, end = 7 : i64, step = 2 : i64}> : (!ttnn.device) -> tensor<1x4xsi32>
  // CHECK-NEXT: "ttnn.constant"() <{value = dense<[1, 2]> : tensor<2xsi32>}>
  %5 = "ttnn.constant"() <{value = dense<[1, 2]> : tensor<2xsi32>}> : () -> tensor<2xsi32>
  return
}
