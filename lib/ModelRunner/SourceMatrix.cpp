//===- SourceMatrix.cpp - Parts of a checkpoint as numbers ----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Numbers of a checkpoint, as tiles of floats. Nearly all weights are fp8 with
// one scale per block of 128x128; a tile of 32x32 then has one scale for all of
// it and is decoded by code that compilers turn into vectors, transposed as
// bytes before it is decoded. All else (bf16, f32, blocks that cut a tile, the
// edges of a matrix) goes number by number: that path has to be right, not
// fast.
//
//===----------------------------------------------------------------------===//
#include "tessera/ModelRunner/SourceMatrix.h"

#include "tessera/Layout/BlockFloat.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

#include <bit>
#include <cmath>
#include <cstring>

using namespace tessera;
using namespace tessera::runner;

namespace {

constexpr int kEdge = 32;

#define TESSERA_INLINE inline __attribute__((always_inline))

/// Exact for all 256: a normal number's bits move to their places, a subnormal one is a multiple of 2^-9.
/// fp8 E4M3: a sign, four bits of exponent with a bias of 7, three of mantissa; all of the last seven set is NaN,
/// which is not told here.
TESSERA_INLINE float decode(uint32_t bits) {
  uint32_t magnitude = bits & 0x7f;
  // The biases of the two formats, 127 and 7, are 120 apart.
  float normal = std::bit_cast<float>((magnitude << 20) + (120u << 23));
  float number = magnitude < 8 ? float(int32_t(magnitude)) * 0x1p-9f : normal;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(number) | (bits & 0x80) << 24);
}

// ---- A whole tile of fp8 with one scale: where the time goes ----------------------------------------------

using Bytes16 = uint8_t __attribute__((vector_size(16)));

/// 16x16 bytes, transposed by four perfect shuffles of rows.
TESSERA_INLINE void transpose16(const uint8_t *from, int64_t pitch, uint8_t *to) {
  Bytes16 rows[16], next[16];
  for (int i = 0; i != 16; ++i)
    std::memcpy(&rows[i], from + i * pitch, 16);
  // A perfect shuffle moves the top bit of a place's number to its end; four of eight bits exchange row and column.
  for (int step = 0; step != 4; ++step) {
    for (int i = 0; i != 8; ++i) {
      next[2 * i] = __builtin_shufflevector(rows[i], rows[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6,
                                            22, 7, 23);
      next[2 * i + 1] = __builtin_shufflevector(rows[i], rows[i + 8], 8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                                13, 29, 14, 30, 15, 31);
    }
    std::memcpy(rows, next, sizeof(rows));
  }
  for (int i = 0; i != 16; ++i)
    std::memcpy(to + i * kEdge, &rows[i], 16);
}

/// `pitch`: bytes from row to row of the stripe. False if a number is NaN; `numbers` has been written then all the
/// same.
TESSERA_INLINE bool decodeWholeTile(const uint8_t *bytes, int64_t pitch, float scale, bool transposed,
                                    float *numbers) {
  uint8_t ordered[kEdge * kEdge];
  // Only bytes are moved here, a quarter of what the decoded numbers take.
  for (int row = 0; row != kEdge; row += transposed ? 16 : 1)
    if (!transposed)
      std::memcpy(ordered + row * kEdge, bytes + row * pitch, kEdge);
    else
      for (int column = 0; column != kEdge; column += 16)
        transpose16(bytes + row * pitch + column, pitch, ordered + column * kEdge + row);
  uint32_t nans = 0;
  for (int i = 0; i != kEdge * kEdge; ++i) {
    // Collected and asked for once per tile: a branch for each number would keep the loop from becoming
    // vectors.
    nans |= (ordered[i] & 0x7f) == 0x7f;
    numbers[i] = decode(ordered[i]) * scale;
  }
  return nans == 0;
}

using DecodeTile = bool (*)(const uint8_t *, int64_t, float, bool, float *);

// One body, compiled for each set of instructions: always_inline puts it into functions of either target.
bool decodePlain(const uint8_t *bytes, int64_t pitch, float scale, bool transposed, float *numbers) {
  return decodeWholeTile(bytes, pitch, scale, transposed, numbers);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) bool decodeAvx2(const uint8_t *bytes, int64_t pitch, float scale,
                                                bool transposed, float *numbers) {
  return decodeWholeTile(bytes, pitch, scale, transposed, numbers);
}
#endif

/// One multiplication per number and nothing to contract it with: all give the same bits.
DecodeTile chooseDecode() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2"))
    return decodeAvx2;
#endif
  return decodePlain;
}

