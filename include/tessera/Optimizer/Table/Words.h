//===- Words.h - What decides something, as plain numbers -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_TABLE_WORDS_H
#define TESSERA_OPTIMIZER_TABLE_WORDS_H

#include "tessera/Optimizer/Problem/Problem.h"
#include "tessera/Support/Id.h"
#include "tessera/Support/Units.h"
#include "llvm/ADT/Hashing.h"

#include <bit>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tessera {

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
  /// What a value is and how the program has it: its type, layouts and kind.
  void add(const Value &value) {
    add(value.tensor.dtype);
    add(value.tensor.shape.size());
    for (int64_t extent : value.tensor.shape)
      add(extent);
    add(value.declared);
    add(value.home);
    add(value.kind);
  }
  bool operator==(const Words &) const = default;
};

struct WordsHash {
  size_t operator()(const Words &key) const {
    return llvm::hash_combine_range(key.words.begin(), key.words.end());
  }
};

/// Equal words under one number, which count up in order of first appearance.
class WordNumbers {
public:
  uint32_t of(Words words) {
    return known.try_emplace(std::move(words), uint32_t(known.size())).first->second;
  }

private:
  std::unordered_map<Words, uint32_t, WordsHash> known;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_TABLE_WORDS_H
