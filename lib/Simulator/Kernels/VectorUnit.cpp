//===- VectorUnit.cpp - Functions as the vector unit computes them --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Numbers first (grids, exponents, polynomials), then a function for each op
// whose kernel is modelled, then the table that names them by the width of Dst.
// Every step rounds, so the order of operations is part of the result: nothing
// here may be regrouped, and what looks like a simpler formula has other last
// bits.
//
//===----------------------------------------------------------------------===//
#include "VectorUnit.h"

#include "tessera/Layout/BlockFloat.h"

#include <algorithm>
#include <limits>

namespace tessera::simulator::vector_unit {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int32_t kBias = 127, kMantissaBits = 23;
constexpr uint32_t kMantissa = (1u << kMantissaBits) - 1, kSign = 1u << 31;

/// Cut to a multiple of 2^grid; what is cut off makes the last bit odd. Nothing is left of less than 2^grid.
double onGrid(double x, int32_t grid) {
  // A double has 52 bits behind the point, and 11 of an exponent that counts from 1023.
  constexpr int32_t kStored = 52;
  auto bits = std::bit_cast<uint64_t>(x);
  int32_t drop = kStored + grid - (int32_t(bits >> kStored & 2047) - 1023);
  if (drop > kStored)
    return 0;
  // Round to odd: what is cut off stays visible in the last bit, so that the sum that follows takes no tie for one
  // which is none. With `drop` at kStored only the implied one is left, which is odd as it is.
  uint64_t least = uint64_t(1) << drop, rest = bits & (least - 1);
  return std::bit_cast<double>((bits - rest) | (rest != 0 && drop < kStored ? least : 0));
}

uint32_t bitsOf(float x) { return std::bit_cast<uint32_t>(x); }
float floatOf(uint32_t bits) { return std::bit_cast<float>(bits); }
int32_t biasedExponent(float x) { return int32_t(bitsOf(x) >> kMantissaBits & 255); }
float withExponent(float x, int32_t biased) {
  return floatOf((bitsOf(x) & (kSign | kMantissa)) | uint32_t(biased & 255) << kMantissaBits);
}

/// Coefficients from that of the highest power down.
template <size_t count>
float polynomial(float x, const float (&coefficients)[count]) {
  float sum = coefficients[0];
  for (size_t i = 1; i < count; ++i)
    sum = multiplyAdd(sum, x, coefficients[i]);
  return sum;
}

/// 2^x for 0 <= x < 256 less the bias: the integer part becomes the exponent, the rest goes through a polynomial over its 23
/// bits (Moroz et al. 2022, "exp_21f"). One kernel loads the last coefficient as fp16.
float powerOfTwo(float biasedLog, float last) {
  float log = std::clamp(biasedLog, 0.0f, 255.0f);
  // As a fixed-point number with 23 bits behind the point: its upper bits are the exponent of the result as they stand.
  int32_t shift = biasedExponent(log) - kBias;
  uint64_t mantissa = (bitsOf(log) & kMantissa) | 1u << kMantissaBits;
  auto fixed = uint32_t(shift >= 0 ? mantissa << shift : mantissa >> std::min(-shift, 63));
  auto exponent = int32_t(fixed >> kMantissaBits);
  if (exponent == 255)
    return kInfinity;
  auto fraction = float(fixed & kMantissa);
  return withExponent(polynomial(fraction, {4.791750143340323e-15f, 7.839635491371155e-08f, last}), exponent);
}

constexpr float kLog2E = 1.4426950216293335f, kLastAsFp32 = 1.0017248f, kLastAsFp16 = 1.001953125f;

/// The bias is added with the scale, in one instruction: powerOfTwo() is given a logarithm that has it.
float exponential16(float x) {
  return nearestBFloat16(powerOfTwo(multiplyAdd(x, kLog2E, float(kBias)), kLastAsFp16));
}

/// Wormhole's estimate is a parabola over [1, 2); the exponent is mirrored apart. Both are constants of the kernel.
struct Parabola {
  float square, linear, constant;
};
constexpr Parabola kShared = {0.3232325017452239990234375f, 1.4545459747314453125f, 2.121212482452392578125f};
constexpr Parabola kForBFloat16 = {0.32133400440216064453125f, 1.4514148235321044921875f,
                                   2.1200883388519287109375f};

float wormholeReciprocal(float x, int steps, const Parabola &estimate, bool toBFloat16) {
  float negative = -withExponent(std::fabs(x), kBias);
  float y = multiplyAdd(estimate.square, negative, estimate.linear);
  y = multiplyAdd(y, negative, estimate.constant);
  // y (2 - x y), as y + y (1 - x y).
  for (int i = 0; i < steps; ++i)
    y = multiplyAdd(y, multiplyAdd(negative, y, 1), y);
  if (toBFloat16)
    y = nearestBFloat16(y);
  float scale = multiply(floatOf(~bitsOf(x) & bitsOf(kInfinity)), 0.5f);
  return std::copysign(multiply(y, scale), x);
}

/// Newton's step with its sign turned, x y - 2: only an estimate of zero or infinity makes it anything but negative.
float blackholeReciprocal(float x, int steps) {
  float y = estimatedReciprocal(x);
  for (int i = 0; i < steps; ++i) {
    float t = multiplyAdd(x, y, -2);
    if (!(t < 0)) // 0 * infinity: the estimate was the result
      return y;
    y = multiplyAdd(y, -t, -0.0f);
  }
  return y;
}

template <Arch arch>
float reciprocal16(float x) {
  if constexpr (arch == Arch::WormholeB0)
    return wormholeReciprocal(x, 1, kForBFloat16, true);
  float estimate = estimatedReciprocal(x);
  if (std::isinf(estimate))
    return estimate;
  float y = floatOf(bitsOf(estimate) | 0x8000); // and the error's upper half moves the last bit
  return cutToBFloat16(floatOf(bitsOf(y) + (bitsOf(multiplyAdd(x, y, -1)) >> 16)));
}

/// Blackhole has no loop of Newton steps here: with e = 1 - x y the result is y / (1 - e), of which e + e^2 + e^3 are
/// taken. That brings the estimate's 7 bits to fp32's 24.
template <Arch arch>
float reciprocal32(float x) {
  if constexpr (arch == Arch::WormholeB0)
    return wormholeReciprocal(x, 2, kShared, false);
  float y = estimatedReciprocal(x);
  float error = multiplyAdd(-x, y, 1);
  float series = multiplyAdd(multiplyAdd(error, error, error), error, error); // e + e^2 + e^3
  // An estimate of zero or infinity has no error that is a number: it stays what it is.
  return multiplyAdd(std::isnan(series) ? 1.0f : std::min(series, 1.0f), y, y);
}

/// 1 / sqrt(x) by an estimate from the bits and one cubic and one Newton step (Kokosinski et al. 2024).
struct RootEstimate {
  float y, xy, rest; ///< rest: 1 - x * y * y
};
RootEstimate estimatedRoot(float x) {
  float y = floatOf(0x5f1110a0 - (bitsOf(x) >> 1));
  float c = multiply(-y, multiply(x, y));
  y = multiply(y, multiplyAdd(c, add(2.2533049f, c), 2.2825186f));
  float xy = multiply(x, y);
  return {y, xy, multiplyAdd(-y, xy, 1)};
}

// Zeros, negative numbers and infinity have results of their own, which an estimate from the bits would miss.
float inverseRoot(float x) {
  if (x <= 0 || std::isinf(x))
    return 1 / std::sqrt(x);
  RootEstimate root = estimatedRoot(x);
  return multiplyAdd(root.rest, multiply(0.5f, root.y), root.y);
}

float squareRoot(float x) {
  if (x <= 0 || std::isinf(x))
    return std::sqrt(x);
  RootEstimate root = estimatedRoot(x);
  return multiplyAdd(root.rest, multiply(0.5f, root.xy), root.xy);
}

/// x = m * 2^k, m in [0.75, 1.5): log1p(m - 1) by a polynomial, and k * log 2.
template <size_t count>
float logarithm(float x, const float (&coefficients)[count]) {
  if (flushed(x) <= 0 || std::isinf(x))
    return std::log(flushed(x));
  // Counted from 0.75, so that numbers just below 1 have exponent 0 and no cancellation of k log 2 with log m.
  uint32_t exponent = (bitsOf(x) - bitsOf(0.75f)) & ~kMantissa;
  float m = add(floatOf(bitsOf(x) - exponent), -1);
  float series = multiplyAdd(polynomial(m, coefficients), multiply(m, m), m);
  constexpr float kPerUnit =
      0.693147182f * 1.19209290e-7f; // the exponent is still where it stood in the word
  return multiplyAdd(float(int32_t(exponent)), kPerUnit, series);
}

float logarithm16(float x) { return nearestBFloat16(logarithm(x, {-0.25f, 0x1.744p-2f, -0x1.008p-1f})); }
float logarithm32(float x) {
  return logarithm(x, {-0x1.92cp-5f, 0x1.b84p-4f, -0x1.0c4p-3f, 0x1.274p-3f, -0x1.55p-3f, 0x1.998p-3f,
                       -0x1.00001ap-2f, 0x1.555572p-2f, -0.5f});
}

template <Arch arch, bool fp32Dest>
float sigmoidRegister(float x) {
  float power = fp32Dest ? fineExponential(-x) : coarseExponential(-x);
  return reciprocalBySteps<arch>(add(1, power), fp32Dest ? 2 : 1);
}

template <Arch arch>
float sigmoid16(float x) {
  return nearestBFloat16(sigmoidRegister<arch, false>(x));
}
template <Arch arch>
float silu16(float x) {
  return nearestBFloat16(multiply(x, sigmoidRegister<arch, false>(x)));
}
template <Arch arch>
float silu32(float x) {
  return multiply(x, sigmoidRegister<arch, true>(x));
}

/// An odd function by a polynomial of the magnitude, which passes 1 for large ones and is cut there.
float hyperbolicTangent16(float x) {
  float series = polynomial(std::fabs(x), {5.876733921468257904052734375e-3f, -6.6649019718170166015625e-2f,
                                           0.281917631626129150390625f, -0.4890659749507904052734375f,
                                           3.0897438526153564453125e-2f, 0.999004364013671875f, 0.0f});
  return nearestBFloat16(std::copysign(std::min(series, 1.0f), x));
}

/// A quotient of polynomials, stored without rounding: hence the bias of the op.
template <Arch arch>
float errorFunction16(float number) {
  float x = std::clamp(number, -10.0f, 10.0f), square = multiply(x, x);
  float over = multiply(
      polynomial(square, {7.4481184425e-04f, 4.5400281738e-02f, 2.7609212279e-01f, 1.1280932447f}), x);
  float under =
      polynomial(square, {2.4813862145e-05f, 8.2844606784e-03f, 1.3675764810e-01f, 5.7439188334e-01f, 1.0f});
  return cutToBFloat16(std::clamp(multiply(over, reciprocalBySteps<arch>(under, 2)), -1.0f, 1.0f));
}

/// Below -3.125: x * exp(-x^2 / 2) * correction, on a grid of 2^-25, as it is where erfc is made in fp32.
float gaussianTail(float x, float square) {
  float power = powerOfTwo(multiplyAdd(square, -0.72134752044f, float(kBias)), kLastAsFp32);
  float half = multiply(
      power, polynomial(x, {7.5950479368e-04f, 1.3809983619e-02f, 9.5413386822e-02f, 3.0369991064e-01f}));
  return multiply(x, add(add(half, 0.375f), -0.375f));
}

float gaussianUnit(float x) {
  if (!(x > -5.54259443f))
    return 0;
  // Beyond the bounds of the polynomial the kernel takes x, or 0 (facts/real-kernels 2).
  if (x >= 2.78125f)
    return x;
  float square = multiply(x, x);
  if (x < -3.125f)
    return gaussianTail(x, square);
  float odd =
      polynomial(square, {7.9821413868e-08f, -3.8082057209e-06f, 8.1812159812e-05f, -1.0717806322e-03f,
                          9.7720050615e-03f, -6.6361041488e-02f, 3.9894227818e-01f});
  return multiply(x, multiplyAdd(x, odd, 0.5f));
}

/// The mantissas are divided and the exponents subtracted, so that nothing underflows on the way.
template <Arch arch>
float divide32(float a, float b) {
  float over = withExponent(a, kBias), under = withExponent(b, kBias);
  float inverse = reciprocalBySteps<arch>(under, 1), quotient = multiply(over, inverse);
  quotient = multiplyAdd(multiplyAdd(-quotient, under, over), inverse, quotient);
  return flushed(std::ldexp(quotient, biasedExponent(a) - biasedExponent(b)));
}

template <Arch arch>
float divideRegisters(float a, float b, bool fp32Dest) {
  // With denormals as zeros the special cases are those of IEEE division; only what is left goes through an estimate.
  bool isOrdinary = flushed(b) != 0 && std::isfinite(b) && flushed(a) != 0 && std::isfinite(a);
  if (!isOrdinary)
    return flushed(a) / flushed(b);
  if (fp32Dest)
    return divide32<arch>(a, b);
  return fromBFloat16(toBFloat16(multiply(a, reciprocalBySteps<arch>(b, 2))));
}

template <Function function>
float rounded(float x) {
  return nearestBFloat16(function(x));
}
/// NaN passes.
template <Function function>
float unlessNaN(float x) {
  return std::isnan(x) ? x : function(x);
}

/// By what Dst holds; null: the op's kernel is not modelled.
struct FunctionRow {
  llvm::StringLiteral name;
  Function wormhole16, wormhole32, blackhole16, blackhole32;
};

constexpr Arch kW = Arch::WormholeB0, kB = Arch::Blackhole;
constexpr FunctionRow kFunctions[] = {
    {"erf", unlessNaN<errorFunction16<kW>>, nullptr, unlessNaN<errorFunction16<kB>>, nullptr},
    {"exp", unlessNaN<exponential16>, unlessNaN<fineExponential>, unlessNaN<exponential16>,
     unlessNaN<fineExponential>},
    {"gelu", unlessNaN<rounded<gaussianUnit>>, nullptr, unlessNaN<rounded<gaussianUnit>>, nullptr},
    {"log", unlessNaN<logarithm16>, unlessNaN<logarithm32>, unlessNaN<logarithm16>, unlessNaN<logarithm32>},
    {"reciprocal", unlessNaN<reciprocal16<kW>>, unlessNaN<reciprocal32<kW>>, unlessNaN<reciprocal16<kB>>,
     unlessNaN<reciprocal32<kB>>},
    {"rsqrt", unlessNaN<rounded<inverseRoot>>, unlessNaN<inverseRoot>, unlessNaN<rounded<inverseRoot>>,
     unlessNaN<inverseRoot>},
    {"sigmoid", unlessNaN<sigmoid16<kW>>, unlessNaN<sigmoidRegister<kW, true>>, unlessNaN<sigmoid16<kB>>,
     unlessNaN<sigmoidRegister<kB, true>>},
    {"silu", unlessNaN<silu16<kW>>, unlessNaN<silu32<kW>>, unlessNaN<silu16<kB>>, unlessNaN<silu32<kB>>},
    {"sqrt", unlessNaN<rounded<squareRoot>>, unlessNaN<squareRoot>, unlessNaN<rounded<squareRoot>>,
     unlessNaN<squareRoot>},
    {"tanh", unlessNaN<hyperbolicTangent16>, nullptr, unlessNaN<hyperbolicTangent16>, nullptr},
};

} // namespace

