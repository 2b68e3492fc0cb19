//===- Collective.cpp - Ops in which devices exchange tensors -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Devices are numbered row by row. Those along `cluster_axis` exchange: along 0
// the devices of a column, along 1 those of a row. Sums are taken in that order,
// in double.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include <algorithm>
#include <cmath>

namespace tessera::simulator {

namespace {

/// Part `part` of `parts` equal ones along a dimension.
llvm::Error takePart(const DenseTensor &whole, DenseTensor &result, int64_t dim, int64_t part,
                     int64_t parts) {
  Along from = along(whole.shape(), dim), to = along(result.shape(), dim);
  if (to.extent * parts != from.extent || to.outer != from.outer || to.inner != from.inner)
    return failure("the result is not one of " + llvm::Twine(parts) + " equal parts");
  withElements(whole, result, [&](const auto &source, auto &target) {
    for (int64_t outer = 0; outer < to.outer; ++outer)
      std::copy_n(source.begin() + (outer * from.extent + part * to.extent) * from.inner,
                  to.extent * to.inner, target.begin() + outer * to.extent * to.inner);
  });
  return llvm::Error::success();
}

/// What the cluster's operands come to. Error for reductions that are not known.
llvm::Expected<DenseTensor> reduce(const CollectiveCall &call, llvm::ArrayRef<size_t> cluster) {
  llvm::StringRef type = call.calls.front().op.string("reduce_type", "sum"); // "#ttcore.reduce_type<sum>"
  bool isSum = type.contains("sum"), isMax = type.contains("max"), isMin = type.contains("min"),
       isMean = type.contains("mean");
  if (!isSum && !isMax && !isMin && !isMean)
    return failure("the simulator does not know the reduction '" + type + "'");
  // Each device computes the same sum in the same order, so all have the same bytes.
  DenseTensor result(call.calls[cluster.front()].operand(0).desc);
  for (int64_t i = 0, end = result.volume(); i < end; ++i) {
    double value = call.calls[cluster.front()].operand(0).at(i);
    for (size_t member : cluster.drop_front()) {
      double other = call.calls[member].operand(0).at(i);
      // NaN wins, as in reductions: poison has to come through.
      if (isMax || isMin)
        value = std::isnan(other) || (isMax ? other > value : other < value) ? other : value;
      else
        value += other;
    }
    result.set(i, isMean ? value / double(cluster.size()) : value);
  }
  return result;
}

/// Devices of one cluster work out the same sum, each for itself: what is wasted is little beside the rest of a
/// run.
llvm::Error runAllReduce(CollectiveCall &call) {
  for (size_t device = 0; device < call.calls.size(); ++device) {
    llvm::Expected<DenseTensor> reduced = reduce(call, clusterOf(call, device));
    if (!reduced)
      return reduced.takeError();
    reduced->desc = call.calls[device].result().desc;
    call.calls[device].result() = std::move(*reduced);
  }
  return llvm::Error::success();
}

/// Every device reduces the whole for itself and keeps its part: what all_reduce and mesh_partition would leave.
llvm::Error runReduceScatter(CollectiveCall &call) {
  for (size_t device = 0; device < call.calls.size(); ++device) {
    std::vector<size_t> cluster = clusterOf(call, device);
    llvm::Expected<DenseTensor> reduced = reduce(call, cluster);
    if (!reduced)
      return reduced.takeError();
    int64_t dim = dimension(call.calls[device].op.integer("scatter_dim", 0), size_t(reduced->rank()));
    if (llvm::Error error = takePart(*reduced, call.calls[device].result(), dim,
                                     int64_t(placeIn(cluster, device)), int64_t(cluster.size())))
      return error;
  }
  return llvm::Error::success();
}

/// No device needs another one: each keeps a part of what it has.
llvm::Error runMeshPartition(CollectiveCall &call) {
  for (size_t device = 0; device < call.calls.size(); ++device) {
    std::vector<size_t> cluster = clusterOf(call, device);
    const DenseTensor &whole = call.calls[device].operand(0);
    int64_t dim = dimension(call.calls[device].op.integer("dim", 0), size_t(whole.rank()));
    if (llvm::Error error = takePart(whole, call.calls[device].result(), dim,
                                     int64_t(placeIn(cluster, device)), int64_t(cluster.size())))
      return error;
  }
  return llvm::Error::success();
}

/// Parts stand in the order of the devices in their cluster, whichever of them gathers.
llvm::Error runAllGather(CollectiveCall &call) {
  for (size_t device = 0; device < call.calls.size(); ++device) {
    std::vector<size_t> cluster = clusterOf(call, device);
    DenseTensor &result = call.calls[device].result();
    int64_t dim = dimension(call.calls[device].op.integer("all_gather_dim", 0), size_t(result.rank()));
    Along to = along(result.shape(), dim);
    Along from = along(call.calls[device].operand(0).shape(), dim);
    if (from.extent * int64_t(cluster.size()) != to.extent)
      return failure("the result is not as long as " + llvm::Twine(cluster.size()) + " operands");
    for (size_t part = 0; part < cluster.size(); ++part)
      withElements(call.calls[cluster[part]].operand(0), result, [&](const auto &source, auto &target) {
        for (int64_t outer = 0; outer < to.outer; ++outer)
          std::copy_n(source.begin() + outer * from.extent * from.inner, from.extent * from.inner,
                      target.begin() + (outer * to.extent + int64_t(part) * from.extent) * to.inner);
      });
  }
  return llvm::Error::success();
}

const KernelRow kCollective[] = {{"ttnn.all_reduce", nullptr, runAllReduce},
                                 {"ttnn.all_reduce_async", nullptr, runAllReduce},
                                 {"ttnn.reduce_scatter", nullptr, runReduceScatter},
                                 {"ttnn.all_gather", nullptr, runAllGather},
                                 {"ttnn.mesh_partition", nullptr, runMeshPartition}};

} // namespace

size_t placeIn(llvm::ArrayRef<size_t> cluster, size_t device) {
  return size_t(llvm::find(cluster, device) - cluster.begin());
}

std::vector<size_t> clusterOf(const CollectiveCall &call, size_t device) {
  std::vector<size_t> members;
  // Without an axis all devices are one cluster, as on a line.
  int64_t axis = call.calls.front().op.integer("cluster_axis", -1), columns = call.mesh.columns;
  for (size_t other = 0; other < call.calls.size(); ++other) {
    bool sameRow = int64_t(other) / columns == int64_t(device) / columns;
    bool sameColumn = int64_t(other) % columns == int64_t(device) % columns;
    if (axis == 0 ? sameColumn : axis == 1 ? sameRow : true)
      members.push_back(other);
  }
  return members;
}

llvm::ArrayRef<KernelRow> collectiveKernels() { return kCollective; }

} // namespace tessera::simulator
