//===- ConvolutionPatterns.cpp - Around convolutions, and functions ----===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "PatternWriters.h"

#include "llvm/ADT/StringExtras.h"

using namespace tessera;

namespace {

/// What is the same in every call, on the host as weights are.
Named hostParameter(PatternText &p, Shape shape) {
  return p.argument({std::move(shape), DataType::BFloat16}, ModuleText::Place::HostRows,
                    "{ttcore.argument_type = #ttcore.argument_type<parameter>}");
}

/// A square image, and the window that goes over it.
struct Image {
  int64_t batch, extent, channels, kernel, stride = 1;
  int64_t pixels() const { return batch * extent * extent; }
};
Image randomImage(PatternText &p) {
  return {p.pick<int64_t>({1, 2}), p.pick<int64_t>({8, 16}), p.pick<int64_t>({32, 64}),
          p.pick<int64_t>({1, 3})};
}

std::string window(const Image &image, const std::string &integer, int64_t border) {
  auto pair = [](int64_t extent) {
    return "array<i32: " + std::to_string(extent) + ", " + std::to_string(extent) + ">";
  };
  auto number = [&](int64_t value) { return std::to_string(value) + " : " + integer; };
  return "batch_size = " + number(image.batch) + ", dilation = " + pair(1) +
         ", input_height = " + number(image.extent) + ", input_width = " + number(image.extent) +
         ", kernel_size = " + pair(image.kernel) + ", padding = " + pair(border) +
         ", stride = " + pair(image.stride);
}

/// The weights as a compiler prepares them, in a function or where they are read.
Named prepared(PatternText &p, const Named &weights, const Named &x, const Image &image, int64_t outChannels,
               int64_t border, const std::string &config) {
  return p.made("prepare_conv2d_weights", {weights},
                window(image, "i32", border) + ", groups = 1 : i32, has_bias = false, in_channels = " +
                    std::to_string(image.channels) + " : i32, out_channels = " + std::to_string(outChannels) +
                    " : i32, input_dtype = #ttcore.supportedDataTypes<bf16>, input_memory_config = "
                    "#ttnn.memory_config<#ttnn.buffer_type<dram>, <interleaved>>, input_tensor_layout = "
                    "#ttnn.layout<tile>, "
                    "weights_format = \"OIHW\", conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16" +
                    config + ">",
                p.with({1, 1, image.channels * image.kernel * image.kernel, outChannels}, x), p.device());
}

/// As many pixels as the image has, if the border is half a window; else fewer.
Named convolution(PatternText &p, const Named &x, const Image &image, int64_t outChannels, int64_t border,
                  const std::string &config = "") {
  const int64_t extent = (image.extent + 2 * border - image.kernel) / image.stride + 1;
  std::vector<Named> operands{x, hostParameter(p, {outChannels, image.channels, image.kernel, image.kernel})};
  const bool isPrepared = p.chance(3);
  if (isPrepared)
    operands[1] = prepared(p, operands[1], x, image, outChannels, border, config);
  else if (p.chance(3))
    operands.push_back(hostParameter(p, {1, 1, 1, outChannels}));
  return p.made("conv2d", operands,
                window(image, "i32", border) + ", groups = 1 : i32, in_channels = " +
                    std::to_string(image.channels) + " : i32, out_channels = " + std::to_string(outChannels) +
                    " : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16" + config +
                    ">, compute_config = #ttnn.device_compute_kernel_config<fp32_dest_acc_en = true>",
                p.with({1, 1, image.batch * extent * extent, outChannels}, x), p.device());
}

} // namespace

/// Off: a factor comes with the call; another reads the sums; a factor per pixel; the sums went through a function.
void tessera::writeConvolutionWeights(PatternText &p, size_t off) {
  const Image image = randomImage(p);
  const int64_t channels = p.pick<int64_t>({32, 48, 64});
  Named x = p.input({1, 1, image.pixels(), image.channels});
  Named sums =
      convolution(p, x, image, channels, image.kernel / 2, off == 4 ? ", activation = <op_type = relu>" : "");
  if (off == 2)
    p.giveItself(sums);
  const bool isNorm = off == 0 && p.chance(3);
  if (isNorm || p.chance())
    sums = p.reshape(sums, {image.batch, image.extent, image.extent, channels});
  if (isNorm) {
    const Shape each{1, channels, 1, 1};
    Named variance = p.same("abs", p.parameter(each));
    Named normed = p.made(
        "batch_norm_inference",
        {p.permute(sums, {0, 3, 1, 2}), p.parameter(each), variance, p.parameter(each), p.parameter(each)},
        "epsilon = 1.0e-03 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>",
        p.with({image.batch, channels, image.extent, image.extent}, sums));
    return p.give(p.permute(normed, {0, 2, 3, 1}));
  }
  const bool channelsFirst = off == 0 && sums.desc.shape[0] == image.batch && p.chance();
  if (channelsFirst)
    sums = p.permute(sums, {0, 3, 1, 2});
  Shape row(4, 1);
  const size_t dimension = off == 3 ? 2 : channelsFirst ? 1 : 3;
  row[dimension] = sums.desc.shape[dimension];
  Named scale = off == 1 ? p.argument(p.with(row, sums)) : p.parameter(row);
  Named made = p.binary("multiply", sums, scale);
  if (off == 0 && p.chance())
    made = p.made(p.pick({"add", "subtract"}), {made, p.parameter(row)},
                  p.chance() ? "activations = [#ttnn.unary_with_param<op_type = relu6>]" : "", made.desc);
  p.give(made);
}

