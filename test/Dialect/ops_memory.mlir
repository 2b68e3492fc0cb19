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
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #dram>, <interleaved>>
#host_vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xf32, #system_memory>>
#nd = #ttnn.ttnn_nd_layout<<2x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <nd_sharded>>
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
  // What 'shape' says does not matter here.
  // CHECK-NEXT: "ttnn.full"(%arg0) <{fill_value = 1 : i32, shape = #ttnn.shape<2>}>
  %6 = "ttnn.full"(%d) <{fill_value = 1 : i32, shape = #ttnn.shape<2>}> : (!ttnn.device) -> tensor<64x32xbf16, #tile>
  // The number of values is rounded down.
  // CHECK-NEXT: "ttnn.arange"(%arg0) <{end = 7 : i64, start = 0 : i64, step = 2 : i64}> {{.*}} -> tensor<3xsi32, #
  %4 = "ttnn.arange"(%d) <{start = 0 : i64, end = 7 : i64, step = 2 : i64}> : (!ttnn.device) -> tensor<3xsi32, #vector>
  // CHECK-NEXT: "ttnn.arange"(%arg0) <{end = -2 : i64, start = 2 : i64, step = -1 : i64}> {{.*}} -> tensor<4xsi32, #
  %7 = "ttnn.arange"(%d) <{start = 2 : i64, end = -2 : i64, step = -1 : i64}> : (!ttnn.device) -> tensor<4xsi32, #vector>
  // CHECK-NEXT: "ttnn.constant"() <{value = dense<[1, 2]> : tensor<2xsi32>}>
  %5 = "ttnn.constant"() <{value = dense<[1, 2]> : tensor<2xsi32>}> : () -> tensor<2xf32, #host_vector>
  // CHECK-NEXT: "ttnn.constant"(%arg0) <{value = dense<[1, 2]> : tensor<2xsi32>}>
  %8 = "ttnn.constant"(%d) <{value = dense<[1, 2]> : tensor<2xsi32>}> : (!ttnn.device) -> tensor<2xsi32, #vector>
  return
}

// Verifiers ask conversions for layouts, and for nothing else: what they change may be more than their names say, and
// the optimizer then leaves them alone.
// CHECK-LABEL: func.func @free
func.func @free(%x: tensor<64x32xbf16, #tile>, %bare: tensor<64x32xbf16>, %d: !ttnn.device) {
  // Page layout, data type (to integers, too), shape; and what older programs change by it.
  // CHECK-NEXT: "ttnn.to_layout"
  %0 = "ttnn.to_layout"(%x) : (tensor<64x32xbf16, #tile>) -> tensor<2xsi32, #vector>
  // CHECK-NEXT: "ttnn.to_layout"
  %1 = "ttnn.to_layout"(%x) : (tensor<64x32xbf16, #tile>) -> tensor<64x32xbf16, #sharded>
  // CHECK-NEXT: "ttnn.to_layout"
  %2 = "ttnn.to_layout"(%x) : (tensor<64x32xbf16, #tile>) -> tensor<64x32xbf16, #host>
  // CHECK-NEXT: "ttnn.to_memory_config"
  %3 = "ttnn.to_memory_config"(%x) : (tensor<64x32xbf16, #tile>) -> tensor<64xf32, #host>
  // CHECK-NEXT: "ttnn.to_tensor_spec"(%arg1)
  %4 = "ttnn.to_tensor_spec"(%bare) : (tensor<64x32xbf16>) -> tensor<64x32xbf16, #tile>
  // CHECK-NEXT: "ttnn.to_tensor_spec"(%arg1)
  %5 = "ttnn.to_tensor_spec"(%bare) : (tensor<64x32xbf16>) -> tensor<64x32xbf16, #nd>
  // CHECK-NEXT: "ttnn.typecast"
  %6 = "ttnn.typecast"(%x) : (tensor<64x32xbf16, #tile>) -> tensor<32x64xf32>
  // CHECK-NEXT: "ttnn.typecast"
  %7 = "ttnn.typecast"(%x) : (tensor<64x32xbf16, #tile>) -> tensor<64x32xbf16, #sharded>
  // CHECK-NEXT: "ttnn.to_device"
  %8 = "ttnn.to_device"(%x, %d) : (tensor<64x32xbf16, #tile>, !ttnn.device) -> tensor<64x32xf32, #host>
  // CHECK-NEXT: "ttnn.from_device"
  %9 = "ttnn.from_device"(%x) : (tensor<64x32xbf16, #tile>) -> tensor<1x32xbf16, #row_major>
  return
}
