//===- VectorUnit.h - Functions as the vector unit computes them ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The vector unit (SFPU) computes in fp32 registers, whatever its operands were:
// one instruction multiplies and adds, denormals are zero. Functions are short
// polynomials with a reduced argument. Where Dst holds 16 bits, most are rounded
// to bf16 with ties away from zero before they are stored; what is stored
// unrounded is cut off.
//
// Sources: tt-isa-documentation (VectorUnit, SFPMAD, SFPSTORE, SFPARECIP), the
// kernels that ttnn 0.81.1 ships (ckernel_sfpu_*.h), from which degrees, constants
// and order of the polynomials are, and the vectors of facts/real-kernels. NaN
// stays NaN, where the unit makes infinity of some: padding must show.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_KERNELS_VECTORUNIT_H
#define TESSERA_LIB_SIMULATOR_KERNELS_VECTORUNIT_H

#include "tessera/Device/DeviceSpec.h"

#include "llvm/ADT/StringRef.h"

#include <bit>
#include <cmath>

namespace tessera::simulator::vector_unit {

// ---- Numbers ---------------------------------------------------------------------------------------------

/// Denormals are zero, of their sign.
inline float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }

/// x * y + z, rounded to nearest even. Less than a fused one: the product is cut at 2^-26 of the larger of both terms (of the
/// product by its operands' exponents), and its last bit says whether there was more.
float multiplyAdd(float x, float y, float z);
inline float multiply(float x, float y) { return multiplyAdd(x, y, 0); }
inline float add(float x, float y) { return multiplyAdd(x, 1, y); }

/// To bf16: nearest, ties away from zero.
float nearestBFloat16(float x);
/// What a 16-bit Dst keeps of a register that is stored as it is.
inline float cutToBFloat16(float x) {
  return flushed(std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xffff0000));
}

// ---- Functions of fp32 registers -------------------------------------------------------------------------

/// For 16-bit results: 2 to the fraction by a polynomial of degree 2 (relative error 1.7e-3 before it rounds).
float coarseExponential(float x);
/// For fp32 results.
float fineExponential(float x);
/// With math_approx_mode: a line between powers of two, by conversion to an integer (relative error 3 %).
float roughExponential(float x);
/// 1 / sqrt(x) with math_approx_mode: one step from the estimate (10 bits).
float roughInverseRoot(float x);
/// Blackhole's instruction for 1 / x: 7 bits, those of the middle of each of 128 intervals.
float estimatedReciprocal(float x);
/// 1 / x by an estimate and `steps` Newton steps, as functions use it on their way.
template <Arch arch>
float reciprocalBySteps(float x, int steps);

// ---- Ops -------------------------------------------------------------------------------------------------

/// On a register that was loaded from Dst, to what is stored there.
using Function = float (*)(float);
/// The op of that name ("exp", "silu") with Dst of 32 or of 16 bits; null if its kernel is not modelled.
Function findFunction(llvm::StringRef name, Arch arch, bool fp32Dest);

/// Quotient and product as ops of two tensors compute them, Dst of 32 or of 16 bits.
float divide(float a, float b, Arch arch, bool fp32Dest);
float multiplyElements(float a, float b, bool fp32Dest);

} // namespace tessera::simulator::vector_unit

#endif // TESSERA_LIB_SIMULATOR_KERNELS_VECTORUNIT_H
