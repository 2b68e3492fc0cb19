//===- NearestNames.h - "did you mean" ------------------------------------===//
// Part of Tessera, under the Apache License v2.0.
//===----------------------------------------------------------------------===//
#ifndef TESSERA_SUPPORT_NEARESTNAMES_H
#define TESSERA_SUPPORT_NEARESTNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tessera {

/// Up to `count` of the known names, nearest to `wanted` first by edit distance without regard to case; ties
/// in the order of `known`. Names whose distance is more than a third of the longer word (at least one edit)
/// do not help and are left out. Those that begin with `wanted` come first where none is within two
/// edits.
llvm::SmallVector<llvm::StringRef, 3> closestNames(llvm::StringRef wanted,
                                                   llvm::ArrayRef<llvm::StringRef> known, size_t count = 3);

/// The end of an error message: "; did you mean 'n150' or 'n300'?", or "" if no name is near.
std::string didYouMean(llvm::StringRef wanted, llvm::ArrayRef<llvm::StringRef> known);

/// "unknown device 'n15'; did you mean 'n150'?; known: n150, n300": the one error for a word that is none of a list.
std::string unknownName(llvm::StringRef what, llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> known);

/// The name as an entry of `Enum`, or a number, that has the names in its order; fails with unknownName.
template <class Enum>
llvm::Expected<Enum> parseName(llvm::StringRef what, llvm::StringRef name,
                               llvm::ArrayRef<llvm::StringRef> known) {
  const llvm::StringRef *found = llvm::find(known, name);
  if (found == known.end())
    return llvm::createStringError(unknownName(what, name, known));
  return Enum(found - known.begin());
}

} // namespace tessera

#endif // TESSERA_SUPPORT_NEARESTNAMES_H
