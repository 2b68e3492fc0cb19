// How a program's own attention takes exponentials is its own to say: only what a rewrite makes of an exact softmax states exact ones.

// RUN: tessera-opt %s --ttnn-rewrite | FileCheck %s
// RUN: tessera optimize %s -o - --quiet | FileCheck %s

// CHECK: "ttnn.scaled_dot_product_attention"
// CHECK-NOT: exp_approx_mode

#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 64 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module {
  func.func @main(%q: tensor<1x4x64x64xbf16, #t>, %k: tensor<1x4x64x64xbf16, #t>, %v: tensor<1x4x64x64xbf16, #t>) -> tensor<1x4x64x64xbf16, #t> {
    %0 = "ttnn.scaled_dot_product_attention"(%q, %k, %v) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, math_approx_mode = false, fp32_dest_acc_en = true>, is_causal = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 1.250000e-01 : f32}> : (tensor<1x4x64x64xbf16, #t>, tensor<1x4x64x64xbf16, #t>, tensor<1x4x64x64xbf16, #t>) -> tensor<1x4x64x64xbf16, #t>
    return %0 : tensor<1x4x64x64xbf16, #t>
  }
}
