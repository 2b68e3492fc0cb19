//===- DeviceAttention.cpp - Attention as the library's kernels -----------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Some keys at a time, everything in bf16 between two steps:
//
//   scores   queries x keys (matrix engine), plus mask / scale (or the mask, where that is scaled like scores)
//   maximum  of the row so far
//   weights  exp((scores - maximum) * scale), by Schraudolph's approximation
//   sums     weights of 32 columns of tiles, added by packers in L1
//   result   weights x values; what was there is scaled by exp((old - new maximum) * scale), packers add the new
//
// In the end the 32 sums are added by the matrix engine, a sink's weight to the sum,
// and the result is multiplied by the reciprocal. The kernel that splits the keys of one query over cores joins
// their parts in the same way; here they are one after the other.
//
//===----------------------------------------------------------------------===//
#include "DeviceAttention.h"

#include "DeviceProduct.h"
#include "VectorUnit.h"

#include "tessera/OpModel/ComputeConfig.h"

#include "llvm/ADT/bit.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace tessera::simulator {

using engine::kTile;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

float truncated(float value) { return llvm::bit_cast<float>(llvm::bit_cast<uint32_t>(value) & 0xffff0000); }

/// exp as a line through exponent and mantissa (Schraudolph, "A Fast, Compact Approximation of the Exponential Function"): an
/// integer of 16 bits, shifted to a float's place. What is below zero is cut off.
class LinearExp {
public:
  explicit LinearExp(float scale) : slope(256.0f * std::numbers::log2e_v<float> * scale) {}
  float operator()(float x) const {
    constexpr float kOffset = 32500.818359375f; // 127 * 256, less what makes the mean error least
    float place = std::nearbyint(std::fma(slope, x, kOffset));
    if (!(place > 0))
      return 0;
    return truncated(llvm::bit_cast<float>(uint32_t(std::min(place, 32767.0f)) << 15));
  }

private:
  float slope;
};

/// 1 / x, as coarse as the chip's kernel takes it.
float reciprocal(float x, Arch arch) {
  return arch == Arch::Blackhole ? vector_unit::estimatedReciprocal(x) : truncated(1 / x);
}

/// The rows of one call, chunk by chunk.
class Attending {
public:
  Attending(const AttentionRows &rows, const AttentionNumerics &numerics)
      : in(rows), line(rows.first), numerics(numerics), count(int64_t(rows.last.size())),
        valueWidth(line.valueWidth ? line.valueWidth : line.width),
        valueStride(line.valueStride ? line.valueStride : line.width), approximate(line.scale),
        maxima(size_t(count), kMasked), sums(size_t(count * kTile)), values(size_t(count * valueWidth)) {}

  void run(float *to) {
    int64_t end = 0;
    for (int64_t last : in.last)
      end = std::max(end, std::min(line.positions, last + 1));
    for (int64_t begin = 0; begin < end; begin += numerics.chunk)
      attendTo(begin, std::min(end, begin + numerics.chunk));
    normalize(to);
  }

private:
  Summation summation() const { return {numerics.precision, std::numeric_limits<int64_t>::max() / kTile}; }

  void attendTo(int64_t begin, int64_t end) {
    width = end - begin;
    // In the order of the file's head: scores, maximum and weights, sums, result.
    scores.assign(size_t(count * width), 0);
    product.assign(size_t(count * valueWidth), 0);
    multiply(
        {count, width, line.width, line.query, line.keys + begin * line.width, scores.data(), false, true});
    mask(begin);
    for (int64_t row = 0; row < count; ++row)
      weigh(row, begin == 0);
    MatrixProduct byValues{count, valueWidth, width, scores.data(), rightValues(begin), product.data()};
    multiply(byValues);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = toNearestEven(values[i] + product[i]);
  }

  /// Values of the chunk, one row after the other.
  const float *rightValues(int64_t begin) {
    const float *from = line.values + begin * valueStride;
    if (valueStride == valueWidth)
      return from;
    denseValues.resize(size_t(width * valueWidth));
    for (int64_t row = 0; row < width; ++row)
      std::copy_n(from + row * valueStride, valueWidth, denseValues.data() + row * valueWidth);
    return denseValues.data();
  }

  void multiply(const MatrixProduct &shape) {
    multiplyHere(shape, summation());
    for (int64_t i = 0; i < shape.m * shape.n; ++i)
      shape.c[i] = packed(shape.c[i]);
  }

  void mask(int64_t begin) {
    for (int64_t row = 0; row < count; ++row)
      for (int64_t i = 0; i < width; ++i) {
        float &score = scores[size_t(row * width + i)];
        if (begin + i > in.last[size_t(row)] || begin + i < in.begins[size_t(row)])
          score = kMasked;
        else if (in.masks[size_t(row)])
          // exp scales the sum, so a mask that is not to be scaled is divided before it is added.
          score = add(score, packed(in.masks[size_t(row)][begin + i] / (line.scale / line.maskScale)));
      }
  }

