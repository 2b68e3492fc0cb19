// Rows come into L1 and become tiles there: made while the rows lie on top, the tiles would stay below the hole that these leave, in the
// way of the norm's circular buffers. So their place is kept since before the rows came.
//
// RUN: tessera optimize --backend-version january-2025 %s --device n150 -o %t.mlir | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s < %t.mlir
// RUN: tessera replay %t.mlir | FileCheck %s --check-prefix=REPLAY
// RUN: tessera verify %s %t.mlir | FileCheck %s --check-prefix=SAME
// RUN: tessera verify --structure %s %t.mlir | FileCheck %s --check-prefix=STRUCTURE
// RUN: tessera optimize --backend-version january-2025 %s --device n150 --policy optimal --certificate %t.json -o %t.optimal.mlir && tessera certify --backend-version january-2025 %s %t.json --device n150
// RUN: FileCheck %s < %t.optimal.mlir
//
// Planned again, a place is kept where the new plan wants one, and no holder is left over.
// RUN: tessera optimize --backend-version january-2025 %t.mlir --policy declared -o %t.again.mlir && FileCheck %s < %t.again.mlir
// RUN: tessera optimize --backend-version january-2025 %t.again.mlir -o - | FileCheck %s
// Decisions say where the place lies, as the tensor need not come to lie there.
// RUN: tessera optimize --backend-version january-2025 %s --device n150 --decisions - -q -o /dev/null | FileCheck %s --check-prefix=HELD
// So it is where the new plan wants none.
// RUN: tessera optimize --backend-version january-2025 %t.mlir --tensor-l1-usage-cap 0.1 -o - | FileCheck %s --check-prefix=NONE
// RUN: tessera export --python %t.program %t.mlir && FileCheck %s --check-prefix=PYTHON < %t.program/main.py

// SUMMARY: estimated time 521 us before, 407 us after
// CHECK-NOT: ttnn.empty
// CHECK: %[[DEVICE:.*]] = "ttnn.get_device"
// CHECK-NEXT: %[[HOLDER:.*]] = "ttnn.empty"(%[[DEVICE]]) <{shape = #ttnn.shape<32x128x2560>}> : (!ttnn.device) -> [[TILES:tensor<.*>]]{{$}}
// CHECK-NEXT: %[[ROWS:.*]] = "ttnn.to_memory_config"(%arg0)
// CHECK: "ttnn.deallocate"(%[[HOLDER]])
// CHECK-NEXT: %[[MADE:.*]] = "ttnn.to_layout"(%[[ROWS]]) {{.*}} -> [[TILES]]{{$}}
// CHECK: "ttnn.rms_norm"(%[[MADE]]
// CHECK-NOT: ttnn.empty
// HELD: "place_address":[{{[0-9]+}},{{[0-9]+}}]
// NONE-NOT: ttnn.empty
// REPLAY: empty_0 {{.*}} [[PLACE:[0-9]+\.\.[0-9]+]]
// REPLAY: to_layout_0 {{.*}} [[PLACE]]
// REPLAY: tensors 3 of 3 placed, launches 3 of 3 clear
// SAME: equal
// STRUCTURE: nothing is lost
// PYTHON: empty_0 = ttnn.empty([32, 128, 2560], ttnn.bfloat16, ttnn.TILE_LAYOUT, device, ttnn.L1_MEMORY_CONFIG)
// PYTHON: del {{.*}}empty_0

#dram = #ttnn.buffer_type<dram>
#rows = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 128 + d1, d2), <1x1>, memref<4096x2560xbf16, #dram>, <interleaved>>
#tiles = #ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 128 + d1, d2), <1x1>, memref<128x80x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#weight = #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, memref<1x80x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
func.func @norm(%rows: tensor<32x128x2560xbf16, #rows>, %weight: tensor<2560xbf16, #weight>) -> tensor<32x128x2560xbf16, #tiles> {
  %tiles = "ttnn.to_layout"(%rows) : (tensor<32x128x2560xbf16, #rows>) -> tensor<32x128x2560xbf16, #tiles>
  %norm = "ttnn.rms_norm"(%tiles, %weight) <{compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4, math_approx_mode = false, fp32_dest_acc_en = true, packer_l1_acc = true>, epsilon = 1.0e-06 : f32, operandSegmentSizes = array<i32: 1, 1, 0>}> : (tensor<32x128x2560xbf16, #tiles>, tensor<2560xbf16, #weight>) -> tensor<32x128x2560xbf16, #tiles>
  return %norm : tensor<32x128x2560xbf16, #tiles>
}
