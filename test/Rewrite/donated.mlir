// An argument that the caller gives up for a result is taken as it is returned, and written where it lies.
// RUN: tessera-opt --ttnn-rewrite %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir
// RUN: tessera-opt --ttnn-rewrite=rewrites=-donated %s | FileCheck %s --check-prefix=OFF
// OFF-NOT: ttcore.kv_cache

#dram = #ttnn.buffer_type<dram>
#rows = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<512x32xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 64 + d2, d3), <1x1>, memref<16x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#new = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#places = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x4xsi32, #dram>, <interleaved>>

// CHECK-LABEL: func.func @step(
// CHECK-SAME: %arg0: tensor<4x2x64x32xbf16, #[[TILES:[a-z0-9_]+]]> {tf.aliasing_output = 1 : i32, ttcore.kv_cache}
// CHECK-NEXT: %[[OTHER:.*]] = "ttnn.neg"(%arg1)
// CHECK-NEXT: "ttnn.paged_update_cache"(%arg0, %arg1, %arg2) {{.*}} : (tensor<4x2x64x32xbf16, #[[TILES]]>
// CHECK-NEXT: return %[[OTHER]], %arg0
func.func @step(%cache: tensor<4x2x64x32xbf16, #rows> {tf.aliasing_output = 1 : i32}, %new: tensor<1x4x2x32xbf16, #new>, %places: tensor<4xsi32, #places>) -> (tensor<1x4x2x32xbf16, #new>, tensor<4x2x64x32xbf16, #tiles>) {
  %copy = "ttnn.to_layout"(%cache) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  %other = "ttnn.neg"(%new) : (tensor<1x4x2x32xbf16, #new>) -> tensor<1x4x2x32xbf16, #new>
  "ttnn.paged_update_cache"(%copy, %new, %places) <{share_cache = false}> : (tensor<4x2x64x32xbf16, #tiles>, tensor<1x4x2x32xbf16, #new>, tensor<4xsi32, #places>) -> ()
  return %other, %copy : tensor<1x4x2x32xbf16, #new>, tensor<4x2x64x32xbf16, #tiles>
}

// The caller keeps it.
// CHECK-LABEL: func.func @kept(
// CHECK: %[[COPY:.*]] = "ttnn.to_layout"(%arg0)
// CHECK: return %[[COPY]]
func.func @kept(%cache: tensor<4x2x64x32xbf16, #rows>, %new: tensor<1x4x2x32xbf16, #new>, %places: tensor<4xsi32, #places>) -> tensor<4x2x64x32xbf16, #tiles> {
  %copy = "ttnn.to_layout"(%cache) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  "ttnn.paged_update_cache"(%copy, %new, %places) <{share_cache = false}> : (tensor<4x2x64x32xbf16, #tiles>, tensor<1x4x2x32xbf16, #new>, tensor<4xsi32, #places>) -> ()
  return %copy : tensor<4x2x64x32xbf16, #tiles>
}

// It is given up for another result, of which the caller says no more than of this.
// CHECK-LABEL: func.func @for_another(
// CHECK-NOT: "ttnn.to_layout"
// CHECK: return %arg1, %arg0
func.func @for_another(%cache: tensor<4x2x64x32xbf16, #rows> {tf.aliasing_output = 0 : i32}, %other: tensor<4x2x64x32xbf16, #tiles>, %new: tensor<1x4x2x32xbf16, #new>, %places: tensor<4xsi32, #places>) -> (tensor<4x2x64x32xbf16, #tiles>, tensor<4x2x64x32xbf16, #tiles>) {
  %copy = "ttnn.to_layout"(%cache) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  "ttnn.paged_update_cache"(%copy, %new, %places) <{share_cache = false}> : (tensor<4x2x64x32xbf16, #tiles>, tensor<1x4x2x32xbf16, #new>, tensor<4xsi32, #places>) -> ()
  return %other, %copy : tensor<4x2x64x32xbf16, #tiles>, tensor<4x2x64x32xbf16, #tiles>
}

// A state that is computed anew, as a weight in training is, is no cache.
// CHECK-LABEL: func.func @state(
// CHECK-SAME: %arg0: tensor<4x2x64x32xbf16, #[[TILES]]> {tf.aliasing_output = 0 : i32},
// CHECK-NEXT: "ttnn.multiply"(%arg0, %arg1)
// CHECK-NEXT: "ttnn.subtract"(%arg0,
func.func @state(%state: tensor<4x2x64x32xbf16, #rows> {tf.aliasing_output = 0 : i32}, %slope: tensor<4x2x64x32xbf16, #tiles>) -> tensor<4x2x64x32xbf16, #tiles> {
  %first = "ttnn.to_layout"(%state) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  %second = "ttnn.to_layout"(%state) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  %step = "ttnn.multiply"(%first, %slope) : (tensor<4x2x64x32xbf16, #tiles>, tensor<4x2x64x32xbf16, #tiles>) -> tensor<4x2x64x32xbf16, #tiles>
  %next = "ttnn.subtract"(%second, %step) : (tensor<4x2x64x32xbf16, #tiles>, tensor<4x2x64x32xbf16, #tiles>) -> tensor<4x2x64x32xbf16, #tiles>
  return %next : tensor<4x2x64x32xbf16, #tiles>
}

// Another op reads what it came with.
// CHECK-LABEL: func.func @read_twice(
// CHECK: "ttnn.to_layout"(%arg0)
// CHECK: return
func.func @read_twice(%cache: tensor<4x2x64x32xbf16, #rows> {tf.aliasing_output = 0 : i32}, %new: tensor<1x4x2x32xbf16, #new>, %places: tensor<4xsi32, #places>) -> (tensor<4x2x64x32xbf16, #tiles>, tensor<4x2x64x32xbf16, #tiles>) {
  %copy = "ttnn.to_layout"(%cache) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  "ttnn.paged_update_cache"(%copy, %new, %places) <{share_cache = false}> : (tensor<4x2x64x32xbf16, #tiles>, tensor<1x4x2x32xbf16, #new>, tensor<4xsi32, #places>) -> ()
  %before = "ttnn.to_layout"(%cache) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  return %copy, %before : tensor<4x2x64x32xbf16, #tiles>, tensor<4x2x64x32xbf16, #tiles>
}

// Two results are two tensors, of which the caller may give up one.
// CHECK-LABEL: func.func @given_twice(
// CHECK-COUNT-2: "ttnn.to_layout"(%arg0)
// CHECK: return
func.func @given_twice(%cache: tensor<4x2x64x32xbf16, #rows> {tf.aliasing_output = 0 : i32}) -> (tensor<4x2x64x32xbf16, #tiles>, tensor<4x2x64x32xbf16, #tiles>) {
  %first = "ttnn.to_layout"(%cache) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  %second = "ttnn.to_layout"(%cache) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  return %first, %second : tensor<4x2x64x32xbf16, #tiles>, tensor<4x2x64x32xbf16, #tiles>
}

// The result is in rows, and so is what comes back.
// CHECK-LABEL: func.func @in_rows(
// CHECK: "ttnn.to_layout"(%arg0)
// CHECK: return
func.func @in_rows(%state: tensor<4x2x64x32xbf16, #rows> {tf.aliasing_output = 0 : i32}) -> tensor<4x2x64x32xbf16, #rows> {
  %tiles = "ttnn.to_layout"(%state) : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  %next = "ttnn.exp"(%tiles) : (tensor<4x2x64x32xbf16, #tiles>) -> tensor<4x2x64x32xbf16, #tiles>
  %rows = "ttnn.to_layout"(%next) : (tensor<4x2x64x32xbf16, #tiles>) -> tensor<4x2x64x32xbf16, #rows>
  return %rows : tensor<4x2x64x32xbf16, #rows>
}

// The user pins the copy.
// CHECK-LABEL: func.func @pinned(
// CHECK: "ttnn.to_layout"(%arg0)
// CHECK: return
func.func @pinned(%cache: tensor<4x2x64x32xbf16, #rows> {tf.aliasing_output = 0 : i32}, %new: tensor<1x4x2x32xbf16, #new>, %places: tensor<4xsi32, #places>) -> tensor<4x2x64x32xbf16, #tiles> {
  %copy = "ttnn.to_layout"(%cache) {tessera.pin} : (tensor<4x2x64x32xbf16, #rows>) -> tensor<4x2x64x32xbf16, #tiles>
  "ttnn.paged_update_cache"(%copy, %new, %places) <{share_cache = false}> : (tensor<4x2x64x32xbf16, #tiles>, tensor<1x4x2x32xbf16, #new>, tensor<4xsi32, #places>) -> ()
  return %copy : tensor<4x2x64x32xbf16, #tiles>
}
