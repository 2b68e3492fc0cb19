//===- DistributedNorm.cpp - A norm over several devices ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "Families.h"

#include <cmath>

namespace tessera::simulator {

namespace {

/// Each device holds a part of the last dimension, and normalizes it by the mean square of all parts. Sums of squares are
/// taken device by device, in double.
llvm::Error runDistributedRmsNorm(CollectiveCall &call) {
  for (KernelCall &device : call.calls) {
    if (device.segment(2))
      return failure("the simulator normalizes without a residual");
    if (llvm::Error error = needSameVolume(device))
      return error;
    const DenseTensor *weight = device.segment(1);
    if (device.operand(0).isInteger() || device.result().isInteger() || device.operand(0).rank() == 0 ||
        (weight && weight->volume() != device.operand(0).shape().back()))
      return failure("operand or weight do not fit");
  }
  const DenseTensor &first = call.calls.front().operand(0);
  int64_t width = first.shape().back(), rows = first.volume() / std::max<int64_t>(width, 1);
  // All parts first: each device needs the sums of its whole cluster before it can scale anything.
  std::vector<std::vector<double>> squares(call.calls.size(), std::vector<double>(size_t(rows), 0));
  // Once per device, since each member of a cluster reads the sums of all.
  for (size_t device = 0; device < call.calls.size(); ++device)
    for (int64_t i = 0; i < rows * width; ++i) {
      double x = call.calls[device].operand(0).floats[size_t(i)];
      squares[device][size_t(i / width)] += x * x;
    }
  for (size_t device = 0; device < call.calls.size(); ++device) {
    std::vector<size_t> cluster = clusterOf(call, device);
    KernelCall &own = call.calls[device];
    const DenseTensor *weight = own.segment(1);
    double epsilon = own.op.number("epsilon", 1e-12);
    for (int64_t row = 0; row < rows; ++row) {
      double sum = 0;
      // In the order of the cluster, so that all its devices get the same bits.
      for (size_t member : cluster)
        sum += squares[member][size_t(row)];
      // The mean is over the whole row: the parts of all members are equally wide.
      double scale = 1 / std::sqrt(sum / double(width * int64_t(cluster.size())) + epsilon);
      for (int64_t i = 0; i < width; ++i)
        own.result().floats[size_t(row * width + i)] =
            float(own.operand(0).floats[size_t(row * width + i)] * scale) *
            (weight ? weight->floats[size_t(i)] : 1);
    }
  }
  return llvm::Error::success();
}

const KernelRow kDistributedNorm[] = {{"ttnn.distributed_rms_norm", nullptr, runDistributedRmsNorm}};

} // namespace

llvm::ArrayRef<KernelRow> distributedNormKernels() { return kDistributedNorm; }

} // namespace tessera::simulator
