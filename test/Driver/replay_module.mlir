// A module as it stands gets the addresses that the device's allocator would give it. Each tensor takes 131,072 bytes of every
// core's L1: ten of them leave 17,216 between base and the lowest, of the 1,327,936 that tt-mlir's L1_SMALL leaves.
//
// RUN: split-file %s %t
// RUN: tessera replay %t/fits.mlir | FileCheck %s --check-prefix=FITS
// FITS:      @fits on n150: L1 105664..1433600, L1_SMALL from there to 1499136
// FITS-NEXT: step op {{ *}}result in L1 {{ *}}at {{ *}}temporary {{ *}}circular buffers {{ *}}lowest
// FITS:      a {{ *}}l1/interleaved{{.*}} 1302528..1433600 {{ *}}105664..1{{[0-9]+}} {{ *}}1302528
// b is made while a lives, so it lies below; c lies where a was, and d below b, for c still lives.
// FITS-NEXT: b {{ *}}l1/interleaved{{.*}} 1171456..1302528 {{.*}}1171456
// FITS-NEXT: c {{ *}}l1/interleaved{{.*}} 1302528..1433600 {{.*}}1171456
// FITS-NEXT: d {{ *}}l1/interleaved{{.*}} 1040384..1171456 {{.*}}1040384
// FITS-NEXT: out {{.*}}1040384
// FITS:      {{^}}tensors 4 of 4 placed, launches 5 of 5 clear{{$}}
//
// Without L1_SMALL, and on another board.
// RUN: tessera replay %t/fits.mlir --l1-small-size 0 | FileCheck %s --check-prefix=SMALL
// SMALL: L1 105664..1499136,
// SMALL: a {{.*}} 1368064..1499136
// RUN: tessera replay %t/fits.mlir --device p150 | FileCheck %s --check-prefix=BOARD
// BOARD: @fits on p150: L1 111488..1507328, L1_SMALL from there to 1572864
//
// Ten tensors, the two highest of them freed: 279,360 bytes are free, but the softmax's 204,800 bytes of circular buffers must
// end below the lowest tensor. With the two lowest freed instead, they do.
// RUN: not tessera replay %t/clash.mlir | FileCheck %s --check-prefix=CLASH
// CLASH:      10 softmax {{ *}}105664..310464 {{ *}}122880{{$}}
// CLASH-NEXT: clash: step 10 (run softmax): circular buffers end at 310464, within t9 (r8, l1/interleaved) at 253952..385024; t10 (r9, l1/interleaved) at 122880..253952{{$}}
// CLASH-NEXT: {{^}}tensors 10 of 10 placed, launches 10 of 11 clear{{$}}
// RUN: sed -e 's/"ttnn.deallocate"(%r0)/"ttnn.deallocate"(%r9)/' -e 's/"ttnn.deallocate"(%r1)/"ttnn.deallocate"(%r8)/' %t/clash.mlir > %t/freed.mlir
// RUN: tessera replay %t/freed.mlir | FileCheck %s --check-prefix=FREED
// FREED: {{^}}tensors 10 of 10 placed, launches 11 of 11 clear{{$}}
//
// An eleventh has no room.
// RUN: sed -e '/deallocate/d' -e 's/"ttnn.softmax"(%x) <{dimension = 1 : si32, numericStable = false}> : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #dram>/"ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1>/' %t/clash.mlir > %t/full.mlir
// RUN: not tessera replay %t/full.mlir | FileCheck %s --check-prefix=FULL
// FULL: no room: step 10 (run softmax): t11 (softmax, l1/interleaved{{.*}}) takes 131072 bytes; 17216 are free, 17216 in one piece
// FULL-NEXT: {{^}}tensors 10 of 11 placed, launches {{[0-9]+}} of 11 clear{{$}}
//
// RUN: not tessera replay %t/nothing.mlir 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING: {{^}}tessera: error: '{{.*}}nothing.mlir' has no function that runs on the device{{$}}
// NOTHING-NOT: {{.}}
// RUN: not tessera replay 2>&1 | FileCheck %s --check-prefix=NEITHER
// NEITHER: tessera: error: nothing to replay: give a module, or --traces
// RUN: not tessera replay --traces %t --device p150 2>&1 | FileCheck %s --check-prefix=RECORDED
// RECORDED: tessera: error: {{.*}}--device{{.*}}
// RUN: not tessera replay %t/fits.mlir --traces %t 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: tessera: error: {{.*}}traces
// RUN: not tessera replay %t/absent.mlir 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: tessera: error: cannot read '{{.*}}absent.mlir'

//--- fits.mlir
#dram_type = #ttnn.buffer_type<dram>
#l1_type = #ttnn.buffer_type<l1>
#dram = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram_type>, <interleaved>>
#l1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x64x!ttcore.tile<32x32, bf16>, #l1_type>, <interleaved>>
func.func @fits(%x: tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #dram> {
  %a = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("a")
  %b = "ttnn.relu"(%a) : (tensor<2048x2048xbf16, #l1>) -> tensor<2048x2048xbf16, #l1> loc("b")
  "ttnn.deallocate"(%a) : (tensor<2048x2048xbf16, #l1>) -> ()
  %c = "ttnn.relu"(%b) : (tensor<2048x2048xbf16, #l1>) -> tensor<2048x2048xbf16, #l1> loc("c")
  %d = "ttnn.relu"(%c) : (tensor<2048x2048xbf16, #l1>) -> tensor<2048x2048xbf16, #l1> loc("d")
  "ttnn.deallocate"(%c) : (tensor<2048x2048xbf16, #l1>) -> ()
  %out = "ttnn.add"(%b, %d) : (tensor<2048x2048xbf16, #l1>, tensor<2048x2048xbf16, #l1>) -> tensor<2048x2048xbf16, #dram> loc("out")
  return %out : tensor<2048x2048xbf16, #dram>
}

//--- clash.mlir
#dram_type = #ttnn.buffer_type<dram>
#l1_type = #ttnn.buffer_type<l1>
#dram = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x64x!ttcore.tile<32x32, bf16>, #dram_type>, <interleaved>>
#l1 = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <8x8>, memref<1x64x!ttcore.tile<32x32, bf16>, #l1_type>, <interleaved>>
func.func @clash(%x: tensor<2048x2048xbf16, #dram>) {
  %r0 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r0")
  %r1 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r1")
  %r2 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r2")
  %r3 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r3")
  %r4 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r4")
  %r5 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r5")
  %r6 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r6")
  %r7 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r7")
  %r8 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r8")
  %r9 = "ttnn.relu"(%x) : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #l1> loc("r9")
  "ttnn.deallocate"(%r0) : (tensor<2048x2048xbf16, #l1>) -> ()
  "ttnn.deallocate"(%r1) : (tensor<2048x2048xbf16, #l1>) -> ()
  %s = "ttnn.softmax"(%x) <{dimension = 1 : si32, numericStable = false}> : (tensor<2048x2048xbf16, #dram>) -> tensor<2048x2048xbf16, #dram> loc("softmax")
  return
}

//--- nothing.mlir
func.func private @elsewhere()
