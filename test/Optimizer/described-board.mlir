// A board that was named and is described with fewer cores is the one that is described: layouts on the others would run nowhere.

// RUN: tessera optimize %s --device p150 -o %t 2>&1 | FileCheck %s
// CHECK: remark: the module's ttcore.system_desc describes a p150 with 10x11 of its 10x13 cores; layouts are decided for those
// CHECK: device          system_desc
// RUN: tessera optimize %s -q -o - | diff - %t
// RUN: tessera verify %s %t
// RUN: tessera verify %s %t --device p150
// RUN: tessera replay %t --device p150 | FileCheck %s --check-prefix=REPLAY
// REPLAY: on system_desc

// Who asks for another board gets it, and is told whom to tell. What was planned for more cores does not run on those that are described.
// RUN: tessera optimize %s --device n150 -q -o %t.n150 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: warning: {{.*}}describes a grid of 10x11 cores; layouts are decided for n150 with 8x8, and other commands need --device n150, too, to read them
// RUN: sed 's/ttcore.system_desc/tessera.of_nothing/' %s | tessera optimize - --device p150 --override-output-layout 'relu=10x13:l1:block_sharded' -q -o - \
// RUN:   | sed 's/tessera.of_nothing/ttcore.system_desc/' > %t.p150
// RUN: not tessera verify %s %t.p150 2>&1 | FileCheck %s --check-prefix=CORES
// CORES: its shards reach to core (12, 9), and system_desc {{.*}}has 11 columns and 10 rows of them: the program is another device's (--device)

#dram = #ttnn.buffer_type<dram>
#layout = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<40x52x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
!t = tensor<1280x1664xbf16, #layout>
module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux"}], [{arch = <blackhole>, grid = 10x11, coord_translation_offsets = 2x1, l1_size = 1572864, num_dram_channels = 8, dram_channel_size = 4278190080, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 64, noc_dram_address_align_bytes = 64, l1_unreserved_base = 177280, erisc_l1_unreserved_base = 88896, dram_unreserved_base = 1048704, dram_unreserved_end = 4275530880, supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x8, dram_bank_to_logical_worker_noc0 = [(9, 0), (0, 0), (7, 0), (3, 0), (9, 6), (1, 6), (6, 6), (4, 6)], dram_bank_to_logical_worker_noc1 = [(0, 0), (8, 0), (2, 0), (5, 0), (0, 6), (8, 6), (2, 6), (5, 6)]}], [0], [1 : i32], [ 0x0x0x0]>} {
  func.func @f(%x: !t) -> !t {
    %0 = "ttnn.relu"(%x) : (!t) -> !t loc("relu")
    %1 = "ttnn.exp"(%0) : (!t) -> !t
    return %1 : !t
  }
}
