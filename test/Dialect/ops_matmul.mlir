// Matrix products: batches, transposition, vectors, bias, configurations.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @matmul
func.func @matmul(%a: tensor<4x8x16xbf16>, %b: tensor<16x32xbf16>, %c: tensor<32x16xbf16>, %v: tensor<16xbf16>, %dynamic: tensor<?x?xbf16>) {
  // CHECK: "ttnn.matmul"(%arg0, %arg1) <{transpose_a = false, transpose_b = false}> : (tensor<4x8x16xbf16>, tensor<16x32xbf16>) -> tensor<4x8x32xbf16>
  %0 = "ttnn.matmul"(%a, %b) : (tensor<4x8x16xbf16>, tensor<16x32xbf16>) -> tensor<4x8x32xbf16>
  // CHECK-NEXT: "ttnn.matmul"(%arg0, %arg2) <{transpose_a = false, transpose_b = true}>
  %1 = "ttnn.matmul"(%a, %c) <{transpose_a = false, transpose_b = true}> : (tensor<4x8x16xbf16>, tensor<32x16xbf16>) -> tensor<4x8x32xbf16>
  // CHECK-NEXT: "ttnn.matmul"(%arg1, %arg2) <{transpose_a = true, transpose_b = true}> {{.*}} -> tensor<32x32xbf16>
  %2 = "ttnn.matmul"(%b, %c) <{transpose_a = true, transpose_b = true}> : (tensor<16x32xbf16>, tensor<32x16xbf16>) -> tensor<32x32xbf16>
  // A vector is a row on the left, a column on the right.
  // CHECK-NEXT: "ttnn.matmul"(%arg3, %arg1){{.*}} -> tensor<32xbf16>
  %3 = "ttnn.matmul"(%v, %b) : (tensor<16xbf16>, tensor<16x32xbf16>) -> tensor<32xbf16>
  // CHECK-NEXT: "ttnn.matmul"(%arg0, %arg3){{.*}} -> tensor<4x8xbf16>
  %4 = "ttnn.matmul"(%a, %v) : (tensor<4x8x16xbf16>, tensor<16xbf16>) -> tensor<4x8xbf16>
  // CHECK-NEXT: "ttnn.matmul"(%arg3, %arg3){{.*}} -> tensor<1xbf16>
  %5 = "ttnn.matmul"(%v, %v) : (tensor<16xbf16>, tensor<16xbf16>) -> tensor<1xbf16>
  // Extents that are not known agree with any.
  // CHECK-NEXT: "ttnn.matmul"{{.*}} -> tensor<?x32xbf16>
  %6 = "ttnn.matmul"(%dynamic, %b) : (tensor<?x?xbf16>, tensor<16x32xbf16>) -> tensor<?x32xbf16>
  return
}

// CHECK-LABEL: func.func @batch_broadcast
func.func @batch_broadcast(%a: tensor<4x1x8x16xbf16>, %b: tensor<3x16x32xbf16>) {
  // CHECK: -> tensor<4x3x8x32xbf16>
  %0 = "ttnn.matmul"(%a, %b) : (tensor<4x1x8x16xbf16>, tensor<3x16x32xbf16>) -> tensor<4x3x8x32xbf16>
  return
}

// CHECK-LABEL: func.func @linear
func.func @linear(%a: tensor<8x16xbf16>, %b: tensor<16x32xbf16>, %bias: tensor<1x32xbf16>, %high: tensor<2x8x32xbf16>) {
  // CHECK: "ttnn.linear"(%arg0, %arg1, %arg2) <{activation = "gelu", transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"}
  %0 = "ttnn.linear"(%a, %b, %bias) <{activation = "gelu", transpose_a = false, transpose_b = false}> {ttcore.weight_dtype = "bfp_bf8"} : (tensor<8x16xbf16>, tensor<16x32xbf16>, tensor<1x32xbf16>) -> tensor<8x32xbf16>
  // A bias of one tile's height may leave the product's shape.
  // CHECK-NEXT: "ttnn.linear"{{.*}} -> tensor<8x32xbf16>
  %2 = "ttnn.linear"(%a, %b, %high) : (tensor<8x16xbf16>, tensor<16x32xbf16>, tensor<2x8x32xbf16>) -> tensor<8x32xbf16>
  // CHECK-NEXT: "ttnn.linear"{{.*}} -> tensor<2x8x32xbf16>
  %3 = "ttnn.linear"(%a, %b, %high) : (tensor<8x16xbf16>, tensor<16x32xbf16>, tensor<2x8x32xbf16>) -> tensor<2x8x32xbf16>
  // CHECK-NEXT: "ttnn.linear"(%arg0, %arg1) <{
  %1 = "ttnn.linear"(%a, %b) : (tensor<8x16xbf16>, tensor<16x32xbf16>) -> tensor<8x32xbf16>
  return
}

// CHECK-LABEL: func.func @program_configs
func.func @program_configs(%a: tensor<64x64xbf16>) {
  // CHECK: <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = lofi>, matmul_program_config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, per_core_m = 1, per_core_n = 1>, transpose_a = false, transpose_b = false}>
  %0 = "ttnn.matmul"(%a, %a) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = lofi>, matmul_program_config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, 8>, in0_block_w = 1, out_subblock_h = 1, out_subblock_w = 1, per_core_m = 1, per_core_n = 1>, transpose_a = false, transpose_b = false}> : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return
}
