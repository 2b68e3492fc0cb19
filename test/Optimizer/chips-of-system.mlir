// A model for one chip on a board of two is planned for that one, whatever the other has; one for both for the cores that both have.
// RUN: tessera optimize %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE
// ONE: device system_desc, policy
// RUN: tessera export %s --python %t && grep -q forward %t/main.py
// RUN: sed 's/meshShape = 1x1, chipIds = \[0\]/meshShape = 1x2, chipIds = [0, 1]/; s/workerGrid = #ttcore.grid<9x8>/workerGrid = #ttcore.grid<8x8>/' %s > %t.both.mlir
// RUN: tessera optimize %t.both.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: device n300, policy
// RUN: sed 's/meshShape = 1x1, chipIds = \[0\]/meshShape = 1x2, chipIds = [0, 1]/' %s > %t.larger.mlir
// RUN: not tessera optimize %t.larger.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=LARGER
// LARGER: error: {{.*}} has a worker grid of 9x8, and a chip of the system description one of 8x8

#system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64"}], [{arch = <wormhole_b0>, grid = 9x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, supported_data_types = [<f32>], supported_tile_sizes = [32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [], dram_bank_to_logical_worker_noc1 = []}, {arch = <wormhole_b0>, grid = 8x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, supported_data_types = [<f32>], supported_tile_sizes = [32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [], dram_bank_to_logical_worker_noc1 = []}], [0, 1], [1 : i32, 0 : i32], [0x0x0x0, 0x0x0x1]>
#dram = #ttnn.buffer_type<dram>
#t = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x2x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
module attributes {ttcore.system_desc = #system_desc} {
  ttcore.device @default_device = <workerGrid = #ttcore.grid<9x8>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2), dramMap = (d0, d1, d2)[s0, s1] -> (0, 0, d0, d1), meshShape = 1x1, chipIds = [0]>
  func.func @main(%x: tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t> {
    %0 = "ttnn.relu"(%x) : (tensor<64x64xbf16, #t>) -> tensor<64x64xbf16, #t>
    return %0 : tensor<64x64xbf16, #t>
  }
}
