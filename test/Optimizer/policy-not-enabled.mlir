// A policy that is named and does not decide is told of: without memory-layout-analysis-enabled=true layouts stay as they are.
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-policy=greedy" %s 2>&1 | FileCheck %s
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-policy=greedy memory-layout-analysis-enabled=true" %s 2>&1 | FileCheck %s --check-prefix=HEARD
// RUN: tessera-opt --ttnn-optimizer %s 2>&1 | FileCheck %s --check-prefix=HEARD

// CHECK: warning: memory-layout-analysis-policy has no effect without memory-layout-analysis-enabled=true: layouts stay as they are, and configurations alone are chosen
// CHECK: ttnn.relu
// HEARD-NOT: warning
// HEARD: ttnn.relu

#dram = #ttnn.buffer_type<dram>
!t = tensor<64x64xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>>
func.func @main(%a: !t) -> !t {
  %0 = "ttnn.relu"(%a) : (!t) -> !t
  return %0 : !t
}
