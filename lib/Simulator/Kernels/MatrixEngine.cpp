//===- MatrixEngine.cpp - Products as the matrix engine makes them --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// kLanes columns at a time, in the widest registers that the machine has. All is
// integers, or floats that hold them exactly: the bytes are the same on any machine.
//
//===----------------------------------------------------------------------===//
#include "MatrixEngine.h"

#include <algorithm>
#include <bit>
#include <cstring>

// Functions that pass vectors are inlined, so no call depends on how they would be passed.
#pragma clang diagnostic ignored "-Wpsabi"

namespace tessera::simulator::engine {

namespace {

using Ints = int32_t __attribute__((ext_vector_type(kLanes)));
using Floats = float __attribute__((ext_vector_type(kLanes)));

/// Exponent of a product that is zero: below all others.
constexpr int32_t kNone = -1000;
constexpr int64_t kGroup = 8, kFace = 16;

/// A float's exponent field, sign and mantissa of 11 bits, as source registers hold it.
struct Source {
  int32_t exponent = kNone;
  int32_t mantissa = 0;
  float sign = 1;
};

/// Zeros and denormals have the exponent kNone, so that they have no part in the largest exponent of a group.
Source sourceOf(float value) {
  auto bits = std::bit_cast<uint32_t>(value);
  int32_t exponent = int32_t(bits >> 23 & 255);
  if (exponent == 0)
    return {};
  return {exponent, int32_t(bits >> 13 & 0x3ff) | 0x400, bits >> 31 ? -1.0f : 1.0f};
}

/// 2^power; power within what fp32 can hold.
__attribute__((always_inline)) Floats powerOfTwo(Ints power) {
  return std::bit_cast<Floats>((power + 127) << 23);
}

/// Nearest integer, ties away from zero.
__attribute__((always_inline)) Ints rounded(Floats x) {
  Floats half = std::bit_cast<Floats>((std::bit_cast<Ints>(x) & int32_t(0x80000000)) | 0x3f000000);
  return __builtin_convertvector(x + half, Ints);
}

__attribute__((always_inline)) Ints select(Ints condition, Ints yes, Ints no) {
  return (condition & yes) | (~condition & no);
}
__attribute__((always_inline)) Ints most(Ints a, Ints b) { return __builtin_elementwise_max(a, b); }
__attribute__((always_inline)) Ints least(Ints a, Ints b) { return __builtin_elementwise_min(a, b); }

/// The position of the highest bit that is set; values are positive.
__attribute__((always_inline)) Ints highestBit(Ints value) {
  Ints noCarry = value & ~(value >> 1); // the conversion must not round up to the next power
  return (std::bit_cast<Ints>(__builtin_convertvector(noCarry, Floats)) >> 23) - 127;
}

/// A term of the last addition: magnitude on a grid of 2^(exponent - 150), and sign, 0 or -1.
struct Term {
  Ints exponent, magnitude, negative;
};

/// Moves a term to a larger exponent. Ties of negative sums of products go towards zero, as those of positive ones go up.
template <bool fp32>
__attribute__((always_inline)) Ints aligned(const Term &term, Ints exponent, Ints tieDown) {
  Ints distance = least(exponent - term.exponent, Ints(30));
  Ints half = (Ints(1) << distance) >> 1;
  Ints magnitude = (term.magnitude + half + (tieDown & (distance > 0))) >> distance;
  if (!fp32) // Dst of 16 bits: the adder has 11
    magnitude = (magnitude + (1 << 12) + tieDown) & ~0x1fff;
  return (magnitude ^ term.negative) - term.negative;
}

/// Two sums of 8 products and Dst are one addition of three terms. Two additions, one after the other, would round
/// twice: 16 elements of K at a time are part of the result.
template <bool fp32>
__attribute__((always_inline)) Floats accumulate(Term first, Term second, Floats dst) {
  Ints bits = std::bit_cast<Ints>(dst);
  Ints exponentOfDst = bits >> 23 & 255;
  Term before{exponentOfDst, ((bits & 0x7fffff) | 0x800000) & (exponentOfDst != 0), bits >> 31};
  // 1  All three terms on the grid of the largest.
  // 2  Their sum as an integer.
  // 3  Rounded to what Dst holds.
  // 4  Back to a float: what is too large is infinity, what is too small zero.
  Ints exponent = most(most(first.exponent, second.exponent), before.exponent);
  Ints sum = aligned<fp32>(before, exponent, Ints(0)) + aligned<fp32>(first, exponent, first.negative) +
             aligned<fp32>(second, exponent, second.negative);
  Ints negative = sum >> 31;
  Ints magnitude = (sum ^ negative) - negative;
  constexpr int32_t kBits = fp32 ? 24 : 8;
  Ints drop = most(highestBit(magnitude) - (kBits - 1), Ints(0));
  magnitude = (magnitude + ((Ints(1) << drop) >> 1)) >> drop;
  // The conversion gives the magnitude an exponent of its own, to which the grid's is added in place. A sum beyond
  // 255 runs into the sign bit, which is how an overflow is seen below.
  Ints made =
      std::bit_cast<Ints>(__builtin_convertvector(magnitude, Floats)) + ((exponent - 150 + drop) << 23);
  Ints madeExponent = made >> 23; // may be beyond 255: the sign bit is not set otherwise
  Ints infinite = (madeExponent >= 255) | (madeExponent < 0);
  made = select(infinite, Ints(0x7f800000), made);
  Ints vanishes = (magnitude == 0) | ((madeExponent <= 0) & ~infinite) | (exponent <= 0);
  return std::bit_cast<Floats>((made | (negative & int32_t(0x80000000))) & ~vanishes);
}

/// What a phase takes of an operand's mantissa, and by how much its product's exponent is less.
constexpr bool takesLowerLeft(int phase) { return phase & 2; }
constexpr bool takesLowerRight(int phase) { return phase & 1; }
// The second five bits of SrcA weigh 2^-5 of the first five, the last four of SrcB 2^-7 of the first seven.
constexpr int32_t kShiftOfPhase[] = {0, 5, 7, 12};

/// What the phases of a group of 8 elements have in common.
struct Group {
  Ints exponent;        ///< the largest of its products
  Floats scale[kGroup]; ///< from products to the group's grid, per element
};

__attribute__((always_inline)) Group groupOf(const LeftOperand::Element *left, const RightTile &right,
                                             int64_t k) {
  Group group;
  Ints exponents[kGroup];
  group.exponent = Ints(kNone);
  for (int64_t i = 0; i < kGroup; ++i) {
    exponents[i] = *reinterpret_cast<const Ints *>(right.exponent[k + i]) + left[k + i].exponent;
    group.exponent = most(group.exponent, exponents[i]);
  }
  for (int64_t i = 0; i < kGroup; ++i) // beyond 2^-30 nothing is left
    group.scale[i] = powerOfTwo(most(exponents[i] - group.exponent, Ints(-30)));
  return group;
}

__attribute__((always_inline)) Term sumOf(const Group &group, const LeftOperand::Element *left,
                                          const RightTile &right, int64_t k, int phase) {
  const auto &columns = takesLowerRight(phase) ? right.lower : right.upper;
  Ints sum = 0;
  for (int64_t i = 0; i < kGroup; ++i) {
    float each = takesLowerLeft(phase) ? left[k + i].lower : left[k + i].upper;
    // Each product is rounded to the group's grid before it is added: that is where small terms beside large ones are
    // lost.
    sum += rounded(*reinterpret_cast<const Floats *>(columns[k + i]) * each * group.scale[i]);
  }
  Ints negative = sum >> 31, exponent = group.exponent - 127 - kShiftOfPhase[phase];
  Ints exists = exponent > 0;
  // Products are on a grid of 2^-10, magnitudes of the last addition on one of 2^-23.
  return {exponent & exists, (((sum ^ negative) - negative) << 13) & exists, negative & exists};
}

template <bool fp32>
__attribute__((always_inline)) void multiplyTileRow(const LeftOperand::Element *left, const RightTile &right,
                                                    int phases, float *dst) {
  Group groups[kTile / kGroup];
  for (int64_t i = 0; i < kTile / kGroup; ++i)
    groups[i] = groupOf(left, right, i * kGroup);
  Floats sum;
  std::memcpy(&sum, dst, sizeof sum);
  for (int phase = 0; phase < phases; ++phase)
    // A whole tile in one phase before the next one begins. Dst rounds after each addition, so the order is part of the
    // result.
    for (int64_t i = 0; i < kTile / kGroup; i += kFace / kGroup)
      sum = accumulate<fp32>(sumOf(groups[i], left, right, i * kGroup, phase),
                             sumOf(groups[i + 1], left, right, (i + 1) * kGroup, phase), sum);
  std::memcpy(dst, &sum, sizeof sum);
}

/// kLanes products, one phase after the other: to a Dst that was zero. By pointers: vectors do not pass from functions with
/// wide registers to those without.
template <bool fp32>
__attribute__((always_inline)) void multiplyLanes(const float *fromRight, const float *fromLeft, int phases,
                                                  float *to) {
  Ints right, left;
  std::memcpy(&right, fromRight, sizeof right);
  std::memcpy(&left, fromLeft, sizeof left);
  // As in a product of tiles, but that nothing is summed but the phases.
  Ints exponentRight = right >> 23 & 255, exponentLeft = left >> 23 & 255;
  Ints exists = (exponentRight != 0) & (exponentLeft != 0);
  Ints mantissaRight = (right >> 13 & 0x3ff) | 0x400, mantissaLeft = (left >> 13 & 0x3ff) | 0x400;
  Floats sum = Floats(0);
  for (int phase = 0; phase < phases; ++phase) {
    Ints ofLeft = takesLowerLeft(phase) ? (mantissaLeft & 15) << 3 : mantissaLeft >> 4;
    Ints ofRight = takesLowerRight(phase) ? mantissaRight >> 1 & 31 : mantissaRight >> 6;
    Ints exponent = exponentRight + exponentLeft - 127 - kShiftOfPhase[phase];
    Ints counts = exists & (exponent > 0);
    Term product{exponent & counts, ((ofLeft * ofRight) << 13) & counts, ((right ^ left) >> 31) & counts};
    sum = accumulate<fp32>(product, {Ints(0), Ints(0), Ints(0)}, sum);
  }
  // The engine takes infinity and NaN for numbers; here they stay, so that padding shows.
  Ints special = exists & ((exponentRight == 255) | (exponentLeft == 255));
  Floats plain = std::bit_cast<Floats>(right) * std::bit_cast<Floats>(left);
  sum = std::bit_cast<Floats>(select(special, std::bit_cast<Ints>(plain), std::bit_cast<Ints>(sum)));
  std::memcpy(to, &sum, sizeof sum);
}

} // namespace

LeftOperand::LeftOperand(const float *from, int64_t rows, int64_t depth, int64_t rowStride,
                         int64_t columnStride)
    : rows(rows), depth(depth), paddedDepth((depth + kTile - 1) / kTile * kTile),
      elements(size_t(rows * paddedDepth), Element{kNone, 0, 0}) {
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t k = 0; k < depth; ++k) {
      Source source = sourceOf(from[r * rowStride + k * columnStride]);
      // The last four bits stand in the upper four of the multiplier's seven.
      elements[size_t(r * paddedDepth + k)] = {source.exponent, source.sign * float(source.mantissa >> 4),
                                               source.sign * float((source.mantissa & 15) << 3)};
    }
}

