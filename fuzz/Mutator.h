//===- Mutator.h - Text with something wrong ------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_FUZZ_MUTATOR_H
#define TESSERA_FUZZ_MUTATOR_H

#include "Random.h"

#include <string>
#include <vector>

namespace tessera::fuzz {

/// Inputs of one kind, and the tokens that occur in them.
class Corpus {
public:
  void add(std::string entry);
  bool empty() const { return entries.empty(); }
  const std::string &entry(Random &random) const { return random.of(entries); }
  const std::string &token(Random &random) const { return random.of(tokens); }

private:
  std::vector<std::string> entries;
  std::vector<std::string> tokens; ///< sorted, each once
};

/// `text` after a few mutations: bytes, tokens, numbers and lines that are changed, left out, repeated or taken from
/// the corpus, and pieces of two texts joined. Bounded in size.
std::string mutate(std::string text, const Corpus &corpus, Random &random);

} // namespace tessera::fuzz

#endif // TESSERA_FUZZ_MUTATOR_H
