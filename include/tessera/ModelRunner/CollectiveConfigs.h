//===- CollectiveConfigs.h - What ops over several devices are called with ===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// See OpConfigs.h, which includes this. Semaphores and buffers that live on the
// device are Items: they come from the model's state.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_COLLECTIVECONFIGS_H
#define TESSERA_MODELRUNNER_COLLECTIVECONFIGS_H

#include "tessera/ModelRunner/TtnnValues.h"

namespace tessera::runner {

/// A weight before and after the merge.
using WeightItem = std::variant<FromWeightConfig, LoadedTensor>;

/// Which class a struct is, and that a merge goes into it field by field (values of ttnn are taken as a whole).
#define TESSERA_OP_CONFIG(name)                                                                              \
  static constexpr llvm::StringLiteral kClass = #name;                                                       \
  static constexpr bool kIsOpConfig = true

/// Sums over an axis of the mesh; all devices hold the whole sum.
/// `cluster_axis` counts axes of the mesh: along 0 the devices of a column exchange, along 1 those of a row. `dim`
/// is one of the tensor, as everywhere here.
struct AllReduceConfig {
  TESSERA_OP_CONFIG(AllReduceConfig);
  Required<int64_t> cluster_axis;
  Required<int64_t> dim;
  Required<int64_t> num_reduce_scatter_links;
  Required<int64_t> num_all_gather_links;
  Required<Topology> topology;
  Required<DataType> dtype;
  Required<bool> use_composite;
  Required<MeshDeviceItem> mesh_device;
  TESSERA_FIELDS(cluster_axis, dim, num_reduce_scatter_links, num_all_gather_links, topology, dtype,
                 use_composite, mesh_device)
};

/// Concatenates the parts of an axis, in the order of coordinates (facts/deepseek 6).
struct AllGatherConfig {
  TESSERA_OP_CONFIG(AllGatherConfig);
  Required<int64_t> dim;
  std::optional<MeshDeviceItem> mesh_device;
  std::optional<int64_t> cluster_axis;
  std::optional<MemoryConfig> memory_config;
  std::optional<int64_t> num_workers;
  std::optional<int64_t> num_buffers_per_channel;
  std::optional<Topology> topology = Topology::Ring;
  std::optional<int64_t> num_links = 1;
  TESSERA_FIELDS(dim, mesh_device, cluster_axis, memory_config, num_workers, num_buffers_per_channel,
                 topology, num_links)
};

/// The same, with semaphores and buffers of the caller's.
struct AllGatherAsyncConfig {
  TESSERA_OP_CONFIG(AllGatherAsyncConfig);
  std::optional<int64_t> dim;
  std::optional<int64_t> cluster_axis;
  std::optional<MeshDeviceItem> mesh_device;
  std::optional<Topology> topology;
  std::optional<Item> multi_device_global_semaphore;
  std::optional<Item> persistent_output_tensor;
  std::optional<int64_t> num_links;
  std::optional<MemoryConfig> memory_config;
  std::optional<Item> subdevice_id;
  std::optional<bool> use_optimal_ccl_for_llama;
  std::optional<Item> barrier_semaphore;
  TESSERA_FIELDS(dim, cluster_axis, mesh_device, topology, multi_device_global_semaphore,
                 persistent_output_tensor, num_links, memory_config, subdevice_id, use_optimal_ccl_for_llama,
                 barrier_semaphore)
};

/// Sums over an axis and splits the sum along `dim`.
struct ReduceScatterConfig {
  TESSERA_OP_CONFIG(ReduceScatterConfig);
  Required<int64_t> dim;
  Required<ReduceType> math_op;
  std::optional<MeshDeviceItem> mesh_device;
  std::optional<int64_t> cluster_axis;
  std::optional<MemoryConfig> memory_config;
  std::optional<Topology> topology = Topology::Ring;
  std::optional<int64_t> num_links = 1;
  TESSERA_FIELDS(dim, math_op, mesh_device, cluster_axis, memory_config, topology, num_links)
};

/// The same, with semaphores and buffers of the caller's.
struct ReduceScatterAsyncMinimalConfig {
  TESSERA_OP_CONFIG(ReduceScatterAsyncMinimalConfig);
  Required<int64_t> dim;
  std::optional<Item> multi_device_global_semaphore;
  std::optional<int64_t> num_links;
  std::optional<Item> persistent_output_buffers;
  std::optional<Item> barrier_semaphore;
  std::optional<MemoryConfig> memory_config;
  std::optional<MemoryConfig> intermediate_memory_config;
  std::optional<Topology> topology = Topology::Ring;
  std::optional<Item> subdevice_id;
  std::optional<int64_t> cluster_axis;
  std::optional<int64_t> chunks_per_sync;
  std::optional<int64_t> num_workers_per_link;
  std::optional<int64_t> num_buffers_per_channel;
  TESSERA_FIELDS(dim, multi_device_global_semaphore, num_links, persistent_output_buffers, barrier_semaphore,
                 memory_config, intermediate_memory_config, topology, subdevice_id, cluster_axis,
                 chunks_per_sync, num_workers_per_link, num_buffers_per_channel)
};

/// Splits along `out_dim` and concatenates along `in_dim`: queries go from devices of heads to devices of users.
struct AllToAllAsyncGenericConfig {
  TESSERA_OP_CONFIG(AllToAllAsyncGenericConfig);
  std::optional<int64_t> in_dim;
  std::optional<int64_t> out_dim;
  std::optional<int64_t> cluster_axis;
  std::optional<MeshDeviceItem> mesh_device;
  std::optional<Topology> topology;
  std::optional<Item> persistent_output_tensor;
  std::optional<int64_t> num_links;
  std::optional<MemoryConfig> memory_config;
  std::optional<Item> subdevice_id;
  TESSERA_FIELDS(in_dim, out_dim, cluster_axis, mesh_device, topology, persistent_output_tensor, num_links,
                 memory_config, subdevice_id)
};

/// Sends each token to the devices of its experts.
struct AllToAllDispatchConfig {
  TESSERA_OP_CONFIG(AllToAllDispatchConfig);
  Required<int64_t> cluster_axis;
  Required<MemoryConfig> memory_config;
  std::optional<int64_t> num_links;
  std::optional<Topology> topology = Topology::Linear;
  std::optional<Item> subdevice_id;
  TESSERA_FIELDS(cluster_axis, memory_config, num_links, topology, subdevice_id)
};

/// Brings the experts' results back to their tokens.
struct AllToAllCombineConfig {
  TESSERA_OP_CONFIG(AllToAllCombineConfig);
  Required<int64_t> cluster_axis;
  Required<MemoryConfig> memory_config;
  std::optional<int64_t> num_links;
  std::optional<Topology> topology = Topology::Linear;
  TESSERA_FIELDS(cluster_axis, memory_config, num_links, topology)
};

/// Sends a tensor from one device of the mesh to another.
struct PointToPointConfig {
  TESSERA_OP_CONFIG(PointToPointConfig);
  std::optional<std::vector<int64_t>> receiver_coord;
  std::optional<std::vector<int64_t>> sender_coord;
  std::optional<Topology> topology = Topology::Linear;
  std::optional<Item> output_tensor;
  TESSERA_FIELDS(receiver_coord, sender_coord, topology, output_tensor)
};

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_COLLECTIVECONFIGS_H
