// In decode mode, rotary_embedding_llama takes height sharded operands only: no policy moves one elsewhere.
// RUN: tessera optimize %s -o - 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.err
// RUN: tessera optimize %s --policy df-sharding -o - 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.err
// QUIET-NOT: warning
// CHECK: #[[H:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<{{.*}}, <height_sharded>
// CHECK: "ttnn.rotary_embedding_llama"({{.*}}is_decode_mode = true{{.*}} : (tensor<1x1x32x32xbf16, #[[H]]>, tensor<1x1x32x32xbf16, #[[H]]>, tensor<1x1x32x32xbf16, #[[H]]>, tensor<1x1x32x32xbf16, #[[H]]>)

#dram = #ttnn.buffer_type<dram>
#l1 = #ttnn.buffer_type<l1>
#t = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#h = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1, (d0, d1) -> (0, d0, d1)>, memref<1x1x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>>
!t = tensor<1x1x32x32xbf16, #t>
!h = tensor<1x1x32x32xbf16, #h>
func.func @decode(%x: !t, %cos: !t, %sin: !t, %mat: !t) -> !h {
  %0 = "ttnn.to_memory_config"(%x) : (!t) -> !h
  %1 = "ttnn.to_memory_config"(%cos) : (!t) -> !h
  %2 = "ttnn.to_memory_config"(%sin) : (!t) -> !h
  %3 = "ttnn.to_memory_config"(%mat) : (!t) -> !h
  %4 = "ttnn.rotary_embedding_llama"(%0, %1, %2, %3) <{is_decode_mode = true}> : (!h, !h, !h, !h) -> !h
  return %4 : !h
}
