//===- MatrixEngine.h - Products as the matrix engine makes them ----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The matrix engine multiplies rows of SrcB with columns of SrcA, 16 elements at a
// time, and adds to a register Dst of bf16 or fp32. Its multipliers have 7 x 5 bits:
// a fidelity of up to four phases multiplies upper and lower parts of the mantissas
// one after the other.
//
//   phase   SrcB (first operand)   SrcA (second operand)
//     0     upper 7 bits           upper 5 bits
//     1     upper 7 bits           next 5 bits
//     2     last 4 bits            upper 5 bits
//     3     last 4 bits            next 5 bits
//
// Products of 8 elements are aligned to the largest exponent among them, on a grid of
// 2^-10, and summed; two such sums and Dst are aligned to the largest of their
// exponents and added. Everything rounds to nearest, ties mostly away from zero.
// Sources: tt-isa-documentation (MVMUL, SrcASrcB, Dst), the public simulator's
// description of the same, and the vectors of facts/real-kernels.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_SIMULATOR_KERNELS_MATRIXENGINE_H
#define TESSERA_LIB_SIMULATOR_KERNELS_MATRIXENGINE_H

#include <cstdint>
#include <vector>

namespace tessera::simulator::engine {

/// Columns of Dst that are worked on at a time.
inline constexpr int64_t kLanes = 8;
/// Elements of K of a tile.
inline constexpr int64_t kTile = 32;

/// How an op's compute config has it multiply.
struct Precision {
  int phases = 4;        ///< LoFi 1, HiFi2 2, HiFi3 3, HiFi4 4
  bool fp32Dest = false; ///< Dst holds fp32, not bf16
  bool operator==(const Precision &) const = default;
};

/// The first operand, rows x depth, taken apart for SrcB; depth is padded to whole tiles.
class LeftOperand {
public:
  /// `rowStride` and `columnStride` are in elements: a transposed operand has them exchanged.
  LeftOperand(const float *from, int64_t rows, int64_t depth, int64_t rowStride, int64_t columnStride);
  /// The exponent field of an fp32 number, and parts of its mantissa with the sign, as whole numbers in fp32.
  struct Element {
    int32_t exponent;
    float upper, lower;
  };
  const Element *row(int64_t row) const { return elements.data() + row * paddedDepth; }
  int64_t rows, depth, paddedDepth;

private:
  std::vector<Element> elements;
};

/// One tile of K of kLanes columns of the second operand, taken apart for SrcA.
struct RightTile {
  alignas(32) int32_t exponent[kTile][kLanes];
  alignas(32) float upper[kTile][kLanes], lower[kTile][kLanes];
};
/// Reads `depth` x `columns` elements, at most kTile x kLanes; the rest is zero.
void unpack(RightTile &tile, const float *from, int64_t depth, int64_t columns, int64_t rowStride,
            int64_t columnStride);

/// Adds the product of tile `k` of each row of `left` and `right` to the row's kLanes elements of `dst`.
void multiplyTile(const LeftOperand &left, int64_t k, const RightTile &right, Precision precision,
                  float *dst);

/// Multiplies element by element, `right` from SrcA and `left` from SrcB, as it leaves them in Dst; `to` may be one of them.
void multiplyElements(const float *right, const float *left, int64_t count, Precision precision, float *to);
/// The same with one factor, in SrcB.
void multiplyRow(const float *row, int64_t count, float factor, Precision precision, float *to);

} // namespace tessera::simulator::engine

#endif // TESSERA_LIB_SIMULATOR_KERNELS_MATRIXENGINE_H
