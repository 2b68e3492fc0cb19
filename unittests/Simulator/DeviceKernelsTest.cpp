//===- DeviceKernelsTest.cpp ----------------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What the description of the matrix engine says, on numbers that can be followed by
// hand. test/Simulator/kernel_errors.test compares with what real kernels gave.
//
//===----------------------------------------------------------------------===//
#include "SimulatorTest.h"

#include <cmath>

using namespace tessera;
using namespace tessera::simulator;

namespace {

constexpr DataType kBf16 = DataType::BFloat16;

DenseTensor filled(Shape shape, double value, DataType dtype = kBf16) {
  DenseTensor tensor({std::move(shape), dtype});
  for (int64_t i = 0; i < tensor.volume(); ++i)
    tensor.set(i, value);
  return tensor;
}

struct Config {
  const char *fidelity;
  bool fp32Dest = true, packerL1Acc = false;
};

KernelRun matmul(std::vector<DenseTensor> operands, Config config, const char *op = "ttnn.matmul") {
  KernelRun run(op, std::move(operands));
  return run.onDevice()
      .with("compute_config.fp32_dest_acc_en", config.fp32Dest)
      .with("compute_config.math_fidelity", std::string(config.fidelity))
      .with("compute_config.packer_l1_acc", config.packerL1Acc);
}

/// a * b, as f32.
double product(double a, double b, Config config) {
  return matmul({filled({1, 1}, a), filled({1, 1}, b)}, config).result({1, 1}).at(0);
}

TEST(DeviceKernels, FidelityPhasesTakePartsOfTheMantissas) {
  constexpr double kFifth = 1 + 1.0 / 32, kSeventh = 1 + 1.0 / 128; // one bit behind what a phase takes
  EXPECT_EQ(product(1, kFifth, {"lofi"}), 1);
  EXPECT_EQ(product(1, kFifth, {"hifi2"}), kFifth);
  EXPECT_EQ(product(kFifth, 1, {"lofi"}), kFifth) << "the first operand has 7 bits";
  EXPECT_EQ(product(kSeventh, 1, {"hifi2"}), 1);
  EXPECT_EQ(product(kSeventh, 1, {"hifi3"}), kSeventh);
  EXPECT_EQ(product(kSeventh, kFifth, {"hifi3"}), kSeventh + 1.0 / 32) << "no product of both lower parts";
  EXPECT_EQ(product(kSeventh, kFifth, {"hifi4"}), kSeventh * kFifth);
}

TEST(DeviceKernels, ProductsAreAlignedToTheLargestOfEight) {
  // 2^-11 of the largest is rounded up to the grid, 2^-12 away.
  DenseTensor ones = filled({8, 1}, 1), a = filled({1, 8}, 0);
  a.set(0, 1);
  a.set(1, std::ldexp(1, -11));
  EXPECT_EQ(matmul({a, ones}, {"hifi4"}).result({1, 1}).at(0), 1 + std::ldexp(1, -10));
  a.set(1, std::ldexp(1, -12));
  EXPECT_EQ(matmul({a, ones}, {"hifi4"}).result({1, 1}).at(0), 1);
  // In another group of eight they are added in 24 bits.
  DenseTensor more = filled({16, 1}, 1), b = filled({1, 16}, 0);
  b.set(0, 1);
  b.set(8, std::ldexp(1, -12));
  EXPECT_EQ(matmul({b, more}, {"hifi4"}).result({1, 1}).at(0), 1 + std::ldexp(1, -12));
}

TEST(DeviceKernels, RegistersOf16BitsLoseWhatIsSmall) {
  // 256 is reached in steps of 16; then 1 at a time is less than half a unit in the last place.
  DenseTensor a = filled({1, 512}, 0), ones = filled({512, 1}, 1);
  a.set(0, 256);
  for (int64_t k = 16; k < 512; k += 16)
    a.set(k, 0.5);
  EXPECT_EQ(matmul({a, ones}, {"hifi4", true}).result({1, 1}).at(0), 256 + 15.5);
  EXPECT_EQ(matmul({a, ones}, {"hifi4", false}).result({1, 1}).at(0), 256);
}

TEST(DeviceKernels, ResultsArePackedWithTiesAwayFromZero) {
  double tie = 1 + 1.0 / 256; // between two elements of bf16, the lower one even
  DenseTensor a = tensorOf({1, 2}, {1, 1.0 / 256}, kBf16), b = tensorOf({2, 1}, {1, 1}, kBf16);
  EXPECT_EQ(matmul({a, b}, {"hifi4"}).result({1, 1}).at(0), tie);
  EXPECT_EQ(matmul({a, b}, {"hifi4"}).result({1, 1}, kBf16).at(0), 1 + 1.0 / 128);
  EXPECT_EQ(KernelRun("ttnn.relu", {filled({1, 1}, tie, DataType::Float32)}).result({1, 1}, kBf16).at(0), tie)
      << "exact arithmetic leaves rounding to who writes the result";
}

TEST(DeviceKernels, ProductsDoNotDependOnWhereRowsAndColumnsAreCut) {
  DenseTensor a = filled({70, 96}, 0), b = filled({96, 140}, 0);
  for (int64_t i = 0; i < a.volume(); ++i)
    a.set(i, std::sin(double(i)));
  for (int64_t i = 0; i < b.volume(); ++i)
    b.set(i, std::cos(double(i) * 0.7));
  DenseTensor whole = matmul({a, b}, {"hifi2", false}).result({70, 140}, kBf16);
  DenseTensor row = filled({1, 96}, 0), column = filled({96, 1}, 0);
  for (int64_t k = 0; k < 96; ++k) {
    row.set(k, a.at(65 * 96 + k));
    column.set(k, b.at(k * 140 + 131));
  }
  EXPECT_EQ(matmul({row, column}, {"hifi2", false}).result({1, 1}, kBf16).at(0), whole.at(65 * 140 + 131));
  DenseTensor transposed = filled({140, 96}, 0);
  for (int64_t i = 0; i < b.volume(); ++i)
    transposed.set(i % 140 * 96 + i / 140, b.at(i));
  EXPECT_EQ(
      matmul({a, transposed}, {"hifi2", false}).with("transpose_b", true).result({70, 140}, kBf16).floats,
      whole.floats);
}

TEST(DeviceKernels, OpsWithoutADeviceKernelComputeExactly) {
  DenseTensor a = counting({2, 3}, kBf16);
  EXPECT_EQ(KernelRun("ttnn.transpose", {a})
                .onDevice()
                .with("dim0", 0)
                .with("dim1", 1)
                .result({3, 2}, kBf16)
                .floats,
            KernelRun("ttnn.transpose", {a}).with("dim0", 0).with("dim1", 1).result({3, 2}, kBf16).floats);
}

TEST(DeviceKernels, AttentionToOnePositionIsItsValue) {
  DenseTensor query = filled({1, 1, 4, 32}, 0.5), key = filled({1, 1, 4, 32}, 0.25),
              value({{1, 1, 4, 32}, kBf16});
  for (int64_t i = 0; i < value.volume(); ++i)
    value.set(i, double(i / 32 + 1));
  KernelRun run("ttnn.scaled_dot_product_attention", {query, key, value});
  DenseTensor made = run.onDevice()
                         .with("is_causal", true)
                         .with("operandSegmentSizes", std::vector<int64_t>{1, 1, 1, 0, 0})
                         .with("scale", 0.125)
                         .result({1, 1, 4, 32}, kBf16);
  ASSERT_EQ(run.error, "");
  // One weight of 1 over a sum of 1; then equal weights. exp of 0 is 0.97 by Schraudolph's line, in sums as in weights.
  for (int64_t row = 0; row < 4; ++row)
    EXPECT_NEAR(made.at(row * 32), double(row + 2) / 2, 0.02 * double(row + 2) / 2);
}

TEST(DeviceKernels, SinkIsAKeyWithoutAValue) {
  DenseTensor query = filled({1, 1, 4, 32}, 0.5), key = filled({1, 1, 4, 32}, 0.25),
              value = filled({1, 1, 4, 32}, 1), sink = filled({1, 1, 1, 1}, 4);
  KernelRun run("ttnn.scaled_dot_product_attention", {query, key, value, sink});
  DenseTensor made = run.onDevice()
                         .with("is_causal", false)
                         .with("operandSegmentSizes", std::vector<int64_t>{1, 1, 1, 0, 1})
                         .with("scale", 0.125)
                         .result({1, 1, 4, 32}, kBf16);
  ASSERT_EQ(run.error, "");
  // The scores are 4, too, so that four of five parts of the weight are left.
  for (int64_t row = 0; row < 4; ++row)
    EXPECT_NEAR(made.at(row * 32), 0.8, 0.02);
}

} // namespace
