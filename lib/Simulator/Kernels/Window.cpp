//===- Window.cpp - Convolutions, pools, upsampling -----------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Images are 1 x 1 x (N*H*W) x C. A convolution is a matrix product: the taps of
// some output pixels, unfolded, times the weights. Weights are OIHW, or what
// prepare_conv2d_weights makes of them: (tap, input channel) x output channel, the
// order of rows being ours. A transposed convolution has IOHW, and reads its image
// with zeros between the pixels. In kernels' arithmetic the product, unless there
// are groups, is the matrix engine's: with HiFi4 if the op says nothing, and all taps
// summed in registers, as without packer_l1_acc.
//
//===----------------------------------------------------------------------===//
#include "DeviceMatmul.h"
#include "Families.h"

#include "tessera/Simulator/Parallel.h"
#include "tessera/Support/WindowPadding.h"

#include "llvm/ADT/StringExtras.h"

#include <limits>

namespace tessera::simulator {

namespace {

/// The 2-D window of an op; [0] vertical, [1] horizontal.
/// One description for convolutions, transposed ones and pools: they differ in where a tap reads, and in what is made
/// of it.
struct Window2D {
  int64_t batch = 1, channels = 1;
  int64_t input[2] = {1, 1}, kernel[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1}, before[2] = {},
          after[2] = {};
  int64_t output[2] = {1, 1};
  bool transposed = false; ///< what is an output then is an input of the window: each goes where the taps say

  /// Where tap `tap` of output `at` reads; may be outside.
  int64_t tap(int dim, int64_t at, int64_t tap) const {
    if (!transposed)
      return at * stride[dim] + tap * dilation[dim] - before[dim];
    // Pixel i of the input reaches output i * stride - before + tap * dilation, solved for i.
    int64_t place = at + before[dim] - tap * dilation[dim];
    return place % stride[dim] == 0 ? place / stride[dim] : -1;
  }
  bool inside(int dim, int64_t at) const { return at >= 0 && at < input[dim]; }
  int64_t pixels() const { return batch * output[0] * output[1]; }
};

/// What is not given stays as it was: attributes may have one number, two or none.
void readPair(const OpSignature &op, llvm::StringRef name, int64_t (&pair)[2]) {
  llvm::ArrayRef<int64_t> values = op.integers(name);
  for (size_t i = 0; i < 2 && i < values.size(); ++i)
    pair[i] = values[i];
}

/// Example: 7 pixels, a kernel of 2 and a stride of 2 give 3 windows, and 4 in ceil mode, of which the last one
/// sees one pixel.
void countWindows(Window2D &window, bool ceilMode) {
  for (size_t dim = 0; dim < 2; ++dim) {
    // Pixels from the first tap to the last one, both included.
    int64_t span = window.dilation[dim] * (window.kernel[dim] - 1) + 1;
    int64_t room = window.input[dim] + window.before[dim] + window.after[dim] - span;
    int64_t count = (ceilMode ? ceilDiv(room, window.stride[dim]) : room / window.stride[dim]) + 1;
    // A window that begins in the padding behind the image would see no element.
    if (ceilMode && (count - 1) * window.stride[dim] >= window.input[dim] + window.before[dim])
      --count;
    window.output[dim] = count;
  }
}

/// Extents of the output by the formulas of TTNNOpsConvPool.td; in ceil mode a last window counts that begins within the input.
Window2D readWindow(const OpSignature &op, llvm::StringRef channels) {
  Window2D window;
  window.batch = op.integer("batch_size", 1);
  window.channels = op.integer(channels, 1);
  window.input[0] = op.integer("input_height", 1);
  window.input[1] = op.integer("input_width", 1);
  readPair(op, "kernel_size", window.kernel);
  readPair(op, "stride", window.stride);
  readPair(op, "dilation", window.dilation);
  // Two or four numbers, in an order that depends on the op.
  auto padding = WindowPadding::read(op.name, op.integers("padding"));
  window.before[0] = padding.top;
  window.after[0] = padding.bottom;
  window.before[1] = padding.left;
  window.after[1] = padding.right;
  countWindows(window, op.boolean("ceil_mode", false));
  return window;
}

Window2D readTransposed(const OpSignature &op) {
  Window2D window = readWindow(op, "in_channels");
  window.transposed = true;
  int64_t extra[2] = {};
  readPair(op, "output_padding", extra);
  for (size_t dim = 0; dim < 2; ++dim)
    window.output[dim] = (window.input[dim] - 1) * window.stride[dim] - window.before[dim] -
                         window.after[dim] + window.dilation[dim] * (window.kernel[dim] - 1) + extra[dim] + 1;
  return window;
}

/// A line is an image that is one pixel wide.
Window2D readLine(const OpSignature &op) {
  Window2D window;
  window.batch = op.integer("batch_size", 1);
  window.channels = op.integer("in_channels", 1);
  window.input[0] = op.integer("input_length", 1);
  window.kernel[0] = op.integer("kernel_size", 1);
  window.stride[0] = op.integer("stride", 1);
  window.dilation[0] = op.integer("dilation", 1);
  if (llvm::ArrayRef<int64_t> padding = op.integers("padding"); !padding.empty()) {
    // One number stands for both ends.
    window.before[0] = padding.front();
    window.after[0] = padding.back();
  }
  countWindows(window, /*ceilMode=*/false);
  return window;
}

// ---- Convolution -----------------------------------------------------------------------------------------

/// Weights as models have them: OIHW, or IOHW of a transposed convolution, the second of both within a group.
struct GivenWeights {
  int64_t groups, groupInputs, groupOutputs, taps;
  bool transposed;

