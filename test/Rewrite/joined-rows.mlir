// Rows that one tensor meets in turn meet each other first.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+joined-rows %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#image = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 512 + d1, d2), <1x1>, memref<32x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#narrow = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 512 + d1, d2), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#each = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#column = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 512 + d1, d2), <1x1>, memref<32x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#all = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>

// Deviations of each image, then weights of all: with the bits that were between them.
// CHECK-LABEL: func.func @norm_of_groups(
// CHECK-NEXT: %[[R:.*]] = "ttnn.multiply"(%arg1, %arg2){{.*}} -> tensor<2x1x64xf32
// CHECK-NEXT: %[[M:.*]] = "ttnn.multiply"(%arg0, %[[R]]){{.*}} -> tensor<2x512x64xbf16
// CHECK-NEXT: return %[[M]]
func.func @norm_of_groups(%x: tensor<2x512x64xf32, #image>, %r: tensor<2x1x64xf32, #each>, %w: tensor<64xf32, #all>) -> tensor<2x512x64xbf16, #narrow> {
  %0 = "ttnn.multiply"(%x, %r) : (tensor<2x512x64xf32, #image>, tensor<2x1x64xf32, #each>) -> tensor<2x512x64xf32, #image>
  %1 = "ttnn.multiply"(%w, %0) : (tensor<64xf32, #all>, tensor<2x512x64xf32, #image>) -> tensor<2x512x64xbf16, #narrow>
  return %1 : tensor<2x512x64xbf16, #narrow>
}

// A column and a row are a matrix.
// CHECK-LABEL: func.func @matrix(
// CHECK-NEXT: "ttnn.add"(%arg0, %arg1)
// CHECK-NEXT: "ttnn.add"(%{{.*}}, %arg2)
func.func @matrix(%x: tensor<2x512x64xf32, #image>, %c: tensor<2x512x1xf32, #column>, %w: tensor<64xf32, #all>) -> tensor<2x512x64xf32, #image> {
  %0 = "ttnn.add"(%x, %c) : (tensor<2x512x64xf32, #image>, tensor<2x512x1xf32, #column>) -> tensor<2x512x64xf32, #image>
  %1 = "ttnn.add"(%0, %w) : (tensor<2x512x64xf32, #image>, tensor<64xf32, #all>) -> tensor<2x512x64xf32, #image>
  return %1 : tensor<2x512x64xf32, #image>
}

// What is between them is read by others, too.
// CHECK-LABEL: func.func @read(
// CHECK-NEXT: "ttnn.add"(%arg0, %arg1)
// CHECK-NEXT: "ttnn.add"(%{{.*}}, %arg2)
func.func @read(%x: tensor<2x512x64xf32, #image>, %r: tensor<2x1x64xf32, #each>, %w: tensor<64xf32, #all>) -> (tensor<2x512x64xf32, #image>, tensor<2x512x64xf32, #image>) {
  %0 = "ttnn.add"(%x, %r) : (tensor<2x512x64xf32, #image>, tensor<2x1x64xf32, #each>) -> tensor<2x512x64xf32, #image>
  %1 = "ttnn.add"(%0, %w) : (tensor<2x512x64xf32, #image>, tensor<64xf32, #all>) -> tensor<2x512x64xf32, #image>
  return %0, %1 : tensor<2x512x64xf32, #image>, tensor<2x512x64xf32, #image>
}
