// RUN: tessera-opt %s | tessera-opt | FileCheck %s
// RUN: tessera-opt %s --emit-bytecode -o %t.mlirbc
// RUN: tessera-opt --allow-bytecode %t.mlirbc | FileCheck %s
// RUN: tessera-opt %s --cse | FileCheck %s

// Properties that an op does not have are kept where they stood, whether it has others or not. Ops that differ in
// them are not equal: cse leaves both.
// CHECK-LABEL: func.func @unread
func.func @unread(%x: tensor<32x32xbf16>, %y: tensor<32x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>) {
  // CHECK-NEXT: "ttnn.divide"(%arg0, %arg1) <{new_key = #ttnn.new_attr<mode = fast, [1, 2]>}> {pinned}
  %0 = "ttnn.divide"(%x, %y) <{new_key = #ttnn.new_attr<mode = fast, [1, 2]>}> {pinned} : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK-NEXT: "ttnn.divide"(%arg0, %arg1) {pinned}
  %1 = "ttnn.divide"(%x, %y) {pinned} : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // A key may be called as the property is that keeps it.
  // CHECK-NEXT: "ttnn.leaky_relu"(%arg0) <{a_flag, parameter = 5.000000e-01 : f32, unread = {a = 1 : i32}}>
  %2 = "ttnn.leaky_relu"(%x) <{parameter = 0.5 : f32, unread = {a = 1 : i32}, a_flag}> : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK-NEXT: "ttnn.leaky_relu"(%arg0) <{parameter = 5.000000e-01 : f32}> {unread = {a = 1 : i32}}
  %3 = "ttnn.leaky_relu"(%x) <{parameter = 0.5 : f32}> {unread = {a = 1 : i32}} : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0, %1, %2, %3 : tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>, tensor<32x32xbf16>
}

// A struct of ours with a key that is not is kept as it is written, wherever the key stands in it.
// CHECK-LABEL: func.func @newer_structs
func.func @newer_structs(%x: tensor<32x32xbf16>) -> (tensor<32x32xbf16>, tensor<32x32xbf16>) {
  // CHECK-NEXT: "ttnn.matmul"(%arg0, %arg0) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, throttle = <level = 3>>
  %0 = "ttnn.matmul"(%x, %x) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, throttle = <level = 3>>, transpose_a = false, transpose_b = false}> : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  // CHECK-NEXT: "ttnn.relu"(%arg0) {noted = #ttnn.conv2d_config<activation = #ttnn.unary_with_param<op_type = relu, rounds = true>, act_block_h_override = 32>}
  %1 = "ttnn.relu"(%x) {noted = #ttnn.conv2d_config<activation = #ttnn.unary_with_param<op_type = relu, rounds = true>, act_block_h_override = 32>} : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0, %1 : tensor<32x32xbf16>, tensor<32x32xbf16>
}
