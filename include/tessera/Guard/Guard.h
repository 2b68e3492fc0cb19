//===- Guard.h - Whether a module still says all that it said -------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
//
// What our reader does not know, our writer cannot miss, and neither can a check
// that goes through both. So the guard reads two texts by itself: ttnn and
// ttcore are not registered there, properties are dictionaries, attributes text.
//
//   1. Every op of the first text is in the second: same name, same properties
//      and attributes, same regions, results of the same shapes and element
//      types, and computed from the same values. What converts a tensor without
//      changing its elements, or frees it, is looked through; so are functions
//      whose results are cached.
//   2. Properties may be added, which is how a reader fills in defaults, but not
//      lost or changed. What a plan may change is a table (Allowed.cpp).
//   3. Attributes are compared as trees of tokens: keys in any order, aliases
//      read as what they stand for, `<8, 8>` for `#ttnn.core_coord<8, 8>`.
//
// Both texts are parsed once; all else is linear in their length, up to ops that
// cannot be told apart by what they read.
//
//===----------------------------------------------------------------------===//
#ifndef TESSERA_GUARD_GUARD_H
#define TESSERA_GUARD_GUARD_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>
#include <vector>

namespace tessera {

struct GuardOptions {
  /// The second text is a plan of the first: layouts, conversions, deallocates and configurations may differ. Else only
  /// the order of keys, aliases and added defaults may.
  bool planned = true;
  /// The user has set keys of conv2d configs himself.
  bool conv2dConfigsAreGiven = false;
  /// The user has chosen data types himself: only shapes are compared.
  bool dataTypesAreGiven = false;
  /// Locations that the first text writes down are in the second, too.
  bool locations = false;
};

/// One thing of the first text that is not in the second.
struct Loss {
  std::string place; ///< file:line:column in the first text
  std::string what;
};

/// Compares two texts of a module. The order is that of the first text: later losses often follow from the first one. An
/// error if one of them cannot be read, bytecode among others.
llvm::Expected<std::vector<Loss>> findLosses(llvm::MemoryBufferRef before, llvm::MemoryBufferRef after,
                                             const GuardOptions &options);

/// The same for people: "" if nothing is lost, else the first loss and how many there are, or why a text cannot be read.
std::string lostBetween(llvm::MemoryBufferRef before, llvm::MemoryBufferRef after,
                        const GuardOptions &options);

} // namespace tessera

#endif // TESSERA_GUARD_GUARD_H
