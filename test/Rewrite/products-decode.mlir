// Queries, keys and values of one position come from one product, which one op cuts.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#q = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#k = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#x32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#yq32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#yk32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#h32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#yq64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#yk64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#h64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @users
// CHECK-NEXT: %[[W:.*]] = ttcore.load_cached(@users_const_eval
// CHECK-NEXT: %[[Y:.*]] = "ttnn.matmul"(%arg0, %[[W]])
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%[[Y]]) <{shape = [1 : i32, 1 : i32, 32 : i32, 512 : i32]}>
// CHECK-NEXT: "ttnn.nlp_create_qkv_heads_decode"(%[[X]])
// CHECK-NEXT: return
func.func @users(%x: tensor<32x64xbf16, #x32>, %q: tensor<64x256xbf16, #q> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %k: tensor<64x128xbf16, #k> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<64x128xbf16, #k> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<1x32x4x64xbf16, #h32>, tensor<1x32x2x64xbf16, #h32>, tensor<1x32x2x64xbf16, #h32>) {
  %0 = "ttnn.matmul"(%x, %q) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #x32>, tensor<64x256xbf16, #q>) -> tensor<32x256xbf16, #yq32>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 32 : i32, 4 : i32, 64 : i32]}> : (tensor<32x256xbf16, #yq32>) -> tensor<1x32x4x64xbf16, #h32>
  %2 = "ttnn.matmul"(%x, %k) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #x32>, tensor<64x128xbf16, #k>) -> tensor<32x128xbf16, #yk32>
  %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<32x128xbf16, #yk32>) -> tensor<1x32x2x64xbf16, #h32>
  %4 = "ttnn.matmul"(%x, %v) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #x32>, tensor<64x128xbf16, #k>) -> tensor<32x128xbf16, #yk32>
  %5 = "ttnn.reshape"(%4) <{shape = [1 : i32, 32 : i32, 2 : i32, 64 : i32]}> : (tensor<32x128xbf16, #yk32>) -> tensor<1x32x2x64xbf16, #h32>
  return %1, %3, %5 : tensor<1x32x4x64xbf16, #h32>, tensor<1x32x2x64xbf16, #h32>, tensor<1x32x2x64xbf16, #h32>
}

// The op takes 32 users at most, so the joined product would have to be cut by slices.
// CHECK-LABEL: func.func @too_many_users
// CHECK-COUNT-3: "ttnn.matmul"(%arg0
// CHECK-NOT: slice
// CHECK: return
func.func @too_many_users(%x: tensor<64x64xbf16, #x64>, %q: tensor<64x256xbf16, #q> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %k: tensor<64x128xbf16, #k> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %v: tensor<64x128xbf16, #k> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> (tensor<1x64x4x64xbf16, #h64>, tensor<1x64x2x64xbf16, #h64>, tensor<1x64x2x64xbf16, #h64>) {
  %0 = "ttnn.matmul"(%x, %q) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #x64>, tensor<64x256xbf16, #q>) -> tensor<64x256xbf16, #yq64>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32, 4 : i32, 64 : i32]}> : (tensor<64x256xbf16, #yq64>) -> tensor<1x64x4x64xbf16, #h64>
  %2 = "ttnn.matmul"(%x, %k) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #x64>, tensor<64x128xbf16, #k>) -> tensor<64x128xbf16, #yk64>
  %3 = "ttnn.reshape"(%2) <{shape = [1 : i32, 64 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #yk64>) -> tensor<1x64x2x64xbf16, #h64>
  %4 = "ttnn.matmul"(%x, %v) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #x64>, tensor<64x128xbf16, #k>) -> tensor<64x128xbf16, #yk64>
  %5 = "ttnn.reshape"(%4) <{shape = [1 : i32, 64 : i32, 2 : i32, 64 : i32]}> : (tensor<64x128xbf16, #yk64>) -> tensor<1x64x2x64xbf16, #h64>
  return %1, %3, %5 : tensor<1x64x4x64xbf16, #h64>, tensor<1x64x2x64xbf16, #h64>, tensor<1x64x2x64xbf16, #h64>
}