/// A double holds the exact product and, nearly always, the exact sum.
float multiplyAdd(float x, float y, float z) {
  double product = double(flushed(x)) * double(flushed(y));
  if (product != 0 && std::isfinite(product)) {
    // The exponent is that of the operands, whether or not the product of their mantissas carries.
    int32_t exponent = biasedExponent(x) + biasedExponent(y) - 2 * kBias;
    product = onGrid(product, std::max(exponent, biasedExponent(z) - kBias) - 26);
  }
  return flushed(float(product + double(flushed(z))));
}

float estimatedReciprocal(float x) {
  uint32_t bits = bitsOf(x), sign = bits & kSign, magnitude = bits & ~kSign;
  // Denormals are zeros, and from 2^126 on the reciprocal would be one.
  if (magnitude < 0x00800000)
    return floatOf(sign | bitsOf(kInfinity));
  if (magnitude >= 0x7e800000)
    return floatOf(sign);
  double middle = 1 + ((magnitude >> 16 & 127) + 0.5) / 128;
  auto mantissa = uint32_t(std::floor(128 * (2 / middle - 1) + 0.5));
  return floatOf(sign | (253 - (magnitude >> kMantissaBits)) << kMantissaBits | mantissa << 16);
}

/// Half of the last bit that stays is added to the magnitude, so ties go away from zero; a carry runs on into the
/// exponent.
float nearestBFloat16(float x) {
  return std::isfinite(x) ? flushed(floatOf((bitsOf(x) + 0x8000) & 0xffff0000)) : x;
}