  /// Of an output channel, an input channel of its group and a tap.
  size_t at(int64_t output, int64_t input, int64_t tap) const {
    int64_t channel = output / groupOutputs * groupInputs + input;
    return size_t(
        (transposed ? channel * groupOutputs + output % groupOutputs : output * groupInputs + input) * taps +
        tap);
  }
};

/// 1 x 1 x (taps * channels of all groups) x output channels, both perhaps padded: zeros between what is not of one group.
bool isPrepared(llvm::ArrayRef<int64_t> shape, const Window2D &window, int64_t outputs) {
  int64_t taps = window.kernel[0] * window.kernel[1];
  return shape.size() == 4 && shape[0] == 1 && shape[1] == 1 && taps > 0 && shape[2] % taps == 0 &&
         shape[2] / taps >= window.channels && shape[3] >= outputs;
}

/// 1  Weights become one matrix for each group, (tap, input channel) x output channel, in whichever form they came.
/// 2  Taps of some output pixels are unfolded to rows, with zeros where they fall outside of the image.
/// 3  Rows times matrix; then bias and activation.
///
/// Unfolding repeats every pixel as often as there are taps. That is the price for one product, oneDNN's or the
/// matrix engine's, that serves all windows, strides and dilations alike.
class Convolution {
public:
  explicit Convolution(KernelCall &call)
      : call(call), input(call.operand(0)), weight(call.operand(1)), isLine(call.op.name == "ttnn.conv1d"),
        isTransposed(call.op.name == "ttnn.conv_transpose2d"),
        window(isLine         ? readLine(call.op)
               : isTransposed ? readTransposed(call.op)
                              : readWindow(call.op, "in_channels")),
        groups(call.op.integer("groups", 1)), outputs(call.op.integer("out_channels", 1)),
        summation(summationOf()) {}

  llvm::Error run() {
    if (llvm::Error error = needFloats(call))
      return error;
    int64_t first = isTransposed ? window.channels : outputs,
            second = isTransposed ? outputs : window.channels;
    Shape wanted{first, groups > 0 ? second / groups : 0, window.kernel[0], window.kernel[1]};
    // OIW: a line has no width for the kernel to have an extent in.
    if (isLine)
      wanted.pop_back();
    bool asGiven = groups > 0 && weight.desc.shape == wanted;
    if (!asGiven && (groups < 1 || !isPrepared(weight.shape(), window, outputs)))
      return failure("the simulator convolves with weights as " +
                     llvm::StringRef(isTransposed ? "IOHW, " : "OIHW, ") +
                     describe({wanted, weight.desc.dtype}) + ", or prepared; got " + describe(weight.desc));
    if (input.volume() != window.batch * window.input[0] * window.input[1] * window.channels ||
        call.result().volume() != window.pixels() * outputs)
      return failure("the image has another size than the attributes say");
    // Both forms end as one matrix for each group, so that there is one product for all of them.
    asGiven ? unfoldWeights() : takePrepared();
    // A block of pixels at a time, so that the unfolded taps take little memory.
    constexpr int64_t kBlock = 4096;
    for (int64_t begin = 0; begin < window.pixels(); begin += kBlock)
      if (llvm::Error error = convolve(begin, std::min(window.pixels(), begin + kBlock)))
        return error;
    return finish();
  }

private:
  int64_t taps() const { return window.kernel[0] * window.kernel[1]; }
  int64_t groupInputs() const { return window.channels / groups; }
  int64_t groupOutputs() const { return outputs / groups; }