std::string shapeText(llvm::ArrayRef<int64_t> shape) {
  return "[" +
         llvm::join(llvm::map_range(shape, [](int64_t extent) { return std::to_string(extent); }), ", ") +
         "]";
}

std::string scaleName(const SourceTensor &tensor) { return tensor.name + "_scale_inv"; }

} // namespace

float runner::fromFloat8(uint8_t bits) { return (bits & 0x7f) == 0x7f ? std::nanf("") : decode(bits); }

/// Before anything is converted: all that is missing or of another shape is told at once, as a checkpoint is mended
/// file by file.
void runner::checkSources(const Checkpoint &checkpoint, const std::vector<SourceRows> &parts, int64_t columns,
                          ScaleBlock block, std::vector<std::string> &wrong) {
  for (const SourceRows &part : parts) {
    const SourceTensor *tensor = checkpoint.find(part.tensor);
    if (!tensor) {
      wrong.push_back("'" + part.tensor + "' is missing");
      continue;
    }
    std::vector<int64_t> shape =
        part.isVector ? std::vector{part.of * columns} : std::vector{part.of, columns};
    if (tensor->shape != shape)
      wrong.push_back("'" + part.tensor + "' has the shape " + shapeText(tensor->shape) +
                      ", and should have " + shapeText(shape));
    if (tensor->type != SourceType::F8_E4M3)
      continue;
    if (part.isVector) {
      wrong.push_back("'" + part.tensor + "' is F8_E4M3, and should be BF16 or F32");
      continue;
    }
    const SourceTensor *scale = checkpoint.find(scaleName(*tensor));
    std::vector<int64_t> blocks = {ceilDiv(part.of, block.rows), ceilDiv(columns, block.columns)};
    if (!scale)
      wrong.push_back("'" + part.tensor + "' is F8_E4M3, and '" + scaleName(*tensor) + "' is missing");
    else if (scale->type != SourceType::F32 || scale->shape != blocks)
      wrong.push_back("'" + scale->name + "' is " + name(scale->type).str() + " " + shapeText(scale->shape) +
                      ", and should be F32 " + shapeText(blocks));
  }
}

/// Of sources that checkSources() has passed. Scales are few, and stay in memory; numbers are read by stripes.
llvm::Expected<SourceMatrix> SourceMatrix::open(const Checkpoint &checkpoint,
                                                const std::vector<SourceRows> &parts, int64_t columns,
                                                ScaleBlock block) {
  SourceMatrix matrix;
  matrix.checkpoint = &checkpoint;
  matrix.columns = columns;
  matrix.block = block;
  int64_t at = 0;
  for (const SourceRows &rows : parts) {
    Part part{checkpoint.find(rows.tensor), rows.begin, rows.count, at, {}};
    at += rows.count;
    if (part.tensor->type == SourceType::F8_E4M3) {
      const SourceTensor &scale = *checkpoint.find(scaleName(*part.tensor));
      part.scaleColumns = scale.shape[1];
      part.scales.resize(scale.shape[0] * scale.shape[1]);
      if (llvm::Error error = checkpoint.read(scale, 0, part.scales.size(), part.scales.data()))
        return std::move(error);
      // Looked at once here, for the largest fp8 number, rather than with each of its 16384 numbers.
      for (auto [i, value] : llvm::enumerate(part.scales))
        if (!std::isfinite(448 * (value = std::bit_cast<float>(llvm::support::endian::read32le(&value)))))
          return llvm::createStringError("'" + scale.name + "' is not finite at [" +
                                         llvm::Twine(i / part.scaleColumns) + ", " +
                                         llvm::Twine(i % part.scaleColumns) + "]");
    }
    matrix.parts.push_back(std::move(part));
  }
  return matrix;
}

const SourceMatrix::Part &SourceMatrix::partOf(int64_t row) const {
  // One after the other: a matrix is put together of two parts at most.
  return *llvm::find_if(parts, [&](const Part &part) { return row < part.at + part.count; });
}

