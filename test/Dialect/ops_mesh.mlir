// Exchange between devices, and subgraphs.
// RUN: tessera-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: func.func @mesh
func.func @mesh(%x: tensor<32x64xbf16>, %d: !ttnn.device) {
  // CHECK: "ttnn.all_reduce"(%arg0) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}>
  %0 = "ttnn.all_reduce"(%x) <{cluster_axis = 1 : ui32, reduce_type = #ttcore.reduce_type<sum>}> : (tensor<32x64xbf16>) -> tensor<32x64xbf16>
  // CHECK-NEXT: "ttnn.all_gather"(%arg0) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32, num_links = 1 : ui32}>
  %1 = "ttnn.all_gather"(%x) <{all_gather_dim = -1 : si32, cluster_axis = 1 : ui32, num_links = 1 : ui32}> : (tensor<32x64xbf16>) -> tensor<32x128xbf16>
  // CHECK-NEXT: "ttnn.reduce_scatter"(%arg0) <{cluster_axis = 1 : ui32, compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4>, reduce_type
  %2 = "ttnn.reduce_scatter"(%x) <{cluster_axis = 1 : ui32, compute_config = #ttnn.device_compute_kernel_config<math_fidelity = hifi4>, reduce_type = #ttcore.reduce_type<sum>, scatter_dim = 0 : si32}> : (tensor<32x64xbf16>) -> tensor<16x64xbf16>
  // CHECK-NEXT: "ttnn.mesh_partition"(%arg0) <{cluster_axis = 1 : ui32, dim = 0 : si32}>
  %3 = "ttnn.mesh_partition"(%x) <{cluster_axis = 1 : ui32, dim = 0 : si32}> : (tensor<32x64xbf16>) -> tensor<16x64xbf16>
  // CHECK-NEXT: "ttnn.mesh_shard"(%arg0, %arg1) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}>
  %4 = "ttnn.mesh_shard"(%x, %d) <{shard_dims = array<i64: -1, 1>, shard_direction = #ttcore.shard_direction<full_to_shard>, shard_shape = array<i64: 1, 2>, shard_type = #ttcore.shard_type<devices>}> : (tensor<32x64xbf16>, !ttnn.device) -> tensor<32x32xbf16>
  return
}

// CHECK-LABEL: func.func @subgraph
func.func @subgraph(%x: tensor<32xbf16>, %y: tensor<32xbf16>, %out: tensor<32xbf16>) -> tensor<32xbf16> {
  // CHECK: ttnn.d2m_subgraph @kernel
  // CHECK-NEXT: ins(%arg0, %arg1 : tensor<32xbf16>, tensor<32xbf16>)
  // CHECK-NEXT: outs(%arg2 : tensor<32xbf16>) : tensor<32xbf16>
  %0 = ttnn.d2m_subgraph @kernel ins(%x, %y : tensor<32xbf16>, tensor<32xbf16>) outs(%out : tensor<32xbf16>) : tensor<32xbf16>
  return %0 : tensor<32xbf16>
}
func.func private @kernel(tensor<32xbf16>, tensor<32xbf16>) -> tensor<32xbf16>
