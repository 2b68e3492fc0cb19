// The element types of a function are those of all its tensors: arguments, results of ops, and what overrides change.

// RUN: tessera optimize %s -o %t.mlir 2>&1 | FileCheck %s
// CHECK: @forward ({{[0-9]+}} ops; f32 bf16)
// RUN: tessera optimize %s -o %t.mlir --override-output-layout r=bfp_bf8 2>&1 | FileCheck %s --check-prefix=OVERRIDE
// OVERRIDE: @forward ({{[0-9]+}} ops; f32 bf16 bfp_bf8)

#dram = #ttnn.buffer_type<dram>
#f32 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<4x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%a: tensor<128x128xf32, #f32>) -> tensor<128x128xbf16, #bf16> {
  %0 = "ttnn.typecast"(%a) : (tensor<128x128xf32, #f32>) -> tensor<128x128xbf16, #bf16>
  %1 = "ttnn.relu"(%0) : (tensor<128x128xbf16, #bf16>) -> tensor<128x128xbf16, #bf16> loc("r")
  %2 = "ttnn.gelu"(%1) : (tensor<128x128xbf16, #bf16>) -> tensor<128x128xbf16, #bf16>
  return %2 : tensor<128x128xbf16, #bf16>
}
