// RUN: tessera-opt %s | tessera-opt | FileCheck %s

// The frame of a module of tt-mlir, and its system description.

// CHECK: #system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64-pc-linux-gnu"}],
// CHECK-SAME: [{arch = <blackhole>, grid = 10x13, coord_translation_offsets = 18x18, l1_size = 1572864,
// CHECK-SAME: supported_data_types = [<f32>, <bf16>], supported_tile_sizes = [ 4x16,  32x32], dst_physical_size_tiles = 16,
// CHECK-SAME: dram_grid = 1x8, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0)], dram_bank_to_logical_worker_noc1 = []}],
// CHECK-SAME: [0, 0], [1 : i32, 0 : i32], [ 0x0x0x0], [<[0, 0, 0], [1, 0, 0]>, <[1, 0, 0], [0, 0, 0]>]>

// Keys of a chip are read in any order: here arch and grid stand last.
module attributes {ttcore.system_desc = #ttcore.system_desc<
    [{target_triple = "x86_64-pc-linux-gnu", role = host}],
    [{coord_translation_offsets = 18x18, l1_size = 1572864, num_dram_channels = 8,
      dram_channel_size = 4278190080, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 64,
      noc_dram_address_align_bytes = 64, l1_unreserved_base = 98304, erisc_l1_unreserved_base = 1024,
      dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, supported_data_types = [<f32>, <bf16>],
      supported_tile_sizes = [4x16, 32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1,
      num_datamovement_threads = 2, dram_grid = 1x8, dram_bank_to_logical_worker_noc0 = [(7, 3), (0, 0)],
      dram_bank_to_logical_worker_noc1 = [], arch = <blackhole>, grid = 10x13}],
    [0, 0], [1 : i32, 0 : i32], [0x0x0x0], [<[0, 0, 0], [1, 0, 0]>, <[1, 0, 0], [0, 0, 0]>]>} {
  // CHECK: ttcore.device_module {
  // CHECK-NEXT: builtin.module {
  ttcore.device_module {
    builtin.module {
      // CHECK: ttcore.device @default_device = <workerGrid = #ttcore.grid<8x8>, dramGrid = #ttcore.grid<1x12>,
      // CHECK-SAME: l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0) -> (d0), meshShape = 1x2, chipIds = [0, 1]>
      ttcore.device @default_device = <workerGrid = <8x8>, dramGrid = #ttcore.grid<1x12>,
        l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2 + s0), dramMap = (d0) -> (d0), meshShape = 1x2, chipIds = [0, 1]>
      // CHECK: ttcore.device @undecided = <workerGrid = #ttcore.grid<8x8>, l1Map = (d0) -> (d0),
      // CHECK-SAME: dramMap = (d0) -> (d0), meshShape = , chipIds = [0]>
      ttcore.device @undecided = <workerGrid = #ttcore.grid<8x8>, l1Map = (d0) -> (d0), dramMap = (d0) -> (d0),
        meshShape = , chipIds = [0]>
      // CHECK: ttcore.device @linked = {{.*}}, meshShape = 2x4, chipIds = [0, 1], meshTopology = [linear, ring]>
      ttcore.device @linked = <workerGrid = <8x8>, l1Map = (d0) -> (d0), dramMap = (d0) -> (d0), meshShape = 2x4,
        chipIds = [0, 1], meshTopology = [linear, ring]>
      func.func private @consts() -> (tensor<2xf32>, tensor<3xf32>)
      func.func private @weights(tensor<2xf32>) -> tensor<2xf32>
      // CHECK-LABEL: func.func @main
      func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
        // CHECK: %{{.*}}:2 = ttcore.load_cached(@consts, []) : () -> (tensor<2xf32>, tensor<3xf32>)
        %0:2 = ttcore.load_cached(@consts, []) : () -> (tensor<2xf32>, tensor<3xf32>)
        // CHECK: ttcore.load_cached(@weights, [%{{.*}}]) : (tensor<2xf32>) -> tensor<2xf32>
        %1 = ttcore.load_cached(@weights, [%0#0]) : (tensor<2xf32>) -> tensor<2xf32>
        // Inputs or results may be one tuple on the other side.
        // CHECK: ttcore.load_cached(@tuples, [%{{.*}}, %{{.*}}]) : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
        %2:2 = ttcore.load_cached(@tuples, [%0#0, %0#1]) : (tensor<2xf32>, tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)
        return %1 : tensor<2xf32>
      }
      func.func private @tuples(tuple<tensor<2xf32>, tensor<3xf32>>) -> tuple<tensor<2xf32>, tensor<3xf32>>
    }
  }
  // CHECK: ttcore.cpu_module {
  ttcore.cpu_module {
    builtin.module {
      // CHECK: llvm.func @malloc(i64) -> !llvm.ptr
      llvm.func @malloc(i64) -> !llvm.ptr
    }
  }
}
