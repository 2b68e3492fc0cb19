//===- Binary.cpp - Several operands, element by element ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Operands broadcast to the result's shape. If all operands are integers, so is
// the arithmetic (64 bits, wrapped to 32 by the result), but for quotients that are
// no integers; else it is fp32.
// In the device's arithmetic sums of bf16 and block formats are the matrix engine's;
// products and quotients, and sums of f32, the vector unit's.
//
//===----------------------------------------------------------------------===//
#include "DeviceRows.h"
#include "VectorUnit.h"

#include <algorithm>
#include <cmath>

namespace tessera::simulator {

namespace {

using FloatFunction = float (*)(float, float);
using IntegerFunction = int64_t (*)(int64_t, int64_t);

/// `integers` is null where whole numbers are computed as floats.
template <FloatFunction floats, IntegerFunction integers>
llvm::Error computeBinary(KernelCall &call) {
  const DenseTensor &a = call.operand(0), &b = call.operand(1);
  DenseTensor &result = call.result();
  llvm::Expected<Shape> strideA = broadcastStrides(a.shape(), result.shape());
  llvm::Expected<Shape> strideB = broadcastStrides(b.shape(), result.shape());
  if (llvm::Error error = llvm::joinErrors(strideA.takeError(), strideB.takeError()))
    return error;
  Shape strides[] = {*strideA, *strideB};
  bool scalar = result.rank() == 0;
  int64_t width = scalar ? 1 : result.shape().back();
  int64_t stepA = scalar ? 0 : strideA->back(), stepB = scalar ? 0 : strideB->back();
  bool allFloat = !a.isInteger() && !b.isInteger() && !result.isInteger();
  // Integers stay integers, since a float has not all of their bits; of mixed operands the result is what
  // floats give.
  bool allInteger = a.isInteger() && b.isInteger();
  // The loop of all-float rows stands apart, since it is what programs spend their time in: it goes through raw
  // arrays, and a step of 0 repeats an operand that broadcasts along the row.
  forEachRow(result.shape(), strides, [&](int64_t to, llvm::ArrayRef<int64_t> from) {
    if (allFloat) {
      const float *rowA = a.floats.data() + from[0], *rowB = b.floats.data() + from[1];
      float *row = result.floats.data() + to;
      for (int64_t i = 0; i < width; ++i)
        row[i] = floats(rowA[i * stepA], rowB[i * stepB]);
      return;
    }
    for (int64_t i = 0; i < width; ++i) {
      int64_t atA = from[0] + i * stepA, atB = from[1] + i * stepB;
      if constexpr (integers != nullptr) {
        if (allInteger) {
          setWhole(result, to + i, integers(wholeAt(a, atA), wholeAt(b, atB)));
          continue;
        }
      }
      result.set(to + i, floats(float(a.at(atA)), float(b.at(atB))));
    }
  });
  return llvm::Error::success();
}

template <FloatFunction floats, IntegerFunction integers>
llvm::Error runBinary(KernelCall &call) {
  return runActivated(call, computeBinary<floats, integers>);
}

/// Ops of three operands: f(first, second, third).
template <double (*function)(double, double, double)>
llvm::Error runTernary(KernelCall &call) {
  DenseTensor &result = call.result();
  llvm::SmallVector<Shape> strides;
  for (size_t i = 0; i < 3; ++i) {
    llvm::Expected<Shape> stride = broadcastStrides(call.operand(i).shape(), result.shape());
    if (!stride)
      return stride.takeError();
    strides.push_back(*stride);
  }
  int64_t width = result.rank() == 0 ? 1 : result.shape().back();
  // As numbers of any kind: a condition may be of integers where what it chooses from is not.
  auto at = [&](size_t operand, int64_t offset, int64_t i) {
    return call.operand(operand).at(offset + (result.rank() == 0 ? 0 : i * strides[operand].back()));
  };
  forEachRow(result.shape(), strides, [&](int64_t to, llvm::ArrayRef<int64_t> from) {
    for (int64_t i = 0; i < width; ++i)
      result.set(to + i, function(at(0, from[0], i), at(1, from[1], i), at(2, from[2], i)));
  });
  return llvm::Error::success();
}

float floatRemainder(float a, float b) {
  float rest = std::fmod(a, b);
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest; // has the divisor's sign, as PyTorch's
}
/// Division by nought gives 0, since the program goes on: an integer has no infinity to show.
int64_t dividedWholes(int64_t a, int64_t b) { return b == 0 ? 0 : a / b; }
/// Quotients of whole numbers are cut where whole numbers are asked for, and else keep what is left.
template <FloatFunction quotient>
llvm::Error runQuotient(KernelCall &call) {
  return call.result().isInteger() ? runBinary<quotient, dividedWholes>(call)
                                   : runBinary<quotient, nullptr>(call);
}
int64_t wholeRemainder(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}
/// All bits of whole powers; of negative exponents what is left of the fraction.
int64_t wholePower(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
  int64_t power = 1;
  for (; exponent > 0; exponent /= 2, base = wrappedProduct(base, base))
    if (exponent % 2 != 0)
      power = wrappedProduct(power, base);
  return power;
}
/// By more than 31 bits, or by fewer than none, nothing is left. C++ would leave that undefined.
int64_t shifted(uint32_t a, int64_t bits, bool left) {
  return bits < 0 || bits > 31 ? 0 : left ? int64_t(a << bits) : int64_t(a >> bits);
}

/// Bits that were shifted away are the sign's, however many are asked for.
int64_t shiftedKeepingSign(int64_t a, int64_t bits) { return a >> std::min<uint64_t>(uint64_t(bits), 63); }

// ---- As the device computes them --------------------------------------------------------------------------

/// By what Dst holds.
template <FloatFunction narrow, FloatFunction wide, IntegerFunction integers>
llvm::Error runBinaryOnDevice(KernelCall &call) {
  return hasWideElements(call) ? runBinary<wide, integers>(call) : runBinary<narrow, integers>(call);
}

/// Chip and width are template arguments since a kernel is a plain function, which cannot carry them along.
template <Arch arch, bool fp32Dest>
float quotientOnDevice(float a, float b) {
  return vector_unit::divide(a, b, arch, fp32Dest);
}

llvm::Error runDivideOnDevice(KernelCall &call) {
  constexpr Arch kW = Arch::WormholeB0, kB = Arch::Blackhole;
  if (hasWideElements(call))
    return archOf(call) == kW ? runQuotient<quotientOnDevice<kW, true>>(call)
                              : runQuotient<quotientOnDevice<kB, true>>(call);
  return archOf(call) == kW ? runQuotient<quotientOnDevice<kW, false>>(call)
                            : runQuotient<quotientOnDevice<kB, false>>(call);
}

// Two kernels of one op: exact, and as the device computes it with 16 and with 32 bits in Dst. Integers are exact
// in both.
#define ON_DEVICE(op, ofFloats, ofIntegers, narrow, wide)                                                    \
  {.name = "ttnn." op,                                                                                       \
   .kernel = runBinary<+[](float a, float b) -> float { return ofFloats; },                                  \
                       +[](int64_t a, int64_t b) -> int64_t { return ofIntegers; }>,                         \
   .deviceKernel = runBinaryOnDevice<+[](float a, float b) -> float { return narrow; },                      \
                                     +[](float a, float b) -> float { return wide; },                        \
                                     +[](int64_t a, int64_t b) -> int64_t { return ofIntegers; }>}

/// One expression for both kinds of arithmetic.
#define BOTH(op, expression)                                                                                 \
  {"ttnn." op, runBinary<+[](float a, float b) -> float { return float(expression); },                       \
                         +[](int64_t a, int64_t b) -> int64_t { return int64_t(expression); }>}
#define EACH(op, ofFloats, ofIntegers)                                                                       \
  {"ttnn." op, runBinary<+[](float a, float b) -> float { return ofFloats; },                                \
                         +[](int64_t a, int64_t b) -> int64_t { return ofIntegers; }>}

const KernelRow kBinary[] = {
    ON_DEVICE("add", a + b, a + b, addOnDevice(a, b, false), vector_unit::add(a, b)),
    ON_DEVICE("subtract", a - b, a - b, addOnDevice(a, -b, false), vector_unit::add(a, -b)),
    ON_DEVICE("multiply", a *b, wrappedProduct(a, b), vector_unit::multiplyElements(a, b, false),
              vector_unit::multiplyElements(a, b, true)),
    {.name = "ttnn.divide",
     .kernel = runQuotient<+[](float a, float b) -> float { return a / b; }>,
     .deviceKernel = runDivideOnDevice},
    EACH("remainder", floatRemainder(a, b), wholeRemainder(a, b)),
    // NaN passes from either side: the first operand by its own test, the second since comparisons with it fail.
    BOTH("maximum", a > b || a != a ? a : b),
    BOTH("minimum", a < b || a != a ? a : b),
    EACH("pow_tensor", std::pow(a, b), wholePower(a, b)),
    EACH("atan2", std::atan2(a, b), int64_t(std::atan2(double(a), double(b)))),
    BOTH("eq", a == b),
    BOTH("ne", a != b),
    BOTH("ge", a >= b),
    BOTH("gt", a > b),
    BOTH("le", a <= b),
    BOTH("lt", a < b),
    BOTH("logical_and", a != 0 && b != 0),
    BOTH("logical_or", a != 0 || b != 0),
    BOTH("logical_xor", (a != 0) != (b != 0)),
    EACH("bitwise_and", float(wholeOf(a) & wholeOf(b)), a &b),
    EACH("bitwise_or", float(wholeOf(a) | wholeOf(b)), a | b),
    EACH("bitwise_xor", float(wholeOf(a) ^ wholeOf(b)), a ^ b),
    EACH("bitwise_right_shift", float(shiftedKeepingSign(wholeOf(a), wholeOf(b))), shiftedKeepingSign(a, b)),
    EACH("logical_left_shift", float(shifted(uint32_t(wholeOf(a)), wholeOf(b), true)),
         shifted(uint32_t(a), b, true)),
    EACH("logical_right_shift", float(shifted(uint32_t(wholeOf(a)), wholeOf(b), false)),
         shifted(uint32_t(a), b, false)),
    {"ttnn.where", runTernary<+[](double a, double b, double c) { return a != 0 ? b : c; }>},
    // `most` is applied last, so it wins where the bounds cross.
    {"ttnn.clamp_tensor",
     runTernary<+[](double x, double least, double most) { return std::min(std::max(x, least), most); }>},
};

#undef BOTH
#undef EACH
#undef ON_DEVICE

} // namespace

llvm::ArrayRef<KernelRow> binaryKernels() { return kBinary; }

} // namespace tessera::simulator
