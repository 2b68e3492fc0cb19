// Ops that bring their kernels along.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s
// RUN: tessera-opt %s --mlir-print-op-generic | tessera-opt | FileCheck %s

// CHECK-LABEL: func.func @generic
func.func @generic(%x: tensor<64x32xbf16>, %out: tensor<64x32xbf16>, %s: !ttnn.global_semaphore) {
  // CHECK: "ttnn.generic"(%arg0, %arg1, %arg2) <{operandSegmentSizes = array<i32: 2, 1>, program = #ttnn.program<kernels = [], cbs = [], semaphores = []>}> : (
  "ttnn.generic"(%x, %out, %s) <{operandSegmentSizes = array<i32: 2, 1>, program = #ttnn.program<kernels = [], cbs = [], semaphores = []>}> : (tensor<64x32xbf16>, tensor<64x32xbf16>, !ttnn.global_semaphore) -> ()
  return
}

// CHECK-LABEL: func.func @tt_lang
func.func @tt_lang(%x: tensor<64x32xbf16>, %out: tensor<64x32xbf16>) -> tensor<64x32xbf16> {
  // CHECK: %0 = ttnn.tt_lang_op(%arg0, %arg1) {arg_roles = "in,out", kernel_id = "exp::v2", version_tag = "1"} : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> (tensor<64x32xbf16>)
  %0 = ttnn.tt_lang_op(%x, %out) {arg_roles = "in,out", kernel_id = "exp::v2", version_tag = "1"} : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> (tensor<64x32xbf16>)
  // Several results, and all attributes.
  // CHECK: %1:2 = ttnn.tt_lang_op(%0, %arg0, %arg1) {arg_roles = "in,out,out", kernel_artifact = "text", kernel_id = "split::v1", more = 1 : i32, shard_spec = "rows", version_tag = "1"} : (
  %1:2 = "ttnn.tt_lang_op"(%0, %x, %out) <{arg_roles = "in,out,out", kernel_artifact = "text", kernel_id = "split::v1", shard_spec = "rows", version_tag = "1"}> {more = 1 : i32} : (tensor<64x32xbf16>, tensor<64x32xbf16>, tensor<64x32xbf16>) -> (tensor<64x32xbf16>, tensor<64x32xbf16>)
  return %1#0 : tensor<64x32xbf16>
}
