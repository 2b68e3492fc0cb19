// Ops of training.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

func.func @embedding_bw_0(%a0: tensor<1x32xui32>, %a1: tensor<512x128xbf16>, %a2: tensor<1x32x128xbf16>) {
  // CHECK: "ttnn.embedding_bw"(%arg0, %arg1, %arg2) : (
  %0 = "ttnn.embedding_bw"(%a0, %a1, %a2) : (tensor<1x32xui32>, tensor<512x128xbf16>, tensor<1x32x128xbf16>) -> tensor<1x1x512x128xbf16>
  return
}

func.func @gelu_bw_1(%a0: tensor<64x32xbf16>, %a1: tensor<64x32xbf16>) {
  // CHECK: "ttnn.gelu_bw"(%arg0, %arg1) <{approximate = "none"}> : (
  %0 = "ttnn.gelu_bw"(%a0, %a1) : (tensor<64x32xbf16>, tensor<64x32xbf16>) -> tensor<64x32xbf16>
  return
}

func.func @batch_norm_training_2(%a0: tensor<2x8x32x32xbf16>, %a1: tensor<8xbf16>, %a2: tensor<8xbf16>) {
  // CHECK: "ttnn.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 9.99999974E-6 : f32, momentum = 1.000000e-01 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (
  %0 = "ttnn.batch_norm_training"(%a0, %a1, %a2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<2x8x32x32xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<2x8x32x32xbf16>
  return
}

func.func @adamw_3(%a0: tensor<64x32xbf16>, %a1: tensor<64x32xbf16>, %a2: tensor<64x32xbf16>, %a3: tensor<64x32xbf16>) {
  // CHECK: "ttnn.adamw"(%arg0, %arg1, %arg2, %arg3) <{beta1 = 0.899999976 : f32, beta1_pow = 0.899999976 : f32, beta2 = 9.990000e-01 : f32, beta2_pow = 9.990000e-01 : f32, epsilon = 9.99999993E-9 : f32, lr = 5.000000e-01 : f32, stochastic_rounding = false, weight_decay = 0.000000e+00 : f32}> : (
  "ttnn.adamw"(%a0, %a1, %a2, %a3) <{beta1 = 0.9 : f32, beta1_pow = 0.9 : f32, beta2 = 0.999 : f32, beta2_pow = 0.999 : f32, epsilon = 1.0e-8 : f32, lr = 0.5 : f32, weight_decay = 0.0 : f32}> : (tensor<64x32xbf16>, tensor<64x32xbf16>, tensor<64x32xbf16>, tensor<64x32xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @sdpa
func.func @sdpa(%q: tensor<1x8x64x64xbf16>, %m: tensor<1x1x64x64xbf16>) {
  // CHECK-NEXT: "ttnn.sdpa_fw"(%arg0, %arg0, %arg0) <{dropout_probability = 0.000000e+00 : f32, mask_type = #ttcore.attention_mask_type<causal>, return_intermediates = true}>
  %0:2 = "ttnn.sdpa_fw"(%q, %q, %q) <{mask_type = #ttcore.attention_mask_type<causal>, return_intermediates = true}> : (tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>) -> (tensor<1x8x64x64xbf16>, tensor<1x8x64x32xbf16>)
  // CHECK-NEXT: "ttnn.sdpa_fw"(%arg0, %arg0, %arg0, %arg1) <{{.*}}return_intermediates = false}>
  %1 = "ttnn.sdpa_fw"(%q, %q, %q, %m) <{mask_type = #ttcore.attention_mask_type<arbitrary>}> : (tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x1x64x64xbf16>) -> tensor<1x8x64x64xbf16>
  // CHECK-NEXT: "ttnn.sdpa_bw"
  %2:3 = "ttnn.sdpa_bw"(%q, %q, %q, %q, %q, %0#1) <{mask_type = #ttcore.attention_mask_type<causal>}> : (tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x32xbf16>) -> (tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>, tensor<1x8x64x64xbf16>)
  return
}
