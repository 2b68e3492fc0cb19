// Elements of rows that are looked up by the number of the row and the place in it are gathered in tiles.
// RUN: tessera-opt --ttnn-rewrite=rewrites=none,+elements %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: tessera verify %s %t.mlir

#dram = #ttnn.buffer_type<dram>

#table = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<64x128xbf16, #dram>, <interleaved>>
#wide = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<64x128xf32, #dram>, <interleaved>>
#own = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, memref<64x128xbf16, #dram>, <interleaved>>
#ownindex = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, memref<64x8xsi32, #dram>, <interleaved>>
#one = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x64xsi32, #dram>, <interleaved>>
#some = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x32xsi32, #dram>, <interleaved>>
#unit = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x1xsi32, #dram>, <interleaved>>
#many = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x8xsi32, #dram>, <interleaved>>
#index = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, memref<1x512xsi32, #dram>, <interleaved>>
#both = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 2 + d1, d2), <1x1>, memref<2x512xsi32, #dram>, <interleaved>>
#flat = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x512xbf16, #dram>, <interleaved>>
#flatwide = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x512xf32, #dram>, <interleaved>>
#halfunit = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x1xsi32, #dram>, <interleaved>>
#halfmany = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x8xsi32, #dram>, <interleaved>>
#halfindex = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, memref<1x256xsi32, #dram>, <interleaved>>
#halfboth = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 2 + d1, d2), <1x1>, memref<2x256xsi32, #dram>, <interleaved>>
#halfflat = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x256xbf16, #dram>, <interleaved>>
#halfrows = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x8xbf16, #dram>, <interleaved>>
#found = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x8xbf16, #dram>, <interleaved>>

