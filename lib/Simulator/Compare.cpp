//===- Compare.cpp - How far two tensors are apart ------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Equal bytes are equal and take no more. Else every element is looked at: how
// many differ and by how many steps of the format, and the sums that correlation
// and relative error follow from. What is not finite is counted for itself, as
// one infinity would drown all the others.
//
//===----------------------------------------------------------------------===//
#include "tessera/Simulator/Compare.h"

#include "llvm/Support/xxhash.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace tessera::simulator {

namespace {

/// Sums from which a correlation follows.
struct Moments {
  double count = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0, differences = 0, distances = 0;
  void add(double x, double y) {
    ++count;
    a += x;
    b += y;
    aa += x * x;
    bb += y * y;
    ab += x * y;
    differences += (x - y) * (x - y);
    distances += std::fabs(x - y);
  }
  double correlation() const {
    double varianceA = aa * count - a * a, varianceB = bb * count - b * b;
    if (varianceA <= 0 || varianceB <= 0) // one is constant: they go together if both are
      return count > 0 && varianceA <= 0 && varianceB <= 0 ? 1 : 0;
    return (ab * count - a * b) / std::sqrt(varianceA * varianceB);
  }
  /// Where the second is all zeros, the differences are measured against 1.
  double relativeRms() const {
    return std::sqrt(bb > 0 ? differences / bb : differences / std::max(1.0, count));
  }
};

/// Place of a float among all floats, in order; bf16 has every 65536th.
int64_t rankOf(float value) {
  auto bits = int64_t(std::bit_cast<uint32_t>(value));
  // Negative floats descend as their bits ascend; so turned round, neighbours differ by one, across zero as
  // well.
  return bits & 0x80000000 ? 0x80000000 - bits : bits;
}

bool isCoarse(DataType type) { return type != DataType::Float32; }

bool sameBits(float a, float b) {
  return std::bit_cast<uint32_t>(a) == std::bit_cast<uint32_t>(b) || (std::isnan(a) && std::isnan(b));
}

template <class T>
bool sameElements(const Elements<T> &a, const Elements<T> &b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

class Comparing {
public:
  Comparing(const DenseTensor &a, const DenseTensor &b)
      // Steps are those of the coarser format; block float is counted in steps of bf16.
      : a(a), b(b), ulp(isCoarse(a.desc.dtype) || isCoarse(b.desc.dtype) ? 1 << 16 : 1) {}

  Comparison run() {
    result.sameType = a.desc.shape == b.desc.shape && a.isInteger() == b.isInteger();
    if (!result.sameType)
      return result;
    result.elements = a.volume();
    // Mostly they are, and comparing bytes takes a fraction of the time; the defaults of Comparison are those
    // of equal tensors.
    if (sameElements(a.floats, b.floats) && sameElements(a.integers, b.integers))
      return result;
    for (int64_t i = 0; i < result.elements; ++i)
      a.isInteger() ? addIntegers(i) : addFloats(i);
    result.pcc = result.different == 0 ? 1 : moments.correlation();
    result.relativeRms = moments.relativeRms();
    result.meanAbsolute = moments.distances / std::max(1.0, moments.count);
    return result;
  }

private:
  void differ(int64_t index) {
    ++result.different;
    if (!result.first)
      result.first = index;
  }

  void addNumbers(double x, double y) {
    moments.add(x, y);
    result.maxAbsolute = std::max(result.maxAbsolute, std::fabs(x - y));
  }

  void addIntegers(int64_t i) {
    if (a.integers[size_t(i)] != b.integers[size_t(i)])
      differ(i);
    addNumbers(a.at(i), b.at(i));
    result.maxUlp = std::max(result.maxUlp, int64_t(std::fabs(a.at(i) - b.at(i))));
  }

  void addFloats(int64_t i) {
    float x = a.floats[size_t(i)], y = b.floats[size_t(i)];
    if (!sameBits(x, y))
      differ(i);
    // One infinity would make all sums infinite; such elements are counted by themselves.
    if (std::isfinite(x) && std::isfinite(y)) {
      addNumbers(x, y);
      result.maxUlp = std::max(result.maxUlp, ceilDiv(std::abs(rankOf(x) - rankOf(y)), ulp));
    } else if (!sameBits(x, y)) {
      ++result.notFinite;
    }
  }

  const DenseTensor &a, &b;
  int64_t ulp;
  Moments moments;
  Comparison result;
};

} // namespace

Comparison compare(const DenseTensor &a, const DenseTensor &b) { return Comparing(a, b).run(); }

double errorGrowth(const Comparison &before, const Comparison &after) {
  // A relative rms that says nothing: the values that errors are measured against are fp32 themselves (steps of 1.2e-7), and a sum in
  // another order ends some steps away.
  constexpr double kResolution = 1e-6;
  if (after.notFinite > before.notFinite)
    return std::numeric_limits<double>::infinity();
  double least = std::max(before.relativeRms, kResolution);
  double chance = 3 / std::sqrt(double(std::max<int64_t>(after.elements, 1)));
  return std::max(0.0, after.relativeRms / least - 1 - chance);
}

Fingerprint fingerprint(const DenseTensor &tensor) {
  auto bytesOf = [](const auto &elements) {
    return llvm::ArrayRef(reinterpret_cast<const uint8_t *>(elements.data()), elements.size() * 4);
  };
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(tensor.isInteger() ? bytesOf(tensor.integers) : bytesOf(tensor.floats));
  for (int64_t extent : tensor.shape())
    // Equal elements in another shape are another tensor.
    hash.low64 = hash.low64 * 0x9e3779b97f4a7c15 + uint64_t(extent) + 1;
  return {hash.low64, hash.high64 ^ uint64_t(tensor.isInteger())};
}

} // namespace tessera::simulator
