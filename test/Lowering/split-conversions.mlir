// Conversions of older tt-mlir, and aggregate ones, become ops that change one thing each; what is narrow stays.
// RUN: tessera-opt --ttnn-split-conversions --ttnn-verify-conversions %s | FileCheck %s

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#system_memory = #ttnn.buffer_type<system_memory>
// CHECK-DAG: #[[L1_TILES:.*]] = #ttnn.ttnn_layout<{{.*}}<8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
// CHECK-DAG: #[[HOST_F32:.*]] = #ttnn.ttnn_layout<{{.*}}memref<64x64xf32, #system_memory>>
// CHECK-DAG: #[[HOST_ROWS:.*]] = #ttnn.ttnn_layout<{{.*}}memref<64x64xbf16, #system_memory>>
// CHECK-DAG: #[[ROWS:.*]] = #ttnn.ttnn_layout<{{.*}}memref<64x64xbf16, #dram>, <interleaved>>
// CHECK-DAG: #[[TILES:.*]] = #ttnn.ttnn_layout<{{.*}}memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-DAG: #[[WIDE:.*]] = #ttnn.ttnn_layout<{{.*}}memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
// CHECK-DAG: #[[WIDE_ROWS:.*]] = #ttnn.ttnn_layout<{{.*}}memref<64x64xf32, #dram>, <interleaved>>
// CHECK-DAG: #[[HEIGHT:.*]] = #ttnn.ttnn_layout<{{.*}}<2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>
// CHECK-DAG: #[[HEIGHT_ROWS:.*]] = #ttnn.ttnn_layout<{{.*}}<2x1>, memref<32x64xf32, #l1>, <height_sharded>
#host = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #system_memory>>
#host_wide = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xf32, #system_memory>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#l1_tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#height = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,1)>]>>
#height_rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x1>, memref<32x64xf32, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (0,1)>]>>

// CHECK-LABEL: func.func @rows_to_l1_tiles
// CHECK-NEXT: "ttnn.to_layout"(%arg0) : (tensor<64x64xbf16, #[[ROWS]]>) -> tensor<64x64xbf16, #[[TILES]]>
// CHECK-NEXT: "ttnn.to_memory_config"({{.*}}) : (tensor<64x64xbf16, #[[TILES]]>) -> tensor<64x64xbf16, #[[L1_TILES]]>
// CHECK-NEXT: return
func.func @rows_to_l1_tiles(%x: tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #l1_tiles> {
  %0 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #l1_tiles>
  return %0 : tensor<64x64xbf16, #l1_tiles>
}

// Shards of tiles into shards of rows of another type: out of the shards, typecast in tiles, out of the tiles, back.
// CHECK-LABEL: func.func @shards
// CHECK-NEXT: "ttnn.to_memory_config"(%arg0) : (tensor<64x64xbf16, #[[HEIGHT]]>) -> tensor<64x64xbf16, #[[TILES]]>
// CHECK-NEXT: "ttnn.typecast"({{.*}}) : (tensor<64x64xbf16, #[[TILES]]>) -> tensor<64x64xf32, #[[WIDE]]>
// CHECK-NEXT: "ttnn.to_layout"({{.*}}) : (tensor<64x64xf32, #[[WIDE]]>) -> tensor<64x64xf32, #[[WIDE_ROWS]]>
// CHECK-NEXT: "ttnn.to_memory_config"({{.*}}) : (tensor<64x64xf32, #[[WIDE_ROWS]]>) -> tensor<64x64xf32, #[[HEIGHT_ROWS]]>
// CHECK-NEXT: return
func.func @shards(%x: tensor<64x64xbf16, #height>) -> tensor<64x64xf32, #height_rows> {
  %0 = "ttnn.to_tensor_spec"(%x) : (tensor<64x64xbf16, #height>) -> tensor<64x64xf32, #height_rows>
  return %0 : tensor<64x64xf32, #height_rows>
}

// From the host rows travel and the device tilizes; a function without a device gets one.
// CHECK-LABEL: func.func @from_host
// CHECK-NEXT: %[[DEVICE:.*]] = "ttnn.get_device"
// CHECK-NEXT: "ttnn.to_device"(%arg0, %[[DEVICE]]) : (tensor<64x64xbf16, #[[HOST_ROWS]]>, !ttnn.device) -> tensor<64x64xbf16, #[[ROWS]]>
// CHECK-NEXT: "ttnn.to_layout"({{.*}}) : (tensor<64x64xbf16, #[[ROWS]]>) -> tensor<64x64xbf16, #[[TILES]]>
// CHECK-NEXT: return
func.func @from_host(%x: tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #tiles> {
  %0 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #host>) -> tensor<64x64xbf16, #tiles>
  return %0 : tensor<64x64xbf16, #tiles>
}

// CHECK-LABEL: func.func @to_host
// CHECK-NEXT: "ttnn.to_memory_config"(%arg0) : (tensor<64x64xbf16, #[[HEIGHT]]>) -> tensor<64x64xbf16, #[[TILES]]>
// CHECK-NEXT: "ttnn.typecast"({{.*}}) : (tensor<64x64xbf16, #[[TILES]]>) -> tensor<64x64xf32, #[[WIDE]]>
// CHECK-NEXT: "ttnn.to_layout"({{.*}}) : (tensor<64x64xf32, #[[WIDE]]>) -> tensor<64x64xf32, #[[WIDE_ROWS]]>
// CHECK-NEXT: "ttnn.from_device"({{.*}}) : (tensor<64x64xf32, #[[WIDE_ROWS]]>) -> tensor<64x64xf32, #[[HOST_F32]]>
// CHECK-NEXT: return
func.func @to_host(%x: tensor<64x64xbf16, #height>) -> tensor<64x64xf32, #host_wide> {
  %0 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #height>) -> tensor<64x64xf32, #host_wide>
  return %0 : tensor<64x64xf32, #host_wide>
}

// CHECK-LABEL: func.func @stays
// CHECK-NEXT: "ttnn.to_layout"(%arg0) : (tensor<64x64xbf16, #[[ROWS]]>) -> tensor<64x64xbf16, #[[TILES]]>
// CHECK-NEXT: return
func.func @stays(%x: tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #tiles> {
  %0 = "ttnn.to_layout"(%x) : (tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #tiles>
  return %0 : tensor<64x64xbf16, #tiles>
}

// An aggregate that changes nothing is folded.
// CHECK-LABEL: func.func @nothing
// CHECK-NEXT: return %arg0
func.func @nothing(%x: tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #rows> {
  %0 = "ttnn.to_tensor_spec"(%x) : (tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #rows>
  return %0 : tensor<64x64xbf16, #rows>
}