/// Off: the bias is the same in every call; the convolution applies a function to its result.
void tessera::writeLateBias(PatternText &p, size_t off) {
  const Image image = randomImage(p);
  const int64_t channels = p.pick<int64_t>({32, 48, 64});
  const Shape row{1, 1, 1, channels};
  Named x = p.input({1, 1, image.pixels(), image.channels});
  Named bias = off == 1 ? p.parameter(row) : p.input(row);
  Named rows = p.made("to_layout", {bias}, "", bias.desc, "", ModuleText::Place::DramRows);
  Named fetched = p.made("from_device", {rows}, "", bias.desc, "", ModuleText::Place::HostRows);
  Named weights = hostParameter(p, {channels, image.channels, image.kernel, image.kernel});
  p.give(p.made("conv2d", {x, weights, fetched},
                window(image, "i32", image.kernel / 2) + ", groups = 1 : i32, in_channels = " +
                    std::to_string(image.channels) + " : i32, out_channels = " + std::to_string(channels) +
                    " : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16" +
                    (off == 2 ? ", activation = <op_type = relu>" : "") + ">",
                p.with({1, 1, image.pixels(), channels}, x), p.device()));
}

/// Off: windows overlap; weights come with the call; nothing was said of folding.
void tessera::writeFoldedWindows(PatternText &p, size_t off) {
  Image image = randomImage(p);
  image.kernel = p.pick<int64_t>({2, 4});
  image.stride = off == 1 ? image.kernel / 2 : image.kernel;
  Named x = p.input({1, 1, image.pixels(), image.channels});
  if (off == 2) {
    const int64_t windows = image.batch * (image.extent / image.kernel) * (image.extent / image.kernel);
    Named weights = p.argument({{64, image.channels, image.kernel, image.kernel}, DataType::BFloat16},
                               ModuleText::Place::HostRows, "");
    return p.give(p.made(
        "conv2d", {x, weights},
        window(image, "i32", 0) + ", groups = 1 : i32, in_channels = " + std::to_string(image.channels) +
            " : i32, out_channels = 64 : i32, conv2d_config = "
            "#ttnn.conv2d_config<weights_dtype = bf16, enable_kernel_stride_folding = false>",
        p.with({1, 1, windows, 64}, x), p.device()));
  }
  p.give(convolution(p, x, image, p.pick<int64_t>({32, 64}), 0,
                     off == 3 ? "" : ", enable_kernel_stride_folding = false"));
}

/// Off: a border of something else; channels are padded, too; another reads the padded image.
void tessera::writeWindowPadding(PatternText &p, size_t off) {
  Image image = randomImage(p);
  image.kernel = 3;
  const bool isPool = p.chance();
  Named x = p.argument({{image.batch, image.extent, image.extent, image.channels}, DataType::BFloat16});
  const int64_t more = off == 2 ? 32 : 0;
  const std::string number = off == 1 ? "1.0e+00" : isPool ? "0xFF800000" : "0.0e+00";
  image.extent += 2;
  image.channels += more;
  Named padded = p.made("pad", {x},
                        "padding = array<i32: 0, 0, 1, 1, 1, 1, 0, " + std::to_string(more) +
                            ">, use_multicore = true, value = " + number + " : f32",
                        p.with({image.batch, image.extent, image.extent, image.channels}, x));
  if (off == 3)
    p.giveItself(padded);
  Named rows = p.reshape(padded, {1, 1, image.pixels(), image.channels});
  if (!isPool)
    return p.give(convolution(p, rows, image, 64, 0));
  p.give(p.made("max_pool2d", {rows},
                window(image, "si32", 0) +
                    ", ceil_mode = false, channels = " + std::to_string(image.channels) + " : si32",
                p.with({1, 1, image.batch * (image.extent - 2) * (image.extent - 2), image.channels}, rows)));
}

