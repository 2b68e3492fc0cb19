//===- WindowProgramsTest.cpp - Convolutions and pools as sums of programs -===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#include "QueryText.h"

#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace tessera;

namespace {

class WindowProgramsTest : public testing::Test {
protected:
  DeviceSpec device = *findDevice("n150");
  LayoutPool layouts;

  OpRuntime time(const std::string &text) {
    auto model = createAnalyticOpModel({device, layouts, device.usableL1()});
    TextQuery q = parseQuery(text, layouts, device);
    ValidationResult result = model->query(q.query());
    EXPECT_NE(result.status, ValidationStatus::MetalBackendError) << text << ": " << result.message;
    return model->runtime(q.query());
  }
  double us(const std::string &text) { return time(text).total.value() / 1000; }

  /// A square convolution of stride 1 that keeps the image's size, all tensors in L1, height-sharded.
  std::string conv(int64_t image, int64_t channels, int64_t kernel, const std::string &more = "") {
    return llvm::formatv(
               "ttnn.conv2d {0}x{1}@hs49, {2}x{1}@dram -> {0}x{1}@hs49 ; batch_size=1 input_height={3} "
               "input_width={3} in_channels={1} out_channels={1} kernel_size=[{4},{4}] stride=[1,1] "
               "padding=[{5},{5}] dilation=[1,1] {6}",
               image * image, channels, kernel * kernel * channels, image, kernel, kernel / 2, more)
        .str();
  }
  /// On one core.
  std::string pool(int64_t kernel, int64_t stride, int64_t image = 56) {
    int64_t out = (image - kernel) / stride + 1;
    return llvm::formatv("ttnn.max_pool2d {0}x64@hs1/rm -> {1}x64@hs1/rm ; batch_size=1 input_height={2} "
                         "input_width={2} channels=64 kernel_size=[{3},{3}] stride=[{4},{4}] padding=[0,0] "
                         "dilation=[1,1]",
                         image * image, out * out, image, kernel, stride)
        .str();
  }
};

TEST_F(WindowProgramsTest, WindowsCostMoreThanTheirPixels) {
  // A 1x1 window is a matmul: no halo, nothing to gather. Nine pixels make nine times the products on top.
  double pixel = us(conv(56, 64, 1)), window = us(conv(56, 64, 3)), large = us(conv(56, 64, 5));
  EXPECT_GT(window, pixel + 3); // a halo alone is a launch more
  EXPECT_GT(large, 1.5 * window);
  EXPECT_LT(large, 25 * window);
}

TEST_F(WindowProgramsTest, GrowsWithImageAndChannels) {
  double last = 0;
  for (int64_t channels : {32, 64, 128, 256}) {
    double now = us(conv(56, channels, 3));
    EXPECT_GT(now, last) << channels << " channels";
    last = now;
  }
  EXPECT_GT(us(conv(112, 64, 3)), 2 * us(conv(56, 64, 3)));
}

TEST_F(WindowProgramsTest, DoubleBufferingHidesReads) {
  EXPECT_LT(us(conv(56, 64, 3, "conv2d_config.enable_act_double_buffer=true")), us(conv(56, 64, 3)));
}

TEST_F(WindowProgramsTest, FidelityIsPaidInArithmetic) {
  OpRuntime fast = time(conv(56, 256, 3, "compute_config.math_fidelity=lofi"));
  OpRuntime exact = time(conv(56, 256, 3, "compute_config.math_fidelity=hifi4"));
  EXPECT_GT(exact.compute.value(), 1.2 * fast.compute.value());
  EXPECT_EQ(exact.noc.value(), fast.noc.value());
}

TEST_F(WindowProgramsTest, SlicesMakeProgramsOfTheirOwn) {
  auto sliced = [&](int64_t slices) {
    std::string text =
        "ttnn.conv2d 12544x64@dram/rm, 576x64@dram -> 12544x64@dram ; batch_size=1 input_height=112 "
        "input_width=112 in_channels=64 out_channels=64 kernel_size=[3,3] stride=[1,1] "
        "padding=[1,1] dilation=[1,1] ; conv slice=height slices=";
    return time(text + std::to_string(slices));
  };
  // Padded slice, halo, kernel, slice write: four launches per slice.
  double two = sliced(2).dispatch.value(), four = sliced(4).dispatch.value();
  EXPECT_GE(four - two, 2 * 4 * device.launch.value());
  EXPECT_GT(sliced(4).total.value(), sliced(2).total.value());
}

TEST_F(WindowProgramsTest, PoolsGrowWithTheWindow) {
  double small = us(pool(2, 2)), larger = us(pool(3, 2)), all = us(pool(56, 56));
  EXPECT_GT(larger, 0.9 * small);
  // A window of the whole image is read stick by stick by one core: 3136 reads of some 38 cycles
  // (op_traces.csv).
  EXPECT_GT(all, 80);
  EXPECT_LT(all, 250);
}

} // namespace
