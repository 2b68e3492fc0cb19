// Rows see the graph behind the moves of who placed the program before: where tensors lie is the plan's to say.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir --against exact
// A policy that keeps the program keeps its moves.
// RUN: tessera optimize -q --policy declared %s -o - | FileCheck %s --check-prefix KEPT

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#far = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#near = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x4, (d0, d1) -> (0, d0, d1)>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>
#rows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64xbf16, #dram>, <interleaved>>
#cache = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#held = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 64 + d1 * 64 + d2, d3), <1x4, (d0, d1) -> (0, d0, d1)>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <interleaved>>

// CHECK-LABEL: func.func @behind_a_move(
// CHECK-NEXT: %[[Y:.*]] = "ttnn.add"(%arg0, %arg1) <{activations = [#ttnn.unary_with_param<op_type = relu>]}>
// CHECK-NEXT: return %[[Y]]
// KEPT-LABEL: func.func @behind_a_move(
// KEPT: "ttnn.to_memory_config"
func.func @behind_a_move(%a: tensor<64x64xbf16, #far>, %b: tensor<64x64xbf16, #far>) -> tensor<64x64xbf16, #far> {
  %0 = "ttnn.add"(%a, %b) : (tensor<64x64xbf16, #far>, tensor<64x64xbf16, #far>) -> tensor<64x64xbf16, #far>
  %1 = "ttnn.to_memory_config"(%0) : (tensor<64x64xbf16, #far>) -> tensor<64x64xbf16, #near>
  %2 = "ttnn.relu"(%1) : (tensor<64x64xbf16, #near>) -> tensor<64x64xbf16, #far>
  return %2 : tensor<64x64xbf16, #far>
}

// What is returned lies where the function says.
// CHECK-LABEL: func.func @returned(
// CHECK: %[[MOVED:.*]] = "ttnn.to_memory_config"
// CHECK: return %[[MOVED]]
func.func @returned(%a: tensor<64x64xbf16, #far>) -> tensor<64x64xbf16, #near> {
  %0 = "ttnn.exp"(%a) : (tensor<64x64xbf16, #far>) -> tensor<64x64xbf16, #far>
  %1 = "ttnn.to_memory_config"(%0) : (tensor<64x64xbf16, #far>) -> tensor<64x64xbf16, #near>
  return %1 : tensor<64x64xbf16, #near>
}

// From tiles to rows is no move.
// CHECK-LABEL: func.func @pages(
// CHECK: "ttnn.to_layout"
func.func @pages(%a: tensor<64x64xbf16, #far>) -> tensor<64x64xbf16, #rows> {
  %0 = "ttnn.to_layout"(%a) : (tensor<64x64xbf16, #far>) -> tensor<64x64xbf16, #rows>
  %1 = "ttnn.exp"(%0) : (tensor<64x64xbf16, #rows>) -> tensor<64x64xbf16, #rows>
  return %1 : tensor<64x64xbf16, #rows>
}

// The copy is filled, and not what it was made of.
// CHECK-LABEL: func.func @filled(
// CHECK-NEXT: %[[COPY:.*]] = "ttnn.to_memory_config"(%arg0)
// CHECK-NEXT: "ttnn.fill_cache"(%[[COPY]], %arg1)
// CHECK-NEXT: "ttnn.exp"(%arg0)
func.func @filled(%cache: tensor<1x1x64x64xbf16, #cache>, %new: tensor<1x1x64x64xbf16, #cache>) -> (tensor<1x1x64x64xbf16, #held>, tensor<1x1x64x64xbf16, #cache>) {
  %0 = "ttnn.to_memory_config"(%cache) : (tensor<1x1x64x64xbf16, #cache>) -> tensor<1x1x64x64xbf16, #held>
  "ttnn.fill_cache"(%0, %new) <{batch_offset = 0 : i32}> : (tensor<1x1x64x64xbf16, #held>, tensor<1x1x64x64xbf16, #cache>) -> ()
  %1 = "ttnn.exp"(%cache) : (tensor<1x1x64x64xbf16, #cache>) -> tensor<1x1x64x64xbf16, #cache>
  return %0, %1 : tensor<1x1x64x64xbf16, #held>, tensor<1x1x64x64xbf16, #cache>
}
