// Results of another type than that of the operands are cast where the library makes no others, and says nothing of it.

// RUN: tessera optimize %s -q -o %t
// RUN: FileCheck %s --check-prefixes=CHECK,AUGUST < %t
// RUN: tessera verify --structure %s %t
// RUN: tessera verify %s %t --against exact | FileCheck %s --check-prefix=EXACT
// EXACT: as exact as the input
// RUN: tessera optimize %s -q --backend-version october-2026 -o - | FileCheck %s --check-prefixes=CHECK,OCTOBER
// RUN: tessera optimize %s -q --backend-version pinned -o - | FileCheck %s --check-prefix=PINNED
// PINNED-NOT: ttnn.typecast
// PINNED: @chosen

// CHECK-LABEL: @quotient
// AUGUST: "ttnn.divide"({{.*}}) -> tensor<64x128xf32
// AUGUST: "ttnn.typecast"({{.*}}) -> tensor<64x128xbf16
// OCTOBER: "ttnn.divide"({{.*}}) -> tensor<64x128xbf16
// OCTOBER-NOT: ttnn.typecast
// CHECK-LABEL: @whole
// AUGUST: "ttnn.divide"({{.*}}) -> tensor<64x128xf32
// AUGUST: "ttnn.typecast"({{.*}}) -> tensor<64x128xsi32
// OCTOBER: "ttnn.divide"({{.*}}) -> tensor<64x128xsi32
// CHECK-LABEL: @greater
// CHECK: "ttnn.maximum"({{.*}}) -> tensor<64x128xf32
// CHECK: "ttnn.typecast"({{.*}}) -> tensor<64x128xbf16
// CHECK-LABEL: @wider
// CHECK: "ttnn.minimum"({{.*}}) -> tensor<64x128xbf16
// CHECK: "ttnn.typecast"({{.*}}) -> tensor<64x128xf32
// Functions of one tensor keep its type as well.
// CHECK-LABEL: @finite
// CHECK: "ttnn.isfinite"({{.*}}) -> tensor<64x128xf32
// CHECK: "ttnn.typecast"({{.*}}) -> tensor<64x128xbf16
// Quotients without a sign are cast as well: `searchsorted` of JAX halves what it searches by one.
// CHECK-LABEL: @unsigned
// AUGUST: "ttnn.divide"({{.*}}) -> tensor<64x128xf32
// AUGUST: "ttnn.typecast"({{.*}}) -> tensor<64x128xui32
// Shifts, and what goes bit by bit, keep the type of their operands: bytes come of words by a cast.
// CHECK-LABEL: @nibbles
// CHECK: "ttnn.logical_right_shift"({{.*}}) -> tensor<64x128xui32
// CHECK: "ttnn.typecast"({{.*}}) -> tensor<64x128xui8
// CHECK: "ttnn.bitwise_and"({{.*}}) -> tensor<64x128xui32
// CHECK: "ttnn.typecast"({{.*}}) -> tensor<64x128xsi32
// The first operand's type it is, sums have the type that is asked for, and so have quotients of what is asked for.
// CHECK-LABEL: @same
// CHECK-NOT: ttnn.typecast
// Indices have no sign, 16 bits if that is enough and they are not those of f32; a typecast reads what is made.
// CHECK-LABEL: @chosen
// CHECK: "ttnn.topk"({{.*}}) -> (tensor<32x8xf32, {{.*}}>, tensor<32x8xui32
// CHECK: "ttnn.typecast"({{.*}}ui32{{.*}}) -> tensor<32x8xsi32
// CHECK: "ttnn.topk"({{.*}}) -> (tensor<32x8xbf16, {{.*}}>, tensor<32x8xui16
// CHECK: "ttnn.typecast"({{.*}}ui16{{.*}}) -> tensor<32x8xsi32
// Only October 2026 keeps the order of equal elements, which does not matter where nobody asks for it.
// CHECK-LABEL: @sorted
// AUGUST: "ttnn.sort"({{.*}}) <{descending = false, dim = -1 : i32, stable = false}>
// OCTOBER: "ttnn.sort"({{.*}}) <{descending = false, dim = -1 : i32, stable = true}>
// CHECK: "ttnn.sort"({{.*}}) <{descending = true, dim = -1 : i32, stable = true}> {{.*}} tensor<32x1024xui16

