//===- Words.h - What decides something, as plain numbers -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_OPTIMIZER_POLICY_BEAM_WORDS_H
#define TESSERA_LIB_OPTIMIZER_POLICY_BEAM_WORDS_H

#include "tessera/Support/Units.h"
#include "llvm/ADT/Hashing.h"

#include <bit>
#include <cstdint>
#include <vector>

namespace tessera::beam {

/// The key of a memo: everything that an answer depends on, one number after the other. Times bit by bit: answers are
/// shared only where they are exactly what would be computed again.
struct Words {
  std::vector<uint64_t> words;

  template <class Number>
  void add(Number number) {
    words.push_back(uint64_t(number));
  }
  template <class Tag>
  void add(Id<Tag> id) {
    words.push_back(id.valid() ? id.index() : ~uint64_t(0));
  }
  void add(Nanoseconds time) { words.push_back(std::bit_cast<uint64_t>(time.value())); }
  bool operator==(const Words &) const = default;
};

struct WordsHash {
  size_t operator()(const Words &key) const {
    return llvm::hash_combine_range(key.words.begin(), key.words.end());
  }
};

} // namespace tessera::beam

#endif // TESSERA_LIB_OPTIMIZER_POLICY_BEAM_WORDS_H
