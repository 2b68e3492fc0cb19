//===- Draw.h - Random shapes of models -----------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_EVALUATION_HARVEST_DRAW_H
#define TESSERA_LIB_EVALUATION_HARVEST_DRAW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <random>
#include <string>

namespace tessera::evaluation {

/// Extents of a decoder or an encoder, as its configuration file has them.
struct Transformer {
  int64_t hidden, heads, keyValueHeads, headSize, inner;
};

/// A convolution of an image network.
struct ImageLayer {
  int64_t height, width, in, out, kernel, stride, padding;
  int64_t outHeight() const { return (height + 2 * padding - kernel) / stride + 1; }
  int64_t outWidth() const { return (width + 2 * padding - kernel) / stride + 1; }
};

using Extents = llvm::SmallVector<int64_t, 5>;

/// The same numbers for the same seed on every machine: distributions of the standard library are not.
class Draw {
public:
  explicit Draw(uint64_t seed) : engine(seed) {}

  /// 0 .. n - 1.
  size_t below(size_t n) { return engine() % n; }
  int64_t between(int64_t least, int64_t most) { return least + int64_t(below(size_t(most - least + 1))); }
  /// True in so many of 100 cases.
  bool chance(unsigned percent) { return below(100) < percent; }
  /// One of several; a choice that is listed twice is drawn twice as often.
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
  template <class T>
  const T &of(llvm::ArrayRef<T> choices) {
    return choices[below(choices.size())];
  }

  const Transformer &decoder();
  const Transformer &encoder();
  const ImageLayer &imageLayer();
  /// Tokens of a prompt, or of an encoder's text.
  int64_t tokens() { return pick<int64_t>({32, 64, 128, 197, 256, 384, 512, 1024, 2048}); }
  /// Users of a decode step.
  int64_t users() { return pick<int64_t>({1, 8, 16, 32, 32}); }
  /// What some layer hands to the next.
  Extents activation();
  /// One tensor of heads: batch, heads, tokens, size of a head.
  Extents heads();
  /// A type that activations have.
  std::string type() { return pick<const char *>({"bf16", "bf16", "bf16", "bf16", "f32", "bfp_bf8"}); }

private:
  std::mt19937_64 engine;
};

/// "1x32x128xbf16@l1".
std::string tensor(llvm::ArrayRef<int64_t> shape, llvm::StringRef type, llvm::StringRef layout);
/// "OPERANDS -> RESULTS ; ATTRIBUTES".
std::string call(const std::string &operands, const std::string &results, const std::string &attributes = "");
/// "[1,2]".
std::string list(llvm::ArrayRef<int64_t> numbers);

} // namespace tessera::evaluation

#endif // TESSERA_LIB_EVALUATION_HARVEST_DRAW_H
