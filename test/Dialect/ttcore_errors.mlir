// RUN: tessera-opt %s -split-input-file -verify-diagnostics

// expected-error @below {{grid extent 0 is not within [1, 2^31)}}
"test.op"() {a = #ttcore.grid<8x0>} : () -> ()

// -----

// expected-error @below {{grid extent 4294967296 is not within [1, 2^31)}}
"test.op"() {a = #ttcore.grid<8x4294967296>} : () -> ()

// -----

// expected-error @below {{a grid needs at least one dimension}}
"test.op"() {a = #ttcore.grid<>} : () -> ()

// -----

// expected-error @below {{the map to physical cores has 3 dimensions, the grid 2}}
"test.op"() {a = #ttcore.grid<8x8, virt_to_physical_map = (d0, d1, d2) -> (d0, d1, d2)>} : () -> ()

// -----

// expected-error @below {{the map from physical cores has 1 results, the grid 2 dimensions}}
"test.op"() {a = #ttcore.grid<8x8, physical_to_virt_map = (d0, d1, d2) -> (d0)>} : () -> ()

// -----

// expected-error @below {{a tile has two dimensions, not 3}}
"test.op"() : () -> !ttcore.tile<1x32x32, bf16>

// -----

// expected-error @below {{expected one of [f32, f16, bf16, bfp_f8, bfp_bf8, bfp_f4, bfp_bf4, bfp_f2, bfp_bf2, u32, u16, u8, si32, i1] for element format, got: bool}}
"test.op"() : () -> !ttcore.tile<32x32, bool>

// -----

// expected-error @below {{chip description 1 is not one of the 0 given}}
"test.op"() {a = #ttcore.system_desc<[], [], [1], [1 : i32], []>} : () -> ()

// -----

// expected-error @below {{chip description 0 is not one of the 0 given}}
"test.op"() {a = #ttcore.system_desc<[], [], [0], [], []>} : () -> ()

// -----

module attributes {ttcore.system_desc = #ttcore.system_desc<[{role = host, target_triple = "x86_64"}], [{arch = <wormhole_b0>, grid = 4x8, coord_translation_offsets = 18x18, l1_size = 1499136, num_dram_channels = 12, dram_channel_size = 1073741824, noc_l1_address_align_bytes = 16, pcie_address_align_bytes = 32, noc_dram_address_align_bytes = 32, l1_unreserved_base = 1024, erisc_l1_unreserved_base = 1024, dram_unreserved_base = 1024, dram_unreserved_end = 1073741824, supported_data_types = [<f32>], supported_tile_sizes = [32x32], dst_physical_size_tiles = 16, num_cbs = 32, num_compute_threads = 1, num_datamovement_threads = 2, dram_grid = 1x12, dram_bank_to_logical_worker_noc0 = [], dram_bank_to_logical_worker_noc1 = []}], [0, 0], [1 : i32, 1 : i32], [0x0x0x0]>} {
  ttcore.device @whole = <workerGrid = #ttcore.grid<4x8>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2), dramMap = (d0, d1, d2)[s0, s1] -> (0, 0, d0, d1), meshShape = , chipIds = [0]>
  ttcore.device @column = <workerGrid = #ttcore.grid<8x8>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2), dramMap = (d0, d1, d2)[s0, s1] -> (0, 0, d0, d1), meshShape = 2x1, chipIds = [0, 1]>
  // expected-error @below {{has a worker grid of 8x8, and a chip of the system description one of 4x8}}
  ttcore.device @larger = <workerGrid = #ttcore.grid<8x8>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2), dramMap = (d0, d1, d2)[s0, s1] -> (0, 0, d0, d1), meshShape = 1x2, chipIds = [0, 1]>
}

// -----

// expected-error @below {{a mesh of 2 axes has links for 1}}
ttcore.device @links = <workerGrid = #ttcore.grid<8x8>, l1Map = (d0, d1, d2)[s0] -> (0, d0, d1, d2), dramMap = (d0, d1, d2)[s0, s1] -> (0, 0, d0, d1), meshShape = 1x2, chipIds = [0, 1], meshTopology = [ring]>

// -----

func.func @itself(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{stands in 'itself', which it runs}}
  %0 = ttcore.load_cached(@itself, [%a]) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @one(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @below {{stands in 'one', which 'other' needs: what is computed once cannot need itself}}
  %0 = ttcore.load_cached(@other, [%a]) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @other(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = ttcore.load_cached(@one, [%a]) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func private @cached(tensor<2xf32>) -> tensor<2xf32>
func.func @missing(%a: tensor<2xf32>) {
  // expected-error @below {{needs a function @nowhere, and there is none}}
  %0 = ttcore.load_cached(@nowhere, [%a]) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @cached(tensor<2xf32>) -> tensor<2xf32>
func.func @inputs() {
  // expected-error @below {{has 0 inputs, but @cached has 1}}
  %0 = ttcore.load_cached(@cached, []) : () -> tensor<2xf32>
  return
}

// -----

func.func private @cached(tensor<2xf32>) -> tensor<2xf32>
func.func @input_type(%a: tensor<3xf32>) {
  // expected-error @below {{input 0 is 'tensor<3xf32>', but @cached has 'tensor<2xf32>'}}
  %0 = ttcore.load_cached(@cached, [%a]) : (tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func private @cached(tensor<2xf32>) -> tensor<2xf32>
func.func @result_type(%a: tensor<2xf32>) {
  // expected-error @below {{result 0 is 'tensor<3xf32>', but @cached has 'tensor<2xf32>'}}
  %0 = ttcore.load_cached(@cached, [%a]) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

module {
  // expected-error @below {{must hold one module and nothing else}}
  ttcore.device_module {
    func.func private @bare() -> tensor<2xf32>
  }
}

// -----

module {
  // expected-error @below {{must hold one module and nothing else}}
  ttcore.cpu_module {
    builtin.module {}
    builtin.module {}
  }
}

// -----

module {
  ttcore.device_module {
    builtin.module {
      func.func private @hidden() -> tensor<2xf32>
    }
  }
  func.func @not_a_function() {
    // expected-error @below {{needs a function @device, and there is none}}
    %0 = ttcore.load_cached(@device, []) : () -> tensor<2xf32>
    return
  }
}

// -----

func.func private @cached(tuple<tensor<2xf32>, tensor<3xf32>>) -> tensor<2xf32>
func.func @inputs_of_tuple(%a: tensor<2xf32>) {
  // expected-error @below {{has 1 inputs, but @cached has 2}}
  %0 = ttcore.load_cached(@cached, [%a]) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @no_values(%d: !ttcore.dict) {
  // expected-error @below {{needs at least one value}}
  "ttcore.set_key_value"(%d) <{key = "k"}> : (!ttcore.dict) -> ()
  return
}

// -----

func.func @no_results(%d: !ttcore.dict) {
  // expected-error @below {{needs at least one result}}
  "ttcore.get_key_value"(%d) <{key = 3 : index}> : (!ttcore.dict) -> ()
  return
}

// -----

func.func @key(%d: !ttcore.dict, %a: tensor<2xf32>) {
  // expected-error @below {{attribute 'key' failed to satisfy constraint: string or index}}
  "ttcore.set_key_value"(%d, %a) <{key = 3 : i32}> : (!ttcore.dict, tensor<2xf32>) -> ()
  return
}

// -----

func.func @no_global() {
  // expected-error @below {{needs a global @g, and there is none}}
  %0 = ttcore.get_global @g : tensor<2xf32>
  return
}

// -----

ttcore.global @g = tensor<3xf32>
func.func @other_global() {
  // expected-error @below {{result is 'tensor<2xf32>', but @g is 'tensor<3xf32>'}}
  %0 = ttcore.get_global @g : tensor<2xf32>
  return
}

// -----

func.func @tuple(%a: tensor<2xf32>) {
  // expected-error @below {{result must be a tuple of the operands' types, not 'tuple<tensor<3xf32>>'}}
  %0 = "ttcore.tuple"(%a) : (tensor<2xf32>) -> tuple<tensor<3xf32>>
  return
}

// -----

func.func @element(%t: tuple<tensor<2xf32>>) {
  // expected-error @below {{result is 'tensor<3xf32>', but element 0 is 'tensor<2xf32>'}}
  %0 = ttcore.get_tuple_element %t[0] : (tuple<tensor<2xf32>>) -> tensor<3xf32>
  return
}

// -----

func.func @no_element(%t: tuple<tensor<2xf32>>) {
  // expected-error @below {{index 1 is not within the tuple's 1 elements}}
  %0 = ttcore.get_tuple_element %t[1] : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  return
}

// -----

func.func @barrier(%a: tensor<2xf32>) {
  // expected-error @below {{results must have the types of the inputs}}
  %0:2 = "ttcore.optimization_barrier"(%a) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func private @decomposition(tensor<2xf32>) -> tensor<3xf32>
func.func @composite(%a: tensor<2xf32>) {
  // expected-error @below {{result 0 is 'tensor<2xf32>', but @decomposition has 'tensor<3xf32>'}}
  %0 = "ttcore.composite"(%a) <{composite_name = "op", decomposition = @decomposition}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @composite_of_nothing(%a: tensor<2xf32>) {
  // expected-error @below {{needs a function @decomposition, and there is none}}
  %0 = "ttcore.composite"(%a) <{composite_name = "op", decomposition = @decomposition}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// expected-error @below {{core range (0, -1)-(0, 0) is not a rectangle from upper left to lower right}}
"test.op"() {a = #ttcore.core_range<(0, -1), (0, 0)>} : () -> ()

// -----

// expected-error @below {{core range (0, 0)-(-1, 0) is not a rectangle from upper left to lower right}}
"test.op"() {a = #ttcore.core_range<(0, 0), (-1, 0)>} : () -> ()

// -----

// expected-error @below {{core range (0, 3)-(7, 2) is not a rectangle from upper left to lower right}}
"test.op"() {a = #ttcore.core_range<(0, 3), (7, 2)>} : () -> ()
