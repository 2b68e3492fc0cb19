//===- WindowPadding.h - The padding of a window over an image ------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_WINDOWPADDING_H
#define TESSERA_SUPPORT_WINDOWPADDING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>

namespace tessera {

/// Rows and columns around an image, as attribute `padding` of a window's op says them: two entries are (vertical,
/// horizontal), and what four mean depends on the op (facts/ir 1.4). Convolutions have (top, bottom, left, right), as
/// the library has them; pools keep the compiler's order, (top, left, bottom, right), and so do transposed
/// convolutions.
struct WindowPadding {
  int64_t top = 0, bottom = 0, left = 0, right = 0;

  /// Of an op by its name, "ttnn.max_pool2d". Entries that are not there are 0, as in a module that no verifier has
  /// seen.
  template <class Entry>
  static WindowPadding read(llvm::StringRef op, llvm::ArrayRef<Entry> entries) {
    auto at = [&](size_t i) { return i < entries.size() ? int64_t(entries[i]) : 0; };
    if (entries.size() < 4)
      return {at(0), at(0), at(entries.size() > 1 ? 1 : 0), at(entries.size() > 1 ? 1 : 0)};
    return cornersFirst(op) ? WindowPadding{at(0), at(2), at(1), at(3)}
                            : WindowPadding{at(0), at(1), at(2), at(3)};
  }

  /// All four, in the order of the op.
  std::array<int64_t, 4> entries(llvm::StringRef op) const {
    return cornersFirst(op) ? std::array{top, left, bottom, right} : std::array{top, bottom, left, right};
  }

private:
  /// Whether the op says what is above and to the left before what is below and to the right.
  static bool cornersFirst(llvm::StringRef op) {
    return op.contains("pool2d") || op.contains("conv_transpose2d");
  }
};

} // namespace tessera

#endif // TESSERA_SUPPORT_WINDOWPADDING_H