  /// The adder in registers, then the packer. Infinity stays.
  float add(float a, float b) const {
    if (std::isinf(a) || std::isinf(b))
      return a + b;
    return packed(addOnDevice(a, b, numerics.precision.fp32Dest));
  }

  /// Makes weights of a row's scores, and adds them to its sums.
  void weigh(int64_t row, bool isFirst) {
    float *scoresOfRow = scores.data() + row * width, *sumsOfRow = sums.data() + row * kTile;
    float before = maxima[size_t(row)],
          maximum = std::max(before, *std::max_element(scoresOfRow, scoresOfRow + width));
    if (maximum == kMasked) { // nothing is attended to yet
      std::fill_n(scoresOfRow, width, 0.0f);
      return;
    }
    maxima[size_t(row)] = maximum;
    if (!isFirst) {
      // What was weighed against a smaller maximum weighs less now. Nothing was, where all was masked: infinity less
      // infinity is no number.
      const float correction = correctionOf(before, maximum);
      scale(sumsOfRow, kTile, correction, sumsOfRow);
      scale(values.data() + row * valueWidth, valueWidth, correction, values.data() + row * valueWidth);
    }
    std::array<float, kTile> added{};
    for (int64_t i = 0; i < width; ++i) {
      float weight = weightOf(add(scoresOfRow[i], -maximum));
      scoresOfRow[i] = weight;
      float &sum = added[size_t(i % kTile)];
      sum = toNearestEven(sum + weight);
    }
    for (int64_t i = 0; i < kTile; ++i)
      sumsOfRow[i] = toNearestEven(sumsOfRow[i] + added[size_t(i)]);
  }

  void scale(const float *row, int64_t length, float factor, float *to) const {
    engine::multiplyRow(row, length, factor, numerics.precision, to);
    for (int64_t i = 0; i < length; ++i)
      to[i] = packed(to[i]);
  }

  float weightOf(float difference) const {
    return numerics.approximateExp ? approximate(difference)
                                   : toNearestEven(std::exp(difference * line.scale));
  }
  /// What is kept of a sum, or of values, whose maximum was `before`.
  float correctionOf(float before, float maximum) const {
    return before == kMasked ? 0 : toNearestEven(std::exp(add(before, -maximum) * line.scale));
  }

  /// A sink is a last key, whose value is nothing.
  void drain(int64_t row, float &total) {
    const float sink = toNearestEven(in.sinks[size_t(row)]), before = maxima[size_t(row)],
                maximum = std::max(before, sink), correction = correctionOf(before, maximum);
    scale(&total, 1, correction, &total);
    scale(values.data() + row * valueWidth, valueWidth, correction, values.data() + row * valueWidth);
    total = add(total, weightOf(add(sink, -maximum)));
  }

  void normalize(float *to) {
    std::vector<float> ones(kTile, 1), totals(static_cast<size_t>(count));
    multiply({count, 1, kTile, sums.data(), ones.data(), totals.data()});
    for (int64_t row = 0; row < count; ++row)
      if (in.sinks[size_t(row)] != kMasked)
        drain(row, totals[size_t(row)]);
    for (int64_t row = 0; row < count; ++row)
      scale(values.data() + row * valueWidth, valueWidth, reciprocal(totals[size_t(row)], numerics.arch),
            to + row * valueWidth);
  }

  const AttentionRows &in;
  const AttentionLine &line;
  const AttentionNumerics &numerics;
  int64_t count, valueWidth, valueStride, width = 0;
  LinearExp approximate;
  std::vector<float> maxima, sums,
      values; ///< per query: one; a tile's columns; the result before it is divided
  std::vector<float> scores, product, denseValues; ///< of a chunk
};

/// A program config's figure, 0 if it has none.
int64_t configured(const OpSignature &op, llvm::StringRef name) {
  return op.integer(("program_config." + name).str(), 0);
}

} // namespace

AttentionNumerics attentionNumerics(const KernelCall &call) {
  ComputeConfig config =
      statedComputeConfig(call.op).value_or(ComputeConfig{.fidelity = 2, .approximate = false});
  AttentionNumerics numerics{{config.fidelity, config.fp32Accumulate}};
  const auto *chunks = std::get_if<AttentionConfig>(&call.config);
  numerics.chunk = std::max<int64_t>(kTile, chunks ? chunks->keyChunk : configured(call.op, "k_chunk_size"));
  numerics.approximateExp = call.op.boolean("program_config.exp_approx_mode", true);
  if (call.launch)
    numerics.arch = call.launch->model.device().arch;
  return numerics;
}

AttentionNumerics decodeNumerics(const KernelCall &call, int64_t positions) {
  AttentionNumerics numerics = attentionNumerics(call);
  // The largest power of two that divides the length, up to 512 (facts/formulas 10).
  if (configured(call.op, "k_chunk_size") == 0)
    numerics.chunk = std::max(kTile, std::min<int64_t>(512, positions & -positions));
  return numerics;
}

void attendOnDevice(const AttentionRows &rows, const AttentionNumerics &numerics, float *to) {
  Attending(rows, numerics).run(to);
}

} // namespace tessera::simulator