float coarseExponential(float x) { return powerOfTwo(multiplyAdd(x, kLog2E, float(kBias)), kLastAsFp32); }

float fineExponential(float x) {
  float scaled = multiply(1.442695f, x);
  float whole = std::copysign(std::floor(std::min(std::fabs(scaled), 32767.0f) + 0.5f), scaled);
  // log 2 in two parts, of which the first times a small integer is exact: the rest is a small difference that keeps
  // its bits.
  float rest = multiplyAdd(whole, -1.42860677e-6f, multiplyAdd(whole, -6.93145752e-1f, x));
  float power = polynomial(
      rest, {1.37805939e-3f, 8.37312452e-3f, 4.16695364e-2f, 1.66664720e-1f, 4.99999851e-1f, 1.0f, 1.0f});
  // Exponents are added as whole numbers: what lies beyond either end of fp32 shows in the sum, without a test of x.
  int32_t exponent = biasedExponent(power) + int32_t(whole);
  return exponent >= 255 ? kInfinity : exponent < 1 ? 0.0f : withExponent(power, exponent);
}

float roughExponential(float x) {
  if (std::isnan(x))
    return x;
  // The sum is 2^8 times the bits of the result above the lowest 15; -88.5 is the least that does not underflow.
  float sum = multiplyAdd(369.329925537109375f, std::max(x, -88.5f), 32500.818359375f);
  auto whole = uint32_t(std::clamp(std::floor(double(sum) + 0.5), 0.0, 65535.0));
  return floatOf(whole << 15);
}

