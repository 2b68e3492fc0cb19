//===- KernelVectorsTest.cpp - Kernels' arithmetic against real kernels ---===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// ../shared/facts/real-kernels holds operands and what the library's kernels made of
// them on a functional simulator of both chips. Bars are per op: as many elements as
// stated have the same bits, and the error against exact arithmetic is the kernels'
// own within a factor.
//
//===----------------------------------------------------------------------===//
#include "SharedFiles.h"
#include "SimulatorTest.h"
#include "VectorFile.h"

#include "tessera/OpModel/MockOpModel.h"

#include "llvm/ADT/STLExtras.h"

#include <cmath>
#include <fstream>

using namespace tessera;
using namespace tessera::simulator;

namespace {

constexpr auto kF32 = DataType::Float32, kBf16 = DataType::BFloat16, kBfp8 = DataType::BFP_BFloat8;

/// An op of ops.mlir.
struct Case {
  const char *name; ///< in ops.names
  const char *op;
  std::vector<int> operands; ///< numbers of arguments
  Shape shape;               ///< of the operands, if they have rank 2
  DataType type;             ///< of operands
  double equal;              ///< least part of elements that have the same bits
  Shape result = {};         ///< if not `shape`
  std::vector<std::pair<std::string, AttrValue>> attributes = {};
};

const Shape kSmall = {128, 64}, kWide = {64, 512};
const std::vector<std::pair<std::string, AttrValue>> kPrecise = {
    {"compute_config.math_fidelity", std::string("hifi4")},
    {"compute_config.math_approx_mode", false},
    {"compute_config.fp32_dest_acc_en", true},
    {"compute_config.packer_l1_acc", true}};

std::vector<std::pair<std::string, AttrValue>> with(std::vector<std::pair<std::string, AttrValue>> attributes,
                                                    bool precise = false) {
  if (precise)
    llvm::append_range(attributes, kPrecise);
  return attributes;
}
const AttrValue kAlongRows = std::vector<int64_t>{1}, kAlongColumns = std::vector<int64_t>{0};
std::vector<std::pair<std::string, AttrValue>> norm(int64_t bias, bool precise = false) {
  return with({{"epsilon", 9.99999974E-6}, {"operandSegmentSizes", std::vector<int64_t>{1, 1, bias}}},
              precise);
}
std::vector<std::pair<std::string, AttrValue>> softmax(bool stable, bool precise = false) {
  return with({{"dimension", int64_t(1)}, {"numericStable", stable}}, precise);
}

/// Measured 2026-11-23: 100 % each, on both chips. Of sin and cos the kernels are not modelled.
const Case kCases[] = {
    {"exp", "exp", {0}, kSmall, kBf16, 1},
    {"gelu", "gelu", {0}, kSmall, kBf16, 1},
    {"silu", "silu", {0}, kSmall, kBf16, 1},
    {"tanh", "tanh", {0}, kSmall, kBf16, 1},
    {"erf", "erf", {0}, kSmall, kBf16, 1},
    {"relu", "relu", {0}, kSmall, kBf16, 1},
    {"sin", "sin", {0}, kSmall, kBf16, 0.99},
    {"cos", "cos", {0}, kSmall, kBf16, 0.99},
    {"rsqrt", "rsqrt", {1}, kSmall, kBf16, 1},
    {"sqrt", "sqrt", {1}, kSmall, kBf16, 1},
    {"reciprocal", "reciprocal", {1}, kSmall, kBf16, 1},
    {"log", "log", {1}, kSmall, kBf16, 1},
    {"add", "add", {2, 3}, kSmall, kBf16, 1},
    {"subtract", "subtract", {2, 3}, kSmall, kBf16, 1},
    {"multiply", "multiply", {2, 3}, kSmall, kBf16, 1},
    {"divide", "divide", {2, 3}, kSmall, kBf16, 1},
    {"add f32", "add", {4, 5}, kSmall, kF32, 1},
    {"multiply f32", "multiply", {4, 5}, kSmall, kF32, 1},
    {"divide f32", "divide", {4, 5}, kSmall, kF32, 1},
    {"exp f32", "exp", {4}, kSmall, kF32, 1},
    {"softmax stable", "softmax", {6}, kWide, kBf16, 1, kWide, softmax(true)},
    {"softmax", "softmax", {6}, kWide, kBf16, 1, kWide, softmax(false)},
    {"softmax f32 hifi4", "softmax", {9}, kWide, kF32, 1, kWide, softmax(true, true)},
    {"sum bf16", "sum", {6}, kWide, kBf16, 1, {64, 1}, {{"dim_arg", kAlongRows}}},
    {"sum f32", "sum", {9}, kWide, kF32, 1, {64, 1}, {{"dim_arg", kAlongRows}}},
    {"mean bf16", "mean", {6}, kWide, kBf16, 1, {64, 1}, {{"dim_arg", kAlongRows}}},
    {"mean f32", "mean", {9}, kWide, kF32, 1, {64, 1}, {{"dim_arg", kAlongRows}}},
    {"max bf16", "max", {6}, kWide, kBf16, 1, {64, 1}, {{"dim_arg", kAlongRows}}},
    {"max f32", "max", {9}, kWide, kF32, 1, {64, 1}, {{"dim_arg", kAlongRows}}},
    {"sum dim0 bf16", "sum", {6}, kWide, kBf16, 1, {1, 512}, {{"dim_arg", kAlongColumns}}},
    {"rms_norm", "rms_norm", {6, 7}, kWide, kBf16, 1, kWide, norm(0)},
    {"rms_norm hifi4 fp32acc", "rms_norm", {6, 7}, kWide, kBf16, 1, kWide, norm(0, true)},
    {"layer_norm", "layer_norm", {6, 7, 8}, kWide, kBf16, 1, kWide, norm(1)},
};

using Vectors = std::map<std::string, std::vector<float>>;

DenseTensor tensorFrom(const std::vector<float> &elements, Shape shape, DataType type) {
  DenseTensor tensor({std::move(shape), type});
  llvm::copy(elements, tensor.floats.begin());
  return tensor;
}

/// How often elements have the same bits; NaNs are one.
double equalPart(llvm::ArrayRef<float> a, llvm::ArrayRef<float> b) {
  int64_t equal = 0;
  for (auto [x, y] : llvm::zip_equal(a, b))
    equal += x == y || (std::isnan(x) && std::isnan(y));
  return double(equal) / double(a.size());
}

/// Root of the mean square of the differences.
double rmsOf(llvm::ArrayRef<float> values, const DenseTensor &exact) {
  double sum = 0;
  for (size_t i = 0; i < values.size(); ++i)
    sum += (values[i] - exact.at(int64_t(i))) * (values[i] - exact.at(int64_t(i)));
  return std::sqrt(sum / double(values.size()));
}

class KernelVectors : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    std::filesystem::path folder = sharedFolder() / "facts/real-kernels";
    if (!std::filesystem::exists(folder / "ops.names"))
      GTEST_SKIP() << "NOT CHECKED: there are no vectors in " << folder;
    inputs = readVectors(folder / "ops.inputs.npz");
    results = readVectors(folder / (std::string("ops.") + GetParam() + ".npz"));
    std::ifstream file(folder / "ops.names");
    for (std::string line; std::getline(file, line);)
      names.push_back(line);
  }

  llvm::ArrayRef<float> real(llvm::StringRef name) {
    size_t number = size_t(llvm::find(names, name) - names.begin());
    return results["out" + std::to_string(number)];
  }

  /// The tensor of that type which an op makes on the chip.
  DenseTensor run(llvm::StringRef name, llvm::ArrayRef<DenseTensor> operands, TensorDesc desc,
                  Arithmetic arithmetic, llvm::ArrayRef<std::pair<std::string, AttrValue>> attributes = {}) {
    OpSignature op;
    op.name = ("ttnn." + name).str();
    for (const auto &[key, value] : attributes)
      op.addAttribute(key, value);
    std::vector<const DenseTensor *> pointers;
    for (const DenseTensor &operand : operands)
      pointers.push_back(&operand);
    std::vector<DenseTensor> made(1, DenseTensor(std::move(desc)));
    LayoutPool layouts;
    const DeviceSpec &device = *findDevice(GetParam());
    MockOpModel model({device, layouts, device.usableL1()});
    Launch launch{model, {}, {}};
    KernelCall call{op, std::monostate(), pointers, made, nullptr, arithmetic, &launch};
    llvm::cantFail(runKernel(*findKernel(op.name), call));
    return std::move(made.front());
  }

  std::vector<DenseTensor> operandsOf(const Case &test) {
    std::vector<DenseTensor> operands;
    for (int argument : test.operands) {
      const std::vector<float> &elements = inputs["arg" + std::to_string(argument)];
      bool isMatrix = int64_t(elements.size()) == volumeOf(test.shape);
      operands.push_back(
          tensorFrom(elements, isMatrix ? test.shape : Shape{int64_t(elements.size())}, test.type));
    }
    return operands;
  }

  Vectors inputs, results;
  std::vector<std::string> names;
};