/// Off: another number; counts of another window; a pool that does not count the padding.
void tessera::writeCountedPool(PatternText &p, size_t off) {
  const int64_t extent = p.pick<int64_t>({8, 14}), channels = p.pick<int64_t>({32, 64}),
                step = p.pick<int64_t>({1, 2}), side = (extent - 1) / step + 1;
  std::vector<std::string> counts;
  for (int64_t row = 0; row < side; ++row)
    for (int64_t column = 0; column < side; ++column) {
      auto inside = [&](int64_t at) {
        return std::min(at * step + 2, extent) - std::max<int64_t>(at * step - 1, 0);
      };
      const int64_t count = inside(row) * inside(column) + (off == 2 && row == 0 ? 1 : 0);
      counts.push_back("[" + std::to_string(count) + ".0]");
    }
  Named x = p.argument({{1, 1, extent * extent, channels}, DataType::BFloat16}, ModuleText::Place::DramRows);
  const std::string sizes = std::to_string(extent), steps = std::to_string(step);
  Named pooled =
      p.made("avg_pool2d", {x},
             "batch_size = 1 : si32, ceil_mode = false, channels = " + std::to_string(channels) +
                 " : si32, count_include_pad = " + (off == 3 ? "false" : "true") +
                 ", dilation = array<i32: 1, 1>, divisor_override = 0 : i32, input_height = " + sizes +
                 " : si32, input_width = " + sizes +
                 " : si32, kernel_size = array<i32: 3, 3>, padding = array<i32: 1, 1>, stride = array<i32: " +
                 steps + ", " + steps + ">",
             p.with({1, 1, side * side, channels}, x));
  Named sums = p.binary("multiply", pooled, p.number(off == 1 ? "8.0" : "9.0", pooled));
  Named wide = p.chance() ? p.cast(sums, DataType::Float32) : sums;
  Named divisors = p.made("constant", {},
                          "value = dense<[[[" + llvm::join(counts, ", ") + "]]]> : tensor<1x1x" +
                              std::to_string(side * side) + "x1x" +
                              (wide.desc.dtype == DataType::Float32 ? "f32" : "bf16") + ">",
                          p.with({1, 1, side * side, 1}, wide), p.device());
  p.give(p.binary("divide", wide, divisors));
}

/// Off: another reads what goes through the function; a function goes into none; it has one already.
void tessera::writeActivation(PatternText &p, size_t off) {
  const int64_t rows = p.pick<int64_t>({32, 64}), inner = p.pick<int64_t>({32, 96}),
                columns = p.pick<int64_t>({32, 64});
  const Shape shape{1, 1, rows, columns};
  const std::string function =
      off == 2 ? "neg" : p.pick<std::string>({"relu", "gelu", "silu", "sigmoid", "tanh"});
  const std::string op = p.pick<std::string>({"add", "subtract", "multiply"});
  auto argument = [&](Shape of) { return p.argument({std::move(of), DataType::BFloat16}); };
  if (off == 0 && p.chance(3)) { // of an operand
    Named activated = p.same(function, argument(shape)), other = argument(shape);
    return p.giveItself(p.chance() ? p.binary(op, activated, other) : p.binary(op, other, activated));
  }
  Named made = off != 3 && p.chance()
                   ? p.matmul(argument({1, 1, rows, inner}), argument({1, 1, inner, columns}))
                   : p.made(op, {argument(shape), argument(shape)},
                            off == 3 ? "activations = [#ttnn.unary_with_param<op_type = relu>]" : "",
                            {shape, DataType::BFloat16});
  if (off == 1)
    p.giveItself(made);
  if (off == 0 && p.chance())
    made = p.reshape(made, {1, rows, columns});
  p.giveItself(p.same(function, made));
}

/// Off: windows of several pixels; every second pixel; weights come with the call; many pixels.
void tessera::writePixelProducts(PatternText &p, size_t off) {
  Image image = randomImage(p);
  image.extent = off == 4 ? 8 : p.pick<int64_t>({1, 3, 4});
  image.kernel = off == 1 ? 3 : 1;
  image.stride = off == 2 ? 2 : 1;
  const int64_t channels = p.pick<int64_t>({32, 48, 64});
  Named x = p.input({1, 1, image.pixels(), image.channels});
  if (off != 3)
    return p.give(convolution(p, x, image, channels, image.kernel / 2,
                              p.chance(3) ? ", activation = <op_type = relu>" : ""));
  Named weights =
      p.argument({{channels, image.channels, 1, 1}, DataType::BFloat16}, ModuleText::Place::HostRows, "");
  p.give(p.made("conv2d", {x, weights},
                window(image, "i32", 0) + ", groups = 1 : i32, in_channels = " +
                    std::to_string(image.channels) + " : i32, out_channels = " + std::to_string(channels) +
                    " : i32, conv2d_config = #ttnn.conv2d_config<weights_dtype = bf16>",
                p.with({1, 1, image.pixels(), channels}, x), p.device()));
}