float roughInverseRoot(float x) {
  if (x <= 0 || std::isinf(x))
    return 1 / std::sqrt(x);
  float y = floatOf(0x5f0b3892 - (bitsOf(x) >> 1));
  return multiply(y, multiplyAdd(-y, multiply(x, y), 1.89099014875f));
}

template <Arch arch>
float reciprocalBySteps(float x, int steps) {
  return arch == Arch::WormholeB0 ? wormholeReciprocal(x, steps, kShared, false)
                                  : blackholeReciprocal(x, steps);
}
template float reciprocalBySteps<Arch::WormholeB0>(float, int);
template float reciprocalBySteps<Arch::Blackhole>(float, int);

Function findFunction(llvm::StringRef name, Arch arch, bool fp32Dest) {
  for (const FunctionRow &row : kFunctions)
    if (row.name == name)
      return arch == Arch::WormholeB0 ? (fp32Dest ? row.wormhole32 : row.wormhole16)
                                      : (fp32Dest ? row.blackhole32 : row.blackhole16);
  return nullptr;
}

float divide(float a, float b, Arch arch, bool fp32Dest) {
  return arch == Arch::WormholeB0 ? divideRegisters<Arch::WormholeB0>(a, b, fp32Dest)
                                  : divideRegisters<Arch::Blackhole>(a, b, fp32Dest);
}

float multiplyElements(float a, float b, bool fp32Dest) {
  float product = multiply(a, b);
  return fp32Dest ? product : fromBFloat16(toBFloat16(product)); // this kernel rounds ties to even
}

} // namespace tessera::simulator::vector_unit
