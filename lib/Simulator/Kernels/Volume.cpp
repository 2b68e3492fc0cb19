//===- Volume.cpp - Convolutions over depth, height and width -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Volumes are N x D x H x W x C. Weights are OIDHW, or what prepare_conv3d_weights
// makes of them: one matrix, of which a row belongs to a block of input channels, a
// tap and a channel of the block, in that order. Of a convolution in groups it has
// zeros where an output channel is not of the input channel's group, so that one
// product does for all. tt-metal 0.77: prepare_conv3d_weights.cpp.
//
//===----------------------------------------------------------------------===//
#include "Families.h"

#include "tessera/Simulator/Parallel.h"

#include <algorithm>
#include <array>

namespace tessera::simulator {

namespace {

using Extents3 = std::array<int64_t, 3>;

/// Depth, height and width; those that the attribute does not have are as `otherwise` says.
Extents3 readExtents(const OpSignature &op, llvm::StringRef name, int64_t otherwise) {
  Extents3 extents{otherwise, otherwise, otherwise};
  llvm::ArrayRef<int64_t> values = op.integers(name);
  std::copy_n(values.begin(), std::min(values.size(), extents.size()), extents.begin());
  return extents;
}

int64_t product(const Extents3 &extents) { return extents[0] * extents[1] * extents[2]; }

/// Input channels that are multiplied together; 0 where nothing is said.
int64_t statedBlock(const OpSignature &op) { return op.integer("conv3d_config.c_in_block", 0); }

/// Rows of a prepared matrix.
/// With 64 channels in blocks of 32 and 27 taps, row (1 * 27 + 4) * 32 + 5 holds tap 4 of channel 37.
struct PreparedRows {
  int64_t channels, block, taps;

  PreparedRows(int64_t channels, int64_t stated, int64_t taps)
      : channels(channels), block(stated), taps(taps) {
    // What the library takes by itself: rows of patches that are whole tiles.
    if (block <= 0)
      block = taps % 2 == 0 ? 16 : 32;
    if (channels % block != 0)
      block = std::max<int64_t>(1, channels);
  }
  int64_t at(int64_t channel, int64_t tap) const {
    return (channel / block * taps + tap) * block + channel % block;
  }
};

/// Which weights of OIDHW an output channel has: those of the input channels of its group.
struct Groups {
  int64_t ofGroup; ///< input channels
  int64_t outputsOfGroup;

  Groups(const OpSignature &op, int64_t ofGroup, int64_t outputs)
      : ofGroup(ofGroup), outputsOfGroup(outputs / std::max<int64_t>(1, op.integer("groups", 1))) {}
  int64_t firstChannel(int64_t output) const { return output / outputsOfGroup * ofGroup; }
};
/// Channels are shared out among the groups without rest.
bool dividesChannels(const OpSignature &op, int64_t channels, int64_t outputs) {
  int64_t groups = op.integer("groups", 1);
  return groups > 0 && channels % groups == 0 && outputs % groups == 0;
}

/// As a convolution of images: patches are unfolded to rows and multiplied by one matrix. In exact arithmetic only,
/// since the device's kernel is not modelled.
class VolumeConvolution {
public:
  explicit VolumeConvolution(KernelCall &call)
      : call(call), input(call.operand(0)), weight(call.operand(1)),
        kernel(readExtents(call.op, "kernel_size", 1)), stride(readExtents(call.op, "stride", 1)),
        padding(readExtents(call.op, "padding", 0)), dilation(readExtents(call.op, "dilation", 1)) {}

  llvm::Error run() {
    if (llvm::Error error = needFloats(call))
      return error;
    if (llvm::Error error = readSizes())
      return error;
    unfoldWeights();
    // A block of patches at a time, so that they take little memory.
    constexpr int64_t kBlock = 1024;
    int64_t depth = taps() * channels;
    std::vector<float> patches(size_t(kBlock * depth));
    for (int64_t begin = 0; begin < pixels; begin += kBlock) {
      int64_t count = std::min(kBlock, pixels - begin);
      parallelFor(count, [&](int64_t i) { unfold(begin + i, patches.data() + i * depth); });
      MatrixProduct product{count,          outputs,        depth,
                            patches.data(), weights.data(), call.result().floats.data() + begin * outputs};
      if (llvm::Error error = multiply(product))
        return error;
    }
    return addBias();
  }

private:
  int64_t taps() const { return product(kernel); }

