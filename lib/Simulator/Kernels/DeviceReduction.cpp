//===- DeviceReduction.cpp - sum and mean as the library's kernels --------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Of bf16 and block formats the matrix engine sums, with HiFi4 and a 32-bit Dst
// unless the op says otherwise; a mean's scaler is cut to bf16. Of f32 the vector
// unit sums: tiles upon each other, then the lanes of the tile that is left. Both
// reduce the last two dimensions; what else is reduced is computed exactly. Both
// dimensions at once are taken one after the other. Maxima and minima are exact
// anyway. Source: kernel_lib/reduce_helpers and ckernel_sfpu_reduce of ttnn 0.81.1.
//
//===----------------------------------------------------------------------===//
#include "DeviceKernels.h"

#include "DeviceRows.h"
#include "VectorUnit.h"

#include "tessera/OpModel/ComputeConfig.h"
#include "tessera/Simulator/Parallel.h"

#include "llvm/ADT/STLExtras.h"

namespace tessera::simulator {

namespace {

constexpr int64_t kTile = engine::kTile;
using vector_unit::add;

// ---- f32 in the vector unit ------------------------------------------------------------------------------

/// The last four, then each that stands before.
float sumOfFour(float a, float b, float c, float d) { return add(a, add(b, add(c, d))); }

/// All tiles of a row upon each other: 32 partial sums.
std::vector<float> foldedTiles(llvm::ArrayRef<float> row) {
  std::vector<float> tile(size_t(kTile), 0);
  for (size_t i = 0; i < row.size(); ++i)
    tile[i % kTile] = i < size_t(kTile) ? row[i] : add(tile[i % kTile], row[i]);
  return tile;
}

/// A register holds the even or the odd columns of a face: 8 lanes, that are rotated by 4, 2 and 1 and added.
float sumOfRow(llvm::ArrayRef<float> row) {
  std::vector<float> tile = foldedTiles(row);
  float lanes[8];
  for (size_t i = 0; i < 8; ++i)
    lanes[i] = sumOfFour(tile[2 * i], tile[2 * i + 1], tile[2 * i + 16], tile[2 * i + 17]);
  auto pair = [&](size_t i) { return add(lanes[i], lanes[i + 4]); };
  return add(add(pair(0), pair(2)), add(pair(1), pair(3)));
}

/// Rows 4 apart are added first, of the upper and the lower face each, then the faces, then what is left of 4 rows.
float sumOfColumn(llvm::ArrayRef<float> column) {
  std::vector<float> tile = foldedTiles(column);
  float rows[4];
  for (size_t i = 0; i < 4; ++i)
    rows[i] = add(sumOfFour(tile[i], tile[i + 4], tile[i + 8], tile[i + 12]),
                  sumOfFour(tile[i + 16], tile[i + 20], tile[i + 24], tile[i + 28]));
  return sumOfFour(rows[0], rows[1], rows[2], rows[3]);
}

std::vector<float> sumRowsInVectorUnit(const Rows &rows) {
  std::vector<float> sums;
  for (int64_t row = 0; row < rows.count; ++row)
    sums.push_back(sumOfRow(rows.row(row)));
  return sums;
}

std::vector<float> sumColumnsInVectorUnit(const Rows &rows) {
  std::vector<float> sums, column(size_t(rows.count));
  for (int64_t i = 0; i < rows.width; ++i) {
    for (int64_t row = 0; row < rows.count; ++row)
      column[size_t(row)] = rows.elements[row * rows.width + i];
    sums.push_back(sumOfColumn(column));
  }
  return sums;
}

// ---- Both ------------------------------------------------------------------------------------------------

struct Reduction {
  bool inVectorUnit;
  engine::Precision precision;
  float scaler; ///< of the sum
  bool ofRows, ofColumns;
};

/// One matrix of the operand.
std::vector<float> reduced(const Rows &matrix, const Reduction &how) {
  if (how.inVectorUnit) {
    std::vector<float> sums = how.ofRows ? sumRowsInVectorUnit(matrix) : sumColumnsInVectorUnit(matrix);
    if (how.ofRows && how.ofColumns)
      sums = sumColumnsInVectorUnit({sums.data(), matrix.count, 1});
    for (float &sum : sums)
      sum = how.scaler == 1 ? sum : vector_unit::multiply(sum, how.scaler);
    return sums;
  }
  if (!how.ofRows)
    return sumColumns(matrix, how.precision, how.scaler);
  if (!how.ofColumns)
    return sumRows(matrix, how.precision, how.scaler);
  // The scaler comes with the last of both steps only.
  std::vector<float> sums = sumRows(matrix, how.precision);
  return sumColumns({sums.data(), matrix.count, 1}, how.precision, how.scaler);
}

/// Not set if a dimension before the last two is reduced, or nothing is.
std::optional<Reduction> reductionOf(const KernelCall &call, bool isMean) {
  const DenseTensor &input = call.operand(0);
  auto rank = size_t(input.rank());
  std::vector<bool> dims = reducedDims(call, rank);
  // A dimension of extent 1 may be listed: nothing is added along it.
  for (size_t i = 0; i + 2 < rank; ++i)
    if (dims[i] && input.shape()[i] != 1)
      return std::nullopt;
  bool ofRows = dims[rank - 1], ofColumns = rank > 1 && dims[rank - 2];
  if (input.isInteger() || call.result().isInteger() || (!ofRows && !ofColumns))
    return std::nullopt;
  ComputeConfig config = statedComputeConfig(call.op).value_or(ComputeConfig{
      .fidelity = archOf(call) == Arch::WormholeB0 ? 3 : 4, .approximate = false, .fp32Accumulate = true});
  // The matrix engine reads 10 bits of a mantissa, so sums of f32 are the vector unit's.
  bool inVectorUnit = input.desc.dtype == DataType::Float32;
  int64_t elements = (ofRows ? input.shape().back() : 1) * (ofColumns ? input.shape()[rank - 2] : 1);
  float scaler = isMean ? 1 / float(elements) : 1;
  return Reduction{inVectorUnit,
                   {config.fidelity, config.fp32Accumulate},
                   inVectorUnit ? scaler : vector_unit::cutToBFloat16(scaler),
                   ofRows,
                   ofColumns};
}

llvm::Error runReductionOnDevice(KernelCall &call, bool isMean) {
  const DenseTensor &input = call.operand(0);
  std::optional<Reduction> how =
      input.rank() > 0 && input.volume() > 0 ? reductionOf(call, isMean) : std::nullopt;
  if (!how)
    return findKernel(call.op.name)->kernel(call);
  int64_t width = input.shape().back(), rows = input.volume() / width;
  // Rows are independent of each other; columns need their matrix.
  int64_t height = how->ofColumns ? input.shape()[size_t(input.rank()) - 2] : std::min<int64_t>(rows, 32);
  int64_t each = (how->ofRows ? 1 : width) * (how->ofColumns ? 1 : height);
  if (call.result().volume() != (how->ofRows ? 1 : width) * (how->ofColumns ? rows / height : rows))
    return failure("the result has another number of elements than are left");
  parallelFor(ceilDiv(rows, height), [&](int64_t part) {
    int64_t begin = part * height, count = std::min(height, rows - begin);
    std::vector<float> matrix(input.floats.begin() + begin * width,
                              input.floats.begin() + (begin + count) * width);
    llvm::copy(reduced({matrix.data(), count, width}, *how), call.result().floats.begin() + part * each);
  });
  return llvm::Error::success();
}

} // namespace

llvm::Error runSumOnDevice(KernelCall &call) { return runReductionOnDevice(call, false); }
llvm::Error runMeanOnDevice(KernelCall &call) { return runReductionOnDevice(call, true); }

} // namespace tessera::simulator
