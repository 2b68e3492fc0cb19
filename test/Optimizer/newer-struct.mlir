// An op with a key of a newer compiler in one of its configs keeps the config as it stands, its layouts with it, and is told of.
// RUN: tessera optimize %s --policy greedy -o - 2>%t.remarks | FileCheck %s
// RUN: FileCheck --check-prefix=REMARK %s --input-file %t.remarks
// RUN: not tessera optimize %s --strict -q 2>&1 | FileCheck --check-prefix=STRICT %s

#dram = #ttnn.buffer_type<dram>
#l = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x8x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<256x256xbf16, #l>) -> tensor<256x256xbf16, #l> {
  // CHECK: "ttnn.matmul"({{.*}}) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = lofi, throttle_level = 3>, transpose_a = false, transpose_b = false}>
  // REMARK: newer-struct.mlir:[[#@LINE+2]]:8: remark: 'ttnn.matmul' keeps its layouts and configuration: it has properties that Tessera does not know (compute_config.throttle_level)
  // STRICT: newer-struct.mlir:[[#@LINE+1]]:8: error: not understood, which strict forbids: property 'compute_config.throttle_level' of 'ttnn.matmul'
  %0 = "ttnn.matmul"(%x, %x) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = lofi, throttle_level = 3>, transpose_a = false, transpose_b = false}> : (tensor<256x256xbf16, #l>, tensor<256x256xbf16, #l>) -> tensor<256x256xbf16, #l>
  %1 = "ttnn.relu"(%0) : (tensor<256x256xbf16, #l>) -> tensor<256x256xbf16, #l>
  return %1 : tensor<256x256xbf16, #l>
}
