//===- ProgressFunction.h - How far long work has got ---------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// Who gives out work in parts says which share of the whole each is, as good as it can be known beforehand:
//
//   optimize         0 ......................................... 1
//   its graphs       0 ........... 1/3 ........... 2/3 ......... 1      part({1./3, 2./3})
//   orders of ops                  0 .. 1/2 .. 1                        part(partOf(1, 2))
//
// so that who does it reports in ops of its own, and who listens hears one share of the whole.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_PROGRESSFUNCTION_H
#define TESSERA_SUPPORT_PROGRESSFUNCTION_H

#include "llvm/ADT/StringRef.h"

#include <functional>

namespace tessera {

/// A part of some work, as shares of it.
struct ProgressPart {
  double from = 0, to = 1;
};

/// The one with that number, from 0, of parts that take equally long.
inline ProgressPart partOf(size_t index, size_t count) {
  return {double(index) / double(count), double(index + 1) / double(count)};
}

/// Called now and then with what is being done ("merging chains"), how much of it is, and how much there is in all. May
/// be empty. Work that consists of several parts names each; a part that is done again begins at 1 again.
class ProgressFunction {
public:
  /// `share`: of the whole, 0 to 1. It goes back where a part is done again.
  using Listener = std::function<void(llvm::StringRef what, size_t done, size_t all, double share)>;

  ProgressFunction() = default;
  explicit ProgressFunction(Listener listener) : listener(std::move(listener)) {}

  /// For those who do that part of this work.
  ProgressFunction part(ProgressPart inner) const {
    ProgressFunction function = *this;
    function.range = {at(inner.from), at(inner.to)};
    return function;
  }

  explicit operator bool() const { return bool(listener); }
  void operator()(llvm::StringRef what, size_t done, size_t all) const {
    listener(what, done, all, at(all ? double(done) / double(all) : 0));
  }

private:
  double at(double share) const { return range.from + share * (range.to - range.from); }

  Listener listener;
  ProgressPart range; ///< of the listener's whole
};

/// Nothing, if nobody listens.
inline void reportProgress(const ProgressFunction &progress, llvm::StringRef what, size_t done, size_t all) {
  if (progress)
    progress(what, done, all);
}

} // namespace tessera

#endif // TESSERA_SUPPORT_PROGRESSFUNCTION_H