  /// Without the channels that it was padded with, and without what is not of one group.
  void takePrepared() {
    // Row (tap, channel of all groups), padded to `stored` channels per tap and `columns` outputs.
    int64_t stored = weight.shape()[2] / taps(), columns = weight.shape()[3];
    weights.resize(size_t(taps() * groupInputs() * outputs));
    float *to = weights.data();
    for (int64_t group = 0; group < groups; ++group)
      for (int64_t tap = 0; tap < taps(); ++tap)
        for (int64_t c = 0; c < groupInputs(); ++c, to += groupOutputs())
          std::copy_n(weight.floats.data() + (tap * stored + group * groupInputs() + c) * columns +
                          group * groupOutputs(),
                      groupOutputs(), to);
  }

  /// By group: (tap, input channel) x output channel.
  void unfoldWeights() {
    int64_t depth = taps() * groupInputs();
    GivenWeights given{groups, groupInputs(), groupOutputs(), taps(), isTransposed};
    weights.resize(size_t(groups * depth * groupOutputs()));
    for (int64_t o = 0; o < outputs; ++o)
      for (int64_t c = 0; c < groupInputs(); ++c)
        for (int64_t tap = 0; tap < taps(); ++tap)
          weights[size_t((o / groupOutputs() * depth + tap * groupInputs() + c) * groupOutputs() +
                         o % groupOutputs())] = weight.floats[given.at(o, c, tap)];
  }

  /// The taps of a pixel, (tap, channel of all groups); zeros outside of the image.
  void unfoldPixel(int64_t pixel, float *to) const {
    int64_t x = pixel % window.output[1], y = pixel / window.output[1] % window.output[0];
    int64_t image = pixel / (window.output[0] * window.output[1]) * window.input[0] * window.input[1];
    for (int64_t ky = 0; ky < window.kernel[0]; ++ky)
      for (int64_t kx = 0; kx < window.kernel[1]; ++kx, to += window.channels) {
        int64_t row = window.tap(0, y, ky), column = window.tap(1, x, kx);
        if (window.inside(0, row) && window.inside(1, column))
          std::copy_n(input.floats.data() + (image + row * window.input[1] + column) * window.channels,
                      window.channels, to);
        else
          std::fill_n(to, window.channels, 0.0f);
      }
  }

  llvm::Error convolve(int64_t begin, int64_t end) {
    int64_t depth = taps() * window.channels, count = end - begin;
    unfolded.resize(size_t(count * depth));
    parallelFor(count, [&](int64_t i) { unfoldPixel(begin + i, unfolded.data() + i * depth); });
    if (groups == 1) {
      MatrixProduct product{count, outputs, depth, unfolded.data(), weights.data(), result(begin)};
      if (!asDevice())
        return multiply(product);
      multiplyOnDevice(product, summation);
      return llvm::Error::success();
    }
    // Groups are many and small (one channel each in depthwise convolutions): products of their own would not pay.
    parallelFor(count, [&](int64_t i) { convolvePixel(unfolded.data() + i * depth, result(begin + i)); });
    return llvm::Error::success();
  }

  /// Exact in either arithmetic, as groups are not modelled (asDevice). One sum in fp32 for each output channel, tap after
  /// tap: no thread changes its order.
  void convolvePixel(const float *pixel, float *to) const {
    int64_t depth = taps() * groupInputs();
    for (int64_t o = 0; o < outputs; ++o) {
      int64_t group = o / groupOutputs();
      // A group's matrix is depth x its outputs; output o is a column of it.
      const float *column = weights.data() + group * depth * groupOutputs() + o % groupOutputs();
      float sum = 0;
      for (int64_t tap = 0; tap < taps(); ++tap)
        for (int64_t c = 0; c < groupInputs(); ++c)
          sum += pixel[tap * window.channels + group * groupInputs() + c] *
                 column[(tap * groupInputs() + c) * groupOutputs()];
      to[o] = sum;
    }
  }