void unpack(RightTile &tile, const float *from, int64_t depth, int64_t columns, int64_t rowStride,
            int64_t columnStride) {
  for (int64_t k = 0; k < kTile; ++k)
    for (int64_t c = 0; c < kLanes; ++c) {
      bool exists = k < depth && c < columns;
      Source source = exists ? sourceOf(from[k * rowStride + c * columnStride]) : Source();
      tile.exponent[k][c] = source.exponent;
      // Of eleven bits two phases take five each; the last one is never multiplied.
      tile.upper[k][c] = source.sign * float(source.mantissa >> 6);
      tile.lower[k][c] = source.sign * float(source.mantissa >> 1 & 31);
    }
}

// Compiled twice, with wide registers and without: both make the same bytes, since no step rounds otherwise in
// either.
__attribute__((target_clones("avx2", "default"))) void
multiplyTile(const LeftOperand &left, int64_t k, const RightTile &right, Precision precision, float *dst) {
  for (int64_t row = 0; row < left.rows; ++row) {
    const LeftOperand::Element *elements = left.row(row) + k * kTile;
    if (precision.fp32Dest)
      multiplyTileRow<true>(elements, right, precision.phases, dst + row * kLanes);
    else
      multiplyTileRow<false>(elements, right, precision.phases, dst + row * kLanes);
  }
}

__attribute__((target_clones("avx2", "default"))) void
multiplyElements(const float *right, const float *left, int64_t count, Precision precision, float *to) {
  for (int64_t i = 0; i < count; i += kLanes) {
    size_t bytes = size_t(std::min(kLanes, count - i)) * sizeof(float);
    // Copies, as the last lanes may be beyond the row, and the result may be one of the operands.
    float lanesRight[kLanes] = {}, lanesLeft[kLanes] = {};
    std::memcpy(lanesRight, right + i, bytes);
    std::memcpy(lanesLeft, left + i, bytes);
    if (precision.fp32Dest)
      multiplyLanes<true>(lanesRight, lanesLeft, precision.phases, lanesRight);
    else
      multiplyLanes<false>(lanesRight, lanesLeft, precision.phases, lanesRight);
    std::memcpy(to + i, lanesRight, bytes);
  }
}

void multiplyRow(const float *row, int64_t count, float factor, Precision precision, float *to) {
  std::vector<float> factors(size_t(count), factor);
  multiplyElements(row, factors.data(), count, precision, to);
}

} // namespace tessera::simulator::engine
