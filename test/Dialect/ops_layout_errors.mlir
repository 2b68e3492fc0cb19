// What every TTNN op demands of the layouts of its tensors. That a layout fits its tensor is the type's own rule:
// ttnn_layout_fit.mlir.
// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @foreign_operand(%x: tensor<32x32xbf16, "somewhere">) {
  // expected-error@+1 {{operand #0: tensor encoding must be a #ttnn.ttnn_layout}}
  %0 = "ttnn.exp"(%x) : (tensor<32x32xbf16, "somewhere">) -> tensor<32x32xbf16>
  return
}
// -----
#metal = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <1x1>, memref<32x32xbf16, #ttcore.memory_space<l1>>>
func.func @foreign_result(%x: tensor<32x32xbf16>) {
  // expected-error@+1 {{result #0: tensor encoding must be a #ttnn.ttnn_layout}}
  %0 = "ttnn.exp"(%x) : (tensor<32x32xbf16>) -> tensor<32x32xbf16, #metal>
  return
}
