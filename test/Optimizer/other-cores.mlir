// What was compiled for a device with more cores, and is nobody's to decide, does not run on this one.

// RUN: tessera optimize %s --device n150 -q -o %t 2>&1 | FileCheck %s
// CHECK: warning: '%arg0' keeps its layout on core (11, 0), which n150 does not have: the program is another device's
// RUN: tessera optimize %s --device p150 -q -o %t 2>&1 | count 0
// RUN: tessera verify %s %t --device p150

// Counted row by row core (11, 0) would be core (3, 1): a simulation that took it for that would print numbers.
// RUN: not tessera verify %s %t --device n150 2>&1 | FileCheck %s --check-prefix=VERIFY
// VERIFY: error: an argument of @f: its shards reach to core (11, 0), and n150 has 8 columns and 8 rows of them: the program is another device's (--device)

#l1 = #ttnn.buffer_type<l1>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <12x1>, memref<1x2x!ttcore.tile<32x32, bf16>, #l1>, <height_sharded>, core_ranges = <[#ttnn.core_range<(0,0), (11,0)>]>>
!t = tensor<384x64xbf16, #layout>
func.func @f(%x: !t) -> !t {
  %0 = "ttnn.relu"(%x) : (!t) -> !t
  return %0 : !t
}
