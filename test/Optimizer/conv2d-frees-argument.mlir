// A conv2d that reads DRAM frees nothing, whatever its config says: the key goes, the input gets its deallocate, and policies
// decide. Here %arg0 is read again behind the first one.
// RUN: tessera optimize %s --policy declared -o - 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.err
// QUIET-NOT: keeps its layouts
// CHECK: "ttnn.conv2d"(%arg0
// CHECK-NOT: deallocate_activation
// CHECK: "ttnn.conv2d"(%[[A:[0-9]+]]
// CHECK-NOT: deallocate_activation
// CHECK: "ttnn.deallocate"(%[[A]])
// CHECK: "ttnn.deallocate"(%arg0)
// RUN: tessera optimize %s -o - 2>/dev/null | FileCheck %s --check-prefix=GREEDY
// GREEDY: "ttnn.conv2d"(%{{.*}} -> tensor<1x1x6272x64xbf16, #[[L1:ttnn_layout[0-9]*]]>
// GREEDY: "ttnn.conv2d"(%{{.*}}deallocate_activation = true

#dram = #ttnn.buffer_type<dram>
#system_memory = #ttnn.buffer_type<system_memory>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 6272 + d1 * 6272 + d2, d3), <1x1>, memref<196x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#w = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 3 + d2, d3), <1x1>, memref<12288x3xbf16, #system_memory>>
func.func @forward(%x: tensor<1x1x6272x64xbf16, #x>, %w0: tensor<64x64x3x3xbf16, #w>, %w1: tensor<64x64x3x3xbf16, #w>) -> tensor<1x1x6272x64xbf16, #x> {
  %device = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %0 = "ttnn.conv2d"(%x, %w0, %device) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<deallocate_activation = true, config_tensors_in_dram = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 56 : i32, input_width = 56 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x6272x64xbf16, #x>, tensor<64x64x3x3xbf16, #w>, !ttnn.device) -> tensor<1x1x6272x64xbf16, #x> loc("a")
  %1 = "ttnn.conv2d"(%0, %w1, %device) <{batch_size = 2 : i32, conv2d_config = #ttnn.conv2d_config<deallocate_activation = true, config_tensors_in_dram = true>, dilation = array<i32: 1, 1>, groups = 1 : i32, in_channels = 64 : i32, input_height = 56 : i32, input_width = 56 : i32, kernel_size = array<i32: 3, 3>, out_channels = 64 : i32, padding = array<i32: 1, 1, 1, 1>, stride = array<i32: 1, 1>}> : (tensor<1x1x6272x64xbf16, #x>, tensor<64x64x3x3xbf16, #w>, !ttnn.device) -> tensor<1x1x6272x64xbf16, #x> loc("b")
  %2 = "ttnn.add"(%1, %x) : (tensor<1x1x6272x64xbf16, #x>, tensor<1x1x6272x64xbf16, #x>) -> tensor<1x1x6272x64xbf16, #x>
  return %2 : tensor<1x1x6272x64xbf16, #x>
}