  bool asDevice() const { return call.arithmetic == Arithmetic::Kernels && groups == 1; }
  Summation summationOf() const {
    ComputeConfig config = productConfigOf(call);
    // As many tiles of K as there are: one block, so that no sum leaves the registers.
    return {{config.fidelity, config.fp32Accumulate}, ceilDiv(taps() * window.channels, engine::kTile)};
  }
  float withBias(float value, float bias) const {
    bool wide = summation.precision.fp32Dest;
    // The engine reads the sum back from where it was packed, and adds the bias to that.
    return asDevice() ? addOnDevice(wide ? value : packed(value), bias, wide) : value + bias;
  }

  float *result(int64_t pixel) { return call.result().floats.data() + pixel * outputs; }

  /// Bias and activation, on all pixels at once: neither looks at more than one element.
  llvm::Error finish() {
    if (call.operands.size() > 2) {
      const DenseTensor &bias = call.operand(2);
      if (bias.volume() != outputs)
        return failure("the bias has another number of elements than there are output channels");
      parallelFor(window.pixels(), [&](int64_t pixel) {
        for (int64_t o = 0; o < outputs; ++o)
          result(pixel)[o] = withBias(result(pixel)[o], bias.floats[size_t(o)]);
      });
    }
    if (!asDevice())
      return applyActivations(activation(), call.result());
    // The function takes what was packed, in the result's format.
    packResult(call.result());
    return activateOnDevice(activation(), call.result(), call.result().desc.dtype, call);
  }

  /// The attribute as text, of which only the name counts here. An activation with parameters is none that a
  /// convolution has.
  llvm::StringRef activation() const {
    llvm::StringRef text = call.op.string("conv2d_config.activation"); // "<op_type = relu>"
    size_t begin = text.find("op_type = ");
    return begin == llvm::StringRef::npos
               ? text
               : text.drop_front(begin + 10).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  }

