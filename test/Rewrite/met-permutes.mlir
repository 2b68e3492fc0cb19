// A permute that another would take back goes up through what works in either order of dimensions: the same bits.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+met-permutes,+late-permute,+const-eval %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#bf16_2x32x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x1024x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 1024 + d1, d2), <1x1>, memref<64x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x32x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x64x1024 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x64x96 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<2x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x96x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 96 + d1, d2), <1x1>, memref<3x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x32x64x96 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 64 + d2, d3), <1x1>, memref<128x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x96x64x32 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 6144 + d1 * 64 + d2, d3), <1x1>, memref<384x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2x96x32x64 = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 3072 + d1 * 32 + d2, d3), <1x1>, memref<192x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_1x32x64 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x64x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x32x32 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<64x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// Through a reshape that folds two dimensions and an op between.
// CHECK-LABEL: func.func @back_and_forth
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [2 : i32, 1024 : i32, 64 : i32]}>
// CHECK-NEXT: %[[G:.*]] = "ttnn.gelu"(%[[X]])
// CHECK-NEXT: return %[[G]]
func.func @back_and_forth(%x: tensor<2x32x32x64xbf16, #bf16_2x32x32x64>) -> tensor<2x1024x64xbf16, #bf16_2x1024x64> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x32x32x64xbf16, #bf16_2x32x32x64>) -> tensor<2x64x32x32xbf16, #bf16_2x64x32x32>
  %1 = "ttnn.reshape"(%0) <{shape = [2 : i32, 64 : i32, 1024 : i32]}> : (tensor<2x64x32x32xbf16, #bf16_2x64x32x32>) -> tensor<2x64x1024xbf16, #bf16_2x64x1024>
  %2 = "ttnn.gelu"(%1) : (tensor<2x64x1024xbf16, #bf16_2x64x1024>) -> tensor<2x64x1024xbf16, #bf16_2x64x1024>
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x64x1024xbf16, #bf16_2x64x1024>) -> tensor<2x1024x64xbf16, #bf16_2x1024x64>
  return %3 : tensor<2x1024x64xbf16, #bf16_2x1024x64>
}

// Through a concat and a sum; what parameters bring is permuted by const-eval.
// CHECK-LABEL: func.func private @tokens_const_eval(%arg0: tensor<1x64x32xbf16
// CHECK: "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 2, 1>}>
// CHECK-LABEL: func.func private @tokens_const_eval_0(%arg0: tensor<1x64x96xbf16
// CHECK-LABEL: func.func @tokens
// CHECK-NEXT: %[[C:.*]] = ttcore.load_cached(@tokens_const_eval, [%arg1])
// CHECK-NEXT: %[[T:.*]] = "ttnn.concat"(%[[C]], %arg0) <{dim = 1 : si32}> : {{.*}} -> tensor<1x96x64xbf16
// CHECK-NEXT: %[[P:.*]] = ttcore.load_cached(@tokens_const_eval_0, [%arg2])
// CHECK-NEXT: %[[S:.*]] = "ttnn.add"(%[[T]], %[[P]])
// CHECK-NEXT: return %[[S]]
func.func @tokens(%x: tensor<1x64x64xbf16, #bf16_1x64x64> {ttcore.argument_type = #ttcore.argument_type<input>}, %c: tensor<1x64x32xbf16, #bf16_1x64x32> {ttcore.argument_type = #ttcore.argument_type<parameter>}, %p: tensor<1x64x96xbf16, #bf16_1x64x96> {ttcore.argument_type = #ttcore.argument_type<parameter>}) -> tensor<1x96x64xbf16, #bf16_1x96x64> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x64xbf16, #bf16_1x64x64>) -> tensor<1x64x64xbf16, #bf16_1x64x64>
  %1 = "ttnn.concat"(%c, %0) <{dim = 2 : si32}> : (tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x64x64xbf16, #bf16_1x64x64>) -> tensor<1x64x96xbf16, #bf16_1x64x96>
  %2 = "ttnn.add"(%1, %p) : (tensor<1x64x96xbf16, #bf16_1x64x96>, tensor<1x64x96xbf16, #bf16_1x64x96>) -> tensor<1x64x96xbf16, #bf16_1x64x96>
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x96xbf16, #bf16_1x64x96>) -> tensor<1x96x64xbf16, #bf16_1x96x64>
  return %3 : tensor<1x96x64xbf16, #bf16_1x96x64>
}

// They do not cancel, but one is enough.
// CHECK-LABEL: func.func @one_of_two
// CHECK-NEXT: %[[X:.*]] = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 3, 2, 1>}>
// CHECK-NEXT: "ttnn.relu"(%[[X]])
// CHECK-NEXT: return
func.func @one_of_two(%x: tensor<2x32x64x96xbf16, #bf16_2x32x64x96>) -> tensor<2x96x64x32xbf16, #bf16_2x96x64x32> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 3, 1, 2>}> : (tensor<2x32x64x96xbf16, #bf16_2x32x64x96>) -> tensor<2x96x32x64xbf16, #bf16_2x96x32x64>
  %1 = "ttnn.relu"(%0) : (tensor<2x96x32x64xbf16, #bf16_2x96x32x64>) -> tensor<2x96x32x64xbf16, #bf16_2x96x32x64>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 1, 3, 2>}> : (tensor<2x96x32x64xbf16, #bf16_2x96x32x64>) -> tensor<2x96x64x32xbf16, #bf16_2x96x64x32>
  return %2 : tensor<2x96x64x32xbf16, #bf16_2x96x64x32>
}

// What something else reads changes sides with a permute, if one is left of two.
// CHECK-LABEL: func.func @read_twice(
// CHECK-NEXT: %[[G:.*]] = "ttnn.gelu"(%arg0)
// CHECK-NEXT: %[[P:.*]] = "ttnn.permute"(%[[G]])
// CHECK-NEXT: return %[[G]], %[[P]]
func.func @read_twice(%x: tensor<1x64x32xbf16, #bf16_1x64x32>) -> (tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x32x64xbf16, #bf16_1x32x64>) {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %1 = "ttnn.gelu"(%0) : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  return %2, %1 : tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x32x64xbf16, #bf16_1x32x64>
}

// Each sum of a residual stream is read by the next one, too.
// CHECK-LABEL: func.func @stream(
// CHECK-NEXT: %[[S:.*]] = "ttnn.add"(%arg0, %arg1)
// CHECK-NEXT: %[[T:.*]] = "ttnn.add"(%[[S]], %arg0)
// CHECK-NEXT: return %[[S]], %[[T]]
func.func @stream(%x: tensor<1x64x32xbf16, #bf16_1x64x32>, %y: tensor<1x64x32xbf16, #bf16_1x64x32>) -> (tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x64x32xbf16, #bf16_1x64x32>) {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %1 = "ttnn.permute"(%y) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %2 = "ttnn.add"(%0, %1) : (tensor<1x32x64xbf16, #bf16_1x32x64>, tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  %4 = "ttnn.add"(%2, %0) : (tensor<1x32x64xbf16, #bf16_1x32x64>, tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %5 = "ttnn.permute"(%4) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  return %3, %5 : tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x64x32xbf16, #bf16_1x64x32>
}

// As many permutes as there are: nothing is gained.
// CHECK-LABEL: func.func @both_read_twice_is_left(
// CHECK-NEXT: %[[P:.*]] = "ttnn.permute"
// CHECK-NEXT: %[[G:.*]] = "ttnn.gelu"(%[[P]])
// CHECK-NEXT: %[[Q:.*]] = "ttnn.permute"(%[[G]])
// CHECK-NEXT: return %[[P]], %[[G]], %[[Q]]
func.func @both_read_twice_is_left(%x: tensor<1x64x32xbf16, #bf16_1x64x32>) -> (tensor<1x32x64xbf16, #bf16_1x32x64>, tensor<1x32x64xbf16, #bf16_1x32x64>, tensor<1x64x32xbf16, #bf16_1x64x32>) {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %1 = "ttnn.gelu"(%0) : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  return %0, %1, %2 : tensor<1x32x64xbf16, #bf16_1x32x64>, tensor<1x32x64xbf16, #bf16_1x32x64>, tensor<1x64x32xbf16, #bf16_1x64x32>
}

// The second permute takes apart what the reshape folded.
// CHECK-LABEL: func.func @folded_is_left
// CHECK-NEXT: "ttnn.permute"
// CHECK-NEXT: "ttnn.reshape"
// CHECK-NEXT: "ttnn.permute"
// CHECK-NEXT: return
func.func @folded_is_left(%x: tensor<32x64x32xbf16, #bf16_32x64x32>) -> tensor<64x32x32xbf16, #bf16_64x32x32> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 1, 0, 2>}> : (tensor<32x64x32xbf16, #bf16_32x64x32>) -> tensor<64x32x32xbf16, #bf16_64x32x32>
  %1 = "ttnn.reshape"(%0) <{shape = [32 : i32, 64 : i32, 32 : i32]}> : (tensor<64x32x32xbf16, #bf16_64x32x32>) -> tensor<32x64x32xbf16, #bf16_32x64x32>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 1, 0, 2>}> : (tensor<32x64x32xbf16, #bf16_32x64x32>) -> tensor<64x32x32xbf16, #bf16_64x32x32>
  return %2 : tensor<64x32x32xbf16, #bf16_64x32x32>
}

// An operand that comes in this order would need a permute of its own.
// CHECK-LABEL: func.func @other_operand_is_left
// CHECK-NEXT: "ttnn.permute"
// CHECK-NEXT: "ttnn.add"
// CHECK-NEXT: "ttnn.permute"
// CHECK-NEXT: return
func.func @other_operand_is_left(%x: tensor<1x64x32xbf16, #bf16_1x64x32> {ttcore.argument_type = #ttcore.argument_type<input>}, %y: tensor<1x32x64xbf16, #bf16_1x32x64> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<1x64x32xbf16, #bf16_1x64x32> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %1 = "ttnn.add"(%0, %y) : (tensor<1x32x64xbf16, #bf16_1x32x64>, tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  return %2 : tensor<1x64x32xbf16, #bf16_1x64x32>
}

// A number per channel, which is spread over pixels: its extents of 1 change places, no element does.
// CHECK-LABEL: func.func @spread
// CHECK-NEXT: %[[Y:.*]] = "ttnn.reshape"(%arg1) <{shape = [1 : i32, 1 : i32, 32 : i32]}>
// CHECK-NEXT: %[[S:.*]] = "ttnn.add"(%arg0, %[[Y]])
// CHECK-NEXT: return %[[S]]
func.func @spread(%x: tensor<1x64x32xbf16, #bf16_1x64x32> {ttcore.argument_type = #ttcore.argument_type<input>}, %y: tensor<1x32x1xbf16, #bf16_1x32x1> {ttcore.argument_type = #ttcore.argument_type<input>}) -> tensor<1x64x32xbf16, #bf16_1x64x32> {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %1 = "ttnn.add"(%0, %y) : (tensor<1x32x64xbf16, #bf16_1x32x64>, tensor<1x32x1xbf16, #bf16_1x32x1>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %2 = "ttnn.permute"(%1) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  return %2 : tensor<1x64x32xbf16, #bf16_1x64x32>
}

// The scale of channels by their means: what is read by a mean and, behind another op, by a permute changes sides, and no permute is left.
// CHECK-LABEL: func.func @squeezed(
// CHECK: %[[G:.*]] = "ttnn.gelu"(%arg0) : {{.*}} -> tensor<1x64x32xbf16
// CHECK-NOT: "ttnn.permute"
// CHECK: "ttnn.multiply"({{.*}}%[[G]]
// CHECK-NEXT: return
func.func @squeezed(%x: tensor<1x64x32xbf16, #bf16_1x64x32>, %s: tensor<1x32x1xbf16, #bf16_1x32x1>) -> (tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x32x1xbf16, #bf16_1x32x1>) {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %1 = "ttnn.gelu"(%0) : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %2 = "ttnn.mean"(%1) <{dim_arg = [2 : i32], keep_dim = true}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x32x1xbf16, #bf16_1x32x1>
  %3 = "ttnn.multiply"(%s, %1) : (tensor<1x32x1xbf16, #bf16_1x32x1>, tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %4 = "ttnn.permute"(%3) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  return %4, %2 : tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x32x1xbf16, #bf16_1x32x1>
}

// Halves of channels, one of which goes on and is joined as well: both are cut from what was there before the permute, once.
// CHECK-LABEL: func.func @halves(
// CHECK-NEXT: %[[B:.*]] = "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 0 : i32, 32 : i32], ends = [1 : i32, 64 : i32, 64 : i32]
// CHECK-NEXT: %[[G:.*]] = "ttnn.gelu"(%[[B]])
// CHECK-NEXT: %[[A:.*]] = "ttnn.slice_static"(%arg0) <{begins = [0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 32 : i32]
// CHECK-NEXT: %[[J:.*]] = "ttnn.concat"(%[[A]], %[[B]]) <{dim = 2 : si32}>
// CHECK-NEXT: return %[[G]], %[[J]]
func.func @halves(%x: tensor<1x64x64xbf16, #bf16_1x64x64>) -> (tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x64x64xbf16, #bf16_1x64x64>) {
  %0 = "ttnn.permute"(%x) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x64xbf16, #bf16_1x64x64>) -> tensor<1x64x64xbf16, #bf16_1x64x64>
  %1 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 32 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x64xbf16, #bf16_1x64x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %2 = "ttnn.slice_static"(%0) <{begins = [0 : i32, 32 : i32, 0 : i32], ends = [1 : i32, 64 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x64xbf16, #bf16_1x64x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %3 = "ttnn.permute"(%2) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  %4 = "ttnn.gelu"(%3) : (tensor<1x64x32xbf16, #bf16_1x64x32>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  %5 = "ttnn.concat"(%1, %2) <{dim = 1 : si32}> : (tensor<1x32x64xbf16, #bf16_1x32x64>, tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x64xbf16, #bf16_1x64x64>
  %6 = "ttnn.permute"(%5) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x64x64xbf16, #bf16_1x64x64>) -> tensor<1x64x64xbf16, #bf16_1x64x64>
  return %4, %6 : tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x64x64xbf16, #bf16_1x64x64>
}

// A half of what came in that order, read twice: it would be cut twice, and permuted twice.
// CHECK-LABEL: func.func @half_read_twice_is_left(
// CHECK: %[[S:.*]] = "ttnn.slice_static"(%arg0)
// CHECK: "ttnn.permute"(%[[S]])
// CHECK-NOT: "ttnn.slice_static"
// CHECK: return
func.func @half_read_twice_is_left(%x: tensor<1x64x64xbf16, #bf16_1x64x64>) -> (tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x32x64xbf16, #bf16_1x32x64>) {
  %0 = "ttnn.slice_static"(%x) <{begins = [0 : i32, 0 : i32, 0 : i32], ends = [1 : i32, 32 : i32, 64 : i32], step = [1 : i32, 1 : i32, 1 : i32]}> : (tensor<1x64x64xbf16, #bf16_1x64x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 2, 1>}> : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x64x32xbf16, #bf16_1x64x32>
  %2 = "ttnn.gelu"(%0) : (tensor<1x32x64xbf16, #bf16_1x32x64>) -> tensor<1x32x64xbf16, #bf16_1x32x64>
  return %1, %2 : tensor<1x64x32xbf16, #bf16_1x64x32>, tensor<1x32x64xbf16, #bf16_1x32x64>
}
