//===- ModuleParts.h - What configs of several modules share --------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_MODELRUNNER_MODULEPARTS_H
#define TESSERA_LIB_MODELRUNNER_MODULEPARTS_H

#include "tessera/ModelRunner/Modules.h"

namespace tessera::runner {

enum class Mode : uint8_t { Prefill, Decode };

inline MeshDeviceStub stub(const Target &target) { return {target.mesh}; }
inline FromWeightConfig weight(const Target &target) { return {stub(target)}; }

/// Interleaved: DRAM in prefill, L1 in decode.
inline MemoryConfig interleaved(Mode mode) { return mode == Mode::Prefill ? kDram : kL1; }

/// A matmul with a weight of the module's, no kernel settings chosen.
inline LinearConfig linear(const Target &target, MemoryConfig memory) {
  return {.input_tensor_b = weight(target), .memory_config = std::move(memory)};
}

/// Moves an activation to where the next op wants it; the data type stays.
inline ReshardConfig reshard(MemoryConfig memory) { return {.memory_config = std::move(memory)}; }

// Mesh axes: 0 along rows, 1 along columns. A row of a Galaxy forms no ring, so topologies are linear
// (facts/deepseek 6).
inline AllGatherAsyncConfig allGather(const Target &target, int64_t dim, int64_t axis, MemoryConfig memory) {
  return {.dim = dim,
          .cluster_axis = axis,
          .mesh_device = stub(target),
          .topology = Topology::Linear,
          .num_links = 1,
          .memory_config = std::move(memory)};
}
/// Sums the devices of an axis, and leaves each its part of dimension `dim`.
inline ReduceScatterAsyncMinimalConfig reduceScatter(int64_t dim, int64_t axis, MemoryConfig memory) {
  return {.dim = dim,
          .num_links = 1,
          .memory_config = std::move(memory),
          .topology = Topology::Linear,
          .cluster_axis = axis};
}

/// The residual stream of decode: [1, 1, users, hidden / columns], one shard per tile where the cores suffice.
inline MemoryConfig residual(const Target &target) {
  int64_t cores = activationCores(target.hiddenPerDevice(), target.workerGrid.volume());
  return widthSharded(kUsersPerRow, target.hiddenPerDevice(), cores, target.workerGrid);
}

} // namespace tessera::runner

#endif // TESSERA_LIB_MODELRUNNER_MODULEPARTS_H