#dram = #ttnn.buffer_type<dram>
#wide = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#narrow = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
!wide = tensor<64x128xf32, #wide>
!narrow = tensor<64x128xbf16, #narrow>

func.func @quotient(%a: !wide, %b: !wide) -> !narrow {
  %0 = "ttnn.divide"(%a, %b) : (!wide, !wide) -> !narrow
  return %0 : !narrow
}

#numbers = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
!numbers = tensor<64x128xsi32, #numbers>
func.func @whole(%a: !wide, %b: !numbers) -> !numbers {
  %0 = "ttnn.divide"(%a, %b) : (!wide, !numbers) -> !numbers
  return %0 : !numbers
}

func.func @greater(%a: !wide, %b: !wide) -> !narrow {
  %0 = "ttnn.maximum"(%a, %b) : (!wide, !wide) -> !narrow
  %1 = "ttnn.relu"(%0) : (!narrow) -> !narrow
  return %1 : !narrow
}

func.func @wider(%a: !narrow, %b: !narrow) -> !wide {
  %0 = "ttnn.minimum"(%a, %b) : (!narrow, !narrow) -> !wide
  return %0 : !wide
}

func.func @finite(%a: !wide) -> !narrow {
  %0 = "ttnn.isfinite"(%a) : (!wide) -> !narrow
  return %0 : !narrow
}

#words = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, u32>, #dram>, <interleaved>>
#bytes = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x4x!ttcore.tile<32x32, u8>, #dram>, <interleaved>>
!words = tensor<64x128xui32, #words>
!bytes = tensor<64x128xui8, #bytes>
func.func @unsigned(%a: !wide, %b: !words) -> !words {
  %0 = "ttnn.divide"(%a, %b) : (!wide, !words) -> !words
  return %0 : !words
}

func.func @nibbles(%a: !words, %b: !words) -> (!bytes, !numbers) {
  %0 = "ttnn.logical_right_shift"(%a, %b) : (!words, !words) -> !bytes
  %1 = "ttnn.bitwise_and"(%a, %b) : (!words, !words) -> !numbers
  return %0, %1 : !bytes, !numbers
}

func.func @same(%a: !wide, %b: !wide, %c: !narrow) -> (!wide, !narrow, !wide) {
  %0 = "ttnn.maximum"(%a, %b) : (!wide, !wide) -> !wide
  %1 = "ttnn.add"(%a, %b) : (!wide, !wide) -> !narrow
  %2 = "ttnn.divide"(%a, %c) : (!wide, !narrow) -> !wide
  return %0, %1, %2 : !wide, !narrow, !wide
}

#values = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#best = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, f32>, #dram>, <interleaved>>
#signed = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, si32>, #dram>, <interleaved>>
#short = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#shortest = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#half = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
#halves = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x32x!ttcore.tile<32x32, u16>, #dram>, <interleaved>>
!values = tensor<32x1024xf32, #values>
!best = tensor<32x8xf32, #best>
!signed = tensor<32x8xsi32, #signed>
!short = tensor<32x1024xbf16, #short>
!shortest = tensor<32x8xbf16, #shortest>
!half = tensor<32x8xui16, #half>
!halves = tensor<32x1024xui16, #halves>

func.func @chosen(%x: !values, %y: !short) -> (!best, !signed, !shortest, !signed) {
  %0, %1 = "ttnn.topk"(%x) <{dim = -1 : i32, k = 8 : i32, largest = true, sorted = true}> : (!values) -> (!best, !signed)
  %2, %3 = "ttnn.topk"(%y) <{dim = -1 : i32, k = 8 : i32, largest = true, sorted = true}> : (!short) -> (!shortest, !half)
  %4 = "ttnn.typecast"(%3) : (!half) -> !signed
  return %0, %1, %2, %4 : !best, !signed, !shortest, !signed
}

func.func @sorted(%x: !short) -> (!short, !short, !halves) {
  %0, %1 = "ttnn.sort"(%x) <{descending = false, dim = -1 : i32, stable = true}> : (!short) -> (!short, !halves)
  %2, %3 = "ttnn.sort"(%x) <{descending = true, dim = -1 : i32, stable = true}> : (!short) -> (!short, !halves)
  return %0, %2, %3 : !short, !short, !halves
}
