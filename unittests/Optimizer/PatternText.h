//===- PatternText.h - What compilers write, op by op ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_UNITTESTS_OPTIMIZER_PATTERNTEXT_H
#define TESSERA_UNITTESTS_OPTIMIZER_PATTERNTEXT_H

#include "ModuleText.h"

#include "llvm/ADT/StringRef.h"

#include <vector>

namespace tessera {

using Named = ModuleText::Named;

/// A module of the ops that rewrites look for. What it is given and gives stands among element-wise ops, at random.
class PatternText : public ModuleText {
public:
  using ModuleText::ModuleText;

  bool chance(size_t oneIn = 2) { return below(oneIn) == 0; }
  template <class T>
  T pick(std::initializer_list<T> among) {
    return *(among.begin() + below(among.size()));
  }

  /// An argument, maybe with an op behind it.
  Named input(Shape shape, DataType dtype = DataType::BFloat16);
  /// An argument that is the same in every call.
  Named parameter(Shape shape, DataType dtype = DataType::BFloat16);
  /// What may be written in place: an argument as it is.
  Named cache(Shape shape) { return argument({std::move(shape), DataType::BFloat16}); }
  /// A result of the function, maybe with an op before it.
  void give(const Named &value);
  void giveItself(const Named &value) { given.push_back(value); }
  size_t results() const { return given.size(); } ///< so far
  std::string text() const { return moduleReturning(given); }

  // The ops. Those that say no more have the first operand's shape and elements.
  Named same(const std::string &op, const Named &x, const std::string &attributes = "") {
    return made(op, {x}, attributes, x.desc);
  }
  Named unary(const Named &x); ///< any
  Named binary(const std::string &op, const Named &x, const Named &y);
  Named cast(const Named &x, DataType dtype) { return made("typecast", {x}, "", {x.desc.shape, dtype}); }
  /// A tensor of one number, in that many dimensions.
  Named number(const std::string &value, const Named &like);
  Named reshape(const Named &x, Shape shape);
  Named permute(const Named &x, const Shape &order);
  /// Elements `begin` to `end` of a dimension, each or every `step`-th.
  Named slice(const Named &x, size_t dimension, int64_t begin, int64_t end, int64_t step = 1);
  Named concat(const Named &x, const Named &y, size_t dimension);
  /// Last two dimensions exchanged, by either op.
  Named transpose(const Named &x);
  Named matmul(const Named &a, const Named &b);
  Named softmax(const Named &x, int64_t dimension);
  /// An op that reduces one dimension to one element.
  Named reduce(const std::string &op, const Named &x, size_t dimension);
  /// "rms_norm" or "layer_norm", without weights.
  Named norm(const std::string &op, const Named &x);
  /// Dimension 1 of four each `times` times, one behind the other.
  Named repeatHeads(const Named &x, int64_t times);

private:
  std::vector<Named> given;
};

} // namespace tessera

#endif // TESSERA_UNITTESTS_OPTIMIZER_PATTERNTEXT_H
