// Where the largest of many columns stands: in the part whose maximum is the largest, which is taken out and searched. The first of equal
// ones is found as before, since parts are in the order of columns.
// RUN: tessera-opt --ttnn-rewrite=rewrites=exact %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir | FileCheck %s --check-prefix=SAME

// SAME: rows.result0 {{.*}} exact
// SAME: of_batches.result0 {{.*}} exact
// SAME: long_rows.result0 {{.*}} exact
// SAME: cast.result0 {{.*}} exact
// SAME: cast_few.result0 {{.*}} exact
// SAME: odd_columns.result0 {{.*}} exact
// SAME: full_tiles.result0 {{.*}} exact
// SAME: full_tiles_of_odd_columns.result0 {{.*}} exact
// SAME: cut_out.result0 {{.*}} exact

#dram = #ttnn.buffer_type<dram>
#bf16_8x32768 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x32768xbf16, #dram>, <interleaved>>
#bf16_2x4x32768 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 32 + d1, d2), <1x1>, memref<2x1024x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_8x32768 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x32768xf32, #dram>, <interleaved>>
#bf16_8x32771 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<8x32771xbf16, #dram>, <interleaved>>
#bf16_32x32768 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1024x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_64x32768 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x1024x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_32x32771 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1025x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_2048x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2048x128xbf16, #dram>, <interleaved>>
#bf16_4096x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<128x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#bf16_3x256000 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x8000x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#u32_3 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x3xui32, #dram>, <interleaved>>
#bf16_8x32768_tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1024x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_8x32768_tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1024x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#si32_8x32768_tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1024x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#bf16_2048x128_tiles = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#f32_2048x128 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2048x128xf32, #dram>, <interleaved>>
#u32_8 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x8xui32, #dram>, <interleaved>>
#u32_32 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xui32, #dram>, <interleaved>>
#u32_2048 = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x2048xui32, #dram>, <interleaved>>
#u32_1x64 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x64xui32, #dram>, <interleaved>>
#si32_2x4x1 = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 4 + d1, d2), <1x1>, memref<8x1xsi32, #dram>, <interleaved>>

// CHECK-LABEL: func.func @rows
// CHECK: %[[TABLE:.*]] = "ttnn.reshape"(%arg0) <{shape = [1024 : i32, 256 : i32]}>
// CHECK-NEXT: %[[TILES:.*]] = "ttnn.to_layout"(%[[TABLE]])
// CHECK-NEXT: %[[MAX:.*]] = "ttnn.max"(%[[TILES]]) <{dim_arg = [1 : i32], keep_dim = true}>
// CHECK-NEXT: %[[TURNED:.*]] = "ttnn.permute"(%[[MAX]]) <{permutation = array<i64: 1, 0>}>
// CHECK-NEXT: %[[LINE:.*]] = "ttnn.to_layout"(%[[TURNED]])
// CHECK-NEXT: %[[MAXIMA:.*]] = "ttnn.reshape"(%[[LINE]]) <{shape = [8 : i32, 128 : i32]}>
// CHECK-NEXT: "ttnn.argmax"(%[[MAXIMA]]) <{dim = -1 : si32, keep_dim = true}> : ({{.*}}) -> tensor<8x1xui32
// CHECK: "ttnn.add"
// CHECK: %[[FOUND:.*]] = "ttnn.embedding"({{.*}}, %[[TABLE]]) : {{.*}} -> tensor<1x8x256xbf16
// CHECK-NEXT: %[[PART:.*]] = "ttnn.reshape"(%[[FOUND]])
// CHECK-NEXT: "ttnn.argmax"(%[[PART]]) <{dim = -1 : si32, keep_dim = true}>
// CHECK: "ttnn.multiply"
// CHECK: "ttnn.add"
// CHECK: return {{.*}} : tensor<8xui32
func.func @rows(%x: tensor<8x32768xbf16, #bf16_8x32768>) -> tensor<8xui32, #u32_8> {
  %0 = "ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = false}> : (tensor<8x32768xbf16, #bf16_8x32768>) -> tensor<8xui32, #u32_8>
  return %0 : tensor<8xui32, #u32_8>
}

