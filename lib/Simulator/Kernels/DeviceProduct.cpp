//===- DeviceProduct.cpp - Products of matrices, block by block -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// The library's matmul kernel sums in0_block_w tiles of K in registers, then writes
// the partial sums to L1. With packer_l1_acc packers add them to what is there, and
// the last block reads the sum back and goes on from it (not if a bias follows).
// Without it every block does. Cores and subblocks of M and N change no values.
//
//===----------------------------------------------------------------------===//
#include "DeviceProduct.h"

#include "tessera/Simulator/Parallel.h"
#include "tessera/Simulator/Streams.h"

#include "llvm/ADT/bit.h"

#include <cmath>

namespace tessera::simulator {

using engine::kLanes;
using engine::kTile;

namespace {

// How C is cut up for threads changes no bit of it: each element has its own sum over K.
constexpr int64_t kRows = 64, kColumns = 128; ///< of C, made at a time on one thread

/// A part of a product: rows of C, and where columns of B lie.
struct Part {
  const MatrixProduct *product;
  int64_t row, column, columns;
  const float *right;  ///< of the first of the columns
  int64_t rightStride; ///< from row to row of B as it is stored
  int64_t rows() const { return std::min(kRows, product->m - row); }
};

/// kLanes columns of a part of C: registers, and the partial sums in L1.
/// Example: K of 8 tiles in blocks of 2, Accumulate: blocks 0, 1 and 2 are packed to L1 and added there, and block
/// 3 goes on from that sum in registers. With AccumulateAll block 3 is added in L1 as well, and the result is what
/// is read back.
class LaneColumns {
public:
  LaneColumns(const engine::LeftOperand &left, const Summation &summation)
      : left(left), summation(summation), registers(size_t(left.rows * kLanes)), sums(registers.size()) {}

  void compute(const Part &part, int64_t column) {
    int64_t tiles = left.paddedDepth / kTile, blocks = ceilDiv(tiles, summation.blockK);
    // Registers start empty; between two blocks they are left as `between` says, and read back or begun anew.
    std::fill(registers.begin(), registers.end(), 0.0f);
    for (int64_t block = 0; block < blocks; ++block) {
      int64_t begin = block * summation.blockK, end = std::min(tiles, begin + summation.blockK);
      for (int64_t k = begin; k < end; ++k)
        multiplyTile(part, column, k);
      if (summation.between != Summation::Between::Reload)
        leaveRegisters(block, blocks);
    }
    int64_t count = std::min(kLanes, part.columns - column);
    int64_t stride = part.product->strideC ? part.product->strideC : part.product->n;
    for (int64_t row = 0; row < left.rows; ++row)
      std::copy_n(registers.data() + row * kLanes, count,
                  part.product->c + (part.row + row) * stride + part.column + column);
  }

private:
  /// One tile of K times kLanes columns, added to the registers. The part of the tile that lies beyond K is
  /// unpacked as nought.
  void multiplyTile(const Part &part, int64_t column, int64_t k) {
    int64_t depth = std::min(kTile, left.depth - k * kTile),
            columns = std::min(kLanes, part.columns - column);
    bool transposed = part.product->transposeB;
    int64_t rowStride = transposed ? 1 : part.rightStride, columnStride = transposed ? part.rightStride : 1;
    unpack(tile, part.right + k * kTile * rowStride + column * columnStride, depth, columns, rowStride,
           columnStride);
    engine::multiplyTile(left, k, tile, summation.precision, registers.data());
  }

  void leaveRegisters(int64_t block, int64_t blocks) {
    bool all = summation.between == Summation::Between::AccumulateAll;
    if (block + 1 == blocks && !all)
      return;
    bool wide = summation.precision.fp32Dest, first = block == 0;
    // The last block goes on from the sum, so that is read behind the last but one; where all is added in L1, behind
    // the last.
    bool reads = block + (all ? 1 : 2) == blocks;
    for (size_t i = 0; i < registers.size(); ++i) {
      // Packers round what leaves 16-bit registers to nearest with ties away; the adder in L1 rounds with ties to
      // even.
      float leaving = wide ? registers[i] : packed(registers[i]);
      float sum = first ? leaving : sums[i] + leaving;
      sums[i] = wide || first ? sum : toNearestEven(sum);
      registers[i] = reads ? sums[i] : 0;
    }
  }

