//===- SourceMatrix.h - Parts of a checkpoint as numbers ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// fp8 weights share an fp32 scale per block, by default of 128x128:
//
//   number[i][j] = fp8[i][j] * scale_inv[i / 128][j / 128]      in fp32
//
// (facts/deepseek 4.3). Numbers are made tile by tile, where they are packed:
// no fp32 or bf16 copy of a weight ever exists.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_MODELRUNNER_SOURCEMATRIX_H
#define TESSERA_MODELRUNNER_SOURCEMATRIX_H

#include "tessera/ModelRunner/Checkpoint.h"
#include "tessera/ModelRunner/WeightPlan.h"

namespace tessera::runner {

/// The value of an fp8 number of 4 exponent and 3 mantissa bits; NaN for 0x7f and 0xff. There are no infinities.
float fromFloat8(uint8_t bits);

/// The elements that share a scale.
struct ScaleBlock {
  int64_t rows = 128, columns = 128;
};

/// Whether the parts have the types and shapes that they should: what is wrong with each, in one text each.
void checkSources(const Checkpoint &checkpoint, const std::vector<SourceRows> &parts, int64_t columns,
                  ScaleBlock block, std::vector<std::string> &wrong);

/// A matrix of the checkpoint, some rows of tensors below one another.
class SourceMatrix {
public:
  /// Reads the scales. Requires that checkSources found nothing. An error if a scale is not a finite number.
  static llvm::Expected<SourceMatrix> open(const Checkpoint &checkpoint, const std::vector<SourceRows> &parts,
                                           int64_t columns, ScaleBlock block);

  /// A stripe: up to 32 rows, and of them some columns, as bytes of the checkpoint.
  struct Stripe {
    int64_t row = 0, rows = 0, column = 0, columns = 0;
    int64_t pitch = 0; ///< bytes from row to row
    std::vector<uint8_t> bytes;
  };
  /// Reads rows [row, row + rows) of columns [column, column + columns). Requires at most 32 rows within the matrix.
  llvm::Error read(int64_t row, int64_t rows, int64_t column, int64_t columns, Stripe &stripe) const;

  /// The 32x32 numbers of a stripe from a column of it on, row by row or transposed; 0 outside of it. False if one is
  /// infinite or NaN.
  bool tile(const Stripe &stripe, int64_t column, bool transposed, float *numbers) const;
  /// The numbers of one row of a stripe. False if one is infinite or NaN.
  bool row(const Stripe &stripe, int64_t row, float *numbers) const;
  /// What is wrong with a stripe in which tile() or row() found an infinite number or NaN: the tensor of the first of them, and its rows there.
  std::string describeNotFinite(const Stripe &stripe) const;

private:
  struct Part {
    const SourceTensor *tensor;
    int64_t begin, count; ///< rows of the tensor
    int64_t at;           ///< row of the matrix where they are
    std::vector<float> scales;
    int64_t scaleColumns = 0;
  };
  /// The part that a row of the matrix lies in.
  const Part &partOf(int64_t row) const;
  /// The scale of an element; requires a part of fp8.
  float scaleAt(const Part &part, int64_t row, int64_t column) const;
  /// `count` numbers of a row of the stripe. False if one is infinite or NaN.
  bool numbersOf(const Stripe &stripe, int64_t row, int64_t column, int64_t count, float *numbers) const;
  /// Whether the 32 columns from `column` on lie in one block of scales, so that one factor serves a whole tile.
  bool sharesScale(const Stripe &stripe, int64_t column) const;

  const Checkpoint *checkpoint = nullptr;
  int64_t columns = 0;
  ScaleBlock block;
  std::vector<Part> parts;
};

} // namespace tessera::runner

#endif // TESSERA_MODELRUNNER_SOURCEMATRIX_H
