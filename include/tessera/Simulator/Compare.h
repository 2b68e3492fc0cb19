//===- Compare.h - How far two tensors are apart --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SIMULATOR_COMPARE_H
#define TESSERA_SIMULATOR_COMPARE_H

#include "tessera/Simulator/DenseTensor.h"

#include <optional>

namespace tessera::simulator {

/// How two tensors differ. The first is what is judged, the second what it is judged by; the defaults are those of
/// equal tensors. Of tensors of other types nothing but that is known.
struct Comparison {
  bool sameType = true; ///< shape, and integers or not
  int64_t elements = 0;
  int64_t different = 0;        ///< elements with other bits; all NaNs are one
  std::optional<int64_t> first; ///< index of the first of them, row-major
  double pcc = 1; ///< Pearson correlation of the elements that are finite in both; 0 if there are none
  double relativeRms =
      0; ///< rms of the differences over that of the second tensor, of elements that are finite in both
  double maxAbsolute = 0;  ///< largest difference of finite elements
  double meanAbsolute = 0; ///< of the differences of finite elements
  int64_t maxUlp =
      0; ///< the same in units in the last place of the coarser of the two formats (block float: bf16's)
  int64_t notFinite = 0; ///< elements that differ and are not finite in one of the two

  bool exact() const { return sameType && different == 0; }
};

/// Element by element; equal bytes are found at the speed of memory.
Comparison compare(const DenseTensor &a, const DenseTensor &b);

/// By how much the error of `after` exceeds that of `before`, both compared with the same exact values, beyond what chance makes of so few
/// elements: 0.25 for 25 %; infinity if more elements are not finite where the others are. An rms of n elements is known to 1 / sqrt(2 n) of it,
/// so the ratio of two is to 1 / sqrt(n), and three times that is chance: 9 % of 1,000 elements, and of two elements nothing can be told.
double errorGrowth(const Comparison &before, const Comparison &after);
/// What the error of a program may grow by where a rewrite sums in another order or rounds less often: 25 % (docs/rewrites.md).
inline constexpr double kErrorGrowthOfRewrites = 0.25;

/// Tells tensors of other values or shape apart, with all but certainty. Data types of equal values do not matter.
struct Fingerprint {
  uint64_t low = 0, high = 0;
  auto operator<=>(const Fingerprint &) const = default;
};
/// Reads all elements once. Equal fingerprints are taken for equal tensors: of 2^128 none has to be feared.
Fingerprint fingerprint(const DenseTensor &tensor);

} // namespace tessera::simulator

#endif // TESSERA_SIMULATOR_COMPARE_H
