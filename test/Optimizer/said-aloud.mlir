// What Tessera cannot decide on is said, once, with its reason.
// RUN: split-file %s %t
// RUN: tessera optimize %t/dynamic.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: diff %t/dynamic.mlir %t/out.mlir
// RUN: tessera optimize %t/none.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: tessera optimize %t/metal.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=METAL
// RUN: FileCheck %s --check-prefix=MAPPED < %t/out.mlir
// RUN: tessera verify %t/metal.mlir %t/out.mlir
// RUN: tessera ops explain %t/metal.mlir --op relu_0 | FileCheck %s --check-prefix=EXPLAIN
// RUN: tessera optimize %t/unmapped.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=UNMAPPED
// RUN: FileCheck %s --check-prefix=STAYS < %t/out.mlir
// RUN: tessera optimize %t/filled.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=FILLED
// RUN: tessera optimize %t/identity.mlir -o %t/out.mlir 2>&1 | FileCheck %s --check-prefix=IDENTITY
// RUN: tessera-opt %t/identity.mlir | diff - %t/out.mlir

// DYNAMIC: dynamic.mlir:2:{{[0-9]+}}: remark: ops on tensors such as this keep their layouts, because its shape is dynamic: layouts, sizes and times are those of one shape
// DYNAMIC-NOT: remark: ops on tensors

// NONE: none.mlir:1:{{[0-9]+}}: remark: ops on tensors such as this keep their layouts, because it has no #ttnn.ttnn_layout
// NONE-NOT: remark: ops on tensors

// METAL: metal.mlir:{{[0-9]+}}:{{[0-9]+}}: remark: 1 tensor type has a #ttcore.metal_layout; what is read and written is the #ttnn.ttnn_layout that says the same, as TTNN's ops have it
// METAL: activations     1
// MAPPED-NOT: metal_layout
// MAPPED: memref<1x1x!ttcore.tile<32x32, bf16>, #{{l1|ttnn.buffer_type<l1>}}>, <block_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (3,1)>]>
// EXPLAIN: operand 0: 64x128xbf16 l1/block_sharded/2x4

// UNMAPPED: unmapped.mlir:3:{{[0-9]+}}: remark: ops on tensors such as this keep their layouts, because its #ttcore.metal_layout has no #ttnn.ttnn_layout: TTNN folds all dimensions but the last into rows, but this layout has 3 physical dimensions: it keeps d0 apart (a partial collapse)
// STAYS: "ttnn.relu"(%arg0) : (tensor<2x32x32xbf16, #ttcore.metal_layout<
// FILLED: remark: ops on tensors such as this keep their layouts, because its #ttcore.metal_layout has no #ttnn.ttnn_layout: its padding is filled with 'zero', and TTNN says of none what it holds
// IDENTITY: remark: the module has TTNN's types but no ttnn op: there is nothing to decide

//--- dynamic.mlir
module {
  func.func @f(%arg0: tensor<?x1024xbf16>) -> tensor<?x1024xbf16> {
    %0 = "ttnn.relu"(%arg0) : (tensor<?x1024xbf16>) -> tensor<?x1024xbf16>
    return %0 : tensor<?x1024xbf16>
  }
}

//--- none.mlir
func.func @f(%a: tensor<64x1024xbf16>) -> tensor<64x1024xbf16> {
  %0 = "ttnn.relu"(%a) : (tensor<64x1024xbf16>) -> tensor<64x1024xbf16>
  return %0 : tensor<64x1024xbf16>
}

//--- metal.mlir
#m = #ttcore.metal_layout<(d0, d1) -> (d0, d1), undef, <2x4>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttcore.memory_space<l1>>>
func.func @f(%a: tensor<64x128xbf16, #m>) -> tensor<64x128xbf16, #m> {
  %0 = "ttnn.relu"(%a) : (tensor<64x128xbf16, #m>) -> tensor<64x128xbf16, #m>
  return %0 : tensor<64x128xbf16, #m>
}

//--- unmapped.mlir
#metal_layout = #ttcore.metal_layout<(d0, d1, d2) -> (d0, d1, d2), undef, <1x1x1>, memref<2x1x1x!ttcore.tile<32x32, bf16>, #ttcore.memory_space<l1>>>
module {
  func.func @f(%arg0: tensor<2x32x32xbf16, #metal_layout>) -> tensor<2x32x32xbf16, #metal_layout> {
    %0 = "ttnn.relu"(%arg0) : (tensor<2x32x32xbf16, #metal_layout>) -> tensor<2x32x32xbf16, #metal_layout>
    return %0 : tensor<2x32x32xbf16, #metal_layout>
  }
}

//--- filled.mlir
#m = #ttcore.metal_layout<(d0, d1) -> (d0, d1), zero, <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #ttcore.memory_space<l1>>>
func.func @f(%a: tensor<20x32xbf16, #m>) -> tensor<20x32xbf16, #m> {
  %0 = "ttnn.relu"(%a) : (tensor<20x32xbf16, #m>) -> tensor<20x32xbf16, #m>
  return %0 : tensor<20x32xbf16, #m>
}

//--- identity.mlir
#dram = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x32x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>
func.func @f(%a: tensor<1024x1024xbf16, #dram>) -> tensor<1024x1024xbf16, #dram> {
  return %a : tensor<1024x1024xbf16, #dram>
}
