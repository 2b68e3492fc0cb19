// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// Nothing ties a layout to the tensor that carries it (facts/dialect 2): all of these are read, and
// written as they were. What the optimizer does with them: test/Optimizer/unplaced_tensors.mlir.

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#system_memory = #ttnn.buffer_type<system_memory>
!tile = !ttcore.tile<32x32, bf16>

// Maps with any results, or symbols.
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0, d1, d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func private @identity(tensor<1x1x32x32xbf16, #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0, d1, d2, d3), <1x1>, memref<1x1x!tile, #dram>, <interleaved>>>)
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1) -> (d0 * 32 + d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func private @one_result(tensor<32x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0 * 32 + d1), <1x1>, memref<1x1x!tile, #dram>, <interleaved>>>)
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1)[s0] -> (d0 floordiv 2 + s0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func private @floordiv(tensor<32x32xbf16, #ttnn.ttnn_layout<(d0, d1)[s0] -> (d0 floordiv 2 + s0, d1), <1x1>, memref<1x1x!tile, #dram>, <interleaved>>>)
// A map of another rank than the tensor.
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func private @other_rank(tensor<32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!tile, #dram>, <interleaved>>>)
// A shard that does not hold the tensor.
func.func private @too_small(tensor<64x128xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!tile, #dram>, <interleaved>>>)

// Shards of any rank, extents, elements and strides; a memory space that TTNN does not have.
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0) -> (d0), <1x1>, memref<32xf32, #system_memory>>
func.func private @rank1(tensor<32xf32, #ttnn.ttnn_layout<(d0) -> (d0), <1x1>, memref<32xf32, #system_memory>>>)
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x0x?x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func private @rank3(tensor<?x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x0x?x!tile, #dram>, <interleaved>>>)
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xi64, strided<[64, 1]>, 1>, <interleaved>>
func.func private @foreign(tensor<32x32xi64, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32xi64, strided<[64, 1]>, 1>, <interleaved>>>)

// Grids of any rank, with zeros, that the memory layout does not explain, or with another number of cores.
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
func.func private @grid3(tensor<32x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1x1>, memref<1x1x!tile, #l1>, <interleaved>>>)
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <0x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
func.func private @grid0(tensor<32x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <0x1>, memref<1x1x!tile, #l1>, <interleaved>>>)
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <>>
func.func private @columns(tensor<32x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x2>, memref<1x1x!tile, #l1>, <height_sharded>, core_ranges = <>>>)
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>>
func.func private @banks(tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!tile, #dram>, <width_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (1,0)>]>>>)

// nd_sharded has no core ranges; layouts of their own say how many dimensions are cut, and how.
// CHECK-DAG: #ttnn_layout{{[0-9]*}} = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <nd_sharded>>
func.func private @nd(tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <2x2>, memref<1x1x!tile, #l1>, <nd_sharded>>>)
// CHECK: func.func private @nd_layout(tensor<64x64xbf16, #ttnn.ttnn_nd_layout<<2x2>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <nd_sharded>>>)
func.func private @nd_layout(tensor<64x64xbf16, #ttnn.ttnn_nd_layout<#ttcore.grid<2x2>, memref<1x1x!tile, #l1>, <nd_sharded>>>)
// CHECK: func.func private @nd_options(tensor<64x64xbf16, #ttnn.ttnn_nd_layout<<2>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <nd_sharded>, <col_major>, <grid_2d>>>)
func.func private @nd_options(tensor<64x64xbf16, #ttnn.ttnn_nd_layout<<2>, memref<1x1x!tile, #l1>, <nd_sharded>, <col_major>, <grid_2d>>>)

// The tensor's elements and those of the shard need not agree.
// CHECK: func.func private @elements(tensor<32x32xf32, #ttnn_layout{{[0-9]+}}>)
func.func private @elements(tensor<32x32xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, i1>, #dram>, <interleaved>>>)
// Any other encoding, on any op.
func.func @other_encodings(%x: tensor<?x32xbf16, "somewhere">) -> tensor<?x32xbf16> {
  // CHECK: "ttnn.exp"(%{{.*}}) : (tensor<?x32xbf16, "somewhere">) -> tensor<?x32xbf16>
  %0 = "ttnn.exp"(%x) : (tensor<?x32xbf16, "somewhere">) -> tensor<?x32xbf16>
  return %0 : tensor<?x32xbf16>
}
