//===- TextParts.h - What the sources of this room share ------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_LIB_LAYOUT_TEXTPARTS_H
#define TESSERA_LIB_LAYOUT_TEXTPARTS_H

#include "tessera/Layout/LinearMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

#include <string>

namespace tessera {

/// "2x3x64", or with another separator "2, 3, 64".
std::string text(llvm::ArrayRef<int64_t> extents, llvm::StringRef separator = "x");

/// An affine sum as MLIR prints it: `d0 * 192 + d1`, `0` if there is nothing.
struct AffineSum {
  std::string text;
  bool compound = false; ///< more than one name or number: an operand that needs parentheses
};
AffineSum affineSum(const LinearMap::Result &sum);

/// "(d0, d1)".
std::string dimensionList(unsigned dims);

/// The product of the extents; the largest number if it is larger.
int64_t volumeOf(llvm::ArrayRef<int64_t> extents);

/// The next index of the box `extents` in row-major order; false after the last, with `index` back at 0.
bool advance(llvm::MutableArrayRef<int64_t> index, llvm::ArrayRef<int64_t> extents);

/// An error with a formatv message.
template <class... Args>
llvm::Error failure(const char *message, Args &&...args) {
  return llvm::createStringError(llvm::formatv(message, std::forward<Args>(args)...).str());
}

} // namespace tessera

#endif // TESSERA_LIB_LAYOUT_TEXTPARTS_H