  const engine::LeftOperand &left;
  const Summation &summation;
  engine::RightTile tile;
  std::vector<float> registers, sums;
};

/// The left operand is unpacked once for all columns of the part; the right one once per tile and lane.
void multiplyPart(const Part &part, const Summation &summation) {
  const MatrixProduct &whole = *part.product;
  int64_t rowStride = whole.transposeA ? 1 : whole.k, columnStride = whole.transposeA ? whole.m : 1;
  engine::LeftOperand left(whole.a + part.row * rowStride, part.rows(), whole.k, rowStride, columnStride);
  LaneColumns lanes(left, summation);
  for (int64_t column = 0; column < part.columns; column += kLanes)
    lanes.compute(part, column);
}

} // namespace

/// To the 16 bits of a bf16, of finite values.
float toNearestEven(float value) {
  // A carry out of NaN's mantissa would make a number of it.
  if (std::isnan(value))
    return value;
  auto bits = llvm::bit_cast<uint32_t>(value);
  return llvm::bit_cast<float>((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000);
}

/// As the matrix engine adds two elements. Order does not matter, not even to the rounding: the larger magnitude is
/// the one that stays as it is.
float addOnDevice(float a, float b, bool fp32Dest) {
  // Source registers hold 11 bits of mantissa. The smaller one is moved to the exponent of the larger one first.
  auto large = llvm::bit_cast<uint32_t>(a) & ~0x1fffu, small = llvm::bit_cast<uint32_t>(b) & ~0x1fffu;
  if ((large & 0x7fffffff) < (small & 0x7fffffff))
    std::swap(large, small);
  uint32_t exponent = large >> 23 & 255, distance = exponent - (small >> 23 & 255);
  // Both are nought or subnormal, which the engine takes for nought.
  if (exponent == 0)
    return 0;
  float first = llvm::bit_cast<float>(large), second = llvm::bit_cast<float>(small);
  // More than eleven bits further down nothing of it is left, not even a half.
  if (distance > 11 || (small >> 23 & 255) == 0)
    second = 0;
  else if (distance > 0) {
    // Ten bits and the leading one, with half of the last place that stays, so that the shift rounds.
    uint32_t mantissa = ((small >> 13 & 0x3ff) | 0x400) + (1u << (distance - 1));
    second = std::copysign(std::ldexp(float(mantissa >> distance), int(exponent) - 127 - 10), second);
  }
  return fp32Dest ? first + second : packed(first + second);
}

/// The parts of a product, row by row.
static void addParts(const MatrixProduct &product, std::vector<Part> &parts) {
  for (int64_t row = 0; row < product.m; row += kRows)
    for (int64_t column = 0; column < product.n; column += kColumns)
      parts.push_back({&product, row, column, std::min(kColumns, product.n - column),
                       product.b + column * (product.transposeB ? product.k : 1),
                       product.transposeB ? product.k : product.n});
}

/// On this thread alone: for callers that are one of many threads already.
void multiplyHere(const MatrixProduct &product, const Summation &summation) {
  std::vector<Part> parts;
  addParts(product, parts);
  for (const Part &part : parts)
    multiplyPart(part, summation);
}

void multiplyOnDevice(llvm::ArrayRef<MatrixProduct> products, const Summation &summation) {
  std::vector<Part> parts;
  for (const MatrixProduct &product : products)
    addParts(product, parts);
  parallelFor(int64_t(parts.size()), [&](int64_t i) { multiplyPart(parts[size_t(i)], summation); });
}

/// A panel of columns of B is read once and used by all products, since B is what is too large to hold. Panels are
/// what threads share.
void multiplyOnDevice(llvm::ArrayRef<MatrixProduct> products, const Summation &summation,
                      const TensorInMemory &right) {
  const MatrixProduct &first = products.front();
  parallelFor(ceilDiv(first.n, kColumns), [&](int64_t panel) {
    int64_t begin = panel * kColumns, end = std::min(first.n, begin + kColumns);
    DenseTensor columns = right.block(first.transposeB ? ElementBlock{begin, end, 0, first.k}
                                                       : ElementBlock{0, first.k, begin, end});
    for (const MatrixProduct &product : products)
      for (int64_t row = 0; row < product.m; row += kRows)
        multiplyPart({&product, row, begin, end - begin, columns.floats.data(),
                      first.transposeB ? first.k : end - begin},
                     summation);
  });
}

} // namespace tessera::simulator
