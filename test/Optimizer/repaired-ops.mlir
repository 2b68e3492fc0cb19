// An op that a rule refuses as declared gets operands that are legal, as far as conversions make them: here the update
// index in rows, the new values on one core per user, and a pad in front of a tensor in rows. What no layout makes legal
// keeps its layouts, with a remark.
// RUN: tessera optimize %s --rewrites -heads-in-parts -o %t.mlir 2>%t.err | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s --check-prefix=REMARKS < %t.err
// RUN: FileCheck %s < %t.mlir
// RUN: tessera optimize %s --rewrites -heads-in-parts --policy greedy -o - --quiet 2>/dev/null | FileCheck %s
// RUN: tessera optimize %s --policy declared -o - --quiet 2>/dev/null | FileCheck %s
// What was repaired is legal from then on.
// RUN: tessera optimize %t.mlir --policy declared 2>&1 | FileCheck %s --check-prefix=AGAIN

// REMARKS: remark: 'ttnn.paged_update_cache' gets other layouts: {{.*}}the new values must be height-sharded in L1
// REMARKS-NOT: remark: 'ttnn.paged_update_cache'
// REMARKS: remark: 'ttnn.concatenate_heads' keeps its layouts: {{.*}}heads must be whole tiles wide
// REMARKS-NOT: remark: 'ttnn.paged_update_cache'
// REMARKS: remark: 'ttnn.pad' gets other layouts: {{.*}}tiled tensors are padded at the end only
// SUMMARY: repaired {{ *}}1 pad, 2 paged_update_cache: refused as declared, legal in the plan
// AGAIN-NOT: gets other layouts
// AGAIN-NOT: {{^}}repaired

// CHECK-DAG: #[[ROWS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xsi32, #dram>
// CHECK-DAG: #[[USERS:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <32x1>, memref<1x4x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>
// CHECK-DAG: #[[PAD:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), {{.*}}memref<{{[0-9]+}}x64xbf16,
// CHECK-DAG: "ttnn.paged_update_cache"(%arg0, {{.*}}tensor<1x32x2x128xbf16, #[[USERS]]>, tensor<32xsi32, #[[ROWS]]>
// CHECK-DAG: "ttnn.paged_update_cache"(%arg1, {{.*}}tensor<1x32x2x128xbf16, #[[USERS]]>, tensor<32xsi32, #[[ROWS]]>
// CHECK-DAG: "ttnn.pad"({{.*}}tensor<64x64xbf16, #[[PAD]]>)

#dram = #ttnn.buffer_type<dram>
#cache = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 128 + d2, d3), <1x1>, memref<256x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#values = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#index = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#joined = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x10x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#small = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#padded = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x3x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%k: tensor<32x2x128x128xbf16, #cache>, %v: tensor<32x2x128x128xbf16, #cache>, %x: tensor<1x32x2x128xbf16, #values>, %i: tensor<32xsi32, #index>, %h: tensor<1x4x32x80xbf16, #heads>, %s: tensor<64x64xbf16, #small>) -> (tensor<1x32x320xbf16, #joined>, tensor<66x66xbf16, #padded>) {
  %0 = "ttnn.relu"(%x) : (tensor<1x32x2x128xbf16, #values>) -> tensor<1x32x2x128xbf16, #values>
  "ttnn.paged_update_cache"(%k, %0, %i) <{share_cache = false}> : (tensor<32x2x128x128xbf16, #cache>, tensor<1x32x2x128xbf16, #values>, tensor<32xsi32, #index>) -> ()
  "ttnn.paged_update_cache"(%v, %x, %i) <{share_cache = false}> : (tensor<32x2x128x128xbf16, #cache>, tensor<1x32x2x128xbf16, #values>, tensor<32xsi32, #index>) -> ()
  %1 = "ttnn.concatenate_heads"(%h) : (tensor<1x4x32x80xbf16, #heads>) -> tensor<1x32x320xbf16, #joined>
  %2 = "ttnn.pad"(%s) <{padding = array<i32: 1, 1, 1, 1>, use_multicore = true, value = 0.0 : f32}> : (tensor<64x64xbf16, #small>) -> tensor<66x66xbf16, #padded>
  return %1, %2 : tensor<1x32x320xbf16, #joined>, tensor<66x66xbf16, #padded>
}
