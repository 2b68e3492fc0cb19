// RUN: tessera-opt %s --split-input-file --verify-diagnostics

func.func @all_reduce(%a0: tensor<32xbf16>) {
  // expected-error@+1 {{result has shape 16, but the input's shape gives 32}}
  %0 = "ttnn.all_reduce"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32xbf16>) -> tensor<16xbf16>
  return
}
// -----
func.func @all_reduce_type(%a0: tensor<32xbf16>) {
  // expected-error@+1 {{attribute 'reduce_type' must be sum, not max}}
  %0 = "ttnn.all_reduce"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<max>}> : (tensor<32xbf16>) -> tensor<32xbf16>
  return
}
// -----
func.func @all_gather(%a0: tensor<32x32xbf16>) {
  // expected-error@+1 {{shape 32x48 must be a multiple of 32x32 in dimension 1 and agree elsewhere}}
  %0 = "ttnn.all_gather"(%a0) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32}> : (tensor<32x32xbf16>) -> tensor<32x48xbf16>
  return
}
// -----
func.func @all_gather_dim(%a0: tensor<32x32xbf16>) {
  // expected-error@+1 {{attribute 'all_gather_dim' is 2 : si32, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.all_gather"(%a0) <{all_gather_dim = 2 : si32, cluster_axis = 1 : ui32}> : (tensor<32x32xbf16>) -> tensor<32x48xbf16>
  return
}
// -----
func.func @reduce_scatter(%a0: tensor<32x64xbf16>) {
  // expected-error@+1 {{shape 32x64 must be a multiple of 16x32 in dimension 1 and agree elsewhere}}
  %0 = "ttnn.reduce_scatter"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>, scatter_dim = 1 : si32}> : (tensor<32x64xbf16>) -> tensor<16x32xbf16>
  return
}
// -----
func.func @reduce_scatter_dim(%a0: tensor<32x64xbf16>) {
  // expected-error@+1 {{attribute 'scatter_dim' is -3 : si32, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.reduce_scatter"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>, scatter_dim = -3 : si32}> : (tensor<32x64xbf16>) -> tensor<16x32xbf16>
  return
}
// -----
func.func @reduce_scatter_type(%a0: tensor<32x64xbf16>) {
  // expected-error@+1 {{attribute 'reduce_type' must be sum, not prod}}
  %0 = "ttnn.reduce_scatter"(%a0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<prod>, scatter_dim = 1 : si32}> : (tensor<32x64xbf16>) -> tensor<16x32xbf16>
  return
}
// -----
func.func @mesh_partition(%a0: tensor<32x64xbf16>) {
  // expected-error@+1 {{shape 32x64 must be a multiple of 32x0 in dimension 1 and agree elsewhere}}
  %0 = "ttnn.mesh_partition"(%a0) <{cluster_axis = 1 : ui32, dim = 1 : si32}> : (tensor<32x64xbf16>) -> tensor<32x0xbf16>
  return
}
// -----
func.func @mesh_partition_dim(%a0: tensor<32x64xbf16>) {
  // expected-error@+1 {{attribute 'dim' is 2 : si32, which is not a dimension of a tensor of rank 2}}
  %0 = "ttnn.mesh_partition"(%a0) <{cluster_axis = 1 : ui32, dim = 2 : si32}> : (tensor<32x64xbf16>) -> tensor<32x32xbf16>
  return
}
// -----
func.func private @kernel(tensor<32xbf16>) -> tensor<32xbf16>
func.func @subgraph(%x: tensor<32xbf16>, %y: tensor<64xbf16>) {
  // expected-error@+1 {{results must have the types of the outputs}}
  %0 = ttnn.d2m_subgraph @kernel ins(%x : tensor<32xbf16>) outs(%y : tensor<64xbf16>) : tensor<32xbf16>
  return
}
// -----
func.func @subgraph_callee(%x: tensor<32xbf16>, %y: tensor<32xbf16>) {
  // expected-error@+1 {{needs a function @kernel, and there is none}}
  %0 = ttnn.d2m_subgraph @kernel ins(%x : tensor<32xbf16>) outs(%y : tensor<32xbf16>) : tensor<32xbf16>
  return
}
// -----
func.func private @kernel(tensor<64xbf16>) -> tensor<32xbf16>
func.func @subgraph_inputs(%x: tensor<32xbf16>, %y: tensor<32xbf16>) {
  // expected-error@+1 {{inputs have types 'tensor<32xbf16>', but @kernel has 'tensor<64xbf16>'}}
  %0 = ttnn.d2m_subgraph @kernel ins(%x : tensor<32xbf16>) outs(%y : tensor<32xbf16>) : tensor<32xbf16>
  return
}
// -----
func.func private @kernel(tensor<32xbf16>) -> tensor<64xbf16>
func.func @subgraph_results(%x: tensor<32xbf16>, %y: tensor<32xbf16>) {
  // expected-error@+1 {{results have types 'tensor<32xbf16>', but @kernel has 'tensor<64xbf16>'}}
  %0 = ttnn.d2m_subgraph @kernel ins(%x : tensor<32xbf16>) outs(%y : tensor<32xbf16>) : tensor<32xbf16>
  return
}
// -----
#dram = #ttnn.buffer_type<dram>
#tile = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>
#row_major = #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<32x64xbf16, #dram>, <interleaved>>
func.func @all_gather_page(%a0: tensor<32x32xbf16, #tile>) {
  // expected-error@+1 {{must keep the page layout, but turns tile into row_major}}
  %0 = "ttnn.all_gather"(%a0) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32}> : (tensor<32x32xbf16, #tile>) -> tensor<32x64xbf16, #row_major>
  return
}
