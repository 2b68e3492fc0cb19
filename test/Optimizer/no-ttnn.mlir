// A module without TTNN ops is most likely TTIR: the user learns how to lower it, and nothing is written.
// RUN: not tessera optimize %s -o %t.mlir 2>&1 | FileCheck %s
// RUN: not ls %t.mlir
// RUN: not tessera-opt --ttnn-optimizer %s -o %t.mlir 2>&1 | FileCheck %s
// CHECK: error: the module has no ttnn ops; TTIR is lowered first, by ttmlir-opt --ttir-to-ttnn-runtime-pipeline

func.func @forward(%a: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %0 : tensor<32x32xbf16>
}
