// Reductions and ops along one dimension.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @reductions
func.func @reductions(%x: tensor<2x3x4xbf16>) {
  // CHECK: "ttnn.sum"(%arg0) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<2x3x4xbf16>) -> tensor<2x3x1xbf16>
  %0 = "ttnn.sum"(%x) <{dim_arg = [-1 : i32], keep_dim = true}> : (tensor<2x3x4xbf16>) -> tensor<2x3x1xbf16>
  // CHECK-NEXT: "ttnn.mean"(%arg0) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, dim_arg = [0 : i32, 2 : i32], keep_dim = false}>
  %1 = "ttnn.mean"(%x) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, fp32_dest_acc_en = true>, dim_arg = [0 : i32, 2 : i32], keep_dim = false}> : (tensor<2x3x4xbf16>) -> tensor<3xbf16>
  // Without dim_arg over all dimensions.
  // CHECK-NEXT: "ttnn.max"(%arg0) <{keep_dim = false}> : (tensor<2x3x4xbf16>) -> tensor<bf16>
  %2 = "ttnn.max"(%x) <{keep_dim = false}> : (tensor<2x3x4xbf16>) -> tensor<bf16>
  // CHECK-NEXT: "ttnn.prod"(%arg0) <{dim_arg = 1 : i64, keep_dim = true}> : (tensor<2x3x4xbf16>) -> tensor<2x1x4xbf16>
  %3 = "ttnn.prod"(%x) <{dim_arg = 1 : i64, keep_dim = true}> : (tensor<2x3x4xbf16>) -> tensor<2x1x4xbf16>
  // CHECK-NEXT: "ttnn.argmax"(%arg0) <{dim = 2 : si32, keep_dim = true}> : (tensor<2x3x4xbf16>) -> tensor<2x3x1xui32>
  %4 = "ttnn.argmax"(%x) <{dim = 2 : si32, keep_dim = true}> : (tensor<2x3x4xbf16>) -> tensor<2x3x1xui32>
  return
}

// CHECK-LABEL: func.func @same_shape
func.func @same_shape(%x: tensor<2x3x4xbf16>) {
  // CHECK: "ttnn.softmax"(%arg0) <{dimension = -1 : si32, numericStable = true}>
  %0 = "ttnn.softmax"(%x) <{dimension = -1 : si32, numericStable = true}> : (tensor<2x3x4xbf16>) -> tensor<2x3x4xbf16>
  // CHECK-NEXT: "ttnn.cumulative"(%arg0) <{dim = 1 : si32, reduction = #ttcore.reduce_type<logsumexp>, reverse = true}>
  %11 = "ttnn.cumulative"(%x) <{dim = 1 : si32, reduction = #ttcore.reduce_type<logsumexp>, reverse = true}> : (tensor<2x3x4xbf16>) -> tensor<2x3x4xbf16>
  // CHECK-NEXT: "ttnn.moreh_cumsum"(%arg0) <{dim = 0 : i64}>
  %1 = "ttnn.moreh_cumsum"(%x) <{dim = 0 : i64}> : (tensor<2x3x4xbf16>) -> tensor<2x3x4xbf16>
  // CHECK-NEXT: %{{.*}}, %{{.*}} = "ttnn.sort"(%arg0) <{descending = true, dim = -1 : si8, stable = false}>
  %2, %3 = "ttnn.sort"(%x) <{dim = -1 : si8, descending = true}> : (tensor<2x3x4xbf16>) -> (tensor<2x3x4xbf16>, tensor<2x3x4xui16>)
  // CHECK-NEXT: "ttnn.topk"(%arg0) <{dim = 1 : i32, k = 2 : i32}> : (tensor<2x3x4xbf16>) -> (tensor<2x2x4xbf16>, tensor<2x2x4xui16>)
  %4, %5 = "ttnn.topk"(%x) <{dim = 1 : i32, k = 2 : i32}> : (tensor<2x3x4xbf16>) -> (tensor<2x2x4xbf16>, tensor<2x2x4xui16>)
  return
}