// The index is kept within its row as rows_gather keeps it.
// CHECK-LABEL: func.func @whole(
// CHECK: "ttnn.clamp_scalar"({{.*}}) <{max = 127 : i32, min = 0 : i32}>
// CHECK: "ttnn.gather"({{.*}}) <{dim = 1 : si32{{.*}} : (tensor<64x128xbf16, {{.*}}>, tensor<64x8xui32, {{.*}}>) -> tensor<64x8xbf16
// CHECK-NOT: ttnn.rows_gather
// CHECK: return
func.func @whole(%x: tensor<1x64x128xbf16, #table>, %places: tensor<1x1x512xsi32, #index>) -> tensor<1x512xbf16, #flat> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %counted = "ttnn.arange"(%d) <{start = 0 : i64, end = 64 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<64xsi32, #one>
  %column = "ttnn.reshape"(%counted) <{shape = [64 : i32, 1 : i32]}> : (tensor<64xsi32, #one>) -> tensor<64x1xsi32, #unit>
  %each = "ttnn.repeat"(%column) <{repeat_dims = #ttnn.shape<1x8>}> : (tensor<64x1xsi32, #unit>) -> tensor<64x8xsi32, #many>
  %row = "ttnn.reshape"(%each) <{shape = [1 : i32, 1 : i32, 512 : i32]}> : (tensor<64x8xsi32, #many>) -> tensor<1x1x512xsi32, #index>
  %index = "ttnn.concat"(%row, %places) <{dim = 1 : si32}> : (tensor<1x1x512xsi32, #index>, tensor<1x1x512xsi32, #index>) -> tensor<1x2x512xsi32, #both>
  %found = "ttnn.rows_gather"(%x, %index) <{column = true, fill_out_of_bounds = false, sizes = array<i64: 64, 128>, windows = array<i64: 1, 1>}> : (tensor<1x64x128xbf16, #table>, tensor<1x2x512xsi32, #both>) -> tensor<1x512xbf16, #flat>
  return %found : tensor<1x512xbf16, #flat>
}

// What has no sign has one while it is kept there: no library since October 2026 clamps integers without.
// CHECK-LABEL: func.func @unsigned(
// CHECK: "ttnn.typecast"({{.*}}) : (tensor<64x8xui32, {{.*}}>) -> tensor<64x8xsi32
// CHECK: "ttnn.clamp_scalar"({{.*}}) <{max = 127 : i32, min = 0 : i32}> : (tensor<64x8xsi32
// CHECK: "ttnn.gather"({{.*}}tensor<64x8xui32
// CHECK: return
#uone = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x64xui32, #dram>, <interleaved>>
#uunit = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x1xui32, #dram>, <interleaved>>
#umany = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x8xui32, #dram>, <interleaved>>
#uindex = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 + d1, d2), <1x1>, memref<1x512xui32, #dram>, <interleaved>>
#uboth = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 2 + d1, d2), <1x1>, memref<2x512xui32, #dram>, <interleaved>>
func.func @unsigned(%x: tensor<1x64x128xbf16, #table>, %places: tensor<1x1x512xui32, #uindex>) -> tensor<1x512xbf16, #flat> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %counted = "ttnn.arange"(%d) <{start = 0 : i64, end = 64 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<64xui32, #uone>
  %column = "ttnn.reshape"(%counted) <{shape = [64 : i32, 1 : i32]}> : (tensor<64xui32, #uone>) -> tensor<64x1xui32, #uunit>
  %each = "ttnn.repeat"(%column) <{repeat_dims = #ttnn.shape<1x8>}> : (tensor<64x1xui32, #uunit>) -> tensor<64x8xui32, #umany>
  %row = "ttnn.reshape"(%each) <{shape = [1 : i32, 1 : i32, 512 : i32]}> : (tensor<64x8xui32, #umany>) -> tensor<1x1x512xui32, #uindex>
  %index = "ttnn.concat"(%row, %places) <{dim = 1 : si32}> : (tensor<1x1x512xui32, #uindex>, tensor<1x1x512xui32, #uindex>) -> tensor<1x2x512xui32, #uboth>
  %found = "ttnn.rows_gather"(%x, %index) <{column = true, fill_out_of_bounds = false, sizes = array<i64: 64, 128>, windows = array<i64: 1, 1>}> : (tensor<1x64x128xbf16, #table>, tensor<1x2x512xui32, #uboth>) -> tensor<1x512xbf16, #flat>
  return %found : tensor<1x512xbf16, #flat>
}

// Parts of the rows, one after the other, are one gather.
// CHECK-LABEL: func.func @parts(
// CHECK-COUNT-1: "ttnn.gather"({{.*}} : (tensor<64x128xbf16, {{.*}}>, tensor<64x8xui32, {{.*}}>) -> tensor<64x8xbf16
// CHECK-NOT: {{ttnn.rows_gather|"ttnn.gather"}}
// CHECK: return
func.func @parts(%x: tensor<1x64x128xbf16, #table>, %a: tensor<1x1x256xsi32, #halfindex>, %b: tensor<1x1x256xsi32, #halfindex>) -> tensor<64x8xbf16, #found> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %c0 = "ttnn.arange"(%d) <{start = 0 : i64, end = 32 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<32xsi32, #some>
  %u0 = "ttnn.reshape"(%c0) <{shape = [32 : i32, 1 : i32]}> : (tensor<32xsi32, #some>) -> tensor<32x1xsi32, #halfunit>
  %e0 = "ttnn.repeat"(%u0) <{repeat_dims = #ttnn.shape<1x8>}> : (tensor<32x1xsi32, #halfunit>) -> tensor<32x8xsi32, #halfmany>
  %r0 = "ttnn.reshape"(%e0) <{shape = [1 : i32, 1 : i32, 256 : i32]}> : (tensor<32x8xsi32, #halfmany>) -> tensor<1x1x256xsi32, #halfindex>
  %i0 = "ttnn.concat"(%r0, %a) <{dim = 1 : si32}> : (tensor<1x1x256xsi32, #halfindex>, tensor<1x1x256xsi32, #halfindex>) -> tensor<1x2x256xsi32, #halfboth>
  %f0 = "ttnn.rows_gather"(%x, %i0) <{column = true, fill_out_of_bounds = false, sizes = array<i64: 64, 128>, windows = array<i64: 1, 1>}> : (tensor<1x64x128xbf16, #table>, tensor<1x2x256xsi32, #halfboth>) -> tensor<1x256xbf16, #halfflat>
  %p0 = "ttnn.reshape"(%f0) <{shape = [32 : i32, 8 : i32]}> : (tensor<1x256xbf16, #halfflat>) -> tensor<32x8xbf16, #halfrows>
  %c1 = "ttnn.arange"(%d) <{start = 32 : i64, end = 64 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<32xsi32, #some>
  %u1 = "ttnn.reshape"(%c1) <{shape = [32 : i32, 1 : i32]}> : (tensor<32xsi32, #some>) -> tensor<32x1xsi32, #halfunit>
  %e1 = "ttnn.repeat"(%u1) <{repeat_dims = #ttnn.shape<1x8>}> : (tensor<32x1xsi32, #halfunit>) -> tensor<32x8xsi32, #halfmany>
  %r1 = "ttnn.reshape"(%e1) <{shape = [1 : i32, 1 : i32, 256 : i32]}> : (tensor<32x8xsi32, #halfmany>) -> tensor<1x1x256xsi32, #halfindex>
  %i1 = "ttnn.concat"(%r1, %b) <{dim = 1 : si32}> : (tensor<1x1x256xsi32, #halfindex>, tensor<1x1x256xsi32, #halfindex>) -> tensor<1x2x256xsi32, #halfboth>
  %f1 = "ttnn.rows_gather"(%x, %i1) <{column = true, fill_out_of_bounds = false, sizes = array<i64: 64, 128>, windows = array<i64: 1, 1>}> : (tensor<1x64x128xbf16, #table>, tensor<1x2x256xsi32, #halfboth>) -> tensor<1x256xbf16, #halfflat>
  %p1 = "ttnn.reshape"(%f1) <{shape = [32 : i32, 8 : i32]}> : (tensor<1x256xbf16, #halfflat>) -> tensor<32x8xbf16, #halfrows>
  %all = "ttnn.concat"(%p0, %p1) <{dim = 0 : si32}> : (tensor<32x8xbf16, #halfrows>, tensor<32x8xbf16, #halfrows>) -> tensor<64x8xbf16, #found>
  return %all : tensor<64x8xbf16, #found>
}

// Each row is a table of its own.
// CHECK-LABEL: func.func @own(
// CHECK: "ttnn.gather"({{.*}} : (tensor<64x128xbf16, {{.*}}>, tensor<64x8xui32, {{.*}}>) -> tensor<64x8xbf16
// CHECK-NOT: ttnn.rows_gather
// CHECK: return
func.func @own(%x: tensor<64x1x128xbf16, #own>, %places: tensor<64x1x8xsi32, #ownindex>) -> tensor<64x8xbf16, #found> {
  %found = "ttnn.rows_gather"(%x, %places) <{column = true, fill_out_of_bounds = false, sizes = array<i64: 128>, windows = array<i64: 1>}> : (tensor<64x1x128xbf16, #own>, tensor<64x1x8xsi32, #ownindex>) -> tensor<64x8xbf16, #found>
  return %found : tensor<64x8xbf16, #found>
}

// Of the second row as of all: its elements alone are no rows that follow each other.
// CHECK-LABEL: func.func @strided(
// CHECK: ttnn.rows_gather
// CHECK-NOT: "ttnn.gather"
// CHECK: return
func.func @strided(%x: tensor<1x64x128xbf16, #table>, %places: tensor<1x1x512xsi32, #index>) -> tensor<1x512xbf16, #flat> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %counted = "ttnn.arange"(%d) <{start = 0 : i64, end = 128 : i64, step = 2 : i64}> : (!ttnn.device) -> tensor<64xsi32, #one>
  %column = "ttnn.reshape"(%counted) <{shape = [64 : i32, 1 : i32]}> : (tensor<64xsi32, #one>) -> tensor<64x1xsi32, #unit>
  %each = "ttnn.repeat"(%column) <{repeat_dims = #ttnn.shape<1x8>}> : (tensor<64x1xsi32, #unit>) -> tensor<64x8xsi32, #many>
  %row = "ttnn.reshape"(%each) <{shape = [1 : i32, 1 : i32, 512 : i32]}> : (tensor<64x8xsi32, #many>) -> tensor<1x1x512xsi32, #index>
  %index = "ttnn.concat"(%row, %places) <{dim = 1 : si32}> : (tensor<1x1x512xsi32, #index>, tensor<1x1x512xsi32, #index>) -> tensor<1x2x512xsi32, #both>
  %found = "ttnn.rows_gather"(%x, %index) <{column = true, fill_out_of_bounds = false, sizes = array<i64: 64, 128>, windows = array<i64: 1, 1>}> : (tensor<1x64x128xbf16, #table>, tensor<1x2x512xsi32, #both>) -> tensor<1x512xbf16, #flat>
  return %found : tensor<1x512xbf16, #flat>
}

// What is filled where nothing stands is told from what is kept within the row.
// CHECK-LABEL: func.func @filled(
// CHECK: ttnn.rows_gather
// CHECK-NOT: "ttnn.gather"
// CHECK: return
func.func @filled(%x: tensor<1x64x128xf32, #wide>, %places: tensor<1x1x512xsi32, #index>) -> tensor<1x512xf32, #flatwide> {
  %d = "ttnn.get_device"() <{mesh_shape = #ttnn<mesh_shape 1x1>}> : () -> !ttnn.device
  %counted = "ttnn.arange"(%d) <{start = 0 : i64, end = 64 : i64, step = 1 : i64}> : (!ttnn.device) -> tensor<64xsi32, #one>
  %column = "ttnn.reshape"(%counted) <{shape = [64 : i32, 1 : i32]}> : (tensor<64xsi32, #one>) -> tensor<64x1xsi32, #unit>
  %each = "ttnn.repeat"(%column) <{repeat_dims = #ttnn.shape<1x8>}> : (tensor<64x1xsi32, #unit>) -> tensor<64x8xsi32, #many>
  %row = "ttnn.reshape"(%each) <{shape = [1 : i32, 1 : i32, 512 : i32]}> : (tensor<64x8xsi32, #many>) -> tensor<1x1x512xsi32, #index>
  %index = "ttnn.concat"(%row, %places) <{dim = 1 : si32}> : (tensor<1x1x512xsi32, #index>, tensor<1x1x512xsi32, #index>) -> tensor<1x2x512xsi32, #both>
  %found = "ttnn.rows_gather"(%x, %index) <{column = true, fill_out_of_bounds = true, sizes = array<i64: 64, 128>, windows = array<i64: 1, 1>}> : (tensor<1x64x128xf32, #wide>, tensor<1x2x512xsi32, #both>) -> tensor<1x512xf32, #flatwide>
  return %found : tensor<1x512xf32, #flatwide>
}