  /// Extents are the tensors', and held against the attributes by the formula of all convolutions, floor((extent + 2
  /// padding - dilation (kernel - 1) - 1) / stride) + 1. Nothing behind this checks where it reads or writes.
  llvm::Error readSizes() {
    const DenseTensor &result = call.result();
    if (input.rank() != 5 || result.rank() != 5)
      return failure("the simulator convolves volumes as NDHWC");
    channels = input.shape()[4];
    outputs = result.shape()[4];
    if (!dividesChannels(call.op, channels, outputs))
      return failure("the channels of a volume are no whole groups");
    ofGroup = channels / call.op.integer("groups", 1);
    bool fits = result.shape()[0] == input.shape()[0] && channels > 0 && outputs > 0;
    for (size_t d = 0; d < 3; ++d) {
      extent[d] = input.shape()[d + 1];
      made[d] = result.shape()[d + 1];
      int64_t room = extent[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1;
      fits = fits && stride[d] > 0 && room >= 0 && made[d] == room / stride[d] + 1;
    }
    pixels = fits ? input.shape()[0] * product(made) : 0;
    Shape given{outputs, ofGroup, kernel[0], kernel[1], kernel[2]}, prepared{taps() * channels, outputs};
    // Given weights have five dimensions, prepared ones two: the shape tells them apart.
    isPrepared = weight.desc.shape == prepared;
    if (!fits || (!isPrepared && weight.desc.shape != given))
      return failure("the volume or its weights have another size than the attributes say");
    return llvm::Error::success();
  }

  /// (tap, input channel) x output channel.
  void unfoldWeights() {
    PreparedRows rows(channels, statedBlock(call.op), taps());
    Groups groups(call.op, ofGroup, outputs);
    weights.assign(size_t(taps() * channels * outputs), 0.0f);
    auto at = [&](int64_t tap, int64_t c, int64_t o) -> float & {
      return weights[size_t((tap * channels + c) * outputs + o)];
    };
    for (int64_t tap = 0; tap < taps(); ++tap)
      for (int64_t o = 0; o < outputs; ++o) {
        for (int64_t c = 0; isPrepared && c < channels; ++c)
          at(tap, c, o) = weight.floats[size_t(rows.at(c, tap) * outputs + o)];
        for (int64_t c = 0; !isPrepared && c < ofGroup; ++c)
          at(tap, groups.firstChannel(o) + c, o) = weight.floats[size_t((o * ofGroup + c) * taps() + tap)];
      }
  }

  /// Where a tap of an output reads; -1 in the padding.
  int64_t source(size_t d, int64_t at, int64_t tap) const {
    int64_t place = at * stride[d] + tap * dilation[d] - padding[d];
    if (call.op.string("padding_mode", "zeros") == "replicate")
      return std::clamp<int64_t>(place, 0, extent[d] - 1);
    return place < extent[d] ? std::max<int64_t>(place, -1) : -1;
  }

  /// The patch under one output: taps in the order of the weights, all channels of each.
  void unfold(int64_t pixel, float *to) const {
    // Taps and pixels count width fastest, then height, then depth.
    Extents3 at{pixel / (made[1] * made[2]) % made[0], pixel / made[2] % made[1], pixel % made[2]};
    int64_t volume = pixel / product(made) * product(extent);
    for (int64_t tap = 0; tap < taps(); ++tap, to += channels) {
      int64_t z = source(0, at[0], tap / (kernel[1] * kernel[2])),
              y = source(1, at[1], tap / kernel[2] % kernel[1]), x = source(2, at[2], tap % kernel[2]);
      if (z < 0 || y < 0 || x < 0)
        std::fill_n(to, channels, 0.0f);
      else
        std::copy_n(input.floats.data() + (volume + (z * extent[1] + y) * extent[2] + x) * channels, channels,
                    to);
    }
  }

  llvm::Error addBias() {
    if (call.operands.size() < 3)
      return llvm::Error::success();
    const DenseTensor &bias = call.operand(2);
    if (bias.volume() != outputs)
      return failure("the bias has another number of elements than there are output channels");
    for (int64_t i = 0; i < pixels * outputs; ++i)
      call.result().floats[size_t(i)] += bias.floats[size_t(i % outputs)];
    return llvm::Error::success();
  }

  KernelCall &call;
  const DenseTensor &input, &weight;
  Extents3 kernel, stride, padding, dilation, extent{}, made{};
  int64_t channels = 0, ofGroup = 0, outputs = 0, pixels = 0;
  bool isPrepared = false;
  std::vector<float> weights;
};

llvm::Error runVolumeConvolution(KernelCall &call) { return VolumeConvolution(call).run(); }

/// OIDHW to rows; channels that the matrix has beyond those of the weights are zeros.
llvm::Error runPrepareVolumeWeights(KernelCall &call) {
  const DenseTensor &weight = call.operand(0);
  DenseTensor &result = call.result();
  if (llvm::Error error = needFloats(call))
    return error;
  bool plain = weight.rank() == 5 && result.rank() == 2;
  int64_t taps = plain ? weight.shape()[2] * weight.shape()[3] * weight.shape()[4] : 0;
  int64_t all = plain ? weight.shape()[1] * call.op.integer("groups", 1) : 0;
  if (!plain || taps < 1 || !dividesChannels(call.op, all, weight.shape()[0]) ||
      result.shape()[0] % taps != 0 || result.shape()[0] / taps < all ||
      result.shape()[1] != weight.shape()[0])
    return failure("the simulator prepares weights of volumes as OIDHW, of whole groups");
  int64_t channels = weight.shape()[1], outputs = weight.shape()[0];
  Groups groups(call.op, channels, outputs);
  // By the matrix's own channels, which may be padded: blocks are counted in those.
  PreparedRows rows(result.shape()[0] / taps, call.op.integer("c_in_block", 0), taps);
  std::fill(result.floats.begin(), result.floats.end(), 0.0f);
  for (int64_t o = 0; o < outputs; ++o)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t tap = 0; tap < taps; ++tap)
        result.floats[size_t(rows.at(groups.firstChannel(o) + c, tap) * outputs + o)] =
            weight.floats[size_t((o * channels + c) * taps + tap)];
  return llvm::Error::success();
}

const KernelRow kVolume[] = {{"ttnn.conv3d", runVolumeConvolution},
                             {"ttnn.prepare_conv3d_weights", runPrepareVolumeWeights}};

} // namespace

llvm::ArrayRef<KernelRow> volumeKernels() { return kVolume; }

} // namespace tessera::simulator