TEST_P(KernelVectors, HaveTheBitsOfRealOnes) {
  for (const Case &test : kCases) {
    SCOPED_TRACE(test.name);
    DenseTensor made =
        run(test.op, operandsOf(test), {test.result.empty() ? test.shape : test.result, test.type},
            Arithmetic::Kernels, test.attributes);
    ASSERT_EQ(made.floats.size(), real(test.name).size());
    EXPECT_GE(equalPart(made.floats, real(test.name)), test.equal);
  }
}

TEST_P(KernelVectors, AreAsFarOffAsRealOnes) {
  for (const Case &test : kCases) {
    SCOPED_TRACE(test.name);
    std::vector<DenseTensor> operands = operandsOf(test);
    Shape shape = test.result.empty() ? test.shape : test.result;
    DenseTensor exact = run(test.op, operands, {shape, kF32}, Arithmetic::Exact, test.attributes);
    DenseTensor made = run(test.op, operands, {shape, test.type}, Arithmetic::Kernels, test.attributes);
    double ofReal = rmsOf(real(test.name), exact), ofMade = rmsOf(made.floats, exact);
    if (ofReal == 0)
      EXPECT_EQ(ofMade, 0);
    else if (std::isfinite(ofReal)) {
      EXPECT_GT(ofMade / ofReal, 0.7);
      EXPECT_LT(ofMade / ofReal, 1.4);
    }
  }
}

TEST_P(KernelVectors, CastAsRealOnes) {
  for (auto [name, argument, from, to] : {std::tuple("typecast f32->bf16", "arg4", kF32, kBf16),
                                          std::tuple("bf16->bfp8->bf16", "arg2", kBf16, kBfp8),
                                          std::tuple("f32->bfp8->bf16", "arg4", kF32, kBfp8)}) {
    DenseTensor made =
        run("typecast", tensorFrom(inputs[argument], kSmall, from), {kSmall, to}, Arithmetic::Kernels);
    EXPECT_EQ(equalPart(made.floats, real(name)), 1) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Chips, KernelVectors, testing::Values("p150", "n150"),
                         [](const auto &info) { return std::string(info.param); });

} // namespace
