// What depends on parameters alone is computed by const-eval functions, one for what belongs together.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+const-eval %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x8x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_4x8x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 512 + d1 * 64 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The sum is needed by nobody else, and the number by both products.
// CHECK-LABEL: func.func private @weights_const_eval(
// CHECK-SAME: %arg0: tensor<64x64xbf16{{.*}}, %arg1: tensor<64x64xbf16{{.*}}) -> (tensor<64x64xbf16{{.*}}, tensor<64x64xbf16
// CHECK-SAME: tt.function_type = "const_eval"
// CHECK-NEXT: %[[DEVICE:.*]] = "ttnn.get_device"
// CHECK-NEXT: %[[NUMBER:.*]] = "ttnn.full"(%[[DEVICE]])
// CHECK-NEXT: %[[SUM:.*]] = "ttnn.add"(%arg0, %arg1)
// CHECK-NEXT: %[[A:.*]] = "ttnn.multiply"(%[[SUM]], %[[NUMBER]])
// CHECK-NEXT: %[[B:.*]] = "ttnn.multiply"(%arg1, %[[NUMBER]])
// CHECK-NEXT: "ttnn.deallocate"(%[[NUMBER]])
// CHECK-NEXT: "ttnn.deallocate"(%[[SUM]])
// CHECK-NEXT: return %[[A]], %[[B]]
// CHECK-LABEL: func.func @weights(
// CHECK-NOT: ttnn.full
// CHECK: %[[W:.*]]:2 = ttcore.load_cached(@weights_const_eval, [%arg1, %arg2])
// CHECK-NEXT: %[[P:.*]] = "ttnn.matmul"(%arg0, %[[W]]#0)
// CHECK-NEXT: %[[Q:.*]] = "ttnn.matmul"(%[[P]], %[[W]]#1)
// CHECK-NEXT: return %[[Q]]
func.func @weights(%x: tensor<64x64xbf16, #bf16_64x64> {ttcore.argument_type = #ttcore.argument_type<input>}, %a: tensor<64x64xbf16, #bf16_64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %b: tensor<64x64xbf16, #bf16_64x64> {ttcore.argument_type = #ttcore.argument_type<constant>}) -> tensor<64x64xbf16, #bf16_64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %n = "ttnn.full"(%d) <{fill_value = 0.500000e+00 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %0 = "ttnn.add"(%a, %b) : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %1 = "ttnn.multiply"(%0, %n) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<64x64xbf16, #bf16_64x64>
  %2 = "ttnn.matmul"(%x, %1) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %3 = "ttnn.multiply"(%b, %n) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<64x64xbf16, #bf16_64x64>
  %4 = "ttnn.matmul"(%2, %3) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %4 : tensor<64x64xbf16, #bf16_64x64>
}

// Of inputs nothing is known before.
// CHECK-LABEL: func.func @inputs_are_left
// CHECK-NEXT: "ttnn.add"(%arg0, %arg0)
// CHECK-NEXT: "ttnn.multiply"
// CHECK-NEXT: return
func.func @inputs_are_left(%x: tensor<64x64xbf16, #bf16_64x64> {ttcore.argument_type = #ttcore.argument_type<input>}, %a: tensor<64x64xbf16, #bf16_64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x64xbf16, #bf16_64x64> {
  %0 = "ttnn.add"(%x, %x) : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %1 = "ttnn.multiply"(%0, %a) : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %1 : tensor<64x64xbf16, #bf16_64x64>
}

// What is returned is the caller's, who may write it.
// CHECK-LABEL: func.func @returned_is_left
// CHECK-NEXT: "ttnn.add"(%arg0, %arg0)
// CHECK-NEXT: return
func.func @returned_is_left(%a: tensor<64x64xbf16, #bf16_64x64> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<64x64xbf16, #bf16_64x64> {
  %0 = "ttnn.add"(%a, %a) : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %0 : tensor<64x64xbf16, #bf16_64x64>
}

// A cache that is made of nothing is filled in place, and made anew in every call.
// CHECK-LABEL: func.func @written_is_left
// CHECK: "ttnn.zeros"
// CHECK-NEXT: "ttnn.fill_cache"
func.func @written_is_left(%x: tensor<1x8x32x64xbf16, #bf16_1x8x32x64> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c = "ttnn.zeros"(%d) <{shape = #ttnn.shape<4x8x64x64>}> : (!ttnn.device) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  "ttnn.fill_cache"(%c, %x) <{batch_offset = 0 : i32}> : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>, tensor<1x8x32x64xbf16, #bf16_1x8x32x64>) -> ()
  %0 = "ttnn.neg"(%c) : (tensor<4x8x64x64xbf16, #bf16_4x8x64x64>) -> tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
  return %0 : tensor<4x8x64x64xbf16, #bf16_4x8x64x64>
}
