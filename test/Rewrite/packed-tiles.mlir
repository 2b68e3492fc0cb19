// Packed tiles (bfp8) have elements of bf16 to the type. What is computed of them stays stored as it was: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bfp8_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bfp8_64x1x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<64x2x!ttcore.tile<32x32, bfp_bf8>, #dram>, <interleaved>>
#bf16_64x1x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-DAG: #[[BF16:[a-z0-9_]+]] = {{.*}} -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>

// The sum has bf16, whichever operand comes first.
// CHECK-LABEL: func.func @sum(
// CHECK-NEXT: "ttnn.add"(%arg0, %arg1) : {{.*}} -> tensor<64x64xbf16, #[[BF16]]>
func.func @sum(%x: tensor<64x64xbf16, #bfp8_64x64>, %y: tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x1x64xbf16, #bf16_1x64x1x64> {
  %a = "ttnn.reshape"(%x) <{shape = [64 : i32, 1 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x1x64xbf16, #bfp8_64x1x64>
  %r = "ttnn.reshape"(%y) <{shape = [64 : i32, 1 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x1x64xbf16, #bf16_64x1x64>
  %b = "ttnn.add"(%a, %r) : (tensor<64x1x64xbf16, #bfp8_64x1x64>, tensor<64x1x64xbf16, #bf16_64x1x64>) -> tensor<64x1x64xbf16, #bf16_64x1x64>
  %c = "ttnn.reshape"(%b) <{shape = [1 : i32, 64 : i32, 1 : i32, 64 : i32]}> : (tensor<64x1x64xbf16, #bf16_64x1x64>) -> tensor<1x64x1x64xbf16, #bf16_1x64x1x64>
  return %c : tensor<1x64x1x64xbf16, #bf16_1x64x1x64>
}

// A function of packed elements has bf16, too, and stays where it is.
// CHECK-LABEL: func.func @function(
// CHECK: %[[E:.*]] = "ttnn.exp"
// CHECK: "ttnn.reshape"(%[[E]])
func.func @function(%x: tensor<64x64xbf16, #bfp8_64x64>, %y: tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64> {
  %a = "ttnn.reshape"(%x) <{shape = [64 : i32, 1 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bfp8_64x64>) -> tensor<64x1x64xbf16, #bfp8_64x1x64>
  %b = "ttnn.exp"(%a) : (tensor<64x1x64xbf16, #bfp8_64x1x64>) -> tensor<64x1x64xbf16, #bf16_64x1x64>
  %c = "ttnn.reshape"(%b) <{shape = [64 : i32, 64 : i32]}> : (tensor<64x1x64xbf16, #bf16_64x1x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %d = "ttnn.add"(%c, %y) : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %d : tensor<64x64xbf16, #bf16_64x64>
}

