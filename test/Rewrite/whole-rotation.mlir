// A rotary embedding of all positions but a few, which are not turned, becomes one of all.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+whole-rotation %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact

#dram = #ttnn.buffer_type<dram>
#f32_1x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#f32_1x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#bf16_1x2x65x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 96 + d2, d3), <1x1>, memref<6x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x1x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x68x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2176 + d1 * 32 + d2, d3), <1x1>, memref<68x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x4x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x4x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 32 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x68x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 96 + d2, d3), <1x1>, memref<6x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x65x1x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 2080 + d1 * 32 + d2 * 32 + d3, d4), <1x1>, memref<65x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x1x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 32 + d1 * 32 + d2 * 32 + d3, d4), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x1x2x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 2048 + d1 * 32 + d2 * 32 + d3, d4), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x1x2x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3, d4) -> (d0 * 128 + d1 * 128 + d2 * 64 + d3, d4), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x3x64x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 64 + d2, d3), <1x1>, memref<6x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x2x66x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 192 + d1 * 96 + d2, d3), <1x1>, memref<6x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The position of a class is not turned: a row of the tables turns nothing.
// CHECK-LABEL: func.func @class_first
// CHECK-DAG: %[[ONES:.*]] = "ttnn.constant"(%{{.*}}) <{value = dense<1.000000e+00> : tensor<1x1x1x64xbf16>}>
// CHECK-DAG: %[[ZEROS:.*]] = "ttnn.constant"(%{{.*}}) <{value = dense<0.000000e+00> : tensor<1x1x1x64xbf16>}>
// CHECK-DAG: %[[COS:.*]] = "ttnn.concat"(%[[ONES]], %arg1)
// CHECK-DAG: %[[SIN:.*]] = "ttnn.concat"(%[[ZEROS]], %arg2)
// CHECK: "ttnn.rotary_embedding"(%arg0, %[[COS]], %[[SIN]])
// CHECK-SAME: -> tensor<1x2x96x64xbf16
// CHECK-NEXT: "ttnn.slice_static"
// CHECK-NEXT: return
func.func @class_first(%x: tensor<1x2x65x64xbf16, #bf16_1x2x65x64>, %cos: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %sin: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64> {
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x1x64xbf16, #bf16_1x2x1x64>
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 1 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 65 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.rotary_embedding"(%2, %cos, %sin) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %4 = "ttnn.concat"(%1, %3) <{dim = 2 : si32}> : (tensor<1x2x1x64xbf16, #bf16_1x2x1x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
  return %4 : tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
}

