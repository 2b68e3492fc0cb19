// A dimension of extent 1 for a token's position: what stands between products works where rows share tiles. The same bits.
// RUN: tessera-opt --ttnn-rewrite=rewrites=exact %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>
#rows = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#matrix = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#weight = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#heads = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<32x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#head = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 32 + d2, d3), <1x1>, memref<8x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#users = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#image = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#pixels = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#spread = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 64 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#turned = #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 2048 + d1 * 32 + d2, d3), <1x1>, memref<128x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#channels = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#one = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#scalar = #ttnn.ttnn_layout<() -> (0, 0), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#number = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#patches = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<3x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#vector = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>

// The input is reshaped once, for the norm and for the sum; the result once, as it is returned.
// CHECK-LABEL: func.func @residual
// CHECK-NEXT: %[[X:.*]] = "ttnn.reshape"(%arg0) <{shape = [32 : i32, 64 : i32]}>
// CHECK-NEXT: %[[N:.*]] = "ttnn.rms_norm"(%[[X]], %arg2)
// CHECK-NEXT: %[[P:.*]] = "ttnn.matmul"(%[[N]], %arg1)
// CHECK-NEXT: %[[S:.*]] = "ttnn.add"(%[[X]], %[[P]]) {{.*}} -> tensor<32x64xbf16
// CHECK-NEXT: "ttnn.reshape"(%[[S]]) <{shape = [32 : i32, 1 : i32, 64 : i32]}>
// CHECK-NEXT: return
func.func @residual(%x: tensor<32x1x64xbf16, #rows>, %w: tensor<64x64xbf16, #weight>, %g: tensor<64xbf16, #vector>) -> tensor<32x1x64xbf16, #rows> {
  %0 = "ttnn.rms_norm"(%x, %g) <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x1x64xbf16, #rows>, tensor<64xbf16, #vector>) -> tensor<32x1x64xbf16, #rows>
  %1 = "ttnn.reshape"(%0) <{shape = [32 : i32, 64 : i32]}> : (tensor<32x1x64xbf16, #rows>) -> tensor<32x64xbf16, #matrix>
  %2 = "ttnn.matmul"(%1, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #matrix>, tensor<64x64xbf16, #weight>) -> tensor<32x64xbf16, #matrix>
  %3 = "ttnn.reshape"(%2) <{shape = [32 : i32, 1 : i32, 64 : i32]}> : (tensor<32x64xbf16, #matrix>) -> tensor<32x1x64xbf16, #rows>
  %4 = "ttnn.add"(%x, %3) : (tensor<32x1x64xbf16, #rows>, tensor<32x1x64xbf16, #rows>) -> tensor<32x1x64xbf16, #rows>
  return %4 : tensor<32x1x64xbf16, #rows>
}

// Both sides of a gate come from products, and its result goes into one.
// CHECK-LABEL: func.func @gate
// CHECK-NOT: ttnn.reshape
// CHECK: %[[G:.*]] = "ttnn.multiply"({{.*}}) {{.*}} -> tensor<32x64xbf16
// CHECK-NEXT: "ttnn.matmul"(%[[G]], %arg1)
// CHECK-NEXT: return
func.func @gate(%x: tensor<32x64xbf16, #matrix>, %w: tensor<64x64xbf16, #weight>) -> tensor<32x64xbf16, #matrix> {
  %0 = "ttnn.matmul"(%x, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #matrix>, tensor<64x64xbf16, #weight>) -> tensor<32x64xbf16, #matrix>
  %1 = "ttnn.reshape"(%0) <{shape = [32 : i32, 1 : i32, 64 : i32]}> : (tensor<32x64xbf16, #matrix>) -> tensor<32x1x64xbf16, #rows>
  %2 = "ttnn.exp"(%1) : (tensor<32x1x64xbf16, #rows>) -> tensor<32x1x64xbf16, #rows>
  %3 = "ttnn.reshape"(%x) <{shape = [32 : i32, 1 : i32, 64 : i32]}> : (tensor<32x64xbf16, #matrix>) -> tensor<32x1x64xbf16, #rows>
  %4 = "ttnn.multiply"(%2, %3) : (tensor<32x1x64xbf16, #rows>, tensor<32x1x64xbf16, #rows>) -> tensor<32x1x64xbf16, #rows>
  %5 = "ttnn.reshape"(%4) <{shape = [32 : i32, 64 : i32]}> : (tensor<32x1x64xbf16, #rows>) -> tensor<32x64xbf16, #matrix>
  %6 = "ttnn.matmul"(%5, %w) <{transpose_a = false, transpose_b = false}> : (tensor<32x64xbf16, #matrix>, tensor<64x64xbf16, #weight>) -> tensor<32x64xbf16, #matrix>
  return %6 : tensor<32x64xbf16, #matrix>
}

// The other side was never in fuller tiles: it would have to be reshaped for the sum.
// CHECK-LABEL: func.func @whole_other_side
// CHECK-NEXT: %[[Y:.*]] = "ttnn.reshape"(%arg0)
// CHECK-NEXT: "ttnn.add"(%arg1, %[[Y]]) {{.*}} -> tensor<32x1x64xbf16
// CHECK-NEXT: return
func.func @whole_other_side(%x: tensor<32x64xbf16, #matrix>, %y: tensor<32x1x64xbf16, #rows>) -> tensor<32x1x64xbf16, #rows> {
  %0 = "ttnn.reshape"(%x) <{shape = [32 : i32, 1 : i32, 64 : i32]}> : (tensor<32x64xbf16, #matrix>) -> tensor<32x1x64xbf16, #rows>
  %1 = "ttnn.add"(%y, %0) : (tensor<32x1x64xbf16, #rows>, tensor<32x1x64xbf16, #rows>) -> tensor<32x1x64xbf16, #rows>
  return %1 : tensor<32x1x64xbf16, #rows>
}

// Another reads what the reshape reads, so both would be computed.
// CHECK-LABEL: func.func @read_twice
// CHECK-NEXT: %[[E:.*]] = "ttnn.exp"(%arg0) {{.*}} -> tensor<32x1x64xbf16
// CHECK-NEXT: "ttnn.reshape"(%[[E]])
// CHECK-NEXT: return
func.func @read_twice(%x: tensor<32x1x64xbf16, #rows>) -> (tensor<32x1x64xbf16, #rows>, tensor<32x64xbf16, #matrix>) {
  %0 = "ttnn.exp"(%x) : (tensor<32x1x64xbf16, #rows>) -> tensor<32x1x64xbf16, #rows>
  %1 = "ttnn.reshape"(%0) <{shape = [32 : i32, 64 : i32]}> : (tensor<32x1x64xbf16, #rows>) -> tensor<32x64xbf16, #matrix>
  return %0, %1 : tensor<32x1x64xbf16, #rows>, tensor<32x64xbf16, #matrix>
}

// The input is written before the reshape reads what was made of it.
// CHECK-LABEL: func.func @written_between
// CHECK-NEXT: %[[E:.*]] = "ttnn.exp"(%arg0) {{.*}} -> tensor<4x8x1x64xbf16
// CHECK-NEXT: "ttnn.fill_cache"
// CHECK-NEXT: "ttnn.reshape"(%[[E]])
// CHECK-NEXT: return
func.func @written_between(%x: tensor<4x8x1x64xbf16, #heads>, %y: tensor<1x8x1x64xbf16, #head>) -> tensor<4x8x64xbf16, #users> {
  %0 = "ttnn.exp"(%x) : (tensor<4x8x1x64xbf16, #heads>) -> tensor<4x8x1x64xbf16, #heads>
  "ttnn.fill_cache"(%x, %y) <{batch_offset = 0 : i32}> : (tensor<4x8x1x64xbf16, #heads>, tensor<1x8x1x64xbf16, #head>) -> ()
  %1 = "ttnn.reshape"(%0) <{shape = [4 : i32, 8 : i32, 64 : i32]}> : (tensor<4x8x1x64xbf16, #heads>) -> tensor<4x8x64xbf16, #users>
  return %1 : tensor<4x8x64xbf16, #users>
}

// Rows of two images of 37 patches would fill three rows of tiles together, and four apart; to move them there and back takes longer.
// CHECK-LABEL: func.func @patches
// CHECK-NEXT: %[[N:.*]] = "ttnn.layer_norm"(%arg0, %arg2)
// CHECK-NEXT: %[[P:.*]] = "ttnn.matmul"(%[[N]], %arg1) {{.*}} -> tensor<2x37x64xbf16
// CHECK-NEXT: "ttnn.add"(%arg0, %[[P]])
// CHECK-NEXT: return
func.func @patches(%x: tensor<2x37x64xbf16, #image>, %w: tensor<64x64xbf16, #weight>, %g: tensor<64xbf16, #vector>) -> tensor<2x37x64xbf16, #image> {
  %0 = "ttnn.layer_norm"(%x, %g) <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<2x37x64xbf16, #image>, tensor<64xbf16, #vector>) -> tensor<2x37x64xbf16, #image>
  %1 = "ttnn.reshape"(%0) <{shape = [74 : i32, 64 : i32]}> : (tensor<2x37x64xbf16, #image>) -> tensor<74x64xbf16, #patches>
  %2 = "ttnn.matmul"(%1, %w) <{transpose_a = false, transpose_b = false}> : (tensor<74x64xbf16, #patches>, tensor<64x64xbf16, #weight>) -> tensor<74x64xbf16, #patches>
  %3 = "ttnn.reshape"(%2) <{shape = [2 : i32, 37 : i32, 64 : i32]}> : (tensor<74x64xbf16, #patches>) -> tensor<2x37x64xbf16, #image>
  %4 = "ttnn.add"(%x, %3) : (tensor<2x37x64xbf16, #image>, tensor<2x37x64xbf16, #image>) -> tensor<2x37x64xbf16, #image>
  return %4 : tensor<2x37x64xbf16, #image>
}

// A number for each image is no row, and has no form where images are one behind the other.
// CHECK-LABEL: func.func @number_per_image
// CHECK-NEXT: %[[M:.*]] = "ttnn.multiply"(%arg0, %arg1) {{.*}} -> tensor<2x37x64xbf16
// CHECK-NEXT: "ttnn.reshape"(%[[M]])
// CHECK-NEXT: return
func.func @number_per_image(%x: tensor<2x37x64xbf16, #image>, %y: tensor<2x1x64xbf16, #number>) -> tensor<74x64xbf16, #patches> {
  %0 = "ttnn.multiply"(%x, %y) : (tensor<2x37x64xbf16, #image>, tensor<2x1x64xbf16, #number>) -> tensor<2x37x64xbf16, #image>
  %1 = "ttnn.reshape"(%0) <{shape = [74 : i32, 64 : i32]}> : (tensor<2x37x64xbf16, #image>) -> tensor<74x64xbf16, #patches>
  return %1 : tensor<74x64xbf16, #patches>
}

// Convolutions over one dimension are made of those over two: a dimension of 1 behind the others fills a column of each tile.
// CHECK-LABEL: func.func @permuted
// CHECK-NEXT: %[[P:.*]] = "ttnn.permute"(%arg0) <{permutation = array<i64: 0, 2, 1>}>
// CHECK-NEXT: return %[[P]]
func.func @permuted(%x: tensor<2x32x64xbf16, #pixels>) -> tensor<2x64x32xbf16, #channels> {
  %0 = "ttnn.reshape"(%x) <{shape = [2 : i32, 32 : i32, 64 : i32, 1 : i32]}> : (tensor<2x32x64xbf16, #pixels>) -> tensor<2x32x64x1xbf16, #spread>
  %1 = "ttnn.permute"(%0) <{permutation = array<i64: 0, 2, 1, 3>}> : (tensor<2x32x64x1xbf16, #spread>) -> tensor<2x64x32x1xbf16, #turned>
  %2 = "ttnn.reshape"(%1) <{shape = [2 : i32, 64 : i32, 32 : i32]}> : (tensor<2x64x32x1xbf16, #turned>) -> tensor<2x64x32xbf16, #channels>
  return %2 : tensor<2x64x32xbf16, #channels>
}

// A tensor without dimensions has no rows, so a norm stays before the reshape.
// CHECK-LABEL: func.func @no_dimensions
// CHECK-NEXT: %[[N:.*]] = "ttnn.rms_norm"(%arg0) {{.*}} -> tensor<1x1xbf16
// CHECK-NEXT: "ttnn.reshape"(%[[N]])
// CHECK-NEXT: return
func.func @no_dimensions(%x: tensor<1x1xbf16, #one>) -> tensor<bf16, #scalar> {
  %0 = "ttnn.rms_norm"(%x) <{epsilon = 9.99999974E-6 : f32, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<1x1xbf16, #one>) -> tensor<1x1xbf16, #one>
  %1 = "ttnn.reshape"(%0) <{shape = []}> : (tensor<1x1xbf16, #one>) -> tensor<bf16, #scalar>
  return %1 : tensor<bf16, #scalar>
}