  KernelCall &call;
  const DenseTensor &input, &weight;
  bool isLine, isTransposed;
  Window2D window;
  int64_t groups, outputs;
  Summation summation; ///< in kernels' arithmetic
  std::vector<float> weights, unfolded;
};

llvm::Error runConvolution(KernelCall &call) { return Convolution(call).run(); }

/// OIHW, or IOHW of a transposed convolution, to what isPrepared() says.
llvm::Error runPrepareWeights(KernelCall &call) {
  const DenseTensor &weight = call.operand(0);
  DenseTensor &result = call.result();
  Window2D window;
  bool transposed = call.op.name == "ttnn.prepare_conv_transpose2d_weights";
  llvm::StringRef format = transposed ? "IOHW" : "OIHW";
  // The library turns the kernel around when it prepares it, unless that was done before: then we turn it back, since our convolution looks for
  // what each tap reads.
  bool isTurned = transposed && !call.op.boolean("mirror_kernel", true);
  int64_t groups = call.op.integer("groups", 1), first = weight.rank() == 4 ? weight.shape()[0] : 0;
  bool plain = weight.rank() == 4 && call.op.string("weights_format", format) == format &&
               !weight.isInteger() && !result.isInteger() && groups > 0 && first % groups == 0;
  int64_t second = plain ? weight.shape()[1] : 0;
  int64_t inputs = transposed && plain ? first / groups : second,
          outputs = transposed ? second * groups : first;
  if (plain) {
    window.channels = inputs * groups;
    window.kernel[0] = weight.shape()[2];
    window.kernel[1] = weight.shape()[3];
  }
  if (!plain || !isPrepared(result.shape(), window, outputs))
    return failure("the simulator prepares weights as " + format + " to rows of (tap, input channel); got " +
                   describe(weight.desc) + " to " + describe(result.desc));
  int64_t taps = window.kernel[0] * window.kernel[1];
  int64_t stored = result.shape()[2] / taps, columns = result.shape()[3];
  GivenWeights given{groups, inputs, outputs / groups, taps, transposed};
  for (int64_t o = 0; o < outputs; ++o)
    for (int64_t c = 0; c < inputs; ++c)
      for (int64_t tap = 0; tap < taps; ++tap)
        result.floats[size_t((tap * stored + o / (outputs / groups) * inputs + c) * columns + o)] =
            weight.floats[given.at(o, c, isTurned ? taps - 1 - tap : tap)];
  return llvm::Error::success();
}

/// The library pads a bias to tiles; here it is the same elements in another shape.
llvm::Error runPrepareBias(KernelCall &call) {
  if (llvm::Error error = llvm::joinErrors(needFloats(call), needSameVolume(call)))
    return error;
  call.result().floats = call.operand(0).floats;
  return llvm::Error::success();
}

// ---- Pools -----------------------------------------------------------------------------------------------

/// Calls `visit(input offset)` for the taps of a pixel that lie within the image.
void forEachTap(const Window2D &window, int64_t pixel, llvm::function_ref<void(int64_t)> visit) {
  int64_t x = pixel % window.output[1], y = pixel / window.output[1] % window.output[0];
  int64_t image = pixel / (window.output[0] * window.output[1]) * window.input[0] * window.input[1];
  for (int64_t ky = 0; ky < window.kernel[0]; ++ky)
    for (int64_t kx = 0; kx < window.kernel[1]; ++kx) {
      int64_t row = window.tap(0, y, ky), column = window.tap(1, x, kx);
      if (window.inside(0, row) && window.inside(1, column))
        visit((image + row * window.input[1] + column) * window.channels);
    }
}

/// Error if the image or the result have other sizes than the window.
llvm::Error checkPool(const KernelCall &call, const Window2D &window) {
  if (llvm::Error error = needFloats(call))
    return error;
  bool fits =
      call.operand(0).volume() == window.batch * window.input[0] * window.input[1] * window.channels &&
      call.results.front().volume() == window.pixels() * window.channels;
  return fits ? llvm::Error::success() : failure("the image has another size than the attributes say");
}

llvm::Error runMaxPool(KernelCall &call) {
  Window2D window = readWindow(call.op, "channels");
  if (llvm::Error error = checkPool(call, window))
    return error;
  parallelFor(window.pixels(), [&](int64_t pixel) {
    float *to = call.result().floats.data() + pixel * window.channels;
    std::fill_n(to, window.channels, -std::numeric_limits<float>::infinity());
    forEachTap(window, pixel, [&](int64_t offset) {
      const float *from = call.operand(0).floats.data() + offset;
      for (int64_t c = 0; c < window.channels; ++c)
        // NaN wins: a maximum that passed over it would hide what a plan has destroyed.
        to[c] = from[c] > to[c] || from[c] != from[c] ? from[c] : to[c];
    });
  });
  return llvm::Error::success();
}

/// The maximum, and which pixel of its image, row by row, had it: the first of equal ones.
llvm::Error runMaxPoolWithIndices(KernelCall &call) {
  Window2D window = readWindow(call.op, "channels");
  DenseTensor &indices = call.results[1];
  bool fits = call.results.size() == 2 && indices.isInteger() && indices.volume() == call.results[0].volume();
  if (!fits)
    return failure("the indices of maxima are integers, one for each");
  // Results of integers are no error here: the indices are some.
  int64_t pixels = window.input[0] * window.input[1];
  if (call.operand(0).isInteger() || call.operand(0).volume() != window.batch * pixels * window.channels ||
      call.results[0].volume() != window.pixels() * window.channels)
    return failure("the image has another size than the attributes say");
  parallelFor(window.pixels(), [&](int64_t pixel) {
    float *to = call.results[0].floats.data() + pixel * window.channels;
    std::fill_n(to, window.channels, -std::numeric_limits<float>::infinity());
    forEachTap(window, pixel, [&](int64_t offset) {
      const float *from = call.operand(0).floats.data() + offset;
      for (int64_t c = 0; c < window.channels; ++c)
        if (from[c] > to[c] || from[c] != from[c]) {
          to[c] = from[c];
          setWhole(indices, pixel * window.channels + c, offset / window.channels % pixels);
        }
    });
  });
  return llvm::Error::success();
}

/// Taps of a pixel that lie within the image or its padding: in ceil mode a last window may reach beyond both.
int64_t tapsWithPadding(const Window2D &window, int64_t pixel) {
  int64_t at[2] = {pixel / window.output[1] % window.output[0], pixel % window.output[1]}, taps = 1;
  for (int dim = 0; dim < 2; ++dim) {
    int64_t begin = window.tap(dim, at[dim], 0), end = window.input[dim] + window.after[dim];
    taps *= std::min(begin + window.kernel[dim], end) - begin;
  }
  return taps;
}

/// Elements are summed in double; the number that they are divided by is the override, else the taps with padding
/// (count_include_pad), else those within the image.
llvm::Error runAvgPool(KernelCall &call) {
  Window2D window = readWindow(call.op, "channels");
  if (llvm::Error error = checkPool(call, window))
    return error;
  bool countsPadding = call.op.boolean("count_include_pad", true);
  int64_t divisor = call.op.integer("divisor_override", 0);
  parallelFor(window.pixels(), [&](int64_t pixel) {
    // Taps in the padding add zero: what they change is the number that is divided by.
    std::vector<double> sums(size_t(window.channels), 0);
    int64_t inside = 0;
    forEachTap(window, pixel, [&](int64_t offset) {
      ++inside;
      for (int64_t c = 0; c < window.channels; ++c)
        sums[size_t(c)] += call.operand(0).floats[size_t(offset + c)];
    });
    int64_t count = divisor ? divisor : countsPadding ? tapsWithPadding(window, pixel) : inside;
    for (int64_t c = 0; c < window.channels; ++c)
      call.result().floats[size_t(pixel * window.channels + c)] = float(sums[size_t(c)] / double(count));
  });
  return llvm::Error::success();
}

/// Over height and width of NHWC.
llvm::Error runGlobalAvgPool(KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  if (llvm::Error error = needFloats(call))
    return error;
  if (input.rank() != 4 || call.result().volume() != input.shape()[0] * input.shape()[3])
    return failure("the simulator averages images as NHWC");
  int64_t batch = input.shape()[0], pixels = input.shape()[1] * input.shape()[2], channels = input.shape()[3];
  for (int64_t image = 0; image < batch; ++image)
    for (int64_t c = 0; c < channels; ++c) {
      double sum = 0;
      for (int64_t pixel = 0; pixel < pixels; ++pixel)
        sum += input.floats[size_t((image * pixels + pixel) * channels + c)];
      call.result().floats[size_t(image * channels + c)] = float(sum / double(pixels));
    }
  return llvm::Error::success();
}

/// Rows of all images are counted through: a row's image is its number over the height.
llvm::Error runUpsample(KernelCall &call) {
  if (call.op.string("mode", "nearest") != "nearest")
    return failure("the simulator upsamples to the nearest element only");
  const DenseTensor &input = call.operand(0), &result = call.result();
  if (llvm::Error error = needFloats(call))
    return error;
  bool fits = input.rank() == 4 && result.rank() == 4 && input.volume() > 0 &&
              input.shape()[0] == result.shape()[0] && input.shape()[3] == result.shape()[3] &&
              result.shape()[1] % input.shape()[1] == 0 && result.shape()[2] % input.shape()[2] == 0;
  if (!fits)
    return failure("the simulator upsamples images as NHWC, by whole factors");
  int64_t channels = input.shape()[3], height = result.shape()[1], width = result.shape()[2];
  int64_t factorY = height / input.shape()[1], factorX = width / input.shape()[2];
  for (int64_t row = 0; row < result.shape()[0] * height; ++row)
    for (int64_t x = 0; x < width; ++x) {
      int64_t from =
          (row / height * input.shape()[1] + row % height / factorY) * input.shape()[2] + x / factorX;
      std::copy_n(input.floats.data() + from * channels, channels,
                  call.result().floats.data() + (row * width + x) * channels);
    }
  return llvm::Error::success();
}

const KernelRow kWindow[] = {
    {.name = "ttnn.conv1d", .kernel = runConvolution, .deviceKernel = runConvolution},
    {.name = "ttnn.conv2d", .kernel = runConvolution, .deviceKernel = runConvolution},
    {"ttnn.conv_transpose2d", runConvolution},
    {"ttnn.prepare_conv2d_weights", runPrepareWeights},
    {"ttnn.prepare_conv2d_bias", runPrepareBias},
    {"ttnn.prepare_conv_transpose2d_weights", runPrepareWeights},
    {"ttnn.prepare_conv_transpose2d_bias", runPrepareBias},
    {"ttnn.max_pool2d", runMaxPool},
    {"ttnn.max_pool2d_with_indices", runMaxPoolWithIndices},
    {"ttnn.avg_pool2d", runAvgPool},
    {"ttnn.global_avg_pool2d", runGlobalAvgPool},
    {"ttnn.upsample", runUpsample}};

} // namespace

llvm::ArrayRef<KernelRow> windowKernels() { return kWindow; }

} // namespace tessera::simulator
