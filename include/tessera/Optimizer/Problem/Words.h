//===- Words.h - What decides something, as plain numbers -----------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_OPTIMIZER_PROBLEM_WORDS_H
#define TESSERA_OPTIMIZER_PROBLEM_WORDS_H

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
class Words {
public:
  void add(const auto &...parts) { (put(parts), ...); }
  void addAll(const auto &parts) {
    for (const auto &part : parts)
      put(part);
  }
  bool operator==(const Words &) const = default;
  llvm::hash_code hash() const { return llvm::hash_combine_range(words.begin(), words.end()); }

private:
  void put(auto number) { words.push_back(uint64_t(number)); }
  template <class Tag>
  void put(Id<Tag> id) {
    words.push_back(id.valid() ? id.index() : ~uint64_t(0));
  }
  void put(Nanoseconds time) { words.push_back(std::bit_cast<uint64_t>(time.value())); }
  void put(Bytes bytes) { put(bytes.value()); }
  /// What a value is and how the program has it: its type, layouts and kind.
  /// The number of extents stands before them: two keys are equal only if each of their numbers means the same.
  void put(const Value &value) {
    add(value.tensor.dtype, value.tensor.shape.size());
    addAll(value.tensor.shape);
    add(value.declared, value.home, value.kind);
  }

  std::vector<uint64_t> words;
};

/// For maps that are asked and never walked: the order in them is that of hashes.
struct WordsHash {
  size_t operator()(const Words &key) const { return key.hash(); }
};

/// A memo.
template <class Answer>
using ByWords = std::unordered_map<Words, Answer, WordsHash>;

/// Equal words under one number, which count up in order of first appearance.
class WordNumbers {
public:
  uint32_t of(Words words) {
    return known.try_emplace(std::move(words), uint32_t(known.size())).first->second;
  }

private:
  ByWords<uint32_t> known;
};

} // namespace tessera

#endif // TESSERA_OPTIMIZER_PROBLEM_WORDS_H
