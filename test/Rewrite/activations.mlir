// Functions go into the ops before or after them; no less exact.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#bf16_64x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// CHECK-LABEL: func.func @of_sum(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.add"(%arg0, %arg1) <{activations = [#ttnn.unary_with_param<op_type = relu>]}>
// CHECK-NEXT: return %[[Y]]
func.func @of_sum(%a: tensor<64x64xbf16, #bf16_64x64>, %b: tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64> {
  %0 = "ttnn.add"(%a, %b) : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %1 = "ttnn.relu"(%0) : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %1 : tensor<64x64xbf16, #bf16_64x64>
}

// Through a reshape.
// CHECK-LABEL: func.func @of_product(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.matmul"(%arg0, %arg1) <{activation = "gelu"
// CHECK-NEXT: "ttnn.reshape"(%[[Y]])
// CHECK-NEXT: return
func.func @of_product(%a: tensor<64x64xbf16, #bf16_64x64>, %b: tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x64xbf16, #bf16_1x64x64> {
  %0 = "ttnn.matmul"(%a, %b) <{transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %1 = "ttnn.reshape"(%0) <{shape = [1 : i32, 64 : i32, 64 : i32]}> : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<1x64x64xbf16, #bf16_1x64x64>
  %2 = "ttnn.gelu"(%1) : (tensor<1x64x64xbf16, #bf16_1x64x64>) -> tensor<1x64x64xbf16, #bf16_1x64x64>
  return %2 : tensor<1x64x64xbf16, #bf16_1x64x64>
}

// A soft cap as gemma has it.
// CHECK-LABEL: func.func @of_operand(
// CHECK: "ttnn.multiply"(%arg0, %{{.*}}) <{input_tensor_a_activations = [#ttnn.unary_with_param<op_type = tanh>]}>
// CHECK-NEXT: return
func.func @of_operand(%a: tensor<64x64xbf16, #bf16_64x64>, %b: tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64> {
  %d = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c = "ttnn.full"(%d) <{fill_value = 3.000000e+01 : f32, shape = #ttnn.shape<1x1>}> : (!ttnn.device) -> tensor<1x1xbf16, #bf16_1x1>
  %0 = "ttnn.tanh"(%a) : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %1 = "ttnn.multiply"(%0, %c) : (tensor<64x64xbf16, #bf16_64x64>, tensor<1x1xbf16, #bf16_1x1>) -> tensor<64x64xbf16, #bf16_64x64>
  return %1 : tensor<64x64xbf16, #bf16_64x64>
}

// Who else reads the sum has it without the function.
// CHECK-LABEL: func.func @read_twice(
// CHECK-NEXT: "ttnn.add"(%arg0, %arg1) :
// CHECK-NEXT: "ttnn.relu"
func.func @read_twice(%a: tensor<64x64xbf16, #bf16_64x64>, %b: tensor<64x64xbf16, #bf16_64x64>) -> (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) {
  %0 = "ttnn.add"(%a, %b) : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %1 = "ttnn.relu"(%0) : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %0, %1 : tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>
}

// Two functions of one product: the op has room for one.
// CHECK-LABEL: func.func @has_one(
// CHECK-NEXT: "ttnn.matmul"({{.*}}activation = "relu"
// CHECK-NEXT: "ttnn.sigmoid"
func.func @has_one(%a: tensor<64x64xbf16, #bf16_64x64>, %b: tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64> {
  %0 = "ttnn.matmul"(%a, %b) <{activation = "relu", transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16, #bf16_64x64>, tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  %1 = "ttnn.sigmoid"(%0) : (tensor<64x64xbf16, #bf16_64x64>) -> tensor<64x64xbf16, #bf16_64x64>
  return %1 : tensor<64x64xbf16, #bf16_64x64>
}