// Registers, and heads that are not first yet.
// CHECK-LABEL: func.func @registers_before_heads
// CHECK: %[[X:.*]] = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 2, 1, 3>}>
// CHECK: "ttnn.rotary_embedding"(%[[X]], 
// CHECK-NEXT: "ttnn.slice_static"
// CHECK-NEXT: return
func.func @registers_before_heads(%x: tensor<1x68x2x64xbf16, #bf16_1x68x2x64>, %cos: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %sin: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x68x64xbf16, #bf16_1x2x68x64> {
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 4 : i32, 2 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x68x2x64xbf16, #bf16_1x68x2x64>) -> tensor<1x4x2x64xbf16, #bf16_1x4x2x64>
  %2 = "ttnn.permute"(%1) <{pad_value = 0.000000e+00 : f32, permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x4x2x64xbf16, #bf16_1x4x2x64>) -> tensor<1x2x4x64xbf16, #bf16_1x2x4x64>
  %3 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 4 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 68 : i32, 2 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x68x2x64xbf16, #bf16_1x68x2x64>) -> tensor<1x64x2x64xbf16, #bf16_1x64x2x64>
  %4 = "ttnn.permute"(%3) <{pad_value = 0.000000e+00 : f32, permutation = array<i64: 0, 2, 1, 3>}> : (tensor<1x64x2x64xbf16, #bf16_1x64x2x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %5 = "ttnn.rotary_embedding"(%4, %cos, %sin) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %6 = "ttnn.concat"(%2, %5) <{dim = 2 : si32}> : (tensor<1x2x4x64xbf16, #bf16_1x2x4x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x68x64xbf16, #bf16_1x2x68x64>
  return %6 : tensor<1x2x68x64xbf16, #bf16_1x2x68x64>
}

// A single position needs no permute.
// CHECK-LABEL: func.func @class_reshaped
// CHECK: %[[ROWS:.*]] = "ttnn.reshape"(%arg0) <{shape = [1 : i32, 65 : i32, 2 : i32, 64 : i32]}>
// CHECK: %[[X:.*]] = "ttnn.permute"(%[[ROWS]])
// CHECK: "ttnn.rotary_embedding"(%[[X]], 
func.func @class_reshaped(%x: tensor<1x65x1x2x64xbf16, #bf16_1x65x1x2x64>, %cos: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %sin: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64> {
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 1 : i32, 1 : i32, 2 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x65x1x2x64xbf16, #bf16_1x65x1x2x64>) -> tensor<1x1x1x2x64xbf16, #bf16_1x1x1x2x64>
  %2 = "ttnn.reshape"(%1) <{shape = [1 : i32, 2 : i32, 1 : i32, 64 : i32]}> : (tensor<1x1x1x2x64xbf16, #bf16_1x1x1x2x64>) -> tensor<1x2x1x64xbf16, #bf16_1x2x1x64>
  %3 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 1 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 65 : i32, 1 : i32, 2 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x65x1x2x64xbf16, #bf16_1x65x1x2x64>) -> tensor<1x64x1x2x64xbf16, #bf16_1x64x1x2x64>
  %4 = "ttnn.permute"(%3) <{pad_value = 0.000000e+00 : f32, permutation = array<i64: 2, 0, 3, 1, 4>}> : (tensor<1x64x1x2x64xbf16, #bf16_1x64x1x2x64>) -> tensor<1x1x2x64x64xbf16, #bf16_1x1x2x64x64>
  %5 = "ttnn.reshape"(%4) <{shape = [1 : i32, 2 : i32, 64 : i32, 64 : i32]}> : (tensor<1x1x2x64x64xbf16, #bf16_1x1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %6 = "ttnn.rotary_embedding"(%5, %cos, %sin) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %7 = "ttnn.concat"(%2, %6) <{dim = 2 : si32}> : (tensor<1x2x1x64xbf16, #bf16_1x2x1x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
  return %7 : tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
}

// Positions behind are as good.
// CHECK-LABEL: func.func @class_last
// CHECK-DAG: "ttnn.concat"(%arg1, 
// CHECK-DAG: "ttnn.concat"(%arg2, 
// CHECK: "ttnn.rotary_embedding"(%arg0, 
func.func @class_last(%x: tensor<1x2x65x64xbf16, #bf16_1x2x65x64>, %cos: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %sin: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64> {
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %2 = "ttnn.rotary_embedding"(%1, %cos, %sin) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 64 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 65 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x1x64xbf16, #bf16_1x2x1x64>
  %4 = "ttnn.concat"(%2, %3) <{dim = 2 : si32}> : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x2x1x64xbf16, #bf16_1x2x1x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
  return %4 : tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
}

// Parts in another order are no tensor that was there ...
// CHECK-LABEL: func.func @other_order_is_left
// CHECK: "ttnn.slice_static"
// CHECK: "ttnn.rotary_embedding"(%{{[0-9]+}}, %arg1, %arg2)
// CHECK: "ttnn.concat"
func.func @other_order_is_left(%x: tensor<1x2x65x64xbf16, #bf16_1x2x65x64>, %cos: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %sin: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64> {
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 64 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 65 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x1x64xbf16, #bf16_1x2x1x64>
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.rotary_embedding"(%2, %cos, %sin) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %4 = "ttnn.concat"(%1, %3) <{dim = 2 : si32}> : (tensor<1x2x1x64xbf16, #bf16_1x2x1x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
  return %4 : tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
}

// ... nor are those of two.
// CHECK-LABEL: func.func @other_tensor_is_left
// CHECK: "ttnn.slice_static"
// CHECK: "ttnn.rotary_embedding"(%{{[0-9]+}}, %arg1, %arg2)
// CHECK: "ttnn.concat"
func.func @other_tensor_is_left(%x: tensor<1x2x65x64xbf16, #bf16_1x2x65x64>, %cos: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %sin: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %y: tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64> {
  %1 = "ttnn.slice_static"(%y) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x1x64xbf16, #bf16_1x2x1x64>
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 1 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 65 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.rotary_embedding"(%2, %cos, %sin) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %4 = "ttnn.concat"(%1, %3) <{dim = 2 : si32}> : (tensor<1x2x1x64xbf16, #bf16_1x2x1x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
  return %4 : tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
}

// A position that stands twice.
// CHECK-LABEL: func.func @twice_is_left
// CHECK: "ttnn.slice_static"
// CHECK: "ttnn.rotary_embedding"(%{{[0-9]+}}, %arg1, %arg2)
// CHECK: "ttnn.concat"
func.func @twice_is_left(%x: tensor<1x2x65x64xbf16, #bf16_1x2x65x64>, %cos: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %sin: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64> {
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 1 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 2 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x1x64xbf16, #bf16_1x2x1x64>
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 1 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 65 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.rotary_embedding"(%2, %cos, %sin) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %4 = "ttnn.concat"(%1, %3) <{dim = 2 : si32}> : (tensor<1x2x1x64xbf16, #bf16_1x2x1x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
  return %4 : tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
}

// Heads that are not turned have the same positions.
// CHECK-LABEL: func.func @heads_are_left
// CHECK: "ttnn.slice_static"
// CHECK: "ttnn.rotary_embedding"(%{{[0-9]+}}, %arg1, %arg2)
// CHECK: "ttnn.concat"
func.func @heads_are_left(%x: tensor<1x3x64x64xbf16, #bf16_1x3x64x64>, %cos: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %sin: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x3x64x64xbf16, #bf16_1x3x64x64> {
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 1 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x3x64x64xbf16, #bf16_1x3x64x64>) -> tensor<1x1x64x64xbf16, #bf16_1x1x64x64>
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 1 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 3 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x3x64x64xbf16, #bf16_1x3x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.rotary_embedding"(%2, %cos, %sin) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %4 = "ttnn.concat"(%1, %3) <{dim = 1 : si32}> : (tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x3x64x64xbf16, #bf16_1x3x64x64>
  return %4 : tensor<1x3x64x64xbf16, #bf16_1x3x64x64>
}

// A position that is left out.
// CHECK-LABEL: func.func @gap_is_left
// CHECK: "ttnn.slice_static"
// CHECK: "ttnn.rotary_embedding"(%{{[0-9]+}}, %arg1, %arg2)
// CHECK: "ttnn.concat"
func.func @gap_is_left(%x: tensor<1x2x66x64xbf16, #bf16_1x2x66x64>, %cos: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, %sin: tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64> {
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x66x64xbf16, #bf16_1x2x66x64>) -> tensor<1x2x1x64xbf16, #bf16_1x2x1x64>
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 2 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 66 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x66x64xbf16, #bf16_1x2x66x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.rotary_embedding"(%2, %cos, %sin) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>, tensor<1x1x64x64xbf16, #bf16_1x1x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %4 = "ttnn.concat"(%1, %3) <{dim = 2 : si32}> : (tensor<1x2x1x64xbf16, #bf16_1x2x1x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
  return %4 : tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
}

// Tables of f32: what is turned is cast, and so is the whole.
// CHECK-LABEL: func.func @cast
// CHECK-DAG: "ttnn.constant"(%{{.*}}) <{value = dense<1.000000e+00> : tensor<1x1x1x64xf32>}>
// CHECK-DAG: "ttnn.constant"(%{{.*}}) <{value = dense<0.000000e+00> : tensor<1x1x1x64xf32>}>
// CHECK-DAG: %[[X:.*]] = "ttnn.typecast"(%arg0) : {{.*}} -> tensor<1x2x65x64xf32
// CHECK: "ttnn.rotary_embedding"(%[[X]], 
// CHECK-NEXT: "ttnn.slice_static"
// CHECK-NEXT: %[[Y:.*]] = "ttnn.typecast"{{.*}} -> tensor<1x2x65x64xbf16
// CHECK-NEXT: return %[[Y]]
func.func @cast(%x: tensor<1x2x65x64xbf16, #bf16_1x2x65x64>, %cos: tensor<1x1x64x64xf32, #f32_1x1x64x64>, %sin: tensor<1x1x64x64xf32, #f32_1x1x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64> {
  %1 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 1 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x1x64xbf16, #bf16_1x2x1x64>
  %2 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 1 : i32, 0 : i32], ends = [1 : i32, 2 : i32, 65 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x2x65x64xbf16, #bf16_1x2x65x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %3 = "ttnn.typecast"(%2) : (tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x64x64xf32, #f32_1x2x64x64>
  %4 = "ttnn.rotary_embedding"(%3, %cos, %sin) : (tensor<1x2x64x64xf32, #f32_1x2x64x64>, tensor<1x1x64x64xf32, #f32_1x1x64x64>, tensor<1x1x64x64xf32, #f32_1x1x64x64>) -> tensor<1x2x64x64xf32, #f32_1x2x64x64>
  %5 = "ttnn.typecast"(%4) : (tensor<1x2x64x64xf32, #f32_1x2x64x64>) -> tensor<1x2x64x64xbf16, #bf16_1x2x64x64>
  %6 = "ttnn.concat"(%1, %5) <{dim = 2 : si32}> : (tensor<1x2x1x64xbf16, #bf16_1x2x1x64>, tensor<1x2x64x64xbf16, #bf16_1x2x64x64>) -> tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
  return %6 : tensor<1x2x65x64xbf16, #bf16_1x2x65x64>
}
