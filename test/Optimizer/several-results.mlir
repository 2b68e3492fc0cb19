// An op with several results has its configurations like any other, shards among them: each result is cut for itself, over the same
// cores. Here the device makes heads on one core per user, whatever is asked for.
// RUN: tessera candidates %s --op heads | FileCheck %s --check-prefix=WAYS
// WAYS: l1/height_sharded/32x1 {{.*}}, l1/height_sharded/32x1 {{.*}}, l1/height_sharded/32x1
// RUN: tessera optimize %s --explain -q | FileCheck %s
// RUN: tessera optimize %s --explain -q --policy greedy | FileCheck %s
// CHECK: heads l1/height_sharded/32x1 {{.*}} us L1

// A cap that leaves no room for what the op makes, whatever it is asked for, is raised.
// RUN: tessera optimize %s --tensor-l1-usage-cap 0.005 -q 2>&1 | FileCheck %s --check-prefix=RAISED
// RAISED: warning: tensor-l1-usage-cap leaves 6967 bytes of L1 per core, for which 'forward' has no plan; this one is for 12288, which step 2 (conversion of heads) needs

// Results that are interleaved by a rule have no shards.
// RUN: tessera candidates %s --op split --all | FileCheck %s --check-prefix=SPLIT
// SPLIT: l1/interleaved, l1/interleaved, l1/interleaved
// SPLIT-NOT: , l1/{{[a-z]+}}_sharded

// Results are overridden one by one; the others go along.
// RUN: tessera optimize %s --override-output-layout 'heads#1=l1:height_sharded' --explain -q | FileCheck %s
// RUN: tessera optimize %s --override-output-layout 'ttnn.nlp_create_qkv_heads_decode#0#2=32x1:l1:height_sharded,heads#0=l1' --explain -q | FileCheck %s
// RUN: tessera optimize %s --override-output-layout 'split#2=l1:interleaved' -o - -q | FileCheck %s --check-prefix=OTHER
// OTHER: #[[L1:ttnn_layout[0-9]*]] = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), {{.*}}#l1>, <interleaved>
// OTHER: "ttnn.split_query_key_value_and_split_heads"({{.*}} -> (tensor<1x4x32x64xbf16, #[[L1]]>, tensor<1x4x32x64xbf16, #[[L1]]>, tensor<1x4x32x64xbf16, #[[L1]]>)
// RUN: not tessera optimize %s --override-output-layout 'heads#1=dram' 2>&1 | FileCheck %s --check-prefix=ILLEGAL
// ILLEGAL: error: override-output-layout: 'heads#1' cannot produce this layout; legal: {{.*}}l1/height_sharded/32x1
// RUN: not tessera optimize %s --override-output-layout 'heads=l1' 2>&1 | FileCheck %s --check-prefix=WHICH
// WHICH: error: override-output-layout: 'heads' has 3 tensor results; name 'heads#0' or 'heads#1' or 'heads#2'
// RUN: not tessera optimize %s --override-output-layout 'heads#3=l1' 2>&1 | FileCheck %s --check-prefix=WHICH
// RUN: not tessera optimize %s --override-output-layout 'g#1=l1' 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: error: override-output-layout: 'g' has 1 tensor results; name 'g'
// RUN: not tessera optimize %s --override-output-layout 'heads#0=l1,ttnn.nlp_create_qkv_heads_decode#0=l1' 2>&1 | FileCheck %s --check-prefix=WHICH

#dram = #ttnn.buffer_type<dram>
#x = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x1>, memref<1x96x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#h = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 1024 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<1x24x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#p = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 128 + d1 * 32 + d2, d3), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%x: tensor<1x1x32x3072xbf16, #x>, %s: tensor<1x32x768xbf16, #s>) -> (tensor<1x32x32x64xbf16, #h>, tensor<1x32x8x64xbf16, #h>, tensor<1x32x8x64xbf16, #h>, tensor<1x4x32x64xbf16, #p>, tensor<1x4x32x64xbf16, #p>) {
  %0 = "ttnn.gelu"(%x) : (tensor<1x1x32x3072xbf16, #x>) -> tensor<1x1x32x3072xbf16, #x> loc("g")
  %q, %k, %v = "ttnn.nlp_create_qkv_heads_decode"(%0) <{num_heads = 32 : ui32, num_kv_heads = 8 : ui32}> : (tensor<1x1x32x3072xbf16, #x>) -> (tensor<1x32x32x64xbf16, #h>, tensor<1x32x8x64xbf16, #h>, tensor<1x32x8x64xbf16, #h>) loc("heads")
  %1 = "ttnn.relu"(%s) : (tensor<1x32x768xbf16, #s>) -> tensor<1x32x768xbf16, #s> loc("r")
  %a, %b, %c = "ttnn.split_query_key_value_and_split_heads"(%1) <{num_heads = 4 : ui32, transpose_key = false}> : (tensor<1x32x768xbf16, #s>) -> (tensor<1x4x32x64xbf16, #p>, tensor<1x4x32x64xbf16, #p>, tensor<1x4x32x64xbf16, #p>) loc("split")
  %2 = "ttnn.multiply"(%a, %b) : (tensor<1x4x32x64xbf16, #p>, tensor<1x4x32x64xbf16, #p>) -> tensor<1x4x32x64xbf16, #p>
  %3 = "ttnn.relu"(%c) : (tensor<1x4x32x64xbf16, #p>) -> tensor<1x4x32x64xbf16, #p>
  return %q, %k, %v, %2, %3 : tensor<1x32x32x64xbf16, #h>, tensor<1x32x8x64xbf16, #h>, tensor<1x32x8x64xbf16, #h>, tensor<1x4x32x64xbf16, #p>, tensor<1x4x32x64xbf16, #p>
}
