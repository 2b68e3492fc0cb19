//===- Random.h - Numbers that a seed determines --------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_FUZZ_RANDOM_H
#define TESSERA_FUZZ_RANDOM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/xxhash.h"

namespace tessera::fuzz {

/// SplitMix64 (Steele, Lea, Flood 2014): the same on every machine, unlike the distributions of <random>.
class Random {
public:
  Random(uint64_t seed, llvm::StringRef kind, uint64_t index)
      : state(seed * 0x9E3779B97F4A7C15 ^ llvm::xxh3_64bits(kind) ^ index * 0xD1342543DE82EF95) {}

  uint64_t next() {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  /// 0 for an empty range.
  size_t below(size_t end) { return end == 0 ? 0 : size_t(next() % end); }
  bool oneIn(size_t n) { return below(n) == 0; }
  /// Requires a range that is not empty.
  template <class Range>
  const auto &of(const Range &range) {
    return *(std::begin(range) + below(std::size(range)));
  }
  /// 1, 2, 4, ... each half as likely as the one before, up to `most`.
  size_t few(size_t most) {
    size_t n = 1;
    while (n < most && oneIn(2))
      n *= 2;
    return n;
  }

private:
  uint64_t state;
};

} // namespace tessera::fuzz

#endif // TESSERA_FUZZ_RANDOM_H