// CHECK-LABEL: func.func @of_batches
// CHECK: "ttnn.max"
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [2 : i32, 4 : i32, 1 : i32]}> : {{.*}} -> tensor<2x4x1xsi32
// CHECK-NEXT: return
func.func @of_batches(%x: tensor<2x4x32768xbf16, #bf16_2x4x32768>) -> tensor<2x4x1xsi32, #si32_2x4x1> {
  %0 = "ttnn.argmax"(%x) <{dim = -1 : si32, keep_dim = true}> : (tensor<2x4x32768xbf16, #bf16_2x4x32768>) -> tensor<2x4x1xsi32, #si32_2x4x1>
  return %0 : tensor<2x4x1xsi32, #si32_2x4x1>
}

// Rows that are cut lie in L1 at once, so longer ones are sliced before, and parts of one row are joined again.
// CHECK-LABEL: func.func @long_rows
// CHECK: %[[A:.*]] = "ttnn.slice_static"(%arg0) {{.*}} -> tensor<3x128000xbf16
// CHECK: %[[PARTS:.*]] = "ttnn.reshape"({{.*}}) <{shape = [3 : i32, 250 : i32, 512 : i32]}>
// CHECK-NEXT: %[[B:.*]] = "ttnn.slice_static"(%arg0) {{.*}} -> tensor<3x128000xbf16
// CHECK: %[[OTHERS:.*]] = "ttnn.reshape"({{.*}}) <{shape = [3 : i32, 250 : i32, 512 : i32]}>
// CHECK-NEXT: %[[ALL:.*]] = "ttnn.concat"(%[[PARTS]], %[[OTHERS]]) <{dim = 1 : si32}>
// CHECK-NEXT: "ttnn.reshape"(%[[ALL]]) <{shape = [1500 : i32, 512 : i32]}>
func.func @long_rows(%x: tensor<3x256000xbf16, #bf16_3x256000>) -> tensor<3xui32, #u32_3> {
  %0 = "ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = false}> : (tensor<3x256000xbf16, #bf16_3x256000>) -> tensor<3xui32, #u32_3>
  return %0 : tensor<3xui32, #u32_3>
}

// The order of elements is the same in f32, which frameworks cast logits to.
// CHECK-LABEL: func.func @cast(
// CHECK-NOT: "ttnn.typecast"(%arg0)
// CHECK: "ttnn.max"({{.*}}xbf16
func.func @cast(%x: tensor<8x32768xbf16, #bf16_8x32768_tiles>) -> tensor<8xui32, #u32_8> {
  %0 = "ttnn.typecast"(%x) : (tensor<8x32768xbf16, #bf16_8x32768_tiles>) -> tensor<8x32768xf32, #f32_8x32768_tiles>
  %1 = "ttnn.to_layout"(%0) : (tensor<8x32768xf32, #f32_8x32768_tiles>) -> tensor<8x32768xf32, #f32_8x32768>
  %2 = "ttnn.argmax"(%1) <{dim = 1 : si32, keep_dim = false}> : (tensor<8x32768xf32, #f32_8x32768>) -> tensor<8xui32, #u32_8>
  return %2 : tensor<8xui32, #u32_8>
}

// CHECK-LABEL: func.func @cast_few
// CHECK-NEXT: %[[ROWS:.*]] = "ttnn.to_layout"(%arg0) : {{.*}} -> tensor<2048x128xbf16
// CHECK-NEXT: "ttnn.argmax"(%[[ROWS]])
func.func @cast_few(%x: tensor<2048x128xbf16, #bf16_2048x128_tiles>) -> tensor<2048xui32, #u32_2048> {
  %0 = "ttnn.to_layout"(%x) : (tensor<2048x128xbf16, #bf16_2048x128_tiles>) -> tensor<2048x128xf32, #f32_2048x128>
  %1 = "ttnn.argmax"(%0) <{dim = 1 : si32, keep_dim = false}> : (tensor<2048x128xf32, #f32_2048x128>) -> tensor<2048xui32, #u32_2048>
  return %1 : tensor<2048xui32, #u32_2048>
}

// Whole numbers may be others as bf16.
// CHECK-LABEL: func.func @cast_numbers
// CHECK-NEXT: "ttnn.typecast"(%arg0)
// CHECK-NEXT: "ttnn.to_layout"
// CHECK-NEXT: "ttnn.argmax"
func.func @cast_numbers(%x: tensor<8x32768xsi32, #si32_8x32768_tiles>) -> tensor<8xui32, #u32_8> {
  %0 = "ttnn.typecast"(%x) : (tensor<8x32768xsi32, #si32_8x32768_tiles>) -> tensor<8x32768xf32, #f32_8x32768_tiles>
  %1 = "ttnn.to_layout"(%0) : (tensor<8x32768xf32, #f32_8x32768_tiles>) -> tensor<8x32768xf32, #f32_8x32768>
  %2 = "ttnn.argmax"(%1) <{dim = 1 : si32, keep_dim = false}> : (tensor<8x32768xf32, #f32_8x32768>) -> tensor<8xui32, #u32_8>
  return %2 : tensor<8xui32, #u32_8>
}

// Tiles of f32 are compared with fewer bits than elements have.
// CHECK-LABEL: func.func @floats_are_left
// CHECK-NEXT: "ttnn.argmax"(%arg0)
// CHECK-NEXT: return
func.func @floats_are_left(%x: tensor<8x32768xf32, #f32_8x32768>) -> tensor<8xui32, #u32_8> {
  %0 = "ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = false}> : (tensor<8x32768xf32, #f32_8x32768>) -> tensor<8xui32, #u32_8>
  return %0 : tensor<8xui32, #u32_8>
}

// No whole tiles make so many columns, so they are filled up with what is never the first maximum.
// CHECK-LABEL: func.func @odd_columns
// CHECK: %[[FILLED:.*]] = "ttnn.pad"(%arg0) <{padding = array<i32: 0, 0, 0, 253>, use_multicore = true, value = 0xFF800000 : f32}> : {{.*}} -> tensor<8x33024xbf16
// CHECK-NEXT: "ttnn.reshape"(%[[FILLED]]) <{shape = [{{.*}}]}>
func.func @odd_columns(%x: tensor<8x32771xbf16, #bf16_8x32771>) -> tensor<8xui32, #u32_8> {
  %0 = "ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = false}> : (tensor<8x32771xbf16, #bf16_8x32771>) -> tensor<8xui32, #u32_8>
  return %0 : tensor<8xui32, #u32_8>
}

// Rows that fill their tiles are cut by two permutes, which turn tiles, and views.
// CHECK-LABEL: func.func @full_tiles
// CHECK: %[[TURNED:.*]] = "ttnn.permute"(%arg0) <{permutation = array<i64: 1, 0>}> : {{.*}} -> tensor<32768x32xbf16
// CHECK-NEXT: %[[PARTS:.*]] = "ttnn.reshape"(%[[TURNED]]) <{shape = [128 : i32, 256 : i32, 32 : i32]}>
// CHECK-NEXT: %[[BACK:.*]] = "ttnn.permute"(%[[PARTS]]) <{permutation = array<i64: 0, 2, 1>}>
// CHECK-NEXT: %[[TABLE:.*]] = "ttnn.reshape"(%[[BACK]]) <{shape = [4096 : i32, 256 : i32]}>
// CHECK-NEXT: %[[MAX:.*]] = "ttnn.max"(%[[TABLE]])
// CHECK-NEXT: %[[TURNED:.*]] = "ttnn.permute"(%[[MAX]])
// CHECK-NEXT: %[[LINE:.*]] = "ttnn.to_layout"(%[[TURNED]])
// CHECK-NEXT: %[[MAXIMA:.*]] = "ttnn.reshape"(%[[LINE]]) <{shape = [128 : i32, 32 : i32]}>
// CHECK: "ttnn.permute"
// CHECK: "ttnn.argmax"{{.*}} -> tensor<32x1xui32
// CHECK: "ttnn.multiply"
// CHECK: "ttnn.add"
// CHECK: "ttnn.embedding"
// CHECK: "ttnn.argmax"{{.*}} -> tensor<32x1xui32
func.func @full_tiles(%x: tensor<32x32768xbf16, #bf16_32x32768>) -> tensor<32xui32, #u32_32> {
  %0 = "ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = false}> : (tensor<32x32768xbf16, #bf16_32x32768>) -> tensor<32xui32, #u32_32>
  return %0 : tensor<32xui32, #u32_32>
}

// CHECK-LABEL: func.func @full_tiles_of_odd_columns
// CHECK: "ttnn.pad"(%arg0)
// CHECK: "ttnn.permute"
func.func @full_tiles_of_odd_columns(%x: tensor<32x32771xbf16, #bf16_32x32771>) -> tensor<32xui32, #u32_32> {
  %0 = "ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = false}> : (tensor<32x32771xbf16, #bf16_32x32771>) -> tensor<32xui32, #u32_32>
  return %0 : tensor<32xui32, #u32_32>
}

// Positions that were cut out of tiles come as rows, so that tiles would be made for the permutes alone.
// CHECK-LABEL: func.func @cut_out
// CHECK-NOT: "ttnn.permute"
// CHECK: "ttnn.reshape"({{.*}}) <{shape = [4096 : i32, 256 : i32]}>
func.func @cut_out(%x: tensor<64x32768xbf16, #bf16_64x32768>) -> tensor<32xui32, #u32_32> {
  %0 = "ttnn.slice_static"(%x) <{begins = [7 : i32, 0 : i32], ends = [39 : i32, 32768 : i32], step = [1 : i32, 1 : i32]}> : (tensor<64x32768xbf16, #bf16_64x32768>) -> tensor<32x32768xbf16, #bf16_32x32768>
  %1 = "ttnn.argmax"(%0) <{dim = 1 : si32, keep_dim = false}> : (tensor<32x32768xbf16, #bf16_32x32768>) -> tensor<32xui32, #u32_32>
  return %1 : tensor<32xui32, #u32_32>
}

// CHECK-LABEL: func.func @few_columns_are_left
// CHECK-NEXT: "ttnn.argmax"(%arg0)
// CHECK-NEXT: return
func.func @few_columns_are_left(%x: tensor<2048x128xbf16, #bf16_2048x128>) -> tensor<2048xui32, #u32_2048> {
  %0 = "ttnn.argmax"(%x) <{dim = 1 : si32, keep_dim = false}> : (tensor<2048x128xbf16, #bf16_2048x128>) -> tensor<2048xui32, #u32_2048>
  return %0 : tensor<2048xui32, #u32_2048>
}

// CHECK-LABEL: func.func @another_dimension_is_left
// CHECK-NEXT: "ttnn.argmax"(%arg0)
// CHECK-NEXT: return
func.func @another_dimension_is_left(%x: tensor<4096x64xbf16, #bf16_4096x64>) -> tensor<1x64xui32, #u32_1x64> {
  %0 = "ttnn.argmax"(%x) <{dim = 0 : si32, keep_dim = true}> : (tensor<4096x64xbf16, #bf16_4096x64>) -> tensor<1x64xui32, #u32_1x64>
  return %0 : tensor<1x64xui32, #u32_1x64>
}