/// `row` and `column` are those of the matrix as it was put together of its parts.
llvm::Error SourceMatrix::read(int64_t row, int64_t rows, int64_t column, int64_t count,
                               Stripe &stripe) const {
  stripe.row = row, stripe.rows = rows, stripe.column = column, stripe.columns = count;
  stripe.pitch = count * int64_t(sizeof(float)); // the widest; parts may differ
  stripe.bytes.resize(rows * stripe.pitch);
  // Row by row, as the columns that are wanted may be a part of wider rows.
  for (int64_t i = 0; i != rows; ++i) {
    const Part &part = partOf(row + i);
    int64_t first = (part.begin + row + i - part.at) * columns + column;
    if (llvm::Error error =
            checkpoint->read(*part.tensor, first, count, stripe.bytes.data() + i * stripe.pitch))
      return error;
  }
  return llvm::Error::success();
}

/// Blocks are counted in the tensor of the checkpoint, so that a part that begins inside of one has the right
/// scale.
float SourceMatrix::scaleAt(const Part &part, int64_t row, int64_t column) const {
  return part.scales[(part.begin + row - part.at) / block.rows * part.scaleColumns + column / block.columns];
}

/// `row` and `column` within the stripe. False if any number is not finite: a checkpoint with one is damaged.
bool SourceMatrix::numbersOf(const Stripe &stripe, int64_t row, int64_t column, int64_t count,
                             float *numbers) const {
  const Part &part = partOf(stripe.row + row);
  const uint8_t *bytes = stripe.bytes.data() + row * stripe.pitch + column * bytesOf(part.tensor->type);
  bool finite = true;
  for (int64_t i = 0; i != count; ++i) {
    if (part.tensor->type == SourceType::F8_E4M3)
      numbers[i] = fromFloat8(bytes[i]) * scaleAt(part, stripe.row + row, stripe.column + column + i);
    else if (part.tensor->type == SourceType::BF16)
      numbers[i] = fromBFloat16(llvm::support::endian::read16le(bytes + 2 * i));
    else
      numbers[i] = std::bit_cast<float>(llvm::support::endian::read32le(bytes + 4 * i));
    finite &= std::isfinite(numbers[i]);
  }
  return finite;
}

bool SourceMatrix::sharesScale(const Stripe &stripe, int64_t column) const {
  const Part &part = partOf(stripe.row);
  // All conditions for one factor: fp8, a stripe of 32 rows of one part, 32 columns inside, and both corners in one
  // block.
  int64_t top = part.begin + stripe.row - part.at, left = stripe.column + column;
  return part.tensor->type == SourceType::F8_E4M3 && stripe.rows == kEdge &&
         column + kEdge <= stripe.columns && stripe.row + kEdge <= part.at + part.count &&
         top / block.rows == (top + kEdge - 1) / block.rows &&
         left / block.columns == (left + kEdge - 1) / block.columns;
}

/// 32 x 32 numbers from `column` of the stripe on, zeros beyond its edges.
bool SourceMatrix::tile(const Stripe &stripe, int64_t column, bool transposed, float *numbers) const {
  static const DecodeTile decodeTile = chooseDecode();
  // The usual case by far: blocks of scales are whole tiles, so that one factor serves all 1024 numbers.
  if (sharesScale(stripe, column))
    return decodeTile(stripe.bytes.data() + column, stripe.pitch,
                      scaleAt(partOf(stripe.row), stripe.row, stripe.column + column), transposed, numbers);
  float rows[kEdge * kEdge] = {};
  bool fine = true;
  for (int64_t row = 0; row != stripe.rows; ++row)
    fine &=
        numbersOf(stripe, row, column, std::min<int64_t>(kEdge, stripe.columns - column), rows + row * kEdge);
  for (int i = 0; i != kEdge * kEdge; ++i)
    numbers[i] = rows[transposed ? i % kEdge * kEdge + i / kEdge : i];
  return fine;
}

bool SourceMatrix::row(const Stripe &stripe, int64_t row, float *numbers) const {
  return numbersOf(stripe, row, 0, stripe.columns, numbers);
}

std::string SourceMatrix::describeNotFinite(const Stripe &stripe) const {
  std::vector<float> numbers(stripe.columns);
  int64_t wrong = 0;
  while (wrong + 1 < stripe.rows && row(stripe, wrong, numbers.data()))
    ++wrong;
  const Part &part = partOf(stripe.row + wrong);
  // A stripe may lie in two parts: only the rows of this one are meant.
  int64_t first = std::max(stripe.row, part.at),
          end = std::min(stripe.row + stripe.rows, part.at + part.count);
  return llvm::formatv("'{0}' has a number that is not finite in rows {1} to {2}", part.tensor->name,
                       part.begin + first - part.at, part.begin + end - part.at);
}
