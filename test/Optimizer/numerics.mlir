// A plan says how exactly the matmuls and convolutions compute that it may configure: with a program config alone the
// backend would multiply in one pass, LoFi, where it takes two without.

// RUN: tessera optimize -q %s -o - | FileCheck %s --check-prefix=KEEP
// KEEP: func.func @silent
// KEEP: "ttnn.matmul"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi2, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>{{.*}}matmul_program_config
// What the input says stays, to the letter, whatever it leaves open.
// KEEP: func.func @stated
// KEEP: "ttnn.matmul"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4>
// KEEP: func.func @partly
// KEEP: "ttnn.matmul"{{.*}}compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>
// KEEP: func.func @empty
// KEEP: "ttnn.matmul"{{.*}}compute_config = #ttnn.device_compute_kernel_config<>

// RUN: tessera optimize -q %s -o - --numerics as-compiled | FileCheck %s --check-prefix=SILENT
// SILENT: func.func @silent
// SILENT-NOT: compute_config
// SILENT: func.func @stated

// RUN: tessera optimize -q %s -o - --numerics fast | FileCheck %s --check-prefix=FAST
// FAST: func.func @silent
// FAST: "ttnn.matmul"{{.*}}compute_config = #ttnn.device_compute_kernel_config<math_fidelity = lofi, math_approx_mode = false, fp32_dest_acc_en = false, packer_l1_acc = true>

// The policy that keeps the program keeps what it does not say.
// RUN: tessera optimize -q %s -o - --policy declared | FileCheck %s --check-prefix=SILENT

// RUN: tessera optimize %s | FileCheck %s --check-prefix=SUMMARY
// SUMMARY: function        @silent
// SUMMARY: numerics        keep: 1 matmul HiFi2 + fp32 accumulation
// SUMMARY: function        @stated
// SUMMARY: {{^}}numerics        keep{{$}}
// RUN: tessera optimize -q %s --json - | FileCheck %s --check-prefix=JSON
// JSON: "numerics": {
// JSON: "choice": "keep"
// JSON: "fp32_dest_acc_en": true
// JSON: "math_fidelity": "hifi2"

// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=beam" %s | FileCheck %s --check-prefix=KEEP
// RUN: tessera-opt --ttnn-optimizer="memory-layout-analysis-enabled=true memory-layout-analysis-policy=beam numerics=as-compiled" %s | FileCheck %s --check-prefix=SILENT
// RUN: not tessera-opt --ttnn-optimizer="numerics=kept" %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tessera optimize %s --numerics kept 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: unknown numerics 'kept'; known: keep, as-compiled, fast

#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#y = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<16x64x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @silent(%x: tensor<512x1024xbf16, #x>, %w: tensor<1024x2048xbf16, #w>) -> tensor<512x2048xbf16, #y> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<512x1024xbf16, #x>, tensor<1024x2048xbf16, #w>) -> tensor<512x2048xbf16, #y>
  return %0 : tensor<512x2048xbf16, #y>
}
func.func @stated(%x: tensor<512x1024xbf16, #x>, %w: tensor<1024x2048xbf16, #w>) -> tensor<512x2048xbf16, #y> {
  %0 = "ttnn.matmul"(%x, %w) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4>, transpose_a = false, transpose_b = false}> : (tensor<512x1024xbf16, #x>, tensor<1024x2048xbf16, #w>) -> tensor<512x2048xbf16, #y>
  return %0 : tensor<512x2048xbf16, #y>
}
func.func @partly(%x: tensor<512x1024xbf16, #x>, %w: tensor<1024x2048xbf16, #w>) -> tensor<512x2048xbf16, #y> {
  %0 = "ttnn.matmul"(%x, %w) <{compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>, transpose_a = false, transpose_b = false}> : (tensor<512x1024xbf16, #x>, tensor<1024x2048xbf16, #w>) -> tensor<512x2048xbf16, #y>
  return %0 : tensor<512x2048xbf16, #y>
}
func.func @empty(%x: tensor<512x1024xbf16, #x>, %w: tensor<1024x2048xbf16, #w>) -> tensor<512x2048xbf16, #y> {
  %0 = "ttnn.matmul"(%x, %w) <{compute_config = #ttnn.device_compute_kernel_config<>, transpose_a = false, transpose_b = false}> : (tensor<512x1024xbf16, #x>, tensor<1024x2048xbf16, #w>) -> tensor<512x2048xbf16, #y>
  return %0 : tensor<512x2048xbf16, #y>
}
