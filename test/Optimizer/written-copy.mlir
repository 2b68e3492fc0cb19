// A move makes the copy that is written in place: no other reader of the argument is given that copy.
// RUN: tessera optimize %s --policy beam -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x4>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>

// CHECK-LABEL: func.func @filled(
// CHECK: %[[COPY:.*]] = "ttnn.to_memory_config"(%arg0)
// CHECK: "ttnn.fill_cache"(%[[COPY]], %arg1)
// CHECK: "ttnn.exp"(%arg0)
func.func @filled(%cache: tensor<1x1x64x64xbf16, #x>, %new: tensor<1x1x64x64xbf16, #x>) -> (tensor<1x1x64x64xbf16, #y>, tensor<1x1x64x64xbf16, #x>) {
  %0 = "ttnn.to_memory_config"(%cache) : (tensor<1x1x64x64xbf16, #x>) -> tensor<1x1x64x64xbf16, #y>
  "ttnn.fill_cache"(%0, %new) <{batch_offset = 0 : i32}> : (tensor<1x1x64x64xbf16, #y>, tensor<1x1x64x64xbf16, #x>) -> ()
  %1 = "ttnn.exp"(%cache) : (tensor<1x1x64x64xbf16, #x>) -> tensor<1x1x64x64xbf16, #x>
  return %0, %1 : tensor<1x1x64x64xbf16, #y>, tensor<1x1x64x64xbf16, #x>
}
