// What is repeated for an op that broadcasts is read once: the same bits.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_1x1x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x40x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_160x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<5x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x40x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<8x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x1x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_12x3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x3 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// A row for all rows, folded meanwhile.
// CHECK-LABEL: func.func @row(
// CHECK-NEXT: %[[C:.*]] = ttcore.load_cached({{.*}}[%arg1]) : {{.*}} -> tensor<1x64xbf16
// CHECK-NEXT: %[[Y:.*]] = "ttnn.multiply"(%arg0, %[[C]])
// CHECK-NEXT: return %[[Y]]
func.func @row(%x: tensor<160x64xbf16, #bf16_160x64>, %c: tensor<1x1x64xbf16, #bf16_1x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<160x64xbf16, #bf16_160x64> {
  %r = "ttnn.repeat"(%c) <{repeat_dims = #ttnn.shape<4x40x1>}> : (tensor<1x1x64xbf16, #bf16_1x1x64>) -> tensor<4x40x64xbf16, #bf16_4x40x64>
  %f = "ttnn.reshape"(%r) <{shape = [160 : i32, 64 : i32]}> : (tensor<4x40x64xbf16, #bf16_4x40x64>) -> tensor<160x64xbf16, #bf16_160x64>
  %y = "ttnn.multiply"(%x, %f) : (tensor<160x64xbf16, #bf16_160x64>, tensor<160x64xbf16, #bf16_160x64>) -> tensor<160x64xbf16, #bf16_160x64>
  return %y : tensor<160x64xbf16, #bf16_160x64>
}

// A matrix for all batches.
// CHECK-LABEL: func.func @matrix(
// CHECK-NEXT: %[[W:.*]] = ttcore.load_cached({{.*}}[%arg1]) : {{.*}} -> tensor<64x32xbf16
// CHECK-NEXT: %[[Y:.*]] = "ttnn.matmul"(%arg0, %[[W]])
// CHECK-NEXT: return %[[Y]]
func.func @matrix(%x: tensor<4x40x64xbf16, #bf16_4x40x64>, %w: tensor<1x64x32xbf16, #bf16_1x64x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<4x40x32xbf16, #bf16_4x40x32> {
  %r = "ttnn.repeat"(%w) <{repeat_dims = #ttnn.shape<4x1x1>}> : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<4x64x32xbf16, #bf16_4x64x32>
  %y = "ttnn.matmul"(%x, %r) <{transpose_a = false, transpose_b = false}> : (tensor<4x40x64xbf16, #bf16_4x40x64>, tensor<4x64x32xbf16, #bf16_4x64x32>) -> tensor<4x40x32xbf16, #bf16_4x40x32>
  return %y : tensor<4x40x32xbf16, #bf16_4x40x32>
}

// So is what the call itself repeats.
// CHECK-LABEL: func.func @of_the_call(
// CHECK-NEXT: %[[C:.*]] = "ttnn.reshape"(%arg1) <{shape = [1 : i32, 64 : i32]}>
// CHECK-NEXT: %[[Y:.*]] = "ttnn.multiply"(%arg0, %[[C]])
// CHECK-NEXT: return %[[Y]]
func.func @of_the_call(%x: tensor<160x64xbf16, #bf16_160x64>, %c: tensor<1x1x64xbf16, #bf16_1x1x64>) -> tensor<160x64xbf16, #bf16_160x64> {
  %r = "ttnn.repeat"(%c) <{repeat_dims = #ttnn.shape<4x40x1>}> : (tensor<1x1x64xbf16, #bf16_1x1x64>) -> tensor<4x40x64xbf16, #bf16_4x40x64>
  %f = "ttnn.reshape"(%r) <{shape = [160 : i32, 64 : i32]}> : (tensor<4x40x64xbf16, #bf16_4x40x64>) -> tensor<160x64xbf16, #bf16_160x64>
  %y = "ttnn.multiply"(%x, %f) : (tensor<160x64xbf16, #bf16_160x64>, tensor<160x64xbf16, #bf16_160x64>) -> tensor<160x64xbf16, #bf16_160x64>
  return %y : tensor<160x64xbf16, #bf16_160x64>
}

// What works element by element works on what is there once.
// CHECK-LABEL: func.func @function(
// CHECK-NEXT: %[[A:.*]] = "ttnn.abs"(%arg1) {{.*}} -> tensor<1x1x64xbf16
// CHECK-NEXT: %[[C:.*]] = "ttnn.reshape"(%[[A]]) <{shape = [1 : i32, 64 : i32]}>
// CHECK-NEXT: %[[Y:.*]] = "ttnn.multiply"(%arg0, %[[C]])
// CHECK-NEXT: return %[[Y]]
func.func @function(%x: tensor<160x64xbf16, #bf16_160x64>, %c: tensor<1x1x64xbf16, #bf16_1x1x64>) -> tensor<160x64xbf16, #bf16_160x64> {
  %r = "ttnn.repeat"(%c) <{repeat_dims = #ttnn.shape<4x40x1>}> : (tensor<1x1x64xbf16, #bf16_1x1x64>) -> tensor<4x40x64xbf16, #bf16_4x40x64>
  %a = "ttnn.abs"(%r) : (tensor<4x40x64xbf16, #bf16_4x40x64>) -> tensor<4x40x64xbf16, #bf16_4x40x64>
  %f = "ttnn.reshape"(%a) <{shape = [160 : i32, 64 : i32]}> : (tensor<4x40x64xbf16, #bf16_4x40x64>) -> tensor<160x64xbf16, #bf16_160x64>
  %y = "ttnn.multiply"(%x, %f) : (tensor<160x64xbf16, #bf16_160x64>, tensor<160x64xbf16, #bf16_160x64>) -> tensor<160x64xbf16, #bf16_160x64>
  return %y : tensor<160x64xbf16, #bf16_160x64>
}

// A row for each batch is no row for all, and a product of batches wants a matrix that is the same in every call.
// CHECK-LABEL: func.func @matrix_of_the_call_is_left(
// CHECK-NEXT: %[[R:.*]] = "ttnn.repeat"(%arg1)
// CHECK-NEXT: "ttnn.matmul"(%arg0, %[[R]])
func.func @matrix_of_the_call_is_left(%x: tensor<4x40x64xbf16, #bf16_4x40x64>, %w: tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<4x40x32xbf16, #bf16_4x40x32> {
  %r = "ttnn.repeat"(%w) <{repeat_dims = #ttnn.shape<4x1x1>}> : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<4x64x32xbf16, #bf16_4x64x32>
  %y = "ttnn.matmul"(%x, %r) <{transpose_a = false, transpose_b = false}> : (tensor<4x40x64xbf16, #bf16_4x40x64>, tensor<4x64x32xbf16, #bf16_4x64x32>) -> tensor<4x40x32xbf16, #bf16_4x40x32>
  return %y : tensor<4x40x32xbf16, #bf16_4x40x32>
}

// Folded rows of which each batch has another are not one row.
// CHECK-LABEL: func.func @row_per_batch_is_left(
// CHECK-NEXT: %[[C:.*]] = ttcore.load_cached({{.*}}[%arg1]) : {{.*}} -> tensor<160x64xbf16
// CHECK-NEXT: "ttnn.multiply"(%arg0, %[[C]])
func.func @row_per_batch_is_left(%x: tensor<160x64xbf16, #bf16_160x64>, %c: tensor<4x1x64xbf16, #bf16_4x1x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<160x64xbf16, #bf16_160x64> {
  %r = "ttnn.repeat"(%c) <{repeat_dims = #ttnn.shape<1x40x1>}> : (tensor<4x1x64xbf16, #bf16_4x1x64>) -> tensor<4x40x64xbf16, #bf16_4x40x64>
  %f = "ttnn.reshape"(%r) <{shape = [160 : i32, 64 : i32]}> : (tensor<4x40x64xbf16, #bf16_4x40x64>) -> tensor<160x64xbf16, #bf16_160x64>
  %y = "ttnn.multiply"(%x, %f) : (tensor<160x64xbf16, #bf16_160x64>, tensor<160x64xbf16, #bf16_160x64>) -> tensor<160x64xbf16, #bf16_160x64>
  return %y : tensor<160x64xbf16, #bf16_160x64>
}

// What is repeated may have been repeated before: its elements keep their order, and are no column that is repeated.
// CHECK-LABEL: func.func @repeated_twice(
// CHECK-NOT: "ttnn.reshape"
// CHECK: return
func.func @repeated_twice(%y: tensor<4x1xbf16, #bf16_4x1>) -> tensor<12x3xbf16, #bf16_12x3> {
  %a = "ttnn.repeat"(%y) <{repeat_dims = #ttnn.shape<1x3>}> : (tensor<4x1xbf16, #bf16_4x1>) -> tensor<4x3xbf16, #bf16_4x3>
  %b = "ttnn.repeat"(%a) <{repeat_dims = #ttnn.shape<3x1>}> : (tensor<4x3xbf16, #bf16_4x3>) -> tensor<12x3xbf16, #bf16_12x3>
  %c = "ttnn.abs"(%b) : (tensor<12x3xbf16, #bf16_12x3>) -> tensor<12x3xbf16, #bf16_12x3>
  return %c : tensor<12x3xbf16, #bf16_12x3>
}
