// The largest of long rows are chosen in two steps.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+choices,+const-eval %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_8x8192 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x256x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_8x20 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#si32_8x20 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#f32_8x5000 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x157x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_8x4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#si32_8x4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#bf16_8x2048 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_8x4 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Two steps, and where the pieces had what is chosen.
// CHECK-LABEL: func.func @words(
// CHECK: "ttnn.topk"({{.*}}) <{dim = -1 : si32, k = 20 : i32{{.*}} : (tensor<{{[0-9]+}}x{{[0-9]+}}xbf16
// CHECK: "ttnn.topk"({{.*}}) <{dim = -1 : si32, k = 20 : i32{{.*}} : (tensor<8x{{[0-9]+}}xbf16
// CHECK: "ttnn.gather"
// CHECK-NOT: ttnn.clamp_scalar
// CHECK: return
func.func @words(%x: tensor<8x8192xbf16, #bf16_8x8192>) -> (tensor<8x20xbf16, #bf16_8x20>, tensor<8x20xsi32, #si32_8x20>) {
  %v, %i = "ttnn.topk"(%x) <{dim = 1 : si32, k = 20 : i32, largest = true, sorted = true}> : (tensor<8x8192xbf16, #bf16_8x8192>) -> (tensor<8x20xbf16, #bf16_8x20>, tensor<8x20xsi32, #si32_8x20>)
  return %v, %i : tensor<8x20xbf16, #bf16_8x20>, tensor<8x20xsi32, #si32_8x20>
}

// What is put behind a row is never found in it.
// CHECK-LABEL: func.func @uneven(
// CHECK: "ttnn.pad"({{.*}}value = 0xFF800000
// CHECK: "ttnn.gather"
// CHECK-NEXT: "ttnn.clamp_scalar"({{.*}}) <{max = 4.999000e+03 : f32
func.func @uneven(%x: tensor<8x5000xf32, #f32_8x5000>) -> (tensor<8x4xf32, #f32_8x4>, tensor<8x4xsi32, #si32_8x4>) {
  %v, %i = "ttnn.topk"(%x) <{dim = 1 : si32, k = 4 : i32, largest = true, sorted = true}> : (tensor<8x5000xf32, #f32_8x5000>) -> (tensor<8x4xf32, #f32_8x4>, tensor<8x4xsi32, #si32_8x4>)
  return %v, %i : tensor<8x4xf32, #f32_8x4>, tensor<8x4xsi32, #si32_8x4>
}

// Short rows.
// CHECK-LABEL: func.func @short(
// CHECK-COUNT-1: ttnn.topk
// CHECK-NOT: ttnn.topk
// CHECK: return
func.func @short(%x: tensor<8x2048xbf16, #bf16_8x2048>) -> (tensor<8x4xbf16, #bf16_8x4>, tensor<8x4xsi32, #si32_8x4>) {
  %v, %i = "ttnn.topk"(%x) <{dim = 1 : si32, k = 4 : i32, largest = true, sorted = true}> : (tensor<8x2048xbf16, #bf16_8x2048>) -> (tensor<8x4xbf16, #bf16_8x4>, tensor<8x4xsi32, #si32_8x4>)
  return %v, %i : tensor<8x4xbf16, #bf16_8x4>, tensor<8x4xsi32, #si32_8x4>
}
