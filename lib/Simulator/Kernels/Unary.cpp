//===- Unary.cpp - One operand, element by element ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// gelu is the exact one, by the error function. Comparisons yield 0 or 1. Ops that
// take integers to integers (neg, abs, sign, relu, logical_not) are exact there.
// In the device's arithmetic the vector unit computes (VectorUnit.h), where it has a
// function of that name.
//
//===----------------------------------------------------------------------===//
#include "DeviceRows.h"
#include "VectorUnit.h"

#include "tessera/Simulator/Parallel.h"

#include <algorithm>
#include <cmath>

namespace tessera::simulator {

namespace {

float sigmoid(float x) { return 1 / (1 + std::exp(-x)); }
// Beyond 20 the exponential's logarithm is x in fp32, and the exponential overflows later on.
float softplus(float x) { return x > 20 ? x : std::log1p(std::exp(x)); }
/// As PyTorch has it: slope 1/6.
float hardsigmoid(float x) { return std::clamp(x / 6 + 0.5f, 0.0f, 1.0f); }

/// Of one expression both are made: the op's kernel, and the bare function, which other ops apply as an activation.
struct UnaryRow {
  KernelRow kernel;
  llvm::StringLiteral name; ///< as an activation
  UnaryFunction function;
};

/// Elements of a part of work that threads share.
constexpr int64_t kPart = 1 << 16;

template <class Each>
void mapElements(llvm::ArrayRef<float> from, llvm::MutableArrayRef<float> to, Each function) {
  int64_t count = int64_t(to.size());
  parallelFor(ceilDiv(count, kPart), [&](int64_t part) {
    for (int64_t i = part * kPart, end = std::min(count, i + kPart); i < end; ++i)
      to[size_t(i)] = function(from[size_t(i)]);
  });
}

/// For integers that stay integers: a float has 24 of their 32 bits.
using WholeFunction = int64_t (*)(int64_t);

template <UnaryFunction function, WholeFunction whole = nullptr>
llvm::Error runUnary(KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  DenseTensor &result = call.result();
  if (llvm::Error error = needSameVolume(call))
    return error;
  if (!input.isInteger() && !result.isInteger()) {
    mapElements(input.floats, result.floats, [](float x) { return function(x); });
    return llvm::Error::success();
  }
  for (int64_t i = 0, end = result.volume(); i < end; ++i)
    // Functions without a form for integers take them as floats, and round what they make.
    if constexpr (whole != nullptr) {
      if (input.isInteger())
        setWhole(result, i, whole(wholeAt(input, i)));
      else
        result.set(i, function(input.floats[size_t(i)]));
    } else {
      result.set(i, function(float(input.at(i))));
    }
  return llvm::Error::success();
}

llvm::Error runUnaryOnDevice(KernelCall &call) {
  const DenseTensor &input = call.operand(0);
  llvm::StringRef name = llvm::StringRef(call.op.name).drop_front(llvm::StringRef("ttnn.").size());
  vector_unit::Function function = vector_unit::findFunction(name, archOf(call), hasWideElements(call));
  // Not modelled, or of integers: exact, and packed behind it like all else.
  if (!function || input.isInteger() || call.result().isInteger())
    return findKernel(call.op.name)->kernel(call);
  if (llvm::Error error = needSameVolume(call))
    return error;
  mapElements(input.floats, call.result().floats, function);
  return llvm::Error::success();
}

llvm::Error runBitwiseNot(KernelCall &call) {
  if (llvm::Error error = needSameVolume(call))
    return error;
  if (!call.operand(0).isInteger() || !call.result().isInteger())
    return failure("only integers have bits to invert");
  for (int64_t i = 0, end = call.result().volume(); i < end; ++i)
    call.result().integers[size_t(i)] = ~call.operand(0).integers[size_t(i)];
  return llvm::Error::success();
}

llvm::Error runLeakyRelu(KernelCall &call) {
  if (llvm::Error error = needFloats(call))
    return error;
  if (llvm::Error error = needSameVolume(call))
    return error;
  float slope = float(call.op.number("parameter", 0.01));
  llvm::transform(call.operand(0).floats, call.result().floats.begin(),
                  [slope](float x) { return x > 0 ? x : slope * x; });
  return llvm::Error::success();
}

/// An attribute that may be an integer or a float.
double scalar(const KernelCall &call, llvm::StringRef name) {
  const AttrValue *value = call.op.attribute(name);
  const auto *integer = value ? std::get_if<int64_t>(value) : nullptr;
  return integer ? double(*integer) : call.op.number(name, 0);
}

/// In double, which holds integers of 32 bits as they are.
llvm::Error runPowScalar(KernelCall &call) {
  if (llvm::Error error = needSameVolume(call))
    return error;
  double exponent = scalar(call, "rhs");
  for (int64_t i = 0, end = call.result().volume(); i < end; ++i)
    call.result().set(i, std::pow(call.operand(0).at(i), exponent));
  return llvm::Error::success();
}

llvm::Error runClampScalar(KernelCall &call) {
  if (llvm::Error error = needSameVolume(call))
    return error;
  // The bound `max` is applied last, so it wins where the two cross. std::max and std::min keep their first argument
  // where a comparison fails: NaN passes.
  double least = scalar(call, "min"), most = scalar(call, "max");
  for (int64_t i = 0, end = call.result().volume(); i < end; ++i)
    call.result().set(i, std::min(std::max(call.operand(0).at(i), least), most));
  return llvm::Error::success();
}

#define UNARY(op, expression)                                                                                \
  {{"ttnn." op, runUnary<+[](float x) -> float { return expression; }>}, op, +[](float x) -> float {         \
     return expression;                                                                                      \
   }}

/// With another expression for integers.
#define UNARY_WHOLE(op, expression, ofIntegers)                                                              \
  {{"ttnn." op, runUnary<+[](float x) -> float { return expression; },                                       \
                         +[](int64_t x) -> int64_t { return ofIntegers; }>},                                 \
   op,                                                                                                       \
   +[](float x) -> float { return expression; }}

// Alphabetical, as the op model's table is. NaN passes wherever a comparison would swallow it (relu, relu6), so
// that poison shows.
const UnaryRow kUnary[] = {
    UNARY_WHOLE("abs", std::fabs(x), x < 0 ? -x : x),
    UNARY("acos", std::acos(x)),
    UNARY("acosh", std::acosh(x)),
    UNARY("asin", std::asin(x)),
    UNARY("asinh", std::asinh(x)),
    UNARY("atan", std::atan(x)),
    UNARY("atanh", std::atanh(x)),
    UNARY("cbrt", std::cbrt(x)),
    UNARY("ceil", std::ceil(x)),
    UNARY("cos", std::cos(x)),
    UNARY("cosh", std::cosh(x)),
    UNARY("erf", std::erf(x)),
    UNARY("erfc", std::erfc(x)),
    UNARY("exp", std::exp(x)),
    UNARY("expm1", std::expm1(x)),
    UNARY("floor", std::floor(x)),
    // x * Phi(x). By erfc and not 1 + erf, which has no digits left for x far below zero.
    UNARY("gelu", float(0.5 * x * std::erfc(x * -0.70710678118654752))),
    UNARY("hardsigmoid", hardsigmoid(x)),
    UNARY("hardswish", x *hardsigmoid(x)),
    UNARY("isfinite", std::isfinite(x) ? 1 : 0),
    UNARY("log", std::log(x)),
    UNARY("log1p", std::log1p(x)),
    UNARY_WHOLE("logical_not", x == 0 ? 1 : 0, x == 0 ? 1 : 0),
    UNARY("mish", x *std::tanh(softplus(x))),
    UNARY_WHOLE("neg", -x, -x),
    UNARY("reciprocal", 1 / x),
    UNARY_WHOLE("relu", x > 0 || std::isnan(x) ? x : 0, std::max<int64_t>(x, 0)),
    UNARY("relu6", std::isnan(x) ? x : std::clamp(x, 0.0f, 6.0f)),
    UNARY("round", std::nearbyint(x)),
    UNARY("rsqrt", 1 / std::sqrt(x)),
    UNARY("sigmoid", sigmoid(x)),
    UNARY_WHOLE("sign",
                x > 0   ? 1
                : x < 0 ? -1
                        : x,
                (x > 0) - (x < 0)),
    UNARY("silu", x *sigmoid(x)),
    UNARY("sin", std::sin(x)),
    UNARY("sinh", std::sinh(x)),
    UNARY("softsign", x / (1 + std::fabs(x))),
    UNARY("sqrt", std::sqrt(x)),
    UNARY("tan", std::tan(x)),
    UNARY("tanh", std::tanh(x)),
};

#undef UNARY
#undef UNARY_WHOLE

/// Which ops have a device kernel is known to the vector unit alone, so the rows are completed when they are first
/// wanted.
std::vector<KernelRow> buildRows() {
  std::vector<KernelRow> rows = {{"ttnn.bitwise_not", runBitwiseNot},
                                 {"ttnn.leaky_relu", runLeakyRelu},
                                 {"ttnn.pow_scalar", runPowScalar},
                                 {"ttnn.clamp_scalar", runClampScalar}};
  for (const UnaryRow &row : kUnary) {
    rows.push_back(row.kernel);
    // Both chips have the same functions, and each of them at least with 16 bits.
    if (vector_unit::findFunction(row.name, Arch::Blackhole, /*fp32Dest=*/false))
      rows.back().deviceKernel = runUnaryOnDevice;
  }
  return rows;
}

} // namespace

llvm::ArrayRef<KernelRow> unaryKernels() {
  static const std::vector<KernelRow> rows = buildRows();
  return rows;
}

UnaryFunction findUnaryFunction(llvm::StringRef name) {
  for (const UnaryRow &row : kUnary)
    if (row.name == name)
      return row.function;
  return nullptr;
}

} // namespace tessera::simulator
