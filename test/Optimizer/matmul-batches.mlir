// Attention scores: a product of its own for each head. Left to itself the backend multiplies batch after batch, each on
// the few cores that one keeps busy; with the reuse kernel, which deals blocks of all batches out over the cores, every
// core works. What is written computes the same, and has addresses. (Newer backends deal batches out by themselves.)

// RUN: tessera optimize %s --backend-version pinned -q -o %t && FileCheck %s --input-file=%t
// CHECK: "ttnn.matmul"({{.*}}matmul_program_config = #ttnn.matmul_multi_core_reuse_program_config<compute_with_storage_grid_size = #ttnn.core_coord<8, {{[68]}}>, in0_block_w = {{[12]}}, out_subblock_h = 1, out_subblock_w = 7, per_core_m = {{1|7|14}}, per_core_n = 7>
// RUN: tessera replay %t
// RUN: tessera verify %s %t | FileCheck %s --check-prefix=SAME
// SAME: equal

// Shards hold whole batches: per_core_m is a multiple of the 7 rows of tiles that a batch has.
// RUN: tessera candidates %s --backend-version pinned --op matmul_0 | FileCheck %s --check-prefix=SHARDS
// SHARDS: l1/height_sharded/48x1 14x2 tiles bf16, l1/height_sharded/48x1 4x7 tiles bf16{{ +}}l1/height_sharded/48x1 14x7 tiles bf16{{ +}}reuse grid 8x6 block 2 per-core 14x7
// SHARDS-NOT: block_sharded
// SHARDS-NOT: height_sharded/56x1

// RUN: not tessera ops explain ttnn.matmul --in 8x12x224x64@dram 8x12x64x224@dram --out 8x12x224x224@dram --config 'reuse k=2 m=5 n=7' | FileCheck %s --check-prefix=PARTS
// PARTS: per_core_M to divide the rows of a batch

#dram = #ttnn.buffer_type<dram>
#q = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2688 + d1 * 224 + d2, d3), <1x1>, memref<672x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#k = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 768 + d1 * 64 + d2, d3), <1x1>, memref<192x7x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#s = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2688 + d1 * 224 + d2, d3), <1x1>, memref<672x7x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @forward(%q: tensor<8x12x224x64xbf16, #q>, %k: tensor<8x12x64x224xbf16, #k>) -> tensor<8x12x224x224xbf16, #s> {
  %0 = "ttnn.matmul"(%q, %k) <{transpose_a = false, transpose_b = false}> : (tensor<8x12x224x64xbf16, #q>, tensor<8x12x64x224xbf16, #k>) -> tensor<8x12x224x224xbf16, #s>
  %1 = "ttnn.relu"(%0) : (tensor<8x12x224x224xbf16, #s>) -> tensor<8x12x224x224xbf16, #s>
  return %1 : tensor<8x12x224x224xbf16, #s>
}
